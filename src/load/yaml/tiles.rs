//! The key `tiles`, under the rules of the header: number of edges, order, halves, backs.

use super::header::{self, EXAMPLE, Header, Matching, is_tile_number};
use super::number::whole_number;
use super::tree::{Entry, Node, ReadError};
use crate::load::limits::MOST_TILES;
use crate::puzzle::{Copies, EdgeName, Half, Label, Labels, Tile};

/// The tiles of a file, and the labels on them.
pub(super) struct Tiles {
    pub labels: Labels,
    pub border: Option<Label>,
    pub tiles: Vec<Tile>,
}

/// Reads the tiles below the outermost mapping; cells of the board have these numbers of sides.
pub(super) fn read(root: &Node, header: &Header, sides: &[usize]) -> Result<Tiles, ReadError> {
    let mut labels = Labels::default();
    let border = header.border.as_ref();
    // The first image entered cannot contradict another.
    let border = border.and_then(|edge| labels.add(edge).ok());
    let mut reader = Reader {
        header,
        sides,
        labels,
    };
    let entries = entries(root)?;
    if let Some(entry) = entries.get(MOST_TILES) {
        return Err(entry.key.error(format!("more than {MOST_TILES} tiles")));
    }
    let tiles = entries.iter().map(|entry| reader.tile(entry));
    Ok(Tiles {
        tiles: tiles.collect::<Result<_, ReadError>>()?,
        labels: reader.labels,
        border,
    })
}

/// The tiles below the outermost mapping, or in it.
pub(super) fn entries(root: &Node) -> Result<Vec<Entry<'_>>, ReadError> {
    let Some(below) = root.value(header::TILES) else {
        let mut entries = root.entries("a mapping with the key `tiles`")?;
        entries.retain(|entry| is_tile_number(entry.name));
        return Ok(entries);
    };
    let entries = below.entries("a mapping from the name of a tile to its edges")?;
    if entries.is_empty() {
        return Err(below.error("no tiles").with_help(EXAMPLE));
    }
    Ok(entries)
}

/// Where below a tile an edge stands first.
pub(super) fn node_of<'n>(tile: &'n Node, edge: &EdgeName) -> Option<&'n Node> {
    let is_it = |node: &&Node| match node.items() {
        // The blog's form.
        Some([image, _]) => image.text("").is_ok_and(|image| image.trim() == edge.image),
        _ => node
            .text("")
            .is_ok_and(|text| EdgeName::parse(text).as_ref() == Ok(edge)),
    };
    let lists = tile.entries("").unwrap_or_default();
    let lists = lists.into_iter().map(|entry| entry.value).chain([tile]);
    let mut edges = lists.filter_map(Node::items).flatten();
    edges.find(is_it)
}

/// What is written of a tile, its edges in the order of the file.
struct Faces {
    edges: Vec<Label>,
    back: Option<Vec<Label>>,
    copies: Copies,
}

/// A number of pieces, or `any`.
fn copies_of(node: &Node) -> Result<Copies, ReadError> {
    let expected = format!("a whole number from 1 to {MOST_TILES}, or `any`");
    let Some(number) = whole_number(node) else {
        return match node.text(&expected)? {
            "any" => Ok(Copies::Any),
            _ => Err(node.unexpected(&expected)),
        };
    };
    let copies = usize::try_from(number).ok();
    let copies = copies.filter(|&copies| copies <= MOST_TILES);
    copies
        .and_then(Copies::new)
        .ok_or_else(|| node.error(format!("{number} copies: expected {expected}")))
}

/// What tiles are read by.
struct Reader<'h> {
    header: &'h Header,
    /// The numbers of sides that cells of the board have.
    sides: &'h [usize],
    labels: Labels,
}

impl Reader<'_> {
    /// One tile: its edges, or a mapping with both faces.
    fn tile(&mut self, entry: &Entry<'_>) -> Result<Tile, ReadError> {
        let name = entry.name;
        let node = entry.value;
        if name.trim().is_empty() {
            return Err(entry.key.error("a tile without a name"));
        }
        let faces = if node.is_map() {
            self.faces(name, node)?
        } else {
            Faces {
                edges: self.edges(name, node, "")?,
                back: None,
                copies: Copies::ONE,
            }
        };
        let order = self.header.order.unwrap_or_default();
        let mut tile = Tile {
            name: name.to_owned(),
            edges: order.normalise(&faces.edges),
            back: faces.back.map(|back| order.normalise(&back)),
            copies: faces.copies,
        };
        if self.header.is_printed_through {
            tile.back = Some(tile.mirror());
        }
        Ok(tile)
    }

    /// `{edges: […], back: […], copies: 3}`.
    fn faces(&mut self, name: &str, node: &Node) -> Result<Faces, ReadError> {
        let expected = self.expected_edges();
        let mut edges = None;
        let mut back = None;
        let mut copies = Copies::ONE;
        for Entry {
            name: key,
            key: at,
            value,
        } in node.entries(&expected)?
        {
            match key {
                "back" if self.header.is_printed_through => {
                    let error = at.error("`back` in a file that says `flip: mirror`");
                    return Err(error.with_help("remove one of them"));
                }
                "edges" => edges = Some(self.edges(name, value, "")?),
                "back" => back = Some(self.edges(name, value, " on its back")?),
                "copies" => copies = copies_of(value)?,
                _ => {
                    let error = at.error(format!("unknown key `{key}` in a tile"));
                    return Err(error.with_help(format!(
                        "write {expected}, or a mapping with `edges`, `back` and `copies`"
                    )));
                }
            }
        }
        let Some(edges) = edges else {
            return Err(node.error(format!("tile `{name}` without its `edges`")));
        };
        match back.as_ref().map(Vec::len) {
            Some(number) if number != edges.len() => Err(node.error(format!(
                "tile `{name}` has {} edges, and {number} on its back",
                edges.len()
            ))),
            _ => Ok(Faces {
                edges,
                back,
                copies,
            }),
        }
    }

    /// The edges of a face, in the order of the file; `face` is what errors say of it.
    fn edges(&mut self, name: &str, node: &Node, face: &str) -> Result<Vec<Label>, ReadError> {
        let edges = node.list(&self.expected_edges())?;
        let most = self.sides.iter().copied().max().unwrap_or_default();
        // Of a list that is too long an edge that is wrong is said first.
        let labels = edges
            .iter()
            .take(most)
            .map(|edge| self.label(edge))
            .collect::<Result<_, ReadError>>()?;
        if !self.sides.contains(&edges.len()) {
            let number = edges.len();
            let expected = itertools::join(self.sides, " or ");
            let noun = if number == 1 { "edge" } else { "edges" };
            let message = format!("tile `{name}` has {number} {noun}{face}, expected {expected}");
            return Err(node.error(message));
        }
        Ok(labels)
    }

    /// What a list of edges may be on this board.
    fn expected_edges(&self) -> String {
        const EXAMPLE: [&str; 4] = ["ylw+", "red-", "grn+", "blu+"];
        match self.sides {
            [4] => "a list of four edges such as [ylw+, red-, grn+, blu+]".to_owned(),
            sides => {
                let edges = EXAMPLE.iter().cycle().take(sides[0]);
                let numbers = itertools::join(sides, " or ");
                let edges = itertools::join(edges, ", ");
                format!("a list of {numbers} edges such as [{edges}]")
            }
        }
    }

    /// One edge: `ylw+`, or in the blog's form `['ylw', '+']`.
    fn label(&mut self, node: &Node) -> Result<Label, ReadError> {
        if !self.header.is_blog_form {
            let edge = header::edge(node, "an edge such as `ylw+`")?;
            return self.add(node, &edge);
        }
        const EXPECTED: &str = "an image and its half such as ['ylw', '+']";
        let [image, half] = node.list(EXPECTED)? else {
            return Err(node.error(format!("expected {EXPECTED}")));
        };
        let image = image.text("the name of an image")?;
        let edge = EdgeName::from_pair(image, half.text("`+` or `-`")?);
        self.add(half, &edge.map_err(|e| half.error(e.to_string()))?)
    }

    /// The label of an edge, if the header allows it.
    fn add(&mut self, node: &Node, edge: &EdgeName) -> Result<Label, ReadError> {
        let is_border = self.header.border.as_ref() == Some(edge);
        match self.header.matching {
            Some(Matching::Half) if edge.half == Half::Whole && !is_border => Err(node
                .error(format!(
                    "`{edge}` has no sign, but the file says `matching: half`"
                ))
                .with_help(format!(
                    "write `{edge}+` or `{edge}-`, or leave `matching` out"
                ))),
            Some(Matching::Equal) if edge.half != Half::Whole => Err(node
                .error(format!(
                    "`{edge}` is a half, but the file says `matching: equal`"
                ))
                .with_help("no name may end in `+` or `-` then")),
            _ => {
                let label = self.labels.add(edge);
                label.map_err(|e| node.error(e.to_string()))
            }
        }
    }
}
