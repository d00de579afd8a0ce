//! Options of engines: the declarations, and the values given by a caller.
//!
//! The command line derives its flags from the declarations, so an option is one constant next to
//! its engine.

use std::collections::BTreeMap;

use thiserror::Error;

/// An option of an engine. Several engines may share it.
#[derive(Debug, Clone, Copy)]
pub struct EngineOption {
    /// The name; the flag on the command line is `--` and this name.
    pub name: &'static str,
    /// A description in one line.
    pub help: &'static str,
    /// The type of its value.
    pub value: Value,
    /// The names of the options that it cannot be combined with.
    pub excludes: &'static [&'static str],
    /// The names of the options of which at least one must also be given; empty if there is no such
    /// requirement.
    pub goes_with: &'static [&'static str],
}

impl EngineOption {
    /// Declares an option without value.
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        EngineOption { name, help, value: Value::Flag, excludes: &[], goes_with: &[] }
    }
}

/// The type of an option's value.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    /// No value.
    Flag,
    /// One of these names.
    Name(fn() -> Vec<&'static str>),
}

/// The options that a caller gives to an engine, by name, with their values; `None` for a flag. Not
/// checked yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options(BTreeMap<String, Option<String>>);

impl Options {
    /// Adds an option without value; replaces one with the same name.
    pub fn flag(mut self, option: &str) -> Self {
        self.0.insert(option.to_owned(), None);
        self
    }

    /// Adds an option with a name as its value; replaces one with the same name.
    pub fn name(mut self, option: &str, name: &str) -> Self {
        self.0.insert(option.to_owned(), Some(name.to_owned()));
        self
    }

    /// Returns true if the option was given, with or without a value.
    pub fn has(&self, option: &EngineOption) -> bool {
        self.0.contains_key(option.name)
    }

    /// The name given as the value of an option; `None` if the option was not given or is a flag.
    pub fn name_of(&self, option: &EngineOption) -> Option<&str> {
        self.0.get(option.name)?.as_deref()
    }

    /// Checks that the given options are among `accepted`, and have valid values and combinations.
    ///
    /// # Errors
    /// The first option, by name, that is unknown, has a wrong value, or violates a combination
    /// rule.
    pub(super) fn check(&self, accepted: &[&EngineOption]) -> Result<(), OptionError> {
        for (name, given) in &self.0 {
            let has_name = |option: &&&EngineOption| option.name == name;
            let Some(option) = accepted.iter().find(has_name) else {
                return Err(OptionError::Unknown { option: name.clone() });
            };
            let fits = match (option.value, given) {
                (Value::Flag, None) => true,
                (Value::Name(names), Some(name)) => names().contains(&name.as_str()),
                _ => false,
            };
            if !fits {
                return Err(OptionError::Value { option: option.name });
            }
            let is_given = |other: &&&str| self.0.contains_key(**other);
            if let Some(&other) = option.excludes.iter().find(is_given) {
                return Err(OptionError::Excluded { option: option.name, other });
            }
            let goes_with = option.goes_with;
            if !goes_with.is_empty() && !goes_with.iter().any(|other| is_given(&other)) {
                return Err(OptionError::Alone { option: option.name, goes_with });
            }
        }
        Ok(())
    }
}

/// The reason why options are rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The engine has no such option.
    #[error("the engine has no option {option}")]
    Unknown {
        /// The name of the option.
        option: String,
    },
    /// The option does not accept the value.
    #[error("{option} does not accept this value")]
    Value {
        /// The name of the option.
        option: &'static str,
    },
    /// Two options exclude each other.
    #[error("{option} can't be used with {other}")]
    Excluded {
        /// The name of one option.
        option: &'static str,
        /// The name of the other option.
        other: &'static str,
    },
    /// An option requires another one.
    #[error("{option} needs {}", .goes_with.join(" or "))]
    Alone {
        /// The name of the option.
        option: &'static str,
        /// The options of which one is required.
        goes_with: &'static [&'static str],
    },
}
