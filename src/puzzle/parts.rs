//! The known and unknown parts of an edge: the corner where it begins, its middle, and the corner
//! where it ends.

use super::corners::Corners;
use super::edge_name::{EdgeName, Half, UNKNOWN};

/// A corner of an edge, or its middle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Part {
    /// The part does not exist: corners have no colours, or edges show only their corners.
    Absent,
    /// The part exists, but is unknown.
    Unknown,
    /// The colour of a corner, or the image of the middle.
    Known(EdgeName),
}

/// The parts of an edge, counter-clockwise along its tile.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Parts {
    /// The corner where the edge begins.
    pub first: Part,
    /// The image in the middle.
    pub between: Part,
    /// The corner where the edge ends.
    pub second: Part,
}

impl Part {
    fn of(edge: EdgeName) -> Part {
        if edge.image == UNKNOWN { Part::Unknown } else { Part::Known(edge) }
    }

    fn corner(colour: String) -> Part {
        Part::of(EdgeName { image: colour, half: Half::Whole })
    }

    /// The part that this one must meet; a part that is absent or unknown is its own mate.
    fn mate(&self) -> Part {
        match self {
            Part::Known(EdgeName { image, half }) => Part::Known(EdgeName {
                image: image.clone(),
                half: match half {
                    Half::Plus => Half::Minus,
                    Half::Minus => Half::Plus,
                    Half::Whole => Half::Whole,
                },
            }),
            other => other.clone(),
        }
    }

    fn may_be(&self, other: &Part) -> bool {
        *self == Part::Unknown || *other == Part::Unknown || self == other
    }
}

impl Parts {
    /// Splits the name of an edge into its parts.
    pub fn of(edge: &EdgeName) -> Parts {
        match Corners::of(edge) {
            Some(corners) => Parts {
                first: Part::corner(corners.first),
                between: corners.between.map_or(Part::Absent, Part::of),
                second: Part::corner(corners.second),
            },
            None if edge.image == UNKNOWN => {
                Parts { first: Part::Unknown, between: Part::Unknown, second: Part::Unknown }
            }
            None => {
                Parts { first: Part::Absent, between: Part::of(edge.clone()), second: Part::Absent }
            }
        }
    }

    /// The three parts, counter-clockwise.
    pub fn all(&self) -> [&Part; 3] {
        [&self.first, &self.between, &self.second]
    }

    /// Returns true if no part is unknown.
    pub fn are_known(&self) -> bool {
        !self.all().contains(&&Part::Unknown)
    }

    /// The parts of the edge that fits: the order is reversed, as tiles that touch run along their
    /// seam in opposite directions.
    pub fn mates(&self) -> Parts {
        Parts { first: self.second.mate(), between: self.between.mate(), second: self.first.mate() }
    }

    /// Returns true if two edges fit.
    pub fn fit(&self, other: &Parts) -> bool {
        let mates = other.mates();
        let mut pairs = self.all().into_iter().zip(mates.all());
        pairs.all(|(one, other)| one.may_be(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_fits_whatever_is_known_beside_it() {
        let fit = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|name| Parts::of(&EdgeName::parse(name).unwrap()));
            assert_eq!(one.fit(&other), other.fit(&one));
            one.fit(&other)
        };
        for known in ["grey", "a+", "a/b+", "a/x+/b-", "?", "?/x/b+"] {
            assert!(fit("?", known), "{known}");
        }
        // From an unknown corner to a red one, against red to blue and against blue to red.
        assert!(fit("?/red+", "blue/red-"));
        assert!(!fit("?/red+", "blue/red+"));
        assert!(fit("?/red+", "?/red-") && fit("?/red+", "?/red+"));
        assert!(!fit("?/red+", "grey"));
        assert!(fit("?/x/?", "a/x/b+") && !fit("?/x/?", "a/y/b+") && !fit("?/x/?", "a/b+"));
        assert!(fit("a/?/b+", "a/x+/b-") && !fit("a/?/b+", "a/x/b+"));
        assert!(fit("a/x+/a+", "a/x+/?-") && !fit("a/x+/a+", "a/x+/?+"));
    }
}
