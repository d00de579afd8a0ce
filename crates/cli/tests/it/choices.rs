//! Readers of the exports that describe choices of values for cells instead of rows: clingo's facts
//! and MiniZinc's data. Both become [`Choices`], which this file evaluates independently of the
//! program.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

/// A puzzle as choices of values, with the names in the file.
#[derive(Debug, Default)]
pub struct Choices {
    /// The possible values of each cell.
    can: BTreeMap<String, BTreeSet<String>>,
    /// The kind of each value.
    kind: BTreeMap<String, String>,
    /// The minimum and maximum number of uses of each kind.
    uses: BTreeMap<String, [i64; 2]>,
    /// The allowed pairs: a table and two values.
    fit: BTreeSet<(String, String, String)>,
    /// The seams: two cells, the table, and the part that is true if the seam does not match,
    /// unless it must.
    seams: Vec<(String, String, String, Option<String>)>,
    /// The names of the auxiliary variables.
    parts: Vec<String>,
    rows: Vec<Row>,
}

/// A linear constraint: weighted atoms, the sense (`<=`, `>=` or `=`), and the bound.
type Row = (Vec<(i64, Atom)>, String, i64);

/// A 0-1 variable in a row.
#[derive(Debug, Clone)]
enum Atom {
    Placed(String, String),
    Part(String),
}

impl Choices {
    /// Reads clingo's facts. The rules before them are assumed to be the known ones.
    pub fn asp(text: &str) -> Choices {
        let mut choices = Choices::default();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let facts = text.split_once("#show place/2.").unwrap().1;
        for line in facts.lines().filter(|line| !line.starts_with('%')) {
            if let Some(row) = line.strip_prefix(":- #sum { ") {
                choices.rows.push(forbidden(row));
                continue;
            }
            if let Some(part) = line.strip_prefix("{ ") {
                choices.parts.push(part.trim_end_matches(" }.").to_owned());
                continue;
            }
            for fact in line.split_terminator(['.', ' ']).filter(|fact| !fact.is_empty()) {
                let (name, arguments) = fact.trim_end_matches(')').split_once('(').unwrap();
                let arguments = arguments.split(',').map(str::to_owned).collect_vec();
                match (name, &arguments[..]) {
                    ("cell", [cell]) => drop(choices.can.entry(cell.clone()).or_default()),
                    ("can", [cell, value]) => {
                        choices.can.entry(cell.clone()).or_default().insert(value.clone());
                    }
                    ("kind", [value, kind]) => {
                        choices.kind.insert(value.clone(), kind.clone());
                    }
                    ("uses", [kind, least, most]) => {
                        let uses = [least, most].map(|number| number.parse().unwrap());
                        choices.uses.insert(kind.clone(), uses);
                    }
                    ("first", [table, block, value]) => {
                        first.push((table.clone(), block.clone(), value.clone()));
                    }
                    ("second", [table, block, value]) => {
                        second.push((table.clone(), block.clone(), value.clone()));
                    }
                    ("seam", [name, one, other, table]) => {
                        let broken = Some(format!("broken({name})"));
                        choices.seams.push((one.clone(), other.clone(), table.clone(), broken));
                    }
                    ("must", [name]) => choices.seams[name.parse::<usize>().unwrap()].3 = None,
                    other => panic!("{other:?}"),
                }
            }
        }
        for ((table, block, value), (other, its, fitting)) in
            first.iter().cartesian_product(&second)
        {
            if (table, block) == (other, its) {
                choices.fit.insert((table.clone(), value.clone(), fitting.clone()));
            }
        }
        choices
    }

    /// Reads the data after the MiniZinc model, which is the same for every puzzle.
    pub fn mzn(text: &str) -> Choices {
        let items: BTreeMap<&str, &str> = text
            .lines()
            .skip_while(|line| !line.starts_with("cells = "))
            .map(|line| line.trim_end_matches(';').split_once(" = ").unwrap())
            .collect();
        let numbers = |name: &str| -> Vec<i64> {
            let text = items[name].trim_start_matches("array2d(1..0, 1..2, ");
            let text = text.trim_start_matches("array2d(1..0, 1..3, ");
            let words = text.split(|c: char| !c.is_ascii_digit() && c != '-');
            words.filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect()
        };
        let names = |name: &str| -> Vec<String> {
            items[name].split('"').skip(1).step_by(2).map(str::to_owned).collect()
        };
        let cells = names("cell_name").iter().map(|name| format!("c_{name}")).collect_vec();
        let values = names("value_name");
        let at = |list: &[String], index: i64| list[index as usize - 1].clone();
        let mut choices = Choices::default();
        for (cell, set) in cells.iter().zip(items["can"].split('}')) {
            let words = set.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
            let set = words.map(|word| at(&values, word.parse().unwrap()));
            choices.can.insert(cell.clone(), set.collect());
        }
        let kinds = values.iter().zip(numbers("kind"));
        choices.kind = kinds.map(|(value, kind)| (value.clone(), kind.to_string())).collect();
        let uses = numbers("least").into_iter().zip(numbers("most")).enumerate();
        choices.uses = uses.map(|(kind, (l, m))| ((kind + 1).to_string(), [l, m])).collect();
        let pairs = numbers("pairs");
        for (table, span) in numbers("span").chunks(2).enumerate() {
            for pair in span[0]..=span[1] {
                let [p, q] = [pairs[2 * pair as usize - 2], pairs[2 * pair as usize - 1]];
                let table = (table + 1).to_string();
                choices.fit.insert((table, at(&values, p), at(&values, q)));
            }
        }
        let seams =
            itertools::izip!(numbers("here"), numbers("there"), numbers("uses"), numbers("broken"));
        choices.seams = seams
            .map(|(here, there, table, broken)| {
                let broken = (broken > 0).then(|| broken.to_string());
                (at(&cells, here), at(&cells, there), table.to_string(), broken)
            })
            .collect();
        let of_seams = choices.seams.iter().filter(|seam| seam.3.is_some()).count() as i64;
        choices.parts = (1..=numbers("parts")[0] - of_seams).map(|part| part.to_string()).collect();
        let terms = itertools::izip!(numbers("weight"), numbers("term_cell"), numbers("term"));
        let terms = terms.map(|(weight, cell, term)| match cell {
            0 => (weight, Atom::Part(term.to_string())),
            cell => (weight, Atom::Placed(at(&cells, cell), at(&values, term))),
        });
        let terms = terms.collect_vec();
        for row in numbers("row").chunks(3) {
            let terms = terms[row[0] as usize - 1..row[1] as usize].to_vec();
            choices.rows.push((terms, "<=".into(), row[2]));
        }
        choices
    }

    /// Returns true if the placements whose columns are in `ones`, with some values of the
    /// auxiliary variables, satisfy everything.
    pub fn holds(&self, ones: &BTreeSet<String>) -> bool {
        let mut at = BTreeMap::new();
        for (cell, can) in &self.can {
            let name = |value: &&String| ones.contains(&format!("x{}_{value}", &cell[1..]));
            let mut taken = can.iter().filter(name);
            match (taken.next(), taken.next()) {
                (Some(value), None) => drop(at.insert(cell.as_str(), value.as_str())),
                _ => return false,
            }
        }
        let counted =
            |kind: &String| at.values().filter(|value| self.kind[**value] == *kind).count();
        let mut uses = self.uses.iter();
        if !uses.all(|(kind, [least, most])| (*least..=*most).contains(&(counted(kind) as i64))) {
            return false;
        }
        let mut parts = BTreeMap::new();
        for (one, other, table, broken) in &self.seams {
            let pair = (table.clone(), at[one.as_str()].to_owned(), at[other.as_str()].to_owned());
            match (self.fit.contains(&pair), broken) {
                (false, None) => return false,
                (fits, Some(part)) => drop(parts.insert(part.as_str(), !fits)),
                (true, None) => {}
            }
        }
        self.holds_with(&at, &mut parts, 0)
    }

    /// Backtracks over the values of the auxiliary variables from index `next`; a row is checked
    /// when all its variables have values.
    fn holds_with<'a>(
        &'a self,
        at: &BTreeMap<&str, &str>,
        parts: &mut BTreeMap<&'a str, bool>,
        next: usize,
    ) -> bool {
        let value = |atom: &Atom| match atom {
            Atom::Placed(cell, value) => Some(at[cell.as_str()] == value),
            Atom::Part(part) => parts.get(part.as_str()).copied(),
        };
        let breaks = |(terms, sense, bound): &Row| {
            let counted: Option<Vec<i64>> =
                terms.iter().map(|(w, atom)| Some(w * i64::from(value(atom)?))).collect();
            counted.is_some_and(|counted| {
                let sum: i64 = counted.iter().sum();
                !match sense.as_str() {
                    "<=" => sum <= *bound,
                    ">=" => sum >= *bound,
                    _ => sum == *bound,
                }
            })
        };
        if self.rows.iter().any(breaks) {
            return false;
        }
        let Some(part) = self.parts.get(next) else {
            return true;
        };
        for is_true in [true, false] {
            parts.insert(part, is_true);
            if self.holds_with(at, parts, next + 1) {
                return true;
            }
        }
        parts.remove(part.as_str());
        false
    }
}

/// Parses the forbidden row `2,7 : place(c_1_1,t1_0); … } > 3.`; returns its negation, which must
/// hold.
fn forbidden(text: &str) -> Row {
    let (terms, end) = text.trim_end_matches('.').split_once(" }").unwrap();
    let (sense, bound) = end.trim().split_once(' ').unwrap();
    let terms = terms.split("; ").filter(|term| !term.is_empty()).map(|term| {
        let (weight, atom) = term.split_once(" : ").unwrap();
        let placed = atom.strip_prefix("place(").map(|rest| rest.trim_end_matches(')'));
        let atom = match placed.and_then(|rest| rest.split_once(',')) {
            Some((cell, value)) => Atom::Placed(cell.to_owned(), value.to_owned()),
            None => Atom::Part(atom.to_owned()),
        };
        (weight.split(',').next().unwrap().parse().unwrap(), atom)
    });
    let sense = match sense {
        ">" => "<=",
        "<" => ">=",
        _ => "=",
    };
    (terms.collect(), sense.to_owned(), bound.parse().unwrap())
}
