//! The tree of nodes of a YAML text, from which all readers of this folder take their values.

use std::collections::HashSet;

use itertools::Itertools;

use crate::puzzle::{LONGEST_NAME, abbreviate};

/// A value, a key or a list item, with everything below it.
#[derive(Debug, Clone)]
pub(in crate::load) struct Node {
    /// The index of the node in text order.
    pub number: usize,
    pub kind: NodeKind,
}

/// The content of a node.
#[derive(Debug, Clone)]
pub(in crate::load) enum NodeKind {
    /// The text as written, and its YAML type.
    Scalar(String, Scalar),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
    /// A node with a tag; our form uses no tags.
    Tagged,
}

/// The YAML type of a scalar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::load) enum Scalar {
    Nothing,
    Truth(bool),
    Whole(i128),
    Real(f64),
    Text,
}

/// The result of reading a node.
pub(super) type Result<T, E = ReadError> = std::result::Result<T, E>;

/// An error at a node, with optional help.
#[derive(Debug)]
pub(in crate::load) struct ReadError {
    /// The index of the node.
    pub node: usize,
    pub message: String,
    pub help: Option<String>,
}

impl ReadError {
    /// Suggests the most similar known name as help; if none is similar, lists all after `list`.
    pub fn with_known<'a>(
        self,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
        list: &str,
    ) -> ReadError {
        let all = || format!("{list} {}", known.clone().join(", "));
        self.with_help(did_you_mean(name, known.clone()).unwrap_or_else(all))
    }

    /// Sets the suggested fix.
    pub fn with_help(self, help: impl Into<String>) -> ReadError {
        ReadError { help: Some(help.into()), ..self }
    }
}

/// A key of a mapping with its value.
#[derive(Debug, Clone, Copy)]
pub(in crate::load) struct Entry<'n> {
    pub name: &'n str,
    pub key: &'n Node,
    pub value: &'n Node,
}

impl Node {
    /// A text in the place of this node.
    pub fn with_text(&self, text: impl Into<String>) -> Node {
        self.with(NodeKind::Scalar(text.into(), Scalar::Text))
    }

    /// A whole number in the place of this node.
    pub fn with_whole(&self, number: i64) -> Node {
        self.with(NodeKind::Scalar(number.to_string(), Scalar::Whole(number.into())))
    }

    /// Another content in the place of this node.
    pub fn with(&self, kind: NodeKind) -> Node {
        Node { number: self.number, kind }
    }

    /// A copy of a mapping without some of its keys; a copy of any other node.
    pub fn without(&self, keys: &[&str]) -> Node {
        let NodeKind::Map(entries) = &self.kind else {
            return self.clone();
        };
        let is_kept = |key: &Node| !key.scalar().is_some_and(|(_, name)| keys.contains(&name));
        let kept = entries.iter().filter(|(key, _)| is_kept(key)).cloned().collect();
        self.with(NodeKind::Map(kept))
    }

    /// An error at this node, without a suggested fix.
    pub fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError { node: self.number, message: message.into(), help: None }
    }

    /// Converts the error of a value that was read from this node.
    pub fn check<T, E: ToString>(&self, result: Result<T, E>) -> Result<T> {
        result.map_err(|error| self.error(error.to_string()))
    }

    /// An error that reports the found node and the expected content.
    pub fn unexpected(&self, expected: &str) -> ReadError {
        let found = match &self.kind {
            NodeKind::Scalar(_, Scalar::Nothing) => "nothing".to_owned(),
            NodeKind::Scalar(text, Scalar::Truth(_)) => format!("`{text}`"),
            NodeKind::Scalar(text, Scalar::Text) => format!("the text {text:?}"),
            NodeKind::Scalar(number, _) => format!("the number `{number}`"),
            NodeKind::List(_) => "a list".to_owned(),
            NodeKind::Map(_) => "a mapping".to_owned(),
            NodeKind::Tagged => {
                let error = self.error(format!("found a tag, expected {expected}"));
                return error.with_help("remove the tag");
            }
        };
        self.error(format!("found {found}, expected {expected}"))
    }

    /// The YAML type and the text of a scalar; `None` for any other node.
    pub fn scalar(&self) -> Option<(Scalar, &str)> {
        match &self.kind {
            NodeKind::Scalar(text, scalar) => Some((*scalar, text)),
            _ => None,
        }
    }

    /// The text of a scalar, regardless of its YAML type: `no`, `~`, `1.10` and `0x1F` are valid
    /// names.
    pub fn text(&self, expected: &str) -> Result<&str> {
        Ok(self.scalar().ok_or_else(|| self.unexpected(expected))?.1)
    }

    /// The text of a scalar within the length limit for names.
    pub fn name(&self, expected: &str) -> Result<&str> {
        self.text_up_to(LONGEST_NAME, expected)
    }

    /// Reads one of the known names; if the name is unknown, the help lists all after `list`.
    pub fn choice<T>(
        &self,
        noun: &str,
        known: impl Iterator<Item = (&'static str, T)> + Clone,
        list: &str,
    ) -> Result<T> {
        let name = self.name(&format!("the name of a {noun}"))?;
        let found = known.clone().find(|(own, _)| *own == name);
        found.map(|(_, value)| value).ok_or_else(|| {
            let error = self.error(format!("unknown {noun} `{name}`"));
            error.with_known(name, known.map(|(own, _)| own), list)
        })
    }

    /// Reads one of a few words; errors list all of them.
    pub fn word<T: Copy>(&self, noun: &str, words: &[(&str, T)]) -> Result<T> {
        let expected = words.iter().map(|(word, _)| format!("`{word}`")).join(" or ");
        let name = self.name(&expected)?;
        let found = words.iter().find(|(word, _)| *word == name);
        let unknown = || self.error(format!("unknown {noun} `{name}`: expected {expected}"));
        found.map(|(_, value)| *value).ok_or_else(unknown)
    }

    /// The text of a scalar of at most `most` characters.
    pub fn text_up_to(&self, most: usize, expected: &str) -> Result<&str> {
        let text = self.text(expected)?;
        let length = text.chars().count();
        if length > most {
            let start = abbreviate(text);
            return Err(self.error(format!(
                "{expected} starting `{start}` has {length} characters, at most {most} are allowed"
            )));
        }
        Ok(text)
    }

    /// Reads a truth value; a file with an unusual number may give it as a text.
    pub fn truth(&self, expected: &str) -> Result<bool> {
        match self.scalar() {
            Some((Scalar::Truth(is_so), _)) => Ok(is_so),
            Some((_, "true")) => Ok(true),
            Some((_, "false")) => Ok(false),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// The items of a list; `None` for any other node.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            NodeKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The items of a list; any other node is an error.
    pub fn list(&self, expected: &str) -> Result<&[Node]> {
        self.items().ok_or_else(|| self.unexpected(expected))
    }

    /// The items of a list, or the node itself as a single item.
    pub fn each(&self) -> &[Node] {
        self.items().unwrap_or(std::slice::from_ref(self))
    }

    /// Returns true if the node is a mapping.
    pub fn is_map(&self) -> bool {
        matches!(self.kind, NodeKind::Map(_))
    }

    /// The entries of a mapping. Keys must be names and must not repeat.
    pub fn entries(&self, expected: &str) -> Result<Vec<Entry<'_>>> {
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
        entries.iter().map(|(key, value)| (key, value)).map(entry).collect()
    }

    /// Returns true for an empty value or `null`.
    pub fn is_nothing(&self) -> bool {
        self.scalar().is_some_and(|(scalar, _)| scalar == Scalar::Nothing)
    }

    /// Converts a list under the key `name` to a mapping from item numbers, starting at 1, to
    /// items.
    pub fn number_items(&mut self, name: &str) {
        let NodeKind::Map(entries) = &mut self.kind else {
            return;
        };
        for (key, node) in entries {
            if let (NodeKind::Scalar(text, _), NodeKind::List(items)) = (&key.kind, &mut node.kind)
                && text == name
            {
                let numbered = std::mem::take(items).into_iter().zip(1..).map(|(item, number)| {
                    let kind = NodeKind::Scalar(i32::to_string(&number), Scalar::Text);
                    (Node { number: item.number, kind }, item)
                });
                node.kind = NodeKind::Map(numbered.collect());
            }
        }
    }

    /// The value of a key of a mapping; `None` if there is no such key or the node is not a
    /// mapping.
    pub fn value(&self, name: &str) -> Option<&Node> {
        self.entry(name).map(|(_, value)| value)
    }

    /// Reads the value of a key of a mapping with `read`, whose error is passed on; `None` if the
    /// key does not exist.
    pub fn read<'n, T>(
        &'n self,
        name: &str,
        read: impl FnOnce(&'n Node) -> Result<T>,
    ) -> Result<Option<T>> {
        self.value(name).map(read).transpose()
    }

    /// The node of a key of a mapping, for errors about the key itself; `None` if there is no such
    /// key.
    pub fn key(&self, name: &str) -> Option<&Node> {
        self.entry(name).map(|(key, _)| key)
    }

    /// The key and the value of the entry with this key; `None` if there is none or the node is not
    /// a mapping.
    fn entry(&self, name: &str) -> Option<(&Node, &Node)> {
        let NodeKind::Map(entries) = &self.kind else {
            return None;
        };
        let is_called = |key: &Node| matches!(&key.kind, NodeKind::Scalar(text, _) if text == name);
        let found = entries.iter().find(|(key, _)| is_called(key))?;
        Some((&found.0, &found.1))
    }
}

/// A question that suggests the most similar known name, or the last of several that are equally
/// similar; `None` if none is similar enough.
pub(super) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    const ALIKE: f64 = 0.75;
    let rated = known.map(|known| (strsim::jaro_winkler(name, known), known));
    let alike = rated.filter(|(likeness, _)| *likeness > ALIKE);
    let (_, nearest) = alike.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    Some(format!("did you mean `{nearest}`?"))
}
