//! The page for playing in a browser: its requests, their answers, and the page itself.
//!
//! ```text
//!  request ──► Request ──► answer: lines of JSON      in a server                   (serve)
//!  of the page    ▲        solve, count, hint,        or a worker of the page       (crates/web)
//!                 │        check, doctor, watch
//!              problem ──► Game: cells, seams, tiles drawn
//!                            └──► Page: one file, with puzzles and the solver, or their solutions
//! ```
//!
//! A placement is a list of two numbers: the piece and the
//! [index](edgematch::puzzle::Orientation::index) of its orientation. Pieces and cells are numbered
//! from 0, in the order of the file. All uses share one front end: plain JavaScript modules in
//! `front/`, which browsers load without a build step.

mod answer;
#[cfg(feature = "pages")]
mod assets;
mod closest;
mod fresh;
mod game;
#[cfg(feature = "pages")]
mod known;
#[cfg(feature = "pages")]
mod library;
mod listed;
#[cfg(feature = "pages")]
mod offered;
#[cfg(feature = "pages")]
mod page;
mod photograph;
mod pieces;
mod qr;
mod refusal;
mod request;
#[cfg(feature = "server")]
pub mod serve;
#[cfg(feature = "pages")]
mod solver;
pub mod watch;

pub use self::answer::{AnswerPart, Question, answer};
#[cfg(feature = "pages")]
pub use self::assets::{Asset, EXTRA_ASSETS, POLICY};
pub use self::closest::ClosestArrangement;
pub use self::fresh::{NewPuzzleError, RandomPuzzleRequest};
pub use self::game::Game;
#[cfg(feature = "pages")]
pub use self::known::KnownAnswers;
#[cfg(feature = "pages")]
pub use self::library::Library;
pub use self::listed::{LoadedPuzzle, Look, PuzzleSummary, difficulty};
#[cfg(feature = "pages")]
pub use self::offered::{Findings, OfferedPuzzle};
#[cfg(feature = "pages")]
pub use self::page::{BatchResults, Page};
pub use self::photograph::Photograph;
pub use self::refusal::{Reason, Refusal};
pub use self::request::{
    Asker, NoPuzzles, PuzzleReference, Puzzles, REQUESTS, Request, RequestKind,
};
#[cfg(feature = "pages")]
pub use self::solver::{Solver, SolverError};
