//! The value of a field in a document, independent of syntax.

/// A value that a file can contain. The entries of a mapping keep their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocValue {
    /// A name or a text.
    Text(String),
    /// A text written without quotes, even if it then reads as another type.
    Plain(String),
    /// A whole number.
    Number(i64),
    /// `true` or `false`.
    Truth(bool),
    /// A list of values.
    List(Vec<DocValue>),
    /// A mapping from keys to values.
    Map(Vec<(String, DocValue)>),
}

impl DocValue {
    /// A name or a text.
    pub fn text(text: impl Into<String>) -> DocValue {
        DocValue::Text(text.into())
    }

    /// A count or an index.
    pub fn count(number: usize) -> DocValue {
        // No list has more than 2^63 items.
        DocValue::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// A list of values.
    pub fn list(values: impl IntoIterator<Item = DocValue>) -> DocValue {
        DocValue::List(values.into_iter().collect())
    }

    /// A mapping.
    pub fn map<K: Into<String>>(entries: impl IntoIterator<Item = (K, DocValue)>) -> DocValue {
        DocValue::Map(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// A mapping with one entry.
    pub fn entry(key: impl Into<String>, value: DocValue) -> DocValue {
        DocValue::map([(key, value)])
    }
}
