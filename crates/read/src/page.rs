//! The contact sheet as a page.

use crate::reading::Reading;

impl Reading {
    /// The contact sheet as a page of its own, without anything from elsewhere. The name is one of
    /// a folder.
    pub fn page(&self, name: &str) -> String {
        let name = escaped(name);
        let drawing = self.contact_sheet().svg;
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{name}: what was read</title>\n\
             <style>body{{font-family:sans-serif;margin:1em;max-width:80em}}\
             svg{{max-width:100%;height:auto}}</style>\n\
             <h1>{name}</h1>\n\
             <p>Each row has the sides that were taken for the same, the surest first; the number is \
             that of the card. Two halves of an image lie edge to edge. What is marked should be \
             looked at.</p>\n{drawing}</html>\n"
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
