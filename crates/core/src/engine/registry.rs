//! The list of engines that can be selected by name. Commands, comparisons, batches, estimates and
//! tests use this list.

use super::{Contender, EngineKind};

/// Every engine, in the order of help and comparisons.
pub const ENGINES: &[&EngineKind] = &[
    &super::auto::KIND,
    #[cfg(feature = "milp")]
    &super::milp::KIND,
    &super::propagate::KIND,
    &super::backtrack::KIND,
    &super::corners::KIND,
    &super::xcc::KIND,
    &super::regions::KIND,
];

/// Every variant of the engines that comparisons include, in the order of [`ENGINES`].
pub fn contenders() -> Vec<Contender> {
    ENGINES.iter().filter(|kind| kind.is_compared).flat_map(|kind| kind.contenders()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::engine::{OptionError, Options, Value};

    #[test]
    fn names_are_unique_and_every_form_can_be_made() {
        let mut names = BTreeSet::new();
        for kind in ENGINES {
            assert_eq!(kind.usual().name(), kind.name);
            for (name, options) in (kind.variants)() {
                assert!(kind.make(&options).is_ok(), "{name}");
                assert!(names.insert(name.clone()), "{name} is listed twice");
            }
        }
    }

    #[test]
    fn an_option_of_several_engines_is_the_same_for_all() {
        let options = ENGINES.iter().flat_map(|kind| kind.options);
        let mut known: BTreeMap<&str, &str> = BTreeMap::new();
        for option in options {
            let help = known.entry(option.name).or_insert(option.help);
            assert_eq!(*help, option.help, "{}", option.name);
        }
    }

    #[test]
    fn options_that_an_engine_does_not_take_are_refused() {
        for kind in ENGINES {
            let error = kind.make(&Options::default().flag("sideways")).err();
            assert!(matches!(error, Some(OptionError::Unknown { .. })));
            for option in kind.options {
                // No option accepts both types of values.
                let wrong = match option.value {
                    Value::Flag => Options::default().name(option.name, "rows"),
                    Value::Name(_) => Options::default().flag(option.name),
                };
                let error = kind.make(&wrong).err();
                assert!(matches!(error, Some(OptionError::Value { .. })), "{option:?}");
            }
        }
    }

    #[test]
    fn options_know_what_they_go_with() {
        let kind = ENGINES.iter().find(|kind| kind.name == "backtrack").unwrap();
        let order = Options::default().name("order", "rows");
        let error = kind.make(&order).err();
        assert!(matches!(error, Some(OptionError::Alone { .. })));
        assert!(kind.make(&order.clone().flag("plain")).is_ok());
        let both = order.flag("plain").flag("scan");
        let error = kind.make(&both).err();
        assert!(matches!(error, Some(OptionError::Excluded { .. })));
    }
}
