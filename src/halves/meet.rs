//! The half boards meet: for all labels along the cut, one after another, a table of the first half's
//! boards by their tiles, in which those of the second look.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::cut::Cut;
use super::half::Boards;
use crate::enumerate::{Clock, StopReason, doubled};
use crate::scheduler::{self, Alone, Progress, SchedulerError, Sink, Worker, run_jobs};

/// Jobs that the labels along the cut are shared into, at least.
const JOBS: usize = 64;

/// Half boards between two questions whether to go on.
const BOARDS_PER_POLL: u64 = 1 << 16;

/// What has met.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// The sum over pairs of half boards of the products of their weights.
    pub pairs: BigUint,
    /// Boards of either half that were made.
    pub half_boards: u64,
}

/// The first labels along the cut; the rest are gone through.
type Job = Vec<usize>;

/// What comes of a job, or why it stopped.
type Done = ControlFlow<StopReason, Met>;

/// Goes through all half boards; each weighs the product of its values' weights. Says why it stopped
/// before, and what had met until then.
///
/// # Errors
/// Where no thread can be started.
pub(super) fn meet<const W: usize>(
    cut: &Cut<W>,
    weights: &[u64],
    clock: Clock<'_>,
) -> Result<(Option<StopReason>, Met), SchedulerError> {
    let jobs = jobs(cut);
    let number = jobs.len();
    let mut sum = Sum {
        met: Met::default(),
        stop: None,
        clock,
    };
    let share = 1.0 / number as f64;
    let work = |worker: &mut dyn Worker<Job, Done>, mut job: Job| {
        let mut meeting = Meeting {
            cut,
            weights,
            worker,
            clock,
            met: Met::default(),
            polled: 0,
        };
        meeting.done(&mut job, share)
    };
    let threads = clock.limits().threads.max(1);
    if threads > 1 && scheduler::ARE_THERE {
        let body = |worker: &mut scheduler::QueueWorker<'_, Job, Done>| {
            while let Some(job) = worker.next_job() {
                if work(worker, job).is_break() {
                    break;
                }
            }
        };
        let _ = run_jobs(threads, jobs, JOBS * JOBS, body, &mut sum)?;
    } else {
        let mut alone = Alone(&mut sum);
        for job in jobs {
            if work(&mut alone, job).is_break() {
                break;
            }
        }
    }
    Ok((sum.stop, sum.met))
}

/// All ways to begin the labels along the cut, so many of them that threads can share them.
fn jobs<const W: usize>(cut: &Cut<W>) -> Vec<Job> {
    let mut jobs = vec![Vec::new()];
    for labels in &cut.labels {
        if jobs.len() >= JOBS {
            break;
        }
        let longer = jobs.iter().flat_map(|job: &Job| {
            labels.iter().map(|&label| {
                let mut longer = job.clone();
                longer.push(label);
                longer
            })
        });
        jobs = longer.collect();
    }
    jobs
}

/// Adds up what the jobs come to.
struct Sum<'a> {
    met: Met,
    stop: Option<StopReason>,
    clock: Clock<'a>,
}

impl Sink<Done> for Sum<'_> {
    fn found(&mut self, done: Done, _steps: u64) -> ControlFlow<()> {
        match done {
            Done::Continue(met) => {
                self.met.pairs += met.pairs;
                self.met.half_boards += met.half_boards;
                ControlFlow::Continue(())
            }
            Done::Break(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }

    fn progress(&mut self, _progress: Progress) -> ControlFlow<()> {
        if let ControlFlow::Break(stop) = self.clock.go_on() {
            self.stop = Some(stop);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// A job while it is done.
struct Meeting<'a, const W: usize> {
    cut: &'a Cut<W>,
    weights: &'a [u64],
    worker: &'a mut dyn Worker<Job, Done>,
    clock: Clock<'a>,
    met: Met,
    /// Half boards when it was last asked whether to go on.
    polled: u64,
}

impl<const W: usize> Meeting<'_, W> {
    /// Does a job, which is such a share of the whole, and hands over what has met.
    fn done(&mut self, job: &mut Job, share: f64) -> ControlFlow<()> {
        let end = self.below(job);
        let met = std::mem::take(&mut self.met);
        let steps = met.half_boards;
        let done = match end {
            ControlFlow::Continue(()) => Done::Continue(met),
            ControlFlow::Break(Some(stop)) => Done::Break(stop),
            ControlFlow::Break(None) => return ControlFlow::Break(()),
        };
        self.worker.found(done, steps)?;
        self.worker.progress(Progress::new(steps, share))
    }

    /// Goes on where so many labels along the cut are known. `Break` tells why it stops; nothing
    /// where others know.
    fn below(&mut self, along: &mut Vec<usize>) -> ControlFlow<Option<StopReason>> {
        let Some(labels) = self.cut.labels.get(along.len()) else {
            return self.meet(along);
        };
        for &label in labels {
            along.push(label);
            self.below(along)?;
            along.pop();
        }
        ControlFlow::Continue(())
    }

    fn meet(&mut self, along: &[usize]) -> ControlFlow<Option<StopReason>> {
        let cut = self.cut;
        let Some(swapped) = &cut.swapped else {
            let table = self.table(along)?;
            return if table.is_empty() {
                ControlFlow::Continue(())
            } else {
                self.look_up(&table, along)
            };
        };
        // What the second half meets is what the first one shows when the halves are exchanged.
        let other: Vec<usize> = swapped
            .iter()
            .map(|&place| cut.mates[along[place]])
            .collect();
        let times: u32 = match other[..].cmp(along) {
            Ordering::Less => return ControlFlow::Continue(()),
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        };
        let one = self.table(along)?;
        let other = match times {
            1 => None,
            _ => Some(self.table(&other)?),
        };
        let other = other.as_ref().unwrap_or(&one);
        let (fewer, more) = if one.len() < other.len() {
            (&one, other)
        } else {
            (other, &one)
        };
        let mut pairs = Pairs::default();
        for (used, weight) in fewer {
            if let Some(others) = more.get(&(cut.all - used)) {
                pairs.add(*weight, *others);
            }
        }
        self.met.pairs += pairs.sum() * times;
        ControlFlow::Continue(())
    }

    /// The boards of the first half with these labels along the cut: by their tiles, what all of them
    /// weigh.
    fn table(&mut self, along: &[usize]) -> ControlFlow<Option<StopReason>, Table> {
        let mut table = Table::default();
        let (cut, weights) = (self.cut, self.weights);
        let mut stop = None;
        let take = |used: u64, weight: u128| {
            if table.len() == table.capacity() {
                let bytes = doubled(table.capacity(), ENTRY);
                if let ControlFlow::Break(full) = self.clock.may_take(bytes) {
                    stop = Some(full);
                    return ControlFlow::Break(());
                }
            }
            *table.entry(used).or_default() += weight;
            self.met.half_boards += 1;
            poll(self.worker, self.met.half_boards, &mut self.polled)
        };
        match Boards::new(&cut.first, along, weights, take).all() {
            ControlFlow::Continue(()) => ControlFlow::Continue(table),
            ControlFlow::Break(()) => ControlFlow::Break(stop),
        }
    }

    /// The boards of the second half look for what they leave.
    fn look_up(&mut self, table: &Table, along: &[usize]) -> ControlFlow<Option<StopReason>> {
        let (cut, weights) = (self.cut, self.weights);
        let mut pairs = Pairs::default();
        let take = |used: u64, weight: u128| {
            if let Some(&others) = table.get(&(cut.all - used)) {
                pairs.add(weight, others);
            }
            self.met.half_boards += 1;
            poll(self.worker, self.met.half_boards, &mut self.polled)
        };
        let end = Boards::new(&cut.second, along, weights, take).all();
        self.met.pairs += pairs.sum();
        end.map_break(|()| None)
    }
}

/// By tiles, what half boards weigh.
type Table = HashMap<u64, u128, BuildHasherDefault<Spread>>;

/// Bytes of an entry of a table.
const ENTRY: u64 = 32;

/// A sum of products of any size, of which few are large.
#[derive(Default)]
struct Pairs {
    small: u128,
    large: BigUint,
}

impl Pairs {
    fn add(&mut self, one: u128, other: u128) {
        let product = one.checked_mul(other);
        match product.and_then(|product| self.small.checked_add(product)) {
            Some(sum) => self.small = sum,
            None => self.large += BigUint::from(one) * other,
        }
    }

    fn sum(self) -> BigUint {
        self.large + self.small
    }
}

/// Asks now and then whether to go on.
fn poll(worker: &mut dyn Worker<Job, Done>, half_boards: u64, polled: &mut u64) -> ControlFlow<()> {
    if half_boards - *polled < BOARDS_PER_POLL {
        return ControlFlow::Continue(());
    }
    *polled = half_boards;
    worker.progress(Progress::default())
}

/// Spreads numbers whose bits are tiles.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The golden ratio, as in Knuth's multiplicative hashing; tables use both ends.
        let product = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product.rotate_left(32);
    }
}
