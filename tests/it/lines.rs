//! `loop` and `path`, compared with a brute force that knows only which cells a line connects, not
//! how to follow it.

use std::collections::BTreeSet;

use edgematch::engine::contenders;
use edgematch::enumerate::solution::check;
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use fastrand::Rng;
use itertools::Itertools;
use proptest::prelude::*;

use crate::common::drawn::found;
use crate::common::{Feature, brute_force_freed, picture, serving};

/// A board whose sides show `r`, the line, more often than other images; its tiles are then
/// shuffled.
fn planted(rows: usize, columns: usize, is_torus: bool, random: &mut Rng) -> String {
    const IMAGES: [&str; 6] = ["r", "r", "r", "x", "y", "z"];
    let mut image = |is_rim: bool| {
        let first = if is_rim && random.u8(..8) > 0 { 3 } else { 0 };
        IMAGES[random.usize(first..IMAGES.len())]
    };
    // The right side of each cell, then its bottom.
    let right: Vec<&str> =
        (0..rows * columns).map(|cell| image(!is_torus && (cell + 1) % columns == 0)).collect();
    let bottom: Vec<&str> =
        (0..rows * columns).map(|cell| image(!is_torus && cell / columns + 1 == rows)).collect();
    let left: Vec<&str> = (0..rows).map(|_| image(true)).collect();
    let top: Vec<&str> = (0..columns).map(|_| image(true)).collect();
    let mut tiles: Vec<[&str; 4]> = Vec::new();
    for cell in 0..rows * columns {
        let (row, column) = (cell / columns, cell % columns);
        let above = (row + rows - 1) % rows * columns + column;
        let before = row * columns + (column + columns - 1) % columns;
        let above = if row == 0 && !is_torus { top[column] } else { bottom[above] };
        let before = if column == 0 && !is_torus { left[row] } else { right[before] };
        let mut edges = [right[cell], above, before, bottom[cell]];
        edges.rotate_left(random.usize(..4));
        tiles.push(edges);
    }
    random.shuffle(&mut tiles);
    let tiles = tiles.iter().enumerate();
    let tiles = tiles.map(|(index, edges)| format!("t{index}: [{}]", edges.join(", ")));
    let wrap = if is_torus { ", wrap: both" } else { "" };
    format!(
        "board: {{grid: [{rows}, {columns}]{wrap}}}\ntiles: {{{}}}\n",
        tiles.collect_vec().join(", ")
    )
}

/// Returns true if the image forms one line: each cell has two ends of it or none, no end is loose
/// inside the board, `on_rim` ends are on the rim, and the cells with ends are connected.
fn is_one_line(problem: &Problem, arrangement: &Arrangement, on_rim: usize) -> bool {
    let labels = &problem.puzzle.labels;
    let shows = picture(problem, arrangement);
    let is_line = |cell: usize, side: usize| labels.edge(shows[cell][side]).image == "r";
    let ends = |cell: usize| (0..shows[cell].len()).filter(move |&side| is_line(cell, side));
    let cells: Vec<usize> = (0..shows.len()).filter(|&c| ends(c).count() > 0).collect();
    let rim = problem.board.rim().iter();
    let leaving = rim.filter(|(cell, side)| is_line(*cell, *side)).count();
    let mut joined: Vec<usize> = (0..shows.len()).collect();
    for [(one, this), (other, that)] in problem.board.touching() {
        if is_line(one, this) != is_line(other, that) {
            return false;
        }
        if is_line(one, this) {
            let (from, to) = (joined[one], joined[other]);
            joined.iter_mut().for_each(|group| {
                if *group == from {
                    *group = to;
                }
            });
        }
    }
    let groups: BTreeSet<usize> = cells.iter().map(|&cell| joined[cell]).collect();
    leaving == on_rim && groups.len() == 1 && cells.iter().all(|&cell| ends(cell).count() == 2)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn every_engine_finds_the_lines_that_brute_force_finds(
        size in prop_oneof![Just((2, 2)), Just((2, 3)), Just((3, 2)), Just((3, 3)), Just((2, 4))],
        is_torus in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let text = planted(size.0, size.1, is_torus, &mut Rng::with_seed(seed));
        let plain = load::from_str(&text).unwrap();
        let all = brute_force_freed(&plain, &[], 2_000);
        prop_assume!(all.is_some());
        // Brute force only checks one seam per pair of cells, but on a torus two cells may share
        // two.
        let fits = |arrangement: &Arrangement| check(&plain, arrangement).is_ok();
        let all: Vec<Arrangement> = all.unwrap().into_iter().filter(fits).collect();
        for (kind, on_rim) in [("loop", 0), ("path", 2)] {
            let text = format!("{text}constraints: [{kind}: r]\n");
            let problem = load::from_str(&text).unwrap();
            let lines: BTreeSet<Arrangement> =
                all.iter().filter(|a| is_one_line(&plain, a, on_rim)).cloned().collect();
            let mut counts = BTreeSet::new();
            let features = if is_torus { &[Feature::NoRectangle][..] } else { &[] };
            for contender in serving(contenders(), &problem, features) {
                let engine = contender.engine.as_ref();
                if contender.name.starts_with("milp") && all.len() > 60 {
                    continue;
                }
                let (solutions, distinct, classes) = found(&problem, engine, 1);
                prop_assert!(solutions == lines, "{}: {} of {} in\n{text}", contender.name, solutions.len(), lines.len());
                counts.insert((distinct, classes));
            }
            prop_assert_eq!(counts.len(), 1);
        }
    }
}

/// Two adjacent rings of four cells, and a ring of eight.
#[test]
fn two_rings_are_not_a_loop() {
    let corner = "[r, r, x, x]";
    let straight = "[r, x, r, x]";
    let tiles = |corners: usize, straights: usize| {
        let list =
            std::iter::repeat_n(corner, corners).chain(std::iter::repeat_n(straight, straights));
        let tiles = list.enumerate().map(|(index, edges)| format!("{index}: {edges}"));
        format!(
            "{{rows: 2, cols: 4, tiles: {{{}}}, constraints: [loop: r]}}",
            tiles.collect_vec().join(", ")
        )
    };
    let count = |text: &str| {
        let solved = edgematch::solve(&load::from_str(text).unwrap());
        solved.outcome.tally.listed()
    };
    assert_eq!(count(&tiles(8, 0)), 0);
    assert_eq!(count(&tiles(4, 4)), 1);
}
