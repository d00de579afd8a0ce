//! Errors of engines: failed solvers, wrong answers, incomplete runs.

use thiserror::Error;

use crate::runtime::scheduler::SchedulerError;

impl From<SchedulerError> for EngineError {
    fn from(trouble: SchedulerError) -> EngineError {
        EngineError::Thread { message: trouble.to_string() }
    }
}

/// A result whose error is by default an [`EngineError`].
pub type Result<T, E = EngineError> = std::result::Result<T, E>;

/// The reason why an engine could not continue.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The solver returned neither a solution nor a proof.
    #[error("the solver failed in round {round}: {message}")]
    Solver {
        /// The round, from 1.
        round: u64,
        /// The solver's message.
        message: String,
    },
    /// The solver's point is not an arrangement, or was excluded by a cut.
    #[error("the solver's answer in round {round} is wrong: {message}")]
    WrongAnswer {
        /// The round, from 1.
        round: u64,
        /// A description of the error.
        message: String,
    },
    /// An arrangement was rejected by the checker.
    #[error("engine {engine} reported an arrangement that is not a solution: {violation}")]
    DoesNotFit {
        /// The name of the engine.
        engine: String,
        /// The violated rule.
        violation: String,
    },
    /// A constraint contradicts its formula or its declared dependence.
    #[error("{message}")]
    Constraint {
        /// The constraint and the contradiction.
        message: String,
    },
    /// The engine returned `Break` before its search was complete, although no stop was requested.
    #[error("engine {engine} stopped without finishing its search")]
    GaveUp {
        /// The name of the engine.
        engine: String,
    },
    /// The trace of the search could not be written.
    #[error("{message}")]
    Trace {
        /// The error message.
        message: String,
    },
    /// The parts of a search do not cover all of it.
    #[error("the parts do not cover the search: {message}")]
    Cut {
        /// The missing part of the search.
        message: String,
    },
    /// A failure of an earlier run, read from its record.
    #[error("{message}")]
    Recorded {
        /// The recorded message.
        message: String,
    },
    /// A thread panicked or could not be started.
    #[error("{message}")]
    Thread {
        /// The error message.
        message: String,
    },
}
