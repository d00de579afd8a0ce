//! The parts of an edge, each of which may be unknown: the corner where it begins, its middle, and
//! the corner where it ends.

use super::corners::EdgeCorners;
use super::edge_name::{EdgeName, Half, UNKNOWN};

/// A part of an edge: one of its corners, or its middle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum EdgePart {
    /// The part does not exist: corners have no colours, or edges show only their corners.
    Absent,
    /// The part exists, but is unknown.
    Unknown,
    /// The colour of a corner, or the image of the middle.
    Known(EdgeName),
}

/// The parts of an edge, counter-clockwise along its tile.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EdgeParts {
    /// The corner where the edge begins.
    pub first: EdgePart,
    /// The image in the middle.
    pub between: EdgePart,
    /// The corner where the edge ends.
    pub second: EdgePart,
}

impl EdgePart {
    /// The part for an image or colour, which may be unknown.
    fn from_edge(edge: EdgeName) -> EdgePart {
        if edge.image == UNKNOWN { EdgePart::Unknown } else { EdgePart::Known(edge) }
    }

    /// The part for a corner with this colour, which may be unknown.
    fn corner(colour: String) -> EdgePart {
        EdgePart::from_edge(EdgeName { image: colour, half: Half::Whole })
    }

    /// The part that matches this one on the other side of a seam: the other half of an image,
    /// otherwise the part itself.
    fn mate(&self) -> EdgePart {
        match self {
            EdgePart::Known(EdgeName { image, half }) => {
                EdgePart::Known(EdgeName { image: image.clone(), half: half.mate() })
            }
            other => other.clone(),
        }
    }

    /// Returns true if the two parts may be the same: they are equal, or one is unknown.
    fn may_be(&self, other: &EdgePart) -> bool {
        *self == EdgePart::Unknown || *other == EdgePart::Unknown || self == other
    }
}

impl EdgeParts {
    /// Splits the name of an edge into its parts.
    pub fn from_edge(edge: &EdgeName) -> EdgeParts {
        match EdgeCorners::from_edge(edge) {
            Some(corners) => EdgeParts {
                first: EdgePart::corner(corners.first),
                between: corners.between.map_or(EdgePart::Absent, EdgePart::from_edge),
                second: EdgePart::corner(corners.second),
            },
            None if edge.image == UNKNOWN => EdgeParts {
                first: EdgePart::Unknown,
                between: EdgePart::Unknown,
                second: EdgePart::Unknown,
            },
            None => EdgeParts {
                first: EdgePart::Absent,
                between: EdgePart::from_edge(edge.clone()),
                second: EdgePart::Absent,
            },
        }
    }

    /// The three parts, counter-clockwise along the tile.
    pub fn all(&self) -> [&EdgePart; 3] {
        [&self.first, &self.between, &self.second]
    }

    /// Returns true if no part is unknown.
    pub fn are_known(&self) -> bool {
        !self.all().contains(&&EdgePart::Unknown)
    }

    /// The parts of the edge that matches this one. Their order is reversed, because the edges of
    /// two tiles run along their seam in opposite directions.
    pub fn mates(&self) -> EdgeParts {
        EdgeParts {
            first: self.second.mate(),
            between: self.between.mate(),
            second: self.first.mate(),
        }
    }

    /// Returns true if two edges fit as far as they are known.
    pub fn fit(&self, other: &EdgeParts) -> bool {
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
            let [one, other] =
                [one, other].map(|name| EdgeParts::from_edge(&EdgeName::parse(name).unwrap()));
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
