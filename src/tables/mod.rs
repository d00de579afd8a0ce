//! Compatibility tables: the allowed tuples of each type of seam.
//!
//! A tuple (t1, r1, t2, r2) of a table says that tile t1 in rotation r1 fits, with the first side
//! of the seam, against the second side of tile t2 in rotation r2. Over kinds and values that is a
//! pair of values. Matching by label alone is a union of complete bipartite *blocks*, one a label;
//! the table is that union without a tile beside itself. Both views are kept: [`Table::allows`] and
//! [`Table::blocks`]. Where every edge is known the blocks are disjoint; an unknown one is in the
//! second half of many.

use crate::board::{Seam, SeamType};
use crate::problem::Problem;
use crate::puzzle::{Label, OrientedKind, ValueSet};

/// All values that show one label on one side, against all that show what fits on the other.
#[derive(Debug, Clone)]
pub struct Block {
    /// What the one side shows: the first, unless [said otherwise](Table::blocks_of_second).
    pub label: Label,
    /// Values of the first cell.
    pub first: ValueSet,
    /// Values of the second cell.
    pub second: ValueSet,
}

/// The allowed tuples of one type of seam.
#[derive(Debug, Clone)]
pub struct Table {
    /// `horizontal` or `vertical` on a grid.
    pub name: String,
    blocks: Vec<Block>,
    block_of_first: Vec<Option<usize>>,
    blocks_of_second: Vec<Block>,
    block_of_second: Vec<Option<usize>>,
    is_disjoint: bool,
    /// For each value the kind that may not lie beside itself, as there is one copy only.
    single_kind: Vec<Option<usize>>,
}

impl Table {
    fn build(problem: &Problem, seam_type: &SeamType) -> Table {
        let values = &problem.kinds.values;
        let first = showing(problem, seam_type.first_sides, seam_type.first_side);
        let second = showing(problem, seam_type.second_sides, seam_type.second_side);
        let block = |(label, first, second)| Block { label, first, second };
        let blocks: Vec<Block> = against(problem, &first, &second).map(block).collect();
        let block = |(label, second, first)| block((label, first, second));
        let blocks_of_second: Vec<Block> = against(problem, &second, &first).map(block).collect();
        let single = |value: &OrientedKind| {
            (problem.kinds.kinds[value.kind].count() == 1).then_some(value.kind)
        };
        Table {
            name: seam_type.name.clone(),
            block_of_first: block_of(values.len(), &blocks, |b| &b.first),
            block_of_second: block_of(values.len(), &blocks_of_second, |b| &b.second),
            single_kind: values.iter().map(single).collect(),
            is_disjoint: problem.puzzle.labels.are_known(),
            blocks,
            blocks_of_second,
        }
    }

    /// Whether value `p` in the first cell fits against value `q` in the second.
    pub fn allows(&self, p: usize, q: usize) -> bool {
        self.labels_fit(p, q) && !self.is_same_tile(p, q)
    }

    fn labels_fit(&self, p: usize, q: usize) -> bool {
        self.block_of_first[p].is_some_and(|block| self.blocks[block].second.contains(q))
    }

    fn is_same_tile(&self, p: usize, q: usize) -> bool {
        self.single_kind[p].is_some() && self.single_kind[p] == self.single_kind[q]
    }

    /// The bipartite blocks, one for each label of the first side that something fits, by label.
    /// Each value of the first cell is in one of them at most.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The same by what the second side shows: each value of the second cell is in one at most.
    pub fn blocks_of_second(&self) -> &[Block] {
        &self.blocks_of_second
    }

    /// All values of this table's puzzle.
    pub fn all_values(&self) -> ValueSet {
        let number = self.single_kind.len();
        ValueSet::from_range(number, 0..number)
    }

    /// Whether each value of the second cell is in one block at most, too: then a seam fits where
    /// both sides are in the same.
    pub fn is_disjoint(&self) -> bool {
        self.is_disjoint
    }

    /// Whether a label fits what a value shows in the first cell of a seam, and in the second.
    pub fn may_fit(&self, value: usize) -> [bool; 2] {
        [&self.block_of_first, &self.block_of_second].map(|block_of| block_of[value].is_some())
    }

    /// Every allowed pair of values, block by block.
    pub fn tuples(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.blocks.iter().flat_map(move |block| {
            let pairs = block.first.iter().flat_map(|p| block.second.iter().map(move |q| (p, q)));
            pairs.filter(move |&(p, q)| !self.is_same_tile(p, q))
        })
    }

    /// The number of allowed pairs of these values.
    pub fn number_of_tuples(&self, first: &ValueSet, second: &ValueSet) -> usize {
        let blocks = self.blocks.iter();
        let pairs = blocks
            .map(|block| block.first.number_in(first) * block.second.number_in(second))
            .sum::<usize>();
        let beside_itself = first.iter().map(|p| {
            let values = self.values_of_same_tile(p);
            values.filter(|&q| second.contains(q) && self.labels_fit(p, q)).count()
        });
        pairs - beside_itself.sum::<usize>()
    }

    /// The values of the single tile that has this one; they stand side by side.
    fn values_of_same_tile(&self, value: usize) -> impl Iterator<Item = usize> {
        let is_same = move |&other: &usize| self.is_same_tile(value, other);
        let before = (0..value).rev().take_while(is_same);
        before.chain((value..self.single_kind.len()).take_while(is_same))
    }
}

/// By label, the values with so many sides that show it on one of them.
fn showing(problem: &Problem, sides: usize, side: usize) -> Vec<ValueSet> {
    let values = &problem.kinds.values;
    let mut by_label = vec![ValueSet::empty(values.len()); problem.puzzle.labels.len()];
    for (index, value) in values.iter().enumerate() {
        if value.edges.len() == sides {
            by_label[value.edges[side].index()].insert(index);
        }
    }
    by_label
}

/// By label, the values that show it at one side and those that fit at the other, where there are
/// some of each. The border lies inside nowhere.
fn against<'a>(
    problem: &'a Problem,
    here: &'a [ValueSet],
    there: &'a [ValueSet],
) -> impl Iterator<Item = (Label, ValueSet, ValueSet)> + 'a {
    let labels = &problem.puzzle.labels;
    let is_inside = |label: &Label| problem.puzzle.border != Some(*label);
    labels.all().filter(is_inside).filter_map(move |label| {
        let showing = &here[label.index()];
        let mut fitting = ValueSet::empty(problem.kinds.values.len());
        for label in labels.fitting(label).filter(is_inside) {
            fitting.insert_all(&there[label.index()]);
        }
        let has_both = !showing.is_empty() && !fitting.is_empty();
        has_both.then(|| (label, showing.clone(), fitting))
    })
}

fn block_of(values: usize, blocks: &[Block], side: fn(&Block) -> &ValueSet) -> Vec<Option<usize>> {
    let mut of = vec![None; values];
    for (index, block) in blocks.iter().enumerate() {
        for value in side(block).iter() {
            of[value] = Some(index);
        }
    }
    of
}

/// One table for each type of seam.
#[derive(Debug, Clone)]
pub struct Tables(Vec<Table>);

impl Tables {
    /// Builds the tables of a problem.
    pub fn build(problem: &Problem) -> Tables {
        Tables(problem.board.seam_types().iter().map(|t| Table::build(problem, t)).collect())
    }

    /// The table of a seam.
    pub fn of(&self, seam: &Seam) -> &Table {
        &self.0[seam.seam_type]
    }

    /// All tables, in the order of the board's seam types.
    pub fn all(&self) -> &[Table] {
        &self.0
    }
}

/// By cell and value, how many seams between two of the cell's own sides break, of those that are
/// [wanted](crate::board::Board::wanted_own_seams). Empty for a cell that has none.
pub fn own_broken(problem: &Problem) -> Vec<Vec<usize>> {
    let mut broken = vec![Vec::new(); problem.board.size()];
    for &[(cell, first), (_, second)] in problem.board.wanted_own_seams() {
        let counts: &mut Vec<usize> = &mut broken[cell];
        counts.resize(problem.kinds.values.len(), 0);
        for (count, value) in counts.iter_mut().zip(&problem.kinds.values) {
            // A tile with fewer sides never lies there.
            if let (Some(&one), Some(&other)) = (value.edges.get(first), value.edges.get(second)) {
                *count += usize::from(!problem.puzzle.labels.fit(one, other));
            }
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    #[test]
    fn both_views_agree_on_every_pair() {
        for fourth in ["b-, a+, a+, g", "b-, '?', a+, '?'"] {
            let problem = load::from_str(&format!(
                "tiles: {{1: [a+, a-, g, b+], 2: [a-, g, g, g], 3: [g, g, g, a-], 4: [{fourth}]}}"
            ))
            .unwrap();
            for table in Tables::build(&problem).all() {
                let listed: Vec<_> = table.tuples().collect();
                let values = problem.kinds.values.len();
                for (p, q) in itertools::iproduct!(0..values, 0..values) {
                    assert_eq!(table.allows(p, q), listed.contains(&(p, q)));
                }
                let all = table.all_values();
                assert_eq!(table.number_of_tuples(&all, &all), listed.len());
            }
        }
    }

    #[test]
    fn twins_may_lie_beside_each_other_and_a_single_tile_not_beside_itself() {
        let problem =
            load::from_str("{rows: 1, cols: 2, tiles: {1: [g, g, g, g], 2: [g, g, g, g]}}")
                .unwrap();
        assert_eq!(Tables::build(&problem).all()[0].tuples().count(), 1);
        let problem =
            load::from_str("{rows: 1, cols: 2, tiles: {1: [g, g, g, g], 2: [g, g, g, h]}}")
                .unwrap();
        let tables = Tables::build(&problem);
        let table = &tables.all()[0];
        assert!(!table.allows(0, 0));
        assert!(table.allows(0, 1));
    }
}
