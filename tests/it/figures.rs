//! Known counts: published ones, and those on which two independent searches agree.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use edgematch::engine::{
    Backtrack, BlockCounts, Contender, Corners, Engine, Milp, Order, Propagate,
};
use edgematch::enumerate::{Limits, Outcome};
use edgematch::model::FORMULATIONS;
use edgematch::problem::Problem;
use edgematch::{load, runtime::scheduler};

use crate::common::{self, Counts, Feature, complete, enumerated, every_engine, expected, serving};

fn assert_counts(name: &str, outcome: &Outcome, counts: &Counts) {
    assert_eq!(outcome.tally.solutions, counts.solutions.into(), "{name}");
    assert_eq!(outcome.tally.classes, counts.classes.into(), "{name}");
    assert_eq!(outcome.tally.listed(), counts.distinct, "{name}");
}

fn counts(name: &str) -> Counts {
    let all = expected();
    let found = all.into_iter().find(|(n, _)| n == name);
    found.and_then(|(_, counts)| counts).unwrap()
}

/// The path of a file of the project.
fn file(name: &str) -> PathBuf {
    Path::new(crate::ROOT).join(name)
}

fn board(name: &str) -> Problem {
    load::read(&file(&format!("benches/boards/{name}.yaml"))).unwrap()
}

#[test]
fn the_spiral_makes_the_published_588_calls() {
    let spiral = Backtrack::Scan(Order::Spiral);
    let outcome = complete(&common::problem("python-backtracker-mockup"), &spiral);
    let levels = [1, 9, 43, 165, 70, 151, 68, 60, 19, 2];
    assert_eq!(outcome.work.calls_per_level, levels);
    assert_eq!((outcome.work.nodes, outcome.work.tries), (587, 10_649));
    assert_eq!(outcome.tally.classes, 2u32.into());

    let outcome = complete(&common::problem("scramble-1"), &spiral);
    let levels = [1, 9, 36, 130, 63, 143, 26, 47, 14, 1];
    assert_eq!(outcome.work.calls_per_level, levels);
    assert_eq!(outcome.work.tries, 8_717);
    assert_eq!(outcome.tally.classes, 1u32.into());
}

#[test]
fn the_rows_make_the_published_220760_tries() {
    let outcome = complete(&common::problem("absolut-knifflig"), &Backtrack::Scan(Order::Rows));
    assert_eq!((outcome.work.tries, outcome.work.nodes), (220_760, 14_950));
    assert_eq!(outcome.tally.solutions, 148u32.into());
    assert_eq!(outcome.tally.classes, 37u32.into());
}

#[test]
fn the_cornerstone_has_the_published_1344_tries() {
    let outcome = complete(&common::problem("huberf-cards"), &Corners { scan: true });
    let BlockCounts { chains, tries, found } = outcome.work.blocks.unwrap();
    assert_eq!((chains, tries, found), (56, 1344, 23));
    assert_eq!(outcome.tally.classes, 1u32.into());
}

#[test]
fn boards_of_2007_have_as_many_solutions_as_others_found() {
    for (name, number) in [("owen-1-6", 65), ("owen-2-6", 40)] {
        let tally = complete(&board(name), &Backtrack::Fast).tally;
        assert_eq!(tally.listed(), number, "{name}");
    }
}

#[test]
fn drive_ya_nuts_has_one_solution() {
    let problem = board("drive-ya-nuts");
    let contenders = serving(every_engine(), &problem, &[Feature::NoRectangle]);
    for Contender { name, engine } in contenders {
        let tally = complete(&problem, engine.as_ref()).tally;
        assert_eq!(tally.classes, 1u32.into(), "{name}");
        assert_eq!(tally.solutions, 6u32.into(), "{name}");
    }
}

#[test]
fn the_backtracker_counts_every_small_board_of_the_catalogue() {
    let mut counted = 0;
    for (name, counts) in expected() {
        let (problem, Some(counts)) = (common::problem(&name), counts) else {
            continue;
        };
        // The search by rows is made for frames; the others take long from 5×5 on.
        if problem.board.size() <= 9
            || problem.puzzle.border.is_some() && problem.board.size() <= 36
        {
            for engine in [Backtrack::Fast, Backtrack::Plain(Order::Rows)] {
                assert_counts(&name, &complete(&problem, &engine), &counts);
            }
            counted += 1;
        }
    }
    assert!(counted > 60);
}

/// Compares all known counts, and finds a first solution where the count is unknown.
#[test]
fn propagating_counts_every_board_of_the_catalogue() {
    for (name, counts) in expected() {
        let problem = common::problem(&name);
        match counts {
            Some(counts) => assert_counts(&name, &complete(&problem, &Propagate), &counts),
            None => {
                let first = Limits { distinct: 1, ..Limits::default() };
                let outcome = enumerated(&problem, &Propagate, &first);
                assert_eq!(outcome.tally.listed(), 1, "{name}");
            }
        }
    }
}

#[test]
fn small_models_count_every_3x3_of_the_catalogue() {
    let mut solved = 0;
    for (name, counts) in expected() {
        let problem = common::problem(&name);
        if problem.board.size() <= 9 {
            let engine = Milp::new(FORMULATIONS[0]);
            assert_counts(&name, &complete(&problem, &engine), &counts.unwrap());
            solved += 1;
        }
    }
    assert!(solved >= 57);
}

/// One puzzle of each kind: twins, rotated twins, self-symmetric tiles, frames, no rotations,
/// oblong.
#[test]
fn a_selection_of_the_catalogue() {
    for name in [
        "knifflidiffels-version5",
        "die-baeren-knobelei",
        "cs370-arrows",
        "crazy-turtle-1979",
        "random-half-2x2-3-s1",
        "random-broken-3x3-4-s1",
        "random-vex-4x4-10-s1",
        "framed-6x6-tud",
        "framed-4x4-gallicchio",
        "random-frame-5x5-6-s1",
    ] {
        let engine = Milp::new(FORMULATIONS[0]);
        assert_counts(name, &complete(&common::problem(name), &engine), &counts(name));
    }
}

#[test]
fn every_puzzle_of_the_catalogue_loads_and_has_known_counts() {
    let folder = file("puzzles");
    let mut names: Vec<String> = expected().into_iter().map(|(name, _)| name).collect();
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        assert_eq!(path.extension().unwrap(), "yaml", "{}", path.display());
        let name = load::read(&path).unwrap().into_parts().puzzle.name;
        assert_eq!(name, path.file_stem().unwrap().to_string_lossy());
        files.push(name);
    }
    names.sort();
    files.sort();
    assert_eq!(names, files);
}

/// Most were planted by another program, which has a separate incidence list of each board.
#[test]
fn puzzles_on_other_boards_have_their_group_and_counts() {
    let known = [
        ("corners-torus-4x4-2", 16, 2, 32),
        ("cube-4", 24, 1, 24),
        ("cylinder-3x4-5", 8, 1, 8),
        ("dodecahedron-6", 60, 1, 60),
        ("flower-3", 6, 1, 6),
        ("hexagons-3x3-4", 1, 4, 4),
        ("icosahedron-6", 60, 1, 120),
        ("octahedron-4", 24, 2, 96),
        ("pyramid-3", 4, 1, 4),
        ("rhombus-2-3", 2, 1, 2),
        ("ring-3x3-3", 4, 1, 4),
        ("tetrahedron-3", 12, 1, 12),
        ("torus-3x4-5", 24, 1, 24),
        ("transparent-3x3-6", 8, 2, 128),
        ("triangle-hexagon-2-8", 6, 1, 6),
        ("two-sided-3x3-6", 4, 5, 20),
    ];
    assert_eq!(fs::read_dir(file("puzzles/boards")).unwrap().count(), known.len());
    for (name, group, distinct, solutions) in known {
        let problem = common::problem(&format!("boards/{name}"));
        assert_eq!(problem.group.len(), group, "{name}");
        let counts = Counts { solutions, classes: solutions / group as u64, distinct };
        let plain = Backtrack::Plain(Order::Spiral);
        for engine in [&Propagate as &dyn Engine, &plain, &Milp::default()] {
            assert_counts(name, &complete(&problem, engine), &counts);
        }
    }
}

/// All sixteen squares with two-coloured corners tile a 4×4 torus if its vertices show every 2×2
/// pattern once: the number of solutions is that of such colourings among all 65,536.
#[test]
fn squares_of_corners_make_de_bruijn_tori() {
    let colour = |vertices: u32, row: u32, column: u32| vertices >> (row % 4 * 4 + column % 4) & 1;
    let is_torus = |&vertices: &u32| {
        let squares = itertools::iproduct!(0..4, 0..4).map(|(r, c)| {
            let corners = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)];
            corners.map(|(r, c)| colour(vertices, r, c))
        });
        squares.collect::<HashSet<_>>().len() == 16
    };
    let tori = (0..1u32 << 16).filter(is_torus).count();
    let torus = common::problem("boards/corners-torus-4x4-2");
    let tally = complete(&torus, &Propagate).tally;
    assert_eq!(tally.solutions, tori.into());
}

#[test]
#[ignore = "takes a minute in release; .ci/run runs it"]
fn every_3x3_of_the_catalogue() {
    let mut solved = 0;
    for (name, counts) in expected() {
        let problem = common::problem(&name);
        if problem.board.size() > 9 {
            continue;
        }
        let outcome = complete(&problem, &Milp::new(FORMULATIONS[0]));
        assert_counts(&name, &outcome, &counts.unwrap());
        println!("{name:<40} {:>5} distinct {:>9.3} s", outcome.tally.listed(), outcome.seconds);
        solved += 1;
    }
    assert!(solved >= 57);
}

#[test]
#[ignore = "takes a minute in release; .ci/run runs it"]
fn three_puzzles_under_every_formulation() {
    for name in ["scramble-1", "python-backtracker-mockup", "knifflidiffels-version5"] {
        let problem = common::problem(name);
        for formulation in FORMULATIONS {
            let outcome = complete(&problem, &Milp::new(formulation));
            assert_counts(name, &outcome, &counts(name));
            println!("{name:<40} {:<8} {:>9.3} s", formulation.name(), outcome.seconds);
        }
    }
}

#[test]
#[ignore = "takes half a minute in release; .ci/run runs it"]
fn a_hard_board_is_completed() {
    let limits = Limits { threads: scheduler::available(), ..Limits::default() };
    let outcome = enumerated(&board("f9-b5k12-0"), &Backtrack::Fast, &limits);
    assert!(outcome.status.is_complete());
    assert_eq!(outcome.tally.classes, 1u32.into());
}

/// Two searches that share neither domains nor order agree on a count that was unknown.
#[test]
#[ignore = "takes a minute in release; .ci/run runs it"]
fn two_searches_count_the_third_clue_puzzle_of_eternity() {
    let problem = common::problem("eternity2-clue3");
    for engine in [&Propagate as &dyn Engine, &Backtrack::Fast] {
        let outcome = complete(&problem, engine);
        assert_eq!(outcome.tally.classes, 548_911_872u32.into());
        println!("{:<40} {:>9.3} s", engine.name(), outcome.seconds);
    }
}
