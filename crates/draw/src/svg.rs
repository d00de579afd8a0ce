//! A small SVG writer: elements, attributes and text, escaped, one to a line.

use std::fmt::Display;

/// An element with its attributes.
pub(super) struct Element {
    name: &'static str,
    attributes: String,
}

impl Element {
    pub fn new(name: &'static str) -> Self {
        Element { name, attributes: String::new() }
    }

    /// Adds an attribute.
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        let value = escape(&value.to_string());
        self.attributes += &format!(" {name}=\"{value}\"");
        self
    }
}

/// An SVG document as it grows.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    /// Begins a document of this size with a title that screen readers say.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        Svg::sized([width, height], [width, height], title)
    }

    /// Begins a document of so many units whose width and height are as said, `210mm`.
    pub fn sized<D: Display>(units: [f64; 2], [width, height]: [D; 2], title: &str) -> Self {
        let mut svg = Svg { text: String::new() };
        let root = Element::new("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("viewBox", format!("0 0 {} {}", units[0], units[1]))
            .with("width", width)
            .with("height", height)
            .with("role", "img")
            .with("aria-labelledby", "title")
            // What all text on a drawing has in common; a font that browsers and we have.
            .with("font-family", "DejaVu Sans, sans-serif")
            .with("text-anchor", "middle")
            .with("fill", "#222");
        svg.open(root);
        svg.line(&format!("<title id=\"title\">{}</title>", escape(title)));
        svg
    }

    /// Writes an element without content.
    pub fn put(&mut self, element: Element) {
        self.line(&format!("<{}{}/>", element.name, element.attributes));
    }

    /// Writes an element with text in it.
    pub fn text(&mut self, element: Element, text: &str) {
        let Element { name, attributes } = element;
        self.line(&format!("<{name}{attributes}>{}</{name}>", escape(text)));
    }

    /// Gives the open element a title.
    pub fn title(&mut self, title: &str) {
        self.text(Element::new("title"), title);
    }

    /// Opens an element.
    pub fn open(&mut self, element: Element) {
        self.line(&format!("<{}{}>", element.name, element.attributes));
    }

    /// Closes the element opened last.
    pub fn close(&mut self, name: &'static str) {
        self.line(&format!("</{name}>"));
    }

    /// Writes a `<defs>` around what the function writes.
    pub fn define(&mut self, write: impl FnOnce(&mut Svg)) {
        self.open(Element::new("defs"));
        write(self);
        self.close("defs");
    }

    /// Ends the document.
    pub fn finish(mut self) -> String {
        self.close("svg");
        self.text
    }

    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }
}

/// XML text or attribute; characters that no XML may hold become U+FFFD.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_forbids_is_escaped_or_replaced() {
        assert_eq!(escape("a<b & \"c\">\u{1}\n"), "a&lt;b &amp; &quot;c&quot;&gt;\u{fffd} ");
    }
}
