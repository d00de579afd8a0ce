//! Enumerates single slips, each as the changes of edges that correct it.

use std::collections::HashSet;

use crate::problem::Problem;
use crate::puzzle::{Change, Face, Half, Label, Puzzle, Tile, list_rotations};

/// A kind of slip: a single mistake in typing a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlipKind {
    /// The edges of all tiles were listed in another order than around the tile.
    Order,
    /// The edges of one tile were listed in the opposite direction.
    Mirrored,
    /// A tile was typed with the edges of another one.
    Copied,
    /// Two neighbouring edges of a tile were exchanged.
    Exchanged,
    /// An edge has the wrong sign, so it shows the other half of its image.
    Sign,
    /// An edge has the wrong image.
    Image,
}

impl SlipKind {
    /// The name in results.
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

/// A slip that may have been made, and its correction.
pub(super) struct PossibleSlip {
    pub kind: SlipKind,
    /// The tile; `None` for a slip on all tiles.
    pub tile: Option<usize>,
    /// The changes of edges that correct it; empty for [`SlipKind::Copied`].
    pub changes: Vec<Change>,
}

/// Iterates over every possible single slip, those on all tiles first. It is lazy, because a large
/// puzzle with many images has millions of them.
pub(super) fn possible_slips(problem: &Problem) -> impl Iterator<Item = PossibleSlip> + '_ {
    let puzzle = &problem.puzzle;
    let of_tiles = (0..puzzle.tiles.len()).flat_map(move |tile| {
        let copied = is_copied(problem, tile).then(|| PossibleSlip {
            kind: SlipKind::Copied,
            tile: Some(tile),
            changes: Vec::new(),
        });
        let of_edges =
            mistypable_edges(puzzle, tile).flat_map(move |edge| edge_slips(puzzle, tile, edge));
        copied.into_iter().chain(permutation_slips(puzzle, tile)).chain(of_edges)
    });
    order_slips(puzzle).into_iter().chain(of_tiles)
}

/// The number of slips that [`possible_slips`] yields.
pub(super) fn number_of_possible_slips(problem: &Problem) -> usize {
    let puzzle = &problem.puzzle;
    let labels = &puzzle.labels;
    let like = |half: Half| {
        let all = labels.all().filter(|&label| may_be_meant(puzzle, label));
        all.filter(|&label| labels.edge(label).half == half).count()
    };
    let numbers = [Half::Whole, Half::Plus, Half::Minus].map(|half| (half, like(half)));
    let of_tile = |tile: usize| {
        let retyped = mistypable_edges(puzzle, tile).map(|(.., edge)| {
            let own = labels.edge(edge).half;
            let fitting = numbers.iter().filter(|(half, _)| is_fitting(own, *half));
            let number = fitting.map(|(_, number)| number).sum::<usize>();
            // The other sign replaces the edge itself.
            number - usize::from(own == Half::Whole)
        });
        usize::from(is_copied(problem, tile))
            + permutation_slips(puzzle, tile).len()
            + retyped.sum::<usize>()
    };
    order_slips(puzzle).len() + (0..puzzle.tiles.len()).map(of_tile).sum::<usize>()
}

/// Returns true if another tile looks the same, so that this one may be a copy.
fn is_copied(problem: &Problem, tile: usize) -> bool {
    let kinds = &problem.kinds;
    kinds.kinds[kinds.of_tile[tile]].tiles.len() > 1
}

/// Returns true if a label can be mistyped or be the correction of a slip. The border is known from
/// its position, and unknown edges were not typed.
fn may_be_meant(puzzle: &Puzzle, label: Label) -> bool {
    puzzle.border != Some(label) && puzzle.labels.is_known(label)
}

/// The two other orders in which the four edges of squares may have been listed: they differ from
/// the order around the tile in the pairs of opposite edges. Empty unless all tiles are one-sided
/// squares that may turn.
fn order_slips(puzzle: &Puzzle) -> Vec<PossibleSlip> {
    const EXCHANGES: [[usize; 4]; 2] = [[0, 1, 3, 2], [0, 2, 1, 3]];
    let is_square = |tile: &Tile| tile.sides() == 4 && tile.back.is_none();
    if !puzzle.tiles.iter().all(is_square) || !puzzle.may_turn {
        return Vec::new();
    }
    let candidates = EXCHANGES.map(|places| {
        let changes =
            (0..puzzle.tiles.len()).flat_map(|tile| permuting_changes(puzzle, tile, &places));
        PossibleSlip { kind: SlipKind::Order, tile: None, changes: changes.collect() }
    });
    candidates.into()
}

/// The changes of a tile's front if side i gets the edge that side `places[i]` has now.
fn permuting_changes(puzzle: &Puzzle, tile: usize, places: &[usize]) -> Vec<Change> {
    let edges = &puzzle.tiles[tile].edges;
    Change::diff((tile, Face::Front), edges, places.iter().map(|&from| edges[from]))
}

/// The slips of one tile that list its front in the opposite direction or exchange two neighbouring
/// edges. Omits corrections that do not change the tile, or change it in the same way as an earlier
/// one.
fn permutation_slips(puzzle: &Puzzle, tile: usize) -> Vec<PossibleSlip> {
    let definition = &puzzle.tiles[tile];
    let sides = definition.sides();
    let mirror = (0..sides).rev().collect();
    let mut orders: Vec<(SlipKind, Vec<usize>)> = vec![(SlipKind::Mirrored, mirror)];
    for side in 0..sides {
        let mut places: Vec<usize> = (0..sides).collect();
        places.swap(side, (side + 1) % sides);
        orders.push((SlipKind::Exchanged, places));
    }
    // Corrections that only rotate the tile, or give the same tile as an earlier one, are omitted.
    let mut seen = HashSet::from([least_turn(puzzle, &definition.edges)]);
    let mut candidates = Vec::new();
    for (kind, places) in orders {
        let edges: Vec<Label> = places.iter().map(|&from| definition.edges[from]).collect();
        if !seen.insert(least_turn(puzzle, &edges)) {
            continue;
        }
        candidates.push(PossibleSlip {
            kind,
            tile: Some(tile),
            changes: permuting_changes(puzzle, tile, &places),
        });
    }
    candidates
}

/// A form of the edges that is equal for equal tiles: the smallest rotation if tiles may turn,
/// otherwise the edges themselves.
fn least_turn(puzzle: &Puzzle, edges: &[Label]) -> Vec<Label> {
    if !puzzle.may_turn {
        return edges.to_vec();
    }
    list_rotations(edges).min().unwrap_or_default()
}

/// The edges of a tile that can be mistyped, as face, side and label. A back that follows from the
/// front has none.
fn mistypable_edges(
    puzzle: &Puzzle,
    tile: usize,
) -> impl Iterator<Item = (Face, usize, Label)> + '_ {
    let definition = &puzzle.tiles[tile];
    let all = definition.prints(&puzzle.labels).flat_map(move |face| {
        definition.face(face).iter().enumerate().map(move |(side, &edge)| (face, side, edge))
    });
    all.filter(|&(.., edge)| may_be_meant(puzzle, edge))
}

/// Returns true if an edge with a half may have been mistyped for one with the other half that is
/// given: for the same one, or, if its image is whole, for any.
fn is_fitting(typed: Half, meant: Half) -> bool {
    typed == meant || typed == Half::Whole
}

/// The slips on one edge: the other half of its image, and every other image with a half that fits.
fn edge_slips(
    puzzle: &Puzzle,
    tile: usize,
    (face, side, edge): (Face, usize, Label),
) -> impl Iterator<Item = PossibleSlip> + '_ {
    let labels = &puzzle.labels;
    let half = move |label: Label| labels.edge(label).half;
    let sign = (half(edge) != Half::Whole).then(|| (SlipKind::Sign, labels.mate(edge)));
    let images = labels.all().filter(move |&other| {
        other != edge && is_fitting(half(edge), half(other)) && may_be_meant(puzzle, other)
    });
    let images = images.map(|other| (SlipKind::Image, other));
    sign.into_iter().chain(images).map(move |(kind, label)| {
        let change = Change { tile, face, side, label };
        PossibleSlip { kind, tile: Some(tile), changes: vec![change] }
    })
}
