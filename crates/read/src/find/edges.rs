//! Steps in colour, and the evidence that they give for the sides of a card.
//!
//! The structure tensor (Bigün and Granlund, 1987) adds up the products of the gradients in CIE
//! L*a*b*. Along the side of a card, colours change across the side only. In a texture they change
//! in all directions alike: the difference of both directions is 0 there.

use image::RgbImage;

use crate::colour::lab;
use crate::quad::{Line, Point, Quad, distance};
use crate::sorted;

/// The number of samples along a side.
const SAMPLES: usize = 24;

/// The part of a side at each end that is not sampled, because corners may be rounded.
const CORNER: f32 = 0.06;

/// The offsets across a side at which a step is searched, in pixels.
const NEAR: [f32; 3] = [-1.5, 0.0, 1.5];

/// The support of samples outside the picture.
const UNKNOWN: f32 = 0.5;

/// The steps in colour of a picture.
pub(super) struct Edges {
    pub width: usize,
    pub height: usize,
    /// L*, a* and b* of each pixel, row by row.
    pub colours: Vec<[f32; 3]>,
    /// The magnitude of the gradient at each pixel, per pixel of distance.
    pub steps: Vec<f32>,
    /// For each pixel, the components of the structure tensor that depend on the direction: the
    /// squared gradient across minus that down, and twice their product; means of 3 × 3 pixels.
    directed: Vec<[f32; 2]>,
    /// The step that is full evidence for a side.
    full: f32,
}

/// The evidence for a quadrilateral; each value is from 0, none, to 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Support {
    /// The mean over the four sides.
    pub mean: f32,
    /// The minimum over the four sides.
    pub least: f32,
}

impl Support {
    /// Returns true if both values are at least those of `other`.
    pub fn reaches(self, other: Support) -> bool {
        self.mean >= other.mean && self.least >= other.least
    }
}

impl Edges {
    /// Measures the steps of a picture.
    pub fn new(picture: &RgbImage) -> Edges {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let colours = lab(picture);
        let mut steps = Vec::with_capacity(colours.len());
        let mut directed = Vec::with_capacity(colours.len());
        for y in 0..height {
            let rows = [y.saturating_sub(1), y, (y + 1).min(height - 1)].map(|row| row * width);
            for x in 0..width {
                let columns = [x.saturating_sub(1), x, (x + 1).min(width - 1)];
                let at = |row: usize, column: usize| colours[rows[row] + columns[column]];
                let near = [
                    at(0, 0),
                    at(0, 1),
                    at(0, 2),
                    at(1, 0),
                    at(1, 2),
                    at(2, 0),
                    at(2, 1),
                    at(2, 2),
                ];
                let (mut across, mut down, mut both) = (0.0, 0.0, 0.0);
                for c in 0..3 {
                    let [a, b, d, e, f, g, h, i] = near.map(|colour| colour[c]);
                    // The operator of Sobel, which adds up eight differences.
                    let gx = (d + 2.0 * f + i - a - 2.0 * e - g) / 8.0;
                    let gy = (g + 2.0 * h + i - a - 2.0 * b - d) / 8.0;
                    across += gx * gx;
                    down += gy * gy;
                    both += gx * gy;
                }
                steps.push((across + down).sqrt());
                directed.push([across - down, 2.0 * both]);
            }
        }
        let directed = blurred(&directed, width, height);
        let mut edges = Edges { width, height, colours, steps, directed, full: 1.0 };
        edges.full = edges.usual_step();
        edges
    }

    /// Makes steps of half the strength full evidence, for pale cards on a pale ground.
    pub fn make_sensitive(&mut self) {
        self.full /= 2.0;
    }

    /// The 70 % quantile of the visible steps on the sides of random squares: a picture with strong
    /// textures needs stronger evidence.
    fn usual_step(&self) -> f32 {
        const SQUARES: usize = 150;
        const VISIBLE: f32 = 1.0;
        const PART: f32 = 0.7;
        const RANGE: [f32; 2] = [2.0, 8.0];
        // Additive recurrences cover the parameters evenly, and give the same squares in each run.
        let random = |number: usize, step: f32| (number as f32 * step).fract();
        let mut steps = Vec::new();
        for number in 1..=SQUARES {
            let middle = (
                random(number, 0.856_675) * self.width as f32,
                random(number, 0.733_892) * self.height as f32,
            );
            let size =
                (0.08 + 0.25 * random(number, 0.628_707)) * self.width.min(self.height) as f32;
            let quad = Quad::square(middle, size, random(number, 0.538_597) * 1.57);
            for side in 0..4 {
                let found = self.steps_along(quad.0[side], quad.0[(side + 1) % 4]);
                steps.extend(found.flatten().filter(|&step| step > VISIBLE));
            }
        }
        let steps = sorted(steps.into_iter());
        let place = (steps.len() as f32 * PART) as usize;
        let [least, most] = RANGE;
        steps.get(place).map_or(least, |step| step.clamp(least, most))
    }

    /// The largest step across a line near each sample of it; `None` outside the picture.
    fn steps_along(&self, a: Point, b: Point) -> impl Iterator<Item = Option<f32>> {
        let direction = Direction::across(a, b);
        (0..SAMPLES).map(move |i| {
            let along = between(a, b, place(i));
            let near = NEAR.map(|off| self.step(direction.moved(along, off), &direction));
            near.into_iter().flatten().reduce(f32::max)
        })
    }

    /// The step at a point in a direction; `None` outside the picture.
    fn step(&self, (x, y): Point, direction: &Direction) -> Option<f32> {
        if !self.contains((x, y)) {
            return None;
        }
        let [even, odd] = self.directed[y as usize * self.width + x as usize];
        Some((even * direction.doubled.0 + odd * direction.doubled.1).max(0.0).sqrt())
    }

    /// Returns true for a point in the picture.
    pub fn contains(&self, (x, y): Point) -> bool {
        x >= 0.0 && y >= 0.0 && x < self.width as f32 && y < self.height as f32
    }

    /// The evidence for a side between two points, 0 to 1: the mean of the steps, each at most the
    /// usual one.
    pub fn side(&self, a: Point, b: Point) -> f32 {
        let value = |step: Option<f32>| step.map_or(UNKNOWN, |step| (step / self.full).min(1.0));
        self.steps_along(a, b).map(value).sum::<f32>() / SAMPLES as f32
    }

    /// The evidence for the four sides of a quadrilateral.
    pub fn support(&self, quad: &Quad) -> Support {
        let sides = [0, 1, 2, 3].map(|side| self.side(quad.0[side], quad.0[(side + 1) % 4]));
        Support {
            mean: sides.iter().sum::<f32>() / 4.0,
            least: sides.into_iter().fold(1.0, f32::min),
        }
    }

    /// Returns true if the mean step around a quadrilateral is less than half of that inside, as it
    /// is for a card on a ground, but not for a frame that is printed on a card.
    pub fn is_on_ground(&self, quad: &Quad) -> bool {
        /// Pixels nearer to a side than this, relative to it, do not count.
        const BORDER: f32 = 0.03;
        let border = quad.side() * BORDER;
        let (mut inside, mut outside) = ((0.0, 0.0), (0.0, 0.0));
        for (at, step) in self.steps.iter().enumerate() {
            let depth = quad.depth(((at % self.width) as f32, (at / self.width) as f32));
            if depth > border {
                inside = (inside.0 + step, inside.1 + 1.0);
            } else if depth < -border {
                outside = (outside.0 + step, outside.1 + 1.0);
            }
        }
        // Compares the means without division, because either number of pixels can be 0.
        outside.1 > 0.0 && 2.0 * outside.0 * inside.1 < inside.0 * outside.1
    }

    /// Moves and slightly rotates each side to the line with the most evidence. The ends of a side
    /// move by at most `reach` pixels.
    pub fn refined(&self, quad: &Quad, reach: f32) -> Quad {
        let lines = [0, 1, 2, 3].map(|side| self.best_line(quad, side, reach));
        Quad::between(&lines).unwrap_or(*quad)
    }

    /// The line near a side of a quadrilateral with the most evidence.
    fn best_line(&self, quad: &Quad, side: usize, reach: f32) -> Line {
        /// The preference for lines nearby, per sample and relative distance.
        const BY_DISTANCE: f32 = 0.06;
        let (a, b) = (quad.0[side], quad.0[(side + 1) % 4]);
        let direction = Direction::across(a, b);
        let most = (reach.ceil() as usize).max(1);
        let number = 2 * most + 1;
        let off = |i: usize| i as f32 - most as f32;
        let votes: Vec<f32> = (0..SAMPLES)
            .flat_map(|sample| {
                let along = between(a, b, place(sample));
                (0..number).map(move |i| (along, i))
            })
            .map(|(along, i)| {
                let step = self.step(direction.moved(along, off(i)), &direction);
                step.map_or(UNKNOWN, |step| (step / self.full).min(1.5))
            })
            .collect();
        let mut best = (f32::MIN, most, most);
        for from in 0..number {
            for to in 0..number {
                let at = |sample: usize| {
                    let middle = from as f32 + (to as f32 - from as f32) * place(sample);
                    votes[sample * number + (middle + 0.5) as usize]
                };
                let sum: f32 = (0..SAMPLES).map(at).sum();
                let far = (from.abs_diff(most) + to.abs_diff(most)) as f32 / most as f32;
                let sum = sum - far * BY_DISTANCE * SAMPLES as f32 / 2.0;
                if sum > best.0 {
                    best = (sum, from, to);
                }
            }
        }
        Line::through(direction.moved(a, off(best.1)), direction.moved(b, off(best.2)))
    }
}

/// The position of a sample along a side, from 0 to 1.
fn place(sample: usize) -> f32 {
    CORNER + (1.0 - 2.0 * CORNER) * (sample as f32 + 0.5) / SAMPLES as f32
}

/// The point at a fraction of the way from one point to another.
fn between(a: Point, b: Point, t: f32) -> Point {
    (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t)
}

/// The direction across a line.
struct Direction {
    /// The unit normal, which points outwards for a side of a quadrilateral.
    normal: Point,
    /// The cosine and sine of twice the angle of the normal.
    doubled: (f32, f32),
}

impl Direction {
    /// The direction across the line from one point to another.
    fn across(a: Point, b: Point) -> Direction {
        let length = distance(a, b).max(1e-3);
        let (x, y) = ((b.1 - a.1) / length, (a.0 - b.0) / length);
        Direction { normal: (x, y), doubled: (x * x - y * y, 2.0 * x * y) }
    }

    /// A point moved by a distance.
    fn moved(&self, point: Point, by: f32) -> Point {
        (point.0 + self.normal.0 * by, point.1 + self.normal.1 * by)
    }
}

/// The means of 3 × 3 pixels; those outside the picture count as 0.
fn blurred(values: &[[f32; 2]], width: usize, height: usize) -> Vec<[f32; 2]> {
    let sum = |a: [f32; 2], b: [f32; 2]| [a[0] + b[0], a[1] + b[1]];
    let rows: Vec<[f32; 2]> = (0..values.len())
        .map(|at| {
            let x = at % width;
            let left = if x > 0 { values[at - 1] } else { [0.0; 2] };
            let right = if x + 1 < width { values[at + 1] } else { [0.0; 2] };
            sum(sum(left, right), values[at])
        })
        .collect();
    (0..values.len())
        .map(|at| {
            let above = if at >= width { rows[at - width] } else { [0.0; 2] };
            let below = if at + width < width * height { rows[at + width] } else { [0.0; 2] };
            sum(sum(above, below), rows[at]).map(|value| value / 9.0)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn the_sides_of_a_square_are_evidence_and_a_texture_is_none() {
        let texture = |x: u32, y: u32| ((x * 7919 + y * 104_729 + x * y * 31) % 97) as u8;
        let square = Quad::square((60.0, 60.0), 50.0, 0.3);
        let picture = RgbImage::from_fn(120, 120, |x, y| {
            let is_card = square.depth((x as f32 + 0.5, y as f32 + 0.5)) > 0.0;
            Rgb([if is_card { 250 } else { texture(x, y) }; 3])
        });
        let edges = Edges::new(&picture);
        let card = edges.support(&square);
        assert!(card.mean > 0.8 && card.least > 0.7, "{card:?}");
        let inside = edges.support(&Quad::square((60.0, 60.0), 25.0, 0.3));
        assert!(inside.mean < 0.05, "{inside:?}");
        let off = Quad::square((61.0, 59.0), 52.0, 0.28);
        let refined = edges.refined(&off, 4.0);
        for (found, corner) in refined.0.iter().zip(square.0) {
            assert!((found.0 - corner.0).hypot(found.1 - corner.1) < 2.5, "{refined:?}");
        }
    }
}
