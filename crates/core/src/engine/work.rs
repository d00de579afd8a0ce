//! Counters of work, independent of the machine and of threads: nodes, tries, solves, cuts.

use serde::Serialize;

/// The work of an engine in machine-independent units. It serialises as the statistics of a run,
/// without fields that only describe an unfinished search.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Work {
    /// The number of decisions (placements made) of a search.
    pub nodes: u64,
    /// The number of those decisions that a single thread would not have made yet.
    #[serde(skip)]
    pub ahead: u64,
    /// The explored share of the tree from 0 to 1, with all branches of a node weighted equally;
    /// `None` if unknown. It never decreases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explored: Option<f64>,
    /// The expected total number of nodes, estimated by random probes of this run; `None` without
    /// probes.
    #[serde(skip)]
    pub expected: Option<f64>,
    /// The largest number of filled cells at any poll, for progress reports; 0 if the engine does
    /// not report it.
    #[serde(skip)]
    pub filled: usize,
    /// The number of placements tested against the seams, if the engine tries every tile; otherwise
    /// 0.
    pub tries: u64,
    /// The number of nodes with k = 0, 1, … tiles placed, which published programs report as
    /// recursive calls; empty if the engine does not count them.
    pub calls_per_level: Vec<u64>,
    /// The engine chosen by `auto`; `None` for other engines.
    #[serde(skip)]
    pub choice: Option<EngineChoice>,
    /// The counts of blocks by `corners`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<BlockCounts>,
    /// The number of solves of a 0-1 model or its relaxation.
    pub solves: u64,
    /// The number of no-good cuts, which exclude solutions found.
    pub cuts: u64,
    /// The number of no-goods that `milp` learnt from conflicts; otherwise 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub no_goods: u64,
    /// The number of placements in the models of `milp`, summed over models, or among the options
    /// of `xcc`; otherwise 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub placements: u64,
    /// The number of variables of the largest model.
    #[serde(skip_serializing_if = "is_zero")]
    pub variables: u64,
    /// The number of rows of the largest model, without cuts.
    #[serde(skip_serializing_if = "is_zero")]
    pub rows: u64,
    /// The number of nonzero coefficients of the largest model, without cuts.
    #[serde(skip_serializing_if = "is_zero")]
    pub nonzeros: u64,
    /// The time of each solve in seconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<f64>,
}

/// Returns true for 0, which is omitted in JSON.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Work {
    /// Adds the work of another run. The explored share, the estimates and the nodes ahead of this one
    /// are kept; the choice of the engine is that of the other run if it has one.
    pub fn add(&mut self, run: Work) {
        self.tries += run.tries;
        self.choice = run.choice.clone().or(self.choice.take());
        self.calls_per_level.resize(self.calls_per_level.len().max(run.calls_per_level.len()), 0);
        for (calls, more) in self.calls_per_level.iter_mut().zip(&run.calls_per_level) {
            *calls += more;
        }
        if let Some(more) = run.blocks {
            let blocks = self.blocks.get_or_insert_default();
            blocks.chains += more.chains;
            blocks.tries += more.tries;
            blocks.found += more.found;
        }
        self.nodes += run.nodes;
        self.solves += run.solves;
        self.cuts += run.cuts;
        self.no_goods += run.no_goods;
        self.placements += run.placements;
        self.variables = self.variables.max(run.variables);
        self.rows = self.rows.max(run.rows);
        self.nonzeros = self.nonzeros.max(run.nonzeros);
        self.rounds.extend(run.rounds);
    }
}

/// The first phase of `corners`: the 2×2 blocks of a cornerstone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct BlockCounts {
    /// The number of chains of three tiles: the cornerstone, the tile beside it, and the tile at
    /// the diagonal.
    pub chains: u64,
    /// The number of placements tried for the fourth tile.
    pub tries: u64,
    /// The number of blocks found.
    pub found: u64,
}

/// The engine that `auto` has chosen, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EngineChoice {
    /// The name of the engine.
    pub engine: &'static str,
    /// The reason, as a message.
    pub why: String,
}
