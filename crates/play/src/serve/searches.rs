//! Searches for visitors: each has a short slice at once, and queues for longer ones.
//!
//! ```text
//!  request ─► the visitor's turn ─► a slice of 0.3 s on a worker that is kept for slices
//!                                     │ ends: its lines are the answer
//!                                     ▼ does not: they are dropped
//!             the visitor's turn ─► the queue, told its place ─► a worker, until the time limit
//! ```
//!
//! A visitor has one slice and one long search at a time, so whoever asks sixty hard questions waits
//! for themselves alone. What a slice has found is searched again; that costs less than to keep it.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::job_runner::{Line, Lines, Teller, respond, run_on_thread};
use super::refusal::{Refusal, error};
use super::visitors::Visitor;

/// The time that each search has before it queues.
const SLICE: Duration = Duration::from_millis(300);

/// How often a search that waits looks at its place.
const PERIOD: Duration = Duration::from_millis(200);

/// Searches of one visitor that run or wait, and of all visitors.
const MOST_OF_ONE: usize = 32;
const MOST: usize = 512;

/// Lines that wait for whoever listens.
const ROOM: usize = 64;

/// What a search does: it may be begun again.
type Job = dyn Fn(&Teller) -> Result<(), Refusal> + Send + Sync;

/// What one visitor may do at a time.
#[derive(Debug)]
struct Turns {
    slice: Arc<Semaphore>,
    long: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

/// The searches that wait for a worker, the next one first.
#[derive(Debug, Default)]
struct Queue {
    next: AtomicU64,
    waiting: Mutex<VecDeque<u64>>,
}

impl Queue {
    fn locked(&self) -> MutexGuard<'_, VecDeque<u64>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn join(self: &Arc<Self>) -> Ticket {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.locked().push_back(number);
        Ticket {
            number,
            queue: Arc::clone(self),
        }
    }
}

/// A place in the queue; it is left when this is dropped.
struct Ticket {
    number: u64,
    queue: Arc<Queue>,
}

impl Ticket {
    /// From 1 on.
    fn place(&self) -> usize {
        let waiting = self.queue.locked();
        1 + waiting
            .iter()
            .take_while(|&&other| other != self.number)
            .count()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.queue.locked().retain(|&other| other != self.number);
    }
}

/// Runs searches.
pub(super) struct Searches {
    /// Workers for slices, and for what takes longer.
    slices: Arc<Semaphore>,
    long: Arc<Semaphore>,
    places: Arc<Semaphore>,
    queue: Arc<Queue>,
    visitors: Mutex<HashMap<Visitor, Arc<Turns>>>,
    threads: usize,
    time_limit: Duration,
}

/// One search with all that it needs.
struct Search {
    job: Arc<Job>,
    turns: Arc<Turns>,
    slices: Arc<Semaphore>,
    long: Arc<Semaphore>,
    queue: Arc<Queue>,
    threads: usize,
    time_limit: Duration,
}

impl Searches {
    /// With so many workers: one is kept for slices.
    pub fn new(workers: usize, threads: usize, time_limit: Duration) -> Self {
        Searches {
            slices: Arc::new(Semaphore::new(1)),
            long: Arc::new(Semaphore::new(workers.saturating_sub(1).max(1))),
            places: Arc::new(Semaphore::new(MOST)),
            queue: Arc::default(),
            visitors: Mutex::default(),
            threads,
            time_limit,
        }
    }

    fn turns(&self, visitor: Visitor) -> Arc<Turns> {
        let mut visitors = self.visitors.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever asks nothing at the moment is forgotten.
        visitors.retain(|_, turns| turns.places.available_permits() < MOST_OF_ONE);
        let new = || Turns {
            slice: Arc::new(Semaphore::new(1)),
            long: Arc::new(Semaphore::new(1)),
            places: Arc::new(Semaphore::new(MOST_OF_ONE)),
        };
        Arc::clone(visitors.entry(visitor).or_insert_with(|| Arc::new(new())))
    }

    /// Answers by what a search says, a line of JSON each time; by an error alone where that comes
    /// first.
    pub async fn answer(
        &self,
        visitor: Visitor,
        job: impl Fn(&Teller) -> Result<(), Refusal> + Send + Sync + 'static,
    ) -> Response {
        let turns = self.turns(visitor);
        let place = Arc::clone(&turns.places).try_acquire_owned();
        let everywhere = Arc::clone(&self.places).try_acquire_owned();
        let (Ok(place), Ok(everywhere)) = (place, everywhere) else {
            let message = "too many searches are waiting: try again later";
            return error(StatusCode::SERVICE_UNAVAILABLE, message);
        };
        let (sender, receiver) = mpsc::channel(ROOM);
        let lines = Lines::new(receiver);
        let stop = lines.stop();
        let search = Search {
            job: Arc::new(job),
            turns,
            slices: Arc::clone(&self.slices),
            long: Arc::clone(&self.long),
            queue: Arc::clone(&self.queue),
            threads: self.threads,
            time_limit: self.time_limit,
        };
        tokio::spawn(async move {
            let _until_done = (place, everywhere);
            // Where whoever asked is gone, nobody is to be told anything.
            tokio::select! {
                () = sender.closed() => {}
                ended = search.run(&sender, stop) => {
                    if let Some(problem) = ended.and_then(Result::err) {
                        let _ = sender.send(Line::Error(problem)).await;
                    }
                }
            }
        });
        respond(lines).await
    }
}

/// A permit; semaphores are never closed.
async fn permit(semaphore: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
    Arc::clone(semaphore).acquire_owned().await.ok()
}

impl Search {
    /// Runs it, first for a slice; how it ended, if it did.
    async fn run(
        &self,
        sender: &mpsc::Sender<Line>,
        stop: Arc<AtomicBool>,
    ) -> Option<Result<(), Refusal>> {
        if let Some(ended) = self.slice(sender).await? {
            return Some(ended);
        }
        let held = self.wait(sender).await?;
        let teller = Teller::to(sender.clone(), stop, self.threads, self.time_limit);
        Some(run_on_thread(Arc::clone(&self.job), teller, held).await)
    }

    /// A slice; nothing where it was not enough.
    async fn slice(&self, sender: &mpsc::Sender<Line>) -> Option<Option<Result<(), Refusal>>> {
        let held = [
            permit(&self.turns.slice).await?,
            permit(&self.slices).await?,
        ];
        let cut = Flag::default();
        let (collect, mut collected) = mpsc::unbounded_channel();
        let teller = Teller::collecting(collect, Arc::clone(&cut.0), 1, self.time_limit);
        let running = run_on_thread(Arc::clone(&self.job), teller, held);
        tokio::pin!(running);
        let ended = tokio::select! {
            ended = &mut running => ended,
            () = tokio::time::sleep(SLICE) => {
                cut.0.store(true, Ordering::Relaxed);
                let _ = running.await;
                return Some(None);
            }
        };
        while let Some(line) = collected.recv().await {
            sender.send(Line::Text(line)).await.ok()?;
        }
        Some(Some(ended))
    }

    /// Waits for a worker, and tells the place in the queue whenever that changes.
    async fn wait(&self, sender: &mpsc::Sender<Line>) -> Option<[OwnedSemaphorePermit; 2]> {
        let ticket = self.queue.join();
        let both = async { Some([permit(&self.turns.long).await?, permit(&self.long).await?]) };
        tokio::pin!(both);
        let mut told = 0;
        loop {
            tokio::select! {
                held = &mut both => return held,
                () = tokio::time::sleep(PERIOD) => {
                    let place = ticket.place();
                    if place != told {
                        told = place;
                        let line = json!({"type": "waiting", "place": place}).to_string() + "\n";
                        sender.send(Line::Text(line)).await.ok()?;
                    }
                }
            }
        }
    }
}

/// A flag that is raised when it is dropped, so that what looks at it ends.
#[derive(Default)]
struct Flag(Arc<AtomicBool>);

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
