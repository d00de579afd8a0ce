//! The rows of each formulation hold for an arrangement exactly if the checker accepts it.
//!
//! The test tries all combinations of values, including wrong ones, on unreduced domains, without a
//! solver.

use std::collections::BTreeSet;

use edgematch::domains::{Domains, Rarest, break_symmetry, reduce};
use edgematch::enumerate::solution::{ValueArrangement, check};
use edgematch::export::{ExportError, FORMATS, NamedModel};
use edgematch::load;
use edgematch::model::{FORMULATIONS, Model, ModelSize, Row, Sense};
use edgematch::problem::Problem;
use edgematch::runtime::limits::CancelToken;
use itertools::Itertools;

use crate::common::{brute_force, picture};

fn rows_agree_with_the_checker(puzzle: &str) {
    let problem = load::from_str(puzzle).unwrap();
    let brute = brute_force(&problem);
    let pictures: BTreeSet<_> = brute.solutions.iter().map(|s| picture(&problem, s)).collect();
    assert!(!pictures.is_empty(), "a puzzle without solutions tests little");
    let first = Domains::first(&problem);
    let mut reduced = first.clone();
    reduce(&problem, &mut reduced).unwrap();
    let parts: Vec<Domains> = break_symmetry(&problem, reduced.clone(), Rarest::Placements)
        .into_iter()
        .map(|part| part.domains)
        .collect();
    for formulation in FORMULATIONS {
        let build = |d: &Domains| {
            let model = Model::build(&problem, &[], d, formulation, &CancelToken::never());
            model.continue_value().unwrap()
        };
        let models = [build(&first), build(&reduced)];
        let part_models: Vec<Model> = parts.iter().map(build).collect();
        let mut found = Vec::new();
        let all = first.cells.iter().map(|cell| cell.iter().collect_vec());
        for values in all.multi_cartesian_product() {
            let fits = check(&problem, &problem.deal(values.iter().copied())).is_ok();
            for (model, domains) in models.iter().zip([&first, &reduced]) {
                match model.point(&values) {
                    Some(point) => {
                        let broken = model.broken_row(&point);
                        assert_eq!(
                            broken.is_none(),
                            fits,
                            "{} {values:?} {:?} {}",
                            formulation.name(),
                            broken.map(|row| &row.name),
                            domains.placements(),
                        );
                    }
                    None => assert!(!fits, "reducing took the solution {values:?} away"),
                }
            }
            if fits {
                found.push(ValueArrangement::from_values(values));
            }
        }
        assert_eq!(found.len(), pictures.len());
        assert_every_orbit_is_kept(&problem, &found, &part_models);
    }
}

/// Asserts that breaking symmetry keeps an image of each solution in exactly one part.
fn assert_every_orbit_is_kept(problem: &Problem, found: &[ValueArrangement], parts: &[Model]) {
    let holds = |model: &Model, arrangement: &ValueArrangement| {
        let point = model.point(&arrangement.values().collect_vec());
        point.is_some_and(|point| model.broken_row(&point).is_none())
    };
    for arrangement in found {
        let orbit = arrangement.orbit(problem);
        let holding = parts.iter().filter(|m| orbit.iter().any(|image| holds(m, image)));
        assert_eq!(holding.count(), 1, "{arrangement:?}");
    }
}

#[test]
fn on_a_2x2_of_halves() {
    rows_agree_with_the_checker(
        "{tiles: {1: [blue-, green+, white+, red-], 2: [red-, white+, blue+, green-],
          3: [white-, red+, white+, white-], 4: [red-, green+, white+, blue-]}}",
    );
}

#[test]
fn on_a_2x2_with_twins_and_plain_images() {
    rows_agree_with_the_checker(
        "{tiles: {1: [a+, g, a-, g], 2: [a-, g, a+, g], 3: [g, g, g, g], 4: [a+, g, g, a-]}}",
    );
}

#[test]
fn on_a_2x3_with_twins_and_self_symmetric_tiles() {
    rows_agree_with_the_checker(
        "{rows: 2, cols: 3, tiles: {1: [a, b, a, b], 2: [b, a, b, a], 3: [a, a, a, a],
          4: [a, a, a, a], 5: [a, a, b, b], 6: [a, b, b, a]}}",
    );
}

#[test]
fn on_a_2x3_with_a_border() {
    rows_agree_with_the_checker(
        "{rows: 2, cols: 3, border: g, tiles: {1: [a, g, g, b], 2: [a, g, a, b], 3: [g, g, a, b],
          4: [a, b, g, g], 5: [a, b, a, g], 6: [g, b, a, g]}}",
    );
}

#[test]
fn on_a_2x3_without_rotations() {
    rows_agree_with_the_checker(
        "{rows: 2, cols: 3, rotations: false, tiles: {1: [a, b, a, b], 2: [a, a, a, b],
          3: [b, b, a, a], 4: [a, b, b, b], 5: [a, a, a, a], 6: [b, b, a, b]}}",
    );
}

#[test]
fn with_more_tiles_than_cells() {
    rows_agree_with_the_checker(
        "{rows: 1, cols: 3, tiles: {1: [a+, a-, b+, b-], 2: [a-, b+, a-, a+], 3: [b-, b-, a+, b+],
          4: [a+, a+, b-, a-], 5: [a+, a-, b+, b-]}}",
    );
}

/// The bound and the sum of the weights may reach the limits of the format, in both directions.
#[test]
fn a_format_accepts_exactly_the_numbers_in_its_range() {
    let problem = load::from_str("{rows: 1, cols: 1, tiles: {1: [a, b, c, d]}}").unwrap();
    let domains = Domains::first(&problem);
    let model = Model::build_whole(&problem, &[], &domains, FORMULATIONS[0]);
    for format in FORMATS {
        let most = format.range.largest;
        for (weight, bound, fits) in [
            (most - 1, most, true),
            (1 - most, -most, true),
            (most, 0, false),
            (-most, 0, false),
            (0, most + 1, false),
            (0, -most - 1, false),
        ] {
            for sense in [Sense::AtMost, Sense::AtLeast, Sense::Equal] {
                let mut model = model.clone();
                model.rows.push(Row {
                    name: "large".into(),
                    terms: vec![(0, weight), (1, 1)],
                    sense,
                    bound,
                });
                let named = NamedModel::new(&problem, &model, Vec::new());
                let written = format.write(&named, &mut Vec::new());
                match written {
                    Ok(()) => assert!(fits, "{} {weight} {bound}", format.name),
                    Err(ExportError::Range { .. }) => assert!(!fits, "{}", format.name),
                    Err(error) => panic!("{}: {error}", format.name),
                }
            }
        }
    }
}

fn assert_sizes(problem: &Problem, domains: &Domains) {
    for formulation in FORMULATIONS {
        let token = &CancelToken::never();
        let model = Model::build(problem, &[], domains, formulation, token);
        let model = model.continue_value().unwrap();
        let size = ModelSize::new(problem, domains, formulation);
        let rows = size.rows();
        assert_eq!(
            (size.variables, rows.number, rows.nonzeros),
            (model.variables.len(), model.rows.len(), model.nonzeros()),
            "{} of {}",
            formulation.name(),
            problem.puzzle.name
        );
    }
}

#[test]
fn a_size_is_that_of_the_model() {
    let texts = [
        "tiles: {1: [a+, a-, g, b+], 2: [a-, g, g, g], 3: [g, g, g, a-], 4: [b-, a+, a+, g]}",
        "{rows: 1, cols: 3, tiles: {1: [a, b, c, d], 2: [a, a, a, a], 3: [e, f, g, h], 4: [a, b, e, d], 5: [a, b, e, d]},
          constraints: [count: {shows: {top: a}, at_most: 1}, adjacent: {tiles: [1, 2]}, use: {tiles: [4]}]}",
        "{board: {grid: [1, 2], wrap: both}, tiles: {1: [a, b, a, b], 2: [a, c, b, b]}}",
        "{rows: 2, cols: 2, border: x, tiles: {1: [x, a, b, x], 2: [x, a, b, x], 3: [x, b, a, x], 4: [x, b, a, x]}}",
        "{rows: 1, cols: 2, tiles: {1: [a, b, c, d], 2: [e, f, g, h]}}",
    ];
    for text in texts {
        let problem = load::from_str(text).unwrap();
        for problem in [problem.breaking(2), problem] {
            let mut domains = Domains::first(&problem);
            assert_sizes(&problem, &domains);
            if reduce(&problem, &mut domains).is_ok() {
                assert_sizes(&problem, &domains);
            }
        }
    }
}
