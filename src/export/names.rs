//! Names of variables and rows that every reader accepts: unique, of ASCII letters, digits and `_`,
//! starting with a letter.

use std::collections::HashSet;

use crate::board::CellName;
use crate::model::{Meaning, Model};
use crate::problem::{Placed, Problem};

/// A unique name for each variable, such as `x_1_2_t5_0` for a placement. A variable for two
/// placements has the name `y` followed by both.
pub(super) fn columns(problem: &Problem, model: &Model) -> Vec<String> {
    let mut columns: Vec<String> = Vec::with_capacity(model.variables.len());
    let mut taken = UsedNames::default();
    for variable in &model.variables {
        let name = match variable.meaning {
            Meaning::Placement { cell, value } => {
                format!("x_{}_{}", cell_name(problem, cell), value_name(problem, value))
            }
            Meaning::Both(p, q) => format!("y{}{}", &columns[p][1..], &columns[q][1..]),
            Meaning::Broken | Meaning::Holds => safe(&variable.name),
        };
        columns.push(taken.reserve(name));
    }
    columns
}

/// A unique name for each row; none is `obj`, the name of the objective.
pub(super) fn rows(model: &Model) -> Vec<String> {
    let mut taken = UsedNames::default();
    // The objective shares the name space of the rows.
    taken.0.insert("obj".to_owned());
    let name = |text: &str| {
        let name = safe(text);
        // A constraint may have any name, but readers want a letter first.
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("c_{name}") }
    };
    model.rows.iter().map(|row| taken.reserve(name(&row.name))).collect()
}

/// The name of a cell: `1_2` for row 1, column 2; for a named cell its name, or a safe name that
/// starts like it.
pub(super) fn cell_name(problem: &Problem, cell: usize) -> String {
    match &problem.board.cells()[cell].name {
        CellName::At(row, column) => format!("{row}_{column}"),
        CellName::Named(name) if is_plain(name) => name.clone(),
        CellName::Named(name) => numbered_name(name, cell),
    }
}

/// The name of a value: `t5_0` for tile 5 in rotation 0, where 5 is the name of the first tile of
/// its kind.
pub(super) fn value_name(problem: &Problem, value: usize) -> String {
    let Placed { tile, orientation } = problem.first_with(value);
    let name = &problem.puzzle.tiles[tile].name;
    let rotation = safe(&problem.puzzle.tiles[tile].describe(orientation));
    if is_plain(name) {
        return format!("t{name}_{rotation}");
    }
    format!("t{}_{rotation}", numbered_name(name, tile))
}

/// A safe name: the first characters of `name`, and `index` + 1. Plain names contain no `_`, so the
/// number alone keeps names unique.
fn numbered_name(name: &str, index: usize) -> String {
    let start: String = safe(name).chars().take(LONGEST).collect();
    format!("{start}_{}", index + 1)
}

/// The maximum number of characters of a plain name, and of the start of other names.
const LONGEST: usize = 12;

/// Returns true if the name of a tile or cell can be used unchanged: at most 12 ASCII letters and
/// digits.
pub(super) fn is_plain(name: &str) -> bool {
    name.len() <= LONGEST && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Reduces a text to at most 100 ASCII letters, digits and `_`: `+` becomes `_plus`, `-` becomes
/// `_minus`, and other characters become `_`, which is dropped at the ends. May return an empty
/// text.
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
struct UsedNames(HashSet<String>);

impl UsedNames {
    /// Reserves and returns a name, with the first free number from 2 appended if it is already in
    /// use.
    fn reserve(&mut self, name: String) -> String {
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
        let mut taken = UsedNames::default();
        let names = ["a", "a_2", "a", "a"].map(|name| taken.reserve(name.to_owned()));
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
            let model = Model::build_whole(&problem, &[], &domains, formulation);
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
        let model = Model::build_whole(&problem, &[], &domains, &Tuple);
        let names = columns(&problem, &model);
        for expected in ["x_1_1_ta_b_1_0", "x_1_1_ta_b_2_3", "x_2_2_te5_1", "x_1_2_t_4_0"] {
            assert!(names.iter().any(|name| name == expected), "{expected}");
        }
    }
}
