//! Reads the key `tiles` with the settings of the header: order, border, halves and backs.

use super::header::{self, EXAMPLE, Header, is_tile_number};
use super::number::positive;
use super::tree::{Entry, Node, ReadError, Result, Scalar};
use crate::board::SIDES_OF_SQUARE as SIDES;
use crate::load::text::MOST_TILES;
use crate::puzzle::{Copies, EdgeCorners, EdgeName, Flip, Half, Label, Labels, Tile, UNKNOWN};

/// The tiles of a file and their labels.
pub(super) struct Tiles {
    pub labels: Labels,
    pub border: Option<Label>,
    pub tiles: Vec<Tile>,
    /// True if some tile is a plain list of edges, whose sides depend on the edge order.
    pub has_order: bool,
}

/// Reads the tiles below the root; `sides` lists the numbers of sides of the board's cells.
pub(super) fn read(root: &Node, header: &Header, sides: &[usize]) -> Result<Tiles> {
    let mut labels = Labels::default();
    let border = header.border.as_ref();
    // The first image added cannot contradict another.
    let border = border.and_then(|edge| labels.add(edge).ok());
    let mut reader = Reader { header, sides, labels, between: Labels::default(), has_order: false };
    let entries = entries(root)?;
    if let Some(entry) = entries.get(MOST_TILES) {
        return Err(entry.key.error(format!("more than {MOST_TILES} tiles")));
    }
    let tiles = entries.iter().map(|entry| reader.tile(entry)).collect::<Result<_>>()?;
    Ok(Tiles { tiles, labels: reader.labels, border, has_order: reader.has_order })
}

/// Returns true if a mapping gives edges by the names of their sides.
fn has_sides(node: &Node) -> bool {
    SIDES.iter().any(|side| node.value(side).is_some())
}

/// The tiles below the key `tiles`, or the numbered entries of the root if that key is missing.
pub(super) fn entries(root: &Node) -> Result<Vec<Entry<'_>>> {
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

/// The node below a tile where an edge first occurs; `None` if it does not.
pub(super) fn node_of<'n>(tile: &'n Node, edge: &EdgeName) -> Option<&'n Node> {
    let is_it = |node: &&Node| match node.items() {
        // The blog's form.
        Some([image, _]) => image.text("").is_ok_and(|image| image.trim() == edge.image),
        _ => node.text("").is_ok_and(|text| EdgeName::parse(text).as_ref() == Ok(edge)),
    };
    let lists = tile.entries("").unwrap_or_default();
    let lists = lists.into_iter().map(|entry| entry.value).chain([tile]);
    let mut edges = lists.filter_map(Node::items).flatten();
    edges.find(is_it)
}

/// Reads the colour of a corner.
fn corner_colour(node: &Node) -> Result<String> {
    node.check(EdgeCorners::colour(node.text("the colour of a corner such as `red`")?))
}

/// Reads a number of copies, or `any`.
fn copies_of(node: &Node) -> Result<Copies> {
    if matches!(node.scalar(), Some((Scalar::Text, "any"))) {
        return Ok(Copies::Any);
    }
    let copies = positive(node, MOST_TILES, "a number of copies");
    let or_any = |error: ReadError| ReadError { message: error.message + ", or `any`", ..error };
    Ok(Copies::new(copies.map_err(or_any)?).unwrap_or(Copies::ONE))
}

/// Reads tiles and collects their labels.
struct Reader<'h> {
    header: &'h Header,
    /// The numbers of sides of the board's cells.
    sides: &'h [usize],
    labels: Labels,
    /// The labels given for edges between coloured corners.
    between: Labels,
    has_order: bool,
}

/// The suffix for errors about a back.
const ON_THE_BACK: &str = " on its back";

impl Reader<'_> {
    /// Reads a tile: a list of edges, or a mapping with both faces.
    fn tile(&mut self, entry: &Entry<'_>) -> Result<Tile> {
        let Entry { name, value: node, .. } = *entry;
        if name.trim().is_empty() {
            return Err(entry.key.error("a tile without a name"));
        }
        self.refuse_wrong_keys(node, "a tile", &["edges", "corners", "back", "copies"])?;
        let copies = node.read("copies", copies_of)?.unwrap_or(Copies::ONE);
        let edges = self.face(name, node, "")?;
        let back = node.read("back", |back| {
            self.refuse_wrong_keys(back, "a back", &["edges", "corners"])?;
            self.face(name, back, ON_THE_BACK)
        })?;
        if let Some(back) = back.as_ref().filter(|back| back.len() != edges.len()) {
            let (front, back) = (edges.len(), back.len());
            let message = format!("tile `{name}` has {front} edges, and {back} on its back");
            return Err(node.error(message));
        }
        let order = self.header.order.unwrap_or_default();
        let edges = order.normalise(&edges);
        let back = match self.header.flip {
            Some(flip) => Some(flip.other_face(&edges, &self.labels)),
            None => back.map(|back| order.normalise(&back)),
        };
        Ok(Tile { name: name.to_owned(), edges, back, copies })
    }

    /// Rejects unknown keys, and keys that contradict `flip`, in a mapping other than edges by
    /// side.
    fn refuse_wrong_keys(&self, node: &Node, place: &str, known: &[&str]) -> Result<()> {
        if !node.is_map() || has_sides(node) {
            return Ok(());
        }
        let expected = self.expected_edges();
        for Entry { name, key, .. } in node.entries(&expected)? {
            if let ("back", Some(flip)) | ("corners", Some(flip @ Flip::Mirror)) =
                (name, self.header.flip)
            {
                let flip = flip.name();
                let error = key.error(format!("`{name}` in a file that says `flip: {flip}`"));
                return Err(error.with_help(match name {
                    "back" => "write how each back looks, below `back`, and leave `flip` out",
                    _ => "corners read backwards from behind: write `flip: reverse`",
                }));
            }
            if !known.contains(&name) {
                let known = known.join("`, `");
                let error = key.error(format!("unknown key `{name}` in {place}"));
                let help = format!("write {expected}, or a mapping with the keys `{known}`");
                return Err(error.with_help(help));
            }
        }
        Ok(())
    }

    /// Reads the labels of a face: a list of edges, a mapping from sides to edges, or a mapping
    /// with edges, corners or both.
    fn face(&mut self, name: &str, node: &Node, face: &str) -> Result<Vec<Label>> {
        if !node.is_map() || has_sides(node) {
            return self.edges(name, node, face);
        }
        match (node.value("corners"), node.value("edges")) {
            (None, Some(edges)) => self.edges(name, edges, face),
            (None, None) => Err(node.error(format!("tile `{name}` without its `edges`{face}"))),
            (Some(corners), edges) => self.cornered(name, corners, edges, face),
        }
    }

    /// Reads the edges of a face with coloured corners. Each edge runs from the corner at its index
    /// in the list to the next one.
    fn cornered(
        &mut self,
        name: &str,
        corners: &Node,
        edges: Option<&Node>,
        face: &str,
    ) -> Result<Vec<Label>> {
        let items = self.sized(name, corners, "corner", face)?;
        // Checks the colours even if the border hides a corner.
        let colours = items.iter().map(corner_colour).collect::<Result<Vec<_>, _>>()?;
        let between = edges.map(|edges| self.sized(name, edges, "edge", face)).transpose()?;
        if let Some(between) = between.filter(|between| between.len() != items.len()) {
            let (number, edges) = (items.len(), between.len());
            let message = format!("tile `{name}` has {number} corners{face}, and {edges} edges");
            return Err(corners.error(message));
        }
        let next = |place: usize| (place + 1) % items.len();
        let order = self.header.order.unwrap_or_default();
        let is_clockwise = order.is_clockwise().ok_or_else(|| {
            let error = corners.error(format!("corners in the order `{}`", order.name()));
            error.with_help("an order around the tile tells between which corners an edge lies")
        })?;
        let edges = (0..items.len()).map(|place| {
            let ends = if is_clockwise { [next(place), place] } else { [place, next(place)] };
            let edge = between.map(|edges| &edges[place]);
            let wrong = edge.unwrap_or(&items[ends[0]]);
            self.between(ends.map(|end| colours[end].clone()), edge, wrong)
        });
        edges.collect()
    }

    /// The label of an edge between two corner colours. A border edge ignores its corners.
    fn between(
        &mut self,
        [first, second]: [String; 2],
        edge: Option<&Node>,
        wrong: &Node,
    ) -> Result<Label> {
        let mut between = None;
        if let Some(node) = edge {
            let edge = self.written(node)?;
            if self.header.border.as_ref() == Some(&edge) {
                return self.add(node, &edge);
            }
            self.expect_matching(node, &edge)?;
            node.check(self.between.add(&edge))?;
            between = Some(edge);
        }
        let corners = EdgeCorners { first, between, second };
        wrong.check(self.labels.add(&wrong.check(corners.edge())?))
    }

    /// Reads the edges of a face, in file order; `face` is the suffix for errors.
    fn edges(&mut self, name: &str, node: &Node, face: &str) -> Result<Vec<Label>> {
        if has_sides(node) && self.sides == [4] {
            return self.edges_of_sides(name, node, face);
        }
        // In a list that is too long, a wrong edge is reported before the length.
        let most = self.sides.iter().copied().max().unwrap_or_default();
        let edges = node.list(&self.expected_edges())?.iter().take(most);
        let labels = edges.map(|edge| self.label(edge)).collect::<Result<_>>()?;
        let edges = self.sized(name, node, "edge", face)?;
        self.has_order |= edges.iter().any(|edge| edge.items().is_none());
        Ok(labels)
    }

    /// Reads `{top: a, right: b, bottom: c, left: d}`; returns the labels in file order.
    fn edges_of_sides(&mut self, name: &str, node: &Node, face: &str) -> Result<Vec<Label>> {
        for entry in node.entries("")? {
            if !SIDES.contains(&entry.name) {
                let error = entry.key.error(format!("`{}` is not a side of a tile", entry.name));
                return Err(error.with_known(entry.name, SIDES.into_iter(), "the sides are"));
            }
        }
        let labels = SIDES.iter().map(|side| {
            let missing = || node.error(format!("tile `{name}` without its `{side}`{face}"));
            self.label(node.value(side).ok_or_else(missing)?)
        });
        let labels = labels.collect::<Result<Vec<_>>>()?;
        Ok(self.header.order.unwrap_or_default().listed(&labels))
    }

    /// The items of a list, which must be as many as some cell has sides.
    fn sized<'n>(&self, name: &str, node: &'n Node, noun: &str, face: &str) -> Result<&'n [Node]> {
        let items = match noun {
            "corner" => node.list("a list of corners such as [red, red, blue, red]")?,
            _ => node.list(&self.expected_edges())?,
        };
        if self.sides.contains(&items.len()) {
            return Ok(items);
        }
        let (number, expected) = (items.len(), itertools::join(self.sides, " or "));
        let s = if number == 1 { "" } else { "s" };
        let message = format!("tile `{name}` has {number} {noun}{s}{face}, expected {expected}");
        Err(node.error(message))
    }

    /// The form of an edge list that fits this board, for errors.
    fn expected_edges(&self) -> String {
        const EXAMPLE: [&str; 4] = ["ylw+", "red-", "grn+", "blu+"];
        let edges = itertools::join(EXAMPLE.iter().cycle().take(self.sides[0]), ", ");
        let numbers = match self.sides {
            [4] => "four".to_owned(),
            sides => itertools::join(sides, " or "),
        };
        format!("a list of {numbers} edges such as [{edges}]")
    }

    /// Reads an edge and returns its label.
    fn label(&mut self, node: &Node) -> Result<Label> {
        let edge = self.written(node)?;
        let at = match node.items() {
            Some([_, half]) => half,
            _ => node,
        };
        self.add(at, &edge)
    }

    /// Reads an edge: `ylw+`, or `['ylw', '+']` in the blog's form.
    fn written(&self, node: &Node) -> Result<EdgeName> {
        let Some(pair) = node.items() else {
            return header::edge(node, "an edge such as `ylw+`");
        };
        let [image, half] = pair else {
            return Err(node.error("expected an image and its half such as ['ylw', '+']"));
        };
        let image = image.text("the name of an image")?;
        half.check(EdgeName::from_pair(image, half.text("`+` or `-`")?))
    }

    /// Adds an edge if the header allows it and returns its label.
    fn add(&mut self, node: &Node, edge: &EdgeName) -> Result<Label> {
        self.expect_matching(node, edge)?;
        node.check(self.labels.add(edge))
    }

    /// Rejects an edge that contradicts the key `matching`.
    fn expect_matching(&self, node: &Node, edge: &EdgeName) -> Result<()> {
        let is_border = self.header.border.as_ref() == Some(edge);
        match self.header.has_halves {
            _ if edge.image == UNKNOWN => Ok(()),
            Some(true) if edge.half == Half::Whole && !is_border => Err(node
                .error(format!("`{edge}` has no sign, but the file says `matching: half`"))
                .with_help(format!("write `{edge}+` or `{edge}-`, or leave `matching` out"))),
            Some(false) if edge.half != Half::Whole => Err(node
                .error(format!("`{edge}` is a half, but the file says `matching: equal`"))
                .with_help("no name may end in `+` or `-` then")),
            _ => Ok(()),
        }
    }
}
