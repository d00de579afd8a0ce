//! Puzzles on boards that the test defines itself, and a brute force that is independent of the
//! library: it implements the matching rule, the border rule and the rule of rotation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use edgematch::board::Symmetry;
use edgematch::problem::{Arrangement, Placed};
use edgematch::puzzle::{Face, Orientation};
use fastrand::Rng;

use super::Feature;

/// A cell and one of its sides.
pub type Side = (usize, usize);

/// A board, independent of the library: the number of sides of each cell, and the pairs of sides
/// that touch.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The value of `board` in a file.
    pub yaml: String,
    /// The names of the cells in constraints.
    pub names: Vec<String>,
    pub sides: Vec<usize>,
    pub seams: Vec<[Side; 2]>,
    /// Rows and columns, for a grid without holes or joined ends.
    pub rectangle: Option<(usize, usize)>,
}

impl Shape {
    /// A grid, optionally with the ends of its rows or columns joined.
    pub fn grid(rows: usize, columns: usize, joins_rows: bool, joins_columns: bool) -> Shape {
        let cell = |row: usize, column: usize| row % rows * columns + column % columns;
        let mut seams = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                if column + 1 < columns || joins_rows {
                    seams.push([(cell(row, column), 0), (cell(row, column + 1), 2)]);
                }
                if row + 1 < rows || joins_columns {
                    seams.push([(cell(row, column), 3), (cell(row + 1, column), 1)]);
                }
            }
        }
        let wrap = match (joins_rows, joins_columns) {
            (false, false) => "",
            (true, false) => ", wrap: horizontal",
            (false, true) => ", wrap: vertical",
            (true, true) => ", wrap: both",
        };
        let name = |cell: usize| format!("[{}, {}]", cell / columns + 1, cell % columns + 1);
        Shape {
            yaml: format!("{{grid: [{rows}, {columns}]{wrap}}}"),
            names: (0..rows * columns).map(name).collect(),
            sides: vec![4; rows * columns],
            seams,
            rectangle: (!joins_rows && !joins_columns).then_some((rows, columns)),
        }
    }

    /// Removes the cells with these indices.
    pub fn with_holes(&self, columns: usize, holes: &[usize]) -> Shape {
        let places = 0..self.sides.len();
        let kept: Vec<usize> = places.clone().filter(|place| !holes.contains(place)).collect();
        let cell = |(place, side): Side| Some((kept.iter().position(|&one| one == place)?, side));
        let seams = self.seams.iter();
        let letters: String = places.map(|p| if holes.contains(&p) { '.' } else { '#' }).collect();
        let rows = letters.as_bytes().chunks(columns);
        let rows = rows.map(|row| format!("\"{}\"", String::from_utf8_lossy(row)));
        let size = format!("grid: [{}, {columns}]", self.sides.len() / columns);
        let mask = format!("mask: [{}]", itertools::join(rows, ", "));
        Shape {
            yaml: self.yaml.replace(&size, &mask),
            names: kept.iter().map(|&place| self.names[place].clone()).collect(),
            sides: vec![4; kept.len()],
            seams: seams.filter_map(|&[a, b]| Some([cell(a)?, cell(b)?])).collect(),
            rectangle: self.rectangle.filter(|_| holes.is_empty()),
        }
    }

    /// A board of faces, each a list of corners, counter-clockwise; side `i` is between corner `i`
    /// and the next one.
    fn of_faces(name: &str, names: &[&str], faces: &[&[usize]]) -> Shape {
        let mut ends: BTreeMap<[usize; 2], Vec<Side>> = BTreeMap::new();
        for (face, corners) in faces.iter().enumerate() {
            for side in 0..corners.len() {
                let a = corners[side];
                let b = corners[(side + 1) % corners.len()];
                ends.entry([a.min(b), a.max(b)]).or_default().push((face, side));
            }
        }
        Shape {
            yaml: name.into(),
            names: names.iter().map(|&name| name.to_owned()).collect(),
            sides: faces.iter().map(|corners| corners.len()).collect(),
            seams: ends.values().map(|ends| [ends[0], ends[1]]).collect(),
            rectangle: None,
        }
    }

    pub fn tetrahedron() -> Shape {
        Shape::of_faces(
            "tetrahedron",
            &["1", "2", "3", "4"],
            &[&[0, 1, 2], &[0, 3, 1], &[0, 2, 3], &[1, 3, 2]],
        )
    }

    /// A cube. The corners of the front are 0 to 3, counter-clockwise from the lower right one;
    /// those behind them are 4 to 7. In the net, `top` is above `front` and `bottom` below.
    pub fn cube() -> Shape {
        Shape::of_faces(
            "cube",
            &["front", "right", "back", "left", "top", "bottom"],
            &[
                &[0, 1, 2, 3],
                &[4, 5, 1, 0],
                &[7, 6, 5, 4],
                &[3, 2, 6, 7],
                &[1, 5, 6, 2],
                &[4, 0, 3, 7],
            ],
        )
    }

    /// Cells with 3 to 6 sides that touch at random, including seams of a cell with itself, double
    /// seams, and disconnected boards.
    pub fn random(random: &mut Rng) -> Shape {
        loop {
            let sides: Vec<usize> = (0..random.usize(2..6)).map(|_| random.usize(3..7)).collect();
            let uniform = random.u8(..4) == 0;
            let sides: Vec<usize> =
                sides.iter().map(|&k| if uniform { sides[0] } else { k }).collect();
            let mut loose: Vec<Side> = (0..sides.len())
                .flat_map(|cell| (0..sides[cell]).map(move |side| (cell, side)))
                .collect();
            random.shuffle(&mut loose);
            let most = loose.len() / 2;
            let number = random.usize(1.max(most / 2)..=most);
            let seams = (0..number).map(|seam| [loose[2 * seam], loose[2 * seam + 1]]);
            let shape = Shape::of_cells(sides, seams.collect());
            if shape.symmetries(true).len() <= 300 {
                return shape;
            }
        }
    }

    /// A board of cells named `c0`, `c1`, …
    pub fn of_cells(sides: Vec<usize>, seams: Vec<[Side; 2]>) -> Shape {
        let names: Vec<String> = (0..sides.len()).map(|cell| format!("c{cell}")).collect();
        let cells =
            itertools::join(sides.iter().enumerate().map(|(i, k)| format!("c{i}: {k}")), ", ");
        let list = seams.iter().map(|[(a, s), (b, t)]| format!("[c{a}, {s}, c{b}, {t}]"));
        Shape {
            yaml: format!("{{cells: {{{cells}}}, seams: [{}]}}", itertools::join(list, ", ")),
            names,
            sides,
            seams,
            rectangle: None,
        }
    }

    /// For each side that touches another, that other side.
    pub fn mates(&self) -> BTreeMap<Side, Side> {
        self.seams.iter().flat_map(|&[a, b]| [(a, b), (b, a)]).collect()
    }

    /// All symmetries of the board, found by trying all images of all cells in all rotations; with
    /// `with_flips`, also turned over.
    pub fn symmetries(&self, with_flips: bool) -> Vec<Motion> {
        let mut found = Vec::new();
        let mates = self.mates();
        self.move_cell(&mates, with_flips, &mut Vec::new(), &mut found);
        found
    }

    /// Adds the symmetries that begin with the images `goes` of the first cells to `found`.
    fn move_cell(
        &self,
        mates: &BTreeMap<Side, Side>,
        with_flips: bool,
        goes: &mut Motion,
        found: &mut Vec<Motion>,
    ) {
        let cell = goes.len();
        if cell == self.sides.len() {
            found.push(goes.clone());
            return;
        }
        let sides = self.sides[cell];
        let faces = if with_flips { 2 } else { 1 };
        for (image, face, offset) in itertools::iproduct!(0..self.sides.len(), 0..faces, 0..sides) {
            if self.sides[image] != sides || goes.iter().any(|moved| moved.image == image) {
                continue;
            }
            goes.push(Moved { image, is_over: face == 1, offset, sides });
            let keeps = |side: usize| {
                let there = mates.get(&goes[cell].to(side));
                match mates.get(&(cell, side)) {
                    None => there.is_none(),
                    Some(&(other, _)) if other > cell => there.is_some(),
                    Some(&(other, its_side)) => {
                        goes[other].is_over == goes[cell].is_over
                            && there == Some(&goes[other].to(its_side))
                    }
                }
            };
            if (0..sides).all(keeps) {
                self.move_cell(mates, with_flips, goes, found);
            }
            goes.pop();
        }
    }
}

/// The image of a cell under a symmetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moved {
    /// The cell that it is mapped to.
    pub image: usize,
    /// True if it is turned over.
    pub is_over: bool,
    /// The side to which side 0 is mapped.
    offset: usize,
    /// The number of sides.
    sides: usize,
}

impl Moved {
    /// The image of a side of the cell.
    pub fn to(&self, side: usize) -> Side {
        let turned =
            if !self.is_over { self.offset + side } else { self.offset + self.sides - side };
        (self.image, turned % self.sides)
    }

    /// Returns true if the cell is not rotated; it may be turned over about the vertical axis.
    fn keeps_rotation(&self) -> bool {
        self.offset == if self.is_over { self.sides / 2 } else { 0 }
    }
}

/// A symmetry of the board: the images of all cells.
pub type Motion = Vec<Moved>;

/// An edge: three times the image, plus 0 (whole), 1 (`+`) or 2 (`-`).
pub type Edge = u8;

/// The whole image `x`, which is the border if there is one.
const BORDER: Edge = 3 * 23;

/// An edge that matches every edge.
const UNKNOWN: Edge = Edge::MAX;

/// The name of an edge in a file: `a`, `a+`, `a-` or `"?"`.
fn edge_name(edge: Edge) -> String {
    if edge == UNKNOWN {
        return "\"?\"".into();
    }
    let image = char::from(b'a' + edge / 3);
    format!("{image}{}", ["", "+", "-"][usize::from(edge % 3)])
}

/// The edge that matches an edge.
fn mate(edge: Edge) -> Edge {
    edge / 3 * 3 + [0, 2, 1][usize::from(edge % 3)]
}

/// Returns true if two edges match; an unknown edge matches every edge.
fn fit(one: Edge, other: Edge) -> bool {
    one == UNKNOWN || other == UNKNOWN || one == mate(other)
}

/// A tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub name: String,
    pub front: Vec<Edge>,
    pub back: Option<Vec<Edge>>,
    /// The number of copies; `None` for any number.
    pub copies: Option<usize>,
}

/// The edges after rotating the tile counter-clockwise so that the first one is at side `by`.
pub fn turned(edges: &[Edge], by: usize) -> Vec<Edge> {
    let sides = edges.len();
    (0..sides).map(|side| edges[(side + sides - by % sides) % sides]).collect()
}

/// The back of a tile with the same print on both faces: turning over exchanges side 0 with half
/// the number of sides, rounded down.
fn mirrored(edges: &[Edge]) -> Vec<Edge> {
    let sides = edges.len();
    (0..sides).map(|side| edges[(sides / 2 + sides - side) % sides]).collect()
}

/// Like [`mirrored`], but with the halves of each image exchanged.
fn reversed(edges: &[Edge]) -> Vec<Edge> {
    mirrored(edges).into_iter().map(mate).collect()
}

impl Piece {
    /// The same tile, listed as if it had first been turned over if `is_back`, then rotated.
    pub fn listed(&self, is_back: bool, by: usize) -> Piece {
        let sides = self.front.len();
        let (up, down) = match (is_back, self.back.as_ref()) {
            (false, back) => (Some(&self.front), back),
            (true, back) => (back, Some(&self.front)),
        };
        Piece {
            name: self.name.clone(),
            front: turned(up.expect("a tile with a back"), by),
            // Rotating a tile counter-clockwise rotates its back clockwise.
            back: down.map(|down| turned(down, sides - by % sides)),
            copies: self.copies,
        }
    }

    fn shows(&self, lies: &PlacedTile) -> Vec<Edge> {
        match (lies.is_back, &self.back) {
            (true, Some(back)) => turned(back, lies.rotation),
            _ => turned(&self.front, lies.rotation),
        }
    }
}

/// A tile and its orientation in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlacedTile {
    pub tile: usize,
    pub is_back: bool,
    pub rotation: usize,
}

/// Converts an arrangement of the library to this module's form.
pub fn to_placed_tiles(arrangement: &Arrangement) -> Vec<PlacedTile> {
    let lies = |placed: &Placed| PlacedTile {
        tile: placed.tile,
        is_back: placed.orientation.face() == Face::Back,
        rotation: placed.orientation.rotation(),
    };
    arrangement.0.iter().map(lies).collect()
}

/// Converts this module's form to an arrangement of the library.
pub fn arrangement(lies: &[PlacedTile]) -> Arrangement {
    let placed = |lies: &PlacedTile| Placed {
        tile: lies.tile,
        orientation: Orientation::turned(lies.rotation)
            .with_face(Face::ALL[usize::from(lies.is_back)]),
    };
    Arrangement(lies.iter().map(placed).collect())
}

/// Which tiles have backs, and of what kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backs {
    /// No tile has a back.
    None,
    /// All tiles have random backs.
    Own,
    /// Some tiles have a back, and some of those are the mirrored fronts.
    Some,
    /// All backs follow the rule `flip: mirror`.
    Mirror,
    /// All backs follow the rule `flip: reverse`.
    Reverse,
}

impl Backs {
    /// If all backs follow a rule, the back of a tile with this front, and the name of the rule in
    /// files.
    fn flip(self, front: &[Edge]) -> Option<(Vec<Edge>, &'static str)> {
        match self {
            Backs::None | Backs::Own | Backs::Some => None,
            Backs::Mirror => Some((mirrored(front), "mirror")),
            Backs::Reverse => Some((reversed(front), "reverse")),
        }
    }
}

/// The parameters of random puzzles.
#[derive(Debug, Clone, Copy)]
pub struct Draw {
    /// The number of images. At random, all have halves, none, or every other one.
    pub images: u8,
    pub backs: Backs,
    pub may_turn: bool,
    pub has_border: bool,
    /// The number of tiles in addition to the cells.
    pub spare: usize,
    /// True if edges are drawn on seams, so that there is a solution.
    pub is_planted: bool,
}

impl Draw {
    /// Arbitrary parameters, with up to two spare tiles.
    pub fn random(random: &mut Rng) -> Draw {
        Draw {
            images: random.u8(1..5),
            backs: [Backs::None, Backs::Some, Backs::Mirror, Backs::Reverse][random.usize(..4)],
            may_turn: random.bool(),
            has_border: random.bool(),
            spare: random.usize(..3),
            is_planted: random.bool(),
        }
    }
}

/// A small puzzle, independent of the library.
#[derive(Clone)]
pub struct Toy {
    pub shape: Shape,
    pub pieces: Vec<Piece>,
    pub may_turn: bool,
    pub has_border: bool,
    pub backs: Backs,
    /// True to write all backs, even if they follow a rule.
    pub writes_backs: bool,
    /// A known solution, if edges were drawn on seams.
    pub planted: Option<Vec<PlacedTile>>,
    /// The constraints, as YAML.
    pub constraints: String,
}

impl fmt::Debug for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.yaml())
    }
}

impl Toy {
    /// A random puzzle with these parameters.
    pub fn new(shape: Shape, draw: &Draw, random: &mut Rng) -> Toy {
        let style = random.u8(..3);
        let edge = |random: &mut Rng| {
            let image = random.u8(..draw.images);
            let has_halves = [image.is_multiple_of(2), true, false][usize::from(style)];
            3 * image + if has_halves { random.u8(1..3) } else { 0 }
        };
        let mates = shape.mates();
        let cells = shape.sides.len();
        let mut shown: Vec<Vec<Edge>> = shape.sides.iter().map(|&k| vec![BORDER; k]).collect();
        for (&(cell, side), &(other, its_side)) in &mates {
            if !draw.is_planted || (cell, side) < (other, its_side) {
                shown[cell][side] = edge(random);
            }
            if draw.is_planted && (cell, side) < (other, its_side) {
                shown[other][its_side] = mate(shown[cell][side]);
            }
        }
        if !draw.has_border {
            for (cell, side) in (0..cells).flat_map(|c| (0..shape.sides[c]).map(move |s| (c, s))) {
                if !mates.contains_key(&(cell, side)) {
                    shown[cell][side] = edge(random);
                }
            }
        }
        let mut pieces: Vec<(Piece, Option<(usize, PlacedTile)>)> = Vec::new();
        for (cell, shown) in shown.iter().enumerate() {
            let sides = shown.len();
            let other: Vec<Edge> = if draw.has_border && random.bool() {
                turned(shown, random.usize(..sides))
            } else {
                (0..sides).map(|_| edge(random)).collect()
            };
            let flipped = draw.backs.flip(shown).map(|(back, _)| back);
            let back = match (draw.backs, random.u8(..4)) {
                (Backs::None, _) | (Backs::Some, 0 | 1) => None,
                (Backs::Some, 2) => Some(mirrored(shown)),
                _ => flipped.or(Some(other)),
            };
            let piece = Piece { name: String::new(), front: shown.clone(), back, copies: Some(1) };
            let is_back = piece.back.is_some() && random.bool();
            let by = if draw.may_turn { random.usize(..sides) } else { 0 };
            let listed = piece.listed(is_back, by);
            // The orientation that undoes the way in which the tile is listed.
            let rotation = if !is_back { (sides - by) % sides } else { by };
            let lies = PlacedTile { tile: 0, is_back, rotation };
            assert_eq!(listed.shows(&lies), *shown);
            pieces.push((listed, Some((cell, lies))));
        }
        for _ in 0..draw.spare {
            let (mut spare, _) = pieces[random.usize(..cells)].clone();
            let side = random.usize(..spare.front.len());
            spare.front[side] = edge(random);
            if let Some((back, _)) = draw.backs.flip(&spare.front) {
                spare.back = Some(back);
            }
            pieces.push((spare, None));
        }
        random.shuffle(&mut pieces);
        let mut planted = vec![None; cells];
        for (tile, (piece, place)) in pieces.iter_mut().enumerate() {
            piece.name = format!("t{tile}");
            if let Some((cell, lies)) = *place {
                planted[cell] = Some(PlacedTile { tile, ..lies });
            }
        }
        Toy {
            shape,
            pieces: pieces.into_iter().map(|(piece, _)| piece).collect(),
            may_turn: draw.may_turn,
            has_border: draw.has_border,
            backs: draw.backs,
            writes_backs: random.bool(),
            planted: planted.into_iter().collect::<Option<_>>().filter(|_| draw.is_planted),
            constraints: String::new(),
        }
    }

    pub fn yaml(&self) -> String {
        let mut yaml = format!("board: {}\nrotations: {}\n", self.shape.yaml, self.may_turn);
        if self.has_border {
            yaml += &format!("border: {}\n", edge_name(BORDER));
        }
        let flip = self.backs.flip(&[]).filter(|_| !self.writes_backs);
        if let Some((_, flip)) = flip {
            yaml += &format!("flip: {flip}\n");
        }
        yaml += "tiles:\n";
        for piece in &self.pieces {
            let list = |edges: &[Edge]| itertools::join(edges.iter().map(|&e| edge_name(e)), ", ");
            let name = &piece.name;
            let front = list(&piece.front);
            let back = piece.back.as_ref().filter(|_| flip.is_none());
            let mut more = back.map_or(String::new(), |back| format!(", back: [{}]", list(back)));
            more += &match piece.copies {
                Some(1) => String::new(),
                Some(number) => format!(", copies: {number}"),
                None => ", copies: any".to_owned(),
            };
            if more.is_empty() {
                yaml += &format!("  {name}: [{front}]\n");
            } else {
                yaml += &format!("  {name}: {{edges: [{front}]{more}}}\n");
            }
        }
        yaml + &self.constraints
    }

    /// Gives some tiles copies, and removes some tiles, as long as the rest can fill the board.
    /// There is no known solution afterwards.
    fn with_copies(mut self, random: &mut Rng) -> Toy {
        for piece in &mut self.pieces {
            piece.copies = [Some(1), Some(2), Some(3), None][random.usize(..4)];
        }
        self.planted = None;
        while random.u8(..4) > 0 {
            let mut fewer = self.pieces.clone();
            fewer.remove(random.usize(..fewer.len()));
            let fills = |sides: usize| {
                let cells = self.shape.sides.iter().filter(|&&k| k == sides).count();
                let pieces = fewer.iter().filter(|piece| piece.front.len() == sides);
                let copies: usize = pieces.map(|piece| piece.copies.unwrap_or(cells)).sum();
                cells <= copies
            };
            if self.shape.sides.iter().all(|&sides| fills(sides)) {
                self.pieces = fewer;
            }
        }
        for (tile, piece) in self.pieces.iter_mut().enumerate() {
            piece.name = format!("t{tile}");
        }
        self
    }

    /// Adds copies and unknown edges, each with probability 1/2.
    pub fn varied(self, random: &mut Rng) -> Toy {
        let toy = if random.bool() { self.with_copies(random) } else { self };
        if random.bool() { toy.with_unknown(random) } else { toy }
    }

    /// Makes up to three edges unknown.
    fn with_unknown(mut self, random: &mut Rng) -> Toy {
        for _ in 0..random.usize(1..4) {
            let tile = random.usize(..self.pieces.len());
            let piece = &mut self.pieces[tile];
            let side = random.usize(..piece.front.len());
            piece.front[side] = UNKNOWN;
            match (&mut piece.back, self.backs.flip(&piece.front)) {
                (Some(back), Some((flipped, _))) => *back = flipped,
                (Some(back), None) if random.bool() => back[side] = UNKNOWN,
                _ => {}
            }
        }
        self
    }

    /// The features of the puzzle that some engines do not support.
    pub fn features(&self) -> Vec<Feature> {
        let mut faces = self.pieces.iter().flat_map(|piece| {
            let back = piece.back.iter().flatten();
            piece.front.iter().chain(back)
        });
        let rectangle = self.shape.rectangle;
        let mut features = rectangle.map_or(vec![Feature::NoRectangle], Feature::of_grid);
        let is_unknown = faces.any(|&edge| edge == UNKNOWN);
        features.extend(is_unknown.then_some(Feature::UnknownEdges));
        features
    }

    /// The number of solutions up to these symmetries.
    pub fn classes(&self, group: &[Motion], solutions: &[Vec<PlacedTile>]) -> usize {
        let moved = |lies: &PlacedTile, moved: &Moved| {
            let sides = self.pieces[lies.tile].front.len();
            let first = moved.to(lies.rotation).1;
            let (is_back, rotation) = if moved.is_over {
                (!lies.is_back, (first + sides - sides / 2) % sides)
            } else {
                (lies.is_back, first)
            };
            PlacedTile { is_back, rotation, ..*lies }
        };
        let smallest = |lies: &Vec<PlacedTile>| {
            let images = group.iter().map(|motion| {
                let mut image = lies.clone();
                for (lies, there) in lies.iter().zip(motion) {
                    image[there.image] = moved(lies, there);
                }
                image
            });
            images.min()
        };
        let all: BTreeSet<_> = solutions.iter().map(smallest).collect();
        all.len()
    }

    /// Returns true if all tiles have backs that follow this rule, so that the whole board can be
    /// turned over.
    fn follow(&self, flip: fn(&[Edge]) -> Vec<Edge>) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.all(|piece| piece.back.as_ref() == Some(&flip(&piece.front)))
    }

    /// The symmetries of the board that map solutions to solutions, without constraints.
    pub fn group(&self) -> Vec<Motion> {
        let mut group = self.shape.symmetries(self.follow(mirrored) || self.follow(reversed));
        if !self.may_turn {
            group.retain(|motion| motion.iter().all(Moved::keeps_rotation));
        }
        group
    }

    /// A tile in all its orientations.
    pub fn ways(&self, tile: usize) -> impl Iterator<Item = PlacedTile> + use<> {
        let piece = &self.pieces[tile];
        let rotations = if self.may_turn { piece.front.len() } else { 1 };
        let faces = if piece.back.is_some() { 2 } else { 1 };
        itertools::iproduct!(0..faces, 0..rotations).map(move |(face, rotation)| PlacedTile {
            tile,
            is_back: face == 1,
            rotation,
        })
    }

    /// The edges that a cell with this tile shows, by side.
    pub fn shows(&self, lies: &PlacedTile) -> Vec<Edge> {
        self.pieces[lies.tile].shows(lies)
    }

    /// The number of broken seams of an arrangement; `None` if the border is misplaced.
    pub fn broken(&self, lies: &[PlacedTile]) -> Option<usize> {
        let shown: Vec<Vec<Edge>> = lies.iter().map(|lies| self.shows(lies)).collect();
        let mates = self.shape.mates();
        if self.has_border {
            for (cell, shown) in shown.iter().enumerate() {
                for (side, &edge) in shown.iter().enumerate() {
                    let is_inside = mates.contains_key(&(cell, side));
                    if edge != UNKNOWN && (edge == BORDER) == is_inside {
                        return None;
                    }
                }
            }
        }
        let fits = |[a, b]: &[Side; 2]| fit(shown[a.0][a.1], shown[b.0][b.1]);
        Some(self.shape.seams.iter().filter(|seam| !fits(seam)).count())
    }

    /// All arrangements with at most `most_broken` broken seams, not counting `free` ones; `None`
    /// if there are more than `most`, or the search takes more than 3,000,000 steps.
    pub fn brute_force(
        &self,
        most_broken: usize,
        free: &[[Side; 2]],
        most: usize,
    ) -> Option<Brute> {
        let cells = self.shape.sides.len();
        let mut seams_at: Vec<Vec<[Side; 2]>> = vec![Vec::new(); cells];
        for seam in self.shape.seams.iter().filter(|seam| !free.contains(seam)) {
            seams_at[seam[0].0.max(seam[1].0)].push(*seam);
        }
        let mates = self.shape.mates();
        let ways: Vec<(PlacedTile, Vec<Edge>)> = (0..self.pieces.len())
            .flat_map(|tile| self.ways(tile))
            .map(|lies| (lies, self.shows(&lies)))
            .collect();
        let mut search = Search {
            toy: self,
            ways: &ways,
            seams_at: &seams_at,
            is_rim: (0..cells)
                .map(|cell| {
                    let sides = 0..self.shape.sides[cell];
                    sides.map(|side| !mates.contains_key(&(cell, side))).collect()
                })
                .collect(),
            most_broken,
            most,
            steps: 3_000_000,
            found: Vec::new(),
        };
        search.fill(&mut Vec::new(), 0)?;
        let mut solutions: Vec<Vec<PlacedTile>> = search.found;
        solutions.sort();
        Some(Brute { solutions })
    }

    /// A number for each tile that is equal for twins.
    fn kinds(&self) -> Vec<usize> {
        let forms: Vec<_> = (0..self.pieces.len())
            .map(|tile| {
                let piece = &self.pieces[tile];
                let forms = self.ways(tile).map(|lies| {
                    let listed = piece.listed(lies.is_back, lies.rotation);
                    (listed.front, listed.back)
                });
                forms.min().expect("a tile lies somehow")
            })
            .collect();
        let first = |form| forms.iter().position(|other| other == form);
        forms.iter().map(|form| first(form).unwrap()).collect()
    }

    /// The canonical form of an arrangement: the smallest of its pictures under these symmetries.
    pub fn canonical(&self, kinds: &[usize], group: &[Motion], lies: &[PlacedTile]) -> Picture {
        let is_reversed = self.follow(reversed) && !self.follow(mirrored);
        let pictures = group.iter().map(|motion| {
            let mut picture: Picture = vec![(0, Vec::new()); lies.len()];
            for (cell, lies) in lies.iter().enumerate() {
                let shown = self.shows(lies);
                let mut moved = vec![0; shown.len()];
                for (side, &edge) in shown.iter().enumerate() {
                    let is_mate = is_reversed && motion[cell].is_over;
                    moved[motion[cell].to(side).1] = if is_mate { mate(edge) } else { edge };
                }
                picture[motion[cell].image] = (kinds[lies.tile], moved);
            }
            picture
        });
        pictures.min().expect("a group is not empty")
    }

    /// The canonical forms of arrangements under these symmetries.
    pub fn pictures(&self, group: &[Motion], solutions: &[Vec<PlacedTile>]) -> BTreeSet<Picture> {
        let kinds = self.kinds();
        // Arrangements that differ only in twins have equal pictures, so fewer remain.
        let unmoved: BTreeMap<Picture, &Vec<PlacedTile>> = solutions
            .iter()
            .map(|lies| (self.canonical(&kinds, &[self.identity()], lies), lies))
            .collect();
        let lies = unmoved.values();
        lies.map(|lies| self.canonical(&kinds, group, lies)).collect()
    }

    /// The symmetry that moves nothing.
    fn identity(&self) -> Motion {
        let sides = self.shape.sides.iter().enumerate();
        sides.map(|(image, &sides)| Moved { image, is_over: false, offset: 0, sides }).collect()
    }
}

/// An arrangement without the names of tiles: for each cell, the kind of its tile and the edges
/// that it shows.
pub type Picture = Vec<(usize, Vec<Edge>)>;

/// The result of brute force, in ascending order.
#[derive(Debug)]
pub struct Brute {
    pub solutions: Vec<Vec<PlacedTile>>,
}

/// The state of brute force, which fills the cells in order.
struct Search<'a> {
    toy: &'a Toy,
    /// All tiles in all orientations, with the edges that they show.
    ways: &'a [(PlacedTile, Vec<Edge>)],
    /// For each cell, the seams to cells before it.
    seams_at: &'a [Vec<[Side; 2]>],
    /// For each cell and side, true if it is on the rim.
    is_rim: Vec<Vec<bool>>,
    /// The maximum number of broken seams.
    most_broken: usize,
    /// The number of solutions after which it gives up.
    most: usize,
    /// The number of steps left.
    steps: usize,
    found: Vec<Vec<PlacedTile>>,
}

impl Search<'_> {
    /// Returns true if all copies of a tile are among those placed.
    fn is_used_up(&self, tile: usize, placed: &[usize]) -> bool {
        let used = placed.iter().filter(|&&way| self.ways[way].0.tile == tile);
        let copies = self.toy.pieces[tile].copies;
        copies.is_some_and(|copies| used.count() >= copies)
    }

    /// Fills the remaining cells in every way; `None` if it gives up.
    fn fill(&mut self, placed: &mut Vec<usize>, broken: usize) -> Option<()> {
        let cell = placed.len();
        if cell == self.seams_at.len() {
            let ways = placed.iter().map(|&way| self.ways[way].0);
            self.found.push(ways.collect());
            return (self.found.len() <= self.most).then_some(());
        }
        for way in 0..self.ways.len() {
            let (lies, shown) = &self.ways[way];
            self.steps = self.steps.checked_sub(1)?;
            if shown.len() != self.is_rim[cell].len() || self.is_used_up(lies.tile, placed) {
                continue;
            }
            let mut rim = shown.iter().zip(&self.is_rim[cell]);
            let is_right =
                |(&edge, &is_rim): (&Edge, &bool)| edge == UNKNOWN || (edge == BORDER) == is_rim;
            if self.toy.has_border && !rim.all(is_right) {
                continue;
            }
            placed.push(way);
            let shows = |(cell, side): Side| self.ways[placed[cell]].1[side];
            let breaks = |[a, b]: &&[Side; 2]| !fit(shows(*a), shows(*b));
            let here = self.seams_at[cell].iter().filter(breaks);
            let broken = broken + here.count();
            if broken <= self.most_broken {
                self.fill(placed, broken)?;
            }
            placed.pop();
        }
        Some(())
    }
}

/// Converts a symmetry of the library to this module's form.
pub fn motion(shape: &Shape, symmetry: &Symmetry) -> Motion {
    let cells = symmetry.image.iter().zip(&symmetry.motion).zip(&shape.sides);
    cells
        .map(|((&image, motion), &sides)| Moved {
            image,
            is_over: motion.face() == Face::Back,
            offset: motion.move_side(0, sides),
            sides,
        })
        .collect()
}
