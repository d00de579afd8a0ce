//! Scalars as they are written: `no`, `true`, `~`, `1.10` and `0x1F` are names like any other.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::puzzle::LONGEST_NAME;

/// Stands before our own refusals in an error's text; they follow as JSON, which has no raw control
/// characters, so that nothing a file says can pass for it.
pub(super) const OURS: char = '\u{1f}';

/// What is wrong, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Refusal {
    pub message: String,
    pub help: Option<String>,
}

impl Refusal {
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Refusal {
            message: message.into(),
            help: Some(help.into()),
        }
    }

    /// The refusal as an error of the deserializer, which adds the place.
    pub fn into_error<E: Error>(self) -> E {
        // Strings always have a JSON form.
        let json = serde_json::to_string(&self).unwrap_or_default();
        E::custom(format!("{OURS}{json}"))
    }
}

impl<T: fmt::Display> From<T> for Refusal {
    fn from(message: T) -> Self {
        Refusal {
            message: message.to_string(),
            help: None,
        }
    }
}

/// Reads one scalar's text with a function; what the function refuses is an error at the scalar.
pub(super) struct Scalar<F> {
    expecting: &'static str,
    read: F,
}

impl<T, F: FnOnce(&str) -> Result<T, Refusal>> Scalar<F> {
    pub fn new(expecting: &'static str, read: F) -> Self {
        Scalar { expecting, read }
    }
}

impl<'de, T, F: FnOnce(&str) -> Result<T, Refusal>> DeserializeSeed<'de> for Scalar<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> Result<T, Refusal>> Visitor<'_> for Scalar<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(Refusal::into_error)
    }
}

/// The next key of a mapping; a key that was there before is an error where it stands again.
pub(super) fn next_key<'de, A: MapAccess<'de>>(
    map: &mut A,
    seen: &mut HashSet<String>,
) -> Result<Option<String>, A::Error> {
    map.next_key_seed(Scalar::new("a name", |text| {
        first_time(short(text, "a key")?, seen)
    }))
}

/// The key, where it was not in the mapping before.
pub(super) fn first_time(key: String, seen: &mut HashSet<String>) -> Result<String, Refusal> {
    match seen.insert(key.clone()) {
        true => Ok(key),
        false => Err(format!("`{key}` stands here a second time").into()),
    }
}

/// The text, where it is no longer than a name may be.
pub(super) fn short(text: &str, what: &str) -> Result<String, Refusal> {
    let length = text.chars().count();
    if length > LONGEST_NAME {
        let start: String = text.chars().take(24).collect();
        return Err(format!(
            "{what} starting `{start}…` has {length} characters, at most {LONGEST_NAME} are allowed"
        )
        .into());
    }
    Ok(text.to_owned())
}
