//! Reads and writes our own YAML form; reads the blog's mapping from tile number to four pairs.
//!
//! ```yaml
//! name: scramble-1            # all keys but `tiles` are optional
//! rows: 3
//! cols: 3
//! tiles:
//!   1: [ylw+, red-, grn+, blu+]
//! ```
//!
//! ```yaml
//! 1: [[ylw, +], [red, -], [grn, +], [blu, +]]    # the blog's: tiles and nothing else
//! ```
//!
//! A text is parsed once, into a [tree](tree) whose nodes can be located in the text. The values
//! are read from the tree in four steps, each of which needs the names of the previous one: header,
//! board, tiles, constraints. No other folder uses `serde_yaml`.

mod advice;
mod arithmetic;
mod board;
mod cells;
mod constraints;
mod document;
mod field_schema;
mod fields;
mod header;
mod number;
mod objective;
mod placements;
mod repeat;
mod schema;
mod tiles;
mod tree;
mod variables;
mod walk;
mod write;

pub(super) use self::document::Document;
pub use self::fields::field_words;
use self::header::Header;
pub(super) use self::header::{EXAMPLE, is_key, is_tile_number};
pub(super) use self::number::length;
pub use self::schema::{Described, schema};
use self::tiles::Tiles;
use self::tree::Entry;
pub(super) use self::tree::{Node, ReadError};
#[cfg(feature = "forms")]
pub(super) use self::write::{
    board as board_as_written, constraints as constraints_as_written, matches as matches_as_written,
};
pub(super) use self::write::{flow, problem as write};
use super::board::{BoardSpec, Misfit};
use super::edge_order::{EdgeOrder, has_direction};
use super::error::Result;
use super::form::{Noted, Notes, Place, ReadOptions};
use super::text::Source;
use crate::board::side_of_square;
use crate::problem::constraints::{Expression, Scene};
use crate::problem::{Listed, Objectives, Problem};
use crate::puzzle::{Assumption, Label, Labels, Puzzle, Tile, UNKNOWN, pieces};

/// Reads a puzzle, with the overrides of the options.
pub(super) fn problem<'s>(source: &'s Source<'s>, options: &ReadOptions) -> Result<Noted<'s>> {
    let mut document = Document::read(source, EXAMPLE)?;
    document.root.number_items(header::TILES);
    let mut header = document.check(header::read(&document.root, source.default_name))?;
    header.order = options.order.or(header.order);
    if let Some(board) = &options.board {
        header.board = Some(board.clone());
        (header.rows, header.columns) = (None, None);
    }
    let sides = header.board.as_ref().map_or(vec![4], BoardSpec::sides);
    if header.order.is_some() && sides != [4] {
        let message = match options.order {
            None => "`order` applies only to boards of squares".into(),
            Some(_) => "an edge order applies only to boards of squares".into(),
        };
        let error = document.at_key("order", message);
        let help =
            "remove it, and list the edges of each tile counter-clockwise, starting at any side";
        return Err(error.with_help(help));
    }
    let mut read = document.check(tiles::read(&document.root, &header, &sides))?;
    if let Some(matches) = document.root.value("matches") {
        document.check(set_matches(matches, &mut read.labels, read.border))?;
    }
    let is_order_open = header.order.is_none()
        && read.has_order
        && sides == [4]
        && read.tiles.iter().any(|tile: &Tile| has_direction(&tile.edges, header.puzzle.may_turn));
    let assumed = is_order_open.then(|| Assumption::Order(EdgeOrder::default().name()));
    let (names_board, is_own_form) = (header.board.is_some(), !header.is_blog_form);
    let problem = lay(&document, header, read, options.most_cells)?;
    let problem = problem.with_assumed(assumed.into_iter().collect());
    document.check(refuse_mixed_images(&document.root, &problem.puzzle))?;
    let scene = Scene::new(&problem);
    let (constraints, objectives) =
        document.check(constraints::read_if_present(&document.root, scene))?;
    let problem = problem.with_constraints(constraints.unwrap_or_default());
    let problem = problem.with_objectives(objectives);
    let place: Place<'s> = Box::new(move |tile, edge| {
        let entries = tiles::entries(&document.root).ok()?;
        let entry = entries.get(tile)?;
        let node = edge.and_then(|edge| tiles::node_of(entry.value, edge));
        document.at(node.unwrap_or(entry.key).error("")).position
    });
    Ok((problem, Some(Notes { names_board, is_own_form, place })))
}

/// Reads a text that consists of a board alone.
pub(super) fn read_board(source: &Source<'_>) -> Result<BoardSpec> {
    let document = Document::read(source, board::EXAMPLE)?;
    document.check(board::read(&document.root))
}

/// Reads a file that consists of constraints alone, with its objectives.
pub(super) fn constraints(
    source: &Source<'_>,
    problem: &Problem,
) -> Result<(Vec<Listed>, Objectives)> {
    let document = Document::read(source, constraints::EXAMPLE)?;
    document.check(constraints::read_alone(&document.root, Scene::new(problem)))
}

/// Reads a linear expression over the placements of a problem.
pub(super) fn expression(source: &Source<'_>, problem: &Problem) -> Result<Expression> {
    let document = Document::read(source, fields::TERMS_EXAMPLE)?;
    document.check(objective::read_alone(&document.root, Scene::new(problem)))
}

/// The board of a file: its own key, rows and columns, or the square that the pieces fill.
fn board(document: &Document<'_>, header: &Header, pieces: Option<usize>) -> Result<BoardSpec> {
    const BOTH: &str = "give both, or neither for a square";
    let refuse = |key: &str, message: &str, help: &str| {
        Err(document.at_key(key, message.to_owned()).with_help(help))
    };
    match (&header.board, header.rows, header.columns) {
        (Some(board), None, None) => Ok(board.clone()),
        (Some(_), ..) => {
            refuse(board::KEY, "`board` together with `rows` and `cols`", "remove one of them")
        }
        (None, Some(rows), Some(columns)) => Ok(BoardSpec::grid(rows, columns)),
        (None, Some(_), None) => refuse("rows", "`rows` without `cols`", BOTH),
        (None, None, Some(_)) => refuse("cols", "`cols` without `rows`", BOTH),
        (None, None, None) => {
            let message = match pieces {
                Some(pieces) => match side_of_square(pieces) {
                    Some(side) => return Ok(BoardSpec::grid(side, side)),
                    None => format!("{pieces} tiles do not fill a square"),
                },
                None => "tiles with any number of copies fill every square".to_owned(),
            };
            let help = "give the size of the board: `rows: …` and `cols: …`";
            refuse(header::TILES, &message, help)
        }
    }
}

/// Builds the puzzle and places it on its board.
fn lay(document: &Document<'_>, header: Header, read: Tiles, most_cells: usize) -> Result<Problem> {
    let board = board(document, &header, pieces(&read.tiles))?;
    let (key, help) = match header.board {
        None => ("rows", "add tiles, or change `rows` and `cols`"),
        Some(_) => (board::KEY, "add tiles, or change the board"),
    };
    let Tiles { labels, border, tiles, .. } = read;
    let puzzle = Puzzle { labels, border, tiles, ..header.puzzle };
    board.lay(puzzle, most_cells).map_err(|misfit| match misfit {
        Misfit::Board(message) => document.at_key(key, message),
        Misfit::Tiles(message) => document.at_key(header::TILES, message).with_help(help),
    })
}

/// Reads a text that consists of the value of the key `matches`, and sets it for a puzzle.
#[cfg(feature = "forms")]
pub(super) fn matches(source: &Source<'_>, puzzle: &mut Puzzle) -> Result<()> {
    let document = Document::read(source, EXAMPLE)?;
    document.check(set_matches(&document.root, &mut puzzle.labels, puzzle.border))
}

/// Reads the value of the key `matches`: the edges that an edge fits, in place of its other half or
/// itself.
fn set_matches(
    matches: &Node,
    labels: &mut Labels,
    border: Option<Label>,
) -> Result<(), ReadError> {
    const EXPECTED: &str = "edges with those that they match, such as {road: [road, path]}";
    let mut label = |node: &Node| {
        let edge = header::edge(node, "an edge such as `road`")?;
        let known = labels.len();
        let label = node.check(labels.add(&edge))?;
        if edge.image == UNKNOWN || labels.len() > known {
            return Err(node.error(format!("no tile shows `{edge}`")));
        }
        if border == Some(label) {
            return Err(node.error(format!("the border `{edge}` matches only itself")));
        }
        Ok(label)
    };
    let mut all = Vec::new();
    for Entry { key, value, .. } in matches.entries(EXPECTED)? {
        let fitting = value.each().iter().map(&mut label).collect::<Result<_, _>>()?;
        all.push((label(key)?, fitting));
    }
    all.into_iter().for_each(|(label, fitting)| labels.set_matches(label, fitting));
    Ok(())
}

/// Rejects a key of `images` that contradicts the edges of the tiles.
fn refuse_mixed_images(root: &Node, puzzle: &Puzzle) -> Result<(), ReadError> {
    let mut labels = puzzle.labels.clone();
    let entries = root.read("images", |images| images.entries(""))?.unwrap_or_default();
    for ((edge, _), entry) in puzzle.images.iter().zip(entries) {
        let added = labels.add(edge);
        entry.key.check(added.map_err(|e| format!("`{edge}` is not an edge of the tiles: {e}")))?;
    }
    Ok(())
}
