//! A worker process as the coordinator sees it: start it, order a run, wait for the answer, kill
//! it.
//!
//! A worker that exceeds its time is killed. The exit status of a worker that ends by itself tells why,
//! and becomes the status of its run.

use std::collections::VecDeque;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use edgematch::scheduler::{Progress, Sink};

use super::order::{Answer, Order};
use super::{Kept, Loss, Report, Wanted};

/// How often those who wait look up.
pub(super) const PERIOD: Duration = Duration::from_millis(20);

/// So many bytes fit into a pipe, so that nobody waits for a worker to read them.
const PIPE: usize = 32 << 10;

/// As much as is remembered of what a worker says to people.
const LAST_WORDS: usize = 4096;

/// A process that does one run after another.
pub(super) struct Worker {
    child: Process,
    orders: BufWriter<ChildStdin>,
    answers: Receiver<io::Result<Answer>>,
    /// Yields the last output on standard error, once the process has ended.
    last_words: Option<JoinHandle<VecDeque<u8>>>,
    /// Bytes of each order that is not answered yet.
    before_it: VecDeque<usize>,
    /// How many of these have certainly reached it.
    reached: usize,
    /// When it may have begun with the first of them.
    head_since: Instant,
}

/// What became of an order.
pub(super) enum Done {
    /// The worker has done it.
    Report(WorkerAnswer),
    /// The worker is dead, for this reason with a message, and after this time.
    Dead(Loss, String, Duration),
    /// Nobody wants it any more; the worker is dead.
    Abandoned,
}

/// What a worker answers to an order.
pub(super) struct WorkerAnswer {
    pub report: Box<Report>,
    /// Solutions that the sink has not got.
    pub kept: Vec<Kept>,
    /// The number of the first of them.
    pub first: u64,
    /// From the answer before it, or from the order.
    pub took: Duration,
}

impl Worker {
    /// Starts the process.
    pub fn start(mut command: Command, wanted: &Wanted) -> io::Result<Worker> {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C at the terminal is for the batch alone, which tells its workers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // What fails from here on ends the process, too.
        let mut child = Process(command.spawn()?);
        let missing = || io::Error::other("a pipe is missing");
        let mut orders = BufWriter::with_capacity(PIPE, child.0.stdin.take().ok_or_else(missing)?);
        wanted.write(&mut orders)?;
        let stdout = child.0.stdout.take().ok_or_else(missing)?;
        let stderr = child.0.stderr.take().ok_or_else(missing)?;
        let (give, answers) = sync_channel(256);
        thread::Builder::new().spawn(move || listen(stdout, &give))?;
        let last_words = thread::Builder::new().spawn(move || last_words(stderr))?;
        Ok(Worker {
            child,
            orders,
            answers,
            last_words: Some(last_words),
            before_it: VecDeque::new(),
            reached: 0,
            head_since: Instant::now(),
        })
    }

    /// Whether it can be sent another order, with this text.
    pub fn has_room(&self, text: &[u8]) -> bool {
        let bytes: usize = self.before_it.iter().sum();
        self.before_it.is_empty() || bytes + text.len() <= PIPE
    }

    /// Sends an order behind those that it has, at the latest before it is waited for.
    pub fn send(&mut self, order: &Order, text: &[u8]) {
        if self.before_it.is_empty() {
            self.head_since = Instant::now();
        }
        self.before_it.push_back(text.len());
        // Of a worker that can't be written to the answers before its end are still to be read.
        let _ = order.write(&mut self.orders, text);
    }

    /// Since when it may be at the first order that it has not answered.
    pub fn head_since(&self) -> Instant {
        self.head_since
    }

    /// Waits for the answer to the first order, for so much time; what is kept reaches `sink`, some
    /// at a time, and each of them is a step. Whatever comes back but a report, the worker is dead.
    pub fn receive(&mut self, time: Option<Duration>, sink: &mut dyn Sink<Vec<Kept>>) -> Done {
        const AT_ONCE: usize = 500;
        // Many orders at a time; one that is working through the first half has enough to do.
        if self.reached <= self.before_it.len() / 2 {
            // Where that fails, the worker has ended or ends now.
            let _ = self.orders.flush();
            self.reached = self.before_it.len();
        }
        let mut kept = Vec::new();
        let mut found = 0;
        loop {
            match self.answers.recv_timeout(PERIOD) {
                Ok(Ok(Answer::Kept(one))) => {
                    kept.push(one);
                    found += 1;
                    if kept.len() >= AT_ONCE
                        && sink.found(std::mem::take(&mut kept), found).is_break()
                    {
                        return self.abandon();
                    }
                }
                Ok(Ok(Answer::Report(report))) => return self.answered(report, kept, found),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return self.dead(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if sink.progress(Progress::new(found, 0.0)).is_break() {
                return self.abandon();
            }
            let elapsed = self.head_since.elapsed();
            if time.is_some_and(|time| elapsed > time) {
                let _ = self.child.end();
                let seconds = elapsed.as_secs_f64();
                let why = format!("it did not stop at its time limit: killed after {seconds:.1} s");
                return Done::Dead(Loss::Hung, why, elapsed);
            }
        }
    }

    fn answered(&mut self, report: Box<Report>, kept: Vec<Kept>, found: u64) -> Done {
        self.before_it.pop_front();
        self.reached = self.reached.saturating_sub(1);
        let now = Instant::now();
        let took = now - self.head_since;
        self.head_since = now;
        Done::Report(WorkerAnswer { report, first: found + 1 - kept.len() as u64, kept, took })
    }

    fn abandon(&mut self) -> Done {
        let _ = self.child.end();
        Done::Abandoned
    }

    /// Why a worker is dead that should not be.
    fn dead(&mut self) -> Done {
        // A worker that only closed its pipes is of no use either.
        let status = self.child.end();
        let took = self.head_since.elapsed();
        // The thread ends with the process, which has the only other end of the pipe.
        let words = self.last_words.take().and_then(|words| words.join().ok());
        let words = Vec::from(words.unwrap_or_default());
        let words = String::from_utf8_lossy(&words).trim().to_owned();
        let how = match status {
            Ok(status) if is_abort(status) => {
                let first = words.lines().next().unwrap_or("no reason given");
                let why = format!("the worker process, whose memory is limited, aborted: {first}");
                return Done::Dead(Loss::OutOfMemory, why, took);
            }
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let why = if words.is_empty() {
            format!("the worker process ended: {how}")
        } else {
            format!("the worker process ended: {how}; it said: {words}")
        };
        Done::Dead(Loss::Crashed, why, took)
    }
}

/// Returns true if a process has aborted, as a Rust program does when an allocation fails.
#[cfg(unix)]
fn is_abort(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGABRT: i32 = 6;
    status.signal() == Some(SIGABRT)
}

/// Memory is limited on Unix only.
#[cfg(not(unix))]
fn is_abort(_: ExitStatus) -> bool {
    false
}

/// A process that ends with this value.
struct Process(Child);

impl Process {
    /// Kills the process, and returns its exit status: its own if it has ended by itself.
    fn end(&mut self) -> io::Result<ExitStatus> {
        let _ = self.0.kill();
        self.0.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Reads standard error to its end, and returns the last part.
fn last_words(mut stderr: ChildStderr) -> VecDeque<u8> {
    let mut words = VecDeque::new();
    let mut buffer = [0; 512];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        words.extend(&buffer[..length]);
        let too_many = words.len().saturating_sub(LAST_WORDS);
        words.drain(..too_many);
    }
    words
}

fn listen(stdout: impl Read, give: &SyncSender<io::Result<Answer>>) {
    let mut stdout = BufReader::new(stdout);
    while let Some(answer) = Answer::read(&mut stdout).transpose() {
        let is_damaged = answer.is_err();
        if give.send(answer).is_err() || is_damaged {
            return;
        }
    }
}
