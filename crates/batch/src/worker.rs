//! The batch's handle of a worker process: start it, send orders, receive answers, kill it.
//!
//! If a worker ends by itself, its exit status becomes the status of its run.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::protocol::{Order, Wanted, WorkerAnswer, read_line, write_line};
use super::status::{BatchStatus, RunFailure};

/// The maximum number of bytes of texts in a chunk, unless it is a single text. Such a chunk fits
/// into a pipe, so that sending it does not block.
pub(super) const PIPE: usize = 32 << 10;

/// A worker process with the pipes to it. Dropping it kills the process.
pub(super) struct Worker {
    child: Process,
    orders: BufWriter<ChildStdin>,
    answers: Receiver<io::Result<WorkerAnswer>>,
    /// The thread that returns the first output on standard error once the process has ended.
    stderr: Option<JoinHandle<String>>,
}

impl Worker {
    /// Starts the process and sends it the settings of the batch. Fails if the process or a thread
    /// cannot be started.
    pub fn start(mut command: Command, wanted: &Wanted) -> io::Result<Worker> {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C at the terminal must reach only the batch, which then ends its workers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // From here on, returning an error drops `child`, which kills the process.
        let mut child = Process(command.spawn()?);
        let missing = || io::Error::other("a pipe is missing");
        let mut orders = BufWriter::with_capacity(PIPE, child.0.stdin.take().ok_or_else(missing)?);
        write_line(&mut orders, wanted)?;
        let stdout = child.0.stdout.take().ok_or_else(missing)?;
        let stderr = child.0.stderr.take().ok_or_else(missing)?;
        let (sender, answers) = sync_channel(256);
        thread::Builder::new().spawn(move || forward_answers(stdout, &sender))?;
        let stderr = thread::Builder::new().spawn(move || stderr_start(stderr))?;
        Ok(Worker { child, orders, answers, stderr: Some(stderr) })
    }

    /// Sends orders with their texts. Errors are ignored: [`receive`](Self::receive) reports them.
    pub fn send<'a>(&mut self, mut orders: impl Iterator<Item = (Order, &'a [u8])>) {
        // If writing fails, the worker has ended; its answers can still be received, then the
        // reason.
        let _ = orders
            .try_for_each(|(order, text)| order.write(&mut self.orders, text))
            .and_then(|()| self.orders.flush());
    }

    /// Waits for the next answer, at most for `patience`; `None` if there was none.
    ///
    /// # Errors
    /// If the worker has ended or sent something unreadable: it is then dead, and the error is the
    /// status of its current run.
    pub fn receive(&mut self, patience: Duration) -> Result<Option<WorkerAnswer>, BatchStatus> {
        match self.answers.recv_timeout(patience) {
            Ok(Ok(answer)) => Ok(Some(answer)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.cause_of_death()),
        }
    }

    /// Kills the process if it still runs, and converts its exit status and its messages to a
    /// status.
    fn cause_of_death(&mut self) -> BatchStatus {
        // A worker that only closed its pipes is useless too.
        let status = self.child.end();
        // The thread ends with the process, which has the only other end of the pipe.
        let words = self.stderr.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
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

/// Returns true if a process ended by `SIGABRT`, as a Rust program does when an allocation fails.
#[cfg(unix)]
fn is_abort(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGABRT: i32 = 6;
    status.signal() == Some(SIGABRT)
}

/// Always false, because workers have a memory limit only on Unix.
#[cfg(not(unix))]
fn is_abort(_: ExitStatus) -> bool {
    false
}

/// A process that is killed when this value is dropped.
struct Process(Child);

impl Process {
    /// Kills the process and waits for its exit status; if it had already ended, this is its own.
    /// Fails if waiting fails.
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

/// Reads standard error to its end, and returns its first 4096 bytes.
fn stderr_start(mut stderr: ChildStderr) -> String {
    const MOST: u64 = 4096;
    let mut words = Vec::new();
    let _ = stderr.by_ref().take(MOST).read_to_end(&mut words);
    let _ = io::copy(&mut stderr, &mut io::sink());
    String::from_utf8_lossy(&words).trim().to_owned()
}

/// Sends each answer to `sender`, until the output ends or has an error, which is sent too.
fn forward_answers(stdout: impl Read, sender: &SyncSender<io::Result<WorkerAnswer>>) {
    let mut stdout = BufReader::new(stdout);
    while let Some(answer) = read_line(&mut stdout).transpose() {
        let is_damaged = answer.is_err();
        if sender.send(answer).is_err() || is_damaged {
            return;
        }
    }
}
