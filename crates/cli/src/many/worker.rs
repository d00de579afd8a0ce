//! `edgematch batch-worker`: the worker process that `batch` starts; users do not call it.

use std::io::{self, BufReader};

use anyhow::Context;
use edgematch_batch as batch;

use crate::args::BatchWorker;
use crate::common::exit;

/// Runs `edgematch batch-worker` until its input ends; returns the exit code, 0.
pub fn run(args: &BatchWorker) -> anyhow::Result<u8> {
    limit_memory(args.memory_limit).context("the memory can't be limited")?;
    let abandoned = || std::process::exit(i32::from(exit::FOUND));
    let input = Box::new(BufReader::new(io::stdin()));
    batch::serve(input, Box::new(io::stdout()), Box::new(abandoned))?;
    Ok(exit::FOUND)
}

/// Limits the address space of this process, so that larger allocations fail, and disables core
/// dumps. Does nothing except on Unix.
#[cfg(unix)]
fn limit_memory(bytes: u64) -> io::Result<()> {
    use rlimit::Resource;
    let (_, most) = Resource::AS.get()?;
    Resource::AS.set(bytes.min(most), most)?;
    Resource::CORE.set(0, 0)
}

#[cfg(not(unix))]
fn limit_memory(_: u64) -> io::Result<()> {
    Ok(())
}
