//! The value of a field as a document holds it: text, number, list or mapping, without any syntax.

/// A value as a file can say it; the entries of a mapping keep their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocValue {
    /// A name or a text.
    Text(String),
    /// A text that stands without quotes, whatever it may be taken for.
    Plain(String),
    /// A whole number.
    Number(i64),
    /// `true` or `false`.
    Truth(bool),
    /// Several values.
    List(Vec<DocValue>),
    /// Values with their keys.
    Map(Vec<(String, DocValue)>),
}

impl DocValue {
    /// A name or a text.
    pub fn text(text: impl Into<String>) -> DocValue {
        DocValue::Text(text.into())
    }

    /// A number of things, a place in a list.
    pub fn count(number: usize) -> DocValue {
        // No list has more than 2^63 items.
        DocValue::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// A list of so many values.
    pub fn list(values: impl IntoIterator<Item = DocValue>) -> DocValue {
        DocValue::List(values.into_iter().collect())
    }

    /// A mapping with one entry.
    pub fn entry(key: impl Into<String>, value: DocValue) -> DocValue {
        DocValue::Map(vec![(key.into(), value)])
    }
}
