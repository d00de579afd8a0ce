//! What the program costs before and after its work: `solve` on a 3×3 as a whole command, beside a
//! command that does nothing, run in turn. `cargo bench -- startup` prints nothing else.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 300;

fn main() {
    let mut wanted = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    if wanted.next().is_none_or(|first| first == "startup") {
        print();
    }
}

/// Prints the medians, and their ratio.
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
