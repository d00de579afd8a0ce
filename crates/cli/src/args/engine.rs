//! The option `--engine` and the options of the engines, made from the list of engines.
//!
//! An option that the chosen engine does not accept is an error that names the engines that do.

use std::ffi::OsStr;

use anyhow::{anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command};
use edgematch::engine::{
    ENGINES, Engine, EngineKind, EngineOption, OptionError, Options, Value, contenders,
};
use edgematch_report::listed;
use itertools::Itertools;

use super::headings::{SEARCH, TUNING};
use super::values::one_of;

/// An engine and the options that it is given.
#[derive(Debug, Clone)]
pub struct EngineArgs {
    /// The chosen engine.
    pub kind: &'static EngineKind,
    options: Options,
}

impl EngineArgs {
    /// Creates the engine with the given options.
    ///
    /// # Errors
    /// If an option belongs to another engine, requires an option that is missing, or is rejected
    /// by the engine.
    pub fn engine(&self) -> anyhow::Result<Box<dyn Engine>> {
        let others = options().find(|option| {
            self.options.has(option) && !self.kind.options.iter().any(|o| o.name == option.name)
        });
        if let Some(option) = others {
            bail!("--{} requires --engine {}", option.name, takers(option));
        }
        self.kind.make(&self.options).map_err(|error| match error {
            OptionError::Alone { option, goes_with } => {
                let goes_with = goes_with.iter().map(|other| format!("--{other}"));
                anyhow!("--{option} requires {}", listed(goes_with, "or"))
            }
            other => anyhow!("--engine {}: {other}", self.kind.name),
        })
    }

    /// The given engine options as flags: `--a, --b and --c`; empty if there are none.
    pub fn flags(&self) -> String {
        let given = options().filter(|option| self.options.has(option));
        listed(given.map(|option| format!("--{}", option.name)), "and")
    }
}

/// The names of the engines that use several threads, joined as `a, b or c`; `or` is the last
/// conjunction.
pub fn engines_with_threads(or: &str) -> String {
    engines_that(|kind| kind.usual().uses_threads(), or)
}

/// The help text of `--threads`.
pub fn threads_of_engines() -> String {
    let engines = engines_with_threads("and");
    format!(
        "Number of threads of {engines}; the output is the same with any number [default, and at most: \
         one per core]"
    )
}

/// The help text of `compare --engine`.
pub fn engines_to_compare() -> String {
    let all: Vec<String> = contenders().into_iter().map(|contender| contender.name).collect();
    let usual = listed(usual_contenders(), "and");
    format!(
        "Engines to run, by the beginning of their names: {} [default: all for one file; for several \
         {usual}]",
        all.join(", ")
    )
}

/// The names of the contenders that `compare` runs on several files: the first form of each
/// compared engine.
pub fn usual_contenders() -> Vec<String> {
    let compared = ENGINES.iter().filter(|kind| kind.is_compared);
    compared.filter_map(|kind| Some(kind.contenders().into_iter().next()?.name)).collect()
}

/// The names of the engines that satisfy a predicate, joined as `a, b or c`.
fn engines_that(is_listed: impl Fn(&EngineKind) -> bool, or: &str) -> String {
    let engines = ENGINES.iter().filter(|kind| is_listed(kind));
    listed(engines.map(|kind| kind.name), or)
}

/// The accepted values of `--engine`: first every engine by its plain name without options, then
/// every variant by its name in `compare`, with the options of that variant.
fn named() -> impl Iterator<Item = (String, EngineArgs)> {
    let usual = ENGINES.iter().map(|&kind| (kind.name.to_owned(), kind, Options::default()));
    let forms = ENGINES.iter().flat_map(|&kind| {
        (kind.variants)().into_iter().map(move |(name, options)| (name, kind, options))
    });
    usual.chain(forms).map(|(name, kind, options)| (name, EngineArgs { kind, options }))
}

/// The options of all engines; one that several engines share is listed once.
fn options() -> impl Iterator<Item = &'static EngineOption> {
    ENGINES.iter().flat_map(|kind| kind.options).copied().unique_by(|option| option.name)
}

/// The names of the engines that accept an option, joined as `a, b or c`.
fn takers(option: &EngineOption) -> String {
    engines_that(|kind| kind.options.iter().any(|o| o.name == option.name), "or")
}

/// The clap argument of an engine option. Its help begins with the engines that accept it.
fn argument(option: &'static EngineOption) -> Arg {
    let beside = option.goes_with.iter().map(|other| format!("--{other}"));
    let with = [takers(option), listed(beside, "or")].join(" ");
    let argument = Arg::new(option.name)
        .long(option.name)
        .help_heading(TUNING)
        .help(format!("With {}: {}", with.trim_end(), option.help))
        .conflicts_with_all(option.excludes);
    match option.value {
        Value::Flag => argument.action(ArgAction::SetTrue),
        Value::Name(names) => {
            argument.value_name("NAME").value_parser(PossibleValuesParser::new(names()))
        }
    }
}

/// Returns the parser of `--engine`. Help and error messages list only the plain engine names; the
/// many variants are accepted but listed by `compare` alone.
fn engine_names() -> impl TypedValueParser<Value = EngineArgs> {
    one_of(named().enumerate().map(|(index, (name, engine))| {
        (PossibleValue::new(name).hide(index >= ENGINES.len()), engine)
    }))
}

/// The parser of names of engines, or beginnings of them. Completions offer the whole names.
#[derive(Clone)]
pub struct EngineNames;

impl TypedValueParser for EngineNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let usual = ENGINES.iter().map(|kind| kind.name.to_owned());
        let all = usual.chain(contenders().into_iter().map(|contender| contender.name));
        Some(Box::new(all.unique().map(PossibleValue::new)))
    }
}

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let engine = Arg::new("engine")
            .long("engine")
            .alias("engines")
            .value_name("NAME")
            .default_value(ENGINES[0].name)
            .value_parser(engine_names())
            .help_heading(SEARCH)
            .hide_possible_values(true)
            .help(format!(
                "The engine that searches: {}; or a form of one that `compare` lists, such as plain-rows",
                ENGINES.iter().map(|kind| format!("{} ({})", kind.name, kind.help)).join(", ")
            ));
        command.arg(engine).args(options().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = matches.get_one::<EngineArgs>("engine").cloned();
        let EngineArgs { kind, options: mut given } = named.expect("it has a default");
        for option in options() {
            let name = option.name;
            given = match option.value {
                Value::Flag if matches.get_flag(name) => given.flag(name),
                Value::Flag => given,
                Value::Name(_) => match matches.get_one::<String>(name) {
                    Some(value) => given.name(name, value),
                    None => given,
                },
            };
        }
        Ok(EngineArgs { kind, options: given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    fn engine(words: &str) -> anyhow::Result<Box<dyn Engine>> {
        let command = <EngineArgs as clap::Args>::augment_args(Command::new("solve"));
        let words = ["solve"].into_iter().chain(words.split(' '));
        EngineArgs::from_arg_matches(&command.try_get_matches_from(words)?)?.engine()
    }

    #[test]
    fn names_of_comparisons_are_engines_with_their_options() {
        for contender in contenders() {
            let named = engine(&format!("--engine {}", contender.name)).unwrap();
            assert_eq!(named.name(), contender.engine.name());
            assert_eq!(named.variant(), contender.engine.variant());
        }
        let rows = engine("--engine plain-rows").unwrap().variant();
        let spiral = engine("--engine plain-rows --order spiral").unwrap();
        assert_ne!(spiral.variant(), rows);
        assert!(engine("--engine plain-rows --scan").is_err());
        assert!(engine("--engine plain").is_err());
    }
}
