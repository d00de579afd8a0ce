//! `lex`: lines of cells are in lexicographic order.

use std::collections::BTreeMap;
use std::iter::zip;
use std::sync::Arc;

use itertools::Itertools;

use super::ConstraintKind;
use super::cell_value::{CellValue, OF, sum_of};
use super::declare::{Field, FieldType, Mapping, Requirement};
use super::fields::Fields;
use super::scene::Scene;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Formula, LinearConstraint, TilePlacements};
use crate::puzzle::Puzzle;

/// The constraint `lex`: the values of each line are at most those of the next one, compared at the
/// first position where they differ.
///
/// ```yaml
/// constraints:
///   - lex: {lines: [row 1, row 2], of: number}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "lex",
    "Lines of cells are in lexicographic order.",
    Mapping {
        fields: &[LINES, OF, STRICT],
        needs: &[
            Requirement::any(&[LINES], "`lex` requires `lines`, such as `lines: [row 1, row 2]`"),
            Requirement::any(
                &[OF],
                "`lex` requires `of`: the value to compare, such as `of: number`",
            ),
        ],
    },
    build,
);

const LINES: Field = Field::new(
    "lines",
    FieldType::Lines,
    "Lines of cells, each in the order in which its cells are compared.",
);

const STRICT: Field =
    Field::new("strict", FieldType::Truth, "True if two lines may not have the same values.");

#[derive(Debug)]
struct Lex {
    lines: Vec<Vec<usize>>,
    value: CellValue,
    is_strict: bool,
}

/// Builds a `lex`. Fails if the lines differ in length, or a cell has no value.
fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let lines = fields.lines(LINES).to_vec();
    if lines.len() < 2 {
        return Err("`lex` compares two or more lines".into());
    }
    if let Some((one, other)) = lines.iter().tuple_windows().find(|(a, b)| a.len() != b.len()) {
        let (one, other) = (one.len(), other.len());
        return Err(format!("lines of different lengths: {one} and {other} cells"));
    }
    let value = fields.cell_value(OF).cloned().ok_or("`of` is missing")?;
    if let CellValue::ImageAt(side) = value
        && lines.iter().flatten().any(|&cell| side >= scene.board.cells()[cell].sides)
    {
        return Err(format!("some of these cells have no side {side}"));
    }
    Ok(Arc::new(Lex { lines, value, is_strict: fields.is_true(STRICT) }))
}

/// The formula that one line precedes another, or is equal to it unless `is_strict`; `placements`
/// are those with each value. From the last position to the first: the values are in order, and
/// they differ or the rest is in order.
fn precedes(
    placements: &BTreeMap<i64, Arc<TilePlacements>>,
    one: &[usize],
    other: &[usize],
    is_strict: bool,
) -> Formula {
    let less = |bound: i64, (one, other): (&usize, &usize)| -> Formula {
        let sum = sum_of(placements, &[(&[*one], 1), (&[*other], -1)]);
        LinearConstraint { bound, ..sum }.into()
    };
    let equal = if is_strict { Formula::any([]) } else { Formula::all([]) };
    zip(one, other).rev().fold(equal, |rest, pair| {
        Formula::all([less(0, pair), Formula::any([less(-1, pair), rest])])
    })
}

impl Constraint for Lex {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, _board: &Board, arrangement: &Arrangement) -> Option<String> {
        let values = |line: &Vec<usize>| {
            let values = line.iter().map(|&cell| self.value.of(puzzle, arrangement.0[cell]));
            values.collect_vec()
        };
        let mut pairs = self.lines.iter().map(values).tuple_windows();
        let fits = |(one, other): (Vec<_>, Vec<_>)| one < other || !self.is_strict && one == other;
        let at = pairs.position(|pair| !fits(pair))?;
        Some(format!("`lex`: line {} is not before line {}", at + 1, at + 2))
    }

    fn formula(&self, puzzle: &Puzzle, _board: &Board) -> Formula {
        let placements = &self.value.placements(puzzle);
        let pairs = self.lines.iter().tuple_windows();
        Formula::all(pairs.map(|(one, other)| precedes(placements, one, other, self.is_strict)))
    }
}
