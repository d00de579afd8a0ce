//! Advice on keys of constraints that are not known: other languages' names, keys in the wrong place,
//! slips of the keyboard.

use super::tree::did_you_mean;
use crate::problem::constraints::{ConstraintKind, Field, FieldType, KINDS, Mapping};

/// The key of a constraint's name.
pub(super) const NAME: &str = "name";
/// The key of the cost of violating a constraint.
pub(super) const SOFT: &str = "soft";
/// The key of the variables, each under the name of its domain.
pub(super) const FOR: &str = "for";
/// The key of the conditions on the variables.
pub(super) const WHERE: &str = "where";

/// The keys beside a kind, each with the name of its definition and a description.
pub(super) const ITEM_KEYS: [(&str, &str, &str); 4] = [
    (SOFT, "soft", "The cost of violating the constraint; without it, the constraint must hold."),
    (NAME, "name", "The name of the constraint in messages and exports."),
    (FOR, "for", "Variables; the item is repeated for each of their values."),
    (WHERE, "where", "Conditions on the variables, such as a < b."),
];

/// Names of constraints and fields in other languages, with ours.
const SYNONYMS: [(&str, &str); 23] = [
    ("or", "any"),
    ("exists", "any: [{for: …, …}]"),
    ("and", "all"),
    ("forall", "for"),
    ("implies", "if: …` and `then: …"),
    ("implication", "if: …` and `then: …"),
    ("iff", "all: [{if: …, then: …}, {if: …, then: …}]"),
    ("xor", "exactly: {number: 1, of: [{…}, {…}]}"),
    ("none", "not: {any: [{…}, {…}]}"),
    ("negation", "not"),
    ("alldifferent", "all_different"),
    ("alldiff", "all_different"),
    ("allequal", "all_equal"),
    ("lex_less", "lex"),
    ("cardinality", "count"),
    ("weighted", "linear"),
    ("fix", "pin"),
    ("exclude", "forbid"),
    ("cost", "soft"),
    ("weight", "soft"),
    ("max", "at_most"),
    ("min", "at_least"),
    ("equals", "exactly"),
];

/// Advice on an unknown key of an item; `None` if it resembles nothing.
pub(super) fn on_item_key(key: &str) -> Option<String> {
    let names = KINDS.iter().map(|kind| kind.name).chain(item_keys());
    let is_beside = |kind: &&&ConstraintKind| kind.is_spread() && kind.takes.field(key).is_some();
    let beside =
        || KINDS.iter().find(is_beside).map(|kind| format!("write `{key}` beside `{}`", kind.name));
    on_synonym(key).or_else(beside).or_else(|| did_you_mean(key, names))
}

/// Advice on an unknown field of a constraint with the fields of `mapping`; `None` if it resembles
/// nothing.
pub(super) fn on_field(key: &str, mapping: &Mapping) -> Option<String> {
    if item_keys().any(|own| own == key) {
        return Some(format!("write `{key}` beside the name of the constraint"));
    }
    let takes_list = |field: &Field| matches!(field.field_type, FieldType::Constraints);
    if ConstraintKind::named(key).is_some() && mapping.fields.iter().any(takes_list) {
        return Some(format!("write a list of constraints: `[{{{key}: …}}]`"));
    }
    on_synonym(key).or_else(|| did_you_mean(key, mapping.keys()))
}

fn item_keys() -> impl Iterator<Item = &'static str> {
    ITEM_KEYS.into_iter().map(|(key, ..)| key)
}

fn on_synonym(key: &str) -> Option<String> {
    let own = SYNONYMS.iter().find(|(name, _)| *name == key)?.1;
    Some(format!("write `{own}`"))
}
