//! `xcc`: exact cover with colours, by dancing links (Algorithm C of Donald Knuth, *The Art of
//! Computer Programming* 4B, 7.2.2.1).
//!
//! Every placement is an option. It covers its cell and its tile, and sets the colour of each of
//! its seams to the label of the seam's first side. If some edges are unknown, a seam has three
//! items, its two corners and the part between them, and unknown parts set no colour. Options are
//! compatible if they cover no item twice and agree in the colours. The search branches on the cell
//! or tile with the fewest remaining options. A kind of several tiles may be covered once for each
//! of them.
//!
//! If a kind has several tiles, or tiles may be left over, the search does not branch on tiles. It
//! uses neither domains nor a model, and breaks only as much symmetry as restricting the first cell
//! can.

mod links;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use itertools::Itertools;

use self::links::{Item, Links, UNCOLOURED};
use super::kind::default_variant;
use super::step::{FillStep, steps};
use super::{
    Decided, Engine, EngineKind, FilteringHost, Host, Result, Work, check_no_broken_seams,
};
use crate::problem::Problem;
use crate::puzzle::{EdgePart, Label};
use crate::runtime::limits::{CancelToken, Flow};

/// The maximum number of members of all options; each takes up to 32 bytes during construction.
const MOST_MEMBERS: usize = 1 << 24;

/// The number of link updates between two polls of the host.
const UPDATES_PER_POLL: u64 = 1 << 18;

/// The engine that covers cells and tiles with options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Xcc;

pub(super) const KIND: EngineKind = EngineKind {
    name: "xcc",
    help: "exact cover with colours by dancing links",
    options: &[],
    build: |_| Box::new(Xcc),
    variants: || default_variant(KIND.name),
    is_compared: true,
    has_probes: false,
};

impl Engine for Xcc {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        check_no_broken_seams(problem)?;
        if !problem.tables().fits_mates_only() && problem.tables().parts().is_none() {
            return Err("it colours seams, and an image matches several others".into());
        }
        let of_seam = Colours::new(problem).items();
        let members = 2 + problem.board.most_sides() * of_seam;
        let most = problem.board.size() * problem.kinds.values.len() * members;
        if most > MOST_MEMBERS {
            return Err("it stores every placement, and this puzzle has too many".into());
        }
        Ok(())
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        let ControlFlow::Continue(cover) = Cover::new(problem, host.token()) else {
            return Ok(ControlFlow::Break(()));
        };
        work.placements += cover.placements.len() as u64;
        let search = CoverSearch {
            problem,
            cover,
            chosen: Vec::new(),
            next_poll: 0,
            token: host.token(),
            host,
            work,
        };
        Ok(search.run())
    }
}

/// A problem as an exact cover with colours.
struct Cover {
    links: Links,
    /// The cell and value of each option.
    placements: Vec<(usize, usize)>,
}

impl Cover {
    /// Creates the items and options of a problem. Breaks if the token stops the run.
    fn new(problem: &Problem, token: &CancelToken<'_>) -> Flow<Self> {
        let board = &problem.board;
        let kinds = &problem.kinds;
        let cells = (0..board.size()).map(|_| Item::once());
        let tiles = kinds.kinds.iter().map(|kind| Item {
            copies: kind.copies as u32,
            must_be_covered: kind.copies == 1 && problem.uses_every_tile(),
        });
        let mut colours = Colours::new(problem);
        let of_seam = colours.items();
        let seams = (0..board.seams().len() * of_seam).map(|_| Item::coloured());
        let mut cover =
            Cover { links: Links::new(cells.chain(tiles).chain(seams)), placements: Vec::new() };
        let first_tile = board.size();
        let first_seam = first_tile + kinds.kinds.len();
        let mut sides = vec![Vec::new(); board.size()];
        for (index, seam) in board.seams().iter().enumerate() {
            let item = first_seam + index * of_seam;
            sides[seam.first.0].push((item, seam.first.1, true));
            sides[seam.second.0].push((item, seam.second.1, false));
        }
        for step in steps(problem, &most_fixed_first(problem), token)? {
            // Every tile is tried in each cell in every orientation.
            token.work(8 * step.orientations.len() * problem.puzzle.tiles.len())?;
            for value in values(problem, &step) {
                let edges = &kinds.values[value].edges;
                let mut coloured = Vec::new();
                for &(item, side, is_first) in &sides[step.cell] {
                    coloured.extend(colours.seam_colours(item, edges[side], is_first));
                }
                let covered = [step.cell, first_tile + kinds.values[value].kind]
                    .map(|item| (item, UNCOLOURED))
                    .into_iter();
                cover.links.add_option(covered.chain(coloured));
                cover.placements.push((step.cell, value));
            }
        }
        ControlFlow::Continue(cover)
    }
}

/// The cells, in descending order of the number of symmetries that fix them. The first cell tries
/// one orientation per orbit, so the order decides how much symmetry it breaks.
fn most_fixed_first(problem: &Problem) -> Vec<usize> {
    let fixing = |cell: usize| problem.group.iter().filter(|s| s.fixes(cell)).count();
    (0..problem.board.size()).sorted_by_key(|&cell| Reverse(fixing(cell))).collect()
}

/// The values that the domain of a cell contains, in the orientations of its step, ascending.
fn values(problem: &Problem, step: &FillStep) -> BTreeSet<usize> {
    let mut values = BTreeSet::new();
    let tiles = problem.puzzle.tiles.iter().enumerate();
    for (index, _) in tiles.filter(|(_, tile)| tile.sides() == step.sides) {
        for &orientation in &step.orientations {
            let value = problem.kinds.value_of(index, orientation);
            values.extend(value.filter(|&value| problem.is_allowed_in_cell(step.cell, value)));
        }
    }
    values
}

struct CoverSearch<'a> {
    problem: &'a Problem,
    cover: Cover,
    /// For each selected option, its member in the item on which the search branched.
    chosen: Vec<usize>,
    /// The number of updates at the next poll.
    next_poll: u64,
    token: &'a CancelToken<'a>,
    host: &'a mut dyn Host,
    work: &'a mut Work,
}

impl CoverSearch<'_> {
    /// Searches the whole tree. Breaks if the host or the token stops the run.
    fn run(mut self) -> Flow {
        let items = self.problem.board.size() + self.problem.kinds.kinds.len();
        loop {
            // Choosing an item scans the list of items that must be covered.
            self.token.work(items)?;
            let links = &mut self.cover.links;
            let branched = links.fewest_options();
            match branched {
                Some(item) => links.cover(item),
                None => self.found()?,
            }
            if self.take_next(branched).is_break() {
                return ControlFlow::Continue(());
            }
            self.work.nodes += 1;
            let updates = self.cover.links.updates();
            if updates >= self.next_poll {
                self.next_poll = updates + UPDATES_PER_POLL;
                self.report_path_to_host();
                self.host.poll(self.work)?;
            }
        }
    }

    /// Reports the selected options to the host, as a path of placements.
    fn report_path_to_host(&mut self) {
        let CoverSearch { problem, cover, chosen, host, .. } = self;
        host.report_path(&|| {
            let taken = chosen.iter().map(|&member| {
                let (cell, value) = cover.placements[cover.links.option_of(member)];
                Decided::from_value(problem, cell, value)
            });
            taken.collect()
        });
    }

    /// Selects the first option of `item`, which [`Links::cover`] has removed. If it has none, or
    /// there is no item, backtracks to the last choice with another option and selects that. Breaks
    /// if there is none: the search is complete.
    fn take_next(&mut self, item: Option<usize>) -> Flow {
        let links = &mut self.cover.links;
        let mut behind = item;
        loop {
            if let Some(member) = behind.and_then(|place| links.next_member(place)) {
                links.take(member);
                self.chosen.push(member);
                return ControlFlow::Continue(());
            }
            if let Some(place) = behind {
                links.uncover(links.item_of(place));
            }
            let Some(last) = self.chosen.pop() else {
                return ControlFlow::Break(());
            };
            links.give_back(last);
            behind = Some(last);
        }
    }

    /// Reports the arrangement of the selected options. Breaks if the host does.
    fn found(&mut self) -> Flow {
        let mut values = vec![0; self.problem.board.size()];
        for &member in &self.chosen {
            let (cell, value) = self.cover.placements[self.cover.links.option_of(member)];
            values[cell] = value;
        }
        self.host.found(&self.problem.deal(values), self.work)
    }
}

/// The numbering, from 1, of the colours that options give to seams.
pub(super) struct Colours<'a> {
    problem: &'a Problem,
    /// The colour of each part of a label met so far; unused if all edges are known.
    of_parts: HashMap<EdgePart, i32>,
}

impl Colours<'_> {
    /// Creates a numbering without colours.
    pub fn new(problem: &Problem) -> Colours<'_> {
        Colours { problem, of_parts: HashMap::new() }
    }

    /// The number of items per seam: 3 if some edges are unknown, otherwise 1.
    pub fn items(&self) -> usize {
        if self.problem.tables().fits_mates_only() { 1 } else { 3 }
    }

    /// The items of a seam and the colours that a tile with `label` at one end of the seam gives
    /// them. `item` is the seam's first item; `is_first` is true for the seam's first end. Colours
    /// are those of labels at the first end, so both ends give the same colours exactly if they
    /// match.
    pub fn seam_colours(&mut self, item: usize, label: Label, is_first: bool) -> Vec<(usize, i32)> {
        let tables = self.problem.tables();
        let Some(parts) = tables.parts() else {
            let label = if is_first { label } else { tables.mate(label) };
            return vec![(item, label.index() as i32 + 1)];
        };
        // Equal colours cannot express that an unknown edge fits every label, but colours of parts
        // can.
        let parts = &parts[label.index()];
        let mates;
        let parts = if is_first {
            parts
        } else {
            mates = parts.mates();
            &mates
        };
        let known =
            parts.all().into_iter().enumerate().filter(|&(_, part)| *part != EdgePart::Unknown);
        let coloured = known.map(|(index, part)| {
            let next = self.of_parts.len() as i32 + 1;
            let colour = *self.of_parts.entry(part.clone()).or_insert(next);
            (item + index, colour)
        });
        coloured.collect()
    }
}
