//! Writes a problem in our own YAML form. The form is lossless: reading the text gives the same
//! problem.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::board::{Area, CellSide, Shape, Wrap};
use crate::load::edge_order::EdgeOrder;
use crate::load::json::quoted;
use crate::problem::{Listed, Problem};
use crate::puzzle::{Assumption, Copies, DocValue, LONGEST_NAME, Label, Puzzle, Tile};

/// The YAML text of a problem.
///
/// # Errors
/// If a constraint has no representation in a file.
pub(in crate::load) fn problem(problem: &Problem) -> Result<String, String> {
    let puzzle = &problem.puzzle;
    let given = |text: &Option<String>| text.as_ref().map(DocValue::text);
    let size = problem.board.plain_dimensions();
    let has_order = problem.board.numbers_of_sides() == BTreeSet::from([4]);
    let order = if has_order { EdgeOrder::CLOCKWISE_FROM_TOP } else { EdgeOrder::default() };
    let has_rotations = !puzzle.may_turn || puzzle.assumed.contains(&Assumption::Rotations(true));
    let border = puzzle.border.map(|border| puzzle.labels.name(border));
    let flip = puzzle.flip();
    let images = puzzle.images.iter().map(|(edge, name)| (edge.to_string(), DocValue::text(name)));
    let allowed = puzzle.allowed.iter().map(|oddity| DocValue::text(oddity.name()));
    let entries = [
        ("name", Some(DocValue::text(&puzzle.name))),
        ("title", given(&puzzle.title)),
        ("source", given(&puzzle.source)),
        ("rows", size.map(|(rows, _)| DocValue::count(rows))),
        ("cols", size.map(|(_, columns)| DocValue::count(columns))),
        ("board", size.is_none().then(|| board(problem))),
        ("order", has_order.then(|| DocValue::text(order.name()))),
        ("rotations", has_rotations.then_some(DocValue::Truth(puzzle.may_turn))),
        ("flip", flip.map(|flip| DocValue::text(flip.name()))),
        ("border", border.map(DocValue::Text)),
        ("pictures", given(&puzzle.pictures)),
        ("images", (!puzzle.images.is_empty()).then(|| DocValue::map(images))),
        ("matches", matches(problem)),
        ("allow", (!puzzle.allowed.is_empty()).then(|| DocValue::list(allowed))),
    ];
    let entries = entries.into_iter().filter_map(|(key, value)| Some((key, value?)));
    let mut text: String =
        entries.map(|(key, value)| format!("{key}: {}\n", flow(&value))).collect();
    let constraints = constraints(problem)?;
    if !constraints.is_empty() {
        text += "constraints:\n";
        text.extend(constraints.iter().map(|one| format!("  - {}\n", block(one))));
    }
    if let Some(objectives) = &problem.objectives.source {
        text += &format!("objective: {}\n", flow(objectives));
    }
    text += "tiles:\n";
    let tiles = puzzle.tiles.iter();
    text.extend(tiles.map(|tile| {
        let name = key(&tile.name);
        let colon = if name.starts_with('?') { "\n  :" } else { ":" };
        let back = tile.back.as_ref().filter(|_| flip.is_none());
        format!("  {name}{colon} {}\n", flow(&edges(puzzle, tile, back, order)))
    }));
    Ok(text)
}

/// The value of the key `matches`; `None` if every image matches itself or its other half alone.
pub(in crate::load) fn matches(problem: &Problem) -> Option<DocValue> {
    let labels = &problem.puzzle.labels;
    let names = |fitting: &[Label]| {
        DocValue::list(fitting.iter().map(|&label| DocValue::Text(labels.name(label))))
    };
    let matches = labels.matches().map(|(label, fitting)| (labels.name(label), names(fitting)));
    let matches: Vec<(String, DocValue)> = matches.collect();
    (!matches.is_empty()).then_some(DocValue::Map(matches))
}

/// The constraints other than the seams and the border.
///
/// # Errors
/// If a constraint has no representation in a file.
pub(in crate::load) fn constraints(problem: &Problem) -> Result<Vec<DocValue>, String> {
    let mut pinned = HashSet::new();
    let mut items = Vec::new();
    let is_copy = |one: &&Listed, other: &&Listed| match (&one.repeated, &other.repeated) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        _ => false,
    };
    for copies in problem.constraints.iter().collect::<Vec<_>>().chunk_by(is_copy) {
        // All copies of an item are written as the item; of a selection, each one.
        if let Some(repeated) = copies[0].repeated.as_ref().filter(|r| r.copies == copies.len()) {
            items.push(repeated.item.clone());
            continue;
        }
        for constraint in copies {
            let source = constraint.source.clone().ok_or_else(|| {
                let name = constraint.constraint.name();
                format!("a constraint `{name}` that no file can hold")
            })?;
            // A single list pins a cell at most once, but the problem may combine several lists.
            let is_second = constraint.pinned_cell().is_some_and(|cell| !pinned.insert(cell));
            items.push(if is_second { counted(source) } else { source });
        }
    }
    Ok(items)
}

/// Converts a pin to an equivalent `count` constraint with `at_least: 1`.
fn counted(mut pin: DocValue) -> DocValue {
    if let DocValue::Map(entries) = &mut pin {
        for (kind, fields) in entries.iter_mut().filter(|(key, _)| key == "pin") {
            "count".clone_into(kind);
            if let DocValue::Map(fields) = fields {
                fields.push(("at_least".to_owned(), DocValue::Number(1)));
            }
        }
    }
    pin
}

/// The value of the key `board` or of the option `--board`.
pub(in crate::load) fn board(problem: &Problem) -> DocValue {
    let places = |area: &Area| match area.mask() {
        None => DocValue::list([area.rows(), area.columns()].map(DocValue::count)),
        Some(rows) => DocValue::list(rows.into_iter().map(DocValue::Text)),
    };
    match problem.board.shape() {
        Some(Shape::Grid { area, wrap }) => {
            let wraps = Wrap::ALL.into_iter().filter(|(_, own)| Some(own) == wrap.as_ref());
            let wrap = wraps.map(|(name, _)| ("wrap", DocValue::text(name)));
            let grid = (area.mask().map_or("grid", |_| "mask"), places(area));
            DocValue::map(std::iter::once(grid).chain(wrap))
        }
        Some(Shape::Field { polygon, area }) => DocValue::entry(polygon.plural(), places(area)),
        Some(Shape::Outline(outline)) => match outline.side() {
            Some(side) => DocValue::entry(outline.name(), DocValue::count(side)),
            None => DocValue::text(outline.name()),
        },
        Some(Shape::Solid(solid)) => DocValue::text(solid.name()),
        None => {
            let cells = problem.board.cells().iter();
            let cells = cells.map(|cell| (cell.name.bare(), DocValue::count(cell.sides)));
            DocValue::map([("cells", DocValue::map(cells)), ("seams", seams(problem))])
        }
    }
}

/// The pairs of touching sides, each as `[cell, side, cell, side]`.
fn seams(problem: &Problem) -> DocValue {
    let board = &problem.board;
    let mut all: Vec<[CellSide; 2]> = board.touching().collect();
    all.sort_unstable();
    let end = |(cell, side): CellSide| {
        [DocValue::Text(board.cells()[cell].name.bare()), DocValue::count(side)]
    };
    let ends = |ends: &[CellSide; 2]| DocValue::list(ends.iter().flat_map(|&one| end(one)));
    DocValue::list(all.iter().map(ends))
}

/// The edges of a tile, or a mapping if it also has several copies or a back to write.
fn edges(puzzle: &Puzzle, tile: &Tile, back: Option<&Vec<Label>>, order: EdgeOrder) -> DocValue {
    let face = |labels: &[Label]| {
        let names = order.listed(labels).into_iter().map(|label| puzzle.labels.name(label));
        DocValue::list(names.map(DocValue::Text))
    };
    let copies = match tile.copies {
        Copies::ONE => None,
        Copies::Number(number) => Some(DocValue::count(number.get())),
        Copies::Any => Some(DocValue::text("any")),
    };
    let mut entries = vec![("edges", face(&tile.edges))];
    entries.extend(back.map(|back| ("back", face(back))));
    entries.extend(copies.map(|copies| ("copies", copies)));
    match entries.pop() {
        Some((_, edges)) if entries.is_empty() => edges,
        last => DocValue::map(entries.into_iter().chain(last)),
    }
}

/// A mapping with one entry in block style, without braces; any other value in flow style.
fn block(value: &DocValue) -> String {
    match value {
        DocValue::Map(entries) if entries.len() == 1 => {
            format!("{}: {}", key(&entries[0].0), flow(&entries[0].1))
        }
        value => flow(value),
    }
}

/// A value in flow style, on one line.
pub(in crate::load) fn flow(value: &DocValue) -> String {
    match value {
        DocValue::Text(text) => scalar(text),
        DocValue::Plain(text) => text.clone(),
        DocValue::Number(number) => number.to_string(),
        DocValue::Truth(is_so) => is_so.to_string(),
        DocValue::List(values) => format!("[{}]", itertools::join(values.iter().map(flow), ", ")),
        DocValue::Map(entries) => {
            let entry =
                |(name, value): &(String, DocValue)| format!("{}: {}", key(name), flow(value));
            format!("{{{}}}", itertools::join(entries.iter().map(entry), ", "))
        }
    }
}

/// A mapping key. A long one needs the explicit key marker `?`.
fn key(text: &str) -> String {
    /// YAML 1.2, 7.4.2: an implicit key has at most 1024 characters; some readers count bytes.
    const LONGEST_IMPLICIT: usize = 1000;
    let scalar = scalar(text);
    if scalar.len() <= LONGEST_IMPLICIT { scalar } else { format!("? {scalar}") }
}

/// A scalar that every YAML reader takes for this text, or for a number that is written the same
/// way.
fn scalar(text: &str) -> String {
    /// Longer plain scalars are not allowed as keys.
    const LONGEST_PLAIN: usize = LONGEST_NAME;
    let is_number = text.len() < 10 && (text == "0" || !text.starts_with('0'));
    if is_number && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return text.to_owned();
    }
    let is_plain = text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && !text.ends_with(' ')
        && text.chars().all(|c| c.is_alphanumeric() || "_+-./ ".contains(c))
        && text.len() <= LONGEST_PLAIN
        && !means_something_else(text);
    if is_plain { text.to_owned() } else { double_quoted(text) }
}

/// Returns true if some YAML reader takes the plain text for a number, a boolean or null.
fn means_something_else(text: &str) -> bool {
    const WORDS: [&str; 7] = ["yes", "no", "on", "off", "true", "false", "null"];
    let looks_like_a_number = text.bytes().next().is_some_and(|b| b.is_ascii_digit())
        && text.bytes().last().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'.')
        && !text.contains(' ');
    let is_word = WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    looks_like_a_number || is_word || text.parse::<f64>().is_ok()
}

/// Returns true if a text has unbalanced or deeply nested brackets. A reader that limits nesting by
/// counting brackets would also count those inside strings.
fn nests(text: &str) -> bool {
    const DEEPEST: i32 = 8;
    let mut depth = 0;
    let mut depths = text.chars().map(|c| {
        depth += i32::from("[{".contains(c)) - i32::from("]}".contains(c));
        depth
    });
    depths.any(|depth| !(0..=DEEPEST).contains(&depth)) || depth > 0
}

/// A double-quoted scalar, with escapes for all characters that a file may not contain literally.
/// YAML includes the strings of JSON.
fn double_quoted(text: &str) -> String {
    let nests = nests(text);
    quoted(text, |c| match c {
        '[' | ']' | '{' | '}' => nests,
        ' '..='~' | '\u{a1}'..='\u{2027}' | '\u{2030}'..='\u{d7ff}' | '\u{10000}'.. => false,
        _ => true,
    })
}
