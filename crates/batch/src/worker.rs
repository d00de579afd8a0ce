//! A worker process as a batch sees it: start it, send orders, receive answers, kill it.
//!
//! The exit status of a worker that ends by itself tells why, and becomes the status of its run.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::protocol::{Order, Wanted, WorkerAnswer, read_line, write_line};
use super::status::{BatchStatus, RunFailure};

/// Orders of this length fit into a pipe, so sending them never blocks.
pub(super) const PIPE: usize = 32 << 10;

/// A process that does one run after another.
pub(super) struct Worker {
    child: Process,
    orders: BufWriter<ChildStdin>,
    answers: Receiver<io::Result<WorkerAnswer>>,
    /// Yields the first output on standard error, once the process has ended.
    words: Option<JoinHandle<String>>,
}

impl Worker {
    /// Starts the process.
    pub fn start(mut command: Command, wanted: &Wanted) -> io::Result<Worker> {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C at the terminal is for the batch alone, which ends its workers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // An error from here on ends the process, too.
        let mut child = Process(command.spawn()?);
        let missing = || io::Error::other("a pipe is missing");
        let mut orders = BufWriter::with_capacity(PIPE, child.0.stdin.take().ok_or_else(missing)?);
        write_line(&mut orders, wanted)?;
        let stdout = child.0.stdout.take().ok_or_else(missing)?;
        let stderr = child.0.stderr.take().ok_or_else(missing)?;
        let (sender, answers) = sync_channel(256);
        thread::Builder::new().spawn(move || listen(stdout, &sender))?;
        let words = thread::Builder::new().spawn(move || first_words(stderr))?;
        Ok(Worker { child, orders, answers, words: Some(words) })
    }

    /// Sends orders with their texts.
    pub fn send<'a>(&mut self, mut orders: impl Iterator<Item = (Order, &'a [u8])>) {
        // A worker that cannot be written to has ended: its answers, and why it ended, come next.
        let _ = orders
            .try_for_each(|(order, text)| order.write(&mut self.orders, text))
            .and_then(|()| self.orders.flush());
    }

    /// Waits for the next answer; `None` if there is none after this time.
    ///
    /// # Errors
    /// The worker is dead, with the status of its run.
    pub fn receive(&mut self, patience: Duration) -> Result<Option<WorkerAnswer>, BatchStatus> {
        match self.answers.recv_timeout(patience) {
            Ok(Ok(answer)) => Ok(Some(answer)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.cause_of_death()),
        }
    }

    fn cause_of_death(&mut self) -> BatchStatus {
        // A worker that only closed its pipes is of no use either.
        let status = self.child.end();
        // The thread ends with the process, which has the only other end of the pipe.
        let words = self.words.take().and_then(|words| words.join().ok()).unwrap_or_default();
        let how = match status {
            Ok(status) if is_abort(status) => {
                let first = words.lines().next().unwrap_or("no reason given");
                return BatchStatus::Lost(
                    RunFailure::OutOfMemory,
                    format!("the worker process, whose memory is limited, aborted: {first}"),
                );
            }
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let said = if words.is_empty() { words } else { format!("; it said: {words}") };
        BatchStatus::Lost(RunFailure::Crashed, format!("the worker process ended: {how}{said}"))
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

/// Reads standard error to its end, and returns the beginning.
fn first_words(mut stderr: ChildStderr) -> String {
    const MOST: u64 = 4096;
    let mut words = Vec::new();
    let _ = stderr.by_ref().take(MOST).read_to_end(&mut words);
    let _ = io::copy(&mut stderr, &mut io::sink());
    String::from_utf8_lossy(&words).trim().to_owned()
}

fn listen(stdout: impl Read, sender: &SyncSender<io::Result<WorkerAnswer>>) {
    let mut stdout = BufReader::new(stdout);
    while let Some(answer) = read_line(&mut stdout).transpose() {
        let is_damaged = answer.is_err();
        if sender.send(answer).is_err() || is_damaged {
            return;
        }
    }
}
