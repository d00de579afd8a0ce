//! A small SVG writer: elements, attributes and text, escaped. It writes a line for each tag.

use std::fmt::Display;

/// An element with its attributes.
pub(super) struct Element {
    name: &'static str,
    attributes: String,
}

impl Element {
    /// An element without attributes.
    pub fn new(name: &'static str) -> Self {
        Element { name, attributes: String::new() }
    }

    /// A `path` element with this data.
    pub fn path(data: impl Display) -> Self {
        Element::new("path").with("d", data)
    }

    /// Adds an attribute; the value is escaped, the name is not.
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        let value = escape(&value.to_string());
        self.attributes += &format!(" {name}=\"{value}\"");
        self
    }

    /// Adds the colour and width of a stroke.
    pub fn with_stroke(self, colour: &str, width: f64) -> Self {
        self.with("stroke", colour).with("stroke-width", width)
    }

    /// Adds the attribute `transform` with these transforms, outermost first. Empty strings are
    /// left out; if all are empty, so is the attribute.
    pub fn with_transform<const N: usize>(self, transforms: [String; N]) -> Self {
        let all = itertools::join(transforms.iter().filter(|one| !one.is_empty()), " ");
        if all.is_empty() { self } else { self.with("transform", all) }
    }
}

/// An SVG document under construction.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    /// Begins a document with a view box of `units`, the given width and height, such as `210mm`,
    /// and a title for screen readers.
    pub fn new<D: Display>(units: [f64; 2], [width, height]: [D; 2], title: &str) -> Self {
        let mut svg = Svg { text: String::new() };
        let root = Element::new("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("viewBox", format!("0 0 {} {}", units[0], units[1]))
            .with("width", width)
            .with("height", height)
            .with("role", "img")
            .with("aria-labelledby", "title")
            // The common properties of all text; browsers and our renderer have one of the fonts.
            .with("font-family", "DejaVu Sans, sans-serif")
            .with("text-anchor", "middle")
            .with("fill", "#222");
        svg.open(root);
        svg.text(Element::new("title").with("id", "title"), title);
        svg
    }

    /// Writes an empty element.
    pub fn put(&mut self, element: Element) {
        self.line(&format!("<{}{}/>", element.name, element.attributes));
    }

    /// Writes an element that contains text, which is escaped.
    pub fn text(&mut self, element: Element, text: &str) {
        let Element { name, attributes } = element;
        self.line(&format!("<{name}{attributes}>{}</{name}>", escape(text)));
    }

    /// Opens an element.
    pub fn open(&mut self, element: Element) {
        self.line(&format!("<{}{}>", element.name, element.attributes));
    }

    /// Writes an end tag; `name` must be that of the innermost open element.
    pub fn close(&mut self, name: &'static str) {
        self.line(&format!("</{name}>"));
    }

    /// Closes the root element and returns the document.
    pub fn finish(mut self) -> String {
        self.close("svg");
        self.text
    }

    /// Appends a line, unescaped.
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }
}

/// Escapes XML text or an attribute value. Tabs and line breaks become spaces, and characters that
/// XML forbids become U+FFFD.
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
    fn markup_is_escaped_and_control_characters_replaced() {
        assert_eq!(escape("a<b & \"c\">\u{1}\n"), "a&lt;b &amp; &quot;c&quot;&gt;\u{fffd} ");
    }
}
