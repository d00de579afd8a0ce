//! The order in which a file lists the edges of a tile.

use itertools::iproduct;

const DIRECTIONS: [&str; 2] = ["counterclockwise", "clockwise"];
const SIDES: [&str; 4] = ["right", "top", "left", "bottom"];

/// A direction and a first side, as in `clockwise-from-top`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct EdgeOrder {
    clockwise: bool,
    first: usize,
}

impl EdgeOrder {
    /// Reads `clockwise-from-top` and the like.
    pub fn parse(text: &str) -> Result<Self, String> {
        iproduct!(0..DIRECTIONS.len(), 0..SIDES.len())
            .find(|&(d, s)| text == format!("{}-from-{}", DIRECTIONS[d], SIDES[s]))
            .map(|(d, first)| EdgeOrder {
                clockwise: d == 1,
                first,
            })
            .ok_or_else(|| {
                format!(
                    "unknown order `{text}`: expected `clockwise-from-…` or \
                     `counterclockwise-from-…` with {}",
                    SIDES.join(", ")
                )
            })
    }

    /// Edges as listed to edges counter-clockwise from the right.
    pub fn normalise<T: Copy>(self, listed: &[T]) -> Vec<T> {
        let sides = listed.len();
        (0..sides)
            .map(|side| match self.clockwise {
                false => listed[(side + sides - self.first) % sides],
                true => listed[(self.first + sides - side) % sides],
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_becomes_right_top_left_bottom() {
        let expected = ['r', 't', 'l', 'b'];
        for (order, listed) in [
            ("counterclockwise-from-right", ['r', 't', 'l', 'b']),
            ("counterclockwise-from-top", ['t', 'l', 'b', 'r']),
            ("clockwise-from-top", ['t', 'r', 'b', 'l']),
            ("clockwise-from-right", ['r', 'b', 'l', 't']),
            ("clockwise-from-left", ['l', 't', 'r', 'b']),
        ] {
            assert_eq!(
                EdgeOrder::parse(order).unwrap().normalise(&listed),
                expected
            );
        }
        assert!(EdgeOrder::parse("clockwise").is_err());
    }
}
