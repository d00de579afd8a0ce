//! The pages of one puzzle: its tiles, its runs, and its solutions, a hundred to a page.
//!
//! Only solutions that the checker accepts are drawn; a run without kept solutions says how to keep
//! them.

use edgematch::clock::seconds;
use edgematch::engine::counted;
use edgematch_report::readable;
use itertools::Itertools;
use maud::{Markup, html};

use super::SOLUTIONS_A_PAGE;
use super::entry::Entry;
use super::frame::{Script, image, page as framed, pages};
use super::solutions::{Figure, Figures};
use crate::Row;
use crate::catalogue::survey::{constraints, version};
use crate::catalogue::words::{counts, engine, one_line, verdict, work};

/// What the pages of a puzzle are called.
pub(super) fn file_name(page: usize) -> String {
    match page {
        0 => "index.html".into(),
        page => format!("page-{}.html", page + 1),
    }
}

/// Where a page leads.
pub(super) struct Neighbours<'a> {
    /// The page of the index.
    pub index: String,
    pub previous: Option<&'a Entry>,
    pub next: Option<&'a Entry>,
}

/// What is drawn on a page.
#[derive(Default)]
pub(super) struct Drawn<'a> {
    pub tiles: Option<Figure>,
    pub figures: Vec<Figure>,
    /// Why nothing can be drawn.
    pub refusal: Option<&'a str>,
}

/// A page of a puzzle: the first one has all that is known of it.
pub(super) fn page(
    entry: &Entry,
    figures: &Figures<'_>,
    number: usize,
    drawn: &Drawn<'_>,
    neighbours: &Neighbours<'_>,
) -> String {
    let title = entry.title();
    let body = html! {
        header {
            (ways(neighbours))
            h1 { (title) }
        }
        main {
            @if number == 0 {
                div.summary {
                    @if let Some(first) = drawn.figures.first() { (solution(first)) }
                    (facts(entry))
                }
                @if let Some(refusal) = drawn.refusal { p.wrong { "Not drawn: " (refusal) } }
                @if let Some(tiles) = &drawn.tiles {
                    section {
                        h2 { "Tiles" }
                        (image(tiles, &format!("The tiles of {title} as they lie in the file")))
                    }
                }
                (engines(entry))
            }
            (solutions(entry, figures, number, drawn))
        }
    };
    let title = match number {
        0 => title,
        number => format!("{title}, page {}", number + 1),
    };
    framed(&title, "../", Script::None, &body)
}

fn ways(neighbours: &Neighbours<'_>) -> Markup {
    let link = |entry: &Entry| Some(format!("../{}/index.html", entry.folder()?));
    let way = |entry: Option<&Entry>| entry.and_then(|entry| Some((link(entry)?, entry.title())));
    html! {
        nav.ways aria-label="Catalogue" {
            @if let Some((link, title)) = way(neighbours.previous) {
                a rel="prev" href=(link) { "← " (title) }
            } @else { span {} }
            a href={ "../" (neighbours.index) } { "All puzzles" }
            @if let Some((link, title)) = way(neighbours.next) {
                a rel="next" href=(link) { (title) " →" }
            } @else { span {} }
        }
    }
}

fn facts(entry: &Entry) -> Markup {
    let puzzle = &entry.puzzle;
    let row = entry.best();
    let [distinct, classes, solutions] = counts(&row.ended);
    let tiles = puzzle.tiles.map(|tiles| match puzzle.kinds {
        Some(kinds) if kinds != tiles => {
            format!("{}, {}", counted(tiles, "tile", "tiles"), counted(kinds, "kind", "kinds"))
        }
        _ => counted(tiles, "tile", "tiles"),
    });
    let facts = [
        ("Name", Some(one_line(&puzzle.name))),
        ("Source", puzzle.source.as_deref().map(one_line)),
        ("Constraints", Some(one_line(&constraints(&row.options)))),
        ("Board", puzzle.board.as_deref().map(one_line)),
        ("Tiles", tiles),
        ("Distinct", Some(distinct)),
        ("Classes", Some(classes)),
        ("Solutions", Some(solutions)),
        ("Difficulty", entry.difficulty().map(|d| format!("{d:.0}"))),
        ("Verdict", Some(one_line(&verdict(&row.ended)))),
    ];
    let facts = facts.into_iter().filter_map(|(name, fact)| Some((name, fact?)));
    html! {
        dl.facts {
            @for (name, fact) in facts.filter(|(_, fact)| !fact.is_empty()) {
                dt { (name) }
                dd { (fact) }
            }
            @if !entry.places.is_empty() {
                dt { @if entry.places.len() == 1 { "File" } @else { "Files" } }
                @for place in &entry.places { dd { (place) } }
            }
        }
    }
}

/// What every engine said.
fn engines(entry: &Entry) -> Markup {
    let rows = || entry.runs.iter().map(|(_, row)| row);
    let options = rows().map(|row| &row.options);
    let has_options =
        !options.clone().all_equal() || options.clone().any(|o| !constraints(o).is_empty());
    html! {
        section {
            h2 { "Engines" }
            div.wide tabindex="0" {
                table {
                    thead {
                        tr {
                            th scope="col" { "Engine" }
                            @if has_options { th scope="col" { "Options" } }
                            th scope="col" { "Verdict" }
                            th.number scope="col" { "Distinct" }
                            th.number scope="col" { "Classes" }
                            th.number scope="col" { "Solutions" }
                            th.number scope="col" { "Work" }
                            th.number scope="col" { "Time" }
                            th scope="col" { "Version" }
                        }
                    }
                    tbody {
                        @for row in rows() { (said(row, has_options)) }
                    }
                }
            }
        }
    }
}

fn said(row: &Row, has_options: bool) -> Markup {
    let [distinct, classes, solutions] = counts(&row.ended);
    html! {
        tr {
            td { (one_line(&engine(row))) }
            @if has_options { td.code { (one_line(&row.options)) } }
            td {
                (one_line(&verdict(&row.ended)))
                @if let Some(error) = row.ended.status.message() { span.small.wrong { (one_line(&error)) } }
            }
            td.number { (distinct) }
            td.number { (classes) }
            td.number { (solutions) }
            td.number { (work(&row.work)) }
            td.number { (seconds(row.work.seconds)) }
            td.small { (one_line(&version(row))) " " (one_line(&row.started_at)) }
        }
    }
}

fn solutions(entry: &Entry, figures: &Figures<'_>, number: usize, drawn: &Drawn<'_>) -> Markup {
    let is_empty = entry.best().ended.distinct.as_deref() == Some("0");
    html! {
        section {
            h2 { "Solutions" }
            @if let Some(run) = figures.run {
                @if figures.pages() > 1 {
                    p {
                        (number * SOLUTIONS_A_PAGE + 1) " to "
                        (figures.last_number().min((number + 1) * SOLUTIONS_A_PAGE)) " of "
                        (figures.last_number())
                    }
                }
                @if figures.left_out > 0 {
                    p {
                        (figures.last_number()) " of " (figures.left_out + figures.last_number() as u64)
                        " are drawn; the file of results has all."
                    }
                }
                @if !run.ended.status.is_complete() && figures.last_number() > 0 {
                    p { "The run was stopped: there may be more." }
                }
                @if let Some(lacks) = figures.rules.as_ref().and_then(|rules| rules.lacks.as_ref()) {
                    p { "Checked against the puzzle alone: " (one_line(lacks)) "." }
                }
                @for fault in &figures.faults { p.wrong { (one_line(fault)) } }
                @if number == 0 && !drawn.figures.is_empty() {
                    p {
                        @if figures.last_number() == 1 { "It stands above." }
                        @else { "The first stands above." }
                    }
                }
                (pages(number, figures.pages(), file_name))
                div.solutions {
                    // The first one of all stands above.
                    @for figure in drawn.figures.iter().skip(usize::from(number == 0)) {
                        (solution(figure))
                    }
                }
                (pages(number, figures.pages(), file_name))
            }
            @if figures.last_number() == 0 {
                @if is_empty && entry.best().ended.status.is_complete() {
                    p { "There is none." }
                } @else if is_empty {
                    p { "None was found." }
                } @else {
                    p { "The file of results keeps none." }
                }
            }
        }
    }
}

fn solution(figure: &Figure) -> Markup {
    let Some(solution) = &figure.solution else {
        return html! {};
    };
    let stands_for = counted(readable(&solution.solutions), "solution", "solutions");
    html! {
        figure id={ "s" (solution.number) } {
            (image(figure, &format!("Solution {}, which stands below as text", solution.number)))
            figcaption {
                b { (solution.number) }
                " stands for " (stands_for)
                details {
                    summary { "as text" }
                    pre { (solution.text) }
                }
            }
        }
    }
}
