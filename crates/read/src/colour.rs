//! Colour spaces in which pixels are compared.

use image::{Rgb, RgbImage};

/// For each pixel, row by row, the logarithms of the brightness and of the ratios red to green and
/// blue to green. A shadow changes the first value only.
pub(crate) fn log_colours(picture: &RgbImage) -> Vec<[f32; 3]> {
    // This offset reduces the influence of dark pixels, which are mostly noise.
    const DARK: f32 = 16.0;
    let colour = |pixel: &Rgb<u8>| {
        let [red, green, blue] = pixel.0.map(|c| f32::from(c) + DARK);
        let light = 0.3 * red + 0.59 * green + 0.11 * blue;
        [light.ln(), (red / green).ln(), (blue / green).ln()]
    };
    picture.pixels().map(colour).collect()
}

/// For each pixel, row by row, L*, a* and b* of CIE 1976 for sRGB and its white point D65. A
/// distance of 2 is just noticeable.
pub(crate) fn lab(picture: &RgbImage) -> Vec<[f32; 3]> {
    let linear: Vec<f32> = (0..=255).map(|value| to_linear(value as f32 / 255.0)).collect();
    let colour = |pixel: &Rgb<u8>| {
        let [red, green, blue] = pixel.0.map(|c| linear[usize::from(c)]);
        let x = cube_root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
        let y = cube_root(0.2126 * red + 0.7152 * green + 0.0722 * blue);
        let z = cube_root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    };
    picture.pixels().map(colour).collect()
}

/// The intensity of a channel of sRGB (IEC 61966-2-1); both 0 to 1.
fn to_linear(value: f32) -> f32 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The cube root, with the straight segment near 0 that CIE L*a*b* defines.
fn cube_root(value: f32) -> f32 {
    if value > 0.008_856 { value.cbrt() } else { 7.787 * value + 16.0 / 116.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lab_values_are_those_of_the_standard() {
        let picture = RgbImage::from_raw(4, 1, vec![255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 0, 255]);
        let expected =
            [[100.0, 0.0, 0.0], [0.0, 0.0, 0.0], [53.24, 80.09, 67.2], [32.3, 79.19, -107.86]];
        for (own, expected) in lab(&picture.unwrap()).iter().zip(expected) {
            assert!((0..3).all(|c| (own[c] - expected[c]).abs() < 0.1), "{own:?} {expected:?}");
        }
    }
}
