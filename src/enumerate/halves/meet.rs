//! Joins the half boards. For each combination of labels along the cut, a table maps the packed
//! tile counts of the first half's boards to their weight; the boards of the second half look up
//! their complement.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::cut::Cut;
use super::half::Boards;
use crate::runtime::limits::{CancelToken, Flow, doubled};
use crate::runtime::scheduler::{
    self, SchedulerError, SearchProgress, SingleWorker, Sink, Worker, run_jobs,
};

/// The number of jobs into which the labels along the cut are split, if there are enough labels.
const JOBS: usize = 64;

/// The result of joining half boards.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// The sum, over joined pairs of half boards, of the products of their weights.
    pub pairs: BigUint,
    /// The number of enumerated half boards, both halves together.
    pub half_boards: u64,
}

/// The first labels along the cut; the job covers all continuations.
type Job = Vec<usize>;

/// Joins all half boards, each weighted by the product of its values' weights. Returns `Continue`
/// if all were joined, and the result so far.
///
/// # Errors
/// If no thread can be started.
pub(super) fn meet<const W: usize>(
    cut: &Cut<W>,
    weights: &[u64],
    (threads, token): (usize, &CancelToken<'_>),
) -> Result<(Flow, Met), SchedulerError> {
    let jobs = jobs(cut);
    let number = jobs.len();
    let mut sum = Sum { met: Met::default(), token };
    let share = 1.0 / number as f64;
    let work = |worker: &mut dyn Worker<Job, Met>, mut job: Job| {
        let mut meeting = Meeting { cut, weights, token, met: Met::default() };
        meeting.extend(&mut job)?;
        let steps = meeting.met.half_boards;
        worker.found(meeting.met, steps)?;
        worker.progress(SearchProgress::new(steps, share))
    };
    let end = if threads > 1 && scheduler::HAS_THREADS {
        let body = |worker: &mut scheduler::QueueWorker<'_, Job, Met>| {
            while let Some(job) = worker.next_job() {
                if work(worker, job).is_break() {
                    break;
                }
            }
        };
        run_jobs(threads, jobs, SearchProgress::default(), JOBS * JOBS, &body, &mut sum)?.0
    } else {
        let mut alone = SingleWorker(&mut sum);
        jobs.into_iter().try_for_each(|job| work(&mut alone, job))
    };
    Ok((end, sum.met))
}

/// The prefixes of the labels along the cut, long enough to give `JOBS` jobs.
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

/// Adds up the results of the jobs.
struct Sum<'a> {
    met: Met,
    token: &'a CancelToken<'a>,
}

impl Sink<Met> for Sum<'_> {
    fn found(&mut self, met: Met, _steps: u64) -> Flow {
        self.met.pairs += met.pairs;
        self.met.half_boards += met.half_boards;
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _progress: SearchProgress) -> Flow {
        self.token.poll()?;
        self.token.may_take(0)
    }
}

/// The state of one job.
struct Meeting<'a, const W: usize> {
    cut: &'a Cut<W>,
    weights: &'a [u64],
    token: &'a CancelToken<'a>,
    met: Met,
}

impl<const W: usize> Meeting<'_, W> {
    /// Recurses on the next label along the cut. Breaks if the token stops the run.
    fn extend(&mut self, along: &mut Vec<usize>) -> Flow {
        let Some(labels) = self.cut.labels.get(along.len()) else {
            return self.meet(along);
        };
        for &label in labels {
            along.push(label);
            self.extend(along)?;
            along.pop();
        }
        ControlFlow::Continue(())
    }

    fn meet(&mut self, along: &[usize]) -> Flow {
        let cut = self.cut;
        let Some(swapped) = &cut.swapped else {
            let table = self.table(along)?;
            return if table.is_empty() {
                ControlFlow::Continue(())
            } else {
                self.look_up(&table, along)
            };
        };
        // The labels that the first half shows after the halves are exchanged.
        let other: Vec<usize> = swapped.iter().map(|&place| cut.mates[along[place]]).collect();
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
        let (fewer, more) = if one.len() < other.len() { (&one, other) } else { (other, &one) };
        let mut pairs = Pairs::default();
        for (used, weight) in fewer {
            if let Some(others) = more.get(&(cut.all - used)) {
                pairs.add(*weight, *others);
            }
            self.token.work(8)?;
        }
        self.met.pairs += pairs.sum() * times;
        ControlFlow::Continue(())
    }

    /// The total weight of the first half's boards with these labels along the cut, by their packed
    /// tile counts.
    fn table(&mut self, along: &[usize]) -> Flow<Table> {
        let mut table = Table::default();
        let token = self.token;
        let take = |used: u64, weight: u128| {
            if table.len() == table.capacity() {
                token.may_take(doubled(table.capacity(), ENTRY))?;
            }
            *table.entry(used).or_default() += weight;
            self.met.half_boards += 1;
            ControlFlow::Continue(())
        };
        Boards::new(&self.cut.first, along, self.weights, token, take)?.enumerate()?;
        ControlFlow::Continue(table)
    }

    /// Enumerates the second half's boards and looks up their complements.
    fn look_up(&mut self, table: &Table, along: &[usize]) -> Flow {
        let (cut, token) = (self.cut, self.token);
        let mut pairs = Pairs::default();
        let take = |used: u64, weight: u128| {
            if let Some(&others) = table.get(&(cut.all - used)) {
                pairs.add(weight, others);
            }
            self.met.half_boards += 1;
            ControlFlow::Continue(())
        };
        let end = Boards::new(&cut.second, along, self.weights, token, take)?.enumerate();
        self.met.pairs += pairs.sum();
        end
    }
}

/// The total weight of half boards by their packed tile counts.
type Table = HashMap<u64, u128, BuildHasherDefault<Spread>>;

/// The number of bytes per table entry.
const ENTRY: u64 = 32;

/// A sum of products of arbitrary size, most of which fit into 128 bits.
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

/// A hasher for packed tile counts.
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
        // The golden ratio, as in Knuth's multiplicative hashing. The rotation is needed because
        // hash tables use the bits at both ends.
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }
}
