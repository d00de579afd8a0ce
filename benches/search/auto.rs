//! Compares `auto` with the two engines that it chooses from, interleaved, on generated framed
//! boards.

use std::ops::ControlFlow;

use edgematch::board::Board;
use edgematch::engine::{Auto, Backtrack, Engine, Propagate};
use edgematch::enumerate::{self, Limits, NewSolution};
use edgematch::generate::{Generator, Recipe, Target};
use edgematch::problem::Problem;

/// Side length, inner images, and images of the frame.
const BOARDS: [(usize, usize, usize); 12] = [
    (6, 4, 4),
    (6, 5, 4),
    (6, 5, 5),
    (7, 8, 4),
    (7, 9, 4),
    (7, 10, 3),
    (8, 10, 5),
    (8, 11, 5),
    (9, 14, 5),
    (9, 15, 5),
    (10, 17, 5),
    (10, 19, 5),
];

/// The seed of the boards. The constants of `auto` were tuned on other boards, with seeds 201 to
/// 303.
const SEED: u64 = 401;

/// The number of rounds, in which each engine runs once; the best run counts.
const ROUNDS: usize = 5;

/// Prints the table.
pub fn print() {
    println!(
        "{:<16}{:>14}{:>14}{:>11}{:>8}",
        "board", "propagate, ms", "backtrack", "auto", "ratio"
    );
    let mut logs = Vec::new();
    for (side, images, of_frame) in BOARDS {
        let problem = board(side, images, of_frame);
        let engines: [&dyn Engine; 3] = [&Propagate, &Backtrack::Fast, &Auto];
        let mut best = [f64::INFINITY; 3];
        for _ in 0..ROUNDS {
            for (best, engine) in best.iter_mut().zip(engines) {
                *best = best.min(milliseconds(&problem, engine));
            }
        }
        let [propagate, backtrack, auto] = best;
        let ratio = auto / propagate.min(backtrack);
        logs.push(ratio.ln());
        let name = format!("f{side}-b{of_frame}k{images}-{SEED}");
        println!("{name:<16}{propagate:>14.2}{backtrack:>14.2}{auto:>11.2}{ratio:>8.2}");
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    println!("auto takes {mean:.2} times as long as the better one (geometric mean)");
}

/// The board that `generate --size NxN --framed --matching equal` makes.
fn board(side: usize, images: usize, of_frame: usize) -> Problem {
    let recipe = Recipe {
        board: Board::grid(side, side),
        images,
        has_halves: false,
        frame: Some(of_frame),
        may_turn: true,
        two_sided: false,
    };
    let generator = Generator::new(recipe, Target::default()).expect("there are enough edges");
    let made = generator.make(SEED, &Limits::default(), &mut |_| ());
    made.expect("nothing is wished of it").problem
}

fn milliseconds(problem: &Problem, engine: &dyn Engine) -> f64 {
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    let outcome = enumerate::run(problem, engine, &Limits::default(), ignore);
    assert!(outcome.status.is_complete(), "{}", engine.name());
    outcome.seconds * 1e3
}
