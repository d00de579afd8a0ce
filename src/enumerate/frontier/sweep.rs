//! The sweep: a table of states with the number of ways to reach each, step by step.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::{ControlFlow, Range};

use num_bigint::BigUint;
use num_traits::{CheckedAdd, One};
use rustc_hash::FxBuildHasher;

use super::plan::SweepStep;
use crate::runtime::limits::{CancelToken, Flow, doubled};

/// The reason why a sweep has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoCount {
    /// The token stopped it.
    Stopped,
    /// It needs more memory or transitions than allowed.
    TooManyStates,
    /// It reached this limit on the number of states.
    StateLimit(u64),
    /// The type of the numbers of ways is too small.
    Overflow,
}

/// The cost of sweeps so far, and its limits.
#[derive(Debug)]
pub(super) struct SweepCost<'a> {
    pub token: &'a CancelToken<'a>,
    /// The maximum number of bytes of the tables of a step.
    pub most_bytes: u64,
    /// The maximum number of transitions.
    pub most_transitions: u64,
    /// The maximum number of states, if limited.
    pub most_states: Option<u64>,
    /// The number of transitions between states.
    pub transitions: u64,
    /// The number of states.
    pub states: u64,
}

/// The states after a step, with the number of ways to reach each.
pub(super) type Layer<W> = HashMap<u128, W, FxBuildHasher>;

/// A number of ways. The alias of the traits that a sweep needs.
pub(super) trait Ways: CheckedAdd + One + Clone + Into<BigUint> {}

impl<W: CheckedAdd + One + Clone + Into<BigUint>> Ways for W {}

impl SweepCost<'_> {
    /// Takes a step from every state of a layer. `classes` has the fixed class of each link across
    /// the cut.
    ///
    /// # Errors
    /// If a limit is reached, or `W` cannot hold a number of ways.
    pub fn advance<W: Ways>(
        &mut self,
        step: &SweepStep,
        layer: &Layer<W>,
        classes: &[u64],
    ) -> Result<Layer<W>, NoCount> {
        let entry = size_of::<(u128, W)>() as u64;
        let own = layer.capacity() as u64 * (entry + 1);
        // Most steps need about as many states as the one before.
        self.take_memory(own, doubled(layer.len() / 2, entry))?;
        let mut next: Layer<W> = HashMap::with_capacity_and_hasher(layer.len(), FxBuildHasher);
        let mut index = MoveIndex { step, classes, known: HashMap::default(), found: Vec::new() };
        for (&state, ways) in layer {
            let moves = index.moves(state);
            self.take_time(moves.len())?;
            for &at in &index.found[moves] {
                let Some(to) = step.successor(state, at) else { continue };
                if next.len() == next.capacity() {
                    self.take_memory(own, doubled(next.capacity(), entry))?;
                }
                match next.entry(to) {
                    Entry::Vacant(vacant) => {
                        vacant.insert(ways.clone());
                    }
                    Entry::Occupied(mut known) => match known.get().checked_add(ways) {
                        Some(sum) => *known.get_mut() = sum,
                        None => return Err(NoCount::Overflow),
                    },
                }
            }
        }
        self.states += next.len() as u64;
        match self.most_states.filter(|&most| self.states > most) {
            Some(most) => Err(NoCount::StateLimit(most)),
            None => Ok(next),
        }
    }

    fn take_time(&mut self, moves: usize) -> Result<(), NoCount> {
        self.transitions += moves as u64;
        if self.transitions > self.most_transitions {
            return Err(NoCount::TooManyStates);
        }
        // A transition changes memory at a random place.
        unless_stopped(self.token.work(1 + 8 * moves))
    }

    fn take_memory(&mut self, own: u64, more: u64) -> Result<(), NoCount> {
        let has_room = own + more <= self.most_bytes && self.token.has_room(more);
        if has_room { Ok(()) } else { Err(NoCount::TooManyStates) }
    }
}

fn unless_stopped(flow: Flow) -> Result<(), NoCount> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(NoCount::Stopped),
    }
}

impl SweepStep {
    /// The state after a move; `None` if a counter would leave its bounds.
    fn successor(&self, state: u128, at: usize) -> Option<u128> {
        let chosen = &self.moves[at];
        let kept = state & self.before;
        if chosen.uses.iter().any(|used| used.field.of(kept) > used.most_before) {
            return None;
        }
        let mut next = kept + chosen.added;
        for &(field, floor) in &self.raised {
            next += field.holding(floor.saturating_sub(field.of(next)));
        }
        let is_reached = self.retired.iter().all(|&(field, least)| field.of(next) >= least);
        is_reached.then_some(next & self.after)
    }
}

/// The moves of a step by the classes in the incoming fields, found on first use.
struct MoveIndex<'a> {
    step: &'a SweepStep,
    classes: &'a [u64],
    known: HashMap<u128, Range<usize>, FxBuildHasher>,
    found: Vec<usize>,
}

impl MoveIndex<'_> {
    /// The moves from a state, as a range of `found`.
    fn moves(&mut self, state: u128) -> Range<usize> {
        let MoveIndex { step, classes, known, found } = self;
        let fits = |at: &usize| {
            let fields = step.incoming.iter().map(|field| field.of(state));
            let cut = step.cut.iter().map(|&link| classes[link]);
            let mut accepts = step.moves[*at].accepts.iter().zip(fields.chain(cut));
            accepts.all(|(accepts, class)| accepts.binary_search(&class).is_ok())
        };
        let search = || {
            let from = found.len();
            found.extend((0..step.moves.len()).filter(fits));
            from..found.len()
        };
        known.entry(state & !step.before).or_insert_with(search).clone()
    }
}
