//! The edges of a puzzle with a solution, mixed until no solution is left.

use crate::random::Random;

use super::Source;
use super::deal::swap;
use super::planted::{Planted, Slot};

/// Puzzles with the edges of another source's, that need not have the solution it planted.
pub(super) struct Shuffled<'a>(pub &'a dyn Source);

/// The edges that may be swapped: those along the frame among themselves, and the others.
fn groups(planted: &Planted) -> [Vec<Slot>; 2] {
    let ends = |is_of_frame: bool| {
        let pairs = planted.pairs.iter().filter(move |pair| pair.is_of_frame == is_of_frame);
        pairs.flat_map(|pair| pair.ends)
    };
    [ends(false).chain(planted.loose.iter().copied()).collect(), ends(true).collect()]
}

impl Source for Shuffled<'_> {
    fn start(&self, random: &mut Random) -> Planted {
        let mut planted = self.0.start(random);
        for slots in groups(&planted) {
            let mut labels: Vec<_> = slots.iter().map(|&slot| planted.label(slot)).collect();
            random.shuffle(&mut labels);
            for (slot, label) in slots.into_iter().zip(labels) {
                planted.set(slot, label);
            }
        }
        planted
    }

    fn change(&self, planted: &mut Planted, random: &mut Random) -> bool {
        const ATTEMPTS: usize = 64;
        let groups = groups(planted);
        (0..ATTEMPTS).any(|_| {
            let slots = &groups[random.usize(..groups.len())];
            if slots.is_empty() {
                return false;
            }
            let [one, other] = [(); 2].map(|()| slots[random.usize(..slots.len())]);
            swap(planted, one, other)
        })
    }
}
