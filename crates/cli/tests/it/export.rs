//! Exported models are equivalent to the puzzle: the models of the clauses, found by a SAT solver,
//! are exactly the arrangements, and the rows of the other formats hold for these and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};
use edgematch::board::CellName;
use edgematch::engine::Propagate;
use edgematch::enumerate::solution::{ValueArrangement, check};
use edgematch::enumerate::{self, Limits, NewSolution};
use edgematch::export::FORMATS;
use edgematch::load;
use edgematch::problem::Problem;
use edgematch::puzzle::Face;
use edgematch_report::arrangement_text;
use itertools::Itertools;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::choices::Choices;
use crate::common::boards::BOARDS;
use crate::common::drawn::{Nested, SIZES, nested};
use crate::session::{at_root, puzzle, run, run_with_input, write};

const FORMULATIONS: [&str; 3] = ["balance", "support", "tuple"];

/// Weights too large for the engine's own model.
const HEAVY: &str = "
constraints:
  - linear: {terms: [{weight: 70000, cells: [1, 1], tile: 1}, {weight: 50000, cells: [1, 2], tile: 2},
      {weight: -30001, cells: [1, 3], rotation: 0}], at_most: 99999}
rows: 1
cols: 3
tiles: {1: [a, b, a, b], 2: [a, b, a, c], 3: [a, c, a, c]}
";

/// Three tiles of one kind, two of them turned, with names that no format accepts.
const ODD_NAMES: &str = r#"
rows: 2
cols: 2
tiles: {"a \\( \"b": [x, y, x, z], "日本 = 1": [y, x, z, x], "a_b": [x, x, y, x], "+": [x, z, x, y]}
"#;

/// A puzzle with more tiles than cells.
const SPARE: &str = "{rows: 1, cols: 3, tiles: {1: [a+, a-, b+, b-], 2: [a-, b+, a-, a+],
  3: [b-, b-, a+, b+], 4: [a+, a+, b-, a-], 5: [a+, a-, b+, b-]}}";

/// Tiles with copies, one of them identical to a tile without.
const COPIES: &str = "{rows: 2, cols: 2, tiles: {1: {edges: [a, b, a, b], copies: any},
  2: {edges: [a, a, b, b], copies: 2}, 3: [a, a, a, b], 4: [b, b, a, a]}}";

/// The arrangements of all solutions of a puzzle, with their symmetric images.
fn arrangements(problem: &Problem) -> BTreeSet<ValueArrangement> {
    let mut arrangements = BTreeSet::new();
    let mut collect = |found: &NewSolution<'_>| {
        arrangements.extend(found.distinct.orbit.iter().cloned());
        ControlFlow::Continue(())
    };
    let outcome = enumerate::run(problem, &Propagate, &Limits::default(), &mut collect);
    assert!(outcome.status.is_complete());
    arrangements
}

/// The output of `export` with these arguments, format and formulation.
fn exported(args: &[&str], to: &str, formulation: &str) -> String {
    let all = edgematch::export::FORMATS;
    let has_rows = all.iter().any(|format| format.name == to && format.has_rows);
    let formulation = ["--formulation", formulation];
    let stated = if has_rows { &formulation[..] } else { &[] };
    let session = run(&[&["export", "--to", to, "-q"], args, stated].concat());
    assert_eq!((session.code, session.stderr.as_str()), (0, ""), "{args:?}");
    session.stdout
}

/// Exported clauses, and the names of variables in the comments.
struct Clauses {
    variables: usize,
    clauses: Vec<Vec<i32>>,
    names: BTreeMap<String, usize>,
}

impl Clauses {
    fn read(text: &str) -> Clauses {
        let mut read = Clauses { variables: 0, clauses: Vec::new(), names: BTreeMap::new() };
        let mut number = 0;
        for line in text.lines() {
            let words = line.split_whitespace().collect_vec();
            match words[..] {
                ["c", name, "=", variable] => {
                    read.names.insert(name.to_owned(), variable.parse().unwrap());
                }
                ["c", ..] => {}
                ["p", "cnf", variables, clauses] => {
                    (read.variables, number) =
                        (variables.parse().unwrap(), clauses.parse().unwrap());
                }
                _ => {
                    let mut literals =
                        words.iter().map(|word| word.parse::<i32>().unwrap()).collect_vec();
                    assert_eq!(literals.pop(), Some(0));
                    assert!(!literals.is_empty() && !literals.contains(&0));
                    read.clauses.push(literals);
                }
            }
        }
        assert_eq!(read.clauses.len(), number, "the head counts the clauses");
        read
    }

    /// A SAT solver with the clauses, and its variables.
    fn solver(&self) -> (BasicSolver, Vec<Var>) {
        let mut solver = BasicSolver::default();
        let variables: Vec<Var> = (0..self.variables).map(|_| solver.new_var_default()).collect();
        let literal = |l: &i32| Lit::new(variables[l.unsigned_abs() as usize - 1], *l > 0);
        for clause in &self.clauses {
            solver.add_clause_reuse(&mut clause.iter().map(literal).collect());
        }
        (solver, variables)
    }

    /// The models of the clauses, auxiliary variables included, as sets of the names that are true.
    fn models(&self) -> Vec<BTreeSet<&str>> {
        let (mut solver, variables) = self.solver();
        let mut models = Vec::new();
        while solver.solve_limited(&[]) == lbool::TRUE {
            let is_true = |variable: Var| solver.value_var(variable) == lbool::TRUE;
            let named =
                self.names.iter().filter(|(_, variable)| is_true(variables[**variable - 1]));
            models.push(named.map(|(name, _)| name.as_str()).collect());
            let mut other = variables.iter().map(|&v| Lit::new(v, !is_true(v))).collect();
            solver.add_clause_reuse(&mut other);
        }
        models
    }
}

/// The arrangement with the placements of these names.
fn arrangement_of(problem: &Problem, names: &BTreeSet<&str>) -> ValueArrangement {
    let mut values = vec![None; problem.board.size()];
    let columns = problem.board.lines()[0].len();
    let all = (0..values.len()).cartesian_product(0..problem.kinds.values.len());
    let plain: BTreeMap<String, (usize, usize)> =
        all.map(|(cell, value)| (column(problem, cell, value), (cell, value))).collect();
    for name in names.iter().filter(|name| name.starts_with("x_")) {
        if let Some(&(cell, value)) = plain.get(*name) {
            assert_eq!(values[cell].replace(value), None, "one placement a cell");
            continue;
        }
        let words = name.split('_').collect_vec();
        let [_, row, column, .., rotation] = words[..] else {
            panic!("{name}");
        };
        let number = |word: &str| word.parse::<usize>().unwrap();
        let tile = words[3..words.len() - 1].join("_");
        let tile = match problem.puzzle.tile_named(&tile[1..]) {
            Some(tile) if !tile_is_odd(&tile_name(problem, tile)) => tile,
            _ => number(words[words.len() - 2]) - 1,
        };
        let orientation = edgematch::puzzle::Orientation::turned(number(rotation));
        let value = problem.kinds.value_of(tile, orientation).unwrap();
        let cell = (number(row) - 1) * columns + number(column) - 1;
        assert_eq!(values[cell].replace(value), None, "one placement a cell");
    }
    ValueArrangement::from_values(values.into_iter().map(Option::unwrap))
}

fn tile_name(problem: &Problem, tile: usize) -> String {
    problem.puzzle.tiles[tile].name.clone()
}

fn tile_is_odd(name: &str) -> bool {
    !name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Asserts that the models of the clauses are the arrangements, each once, and that with all of
/// them excluded by cuts there is none.
fn assert_clauses_are_the_arrangements(args: &[&str], formulations: &[&str]) {
    let problem = problem(args);
    let expected = arrangements(&problem);
    let folder = tempfile::tempdir().unwrap();
    let solved = run(&[&["solve", "-q"], args].concat()).stdout;
    let solved = write(folder.path(), "solved.txt", solved);
    for formulation in formulations {
        let clauses = Clauses::read(&exported(args, "cnf", formulation));
        let models = clauses.models();
        assert_eq!(models.len(), expected.len(), "{args:?} {formulation}");
        let found = models.iter().map(|names| arrangement_of(&problem, names));
        assert_eq!(found.collect::<BTreeSet<_>>(), expected);
        if expected.is_empty() {
            continue;
        }
        let cut = [args, &["--with-cuts", solved.to_str().unwrap()]].concat();
        let clauses = Clauses::read(&exported(&cut, "cnf", formulation));
        assert_eq!(clauses.models().len(), 0, "{args:?} {formulation} cut");
    }
}

/// Reads the puzzle that the arguments name.
fn problem(args: &[&str]) -> Problem {
    let mut problem = load::read(&at_root(args[0])).unwrap();
    for pair in args[1..].chunks(2) {
        let [flag, value] = pair else { continue };
        let words = [(*value).to_owned()];
        problem = match *flag {
            "--pin" | "--forbid" => {
                let constraints = load::short_constraints(&problem, &flag[2..], &words, flag);
                problem.with_constraints(constraints.unwrap())
            }
            "--constraints" => {
                let bytes = std::fs::read(value).unwrap();
                load::constraints_from_bytes(problem, &bytes, value).unwrap()
            }
            _ => problem,
        };
    }
    problem
}

#[test]
fn nothing_is_cut_off_where_there_is_no_solution() {
    let folder = tempfile::tempdir().unwrap();
    let file = puzzle("sharks-misread");
    for format in ["text", "json", "jsonl"] {
        let none = run(&["solve", "-q", "--format", format, &file]).stdout;
        let none = write(folder.path(), "none", none).display().to_string();
        let session = run(&["export", &file, "--to", "lp", "--with-cuts", &none]);
        assert_eq!(session.code, 0, "{format}: {}", session.stderr);
        assert!(!session.stdout.contains("no_good"));
    }
}

#[test]
fn a_sat_solver_finds_the_pictures_of_puzzles() {
    let scramble = puzzle("scramble-1");
    assert_clauses_are_the_arrangements(&[&scramble], &FORMULATIONS);
    assert_clauses_are_the_arrangements(&[&puzzle("random-vex-3x3-10-s1")], &FORMULATIONS);
    assert_clauses_are_the_arrangements(&[&puzzle("knifflidiffels-version5")], &["balance"]);
    assert_clauses_are_the_arrangements(
        &[&puzzle("random-frame-4x4-4-s1")],
        &["balance", "support"],
    );
    let knifflig = puzzle("absolut-knifflig");
    assert_clauses_are_the_arrangements(
        &[&knifflig, "--pin", "2,2=4", "--forbid", "@0"],
        &["balance"],
    );
}

/// Two sets of eight tiles: one can only form two rings, the other two or one.
#[test]
fn lines_in_parts_are_cut_off_one_after_another() {
    let folder = tempfile::tempdir().unwrap();
    let corners = ["[r, r, a, b]", "[r, r, b, c]", "[r, r, c, a]", "[r, r, a, a]"];
    let straight = "[r, x, r, y]";
    for (tiles, is_solved) in [([corners, corners], false), ([corners, [straight; 4]], true)] {
        let tiles = tiles.iter().flatten().enumerate();
        let tiles = tiles.map(|(index, edges)| format!("{index}: {edges}")).join(", ");
        let puzzle = format!("{{rows: 2, cols: 4, tiles: {{{tiles}}}, constraints: [loop: r]}}");
        let file = write(folder.path(), "lines.yaml", &puzzle).display().to_string();
        let problem = load::from_str(&puzzle).unwrap();
        let mut cuts: Vec<String> = Vec::new();
        let solved = loop {
            let list = write(folder.path(), "cuts.txt", cuts.concat()).display().to_string();
            let flags = ["--with-cuts", list.as_str()];
            let flags = if cuts.is_empty() { &[][..] } else { &flags[..] };
            let args = [&[file.as_str()], flags].concat();
            let clauses = Clauses::read(&exported(&args, "cnf", "balance"));
            let models = clauses.models();
            let Some(model) = models.first() else {
                break false;
            };
            let values = arrangement_of(&problem, model).values().collect_vec();
            if problem.lazy_cut(&values).is_none() {
                break true;
            }
            let arrangement = problem.deal(values);
            cuts.push(format!("{}----------\n", arrangement_text(&problem, &arrangement)));
        };
        assert_eq!(solved, is_solved, "{cuts:?}");
        assert!(solved || !cuts.is_empty());
    }
}

#[test]
fn there_is_no_model_where_there_is_no_solution() {
    let broken = puzzle("random-broken-3x3-4-s1");
    assert_clauses_are_the_arrangements(&[&broken], &FORMULATIONS);
}

#[test]
fn a_sat_solver_finds_the_pictures_of_small_boards() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, number) in [
        ("heavy.yaml", HEAVY, None),
        ("odd.yaml", ODD_NAMES, None),
        ("spare.yaml", SPARE, None),
        ("copies.yaml", COPIES, None),
        ("one.yaml", "tiles: {only: [a, b, c, d]}", Some(4)),
        ("same.yaml", "tiles: {only: [a, a, a, a]}", Some(1)),
    ] {
        let path = write(folder.path(), name, text);
        let args = [path.to_str().unwrap()];
        let arrangements = arrangements(&problem(&args)).len();
        assert!(arrangements > 0, "{name}: a puzzle without solutions tests little");
        assert_eq!(number.unwrap_or(arrangements), arrangements);
        assert_clauses_are_the_arrangements(&args, &FORMULATIONS);
    }
}

#[test]
fn models_of_all_boards_are_the_pictures_of_their_solutions() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, _) in BOARDS {
        let path = write(folder.path(), &format!("{name}.yaml"), text);
        let args = [path.to_str().unwrap()];
        assert_clauses_are_the_arrangements(&args, &FORMULATIONS);
        assert_rows_are_the_rules(&args);
        let whole = problem(&args);
        if !whole.uses_every_tile() {
            continue;
        }
        let broken = [args[0], "--break-symmetry"];
        let clauses = Clauses::read(&exported(&broken, "cnf", "balance"));
        let found = clauses.models();
        let found = found.iter().map(|names| arrangement_of(&whole, names).orbit(&whole));
        let orbits = arrangements(&whole).into_iter().map(|arrangement| arrangement.orbit(&whole));
        assert_eq!(found.collect::<BTreeSet<_>>(), orbits.collect(), "{name}");
    }
}

#[test]
fn cells_with_odd_names_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "{board: {cells: {日本: 3, 中: 3, a b: 3}, seams: [[中, 0, 日本, 1], [中, 1, a b, 1]]},
                 tiles: {1: [a, b, c], 2: {edges: [a, c, c], back: [b, b, a]}, 3: [a, c, b]}}";
    let path = write(folder.path(), "odd.yaml", text);
    let text = exported(&[path.to_str().unwrap()], "lp", "balance");
    for line in [
        "\\ x_C_tT_N is 1 when cell C takes [t=T,r=N]: tile T, turned N steps counter-clockwise; \
         the ending _front or _back is the face that is up",
        "\\ x__1_… is cell 日本",
        "\\ x__2_… is cell 中",
        "\\ x_a_b_3_… is cell a b",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}: {text}");
    }
    for cell in ["_1", "_2", "a_b_3"] {
        assert!(text.contains(&format!("x_{cell}_t2_1_back")), "{text}");
    }
}

#[test]
fn with_symmetry_broken_one_of_each_orbit_is_left() {
    let path = puzzle("absolut-knifflig");
    let whole = problem(&[&path]);
    let args = [path.as_str(), "--break-symmetry"];
    let clauses = Clauses::read(&exported(&args, "cnf", "balance"));
    let models = clauses.models();
    let classes: BTreeSet<_> =
        models.iter().map(|names| arrangement_of(&whole, names).orbit(&whole)).collect();
    assert_eq!((models.len(), classes.len()), (37, 37));
    let solved = run(&["solve", "-q", &path]).stdout;
    let cut = ["export", &path, "--break-symmetry", "--to", "cnf", "--with-cuts", "-"];
    let session = run_with_input(&cut, solved);
    assert_eq!(session.stderr, "297 variables, 115 rows, 37 of them cuts (balance, cnf)\n");
    assert!(Clauses::read(&session.stdout).models().is_empty());
}

/// Returns true if everything in an exported file holds when exactly these columns are 1.
type Judge = Box<dyn FnMut(&BTreeSet<String>) -> bool>;

/// The content of an exported file, parsed by the reader of its format.
enum Stated {
    Rows(Read),
    Clauses(Clauses),
    Choices(Choices),
}

impl Stated {
    /// Reads a file that `export` wrote.
    ///
    /// # Panics
    /// If there is no reader for the format: every format must be tested by one.
    fn read(format: &str, text: &str) -> Stated {
        match format {
            "lp" => Stated::Rows(Read::lp(text)),
            "mps" => Stated::Rows(Read::mps(text)),
            "cnf" => Stated::Clauses(Clauses::read(text)),
            "opb" => Stated::Rows(Read::opb(text)),
            "asp" => Stated::Choices(Choices::asp(text)),
            "mzn" => Stated::Choices(Choices::mzn(text)),
            other => panic!("`{other}` is written, and no reader in this file tests it"),
        }
    }

    /// The function that evaluates the content.
    fn judge(self) -> Judge {
        match self {
            Stated::Rows(rows) => Box::new(move |ones| rows.holds(ones)),
            Stated::Choices(choices) => Box::new(move |ones| choices.holds(ones)),
            Stated::Clauses(clauses) => {
                let (mut solver, variables) = clauses.solver();
                Box::new(move |ones| {
                    let placements =
                        clauses.names.iter().filter(|(name, _)| name.starts_with("x_"));
                    let literals = placements.map(|(name, variable)| {
                        Lit::new(variables[*variable - 1], ones.contains(name))
                    });
                    solver.solve_limited(&literals.collect_vec()) == lbool::TRUE
                })
            }
        }
    }
}

/// The 0-1 model in a file: rows by name with terms, sense and bound; columns by name, true if they
/// must be integer.
#[derive(Debug, Default, PartialEq)]
struct Read {
    rows: BTreeMap<String, (BTreeMap<String, i64>, String, i64)>,
    columns: BTreeMap<String, bool>,
}

impl Read {
    fn lp(text: &str) -> Read {
        let mut read = Read::default();
        let lines = text.lines().filter(|line| !line.starts_with('\\'));
        let mut words = lines
            .inspect(|line| assert!(line.len() <= 200))
            .flat_map(str::split_whitespace)
            .skip_while(|word| *word != "To")
            .skip(1)
            .peekable();
        while let Some(name) = words.next_if(|word| word.ends_with(':')) {
            let mut terms = BTreeMap::new();
            let mut sign = 1;
            let mut factor = 1;
            let sense = loop {
                match words.next().unwrap() {
                    "+" => sign = 1,
                    "-" => sign = -1,
                    sense @ ("=" | "<=" | ">=") => break sense,
                    word if word.parse::<i64>().is_ok() => factor = word.parse().unwrap(),
                    word => {
                        let bare = word.trim_start_matches('-');
                        let minus = if bare == word { 1 } else { -1 };
                        // The first term of a row may have its sign attached: `-3 x`.
                        let column = bare.to_owned();
                        assert_eq!(terms.insert(column, sign * minus * factor), None);
                        (sign, factor) = (1, 1);
                    }
                }
            };
            let bound = words.next().unwrap().parse().unwrap();
            let name = name.trim_end_matches(':').to_owned();
            let row = (terms, sense.to_owned(), bound);
            assert_eq!(read.rows.insert(name, row), None);
        }
        let mut section = "";
        while let Some(word) = words.next() {
            match (word, section) {
                ("Bounds" | "Binaries" | "End", _) => section = word,
                ("0", "Bounds") => {
                    let bounds = words.by_ref().take(4).collect_vec();
                    let ["<=", name, "<=", most] = bounds[..] else {
                        panic!("{bounds:?}");
                    };
                    assert_eq!(most, if name == "nothing" { "0" } else { "1" });
                    read.columns.insert(name.to_owned(), false);
                }
                (name, "Binaries") => {
                    assert_eq!(read.columns.insert(name.to_owned(), true), None);
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(section, "End");
        read
    }

    fn mps(text: &str) -> Read {
        let mut read = Read::default();
        let mut section = "";
        let mut is_whole = false;
        for line in text.lines().filter(|line| !line.starts_with('*')) {
            let words = line.split_whitespace().collect_vec();
            if !line.starts_with(' ') {
                section = words[0];
                continue;
            }
            match (section, &words[..]) {
                ("ROWS", [sense, name]) => {
                    let sense = match *sense {
                        "N" => continue,
                        "E" => "=",
                        "L" => "<=",
                        _ => ">=",
                    };
                    let row = (BTreeMap::new(), sense.to_owned(), 0);
                    assert_eq!(read.rows.insert((*name).to_owned(), row), None);
                }
                ("COLUMNS", [_, "'MARKER'", end]) => is_whole = *end == "'INTORG'",
                ("COLUMNS", [name, row, factor]) => {
                    read.columns.insert((*name).to_owned(), is_whole);
                    if *row != "obj" {
                        let terms = &mut read.rows.get_mut(*row).unwrap().0;
                        let factor = factor.parse().unwrap();
                        assert_eq!(terms.insert((*name).to_owned(), factor), None);
                    }
                }
                ("RHS", [_, row, bound]) => {
                    read.rows.get_mut(*row).unwrap().2 = bound.parse().unwrap();
                }
                ("BOUNDS", [kind, _, name, ..]) => {
                    let expected = match (*name, read.columns[*name]) {
                        ("nothing", _) => "FX",
                        (_, true) => "BV",
                        (_, false) => "UP",
                    };
                    assert_eq!(*kind, expected);
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(section, "ENDATA");
        read
    }

    /// Reads OPB, in which variables are numbers and comments give the names of variables and rows.
    fn opb(text: &str) -> Read {
        let mut read = Read::default();
        let mut names = BTreeMap::new();
        let mut comment = "";
        let mut sizes = None;
        for line in text.lines() {
            let words = line.split_whitespace().collect_vec();
            match words[..] {
                ["*", "#variable=", variables, "#constraint=", rows] => {
                    assert_eq!(sizes, None);
                    sizes = Some([variables, rows].map(|number| number.parse().unwrap()));
                }
                ["*", name, "=", variable] if variable.starts_with('x') => {
                    names.insert(variable, name.to_owned());
                }
                ["*", ..] => comment = &line[2..],
                [ref terms @ .., sense, bound, ";"] => {
                    assert!(["=", ">="].contains(&sense), "{line}");
                    let terms = terms.chunks(2).map(|term| {
                        let factor: i64 = term[0].parse().unwrap();
                        assert!(term[0].starts_with(['+', '-']), "{line}");
                        let name = names.get(term[1]).cloned();
                        (name.unwrap_or_else(|| "nothing".to_owned()), factor)
                    });
                    let row = (terms.collect(), sense.to_owned(), bound.parse().unwrap());
                    read.rows.insert(std::mem::take(&mut comment).to_owned(), row);
                }
                _ => panic!("{line}"),
            }
        }
        // A row without terms is written with a variable that another row fixes to 0.
        let has_nothing = read.rows.remove("nothing is always 0").is_some();
        let [variables, rows]: [usize; 2] = sizes.unwrap();
        let nothing = usize::from(has_nothing);
        assert_eq!(variables, names.len() + nothing);
        assert_eq!(rows, read.rows.len() + nothing);
        read.columns = names.into_values().map(|name| (name, true)).collect();
        read
    }

    /// All rows without their names, with those of sense `>=` negated to `<=`.
    fn in_one_sense(&self) -> BTreeSet<(BTreeMap<String, i64>, String, i64)> {
        let rows = self.rows.values().map(|(terms, sense, bound)| {
            if sense != ">=" {
                return (terms.clone(), sense.clone(), *bound);
            }
            let terms = terms.iter().map(|(name, factor)| (name.clone(), -factor));
            (terms.collect(), "<=".to_owned(), -bound)
        });
        rows.collect()
    }

    /// Returns true if all rows hold when the columns in `ones` are 1. A column `y_…` is 1 if both
    /// of its placements are, and a condition if its rows hold with it.
    fn holds(&self, ones: &BTreeSet<String>) -> bool {
        let mut ones = ones.clone();
        let both: Vec<String> =
            self.columns.keys().filter(|name| both_are(name, &ones)).cloned().collect();
        ones.extend(both);
        let condition = |column: &str| {
            let mut numbers = column.strip_prefix("holds_")?.split('_');
            let mut number = || numbers.next()?.parse::<usize>().ok();
            Some((number()?, number()?))
        };
        let conditions = self.columns.keys().filter(|column| condition(column).is_some());
        // A condition may depend on earlier ones; it is 1 if both of its rows then hold.
        for column in conditions.sorted_by_key(|column| condition(column)) {
            ones.insert(column.clone());
            let rows = ["then", "else"].map(|end| format!("{column}_{end}"));
            let own = rows.iter().filter_map(|name| self.rows.get(name));
            if !Read::all_hold(own, &ones) {
                ones.remove(column);
            }
        }
        Read::all_hold(self.rows.values(), &ones)
    }

    fn all_hold<'r>(
        mut rows: impl Iterator<Item = &'r (BTreeMap<String, i64>, String, i64)>,
        ones: &BTreeSet<String>,
    ) -> bool {
        rows.all(|(terms, sense, bound)| {
            let sum: i64 = terms.iter().filter(|t| ones.contains(t.0)).map(|t| t.1).sum();
            match sense.as_str() {
                "=" => sum == *bound,
                "<=" => sum <= *bound,
                _ => sum >= *bound,
            }
        })
    }
}

/// Returns true if a column `y_…` stands for two placements that are 1. The second of two seams
/// between the same cells has the suffix `_2`.
fn both_are(column: &str, ones: &BTreeSet<String>) -> bool {
    column.strip_prefix('y').is_some_and(|both| {
        [both, both.trim_end_matches("_2")].iter().any(|both| {
            let mut pairs = (0..both.len()).filter(|&at| both[at..].starts_with('_'));
            pairs.any(|at| {
                let halves = [&both[..at], &both[at..]].map(|half| format!("x{half}"));
                halves.iter().all(|half| ones.contains(half))
            })
        })
    })
}

/// The name of a placement's column, if the tile and the cell have plain names.
fn column(problem: &Problem, cell: usize, value: usize) -> String {
    let tile = &problem.puzzle.tiles[problem.kinds.kind_of(value).tiles[0]];
    let orientation = problem.kinds.values[value].orientation;
    let cell = match &problem.board.cells()[cell].name {
        CellName::At(row, column) => format!("{row}_{column}"),
        CellName::Named(name) => name.clone(),
    };
    let face = match (&tile.back, orientation.face()) {
        (None, _) => "",
        (_, Face::Front) => "_front",
        (_, Face::Back) => "_back",
    };
    format!("x_{cell}_t{}_{}{face}", tile.name, orientation.rotation())
}

/// The names of the columns that are 1 in an arrangement, given as a value for each cell.
fn ones(problem: &Problem, values: &[usize]) -> BTreeSet<String> {
    let cells = values.iter().enumerate();
    cells.map(|(cell, &value)| column(problem, cell, value)).collect()
}

/// Asserts that in every format the model holds for an arrangement if and only if the arrangement
/// satisfies the puzzle: tested on solutions and their [`neighbours`]. Formats with rows have the
/// same rows, so one of them is enough.
fn assert_rows_are_the_rules(args: &[&str]) {
    let problem = problem(args);
    for formulation in FORMULATIONS {
        let rows = Read::lp(&exported(args, "lp", formulation)).in_one_sense();
        for format in FORMATS {
            let stated = Stated::read(format.name, &exported(args, format.name, formulation));
            if let Stated::Rows(read) = &stated {
                assert_eq!(read.in_one_sense(), rows, "{}", format.name);
                if format.name != "lp" {
                    continue;
                }
            }
            assert_it_holds_where_it_fits(&problem, stated.judge());
        }
    }
}

fn assert_it_holds_where_it_fits(
    problem: &Problem,
    mut holds: impl FnMut(&BTreeSet<String>) -> bool,
) {
    let mut right = 0;
    let mut wrong = 0;
    for arrangement in arrangements(problem).iter().take(2) {
        let values = arrangement.values().collect_vec();
        for tried in neighbours(problem, &values) {
            let fits = check(problem, &problem.deal(tried.iter().copied())).is_ok();
            assert_eq!(holds(&ones(problem, &tried)), fits, "{tried:?}");
            if fits { right += 1 } else { wrong += 1 }
        }
    }
    assert!(right > 0 && wrong > 10, "{right} right, {wrong} wrong");
}

/// The values themselves, and variants with another value in one cell or with two cells exchanged.
fn neighbours(problem: &Problem, values: &[usize]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![values.to_vec()];
    for cell in 0..values.len() {
        for value in (0..problem.kinds.values.len()).step_by(3) {
            let mut changed = values.to_vec();
            changed[cell] = value;
            neighbours.push(changed);
        }
        for other in 0..cell {
            let mut changed = values.to_vec();
            changed.swap(cell, other);
            neighbours.push(changed);
        }
    }
    neighbours
}

#[test]
fn the_rows_are_the_rules() {
    assert_rows_are_the_rules(&[&puzzle("scramble-1")]);
    assert_rows_are_the_rules(&[&puzzle("random-vex-3x3-10-s1"), "--pin", "2,2=6"]);
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("heavy.yaml", HEAVY), ("spare.yaml", SPARE)] {
        let path = write(folder.path(), name, text);
        assert_rows_are_the_rules(&[path.to_str().unwrap()]);
    }
}

/// Four tiles with many solutions, to test nested constraints.
const FOUR: &str = "{rows: 2, cols: 2, tiles: {1: [a, a, b, b], 2: [a, b, a, b], 3: [a, a, a, b], 4: [b, b, b, a]}}";
const NESTED: [&str; 4] = [
    "- if: {pin: {tile: 3, cells: row 1}}\n  then: {forbid: {tile: 4, cells: row 2}}\n  else: {count: {rotation: 0, at_least: 2}}",
    "- any: [all: [forbid: {cells: row 1, tile: 1}, pin: {cell: [2, 2], tile: 2}], not: {count: {rotation: 0, at_most: 1}}]",
    "- exactly: {number: 1, of: [pin: {cell: [1, 1], tile: 4}, region: {tiles: [1, 2], only_in: row 1}, adjacent: {tiles: [3, 4]}]}",
    "- at_most: {number: 2, of: [rim: {same: true}, apart: {tiles: [1, 2]}, linear: {terms: [{weight: 5000, cells: row 1, rotation: 1}], at_least: 5000}, pin: {tile: 4, rotation: 0}]}",
];

#[test]
fn constraints_in_constraints_are_stated() {
    let folder = tempfile::tempdir().unwrap();
    let four = write(folder.path(), "four.yaml", FOUR);
    for list in NESTED {
        let list = write(folder.path(), "nested.yaml", list);
        let args = [four.to_str().unwrap(), "--constraints", list.to_str().unwrap()];
        assert_rows_are_the_rules(&args);
        assert_clauses_are_the_arrangements(&args, &FORMULATIONS);
    }
}

fn is_stated_nested(nested: &Nested) -> TestCaseResult {
    let (brute, problem) = (nested.brute_force(), nested.problem());
    // A model does not contain constraints that are checked on whole arrangements.
    prop_assume!(brute.is_some() && problem.as_ref().is_some_and(|problem| !problem.is_lazy()));
    let (brute, problem) = (brute.unwrap(), problem.unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "nested.yaml", nested.yaml());
    let arrangements: BTreeSet<ValueArrangement> =
        brute.iter().map(|a| ValueArrangement::new(&problem, a)).collect();
    let clauses = Clauses::read(&exported(&[file.to_str().unwrap()], "cnf", "balance"));
    let models = clauses.models();
    prop_assert_eq!(models.len(), arrangements.len());
    let found: BTreeSet<ValueArrangement> =
        models.iter().map(|names| arrangement_of(&problem, names)).collect();
    prop_assert_eq!(found, arrangements);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_sat_solver_obeys_constraints_in_constraints(nested in nested(SIZES)) {
        is_stated_nested(&nested)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "takes minutes; .ci/run runs it"]
    fn a_sat_solver_obeys_constraints_in_constraints_on_1000_puzzles(nested in nested(SIZES)) {
        is_stated_nested(&nested)?;
    }
}

#[test]
fn every_constraint_is_stated_whatever_its_weights() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "heavy.yaml", HEAVY);
    let read = Read::lp(&exported(&[path.to_str().unwrap()], "lp", "balance"));
    let (terms, sense, bound) = &read.rows["constraint_1"];
    let weights: BTreeSet<i64> = terms.values().copied().collect();
    assert_eq!(weights, BTreeSet::from([-30_001, 50_000, 70_000]));
    assert_eq!((sense.as_str(), *bound), ("<=", 99_999));
}

#[test]
fn numbers_that_clingo_cannot_compute_with_are_refused() {
    let path = "tests/cases/asp-large-weights.json";
    for format in FORMATS {
        let session = run(&["export", path, "--to", format.name, "-q"]);
        if format.range.largest < 6_000_000_000 {
            let others = "lp, mps, cnf, opb";
            let expected = format!(
                "row constraint_1 has numbers up to 6000000000, but programs that read this format \
                 compute with 32-bit integers, up to 2147483646; formats that support it: {others}"
            );
            assert_eq!((session.code, &*session.stdout), (2, ""), "{}", format.name);
            assert!(session.stderr.contains(&expected), "{}", session.stderr);
        } else {
            assert_eq!(session.code, 0, "{}", session.stderr);
        }
    }
    assert_clauses_are_the_arrangements(&[path], &FORMULATIONS);
    let session = run(&["export", path, "--to", "lp"]);
    let note = "the weights of row constraint_1 exceed the tolerances";
    assert!(session.stderr.contains(note), "{}", session.stderr);
}

#[test]
fn the_documentation_has_the_range_of_each_format() {
    let page = std::fs::read_to_string(at_root("docs/export.md")).unwrap();
    for format in FORMATS {
        let row = page
            .lines()
            .find(|line| line.starts_with('|') && line.contains(&format!("`{}`", format.name)));
        let row = row.unwrap_or_else(|| panic!("no range of {}", format.name));
        let range = format.range;
        assert!(row.contains(range.numbers), "{row}");
        assert!(row.contains(&range.largest.to_string()), "{row}");
        let weight = range.largest_weight.map_or("none".to_owned(), |w| w.to_string());
        assert!(row.ends_with(&format!("| {weight} |")), "{row}");
    }
}

#[test]
fn a_row_that_cannot_hold_is_stated_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let text = "{rows: 1, cols: 2, border: g, tiles: {1: [a, g, g, g], 2: [a, b, g, g]}}";
    let path = write(folder.path(), "empty.yaml", text);
    let args = [path.to_str().unwrap()];
    let problem = problem(&args);
    for (formulation, format) in FORMULATIONS.into_iter().cartesian_product(FORMATS) {
        let stated = Stated::read(format.name, &exported(&args, format.name, formulation));
        let mut holds = stated.judge();
        for tried in neighbours(&problem, &[0, 0]) {
            assert!(!holds(&ones(&problem, &tried)), "{}", format.name);
        }
        assert!(!holds(&BTreeSet::new()), "{}", format.name);
    }
    for formulation in FORMULATIONS {
        let read = Read::lp(&exported(&args, "lp", formulation));
        assert!(read.columns.contains_key("nothing"));
        let only = BTreeMap::from([("nothing".to_owned(), 1)]);
        assert_eq!(read.rows["tile_2"], (only, "=".into(), 1));
    }
}

/// Tests which columns are integer, and the names of rows.
#[test]
fn lp_and_mps_declare_the_same() {
    for formulation in FORMULATIONS {
        let args = [puzzle("scramble-1")];
        let args = [args[0].as_str()];
        let read = Read::lp(&exported(&args, "lp", formulation));
        assert_eq!(read, Read::mps(&exported(&args, "mps", formulation)));
        assert!(read.columns.iter().all(|(name, &is_whole)| is_whole == name.starts_with("x_")));
    }
}

#[test]
fn solutions_that_are_none_are_refused() {
    let path = puzzle("scramble-1");
    let folder = tempfile::tempdir().unwrap();
    let export = |cuts: &str, input: &str| {
        let flags = ["--to", "lp", "--with-cuts", cuts];
        run_with_input(&[&["export", path.as_str()], &flags[..]].concat(), input)
    };
    let solved = run(&["solve", "-q", &path]).stdout;
    let wrong = std::fs::read_to_string(at_root("tests/wrong.txt")).unwrap();
    let both = solved.replace("==========\n", "") + &wrong;
    let session = export("-", &both);
    assert_eq!((session.code, session.stdout.as_str()), (2, ""));
    let words = "-: arrangement 2 is not a solution: cells [1,2] and [2,2] do not match";
    assert!(session.stderr.contains(words), "{}", session.stderr);
    let missing = folder.path().join("missing.txt");
    let session = export(missing.to_str().unwrap(), "");
    assert!(session.code == 2 && session.stderr.contains("there is no such file"));
    let session = export("-", "=====UNKNOWN=====\n");
    assert!(session.code == 2 && session.stderr.contains("no arrangement in this file"));
    let json = run(&["solve", "-q", "--format", "json", &path]).stdout;
    assert_eq!(export("-", &json).stdout, export("-", &solved).stdout);
    let expanded = run(&["solve", "-q", "--expand", &path]).stdout;
    assert_eq!(export("-", &expanded).stdout, export("-", &solved).stdout);
}

#[test]
fn contradictions_are_refused() {
    let path = puzzle("scramble-1");
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], words: &str| {
        let session = run(&[&["export"], args].concat());
        assert_eq!((session.code, session.stdout.as_str()), (2, ""), "{args:?}");
        assert!(session.stderr.contains(words), "{}", session.stderr);
    };
    refused(&[&path], "--to");
    let formats = itertools::join(FORMATS.iter().map(|format| format.name), ", ");
    let words = format!("[possible values: {formats}]");
    refused(&[&path, "--to", "xlsx"], &words);
    refused(&[&path, "--to", "lp", "--formulation", "x"], "possible values: balance");
    refused(
        &[&path, "--to", "mzn", "--formulation", "balance"],
        "--formulation cannot be used with --to mzn",
    );
    refused(
        &["-", "--to", "lp", "--with-cuts", "-"],
        "the puzzle and the solutions can't both come from standard input",
    );
    refused(
        &[&path, "--to", "lp", "--constraints", "-", "--with-cuts", "-"],
        "the constraints and the solutions can't both come from standard input",
    );
    let spare = SPARE.replace("cols: 3", "cols: 2");
    let spare = write(folder.path(), "spare.yaml", spare);
    refused(
        &[spare.to_str().unwrap(), "--to", "lp", "--break-symmetry"],
        "the symmetry of a 1 × 2 grid is broken in several parts",
    );
    let twins = "{tiles: {1: [a, b, a, c], 2: [a, b, a, c], 3: [a, a, a, c], 4: [a, a, a, c]}}";
    let twins = write(folder.path(), "twins.yaml", twins);
    refused(
        &[twins.to_str().unwrap(), "--to", "lp", "--break-symmetry"],
        "nothing breaks the symmetry",
    );
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let path = puzzle("scramble-1");
    let folder = tempfile::tempdir().unwrap();
    let export = |to: &str| run(&["export", &path, "--to", "lp", "-o", to]);
    let file = folder.path().join("model.lp");
    let session = export(file.to_str().unwrap());
    assert_eq!(session.stderr, "324 variables, 102 rows (balance, lp)\n");
    let printed = exported(&[&path], "lp", "balance");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), printed);
    assert_eq!(export("-").stdout, printed);
    let missing = folder.path().join("nowhere/model.lp");
    let session = export(missing.to_str().unwrap());
    assert!(session.code == 2 && session.stderr.contains("there is no such folder"));
    let session = export(folder.path().to_str().unwrap());
    assert!(session.code == 2 && session.stderr.contains("can't be written"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let session = run(&["export", &puzzle("scramble-1"), "--to", "mps", "-o", "/dev/full"]);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("/dev/full can't be written: No space left"));
    use std::os::unix::fs::FileTypeExt;
    let kind = std::fs::metadata("/dev/full").unwrap().file_type();
    assert!(kind.is_char_device(), "the device is still there");
}

/// Reads the same solutions as names, as an answer set and as literals, and excludes them by cuts.
#[test]
fn answers_of_other_programs_are_checked_and_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let file = puzzle("knifflidiffels-version4");
    let problem = problem(&[&file]);
    let cnf = exported(&[&file], "cnf", "balance");
    let model = write(folder.path(), "model.cnf", &cnf);
    let model = model.to_str().unwrap();
    let numbers = Clauses::read(&cnf).names;
    let (mut names, mut sets, mut literals) = (String::new(), String::new(), String::new());
    let arrangements = arrangements(&problem);
    for (index, arrangement) in arrangements.iter().enumerate() {
        let ones = ones(&problem, &arrangement.values().collect_vec());
        names += &format!("{}\n", ones.iter().map(|name| format!("{name} 1")).join("\n"));
        let terms = ones.iter().map(|name| {
            let (cell, value) = name[2..].split_once("_t").unwrap();
            format!("place(c_{cell},t{value})")
        });
        sets += &format!("Answer: {}\n{}\n", index + 1, terms.format(" "));
        literals += &format!("v {} 0\n", ones.iter().map(|name| numbers[name]).format(" "));
    }
    for (answer, more) in [(&names, &[][..]), (&sets, &[]), (&literals, &["--model", model])] {
        let checked = run_with_input(&[&["check", &file, "-"], more].concat(), answer.as_str());
        assert_eq!(checked.code, 0, "{}", checked.stderr);
        assert_eq!(checked.stdout.matches(": fits").count(), arrangements.len());
        let cut = [&["export", "--to", "cnf", "--with-cuts", "-", &file], more].concat();
        let session = run_with_input(&cut, answer.as_str());
        assert!(Clauses::read(&session.stdout).models().is_empty());
    }
    let session = run_with_input(&["check", &file, "-"], literals);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("`--model puzzle.cnf`"), "{}", session.stderr);
}
