//! Logic over constraints: `any`, `all`, `not`, `if`, and bounds on the number of constraints that
//! hold.
//!
//! The checker evaluates them by testing the nested constraints. Searches and models use a
//! [formula](Formula) composed of the formulas of the nested constraints and of their negations. It
//! is weaker than the constraint if a nested constraint is lazy.

use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Field, FieldType, Mapping, Range, Requirement};
use super::fields::Fields;
use super::scene::Scene;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Dependence, Formula, LinearConstraint, Nesting};
use crate::puzzle::Puzzle;

const OF: Field = Field::new("of", FieldType::Constraints, "The constraints.");

const ONE: Field = Field::new("constraint", FieldType::Constraint, "The constraint.");

const NUMBER: Field = Field::new(
    "number",
    FieldType::Number(Range { what: "a number of constraints", largest: 1_000_000, scales: false }),
    "How many of them.",
);

const IF: Field = Field::new("if", FieldType::Constraint, "The condition.");

const THEN: Field =
    Field::new("then", FieldType::Constraint, "The constraint that holds if the condition does.");

const ELSE: Field = Field::new(
    "else",
    FieldType::Constraint,
    "The constraint that holds if the condition does not.",
);

/// The constraint `any`: at least one of the listed constraints holds.
///
/// ```yaml
/// constraints:
///   - any: [pin: {cell: [1, 1], tile: 5}, pin: {cell: [3, 3], tile: 5}]
/// ```
pub(super) const ANY: ConstraintKind =
    ConstraintKind::new("any", "At least one of these constraints holds.", LIST, |_, fields| {
        logic("any", fields.constraints(OF), 1, None)
    })
    .or_just(OF);

/// The constraint `all`: every listed constraint holds. It is useful inside other constraints.
///
/// ```yaml
/// constraints:
///   - any: [all: [forbid: {cells: row 1, tile: 1}, pin: {cell: [2, 2], tile: 5}], pin: {cell: [1, 1], tile: 2}]
/// ```
pub(super) const ALL: ConstraintKind =
    ConstraintKind::new("all", "All of these constraints hold.", LIST, |_, fields| {
        all_of(fields.constraints(OF))
    })
    .or_just(OF);

/// The constraint `not`: the given constraint does not hold.
///
/// ```yaml
/// constraints:
///   - not: {adjacent: {tiles: [1, 2]}}
/// ```
pub(super) const NOT: ConstraintKind = ConstraintKind::new(
    "not",
    "The constraint does not hold.",
    Mapping { fields: &[ONE], needs: &[Requirement::any(&[ONE], "`not` requires a constraint")] },
    |_, fields| logic("not", fields.constraints(ONE), 0, Some(0)),
)
.or_just(ONE);

/// The constraint `if`: if a constraint holds, so does another one; if not, a third one does. One
/// of the last two may be missing.
///
/// ```yaml
/// constraints:
///   - if: {pin: {cells: corners, tile: 3}}
///     then: {forbid: {cells: border, tile: 5}}
/// ```
pub(super) const CONDITION: ConstraintKind = ConstraintKind::new(
    "if",
    "If one constraint holds, so does another.",
    Mapping {
        fields: &[IF, THEN, ELSE],
        needs: &[
            Requirement::any(&[IF], "`then` requires `if`"),
            Requirement::any(&[THEN, ELSE], "`if` requires `then` or `else`"),
        ],
    },
    condition,
);

/// The constraint `exactly`: exactly `number` of the listed constraints hold.
///
/// ```yaml
/// constraints:
///   - exactly: {number: 1, of: [pin: {cell: [1, 1], tile: 5}, pin: {cell: [2, 2], tile: 4}]}
/// ```
pub(super) const EXACTLY: ConstraintKind = ConstraintKind::new(
    "exactly",
    "Exactly `number` of these constraints hold.",
    NUMBERED,
    |_, fields| numbered("exactly", fields, |number| (number, Some(number))),
);

/// The constraint `at_least`: at least `number` of the listed constraints hold.
///
/// ```yaml
/// constraints:
///   - at_least: {number: 1, of: [pin: {cell: [1, 1], tile: 5}, pin: {cell: [2, 2], tile: 4}]}
/// ```
pub(super) const AT_LEAST: ConstraintKind = ConstraintKind::new(
    "at_least",
    "At least `number` of these constraints hold.",
    NUMBERED,
    |_, fields| numbered("at_least", fields, |number| (number, None)),
);

/// The constraint `at_most`: at most `number` of the listed constraints hold.
///
/// ```yaml
/// constraints:
///   - at_most: {number: 1, of: [pin: {cell: [1, 1], tile: 5}, pin: {cell: [2, 2], tile: 4}]}
/// ```
pub(super) const AT_MOST: ConstraintKind = ConstraintKind::new(
    "at_most",
    "At most `number` of these constraints hold.",
    NUMBERED,
    |_, fields| numbered("at_most", fields, |number| (0, Some(number))),
);

const LIST: Mapping = Mapping { fields: &[OF], needs: &[LISTED] };

const NUMBERED: Mapping = Mapping {
    fields: &[NUMBER, OF],
    needs: &[
        Requirement::any(
            &[NUMBER],
            "`number` is missing: give the number of constraints that hold",
        ),
        LISTED,
    ],
};

const LISTED: Requirement = Requirement::any(&[OF], "a list of constraints is missing");

/// The maximum nesting depth of constraints. They are processed recursively, so deeper nesting
/// could overflow the stack.
const DEEPEST: usize = 64;

/// The maximum [size](Nesting::size) of nested constraints. `exactly` uses each of its parts twice.
const LARGEST: usize = 100_000;

type BuildResult = Result<Arc<dyn Constraint>, String>;

/// Creates a constraint from the fields `number` and `of`; `bounds` maps the number to the minimum
/// and maximum number of constraints that hold.
///
/// # Errors
/// If the number is negative or makes the minimum exceed the number of constraints, or like
/// [`check_violable`].
fn numbered(
    name: &'static str,
    fields: &Fields,
    bounds: fn(usize) -> (usize, Option<usize>),
) -> BuildResult {
    let written = fields.number(NUMBER).unwrap_or_default();
    let number = usize::try_from(written)
        .map_err(|_| format!("`number: {written}` is negative: expected 0 or more"))?;
    let parts = fields.constraints(OF);
    let (least, most) = bounds(number);
    if least > parts.len() {
        let constraints = parts.len();
        return Err(format!(
            "`number: {number}` is more than the number of constraints, {constraints}"
        ));
    }
    logic(name, parts, least, most)
}

/// The constraint that all of `parts` hold.
///
/// # Errors
/// If one of them changes the board, or the nesting is too deep or large.
pub fn all_of(parts: &[Arc<dyn Constraint>]) -> BuildResult {
    logic(ALL.name, parts, parts.len(), None)
}

/// Creates the constraint that at least `least` and, unless `None`, at most `most` of `parts` hold.
///
/// # Errors
/// Like [`check_violable`].
fn logic(
    name: &'static str,
    parts: &[Arc<dyn Constraint>],
    least: usize,
    most: Option<usize>,
) -> BuildResult {
    check_violable(name, parts)?;
    Ok(Arc::new(Logic::Number { name, parts: parts.to_vec(), least, most }))
}

/// Creates the constraint `if` from its fields.
///
/// # Errors
/// If the condition is missing, or like [`check_violable`].
fn condition(_scene: &Scene<'_>, fields: &Fields) -> BuildResult {
    let part = |field: Field| {
        let parts = fields.constraints(field);
        check_violable(CONDITION.name, parts)?;
        Ok::<_, String>(parts.first().cloned())
    };
    let Some(when) = part(IF)? else {
        return Err("`then` requires `if`".into());
    };
    Ok(Arc::new(Logic::Condition { when, then: part(THEN)?, otherwise: part(ELSE)? }))
}

/// Checks that constraints in the constraint `name` may be violated.
///
/// # Errors
/// If one of them changes the board, or the nesting is too deep or large.
pub(super) fn check_violable(name: &str, parts: &[Arc<dyn Constraint>]) -> Result<(), String> {
    let nesting = parts.iter().map(|part| part.nesting());
    if nesting.clone().any(|part| part.depth >= DEEPEST) {
        return Err(format!("constraints are nested more than {DEEPEST} levels deep"));
    }
    let size = nesting.fold(0, |size: usize, part| size.saturating_add(part.size));
    if size > LARGEST {
        return Err(format!(
            "`{name}` contains more than {LARGEST} constraints (those in `exactly` and in `if` with \
             `else` count twice)"
        ));
    }
    let frees = |part: &&Arc<dyn Constraint>| {
        !part.free_seams().is_empty() || !part.wanted_seams().is_empty()
    };
    if let Some(part) = parts.iter().find(frees) {
        return Err(format!(
            "`{}` cannot be used in `{name}`: it changes the board and cannot be true or false",
            part.name()
        ));
    }
    Ok(())
}

/// A constraint composed of other constraints.
#[derive(Debug)]
enum Logic {
    /// At least `least` and at most `most` of the parts hold.
    Number {
        name: &'static str,
        parts: Vec<Arc<dyn Constraint>>,
        least: usize,
        most: Option<usize>,
    },
    /// If `when` holds, so does `then`; if not, `otherwise` holds. A missing constraint always
    /// holds.
    Condition {
        when: Arc<dyn Constraint>,
        then: Option<Arc<dyn Constraint>>,
        otherwise: Option<Arc<dyn Constraint>>,
    },
}

/// The formulas of a nested constraint: of the constraint and of its negation.
type TwoFormulas<'f> = [&'f dyn Fn(&Arc<dyn Constraint>) -> Formula; 2];

impl Logic {
    /// The nested constraints.
    fn parts(&self) -> Vec<&Arc<dyn Constraint>> {
        match self {
            Logic::Number { parts, .. } => parts.iter().collect(),
            Logic::Condition { when, then, otherwise } => {
                [when].into_iter().chain(then).chain(otherwise).collect()
            }
        }
    }

    /// The formula composed of those of the nested constraints.
    fn compose_formula(&self, [holds, fails]: TwoFormulas<'_>) -> Formula {
        match self {
            Logic::Number { parts, least, most, .. } => {
                let least = (*least > 0).then(|| at_least(*least, parts, holds));
                let most =
                    most.map(|most| at_least(parts.len().saturating_sub(most), parts, fails));
                let mut both: Vec<Formula> = least.into_iter().chain(most).collect();
                if both.len() == 1 { both.remove(0) } else { Formula::all(both) }
            }
            Logic::Condition { when, then, otherwise } => {
                let then = then.as_ref().map(|then| Formula::any([fails(when), holds(then)]));
                let otherwise = otherwise.as_ref();
                let otherwise = otherwise.map(|part| Formula::any([holds(when), holds(part)]));
                Formula::all(then.into_iter().chain(otherwise))
            }
        }
    }

    /// The formula of the negation, composed of those of the nested constraints.
    fn compose_negation(&self, [holds, fails]: TwoFormulas<'_>) -> Formula {
        match self {
            Logic::Number { parts, least, most, .. } => {
                let needed = (parts.len() + 1).saturating_sub(*least);
                let too_few = (*least > 0).then(|| at_least(needed, parts, fails));
                let too_many = most.map(|most| at_least(most + 1, parts, holds));
                Formula::any(too_few.into_iter().chain(too_many))
            }
            Logic::Condition { when, then, otherwise } => {
                let then = then.as_ref().map(|then| Formula::all([holds(when), fails(then)]));
                let otherwise = otherwise.as_ref();
                let otherwise = otherwise.map(|part| Formula::all([fails(when), fails(part)]));
                Formula::any(then.into_iter().chain(otherwise))
            }
        }
    }
}

/// The formula that at least `number` of the parts satisfy their `formula`.
fn at_least(
    number: usize,
    parts: &[Arc<dyn Constraint>],
    formula: &dyn Fn(&Arc<dyn Constraint>) -> Formula,
) -> Formula {
    Formula::AtLeast(number, parts.iter().map(formula).collect())
}

/// A formula of a nested constraint for the comparison of formulas with their images. That of a
/// lazy constraint says too little about it, so it contains the address of the constraint.
fn identified_formula(part: &Arc<dyn Constraint>, puzzle: &Puzzle, board: &Board) -> Formula {
    let formula = part.symmetric_formula(puzzle, board);
    if !part.is_lazy() {
        return formula;
    }
    let address = Arc::as_ptr(part).addr();
    let bound = i64::try_from(address).unwrap_or(i64::MAX);
    Formula::all([LinearConstraint { terms: Vec::new(), bound }.into(), formula])
}

impl Constraint for Logic {
    fn name(&self) -> &'static str {
        match self {
            Logic::Number { name, .. } => name,
            Logic::Condition { .. } => CONDITION.name,
        }
    }

    fn is_lazy(&self) -> bool {
        self.parts().iter().any(|part| part.is_lazy())
    }

    fn depends_on(&self) -> Dependence {
        let parts = self.parts().into_iter().filter(|part| part.is_lazy());
        parts.map(|part| part.depends_on()).fold(Dependence::EDGES, Dependence::union)
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let broken = |part: &Arc<dyn Constraint>| part.broken(puzzle, board, arrangement);
        match self {
            Logic::Number { name, parts, least, most } => {
                let all = parts.len();
                let broken: Vec<String> = parts.iter().filter_map(broken).collect();
                let holding = all - broken.len();
                if holding >= *least && most.is_none_or(|most| holding <= most) {
                    return None;
                }
                Some(match (*name, &broken[..]) {
                    ("not", _) => format!("`not`: `{}` holds", parts[0].name()),
                    ("all", [first, ..]) => format!("`all`: {first}"),
                    ("any", [only]) => format!("`any`: {only}"),
                    ("any", _) => format!("`any`: none of {all} constraints holds"),
                    _ => format!("`{name}`: {holding} of {all} constraints hold"),
                })
            }
            Logic::Condition { when, then, otherwise } => {
                let (part, how) = match broken(when) {
                    None => (then, "holds"),
                    Some(_) => (otherwise, "does not hold"),
                };
                let broken = broken(part.as_ref()?)?;
                Some(format!("`if`: `{}` {how}, but {broken}", when.name()))
            }
        }
    }

    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.compose_formula([&|part| part.formula(puzzle, board), &|part| {
            part.negated_formula(puzzle, board)
        }])
    }

    fn negated_formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.compose_negation([&|part| part.formula(puzzle, board), &|part| {
            part.negated_formula(puzzle, board)
        }])
    }

    fn symmetric_formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.compose_formula([&|part| identified_formula(part, puzzle, board), &|part| {
            identified_formula(part, puzzle, board).negation()
        }])
    }

    fn nesting(&self) -> Nesting {
        match self {
            Logic::Number { parts, least, most, .. } => {
                let times = usize::from(*least > 0) + usize::from(most.is_some());
                enclosing_nesting(parts.iter().map(|part| (part, times)))
            }
            Logic::Condition { when, then, otherwise } => {
                let parts = then.iter().chain(otherwise).map(|part| (part, 1));
                let times = parts.clone().count();
                enclosing_nesting(parts.chain([(when, times)]))
            }
        }
    }
}

/// The nesting of a constraint that contains `parts`, each with the number of times that it occurs
/// in the formula.
fn enclosing_nesting<'c>(
    parts: impl IntoIterator<Item = (&'c Arc<dyn Constraint>, usize)>,
) -> Nesting {
    let mut nesting = Nesting { depth: 1, size: 0 };
    for (part, times) in parts {
        let part = part.nesting();
        nesting.depth = nesting.depth.max(part.depth + 1);
        nesting.size = nesting.size.saturating_add(part.size.saturating_mul(times));
    }
    nesting
}
