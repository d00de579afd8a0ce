//! Results files that tests fill through the library.

use std::ops::ControlFlow;
use std::path::Path;

use edgematch::engine::contenders;
use edgematch::enumerate::{self, Limits, NewSolution, Outcome};
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use edgematch_batch::{
    BatchStatus, Ended, Finished, Group, Item, Kept, Key, PuzzleFacts, RunFailure, RunReport,
    RunSolutions, RunWork, Store,
};
use edgematch_proof::sha256;
use serde_json::value::to_raw_value;

/// A results file in progress, with the options of the runs that are added.
pub struct Filling {
    store: Store,
    /// The program revision that is stored with the runs.
    pub revision: String,
    /// The options of the runs, as JSON.
    pub options: String,
    /// True if solutions are stored.
    pub keeps: bool,
    /// The maximum number of solutions of a run; 0 for all.
    pub most: u64,
}

impl Filling {
    pub fn new(file: &Path) -> Filling {
        Filling {
            store: Store::open(file).unwrap(),
            revision: "0123456789abcdef".into(),
            options: "{}".into(),
            keeps: true,
            most: 0,
        }
    }

    /// Runs an engine on a puzzle file and stores the result.
    pub fn file(&mut self, path: &str, engine: &str) {
        let root = Path::new(crate::ROOT);
        let file = load::puzzle_file(&root.join(path)).unwrap();
        let name = Path::new(path).file_stem().unwrap().to_str().unwrap();
        self.text(path, name, &std::fs::read(file).unwrap(), engine);
    }

    /// Runs an engine on a puzzle's text and stores the result under this path and name.
    pub fn text(&mut self, path: &str, name: &str, text: &[u8], engine: &str) {
        let (report, kept) = match load::from_bytes(text, path, name) {
            Err(error) => (refused(&error.message, name), Vec::new()),
            Ok(problem) => self.solved(&problem, engine),
        };
        self.finished(path, name, text, engine, &report, &kept);
    }

    fn solved(&self, problem: &Problem, engine: &str) -> (RunReport, Vec<Kept>) {
        let mut kept = Vec::new();
        let contender = contenders().into_iter().find(|c| c.name == engine).unwrap();
        let limits = Limits { distinct: self.most, ..Limits::default() };
        let mut keep = |found: &NewSolution<'_>| {
            kept.push(kept_as_json(problem, found));
            ControlFlow::Continue(())
        };
        let outcome = enumerate::run(problem, contender.engine.as_ref(), &limits, &mut keep);
        let report = RunReport {
            puzzle: Some(facts(problem)),
            assumed: String::new(),
            ended: ended(&outcome, self.keeps),
            work: RunWork {
                chosen: None,
                nodes: outcome.work.nodes,
                tries: outcome.work.tries,
                solves: outcome.work.solves,
                cuts: outcome.work.cuts,
                seconds: outcome.seconds,
            },
        };
        if self.keeps { (report, kept) } else { (report, Vec::new()) }
    }

    /// Stores a run with this result, without running anything.
    pub fn finished(
        &mut self,
        path: &str,
        name: &str,
        text: &[u8],
        engine: &str,
        report: &RunReport,
        kept: &[Kept],
    ) {
        let hash = sha256(text);
        let item = Item {
            path: path.to_owned(),
            document: 1,
            line: 1,
            label: path.to_owned(),
            name: name.to_owned(),
            hash,
            text: Ok(text.to_owned()),
        };
        let key = Key {
            hash: &item.hash,
            engine,
            options: &self.options,
            version: "0.1.0",
            revision: &self.revision,
        };
        let stored = self.store.begin(&[(&item, key)], &[], false).unwrap();
        assert_eq!(stored, [None]);
        let exit_code = if report.ended.group() == Group::Bad { 2 } else { 0 };
        let kept = RunSolutions { stored: None, others: kept.to_vec() };
        self.store.finish(&[Finished { key, report, exit_code, kept: &kept }]).unwrap();
    }
}

/// The result of a run whose text is not a puzzle.
pub fn refused(error: &str, name: &str) -> RunReport {
    RunReport {
        puzzle: Some(PuzzleFacts { name: name.into(), ..PuzzleFacts::default() }),
        assumed: String::new(),
        ended: Ended::unfinished(BatchStatus::Lost(RunFailure::NoPuzzle, error.into())),
        work: RunWork::default(),
    }
}

fn facts(problem: &Problem) -> PuzzleFacts {
    let puzzle = &problem.puzzle;
    PuzzleFacts {
        name: puzzle.name.clone(),
        title: puzzle.title.clone(),
        source: puzzle.source.clone(),
        board: Some(problem.board.description().to_owned()),
        tiles: Some(puzzle.tiles.len() as u32),
        kinds: Some(problem.kinds.kinds.len() as u32),
    }
}

fn ended(outcome: &Outcome, keeps: bool) -> Ended {
    Ended {
        status: BatchStatus::Ran(outcome.status.clone()),
        distinct: Some(outcome.tally.distinct.to_string()),
        classes: Some(outcome.tally.classes.to_string()),
        solutions: Some(outcome.tally.solutions.to_string()),
        has_solutions: keeps,
    }
}

fn kept_as_json(problem: &Problem, found: &NewSolution<'_>) -> Kept {
    Kept {
        placements: to_raw_value(&placements(problem, &found.distinct.arrangement)).unwrap(),
        solutions: found.distinct.solutions.to_string(),
    }
}

/// The placements of an arrangement in the JSON form of `solve --format json`.
pub fn placements(problem: &Problem, arrangement: &Arrangement) -> serde_json::Value {
    let cells = problem.board.cells().iter().zip(&arrangement.0);
    let placement = |(cell, placed): (&edgematch::board::Cell, &edgematch::problem::Placed)| {
        serde_json::json!({
            "cell": cell.name,
            "tile": problem.puzzle.tiles[placed.tile].name,
            "rotation": placed.orientation.rotation(),
        })
    };
    cells.map(placement).collect()
}
