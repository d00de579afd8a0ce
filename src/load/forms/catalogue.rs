//! The catalogue's XML: a list of pictures with the pictures they match, and cards with a picture
//! on each side.

use std::collections::{BTreeSet, HashMap};

use itertools::Itertools;
use roxmltree::{Document, Node};

use super::draft::Draft;
use super::losses::border_as_half;
use super::words::{Word, length};
use crate::load::form::{Detail, Noted, PuzzleFormat, ReadOptions, Written};
use crate::load::notation::Notation;
use crate::load::text::Source;
use crate::load::{LoadError, Result};
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{EdgeName, Half, LONGEST_NAME, Label, abbreviate};

/// The catalogue's form, which names the side of each edge.
pub(super) const FORM: PuzzleFormat = PuzzleFormat {
    extensions: &["xml"],
    recognises: |text| text.trim_start().starts_with('<'),
    tells_order: true,
    write: Some(write),
    ..PuzzleFormat::new("catalogue", "the catalogue's XML", read)
};

const ROOT: &str = "legespielConfiguration";
const NAMESPACE: &str = "http://whatsoftwarecando.org";

/// The attributes of a card: right, top, left, bottom.
const SIDES: [&str; 4] = ["east", "north", "west", "south"];

/// The help of errors.
const EXAMPLE: &str = r#"a puzzle is <legespielConfiguration> with <pictures> of <picture id="1" matchWithIds="2"/> and <cards> of <card north="1" west="2" east="1" south="2"/>"#;

/// An error at the start of an element.
fn refuse(source: &Source<'_>, node: Node<'_, '_>, message: String) -> LoadError {
    source.error_at_byte(node.range().start, message)
}

/// The children with a given name, in any namespace.
fn children<'d>(node: Node<'d, 'd>, name: &str) -> impl Iterator<Item = Node<'d, 'd>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

/// The trimmed text of an element; `None` if it is empty.
fn text_of<'d>(node: Node<'d, 'd>) -> Option<&'d str> {
    node.text().map(str::trim).filter(|text| !text.is_empty())
}

/// An attribute's value and its byte offset; `None` if the element does not have it.
fn attribute<'d>(node: Node<'d, 'd>, name: &str) -> Option<Word<'d>> {
    let attribute = node.attribute_node(name)?;
    Some(Word { text: attribute.value(), at: attribute.range_value().start })
}

/// Like [`attribute`], but an error at the element if it does not have it.
fn needed_attribute<'d>(source: &Source<'_>, node: Node<'d, 'd>, name: &str) -> Result<Word<'d>> {
    attribute(node, name).ok_or_else(|| {
        let message = format!("<{}> without `{name}`", node.tag_name().name());
        refuse(source, node, message).with_help(EXAMPLE)
    })
}

/// Reads a file of the catalogue. Fails if the XML is malformed, its root is not [`ROOT`], or it is
/// not a valid puzzle.
fn read<'s>(_: &Notation, source: &'s Source<'s>, options: &ReadOptions) -> Result<Noted<'s>> {
    let document = Document::parse(source.text).map_err(|e| xml_error(source, &e))?;
    let root = document.root_element();
    if !root.has_tag_name(ROOT) {
        let found = abbreviate(root.tag_name().name());
        let message = format!("<{found}>, expected <{ROOT}>");
        return Err(refuse(source, root, message).with_help(EXAMPLE));
    }
    let child = |name: &str| children(root, name).next();
    let needed_child = |name: &str| {
        let missing = || refuse(source, root, format!("<{ROOT}> without <{name}>"));
        child(name).ok_or_else(|| missing().with_help(EXAMPLE))
    };
    let text = |name: &str| child(name).and_then(text_of).map(str::to_owned);
    let side = |name: &str| {
        let text = |node| text_of(node).unwrap_or_default();
        let word = child(name).map(|node| Word { text: text(node), at: node.range().start });
        word.map(|word| length(source, word)).transpose()
    };
    let (rows, columns) = (side("numberOfRows")?, side("numberOfColumns")?);
    if rows.is_some() != columns.is_some() {
        let message = "rows without columns, or columns without rows".into();
        return Err(refuse(source, root, message));
    }
    let (edges, images) = read_pictures(source, needed_child("pictures")?)?;
    let mut draft = Draft {
        title: text("name"),
        source: text("description"),
        images,
        size: rows.zip(columns),
        states_rules: true,
        ..Draft::default()
    };
    for card in children(needed_child("cards")?, "card") {
        let edge = |side: &&str| {
            let id = needed_attribute(source, card, side)?;
            edges.get(id.text).cloned().ok_or_else(|| {
                let message = format!("there is no picture `{}`", abbreviate(id.text));
                source.error_at_byte(id.at, message)
            })
        };
        draft.add(None, SIDES.iter().map(edge).collect::<Result<Vec<EdgeName>>>()?);
    }
    Ok((draft.problem(source, options)?, None))
}

/// Converts a parser error, and removes the position from its message.
fn xml_error(source: &Source<'_>, error: &roxmltree::Error) -> LoadError {
    let place = error.pos();
    match error {
        roxmltree::Error::DtdDetected => {
            let at = source.text.find("<!DOCTYPE").unwrap_or_default();
            let message = "a document type definition: files with one are not read";
            let error = source.error_at_byte(at, message.into());
            error.with_help("remove <!DOCTYPE …> and replace its entities by their text")
        }
        roxmltree::Error::UnclosedRootNode => {
            let end = source.text.trim_end().len();
            let message = format!("the file ends before </{ROOT}>");
            source.error_at_byte(end, message).with_help(EXAMPLE)
        }
        error => {
            let message = error.to_string();
            let message = message.replacen(&format!(" at {}:{}", place.row, place.col), "", 1);
            source.error_at(place.row as usize, place.col as usize, message).with_help(EXAMPLE)
        }
    }
}

/// The edge of each picture by its id, and the names of edges whose pictures have other names.
type Pictures<'d> = (HashMap<&'d str, EdgeName>, Vec<(EdgeName, String)>);

/// A picture: its element, its id, and its name or, if it has none, its id.
struct Picture<'d> {
    node: Node<'d, 'd>,
    id: &'d str,
    name: &'d str,
}

impl std::fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Picture { id, name, .. } = self;
        if id == name { write!(f, "`{id}`") } else { write!(f, "`{id}` ({name})") }
    }
}

/// Reads the list of pictures, which are halves of images or whole images, and groups them by their
/// matches. Fails if an id is missing or repeated, or the matches do not form images.
fn read_pictures<'d>(source: &Source<'_>, list: Node<'d, 'd>) -> Result<Pictures<'d>> {
    let mut pictures: Vec<Picture<'d>> = Vec::new();
    let mut places = HashMap::new();
    for node in children(list, "picture") {
        let id = needed_attribute(source, node, "id")?;
        let name = node.attribute("name").unwrap_or_default().trim();
        let lengths = [id.text, name].map(|text| text.chars().count());
        if let Some(length) = lengths.into_iter().find(|&length| length > LONGEST_NAME) {
            let message =
                format!("a name of {length} characters, at most {LONGEST_NAME} are allowed");
            return Err(refuse(source, node, message));
        }
        if places.insert(id.text, pictures.len()).is_some() {
            let message = format!("picture `{}` appears a second time", id.text);
            return Err(source.error_at_byte(id.at, message));
        }
        let name = if name.is_empty() { id.text } else { name };
        pictures.push(Picture { node, id: id.text, name });
    }
    let matches = pictures.iter().map(|picture| {
        let Some(list) = attribute(picture.node, "matchWithIds") else {
            return Ok(BTreeSet::new());
        };
        let ids = list.text.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
        let places = ids.filter(|id| !id.is_empty()).map(|id| {
            places.get(id).copied().ok_or_else(|| {
                let (own, id) = (picture.id, abbreviate(id));
                let message = format!("picture `{own}` matches `{id}`, which does not exist");
                source.error_at_byte(list.at, message)
            })
        });
        places.collect()
    });
    let matches: Vec<BTreeSet<usize>> = matches.collect::<Result<_>>()?;
    let groups = groups(&matches).map_err(|fault| {
        let fault = fault.iter().map(|&picture| &pictures[picture]).collect_vec();
        let (one, other) = (fault[0], fault[1]);
        let message = match fault[2..] {
            [both, third] => format!(
                "picture {one} matches {third} and {other} does not, though both match {both}"
            ),
            _ => format!("picture {one} matches {other}, which does not match it"),
        };
        refuse(source, one.node, message).with_help(
            "each image is either two halves that match each other, or a whole that matches itself",
        )
    })?;
    let mut taken = HashMap::new();
    let mut edges = HashMap::new();
    let mut images = Vec::new();
    for sides in groups {
        let is_whole = sides[0] == sides[1];
        let sides = &sides[..if is_whole { 1 } else { 2 }];
        let mut firsts = sides.iter().map(|side| Some(pictures[*side.first()?].name));
        let one = firsts.next().flatten().unwrap_or_default();
        let EdgeName { image, half } = first_edge(is_whole, one, firsts.next().flatten());
        let image = free_name(image, &mut taken);
        for (side, half) in sides.iter().zip([half, half.mate()]) {
            let edge = EdgeName { image: image.clone(), half };
            let name = side.iter().map(|&picture| pictures[picture].name).join(" / ");
            let is_other = !side.is_empty() && edge.to_string() != name;
            if is_other && name.chars().count() <= LONGEST_NAME {
                images.push((edge.clone(), name));
            }
            edges.extend(side.iter().map(|&picture| (pictures[picture].id, edge.clone())));
        }
    }
    Ok((edges, images))
}

/// The name, with a number appended if it is taken; `taken` counts the uses of each name.
fn free_name(name: String, taken: &mut HashMap<String, usize>) -> String {
    const LONGEST: usize = LONGEST_NAME - 16;
    let name: String = name.chars().take(LONGEST).collect();
    let mut free = name.clone();
    while taken.contains_key(&free) {
        let number = taken.entry(name.clone()).or_default();
        *number += 1;
        free = format!("{name} {number}");
    }
    taken.insert(free.clone(), 1);
    free
}

/// The edge of the first pictures of a group, given the first name of each half. If the names are
/// edges, it is that edge; otherwise its image is the common prefix of the names.
fn first_edge(is_whole: bool, one: &str, other: Option<&str>) -> EdgeName {
    if let Ok(edge) = EdgeName::parse(one) {
        let mate = EdgeName { image: edge.image.clone(), half: edge.half.mate() };
        let other = other.and_then(|other| EdgeName::parse(other).ok());
        if is_whole == (edge.half == Half::Whole) && (is_whole || other.is_none_or(|o| o == mate)) {
            return edge;
        }
    }
    let pairs = one.chars().zip(other.unwrap_or(one).chars());
    let common: String = pairs.take_while(|(a, b)| a == b).map(|(c, _)| c).collect();
    let bare = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let found = [bare(&common), bare(one)].into_iter().find(|name| !name.is_empty());
    let half = if is_whole { Half::Whole } else { Half::Plus };
    EdgeName { image: found.unwrap_or_else(|| "image".to_owned()), half }
}

/// Divides pictures into images, given the matches of each picture: the pictures of each half, or
/// twice those of a whole image. All pictures that match one picture must match the same pictures.
///
/// # Errors
/// A picture `one` that belongs to no image, as `[one, other]` if it matches `other`, which does not
/// match it, or `[one, other, both, third]` if both match `both`, but only `one` matches `third`.
fn groups(matches: &[BTreeSet<usize>]) -> Result<Vec<[BTreeSet<usize>; 2]>, Vec<usize>> {
    let mut groups = Vec::new();
    for (one, others) in matches.iter().enumerate() {
        if let Some(&other) = others.iter().find(|&&other| !matches[other].contains(&one)) {
            return Err(vec![one, other]);
        }
    }
    for (both, others) in matches.iter().enumerate() {
        for (&one, &other) in others.iter().tuple_windows() {
            for [one, other] in [[one, other], [other, one]] {
                if let Some(&third) = matches[one].difference(&matches[other]).next() {
                    return Err(vec![one, other, both, third]);
                }
            }
        }
        let own = others.first().map_or([both].into(), |&other| matches[other].clone());
        if own.union(others).next() == Some(&both) {
            groups.push([own, others.clone()]);
        }
    }
    Ok(groups)
}

/// Writes a puzzle for the catalogue. Fails unless it is a rectangle of squares with one-sided
/// tiles and known edges; what else is lost is listed.
fn write(_: &Notation, problem: &Problem, _: Option<&Arrangement>) -> Result<Written, String> {
    use Detail::{ImageNames, OtherNames, Size, Source, Title};
    let omits = vec![border_as_half(problem)?];
    let puzzle = &problem.puzzle;
    let (rows, columns) = problem.board.rectangle().unwrap_or_default();
    let id = |label: Label| (label.index() + 1).to_string();
    let texts = [
        ("name", puzzle.title.clone().or_else(|| Some(puzzle.name.clone()))),
        ("description", puzzle.source.clone()),
        ("numberOfRows", Some(rows.to_string())),
        ("numberOfColumns", Some(columns.to_string())),
    ];
    let texts = texts
        .into_iter()
        .filter_map(|(tag, text)| Some(format!("  <{tag}>{}</{tag}>\n", escaped(&text?))));
    let pictures = puzzle.labels.all().map(|label| {
        let edge = puzzle.labels.edge(label);
        let other = puzzle.images.iter().find(|(own, _)| own == edge);
        let name = escaped(&other.map_or_else(|| edge.to_string(), |(_, name)| name.clone()));
        let mate = Some(puzzle.labels.mate(label)).filter(|_| puzzle.border != Some(label));
        let (id, mate) = (id(label), mate.map(id).unwrap_or_default());
        format!("    <picture id=\"{id}\" name=\"{name}\" matchWithIds=\"{mate}\"/>\n")
    });
    let cards = puzzle.tiles.iter().map(|tile| {
        let sides = SIDES.iter().zip(&tile.edges);
        let sides = sides.map(|(side, &label)| format!(" {side}=\"{}\"", id(label))).join("");
        format!("    <card{sides}/>\n")
    });
    let text = format!(
        "<{ROOT} xmlns=\"{NAMESPACE}\">\n{}  <pictures>\n{}  </pictures>\n  <cards>\n{}  </cards>\n\
         </{ROOT}>\n",
        texts.format(""),
        pictures.format(""),
        cards.format("")
    );
    let keeps = Some([Title, Source, ImageNames, OtherNames, Size].map(Some).to_vec());
    Ok(Written { text, keeps, omits })
}

/// Escapes a text for XML and removes the characters that XML does not allow.
fn escaped(text: &str) -> String {
    let is_allowed = |c: &char| matches!(c, '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    let allowed: String = text.chars().filter(is_allowed).collect();
    let entities =
        [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('\'', "&apos;"), ('"', "&quot;")];
    entities.into_iter().fold(allowed, |text, (c, entity)| text.replace(c, entity))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(lists: &[&[usize]]) -> Vec<BTreeSet<usize>> {
        lists.iter().map(|list| list.iter().copied().collect()).collect()
    }

    #[test]
    fn halves_and_images_that_match_themselves() {
        let found =
            groups(&relation(&[&[1], &[0], &[2], &[], &[6, 5], &[4], &[4], &[7, 8], &[7, 8]]));
        let halves = |one: &[usize], other: &[usize]| {
            [one, other].map(|half| half.iter().copied().collect::<BTreeSet<_>>())
        };
        let whole = |members: &[usize]| halves(members, members);
        let expected = vec![
            halves(&[0], &[1]),
            whole(&[2]),
            halves(&[3], &[]),
            halves(&[4], &[5, 6]),
            whole(&[7, 8]),
        ];
        assert_eq!(found, Ok(expected));
    }

    #[test]
    fn pictures_that_no_image_explains_are_named() {
        let fault = |lists: &[&[usize]]| groups(&relation(lists)).unwrap_err();
        assert_eq!(fault(&[&[1], &[]]), [0, 1]);
        // A path of four pictures: its ends would have to match, too.
        assert_eq!(fault(&[&[1], &[0, 2], &[1, 3], &[2]]), [2, 0, 1, 3]);
        // A triangle.
        assert_eq!(fault(&[&[1, 2], &[0, 2], &[0, 1]]), [1, 2, 0, 2]);
        // Two matching pictures, one of which matches itself.
        assert_eq!(fault(&[&[0, 1], &[0]]), [0, 1, 0, 1]);
        assert_eq!(fault(&[&[0, 1], &[0, 1, 2], &[1, 2]]), [1, 0, 0, 2]);
    }
}
