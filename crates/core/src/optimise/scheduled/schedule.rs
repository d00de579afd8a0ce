//! The schedule of breaks, computed from the measured numbers of candidates with a Markov chain
//! (Verhaard 2008).
//!
//! The average numbers of candidates at each depth that match and that break one seam determine,
//! for a given schedule, the expected number of nodes by depth and number of broken seams. The best
//! schedule has the most complete boards per node.

use super::plan::{AttemptPlan, Depth};
use crate::runtime::limits::CancelToken;

// The default schedule follows Blackwood's program (2020) for 16×16 cells and ten breaks, as shares
// of the cells. A computed schedule gains one seam on f16-b5k17-0 in 10 s.

/// The shares of the cells that are filled before the first and the last break.
const FIRST: f64 = 201.0 / 256.0;
const LAST: f64 = 239.0 / 256.0;

/// The number of breaks per cell to which these shares apply, and the number of cells by which each
/// further break extends the range at both ends.
const BREAKS: f64 = 10.0 / 256.0;
const WIDENING: f64 = 1.2;

/// The exponent that maps the share of breaks to the share of the range; below 1, breaks are denser
/// at the end.
const POWER: f64 = 0.5;

/// The weight of the prior estimate, in nodes.
const WEIGHT: f64 = 30.0;

/// The minimum number of measured nodes of a depth that corrects the estimates of later depths, and
/// its weight in that correction.
const ENOUGH_NODES: f64 = 500.0;
const SMOOTHING: f64 = 0.1;

/// The maximum number of breaks per cell for which the schedule is optimised.
const MOST_BREAKS: f64 = 1.0 / 8.0;

/// The distances in cells by which the optimisation moves breaks.
const MOVES: [usize; 5] = [16, 8, 4, 2, 1];

/// The minimum gain of a round of moves for another round, as a difference of natural logarithms.
const GAIN: f64 = 0.01;

/// Two numbers of candidates at a depth: those that match, and those that break exactly one seam.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fits {
    pub exact: f64,
    pub broken: f64,
}

/// The number of measured nodes at a depth, and the sums of their numbers of candidates.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DepthMeasurement {
    nodes: f64,
    sums: Fits,
}

impl DepthMeasurement {
    /// Adds a measured node: its number of candidates that match, and that break one seam.
    pub fn add(&mut self, [exact, broken]: [u32; 2]) {
        self.nodes += 1.0;
        self.sums.exact += f64::from(exact);
        self.sums.broken += f64::from(broken);
    }
}

/// The expected numbers of candidates of each depth: a weighted mean of the measurements and of
/// estimates from the tables, which are corrected by their error at earlier depths.
pub(super) fn fits(plan: &AttemptPlan, measured: &[DepthMeasurement]) -> Vec<Fits> {
    let mut left: Vec<f64> = vec![0.0; plan.classes.len()];
    for depth in &plan.depths {
        left[depth.class] += 1.0;
    }
    let cells = left.clone();
    let mut off = Fits { exact: 1.0, broken: 1.0 };
    let depths = plan.depths.iter().zip(measured);
    let fits = depths.map(|(depth, &DepthMeasurement { nodes, sums })| {
        let (left, cells) = (&mut left[depth.class], cells[depth.class]);
        let drawn = estimate_fits(plan, depth, *left / cells);
        *left -= 1.0;
        let fits = Fits {
            exact: (sums.exact + WEIGHT * drawn.exact * off.exact) / (nodes + WEIGHT),
            broken: (sums.broken + WEIGHT * drawn.broken * off.broken) / (nodes + WEIGHT),
        };
        if nodes >= ENOUGH_NODES && depth.selecting.len() == 2 && *left > cells / 4.0 {
            let nearer = |off: &mut f64, sum: f64, drawn: f64| {
                *off += SMOOTHING * (sum / nodes / drawn.max(f64::EPSILON) - *off);
            };
            nearer(&mut off.exact, sums.exact, drawn.exact);
            nearer(&mut off.broken, sums.broken, drawn.broken);
        }
        fits
    });
    fits.collect()
}

/// The expected numbers of candidates at a depth if labels were independent and the given share of
/// the tiles was left.
fn estimate_fits(plan: &AttemptPlan, depth: &Depth, share: f64) -> Fits {
    let chances = &plan.position_types[depth.position_type].chances;
    let number = plan.classes[depth.class].len() as f64 * share;
    let mean = chances.iter().sum::<f64>() / chances.len().max(1) as f64;
    let (mut exact, mut one) = (1.0, 0.0);
    for chance in chances.iter().copied().chain(depth.others.iter().map(|_| mean)) {
        one = one * chance + exact * (1.0 - chance);
        exact *= chance;
    }
    Fits { exact: number * exact, broken: number * one }
}

/// The schedule: for each depth, the number of seams that may be broken up to and including it.
/// There are `breaks` in total, and the search starts at depth `base`. If the token stops the run,
/// the schedule is valid but not optimised.
pub(super) fn allowed_breaks(
    fits: &[Fits],
    base: usize,
    breaks: usize,
    token: &CancelToken<'_>,
) -> Vec<u32> {
    let cells = fits.len();
    let mut breaks_at = default_breaks(cells, breaks);
    if breaks as f64 <= MOST_BREAKS * cells as f64 {
        for at in &mut breaks_at {
            *at = (*at).max(base);
        }
        improve(&mut breaks_at, fits, base, token);
    }
    let allowed = |depth| breaks_at.iter().filter(|&&at| at <= depth).count() as u32;
    (0..cells).map(allowed).collect()
}

/// The depths of the breaks in the default schedule, ascending.
fn default_breaks(cells: usize, breaks: usize) -> Vec<usize> {
    let number = cells as f64;
    let widening = WIDENING * (breaks as f64 - BREAKS * number);
    let first = FIRST * number - widening;
    let last = (LAST * number + widening).min(number - 1.0);
    let depths = (0..breaks).map(|index| {
        let share = index as f64 / breaks.saturating_sub(1).max(1) as f64;
        let at = first + (last - first) * share.powf(POWER);
        (at.max(0.0) as usize).min(cells - 1)
    });
    depths.collect()
}

/// Hill climbing: moves breaks one by one and all together as long as a round improves the yield by
/// [`GAIN`].
fn improve(breaks_at: &mut Vec<usize>, fits: &[Fits], base: usize, token: &CancelToken<'_>) {
    let mut best = log_yield(breaks_at, fits, base);
    loop {
        let before = best;
        let moves = itertools::iproduct!(MOVES, 0..=breaks_at.len(), [false, true]);
        for (cells, index, is_later) in moves {
            let mut moved = breaks_at.clone();
            let some = match index.checked_sub(1) {
                Some(index) => &mut moved[index..=index],
                None => &mut moved[..],
            };
            for at in some {
                *at = if is_later {
                    (*at + cells).min(fits.len() - 1)
                } else {
                    at.saturating_sub(cells).max(base)
                };
            }
            moved.sort_unstable();
            let value = log_yield(&moved, fits, base);
            if token.work(fits.len() * (moved.len() + 1)).is_break() {
                return;
            }
            if value > best {
                best = value;
                *breaks_at = moved;
            }
        }
        if best < before + GAIN {
            return;
        }
    }
}

/// The natural logarithm of the expected number of complete boards per node.
fn log_yield(breaks_at: &[usize], fits: &[Fits], base: usize) -> f64 {
    /// The threshold for rescaling, which prevents overflow.
    const LARGE: f64 = 1e200;
    // The nodes of the current depth by number of broken seams.
    let mut nodes = vec![0.0; breaks_at.len() + 1];
    nodes[0] = 1.0;
    let mut all = 0.0;
    let mut allowed = 0;
    for (depth, fits) in fits.iter().enumerate().skip(base) {
        while breaks_at.get(allowed).is_some_and(|&at| at <= depth) {
            allowed += 1;
        }
        let mut here = 0.0;
        for broken in (0..=allowed).rev() {
            let fewer = if broken == 0 { 0.0 } else { nodes[broken - 1] };
            nodes[broken] = nodes[broken] * fits.exact + fewer * fits.broken;
            here += nodes[broken];
        }
        all += here;
        if here > LARGE {
            nodes.iter_mut().for_each(|nodes| *nodes /= LARGE);
            all /= LARGE;
        }
    }
    let full: f64 = nodes.iter().sum();
    (full.max(f64::MIN_POSITIVE) / all.max(f64::MIN_POSITIVE)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of candidates that decrease from depth to depth, as tiles are used up.
    fn falling(cells: usize) -> Vec<Fits> {
        let fits = (0..cells).map(|depth| {
            let left = (cells - depth) as f64 / cells as f64;
            Fits { exact: 2.0 * left, broken: 20.0 * left }
        });
        fits.collect()
    }

    #[test]
    fn schedules_allow_all_breaks_by_the_end_and_none_early() {
        for (cells, breaks) in [(256, 20), (100, 9), (16, 3), (9, 24), (1, 0), (256, 480)] {
            let allowed = allowed_breaks(&falling(cells), 0, breaks, &CancelToken::never());
            assert!(allowed.is_sorted());
            assert_eq!(allowed[cells - 1] as usize, breaks, "{cells} {breaks}");
        }
        let behind = allowed_breaks(&falling(256), 100, 10, &CancelToken::never());
        assert_eq!(behind[99], 0);
    }

    #[test]
    fn a_schedule_from_fits_yields_more_than_the_usual_one() {
        let fits = falling(100);
        let usual = default_breaks(100, 9);
        let mut better = usual.clone();
        improve(&mut better, &fits, 0, &CancelToken::never());
        assert!(log_yield(&better, &fits, 0) > log_yield(&usual, &fits, 0));
        // Without breaks, the expected number is the product of all fits.
        let nodes: f64 = (1..=3).map(|depth| 0.5_f64.powi(depth)).sum();
        let half = [Fits { exact: 0.5, broken: 9.0 }; 3];
        assert!((log_yield(&[], &half, 0) - (0.125 / nodes).ln()).abs() < 1e-12);
        // One break at the end: 0.5 · 0.5 · (0.5 + 9).
        let nodes: f64 = 0.5 + 0.25 + 0.25 * 9.5;
        assert!((log_yield(&[2], &half, 0) - (0.25 * 9.5 / nodes).ln()).abs() < 1e-12);
    }
}
