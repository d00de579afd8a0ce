//! The symmetries of a whole puzzle by which published counts identify solutions: motions of the
//! board and exchanges of images that map the set of tiles, and so the set of solutions, onto
//! themselves.
//!
//! The group of a [`Problem`] contains only motions that move each tile as a piece. Here a tile may
//! also become another one, such as its mirror image.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools;

use super::Solution;
use super::solution::ValueArrangement;
use crate::board::{CellSide, Symmetry};
use crate::domains::Domains;
use crate::problem::{CellSum, Problem, coefficient_of};
use crate::puzzle::{Face, Label, Orientation, ValueSet, list_rotations};

/// The maximum number of exchanges of images, and of symmetries times cells.
const MOST: usize = 1_000_000;

/// What is identified in addition to rotations of the board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UpTo {
    /// Mirror images.
    pub mirrors: bool,
    /// Exchanges of images.
    pub colours: bool,
}

/// A map of the solutions of a problem onto themselves.
#[derive(Debug, Clone)]
pub struct PuzzleSymmetry {
    /// The cell to which each cell is moved.
    pub image: Vec<usize>,
    /// For each cell, what each value becomes; `None` if it is not allowed.
    values: Vec<Arc<[Option<usize>]>>,
}

impl PuzzleSymmetry {
    /// The symmetry of a problem's group as a map of values.
    pub fn of_board(problem: &Problem, symmetry: &Symmetry) -> PuzzleSymmetry {
        let moved = |motion| {
            let values = 0..problem.kinds.values.len();
            values.map(|value| problem.kinds.moved_value(value, motion)).collect()
        };
        PuzzleSymmetry::new(symmetry, moved)
    }

    fn new(symmetry: &Symmetry, moved: impl Fn(Orientation) -> Arc<[Option<usize>]>) -> Self {
        let mut known = HashMap::new();
        let of = |&motion| Arc::clone(known.entry(motion).or_insert_with(|| moved(motion)));
        PuzzleSymmetry {
            image: symmetry.image.clone(),
            values: symmetry.motion.iter().map(of).collect(),
        }
    }

    /// What a value in a cell becomes; `None` if it is not allowed.
    pub fn moved(&self, cell: usize, value: usize) -> Option<usize> {
        self.values[cell][value]
    }

    /// The image of an arrangement; `None` if a value is not allowed.
    fn image_of(&self, arrangement: &ValueArrangement) -> Option<ValueArrangement> {
        let mut image = vec![0; self.image.len()];
        for (cell, value) in arrangement.values().enumerate() {
            image[self.image[cell]] = self.moved(cell, value)?;
        }
        Some(ValueArrangement::from_values(image))
    }
}

/// Returns true if no image of a solution under the symmetries comes before it. The images under the
/// group of the problem are in its orbit.
pub(super) fn is_first(symmetries: &[PuzzleSymmetry], found: &Solution) -> bool {
    let first = &found.orbit[0];
    symmetries.iter().filter_map(|symmetry| symmetry.image_of(first)).all(|image| *first <= image)
}

/// The group of the motions of the board combined with exchanges of images, as far as `up_to`
/// includes them, that map the solutions onto themselves.
///
/// # Errors
/// A message if the puzzle is not supported.
pub fn symmetries(problem: &Problem, up_to: UpTo) -> Result<Vec<PuzzleSymmetry>, String> {
    problem.require_sums()?;
    if problem.puzzle.tiles.iter().any(|tile| tile.back.is_some()) {
        return Err("it has two-sided tiles".into());
    }
    if up_to.colours && !problem.puzzle.labels.fit_mates_only() {
        return Err("an edge is unknown, or an image fits several others".into());
    }
    let look = Look::new(problem)?;
    let motions = problem.board.symmetries().iter();
    let motions = motions.filter(|s| up_to.mirrors || s.motion.iter().all(is_front)).collect_vec();
    let mut exchanges = Vec::new();
    for is_mirrored in [false, true] {
        if motions.iter().any(|s| s.motion.iter().any(is_front) != is_mirrored) {
            look.exchanges(up_to.colours, is_mirrored, &mut exchanges)?;
        }
    }
    let exchanges = exchanges.into_iter().unique().collect_vec();
    let cells = problem.board.size();
    if motions.len() * exchanges.len() * cells > MOST {
        return Err("there are too many symmetries".into());
    }
    let rules = Rules::new(problem);
    let pairs = motions.into_iter().cartesian_product(&exchanges);
    let symmetry = |(motion, exchange): (&Symmetry, &Vec<Label>)| {
        let symmetry = PuzzleSymmetry::new(motion, |motion| look.moved(motion, exchange));
        (rules.keep_seams(motion) && rules.keep(&symmetry)).then_some(symmetry)
    };
    Ok(pairs.filter_map(symmetry).collect())
}

fn is_front(motion: &Orientation) -> bool {
    motion.face() == Face::Front
}

/// The values by the labels that they show.
struct Look<'a> {
    problem: &'a Problem,
    by_edges: HashMap<&'a [Label], usize>,
}

impl<'a> Look<'a> {
    /// # Errors
    /// A message if two values show the same labels.
    fn new(problem: &'a Problem) -> Result<Look<'a>, String> {
        let values = problem.kinds.values.iter().zip(0..);
        let by_edges: HashMap<_, _> =
            values.map(|(shown, value)| (&shown.edges[..], value)).collect();
        if by_edges.len() < problem.kinds.values.len() {
            return Err("a constraint distinguishes tiles that look the same".into());
        }
        Ok(Look { problem, by_edges })
    }

    /// What each value becomes if its cell is moved and each label is exchanged; `None` if no tile
    /// shows it.
    fn moved(&self, motion: Orientation, exchange: &[Label]) -> Arc<[Option<usize>]> {
        let moved = |edges: &Vec<Label>| {
            let mut image = edges.clone();
            for (side, label) in edges.iter().enumerate() {
                image[motion.move_side(side, edges.len())] = exchange[label.index()];
            }
            self.by_edges.get(&image[..]).copied()
        };
        self.problem.kinds.values.iter().map(|value| moved(&value.edges)).collect()
    }

    /// Adds the exchanges of labels that keep mates together and map each kind of tile, mirrored or
    /// not, to a kind with as many copies. Without `colours`, at most the identity.
    ///
    /// # Errors
    /// A message if there are too many.
    fn exchanges(
        &self,
        colours: bool,
        is_mirrored: bool,
        found: &mut Vec<Vec<Label>>,
    ) -> Result<(), String> {
        let labels = self.problem.puzzle.labels.all().collect_vec();
        let face = if is_mirrored { Face::Back } else { Face::Front };
        let motion = Orientation::default().with_face(face);
        if !colours {
            found.push(labels);
            return Ok(());
        }
        let mut search = ExchangeSearch {
            look: self,
            motion,
            signatures: labels.iter().map(|&label| self.signature(label)).collect(),
            exchange: vec![None; labels.len()],
            labels,
            nodes: 0,
            found,
        };
        search.extend(0)
    }

    /// How often the label occurs on the tiles of each kind, with the copies of the kind; ascending.
    /// Exchanges keep it.
    fn signature(&self, label: Label) -> Vec<(usize, usize)> {
        let kinds = self.problem.kinds.kinds.iter().map(|kind| {
            let edges = &self.problem.kinds.values[kind.values.start].edges;
            (edges.iter().filter(|edge| **edge == label).count(), kind.copies)
        });
        kinds.filter(|(times, _)| *times > 0).sorted().collect()
    }
}

/// A depth-first search for exchanges of labels.
struct ExchangeSearch<'a> {
    look: &'a Look<'a>,
    motion: Orientation,
    labels: Vec<Label>,
    signatures: Vec<Vec<(usize, usize)>>,
    /// What each label becomes, as far as it is decided.
    exchange: Vec<Option<Label>>,
    nodes: usize,
    found: &'a mut Vec<Vec<Label>>,
}

impl ExchangeSearch<'_> {
    fn extend(&mut self, from: usize) -> Result<(), String> {
        self.nodes += 1;
        if self.nodes > MOST || self.found.len() > MOST / self.labels.len().max(1) {
            return Err("there are too many exchanges of images".into());
        }
        let Some(next) = (from..self.labels.len()).find(|&at| self.exchange[at].is_none()) else {
            self.found.push(self.exchange.iter().flatten().copied().collect());
            return Ok(());
        };
        let labels = &self.look.problem.puzzle.labels;
        for to in self.labels.clone() {
            let mates = [labels.mate(self.labels[next]), labels.mate(to)];
            let is_whole = [mates[0] == self.labels[next], mates[1] == to];
            if self.signatures[next] != self.signatures[to.index()]
                || is_whole[0] != is_whole[1]
                || self.exchange.contains(&Some(to))
            {
                continue;
            }
            self.exchange[next] = Some(to);
            self.exchange[mates[0].index()] = Some(mates[1]);
            if self.maps_decided_kinds() {
                self.extend(next + 1)?;
            }
            self.exchange[next] = None;
            self.exchange[mates[0].index()] = None;
        }
        Ok(())
    }

    /// Returns true if each kind whose labels are decided becomes a kind with as many copies.
    fn maps_decided_kinds(&self) -> bool {
        let kinds = &self.look.problem.kinds;
        kinds.kinds.iter().all(|kind| {
            let edges = &kinds.values[kind.values.start].edges;
            let mut image = edges.clone();
            for (side, label) in edges.iter().enumerate() {
                match self.exchange[label.index()] {
                    Some(to) => image[self.motion.move_side(side, edges.len())] = to,
                    None => return true,
                }
            }
            // A tile that may not be rotated may become one in another orientation.
            let shown = list_rotations(&image).find_map(|edges| self.look.by_edges.get(&edges[..]));
            shown.is_some_and(|&value| kinds.kind_of(value).copies == kind.copies)
        })
    }
}

/// What a symmetry must keep.
struct Rules<'a> {
    problem: &'a Problem,
    domains: Domains,
    seams: HashSet<[CellSide; 2]>,
    sums: BTreeSet<PlacedSum>,
}

/// The coefficients of a sum other than 0, by cell and value, and its bound.
type PlacedSum = (BTreeMap<(usize, usize), i64>, i64);

impl<'a> Rules<'a> {
    fn new(problem: &'a Problem) -> Rules<'a> {
        let domains = Domains::first(problem);
        let seams = problem.board.required().map(sorted).collect();
        let mut rules = Rules { problem, domains, seams, sums: BTreeSet::new() };
        rules.sums = rules.moved_sums(|cell, value| Some((cell, value)));
        rules
    }

    /// Returns true if a motion of the board maps the seams that must match onto themselves.
    fn keep_seams(&self, motion: &Symmetry) -> bool {
        let moved = |(cell, side): CellSide| {
            let sides = self.problem.board.cells()[cell].sides;
            (motion.image[cell], motion.motion[cell].move_side(side, sides))
        };
        self.problem.board.required().all(|ends| self.seams.contains(&sorted(ends.map(moved))))
    }

    /// Returns true if a symmetry maps the values allowed in each cell to values that are allowed in
    /// its image, with as many copies, and the set of sums onto itself.
    fn keep(&self, symmetry: &PuzzleSymmetry) -> bool {
        let kinds = &self.problem.kinds;
        let is_kept = |cell: usize, value: usize| {
            symmetry.moved(cell, value).is_some_and(|moved| {
                let copies = [value, moved].map(|value| kinds.kind_of(value).copies);
                self.domains.cells[symmetry.image[cell]].contains(moved) && copies[0] == copies[1]
            })
        };
        let mut cells = self.domains.cells.iter().enumerate();
        cells.all(|(cell, values)| values.iter().all(|value| is_kept(cell, value)))
            && self.sums
                == self.moved_sums(|cell, value| {
                    Some((symmetry.image[cell], symmetry.moved(cell, value)?))
                })
    }

    fn moved_sums(
        &self,
        moved: impl Fn(usize, usize) -> Option<(usize, usize)>,
    ) -> BTreeSet<PlacedSum> {
        let sum = |sum: &CellSum<ValueSet>| {
            let placements = sum.cells.iter().flat_map(|(cell, levels)| {
                let values = self.domains.cells[*cell].iter();
                values.map(move |value| ((*cell, value), coefficient_of(levels, value)))
            });
            let placements = placements.filter(|(_, coefficient)| *coefficient != 0);
            let placements = placements.filter_map(|((cell, value), coefficient)| {
                Some((moved(cell, value)?, coefficient))
            });
            (placements.collect(), sum.bound)
        };
        self.problem.sums.iter().map(sum).collect()
    }
}

fn sorted(mut ends: [CellSide; 2]) -> [CellSide; 2] {
    ends.sort_unstable();
    ends
}
