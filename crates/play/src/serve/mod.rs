//! The page on a server of its own, for one player or a few: by default on this machine alone.
//!
//! ```text
//!  connection ─► middleware ─► route ──► search ─► lines of JSON, as they are found
//!  so many,      host,         puzzle    a slice at once, then a queue;
//!  so long       origin,       by name   a search ends with its connection
//!                rate,
//!                visitor
//! ```
//!
//! Nothing that a request says is ever a path: puzzles are looked up by name among those that were
//! listed. A search runs on a thread of its own, under limits, and is interrupted when whoever
//! asked goes away.

mod api;
mod connections;
mod gallery;
mod job_runner;
mod middleware;
mod refusal;
mod searches;
mod visitors;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Extension;
use edgematch::enumerate::Limits;
use edgematch::problem::Problem;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;

use self::connections::{Seat, Seats};
use self::gallery::Gallery;
use self::job_runner::JobRunner;
use self::middleware::Guard;
use self::searches::Searches;
use self::visitors::Visitors;
use crate::library::Library;
use crate::listed::{Listed, One};
use crate::refusal::Refusal;
use crate::request::Puzzles;

/// Errands at once.
const ERRANDS: usize = 2;

/// A connection that has not sent its request by then is closed.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest request line with its headers, in bytes.
const LONGEST_HEAD: usize = 32 << 10;

/// What a server hands out, and to whom.
#[derive(Debug)]
pub struct Options {
    /// The puzzles.
    pub library: Library,
    /// A name by which it may be called, beside addresses and `localhost`.
    pub name: Option<String>,
    /// The longest time of one answer.
    pub time_limit: Duration,
    /// The threads of one search.
    pub threads: usize,
    /// Searches at once.
    pub jobs: usize,
}

/// What every request is served from.
struct Service {
    library: Library,
    gallery: Gallery,
    middleware: Guard,
    visitors: Visitors,
    /// What takes long.
    searches: Searches,
    /// What does not, and is not to wait for that.
    errands: JobRunner,
}

impl Puzzles for Service {
    fn list(&self) -> Vec<Listed> {
        self.gallery.list(&self.library)
    }

    fn difficulty(&self, name: &str, limits: &Limits<'_>) -> Option<&'static str> {
        self.gallery.difficulty(&self.library, name, limits)
    }

    fn problem(&self, name: &str) -> Result<Problem, Refusal> {
        self.library.problem(name)
    }

    fn find(&self, name: &str) -> Result<One, Refusal> {
        self.library.find(name)
    }
}

/// Serves what comes to a listener until it is to stop; searches that run then are given up.
///
/// # Errors
/// Where no listener can be had.
pub fn serve(listener: TcpListener, options: Options, stop: &AtomicBool) -> io::Result<()> {
    // Jobs have threads of their own; what is left is soon done on this one.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let longest = options.time_limit + Duration::from_secs(60);
    let service = Arc::new(Service {
        middleware: Guard::new(options.name),
        visitors: Visitors::new(),
        searches: Searches::new(options.jobs, options.threads, options.time_limit),
        errands: JobRunner::new(ERRANDS, 1, options.time_limit),
        library: options.library,
        gallery: Gallery::default(),
    });
    let end = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        accept(listener, api::router(service), longest, stop).await;
        Ok(())
    });
    // Whoever still searches has nobody to tell.
    runtime.shutdown_background();
    end
}

/// Where a server can be reached.
pub fn url(mut address: SocketAddr) -> String {
    match address.ip() {
        // All of this machine's addresses: this one is always among them.
        IpAddr::V4(all) if all.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(all) if all.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    format!("http://{address}/")
}

async fn accept(
    listener: tokio::net::TcpListener,
    router: axum::Router,
    longest: Duration,
    stop: &AtomicBool,
) {
    /// Where no connection can be taken, as too many files are open.
    const PAUSE: Duration = Duration::from_millis(50);
    let seats = Seats::new();
    let mut stop = pin!(until(stop));
    loop {
        let next = async {
            let seat = seats.take().await;
            (listener.accept().await, seat)
        };
        let (accepted, (seat, permit)) = tokio::select! {
            next = next => next,
            () = &mut stop => return,
        };
        let Ok((stream, address)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let router = router.clone().layer(Extension(Peer {
            address: address.ip(),
            seat: Arc::clone(&seat),
        }));
        tokio::spawn(async move {
            let _permit = permit;
            tokio::select! {
                () = seat.until_asked_to_leave() => {}
                // Who reads or writes too slowly is left.
                _ = tokio::time::timeout(longest, serve_connection(stream, router)) => {}
            }
        });
    }
}

/// Where a request comes from.
#[derive(Debug, Clone)]
struct Peer {
    address: IpAddr,
    seat: Arc<Seat>,
}

/// Waits until a flag is up.
async fn until(flag: &AtomicBool) {
    const PERIOD: Duration = Duration::from_millis(50);
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(PERIOD).await;
    }
}

async fn serve_connection(stream: TcpStream, router: axum::Router) {
    // Small answers are not held back; where that can't be said, they come later.
    let _ = stream.set_nodelay(true);
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(LONGEST_HEAD);
    let service = TowerToHyperService::new(router);
    // A connection that breaks is the other side's affair.
    let _ = builder
        .serve_connection(TokioIo::new(stream), service)
        .await;
}
