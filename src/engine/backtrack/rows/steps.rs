//! The steps of a sweep through a row: eight side by side where the labels are few, so that the
//! compiler makes vectors of them, and else one by one.

use std::ops::BitOr;

use crate::engine::backtrack::side_label::SideLabel;

/// A set of labels, a bit each, and how a sweep follows steps from one set to the next. Where there
/// are more labels than bits several share one, so that a sweep keeps too much, never too little.
pub(super) trait LabelBits: Copy + PartialEq + BitOr<Output = Self> {
    /// Steps as they are followed.
    type Steps: Copy + Send + Sync;

    const NONE: Self;
    const ALL: Self;

    /// 1 where the label is in the set, and 0 where it is not.
    fn has(self, label: SideLabel) -> u32;

    /// Steps that are sorted by kind, to be followed.
    fn steps(steps: &[Step]) -> Vec<Self::Steps>;

    /// The labels that free steps have on a side, of those that have one of these on another.
    fn follow<const FROM: usize, const TO: usize>(
        self,
        steps: &[Self::Steps],
        free: &FreeKinds,
    ) -> Self;

    /// The labels that free steps require ahead, of those that show one of these behind.
    #[inline(always)]
    fn ahead(self, steps: &[Self::Steps], free: &FreeKinds) -> Self {
        self.follow::<BEHIND, AHEAD>(steps, free)
    }

    /// The labels that free steps show behind, of those that require one of these ahead.
    #[inline(always)]
    fn behind(self, steps: &[Self::Steps], free: &FreeKinds) -> Self {
        self.follow::<AHEAD, BEHIND>(steps, free)
    }
}

/// The sides of a step.
const BEHIND: usize = 0;
const AHEAD: usize = 1;

/// A value that matches the neighbour above, as a sweep uses it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub kind: u16,
    /// The label that it shows behind, and the one that it requires ahead.
    pub sides: [SideLabel; 2],
}

/// The kinds that copies are left of.
pub(super) struct FreeKinds {
    /// By kind, 1 where it is free, and 0 where it is not.
    each: Vec<u32>,
    /// The same, a bit for each kind.
    words: Vec<u32>,
}

impl FreeKinds {
    /// Those of which at least one copy may be used, by kind.
    pub fn new(most: &[u16]) -> Self {
        let each: Vec<u32> = most.iter().map(|&most| u32::from(most > 0)).collect();
        let word = |kinds: &[u32]| kinds.iter().rev().fold(0, |word, free| word << 1 | free);
        FreeKinds { words: each.chunks(32).map(word).collect(), each }
    }

    /// 1 where the kind is free, and 0 where it is not.
    #[inline(always)]
    pub fn has(&self, kind: u16) -> u32 {
        self.each[usize::from(kind)]
    }

    #[inline(always)]
    pub fn add(&mut self, kind: u16) {
        let kind = usize::from(kind);
        self.each[kind] = 1;
        self.words[kind / 32] |= 1 << (kind % 32);
    }

    /// Takes a kind out if no copy is left.
    #[inline(always)]
    pub fn update(&mut self, kind: u16, left: u16) {
        let kind = usize::from(kind);
        self.each[kind] = u32::from(left > 0);
        self.words[kind / 32] &= !(u32::from(left == 0) << (kind % 32));
    }
}

impl LabelBits for u64 {
    type Steps = Step;

    const NONE: Self = 0;
    const ALL: Self = u64::MAX;

    #[inline(always)]
    fn has(self, label: SideLabel) -> u32 {
        (self >> (label.index() % 64) & 1) as u32
    }

    fn steps(steps: &[Step]) -> Vec<Step> {
        steps.to_vec()
    }

    /// There is no branch: a wrong guess of the processor takes as long as some steps.
    #[inline(always)]
    fn follow<const FROM: usize, const TO: usize>(self, steps: &[Step], free: &FreeKinds) -> u64 {
        steps.iter().fold(0, |to, step| {
            let is_free = u64::from(free.has(step.kind));
            let fits = is_free & (self >> (step.sides[FROM].index() % 64));
            to | fits << (step.sides[TO].index() % 64)
        })
    }
}

/// Steps in a group.
const LANES: usize = 8;

/// Eight steps at most, of kinds in the same word of [`FreeKinds`]. Each lane has one bit for each
/// of these; no bit where there is no step.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct StepGroup {
    word: usize,
    kinds: [u32; LANES],
    /// By side, behind and ahead, the label.
    sides: [[u32; LANES]; 2],
}

impl StepGroup {
    fn new(steps: &[Step]) -> Self {
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

    fn steps(steps: &[Step]) -> Vec<StepGroup> {
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
                let none = none(group.sides[FROM][lane] & self) | none(group.kinds[lane] & free);
                *to |= group.sides[TO][lane] & !none;
            }
        }
        to.iter().fold(0, |all, lane| all | lane)
    }
}

/// All bits where there is none: the comparison that vectors have.
#[inline(always)]
fn none(bits: u32) -> u32 {
    if bits == 0 { u32::MAX } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::puzzle::{EdgeName, Labels};

    /// A step by kind, label behind and label ahead.
    type Plain = (u16, usize, usize);

    /// Labels ahead and behind, as the steps lead there one by one.
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
        let step =
            |&(kind, behind, ahead): &Plain| Step { kind, sides: [labels[behind], labels[ahead]] };
        let listed: Vec<Step> = steps.iter().map(step).collect();
        let followed = B::steps(&listed);
        // A step of a kind that is always free, which leads from every label to one.
        let one = |label: &usize| {
            let step = Step { kind: 0, sides: [labels[*label]; 2] };
            B::ALL.ahead(&B::steps(&[step]), &FreeKinds::new(&[1]))
        };
        let start = from.iter().map(one).fold(B::NONE, B::bitor);
        let free_kinds = FreeKinds::new(free);
        let reached = [start.ahead(&followed, &free_kinds), start.behind(&followed, &free_kinds)];
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
