//! Synthetic photographs of puzzles.
//!
//! Cards are drawn, shuffled, rotated, placed on a ground and photographed by a camera that is
//! neither exactly above them nor perfectly sharp. The true positions are known, so that a reading
//! can be judged.

mod art;
mod noise;

use edgematch::board::Board;
use edgematch::enumerate::Limits;
use edgematch::generate::{Generator, Recipe, Target};
use edgematch::problem::Problem;
use fastrand::Rng;
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage, imageops};

pub use self::art::{ARTS, Art};
use self::noise::{Noise, mix};

/// A point in a photograph, in pixels from the left and from the top.
pub type Point = (f32, f32);

/// The arrangement of the cards on the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Layout {
    /// In rows and columns with this gap (relative to a card), without a margin.
    Cropped(f64),
    /// In rows and columns with this gap (relative to a card), on a ground.
    Board(f64),
    /// Apart from each other, each slightly rotated.
    Loose,
    /// Apart from each other, each rotated by up to 25°.
    Scattered,
}

/// The ground below the cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Paper.
    White,
    /// A wooden table.
    Wood,
    /// A floor of wooden boards with dark joints.
    Planks,
    /// A woven cloth with stripes.
    Cloth,
    /// Stone with spots of different sizes.
    Stone,
    /// A cloth with checks that are smaller than a card.
    Checks,
}

/// All grounds.
pub const GROUNDS: [Ground; 6] =
    [Ground::White, Ground::Wood, Ground::Planks, Ground::Cloth, Ground::Stone, Ground::Checks];

/// The light in which the cards lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Light {
    /// Uneven, with a soft shadow; both depend on the distortion.
    Day,
    /// With a shadow that has a sharp edge.
    Shadow,
    /// With the reflection of a flash.
    Flash,
}

/// The degradation of a photograph: 0 is a scan, 1 a careful photograph, 2 the worst that should be
/// readable.
pub type Distortion = f64;

/// The parameters of a photograph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// The random seed, for the puzzle and the photograph.
    pub seed: u64,
    /// The artwork on the cards.
    pub art: Art,
    /// The rows and columns of the puzzle.
    pub size: (usize, usize),
    /// The number of images.
    pub images: usize,
    /// True if images have halves.
    pub has_halves: bool,
    /// The approximate side of a card, in pixels.
    pub pixels: u32,
    /// The arrangement of the cards.
    pub layout: Layout,
    /// The ground below the cards.
    pub ground: Ground,
    /// The light.
    pub light: Light,
    /// The degradation of the photograph.
    pub distortion: Distortion,
}

/// A photograph, and the puzzle and positions that it shows.
#[derive(Debug, Clone)]
pub struct Photograph {
    /// The JPEG file.
    pub jpeg: Vec<u8>,
    /// The puzzle.
    pub problem: Problem,
    /// The corners of each tile in the photograph, clockwise from the one that is at the top left
    /// of the unrotated tile.
    pub corners: Vec<[Point; 4]>,
}

impl Shot {
    /// Generates the puzzle. As in published puzzles, each half occurs at least three times.
    ///
    /// # Panics
    /// If there is no such puzzle.
    pub fn problem(&self) -> Problem {
        const TRIES: u64 = 1000;
        let (rows, columns) = self.size;
        let recipe = Recipe {
            board: Board::grid(rows, columns),
            images: self.images,
            has_halves: self.has_halves,
            frame: None,
            may_turn: true,
            two_sided: false,
        };
        let wish = Target { no_twins: true, ..Target::default() };
        let generator = Generator::new(recipe, wish).expect("there are enough edges");
        let labels = self.images * if self.has_halves { 2 } else { 1 };
        let make = |number: u64| {
            let seed = self.seed * TRIES + number;
            let made = generator.make(seed, &Limits::default(), &mut |_| ());
            made.expect("there are many").problem
        };
        let is_usual = |problem: &Problem| {
            let edges = problem.puzzle.edges_within(problem.board.size());
            edges.len() == labels && edges.iter().all(|&number| number >= 3)
        };
        let mut all = (0..TRIES).map(make);
        all.find(is_usual).expect("there are many")
    }

    /// Takes the photograph.
    ///
    /// # Panics
    /// If there is no such puzzle.
    pub fn take(&self) -> Photograph {
        let problem = self.problem();
        let mut rng = Rng::with_seed(self.seed ^ 0x0ca3_3e2a);
        let cards = art::cards(&problem, self.art, self.pixels.max(120), rng.u64(..));
        let table = Table::new(self, &mut rng);
        let (jpeg, corners) = self.photographed(&table, &cards, &mut rng);
        Photograph { jpeg, problem, corners }
    }

    /// Takes a photograph of the ground without cards; returns the JPEG file.
    pub fn take_ground(&self) -> Vec<u8> {
        let mut rng = Rng::with_seed(self.seed ^ 0x0ca3_3e2a);
        let table = Table { cards: Vec::new(), ..Table::new(self, &mut rng) };
        self.photographed(&table, &[], &mut rng).0
    }

    /// The JPEG file of a table, and the corners of its cards.
    fn photographed(
        &self,
        table: &Table,
        cards: &[RgbImage],
        rng: &mut Rng,
    ) -> (Vec<u8>, Vec<[Point; 4]>) {
        let camera = Camera::new(self, table, rng);
        let mut picture = camera.see(table, cards);
        if self.distortion > 0.0 {
            let blur = self.distortion * f64::from(self.pixels).sqrt() * 0.08;
            picture = imageops::blur(&picture, (blur as f32).max(0.3));
            camera.add_noise(&mut picture, rng);
        }
        let mut jpeg = Vec::new();
        let quality = mix(95.0, 40.0, self.distortion / 2.0);
        JpegEncoder::new_with_quality(&mut jpeg, quality as u8)
            .encode_image(&picture)
            .expect("memory takes it");
        let mut corners = vec![[(0.0, 0.0); 4]; cards.len()];
        for card in &table.cards {
            corners[card.tile] = card.corners().map(|at| camera.shown(at));
        }
        (jpeg, corners)
    }
}

/// A card on the table; lengths are relative to the side of a card.
struct CardOnTable {
    tile: usize,
    middle: (f64, f64),
    /// The rotation, clockwise, in radians.
    turn: f64,
}

impl CardOnTable {
    fn corners(&self) -> [(f64, f64); 4] {
        let (sin, cos) = self.turn.sin_cos();
        [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
            .map(|(x, y)| (self.middle.0 + x * cos - y * sin, self.middle.1 + x * sin + y * cos))
    }

    /// The coordinates of a point of the table on the card, 0 to 1.
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (sin, cos) = self.turn.sin_cos();
        let (dx, dy) = (x - self.middle.0, y - self.middle.1);
        (dx * cos + dy * sin + 0.5, dy * cos - dx * sin + 0.5)
    }
}

/// The cards on their ground.
struct Table {
    cards: Vec<CardOnTable>,
    width: f64,
    height: f64,
    margin: f64,
    ground: Ground,
    noise: Noise,
}

impl Table {
    fn new(shot: &Shot, rng: &mut Rng) -> Table {
        let (rows, columns) = shot.size;
        let (gap, margin, slip, turn) = match shot.layout {
            Layout::Cropped(gap) => (gap, 0.0, 0.0, 0.0),
            Layout::Board(gap) => (gap, 0.5, 0.0, 0.0),
            Layout::Loose => (0.25, 0.6, 0.07, 4f64.to_radians() * shot.distortion),
            Layout::Scattered => (0.45, 0.7, 0.1, 25f64.to_radians()),
        };
        let mut tiles: Vec<usize> = (0..rows * columns).collect();
        rng.shuffle(&mut tiles);
        let step = 1.0 + gap;
        let cards = tiles.into_iter().enumerate().map(|(place, tile)| {
            let mut slipped = |at: usize| at as f64 * step + 0.5 + (rng.f64() - 0.5) * slip;
            let middle = (slipped(place % columns), slipped(place / columns));
            let quarters = rng.usize(..4) as f64;
            CardOnTable {
                tile,
                middle,
                turn: quarters * std::f64::consts::FRAC_PI_2 + (rng.f64() - 0.5) * 2.0 * turn,
            }
        });
        Table {
            cards: cards.collect(),
            width: columns as f64 * step - gap,
            height: rows as f64 * step - gap,
            margin,
            ground: shot.ground,
            noise: Noise(rng.u64(..)),
        }
    }

    /// The colour of a wooden table at a point.
    fn wood(&self, (x, y): (f64, f64)) -> [f64; 3] {
        let bend = self.noise.octaves(x * 0.4, y * 0.4, 2) * 2.0;
        let ring = (y * 7.0 + bend * 3.0).sin() * 0.5;
        let grain = self.noise.octaves(x * 2.0, y * 40.0, 3) * 0.6;
        let dark = 1.0 + 0.14 * ring + 0.16 * grain;
        [156.0 * dark, 108.0 * dark, 66.0 * dark]
    }

    /// The colour at a point.
    fn colour(&self, (x, y): (f64, f64), cards: &[RgbImage]) -> [f64; 3] {
        let near = self.cards.iter().map(|card| (card, card.at((x, y))));
        let mut shade: f64 = 1.0;
        for (card, (u, v)) in near {
            let beyond = [-u, u - 1.0, -v, v - 1.0].into_iter().fold(0.0, f64::max);
            if beyond <= 0.0 {
                return sample(&cards[card.tile], u, v);
            }
            shade = shade.min(0.75 + beyond / 0.03 * 0.25);
        }
        let ground = match self.ground {
            Ground::White => {
                let grain = self.noise.octaves(x * 8.0, y * 8.0, 2) * 3.0;
                [238.0 + grain, 237.0 + grain, 232.0 + grain]
            }
            Ground::Wood => self.wood((x, y)),
            Ground::Planks => {
                /// The height and the length of a board, relative to a card.
                const BOARD: (f64, f64) = (0.8, 3.1);
                let row = (y / BOARD.0).floor();
                let (up, along) = (y / BOARD.0 - row, x / BOARD.1 + row * 0.37);
                let off_joint = (up.min(1.0 - up) * BOARD.0)
                    .min((along - along.floor()).min(along.ceil() - along) * BOARD.1);
                let tone = 1.0 + 0.2 * self.noise.at(row * 5.1, along.floor() * 3.7);
                let joint = (off_joint / 0.02).clamp(0.3, 1.0);
                self.wood((x, y + row * 7.0)).map(|channel| channel * tone * joint)
            }
            Ground::Cloth => {
                let weave = (x * 80.0).sin() * (y * 80.0).sin() * 8.0;
                let fold = self.noise.octaves(x * 0.7, y * 0.7, 2) * 14.0;
                let is_stripe = (y * 3.0).rem_euclid(1.0) < 0.3;
                let yarn = if is_stripe { [128.0, 152.0, 190.0] } else { [178.0, 172.0, 160.0] };
                yarn.map(|channel| channel + weave + fold)
            }
            Ground::Stone => {
                let spot = self.noise.octaves(x * 6.0, y * 6.0, 4) * 32.0;
                let vein = self.noise.octaves(x * 1.2 + 9.0, y * 1.2, 2) * 16.0;
                [134.0, 130.0, 126.0].map(|channel| channel + spot + vein)
            }
            Ground::Checks => {
                let is_dark = |t: f64| (t * 1.6).rem_euclid(1.0) < 0.5;
                match (is_dark(x), is_dark(y)) {
                    (true, true) => [150.0, 30.0, 40.0],
                    (false, false) => [236.0, 232.0, 226.0],
                    _ => [196.0, 132.0, 134.0],
                }
            }
        };
        ground.map(|channel| channel * shade)
    }
}

/// The colour at a point of a card, interpolated.
fn sample(card: &RgbImage, u: f64, v: f64) -> [f64; 3] {
    let place =
        |t: f64, pixels: u32| (t * f64::from(pixels) - 0.5).clamp(0.0, f64::from(pixels - 1));
    let (x, y) = (place(u, card.width()), place(v, card.height()));
    let (left, top) = (x as u32, y as u32);
    let right = (left + 1).min(card.width() - 1);
    let bottom = (top + 1).min(card.height() - 1);
    [0, 1, 2].map(|channel| {
        let at = |x: u32, y: u32| f64::from(card.get_pixel(x, y)[channel]);
        let above = mix(at(left, top), at(right, top), x.fract());
        let below = mix(at(left, bottom), at(right, bottom), x.fract());
        mix(above, below, y.fract())
    })
}

/// A projective map of the plane, as a matrix of homogeneous coordinates.
struct Projection([[f64; 3]; 3]);

impl Projection {
    /// The projection that maps four points to four others, no three of which are in line.
    fn between(from: [(f64, f64); 4], to: [(f64, f64); 4]) -> Projection {
        let [Projection(a), Projection(b)] =
            [Projection::onto(to), Projection::onto(from).inverse()];
        let entry = |row: usize, column: usize| (0..3).map(|k| a[row][k] * b[k][column]).sum();
        Projection([0, 1, 2].map(|row| [0, 1, 2].map(|column| entry(row, column))))
    }

    /// The projection that maps the unit square to these corners (Heckbert, 1989).
    fn onto([a, b, c, d]: [(f64, f64); 4]) -> Projection {
        let cross = |p: (f64, f64), q: (f64, f64)| p.0 * q.1 - p.1 * q.0;
        let (right, bottom) = ((b.0 - c.0, b.1 - c.1), (d.0 - c.0, d.1 - c.1));
        let rest = (a.0 - b.0 + c.0 - d.0, a.1 - b.1 + c.1 - d.1);
        let g = cross(rest, bottom) / cross(right, bottom);
        let h = cross(right, rest) / cross(right, bottom);
        let row = |a: f64, b: f64, d: f64| [b - a + g * b, d - a + h * d, a];
        Projection([row(a.0, b.0, d.0), row(a.1, b.1, d.1), [g, h, 1.0]])
    }

    /// The inverse, by the adjugate.
    fn inverse(&self) -> Projection {
        let minor = |row: usize, column: usize| {
            let at = |i: usize, j: usize| self.0[(row + i) % 3][(column + j) % 3];
            at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
        };
        Projection([0, 1, 2].map(|row| [0, 1, 2].map(|column| minor(column, row))))
    }

    fn apply(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let [x, y, scale] = self.0.map(|row| row[0] * x + row[1] * y + row[2]);
        (x / scale, y / scale)
    }
}

/// The camera: its position and the lighting.
struct Camera {
    width: u32,
    height: u32,
    /// The projection from the table to the photograph.
    projection: Projection,
    pixels: f64,
    distortion: Distortion,
    /// The change of brightness from the middle to the right and to the bottom.
    light: (f64, f64),
    /// The direction of the shadow's edge, its distance from the middle, its depth and sharpness.
    shadow: (f64, f64, f64, f64),
    /// The strength of the reflection in the middle.
    flash: f64,
}

impl Camera {
    fn new(shot: &Shot, table: &Table, rng: &mut Rng) -> Camera {
        let pixels = f64::from(shot.pixels);
        let bad = shot.distortion;
        let is_cropped = matches!(shot.layout, Layout::Cropped(_));
        let (left, top) = (-table.margin, -table.margin);
        let (right, bottom) = (table.width + table.margin, table.height + table.margin);
        let mut from = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let (wide, high) = (right - left, bottom - top);
        let to = from.map(|(x, y)| ((x - left) * pixels, (y - top) * pixels));
        if !is_cropped {
            let middle = (table.width / 2.0, table.height / 2.0);
            let turn = (rng.f64() - 0.5) * 2.0 * 5f64.to_radians() * bad;
            let (sin, cos) = turn.sin_cos();
            for corner in &mut from {
                let (x, y) = (corner.0 - middle.0, corner.1 - middle.1);
                corner.0 = middle.0 + x * cos - y * sin + (rng.f64() - 0.5) * 0.08 * wide * bad;
                corner.1 = middle.1 + x * sin + y * cos + (rng.f64() - 0.5) * 0.08 * high * bad;
            }
        }
        let angle = rng.f64() * std::f64::consts::TAU;
        Camera {
            width: (wide * pixels) as u32,
            height: (high * pixels) as u32,
            projection: Projection::between(from, to),
            pixels,
            distortion: bad,
            light: (0.15 * bad * angle.cos(), 0.15 * bad * angle.sin()),
            shadow: {
                let (direction, at) = (rng.f64() * 6.3, rng.f64() - 0.5);
                match shot.light {
                    Light::Shadow => (direction, at, 0.45, 60.0),
                    Light::Day | Light::Flash => (direction, at, 0.22 * bad, 4.0),
                }
            },
            flash: if shot.light == Light::Flash { 90.0 } else { 0.0 },
        }
    }

    /// The position of a point of the table in the photograph.
    fn shown(&self, (x, y): (f64, f64)) -> Point {
        let (x, y) = self.projection.apply((x, y));
        (x as f32, y as f32)
    }

    /// Renders the photograph, without blur and noise.
    fn see(&self, table: &Table, cards: &[RgbImage]) -> RgbImage {
        const SAMPLES: [f64; 2] = [0.25, 0.75];
        let back = self.projection.inverse();
        RgbImage::from_fn(self.width, self.height, |column, row| {
            let mut sum = [0.0; 3];
            for dx in SAMPLES {
                for dy in SAMPLES {
                    let place = back.apply((f64::from(column) + dx, f64::from(row) + dy));
                    let seen = table.colour(place, cards);
                    for channel in 0..3 {
                        sum[channel] += seen[channel] / 4.0;
                    }
                }
            }
            let (light, flash) = self.light_at(f64::from(column), f64::from(row));
            Rgb(sum.map(|c| (c * light + flash).clamp(0.0, 255.0) as u8))
        })
    }

    /// The lighting at a pixel: the factor of the brightness, and the reflected light.
    fn light_at(&self, column: f64, row: f64) -> (f64, f64) {
        let x = column / f64::from(self.width) * 2.0 - 1.0;
        let y = row / f64::from(self.height) * 2.0 - 1.0;
        let (direction, at, depth, sharpness) = self.shadow;
        let beyond = x * direction.cos() + y * direction.sin() - at;
        let shadow = depth * (beyond * sharpness).clamp(0.0, 1.0);
        let flash = self.flash * (-6.0 * (x * x + y * y)).exp();
        ((1.0 + self.light.0 * x + self.light.1 * y) * (1.0 - shadow), flash)
    }

    /// Adds sensor noise.
    fn add_noise(&self, picture: &mut RgbImage, rng: &mut Rng) {
        let strength = 4.0 * self.distortion * (self.pixels / 100.0).clamp(0.6, 1.5);
        for pixel in picture.pixels_mut() {
            for channel in &mut pixel.0 {
                // The sum of three is approximately normally distributed.
                let noise = (rng.f64() + rng.f64() + rng.f64() - 1.5) * 2.0 * strength;
                *channel = (f64::from(*channel) + noise).clamp(0.0, 255.0) as u8;
            }
        }
    }
}
