//! Cards as JSON: a list of cards, each a list of four `["B", 1]`, 1 and 0 the halves.

use itertools::Itertools;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::draft::Draft;
use super::losses::{Detail, lost, refuse_all_but_squares, refuse_whole_images};
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Exported, Form, ReadOptions, WriteError};
use crate::load::json::{offset, parse, values};
use crate::load::notes::Notes;
use crate::load::text::Source;
use crate::load::{LoadError, Result, yaml};
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{EdgeName, Half, Label};

/// Edges clockwise from the top.
pub(super) const FORM: Form = Form {
    endings: &["json"],
    is_shared: true,
    is_like: |text| text.trim_start().starts_with('['),
    notes: Some(notes),
    write: Some(write),
    ..Form::new("cards", "cards as JSON", read)
};

/// What is shown beside errors.
const EXAMPLE: &str = r#"cards are a list such as [[["B", 1], ["D", 1], ["C", 0], ["A", 1]], …], 1 and 0 the halves of an image"#;

fn read(source: &Source<'_>, options: &ReadOptions, name: &str) -> Result<Problem> {
    // An object is our own form: JSON is YAML.
    if source.text.trim_start().starts_with('{') {
        return yaml::problem(source, name, options);
    }
    let help = |e: LoadError| e.with_help(EXAMPLE);
    let mut values = values(source);
    let Some(list) = values.next().transpose().map_err(help)? else {
        return Err(help(source.error("the file is empty".into())));
    };
    if let Some(more) = values.next() {
        let at = offset(source, more.map_err(help)?);
        return Err(help(source.error_at_byte(at, "something behind the list of cards".into())));
    }
    let cards: Vec<&RawValue> = parse(source, list).map_err(help)?;
    let mut draft = Draft::new();
    for card in cards {
        let edges: Vec<&RawValue> = parse(source, card).map_err(help)?;
        let edges: Vec<EdgeName> =
            edges.into_iter().map(|value| edge(source, value)).try_collect().map_err(help)?;
        let edges = <[EdgeName; 4]>::try_from(edges).map_err(|edges| {
            let message = format!("a card with {} edges, expected 4", edges.len());
            help(source.error_at_byte(offset(source, card), message))
        })?;
        draft.add(edges);
    }
    draft.problem(source, options, name)
}

fn notes<'s>(source: &'s Source<'s>) -> Notes<'s> {
    if source.text.trim_start().starts_with('{') {
        return yaml::notes(source);
    }
    let list = values(source).next().and_then(Result::ok);
    let cards: Vec<&RawValue> = list.and_then(|list| parse(source, list).ok()).unwrap_or_default();
    Notes::of_tiles_at(source, cards.into_iter().map(|card| offset(source, card)).collect())
}

/// `["B", 1]`; an image may be called by a number, too.
fn edge(source: &Source<'_>, value: &RawValue) -> Result<EdgeName> {
    let refuse = |message: String| source.error_at_byte(offset(source, value), message);
    let pair: Vec<Value> = parse(source, value)?;
    let (image, half) = match &pair[..] {
        [Value::String(image), half] => (image.clone(), half),
        [Value::Number(image), half] => (image.to_string(), half),
        _ => {
            return Err(refuse(r#"an edge is an image and its half, such as ["B", 1]"#.into()));
        }
    };
    let sign = match half.as_u64() {
        Some(1) => "+",
        Some(0) => "-",
        _ => return Err(refuse(format!("{half} is not a half: expected 1 or 0"))),
    };
    EdgeName::from_pair(&image, sign).map_err(|e| refuse(e.to_string()))
}

fn write(problem: &Problem, _: Option<&Arrangement>) -> Result<Exported, WriteError> {
    refuse_all_but_squares(problem)?;
    let border = refuse_whole_images(problem)?;
    let puzzle = &problem.puzzle;
    let pair = |&label: &Label| {
        let edge = puzzle.labels.edge(label);
        let half = u8::from(edge.half != Half::Minus);
        format!("[{}, {half}]", json!(edge.image))
    };
    let cards = puzzle.tiles.iter().map(|tile| {
        let edges = EdgeOrder::CLOCKWISE_FROM_TOP.listed(&tile.edges);
        format!("[{}]", edges.iter().map(pair).join(", "))
    });
    let keeps = [Some(Detail::ImageNames)];
    Ok(Exported {
        text: format!("[{}]\n", itertools::join(cards, ",\n ")),
        lost: lost(problem, &keeps).into_iter().chain(border).collect(),
    })
}
