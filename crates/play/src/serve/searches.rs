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
//! What cannot be cut short, such as the reading of a photograph, is done in its slice.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::job_runner::{Line, Lines, Signal, Teller, respond, run_on_thread};
use super::refusal::error;
use super::visitors::Visitor;
use crate::refusal::Refusal;

/// The time that each search has before it queues.
const SLICE: Duration = Duration::from_millis(300);

/// How often a search that waits looks at its place.
const PERIOD: Duration = Duration::from_millis(200);

/// Searches of one visitor that run or wait, and of all visitors.
const MOST_OF_ONE: usize = 32;
const MOST: usize = 512;

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

/// What searches run on.
struct Workers {
    /// Workers for slices, and for what takes longer.
    slices: Arc<Semaphore>,
    long: Arc<Semaphore>,
    queue: Arc<Queue>,
    threads: usize,
    time_limit: Duration,
}

/// Runs searches.
pub(super) struct Searches {
    workers: Arc<Workers>,
    places: Arc<Semaphore>,
    visitors: Mutex<HashMap<Visitor, Arc<Turns>>>,
}

/// One search with all that it needs.
struct Search {
    job: Arc<Job>,
    turns: Arc<Turns>,
    workers: Arc<Workers>,
}

impl Searches {
    /// With so many workers: one is kept for slices.
    pub fn new(workers: usize, threads: usize, time_limit: Duration) -> Self {
        let workers = Workers {
            slices: Arc::new(Semaphore::new(1)),
            long: Arc::new(Semaphore::new(workers.saturating_sub(1).max(1))),
            queue: Arc::default(),
            threads,
            time_limit,
        };
        Searches {
            workers: Arc::new(workers),
            places: Arc::new(Semaphore::new(MOST)),
            visitors: Mutex::default(),
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
        let (sender, lines) = Lines::channel();
        let stop = lines.stop();
        let search = Search {
            job: Arc::new(job),
            turns,
            workers: Arc::clone(&self.workers),
        };
        tokio::spawn(async move {
            let _until_done = (place, everywhere);
            // Where whoever asked is gone, nobody is to be told anything.
            tokio::select! {
                () = sender.closed() => {}
                ended = search.run(&sender, stop) => {
                    if let Err(problem) = ended {
                        let _ = sender.send(Line::Error(problem)).await;
                    }
                }
            }
        });
        respond(lines).await
    }
}

/// Two permits, one after the other; semaphores are never closed.
async fn permits(first: &Arc<Semaphore>, second: &Arc<Semaphore>) -> Permits {
    let first = Arc::clone(first).acquire_owned().await.ok();
    let second = Arc::clone(second).acquire_owned().await.ok();
    [first, second]
}

type Permits = [Option<OwnedSemaphorePermit>; 2];

impl Search {
    /// Runs it, first for a slice; how it ended.
    async fn run(&self, sender: &mpsc::Sender<Line>, stop: Arc<Signal>) -> Result<(), Refusal> {
        if let Some(ended) = self.slice(sender).await {
            return ended;
        }
        let held = self.wait(sender).await;
        let Workers {
            threads,
            time_limit,
            ..
        } = *self.workers;
        let teller = Teller::to(sender.clone(), stop, threads, time_limit);
        run_on_thread(Arc::clone(&self.job), teller, held).await
    }

    /// A slice; nothing where it was not enough.
    async fn slice(&self, sender: &mpsc::Sender<Line>) -> Option<Result<(), Refusal>> {
        let held = permits(&self.turns.slice, &self.workers.slices).await;
        let cut = Cut::default();
        let (collect, mut collected) = mpsc::unbounded_channel();
        let teller = Teller::collecting(collect, Arc::clone(&cut.0), 1, self.workers.time_limit);
        let running = run_on_thread(Arc::clone(&self.job), teller, held);
        tokio::pin!(running);
        let ended = tokio::select! {
            ended = &mut running => ended,
            () = tokio::time::sleep(SLICE) => {
                cut.0.raise();
                let ended = running.await;
                // What cannot be cut short is done now.
                if cut.0.is_heeded() {
                    return None;
                }
                ended
            }
        };
        while let Some(line) = collected.recv().await {
            // Where nobody takes it, the whole search is given up.
            let _ = sender.send(Line::Text(line)).await;
        }
        Some(ended)
    }

    /// Waits for a worker, and tells the place in the queue whenever that changes.
    async fn wait(&self, sender: &mpsc::Sender<Line>) -> Permits {
        let ticket = self.workers.queue.join();
        let both = permits(&self.turns.long, &self.workers.long);
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
                        let _ = sender.send(Line::Text(line)).await;
                    }
                }
            }
        }
    }
}

/// A signal that is raised when it is dropped, so that a slice that nobody waits for ends.
#[derive(Default)]
struct Cut(Arc<Signal>);

impl Drop for Cut {
    fn drop(&mut self) {
        self.0.raise();
    }
}
