//! Tiles and their orientations.
//!
//! This module defines rotations: one step counter-clockwise moves each edge to the next side. The
//! web page repeats this definition in `orientation.js`.

use std::num::NonZeroUsize;

use itertools::Itertools;

use super::{Label, Labels};

/// One of the two faces of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Face {
    /// The face that every tile has.
    #[default]
    Front,
    /// The second face of a two-sided tile.
    Back,
}

impl Face {
    /// Both faces, the front first.
    pub const ALL: [Face; 2] = [Face::Front, Face::Back];

    /// The name in files and output.
    pub fn name(self) -> &'static str {
        match self {
            Face::Front => "front",
            Face::Back => "back",
        }
    }

    /// The face with this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.name() == name)
    }

    /// The opposite face.
    fn other(self) -> Face {
        match self {
            Face::Front => Face::Back,
            Face::Back => Face::Front,
        }
    }
}

/// A rule by which the back of a tile follows from its front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flip {
    /// The back shows the labels of the front in mirrored positions, as if the print showed
    /// through.
    Mirror,
    /// The back shows the mates of the labels of the front in mirrored positions. This applies to
    /// edges that read backwards from behind, such as bit patterns.
    Reverse,
}

impl Flip {
    /// All rules, in order of preference: a back that shows only whole images follows both and
    /// counts as `Mirror`.
    pub const ALL: [Flip; 2] = [Flip::Mirror, Flip::Reverse];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Flip::Mirror => "mirror",
            Flip::Reverse => "reverse",
        }
    }

    /// The rule with this name in files; `None` if there is none.
    pub fn named(name: &str) -> Option<Flip> {
        Flip::ALL.into_iter().find(|flip| flip.name() == name)
    }

    /// The labels of the opposite face, given those of `face`.
    ///
    /// ```
    /// use edgematch::puzzle::{EdgeName, Flip, Labels};
    /// let mut labels = Labels::default();
    /// let mut label = |name| labels.add(&EdgeName::parse(name).unwrap()).unwrap();
    /// let front = ["a+", "b", "c-", "c-"].map(&mut label);
    /// let mirror = ["c-", "b", "a+", "c-"].map(&mut label);
    /// let reverse = ["c+", "b", "a-", "c+"].map(&mut label);
    /// assert_eq!(Flip::Mirror.other_face(&front, &labels), mirror);
    /// assert_eq!(Flip::Reverse.other_face(&front, &labels), reverse);
    /// ```
    pub fn other_face(self, face: &[Label], labels: &Labels) -> Vec<Label> {
        let behind = from_behind(face);
        match self {
            Flip::Mirror => behind,
            Flip::Reverse => behind.into_iter().map(|label| labels.mate(label)).collect(),
        }
    }
}

/// The orientation of a tile in its cell: the face that is up and a number of counter-clockwise
/// steps. Also a motion of a tile: if the face is the back, it is turned over about its vertical
/// axis; then it is turned by the steps.
///
/// The two are equivalent: an orientation is the motion that moves the tile there from its position
/// in the file. The values are the elements of the dihedral group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Orientation {
    face: Face,
    rotation: u8,
}

impl Orientation {
    /// The orientation with the front up, turned counter-clockwise by `steps` steps; a step of a
    /// square tile is a quarter turn.
    ///
    /// # Panics
    /// If `steps` exceeds 255.
    pub fn turned(steps: usize) -> Self {
        Orientation::default().rotated(steps)
    }

    /// The orientation with the same face up, turned by `steps` steps from the position in the
    /// file. The previous rotation is ignored.
    ///
    /// # Panics
    /// If `steps` exceeds 255.
    pub fn rotated(self, steps: usize) -> Self {
        let rotation = u8::try_from(steps).expect("a tile has at most 255 sides");
        Orientation { rotation, ..self }
    }

    /// The orientation with the same rotation and `face` up.
    pub fn with_face(self, face: Face) -> Self {
        Orientation { face, ..self }
    }

    /// The face that is up.
    pub fn face(self) -> Face {
        self.face
    }

    /// The number of counter-clockwise steps.
    pub fn rotation(self) -> usize {
        usize::from(self.rotation)
    }

    /// The orientation of a tile with `sides` sides after moving it by `motion` from this
    /// orientation.
    pub fn then(self, motion: Orientation, sides: usize) -> Self {
        let (face, rotation) = match motion.face {
            Face::Front => (self.face, self.rotation()),
            Face::Back => (self.face.other(), sides - self.rotation()),
        };
        Orientation::turned((rotation + motion.rotation()) % sides).with_face(face)
    }

    /// The side to which this motion moves `side`. The side belongs to a cell, or to a tile as
    /// listed in the file, with `sides` sides. Turning over swaps side 0 with side `sides / 2`,
    /// rounded down.
    ///
    /// ```
    /// use edgematch::puzzle::{Face, Orientation};
    /// let over = Orientation::turned(0).with_face(Face::Back);
    /// assert_eq!([0, 1, 2, 3].map(|side| over.move_side(side, 4)), [2, 1, 0, 3]);
    /// ```
    pub fn move_side(self, side: usize, sides: usize) -> usize {
        let side = match self.face {
            Face::Front => side,
            Face::Back => mirrored(side, sides),
        };
        (side + self.rotation()) % sides
    }

    /// The index, from 0 to 2 · `sides` − 1, of this orientation among those of a tile with `sides`
    /// sides: the front first, then by rotation.
    pub fn index(self, sides: usize) -> usize {
        match self.face {
            Face::Front => self.rotation(),
            Face::Back => sides + self.rotation(),
        }
    }

    /// The orientation with this [index](Orientation::index) of a tile with `sides` sides; `None`
    /// if there is none.
    pub fn with_index(index: usize, sides: usize) -> Option<Orientation> {
        let face = *Face::ALL.get(index.checked_div(sides)?)?;
        Some(Orientation::turned(index % sides).with_face(face))
    }
}

/// The side to which `side` moves when a tile is turned over about its vertical axis.
fn mirrored(side: usize, sides: usize) -> usize {
    (sides / 2 + sides - side) % sides
}

/// The labels of a face as they appear from behind, after turning the tile over about its vertical
/// axis.
fn from_behind(face: &[Label]) -> Vec<Label> {
    let sides = face.len();
    (0..sides).map(|side| face[mirrored(side, sides)]).collect()
}

/// The number of copies of a tile, at least one.
///
/// ```
/// use edgematch::puzzle::Copies;
/// assert_eq!(Copies::ONE.limited_to(9), 1);
/// assert_eq!(Copies::new(20).map(|copies| copies.limited_to(9)), Some(9));
/// assert_eq!(Copies::Any.limited_to(9), 9);
/// assert_eq!(Copies::new(0), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Copies {
    /// A fixed number of copies.
    Number(NonZeroUsize),
    /// As many copies as needed.
    Any,
}

impl Copies {
    /// One copy, the default.
    pub const ONE: Copies = Copies::Number(NonZeroUsize::MIN);

    /// A fixed number of copies; `None` if `number` is 0.
    pub fn new(number: usize) -> Option<Copies> {
        NonZeroUsize::new(number).map(Copies::Number)
    }

    /// The fixed number; `None` if it is unlimited.
    pub fn number(self) -> Option<usize> {
        match self {
            Copies::Number(number) => Some(number.get()),
            Copies::Any => None,
        }
    }

    /// The number of copies, but at most `cells`.
    pub fn limited_to(self, cells: usize) -> usize {
        self.number().map_or(cells, |number| number.min(cells))
    }
}

impl Default for Copies {
    fn default() -> Copies {
        Copies::ONE
    }
}

/// A tile of a puzzle, of which there may be several copies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    /// The name in the file, unique in the puzzle.
    pub name: String,
    /// The labels of the sides in rotation 0, counter-clockwise from the right.
    pub edges: Vec<Label>,
    /// The labels of the back, counter-clockwise from the right after turning the tile over about
    /// its vertical axis; `None` for a one-sided tile.
    pub back: Option<Vec<Label>>,
    /// The number of copies.
    pub copies: Copies,
}

/// A change of the label of one edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Change {
    /// The index of the tile in the puzzle.
    pub tile: usize,
    /// The face.
    pub face: Face,
    /// The side in rotation 0, counter-clockwise from the right.
    pub side: usize,
    /// The new label.
    pub label: Label,
}

impl Change {
    /// The changes that turn the labels `shown` on a face into those `wanted`, one for each side
    /// that differs.
    pub fn diff(
        (tile, face): (usize, Face),
        shown: &[Label],
        wanted: impl IntoIterator<Item = Label>,
    ) -> Vec<Change> {
        let sides = shown.iter().zip(wanted).enumerate();
        let changed = sides.filter(|(_, (shown, wanted))| *shown != wanted);
        changed.map(|(side, (_, label))| Change { tile, face, side, label }).collect()
    }
}

/// The total number of copies of `tiles`; `None` if a tile has unlimited copies or
/// the sum overflows.
pub fn pieces(tiles: &[Tile]) -> Option<usize> {
    let mut numbers = tiles.iter().map(|tile| tile.copies.number());
    numbers.try_fold(0usize, |sum, number| sum.checked_add(number?))
}

/// All cyclic rotations of a list, the list itself first.
pub fn list_rotations<T: Clone>(around: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..around.len()).map(|turn| [&around[turn..], &around[..turn]].concat())
}

impl Tile {
    /// The number of sides.
    pub fn sides(&self) -> usize {
        self.edges.len()
    }

    /// The labels of a face in rotation 0. A one-sided tile shows its front for both faces.
    pub fn face(&self, face: Face) -> &[Label] {
        match face {
            Face::Front => &self.edges,
            Face::Back => self.back.as_ref().unwrap_or(&self.edges),
        }
    }

    /// The label that `side` shows in `orientation`.
    pub fn shows(&self, side: usize, orientation: Orientation) -> Label {
        let sides = self.sides();
        self.face(orientation.face())[(side + sides - orientation.rotation() % sides) % sides]
    }

    /// The labels of all sides in `orientation`, counter-clockwise from the right.
    pub fn edges_in(&self, orientation: Orientation) -> Vec<Label> {
        (0..self.sides()).map(|side| self.shows(side, orientation)).collect()
    }

    /// Returns true if the tile shows `edges` in `orientation`.
    pub(super) fn shows_all(&self, edges: &[Label], orientation: Orientation) -> bool {
        let mut sides = edges.iter().enumerate();
        sides.all(|(side, &edge)| self.shows(side, orientation) == edge)
    }

    /// Returns true if this tile, after moving it by `moved` from its position in the file, looks
    /// like `other` in its position, on all faces.
    pub(super) fn is_moved_as(&self, moved: Orientation, other: &Tile) -> bool {
        let sides = self.sides();
        sides == other.sides()
            && self.back.is_some() == other.back.is_some()
            && other.faces().all(|face| {
                let over = Orientation::default().with_face(face);
                self.shows_all(other.face(face), moved.then(over, sides))
            })
    }

    /// The labels of all edges on all faces, ascending.
    pub(super) fn sorted_labels(&self) -> Vec<Label> {
        self.faces().flat_map(|face| self.face(face)).copied().sorted_unstable().collect()
    }

    /// All orientations of the tile: the front first, each face in ascending rotation.
    pub fn orientations(&self) -> impl Iterator<Item = Orientation> + use<> {
        let sides = self.sides();
        self.faces()
            .flat_map(move |face| (0..sides).map(move |r| Orientation::turned(r).with_face(face)))
    }

    /// The faces that the tile has, the front first.
    pub fn faces(&self) -> impl Iterator<Item = Face> + use<> {
        let number = if self.back.is_some() { 2 } else { 1 };
        Face::ALL.into_iter().take(number)
    }

    /// Each label of the tile, ascending, with the number of edges that show it on the face where
    /// it occurs more often.
    pub fn edges_at_most(&self) -> impl Iterator<Item = (Label, usize)> + use<> {
        let of_faces = self
            .faces()
            .flat_map(|face| self.face(face).iter().copied().sorted_unstable().dedup_with_count());
        of_faces
            .map(|(number, label)| (label, number))
            .sorted_unstable()
            .coalesce(|fewer, more| if fewer.0 == more.0 { Ok(more) } else { Err((fewer, more)) })
    }

    /// The labels that the back would have if the print of the front showed through.
    pub fn mirrored_labels(&self) -> Vec<Label> {
        from_behind(&self.edges)
    }

    /// The labels of all edges of both faces. A back on which the print of the front shows through
    /// is omitted.
    pub fn shown_labels(&self) -> impl Iterator<Item = Label> + '_ {
        let back = self.back.as_ref().filter(|back| **back != self.mirrored_labels());
        self.edges.iter().chain(back.into_iter().flatten()).copied()
    }

    /// Changes the label of `side` on a face. If `flip` is given, the other face is derived again.
    /// If the tile has no back, the front changes.
    pub fn retype(
        &mut self,
        (face, side): (Face, usize),
        label: Label,
        flip: Option<Flip>,
        labels: &Labels,
    ) {
        let (shown, other) = match (face, &mut self.back) {
            (Face::Back, Some(back)) => (back, Some(&mut self.edges)),
            (_, back) => (&mut self.edges, back.as_mut()),
        };
        shown[side] = label;
        if let (Some(flip), Some(other)) = (flip, other) {
            *other = flip.other_face(shown, labels);
        }
    }

    /// The rule by which the back follows from the front; `None` if there is no back or no rule
    /// applies.
    pub fn flip(&self, labels: &Labels) -> Option<Flip> {
        Flip::ALL.into_iter().find(|&flip| self.is_flipped(flip, labels))
    }

    /// Returns true if the tile has a back that follows from the front by this rule.
    pub(super) fn is_flipped(&self, flip: Flip, labels: &Labels) -> bool {
        self.back.as_ref().is_some_and(|back| *back == flip.other_face(&self.edges, labels))
    }

    /// The faces whose labels must be known: the front, and the back unless it follows from the
    /// front.
    pub fn prints(&self, labels: &Labels) -> impl Iterator<Item = Face> + use<> {
        let number = if self.back.is_none() || self.flip(labels).is_some() { 1 } else { 2 };
        Face::ALL.into_iter().take(number)
    }

    /// Formats an orientation of this tile: the rotation such as `1`, or with the face such as
    /// `1/back` if the tile is two-sided.
    pub fn describe(&self, orientation: Orientation) -> String {
        let rotation = orientation.rotation();
        match self.back {
            None => rotation.to_string(),
            Some(_) => format!("{rotation}/{}", orientation.face().name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EdgeName, Labels};
    use super::*;

    fn tile(names: &[&str]) -> Tile {
        let mut labels = Labels::default();
        let edges = names.iter().map(|name| labels.add(&EdgeName::parse(name).unwrap()).unwrap());
        Tile { name: "1".into(), edges: edges.collect(), back: None, copies: Copies::ONE }
    }

    #[test]
    fn one_step_brings_the_right_edge_to_the_top() {
        let tile = tile(&["right", "top", "left", "bottom"]);
        let edges = &tile.edges;
        assert_eq!(tile.shows(1, Orientation::turned(1)), edges[0]);
        assert_eq!(tile.shows(0, Orientation::turned(1)), edges[3]);
        assert_eq!(tile.edges_in(Orientation::turned(0)), *edges);
    }

    #[test]
    fn the_back_of_a_print_that_goes_through_has_left_and_right_swapped() {
        let tile = tile(&["right", "top", "left", "bottom"]);
        let [right, top, left, bottom] = tile.edges[..] else { unreachable!() };
        assert_eq!(tile.mirrored_labels(), [left, top, right, bottom]);
    }

    /// A tile shows the same labels after a motion, at the sides to which the motion moves them.
    #[test]
    fn motions_of_a_tile_are_those_of_its_sides() {
        for names in [&["a", "b", "c"][..], &["a", "b", "c", "d"], &["a"; 5]] {
            let front = tile(names);
            let sides = front.sides();
            let tile = Tile { back: Some(front.mirrored_labels()), ..front };
            let all: Vec<Orientation> = tile.orientations().collect();
            assert_eq!(all.len(), 2 * sides);
            for (&lies, &motion) in itertools::iproduct!(&all, &all) {
                let after = lies.then(motion, sides);
                for side in 0..sides {
                    let there = motion.move_side(side, sides);
                    assert_eq!(tile.shows(there, after), tile.shows(side, lies));
                    assert_eq!(
                        after.move_side(side, sides),
                        motion.move_side(lies.move_side(side, sides), sides)
                    );
                }
            }
        }
    }
}
