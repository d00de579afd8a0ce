//! Names of variables and rows that every reader accepts: unique, of letters, digits and `_`,
//! starting with a letter.

use std::collections::HashSet;

use crate::board::CellName;
use crate::model::{Meaning, Model};
use crate::problem::{Placed, Problem};

/// A name for each variable: `x_1_2_t5_0` for a placement, `y` and two placements for a pair.
pub(super) fn columns(problem: &Problem, model: &Model) -> Vec<String> {
    let mut columns: Vec<String> = Vec::with_capacity(model.variables.len());
    let mut taken = Taken::default();
    for variable in &model.variables {
        let name = match variable.meaning {
            Meaning::Placement { cell, value } => {
                format!("x_{}_{}", cell_name(problem, cell), value_name(problem, value))
            }
            Meaning::Both(p, q) => format!("y{}{}", &columns[p][1..], &columns[q][1..]),
            Meaning::Broken | Meaning::Holds => safe(&variable.name),
        };
        columns.push(taken.take(name));
    }
    columns
}

/// A name for each row.
pub(super) fn rows(model: &Model) -> Vec<String> {
    let mut taken = Taken::default();
    // The objective occupies a name among the rows.
    taken.0.insert("obj".to_owned());
    model.rows.iter().map(|row| taken.take(safe(&row.name))).collect()
}

/// The name of a cell: `1_2` for row 1, column 2; on other boards based on its name.
pub(super) fn cell_name(problem: &Problem, cell: usize) -> String {
    match &problem.board.cells()[cell].name {
        CellName::At(row, column) => format!("{row}_{column}"),
        CellName::Named(name) if is_plain(name) => name.clone(),
        CellName::Named(name) => numbered(name, cell),
    }
}

/// The name of a value: `t5_0` for tile 5 in rotation 0.
pub(super) fn value_name(problem: &Problem, value: usize) -> String {
    let Placed { tile, orientation } = problem.first_with(value);
    let name = &problem.puzzle.tiles[tile].name;
    let rotation = safe(&problem.puzzle.tiles[tile].describe(orientation));
    if is_plain(name) {
        return format!("t{name}_{rotation}");
    }
    format!("t{}_{rotation}", numbered(name, tile))
}

/// The start of a name and a number from 1. Plain names contain no `_`, so the number alone keeps
/// names unique.
fn numbered(name: &str, index: usize) -> String {
    let start: String = safe(name).chars().take(LONGEST).collect();
    format!("{start}_{}", index + 1)
}

/// The number of characters that a name may have, or is shortened to.
const LONGEST: usize = 12;

/// Returns true if the name of a tile or cell can be used unchanged.
pub(super) fn is_plain(name: &str) -> bool {
    name.len() <= LONGEST && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Reduces a text to letters, digits and `_`; the signs of halves become words.
pub(super) fn safe(text: &str) -> String {
    const LONGEST: usize = 100;
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '+' => safe += "_plus",
            '-' => safe += "_minus",
            c if c.is_ascii_alphanumeric() => safe.push(c),
            _ if safe.ends_with('_') || safe.is_empty() => {}
            _ => safe.push('_'),
        }
    }
    safe.truncate(LONGEST);
    safe.truncate(safe.trim_end_matches('_').len());
    safe
}

/// The names already in use.
#[derive(Default)]
struct Taken(HashSet<String>);

impl Taken {
    /// Reserves a name, with a number appended if it is already in use.
    fn take(&mut self, name: String) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let free =
            names.find(|name| !self.0.contains(name)).expect("there is always another number");
        self.0.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::Domains;
    use crate::load;
    use crate::model::{FORMULATIONS, Tuple};

    #[test]
    fn texts_become_safe() {
        let cases = [
            ("seam[1,1][1,2]ylw+", "seam_1_1_1_2_ylw_plus"),
            ("tile[ü b]most", "tile_b_most"),
            ("a__b  c", "a_b_c"),
            ("[]", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(safe(text), expected);
        }
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let mut taken = Taken::default();
        let names = ["a", "a_2", "a", "a"].map(|name| taken.take(name.to_owned()));
        assert_eq!(names, ["a", "a_2", "a_3", "a_4"]);
    }

    #[test]
    fn every_name_is_safe_and_unique_whatever_the_tiles_are_called() {
        let long = "w".repeat(60);
        let problem = load::from_str(&format!(
            "{{rows: 2, cols: 2, tiles: {{'a b': [x+, 'é', x-, 'y z'], 'a_b': ['é', x+, 'é', x-],
              {long}: [x+, x+, x-, x-], '日本': ['é', 'é', 'é', 'y z'], e5: ['é', x-, x+, x-],
              {long}2: ['é', x-, x-, x-]}}}}"
        ))
        .unwrap();
        let domains = Domains::first(&problem);
        for formulation in FORMULATIONS {
            let model = Model::build_whole(&problem, &domains, formulation);
            for names in [columns(&problem, &model), rows(&model)] {
                let different: HashSet<&String> = names.iter().collect();
                assert_eq!(different.len(), names.len());
                for name in &names {
                    let is_safe = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    assert!(name.chars().all(is_safe) && name.len() < 120, "{name}");
                    let mut first = name.chars();
                    assert!(first.next().unwrap().is_ascii_alphabetic(), "{name}");
                    let is_number = name.starts_with(['e', 'E'])
                        && first.next().is_none_or(|c| c.is_ascii_digit());
                    assert!(!is_number, "{name}");
                }
            }
        }
        let model = Model::build_whole(&problem, &domains, &Tuple);
        let names = columns(&problem, &model);
        for expected in ["x_1_1_ta_b_1_0", "x_1_1_ta_b_2_3", "x_2_2_te5_1", "x_1_2_t_4_0"] {
            assert!(names.iter().any(|name| name == expected), "{expected}");
        }
    }
}
