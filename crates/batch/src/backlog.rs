//! What one worker has to do: runs that are claimed for it, that it was sent, and that it has done.
//!
//! Many runs are claimed and written at once, and a worker has several before it, as far as they
//! are short: a run takes less time than a transaction or a change of threads.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use edgematch::scheduler::{Progress, Sink};

use super::coordinator::{BatchError, Coordinator};
use super::order::Order;
use super::queue::{Handful, Task};
use super::sources::NoText;
use super::store::{Claim, Exchanged, Finished, StoreError, Wish};
use super::worker::{Done, PERIOD, Worker};
use super::{BatchStatus, Ended, Kept, Loss, Report, RunWork, Seen};

/// What is done is written after so long at the latest.
const WRITTEN_AFTER: Duration = Duration::from_millis(100);

/// As many runs are claimed at once as take so long.
const CLAIMED_FOR: Duration = Duration::from_millis(100);

/// As many runs are sent to a worker as take so long.
const SENT_FOR: Duration = Duration::from_millis(20);

/// A run that takes so long keeps no others waiting that its worker has before it: neither where
/// other workers have time for them, nor where other batches may.
const LONG: Duration = Duration::from_millis(50);
const LONG_FOR_OTHER_BATCHES: Duration = Duration::from_secs(1);

/// The most runs that are claimed, and that are sent, at once.
const MOST_CLAIMED: usize = 256;
const MOST_SENT: usize = 128;

/// A run that is ours to do.
struct Claimed {
    task: Task,
    run: i64,
}

/// A run that is done, and not yet written.
struct Reported {
    claimed: Claimed,
    report: Report,
    /// Solutions that were not kept before.
    kept: Vec<Kept>,
    /// The number of the first of them.
    first: u64,
}

/// What one worker has to do, and has done.
pub(super) struct Backlog<'a> {
    all: &'a Coordinator<'a>,
    worker: Option<Worker>,
    claimed: VecDeque<Claimed>,
    /// In the order in which they were sent, which is that of the answers.
    sent: VecDeque<Claimed>,
    done: Vec<Reported>,
    /// When the first of those was done.
    done_since: Instant,
    /// How long a run takes, about.
    pace: Duration,
}

impl<'a> Backlog<'a> {
    pub fn new(all: &'a Coordinator<'a>) -> Self {
        Backlog {
            all,
            worker: None,
            claimed: VecDeque::new(),
            sent: VecDeque::new(),
            done: Vec::new(),
            done_since: Instant::now(),
            pace: LONG,
        }
    }

    /// Has tasks done, until there are no more or none are wanted.
    pub fn work(&mut self) -> Result<(), BatchError> {
        while self.all.is_wanted() {
            if self.claimed.is_empty() {
                let is_idle = self.sent.is_empty() && self.done.is_empty();
                let patience = if is_idle { PERIOD } else { Duration::ZERO };
                let most = self.number_within(CLAIMED_FOR).min(MOST_CLAIMED);
                let Some(handful) = self.all.queue.take(most, patience) else {
                    return Ok(());
                };
                if !handful.is_empty() || self.sent.is_empty() || self.is_late() {
                    self.exchange(handful)?;
                }
            } else if self.is_late() {
                self.exchange(Handful::default())?;
            }
            self.share()?;
            self.send()?;
            if !self.sent.is_empty() {
                self.receive()?;
            }
        }
        Ok(self.exchange(Handful::default())?)
    }

    fn number_within(&self, time: Duration) -> usize {
        let pace = self.pace.as_nanos().max(1);
        usize::try_from(time.as_nanos() / pace).unwrap_or(usize::MAX).max(1)
    }

    fn is_late(&self) -> bool {
        !self.done.is_empty() && self.done_since.elapsed() >= WRITTEN_AFTER
    }

    /// Writes what is done, and claims what was taken.
    fn exchange(&mut self, handful: Handful) -> Result<(), StoreError> {
        let all = self.all;
        for words in &handful.notes {
            all.observer.note(words);
        }
        let tasks = handful.tasks;
        let wishes: Vec<Wish<'_>> = tasks.iter().map(|task| self.wish(task)).collect();
        let exit_code = all.plan.exit_code;
        let finished = self.done.iter().map(|done| done.finished(exit_code));
        let finished: Vec<Finished<'_>> = finished.collect();
        let exchanged = all.exchange(&finished, &wishes, &handful.ends)?;
        self.settle(tasks, exchanged);
        Ok(())
    }

    fn wish<'t>(&self, task: &'t Task) -> Wish<'t>
    where
        'a: 't,
    {
        let item = &*task.item;
        Wish {
            seen: Seen {
                hash: &item.hash,
                path: &item.path,
                document: item.document,
                line: item.line,
                name: &item.name,
                text: item.text.as_deref().ok(),
            },
            key: self.all.plan.key(&item.hash, self.engine(task)),
            wants_solutions: self.all.plan.wanted.keeps_solutions,
        }
    }

    fn engine(&self, task: &Task) -> &'a str {
        &self.all.plan.engines[task.engine]
    }

    /// Tells what is written, and goes on with what is ours.
    fn settle(&mut self, tasks: Vec<Task>, exchanged: Exchanged) {
        let all = self.all;
        for (reported, is_written) in
            std::mem::take(&mut self.done).into_iter().zip(exchanged.accepted)
        {
            let Reported { claimed, report, .. } = reported;
            if is_written {
                let engine = self.engine(&claimed.task);
                all.ended(&claimed.task.item.label, engine, &report);
            } else {
                // Taken over by somebody who held this batch for dead.
                all.queue.put_aside(claimed.task);
            }
        }
        for (task, claim) in tasks.into_iter().zip(exchanged.claims) {
            match claim {
                Claim::Done(ended) => {
                    let engine = self.engine(&task);
                    all.was_ended(&task.item.label, engine, &ended);
                }
                Claim::Taken => all.queue.put_aside(task),
                Claim::Ours(run) => self.begin(task, run),
            }
        }
    }

    /// What has no text is done at once.
    fn begin(&mut self, task: Task, run: i64) {
        let lost = match &task.item.text {
            Ok(_) => None,
            Err(NoText::Unreadable(why)) => Some((Loss::Unreadable, why.clone())),
            Err(NoText::TooLarge(why)) => Some((Loss::TooLarge, why.clone())),
        };
        let claimed = Claimed { task, run };
        match lost {
            Some((loss, why)) => self.ended(claimed, lost_report(loss, why), Vec::new(), 1),
            None => self.claimed.push_back(claimed),
        }
    }

    fn ended(&mut self, claimed: Claimed, report: Report, kept: Vec<Kept>, first: u64) {
        if self.done.is_empty() {
            self.done_since = Instant::now();
        }
        self.done.push(Reported { claimed, report, kept, first });
    }

    /// Sends the worker as much as it shall have before it; starts one where there is none.
    fn send(&mut self) -> Result<(), BatchError> {
        let most = self.number_within(SENT_FOR).min(MOST_SENT);
        while self.sent.len() < most
            && let Some(first) = self.claimed.front()
        {
            let item = &*first.task.item;
            let text = item.text.as_deref().unwrap_or_default();
            let worker = match &mut self.worker {
                Some(worker) => worker,
                none => {
                    let worker = Worker::start((self.all.launch)(), self.all.plan.wanted);
                    none.insert(worker.map_err(BatchError::NoWorker)?)
                }
            };
            if !worker.has_room(text) {
                break;
            }
            let order = Order {
                label: item.label.clone(),
                name: item.name.clone(),
                lines_before: item.line as usize - 1,
                engine: self.all.plan.engines[first.task.engine].clone(),
                length: text.len(),
            };
            worker.send(&order, text);
            self.sent.extend(self.claimed.pop_front());
        }
        Ok(())
    }

    /// Waits for the worker's next answer.
    fn receive(&mut self) -> Result<(), BatchError> {
        let (Some(mut worker), Some(head)) = (self.worker.take(), self.sent.pop_front()) else {
            return Ok(());
        };
        let time = self.all.plan.wanted.time_limit;
        let time = time.map(|time| time.saturating_add(self.all.plan.grace));
        let mut keeper = Keeper {
            backlog: self,
            run: head.run,
            started: worker.head_since(),
            has_given_back: false,
            trouble: None,
        };
        let done = worker.receive(time, &mut keeper);
        let has_given_back = keeper.has_given_back;
        if let Some(trouble) = keeper.trouble {
            return Err(trouble.into());
        }
        match done {
            Done::Report(answer) => {
                self.pace = (self.pace * 3 + answer.took) / 4;
                self.ended(head, *answer.report, answer.kept, answer.first);
                // What was given back is before the worker still.
                if !has_given_back {
                    self.worker = Some(worker);
                }
            }
            Done::Dead(loss, why, took) => {
                let mut report = lost_report(loss, why);
                report.work.seconds = took.as_secs_f64();
                self.ended(head, report, Vec::new(), 1);
                self.take_back();
            }
            Done::Abandoned => {
                self.all.queue.put_aside(head.task);
                self.take_back();
            }
        }
        Ok(())
    }

    /// What a worker that is no more has not begun.
    fn take_back(&mut self) {
        while let Some(last) = self.sent.pop_back() {
            self.claimed.push_front(last);
        }
    }

    /// Leaves to others what would take too long here.
    fn share(&mut self) -> Result<(), StoreError> {
        let own = 2 * self.number_within(CLAIMED_FOR);
        if self.claimed.len() > own && self.all.has_others() {
            self.give_back_from(own)?;
        }
        Ok(())
    }

    /// Whatever the worker has not begun is for others.
    fn give_back(&mut self) -> Result<(), StoreError> {
        self.take_back();
        self.give_back_from(0)
    }

    fn give_back_from(&mut self, first: usize) -> Result<(), StoreError> {
        let others = self.claimed.split_off(first);
        let runs: Vec<i64> = others.iter().map(|claimed| claimed.run).collect();
        if !runs.is_empty() {
            self.all.release(&runs)?;
        }
        let tasks = others.into_iter().map(|claimed| claimed.task);
        self.all.queue.give_back(tasks);
        Ok(())
    }
}

impl Reported {
    fn finished(&self, exit_code: fn(&Ended) -> u8) -> Finished<'_> {
        Finished {
            run: self.claimed.run,
            report: &self.report,
            exit_code: exit_code(&self.report.ended),
            kept: &self.kept,
            first: self.first,
        }
    }
}

fn lost_report(loss: Loss, why: String) -> Report {
    Report {
        puzzle: None,
        assumed: String::new(),
        ended: Ended::unfinished(BatchStatus::Lost(loss, why)),
        work: RunWork::default(),
    }
}

/// Looks after a backlog while a run goes on, and keeps what that finds.
struct Keeper<'d, 'a> {
    backlog: &'d mut Backlog<'a>,
    run: i64,
    started: Instant,
    /// Whether the worker was sent what others do now.
    has_given_back: bool,
    trouble: Option<StoreError>,
}

impl Keeper<'_, '_> {
    fn fail(&mut self, error: StoreError) -> ControlFlow<()> {
        self.trouble = Some(error);
        ControlFlow::Break(())
    }
}

impl Sink<Vec<Kept>> for Keeper<'_, '_> {
    fn found(&mut self, kept: Vec<Kept>, steps: u64) -> ControlFlow<()> {
        let first = steps + 1 - kept.len() as u64;
        match self.backlog.all.keep(self.run, first, &kept) {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(()),
            Err(error) => self.fail(error),
        }
    }

    fn progress(&mut self, _: Progress) -> ControlFlow<()> {
        let backlog = &mut *self.backlog;
        if !backlog.all.is_wanted() {
            return ControlFlow::Break(());
        }
        let long = if backlog.all.has_others() { LONG } else { LONG_FOR_OTHER_BATCHES };
        if self.started.elapsed() >= long
            && !(backlog.sent.is_empty() && backlog.claimed.is_empty())
        {
            self.has_given_back |= !backlog.sent.is_empty();
            if let Err(error) = backlog.give_back() {
                return self.fail(error);
            }
        }
        if backlog.is_late()
            && let Err(error) = backlog.exchange(Handful::default())
        {
            return self.fail(error);
        }
        ControlFlow::Continue(())
    }
}
