//! A page to play on, in a browser: what it shows, the answers to its questions, and the page
//! itself, as one file or in the parts that a server hands out.
//!
//! ```text
//!  problem ──► Game ──────────────┐
//!     │        tiles drawn,       ├──► one file, its solutions inside     (offline)
//!     │        cells, seams       │
//!     └──────► answer ────────────┴──► a server that is asked             (serve)
//!              solve, count, hint, check, watch
//! ```
//!
//! A placement is a tile and the [number](edgematch::puzzle::Orientation::index) of how it lies, a
//! list of two; tiles and cells are counted from 0, in the order of the file. One front end serves
//! both: plain modules of JavaScript in `front/`, which a browser loads as they are.

mod answer;
#[cfg(feature = "pages")]
mod assets;
#[cfg(feature = "pages")]
mod blocks;
mod fresh;
mod game;
#[cfg(feature = "pages")]
mod library;
mod listed;
#[cfg(feature = "pages")]
mod offered;
#[cfg(feature = "pages")]
mod offline;
#[cfg(feature = "pages")]
mod page;
mod photograph;
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
pub use self::fresh::{Fresh, NewPuzzleError};
pub use self::game::Game;
#[cfg(feature = "pages")]
pub use self::library::Library;
pub use self::listed::{Listed, One, difficulty};
#[cfg(feature = "pages")]
pub use self::offered::Offered;
#[cfg(feature = "pages")]
pub use self::offline::{Offline, Solved, Symmetries};
#[cfg(feature = "pages")]
pub use self::page::{Page, Solving};
pub use self::photograph::Photograph;
pub use self::refusal::{Reason, Refusal};
pub use self::request::{Asker, NoPuzzles, Puzzles, REQUESTS, Request, RequestKind, Which};
#[cfg(feature = "pages")]
pub use self::solver::{Solver, SolverError};
