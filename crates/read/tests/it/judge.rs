//! Compares readings of synthetic photographs with the cards that were drawn.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use edgematch::runtime::limits::Limits;
use edgematch_camera::{Photograph, Shot};
use edgematch_read::{CardFacts, GridSize, Photo, PhotoContent, Quad, Reading};

/// The number and kinds of errors of a reading.
#[derive(Debug, Clone)]
pub struct Judged {
    sides: usize,
    /// `None` if the cards were not found.
    read: Option<Right>,
    took: Duration,
}

#[derive(Debug, Clone)]
struct Right {
    /// The number of sides in the wrong group.
    wrong_sides: usize,
    /// The number of wrong pairs of halves.
    wrong_pairs: usize,
    doubtful: usize,
}

/// Reads a photograph with a given size.
pub fn judged(shot: &Shot) -> Judged {
    let options = CardFacts {
        size: Some(GridSize { rows: shot.size.0, columns: shot.size.1 }),
        ..CardFacts::default()
    };
    Judged::new(shot, &shot.take(), &options)
}

impl Judged {
    pub fn new(shot: &Shot, taken: &Photograph, options: &CardFacts) -> Judged {
        let started = Instant::now();
        let photo = Photo { name: "taken.jpg", picture: PhotoContent::File(&taken.jpeg) };
        let reading = Reading::new(&[photo], options, &Limits::default());
        let took = started.elapsed();
        let sides = shot.size.0 * shot.size.1 * 4;
        let read = reading.ok().and_then(|reading| right(taken, &reading));
        Judged { sides, read, took }
    }

    /// The number of sides to move and pairs to exchange; `None` if the cards were not found.
    pub fn corrections(&self) -> Option<usize> {
        let right = self.read.as_ref()?;
        Some(right.wrong_sides + right.wrong_pairs)
    }
}

fn right(taken: &Photograph, reading: &Reading) -> Option<Right> {
    let truth = true_labels(taken, reading)?;
    let groups: Vec<usize> = reading.sides.iter().map(|side| side.group).collect();
    let labels = &taken.problem.puzzle.labels;
    let mates: BTreeMap<usize, usize> =
        labels.all().map(|label| (label.index(), labels.mate(label).index())).collect();
    let label_of = |group: usize| most_common(&groups, &truth, group);
    let is_wrong = |&group: &usize| {
        let mate = reading.mates[group];
        let (Some(own), Some(other)) = (label_of(group), label_of(mate)) else {
            return false;
        };
        // If the counterpart of a half is on no card, any pair is right.
        group <= mate && truth.contains(&mates[&own]) && mates[&own] != other
    };
    Some(Right {
        wrong_sides: in_others(&groups, &truth),
        wrong_pairs: (0..reading.mates.len()).filter(is_wrong).count(),
        doubtful: reading.sides.iter().filter(|side| side.is_doubtful()).count(),
    })
}

/// The true label of each side; `None` if a card was not found.
fn true_labels(taken: &Photograph, reading: &Reading) -> Option<Vec<usize>> {
    // Tiles list their edges counter-clockwise from the right; corners are clockwise from the top
    // left.
    const EDGES: [usize; 4] = [1, 0, 3, 2];
    if reading.cards.len() != taken.corners.len() {
        return None;
    }
    let away = |a: (f32, f32), b: (f32, f32)| (a.0 - b.0).hypot(a.1 - b.1);
    let mut labels = Vec::new();
    for card in &reading.cards {
        let middle = card.quad.middle();
        let off = |tile: &usize| away(Quad(taken.corners[*tile]).middle(), middle);
        let tile = (0..taken.corners.len()).min_by(|a, b| off(a).total_cmp(&off(b)))?;
        if off(&tile) > card.quad.side() * 0.3 {
            return None;
        }
        let corners = &taken.corners[tile];
        let from_first = |&corner: &usize| away(corners[corner], card.quad.0[0]);
        let first = (0..4).min_by(|a, b| from_first(a).total_cmp(&from_first(b)))?;
        let edges = &taken.problem.puzzle.tiles[tile].edges;
        labels.extend((0..4).map(|side| edges[EDGES[(first + side) % 4]].index()));
    }
    Some(labels)
}

/// The most common label among the sides of a group.
fn most_common(groups: &[usize], truth: &[usize], group: usize) -> Option<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, &label) in groups.iter().zip(truth).filter(|(own, _)| **own == group) {
        *counts.entry(label).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(_, count)| count).map(|(label, _)| label)
}

/// The number of sides outside the group assigned to their label. Labels are assigned greedily, the
/// largest groups first.
fn in_others(groups: &[usize], truth: &[usize]) -> usize {
    let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (&group, &label) in groups.iter().zip(truth) {
        *counts.entry((group, label)).or_default() += 1;
    }
    let mut cells: Vec<_> = counts.into_iter().collect();
    cells.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let mut right = 0;
    for ((group, label), count) in cells {
        if !taken.iter().any(|&(g, l)| g == group || l == label) {
            taken.push((group, label));
            right += count;
        }
    }
    groups.len() - right
}

/// Statistics over several readings.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    puzzles: usize,
    found: usize,
    sides: usize,
    right_sides: usize,
    right_pairs: usize,
    without_corrections: usize,
    corrections: Vec<Option<usize>>,
    doubtful: usize,
    slowest: Duration,
}

impl Sum {
    pub const HEAD: &str = "puzzles | cards found | sides right | pairs right | no correction | \
                            most corrections | doubts a puzzle | slowest";

    pub fn add(&mut self, judged: &Judged) {
        self.puzzles += 1;
        self.sides += judged.sides;
        self.slowest = self.slowest.max(judged.took);
        self.corrections.push(judged.corrections());
        if let Some(right) = &judged.read {
            self.found += 1;
            self.right_sides += judged.sides - right.wrong_sides;
            self.right_pairs += usize::from(right.wrong_pairs == 0);
            self.doubtful += right.doubtful;
        }
        self.without_corrections += usize::from(judged.corrections() == Some(0));
    }

    /// The fraction of all sides that were read correctly, including sides of cards that were not
    /// found.
    pub fn part_of_sides(&self) -> f64 {
        self.right_sides as f64 / self.sides as f64
    }

    pub fn part_without_corrections(&self) -> f64 {
        self.without_corrections as f64 / self.puzzles as f64
    }

    /// The maximum over the puzzles whose cards were found.
    fn most_corrections(&self) -> usize {
        self.corrections.iter().flatten().copied().max().unwrap_or(0)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} | {} | {:.1} % | {} | {} | {} | {:.1} | {:.1} s",
            self.puzzles,
            self.found,
            100.0 * self.part_of_sides(),
            self.right_pairs,
            self.without_corrections,
            self.most_corrections(),
            self.doubtful as f64 / self.puzzles as f64,
            self.slowest.as_secs_f64(),
        )
    }
}
