//! Options of engines: those that an engine declares, and those that a caller gives.
//!
//! The command line makes its flags from the declarations, so an option is one constant beside its
//! engine.

use std::collections::BTreeMap;

use thiserror::Error;

/// An option of an engine. Several engines may take the same one.
#[derive(Debug, Clone, Copy)]
pub struct EngineOption {
    /// Its name; on the command line a flag.
    pub name: &'static str,
    /// What it asks for, in one line.
    pub help: &'static str,
    /// What is given with it.
    pub value: Value,
    /// Options that can't stand beside it.
    pub excludes: &'static [&'static str],
    /// Options one of which must stand beside it; empty where none need.
    pub goes_with: &'static [&'static str],
}

impl EngineOption {
    /// An option that is given or not.
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        EngineOption { name, help, value: Value::Flag, excludes: &[], goes_with: &[] }
    }
}

/// What is given with an option.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    /// Nothing.
    Flag,
    /// One of these names.
    Name(fn() -> Vec<&'static str>),
}

/// What was given of an engine's options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options(BTreeMap<String, Given>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Given {
    Flag,
    Name(String),
}

impl Options {
    /// These options and a flag.
    pub fn flag(mut self, option: &str) -> Self {
        self.0.insert(option.to_owned(), Given::Flag);
        self
    }

    /// These options and one with a name.
    pub fn name(mut self, option: &str, name: &str) -> Self {
        let name = Given::Name(name.to_owned());
        self.0.insert(option.to_owned(), name);
        self
    }

    /// Whether an option was given.
    pub fn has(&self, option: &EngineOption) -> bool {
        self.0.contains_key(option.name)
    }

    /// The name that an option was given.
    pub fn name_of(&self, option: &EngineOption) -> Option<&str> {
        match self.0.get(option.name) {
            Some(Given::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// # Errors
    /// Where an engine with these options can't be made of what was given.
    pub(super) fn check(&self, taken: &[&EngineOption]) -> Result<(), OptionError> {
        for (name, given) in &self.0 {
            let is_asked_for = |option: &&&EngineOption| option.name == name;
            let Some(option) = taken.iter().find(is_asked_for) else {
                return Err(OptionError::Unknown { option: name.clone() });
            };
            let fits = match (option.value, given) {
                (Value::Flag, Given::Flag) => true,
                (Value::Name(names), Given::Name(name)) => names().contains(&name.as_str()),
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

/// Why an engine can't be made with some options.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The engine has no such option.
    #[error("the engine has no option {option}")]
    Unknown {
        /// The option.
        option: String,
    },
    /// What was given with an option is nothing that it takes.
    #[error("{option} does not take this value")]
    Value {
        /// The option.
        option: &'static str,
    },
    /// Two options exclude each other.
    #[error("{option} can't be used with {other}")]
    Excluded {
        /// The one.
        option: &'static str,
        /// The other.
        other: &'static str,
    },
    /// An option lacks one beside it.
    #[error("{option} needs {}", .goes_with.join(" or "))]
    Alone {
        /// The option.
        option: &'static str,
        /// One of these must stand beside it.
        goes_with: &'static [&'static str],
    },
}
