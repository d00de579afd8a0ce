//! A lower bound on the number of seams that break, from the edges of the tiles that are left.

use super::plan::{Depth, RegionTables};

/// The edges that are left, and the seams that are not filled on both sides. An image matches in at
/// most as many seams as its rarer half has edges left.
pub(super) struct Balance<'a> {
    tables: &'a RegionTables<'a>,
    images: Vec<ImageBalance>,
    /// The maximum number of seams that can match: half-open ones, and pairs of the other edges.
    pairs: [i32; 2],
    /// The number of seams with one filled side, and with none.
    half_open: i32,
    open: i32,
}

/// The numbers of an image, for both halves; a whole image has one.
#[derive(Debug, Clone, Copy, Default)]
struct ImageBalance {
    /// An upper bound on the number of edges of unplaced tiles that can show the half.
    left: [i32; 2],
    /// The number of half-open seams whose filled side requires the half.
    awaited: [i32; 2],
    is_whole: bool,
}

impl ImageBalance {
    /// The maximum number of half-open seams that can match with the image, and of pairs of its
    /// other edges.
    #[inline(always)]
    fn pairs(&self) -> [i32; 2] {
        let used = [0, 1].map(|half| self.awaited[half].min(self.left[half]));
        let spare = [0, 1].map(|half| self.left[half] - used[half]);
        let pairs = if self.is_whole { spare[0] / 2 } else { spare[0].min(spare[1]) };
        [used[0] + used[1], pairs]
    }
}

impl<'a> Balance<'a> {
    /// The balance of the empty board.
    pub fn new(tables: &'a RegionTables<'a>) -> Self {
        let mut images = vec![ImageBalance::default(); tables.halves.len()];
        for half in &tables.halves {
            images[half.image].is_whole = half.half == half.mate;
        }
        let open = tables.seams as i32;
        let mut balance = Balance { tables, images, pairs: [0, 0], half_open: 0, open };
        for (edges, uses) in tables.edges.iter().zip(&tables.domains.uses) {
            for &(label, number) in edges {
                let half = tables.halves[label];
                balance.change(half.image, |image| {
                    image.left[half.half] += number * uses.most as i32;
                });
            }
        }
        balance
    }

    /// The minimum number of seams that break among those not filled on both sides; 0 if an edge
    /// may fit several others.
    #[inline(always)]
    pub fn broken(&self) -> usize {
        if !self.tables.fits_mates_only {
            return 0;
        }
        let matching = self.pairs[0] + self.pairs[1].min(self.open);
        (self.half_open + self.open - matching).max(0) as usize
    }

    /// Places a value of a kind (`sign` is 1) or takes it back (−1). `placed` has the values of the
    /// depths before.
    #[inline(always)]
    pub fn place(
        &mut self,
        depth: &Depth,
        (kind, value): (usize, usize),
        placed: &[usize],
        sign: i32,
    ) {
        let tables = self.tables;
        for &(label, number) in &tables.edges[kind] {
            let half = tables.halves[label];
            self.change(half.image, |image| image.left[half.half] -= sign * number);
        }
        for beside in &depth.neighbours {
            let half = tables.halves[tables.label(placed[beside.depth], beside.there)];
            self.change(half.image, |image| image.awaited[half.mate] -= sign);
        }
        for &side in &depth.open_sides {
            let half = tables.halves[tables.label(value, side)];
            self.change(half.image, |image| image.awaited[half.mate] += sign);
        }
        let (opened, closed) = (depth.open_sides.len() as i32, depth.neighbours.len() as i32);
        self.half_open += sign * (opened - closed);
        self.open -= sign * opened;
    }

    #[inline(always)]
    fn change(&mut self, image: usize, change: impl Fn(&mut ImageBalance)) {
        let image = &mut self.images[image];
        let before = image.pairs();
        change(image);
        let now = image.pairs();
        self.pairs[0] += now[0] - before[0];
        self.pairs[1] += now[1] - before[1];
    }
}
