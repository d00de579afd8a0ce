//! The steps of a sweep through a row. With few labels, eight steps are processed together so that
//! the compiler vectorises them; otherwise one by one.

use std::ops::BitOr;

use crate::engine::backtrack::side_label::SideLabel;

/// A set of labels as bits, and the operations of a sweep on it. If there are more labels than
/// bits, several labels share a bit, so a sweep may keep too many labels but never too few.
pub(super) trait LabelBits: Copy + PartialEq + BitOr<Output = Self> {
    /// The representation of steps that a sweep reads: single or grouped.
    type Steps: Copy + Send + Sync;

    const NONE: Self;
    const ALL: Self;

    /// Returns 1 if the label is in the set, otherwise 0.
    fn has(self, label: SideLabel) -> u32;

    /// Converts steps, which must be sorted by kind.
    fn steps(steps: &[SweepValue]) -> Vec<Self::Steps>;

    /// The labels on side `TO` of the free steps whose label on side `FROM` is in this set.
    fn follow<const FROM: usize, const TO: usize>(
        self,
        steps: &[Self::Steps],
        free: &FreeKinds,
    ) -> Self;
}

/// Indices of the sides of a step.
pub(super) const BEHIND: usize = 0;
pub(super) const AHEAD: usize = 1;

/// A value that matches the upper neighbour, reduced to what a sweep needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct SweepValue {
    pub kind: u16,
    /// The label shown behind, and the label required ahead.
    pub sides: [SideLabel; 2],
}

/// The kinds with copies left.
pub(super) struct FreeKinds {
    /// One entry per kind: 1 if it is free, otherwise 0.
    each: Vec<u32>,
    /// The same as a bit set.
    words: Vec<u32>,
}

impl FreeKinds {
    /// Creates the set of all kinds whose maximum number of uses is above 0.
    pub fn new(most: &[u16]) -> Self {
        let each: Vec<u32> = most.iter().map(|&most| u32::from(most > 0)).collect();
        let word = |kinds: &[u32]| kinds.iter().rev().fold(0, |word, free| word << 1 | free);
        FreeKinds { words: each.chunks(32).map(word).collect(), each }
    }

    /// Returns 1 if the kind is free, otherwise 0.
    #[inline(always)]
    pub fn has(&self, kind: u16) -> u32 {
        self.each[usize::from(kind)]
    }

    /// Marks a kind as free: it has copies left.
    #[inline(always)]
    pub fn add(&mut self, kind: u16) {
        let kind = usize::from(kind);
        self.each[kind] = 1;
        self.words[kind / 32] |= 1 << (kind % 32);
    }

    /// Removes a kind, which must be free, if `left`, the number of copies left, is 0.
    #[inline(always)]
    pub fn update(&mut self, kind: u16, left: u16) {
        let kind = usize::from(kind);
        self.each[kind] = u32::from(left > 0);
        self.words[kind / 32] &= !(u32::from(left == 0) << (kind % 32));
    }
}

impl LabelBits for u64 {
    type Steps = SweepValue;

    const NONE: Self = 0;
    const ALL: Self = u64::MAX;

    #[inline(always)]
    fn has(self, label: SideLabel) -> u32 {
        (self >> (label.index() % 64) & 1) as u32
    }

    fn steps(steps: &[SweepValue]) -> Vec<SweepValue> {
        steps.to_vec()
    }

    /// Free of branches, because a misprediction takes as long as several steps.
    #[inline(always)]
    fn follow<const FROM: usize, const TO: usize>(
        self,
        steps: &[SweepValue],
        free: &FreeKinds,
    ) -> u64 {
        steps.iter().fold(0, |to, step| {
            let is_free = u64::from(free.has(step.kind));
            let fits = is_free & (self >> (step.sides[FROM].index() % 64));
            to | fits << (step.sides[TO].index() % 64)
        })
    }
}

/// The number of steps in a group.
const LANES: usize = 8;

/// Up to eight steps with kinds in the same word of [`FreeKinds`]. Each lane has one bit in each
/// field; unused lanes have none.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct StepGroup {
    word: usize,
    kinds: [u32; LANES],
    /// The labels behind and ahead.
    sides: [[u32; LANES]; 2],
}

impl StepGroup {
    /// Packs one to [`LANES`] steps, whose kinds must all be in the same word of [`FreeKinds`].
    fn new(steps: &[SweepValue]) -> Self {
        let mut group = StepGroup {
            word: usize::from(steps[0].kind / 32),
            kinds: [0; LANES],
            sides: [[0; LANES]; 2],
        };
        for (lane, step) in steps.iter().enumerate() {
            group.kinds[lane] = 1 << (step.kind % 32);
            for (lanes, label) in group.sides.iter_mut().zip(step.sides) {
                lanes[lane] = 1 << (label.index() % 32);
            }
        }
        group
    }
}

impl LabelBits for u32 {
    type Steps = StepGroup;

    const NONE: Self = 0;
    const ALL: Self = u32::MAX;

    #[inline(always)]
    fn has(self, label: SideLabel) -> u32 {
        self >> (label.index() % 32) & 1
    }

    fn steps(steps: &[SweepValue]) -> Vec<StepGroup> {
        let words = steps.chunk_by(|one, other| one.kind / 32 == other.kind / 32);
        words.flat_map(|steps| steps.chunks(LANES)).map(StepGroup::new).collect()
    }

    #[inline(always)]
    fn follow<const FROM: usize, const TO: usize>(
        self,
        groups: &[StepGroup],
        free: &FreeKinds,
    ) -> u32 {
        let mut to = [0; LANES];
        for group in groups {
            let free = free.words[group.word];
            for (lane, to) in to.iter_mut().enumerate() {
                let none = mask_if_zero(group.sides[FROM][lane] & self)
                    | mask_if_zero(group.kinds[lane] & free);
                *to |= group.sides[TO][lane] & !none;
            }
        }
        to.iter().fold(0, |all, lane| all | lane)
    }
}

/// Returns all bits if the argument is 0. The comparison maps to a vector instruction.
#[inline(always)]
fn mask_if_zero(bits: u32) -> u32 {
    if bits == 0 { u32::MAX } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::puzzle::{EdgeName, Labels};

    /// A step: its kind, the label behind and the label ahead.
    type Plain = (u16, usize, usize);

    /// The sets of labels reached ahead of, and behind, those in `from`, computed step by step.
    fn expected(steps: &[Plain], free: &[u16], from: &[usize]) -> [Vec<usize>; 2] {
        let free = steps.iter().filter(|step| free[usize::from(step.0)] == 1);
        let ahead = free.clone().filter(|step| from.contains(&step.1));
        let behind = free.filter(|step| from.contains(&step.2));
        [ahead.map(|s| s.2).collect(), behind.map(|s| s.1).collect()]
    }

    fn check<B: LabelBits>(steps: &[Plain], free: &[u16], from: &[usize]) {
        let mut labels = Labels::default();
        let names = (0..31).map(|image| EdgeName::parse(&format!("i{image}")).unwrap());
        let labels: Vec<SideLabel> =
            names.map(|name| SideLabel::from(labels.add(&name).unwrap())).collect();
        let step = |&(kind, behind, ahead): &Plain| SweepValue {
            kind,
            sides: [labels[behind], labels[ahead]],
        };
        let listed: Vec<SweepValue> = steps.iter().map(step).collect();
        let followed = B::steps(&listed);
        // A step of a kind that is always free maps every label to one.
        let one = |label: &usize| {
            let step = SweepValue { kind: 0, sides: [labels[*label]; 2] };
            B::ALL.follow::<BEHIND, AHEAD>(&B::steps(&[step]), &FreeKinds::new(&[1]))
        };
        let start = from.iter().map(one).fold(B::NONE, B::bitor);
        let free_kinds = FreeKinds::new(free);
        let reached = [
            start.follow::<BEHIND, AHEAD>(&followed, &free_kinds),
            start.follow::<AHEAD, BEHIND>(&followed, &free_kinds),
        ];
        for (reached, expected) in reached.into_iter().zip(expected(steps, free, from)) {
            for (index, &label) in labels.iter().enumerate() {
                assert_eq!(reached.has(label) == 1, expected.contains(&index), "{index}");
            }
        }
    }

    proptest! {
        #[test]
        fn sweeps_lead_where_their_steps_lead(
            mut steps in prop::collection::vec((0u16..100, 0usize..31, 0usize..31), 0..60),
            free in prop::collection::vec(0u16..2, 100),
            from in prop::collection::vec(0usize..31, 0..31),
        ) {
            steps.sort_unstable();
            check::<u32>(&steps, &free, &from);
            check::<u64>(&steps, &free, &from);
        }
    }
}
