//! A YAML text as a tree of nodes, which every reader of this folder takes its values from.
//!
//! `serde_yaml` tells a kind (`1.10` is a number) or a text, and a place only with an error. So a
//! text is walked twice, for the kinds of its nodes and for the texts of scalars, and once more
//! where something is wrong: nodes are numbered in the order of the text, and the walk fails at the
//! node in question.

use std::collections::HashSet;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use crate::load::limits::LARGEST_FILE;
use crate::puzzle::LONGEST_NAME;

/// More nodes than any puzzle has: aliases let a short text say very much.
const MOST_NODES: usize = 1 << 20;

/// More text than a file holds without aliases, in bytes.
const MOST_TEXT: usize = LARGEST_FILE as usize;

/// A value, a key or an item, with all below it.
#[derive(Debug)]
pub(super) struct Node {
    /// Its place in the order of the text.
    number: usize,
    kind: NodeKind,
}

#[derive(Debug)]
enum NodeKind {
    /// The text as it is written, and what YAML takes it for.
    Scalar(String, Scalar),
    List(Vec<Node>),
    /// Keys with their values.
    Map(Vec<(Node, Node)>),
    /// Something with a tag, which nothing of ours has.
    Tagged,
}

/// What YAML takes a scalar for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scalar {
    Nothing,
    Truth(bool),
    Whole(i128),
    Real(f64),
    Text,
}

/// What is wrong with a node, and what to do about it.
#[derive(Debug)]
pub(super) struct ReadError {
    node: usize,
    pub message: String,
    pub help: Option<String>,
}

impl ReadError {
    pub fn with_help(self, help: impl Into<String>) -> ReadError {
        ReadError {
            help: Some(help.into()),
            ..self
        }
    }
}

/// A key of a mapping with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'n> {
    pub name: &'n str,
    pub key: &'n Node,
    pub value: &'n Node,
}

impl Node {
    /// An error at this node.
    pub fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError {
            node: self.number,
            message: message.into(),
            help: None,
        }
    }

    /// That something else was expected here.
    pub fn unexpected(&self, expected: &str) -> ReadError {
        let found = match &self.kind {
            NodeKind::Scalar(text, scalar) => match scalar {
                Scalar::Nothing => "nothing".to_owned(),
                Scalar::Truth(_) => format!("`{text}`"),
                Scalar::Whole(_) | Scalar::Real(_) => format!("the number `{text}`"),
                Scalar::Text => format!("the text {text:?}"),
            },
            NodeKind::List(_) => "a list".to_owned(),
            NodeKind::Map(_) => "a mapping".to_owned(),
            NodeKind::Tagged => "a tag".to_owned(),
        };
        let error = self.error(format!("found {found}, expected {expected}"));
        match self.kind {
            NodeKind::Tagged => error.with_help("remove the tag"),
            _ => error,
        }
    }

    /// What a scalar is, with its text; nothing of a list or a mapping.
    pub fn scalar(&self) -> Option<(Scalar, &str)> {
        match &self.kind {
            NodeKind::Scalar(text, scalar) => Some((*scalar, text)),
            _ => None,
        }
    }

    /// The text of a scalar, whatever YAML takes it for: `no`, `~`, `1.10` and `0x1F` are names
    /// like any other.
    pub fn text(&self, expected: &str) -> Result<&str, ReadError> {
        let scalar = self.scalar().ok_or_else(|| self.unexpected(expected))?;
        Ok(scalar.1)
    }

    /// The text of a scalar that is no longer than a name may be.
    pub fn name(&self, expected: &str) -> Result<&str, ReadError> {
        let text = self.text(expected)?;
        let length = text.chars().count();
        if length > LONGEST_NAME {
            let start: String = text.chars().take(24).collect();
            return Err(self.error(format!(
                "{expected} starting `{start}…` has {length} characters, at most {LONGEST_NAME} \
                 are allowed"
            )));
        }
        Ok(text)
    }

    /// The items of a list; nothing of any other node.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            NodeKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn list(&self, expected: &str) -> Result<&[Node], ReadError> {
        self.items().ok_or_else(|| self.unexpected(expected))
    }

    pub fn is_map(&self) -> bool {
        matches!(self.kind, NodeKind::Map(_))
    }

    /// The entries of a mapping, whose keys are names and stand there once.
    pub fn entries(&self, expected: &str) -> Result<Vec<Entry<'_>>, ReadError> {
        let NodeKind::Map(entries) = &self.kind else {
            return Err(self.unexpected(expected));
        };
        let mut seen = HashSet::new();
        let entry = |(key, value)| {
            let name = Node::name(key, "a key")?;
            if !seen.insert(name) {
                return Err(key.error(format!("`{name}` appears a second time")));
            }
            Ok(Entry { name, key, value })
        };
        entries
            .iter()
            .map(|(key, value)| (key, value))
            .map(entry)
            .collect()
    }

    /// Whether nothing stands there.
    pub fn is_nothing(&self) -> bool {
        self.scalar()
            .is_some_and(|(scalar, _)| scalar == Scalar::Nothing)
    }

    /// The value behind a key of a mapping.
    pub fn value(&self, name: &str) -> Option<&Node> {
        self.entry(name).map(|(_, value)| value)
    }

    /// The key of a mapping that has this name.
    pub fn key(&self, name: &str) -> Option<&Node> {
        self.entry(name).map(|(key, _)| key)
    }

    fn entry(&self, name: &str) -> Option<(&Node, &Node)> {
        let NodeKind::Map(entries) = &self.kind else {
            return None;
        };
        let is_called = |key: &Node| matches!(&key.kind, NodeKind::Scalar(text, _) if text == name);
        let found = entries.iter().find(|(key, _)| is_called(key))?;
        Some((&found.0, &found.1))
    }
}

/// Reads the first document of a text, and says whether another one follows.
///
/// # Errors
/// Where it is no YAML, or has more nodes than any puzzle.
pub(super) fn read(text: &str) -> Result<(Node, bool), serde_yaml::Error> {
    let mut documents = serde_yaml::Deserializer::from_str(text);
    let mut walk = Walk {
        next: 0,
        stop: MOST_NODES,
    };
    let mut root = walk.deserialize(documents.next().unwrap_or_else(|| first_document(text)))?;
    let has_more = documents.next().is_some();
    let texts = Texts {
        node: &mut root,
        left: &mut { MOST_TEXT },
    };
    texts.deserialize(first_document(text))?;
    Ok((root, has_more))
}

/// The error of a walk that fails at a node; its place is of use, its words are not.
pub(super) fn failure_at(text: &str, error: &ReadError) -> Option<serde_yaml::Error> {
    let mut walk = Walk {
        next: 0,
        stop: error.node,
    };
    walk.deserialize(first_document(text)).err()
}

fn first_document(text: &str) -> serde_yaml::Deserializer<'_> {
    let document = serde_yaml::Deserializer::from_str(text).next();
    document.unwrap_or_else(|| serde_yaml::Deserializer::from_str(text))
}

/// Makes nodes and numbers them, up to one at which it fails.
struct Walk {
    next: usize,
    stop: usize,
}

impl<'de> DeserializeSeed<'de> for &mut Walk {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        let number = self.next;
        if number == self.stop {
            // Asked for a text, `serde_yaml` fails at this node, whether it is one or not.
            deserializer.deserialize_str(Stop)?;
            return Err(D::Error::custom("a node without a place"));
        }
        self.next += 1;
        let kind = deserializer.deserialize_any(self)?;
        Ok(Node { number, kind })
    }
}

/// Takes nothing.
struct Stop;

impl Visitor<'_> for Stop {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no more than {MOST_NODES} values")
    }
}

impl<'de> Visitor<'de> for &mut Walk {
    type Value = NodeKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<NodeKind, E> {
        Ok(unread(Scalar::Nothing))
    }

    fn visit_bool<E: Error>(self, is_so: bool) -> Result<NodeKind, E> {
        Ok(unread(Scalar::Truth(is_so)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<NodeKind, E> {
        Ok(unread(Scalar::Whole(number.into())))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<NodeKind, E> {
        Ok(unread(Scalar::Whole(number.into())))
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<NodeKind, E> {
        let number = i128::try_from(number).unwrap_or(i128::MAX);
        Ok(unread(Scalar::Whole(number)))
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<NodeKind, E> {
        Ok(unread(Scalar::Whole(number)))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<NodeKind, E> {
        Ok(unread(Scalar::Real(number)))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<NodeKind, E> {
        Ok(unread(Scalar::Text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<NodeKind, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(&mut *self)? {
            items.push(item);
        }
        Ok(NodeKind::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NodeKind, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(&mut *self)? {
            entries.push((key, map.next_value_seed(&mut *self)?));
        }
        Ok(NodeKind::Map(entries))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<NodeKind, A::Error> {
        let (IgnoredAny, value) = tagged.variant()?;
        let IgnoredAny = value.newtype_variant()?;
        Ok(NodeKind::Tagged)
    }
}

fn unread(scalar: Scalar) -> NodeKind {
    NodeKind::Scalar(String::new(), scalar)
}

/// Gives the scalars below a node their texts.
struct Texts<'n> {
    node: &'n mut Node,
    /// How many bytes more they may have in all.
    left: &'n mut usize,
}

impl<'de> DeserializeSeed<'de> for Texts<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match &self.node.kind {
            NodeKind::Scalar(..) => deserializer.deserialize_str(self),
            NodeKind::List(_) => deserializer.deserialize_seq(self),
            NodeKind::Map(_) => deserializer.deserialize_map(self),
            NodeKind::Tagged => deserializer.deserialize_ignored_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Texts<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the same value as before")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let left = self.left.checked_sub(text.len());
        *self.left = left.ok_or_else(|| E::custom("repetition limit exceeded"))?;
        if let NodeKind::Scalar(own, _) = &mut self.node.kind {
            text.clone_into(own);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Texts { node, left } = self;
        if let NodeKind::List(items) = &mut node.kind {
            for node in items {
                list.next_element_seed(Texts { node, left })?;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Texts { node, left } = self;
        if let NodeKind::Map(entries) = &mut node.kind {
            for (key, node) in entries {
                map.next_key_seed(Texts { node: key, left })?;
                map.next_value_seed(Texts { node, left })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(text: &str) -> Node {
        read(text).unwrap().0
    }

    #[test]
    fn a_name_stays_as_it_is_written() {
        let names = ["no", "~", "1.10", "0x1F", "+5", "1e3", "True", "007"];
        let list = root(&format!("[{}, 'q', \"d\\x41\"]", names.join(", ")));
        let items = list.list("names").unwrap().iter();
        let read: Vec<&str> = items.map(|item| item.name("a name").unwrap()).collect();
        assert_eq!(read, [&names[..], &["q", "dA"]].concat());
    }

    #[test]
    fn a_quoted_number_is_a_text() {
        let list = root("[5, '5', -0x10, 1.5, true, ~]");
        let scalars = list.list("values").unwrap().iter().map(Node::scalar);
        let kinds: Vec<Scalar> = scalars.map(|scalar| scalar.unwrap().0).collect();
        let expected = [
            Scalar::Whole(5),
            Scalar::Text,
            Scalar::Whole(-16),
            Scalar::Real(1.5),
            Scalar::Truth(true),
            Scalar::Nothing,
        ];
        assert_eq!(kinds, expected);
    }

    /// Keys, items and what an alias stands for have places.
    #[test]
    fn an_error_stands_where_its_node_does() {
        let text = "a: &x [1, {b: c}]\nd: *x\n'e': |\n  f\n";
        let place = |node: &Node| {
            let error = failure_at(text, &node.error("")).unwrap();
            let place = error.location().unwrap();
            (place.line(), place.column())
        };
        let root = root(text);
        assert_eq!(place(&root), (1, 1));
        let list = root.value("a").unwrap().list("a list").unwrap();
        assert_eq!(place(&list[1]), (1, 11));
        let [entry] = list[1].entries("a mapping").unwrap()[..] else {
            panic!("one entry");
        };
        assert_eq!(place(entry.key), (1, 12));
        assert_eq!(place(entry.value), (1, 15));
        assert_eq!(place(root.key("d").unwrap()), (2, 1));
        assert_eq!(place(root.value("d").unwrap()), (1, 4));
        assert_eq!(place(root.key("e").unwrap()), (3, 1));
        assert_eq!(place(root.value("e").unwrap()), (3, 6));
    }

    #[test]
    fn a_short_text_that_says_very_much_is_refused() {
        let ten = |name: char| format!("[{}]", vec![format!("*{name}"); 10].join(", "));
        let mut text = "a: &a [1]\n".to_owned();
        for (before, name) in ('a'..'i').zip('b'..) {
            text += &format!("{name}: &{name} {}\n", ten(before));
        }
        assert!(read(&text).is_err());
        let long = "x".repeat(100_000);
        let text = format!("a: &a {long}\nb: [{}]\n", vec!["*a"; 1000].join(", "));
        assert!(read(&text).is_err());
    }
}
