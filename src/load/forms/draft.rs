//! A draft of a puzzle: tiles and size as given in files of other programs, before labels exist.
//!
//! Every reader of such a form fills a draft. One function converts it to a puzzle on a board, with
//! the same checks for all forms.

use crate::board::{Outline, Polygon, Shape, side_of_square, triangle_area};
use crate::load::board::BoardSpec;
use crate::load::edge_order::{EdgeOrder, has_direction};
use crate::load::form::ReadOptions;
use crate::load::text::{MOST_TILES, Source};
use crate::load::{LoadError, Remedy, Result};
use crate::problem::Problem;
use crate::puzzle::{Assumption, Copies, EdgeName, Labels, Puzzle, Tile};

/// The tiles and other data of a puzzle that a file may contain.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub name: Option<String>,
    pub title: Option<String>,
    pub source: Option<String>,
    /// Alternative names of edges.
    pub images: Vec<(EdgeName, String)>,
    /// Rows and columns.
    pub size: Option<(usize, usize)>,
    /// The image on the whole rim.
    pub border: Option<EdgeName>,
    /// True if the text does not say which image is on the rim, or that none is.
    pub is_border_open: bool,
    /// The order in which edges are listed, unless the options override it.
    pub order: EdgeOrder,
    /// True if the form defines the order, the border and the rotations.
    pub states_rules: bool,
    /// True if the text defines the order.
    pub states_order: bool,
    /// The convention by which the halves of images were recognised, if it is a guess.
    pub halves: Option<&'static str>,
    /// Names and edges.
    pub tiles: Vec<(String, Vec<EdgeName>)>,
}

impl Draft {
    /// Adds a tile; by default it is named after its number.
    pub fn add(&mut self, name: Option<&str>, edges: Vec<EdgeName>) {
        let name = name.map_or_else(|| (self.tiles.len() + 1).to_string(), str::to_owned);
        self.tiles.push((name, edges));
    }

    /// Builds the puzzle on its board.
    pub fn problem(self, source: &Source<'_>, options: &ReadOptions) -> Result<Problem> {
        let number = self.tiles.len();
        if number == 0 {
            return Err(at_end(source, "there are no tiles in this file".into()));
        }
        if number > MOST_TILES {
            let message = format!("{number} tiles: at most {MOST_TILES} are allowed");
            return Err(at_end(source, message));
        }
        let written = match (&options.board, self.size) {
            (Some(board), _) => board.clone(),
            (None, Some((rows, columns))) => BoardSpec::grid(rows, columns),
            (None, None) => usual_board(source, number, self.tiles[0].1.len())?,
        };
        let puzzle = self.puzzle(source, options)?;
        written.lay(puzzle, options.most_cells).map_err(|misfit| match options.board {
            None => at_end(source, misfit.to_string()).with_remedy(Remedy::Size, OTHER_SIZE),
            Some(_) => source.error(misfit.to_string()),
        })
    }

    /// Builds the puzzle without its board, and notes what is assumed because the file does not
    /// state it. Fails if an edge or its half contradicts others.
    fn puzzle(self, source: &Source<'_>, options: &ReadOptions) -> Result<Puzzle> {
        let order = options.order.unwrap_or(self.order);
        let mut labels = Labels::default();
        let mut label = |edge: &EdgeName| labels.add(edge).map_err(|e| source.error(e.to_string()));
        let border = self.border.as_ref().map(&mut label).transpose()?;
        let mut tiles = Vec::new();
        for (name, edges) in self.tiles {
            let listed: Vec<_> = edges.iter().map(&mut label).collect::<Result<_, _>>()?;
            let edges = order.normalise(&listed);
            tiles.push(Tile { name, edges, back: None, copies: Copies::ONE });
        }
        let mut assumed = Vec::new();
        if !self.states_rules {
            // On boards that are not made of squares, the mirrored tiles have equally many
            // solutions.
            let has_direction = |tile: &Tile| tile.sides() == 4 && has_direction(&tile.edges, true);
            let is_order_open = options.order.is_none() && !self.states_order;
            if is_order_open && tiles.iter().any(has_direction) {
                assumed.push(Assumption::Order(order.name()));
            }
            if self.is_border_open && options.border.is_none() {
                assumed.push(Assumption::Border(self.border.map(|border| border.to_string())));
            }
            if options.may_turn.is_none() {
                assumed.push(Assumption::Rotations(true));
            }
            if let Some(what) = self.halves {
                assumed.push(Assumption::Halves(what.to_owned()));
            }
        }
        Ok(Puzzle {
            title: self.title,
            source: self.source,
            images: self.images,
            border,
            assumed,
            ..Puzzle::new(self.name.unwrap_or_else(|| source.default_name.into()), labels, tiles)
        })
    }
}

/// An error at the end of a text that contains too little or too much.
pub(super) fn at_end(source: &Source<'_>, message: String) -> LoadError {
    source.error_at_byte(source.text.trim_end().len(), message)
}

/// The help of errors about tiles that do not fill the board.
const OTHER_SIZE: &str = "give the size of the board";

/// The usual board for a number of tiles with `sides` edges: a square, a triangle, a hexagon or a
/// flower.
fn usual_board(source: &Source<'_>, tiles: usize, sides: usize) -> Result<BoardSpec> {
    let side = side_of_square(tiles);
    let (board, figure) = match sides {
        3 => {
            let of_six = || side_of_square(tiles / 6).filter(|_| tiles.is_multiple_of(6));
            let hexagon = || Some(Shape::Outline(Outline::TriangleHexagon(of_six()?)));
            let polygon = Polygon::Triangle;
            let triangle = side.map(|side| Shape::Field { polygon, area: triangle_area(side) });
            (triangle.or_else(hexagon).map(BoardSpec::Shaped), "a triangle or a hexagon")
        }
        6 => {
            let flower = BoardSpec::Shaped(Shape::Outline(Outline::Flower));
            ((tiles == 7).then_some(flower), "a flower of seven hexagons")
        }
        _ => (side.map(|side| BoardSpec::grid(side, side)), "a square"),
    };
    board.ok_or_else(|| {
        let tiles = if tiles == 1 { "1 tile does".into() } else { format!("{tiles} tiles do") };
        let error = at_end(source, format!("{tiles} not fill {figure}"));
        match sides {
            4 => error.with_remedy(Remedy::Size, OTHER_SIZE),
            _ => error.with_help("specify the board"),
        }
    })
}
