//! Writing a puzzle as XML of the catalogue.

use quick_xml::Writer;
use quick_xml::events::BytesText;

use super::{NAMESPACE, ROOT, SIDES};
use crate::load::form::{Exported, WriteError};
use crate::load::forms::losses::{Detail, border_as_half, lost, refuse_all_but_squares};
use crate::problem::{Arrangement, Problem};
use crate::puzzle::Label;

pub(super) fn write(problem: &Problem, _: Option<&Arrangement>) -> Result<Exported, WriteError> {
    refuse_all_but_squares(problem)?;
    let border = border_as_half(problem)?;
    let puzzle = &problem.puzzle;
    let (rows, columns) = problem.board.rectangle().unwrap_or_default();
    let id = |label: Label| (label.index() + 1).to_string();
    let title = puzzle.title.as_ref().unwrap_or(&puzzle.name);
    let texts = [
        ("name", Some(in_xml(title))),
        ("description", puzzle.source.as_ref().map(|source| in_xml(source))),
        ("numberOfRows", Some(rows.to_string())),
        ("numberOfColumns", Some(columns.to_string())),
    ];
    let pictures = puzzle.labels.all().map(|label| {
        let edge = puzzle.labels.edge(label);
        let other = puzzle.images.iter().find(|(own, _)| own == edge);
        let name = other.map_or_else(|| edge.to_string(), |(_, name)| name.clone());
        let mate = Some(puzzle.labels.mate(label)).filter(|_| puzzle.border != Some(label));
        [
            ("id", id(label)),
            ("name", in_xml(&name)),
            ("matchWithIds", mate.map(id).unwrap_or_default()),
        ]
    });
    let cards = puzzle.tiles.iter().map(|tile| {
        SIDES.into_iter().zip(tile.edges.iter().map(|&label| id(label))).collect::<Vec<_>>()
    });
    let text = in_elements(&texts, pictures, cards);
    let keeps = [
        Some(Detail::Title),
        Some(Detail::Source),
        Some(Detail::ImageNames),
        Some(Detail::OtherNames),
        Some(Detail::Size),
    ];
    Ok(Exported {
        text: text.map_err(WriteError)? + "\n",
        lost: lost(problem, &keeps).into_iter().chain(border).collect(),
    })
}

/// Texts, pictures and cards as they stand in a file.
fn in_elements<P, C>(
    texts: &[(&str, Option<String>)],
    pictures: impl Iterator<Item = P>,
    cards: impl Iterator<Item = C>,
) -> Result<String, String>
where
    P: IntoIterator<Item = (&'static str, String)>,
    C: IntoIterator<Item = (&'static str, String)>,
{
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    let root = xml.create_element(ROOT).with_attribute(("xmlns", NAMESPACE));
    let written = root.write_inner_content(|xml| {
        for (name, text) in texts.iter().filter_map(|(name, text)| Some((*name, text.as_ref()?))) {
            xml.create_element(name).write_text_content(BytesText::new(text))?;
        }
        write_all(xml, "pictures", "picture", pictures)?;
        write_all(xml, "cards", "card", cards)
    });
    let bytes = written.map(|xml| std::mem::take(xml.get_mut()));
    bytes
        .map_err(|e| e.to_string())
        .and_then(|bytes| String::from_utf8(bytes).map_err(|e| e.to_string()))
}

/// An element with elements that have attributes alone.
fn write_all<'a, A: IntoIterator<Item = (&'static str, String)>>(
    xml: &mut Writer<Vec<u8>>,
    outer: &'a str,
    inner: &'a str,
    all: impl Iterator<Item = A>,
) -> std::io::Result<()> {
    xml.create_element(outer).write_inner_content(|xml| {
        for attributes in all {
            let mut element = xml.create_element(inner);
            for (name, value) in attributes {
                element = element.with_attribute((name, value.as_str()));
            }
            element.write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Without the characters that no XML may hold.
fn in_xml(text: &str) -> String {
    text.chars().filter(|c: &char| matches!(c, '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)).collect()
}
