//! Smooth noise that can be evaluated at any point.

/// Value noise: random values at integer points, smoothly interpolated. (Perlin noise, 1985, has
/// random gradients instead.)
#[derive(Debug, Clone, Copy)]
pub struct Noise(pub u64);

impl Noise {
    /// The value at a point, approximately -1 to 1.
    pub fn at(self, x: f64, y: f64) -> f64 {
        let left = x.floor();
        let top = y.floor();
        let across = smooth(x - left);
        let down = smooth(y - top);
        let corner = |dx: f64, dy: f64| self.value((left + dx) as i64, (top + dy) as i64);
        let above = mix(corner(0.0, 0.0), corner(1.0, 0.0), across);
        let below = mix(corner(0.0, 1.0), corner(1.0, 1.0), across);
        mix(above, below, down)
    }

    /// The sum of several octaves, each with half the amplitude and twice the frequency of the
    /// previous one.
    pub fn octaves(self, x: f64, y: f64, number: u32) -> f64 {
        let octave = |n: u32| {
            let scale = f64::from(1 << n);
            Noise(self.0.wrapping_add(u64::from(n) * 7919)).at(x * scale, y * scale) / scale
        };
        (0..number).map(octave).sum()
    }

    /// The random value at an integer point, from -1 to 1.
    fn value(self, x: i64, y: i64) -> f64 {
        // The finaliser of SplitMix64 (Steele, Lea, Flood, 2014).
        let mut z = self.0
            ^ (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// The smoothstep function on 0 to 1.
fn smooth(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

/// Interpolates linearly between `a` and `b`.
pub fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}
