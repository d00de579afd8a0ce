//! Linear constraints and formulas over values instead of placements.
//!
//! The coefficients of placements become coefficients of values, which merges twins.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use itertools::Itertools;

use super::arrangement::Placed;
use super::constraint::Counting;
use super::formula::Formula;
use super::linear::{LinearConstraint, TilePlacements};
use crate::board::{Board, Symmetry};
use crate::puzzle::{Kinds, Orientation, Puzzle, ValueSet};

/// The values with the same coefficient in a cell, as a set of type `S`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoefficientLevel<S> {
    /// Their coefficient.
    pub coefficient: i64,
    /// The values.
    pub values: S,
}

/// A [`LinearConstraint`] over values: the sum of the coefficients of the cells' values is at most
/// the bound.
#[derive(Debug, Clone)]
pub struct CellSum<S> {
    /// For each cell that contributes, the values of the puzzle grouped by coefficient, ascending.
    pub cells: Vec<(usize, Arc<[CoefficientLevel<S>]>)>,
    /// The bound.
    pub bound: i64,
}

impl CellSum<ValueSet> {
    /// The minimum and maximum of the sum if each cell contains a value of its set. Cells with an
    /// empty set contribute nothing.
    pub fn range(&self, cells: &[ValueSet]) -> (i64, i64) {
        let mut range = (0, 0);
        for (cell, levels) in &self.cells {
            let mut left = levels
                .iter()
                .filter(|level| level.values.meets(&cells[*cell]))
                .map(|level| level.coefficient);
            if let Some(least) = left.next() {
                range.0 += least;
                range.1 += left.next_back().unwrap_or(least);
            }
        }
        range
    }

    /// Returns true if the values, one per cell, satisfy the constraint.
    pub fn holds(&self, values: &[usize]) -> bool {
        let sum: i64 =
            self.cells.iter().map(|(cell, levels)| coefficient_of(levels, values[*cell])).sum();
        sum <= self.bound
    }
}

/// A [`Formula`] over values.
pub type CellFormula<S> = Formula<CellSum<S>>;

/// A converter of sums to another type of set. Levels that cells share remain shared.
pub struct OverSets<S, T, F> {
    set: F,
    known: HashMap<*const CoefficientLevel<S>, Arc<[CoefficientLevel<T>]>>,
}

impl<S, T, F: Fn(&S) -> T> OverSets<S, T, F> {
    /// Creates a converter with the function that converts a set.
    pub fn new(set: F) -> Self {
        OverSets { set, known: HashMap::new() }
    }

    /// Converts the sets of a list of levels. Equal lists, by address, are converted once and
    /// shared.
    fn levels(&mut self, levels: &Arc<[CoefficientLevel<S>]>) -> Arc<[CoefficientLevel<T>]> {
        let set = &self.set;
        let made = self.known.entry(levels.as_ptr()).or_insert_with(|| {
            let level = |level: &CoefficientLevel<S>| CoefficientLevel {
                coefficient: level.coefficient,
                values: set(&level.values),
            };
            levels.iter().map(level).collect()
        });
        Arc::clone(made)
    }

    /// Converts a sum.
    pub fn sum(&mut self, sum: &CellSum<S>) -> CellSum<T> {
        let cells = sum.cells.iter();
        CellSum {
            cells: cells.map(|(cell, levels)| (*cell, self.levels(levels))).collect(),
            bound: sum.bound,
        }
    }
}

/// The coefficient of a value; 0 if it is in no level.
pub(crate) fn coefficient_of(levels: &[CoefficientLevel<ValueSet>], value: usize) -> i64 {
    let level = levels.iter().find(|level| level.values.contains(value));
    level.map_or(0, |level| level.coefficient)
}

/// Classes of placements: those with the same number are in the same sets of all formulas.
pub(super) struct Signatures(HashMap<Placed, u32>);

impl Signatures {
    /// Numbers the placements by the sets of the formulas that contain them.
    pub fn new(formulas: &[Formula]) -> Self {
        let mut sets_of: BTreeMap<Placed, Vec<usize>> = BTreeMap::new();
        let sets = formulas.iter().flat_map(Formula::terms).map(|term| &term.placements);
        for (number, set) in sets.unique_by(|set| Arc::as_ptr(set)).enumerate() {
            for &way in &**set {
                sets_of.entry(way).or_default().push(number);
            }
        }
        let mut numbers: HashMap<Vec<usize>, u32> = HashMap::new();
        let number = |(way, sets)| {
            let next = numbers.len() as u32 + 1;
            (way, *numbers.entry(sets).or_insert(next))
        };
        Signatures(sets_of.into_iter().map(number).collect())
    }

    /// Refines the classes so that the motions of the symmetries in `group` preserve them. A
    /// symmetry that maps each sum onto another need not do so, because cells without a coefficient
    /// may move differently from the others.
    pub fn refined_by(self, puzzle: &Puzzle, board: &Board, group: &[Symmetry]) -> Self {
        if self.0.is_empty() {
            return self;
        }
        let motions = motions(board, group);
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut kept = HashMap::new();
        for (tile, definition) in puzzle.tiles.iter().enumerate() {
            let sides = definition.sides();
            for orientation in definition.orientations() {
                let motions = motions.get(&sides).into_iter().flatten();
                let moved: Vec<u32> = motions
                    .map(|&motion| orientation.then(motion, sides))
                    .map(|orientation| self.number(Placed { tile, orientation }))
                    .collect();
                let next = numbers.len() as u32;
                let number = *numbers.entry(moved).or_insert(next);
                kept.insert(Placed { tile, orientation }, number);
            }
        }
        Signatures(kept)
    }

    /// The number of the class of a placement.
    pub fn number(&self, way: Placed) -> u32 {
        self.0.get(&way).copied().unwrap_or_default()
    }
}

/// For each number of sides, the motions of cells that are products of motions of the symmetries.
fn motions(board: &Board, group: &[Symmetry]) -> BTreeMap<usize, BTreeSet<Orientation>> {
    let mut motions: BTreeMap<usize, BTreeSet<Orientation>> = BTreeMap::new();
    for symmetry in group {
        for (cell, &motion) in board.cells().iter().zip(&symmetry.motion) {
            motions.entry(cell.sides).or_default().insert(motion);
        }
    }
    for (&sides, of_cells) in &mut motions {
        let generators: Vec<Orientation> = of_cells.iter().copied().collect();
        let mut open = generators.clone();
        while let Some(motion) = open.pop() {
            let products = generators.iter().map(|&next| motion.then(next, sides));
            open.extend(products.filter(|&product| of_cells.insert(product)));
        }
    }
    motions
}

/// A converter of linear constraints to values. Placements of the same value must have the same
/// coefficients.
pub(super) struct ValueConverter<'k> {
    kinds: &'k Kinds,
    known: HashMap<Counting, Arc<[CoefficientLevel<ValueSet>]>>,
    values_of: HashMap<*const TilePlacements, ValueSet>,
}

impl<'k> ValueConverter<'k> {
    /// Creates a converter that has not converted anything yet.
    pub fn new(kinds: &'k Kinds) -> Self {
        ValueConverter { kinds, known: HashMap::new(), values_of: HashMap::new() }
    }

    /// Converts a linear constraint. Its sets of placements must outlive this converter, which
    /// identifies them by address.
    pub fn sum(&mut self, sum: &LinearConstraint) -> CellSum<ValueSet> {
        let kinds = self.kinds;
        let mut terms_of: BTreeMap<usize, Counting> = BTreeMap::new();
        for term in &sum.terms {
            let placements = Arc::as_ptr(&term.placements);
            let values = self.values_of.entry(placements);
            values.or_insert_with(|| values_of_placements(kinds, &term.placements));
            for &cell in &term.cells {
                terms_of.entry(cell).or_default().push((placements, term.coefficient));
            }
        }
        let cells = terms_of.into_iter().map(|(cell, terms)| {
            let levels = self.known.entry(terms).or_insert_with_key(|terms| {
                let sets =
                    terms.iter().map(|(placements, times)| (&self.values_of[placements], *times));
                levels(kinds.values.len(), &sets.collect::<Vec<_>>())
            });
            (cell, Arc::clone(levels))
        });
        CellSum { cells: cells.collect(), bound: sum.bound }
    }
}

/// The values of the given placements; those that the puzzle does not allow are ignored.
pub(super) fn values_of_placements(kinds: &Kinds, placements: &TilePlacements) -> ValueSet {
    let values = placements.iter().filter_map(|way| kinds.value_of(way.tile, way.orientation));
    ValueSet::from_values(kinds.values.len(), values)
}

/// Groups the values from 0 to `values` − 1 by coefficient: the sum of the numbers of all sets that
/// contain the value.
fn levels(values: usize, sets: &[(&ValueSet, i64)]) -> Arc<[CoefficientLevel<ValueSet>]> {
    let mut levels: BTreeMap<i64, ValueSet> = BTreeMap::new();
    for value in 0..values {
        let counting = sets.iter().filter(|(set, _)| set.contains(value));
        let coefficient = counting.map(|(_, coefficient)| coefficient).sum();
        levels.entry(coefficient).or_insert_with(|| ValueSet::empty(values)).insert(value);
    }
    levels
        .into_iter()
        .map(|(coefficient, values)| CoefficientLevel { coefficient, values })
        .collect()
}
