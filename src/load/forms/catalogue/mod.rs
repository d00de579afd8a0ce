//! The catalogue's XML: pictures that say which pictures they match, and cards with one at each
//! side.

mod write;

use std::collections::{HashMap, HashSet};

use itertools::Itertools;
use roxmltree::{Document, Node};

use self::write::write;
use super::draft::Draft;
use super::matching::{Group, MatchingError, groups};
use super::words::{Word, length};
use crate::load::edge_order::EdgeOrder;
use crate::load::form::{Form, ReadOptions};
use crate::load::text::Source;
use crate::load::{LoadError, Result};
use crate::problem::Problem;
use crate::puzzle::{EdgeName, Half, LONGEST_NAME, beginning};

/// Sides by their names.
pub(super) const FORM: Form = Form {
    endings: &["xml"],
    is_like: |text| text.trim_start().starts_with('<'),
    tells_order: true,
    write: Some(write),
    ..Form::new("catalogue", "the catalogue's XML", read)
};

const ROOT: &str = "legespielConfiguration";
const NAMESPACE: &str = "http://whatsoftwarecando.org";

/// The attributes of a card: right, top, left, bottom.
const SIDES: [&str; 4] = ["east", "north", "west", "south"];

/// What is shown beside errors.
const EXAMPLE: &str = r#"a puzzle is <legespielConfiguration> with <pictures> of <picture id="1" matchWithIds="2"/> and <cards> of <card north="1" west="2" east="1" south="2"/>"#;

/// An element with the text around it.
#[derive(Clone, Copy)]
struct Place<'s, 'd> {
    source: &'s Source<'s>,
    node: Node<'d, 'd>,
}

impl<'s, 'd> Place<'s, 'd> {
    fn refuse(&self, message: String) -> LoadError {
        self.source.error_at_byte(self.node.range().start, message)
    }

    /// The children with a name, whatever their namespace.
    fn children(&self, name: &'static str) -> impl Iterator<Item = Place<'s, 'd>> + use<'s, 'd> {
        let source = self.source;
        let children = self.node.children().filter(move |node| node.tag_name().name() == name);
        children.map(move |node| Place { source, node })
    }

    fn child(&self, name: &'static str) -> Option<Place<'s, 'd>> {
        self.children(name).next()
    }

    fn needed_child(&self, name: &'static str) -> Result<Place<'s, 'd>> {
        let missing = || self.refuse(format!("<{}> without <{name}>", self.node.tag_name().name()));
        self.child(name).ok_or_else(|| missing().with_help(EXAMPLE))
    }

    /// The text inside, where there is some.
    fn text(&self) -> Option<String> {
        self.node.text().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// An attribute, and where its value begins.
    fn attribute(&self, name: &str) -> Option<Word<'d>> {
        let attribute = self.node.attribute_node(name)?;
        Some(Word { text: attribute.value(), at: attribute.range_value().start })
    }

    fn needed_attribute(&self, name: &str) -> Result<Word<'d>> {
        let missing = || self.refuse(format!("<{}> without `{name}`", self.node.tag_name().name()));
        self.attribute(name).ok_or_else(|| missing().with_help(EXAMPLE))
    }
}

fn read(source: &Source<'_>, options: &ReadOptions, name: &str) -> Result<Problem> {
    let document = Document::parse(source.text).map_err(|e| xml_error(source, &e))?;
    let root = Place { source, node: document.root_element() };
    if root.node.tag_name().name() != ROOT {
        let found = beginning(root.node.tag_name().name());
        return Err(root.refuse(format!("<{found}>, expected <{ROOT}>")).with_help(EXAMPLE));
    }
    let mut draft = Draft::new();
    draft.title = root.child("name").and_then(|place| place.text());
    draft.source = root.child("description").and_then(|place| place.text());
    let side = |name| root.child(name).map(|place| side_length(&place)).transpose();
    draft.size = match (side("numberOfRows")?, side("numberOfColumns")?) {
        (Some(rows), Some(columns)) => Some((rows, columns)),
        (None, None) => None,
        _ => return Err(root.refuse("rows without columns, or columns without rows".into())),
    };
    let pictures = Pictures::read(&root.needed_child("pictures")?)?;
    draft.images = pictures.others();
    draft.order = EdgeOrder::default();
    draft.states_rules = true;
    for card in root.needed_child("cards")?.children("card") {
        let edge = |side| -> Result<EdgeName> {
            let id = card.needed_attribute(side)?;
            pictures.edge(id.text).cloned().ok_or_else(|| {
                let id_text = beginning(id.text);
                source.error_at_byte(id.at, format!("there is no picture `{id_text}`"))
            })
        };
        let [east, north, west, south] = SIDES.map(edge);
        draft.add([east?, north?, west?, south?]);
    }
    draft.problem(source, options, name)
}

fn side_length(place: &Place<'_, '_>) -> Result<usize> {
    let text = place.text().unwrap_or_default();
    length(place.source, Word { text: &text, at: place.node.range().start })
}

/// What the parser says, without the place that it writes into its words.
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

/// Pictures by their ids, and the edges that they are here.
struct Pictures {
    edges: HashMap<String, EdgeName>,
    /// Each edge with the names of its pictures.
    names: Vec<(EdgeName, Vec<String>)>,
}

/// A picture as it is written.
struct Picture<'s, 'd> {
    place: Place<'s, 'd>,
    id: String,
    name: String,
}

/// The pictures that a picture says it matches.
fn matches_of(picture: &Picture<'_, '_>, places: &HashMap<&str, usize>) -> Result<HashSet<usize>> {
    let list = picture.place.attribute("matchWithIds").unwrap_or(Word { text: "", at: 0 });
    let ids = list.text.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
    let found = ids.filter(|id| !id.is_empty()).map(|id| {
        places.get(id).copied().ok_or_else(|| {
            let message = format!(
                "picture `{}` matches `{}`, which does not exist",
                picture.id,
                beginning(id)
            );
            picture.place.source.error_at_byte(list.at, message)
        })
    });
    found.collect()
}

/// What is wrong with pictures that fall into no halves.
fn refused(pictures: &[Picture<'_, '_>], fault: MatchingError) -> LoadError {
    let called = |index: usize| {
        let Picture { id, name, .. } = &pictures[index];
        if id == name { format!("`{id}`") } else { format!("`{id}` ({name})") }
    };
    let (at, message) = match fault {
        MatchingError::OneWay(one, other) => (
            one,
            format!("picture {} matches {}, which does not match it", called(one), called(other)),
        ),
        MatchingError::Missing(one, other) => (
            one,
            format!(
                "picture {} does not match {}, though both match the same others",
                called(one),
                called(other)
            ),
        ),
        MatchingError::Odd(one, other) => (
            one,
            format!(
                "picture {} matches {}, though both match a third one",
                called(one),
                called(other)
            ),
        ),
        MatchingError::Loop(one, other) => (
            one,
            format!(
                "picture {} matches itself, and so does not {}, which it matches",
                called(one),
                called(other)
            ),
        ),
    };
    pictures[at].place.refuse(message).with_help(
        "pictures fall into halves that match each other, or match themselves; this is neither",
    )
}

impl Pictures {
    fn read(place: &Place<'_, '_>) -> Result<Pictures> {
        let mut pictures: Vec<Picture<'_, '_>> = Vec::new();
        let mut places = HashMap::new();
        for place in place.children("picture") {
            let id = place.needed_attribute("id")?;
            let name = place.attribute("name").map_or(id.text, |name| name.text.trim());
            if let Some(message) = name_fault(id.text).or_else(|| name_fault(name)) {
                return Err(place.refuse(message));
            }
            if places.insert(id.text, pictures.len()).is_some() {
                let message = format!("picture `{}` appears a second time", id.text);
                return Err(place.source.error_at_byte(id.at, message));
            }
            pictures.push(Picture {
                place,
                id: id.text.to_owned(),
                name: if name.is_empty() { id.text } else { name }.to_owned(),
            });
        }
        let matches: Vec<HashSet<usize>> =
            pictures.iter().map(|picture| matches_of(picture, &places)).try_collect()?;
        let groups = groups(&matches).map_err(|fault| refused(&pictures, fault))?;
        let mut read = Pictures { edges: HashMap::new(), names: Vec::new() };
        let mut taken = HashMap::new();
        for group in groups {
            read.enter(&group, &pictures, &mut taken);
        }
        Ok(read)
    }

    /// Names the image of a group, and gives each picture its edge.
    fn enter(
        &mut self,
        group: &Group,
        pictures: &[Picture<'_, '_>],
        taken: &mut HashMap<String, usize>,
    ) {
        let (image, is_turned) = image_of(group, pictures);
        let image = free_name(image, taken);
        let (plus, minus) =
            if !is_turned { (Half::Plus, Half::Minus) } else { (Half::Minus, Half::Plus) };
        let sides = match group {
            Group::Whole(members) => vec![(Half::Whole, members)],
            Group::Halves(one, other) => vec![(plus, one), (minus, other)],
        };
        for (half, members) in sides {
            let edge = EdgeName { image: image.clone(), half };
            let ids = members.iter().map(|&member| pictures[member].id.clone());
            self.edges.extend(ids.map(|id| (id, edge.clone())));
            let names: Vec<String> =
                members.iter().map(|&member| pictures[member].name.clone()).collect();
            if !names.is_empty() {
                self.names.push((edge, names));
            }
        }
    }

    fn edge(&self, id: &str) -> Option<&EdgeName> {
        self.edges.get(id)
    }

    /// Edges whose pictures are called otherwise.
    fn others(&self) -> Vec<(EdgeName, String)> {
        let names = self.names.iter().map(|(edge, names)| (edge.clone(), names.join(" / ")));
        let others = names.filter(|(edge, name)| edge.to_string() != *name);
        others.filter(|(_, name)| name.chars().count() <= LONGEST_NAME).collect()
    }
}

/// The name, or where it is taken the name with a number; `taken` knows how often each was wanted.
fn free_name(name: String, taken: &mut HashMap<String, usize>) -> String {
    const LONGEST: usize = LONGEST_NAME - 16;
    let name: String = name.chars().take(LONGEST).collect();
    let wanted = taken.get(&name).copied().unwrap_or_default();
    let mut numbers = wanted + 1..;
    let numbered = |number| match number {
        1 => name.clone(),
        number => format!("{name} {number}"),
    };
    let free = numbers.find(|&number| number == 1 || !taken.contains_key(&numbered(number)));
    let number = free.unwrap_or(wanted);
    let chosen = numbered(number);
    taken.insert(name, number);
    taken.entry(chosen.clone()).or_insert(1);
    chosen
}

/// Why a picture can't be called so.
fn name_fault(name: &str) -> Option<String> {
    let length = name.chars().count();
    (length > LONGEST_NAME)
        .then(|| format!("a name of {length} characters, at most {LONGEST_NAME} are allowed"))
}

/// What the image of a group is called: what the names of its pictures have in common. Says too
/// whether the first of two halves is the one with the minus.
fn image_of(group: &Group, pictures: &[Picture<'_, '_>]) -> (String, bool) {
    let name = |members: &[usize]| members.first().map(|&member| pictures[member].name.as_str());
    let (one, other) = match group {
        Group::Whole(members) => (name(members), None),
        Group::Halves(one, other) => (name(one), name(other)),
    };
    let edge = |name: Option<&str>| EdgeName::parse(name?).ok();
    match (group, edge(one), edge(other)) {
        (Group::Halves(..), Some(first), second) if first.half != Half::Whole => {
            let is_pair =
                |second: &EdgeName| second.image == first.image && second.half != first.half;
            if second.as_ref().is_none_or(|second| second.half != Half::Whole && is_pair(second)) {
                return (first.image, first.half == Half::Minus);
            }
        }
        (Group::Whole(_), Some(edge), _) if edge.half == Half::Whole => return (edge.image, false),
        _ => {}
    }
    let one = one.unwrap_or_default();
    let common = match other {
        None => one.to_owned(),
        Some(other) => {
            one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c).collect()
        }
    };
    let bare = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let found = [bare(&common), bare(one)].into_iter().find(|name| !name.is_empty());
    (found.unwrap_or_else(|| "image".to_owned()), false)
}
