//! Alternative readings of the sides, the most likely first. They differ in the number of groups,
//! the pairs of groups, and the groups of doubtful sides. The solver counts the solutions of each.
//!
//! The cost of a reading is the negative logarithm of its likelihood relative to the most likely
//! one. Following Bayes' rule, the number of solutions adds to it: a published puzzle has few
//! solutions, a misread one mostly none, and one with too few images very many.

use std::ops::ControlFlow;
use std::time::Duration;

use edgematch::board::Board;
use edgematch::engine::Auto;
use edgematch::enumerate::{self, CancelToken, Limits, RunStatus, StopReason};
use edgematch::problem::Problem;
use edgematch::puzzle::{Copies, EdgeName, Half, Labels, Puzzle, Tile};
use edgematch::runtime::clock;

use crate::groups::{Clustering, Groups};
use crate::pairs::{Profile, alternative_pairings, best_pairing, mean_profiles, mismatches};
use crate::seams::Seams;
use crate::{CardFacts, EdgeKind, GridSize, Result, poll};

/// Readings with a higher cost by appearance are not considered.
const DEAREST: f32 = 5.0;

/// The maximum number of readings that are solved.
const MOST: usize = 120;

/// The maximum number of changes of a reading that are combined.
const DOUBTS: usize = 14;

/// The number up to which solutions are counted.
pub const MOST_SOLUTIONS: u64 = 200;

/// The time limit for counting the solutions of one reading.
const TIME_EACH: Duration = Duration::from_millis(150);

/// The time limit for counting the solutions of all readings.
const TIME_ALL: Duration = Duration::from_millis(800);

/// The cost of moving a side, per factor of e by which the other group is farther than its own.
const BY_DISTANCE: f32 = 4.0;

/// The cost of another pairing, per unit of additional mismatch.
const BY_MISMATCH: f32 = 12.0;

/// The decrease in mismatch of two groups per seam of a solved board at which they touch.
const SEAM_GAIN: f32 = 0.5;

/// The cost of a reading per seam whose sides do not match.
const BROKEN_SEAM: f32 = 1.5;

/// The cost of a reading without a solution.
const NO_SOLUTION: f32 = 5.0;

/// The cost of a reading whose solutions could not be counted.
const UNCOUNTED: f32 = 2.0;

/// With fewer groups than this fraction of the number of sides, images are probably whole.
const FEW: f32 = 0.16;

/// The cost per factor of e in the number of solutions.
const BY_SOLUTIONS: f32 = 0.6;

/// The maximum cost by the number of solutions.
const MOST_BY_SOLUTIONS: f32 = 2.6;

/// A reading of all sides.
#[derive(Debug, Clone)]
pub(crate) struct Alternative {
    /// The group of each side.
    pub of: Vec<usize>,
    /// The group that matches each group; itself for a whole image.
    pub mate: Vec<usize>,
    /// The cost by appearance alone.
    pub cost: f32,
    /// True if the cards are laid as a solved board, by the groups from which this reading differs
    /// in single sides.
    pub is_solved: bool,
    /// The number of solutions, up to [`MOST_SOLUTIONS`]; a lower bound if counting took too long;
    /// `None` if it took too long to find any, or the reading is not a valid puzzle.
    pub solutions: Option<u64>,
}

impl Alternative {
    /// The cost by appearance plus that of the number of solutions.
    pub fn total(&self) -> f32 {
        self.cost
            + match self.solutions {
                Some(0) => NO_SOLUTION,
                Some(solutions) => (BY_SOLUTIONS * (solutions as f32).ln()).min(MOST_BY_SOLUTIONS),
                None => UNCOUNTED,
            }
    }
}

/// The measurements of all sides, by index.
pub(crate) struct SideMeasurements {
    /// The distances between all sides; see [`Strip::distance`](crate::sides::Strip::distance).
    pub distances: Vec<Vec<f32>>,
    /// The same, with shapes [separated](crate::shapes::separated). Sides are grouped by these; the
    /// others decide how certain that is.
    pub separated: Vec<Vec<f32>>,
    /// The colours along each side.
    pub profiles: Vec<Profile>,
    /// The sides that touch.
    pub seams: Seams,
}

impl SideMeasurements {
    /// The mean distance of a side from the other members of a group; `None` if there are none.
    /// `of` has the group of each side.
    pub fn nearness(&self, of: &[usize], side: usize, group: usize) -> Option<f32> {
        let members = (0..of.len()).filter(|&other| other != side && of[other] == group);
        let (sum, number) = members
            .fold((0.0, 0), |(sum, number), other| (sum + self.distances[side][other], number + 1));
        (number > 0).then(|| sum / number as f32)
    }

    /// Generates the readings with a cost up to [`DEAREST`], in no order. Their solutions are not
    /// counted.
    ///
    /// # Errors
    /// If the token stops the run.
    fn candidates(&self, options: &CardFacts, token: &CancelToken<'_>) -> Result<Vec<Alternative>> {
        let mut all = Vec::new();
        let clustering = Clustering::new(&self.separated, token)?;
        // What separates shapes would fill the gaps between joins, which determine the number.
        let numbers = Clustering::new(&self.distances, token)?;
        for (number, cost) in numbers.likeliest(options.images, options.kind) {
            // With a given number of images, the number of groups says what they show.
            let kind = options.kind.or(match options.images {
                Some(images) if number == 2 * images => Some(EdgeKind::Halves),
                Some(_) => Some(EdgeKind::Whole),
                None => None,
            });
            let groups = clustering.groups(number, token)?;
            let mut costs = mismatches(&mean_profiles(&self.profiles, &groups.of, groups.number));
            let seams = self.seams.of_solved(&groups);
            for (costs, counts) in costs.iter_mut().zip(seams.iter().flatten()) {
                for (cost, count) in costs.iter_mut().zip(counts) {
                    *cost -= count * SEAM_GAIN;
                }
            }
            let is_few = (number as f32) < FEW * self.distances.len() as f32;
            let pairing = best_pairing(&costs, kind, is_few);
            let mut changes = self.side_changes(&groups, token)?;
            if kind != Some(EdgeKind::Whole) {
                changes.extend(alternative_pairings(&costs, &pairing).into_iter().map(|other| {
                    ((other.cost - pairing.cost) * BY_MISMATCH, Change::Pairs(other.mate))
                }));
            }
            changes.retain(|(more, _)| cost + more < DEAREST);
            changes.sort_by(|a, b| a.0.total_cmp(&b.0));
            changes.truncate(DOUBTS);
            let first = Alternative {
                of: groups.of,
                mate: pairing.mate,
                cost,
                is_solved: seams.is_some(),
                solutions: None,
            };
            add_changed(first, &changes.iter().collect::<Vec<_>>(), &mut all);
        }
        Ok(all)
    }

    /// The changes that move one side to another group, with their costs. A side that is alone in
    /// its group does not move.
    ///
    /// # Errors
    /// If the token stops the run.
    fn side_changes(&self, groups: &Groups, token: &CancelToken<'_>) -> Result<Vec<(f32, Change)>> {
        let Groups { of, number } = groups;
        let mut changes = Vec::new();
        for side in 0..of.len() {
            poll(token)?;
            let Some(own) = self.nearness(of, side, of[side]) else {
                continue;
            };
            for group in (0..*number).filter(|&group| group != of[side]) {
                if let Some(other) = self.nearness(of, side, group) {
                    let cost = (BY_DISTANCE * ((other + 0.02) / (own + 0.02)).ln()).max(0.1);
                    changes.push((cost, Change::Side(side, group)));
                }
            }
        }
        Ok(changes)
    }
}

/// A change of a reading.
#[derive(Debug, Clone)]
enum Change {
    /// Moves a side, the first index, to another group, the second.
    Side(usize, usize),
    /// Replaces the pairing of the groups.
    Pairs(Vec<usize>),
}

impl Change {
    /// Returns true if the two changes concern the same side, or both the pairing, so that the
    /// second would undo the first.
    fn overwrites(&self, other: &Change) -> bool {
        match (self, other) {
            (Change::Side(one, _), Change::Side(other, _)) => one == other,
            (Change::Pairs(_), Change::Pairs(_)) => true,
            _ => false,
        }
    }
}

/// The most likely readings, the best first, with their solutions counted: at most [`MOST`], and
/// fewer, but at least one, if the time limit for all is reached. Empty only if no number of groups
/// is possible.
///
/// # Errors
/// If the token stops the run.
pub(crate) fn alternatives(
    seen: &SideMeasurements,
    size: GridSize,
    options: &CardFacts,
    token: &CancelToken<'_>,
) -> Result<Vec<Alternative>> {
    let started = clock::now();
    let mut tried: Vec<Alternative> = Vec::new();
    let mut waiting = seen.candidates(options, token)?;
    waiting.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let is_solved = waiting.iter().any(|candidate| candidate.is_solved);
    for mut candidate in waiting.into_iter().take(MOST) {
        if !tried.is_empty() && started.elapsed() > TIME_ALL {
            break;
        }
        poll(token)?;
        candidate.cost += imbalance(&candidate);
        if is_solved {
            candidate.cost +=
                seen.seams.broken(&candidate.of, &candidate.mate) as f32 * BROKEN_SEAM;
        }
        candidate.solutions = solutions(&candidate, size, &token.limits_within(TIME_EACH));
        tried.push(candidate);
    }
    tried.sort_by(|a, b| a.total().total_cmp(&b.total()));
    Ok(tried)
}

/// Adds the reading to `all`, with every combination of the changes whose total cost is at most
/// [`DEAREST`]; changes that overwrite each other are not combined. `changes` must be sorted by
/// cost. Stops once `all` is long enough.
fn add_changed(first: Alternative, changes: &[&(f32, Change)], all: &mut Vec<Alternative>) {
    if all.len() > MOST * 20 {
        return;
    }
    for (place, &(more, change)) in changes.iter().enumerate() {
        if first.cost + more > DEAREST {
            break;
        }
        let mut next = first.clone();
        next.cost += more;
        match change {
            Change::Side(side, group) => next.of[*side] = *group,
            Change::Pairs(mate) => next.mate.clone_from(mate),
        }
        let compatible = changes[place + 1..].iter().filter(|later| !change.overwrites(&later.1));
        add_changed(next, &compatible.copied().collect::<Vec<_>>(), all);
    }
    all.push(first);
}

/// The cost of groups with far more or fewer sides than average: in published puzzles, all halves
/// occur about equally often.
fn imbalance(reading: &Alternative) -> f32 {
    /// The size of a group, relative to the mean, below which it costs.
    const SMALL: f32 = 0.5;
    /// The size of a group, relative to the mean, above which it costs.
    const LARGE: f32 = 1.6;
    /// The cost of each side beyond them.
    const EACH: f32 = 0.8;
    let number = reading.mate.len();
    let mean = reading.of.len() as f32 / number as f32;
    let off = |group: usize| {
        let count = reading.of.iter().filter(|&&of| of == group).count() as f32;
        (mean * SMALL - count).max(count - mean * LARGE).max(0.0)
    };
    (0..number).map(off).sum::<f32>() * EACH
}

/// Counts the solutions of a reading up to [`MOST_SOLUTIONS`]. If that takes too long, returns the
/// number found so far, or `None` if there is none.
fn solutions(reading: &Alternative, size: GridSize, limits: &Limits<'_>) -> Option<u64> {
    let problem = problem("", size, &reading.of, &reading.mate)?;
    let limits = Limits { distinct: MOST_SOLUTIONS, ..*limits };
    let mut take = |_: &enumerate::NewSolution<'_>| ControlFlow::Continue(());
    let outcome = enumerate::run(&problem, &Auto, &limits, &mut take);
    match outcome.status {
        RunStatus::Complete | RunStatus::Stopped(StopReason::Enough) => {
            Some(outcome.tally.listed())
        }
        _ => (outcome.tally.listed() > 0).then_some(outcome.tally.listed()),
    }
}

/// The sides of a card in the order in which tiles list them, counter-clockwise from the right.
/// Sides are read clockwise from the top.
const LISTED: [usize; 4] = [1, 0, 3, 2];

/// The edge name of each group. `of` has the group of each side, `mate` the group that matches each
/// group. Images are named by letters in the order in which they occur on the tiles; the half that
/// occurs first is `+`.
pub(crate) fn edges(of: &[usize], mate: &[usize]) -> Vec<EdgeName> {
    let mut images: Vec<usize> = Vec::new();
    let listed = of.chunks_exact(4).flat_map(|sides| LISTED.map(|side| sides[side]));
    for group in listed {
        if !images.contains(&group) && !images.contains(&mate[group]) {
            images.push(group);
        }
    }
    // Groups that no side belongs to get the last letters.
    for (group, other) in mate.iter().enumerate() {
        if !images.contains(&group) && !images.contains(other) {
            images.push(group);
        }
    }
    let edge = |group: usize| {
        let own = images.iter().position(|&first| first == group);
        let place = own.or_else(|| images.iter().position(|&first| first == mate[group]));
        let half = match (mate[group] == group, own) {
            (true, _) => Half::Whole,
            (false, Some(_)) => Half::Plus,
            (false, None) => Half::Minus,
        };
        EdgeName { image: letter(place.unwrap_or(0)), half }
    };
    (0..mate.len()).map(edge).collect()
}

/// The letters for a number from 0: a, b, …, z, aa, ab, …
fn letter(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        before => letter(before - 1) + &last.to_string(),
    }
}

/// The puzzle of a reading, with the tiles numbered from 1; `None` if it is not a valid puzzle.
pub(crate) fn problem(name: &str, size: GridSize, of: &[usize], mate: &[usize]) -> Option<Problem> {
    let mut labels = Labels::default();
    let edges = edges(of, mate);
    let mut tiles = Vec::new();
    for (number, sides) in of.chunks_exact(4).enumerate() {
        let mut label = |side: usize| labels.add(&edges[sides[side]]).ok();
        let edges = LISTED.map(&mut label).into_iter().collect::<Option<Vec<_>>>()?;
        tiles.push(Tile { name: (number + 1).to_string(), edges, back: None, copies: Copies::ONE });
    }
    let puzzle = Puzzle {
        pictures: Some("{tile}.png".to_owned()),
        ..Puzzle::new(name.to_owned(), labels, tiles)
    };
    Problem::new(puzzle, Board::grid(size.rows, size.columns)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_named_by_letters_in_the_order_of_the_tiles() {
        // Sides are clockwise from the top; tiles list the right side first.
        let names: Vec<String> =
            edges(&[2, 0, 1, 2], &[1, 0, 2]).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["a+", "a-", "b"]);
        assert_eq!([0, 25, 26, 52].map(letter), ["a", "z", "aa", "ba"]);
    }

    #[test]
    fn changes_that_overwrite_each_other_are_not_combined() {
        let first = Alternative {
            of: vec![0, 1, 2, 3],
            mate: vec![1, 0, 3, 2],
            cost: 0.0,
            is_solved: false,
            solutions: None,
        };
        let changes = [
            (0.1, Change::Pairs(vec![2, 3, 0, 1])),
            (0.2, Change::Pairs(vec![3, 2, 1, 0])),
            (0.3, Change::Side(0, 1)),
            (0.4, Change::Side(0, 2)),
            (0.5, Change::Side(1, 0)),
        ];
        let mut all = Vec::new();
        add_changed(first, &changes.iter().collect::<Vec<_>>(), &mut all);
        // Three pairings, three groups of the first side and two of the second.
        let distinct: std::collections::BTreeSet<_> =
            all.iter().map(|reading| (reading.of.clone(), reading.mate.clone())).collect();
        assert_eq!((all.len(), distinct.len()), (18, 18));
    }

    #[test]
    fn a_reading_becomes_tiles_that_list_the_right_side_first() {
        let one = GridSize { rows: 1, columns: 1 };
        let problem = problem("one", one, &[0, 1, 2, 3], &[1, 0, 3, 2]).unwrap();
        let names: Vec<String> = problem.puzzle.tiles[0]
            .edges
            .iter()
            .map(|&label| problem.puzzle.labels.name(label))
            .collect();
        assert_eq!(names, ["a+", "a-", "b+", "b-"]);
    }
}
