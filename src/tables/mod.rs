//! Compatibility tables: the allowed tuples of each type of seam.
//!
//! A tuple (t1, r1, t2, r2) of a table says that tile t1 in rotation r1 fits, with the first side
//! of the seam, against the second side of tile t2 in rotation r2. Over kinds and values that is a
//! pair of values. Matching by label alone is a disjoint union of complete bipartite *blocks*, one
//! a label; the table is that union without a tile beside itself. Both views are kept:
//! [`Table::allows`] and [`Table::blocks`].

use crate::board::{Seam, SeamType};
use crate::problem::Problem;
use crate::puzzle::{Label, OrientedKind, ValueSet};

/// All values that show one label on the first side, against all that show its mate on the second.
#[derive(Debug, Clone)]
pub struct Block {
    /// What the first side shows.
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
    block_of_second: Vec<Option<usize>>,
    /// For each value the kind that may not lie beside itself, as there is one copy only.
    single_kind: Vec<Option<usize>>,
}

impl Table {
    fn build(problem: &Problem, seam_type: &SeamType) -> Table {
        let values = &problem.kinds.values;
        let labels = &problem.puzzle.labels;
        let showing = |sides: usize, side: usize| {
            let mut by_label = vec![ValueSet::empty(values.len()); labels.len()];
            for (index, value) in values.iter().enumerate() {
                if value.edges.len() == sides {
                    by_label[value.edges[side].index()].insert(index);
                }
            }
            by_label
        };
        let mut first = showing(seam_type.first_sides, seam_type.first_side);
        let mut second = showing(seam_type.second_sides, seam_type.second_side);
        let inside = labels.all().filter(|&l| problem.puzzle.border != Some(l));
        let blocks: Vec<Block> = inside
            .map(|label| Block {
                label,
                first: std::mem::take(&mut first[label.index()]),
                second: std::mem::take(&mut second[labels.mate(label).index()]),
            })
            .filter(|block| !block.first.is_empty() && !block.second.is_empty())
            .collect();
        let single = |value: &OrientedKind| {
            (problem.kinds.kinds[value.kind].count() == 1).then_some(value.kind)
        };
        Table {
            name: seam_type.name.clone(),
            block_of_first: block_of(values.len(), &blocks, |b| &b.first),
            block_of_second: block_of(values.len(), &blocks, |b| &b.second),
            single_kind: values.iter().map(single).collect(),
            blocks,
        }
    }

    /// Whether value `p` in the first cell fits against value `q` in the second.
    pub fn allows(&self, p: usize, q: usize) -> bool {
        let block = self.block_of_first[p];
        block.is_some() && block == self.block_of_second[q] && !self.is_same_tile(p, q)
    }

    fn is_same_tile(&self, p: usize, q: usize) -> bool {
        self.single_kind[p].is_some() && self.single_kind[p] == self.single_kind[q]
    }

    /// The bipartite blocks, one for each label that both sides can show, by label.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// All values of this table's puzzle.
    pub fn all_values(&self) -> ValueSet {
        let number = self.single_kind.len();
        ValueSet::from_range(number, 0..number)
    }

    /// An empty set of values of this table's puzzle.
    pub fn no_values(&self) -> ValueSet {
        ValueSet::empty(self.single_kind.len())
    }

    /// The block that a value belongs to in the first cell of a seam.
    pub fn block_of_first(&self, value: usize) -> Option<usize> {
        self.block_of_first[value]
    }

    /// The block that a value belongs to in the second cell of a seam.
    pub fn block_of_second(&self, value: usize) -> Option<usize> {
        self.block_of_second[value]
    }

    /// Every allowed pair of values, block by block.
    pub fn tuples(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.blocks.iter().flat_map(move |block| {
            let pairs = block
                .first
                .iter()
                .flat_map(|p| block.second.iter().map(move |q| (p, q)));
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
            let fitting = values.filter(|&q| {
                second.contains(q)
                    && self.block_of_first[p].is_some()
                    && self.block_of_first[p] == self.block_of_second[q]
            });
            fitting.count()
        });
        pairs - beside_itself.sum::<usize>()
    }

    /// The values of the single tile that has this one; they stand side by side.
    fn values_of_same_tile(&self, value: usize) -> impl Iterator<Item = usize> {
        let is_same = move |&other: &usize| self.is_same_tile(value, other);
        let before = (0..value).rev().take_while(is_same);
        let behind = (value..self.single_kind.len()).take_while(is_same);
        before.chain(behind)
    }
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
        let types = problem.board.seam_types().iter();
        Tables(types.map(|t| Table::build(problem, t)).collect())
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
                *count += usize::from(other != problem.puzzle.labels.mate(one));
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
        let problem = load::from_str(
            "tiles: {1: [a+, a-, g, b+], 2: [a-, g, g, g], 3: [g, g, g, a-], 4: [b-, a+, a+, g]}",
        )
        .unwrap();
        for table in Tables::build(&problem).all() {
            let listed: Vec<_> = table.tuples().collect();
            let values = problem.kinds.values.len();
            for (p, q) in itertools::iproduct!(0..values, 0..values) {
                assert_eq!(table.allows(p, q), listed.contains(&(p, q)));
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
