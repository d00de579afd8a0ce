//! A page to play on, in a browser: what it asks, what it is told, and the page itself.
//!
//! ```text
//!  request ──► Request ──► answer: lines of JSON      a server hears it             (serve)
//!  of the page    ▲        solve, count, hint,        or a worker beside the page   (crates/web)
//!                 │        check, doctor, watch
//!              problem ──► Game: cells, seams, tiles drawn
//!                            └──► Page: one file, with puzzles and the solver, or their solutions
//! ```
//!
//! A placement is a tile and the [number](edgematch::puzzle::Orientation::index) of how it lies, a
//! list of two; tiles and cells are counted from 0, in the order of the file. One front end serves
//! all: plain modules of JavaScript in `front/`, which a browser loads as they are.

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

pub use self::answer::{Answer, Question, answer};
#[cfg(feature = "pages")]
pub use self::assets::{ASSETS, Asset, BESIDE, INDEX, POLICY};
pub use self::closest::Closest;
pub use self::fresh::{Fresh, NewPuzzleError};
pub use self::game::Game;
#[cfg(feature = "pages")]
pub use self::known::Known;
#[cfg(feature = "pages")]
pub use self::library::Library;
pub use self::listed::{Listed, One, difficulty};
#[cfg(feature = "pages")]
pub use self::offered::{Findings, Offered};
#[cfg(feature = "pages")]
pub use self::page::{Page, Results};
pub use self::photograph::Photograph;
pub use self::refusal::{Reason, Refusal};
pub use self::request::{Asker, NoPuzzles, Puzzles, REQUESTS, Request, RequestKind, Which};
#[cfg(feature = "pages")]
pub use self::solver::{Solver, SolverError};
