//! Walks over the nodes of a YAML text: two build its tree, and one finds the position of a node.
//!
//! `serde_yaml` reports either the type of a scalar (`1.10` is a number) or its text, and a
//! position only with an error. The first walk therefore finds the types of the nodes, and the
//! second builds the tree with their texts. To find the position of a node, a third walk fails at it
//! deliberately; nodes are numbered in text order.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

use super::tree::{Node, NodeKind, ReadError, Scalar};
use crate::load::text::LARGEST_FILE;

/// The largest number of nodes. Aliases let a short text expand to very many.
const MOST_NODES: usize = 1 << 20;

/// The largest total text, in bytes: without aliases, a file cannot contain more.
const MOST_TEXT: usize = LARGEST_FILE as usize;

/// Reads the first document of a text; returns true if another document follows.
///
/// # Errors
/// If the text is not YAML, or expands to too many nodes or too much text.
pub(super) fn read(text: &str) -> Result<(Node, bool), serde_yaml::Error> {
    let mut documents = serde_yaml::Deserializer::from_str(text);
    let mut types = Walk::new(MOST_NODES, &[]);
    types.deserialize(documents.next().unwrap_or_else(|| first_document(text)))?;
    let has_more = documents.next().is_some();
    let root = Walk::new(MOST_NODES, &types.found).deserialize(first_document(text))?;
    Ok((root, has_more))
}

/// The error of a walk that fails at a node; `None` if the walk does not reach it. Only its
/// position is meaningful, not its message.
pub(super) fn failure_at(text: &str, error: &ReadError) -> Option<serde_yaml::Error> {
    Walk::new(error.node, &[]).deserialize(first_document(text)).err()
}

/// The first document of a text; an empty text has none, and is then parsed as a whole.
fn first_document(text: &str) -> serde_yaml::Deserializer<'_> {
    let document = serde_yaml::Deserializer::from_str(text).next();
    document.unwrap_or_else(|| serde_yaml::Deserializer::from_str(text))
}

/// The type of a node.
#[derive(Clone, Copy)]
enum Type {
    Scalar(Scalar),
    List,
    Map,
    Tagged,
}

/// Builds and numbers nodes; fails at the node with the number `stop`.
struct Walk<'t> {
    next: usize,
    stop: usize,
    /// The type of each node if it is known; only then do scalars have texts.
    known: &'t [Type],
    /// The type of each node if it is not known.
    found: Vec<Type>,
    /// The remaining number of bytes for all texts.
    left: usize,
}

impl Walk<'_> {
    /// A walk over the nodes from the first one, up to the node `stop`.
    fn new(stop: usize, known: &[Type]) -> Walk<'_> {
        Walk { next: 0, stop, known, found: Vec::new(), left: MOST_TEXT }
    }

    /// A scalar whose text is not known yet.
    fn without_text(&mut self, scalar: Scalar) -> NodeKind {
        self.found.push(Type::Scalar(scalar));
        NodeKind::Scalar(String::new(), scalar)
    }
}

impl<'de> DeserializeSeed<'de> for &mut Walk<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        let number = self.next;
        if number == self.stop {
            // This fails at any node: `Stop` accepts no value, not even a text.
            deserializer.deserialize_str(Stop)?;
            return Err(D::Error::custom("a node without a place"));
        }
        self.next += 1;
        let kind = match self.known.get(number) {
            None => deserializer.deserialize_any(self)?,
            Some(Type::Scalar(_)) => deserializer.deserialize_str(self)?,
            Some(Type::List) => deserializer.deserialize_seq(self)?,
            Some(Type::Map) => deserializer.deserialize_map(self)?,
            Some(Type::Tagged) => {
                IgnoredAny::deserialize(deserializer)?;
                NodeKind::Tagged
            }
        };
        Ok(Node { number, kind })
    }
}

/// A visitor that accepts no value.
struct Stop;

impl Visitor<'_> for Stop {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no more than {MOST_NODES} values")
    }
}

impl<'de> Visitor<'de> for &mut Walk<'_> {
    type Value = NodeKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<NodeKind, E> {
        Ok(self.without_text(Scalar::Nothing))
    }

    fn visit_bool<E: Error>(self, is_so: bool) -> Result<NodeKind, E> {
        Ok(self.without_text(Scalar::Truth(is_so)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<NodeKind, E> {
        self.visit_i128(number.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<NodeKind, E> {
        self.visit_i128(number.into())
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<NodeKind, E> {
        self.visit_i128(i128::try_from(number).unwrap_or(i128::MAX))
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<NodeKind, E> {
        Ok(self.without_text(Scalar::Whole(number)))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<NodeKind, E> {
        Ok(self.without_text(Scalar::Real(number)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<NodeKind, E> {
        let Some(Type::Scalar(scalar)) = self.known.get(self.next - 1) else {
            return Ok(self.without_text(Scalar::Text));
        };
        // Count each repetition, because aliases repeat a text.
        let left = self.left.checked_sub(text.len());
        self.left = left.ok_or_else(|| E::custom("repetition limit exceeded"))?;
        Ok(NodeKind::Scalar(text.to_owned(), *scalar))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<NodeKind, A::Error> {
        self.found.push(Type::List);
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(&mut *self)? {
            items.push(item);
        }
        Ok(NodeKind::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NodeKind, A::Error> {
        self.found.push(Type::Map);
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(&mut *self)? {
            entries.push((key, map.next_value_seed(&mut *self)?));
        }
        Ok(NodeKind::Map(entries))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<NodeKind, A::Error> {
        self.found.push(Type::Tagged);
        let (IgnoredAny, value) = tagged.variant()?;
        let IgnoredAny = value.newtype_variant()?;
        Ok(NodeKind::Tagged)
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

    /// Tests each scalar in a separate document, because one unusual number makes the parser read
    /// all scalars as text.
    #[test]
    fn a_scalar_alone_stays_as_it_is_written() {
        let largest = u128::MAX.to_string();
        let mut texts = vec!["5", "-5", "0", "+5", "+0", "-0", "00", "-07", "1e3", "1_0", "1.10"];
        texts.extend(["0x1F", "-0x1F", "+0o17", "0b11", "-0b1", "~", "True", "no", &largest]);
        for text in texts {
            assert_eq!(root(&format!("a: {text}")).value("a").unwrap().text("").unwrap(), text);
            assert_eq!(root(text).text("").unwrap(), text);
        }
        for (yaml, text) in [
            ("!!int \"+5\"", "+5"),
            ("!!int \"\\x2b5\"", "+5"),
            ("!!int '0x1F'", "0x1F"),
            ("'5'", "5"),
            ("\"\\x2b5\"", "+5"),
        ] {
            assert_eq!(root(yaml).text("").unwrap(), text, "{yaml}");
        }
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

    /// Keys, items and the targets of aliases have positions.
    #[test]
    fn an_error_stands_where_its_node_does() {
        let text = "a: &x [1, {b: c}]\nd: *x\n'e': |\n  f\n";
        let place = |node: &Node| {
            let place = failure_at(text, &node.error("")).unwrap().location().unwrap();
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
