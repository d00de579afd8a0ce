//! Compatibility tables: the single source of which values fit next to each other.
//!
//! A tuple (t1, r1, t2, r2) of a table means that tile t1 in rotation r1 on the first side of a
//! seam fits tile t2 in rotation r2 on the second side. Tables store it as a pair of values
//! (oriented kinds), which merges twins. Matching by label is a union of complete bipartite
//! [blocks](Block), one per label, so a table takes space proportional to the values instead of
//! their pairs; pairs that would use a single tile twice are excluded. If every edge is known, the
//! blocks are disjoint; a value with an unknown edge is in the second half of several blocks.
//!
//! [`Tables::cell_domain`] applies the rules of a single cell: its number of sides, the border, and
//! seams between its own sides. Domains, searches, counts and models are built from these tables;
//! only the checker and proofs compare labels directly.

mod candidates;

use std::collections::HashMap;

pub(crate) use self::candidates::CandidateIndex;
use crate::board::{Board, Seam, SeamType};
use crate::puzzle::{EdgeParts, Kinds, Label, OrientedKind, Puzzle, ValueSet};

/// The values that show one label on the first side of a seam, with the values that fit them on the
/// second. Each value of one half fits each value of the other, except another orientation of the
/// same tile if there is only one piece of it.
#[derive(Debug, Clone)]
pub struct Block {
    /// The label that the values in `first` show; in [`Table::blocks_of_second`] the one that the
    /// values in `second` show.
    pub label: Label,
    /// Values of the first cell, ascending.
    pub first: Vec<usize>,
    /// Values of the second cell, ascending.
    pub second: Vec<usize>,
}

/// The allowed pairs of values for one type of seam.
#[derive(Debug, Clone)]
pub struct Table {
    /// The name of the seam type, such as `horizontal` or `vertical` on a grid.
    pub name: String,
    blocks: Vec<Block>,
    /// The index in `blocks` of the block whose `first` contains each value; `None` if nothing fits
    /// it.
    block_of_first: Vec<Option<usize>>,
    blocks_of_second: Vec<Block>,
    /// The index in `blocks_of_second` of the block whose `second` contains each value; `None` if
    /// nothing fits it.
    block_of_second: Vec<Option<usize>>,
    /// See [`Table::is_disjoint`].
    is_disjoint: bool,
    /// The kind of each value if there is only one piece of it, which cannot be next to itself;
    /// otherwise `None`.
    single_kind: Vec<Option<usize>>,
}

impl Table {
    /// Returns true if value `p` in the first cell may be next to value `q` in the second: their
    /// labels fit, and they are not two placements of the same single piece.
    pub fn allows(&self, p: usize, q: usize) -> bool {
        self.labels_fit(p, q) && !self.is_same_tile(p, q)
    }

    /// Returns true if two values may be on the two sides of a seam, by their labels alone.
    fn labels_fit(&self, p: usize, q: usize) -> bool {
        self.block_of_first[p]
            .is_some_and(|block| self.blocks[block].second.binary_search(&q).is_ok())
    }

    /// Returns true if both values need the single piece of the same kind.
    fn is_same_tile(&self, p: usize, q: usize) -> bool {
        self.single_kind[p].is_some() && self.single_kind[p] == self.single_kind[q]
    }

    /// The blocks in ascending order of the label on the first side. Each value of the first cell
    /// is in at most one of them. Labels that nothing shows or fits have no block.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The allowed pairs in blocks by the label on the second side, ascending. Each value of the
    /// second cell is in at most one of them.
    pub fn blocks_of_second(&self) -> &[Block] {
        &self.blocks_of_second
    }

    /// The set of all values of the puzzle.
    pub fn all_values(&self) -> ValueSet {
        let number = self.single_kind.len();
        ValueSet::from_range(number, 0..number)
    }

    /// Returns true if every label fits only its mate, so that each value of the second cell is in
    /// at most one of [`Table::blocks`], too. Then a seam matches if and only if both values are in
    /// the same block.
    pub fn is_disjoint(&self) -> bool {
        self.is_disjoint
    }

    /// Returns two flags: whether any value fits `value` if it is in the first cell of a seam, and
    /// if it is in the second. Only labels are compared, so the value that fits may be another
    /// orientation of the same single tile.
    pub fn may_fit(&self, value: usize) -> [bool; 2] {
        [&self.block_of_first, &self.block_of_second].map(|block_of| block_of[value].is_some())
    }

    /// Every allowed pair (value of the first cell, value of the second cell), block by block.
    pub fn tuples(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.blocks.iter().flat_map(move |block| {
            let pairs = itertools::iproduct!(&block.first, &block.second);
            pairs.map(|(&p, &q)| (p, q)).filter(move |&(p, q)| !self.is_same_tile(p, q))
        })
    }

    /// The number of allowed pairs of a value from `first` in the first cell and a value from
    /// `second` in the second cell.
    pub fn number_of_tuples(&self, first: &ValueSet, second: &ValueSet) -> usize {
        let number = |values: &[usize], set: &ValueSet| -> usize {
            values.iter().filter(|&&value| set.contains(value)).count()
        };
        let blocks = self.blocks.iter();
        let pairs: usize =
            blocks.map(|b| number(&b.first, first) * number(&b.second, second)).sum();
        let beside_itself = first.iter().map(|p| {
            let values = self.values_of_same_tile(p);
            values.filter(|&q| second.contains(q) && self.labels_fit(p, q)).count()
        });
        pairs - beside_itself.sum::<usize>()
    }

    /// The values of the kind of `value` if there is only one piece of it, otherwise none. The
    /// values of a kind are contiguous.
    fn values_of_same_tile(&self, value: usize) -> impl Iterator<Item = usize> {
        let is_same = move |&other: &usize| self.is_same_tile(value, other);
        let before = (0..value).rev().take_while(is_same);
        before.chain((value..self.single_kind.len()).take_while(is_same))
    }
}

/// The compatibility tables, one for each type of seam, and the sets of values that the rules of a
/// single cell allow.
#[derive(Debug, Clone)]
pub struct Tables {
    seams: Vec<Table>,
    /// The mate of each label.
    mates: Vec<Label>,
    /// A matrix, indexed by two labels, that is true where they fit; `None` if every label fits
    /// only its mate.
    fitting: Option<Vec<Vec<bool>>>,
    /// The corners and the image of each label, if labels that fit several others fit by their parts.
    parts: Option<Vec<EdgeParts>>,
    /// The values that show a label on a side, ascending; indexed by side, then by label.
    showing: Vec<Vec<Vec<usize>>>,
    /// The distinct sets of values that the rules of a single cell allow.
    cell_domains: Vec<ValueSet>,
    /// The index in `cell_domains` of each cell.
    class_of_cell: Vec<usize>,
    /// The number of the cell's own wanted seams that a value breaks, indexed by cell and value;
    /// empty for cells without such seams.
    own_broken: Vec<Vec<usize>>,
}

impl Tables {
    /// Builds the tables of a puzzle on a board.
    pub(crate) fn build(puzzle: &Puzzle, board: &Board, kinds: &Kinds) -> Tables {
        let labels = &puzzle.labels;
        let most_sides = kinds.values.iter().map(|value| value.edges.len()).max();
        let mut showing =
            vec![vec![Vec::new(); labels.len()]; most_sides.unwrap_or(0).max(board.most_sides())];
        for (index, value) in kinds.values.iter().enumerate() {
            for (by_label, label) in showing.iter_mut().zip(&value.edges) {
                by_label[label.index()].push(index);
            }
        }
        let (cell_domains, class_of_cell) = compute_cell_domains(puzzle, board, kinds);
        let fitting = labels.fitting_table();
        let has_parts = fitting.is_some() && labels.matches().next().is_none();
        let mut tables = Tables {
            seams: Vec::new(),
            mates: labels.all().map(|label| labels.mate(label)).collect(),
            fitting,
            parts: has_parts
                .then(|| labels.all().map(|label| labels.parts(label).clone()).collect()),
            showing,
            cell_domains,
            class_of_cell,
            own_broken: count_own_broken(puzzle, board, kinds),
        };
        let seam_types = board.seam_types().iter();
        tables.seams = seam_types.map(|seam| tables.build_table(puzzle, kinds, seam)).collect();
        tables
    }

    /// Builds the table of a seam type.
    fn build_table(&self, puzzle: &Puzzle, kinds: &Kinds, seam: &SeamType) -> Table {
        let first = (seam.first_side, seam.first_sides);
        let second = (seam.second_side, seam.second_sides);
        let block = |(label, first, second)| Block { label, first, second };
        let blocks: Vec<Block> =
            self.values_by_label(puzzle, kinds, first, second).into_iter().map(block).collect();
        let block = |(label, second, first)| block((label, first, second));
        let blocks_of_second: Vec<Block> =
            self.values_by_label(puzzle, kinds, second, first).into_iter().map(block).collect();
        let single =
            |value: &OrientedKind| (kinds.kinds[value.kind].copies == 1).then_some(value.kind);
        let values = kinds.values.len();
        Table {
            name: seam.name.clone(),
            block_of_first: index_blocks(values, blocks.iter().map(|block| &block.first)),
            block_of_second: index_blocks(
                values,
                blocks_of_second.iter().map(|block| &block.second),
            ),
            single_kind: kinds.values.iter().map(single).collect(),
            is_disjoint: self.fits_mates_only(),
            blocks,
            blocks_of_second,
        }
    }

    /// Lists, for each label, the values that show it on the side `here` and the values that fit
    /// them on the side `there`, both ascending. A side is given with its cell's number of sides.
    /// Labels for which either list is empty are omitted, and so is the border, which never occurs
    /// on a seam.
    fn values_by_label(
        &self,
        puzzle: &Puzzle,
        kinds: &Kinds,
        here: (usize, usize),
        there: (usize, usize),
    ) -> Vec<(Label, Vec<usize>, Vec<usize>)> {
        let inside = || puzzle.labels.all().filter(|label| puzzle.border != Some(*label));
        let showing = |(side, sides): (usize, usize), label| {
            let values = self.showing(side, label).iter().copied();
            values.filter(move |&value| kinds.values[value].edges.len() == sides)
        };
        let halves = inside().filter_map(|label| {
            let own: Vec<usize> = showing(here, label).collect();
            if own.is_empty() {
                return None;
            }
            let others = self.fitting(label).filter(|other| puzzle.border != Some(*other));
            let mut fitting: Vec<usize> = others.flat_map(|other| showing(there, other)).collect();
            fitting.sort_unstable();
            (!fitting.is_empty()).then_some((label, own, fitting))
        });
        halves.collect()
    }

    /// The table of the type of this seam.
    pub fn table_of(&self, seam: &Seam) -> &Table {
        &self.seams[seam.seam_type]
    }

    /// The tables in the order of the board's seam types.
    pub fn all(&self) -> &[Table] {
        &self.seams
    }

    /// The values that a cell may contain regardless of its neighbours: the tile has as many sides
    /// as the cell, the cell's own required seams match, and the border image is on the rim and
    /// nowhere else.
    pub fn cell_domain(&self, cell: usize) -> &ValueSet {
        &self.cell_domains[self.class_of_cell[cell]]
    }

    /// The index of a cell's set of rules. Cells with equal indices have the same set
    /// [`Tables::cell_domain`].
    pub fn cell_class(&self, cell: usize) -> usize {
        self.class_of_cell[cell]
    }

    /// The number of [wanted](Board::wanted_own_seams) seams between the cell's own sides that each
    /// value breaks, indexed by value; empty if the cell has no such seam.
    pub fn own_broken(&self, cell: usize) -> &[usize] {
        &self.own_broken[cell]
    }

    /// The values that show a label on a side, ascending.
    pub fn showing(&self, side: usize, label: Label) -> &[usize] {
        &self.showing[side][label.index()]
    }

    /// The mate of a label: the other half of its image, or the label itself if it is a whole image
    /// or unknown. Unless [only mates fit](Tables::fits_mates_only), it may fit other labels too, or
    /// not fit its mate ([`Tables::fitting`]).
    #[inline(always)]
    pub fn mate(&self, label: Label) -> Label {
        self.mates[label.index()]
    }

    /// The number of labels of the puzzle; an image with halves has two.
    pub fn labels(&self) -> usize {
        self.mates.len()
    }

    /// Every label, ascending.
    pub fn all_labels(&self) -> impl Iterator<Item = Label> + '_ {
        // Each label is the mate of its mate.
        self.mates.iter().map(|&mate| self.mate(mate))
    }

    /// The maximum number of sides of a tile or a cell; [`Tables::showing`] accepts sides below it.
    pub fn sides(&self) -> usize {
        self.showing.len()
    }

    /// Returns true if every label fits only its mate.
    #[inline(always)]
    pub fn fits_mates_only(&self) -> bool {
        self.fitting.is_none()
    }

    /// Returns true if two labels fit.
    #[inline(always)]
    pub fn fit(&self, one: Label, other: Label) -> bool {
        match &self.fitting {
            None => self.mate(one) == other,
            Some(fit) => fit[one.index()][other.index()],
        }
    }

    /// The parts of each label, by its index: two labels fit exactly if their parts do. `None` if
    /// every label fits only its mate, or an image matches several others, which parts do not
    /// express.
    pub(crate) fn parts(&self) -> Option<&[EdgeParts]> {
        self.parts.as_deref()
    }

    /// The labels that fit `label`, ascending.
    pub fn fitting(&self, label: Label) -> impl Iterator<Item = Label> + '_ {
        let mate = self.fits_mates_only().then_some(self.mate(label));
        let unknown = self.fitting.as_ref().map(|fit| fit[label.index()].iter());
        let all = unknown.into_iter().flatten().zip(self.all_labels());
        mate.into_iter().chain(all.filter(|(fits, _)| **fits).map(|(_, label)| label))
    }
}

/// Computes the distinct sets of values that the rules of a single cell allow, and the index of
/// each cell's set.
fn compute_cell_domains(
    puzzle: &Puzzle,
    board: &Board,
    kinds: &Kinds,
) -> (Vec<ValueSet>, Vec<usize>) {
    /// The properties of a cell that determine its set of values.
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Rules {
        is_rim: Vec<bool>,
        own_seams: Vec<[usize; 2]>,
    }
    let rules = |sides| Rules { is_rim: vec![false; sides], own_seams: Vec::new() };
    let mut of_cell: Vec<Rules> = board.cells().iter().map(|cell| rules(cell.sides)).collect();
    for &(cell, side) in board.rim() {
        of_cell[cell].is_rim[side] = true;
    }
    for &[(cell, one), (_, other)] in board.own_seams() {
        of_cell[cell].own_seams.push([one, other]);
    }
    let labels = &puzzle.labels;
    let obeys = |value: &OrientedKind, rules: &Rules| {
        let is_framed = |border: Label| {
            let mut sides = value.edges.iter().zip(&rules.is_rim);
            sides.all(
                |(&edge, &is_rim)| {
                    if is_rim { labels.fit(edge, border) } else { edge != border }
                },
            )
        };
        value.edges.len() == rules.is_rim.len()
            && rules.own_seams.iter().all(|&[a, b]| labels.fit(value.edges[a], value.edges[b]))
            && puzzle.border.is_none_or(is_framed)
    };
    let mut numbers: HashMap<Rules, usize> = HashMap::new();
    let mut sets = Vec::new();
    let mut number_of = |rules: Rules| {
        *numbers.entry(rules).or_insert_with_key(|rules| {
            let values = kinds.values.iter().enumerate();
            let obeying = values.filter(|(_, value)| obeys(value, rules)).map(|(index, _)| index);
            sets.push(ValueSet::from_values(kinds.values.len(), obeying));
            sets.len() - 1
        })
    };
    let of_cells = of_cell.into_iter().map(&mut number_of).collect();
    (sets, of_cells)
}

/// The index of the block that contains each of the values 0 to `values` − 1; `None` if none does.
fn index_blocks<'a>(
    values: usize,
    blocks: impl Iterator<Item = &'a Vec<usize>>,
) -> Vec<Option<usize>> {
    let mut indices = vec![None; values];
    for (index, block) in blocks.enumerate() {
        for &value in block {
            indices[value] = Some(index);
        }
    }
    indices
}

/// Counts the own wanted seams of each cell that each value breaks; see [`Tables::own_broken`].
fn count_own_broken(puzzle: &Puzzle, board: &Board, kinds: &Kinds) -> Vec<Vec<usize>> {
    let mut broken = vec![Vec::new(); board.size()];
    for &[(cell, first), (_, second)] in board.wanted_own_seams() {
        let counts: &mut Vec<usize> = &mut broken[cell];
        counts.resize(kinds.values.len(), 0);
        for (count, value) in counts.iter_mut().zip(&kinds.values) {
            // A tile with fewer sides is never placed in this cell.
            if let (Some(&one), Some(&other)) = (value.edges.get(first), value.edges.get(second)) {
                *count += usize::from(!puzzle.labels.fit(one, other));
            }
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use crate::board::Board;
    use crate::samples::problem;

    #[test]
    fn both_views_agree_on_every_pair() {
        for fourth in ["b-, a+, a+, g", "b-, ?, a+, ?"] {
            let tiles = format!(
                "tiles: 1: [a+, a-, g, b+], 2: [a-, g, g, g], 3: [g, g, g, a-], 4: [{fourth}]"
            );
            let problem = problem(Board::grid(2, 2), &tiles);
            for table in problem.tables().all() {
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
    fn twins_may_be_neighbours_but_a_single_tile_cannot_be_next_to_itself() {
        let row = |tiles| problem(Board::grid(1, 2), tiles);
        let problem = row("tiles: 1: [g, g, g, g], 2: [g, g, g, g]");
        assert_eq!(problem.tables().all()[0].tuples().count(), 1);
        let problem = row("tiles: 1: [g, g, g, g], 2: [g, g, g, h]");
        let table = &problem.tables().all()[0];
        assert!(!table.allows(0, 0));
        assert!(table.allows(0, 1));
    }
}
