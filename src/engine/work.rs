//! Counters of work: nodes, tries, solves, cuts. They do not depend on the machine or on threads.

use serde::Serialize;

/// What an engine has done so far, in units that do not depend on the machine. It serialises as
/// the statistics of a run, without what only describes an unfinished search.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Work {
    /// For `milp` the leaves done, solved or filled; for a search the decisions made.
    pub nodes: u64,
    /// The share of the tree that is done, from 0 to 1, when the branches of each node count
    /// alike; `None` where an engine does not know. It never falls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explored: Option<f64>,
    /// The nodes of the whole search as random probes of this run estimate them; `None` before any,
    /// and where an engine sends none.
    #[serde(skip)]
    pub expected: Option<f64>,
    /// The most cells that were filled when it was looked, now and then, for those who wait; 0
    /// where an engine does not tell.
    #[serde(skip)]
    pub filled: usize,
    /// Decisions made while `milp` split the domains.
    #[serde(skip)]
    pub decisions: u64,
    /// Placements tested against the seams.
    pub tries: u64,
    /// Entries of the recursive search with k tiles placed.
    pub calls_per_level: Vec<u64>,
    /// What `auto` has chosen.
    #[serde(skip)]
    pub choice: Option<Choice>,
    /// What `corners` counts of its blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Blocks>,
    /// Solves of a linear 0-1 model or of its relaxation.
    pub solves: u64,
    /// No-good cuts added.
    pub cuts: u64,
    /// Placements left when the search began.
    #[serde(skip_serializing_if = "is_zero")]
    pub placements: u64,
    /// Variables of the largest model.
    #[serde(skip_serializing_if = "is_zero")]
    pub variables: u64,
    /// Rows of the largest model, cuts not counted.
    #[serde(skip_serializing_if = "is_zero")]
    pub rows: u64,
    /// Coefficients in those rows.
    #[serde(skip_serializing_if = "is_zero")]
    pub nonzeros: u64,
    /// Seconds of each solve.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<f64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Work {
    /// Adds what another run took.
    pub fn add(&mut self, run: Work) {
        self.decisions += run.decisions;
        self.tries += run.tries;
        self.choice = run.choice.clone().or(self.choice.take());
        self.calls_per_level.resize(self.calls_per_level.len().max(run.calls_per_level.len()), 0);
        for (calls, more) in self.calls_per_level.iter_mut().zip(&run.calls_per_level) {
            *calls += more;
        }
        if let Some(more) = run.blocks {
            self.blocks.get_or_insert_default().add(more);
        }
        self.add_leaf(run);
    }

    /// Adds what solving a leaf took, but for the decisions that led to it.
    pub(super) fn add_leaf(&mut self, leaf: Work) {
        self.nodes += leaf.nodes;
        self.solves += leaf.solves;
        self.cuts += leaf.cuts;
        self.placements += leaf.placements;
        self.variables = self.variables.max(leaf.variables);
        self.rows = self.rows.max(leaf.rows);
        self.nonzeros = self.nonzeros.max(leaf.nonzeros);
        self.rounds.extend(leaf.rounds);
    }
}

/// The first phase of `corners`: the 2×2 blocks of a cornerstone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Blocks {
    /// Chains of three tiles: the cornerstone, the one beside it, the one beyond.
    pub chains: u64,
    /// Placements tried for the fourth.
    pub tries: u64,
    /// Blocks found.
    pub found: u64,
}

impl Blocks {
    fn add(&mut self, more: Blocks) {
        self.chains += more.chains;
        self.tries += more.tries;
        self.found += more.found;
    }
}

/// What `auto` takes, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// The engine.
    pub engine: &'static str,
    /// The reason, as a message.
    pub why: String,
}
