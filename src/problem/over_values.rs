//! Formulas over values: for each cell, what each value contributes to a sum.
//!
//! Terms over tiles and orientations become weights of oriented kinds, which is where twins are
//! merged.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use itertools::Itertools;

use super::arrangement::Placed;
use super::constraint::Counting;
use super::formula::Formula;
use super::linear::{LinearConstraint, TilePlacements};
use crate::board::{Board, Symmetry};
use crate::puzzle::{Kinds, Orientation, Puzzle, ValueSet};

/// The values that count alike in a cell, as sets of this sort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level<S> {
    /// What each of them counts.
    pub coefficient: i64,
    /// The values.
    pub values: S,
}

/// A [`LinearConstraint`] by cell, over values: Σ over cells of what the cell's value counts ≤
/// bound.
#[derive(Debug, Clone)]
pub struct CellSum<S> {
    /// Each cell that counts, with all values of the puzzle by what they count, ascending.
    pub cells: Vec<(usize, Arc<[Level<S>]>)>,
    /// The bound.
    pub bound: i64,
}

impl CellSum<ValueSet> {
    /// The least and the most that it can be where each cell takes one of these values; nothing
    /// comes from a cell without any.
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

    /// Whether values, one a cell, obey the sum.
    pub fn holds(&self, values: &[usize]) -> bool {
        let sum: i64 =
            self.cells.iter().map(|(cell, levels)| coefficient_of(levels, values[*cell])).sum();
        sum <= self.bound
    }
}

/// A [`Formula`] over values.
pub type CellFormula<S> = Formula<CellSum<S>>;

/// Sums over sets of another sort; what cells share they share still.
pub struct OverSets<S, T, F> {
    set: F,
    known: HashMap<*const Level<S>, Arc<[Level<T>]>>,
}

impl<S, T, F: Fn(&S) -> T> OverSets<S, T, F> {
    /// Makes the sets so.
    pub fn new(set: F) -> Self {
        OverSets { set, known: HashMap::new() }
    }

    fn levels(&mut self, levels: &Arc<[Level<S>]>) -> Arc<[Level<T>]> {
        let set = &self.set;
        let made = self.known.entry(levels.as_ptr()).or_insert_with(|| {
            let level = |level: &Level<S>| Level {
                coefficient: level.coefficient,
                values: set(&level.values),
            };
            levels.iter().map(level).collect()
        });
        Arc::clone(made)
    }

    /// The same sum.
    pub fn sum(&mut self, sum: &CellSum<S>) -> CellSum<T> {
        let cells = sum.cells.iter();
        CellSum {
            cells: cells.map(|(cell, levels)| (*cell, self.levels(levels))).collect(),
            bound: sum.bound,
        }
    }
}

/// What a value counts.
fn coefficient_of(levels: &[Level<ValueSet>], value: usize) -> i64 {
    let level = levels.iter().find(|level| level.values.contains(value));
    level.map_or(0, |level| level.coefficient)
}

/// What tells ways to lie apart: those with one number are in the same sets of all formulas, and
/// stay so when they are moved by a symmetry.
pub(super) struct Signatures(HashMap<Placed, u32>);

impl Signatures {
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

    /// Tells apart as well what these symmetries move to what is told apart. One that maps each sum
    /// onto another need not do so by itself: cells that count nothing may be turned otherwise
    /// than those that count.
    pub fn kept_by(self, puzzle: &Puzzle, board: &Board, group: &[Symmetry]) -> Self {
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

    pub fn number(&self, way: Placed) -> u32 {
        self.0.get(&way).copied().unwrap_or_default()
    }
}

/// By number of sides, how symmetries move cells with so many sides, one after another.
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

/// Sums by cell, over values that tell apart what they do.
pub(super) struct OverValues<'k> {
    kinds: &'k Kinds,
    known: HashMap<Counting, Arc<[Level<ValueSet>]>>,
    values_of: HashMap<*const TilePlacements, ValueSet>,
}

impl<'k> OverValues<'k> {
    pub fn new(kinds: &'k Kinds) -> Self {
        OverValues { kinds, known: HashMap::new(), values_of: HashMap::new() }
    }

    /// A sum; its placements outlive this.
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

/// The values of tiles that lie so.
pub(super) fn values_of_placements(kinds: &Kinds, placements: &TilePlacements) -> ValueSet {
    let values = placements.iter().filter_map(|way| kinds.value_of(way.tile, way.orientation));
    ValueSet::from_values(kinds.values.len(), values)
}

fn levels(values: usize, sets: &[(&ValueSet, i64)]) -> Arc<[Level<ValueSet>]> {
    let mut levels: BTreeMap<i64, ValueSet> = BTreeMap::new();
    for value in 0..values {
        let counting = sets.iter().filter(|(set, _)| set.contains(value));
        let coefficient = counting.map(|(_, coefficient)| coefficient).sum();
        levels.entry(coefficient).or_insert_with(|| ValueSet::empty(values)).insert(value);
    }
    levels.into_iter().map(|(coefficient, values)| Level { coefficient, values }).collect()
}
