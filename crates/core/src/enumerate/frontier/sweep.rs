//! The sweep: a table of states with the number of ways to reach each, step by step.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::{ControlFlow, Range};

use num_bigint::BigUint;
use num_traits::{CheckedAdd, CheckedMul, One, Zero};
use rustc_hash::FxBuildHasher;

use super::MOST_BYTES;
use super::plan::SweepStep;
use crate::runtime::limits::{CancelToken, doubled};

/// The reason why a sweep has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoCount {
    /// The token stopped it.
    Stopped,
    /// It needs more transitions than allowed.
    TooManyTransitions,
    /// It needs more memory than this limit, in bytes.
    Memory(u64),
    /// It reached this limit on the number of states.
    StateLimit(u64),
    /// The type of the numbers of ways is too small.
    Overflow,
}

/// The limits of sweeps, beside those of the token.
#[derive(Debug, Clone, Copy)]
pub(in crate::enumerate) struct SweepLimits {
    /// The maximum number of states, if limited.
    pub states: Option<u64>,
    /// The maximum number of transitions.
    pub transitions: u64,
}

/// The cost of sweeps so far, and its limits.
#[derive(Debug)]
pub(super) struct SweepCost<'a> {
    pub token: &'a CancelToken<'a>,
    limits: SweepLimits,
    /// The number of bytes of tables that are kept until the end.
    pub kept_bytes: u64,
    /// The number of transitions between states.
    transitions: u64,
    /// The number of states.
    pub states: u64,
}

/// The states after a step, with the number of ways to reach each.
pub(super) type Layer<W> = HashMap<u128, W, FxBuildHasher>;

/// A number of ways. The alias of the traits that a sweep needs.
pub(super) trait Ways: CheckedAdd + CheckedMul + One + Zero + Clone + Into<BigUint> {}

impl<W: CheckedAdd + CheckedMul + One + Zero + Clone + Into<BigUint>> Ways for W {}

/// The memory of a table of states, in bytes.
pub(super) fn bytes<W>(layer: &Layer<W>) -> u64 {
    layer.capacity() as u64 * (size_of::<(u128, W)>() as u64 + 1)
}

impl<'a> SweepCost<'a> {
    /// No cost yet.
    pub fn new(token: &'a CancelToken<'a>, limits: SweepLimits) -> Self {
        SweepCost { token, limits, kept_bytes: 0, transitions: 0, states: 0 }
    }

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
        let own = bytes(layer);
        // Most steps need about as many states as the one before.
        self.take_memory(own, doubled(layer.len() / 2, entry))?;
        let mut next: Layer<W> = HashMap::with_capacity_and_hasher(layer.len(), FxBuildHasher);
        let mut index = MoveIndex::new(step, classes);
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
        match self.limits.states.filter(|&most| self.states > most) {
            Some(most) => Err(NoCount::StateLimit(most)),
            None => Ok(next),
        }
    }

    /// Counts some transitions from one state.
    ///
    /// # Errors
    /// If there are more than allowed, or the token stops the sweep.
    pub fn take_time(&mut self, moves: usize) -> Result<(), NoCount> {
        self.transitions += moves as u64;
        if self.transitions > self.limits.transitions {
            return Err(NoCount::TooManyTransitions);
        }
        // A transition changes memory at a random place.
        self.work(8 * moves)
    }

    /// Counts units of work; an error if the token stops the sweep.
    pub fn work(&self, units: usize) -> Result<(), NoCount> {
        match self.token.work(1 + units) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(NoCount::Stopped),
        }
    }

    fn take_memory(&mut self, own: u64, more: u64) -> Result<(), NoCount> {
        let all = self.kept_bytes + own + more;
        let own_limit = (all > MOST_BYTES).then_some(MOST_BYTES);
        let exceeded = own_limit.or_else(|| self.token.memory_exceeded(more));
        exceeded.map_or(Ok(()), |limit| Err(NoCount::Memory(limit)))
    }
}

impl SweepStep {
    /// The state after a move; `None` if a counter would leave its bounds.
    pub fn successor(&self, state: u128, at: usize) -> Option<u128> {
        let chosen = &self.moves[at];
        let kept = state & self.before;
        if chosen.uses.iter().any(|used| used.field.number_in(kept) > used.most_before) {
            return None;
        }
        let mut next = kept + chosen.added;
        for &(field, floor) in &self.raised {
            next += field.holding(floor.saturating_sub(field.number_in(next)));
        }
        let is_reached = self.retired.iter().all(|&(field, least)| field.number_in(next) >= least);
        is_reached.then_some(next & self.after)
    }
}

/// The moves of a step by the classes in the incoming fields, found on first use.
pub(super) struct MoveIndex<'a> {
    step: &'a SweepStep,
    classes: &'a [u64],
    known: HashMap<u128, Range<usize>, FxBuildHasher>,
    /// The moves of all ranges.
    pub found: Vec<usize>,
}

impl<'a> MoveIndex<'a> {
    /// An index without known moves. `classes` has the fixed class of each link across the cut.
    pub fn new(step: &'a SweepStep, classes: &'a [u64]) -> Self {
        MoveIndex { step, classes, known: HashMap::default(), found: Vec::new() }
    }

    /// The moves from a state, as a range of `found`.
    pub fn moves(&mut self, state: u128) -> Range<usize> {
        let MoveIndex { step, classes, known, found } = self;
        let fits = |at: &usize| {
            let fields = step.incoming.iter().map(|field| field.number_in(state));
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
