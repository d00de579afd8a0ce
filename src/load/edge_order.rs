//! The order in which a file lists the edges of a tile: clockwise or not, and from which side.

use itertools::iproduct;

const DIRECTIONS: [&str; 2] = ["counterclockwise", "clockwise"];
const SIDES: [&str; 4] = ["right", "top", "left", "bottom"];

/// A direction and a first side, as in `clockwise-from-top`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EdgeOrder {
    clockwise: bool,
    first: usize,
}

impl EdgeOrder {
    /// Top, right, bottom, left, as most programs have it.
    pub const CLOCKWISE_FROM_TOP: EdgeOrder = EdgeOrder {
        clockwise: true,
        first: 1,
    };

    /// Every order by its name.
    pub fn all() -> impl Iterator<Item = (String, EdgeOrder)> {
        let all = iproduct!(0..DIRECTIONS.len(), 0..SIDES.len());
        all.map(|(direction, first)| {
            let clockwise = direction == 1;
            let order = EdgeOrder { clockwise, first };
            (order.name(), order)
        })
    }

    /// Its name.
    pub fn name(self) -> String {
        let direction = DIRECTIONS[usize::from(self.clockwise)];
        format!("{direction}-from-{}", SIDES[self.first])
    }

    /// Reads `clockwise-from-top` and the like.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut all = EdgeOrder::all();
        all.find(|(name, _)| name == text)
            .map(|(_, order)| order)
            .ok_or_else(|| {
                format!(
                    "unknown order `{text}`: expected `clockwise-from-…` or \
                     `counterclockwise-from-…` with {}",
                    SIDES.join(", ")
                )
            })
    }

    /// Whether edges are listed clockwise.
    pub fn is_clockwise(self) -> bool {
        self.clockwise
    }

    /// Edges counter-clockwise from the right to edges as listed.
    pub fn listed<T: Copy>(self, edges: &[T]) -> Vec<T> {
        let sides = edges.len();
        let places = (0..sides).map(|place| {
            if !self.clockwise {
                edges[(place + self.first) % sides]
            } else {
                edges[(self.first + sides - place) % sides]
            }
        });
        places.collect()
    }

    /// Edges as listed to edges counter-clockwise from the right.
    pub fn normalise<T: Copy>(self, listed: &[T]) -> Vec<T> {
        let sides = listed.len();
        (0..sides)
            .map(|side| {
                if !self.clockwise {
                    listed[(side + sides - self.first) % sides]
                } else {
                    listed[(self.first + sides - side) % sides]
                }
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
            let order = EdgeOrder::parse(order).unwrap();
            assert_eq!(order.normalise(&listed), expected);
            assert_eq!(order.listed(&expected), listed);
        }
        assert!(EdgeOrder::parse("clockwise").is_err());
    }
}
