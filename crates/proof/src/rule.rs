//! Rules that every solution satisfies, over 0-1 variables.

/// A rule over 0-1 variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Rule {
    /// At least one of these literals is true.
    Clause(Vec<i32>),
    /// At most `most` of these variables are true.
    AtMost {
        /// The variables.
        of: Vec<i32>,
        /// The bound.
        most: usize,
    },
    /// Σ over cells of the weight of the true literal ≤ `most`.
    Sum {
        /// The literals of each cell with their weights.
        cells: Vec<Vec<(i32, i64)>>,
        /// The bound.
        most: i64,
    },
}

impl Rule {
    /// The rule with each variable replaced by its image; `None` if one has no image. `images`
    /// starts with variable 1.
    pub(super) fn moved(&self, images: &[Option<i32>]) -> Option<Rule> {
        let image = |&literal: &i32| {
            let image = images[literal.unsigned_abs() as usize - 1]?;
            Some(image * literal.signum())
        };
        Some(match self {
            Rule::Clause(clause) => Rule::Clause(clause.iter().map(image).collect::<Option<_>>()?),
            Rule::AtMost { of, most } => {
                Rule::AtMost { of: of.iter().map(image).collect::<Option<_>>()?, most: *most }
            }
            Rule::Sum { cells, most } => {
                let counted = |(variable, weight): &(i32, i64)| Some((image(variable)?, *weight));
                let cells =
                    cells.iter().map(|cell| cell.iter().map(counted).collect::<Option<Vec<_>>>());
                Rule::Sum { cells: cells.collect::<Option<_>>()?, most: *most }
            }
        })
    }

    /// Sorts the parts of the rule, so that equal rules have equal representations.
    pub(super) fn in_order(mut self) -> Rule {
        match &mut self {
            Rule::Clause(of) | Rule::AtMost { of, .. } => of.sort_unstable(),
            Rule::Sum { cells, .. } => {
                // Cells with only zero weights do not matter.
                cells.retain(|cell| cell.iter().any(|&(_, weight)| weight != 0));
                cells.iter_mut().for_each(|cell| cell.sort_unstable());
                cells.sort_unstable();
            }
        }
        self
    }

    /// The rule that at least `number` of these variables are true; repeated variables count
    /// repeatedly.
    pub(super) fn at_least(number: usize, mut of: Vec<i32>) -> Rule {
        of.sort_unstable();
        if number == 1 {
            of.dedup();
            return Rule::Clause(of);
        }
        Rule::Sum {
            most: of.len() as i64 - number as i64,
            cells: of.into_iter().map(|part| vec![(part, 0), (-part, 1)]).collect(),
        }
    }

    /// The rule that `variable` implies this one; `None` if this one always holds.
    pub(super) fn when(&self, variable: i32) -> Option<Rule> {
        match self {
            Rule::Clause(of) => Some(Rule::Clause([&of[..], &[-variable]].concat())),
            Rule::AtMost { of, most } => {
                let cells = of.iter().map(|&variable| vec![(variable, 1), (-variable, 0)]);
                Rule::Sum { cells: cells.collect(), most: *most as i64 }.when(variable)
            }
            Rule::Sum { cells, most } => {
                // With one true literal per cell.
                let weights = |cell: &Vec<(i32, i64)>| cell.iter().map(|&(_, weight)| weight).max();
                let largest: i64 = cells.iter().filter_map(weights).sum();
                let loosened = vec![(variable, largest - most), (-variable, 0)];
                (largest > *most).then(|| Rule::Sum {
                    cells: cells.iter().cloned().chain([loosened]).collect(),
                    most: largest,
                })
            }
        }
    }
}
