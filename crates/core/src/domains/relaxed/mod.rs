//! Domains of problems in which a limited number of seams may break.
//!
//! ```text
//!   broken so far  +  Σ over open cells of the minimum of seams broken with filled neighbours
//!                  +  seams between open cells whose sides share no label           ≤ most
//! ```
//!
//! A value stays in a domain if this remains true (partial forward checking, Freuder and Wallace,
//! *Artificial Intelligence* 58, 1992, including the inconsistencies of open neighbours). The
//! balance of labels yields a second bound: an image matches in at most as many seams as edges are
//! left of its rarer half.

mod tables;

pub(super) use self::tables::RelaxedTables;
use super::Domains;
use super::bit_tables::BitTables;
use super::labels::LabelSet;
use super::sums::{Constraints, enforce_all};
use super::tree::{Conflict, DomainStore, Propagation, Scores, Tree};
use super::words::{
    self, Words, contains, count, for_each, intersection, singleton, take_first, to_words,
};
use crate::puzzle::ValueSet;

/// For k = 0, 1, 2, …, up to the number of sides minus one: the values of a cell that break at most
/// k seams.
type ValuesByBreaks<const W: usize, const S: usize> = [Words<W>; S];

/// An open cell, its values by the number of seams that they break, and the minimum of these
/// numbers.
type OpenCell<const W: usize, const S: usize> = (usize, ValuesByBreaks<W, S>, usize);

/// The state that changes with each decision; it is copied at each level, so it is kept small.
#[derive(Debug, Clone)]
struct RelaxedSnapshot<const W: usize> {
    /// The domain of each cell.
    cells: Vec<Words<W>>,
    /// The value in each filled cell; `None` for an open cell.
    values: Vec<Option<usize>>,
    /// The number of open cells.
    unfilled: usize,
    /// The number of copies left of each kind.
    copies: Vec<usize>,
    /// The number of copies of each kind that must still be used.
    needed: Vec<usize>,
    /// The values of kinds with copies left.
    usable: Words<W>,
    /// The number of broken seams between or within filled cells.
    broken: usize,
    /// For each label, an upper bound on the number of edges of unplaced tiles that can show it.
    left: Vec<usize>,
    /// For each label, the number of sides of open cells where a filled neighbour requires it.
    awaited: Vec<usize>,
    /// The number of seams between two open cells.
    open_seams: usize,
    /// The number of seams between an open and a filled cell.
    half_open_seams: usize,
}

impl<const W: usize> RelaxedSnapshot<W> {
    /// Overwrites this snapshot and reuses its memory, which a derived `clone_from` would not do.
    fn copy_from(&mut self, other: &RelaxedSnapshot<W>) {
        let RelaxedSnapshot {
            cells,
            values,
            unfilled,
            copies,
            needed,
            usable: free,
            broken,
            left,
            awaited,
            open_seams,
            half_open_seams,
        } = other;
        self.cells.clone_from(cells);
        self.values.clone_from(values);
        self.copies.clone_from(copies);
        self.needed.clone_from(needed);
        self.left.clone_from(left);
        self.awaited.clone_from(awaited);
        self.usable = *free;
        self.unfilled = *unfilled;
        self.broken = *broken;
        self.open_seams = *open_seams;
        self.half_open_seams = *half_open_seams;
    }
}

/// The domains of a problem in which seams may break, after some decisions.
pub(super) struct RelaxedState<'n, const W: usize, M, const S: usize> {
    bit_tables: &'n BitTables<W, M, S>,
    relaxed: &'n RelaxedTables<'n, S>,
    now: RelaxedSnapshot<W>,
    /// Snapshots taken at the start of decision levels. Only the first `levels` are in use; the
    /// others are kept for their memory.
    saved: Vec<RelaxedSnapshot<W>>,
    /// The number of decision levels.
    levels: usize,
}

impl<'n, const W: usize, M: LabelSet, const S: usize> RelaxedState<'n, W, M, S> {
    /// Creates a state with these domains, without the values of unusable kinds, before
    /// propagation.
    pub fn new(
        bit_tables: &'n BitTables<W, M, S>,
        relaxed: &'n RelaxedTables<'n, S>,
        domains: &Domains,
    ) -> Self {
        let free = bit_tables.usable_values(&domains.uses);
        let mut left = vec![0; relaxed.tables.labels()];
        for (kind, uses) in domains.uses.iter().enumerate() {
            for &(label, most) in &relaxed.supply[kind] {
                left[label] += uses.most * most;
            }
        }
        let cells: Vec<Words<W>> =
            domains.cells.iter().map(|set| intersection(&to_words(set), &free)).collect();
        let size = cells.len();
        RelaxedState {
            bit_tables,
            relaxed,
            now: RelaxedSnapshot {
                values: vec![None; size],
                unfilled: size,
                copies: domains.uses.iter().map(|u| u.most).collect(),
                needed: domains.uses.iter().map(|u| u.least).collect(),
                usable: free,
                broken: 0,
                awaited: vec![0; left.len()],
                left,
                open_seams: relaxed.seams,
                half_open_seams: 0,
                cells,
            },
            saved: Vec::new(),
            levels: 0,
        }
    }

    /// The cells that are not filled, ascending.
    fn open_cells(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.now.values.len()).filter(|&cell| self.now.values[cell].is_none())
    }

    /// Removes kinds without copies left, then fills the open cells with a single value. Returns
    /// true if there were any. Fails if a cell has no value left or too many seams are broken.
    fn fill_determined(&mut self) -> Result<bool, Conflict> {
        let mut has_filled = false;
        for cell in 0..self.now.cells.len() {
            if self.now.values[cell].is_some() {
                continue;
            }
            let free = self.now.usable;
            let domain = &mut self.now.cells[cell];
            *domain = intersection(domain, &free);
            match count(domain) {
                0 => return Err(Conflict::Cell(cell)),
                1 => {
                    self.fill_cell(cell);
                    has_filled = true;
                }
                _ => {}
            }
        }
        if self.now.broken <= self.relaxed.most_broken {
            Ok(has_filled)
        } else {
            Err(Conflict::Elsewhere)
        }
    }

    /// Fills a cell with the first value of its domain and updates all counts.
    fn fill_cell(&mut self, cell: usize) {
        let now = &mut self.now;
        let Some(value) = take_first(&mut now.cells[cell].clone()) else {
            return;
        };
        let kind = self.bit_tables.kind_of[value] as usize;
        now.values[cell] = Some(value);
        now.unfilled -= 1;
        now.copies[kind] -= 1;
        now.needed[kind] = now.needed[kind].saturating_sub(1);
        if now.copies[kind] == 0 {
            self.bit_tables.kinds[kind].remove_from(&mut now.usable);
        }
        for &(label, most) in &self.relaxed.supply[kind] {
            now.left[label] -= most;
        }
        now.broken += self.relaxed.tables.own_broken(cell).get(value).copied().unwrap_or(0);
        for (side, beside) in self.relaxed.beside[cell].iter().enumerate() {
            let &Some((beside, its_side)) = beside else { continue };
            let shows = self.relaxed.shows[value][side];
            let tables = self.relaxed.tables;
            match now.values[beside] {
                None => {
                    now.open_seams -= 1;
                    now.half_open_seams += 1;
                    now.awaited[tables.mate(shows).index()] += 1;
                }
                Some(other) => {
                    let shown = self.relaxed.shows[other][its_side];
                    now.half_open_seams -= 1;
                    now.awaited[tables.mate(shown).index()] -= 1;
                    now.broken += usize::from(!tables.fit(shows, shown));
                }
            }
        }
    }

    /// Removes values that would break too many seams; returns true if there were any. Fails if too
    /// many seams must break, a cell has no value left, or a kind has too few cells left.
    fn prune_broken(&mut self) -> Result<bool, Conflict> {
        let now = &self.now;
        if now.broken + self.broken_by_balance() > self.relaxed.most_broken {
            return Err(Conflict::Elsewhere);
        }
        self.check_needed_kinds()?;
        let mut least = now.broken;
        let mut steps: Vec<OpenCell<W, S>> = Vec::with_capacity(now.unfilled);
        for cell in self.open_cells() {
            let mut within = self.values_by_own_breaks(cell);
            for (side, beside) in self.relaxed.beside[cell].iter().enumerate() {
                if let &Some((beside, its_side)) = beside
                    && let Some(value) = now.values[beside]
                {
                    let fitting = self.bit_tables.values_beside(side, value, its_side);
                    count_breaks(&mut within, &fitting);
                }
            }
            let mut sets = within.iter().chain([&now.cells[cell]]);
            let fewest = sets.position(|set| *set != [0; W]).ok_or(Conflict::Cell(cell))?;
            least += fewest;
            steps.push((cell, within, fewest));
        }
        least += self.count_breaks_between(&mut steps);
        let Some(slack) = self.relaxed.most_broken.checked_sub(least) else {
            return Err(Conflict::Elsewhere);
        };
        let mut has_changed = false;
        for (cell, within, fewest) in steps {
            // A cell breaks at most as many seams as it has sides.
            let kept = *within.get(fewest + slack).unwrap_or(&self.now.cells[cell]);
            if kept != self.now.cells[cell] {
                if kept == [0; W] {
                    return Err(Conflict::Cell(cell));
                }
                self.now.cells[cell] = kept;
                has_changed = true;
            }
        }
        Ok(has_changed)
    }

    /// Adds the seams between open cells to the counts in `steps`: a value breaks such a seam if
    /// the neighbour can show no label that fits. Seams that every pair of values breaks are not
    /// added; their number is returned instead.
    fn count_breaks_between(&self, steps: &mut [OpenCell<W, S>]) -> usize {
        let now = &self.now;
        let shown: Vec<Option<[M; S]>> = (0..now.values.len())
            .map(|cell| {
                now.values[cell].is_none().then(|| self.bit_tables.shown_by(&now.cells[cell]))
            })
            .collect();
        // Each seam is counted from both sides.
        let mut dead = 0;
        for (cell, within, _) in steps {
            for (side, beside) in self.relaxed.beside[*cell].iter().enumerate() {
                let &Some((beside, its_side)) = beside else { continue };
                let (Some(here), Some(there)) = (&shown[*cell], &shown[beside]) else {
                    continue;
                };
                let fitting = self.bit_tables.fitting(there[its_side]);
                if here[side].intersection(fitting) == M::NONE {
                    dead += 1;
                } else {
                    let mut showing = [0; W];
                    let add = |values: &Words<W>| words::add_all(&mut showing, values);
                    self.bit_tables.for_each_showing(side, fitting, add);
                    count_breaks(within, &showing);
                }
            }
        }
        dead / 2
    }

    /// The values of an open cell, by the number of seams between its own sides that they break.
    fn values_by_own_breaks(&self, cell: usize) -> ValuesByBreaks<W, S> {
        let domain = self.now.cells[cell];
        let broken = self.relaxed.tables.own_broken(cell);
        if broken.is_empty() {
            return [domain; S];
        }
        std::array::from_fn(|most| {
            let mut within = [0; W];
            for_each(&domain, |value| {
                if broken[value] <= most {
                    within[value / 64] |= 1 << (value % 64);
                }
            });
            within
        })
    }

    /// Fails if a kind has fewer possible open cells than copies that must still be used.
    fn check_needed_kinds(&self) -> Result<(), Conflict> {
        for (kind, &needed) in self.now.needed.iter().enumerate().filter(|(_, n)| **n > 0) {
            let values = &self.bit_tables.kinds[kind];
            let possible = self.open_cells().filter(|&cell| values.meets(&self.now.cells[cell]));
            if possible.take(needed).count() < needed {
                return Err(Conflict::Elsewhere);
            }
        }
        Ok(())
    }

    /// A lower bound on the number of open and half-open seams that must break, because too few
    /// matching edges are left. Returns 0 if there are unknown edges, which match several labels.
    fn broken_by_balance(&self) -> usize {
        if !self.relaxed.tables.fits_mates_only() {
            return 0;
        }
        let now = &self.now;
        let mut awaited = 0;
        let mut pairs = 0;
        for &label in &self.relaxed.labels {
            let [label, mate] = [label, self.relaxed.tables.mate(label)].map(|label| label.index());
            awaited += now.awaited[label].min(now.left[label]);
            pairs += match label.cmp(&mate) {
                std::cmp::Ordering::Less => now.left[label].min(now.left[mate]),
                std::cmp::Ordering::Equal => now.left[label] / 2,
                std::cmp::Ordering::Greater => 0,
            };
        }
        let fitting = awaited.min(now.half_open_seams) + pairs.min(now.open_seams);
        now.half_open_seams + now.open_seams - fitting
    }
}

impl<const W: usize, M: LabelSet, const S: usize> Tree for RelaxedState<'_, W, M, S> {
    fn mark(&mut self) {
        match self.saved.get_mut(self.levels) {
            Some(saved) => saved.copy_from(&self.now),
            None => self.saved.push(self.now.clone()),
        }
        self.levels += 1;
    }

    fn undo(&mut self) {
        self.levels -= 1;
        self.now.copy_from(&self.saved[self.levels]);
    }

    fn decide(&mut self, cell: usize, value: usize) -> Result<(), Conflict> {
        let domain = &mut self.now.cells[cell];
        if !contains(domain, value) {
            return Err(Conflict::Cell(cell));
        }
        *domain = singleton(value);
        Ok(())
    }

    /// Propagates until the fixpoint, a conflict, or about `cells` visited cells: each round visits
    /// all cells and counts as that many.
    fn propagate(&mut self, cells: usize) -> Result<Propagation, Conflict> {
        let Constraints { sums, formulas } = &self.bit_tables.constraints;
        let mut left = cells;
        while self.fill_determined()? || self.prune_broken()? || enforce_all(self, sums, formulas)?
        {
            left = left.saturating_sub(self.now.cells.len());
            if left == 0 {
                return Ok(Propagation::Unfinished);
            }
        }
        Ok(Propagation::Fixpoint)
    }

    fn unfilled(&self) -> usize {
        self.now.unfilled
    }

    fn values(&self) -> Option<Vec<usize>> {
        self.now.values.iter().copied().collect()
    }

    fn domains(&self) -> Vec<ValueSet> {
        let cells = self.now.cells.iter();
        cells.map(|domain| ValueSet::from_words(self.relaxed.shows.len(), domain)).collect()
    }

    /// The open cell with the fewest values; on ties, the one with the fewest open neighbours.
    /// Scores are ignored.
    fn choose_cell(&mut self, _scores: &Scores) -> usize {
        let rank = |&cell: &usize| {
            let beside = self.relaxed.beside[cell].iter().flatten();
            let open = beside.filter(|(cell, _)| self.now.values[*cell].is_none());
            (count(&self.now.cells[cell]), open.count())
        };
        self.open_cells().min_by_key(rank).unwrap_or(0)
    }
}

impl<const W: usize, M: LabelSet, const S: usize> DomainStore<W> for RelaxedState<'_, W, M, S> {
    fn domain(&self, cell: usize) -> Words<W> {
        self.now.cells[cell]
    }

    fn keep(&mut self, cell: usize, values: &Words<W>) -> Result<(), Conflict> {
        let domain = &mut self.now.cells[cell];
        *domain = intersection(domain, values);
        if *domain == [0; W] { Err(Conflict::Cell(cell)) } else { Ok(()) }
    }
}

/// Adds a seam to the counts in `within`. Only the values `fitting` do not break it.
fn count_breaks<const W: usize, const S: usize>(
    within: &mut ValuesByBreaks<W, S>,
    fitting: &Words<W>,
) {
    for broken in (0..within.len()).rev() {
        let fewer = match broken {
            0 => [0; W],
            _ => within[broken - 1],
        };
        let here = &mut within[broken];
        *here = std::array::from_fn(|w| fewer[w] | here[w] & fitting[w]);
    }
}
