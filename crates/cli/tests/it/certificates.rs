//! `verify` and independent checkers accept correct certificates and reject altered ones.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use batsat::{BasicSolver, SolverInterface, lbool};
use dratify::{Checker, Lit};
use edgematch::board::CellName;
use edgematch::engine::Traced;
use edgematch::enumerate::{self, Limits};
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use edgematch_proof::{Encoding, Recorder};
use fastrand::Rng;
use itertools::Itertools;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::common::drawn::{Nested, SIZES, nested};
use crate::common::generated::{planted, random};
use crate::common::shapes::{Backs, Draw, Shape, Toy, arrangement};
use crate::common::{brute_force, brute_force_freed, picture as picture_of, smallest_picture};
use crate::session::{Session, at_root, puzzle, run, run_with_input, write};

const MANIFEST: &str = "manifest.json";
const FORMULA: &str = "puzzle.cnf";
const PROOF: &str = "proof.drat";
const SOLUTIONS: &str = "solutions.txt";

/// The maximum number of solutions of a random puzzle.
const MANY: usize = 4000;

/// A certificate in a temporary folder.
struct Certificate {
    _home: TempDir,
    folder: PathBuf,
    /// The run that wrote the certificate.
    session: Session,
}

fn certify_with(args: &[&str], input: &str) -> Certificate {
    let home = tempdir().unwrap();
    let folder = home.path().join("proof");
    let place = folder.display().to_string();
    let args = [&["solve", "--certificate", &place], args].concat();
    let session = run_with_input(&args, input);
    Certificate { _home: home, folder, session }
}

/// Certifies a puzzle by a search, even if a counting argument rules out every solution.
fn certify_searched(input: &str) -> Certificate {
    certify_with(&["-", "-q", "--engine", "propagate"], input)
}

fn certify(args: &[&str]) -> Certificate {
    certify_with(args, "")
}

impl Certificate {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn change(&self, name: &str, how: impl Fn(&str) -> String) {
        let before = self.text(name);
        let after = how(&before);
        assert_ne!(before, after, "{name} is changed");
        write(&self.folder, name, after);
    }

    fn replace(&self, name: &str, from: &str, to: &str) {
        self.change(name, |text| text.replacen(from, to, 1));
    }

    fn manifest(&self) -> Value {
        serde_json::from_str(&self.text(MANIFEST)).unwrap()
    }

    fn change_manifest(&self, how: impl Fn(&mut Value)) {
        let mut manifest = self.manifest();
        how(&mut manifest);
        write(&self.folder, MANIFEST, manifest.to_string());
    }

    fn verify_with(&self, args: &[&str]) -> Session {
        let folder = self.folder.display().to_string();
        run(&[&["verify", &folder], args].concat())
    }

    fn verify(&self) -> Session {
        self.verify_with(&[])
    }

    /// Checks formula and proof with `dratify`, by unit propagation alone.
    fn verify_outside(&self) -> Result<(), String> {
        let formula = clauses(&self.text(FORMULA));
        let steps: Vec<(bool, Vec<Lit>)> = steps(&self.text(PROOF));
        let variables = formula.iter().flatten().map(|lit| lit / 2 + 1).max();
        let mut checker = Checker::new(variables.unwrap_or(0), &formula, false, true);
        let result = checker.check(&steps);
        if result.ok && result.reached_empty { Ok(()) } else { Err(result.reason) }
    }

    /// Asserts that `verify` accepts the certificate, whether it has a proof or a counting
    /// argument.
    fn assert_accepted(&self) {
        let session = self.verify();
        let said = format!("{}{}{}", self.session.stderr, session.stdout, session.stderr);
        assert_eq!(session.code, 0, "{said}");
        session.prints(": verified (");
    }

    /// Asserts that `verify` and `dratify` accept the proof.
    fn assert_verified(&self) {
        self.assert_accepted();
        self.verify_outside().unwrap();
    }

    fn assert_refused(&self, why: &str) {
        let session = self.verify();
        assert_eq!(session.code, 1, "{}{}", session.stdout, session.stderr);
        let said = &session.stdout;
        assert!(said.starts_with("refused: ") && said.contains(why), "{said}");
    }
}

fn literal(word: &str) -> Lit {
    let number: i32 = word.parse().unwrap();
    2 * (number.unsigned_abs() - 1) + u32::from(number < 0)
}

fn literals(line: &str) -> Vec<Lit> {
    let words = line.split_whitespace();
    words.take_while(|&word| word != "0").map(literal).collect()
}

fn clauses(text: &str) -> Vec<Vec<Lit>> {
    let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
    lines.map(literals).collect()
}

fn steps(text: &str) -> Vec<(bool, Vec<Lit>)> {
    let step = |line: &str| match line.strip_prefix("d ") {
        Some(clause) => (true, literals(clause)),
        None => (false, literals(line)),
    };
    text.lines().map(step).collect()
}

/// The clauses of the section `base`.
fn base(certificate: &Certificate) -> Vec<Vec<Lit>> {
    let number = certificate.manifest()["clauses"]["base"].as_u64().unwrap();
    let mut clauses = clauses(&certificate.text(FORMULA));
    clauses.truncate(number as usize);
    clauses
}

/// The variable, from 0, of each placement: cell, name of the kind's first tile, and rotation.
type Variables = HashMap<(usize, String, u64), usize>;

/// The variables of placements according to the manifest.
fn variables(problem: &Problem, manifest: &Value) -> Variables {
    let mut variables = HashMap::new();
    for list in manifest["variables"]["x"].as_array().unwrap() {
        let number = |i: usize| list["cell"][i].as_u64().unwrap() as usize;
        let name = CellName::At(number(0), number(1));
        let mut cells = problem.board.cells().iter();
        let cell = cells.position(|cell| cell.name == name).unwrap();
        let from = list["from"].as_u64().unwrap() as usize - 1;
        for (index, placement) in list["placements"].as_array().unwrap().iter().enumerate() {
            let tile = placement[0].as_str().unwrap().to_owned();
            let rotation = placement[1].as_u64().unwrap();
            variables.insert((cell, tile, rotation), from + index);
        }
    }
    variables
}

/// A SAT solver with the clauses of a certificate.
struct Models {
    solver: BasicSolver,
    literals: Vec<batsat::Lit>,
    placements: Variables,
}

impl Models {
    fn new(problem: &Problem, certificate: &Certificate) -> Models {
        let base = base(certificate);
        let number = base.iter().flatten().map(|lit| lit / 2 + 1).max();
        let mut solver = BasicSolver::default();
        let literals: Vec<batsat::Lit> = (0..number.unwrap_or(0))
            .map(|_| batsat::Lit::new(solver.new_var_default(), true))
            .collect();
        for clause in &base {
            let literal = |lit: &Lit| {
                let positive = literals[*lit as usize / 2];
                if lit.is_multiple_of(2) { positive } else { !positive }
            };
            solver.add_clause_reuse(&mut clause.iter().map(literal).collect());
        }
        Models { solver, literals, placements: variables(problem, &certificate.manifest()) }
    }

    /// Returns true if the clauses have a model with the placements of an arrangement.
    fn has(&mut self, problem: &Problem, arrangement: &Arrangement) -> bool {
        let mut taken = HashSet::new();
        for (cell, placed) in arrangement.0.iter().enumerate() {
            let value = problem.kinds.value_of(placed.tile, placed.orientation).unwrap();
            let kind = problem.kinds.kind_of(value);
            let tile = problem.puzzle.tiles[kind.tiles[0]].name.clone();
            let rotation = problem.kinds.values[value].orientation.rotation() as u64;
            let Some(&variable) = self.placements.get(&(cell, tile, rotation)) else {
                return false;
            };
            taken.insert(variable);
        }
        let placements = self.placements.values().filter_map(|variable| {
            let &literal = self.literals.get(*variable)?;
            Some(if taken.contains(variable) { literal } else { !literal })
        });
        let placements: Vec<batsat::Lit> = placements.collect();
        self.solver.solve_limited(&placements) == lbool::TRUE
    }
}

/// Asserts that every picture that brute force finds is a model of the formula, and that the
/// certified number of solutions is that of brute force.
fn assert_formula_is_puzzle(certificate: &Certificate, problem: &Problem, brute: &[Arrangement]) {
    let mut models = Models::new(problem, certificate);
    let pictures: BTreeMap<_, _> = brute.iter().map(|s| (picture_of(problem, s), s)).collect();
    for arrangement in pictures.values() {
        assert!(models.has(problem, arrangement));
    }
    let manifest = certificate.manifest();
    assert_eq!(manifest["found"]["solutions"], brute.len().to_string());
}

/// A puzzle of nine tiles with 148 solutions, to which constraints are added.
const CONSTRAINED: &str = "absolut-knifflig";
const CONSTRAINTS: [&str; 18] = [
    "- pin: {cell: [2, 2], tile: 5}",
    "- pin: {tile: 4, rotations: [0, 1]}",
    "- forbid: {cells: corners, tile: 5}",
    "- rotations: {tiles: [1, 2], rotations: [0, 1]}",
    "- region: {tiles: [3, 4], only_in: border}",
    "- adjacent: {tiles: [1, 5], sides: [right, any]}",
    "- adjacent: {tiles: [1, 2]}",
    "- apart: {tiles: [1, 2]}",
    "- rim: {same: true}",
    "- count: {cells: border, shows: {top: img1+}, at_most: 1}",
    "- count: {cells: all, rotation: 2, exactly: 2}",
    "- linear: {terms: [{weight: 2, cells: row 1, rotation: 0}, {weight: -1, tile: 5, rotation: \
     1}, {weight: 3, cells: column 2, tiles: [2, 3, 4]}], at_least: 2, at_most: 7}",
    "- use: {without: 9}",
    "- seam: {cells: [[1, 1], [1, 2]], fit: free}\n- seam: {cells: [[3, 3], [3, 2]], fit: \
     free}\n- pin: {cell: [2, 2], tile: 5}",
    "- any: [pin: {cell: [1, 1], tile: 5}, not: {forbid: {cells: row 1, tile: 2}}]",
    "- if: {pin: {tile: 3, cells: corners}}\n  then: {adjacent: {tiles: [3, 5]}}\n  else: {count: \
     {rotation: 0, at_least: 3}}",
    "- exactly: {number: 1, of: [pin: {cell: [2, 2], tile: 5}, pin: {cell: [2, 2], tile: 4}, all: \
     [region: {tiles: [1, 2], only_in: border}, apart: {tiles: [1, 2]}]]}",
    "- not: {any: [adjacent: {tiles: [1, 2]}, rim: {same: true}]}",
];

#[test]
fn puzzles_of_every_sort_are_certified() {
    for name in [
        "scramble-1",
        "knifflidiffels-version5",
        "random-vex-3x3-10-s1",
        "sharks-misread",
        "random-frame-4x4-4-s1",
        "random-half-3x4-4-s1",
    ] {
        let certificate = certify(&[&puzzle(name)]);
        let said = &certificate.session.stderr;
        assert!(said.contains("\ncertificate in "), "{said}");
        certificate.assert_verified();
        let (_, rest) = said.split_once("certificate in ").unwrap();
        let bytes = rest.rsplit(' ').nth(1).unwrap().parse::<u64>().unwrap();
        let files = fs::read_dir(&certificate.folder).unwrap();
        let sizes = files.map(|file| file.unwrap().metadata().unwrap().len());
        assert_eq!(sizes.sum::<u64>(), bytes, "{said}");
    }
}

/// The certified numbers agree with a search that is independent of the proof.
#[test]
fn edges_known_in_part_are_certified() {
    let yaml = "rows: 2\ncols: 2\norder: clockwise-from-top\ntiles:\n  \
        1: {corners: [a, a, b, '?'], edges: [x+, y, x-, '?']}\n  \
        2: {corners: [b, '?', a, a], edges: [x+, y, '?', y]}\n  \
        3: {corners: [a, b, b, a], edges: [x-, y, x+, y]}\n  \
        4: {corners: ['?', a, b, b], edges: ['?', y, x+, x-]}\n";
    let certificate = certify_with(&["-", "-q"], yaml);
    certificate.assert_verified();
    let args = ["solve", "-q", "--expand", "--engine", "backtrack", "--scan", "-"];
    let searched = run_with_input(&args, yaml);
    let solutions = searched.stdout.matches("----------\n").count();
    assert!(solutions > 4, "{}", searched.stdout);
    let manifest = certificate.manifest();
    assert_eq!(manifest["found"]["solutions"], solutions.to_string());
}

#[test]
fn every_kind_of_constraint_is_certified() {
    let plain = load::read(&at_root(&puzzle(CONSTRAINED))).unwrap();
    let home = tempdir().unwrap();
    let all = brute_force(&plain).solutions;
    let mut lists = CONSTRAINTS.map(str::to_owned).to_vec();
    lists.push([CONSTRAINTS[0], CONSTRAINTS[7], CONSTRAINTS[10]].join("\n"));
    for list in lists {
        let text = format!("constraints:\n{list}\n");
        let bytes = text.as_bytes();
        let problem = load::constraints_from_bytes(plain.clone(), bytes, "more.yaml").unwrap();
        let file = write(home.path(), "more.yaml", text);
        let path = file.display().to_string();
        let certificate = certify(&[&puzzle(CONSTRAINED), "--constraints", &path, "-q"]);
        certificate.assert_verified();
        let mut brute = if list.contains("seam") {
            brute_force_freed(&plain, &[[0, 1], [7, 8]], usize::MAX).unwrap()
        } else {
            all.clone()
        };
        brute.retain(|arrangement| problem.broken_constraint(arrangement).is_none());
        assert_formula_is_puzzle(&certificate, &problem, &brute);
    }
}

#[test]
fn a_certificate_carries_its_puzzle_and_all_constraints() {
    let home = tempdir().unwrap();
    let text = fs::read_to_string(at_root(&puzzle("absolut-knifflig"))).unwrap();
    let more = write(home.path(), "a.yaml", "[apart: {tiles: [1, 2]}]").display().to_string();
    let args = ["-", "--constraints", &more, "--pin", "2,2=5", "--forbid", "corners=4"];
    let certificate = certify_with(&args, &text);
    assert!(certificate.session.code <= 1, "{}", certificate.session.stderr);
    fs::remove_file(&more).unwrap();
    certificate.assert_verified();
    let manifest = certificate.manifest();
    // The verdict names the puzzle with its constraints.
    let said = certificate.verify().stdout;
    let with = " with constraints-1.yaml, --forbid corners=4, --pin 2,2=5: ";
    assert!(said.contains(with), "{said}");
    assert_eq!(manifest["pin"][0], "2,2=5");
    assert_eq!(manifest["forbid"][0], "corners=4");
    let counted = run_with_input(
        &[
            "count",
            "-",
            "--pin",
            "2,2=5",
            "--forbid",
            "corners=4",
            "--constraints",
            &write(home.path(), "a.yaml", "[apart: {tiles: [1, 2]}]").display().to_string(),
        ],
        text,
    );
    let solutions = manifest["found"]["solutions"].as_str().unwrap();
    counted.prints(&format!("solutions  {solutions}\n"));
    // Without one of the constraints it is another puzzle.
    certificate.change_manifest(|manifest| manifest["pin"] = Value::Array(Vec::new()));
    certificate.assert_refused("");
}

#[test]
fn more_tiles_than_cells_are_certified() {
    for yaml in [
        "{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b], 3: [a-, a+, b, b]}}",
        "{rows: 2, cols: 2, tiles: {1: [a, a, b, b], 2: [a, b, a, b], 3: [a, b, b, b], 4: [a, a, \
         a, b], 5: [b, b, b, b], 6: [a, a, b, b]}}",
        // Identical tiles, and one tile too many.
        "{rows: 2, cols: 2, tiles: {1: [a, a, a, b], 2: [a, a, a, b], 3: [a, a, b, a], 4: [a, b, \
         a, a], 5: [b, a, a, a]}}",
        "{rows: 3, cols: 3, tiles: {1: [y+, r-, g+, b+], 2: [b-, b+, y-, g+], 3: [r-, g-, b+, \
         y-], 4: [r-, y-, b-, g-], 5: [g+, r+, y+, b+], 6: [r-, b+, g-, r+], 7: [r+, y+, g-, \
         y-], 8: [r-, y+, g-, b-], 9: [y-, r-, g-, b-], 10: [y+, b-, g+, r-]}}",
    ] {
        let certificate = certify_with(&["-", "-q"], yaml);
        certificate.assert_verified();
        let problem = load::from_str(yaml).unwrap();
        assert_formula_is_puzzle(&certificate, &problem, &brute_force(&problem).solutions);
    }
}

#[test]
fn boards_on_which_nothing_is_left_to_search_are_certified() {
    for yaml in [
        "tiles: {only: [a+, b, a-, b]}",
        "{rows: 1, cols: 2, border: x, tiles: {1: [x, x, x, a], 2: [x, a, x, x]}}",
        // No tile shows the border image.
        "{rows: 1, cols: 2, border: x, tiles: {1: [b, b, b, a], 2: [b, a, b, b]}}",
        "{tiles: {1: [a, a, a, a], 2: [a, a, a, a], 3: [a, a, a, a], 4: [a, a, a, a]}}",
    ] {
        let certificate = certify_with(&["-", "-q"], yaml);
        certificate.assert_verified();
        let problem = load::from_str(yaml).unwrap();
        assert_formula_is_puzzle(&certificate, &problem, &brute_force(&problem).solutions);
    }
}

const SMALL: &[(usize, usize)] = &[(2, 2), (1, 3), (2, 3), (3, 2), (3, 3)];

fn is_certified(yaml: &str) -> TestCaseResult {
    let problem = load::from_str(yaml).unwrap();
    let Some(solutions) = brute_force_freed(&problem, &[], MANY) else {
        return Ok(());
    };
    let certificate = certify_searched(yaml);
    certificate.assert_verified();
    assert_formula_is_puzzle(&certificate, &problem, &solutions);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_puzzles_are_certified(puzzle in random(SMALL)) {
        is_certified(&puzzle.yaml())?;
    }

    #[test]
    fn copies_and_unknown_edges_are_certified(draw in 1..4u8, columns in 2..4usize, seed in any::<u64>()) {
        let mut random = Rng::with_seed(seed);
        let shape = Shape::grid(2, columns, false, false);
        let draw = Draw { images: draw, backs: Backs::None, ..Draw::random(&mut random) };
        let toy = Toy::new(shape, &draw, &mut random).varied(&mut random);
        let brute = toy.brute_force(0, &[], 400);
        prop_assume!(brute.is_some());
        let certificate = certify_searched(&toy.yaml());
        certificate.assert_verified();
        let solutions: Vec<Arrangement> = brute.unwrap().solutions.iter().map(|s| arrangement(s)).collect();
        assert_formula_is_puzzle(&certificate, &load::from_str(&toy.yaml()).unwrap(), &solutions);
    }

    #[test]
    fn puzzles_with_solutions_are_certified(puzzle in planted(SMALL, 2..5)) {
        is_certified(&puzzle.yaml())?;
    }
}

fn is_certified_nested(nested: &Nested) -> TestCaseResult {
    let (brute, problem) = (nested.brute_force(), nested.problem());
    prop_assume!(brute.is_some() && problem.is_some());
    let brute: Vec<Arrangement> = brute.unwrap().into_iter().collect();
    let certificate = certify_searched(&nested.yaml());
    certificate.assert_verified();
    assert_formula_is_puzzle(&certificate, &problem.unwrap(), &brute);
    // By counting, if that rules out every solution.
    certify_with(&["-", "-q"], &nested.yaml()).assert_accepted();
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn constraints_in_constraints_are_certified(nested in nested(SIZES)) {
        is_certified_nested(&nested)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "takes minutes; .ci/run runs it"]
    fn constraints_in_constraints_are_certified_on_1000_puzzles(nested in nested(SIZES)) {
        is_certified_nested(&nested)?;
    }
}

/// Removes the last arrangement from the solutions and the formula, and lowers all counts.
fn leave_one_out(certificate: &Certificate, name: &str) {
    let solutions = certificate.text(SOLUTIONS);
    let kept = solutions.rsplitn(3, "----------\n").nth(2).unwrap();
    let shortened = format!("{kept}----------\n==========\n");
    certificate.change(SOLUTIONS, |_| shortened.clone());
    certificate.change(FORMULA, |text| {
        let lines: Vec<&str> = text.lines().collect();
        let lines = lines[..lines.len() - 1].iter().map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            match words[0] {
                "p" => {
                    let clauses: usize = words[3].parse().unwrap();
                    format!("p cnf {} {}\n", words[2], clauses - 1)
                }
                _ => format!("{line}\n"),
            }
        });
        lines.collect()
    });
    let left = run_with_input(&["check", &puzzle(name), "-"], shortened);
    let number = left.stdout.lines().count() as u64;
    certificate.change_manifest(|manifest| {
        manifest["clauses"]["solutions"] = number.into();
        // No solution of this puzzle is symmetric.
        manifest["found"]["distinct"] = number.into();
        manifest["found"]["classes"] = number.to_string().into();
        manifest["found"]["solutions"] = (4 * number).to_string().into();
    });
}

#[test]
fn a_solution_that_is_left_out_is_missed() {
    let certificate = certify(&[&puzzle("absolut-knifflig"), "-q"]);
    leave_one_out(&certificate, "absolut-knifflig");
    certificate.assert_refused("does not follow by unit propagation");
    assert!(certificate.verify_outside().is_err());
}

#[test]
fn half_a_proof_proves_nothing() {
    let certificate = certify(&[&puzzle("absolut-knifflig"), "-q"]);
    certificate.change(PROOF, |text| {
        let lines: Vec<&str> = text.lines().collect();
        lines[..lines.len() / 2].join("\n") + "\n"
    });
    certificate.assert_refused("ends without the empty clause");
    assert!(certificate.verify_outside().is_err());
    certificate.change(PROOF, |_| "0\n".into());
    certificate.assert_refused("line 1 of the proof does not follow");
    certificate.change(PROOF, |_| "d 1 2 3 0\n0\n".into());
    certificate.assert_refused("deletes a clause that does not exist");
    certificate.change(PROOF, |_| String::new());
    certificate.assert_refused("ends without the empty clause");
}

#[test]
fn another_puzzle_is_refused() {
    let certificate = certify(&[&puzzle("scramble-1"), "-q"]);
    assert_eq!(certificate.verify_with(&[&puzzle("scramble-1")]).code, 0);
    let other = certificate.verify_with(&[&puzzle("sharks-misread")]);
    assert_eq!(other.code, 1);
    other.prints("is not the puzzle of");
    // Exchange two edges: another puzzle with the same variables.
    certificate.replace("puzzle.yaml", "9: [ylw-, red-", "9: [red-, ylw-");
    certificate.assert_refused("its hash differs");
    let hash = edgematch_proof::sha256(certificate.text("puzzle.yaml").as_bytes());
    certificate.change_manifest(|manifest| manifest["puzzle"]["sha256"] = hash.clone().into());
    certificate.assert_refused("");
}

#[test]
fn a_formula_that_says_more_than_the_puzzle_is_refused() {
    let make = || certify(&[&puzzle("scramble-1"), "-q"]);
    let change_line = |text: &str, index: usize, how: &dyn Fn(&str) -> String| -> String {
        let lines = text
            .lines()
            .enumerate()
            .map(|(i, line)| if i == index { how(line) } else { line.to_owned() });
        lines.map(|line| line + "\n").collect()
    };
    // Lines 0 to 2 are comments and the header.
    for index in [3, 40, 2000] {
        let certificate = make();
        certificate.change(FORMULA, |text| {
            change_line(text, index, &|line| line.split_once(' ').unwrap().1.to_owned())
        });
        certificate.assert_refused("of the section `base` is [");
    }
    // An additional clause in a section.
    for (section, why) in [
        ("symmetry", "is not justified"),
        ("symmetry", "is not justified"),
        ("solutions", "arrangements are listed"),
    ] {
        let certificate = make();
        let unit = format!("-{}", certificate.manifest()["clauses"][section].as_u64().unwrap() + 7);
        let placements = removed(&certificate);
        let kept = (1..=324).find(|v| !placements.contains(v)).unwrap();
        let unit = if why.contains("justified") { format!("-{kept}") } else { unit };
        add_clause(&certificate, section, &format!("{unit} 0"));
        certificate.assert_refused(why);
    }
    let certificate = make();
    add_clause(&certificate, "symmetry", "1 0");
    certificate.assert_refused("does not remove a placement");
}

/// The variables that the section `symmetry` removes.
fn removed(certificate: &Certificate) -> Vec<i64> {
    let text = certificate.text(FORMULA);
    let (_, rest) = text.split_once("c section symmetry").unwrap();
    let (section, _) = rest.split_once("c section solutions").unwrap();
    let lines = section.lines().skip(1);
    lines.map(|line| -line.split(' ').next().unwrap().parse::<i64>().unwrap()).collect()
}

fn add_clause(certificate: &Certificate, section: &str, clause: &str) {
    let mut number = 0;
    certificate.change_manifest(|manifest| {
        let before = manifest["clauses"][section].as_u64().unwrap();
        manifest["clauses"][section] = (before + 1).into();
    });
    for name in ["base", "symmetry", "solutions"] {
        number += certificate.manifest()["clauses"][name].as_u64().unwrap();
    }
    certificate.change(FORMULA, |text| {
        let lines = text.lines().map(|line| match line {
            line if line.starts_with("p cnf") => {
                let words: Vec<&str> = line.split(' ').collect();
                format!("p cnf {} {number}\n", words[2])
            }
            line if line.starts_with(&format!("c section {section}")) => {
                format!("{line}\n{clause}\n")
            }
            line => format!("{line}\n"),
        });
        lines.collect()
    });
}

#[test]
fn symmetry_is_broken_only_as_far_as_an_image_is_kept() {
    // Remove all placements of the tile that breaks the symmetry, except those of one orbit.
    let certificate = certify(&[&puzzle("scramble-1"), "-q"]);
    let manifest = certificate.manifest();
    assert_eq!(manifest["symmetry"]["broken_by"], "tile");
    let tile = manifest["symmetry"]["tile"].as_str().unwrap();
    let problem = load::read(&at_root(&puzzle("scramble-1"))).unwrap();
    let of_tile: Vec<usize> = variables(&problem, &manifest)
        .into_iter()
        .filter(|((_, name, _), _)| name == tile)
        .map(|(_, variable)| variable + 1)
        .collect();
    let gone = removed(&certificate);
    let kept = of_tile.iter().find(|&&v| !gone.contains(&(v as i64))).unwrap();
    add_clause(&certificate, "symmetry", &format!("-{kept} 0"));
    certificate.assert_refused("together with all its images");
    // The same clauses with another entry in the manifest.
    for (entry, why) in [
        (r#"{"broken_by": "nothing"}"#, "symmetry is not broken"),
        (r#"{"broken_by": "cell", "cell": [2, 2]}"#, "in another cell"),
        (r#"{"broken_by": "cell", "cell": [7, 2]}"#, "names cell [7,2], which does not exist"),
        (r#"{"broken_by": "tile", "tile": "none"}"#, "names tile `none`, which does not exist"),
    ] {
        let certificate = certify(&[&puzzle("scramble-1"), "-q"]);
        certificate.change_manifest(|manifest| {
            manifest["symmetry"] = serde_json::from_str(entry).unwrap();
        });
        certificate.assert_refused(why);
    }
    // A pin in a corner leaves no symmetry to break, so adding the section is rejected.
    let pinned = certify(&[&puzzle("scramble-1"), "--pin", "1,1=1", "-q"]);
    assert_eq!(pinned.manifest()["symmetry"]["broken_by"], "nothing");
    let problem = load::read(&at_root(&puzzle("scramble-1"))).unwrap();
    let variables = variables(&problem, &pinned.manifest());
    add_clause(&pinned, "symmetry", &format!("-{} 0", variables[&(4, "5".into(), 0)] + 1));
    pinned.change_manifest(|manifest| {
        manifest["symmetry"] = serde_json::json!({"broken_by": "tile", "tile": "5"});
    });
    pinned.assert_refused("is removed together with all its images");
}

#[test]
fn a_cell_breaks_the_symmetry_where_all_tiles_have_twins() {
    let yaml = "tiles: {1: [a+, b+, a-, b+], 2: [a+, b+, a-, b+], 3: [b-, b+, a+, a+], 4: [b-, \
     b+, a+, a+], 5: [a-, b-, b-, a+], 6: [a-, b-, b-, a+], 7: [b+, b-, a+, a-], 8: [b+, b-, \
     a+, a-], 9: [a+, b+, a-, b+]}";
    let certificate = certify_with(&["-", "-q"], yaml);
    assert_eq!(certificate.manifest()["symmetry"]["broken_by"], "cell");
    assert!(!removed(&certificate).is_empty());
    certificate.assert_verified();
    let problem = load::from_str(yaml).unwrap();
    let brute = brute_force(&problem);
    assert_formula_is_puzzle(&certificate, &problem, &brute.solutions);
    let pictures = brute.solutions.iter().map(|s| smallest_picture(&problem, s));
    let distinct: std::collections::BTreeSet<_> = pictures.collect();
    assert_eq!(certificate.manifest()["found"]["distinct"], distinct.len());
    certificate.change_manifest(|manifest| manifest["symmetry"]["cell"] = vec![1, 1].into());
    certificate.assert_refused("in another cell");
}

#[test]
fn wrong_solutions_and_counts_are_refused() {
    let make = || certify(&[&puzzle("scramble-1"), "-q"]);
    let certificate = make();
    certificate.change(SOLUTIONS, |text| {
        let end = text.find(']').unwrap();
        let turned = (text.as_bytes()[end - 1] - b'0' + 1) % 4;
        format!("{}{turned}{}", &text[..end - 1], &text[end..])
    });
    certificate.assert_refused("arrangement 1 is not a solution");
    for (entry, value, why) in [
        ("/found/distinct", Value::from(2), "the manifest claims 2"),
        ("/found/solutions", "8".into(), "the manifest claims 1, 1 and 8"),
        ("/lemmas", 7.into(), "the manifest claims 7"),
        ("/complete", false.into(), "does not claim that"),
        ("/clauses/base", 9.into(), "the manifest claims 9 clauses"),
        ("/clauses/solutions", u64::MAX.into(), "the manifest claims"),
        ("/variables/x/0/from", 2.into(), "differ from those of the puzzle"),
    ] {
        let certificate = make();
        certificate.change_manifest(|manifest| {
            *manifest.pointer_mut(entry).unwrap() = value.clone();
        });
        certificate.assert_refused(why);
    }
    // The only solution is not listed, but its clause is in the formula.
    let certificate = make();
    certificate.change(SOLUTIONS, |_| "=====UNSATISFIABLE=====\n".into());
    certificate.assert_refused("the manifest claims");
}

#[test]
fn bad_files_are_refused_with_their_place() {
    let make = || certify(&[&puzzle("scramble-1"), "-q"]);
    let cases: [(&str, Option<&str>, &str); 17] = [
        (MANIFEST, None, "manifest.json: there is no such file"),
        (FORMULA, None, "puzzle.cnf: there is no such file"),
        (PROOF, None, "proof.drat: there is no such file"),
        (SOLUTIONS, None, "solutions.txt: there is no such file"),
        ("puzzle.yaml", None, "puzzle.yaml: there is no such file"),
        (MANIFEST, Some("{\n]"), "manifest.json:2:1:"),
        (MANIFEST, Some("{}"), "manifest.json:1:2: missing field"),
        (MANIFEST, Some(""), "manifest.json:1:"),
        (FORMULA, Some("c\np cnf 3 1\n1 2 x 0\n"), "puzzle.cnf:3:5:"),
        (FORMULA, Some("p cnf 3\n"), "puzzle.cnf:1:1: expected `p cnf"),
        (FORMULA, Some("p cnf 3 1\n1 2\n"), "puzzle.cnf:2:1:"),
        (FORMULA, Some("\u{0}\u{1}"), "puzzle.cnf:1:1:"),
        (FORMULA, Some(""), "puzzle.cnf: the file is empty: expected `p cnf"),
        (PROOF, Some("junk\n"), "proof.drat:1:1: expected a number"),
        (PROOF, Some("-1 0\n-99999999 0\n"), "proof.drat:2:1:"),
        (SOLUTIONS, Some("[t=1,r=1]\n"), "solutions.txt:1:1:"),
        (SOLUTIONS, Some("junk"), "solutions.txt:1:1:"),
    ];
    for (name, content, place) in cases {
        let certificate = make();
        match content {
            Some(content) => drop(write(&certificate.folder, name, content)),
            None => fs::remove_file(certificate.path(name)).unwrap(),
        }
        let session = certificate.verify();
        // The error may come from a file that is read earlier.
        assert!(
            session.stderr.contains(place) || name == PROOF && session.code == 1,
            "{name} {content:?}: {}{}",
            session.stdout,
            session.stderr
        );
        assert_eq!(session.code, 2, "{name} {content:?}: {}", session.stdout);
    }
    let certificate = make();
    certificate.change_manifest(|manifest| manifest["puzzle"]["file"] = "../puzzle.yaml".into());
    let session = certificate.verify();
    assert_eq!(session.code, 2);
    session.says("is not a file of this folder");
    certificate.change_manifest(|manifest| manifest["form"] = 2.into());
    assert_eq!(certificate.verify().code, 2);
    let file = puzzle("scramble-1");
    for (folder, why) in [
        ("/no/such/folder", "there is no such folder"),
        (file.as_str(), "it is a file, not the folder of a certificate"),
    ] {
        run(&["verify", folder]).expect(2).says(why);
    }
}

#[cfg(unix)]
#[test]
fn files_that_never_end_are_refused() {
    for name in [MANIFEST, FORMULA, PROOF, SOLUTIONS, "puzzle.yaml"] {
        let certificate = certify(&[&puzzle("scramble-1")]);
        fs::remove_file(certificate.path(name)).unwrap();
        std::os::unix::fs::symlink("/dev/zero", certificate.path(name)).unwrap();
        let session = certificate.verify();
        assert_eq!(session.code, 2, "{name}: {}", session.stdout);
        session.says("a device or a pipe");
    }
}

#[test]
fn a_certificate_has_the_name_of_its_puzzle() {
    let certificate = certify(&[&puzzle("scramble-1")]);
    certificate.change_manifest(|manifest| manifest["name"] = "another".into());
    let session = certificate.verify();
    assert_eq!(session.code, 1);
    session.prints("the puzzle's name is scramble-1, but the manifest says another");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn damaged_files_never_end_in_a_panic(
        name in proptest::sample::select(&[MANIFEST, FORMULA, PROOF, SOLUTIONS, "puzzle.yaml"][..]),
        place in 0..10_000usize,
        what in any::<u8>(),
        is_cut in any::<bool>(),
    ) {
        let yaml = "{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]}}";
        let certificate = certify_with(&["-", "-q"], yaml);
        let before = fs::read(certificate.path(name)).unwrap();
        let mut bytes = before.clone();
        let place = place * (bytes.len() - 1) / 10_000;
        bytes[place] = what;
        bytes.truncate(if is_cut { place } else { bytes.len() });
        // A changed formula or proof may still be valid; the puzzle is identified by its hash.
        let codes = match name {
            _ if bytes == before => 0..=0,
            "puzzle.yaml" => 1..=2,
            _ => 0..=2,
        };
        write(&certificate.folder, name, bytes);
        let session = certificate.verify();
        prop_assert!(codes.contains(&session.code), "{}", session.stdout);
        prop_assert!(!session.stderr.contains("panicked"), "{}", session.stderr);
    }
}

#[test]
fn a_run_that_stops_leaves_no_certificate() {
    let certificate = certify(&[&puzzle("absolut-knifflig"), "-n", "3"]);
    assert_eq!(certificate.session.code, 2);
    assert!(certificate.session.stderr.contains("cannot be used with -n"));
    assert!(!certificate.folder.exists());
    let board = "benches/boards/f7-b4k6-0.yaml";
    let certificate = certify(&[board, "--time-limit", "200ms"]);
    assert_eq!(certificate.session.code, 3);
    assert!(certificate.session.stderr.contains("no certificate"));
    assert!(!certificate.folder.exists());
}

/// A writer that fails after this number of bytes, like a full disk.
struct FullDisk(usize);

impl std::io::Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = bytes.len().min(self.0);
        self.0 -= written;
        match written {
            0 => Err(std::io::ErrorKind::StorageFull.into()),
            _ => Ok(written),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_proof_that_cannot_be_written_ends_the_run() {
    let problem = load::read(&at_root(&puzzle("absolut-knifflig"))).unwrap();
    let encoding = Encoding::new(&problem).unwrap();
    for (room, is_enough) in [(0, false), (500, false), (1 << 20, true)] {
        let mut recorder = Recorder::new(&encoding, FullDisk(room));
        let traced = Traced::new(&problem, true, &mut recorder);
        let ignore = &mut |_: &enumerate::NewSolution<'_>| ControlFlow::Continue(());
        let outcome = enumerate::run(&problem, &traced, &Limits::default(), ignore);
        drop(traced);
        assert_eq!(outcome.status.is_complete(), is_enough);
        assert_eq!(recorder.take_error().is_none(), is_enough);
    }
}

#[test]
fn an_earlier_certificate_is_replaced_when_asked() {
    let home = tempdir().unwrap();
    let folder = home.path().display().to_string();
    let mine = write(home.path(), "mine.txt", "keep");
    let name = puzzle("scramble-1");
    let solve = |name: &str, more: &[&str]| {
        run(&[&["solve", name, "--certificate", &folder], more].concat())
    };
    let session = solve(&name, &[]);
    assert_eq!(session.code, 2);
    session.says("is not empty; use --force");
    assert_eq!(solve(&name, &["--force"]).code, 0);
    assert_eq!(run(&["verify", &folder]).code, 0);
    // So large that the search polls its limit before it ends.
    let large = "benches/boards/f7-b4k6-0.yaml";
    assert_eq!(solve(large, &["--force", "--node-limit", "1"]).code, 3);
    // A stopped run removes the old certificate, which would be mistaken for its own.
    assert_eq!(run(&["verify", &folder]).code, 2);
    assert_eq!(fs::read_to_string(mine).unwrap(), "keep");
    let file = write(home.path(), "file", "");
    run(&["solve", &name, "--certificate", &file.display().to_string()])
        .expect(2)
        .says("is a file, not a folder");
}

#[test]
fn flags_that_make_no_certificate_are_refused() {
    for (more, why) in [
        (&["--engine", "milp"][..], "--engine auto or propagate"),
        (&["--engine", "backtrack"], "--engine auto or propagate"),
        (&["--engine", "corners"], "--engine auto or propagate"),
        (&["-j", "2"], "--threads cannot be used with --certificate"),
    ] {
        let name = puzzle("scramble-1");
        let certificate = certify(&[&[name.as_str()], more].concat());
        assert_eq!(certificate.session.code, 2);
        assert!(certificate.session.stderr.contains(why));
        assert!(!certificate.folder.exists());
    }
    let name = puzzle("scramble-1");
    for more in [&["--engine", "propagate"][..], &["-j", "1"]] {
        certify(&[&[name.as_str()], more].concat()).assert_verified();
    }
}

#[test]
fn a_constraint_with_too_many_sums_is_refused_before_the_run() {
    let tiles: String = (0..49).map(|t| format!("  {t}: [a, a, b, c]\n")).collect();
    // Σ over all cells of 2^tile, with rotations: all sums are different.
    let terms: Vec<String> =
        (0..29).map(|t| format!("{{weight: {}, tile: {t}}}", 1u64 << t)).collect();
    let yaml = format!(
        "tiles:\n{tiles}constraints:\n- linear: {{terms: [{}], at_most: 100000000}}\n",
        terms.join(", ")
    );
    let certificate = certify_with(&["-"], &yaml);
    assert_eq!(certificate.session.code, 2, "{}", certificate.session.stderr);
    assert!(certificate.session.stderr.contains("too large for a certificate"));
    assert!(!certificate.folder.exists());
}

#[test]
fn the_verdict_is_also_told_as_json() {
    let certificate = certify(&[&puzzle("absolut-knifflig"), "-q"]);
    let told = |certificate: &Certificate| -> Value {
        let session = certificate.verify_with(&["--format", "json"]);
        serde_json::from_str(&session.stdout).unwrap()
    };
    let verdict = told(&certificate);
    assert_eq!(verdict["verified"], true);
    assert_eq!(verdict["found"]["solutions"], "148");
    assert_eq!(certificate.verify_with(&["-q"]).stdout, "");
    certificate.change(PROOF, |_| "0\n".into());
    assert_eq!(told(&certificate)["verified"], false);
}

/// The path of the proof checker `rate`, which `.ci/run` installs.
fn rate() -> PathBuf {
    let home = Path::new(crate::ROOT);
    let named = std::env::var_os("EDGEMATCH_CHECKER").map(PathBuf::from);
    named.unwrap_or_else(|| home.join("target/checkers/bin/rate"))
}

/// Asserts that another program accepts the proof.
fn verify_by(checker: &Path, certificate: &Certificate) {
    let files = [FORMULA, PROOF].map(|name| certificate.path(name));
    let output = Command::new(checker).args(files).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("s VERIFIED"), "{text}");
}

#[test]
#[ignore = "minutes; .ci/run runs it"]
fn long_certificates_are_verified_by_three_programs() {
    let rate = rate();
    for file in [
        "puzzles/absolut-knifflig.yaml",
        "puzzles/random-half-4x4-6-s1.yaml",
        "puzzles/framed-4x4-tud.yaml",
        "puzzles/framed-6x6-tud.yaml",
        "benches/boards/f6-b4k5-0.yaml",
        "benches/boards/s5-k6-0.yaml",
        "benches/boards/s6-k8-0.yaml",
        "benches/boards/s7-k12-0.yaml",
    ] {
        let certificate = certify(&[file]);
        println!("{file}: {}", certificate.session.stderr.trim_end());
        let started = std::time::Instant::now();
        let session = certificate.verify();
        assert_eq!(session.code, 0, "{}{}", session.stdout, session.stderr);
        let ours = started.elapsed();
        certificate.verify_outside().unwrap();
        let dratify = started.elapsed() - ours;
        let started = std::time::Instant::now();
        verify_by(&rate, &certificate);
        println!("  verify {ours:.3?}, dratify {dratify:.3?}, rate {:.3?}", started.elapsed());
    }
    // Every kind of constraint, run as a process.
    let home = tempdir().unwrap();
    for list in CONSTRAINTS {
        let file = write(home.path(), "more.yaml", format!("constraints:\n{list}\n"));
        let path = file.display().to_string();
        let certificate = certify(&[&puzzle(CONSTRAINED), "--constraints", &path, "-q"]);
        verify_by(&rate, &certificate);
    }
}

/// Two rings of four cells each: `loop` requires a single ring, but no clause of the puzzle
/// excludes two.
const TWO_RINGS: &str = "{rows: 2, cols: 4, constraints: [loop: r], tiles: {1: [r, r, x, x], 2: [r, r, x, \
                         x], 3: [r, r, x, x], 4: [r, r, x, x], 5: [r, r, x, x], 6: [r, r, x, x], 7: [r, \
                         r, x, x], 8: [r, r, x, x]}}";

#[test]
fn what_breaks_a_checked_constraint_is_cut_and_justified() {
    let certificate = certify_with(&["-"], TWO_RINGS);
    assert_eq!(certificate.session.code, 1);
    certificate.assert_verified();
    assert_eq!(certificate.manifest()["clauses"]["cuts"], 1);
    let nothing = certificate.text("solutions.txt");
    // Without the constraint, the same arrangement is a solution and not a cut.
    let free = TWO_RINGS.replace("constraints: [loop: r], ", "");
    let certificate = certify_with(&["-"], &free);
    certificate.assert_verified();
    assert!(certificate.manifest()["clauses"].get("cuts").is_none());
    certificate.change_manifest(|manifest| {
        manifest["clauses"]["cuts"] = manifest["clauses"]["solutions"].clone();
        manifest["clauses"]["solutions"] = 0.into();
        manifest["found"] = serde_json::json!({"distinct": 0, "classes": "0", "solutions": "0"});
    });
    write(&certificate.folder, "solutions.txt", nothing);
    certificate.assert_refused("clause 1 of the section `cuts` excludes violates no constraint");
}

/// MacMahon's squares of three colours on 3×8 with a rim of one colour, and Carcassonne's 72 tiles
/// on 8×9 with fields along the rim. Neither has a solution, and no search finishes.
fn impossible() -> [String; 2] {
    let squares = "aaaa aaab aaac aabb aabc aacb aacc abab abac abbb abbc abcb abcc acac acbb acbc accb \
                   accc bbbb bbbc bbcc bcbc bccc cccc";
    let towns = "cccc1 ccfc4 ccrc3 ccff7 crrc5 fcfc6 cfff5 cfrr3 crrf3 crrr3 crfr4 rfrf8 ffrr9 frrr4 rrrr1 \
                 ffff4 ffrf2";
    let tile = |word: &str| {
        let edges = word[..4].chars().join(", ");
        let copies = word.get(4..).filter(|copies| !copies.is_empty()).unwrap_or("1");
        let name = &word[..4];
        format!("{name}: {{edges: [{edges}], copies: {copies}}}")
    };
    let puzzle = |size: &str, image: &str, tiles: &str| {
        let tiles = tiles.split_whitespace().map(tile).join(", ");
        format!("{{{size}, constraints: [rim: {{image: {image}}}], tiles: {{{tiles}}}}}")
    };
    [puzzle("rows: 3, cols: 8", "a", squares), puzzle("rows: 8, cols: 9", "f", towns)]
}

#[test]
fn counts_are_certified() {
    for (text, words) in impossible().iter().zip(["fits no cell", "79 edges `c`"]) {
        let certificate = certify_with(&["-"], text);
        assert_eq!(certificate.session.code, 1);
        let said = &certificate.session.stderr;
        assert!(said.contains("proven by counting: ") && said.contains(words), "{said}");
        certificate.assert_accepted();
        let verified = certificate.verify().stdout;
        assert!(verified.contains("no solution: verified ("), "{verified}");
    }
}

#[test]
fn counts_that_do_not_hold_are_refused() {
    let [squares, towns] = impossible();
    let certificate = certify_with(&["-"], &squares);
    let claims = [
        (r#"{"count": "edges", "edge": "b"}"#, "the edges `b` can all be paired"),
        (r#"{"count": "edges", "edge": "d"}"#, "there is no edge `d`"),
        (r#"{"count": "pairs"}"#, "enough matching pairs for all seams"),
        (
            r#"{"count": "tiles", "because": [], "tiles": ["abab"], "cells": []}"#,
            "one of the claimed tiles also fits cell",
        ),
        (
            r#"{"count": "tiles", "because": [{"tiles": ["aaaa"], "cells": [[1, 1]]}], "tiles": ["abab"],
                "cells": []}"#,
            "one of the claimed tiles also fits cell",
        ),
        (
            r#"{"count": "cells", "because": [], "tiles": ["aaaa"], "cells": [[1, 1], [1, 8]]}"#,
            "another tile also fits one of the claimed cells",
        ),
        (
            r#"{"count": "cells", "because": [], "tiles": ["none"], "cells": []}"#,
            "there is no tile `none`",
        ),
    ];
    for (claim, why) in claims {
        certificate.change_manifest(|manifest| {
            manifest["counting"] = serde_json::from_str(claim).unwrap();
        });
        certificate.assert_refused(why);
    }
    certificate.change_manifest(|manifest| {
        manifest.as_object_mut().unwrap().remove("counting");
    });
    certificate.assert_refused("the proof ends without the empty clause");
    // With a spare tile, the number of edges inside the board is not determined.
    let certificate = certify_with(&["-"], &towns);
    let more = towns.replace(
        "ffrf: {edges: [f, f, r, f], copies: 2}",
        "ffrf: {edges: [f, f, r, f], copies: 3}",
    );
    assert_ne!(more, towns);
    write(&certificate.folder, "puzzle.yaml", &more);
    assert_eq!(certificate.verify().code, 1);
}

/// If counting rules out every solution, `verify` accepts that certificate, on small boards of all
/// types.
#[test]
fn what_counting_rules_out_is_verified() {
    let mut number = 0;
    for seed in 0..200 {
        let mut random = Rng::with_seed(seed);
        let draw = Draw::random(&mut random);
        let shape = Shape::random(&mut random);
        let toy = Toy::new(shape, &draw, &mut random).varied(&mut random);
        let problem = load::from_str(&toy.yaml()).unwrap();
        if edgematch::domains::counting::proof(&problem).is_none() {
            continue;
        }
        number += 1;
        certify_with(&["-"], &toy.yaml()).assert_accepted();
    }
    assert!(number > 20, "{number}");
}

/// If only a constraint rules out every solution, the certificate does not claim a count of edges
/// or cells.
#[test]
fn constraints_that_nothing_obeys_are_no_counts() {
    let three = "rows: 1, cols: 3, tiles: {1: {edges: [b, b, a, b], copies: 3}}";
    let torus = "board: {grid: [2, 2], wrap: both}, tiles: {1: {edges: [l, l, o, o], copies: 4}}";
    for (puzzle, constraint) in [
        (three, "count: {tile: 1, at_least: 4}"),
        (three, "forbid: {rotations: [0, 1, 2, 3]}"),
        (three, "not: {region: {tiles: 1, only_in: all}}"),
        (three, "rim: {image: z}"),
        (torus, "path: l"),
        (torus, "exactly: {number: 0, of: [region: {tiles: 1, only_in: all}]}"),
    ] {
        let text = format!("{{{puzzle}, constraints: [{constraint}]}}");
        let certificate = certify_with(&["-"], &text);
        assert_eq!(certificate.session.code, 1, "{constraint}");
        assert!(!certificate.session.stderr.contains("by counting"), "{constraint}");
        certificate.assert_verified();
        run_with_input(&["why", "-"], text.as_str()).prints("1 constraint: 1 (");
    }
}

#[test]
fn cells_that_touch_themselves_are_certified() {
    let text = "{board: {grid: [1, 3], wrap: vertical}, rotations: false, border: a, tiles: {1: [a, b, b, a], \
                2: [a, b, b, b], 3: [a, b, a, b]}}";
    certify_with(&["-"], text).assert_verified();
}
