//! A builder of problems in code, without a file.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use super::{FillError, Problem};
use crate::board::{Board, side_of_square};
use crate::puzzle::{
    Copies, EdgeName, EdgeNameError, Flip, Half, LONGEST_NAME, Label, Labels, MixedImageError,
    Puzzle, Tile, UNKNOWN, abbreviate, pieces,
};

/// The error for a definition that is not a valid problem.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There are no tiles.
    #[error("no tiles")]
    NoTiles,
    /// The name of a tile is empty or too long.
    #[error("`{0}` is not the name of a tile: expected 1 to {LONGEST_NAME} characters")]
    BadName(String),
    /// Two tiles have the same name.
    #[error("two tiles are called `{0}`")]
    SameName(String),
    /// The tile whose number of copies is given does not exist.
    #[error("copies of `{0}`, which is not a tile")]
    NoSuchTile(String),
    /// An edge of a tile is not a valid name.
    #[error("tile `{tile}`: {reason}")]
    BadEdge {
        /// The tile.
        tile: String,
        /// The reason.
        reason: EdgeNameError,
    },
    /// An image is written both with and without a sign.
    #[error("tile `{tile}`: {reason}")]
    Mixed {
        /// The tile.
        tile: String,
        /// The reason, with the image.
        reason: MixedImageError,
    },
    /// The faces of a tile have different numbers of edges.
    #[error("tile `{tile}` has {front} edges on its front and {back} on its back")]
    UnequalFaces {
        /// The tile.
        tile: String,
        /// The number of edges on the front.
        front: usize,
        /// The number of edges on the back.
        back: usize,
    },
    /// No cell has the number of sides of a tile.
    #[error("tile `{tile}` has {edges} edges, but no cell of {board} has as many sides")]
    NoSuchCell {
        /// The tile.
        tile: String,
        /// The number of its edges.
        edges: usize,
        /// A description of the board.
        board: String,
    },
    /// The border is not a valid name, is unknown (`?`), or has a sign.
    #[error("the border `{0}` is not a whole image")]
    BadBorder(String),
    /// No board is given, and the number of pieces is not a square.
    #[error("{0} tiles do not fill a square: give the board")]
    NoSquare(usize),
    /// No board is given, and some tile has an unlimited number of copies.
    #[error("tiles with any number of copies fill every square: give the board")]
    NoNumber,
    /// The tiles cannot fill the board.
    #[error(transparent)]
    FillError(#[from] FillError),
}

/// A builder of problems, created by [`Problem::builder`]. Edges are listed counter-clockwise from
/// the right: right, top, left, bottom.
///
/// ```
/// use edgematch::{Board, Problem};
/// let problem = Problem::builder("pair")
///     .tile("1", ["a+", "b", "b", "c"])
///     .tile("2", ["c", "c", "a-", "b"])
///     .with_board(Board::grid(1, 2))
///     .build()?;
/// assert_eq!(edgematch::solve(&problem).solutions.len(), 5);
/// # Ok::<(), edgematch::problem::BuildError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "no problem is created until `build` is called"]
pub struct ProblemBuilder {
    name: String,
    tiles: Vec<TileDefinition>,
    copies: Vec<(String, Copies)>,
    board: Option<Board>,
    border: Option<String>,
    may_turn: bool,
    flip: Option<Flip>,
}

/// The definition of a tile, with names of edges.
#[derive(Debug, Clone)]
struct TileDefinition {
    name: String,
    front: Vec<String>,
    back: Option<Vec<String>>,
}

impl Problem {
    /// Creates a builder of a problem with this name. By default, tiles may be turned, and the
    /// board is the square that they fill.
    pub fn builder(name: impl Into<String>) -> ProblemBuilder {
        ProblemBuilder {
            name: name.into(),
            tiles: Vec::new(),
            copies: Vec::new(),
            board: None,
            border: None,
            may_turn: true,
            flip: None,
        }
    }
}

impl ProblemBuilder {
    /// Adds a tile. `ylw+` and `ylw-` are the halves of an image and match each other; `grey`
    /// matches itself.
    pub fn tile<S: Into<String>>(
        self,
        name: impl Into<String>,
        edges: impl IntoIterator<Item = S>,
    ) -> ProblemBuilder {
        self.add_tile(name, edges, None::<[S; 0]>)
    }

    /// Adds a tile with its own back, whose edges are listed as seen after turning the tile over
    /// about the vertical axis.
    pub fn two_sided_tile<S: Into<String>>(
        self,
        name: impl Into<String>,
        front: impl IntoIterator<Item = S>,
        back: impl IntoIterator<Item = S>,
    ) -> ProblemBuilder {
        self.add_tile(name, front, Some(back))
    }

    /// Adds a tile with a front and, if given, a back. They are checked when the problem is built.
    fn add_tile<S: Into<String>>(
        mut self,
        name: impl Into<String>,
        front: impl IntoIterator<Item = S>,
        back: Option<impl IntoIterator<Item = S>>,
    ) -> ProblemBuilder {
        self.tiles.push(TileDefinition {
            name: name.into(),
            front: front.into_iter().map(Into::into).collect(),
            back: back.map(|back| back.into_iter().map(Into::into).collect()),
        });
        self
    }

    /// Sets the number of copies of the tile with this name; the default is one.
    ///
    /// ```
    /// use edgematch::{Board, Copies, Problem};
    /// let problem = Problem::builder("row")
    ///     .tile("1", ["a", "a", "b", "b"])
    ///     .with_copies("1", Copies::Any)
    ///     .with_board(Board::grid(1, 3))
    ///     .build()?;
    /// assert_eq!(edgematch::solve(&problem).solutions.len(), 8);
    /// # Ok::<(), edgematch::problem::BuildError>(())
    /// ```
    pub fn with_copies(mut self, tile: impl Into<String>, copies: Copies) -> ProblemBuilder {
        self.copies.push((tile.into(), copies));
        self
    }

    /// Sets the board.
    pub fn with_board(mut self, board: Board) -> ProblemBuilder {
        self.board = Some(board);
        self
    }

    /// Sets the border: the name of the image that every side on the rim shows, and no other side.
    pub fn with_border(mut self, image: impl Into<String>) -> ProblemBuilder {
        self.border = Some(image.into());
        self
    }

    /// Forbids turning tiles, as in TetraVex.
    pub fn without_turning(mut self) -> ProblemBuilder {
        self.may_turn = false;
        self
    }

    /// Derives the back of every tile that has no back of its own from its front.
    pub fn with_flip(mut self, flip: Flip) -> ProblemBuilder {
        self.flip = Some(flip);
        self
    }

    /// Builds the problem.
    ///
    /// # Errors
    /// If a name is invalid or used twice, an edge is invalid, or tiles, copies, border and board
    /// do not belong together.
    pub fn build(self) -> Result<Problem, BuildError> {
        let is_name = |name: &str| (1..=LONGEST_NAME).contains(&name.trim().chars().count());
        if let Some(tile) = self.tiles.iter().find(|tile| !is_name(&tile.name)) {
            return Err(BuildError::BadName(abbreviate(&tile.name)));
        }
        let mut names = HashSet::new();
        if let Some(tile) = self.tiles.iter().find(|tile| !names.insert(&tile.name)) {
            return Err(BuildError::SameName(tile.name.clone()));
        }
        let mut copies: HashMap<String, Copies> = self.copies.into_iter().collect();
        let mut labels = Labels::default();
        let border = match &self.border {
            None => None,
            Some(border) => Some(whole_image(border, &mut labels)?),
        };
        let mut tiles = Vec::new();
        for named in &self.tiles {
            let mut tile = named.to_tile(self.flip, &mut labels)?;
            tile.copies = copies.remove(&tile.name).unwrap_or_default();
            tiles.push(tile);
        }
        if let Some(name) = copies.into_keys().min() {
            return Err(BuildError::NoSuchTile(name));
        }
        let board = match self.board {
            Some(board) => board,
            None => square_board(&tiles)?,
        };
        let sides = board.numbers_of_sides();
        if let Some(tile) = tiles.iter().find(|tile| !sides.contains(&tile.sides())) {
            return Err(BuildError::NoSuchCell {
                tile: tile.name.clone(),
                edges: tile.sides(),
                board: board.description_with_article(),
            });
        }
        let may_turn = self.may_turn;
        let puzzle = Puzzle { border, may_turn, ..Puzzle::new(self.name, labels, tiles) };
        Ok(Problem::new(puzzle, board)?)
    }
}

impl TileDefinition {
    /// Converts the names of edges to labels. A tile without a back of its own gets the one that
    /// `flip` derives.
    ///
    /// # Errors
    /// If an edge is not valid, contradicts the use of its image on other tiles, or the faces have
    /// different numbers of edges.
    fn to_tile(&self, flip: Option<Flip>, labels: &mut Labels) -> Result<Tile, BuildError> {
        let mut label = |edge: &String| -> Result<Label, BuildError> {
            let tile = || self.name.clone();
            let edge = EdgeName::parse(edge)
                .map_err(|reason| BuildError::BadEdge { tile: tile(), reason })?;
            labels.add(&edge).map_err(|reason| BuildError::Mixed { tile: tile(), reason })
        };
        let front: Vec<Label> = self.front.iter().map(&mut label).collect::<Result<_, _>>()?;
        let back = match &self.back {
            None => None,
            Some(back) if back.len() != front.len() => {
                return Err(BuildError::UnequalFaces {
                    tile: self.name.clone(),
                    front: front.len(),
                    back: back.len(),
                });
            }
            Some(back) => Some(back.iter().map(&mut label).collect::<Result<_, _>>()?),
        };
        let mut tile = Tile { name: self.name.clone(), edges: front, back, copies: Copies::ONE };
        if let (Some(flip), None) = (flip, &tile.back) {
            tile.back = Some(flip.other_face(&tile.edges, labels));
        }
        Ok(tile)
    }
}

/// The square board that the tiles with their copies fill.
///
/// # Errors
/// If there are no tiles, a tile has any number of copies, or the number of pieces is not a square.
fn square_board(tiles: &[Tile]) -> Result<Board, BuildError> {
    let pieces = pieces(tiles).ok_or(BuildError::NoNumber)?;
    match side_of_square(pieces) {
        Some(0) => Err(BuildError::NoTiles),
        Some(side) => Ok(Board::grid(side, side)),
        None => Err(BuildError::NoSquare(pieces)),
    }
}

/// The label of a border.
///
/// # Errors
/// If it is not a valid name, is the unknown edge `?`, or has a sign.
fn whole_image(border: &str, labels: &mut Labels) -> Result<Label, BuildError> {
    let bad = || BuildError::BadBorder(border.to_owned());
    let edge = EdgeName::parse(border).map_err(|_| bad())?;
    if edge.image == UNKNOWN {
        return Err(bad());
    }
    match edge.half {
        Half::Whole => labels.add(&edge).map_err(|_| bad()),
        Half::Plus | Half::Minus => Err(bad()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Face;

    #[test]
    fn tiles_fill_a_square_unless_a_board_is_said() {
        let one = Problem::builder("one").tile("a", ["x+", "y", "x-", "z"]);
        assert_eq!(one.clone().build().unwrap().board.rectangle(), Some((1, 1)));
        let two = one.tile("b", ["x-", "y", "y", "y"]);
        assert_eq!(two.clone().build().unwrap_err(), BuildError::NoSquare(2));
        let problem = two.with_board(Board::grid(1, 2)).build().unwrap();
        assert_eq!(problem.board.rectangle(), Some((1, 2)));
        assert!(problem.puzzle.may_turn && problem.puzzle.border.is_none());
    }

    #[test]
    fn what_makes_no_problem_is_refused() {
        let empty = Problem::builder("");
        let square = |edge: &'static str| ["x", "x", "x", edge];
        let refused = |builder: ProblemBuilder| builder.build().unwrap_err().to_string();
        assert_eq!(refused(empty.clone()), "no tiles");
        for (builder, message) in [
            (
                empty.clone().tile("a", square("x")).tile("a", square("x")),
                "two tiles are called `a`",
            ),
            (
                empty.clone().tile(" ", square("x")),
                "` ` is not the name of a tile: expected 1 to 256 characters",
            ),
            (empty.clone().tile("a", square("")), "tile `a`: an edge needs the name of an image"),
            (
                empty.clone().tile("a", square("x+")),
                "tile `a`: image `x` is written with a sign here, but without a sign before: its \
                 edges must all have a sign, or none",
            ),
            (
                empty.clone().tile("a", ["x", "x", "x"]),
                "tile `a` has 3 edges, but no cell of a 1 × 1 grid has as many sides",
            ),
            (
                empty.clone().two_sided_tile("a", vec!["x"; 4], vec!["x"; 3]),
                "tile `a` has 4 edges on its front and 3 on its back",
            ),
            (
                empty.clone().tile("a", square("x")).with_border("grey+"),
                "the border `grey+` is not a whole image",
            ),
            (
                empty.tile("a", square("x")).with_board(Board::grid(2, 1)),
                "1 tile does not fill the 2 cells of a 2 × 1 grid",
            ),
        ] {
            assert_eq!(refused(builder), message);
        }
    }

    #[test]
    fn a_back_is_its_own_or_the_front_from_behind() {
        let problem = Problem::builder("two")
            .tile("a", ["p", "q", "r", "s"])
            .two_sided_tile("b", ["p", "q", "r", "s"], ["s", "s", "s", "s"])
            .with_flip(Flip::Mirror)
            .with_board(Board::grid(1, 2))
            .build()
            .unwrap();
        let shown = |tile: usize| {
            let labels = problem.puzzle.tiles[tile].face(Face::Back).iter();
            labels.map(|&label| problem.puzzle.labels.name(label)).collect::<String>()
        };
        assert_eq!((shown(0), shown(1)), ("rqps".into(), "ssss".into()));
    }
}
