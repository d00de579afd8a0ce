//! A drawn net, when cut out, folded and glued by its numbers, is the solid, and the images match
//! across all its edges.

use std::collections::HashMap;
use std::f64::consts::PI;

use edgematch::board::{Board, CellSide, Solid, Wrap};
use fastrand::Rng;
use itertools::Itertools;
use roxmltree::{Document, Node};
use tempfile::tempdir;

use crate::session::{run, run_with_input, write};

/// A puzzle of random images with a solution on this board; `header` describes the board in the
/// file.
fn planted(header: &str, board: &Board, seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let seams: Vec<[CellSide; 2]> = board.touching().collect();
    let mut shown: HashMap<CellSide, String> = HashMap::new();
    for mut ends in seams.iter().copied() {
        random.shuffle(&mut ends);
        let image = random.usize(..seams.len() / 2 + 2);
        let signs = if image.is_multiple_of(3) { ["", ""] } else { ["+", "-"] };
        for (side, sign) in ends.into_iter().zip(signs) {
            shown.insert(side, format!("i{image}{sign}"));
        }
    }
    let mut tiles: Vec<Vec<String>> = Vec::new();
    for (cell, sides) in board.cells().iter().map(|cell| cell.sides).enumerate() {
        let rim = || "grey".to_owned();
        let mut edges: Vec<String> =
            (0..sides).map(|side| shown.get(&(cell, side)).cloned().unwrap_or_else(rim)).collect();
        edges.rotate_left(random.usize(..sides));
        tiles.push(edges);
    }
    random.shuffle(&mut tiles);
    let lines = tiles
        .iter()
        .enumerate()
        .map(|(index, edges)| format!("  {}: [{}]\n", index + 1, edges.join(", ")));
    let border = if board.rim().is_empty() { "" } else { "border: grey\n" };
    format!("{header}\n{border}tiles:\n{}", lines.collect::<String>())
}

/// The drawing of a solution of a puzzle, as SVG.
fn solved(yaml: &str) -> String {
    let session = run_with_input(&["solve", "-", "-o", "-", "-q"], yaml).expect(0);
    session.stdout
}

type Point = [f64; 2];
type Space = [f64; 3];

/// An affine map in SVG's notation: a, b, c, d, e, f.
type Matrix = [f64; 6];

fn apply(m: Matrix, [x, y]: Point) -> Point {
    [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]]
}

/// The composition that applies `n` first, then `m`.
fn after(m: Matrix, n: Matrix) -> Matrix {
    let [e, f] = apply(m, [n[4], n[5]]);
    let column = |x: f64, y: f64| [m[0] * x + m[2] * y, m[1] * x + m[3] * y];
    let ([a, b], [c, d]) = (column(n[0], n[1]), column(n[2], n[3]));
    [a, b, c, d, e, f]
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text
        .split(|c: char| !(c.is_ascii_digit() || "+-.e".contains(c)))
        .filter(|word| !word.is_empty());
    words.map(|word| word.parse().unwrap()).collect()
}

fn transform(text: &str) -> Matrix {
    let mut whole = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    for part in text.split_terminator(')') {
        let (name, values) = part.trim().split_once('(').unwrap();
        let values = numbers(values);
        let next = match name {
            "translate" => [1.0, 0.0, 0.0, 1.0, values[0], values[1]],
            "scale" => [values[0], 0.0, 0.0, *values.last().unwrap(), 0.0, 0.0],
            "rotate" => {
                let (sin, cos) = values[0].to_radians().sin_cos();
                assert_eq!(values.len(), 1, "about the origin");
                [cos, sin, -sin, cos, 0.0, 0.0]
            }
            _ => panic!("{name}"),
        };
        whole = after(whole, next);
    }
    whole
}

/// The map from an element's coordinates to those of the drawing.
fn to_drawing(node: Node) -> Matrix {
    let all: Vec<Node> = node.ancestors().collect();
    let mut whole = transform("");
    for text in all.iter().rev().filter_map(|n| n.attribute("transform")) {
        whole = after(whole, transform(text));
    }
    whole
}

fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

/// The tolerance in units of the drawing, in which a side is 100 long.
const NEARLY: f64 = 0.1;

/// The content of a side: the figure, and its offset from the middle.
#[derive(Debug, Clone, PartialEq)]
struct Half {
    figure: String,
    offset: f64,
}

impl Half {
    fn new(group: Node) -> Half {
        let path = group.children().find(|n| n.has_tag_name("path")).unwrap();
        let place = apply(transform(path.attribute("transform").unwrap()), [0.0, 0.0]);
        Half { figure: path.attribute("d").unwrap().to_owned(), offset: place[1] }
    }

    fn matches(&self, other: &Half) -> bool {
        self.figure == other.figure && (self.offset + other.offset).abs() < 1e-6
    }
}

/// A side of a drawn polygon.
#[derive(Debug, Clone)]
struct Side {
    /// The ends, counter-clockwise as drawn.
    ends: [Point; 2],
    half: Option<Half>,
    number: Option<String>,
}

/// The polygons of a drawing, reconstructed from the SVG alone.
fn polygons(svg: &str) -> Vec<Vec<Side>> {
    let document = Document::parse(svg).unwrap();
    let halves: HashMap<String, Half> = document
        .descendants()
        .filter(|n| n.has_tag_name("g"))
        .filter(|n| n.attribute("id").is_some_and(|id| id.starts_with('e')))
        .filter(|n| n.has_attribute("clip-path"))
        .map(|n| (format!("#{}", n.attribute("id").unwrap()), Half::new(n)))
        .collect();
    let tiles = document.descendants().filter(|n| {
        let title = n.first_element_child().and_then(|n| n.text());
        n.has_tag_name("g") && title.is_some_and(|title| title.starts_with("Tile "))
    });
    let mut polygons: Vec<Vec<Side>> = tiles.map(|tile| sides(tile, &halves)).collect();
    let texts = document.descendants();
    for text in texts.filter(|n| n.attribute("class") == Some("seam")) {
        let of = |name: &str| text.attribute(name).unwrap().parse::<f64>().unwrap();
        // The middle of the digits, not their baseline.
        let place = [of("x"), of("y") - 0.36 * of("font-size")];
        let inside = polygons.iter_mut().find(|sides| is_inside(sides, place));
        let nearest = inside.unwrap().iter_mut().min_by(|a, b| {
            let depth = |side: &Side| depth(side, place);
            depth(a).total_cmp(&depth(b))
        });
        let number = &mut nearest.unwrap().number;
        assert_eq!(*number, None, "two numbers at one side");
        *number = Some(text.text().unwrap().to_owned());
    }
    polygons
}

/// The path that a `use` element refers to.
fn path_behind<'a>(node: Node<'a, 'a>) -> &'a str {
    let id = node.attribute("href").unwrap().trim_start_matches('#');
    let mut all = node.document().descendants();
    let path = all.find(|n| n.attribute("id") == Some(id)).unwrap();
    path.attribute("d").unwrap()
}

fn sides(tile: Node, halves: &HashMap<String, Half>) -> Vec<Side> {
    let used: Vec<Node> = tile.descendants().filter(|n| n.has_tag_name("use")).collect();
    // The ground comes first, the outline last.
    let [paper, edges @ .., frame] = &used[..] else {
        panic!("a tile has paper and a frame");
    };
    assert!(paper.attribute("href").unwrap().starts_with("#front"));
    assert!(frame.attribute("href").unwrap().starts_with("#frame"));
    let numbers = numbers(&path_behind(*paper).replace(['M', 'L', 'Z'], " "));
    assert_eq!(path_behind(*paper), path_behind(*frame));
    let corners: Vec<Point> =
        numbers.chunks(2).map(|two| apply(to_drawing(*paper), [two[0], two[1]])).collect();
    let next = corners.iter().cycle().skip(1);
    let ends = corners.iter().zip(next);
    let mut sides: Vec<Side> =
        ends.map(|(&from, &to)| Side { ends: [from, to], half: None, number: None }).collect();
    for &edge in edges {
        let half = halves.get(edge.attribute("href").unwrap());
        // The middle of the right side of a square.
        let middle = apply(to_drawing(edge), [50.0, 0.0]);
        let there = sides.iter_mut().find(|side| {
            let [from, to] = side.ends;
            distance(middle, [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0]) < NEARLY
        });
        // The figure extends towards the inside of the tile.
        let inwards = apply(to_drawing(edge), [45.0, 0.0]);
        let side = there.expect("every edge lies on a side");
        assert!((depth(side, inwards) - 5.0).abs() < NEARLY);
        assert!(side.half.is_none(), "two edges on one side");
        side.half = half.cloned();
    }
    sides
}

/// The distance of a point from the line of a side, positive inside the polygon. Sides run
/// counter-clockwise as drawn, and y points down.
fn depth(side: &Side, point: Point) -> f64 {
    let [from, to] = side.ends;
    let along = [to[0] - from[0], to[1] - from[1]];
    let there = [point[0] - from[0], point[1] - from[1]];
    (along[1] * there[0] - along[0] * there[1]) / distance(from, to)
}

fn is_inside(sides: &[Side], point: Point) -> bool {
    sides.iter().all(|side| depth(side, point) > 0.0)
}

fn minus(a: Space, b: Space) -> Space {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Space, b: Space) -> Space {
    let at = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    [at(1, 2), at(2, 0), at(0, 1)]
}

/// A point rotated about an axis by an angle, by the right-hand rule.
fn turned(point: Space, [from, to]: [Space; 2], angle: f64) -> Space {
    let length = distance(from, to);
    let axis = minus(to, from).map(|x| x / length);
    let v = minus(point, from);
    let dot: f64 = axis.iter().zip(v).map(|(a, b)| a * b).sum();
    let across = cross(axis, v);
    let (sin, cos) = angle.sin_cos();
    std::array::from_fn(|i| from[i] + v[i] * cos + across[i] * sin + axis[i] * dot * (1.0 - cos))
}

/// Folds the polygons backwards along every line where two of them meet; returns the ends of each
/// side of each polygon in space.
fn folded(polygons: &[Vec<Side>], dihedral: f64) -> Vec<Vec<[Space; 2]>> {
    // y points upwards, so that the outside is visible.
    let flat = |sides: &Vec<Side>| -> Vec<[Space; 2]> {
        let ends = sides.iter().map(|side| side.ends.map(|[x, y]| [x, -y, 0.0]));
        ends.collect()
    };
    let mut space: Vec<Vec<[Space; 2]>> = polygons.iter().map(flat).collect();
    let mut parent = vec![None; polygons.len()];
    let mut order = vec![0];
    let mut next = 0;
    // The hinges between each polygon and the first one, with the nearest to the first last.
    while let Some(&polygon) = order.get(next) {
        next += 1;
        for (index, side) in polygons[polygon].iter().enumerate() {
            let [from, to] = side.ends;
            let meets = |other: &Side| {
                distance(other.ends[0], to) < NEARLY && distance(other.ends[1], from) < NEARLY
            };
            let beside = polygons.iter().position(|sides| sides.iter().any(meets));
            if let Some(beside) = beside.filter(|beside| !order.contains(beside)) {
                parent[beside] = Some((polygon, index));
                order.push(beside);
            }
        }
    }
    assert_eq!(order.len(), polygons.len(), "the net is in one piece");
    // The last polygon first: those attached to a polygon turn with it.
    for &polygon in order.iter().skip(1).rev() {
        let (above, side) = parent[polygon].unwrap();
        let hinge = polygons[above][side].ends.map(|[x, y]| [x, -y, 0.0]);
        for moving in order.iter().copied().filter(|&p| hangs(&parent, p, polygon)) {
            for end in space[moving].iter_mut().flatten() {
                *end = turned(*end, hinge, PI - dihedral);
            }
        }
    }
    space
}

fn hangs(parent: &[Option<(usize, usize)>], mut polygon: usize, from: usize) -> bool {
    while polygon != from {
        match parent[polygon] {
            Some((above, _)) => polygon = above,
            None => return false,
        }
    }
    true
}

fn assert_folds(svg: &str, faces: usize, dihedral: f64) {
    let polygons = polygons(svg);
    assert_eq!(polygons.len(), faces);
    let space = folded(&polygons, dihedral);
    let all: Vec<(&Side, [Space; 2])> =
        polygons.iter().flatten().zip(space.into_iter().flatten()).collect();
    let mut numbers = 0;
    for (index, (side, [from, to])) in all.iter().enumerate() {
        let meeting: Vec<&Side> = all
            .iter()
            .enumerate()
            .filter(|(other, (_, ends))| {
                *other != index
                    && distance(ends[0], *to) < NEARLY
                    && distance(ends[1], *from) < NEARLY
            })
            .map(|(_, (side, _))| *side)
            .collect();
        let [other] = meeting[..] else {
            panic!("{side:?} meets {} others", meeting.len());
        };
        let half = side.half.as_ref().unwrap();
        let its = other.half.as_ref().unwrap();
        assert!(half.matches(its), "{half:?} meets {its:?}");
        assert_eq!(side.number, other.number);
        let is_fold = distance(side.ends[0], other.ends[1]) < NEARLY
            && distance(side.ends[1], other.ends[0]) < NEARLY;
        assert_eq!(side.number.is_none(), is_fold);
        numbers += usize::from(side.number.is_some());
    }
    // The folds of a net in one piece form a tree: every other seam is cut and numbered on both
    // sides.
    assert_eq!(numbers, 2 * (all.len() / 2 - (faces - 1)));
}

#[test]
fn nets_of_solids_folded_along_their_lines_close_with_every_seam_whole() {
    for (solid, faces, dihedral) in [
        (Solid::Tetrahedron, 4, (1.0f64 / 3.0).acos()),
        (Solid::Cube, 6, PI / 2.0),
        (Solid::Octahedron, 8, (-1.0f64 / 3.0).acos()),
        (Solid::Dodecahedron, 12, (-1.0 / 5.0f64.sqrt()).acos()),
        (Solid::Icosahedron, 20, (-5.0f64.sqrt() / 3.0).acos()),
    ] {
        let header = format!("board: {}", solid.name());
        for seed in 0..3 {
            let yaml = planted(&header, &Board::solid(solid), seed);
            assert_folds(&solved(&yaml), faces, dihedral);
        }
    }
}

/// The numbers in a drawing, and how often each occurs.
fn times(svg: &str) -> Vec<(String, usize)> {
    let polygons = polygons(svg);
    let numbers = polygons.into_iter().flatten().filter_map(|side| side.number);
    let mut times: Vec<(String, usize)> = numbers.counts().into_iter().collect();
    times.sort_by_key(|(number, _)| number.parse::<usize>().unwrap());
    times
}

#[test]
fn joined_ends_and_seams_of_a_cell_with_itself_have_their_numbers_twice() {
    let twice = |numbers: usize| -> Vec<(String, usize)> {
        (1..=numbers).map(|n| (n.to_string(), 2)).collect()
    };
    for (size, name, wrap, cuts) in [
        ((2, 3), "both", Wrap::Both, 5),
        ((1, 2), "both", Wrap::Both, 3),
        ((3, 2), "horizontal", Wrap::Horizontal, 3),
        ((3, 2), "vertical", Wrap::Vertical, 2),
    ] {
        let header = format!("board: {{grid: [{}, {}], wrap: {name}}}", size.0, size.1);
        let board = Board::wrapped(size.0, size.1, wrap).unwrap();
        assert_eq!(times(&solved(&planted(&header, &board, 5))), twice(cuts));
    }
    let header = "board: {cells: {A: 8, B: 3}, seams: [[A, 0, A, 4], [A, 1, B, 2]]}";
    let cells = vec![("A".into(), 8), ("B".into(), 3)];
    let seams = vec![[(0, 0), (0, 4)], [(0, 1), (1, 2)]];
    let board = Board::from_cells(cells, seams).unwrap();
    assert_eq!(times(&solved(&planted(header, &board, 5))), twice(1));
}

#[test]
fn a_seam_that_is_cut_apart_is_marked_on_both_sides() {
    let yaml = "board: {grid: [1, 2], wrap: horizontal}\ntiles:\n  1: [a+, x, b+, x]\n  2: [c, x, a-, x]\n";
    let folder = tempdir().unwrap();
    let puzzle = write(folder.path(), "ring.yaml", yaml);
    let arrangement = write(folder.path(), "wrong.txt", "[t=1,r=0] [t=2,r=0]\n");
    let paths = [&puzzle, &arrangement].map(|path| path.to_str().unwrap());
    let svg = run(&["show", paths[0], paths[1], "-o", "-"]).stdout;
    assert_eq!(svg.matches("class=\"misfit\"").count(), 2);
}
