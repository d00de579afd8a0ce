//! HTML pages of a reading: the contact sheet, and a page to correct the reading. Each is a
//! self-contained file.

use crate::card::to_data_url;
use serde_json::{Value, json};

use crate::reading::Reading;

/// The script of the correction page: a JavaScript module that exports `review`.
pub const REVIEW_SCRIPT: &str = include_str!("review/review.js");

/// The state of a correction: a JavaScript module that exports `Correction`.
pub const CORRECTION_SCRIPT: &str = include_str!("review/correction.js");

/// The style sheet of the correction page.
pub const REVIEW_STYLE: &str = include_str!("review/review.css");

/// The script with which the stand-alone correction page saves the puzzle.
const PAGE_SCRIPT: &str = include_str!("review/page.js");

impl Reading {
    /// The contact sheet as a page; `name` is that of the folder.
    pub fn page(&self, name: &str) -> String {
        let drawing = self.contact_sheet().svg;
        let body = format!(
            "<p>Each row has the sides that were read as the same edge, the most certain first; the \
             number is that of the card. The two halves of an image are drawn edge to edge. Check \
             what is marked.</p>\n{drawing}"
        );
        page(name, "what was read", "svg{max-width:100%;height:auto}", &body)
    }

    /// A page for correcting the reading and saving the puzzle; `name` is that of the folder.
    pub fn review(&self, name: &str) -> String {
        // A tag in the data would end the script element.
        let data = self.to_json(name).to_string().replace('<', "\\u003c");
        let script = [CORRECTION_SCRIPT, REVIEW_SCRIPT].concat().replace("\nexport ", "\n");
        let body = format!(
            "<p>Each row has the sides that were read as the same edge. Drag a strip from a wrong row \
             to the right one, or select strips and choose where they go. Check what is \
             marked.</p>\n\
             <div id=\"review\" class=\"review\"></div>\n\
             <p><button type=\"button\" id=\"save\">Save puzzle.yaml</button> \
             <span id=\"status\" role=\"status\"></span></p>\n\
             <script type=\"application/json\" id=\"reading\">{data}</script>\n\
             <script type=\"module\">\n{script}\n{PAGE_SCRIPT}</script>"
        );
        page(name, "correct what was read", REVIEW_STYLE, &body)
    }

    /// The reading as JSON for the script of the correction page.
    pub fn to_json(&self, name: &str) -> Value {
        let links = self.cards.iter().map(|card| to_data_url(&card.picture));
        let sides = self.sides.iter().map(|side| {
            json!({
                "group": side.group,
                "certainty": side.certainty,
                "doubtful": side.is_doubtful(),
            })
        });
        let names = self.edges().into_iter().map(|edge| edge.image);
        json!({
            "name": name,
            "rows": self.size.rows,
            "cols": self.size.columns,
            "cards": links.collect::<Vec<_>>(),
            "corners": self.cards.iter().map(|card| card.quad.0).collect::<Vec<_>>(),
            "sides": sides.collect::<Vec<_>>(),
            "mates": self.mates,
            "doubtful_mates": self.doubtful_mates,
            "names": names.collect::<Vec<_>>(),
        })
    }
}

/// An HTML page with the title `name: what`. The name is escaped, `body` is not.
fn page(name: &str, what: &str, style: &str, body: &str) -> String {
    let name = escaped(name);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name}: {what}</title>\n\
         <style>body{{font-family:sans-serif;margin:1em;max-width:80em}}\n{style}</style>\n\
         <main>\n<h1>{name}</h1>\n{body}\n</main>\n</html>\n"
    )
}

/// Escapes a text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
