//! Connections: so many at once; those that say nothing make room for others.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Connections at once; others wait.
const MOST: usize = 512;

/// A connection that has said nothing for so long is closed where others wait.
const PATIENCE: Duration = Duration::from_secs(3);

/// How often that is looked at.
const PERIOD: Duration = Duration::from_millis(100);

/// One connection, as long as it lasts.
#[derive(Debug)]
pub(super) struct Seat {
    began: Instant,
    has_spoken: AtomicBool,
    leave: Notify,
}

impl Seat {
    /// It has sent a request.
    pub fn speak(&self) {
        self.has_spoken.store(true, Ordering::Relaxed);
    }

    /// Waits until others need its place.
    pub async fn until_asked_to_leave(&self) {
        self.leave.notified().await;
    }
}

/// All connections.
#[derive(Debug)]
pub(super) struct Seats {
    free: Arc<Semaphore>,
    /// Those that may be silent, the oldest first.
    taken: Mutex<VecDeque<Arc<Seat>>>,
}

impl Seats {
    pub fn new() -> Self {
        Seats {
            free: Arc::new(Semaphore::new(MOST)),
            taken: Mutex::default(),
        }
    }

    /// A place for a connection, once there is one.
    pub async fn take(&self) -> (Arc<Seat>, Option<OwnedSemaphorePermit>) {
        let free = Arc::clone(&self.free).acquire_owned();
        tokio::pin!(free);
        // The semaphore is never closed.
        let permit = loop {
            tokio::select! {
                permit = &mut free => break permit.ok(),
                () = tokio::time::sleep(PERIOD) => self.make_room(),
            }
        };
        let seat = Arc::new(Seat {
            began: Instant::now(),
            has_spoken: AtomicBool::new(false),
            leave: Notify::new(),
        });
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken
            .retain(|seat| Arc::strong_count(seat) > 1 && !seat.has_spoken.load(Ordering::Relaxed));
        taken.push_back(Arc::clone(&seat));
        (seat, permit)
    }

    /// Asks those to leave that have been silent for long.
    fn make_room(&self) {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_silent = |seat: &&Arc<Seat>| {
            !seat.has_spoken.load(Ordering::Relaxed) && seat.began.elapsed() >= PATIENCE
        };
        for seat in taken.iter().filter(is_silent) {
            seat.leave.notify_one();
        }
    }
}
