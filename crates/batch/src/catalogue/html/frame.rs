//! The frame of all pages: head, style, content policy.
//!
//! The policy forbids everything from elsewhere and all scripts but that of the index, so a title
//! from a file is text and nothing more.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edgematch_report::FINDER_SCRIPT;
use hmac_sha256::Hash;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::solutions::Figure;

const PROGRAM: &str = concat!("edgematch ", env!("CARGO_PKG_VERSION"));

/// Searches and sorts the index; the page is whole without it. A page from a disk cannot import, so
/// what it shares with others stands in it.
fn index_script() -> String {
    let shared = FINDER_SCRIPT.replace("export ", "");
    shared + include_str!("index.js")
}

/// Whether a page has a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    None,
    OfTheIndex,
}

/// A page with this title; `root` leads from it to the folder of the catalogue.
pub(super) fn page(title: &str, root: &str, script: Script, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy(script));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (title) }
                link rel="stylesheet" href={ (root) "style.css" };
            }
            body {
                (body)
                footer {
                    p { "Made by " (PROGRAM) "." }
                }
                @if script == Script::OfTheIndex {
                    script type="module" { (PreEscaped(index_script())) }
                }
            }
        }
    };
    page.into_string() + "\n"
}

/// Nothing from elsewhere, no script but ours. A page that is opened from a disk has no origin, so
/// files are named.
fn policy(script: Script) -> String {
    let own = "default-src 'none'; img-src 'self' file:; style-src 'self' file:; \
               base-uri 'none'; form-action 'none'";
    match script {
        Script::None => own.to_owned(),
        Script::OfTheIndex => {
            let hash = STANDARD.encode(Hash::hash(index_script().as_bytes()));
            format!("{own}; script-src 'sha256-{hash}'")
        }
    }
}

/// A drawing.
pub(super) fn image(figure: &Figure, words: &str) -> Markup {
    html! {
        img src=(figure.file) alt=(words) loading="lazy" width=(figure.width) height=(figure.height);
    }
}

/// Links to the pages of something long; nothing where there is one.
pub(super) fn pages(page: usize, number: usize, file_name: fn(usize) -> String) -> Markup {
    if number < 2 {
        return html! {};
    }
    let near = |other: &usize| other.abs_diff(page) <= 3 || *other == 0 || *other + 1 == number;
    let listed: Vec<usize> = (0..number).filter(near).collect();
    html! {
        nav.pages aria-label="Pages" {
            @for (place, &other) in listed.iter().enumerate() {
                @if place > 0 && other != listed[place - 1] + 1 { span { "…" } }
                @if other == page {
                    span aria-current="page" { (other + 1) }
                } @else {
                    a href=(file_name(other)) { (other + 1) }
                }
            }
        }
    }
}
