//! `tuple`: one variable for each allowed tuple of a seam.
//!
//! For each seam (a, b): y\[p,q\] for each allowed pair, `Σ_q` y\[p,q\] = x\[a,p\] for each p, and
//! `Σ_p` y\[p,q\] = x\[b,q\] for each q. The largest formulation, slightly tighter than `balance`.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::support::rows_of_placements;
use super::{Formulation, Meaning, Model, ModelSize, SeamEncoding, Sense, UNITS_PER_TERM};
use crate::runtime::limits::{CancelToken, Flow};

/// The `tuple` formulation: one variable for each seam and allowed tuple.
#[derive(Debug, Clone, Copy)]
pub struct Tuple;

impl Formulation for Tuple {
    fn name(&self) -> &'static str {
        "tuple"
    }

    fn encode(&self, seam: &SeamEncoding<'_>, model: &mut Model, token: &CancelToken<'_>) -> Flow {
        let [a, b] = seam.cells();
        // For the variable of each placement, those of the tuples that contain it.
        let mut tuples: HashMap<usize, Vec<usize>> = HashMap::new();
        for p in seam.first.iter() {
            for q in seam.second.iter().filter(|&q| seam.table.allows(p, q)) {
                let both = [(a, p), (b, q)].map(|(cell, v)| model.placement(cell, v));
                let [first, second] = both.map(|v| model.variables[v].name.clone());
                let name = format!("y{}{}", &first[1..], &second[1..]);
                let tuple = model.declare(name, Meaning::Both(both[0], both[1]));
                for x in both {
                    tuples.entry(x).or_default().push(tuple);
                }
                token.work(UNITS_PER_TERM)?;
            }
            token.work(seam.second.len())?;
        }
        let first = seam.first.iter().map(|p| (a, p));
        for (cell, value) in first.chain(seam.second.iter().map(|q| (b, q))) {
            let x = model.placement(cell, value);
            let name = format!("{}{}", seam.name, model.variables[x].name);
            let tuples = tuples.remove(&x).unwrap_or_default();
            let terms = tuples.into_iter().map(|y| (y, 1)).chain([(x, -1)]).collect();
            model.post(name, terms, Sense::Equal, 0);
        }
        ControlFlow::Continue(())
    }

    fn size(&self, seam: &SeamEncoding<'_>) -> ModelSize {
        ModelSize {
            variables: seam.table.number_of_tuples(seam.first, seam.second),
            equalities: rows_of_placements(seam),
            ..ModelSize::default()
        }
    }
}
