//! Constraints: every engine finds the arrangements of brute force that the checker accepts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use edgematch::engine::{Auto, Contender, ENGINES, Engine, Lp, Milp, Propagate, contenders};
use edgematch::enumerate::solution::check;
use edgematch::load;
use edgematch::model::FORMULATIONS;
use edgematch::problem::constraints::KINDS;
use edgematch::problem::{Arrangement, Placed, Problem};
use itertools::Itertools;
use proptest::prelude::*;

use crate::common::drawn::{Draws, SIZES, draws, found};
use crate::common::generated::{Generated, planted, random};
use crate::common::{Feature, PINNED_TWICE, brute_force_freed, complete, loaded, serving};

fn lists() -> impl Strategy<Value = (Generated, Vec<Draws>, bool)> {
    let puzzles = prop_oneof![random(SIZES), planted(SIZES, 1..3)];
    (puzzles, proptest::collection::vec(draws(), 1..4), any::<bool>())
}

/// The text of a constraint and, if it frees a seam, the cells of the seam.
type Drawn = (String, Option<[usize; 2]>);

/// The constraints that were drawn for a puzzle, with their free seams, and the puzzle with them;
/// `None` if it pins a cell twice.
fn constrained(
    generated: &Generated,
    draws: Vec<Draws>,
    has_free_seam: bool,
) -> (Vec<Drawn>, Option<Problem>) {
    let size = generated.size();
    let draw = |(index, mut draws): (usize, Draws)| match index {
        2 => (draws.lazy(generated), None),
        _ => draws.constraint(generated),
    };
    let mut list: Vec<Drawn> = draws.into_iter().enumerate().map(draw).collect();
    if has_free_seam {
        let mut draws = Draws::new(vec![list.len(), list[0].0.len()]);
        list.push(draws.seam(size));
    }
    let items: String = list.iter().map(|(text, _)| format!("  - {{{text}}}\n")).collect();
    let yaml = format!("{}constraints:\n{items}", generated.yaml());
    (list, loaded(&yaml, &[PINNED_TWICE]))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        max_global_rejects: 20_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_engine_enforces_every_list((generated, draws, has_free_seam) in lists()) {
        let plain = load::from_str(&generated.yaml()).unwrap();
        let size = generated.size();
        let (list, problem) = constrained(&generated, draws, has_free_seam);
        prop_assume!(problem.is_some());
        let problem = problem.unwrap();
        let free: Vec<[usize; 2]> = list.iter().filter_map(|(_, free)| *free).collect();
        let brute = brute_force_freed(&plain, &free, 5_000);
        prop_assume!(brute.is_some());
        let brute: BTreeSet<Arrangement> =
            brute.unwrap().into_iter().filter(|a| check(&problem, a).is_ok()).collect();
        let mut counts = BTreeSet::new();
        let mut features = Feature::of_grid(size);
        features.extend(has_free_seam.then_some(Feature::FreeSeams));
        for contender in serving(contenders(), &problem, &features) {
            let engine = contender.engine.as_ref();
            if contender.name.starts_with("milp") && brute.len() > 60 {
                continue;
            }
            for threads in [1, 2] {
                let (solutions, distinct, classes) = found(&problem, engine, threads);
                prop_assert!(solutions == brute, "{}: {} of {}", contender.name, solutions.len(), brute.len());
                counts.insert((distinct, classes));
            }
        }
        prop_assert_eq!(counts.len(), 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        max_global_rejects: 20_000,
        ..ProptestConfig::default()
    })]

    #[test]
    #[ignore = "takes a minute in release; `just long` runs it"]
    fn the_model_enforces_what_propagate_enforces((generated, draws, has_free_seam) in lists()) {
        let (_, problem) = constrained(&generated, draws, has_free_seam);
        prop_assume!(problem.is_some());
        let problem = problem.unwrap();
        let expected = found(&problem, &Propagate, 1);
        prop_assume!(expected.0.len() <= 1_000);
        for formulation in FORMULATIONS {
            for (lp, name) in Lp::ALL {
                let engine = Milp { lp, ..Milp::new(formulation) };
                prop_assert_eq!(&found(&problem, &engine, 1), &expected, "{}", name);
            }
        }
    }
}

fn file(name: &str) -> String {
    let root = Path::new(crate::ROOT);
    fs::read_to_string(root.join(name)).unwrap()
}

fn with_list(puzzle: &str, list: &str) -> Result<Problem, load::LoadError> {
    let indented = list.lines().map(|line| format!("  {line}\n"));
    let constraints: String = indented.collect();
    load::from_str(&format!("{}constraints:\n{constraints}", file(puzzle)))
}

/// Each example in the docs is a block of YAML, followed by its number of solutions.
#[test]
fn examples_of_the_docs_have_the_stated_counts() {
    let docs = file("docs/constraints.md") + &file("docs/models.md");
    let examples: Vec<&str> = docs.split("```yaml\n").skip(1).collect();
    let mut kinds = BTreeSet::new();
    for example in &examples {
        let (list, behind) = example.split_once("```\n\n").unwrap();
        let said = behind.split(' ').next().unwrap();
        let keys = list.lines().filter(|line| line.starts_with("- ") || line.starts_with("  "));
        let keys = keys.filter_map(|line| line.get(2..)?.split(':').next());
        kinds.extend(keys.filter(|key| KINDS.iter().any(|kind| kind.name == *key)));
        let problem = with_list("puzzles/random-half-3x3-3-s1.yaml", list).unwrap();
        // The model is slow if there are hundreds of solutions.
        let few = said.parse::<u32>().unwrap() < 100;
        let is_free = list.contains("- seam: ");
        let features = if is_free { &[Feature::FreeSeams][..] } else { &[] };
        let usual = ENGINES
            .iter()
            .map(|kind| Contender { name: kind.name.to_owned(), engine: kind.usual() });
        for Contender { name, engine } in serving(usual.collect(), &problem, features) {
            if few || name != Milp::default().name() {
                let found = complete(&problem, engine.as_ref()).tally.solutions;
                assert_eq!(found.to_string(), said, "{name}: {list}");
            }
        }
    }
    let all: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(kinds, all, "each kind has an example");
}

/// Excluded placements are not searched. All lists but the first preserve the symmetries of the
/// board, which a search would otherwise visit one by one.
#[test]
fn constraints_prune() {
    let puzzle = "puzzles/random-half-4x4-4-s1.yaml";
    let lists = [
        "pin: {cell: [1, 1], tile: 3}",
        "forbid: {cells: corners, tile: 3}",
        "rotations: {tiles: [1, 2], rotations: [0, 2]}",
        "region: {tiles: [1, 2], only_in: border}",
        "adjacent: {tiles: [4, 5]}",
        "apart: {tiles: [4, 5]}",
        "count: {cells: corners, tiles: [1, 2, 3], at_most: 1}",
        "linear: {terms: [{weight: 3, cells: corners, tiles: [1, 2]}], at_most: 5}",
        "not: {region: {tiles: [1, 2], only_in: border}}",
        "any: [region: {tiles: 1, only_in: corners}, region: {tiles: 2, only_in: corners}]",
    ];
    let steps = |engine: &dyn Engine, list: &str| {
        complete(&with_list(puzzle, list).unwrap(), engine).work.nodes
    };
    let all = steps(&Propagate, "[]");
    for list in lists {
        let pruned = steps(&Propagate, &format!("- {list}"));
        assert!(pruned < all, "{list}: {pruned} of {all} nodes");
    }
    let milp = Milp::default();
    let several = format!("- {}\n- {}\n- {}\n", lists[0], lists[3], lists[5]);
    let [pruned, all] = [&several, "[]"].map(|list| steps(&milp, list));
    assert!(pruned < all, "{pruned} of {all} decisions");
}

/// The group maps the written list onto itself.
#[test]
fn the_group_is_that_of_the_constraints() {
    for (list, group) in [
        ("- pin: {cell: centre, tile: 5}", 4),
        ("- pin: {cell: centre, tile: 5, rotation: 0}", 1),
        ("- forbid: {cells: corners, tile: 3}", 4),
        ("- forbid: {cells: row 2, tile: 3}", 2),
        ("- forbid: {cells: row 1, tile: 3}", 1),
        // Together these are symmetric, but none of them is on its own.
        (
            "- forbid: {cells: row 1, tile: 3}\n- forbid: {cells: row 2, tile: 3}\n- forbid: \
             {cells: row 3, tile: 3}",
            2,
        ),
        ("- rotations: [0, 2]", 2),
        ("- count: {shows: {top: img1}, at_most: 3}", 1),
        ("- adjacent: {tiles: [1, 2], sides: [right, any]}", 4),
        ("- seam: {cells: [[1, 2], [2, 2]], fit: free}", 1),
        (
            "- seam: {cells: [[1, 2], [2, 2]], fit: free}\n- seam: {cells: [[3, 2], [2, 2]], fit: \
             free}",
            2,
        ),
        ("- rim: {same: true}", 4),
        ("- not: {all: [loop: img1, forbid: {cells: corners, tile: 3}]}", 4),
        // A half turn exchanges the rows, but not the images.
        (
            "- any: [loop: img1, forbid: {cells: row 1, tile: 3}]\n- any: [loop: img2, forbid: \
             {cells: row 3, tile: 3}]",
            1,
        ),
        (
            "- not: {any: [loop: img1, forbid: {cells: row 1, tile: 3}]}\n- not: {any: [loop: img2, \
             forbid: {cells: row 3, tile: 3}]}",
            1,
        ),
    ] {
        let problem = with_list("puzzles/random-half-3x3-3-s1.yaml", list).unwrap();
        assert_eq!(problem.group.len(), group, "{list}");
    }
}

/// Names and numbers are preserved, and placements are written in full.
#[test]
fn constraints_are_written_as_they_were_read() {
    let list = [
        ["pin: {cell: [0x1, 1], tile: 4}"; 2],
        ["rotations: [0, '2']", "rotations: [0, 2]"],
        [
            "count: {placements: [home, up], at_most: 1e0}",
            "count: {tiles: [1, '5'], cells: row 2, rotation: 0, at_most: 1e0}",
        ],
        ["not: {forbid: {placements: up, tile: 7}}", "not: {forbid: {rotation: 0, tile: 7}}"],
        ["rim: {image: nowhere, only: false}"; 2],
    ];
    let items = list.map(|[read, _]| format!("- {read}\n")).concat();
    let placements = "placements: {home: {tiles: [1, '5'], cells: row 2}, up: {rotation: 0}}";
    let puzzle = file("puzzles/random-half-3x3-3-s1.yaml");
    let form = load::PuzzleFormat::named("yaml").unwrap();
    let written = |text: &str| form.write(&load::from_str(text).unwrap(), None).unwrap().text;
    let text = written(&format!("{puzzle}{placements}\nconstraints:\n{items}"));
    for [_, line] in list {
        let line = line.replace('\'', "");
        assert!(text.contains(&format!("  - {line}\n")), "{line}\n{text}");
    }
    assert_eq!(written(&text), text);
}

#[test]
fn the_letter_of_a_part_means_its_cells() {
    let puzzle = file("puzzles/random-half-3x3-3-s1.yaml");
    let lettered = puzzle.replace("rows: 3\ncols: 3\n", "board: {mask: [AAB, A#B, BBB]}\n");
    assert_ne!(puzzle, lettered);
    let a = "[[1, 1], [1, 2], [2, 1]]";
    let b = "[[1, 3], [2, 3], [3, 1], [3, 2], [3, 3]]";
    let mut counts = BTreeSet::new();
    for list in [
        "region: {tiles: [3, 4], only_in: @}",
        "forbid: {cells: @, tile: 1}",
        "count: {cells: @, shows: {top: img1+}, at_most: 1}",
    ] {
        for (letter, cells) in [("A", a), ("B", b)] {
            let count = |puzzle: &str, cells: &str| {
                let list = list.replace('@', cells);
                let problem = load::from_str(&format!("{puzzle}constraints: [{list}]\n")).unwrap();
                for form in ["yaml", "code"] {
                    let form = load::PuzzleFormat::named(form).unwrap();
                    let text = form.write(&problem, None).unwrap().text;
                    let again = load::from_str(&text).unwrap();
                    assert_eq!(format!("{:?}", again.sums), format!("{:?}", problem.sums));
                    assert_eq!(again.board.area(), problem.board.area(), "{text}");
                    let is_said = form.name != "yaml" || cells != letter || text.contains(&list);
                    assert!(is_said, "{text}");
                }
                complete(&problem, &Propagate).tally
            };
            let tally = count(&lettered, letter);
            assert_eq!(tally, count(&puzzle, cells), "{list} {letter}");
            counts.insert(tally.solutions);
        }
    }
    assert!(counts.len() > 3, "{counts:?}");
    let unknown = format!("{lettered}constraints: [forbid: {{cells: C, tile: 1}}]\n");
    let message = load::from_str(&unknown).unwrap_err().message;
    assert!(message.ends_with("antidiagonal, or a part: A, B"), "{message}");
}

#[test]
fn a_rim_of_one_image_is_the_border() {
    let puzzle = file("puzzles/framed-4x4-tud.yaml");
    let border = puzzle.lines().find(|line| line.starts_with("border: ")).unwrap();
    let image = border.trim_start_matches("border: ");
    let without = puzzle.replace(border, "");
    let list = format!("{without}constraints:\n  - rim: {{image: {image}, only: true}}\n");
    let tally = |yaml: &str| complete(&load::from_str(yaml).unwrap(), &Propagate).tally;
    assert_eq!(tally(&list), tally(&puzzle));
}

#[test]
fn errors_state_their_line() {
    let puzzle = "puzzles/random-half-3x3-3-s1.yaml";
    let line = file(puzzle).lines().count() + 3;
    for (item, message) in [
        ("pinn: {cell: [1, 2]}", "unknown constraint `pinn`"),
        ("pin: {cell: [4, 1], tile: 2}", "there is no cell [4,1] on a 3 × 3 grid"),
        ("pin: {cell: [1, 2], tile: 77}", "there is no tile `77`"),
        ("pin: {cell: [1, 1], tile: 2}", "cell [1,1] is pinned twice"),
        (
            "pin: {tiles: [1, 2], cells: corners}",
            "`pin` with several tiles requires one cell, so pin one tile at a time",
        ),
        ("region: {tiles: 3, only_in: row 7}", "there is no row 7 on a 3 × 3 grid"),
        ("count: {at_least: 3, at_most: 2}", "`at_least: 3` is more than `at_most: 2`"),
        ("count: {tile: 1}", "a bound is missing: `at_least`, `at_most` or `exactly`"),
        ("linear: {terms: [{weight: 1.5, tile: 1}], at_most: 2}", "1.5 is not a whole number"),
        (
            "linear: {terms: [{weight: 1000000001, tile: 1}], at_most: 2}",
            "too large for a weight: at most ±1000000000",
        ),
        (
            "loop: img1+",
            "`img1+` is one half of an image, but a line consists of both: write `img1`",
        ),
        ("path: {}", "`image` is missing: name the image that forms the line"),
        (
            "not: {seam: {cells: [[1, 1], [1, 2]], fit: free}}",
            "`seam` cannot be used in `not`: it changes the board and cannot be true or false",
        ),
        (
            "rotations: [0, 4]",
            "4 is not a rotation: expected quarter turns counter-clockwise, 0 to 3",
        ),
        ("adjacent: {tiles: [1, 1]}", "`adjacent` requires two different `tiles`"),
        ("seam: {cells: [[1, 1], [2, 2]], fit: free}", "cells [1,1], [2,2] do not touch"),
        (
            "count: {shows: {up: img1}, at_most: 1}",
            "`up` is not a side: expected right, top, left, bottom",
        ),
    ] {
        let list = format!("- pin: {{cell: [1, 1], tile: 1}}\n- {item}");
        let error = with_list(puzzle, &list).unwrap_err();
        assert_eq!(error.message, message);
        assert_eq!(error.position.unwrap().0, line, "{item}");
    }
    let small = "tiles: {1: [a, a, a, a]}\nconstraints: [{forbid: {cells: inside}}]";
    let message = load::from_str(small).unwrap_err().message;
    assert_eq!(message, "`inside` does not name a cell of a 1 × 1 grid");
}

/// The model omits a constraint with such a weight, and the engine cuts exactly the arrangements
/// that violate it.
#[test]
fn large_weights_lose_no_solution() {
    let yaml = "rows: 1\ncols: 3\n\
                tiles: {1: [i1, i0, i1, i0], 2: [i0, i0, i1, i0], 3: [i0, i0, i1, i1]}\n\
                constraints: [linear: {terms: [{weight: 1001, rotations: [3, 2]}], at_most: 1001}]";
    let problem = load::from_str(yaml).unwrap();
    for Contender { name, engine } in serving(contenders(), &problem, &[Feature::NoRectangle]) {
        let solutions = complete(&problem, engine.as_ref()).tally.solutions;
        assert_eq!(solutions, 48u32.into(), "{name}");
    }
}

/// `auto` starts with `backtrack` on a framed board, which does not prune by constraints if a seam
/// is free.
#[test]
fn auto_prunes_by_constraints_if_a_seam_is_free() {
    let yaml = "board: {grid: [1, 3]}\nborder: x\n\
                tiles:\n  1: {edges: [a+, x, a+, x], copies: 2}\n  2: {edges: [a-, x, x, x], copies: 2}\n\
                constraints:\n  - forbid: {tile: 1, rotation: 2}\n  \
                - seam: {cells: [[1,2], [1,3]], fit: free}";
    let problem = load::from_str(yaml).unwrap();
    let solutions = |engine: &dyn Engine| complete(&problem, engine).tally.solutions;
    assert!(solutions(&Propagate) > 0u32.into());
    assert_eq!(solutions(&Auto), solutions(&Propagate));
}

/// The two tables of the page: kinds with their fields, and fields with their values.
fn tables() -> String {
    let code = |keys: &mut dyn Iterator<Item = &str>| {
        itertools::join(keys.map(|key| format!("`{key}`")), ", ")
    };
    let kinds = KINDS.iter().map(|kind| {
        let fields = code(&mut kind.takes.fields.iter().map(|field| field.key));
        format!("| `{}` | {} | {fields} |\n", kind.name, kind.what)
    });
    let fields = KINDS
        .iter()
        .flat_map(|kind| kind.takes.fields)
        .unique_by(|field| (field.key, field.what))
        .map(|field| {
            let keys = code(&mut field.keys());
            let behind = load::field_words(*field);
            format!("| {keys} | {behind} | {} |\n", field.what)
        });
    let kinds: String = kinds.collect();
    let fields: String = fields.collect();
    format!(
        "| constraint | meaning | fields |\n|---|---|---|\n{kinds}\n\
         | field | value | meaning |\n|---|---|---|\n{fields}"
    )
}

#[test]
fn the_tables_of_the_page_are_what_kinds_declare() {
    let page = fs::read_to_string("docs/constraints.md").unwrap();
    let [start, end] = ["<!-- kinds and fields -->\n", "<!-- end -->"].map(|marker| {
        let found = page.find(marker);
        found.unwrap_or_else(|| panic!("docs/constraints.md has no {marker}"))
    });
    let (before, behind) = (&page[..start], &page[end..]);
    let expected = format!("{before}<!-- kinds and fields -->\n\n{}\n{behind}", tables());
    if std::env::var_os("EDGEMATCH_UPDATE").is_some() {
        fs::write("docs/constraints.md", expected).unwrap();
    } else {
        assert!(
            page == expected,
            "docs/constraints.md differs from what kinds declare: run `just commands`"
        );
    }
}

/// Constraints that users asked for, each against a check that is written out here: the numbers of
/// the tiles and the rotations of all solutions without constraints are known.
#[test]
fn constraints_select_the_solutions_that_a_written_check_selects() {
    /// The number of the tile and the rotation in each cell of the 3×3 board, in reading order.
    type Cells = [(i64, usize)];
    type Check = fn(&Cells) -> bool;
    fn at(cells: &Cells, tile: i64) -> (usize, usize) {
        let cell = cells.iter().position(|(own, _)| *own == tile).unwrap();
        (cell / 3, cell % 3)
    }
    fn row_sums(cells: &Cells) -> Vec<i64> {
        cells.chunks(3).map(|row| row.iter().map(|(number, _)| number).sum()).collect()
    }
    fn touching() -> impl Iterator<Item = (usize, usize)> {
        let right = (0..9).filter(|cell| cell % 3 < 2).map(|cell| (cell, cell + 1));
        right.chain((0..6).map(|cell| (cell, cell + 3)))
    }
    let cases: [(&str, Check); 22] = [
        ("for: {cell: c}, where: 'c = [1, 1]', forbid: {cell: c, tile: 5}", |cells| {
            cells[0].0 != 5
        }),
        (
            "for: {cell: c}, where: 'c in border and c != [1, 1] and c != centre', forbid: {cell: c, tile: 5}",
            |cells| cells[0].0 == 5 || cells[4].0 == 5,
        ),
        (
            "any: [{for: {row: r}, all: [{any: [{for: {column: c}, where: c >= r, pin: {cell: [r, c], tile: 5}}]}]}]",
            |cells| at(cells, 5).1 >= at(cells, 5).0,
        ),
        (
            "for: {2..3: n}, all: [{for: {1..n: m}, where: n != m, forbid: {cell: [m, n], tile: 5}}]",
            |cells| at(cells, 5).1 <= at(cells, 5).0,
        ),
        ("for: {tile: t}, where: t <= 2, sum: {cells: row 1, of: {t: 2}, at_most: 0}", |cells| {
            cells[..3].iter().all(|(number, _)| *number > 2)
        }),
        ("region: {tiles: 1..3, only_in: white}", |cells| {
            (1..=3).all(|tile| (at(cells, tile).0 + at(cells, tile).1).is_multiple_of(2))
        }),
        ("for: {row: r}, sum: {cells: row r, of: number, at_least: 13, at_most: 17}", |cells| {
            row_sums(cells).iter().all(|sum| (13..=17).contains(sum))
        }),
        ("left_of: [1, 2]", |cells| at(cells, 1).1 < at(cells, 2).1),
        ("left_of: {tiles: [1, 2], immediate: true}", |cells| {
            at(cells, 1).0 == at(cells, 2).0 && at(cells, 1).1 + 1 == at(cells, 2).1
        }),
        ("count: {tiles: 1..4, cells: corners, exactly: 2}", |cells| {
            [0, 2, 6, 8].iter().filter(|&&cell: &&usize| cells[cell].0 <= 4).count() == 2
        }),
        ("count: {rotation: 0, at_least: 3}", |cells| {
            cells.iter().filter(|(_, rotation)| *rotation == 0).count() >= 3
        }),
        ("for: {seam: [a, b]}, all_different: {cells: [a, b], of: rotation}", |cells| {
            touching().all(|(one, other)| cells[one].1 != cells[other].1)
        }),
        ("for: {cell: c}, where: c in corners, lex: {lines: [[1, 1], c], of: number}", |cells| {
            [2, 6, 8].iter().all(|&cell: &usize| cells[0].0 < cells[cell].0)
        }),
        ("any: [{for: {row: r}, region: {tiles: [1, 2], only_in: row r}}]", |cells| {
            at(cells, 1).0 == at(cells, 2).0
        }),
        ("for: {row: r}, where: r < 3, sum: {cells: row r, of: number, exactly: 13}", |cells| {
            row_sums(cells)[..2] == [13, 13]
        }),
        ("any: [{for: {rotation: k}, count: {tiles: [1, 2], rotation: k, exactly: 2}}]", |cells| {
            let rotation = |tile| cells.iter().find(|(own, _)| *own == tile).unwrap().1;
            rotation(1) == rotation(2)
        }),
        ("lex: {lines: [row 1, row 2, row 3], of: number}", |cells| {
            cells[0].0 < cells[3].0 && cells[3].0 < cells[6].0
        }),
        ("connected: {rotation: 0}", |cells| {
            let mut part: Vec<usize> = (0..9).collect();
            for _ in 0..9 {
                for (one, other) in touching() {
                    if cells[one].1 == 0 && cells[other].1 == 0 {
                        let least = part[one].min(part[other]);
                        (part[one], part[other]) = (least, least);
                    }
                }
            }
            (0..9).filter(|&cell| cells[cell].1 == 0).map(|cell| part[cell]).all_equal()
        }),
        ("all_equal: {cells: corners, of: rotation}", |cells| {
            [0, 2, 6, 8].iter().map(|&cell: &usize| cells[cell].1).all_equal()
        }),
        ("above: {tiles: [3, 4], immediate: true}", |cells| {
            at(cells, 3).1 == at(cells, 4).1 && at(cells, 3).0 + 1 == at(cells, 4).0
        }),
        ("lex: {lines: [all, turned 1], of: rotation, strict: true}", |cells| {
            // The cell in row r and column c comes to lie in row 2 - c and column r.
            let turned = (0..9).map(|cell| cells[(2 - cell % 3) * 3 + cell / 3].1);
            cells.iter().map(|(_, rotation)| *rotation).lt(turned)
        }),
        (
            "sum: {cells: {difference: [all, {neighbours of: [1, 1]}]}, of: {1..4: 10, 9: -1}, at_most: 35}",
            |cells| {
                let weight = |number: i64| match number {
                    1..=4 => 10,
                    9 => -1,
                    _ => 0,
                };
                let left = [0, 2, 4, 5, 6, 7, 8];
                left.iter().map(|&cell: &usize| weight(cells[cell].0)).sum::<i64>() <= 35
            },
        ),
    ];
    let puzzle = "puzzles/random-half-3x3-3-s1.yaml";
    let plain = load::from_str(&file(puzzle)).unwrap();
    let all = found(&plain, &Propagate, 1).0;
    let cells = |arrangement: &Arrangement| -> Vec<(i64, usize)> {
        let cell = |placed: &Placed| {
            let number = plain.puzzle.tiles[placed.tile].name.parse().unwrap();
            (number, placed.orientation.rotation())
        };
        arrangement.0.iter().map(cell).collect()
    };
    for (text, check) in cases {
        let problem = with_list(puzzle, &format!("- {{{text}}}")).unwrap();
        let expected: BTreeSet<&Arrangement> =
            all.iter().filter(|arrangement| check(&cells(arrangement))).collect();
        assert!((1..all.len()).contains(&expected.len()), "{text} selects {}", expected.len());
        let found = found(&problem, &Propagate, 1).0;
        assert_eq!(found.iter().collect::<BTreeSet<_>>(), expected, "{text}");
    }
}

#[test]
fn errors_in_a_repeated_item_name_the_values() {
    let puzzle = "puzzles/random-half-3x3-3-s1.yaml";
    for (item, message, help) in [
        (
            "for: {row: r}, pin: {cell: [r, 4], tile: 1}",
            "there is no cell [1,4] on a 3 × 3 grid (with r = 1)",
            "",
        ),
        (
            "for: {rows: r}, pin: {cell: [r, 1], tile: 1}",
            "`rows` has no values to go through",
            "did you mean `row`?",
        ),
        ("for: {tile: img1}, use: img1", "`img1` is already the name of an image", "another name"),
        ("for: {n: 1..3}, use: 1", "`1..3` cannot be a variable", "`{1..4: k}`"),
        (
            "for: {row: r}, wher: r < 2, use: 1",
            "unknown constraint `wher`",
            "did you mean `where`?",
        ),
        ("for: {row: r}, use: 1, wher: r < 2", "`wher` beside `use`", "did you mean `where`?"),
        ("where: a < b, use: 1", "`where` without `for`", ""),
        ("for: {row: r}, where: q < 2, use: 1", "`q < 2` cannot be decided with r = 1", "a < b"),
        ("for: {row: r}, use: 1 + r *", "`1 + r *` cannot be evaluated with r = 1", "expressions"),
        ("for: {1..9999999: k}, use: 1", "`1..9999999` has more than 100000 values", ""),
        ("any: [{name: x, use: 1}]", "only the items of the list `constraints` have names", ""),
        ("for: {cell: c}, where: c = nowhere, use: 1", "`c = nowhere` cannot be decided", "`or`"),
        ("for: {cell: c}, where: c = 1, use: 1", "`c = 1` cannot be decided", ""),
        ("for: {1..3: number}, use: 1", "`number` is already the name of a field", "another name"),
        ("for: {row: r}, all: [{for: {column: r}, use: 1}]", "`r` is a variable of an outer", ""),
        ("where: 1 < 2, where: 2 < 3, for: {row: r}, use: 1", "`where` appears a second time", ""),
        ("name: a, name: b, use: 1", "`name` appears a second time", ""),
        ("or: [use: 1]", "unknown constraint `or`", "write `any`"),
        ("weight: 3, use: 1", "unknown constraint `weight`", "write `soft`"),
        ("use: 1, then: {use: 2}", "`then` beside `use`", "write `then` beside `if`"),
        ("use: 1, pin: {tile: 1}", "`pin` beside `use`", "a separate item of the list"),
        ("use: {tile: 1, soft: 2}", "`use` has no field `soft`", "beside the name of"),
        ("any: {use: 1}", "`any` has no field `use`", "a list of constraints: `[{use: …}]`"),
        ("not: [use: 1, use: 2]", "found a list, expected a constraint", "`all: […]`"),
        ("count: {tile: 1, max: 1}", "`count` has no field `max`", "write `at_most`"),
        ("for: {5..2: n}, use: n", "`5..2` has no values", "from its smaller"),
        ("sum: {cells: all, of: top, exactly: 1}", "images cannot be added", ""),
    ] {
        let error = with_list(puzzle, &format!("- {{{item}}}")).unwrap_err();
        assert!(error.message.starts_with(message), "{item}: {}", error.message);
        assert!(error.help.unwrap_or_default().contains(help), "{item}");
        assert!(error.position.is_some(), "{item}");
    }
}

#[test]
fn repeated_and_named_constraints_are_written_as_they_were_read() {
    let puzzle = "puzzles/random-half-3x3-3-s1.yaml";
    let items = [
        "{for: {row: r}, where: \"r < 3\", count: {cells: row r, rotation: 0, at_most: 1}}",
        "{name: first row, sum: {cells: row 1, of: {1: 5, 2: 3}, at_least: 3}}",
    ];
    let problem = with_list(puzzle, &format!("- {}\n- {}", items[0], items[1])).unwrap();
    assert_eq!(problem.constraints.len(), 3);
    let form = load::PuzzleFormat::named("yaml").unwrap();
    let text = form.write(&problem, None).unwrap().text;
    for item in items {
        assert!(text.contains(&format!("  - {item}\n")), "{item}\n{text}");
    }
    assert_eq!(load::from_str(&text).unwrap().constraints.len(), 3);
    // A selection of the copies is written one by one.
    let two = problem.relaxed(problem.constraints[1..].to_vec(), &[], &[]);
    let text = form.write(&two, None).unwrap().text;
    assert!(text.contains("  - count: {cells: row 2, rotation: 0, at_most: 1}\n"), "{text}");
    let broken = found(&load::from_str(&file(puzzle)).unwrap(), &Propagate, 1).0;
    let messages = broken.iter().filter_map(|arrangement| problem.broken_constraint(arrangement));
    assert!(messages.into_iter().any(|message| message.starts_with("`first row`: `sum`: 0")));
}
