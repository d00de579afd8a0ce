//! The description of an engine in the list of engines: name, help, options, how to build it.
//!
//! Flags, help, comparisons, estimates and tests are made from these entries.

use std::fmt;

use super::{Engine, EngineOption, OptionError, Options};

/// An engine that can be asked for by name.
pub struct EngineKind {
    /// The name.
    pub name: &'static str,
    /// How it searches, in one line.
    pub help: &'static str,
    /// What it can be told.
    pub options: &'static [&'static EngineOption],
    /// Makes it of options that it takes.
    pub build: fn(&Options) -> Box<dyn Engine>,
    /// The options with which it stands in lists, each with the name that it has there; the usual
    /// ones first.
    pub forms: fn() -> Vec<(String, Options)>,
    /// Whether comparisons have it.
    pub is_compared: bool,
    /// Whether it can be [probed](Engine::probe), on some boards at least.
    pub has_probes: bool,
}

impl EngineKind {
    /// The engine with these options.
    ///
    /// # Errors
    /// Where it does not take them.
    pub fn make(&self, options: &Options) -> Result<Box<dyn Engine>, OptionError> {
        options.check(self.options)?;
        Ok((self.build)(options))
    }

    /// The engine as it is usually run.
    pub fn usual(&self) -> Box<dyn Engine> {
        (self.build)(&Options::default())
    }

    /// The engine in each form in which it stands in lists, the usual one first.
    pub fn contenders(&self) -> Vec<Contender> {
        let forms = (self.forms)().into_iter();
        forms.map(|(name, options)| Contender { name, engine: (self.build)(&options) }).collect()
    }
}

/// By name alone.
impl fmt::Debug for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EngineKind").field(&self.name).finish()
    }
}

/// An engine with its options, under the name that it has in comparisons and batches.
pub struct Contender {
    /// The name, such as `milp-balance`.
    pub name: String,
    /// The engine with its options.
    pub engine: Box<dyn Engine>,
}

impl fmt::Debug for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Contender").field(&self.name).finish()
    }
}

impl Contender {
    /// An engine under a name.
    pub fn new(name: impl Into<String>, engine: impl Engine + 'static) -> Contender {
        Contender { name: name.into(), engine: Box::new(engine) }
    }
}

/// The form of an engine that has no options to tell.
pub(super) fn usual_form(name: &str) -> Vec<(String, Options)> {
    vec![(name.to_owned(), Options::default())]
}
