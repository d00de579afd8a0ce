//! Values of fields in a file, independent of its syntax.

/// A value that a file can contain. The entries of a mapping keep their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocValue {
    /// A name or a text, with quotes where the syntax requires them.
    Text(String),
    /// A text that is written without quotes, even if a reader then takes it for another type.
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
    /// Creates a text.
    pub fn text(text: impl Into<String>) -> DocValue {
        DocValue::Text(text.into())
    }

    /// Creates a number from a count or an index.
    pub fn count(number: usize) -> DocValue {
        // No list has more than 2^63 items.
        DocValue::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Creates a list.
    pub fn list(values: impl IntoIterator<Item = DocValue>) -> DocValue {
        DocValue::List(values.into_iter().collect())
    }

    /// Creates a mapping with these entries.
    pub fn map<K: Into<String>>(entries: impl IntoIterator<Item = (K, DocValue)>) -> DocValue {
        DocValue::Map(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// Creates a mapping with one entry.
    pub fn entry(key: impl Into<String>, value: DocValue) -> DocValue {
        DocValue::map([(key, value)])
    }
}
