//! `tuple`: one variable for each allowed tuple of a seam.
//!
//! For each seam (a, b): y\[p,q\] for each allowed pair, `Σ_q` y\[p,q\] = x\[a,p\] for each p and
//! `Σ_p` y\[p,q\] = x\[b,q\] for each q. The largest formulation, slightly tighter than `balance`.

use super::support::rows_of_placements;
use super::{Formulation, Meaning, Model, SeamEncoding, Sense, Size};
use crate::puzzle::ValueId;

/// One variable for each seam and allowed tuple.
#[derive(Debug, Clone, Copy)]
pub struct Tuple;

impl Formulation for Tuple {
    fn name(&self) -> &'static str {
        "tuple"
    }

    fn encode(&self, seam: &SeamEncoding<'_>, model: &mut Model) {
        let [a, b] = seam.cells();
        let mut chosen = Vec::new();
        for p in seam.first.iter() {
            for q in seam.second.iter().filter(|&q| seam.table.allows(p, q)) {
                let both = (
                    model.placement(a, ValueId(p)),
                    model.placement(b, ValueId(q)),
                );
                let names = [both.0, both.1].map(|v| model.variables[v].name.clone());
                let name = format!("y{}{}", &names[0][1..], &names[1][1..]);
                chosen.push((both, model.declare(name, Meaning::Both(both.0, both.1))));
            }
        }
        for p in seam.first.iter() {
            let x = model.placement(a, ValueId(p));
            let of_x = chosen.iter().filter(|(both, _)| both.0 == x);
            equals(model, seam, x, of_x.map(|&(_, y)| y).collect());
        }
        for q in seam.second.iter() {
            let x = model.placement(b, ValueId(q));
            let of_x = chosen.iter().filter(|(both, _)| both.1 == x);
            equals(model, seam, x, of_x.map(|&(_, y)| y).collect());
        }
    }

    fn size(&self, seam: &SeamEncoding<'_>) -> Size {
        Size {
            variables: seam.table.number_of_tuples(seam.first, seam.second),
            equalities: rows_of_placements(seam),
            ..Size::default()
        }
    }
}

fn equals(model: &mut Model, seam: &SeamEncoding<'_>, placement: usize, tuples: Vec<usize>) {
    let name = format!("{}{}", seam.name, model.variables[placement].name);
    let tuples = tuples.into_iter().map(|y| (y, 1));
    let terms = tuples.chain([(placement, -1)]).collect();
    model.post(name, terms, Sense::Equal, 0);
}
