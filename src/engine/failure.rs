//! Errors of engines: a solver that failed, an answer that does not fit, a run that ended too
//! early.

use thiserror::Error;

use crate::runtime::scheduler::SchedulerError;

impl From<SchedulerError> for EngineError {
    fn from(trouble: SchedulerError) -> EngineError {
        EngineError::Thread { message: trouble.to_string() }
    }
}

/// A result of an engine.
pub type Result<T, E = EngineError> = std::result::Result<T, E>;

/// Why an engine could not go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The solver gave neither a solution nor a proof.
    #[error("the solver failed in round {round}: {message}")]
    Solver {
        /// The round, from 1.
        round: u64,
        /// What the solver said.
        message: String,
    },
    /// The solver's point is no arrangement, or one that was excluded.
    #[error("the solver's answer in round {round} is wrong: {message}")]
    WrongAnswer {
        /// The round, from 1.
        round: u64,
        /// What is wrong with it.
        message: String,
    },
    /// An arrangement did not pass the checker.
    #[error("engine {engine} handed over an arrangement that does not fit: {violation}")]
    DoesNotFit {
        /// The engine.
        engine: String,
        /// The rule that is broken.
        violation: String,
    },
    /// The answers of a constraint contradict its formula, or what it declares to depend on.
    #[error("{message}")]
    Constraint {
        /// The constraint, and how.
        message: String,
    },
    /// The engine ended before its search did, though nobody asked it to.
    #[error("engine {engine} ended before its search did")]
    GaveUp {
        /// The engine.
        engine: String,
    },
    /// What the search says of itself could not be written down.
    #[error("{message}")]
    Trace {
        /// What happened.
        message: String,
    },
    /// The parts that a search was cut into do not hold all of it.
    #[error("the search is cut wrongly: {message}")]
    Cut {
        /// What lies in none of them.
        message: String,
    },
    /// A failure of an earlier run, as it was written down.
    #[error("{message}")]
    Recorded {
        /// What was said of it.
        message: String,
    },
    /// A thread panicked, or could not be started.
    #[error("{message}")]
    Thread {
        /// What happened.
        message: String,
    },
}
