//! Generated puzzles with few images, so that twins, self-symmetric tiles and solutions are common.

use std::collections::BTreeSet;

use proptest::prelude::*;

/// A random puzzle on a grid of squares, whose tiles are called `t0`, `t1`, ….
#[derive(Debug, Clone)]
pub struct Generated {
    rows: usize,
    columns: usize,
    may_turn: bool,
    has_border: bool,
    tiles: Vec<[String; 4]>,
}

impl Generated {
    /// The numbers of rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.tiles.len()
    }

    /// The names of the images, without those of halves.
    pub fn images(&self) -> Vec<String> {
        let edges = self.tiles.iter().flatten();
        let images = edges.map(|edge| edge.trim_end_matches(['+', '-']).to_owned());
        images.collect::<BTreeSet<String>>().into_iter().collect()
    }

    pub fn yaml(&self) -> String {
        let mut yaml = format!("rows: {}\ncols: {}\n", self.rows, self.columns);
        yaml += &format!("rotations: {}\n", self.may_turn);
        if self.has_border {
            yaml += "border: x\n";
        }
        yaml += "tiles:\n";
        for (index, tile) in self.tiles.iter().enumerate() {
            yaml += &format!("  t{index}: [{}]\n", tile.join(", "));
        }
        yaml
    }
}

/// The set of names from which edges are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Signed,
    Plain,
    Mixed,
    Framed,
    ManySigned,
}

fn edge(style: Style) -> impl Strategy<Value = String> {
    let names: &[&str] = match style {
        Style::Signed => &["a+", "a-", "b+", "b-"],
        Style::Plain => &["a", "b"],
        Style::Mixed => &["a+", "a-", "g"],
        Style::Framed => &["a", "x", "x"],
        Style::ManySigned => &["a+", "a-", "b+", "b-", "c+", "c-", "d+", "d-"],
    };
    proptest::sample::select(names).prop_map(str::to_owned)
}

fn style() -> impl Strategy<Value = Style> {
    use Style::*;
    proptest::sample::select(&[Signed, Plain, Mixed, Framed, ManySigned][..])
}

/// Puzzles with random tiles on boards of these sizes, sometimes with one or two spare tiles.
pub fn random(sizes: &'static [(usize, usize)]) -> impl Strategy<Value = Generated> {
    (proptest::sample::select(sizes), style(), any::<bool>(), 0..3usize).prop_flat_map(
        |((rows, columns), style, may_turn, spare)| {
            let cells = rows * columns;
            let tiles = cells + if cells > 4 { spare.min(1) } else { spare };
            let edge = move || edge(style);
            let tile = (edge(), edge(), edge(), edge()).prop_map(|t| [t.0, t.1, t.2, t.3]);
            proptest::collection::vec(tile, tiles).prop_map(move |tiles| Generated {
                rows,
                columns,
                may_turn,
                has_border: style == Style::Framed,
                tiles,
            })
        },
    )
}

/// Puzzles with at least one solution: seams are drawn at random, and the resulting tiles are
/// rotated and shuffled. `images` images, with or without halves.
pub fn planted(
    sizes: &'static [(usize, usize)],
    images: std::ops::Range<usize>,
) -> impl Strategy<Value = Generated> {
    (proptest::sample::select(sizes), images, any::<bool>(), any::<bool>(), any::<bool>())
        .prop_flat_map(|((rows, columns), images, is_signed, may_turn, has_border)| {
            let sides = 2 * rows * columns + rows + columns;
            let draws = proptest::collection::vec((0..images, any::<bool>()), sides);
            let turns = proptest::collection::vec(0..4usize, rows * columns);
            let order = Just((0..rows * columns).collect::<Vec<_>>()).prop_shuffle();
            (draws, turns, order).prop_map(move |(draws, turns, order)| {
                let plan =
                    Plan { rows, columns, is_signed, has_border, has_frame_images: false, draws };
                plan.cut(may_turn.then_some(&turns), &order)
            })
        })
}

/// A filled board, defined by the images on its seams.
pub struct Plan {
    pub rows: usize,
    pub columns: usize,
    pub is_signed: bool,
    pub has_border: bool,
    /// True if seams along the frame use four separate images.
    pub has_frame_images: bool,
    /// An image and a sign for each seam, and for each side on the rim.
    pub draws: Vec<(usize, bool)>,
}

impl Plan {
    /// Cuts the board into tiles in the given order of cells, rotated by `turns` if that is given.
    pub fn cut(&self, turns: Option<&Vec<usize>>, order: &[usize]) -> Generated {
        let tiles = order.iter().map(|&cell| {
            let mut tile = self.tile(cell);
            if let Some(turns) = turns {
                tile.rotate_right(turns[cell]);
            }
            tile
        });
        Generated {
            rows: self.rows,
            columns: self.columns,
            may_turn: turns.is_some(),
            has_border: self.has_border,
            tiles: tiles.collect(),
        }
    }

    /// The sides of a cell. Vertical seams are numbered first, row by row, then horizontal ones.
    fn tile(&self, cell: usize) -> [String; 4] {
        let row = cell / self.columns;
        let column = cell % self.columns;
        let upright = |column: usize| row * (self.columns + 1) + column;
        let level = |row: usize| self.rows * (self.columns + 1) + row * self.columns + column;
        let in_outer_row = row == 0 || row + 1 == self.rows;
        let in_outer_column = column == 0 || column + 1 == self.columns;
        let across = |column: usize, is_second, is_rim| {
            self.edge(upright(column), is_second, is_rim, in_outer_row)
        };
        let down = |row: usize, is_second, is_rim| {
            self.edge(level(row), is_second, is_rim, in_outer_column)
        };
        [
            across(column + 1, false, column + 1 == self.columns),
            down(row, true, row == 0),
            across(column, true, column == 0),
            down(row + 1, false, row + 1 == self.rows),
        ]
    }

    fn edge(&self, seam: usize, is_second: bool, is_rim: bool, is_along_frame: bool) -> String {
        let (image, sign) = self.draws[seam];
        if self.has_border && is_rim {
            return "x".into();
        }
        if self.has_frame_images && is_along_frame {
            return format!("b{}", image % 4);
        }
        match (self.is_signed, sign != is_second) {
            (false, _) => format!("i{image}"),
            (true, true) => format!("i{image}+"),
            (true, false) => format!("i{image}-"),
        }
    }
}

/// A puzzle cut from a board with random seams; `images` images with halves, or whole ones inside a
/// frame.
pub fn large(size: usize, images: usize, is_framed: bool, seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let sides = 2 * size * (size + 1);
    let plan = Plan {
        rows: size,
        columns: size,
        is_signed: !is_framed,
        has_border: is_framed,
        has_frame_images: is_framed,
        draws: (0..sides).map(|_| (random.usize(..images), random.bool())).collect(),
    };
    let turns = (0..size * size).map(|_| random.usize(..4)).collect();
    let mut order: Vec<usize> = (0..size * size).collect();
    random.shuffle(&mut order);
    plan.cut(Some(&turns), &order).yaml()
}

/// A solvable puzzle with halves of `images` images, as a line of JSON.
pub fn halves(seed: u64, rows: usize, columns: usize, images: usize) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut tiles = vec![[const { String::new() }; 4]; rows * columns];
    let mut half = || {
        let image = char::from(b'a' + random.u8(..images as u8));
        let signs = if random.bool() { ['+', '-'] } else { ['-', '+'] };
        signs.map(|sign| format!("{image}{sign}"))
    };
    for cell in 0..tiles.len() {
        let [right, left] = half();
        let [bottom, top] = half();
        let row = cell / columns;
        let column = cell % columns;
        tiles[cell][0] = right;
        tiles[cell][3] = bottom;
        tiles[row * columns + (column + 1) % columns][2] = left;
        tiles[(row + 1) % rows * columns + column][1] = top;
    }
    random.shuffle(&mut tiles);
    let tiles: serde_json::Map<_, _> = tiles
        .iter_mut()
        .enumerate()
        .map(|(index, tile)| {
            tile.rotate_left(random.usize(..4));
            (format!("{}", index + 1), serde_json::json!(tile))
        })
        .collect();
    serde_json::json!({"name": format!("s{seed}"), "rows": rows, "cols": columns, "tiles": tiles})
        .to_string()
}
