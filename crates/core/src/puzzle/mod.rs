//! The tiles of a puzzle: images and the matching rule, orientations, kinds. All conventions are
//! defined here.
//!
//! ```text
//!              side 1 (top)
//!             ┌───────────┐         rotation r turns the tile r steps
//!             │           │         counter-clockwise: side s then shows
//!   side 2    │     t     │  side 0
//!   (left)    │           │ (right)     edges[(s - r) mod 4]
//!             └───────────┘
//!             side 3 (bottom)       so r = 1 brings the right edge to the top.
//! ```
//!
//! The edges of a tile are listed counter-clockwise from the right. `ylw+` and `ylw-` are the two
//! halves of one image and match each other; a name without a sign matches itself. The border image
//! appears on the whole rim of the board and nowhere else.
//!
//! This folder does not depend on boards, files or solving.

mod corners;
mod doc_value;
mod edge_name;
mod image;
mod kind;
mod label;
mod oddity;
mod parts;
mod tile;
mod value_set;

use std::cmp::Ordering;

use itertools::Itertools;

pub use self::corners::{CornersError, EdgeCorners};
pub use self::doc_value::DocValue;
pub use self::edge_name::{EdgeName, EdgeNameError, Half, UNKNOWN, abbreviate};
pub use self::image::{HALF_WORDS, HalfUse, ImageUse, first_word, last_word};
pub use self::kind::{Kind, Kinds, OrientedKind};
pub use self::label::{Label, Labels, MixedImageError};
pub use self::oddity::{Assumption, Oddity};
pub use self::parts::{EdgePart, EdgeParts};
pub use self::tile::{Change, Copies, Face, Flip, Orientation, Tile, list_rotations, pieces};
pub use self::value_set::ValueSet;

/// The maximum length of the name of an image or a tile, in characters.
pub const LONGEST_NAME: usize = 256;

/// A set of tiles and its rules: which images match, whether tiles may be turned, which image is
/// the border.
#[derive(Debug, Clone)]
pub struct Puzzle {
    /// The name; by default the file name without its extension.
    pub name: String,
    /// The title; `None` if the name serves as title.
    pub title: Option<String>,
    /// The source from which the edges were taken, as free text.
    pub source: Option<String>,
    /// The location of the pictures of the tiles: a path relative to the puzzle file, in which
    /// `{tile}` stands for the name of a tile.
    pub pictures: Option<String>,
    /// The edges that have a picture, each with the name of the picture in the file or another
    /// program.
    pub images: Vec<(EdgeName, String)>,
    /// Every label that occurs, with its mate.
    pub labels: Labels,
    /// The tiles in the order of the file. A tile is referred to by its index in this list.
    pub tiles: Vec<Tile>,
    /// The image that every side on the rim shows, and no other side; `None` if there is no such
    /// rule.
    pub border: Option<Label>,
    /// True if tiles may be turned; `false` in TetraVex.
    pub may_turn: bool,
    /// Suspicious features that the file marks as intentional.
    pub allowed: Vec<Oddity>,
    /// Facts that the file leaves open although the solutions depend on them.
    pub assumed: Vec<Assumption>,
}

impl Puzzle {
    /// Creates a puzzle without a border or other optional data, whose tiles may be turned.
    pub fn new(name: String, labels: Labels, tiles: Vec<Tile>) -> Puzzle {
        Puzzle {
            name,
            title: None,
            source: None,
            pictures: None,
            images: Vec::new(),
            labels,
            tiles,
            border: None,
            may_turn: true,
            allowed: Vec::new(),
            assumed: Vec::new(),
        }
    }

    /// The orientations that a tile may take: the front first, each face in ascending rotation.
    pub fn orientations(&self, tile: usize) -> impl Iterator<Item = Orientation> + use<> {
        let may_turn = self.may_turn;
        let all = self.tiles[tile].orientations();
        all.filter(move |orientation| may_turn || orientation.rotation() == 0)
    }

    /// Returns true if a tile may be placed in `orientation`.
    pub fn allows_orientation(&self, tile: usize, orientation: Orientation) -> bool {
        self.orientations(tile).any(|o| o == orientation)
    }

    /// The rule by which the backs of all tiles follow from their fronts; `None` if there is none.
    /// With such a rule, a whole solution can be turned over: every label becomes itself or its
    /// mate, so matching seams still match.
    pub fn flip(&self) -> Option<Flip> {
        let follow = |flip| self.tiles.iter().all(|tile| tile.is_flipped(flip, &self.labels));
        Flip::ALL.into_iter().find(|&flip| follow(flip))
    }

    /// Returns true if every tile has a back that shows the print of its front from behind.
    pub fn is_printed_through(&self) -> bool {
        self.flip() == Some(Flip::Mirror)
    }

    /// Returns true if a tile that shows `edges` satisfies the rule of the border in a cell;
    /// `are_rim` states for each side if it is on the rim. Always true for puzzles without a
    /// border.
    pub fn satisfies_border(
        &self,
        edges: impl IntoIterator<Item = Label>,
        are_rim: impl IntoIterator<Item = bool>,
    ) -> bool {
        self.border.is_none_or(|border| {
            let mut sides = edges.into_iter().zip(are_rim);
            sides.all(
                |(label, is_rim)| {
                    if is_rim { self.labels.fit(label, border) } else { label != border }
                },
            )
        })
    }

    /// The number of pieces: tiles, counted with their copies; `None` if unlimited.
    pub fn pieces(&self) -> Option<usize> {
        pieces(&self.tiles)
    }

    /// Returns true if some tile does not have exactly one copy.
    pub fn has_copies(&self) -> bool {
        self.tiles.iter().any(|tile| tile.copies != Copies::ONE)
    }

    /// For each label, an upper bound on the number of edges that show it in an arrangement of
    /// `cells` cells. A two-sided tile contributes the face that shows the label more often.
    pub fn edges_within(&self, cells: usize) -> Vec<usize> {
        let mut edges = vec![0; self.labels.len()];
        for tile in &self.tiles {
            for (label, number) in tile.edges_at_most() {
                edges[label.index()] += number * tile.copies.limited_to(cells);
            }
        }
        edges
    }

    /// Returns true if the two faces of each tile show the same labels, each equally often; a tile
    /// without a back satisfies this.
    pub fn shows_the_same_on_both_faces(&self) -> bool {
        let mut tiles = self.tiles.iter();
        tiles.all(|tile| {
            let [front, back] = Face::ALL.map(|face| tile.face(face).iter().sorted_unstable());
            front.eq(back)
        })
    }

    /// An upper bound on the number of matching pairs of edges in an arrangement of `cells` cells,
    /// not counting the border. Each edge that fits more than its mate counts as a pair.
    pub fn pairs_within(&self, cells: usize) -> usize {
        let edges = self.edges_within(cells);
        let unknown = self.labels.all().filter(|&l| !self.labels.fits_mate_only(l));
        let unknown: usize = unknown.map(|label| edges[label.index()]).sum();
        let inside =
            self.labels.all().filter(|&l| self.border != Some(l) && self.labels.fits_mate_only(l));
        let pairs = inside.map(|label| {
            let mate = self.labels.mate(label);
            match label.cmp(&mate) {
                Ordering::Less => edges[label.index()].min(edges[mate.index()]),
                Ordering::Equal => edges[label.index()] / 2,
                Ordering::Greater => 0,
            }
        });
        unknown + pairs.sum::<usize>()
    }

    /// Returns true if the names of the tiles are not just 1, 2, … in this order.
    pub fn has_tile_names(&self) -> bool {
        let mut tiles = self.tiles.iter().zip(1..);
        tiles.any(|(tile, number)| tile.name != number.to_string())
    }

    /// The index in [`Puzzle::tiles`] of the tile with this name; `None` if there is none.
    pub fn tile_named(&self, name: &str) -> Option<usize> {
        self.tiles.iter().position(|t| t.name == name)
    }
}
