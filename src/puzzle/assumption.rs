//! Facts that the text of a puzzle leaves open.

use std::fmt;

/// A fact that the text of a puzzle leaves open, and how it was decided.
///
/// ```
/// use edgematch::{load, puzzle::Assumption};
/// let problem = load::from_str("0 1 2 0\n0 0 1 2\n1 0 0 2\n1 2 0 0")?;
/// let assumed: Vec<String> = problem.puzzle.assumed.iter().map(Assumption::to_string).collect();
/// assert_eq!(
///     assumed.join("; "),
///     "edges are listed clockwise from the top; `0` is the border; tiles may be turned"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assumption {
    /// The order in which edges are listed, such as `clockwise-from-top`.
    Order(String),
    /// The image on the whole rim; none where the tiles make no frame.
    Border(Option<String>),
    /// True if tiles may be turned.
    Rotations(bool),
    /// How the halves of images are told apart, such as `case`.
    Halves(String),
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Order(order) => {
                let order = order.replace("counterclockwise", "counter-clockwise");
                write!(f, "edges are listed {}", order.replace("-from-", " from the "))
            }
            Assumption::Border(Some(border)) => write!(f, "`{border}` is the border"),
            Assumption::Border(None) => f.write_str("no border, as the tiles make no frame"),
            Assumption::Rotations(true) => f.write_str("tiles may be turned"),
            Assumption::Rotations(false) => f.write_str("tiles may not be turned"),
            Assumption::Halves(what) => write!(f, "halves of images are told apart by {what}"),
        }
    }
}
