//! Estimates of a search before it runs, and while it runs.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use edgematch::engine::{Auto, Backtrack, Engine, Milp, Propagate, Work};
use edgematch::enumerate::{self, Limits, NewSolution};
use edgematch::load;
use edgematch::model::FORMULATIONS;
use edgematch::problem::Problem;
use edgematch::runtime::limits::CancelToken;
use itertools::iproduct;

use crate::common::complete;
use crate::common::generated::large;

#[test]
#[ignore = "takes a minute in release; .ci/run runs it"]
fn probes_are_within_a_factor_of_three() {
    for (size, images, is_framed) in [(6, 8, false), (7, 8, true)] {
        for engine in [&Propagate as &dyn Engine, &Backtrack::Fast] {
            // The search by rows is not intended for boards with signed edges.
            if !is_framed && engine.name() != "propagate" {
                continue;
            }
            let mut close = 0;
            for seed in 0..10 {
                let problem = load::from_str(&large(size, images, is_framed, seed)).unwrap();
                let probes = engine.probe(&problem, 1000, 1, &CancelToken::never());
                let probes = probes.continue_value().unwrap();
                let mean = probes.iter().sum::<f64>() / probes.len() as f64;
                let nodes = complete(&problem, engine).work.nodes as f64;
                println!("{} {size}×{size}: {mean:.0} for {nodes:.0}", engine.name());
                close += usize::from((1.0 / 3.0..=3.0).contains(&(mean / nodes)));
            }
            assert!(close >= 8, "{}: {close} of 10", engine.name());
        }
    }
}

/// The explored share never decreases, and stays below 1 until the end.
#[test]
fn the_explored_share_never_decreases() {
    /// Records the shares that are reported, until there are enough.
    struct Shares<'a>(Vec<f64>, &'a AtomicBool);
    impl enumerate::Listener for Shares<'_> {
        fn found(&mut self, _: &NewSolution<'_>) -> ControlFlow<enumerate::StopReason> {
            ControlFlow::Continue(())
        }

        fn progress(&mut self, _: &enumerate::Tally, work: &Work) {
            self.0.extend(work.explored);
            self.1.store(self.0.len() >= 10, Ordering::Relaxed);
        }
    }
    let signed = load::from_str(&large(6, 7, false, 1)).unwrap();
    let framed = load::from_str(&large(8, 9, true, 2)).unwrap();
    let cases: [(&Problem, &dyn Engine); 4] = [
        (&signed, &Propagate),
        (&framed, &Backtrack::Fast),
        (&framed, &Auto),
        (&signed, &Milp::new(FORMULATIONS[0])),
    ];
    for ((problem, engine), threads) in iproduct!(cases, [1, 3]) {
        let is_enough = AtomicBool::new(false);
        let limits = Limits { interrupt: Some(&is_enough), threads, ..Limits::default() };
        let mut shares = Shares(Vec::new(), &is_enough);
        let outcome = enumerate::run(problem, engine, &limits, &mut shares);
        let shares = shares.0;
        assert!(shares.len() > 1, "{} tells shares", engine.name());
        assert!(shares.is_sorted(), "{}", engine.name());
        let mut shares = shares.iter();
        assert!(shares.all(|share| (0.0..1.0).contains(share)));
        if outcome.status.is_complete() {
            assert_eq!(outcome.work.explored, Some(1.0));
        }
    }
}
