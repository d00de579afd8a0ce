//! Edges between coloured corners: an edge is the pair of its corners, with an optional image
//! between them.
//!
//! Two such edges fit if the corners that meet have the same colour and the images between them
//! fit. Tiles that touch run along their seam in opposite directions, so `red` to `blue` fits
//! `blue` to `red`. Therefore a pair of two colours is an image with halves, and can be encoded in
//! the name: `blue/red+` runs counter-clockwise from blue to red, `blue/red-` from red to blue, and
//! `red/red` is an image without halves. The image of the edge itself comes between the two:
//! `blue/x+/red+` shows `x+`, and its mate `blue/x+/red-` shows `x-`.

use thiserror::Error;

use super::edge_name::{EdgeName, EdgeNameError, Half, UNKNOWN, abbreviate};

/// The separator between corners and image in a name.
const JOINT: char = '/';

/// The two corners of an edge and the image between them, counter-clockwise along the tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeCorners {
    /// The colour of the corner where the edge begins.
    pub first: String,
    /// The image of the edge itself; `None` if only corners have colours.
    pub between: Option<EdgeName>,
    /// The colour of the corner where it ends.
    pub second: String,
}

/// The error for corners that do not form an edge.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CornersError {
    /// A corner has a sign, like `red+`.
    #[error("the corner `{0}` has a sign: corners have no halves")]
    Half(String),
    /// The name of a corner or image contains the separator.
    #[error("`{0}`: `/` joins corners and edges, so their names may not contain it")]
    Joint(String),
    /// The name of a corner or image, or the joined name, is not valid.
    #[error(transparent)]
    Name(#[from] EdgeNameError),
}

impl EdgeCorners {
    /// The name of the edge with these corners and image; `?` if all are unknown.
    ///
    /// ```
    /// use edgematch::puzzle::{EdgeCorners, EdgeName};
    /// let corners = EdgeCorners { first: "red".into(), between: None, second: "blue".into() };
    /// assert_eq!(corners.edge(), Ok(EdgeName::parse("blue/red-").unwrap()));
    /// ```
    ///
    /// # Errors
    /// If a corner has a sign, or a name is invalid or contains the separator.
    pub fn edge(&self) -> Result<EdgeName, CornersError> {
        let first = EdgeCorners::colour(&self.first)?;
        let second = EdgeCorners::colour(&self.second)?;
        let between = self.between.clone().map(check_part).transpose()?;
        let between_name = between.as_ref().map_or(UNKNOWN, |edge| &edge.image);
        if [&first, &second].map(String::as_str) == [UNKNOWN; 2] && between_name == UNKNOWN {
            return EdgeName::new(UNKNOWN, Half::Whole).map_err(CornersError::from);
        }
        let half = between.as_ref().map_or(Half::Whole, |edge| edge.half);
        let half = match half {
            Half::Whole if first < second => Half::Plus,
            Half::Whole if first > second => Half::Minus,
            half => half,
        };
        let (from, to) = match half {
            Half::Minus => (second, first),
            Half::Plus | Half::Whole => (first, second),
        };
        let between = between.map(|edge| match edge.half {
            Half::Whole => edge.image,
            Half::Plus | Half::Minus => edge.image + "+",
        });
        let names = [Some(from), between, Some(to)];
        let image = itertools::join(names.into_iter().flatten(), &JOINT.to_string());
        Ok(EdgeName::new(&image, half)?)
    }

    /// Parses the colour of a corner.
    ///
    /// # Errors
    /// If it is not a valid name, has a sign or contains `/`.
    pub fn colour(text: &str) -> Result<String, CornersError> {
        let name = check_part(EdgeName::parse(text)?)?;
        match name.half {
            Half::Whole => Ok(name.image),
            _ => Err(CornersError::Half(name.to_string())),
        }
    }

    /// The corners and image encoded in the name of an edge; `None` if the name is not what
    /// [`EdgeCorners::edge`] returns for them.
    ///
    /// ```
    /// use edgematch::puzzle::{EdgeCorners, EdgeName};
    /// let corners = EdgeCorners::from_edge(&EdgeName::parse("blue/red-").unwrap()).unwrap();
    /// assert_eq!((&corners.first[..], &corners.second[..]), ("red", "blue"));
    /// assert_eq!(EdgeCorners::from_edge(&EdgeName::parse("red/blue").unwrap()), None);
    /// ```
    pub fn from_edge(edge: &EdgeName) -> Option<EdgeCorners> {
        let names: Vec<&str> = edge.image.split(JOINT).collect();
        let (from, between, to) = match names[..] {
            [from, to] => (from, None, to),
            [from, between, to] => (from, Some(between), to),
            _ => return None,
        };
        let (first, second) = match edge.half {
            Half::Minus => (to, from),
            Half::Plus | Half::Whole => (from, to),
        };
        let between = between.map(|name| match name.strip_suffix('+') {
            Some(image) => EdgeName { image: image.to_owned(), half: edge.half },
            None => EdgeName { image: name.to_owned(), half: Half::Whole },
        });
        let corners = EdgeCorners { first: first.to_owned(), between, second: second.to_owned() };
        (corners.edge().as_ref() == Ok(edge)).then_some(corners)
    }
}

/// Returns the name, or an error if it contains the separator.
fn check_part(name: EdgeName) -> Result<EdgeName, CornersError> {
    if name.image.contains(JOINT) {
        Err(CornersError::Joint(abbreviate(&name.image)))
    } else {
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(first: &str, between: &str, second: &str) -> String {
        let between = (!between.is_empty()).then(|| EdgeName::parse(between).unwrap());
        let [first, second] = [first, second].map(str::to_owned);
        let corners = EdgeCorners { first, between, second };
        corners.edge().unwrap().to_string()
    }

    /// The mate of an edge has the mate of the image between the corners, and the corners in
    /// reverse order.
    #[test]
    fn edges_fit_where_their_corners_do() {
        let mates = [("", ""), ("x", "x"), ("x+", "x-"), ("x-", "x+")];
        for (first, second) in [("a", "a"), ("a", "b"), ("b", "a")] {
            for (between, mate) in mates {
                let mut labels = crate::puzzle::Labels::default();
                let mut label = |name: String| labels.add(&EdgeName::parse(&name).unwrap());
                let one = label(edge(first, between, second)).unwrap();
                let other = label(edge(second, mate, first)).unwrap();
                assert_eq!(labels.mate(one), other, "{first}{between}{second}");
            }
        }
    }

    #[test]
    fn different_edges_have_different_names() {
        for betweens in [&[""][..], &["x", "y"], &["x+", "x-", "y"]] {
            let mut names = std::collections::HashSet::new();
            for first in ["a", "b"] {
                for second in ["a", "b"] {
                    let new = |between: &&str| names.insert(edge(first, between, second));
                    assert!(betweens.iter().all(new));
                }
            }
        }
    }

    #[test]
    fn a_name_tells_the_corners() {
        let of = |text: &str| EdgeCorners::from_edge(&EdgeName::parse(text).unwrap());
        for (first, shown, second) in itertools::iproduct!(["a", "b"], ["", "x", "x+", "x-"], ["a"])
        {
            let corners = of(&edge(first, shown, second)).unwrap();
            assert_eq!((&corners.first[..], &corners.second[..]), (first, second));
            let between = corners.between.map(|edge| edge.to_string());
            assert_eq!(between.unwrap_or_default(), shown);
        }
        for other in ["a", "a+", "a/b", "b/a+", "a/a+", "a/b/c/d", "/a", "a/+"] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn parts_have_neither_signs_nor_joints() {
        let corner = |first: &str| EdgeCorners {
            first: first.to_owned(),
            between: None,
            second: "a".to_owned(),
        };
        assert_eq!(corner("a+").edge(), Err(CornersError::Half("a+".into())));
        assert_eq!(corner("a/b").edge(), Err(CornersError::Joint("a/b".into())));
        assert!(matches!(corner("").edge(), Err(CornersError::Name(_))));
    }
}
