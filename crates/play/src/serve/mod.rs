//! A local server of the page for a few players, by default only on this machine.
//!
//! ```text
//!  connection ─► middleware ─► route ──► lane ────► lines of JSON, one at a time
//!                host, origin, puzzle    short, long,
//!                content type  by name   background
//! ```
//!
//! No request contains a path: puzzles are looked up by name in a list. A job runs on its own
//! thread, under limits, and is interrupted when its client disconnects.

mod api;
mod compress;
mod gallery;
mod lane;
mod middleware;
mod refusal;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;

use self::gallery::Gallery;
use self::lane::Lane;
use crate::library::Library;

/// The number of concurrent short jobs, each on one thread.
const SHORT_JOBS: usize = 4;

/// The time limit for receiving the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum length of the request line and the headers, in bytes.
const LONGEST_HEAD: usize = 32 << 10;

/// A connection may last this long in addition to the time limit of an answer.
const READING_TIME: Duration = Duration::from_secs(60);

/// The options of a server.
#[derive(Debug)]
pub struct ServeOptions {
    /// The puzzles.
    pub library: Library,
    /// A host name of this server that requests may use, besides IP addresses and `localhost`.
    pub name: Option<String>,
    /// The time limit of an answer.
    pub time_limit: Duration,
    /// The number of threads of one search.
    pub threads: usize,
    /// The maximum number of concurrent searches; others queue.
    pub jobs: usize,
}

/// The state that all requests share.
struct Service {
    gallery: Gallery,
    /// A host name that requests may use, besides IP addresses and `localhost`.
    name: Option<String>,
    /// The lane of hints, checks and everything else that is answered quickly.
    short: Lane,
    /// The lane of searches.
    long: Lane,
    /// The lane of what nobody waits for.
    background: Lane,
}

/// Serves the connections of a listener until `stop` is set; then returns without waiting for
/// running searches. The error is one of setting up the listener.
pub fn serve(listener: TcpListener, options: ServeOptions, stop: &AtomicBool) -> io::Result<()> {
    // One thread suffices, because jobs have their own threads.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let longest = options.time_limit + READING_TIME;
    let service = Arc::new(Service {
        name: options.name,
        short: Lane::new(SHORT_JOBS, 1, options.time_limit),
        long: Lane::new(options.jobs, options.threads, options.time_limit),
        background: Lane::new(1, 1, options.time_limit),
        gallery: Gallery::new(options.library),
    });
    let end = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        accept(listener, api::router(service), longest, stop).await;
        Ok(())
    });
    runtime.shutdown_background();
    end
}

/// The URL at which a server that listens on this address can be opened on this machine.
pub fn url(mut address: SocketAddr) -> String {
    match address.ip() {
        // The server listens on all addresses of this machine, so the loopback address works.
        IpAddr::V4(all) if all.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(all) if all.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    format!("http://{address}/")
}

/// Accepts connections until `stop` is set. A connection is closed after `longest`.
async fn accept(
    listener: tokio::net::TcpListener,
    router: axum::Router,
    longest: Duration,
    stop: &AtomicBool,
) {
    /// The pause after an error, for example if too many files are open.
    const PAUSE: Duration = Duration::from_millis(50);
    let mut stop = pin!(until(stop));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => return,
        };
        match accepted {
            Ok((stream, _)) => {
                let connection = serve_connection(stream, router.clone());
                tokio::spawn(tokio::time::timeout(longest, connection));
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Waits until a flag is set, which it checks every 50 ms.
async fn until(flag: &AtomicBool) {
    const PERIOD: Duration = Duration::from_millis(50);
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(PERIOD).await;
    }
}

/// Serves one connection. Unlike `axum::serve`, it has a time limit for the head of a request.
async fn serve_connection(stream: TcpStream, router: axum::Router) {
    // Nagle's algorithm would delay small answers.
    let _ = stream.set_nodelay(true);
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(LONGEST_HEAD);
    let service = TowerToHyperService::new(router);
    // Errors of a connection concern only its client.
    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
}
