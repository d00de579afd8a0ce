//! Measures the program's start-up and exit: `solve` on a 3×3 and `--version` as processes, run in
//! turn with `true`, which does nothing. `cargo bench -- startup` runs only this benchmark.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 300;

fn main() {
    let mut wanted = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    if wanted.next().is_none_or(|first| first == "startup") {
        print();
    }
}

/// Prints the median time of each command, and its ratio to that of `true`.
fn print() {
    let puzzle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../puzzles/scramble-1.yaml");
    let mut solve = Command::new(env!("CARGO_BIN_EXE_edgematch"));
    solve.arg("solve").arg(puzzle);
    let mut version = Command::new(env!("CARGO_BIN_EXE_edgematch"));
    version.arg("--version");
    let mut commands = [Command::new("true"), version, solve];
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..RUNS {
        for (times, command) in times.iter_mut().zip(&mut commands) {
            let started = Instant::now();
            let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
            quiet.status().expect("the program was built, and `true` is everywhere");
            times.push(started.elapsed());
        }
    }
    let [nothing, version, solve] = times.map(|mut times| {
        times.sort_unstable();
        times[RUNS / 2]
    });
    let ratio = |time: Duration| time.as_secs_f64() / nothing.as_secs_f64();
    println!(
        "start-up: true {nothing:.2?}, edgematch --version {version:.2?} ({:.1} times), \
         edgematch solve {solve:.2?} ({:.1} times)",
        ratio(version),
        ratio(solve)
    );
}
