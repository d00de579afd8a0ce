//! Results of one revision are comparable: the engines' answers, their order, and the counted work
//! may change only together with [`REVISION`].

use std::fmt::Write;
use std::ops::ControlFlow;

use edgematch::engine::{Contender, ENGINES};
use edgematch::enumerate::{self, Limits, NewSolution};
use edgematch::problem::Problem;
use edgematch::{REVISION, load};
use hmac_sha256::Hash;

use crate::common::{Feature, problem, serving};

/// The constraints with which the first puzzle is run again.
const CONSTRAINTS: &str = "\
- forbid: {cells: corners, tile: 1}
- count: {cells: inside, rotations: [0, 1], at_most: 1}
- adjacent: {tiles: [2, 3]}
";

/// Small puzzles of each kind: halves, whole images, a frame, more tiles than cells, two-sided
/// tiles, a solid.
const PUZZLES: [&str; 8] = [
    "scramble-1",
    "python-backtracker-mockup",
    "huberf-cards",
    "framed-3x3-tud",
    "framed-4x4-tud",
    "random-vex-3x3-10-s1",
    "boards/cube-4",
    "boards/two-sided-3x3-6",
];

/// The revision, and the digest of its answers.
const OF_REVISION: (&str, &str) = ("7", "d61d819b73e0c7c7");

/// Everything that runs report except times.
fn answers(problem: &Problem) -> String {
    let mut text = format!("{}\n", problem.puzzle.name);
    let mut contenders: Vec<Contender> = ENGINES.iter().flat_map(|k| k.contenders()).collect();
    // This back end is only available with a feature.
    contenders.retain(|contender| contender.name != "milp-highs");
    let is_cube = problem.board.description() == "cube";
    let features = if is_cube { &[Feature::NoRectangle][..] } else { &[] };
    for Contender { name, engine } in serving(contenders, problem, features) {
        let mut found = |found: &NewSolution<'_>| {
            for placed in &found.distinct.arrangement.0 {
                let sides = problem.puzzle.tiles[placed.tile].sides();
                write!(text, "{} {},", placed.tile, placed.orientation.index(sides)).unwrap();
            }
            text.push('\n');
            ControlFlow::Continue(())
        };
        let outcome = enumerate::run(problem, engine.as_ref(), &Limits::default(), &mut found);
        assert!(outcome.status.is_complete(), "{name}");
        let tally = outcome.tally;
        let work = outcome.work;
        writeln!(
            text,
            "{name} {} {} {} {:?} {:?}",
            tally.listed(),
            tally.classes,
            tally.solutions,
            [work.nodes, work.no_goods, work.tries, work.solves, work.cuts],
            work.calls_per_level,
        )
        .unwrap();
    }
    text
}

#[test]
fn answers_and_counted_work_change_only_with_the_revision() {
    let constraints = CONSTRAINTS.as_bytes();
    let constrained = load::constraints_from_bytes(problem(PUZZLES[0]), constraints, "here");
    let all = PUZZLES.map(|name| answers(&problem(name))).concat();
    let all = all + &answers(&constrained.unwrap());
    let digest: String =
        Hash::hash(all.as_bytes())[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        (REVISION, digest.as_str()),
        OF_REVISION,
        "engines answer otherwise, or count otherwise: raise `REVISION` and note both here"
    );
}
