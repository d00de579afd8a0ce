//! What a puzzle *is*: images and the matching rule, tiles, orientations, kinds.
//!
//! All conventions stand here and nowhere else.
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
//! Edges of a tile are listed counter-clockwise from the right. `ylw+` and `ylw-` are the two
//! halves of one image and match each other; a name without a sign matches itself. The border
//! image lies on the whole rim of the board and nowhere else.
//!
//! This folder knows nothing of boards, files or solving.

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

pub use self::corners::{Corners, CornersError};
pub use self::doc_value::DocValue;
pub(crate) use self::edge_name::beginning;
pub use self::edge_name::{EdgeName, EdgeNameError, Half, UNKNOWN};
pub(crate) use self::image::{HALF_WORDS, last_word};
pub use self::image::{HalfUse, ImageUse};
pub use self::kind::{Kind, Kinds, OrientedKind};
pub use self::label::{Label, Labels, MixedImageError};
pub use self::oddity::{Assumption, Oddity};
pub use self::parts::{Part, Parts};
pub use self::tile::{Change, Copies, Face, Flip, Orientation, Tile, pieces, turns};
pub use self::value_set::ValueSet;

/// The largest number of characters in the name of an image or a tile.
pub const LONGEST_NAME: usize = 256;

/// A set of tiles with the rules of their own: which images match, whether tiles may be turned,
/// which image is the border.
#[derive(Debug, Clone)]
pub struct Puzzle {
    /// What people call it; the file name without its ending unless the file says otherwise.
    pub name: String,
    /// A longer title.
    pub title: Option<String>,
    /// Where the tile edges come from.
    pub source: Option<String>,
    /// Where the pictures of the tiles are: a path relative to the file, `{tile}` for the name.
    pub pictures: Option<String>,
    /// What the file, or another program, calls an edge's picture beside its name here.
    pub images: Vec<(EdgeName, String)>,
    /// Every label that occurs, with its partner.
    pub labels: Labels,
    /// The tiles in the order of the file; a tile is referred to by its place in this list.
    pub tiles: Vec<Tile>,
    /// The image that lies on the whole rim and nowhere else.
    pub border: Option<Label>,
    /// Whether tiles may be turned; `false` in TetraVex.
    pub may_turn: bool,
    /// What looks like a slip and is meant.
    pub allowed: Vec<Oddity>,
    /// Facts that the text of the puzzle leaves open and on which its solutions depend.
    pub assumed: Vec<Assumption>,
}

impl Puzzle {
    /// A puzzle without a border whose tiles may be turned.
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

    /// The orientations that a tile may take, the front first, in ascending rotation.
    pub fn orientations(&self, tile: usize) -> impl Iterator<Item = Orientation> + use<> {
        let may_turn = self.may_turn;
        let all = self.tiles[tile].orientations();
        all.filter(move |orientation| may_turn || orientation.rotation() == 0)
    }

    /// Whether a tile may lie in `orientation`.
    pub fn may_lie(&self, tile: usize, orientation: Orientation) -> bool {
        self.orientations(tile).any(|o| o == orientation)
    }

    /// The rule by which the backs of all tiles follow from their fronts. If there is one, a
    /// solution can be turned over as a whole: labels that match become the same or their mates.
    pub fn flip(&self) -> Option<Flip> {
        let follow = |flip| self.tiles.iter().all(|tile| tile.is_flipped(flip, &self.labels));
        Flip::ALL.into_iter().find(|&flip| follow(flip))
    }

    /// Returns true if every tile has a back that shows the print of its front from behind.
    pub fn is_printed_through(&self) -> bool {
        self.flip() == Some(Flip::Mirror)
    }

    /// Whether a tile that shows these edges may lie in a cell with these sides at the rim: there it
    /// has the border, and nowhere else.
    pub fn are_framed(
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

    /// How many pieces there are; `None` where that has no bound.
    pub fn pieces(&self) -> Option<usize> {
        pieces(&self.tiles)
    }

    /// Whether there are several pieces of some tile.
    pub fn has_copies(&self) -> bool {
        self.tiles.iter().any(|tile| tile.copies != Copies::ONE)
    }

    /// By label, how many edges of the pieces show it at most where they fill so many cells: of a
    /// two-sided tile the face with more of them counts.
    pub fn edges_within(&self, cells: usize) -> Vec<usize> {
        let mut edges = vec![0; self.labels.len()];
        for tile in &self.tiles {
            for (label, number) in tile.edges_at_most() {
                edges[label.index()] += number * tile.copies.within(cells);
            }
        }
        edges
    }

    /// Whether every label is shown by as many edges of each tile, whichever face is up.
    pub fn shows_the_same_on_both_faces(&self) -> bool {
        let mut tiles = self.tiles.iter();
        tiles.all(|tile| {
            let [front, back] = Face::ALL.map(|face| tile.face(face).iter().sorted_unstable());
            front.eq(back)
        })
    }

    /// How many pairs of matching edges the pieces in so many cells make at most, border edges left
    /// out. An edge that is not wholly known makes one with any other.
    pub fn pairs_within(&self, cells: usize) -> usize {
        let edges = self.edges_within(cells);
        let unknown = self.labels.all().filter(|&l| !self.labels.is_known(l));
        let unknown: usize = unknown.map(|label| edges[label.index()]).sum();
        let inside =
            self.labels.all().filter(|&l| self.border != Some(l) && self.labels.is_known(l));
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

    /// Whether the tiles are called otherwise than 1, 2, ….
    pub fn has_tile_names(&self) -> bool {
        let mut tiles = self.tiles.iter().zip(1..);
        tiles.any(|(tile, number)| tile.name != number.to_string())
    }

    /// The place of the tile with this name in [`Puzzle::tiles`].
    pub fn tile_named(&self, name: &str) -> Option<usize> {
        self.tiles.iter().position(|t| t.name == name)
    }
}
