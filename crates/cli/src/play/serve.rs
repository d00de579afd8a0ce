//! `edgematch play`: serves a page to play in the browser.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};

use anyhow::Context;
use edgematch::enumerate::Limits;
use edgematch::runtime::scheduler;
use edgematch_play::serve::{self, ServeOptions};

use super::library;
use crate::args::Play;
use crate::common::{exit, interrupt, say};

/// Runs `edgematch play` until it is interrupted; returns the exit code, 0.
pub fn run(args: &Play) -> anyhow::Result<u8> {
    let quiet = args.messages.quiet;
    let library = library::open(args.puzzle.as_deref(), &args.extra, quiet, &Limits::default())?;
    // Installed only now: before, a signal ends the program immediately, even while a file is read.
    let interrupt = interrupt::flag();
    let listener = listen(&args.host, args.port)?;
    let address = listener.local_addr()?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serve::url(address))?;
    out.flush()?;
    drop(out);
    if !quiet {
        say("open this address in a browser; Ctrl-C ends it");
        if !address.ip().is_loopback() {
            say("warning: anyone who can reach this machine can play and start searches");
        }
    }
    let is_name = args.host.parse::<IpAddr>().is_err();
    let options = ServeOptions {
        library,
        name: is_name.then(|| args.host.clone()),
        time_limit: args.time.time_limit.unwrap_or_default(),
        threads: args.threads.number(),
        jobs: scheduler::available().max(2),
    };
    serve::serve(listener, options, &interrupt).context("the server failed")?;
    Ok(exit::FOUND)
}

/// Binds a listener to the first usable address of a host name or IP address (IPv6 also in
/// brackets); port 0 means any free one.
///
/// # Errors
/// If the host has no address, or none can be bound.
fn listen(host: &str, port: u16) -> anyhow::Result<TcpListener> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let unknown = || format!("--host {host}: there is no such address");
    let addresses: Vec<SocketAddr> =
        (bare, port).to_socket_addrs().with_context(unknown)?.collect();
    TcpListener::bind(&addresses[..]).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => {
            anyhow::anyhow!("port {port} is in use: choose another, or --port 0 for any free one")
        }
        _ => anyhow::Error::new(error).context(format!("cannot listen on {host}, port {port}")),
    })
}
