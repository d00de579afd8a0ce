//! Suspicious features of a puzzle, and facts that its file leaves open.

use std::fmt;

/// A suspicious feature of a puzzle: it suggests a typing error, but may be intentional. A file
/// marks it as intentional under `allow`, for example `allow: [tiles-alike]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Oddity {
    /// Only one of the two halves of an image occurs.
    OneHalf,
    /// Only one edge shows an image.
    Once,
    /// The names of two images differ by little more than a typing error, and one of them is rare.
    SimilarNames,
    /// The name of an image has a sign inside, as in `blue+!`.
    SignInside,
    /// The names of two whole images end in words for halves, as in `cat head` and `cat tail`.
    WordHalves,
    /// The tiles have fewer matching pairs of edges than the board has seams.
    FewPairs,
    /// Several tiles look the same.
    TilesAlike,
    /// There are more tiles than cells.
    SpareTiles,
    /// A constraint names an image that no tile shows.
    UnknownImage,
}

impl Oddity {
    /// All suspicious features, in the order in which they are checked.
    pub const ALL: [Oddity; 9] = [
        Oddity::SignInside,
        Oddity::WordHalves,
        Oddity::SimilarNames,
        Oddity::Once,
        Oddity::OneHalf,
        Oddity::FewPairs,
        Oddity::TilesAlike,
        Oddity::SpareTiles,
        Oddity::UnknownImage,
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Oddity::OneHalf => "one-half",
            Oddity::Once => "once",
            Oddity::SimilarNames => "similar-names",
            Oddity::SignInside => "sign-inside",
            Oddity::WordHalves => "word-halves",
            Oddity::FewPairs => "few-pairs",
            Oddity::TilesAlike => "tiles-alike",
            Oddity::SpareTiles => "spare-tiles",
            Oddity::UnknownImage => "unknown-image",
        }
    }

    /// The feature with this name in files; `None` if there is none.
    pub fn named(name: &str) -> Option<Oddity> {
        let mut all = Oddity::ALL.into_iter();
        all.find(|oddity| oddity.name() == name)
    }
}

/// A fact that the file leaves open, with the value that the reader assumes.
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
    /// The order in which the edges of a tile are listed, such as `clockwise-from-top`.
    Order(String),
    /// The image on the whole rim; `None` if `0` is an image like others.
    Border(Option<String>),
    /// Whether tiles may be turned.
    Rotations(bool),
    /// The notation that distinguishes the halves of images, such as `case`.
    Halves(String),
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Order(order) => {
                let order =
                    order.replace("counterclockwise", "counter-clockwise").replace(',', ", ");
                write!(f, "edges are listed {}", order.replace("-from-", " from the "))
            }
            Assumption::Border(Some(border)) => write!(f, "`{border}` is the border"),
            Assumption::Border(None) => f.write_str("`0` is not the border"),
            Assumption::Rotations(true) => f.write_str("tiles may be turned"),
            Assumption::Rotations(false) => f.write_str("tiles may not be turned"),
            Assumption::Halves(what) => write!(f, "halves of images are distinguished by {what}"),
        }
    }
}
