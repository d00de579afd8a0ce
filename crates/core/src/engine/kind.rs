//! An entry of the list of engines: name, help, options and constructor.
//!
//! Flags, help, comparisons, estimates and tests are derived from these entries.

use std::fmt;

use super::{Engine, EngineOption, OptionError, Options};

/// An engine that can be selected by name.
pub struct EngineKind {
    /// The name on the command line.
    pub name: &'static str,
    /// A description of the search in one line.
    pub help: &'static str,
    /// The options that it accepts.
    pub options: &'static [&'static EngineOption],
    /// Builds the engine. The options must have been checked against `options`.
    pub build: fn(&Options) -> Box<dyn Engine>,
    /// The variants of the engine in comparisons and batches, as pairs of name and options; the
    /// default first.
    pub variants: fn() -> Vec<(String, Options)>,
    /// True if comparisons include the engine.
    pub is_compared: bool,
    /// True if it can be [probed](Engine::probe), at least on some boards.
    pub has_probes: bool,
}

impl EngineKind {
    /// Builds the engine with options, after checking them.
    ///
    /// # Errors
    /// If an option is unknown, has an invalid value, excludes another one, or lacks one that it
    /// requires.
    pub fn make(&self, options: &Options) -> Result<Box<dyn Engine>, OptionError> {
        options.check(self.options)?;
        Ok((self.build)(options))
    }

    /// Builds the engine with default options.
    pub fn usual(&self) -> Box<dyn Engine> {
        (self.build)(&Options::default())
    }

    /// Builds the engine in each variant, the default first.
    pub fn contenders(&self) -> Vec<Contender> {
        let forms = (self.variants)().into_iter();
        forms.map(|(name, options)| Contender { name, engine: (self.build)(&options) }).collect()
    }
}

/// Writes only the name.
impl fmt::Debug for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EngineKind").field(&self.name).finish()
    }
}

/// An engine with its options, under its name in comparisons and batches.
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
    /// Creates a contender from a name and an engine with its options.
    pub fn new(name: impl Into<String>, engine: impl Engine + 'static) -> Contender {
        Contender { name: name.into(), engine: Box::new(engine) }
    }
}

/// The variants of an engine that comparisons and batches only run with its default options, under
/// its own name.
pub(super) fn default_variant(name: &str) -> Vec<(String, Options)> {
    vec![(name.to_owned(), Options::default())]
}
