//! Every single slip of the hand, as what the tiles would show without it.

use std::collections::HashSet;

use crate::problem::Problem;
use crate::puzzle::{Change, Face, Half, Label, Puzzle, Tile, turns};

/// A kind of slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlipKind {
    /// The edges of all tiles were read in another order.
    Order,
    /// The edges of a tile were read the other way round.
    Mirrored,
    /// A tile was typed as a copy of another.
    Copied,
    /// Two neighbouring edges of a tile changed places.
    Exchanged,
    /// An edge has the wrong sign.
    Sign,
    /// An edge shows another image.
    Image,
}

impl SlipKind {
    /// Every kind.
    pub const ALL: [SlipKind; 6] = [
        SlipKind::Order,
        SlipKind::Mirrored,
        SlipKind::Copied,
        SlipKind::Exchanged,
        SlipKind::Sign,
        SlipKind::Image,
    ];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            SlipKind::Order => "order",
            SlipKind::Mirrored => "mirrored",
            SlipKind::Copied => "copied",
            SlipKind::Exchanged => "exchanged",
            SlipKind::Sign => "sign",
            SlipKind::Image => "image",
        }
    }
}

/// A slip that may have been made.
pub(super) struct Candidate {
    pub kind: SlipKind,
    pub tile: Option<usize>,
    pub changes: Vec<Change>,
}

/// Every single slip, those of most tiles first.
pub(super) fn candidates(problem: &Problem) -> Vec<Candidate> {
    let puzzle = &problem.puzzle;
    let mut all = orders(puzzle);
    let kinds = &problem.kinds;
    for tile in 0..puzzle.tiles.len() {
        if kinds.kinds[kinds.of_tile[tile]].tiles.len() > 1 {
            all.push(Candidate {
                kind: SlipKind::Copied,
                tile: Some(tile),
                changes: Vec::new(),
            });
        }
        all.extend(permuted(puzzle, tile));
        all.extend(retyped(puzzle, tile));
    }
    all
}

/// Orders of four edges other than around the tile: of three ways to say which edges lie opposite
/// each other two are left.
fn orders(puzzle: &Puzzle) -> Vec<Candidate> {
    const EXCHANGES: [[usize; 4]; 2] = [[0, 1, 3, 2], [0, 2, 1, 3]];
    let is_square = |tile: &Tile| tile.sides() == 4 && tile.back.is_none();
    if !puzzle.tiles.iter().all(is_square) || !puzzle.may_turn {
        return Vec::new();
    }
    let candidates = EXCHANGES.map(|places| {
        let tiles = 0..puzzle.tiles.len();
        let changes = tiles.flat_map(|tile| moved(puzzle, tile, &places));
        Candidate {
            kind: SlipKind::Order,
            tile: None,
            changes: changes.collect(),
        }
    });
    candidates.into()
}

/// What the front shows if each side showed what another one does.
fn moved(puzzle: &Puzzle, tile: usize, places: &[usize]) -> Vec<Change> {
    let edges = &puzzle.tiles[tile].edges;
    let wanted = places.iter().map(|&from| edges[from]);
    Change::between((tile, Face::Front), edges, wanted)
}

/// A tile read the other way round, or with two neighbouring edges exchanged.
fn permuted(puzzle: &Puzzle, tile: usize) -> Vec<Candidate> {
    let definition = &puzzle.tiles[tile];
    let sides = definition.sides();
    let mirror = (0..sides).rev().collect();
    let mut orders: Vec<(SlipKind, Vec<usize>)> = vec![(SlipKind::Mirrored, mirror)];
    for side in 0..sides {
        let mut places: Vec<usize> = (0..sides).collect();
        places.swap(side, (side + 1) % sides);
        orders.push((SlipKind::Exchanged, places));
    }
    // What is the same tile, only turned, is no slip; two slips that leave the same are one.
    let mut seen = HashSet::from([least_turn(puzzle, &definition.edges)]);
    let mut candidates = Vec::new();
    for (kind, places) in orders {
        let edges: Vec<Label> = places.iter().map(|&from| definition.edges[from]).collect();
        if !seen.insert(least_turn(puzzle, &edges)) {
            continue;
        }
        candidates.push(Candidate {
            kind,
            tile: Some(tile),
            changes: moved(puzzle, tile, &places),
        });
    }
    candidates
}

/// The same edges from whichever side on they come first, where tiles may be turned.
fn least_turn(puzzle: &Puzzle, edges: &[Label]) -> Vec<Label> {
    if !puzzle.may_turn {
        return edges.to_vec();
    }
    turns(edges).min().unwrap_or_default()
}

/// Each edge with the other half of its image, or another image.
fn retyped(puzzle: &Puzzle, tile: usize) -> Vec<Candidate> {
    let labels = &puzzle.labels;
    let half = |label: Label| labels.edge(label).half;
    let definition = &puzzle.tiles[tile];
    let mut candidates = Vec::new();
    for face in definition.prints() {
        for (side, &edge) in definition.face(face).iter().enumerate() {
            if puzzle.border == Some(edge) || !labels.is_known(edge) {
                continue;
            }
            let mate = labels.mate(edge);
            let sign = (half(edge) != Half::Whole).then_some((SlipKind::Sign, mate));
            let images = labels.all().filter(|&other| {
                other != edge
                    && half(other) == half(edge)
                    && puzzle.border != Some(other)
                    && labels.is_known(other)
            });
            let images = images.map(|other| (SlipKind::Image, other));
            candidates.extend(sign.into_iter().chain(images).map(|(kind, label)| {
                let change = Change {
                    tile,
                    face,
                    side,
                    label,
                };
                Candidate {
                    kind,
                    tile: Some(tile),
                    changes: vec![change],
                }
            }));
        }
    }
    candidates
}
