//! A batch from its beginning to its end: it keeps as many workers busy as there are jobs, and says
//! that it lives meanwhile.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use super::Process;
use super::backlog::Backlog;
use super::coordinator::{BatchError, BatchObserver, Coordinator, Plan, Summary};
use super::queue::Queue;
use super::sources::Found;
use super::store::Store;

/// How often a batch says that it lives.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Runs every puzzle with every engine, but for what is finished in the store. `launch` gives the
/// command of a worker, which is to [`serve`](super::serve).
///
/// Puzzles are read ahead only so far, so memory does not grow with their number. A run that
/// another batch claims is waited for. When somebody interrupts, runs that are not finished are
/// given up, and nothing is left of them in the store. A batch that is killed loses what it found
/// in its last tenth of a second.
///
/// # Errors
/// Where the store can't be written, or no worker or thread can be started. What was finished
/// before stays.
pub fn run(
    plan: &Plan<'_>,
    found: impl Iterator<Item = Found> + Send + 'static,
    mut store: Store,
    launch: &(dyn Fn() -> Command + Sync),
    observer: &dyn BatchObserver,
    interrupt: &AtomicBool,
) -> Result<Summary, BatchError> {
    let batch = store.begin(&Process::this())?;
    let queue = Arc::new(Queue::new(plan.engines.len()));
    // On a thread of its own that nobody waits for: standard input may never end.
    let reader = thread::Builder::new().spawn({
        let queue = Arc::clone(&queue);
        move || queue.fill(found)
    });
    if let Err(error) = reader {
        store.end(batch)?;
        return Err(BatchError::NoThread(error));
    }
    let coordinator = Coordinator::new(plan, &queue, (store, batch), launch, observer, interrupt);
    work(&coordinator);
    queue.close();
    coordinator.summary()
}

/// Does all runs, each manager with a worker of its own, and beats meanwhile.
fn work(coordinator: &Coordinator<'_>) {
    thread::scope(|scope| {
        let builder = || thread::Builder::new();
        let pulse = match builder().spawn_scoped(scope, || beat(coordinator)) {
            Ok(pulse) => pulse,
            Err(error) => return coordinator.fail(BatchError::NoThread(error)),
        };
        let mut managers = Vec::new();
        for index in 0..coordinator.plan.workers.max(1) {
            match builder().spawn_scoped(scope, || manage(coordinator)) {
                Ok(manager) => managers.push(manager),
                Err(error) if index == 0 => coordinator.fail(BatchError::NoThread(error)),
                // Those that have started can do it all.
                Err(_) => break,
            }
        }
        let mut panic = None;
        for manager in managers {
            panic = panic.or(manager.join().err());
        }
        coordinator.end();
        pulse.thread().unpark();
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
    });
}

fn beat(coordinator: &Coordinator<'_>) {
    while !coordinator.is_over() {
        if let Err(error) = coordinator.beat() {
            return coordinator.fail(error.into());
        }
        thread::park_timeout(HEARTBEAT);
    }
}

fn manage(coordinator: &Coordinator<'_>) {
    if let Err(error) = Backlog::new(coordinator).work() {
        coordinator.fail(error);
    }
}
