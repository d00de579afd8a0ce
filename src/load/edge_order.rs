//! The order in which a file lists the edges of a tile: around the tile from one of its sides, or
//! any other permutation of the four sides.

use itertools::{Itertools, iproduct};

use crate::board::SIDES_OF_SQUARE as SIDES;

/// Other names of the sides, in the order of [`SIDES`].
const OTHER_NAMES: [&[&str]; 4] = [
    &["east", "r", "e", "rechts", "ost", "este", "derecha", "est", "droite"],
    &["north", "up", "t", "n", "oben", "o", "nord", "norte", "arriba", "superior", "haut"],
    &["west", "l", "w", "links", "oeste", "izquierda", "ouest", "gauche"],
    &[
        "south", "down", "b", "s", "d", "unten", "u", "süd", "sur", "abajo", "inferior", "sud",
        "bas",
    ],
];

/// Words for going around a tile in one direction.
const CLOCKWISE: [&str; 5] =
    ["clockwise", "uhrzeigersinn", "counterclockwise", "anticlockwise", "uhrzeiger"];

/// Words that reverse the direction.
const COUNTER: [&str; 7] =
    ["counterclockwise", "anticlockwise", "counter", "anti", "gegen", "entgegen", "reverse"];

/// The words of a sentence about an order, besides the names of sides.
const ABOUT_ORDERS: &str = "clockwise counterclockwise anticlockwise counter anti reverse order edges edge sides \
    side listed from the starting start beginning at on with and then going around in is are each \
    line tile tiles format \
    reihenfolge kanten seiten uhrzeigersinn uhrzeiger im gegen entgegen den dem ab von";

/// The index in [`SIDES`] of a side by its name in lower case, such as `top`, `north` or `t`;
/// `None` if it is not a name of a side.
pub fn side_named(name: &str) -> Option<usize> {
    (0..4).find(|&side| SIDES[side] == name || OTHER_NAMES[side].contains(&name))
}

/// The side that a heading such as `top`, `Top edge` or `side_top` names.
pub fn side_of_heading(heading: &str) -> Option<usize> {
    let heading = heading.to_lowercase();
    let only = words(&heading).filter(|word| is_side(word)).exactly_one();
    let only = only.ok().filter(|_| words(&heading).all(is_about_order));
    side_named(only.unwrap_or(&heading))
}

/// The sides that headings name. `O` and `U` stand for different sides in different languages; if
/// only one of them occurs, it is the side that no other heading names.
pub fn sides_of_headings(headings: &[&str]) -> Vec<Option<usize>> {
    let is_open =
        |heading: &&str| heading.eq_ignore_ascii_case("o") || heading.eq_ignore_ascii_case("u");
    let open = headings.iter().positions(is_open).exactly_one().ok();
    let mut sides = headings.iter().map(|heading| side_of_heading(heading)).collect_vec();
    if let Some(open) = open {
        sides[open] = None;
        let missing = (0..4).filter(|side| !sides.contains(&Some(*side))).exactly_one();
        sides[open] = missing.ok();
    }
    sides
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns true for a name of a side of more than one letter.
fn is_side(word: &str) -> bool {
    word.len() > 1 && side_named(word).is_some()
}

fn is_about_order(word: &str) -> bool {
    is_side(word) || ABOUT_ORDERS.split(' ').any(|about| about == word)
}

/// The sides of a square in the order of a file, as indices into [`SIDES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeOrder([usize; 4]);

impl Default for EdgeOrder {
    fn default() -> Self {
        EdgeOrder::around(false, 0)
    }
}

impl EdgeOrder {
    /// Top, right, bottom, left: the order of most programs.
    pub const CLOCKWISE_FROM_TOP: EdgeOrder = EdgeOrder::around(true, 1);

    /// The order around the tile that starts at side `first`.
    const fn around(is_clockwise: bool, first: usize) -> EdgeOrder {
        let step = if is_clockwise { 3 } else { 1 };
        EdgeOrder([first, (first + step) % 4, (first + 2) % 4, (first + 3 * step) % 4])
    }

    /// The eight orders around the tile with their names, such as `clockwise-from-top`.
    pub fn named() -> impl Iterator<Item = (String, EdgeOrder)> {
        let all = iproduct!([("counterclockwise", false), ("clockwise", true)], 0..4);
        all.map(|((direction, is_clockwise), first)| {
            (format!("{direction}-from-{}", SIDES[first]), EdgeOrder::around(is_clockwise, first))
        })
    }

    /// The name of the order, or its list of sides if it has no name.
    pub fn name(self) -> String {
        let name = EdgeOrder::named().find(|(_, order)| *order == self);
        name.map_or_else(|| self.0.iter().map(|&side| SIDES[side]).join(","), |(name, _)| name)
    }

    /// Parses a name such as `clockwise-from-top`, or four sides such as `top,left,right,bottom`.
    /// Without a side, the order starts at the top.
    pub fn parse(text: &str) -> Result<Self, String> {
        let name = text.replace("counter-clockwise", "counterclockwise");
        let from_top = format!("{name}-from-top");
        if let Some((_, order)) =
            EdgeOrder::named().find(|(own, _)| [&name, &from_top].contains(&own))
        {
            return Ok(order);
        }
        let words = text.split([' ', ',', '-']).filter(|word| !word.is_empty());
        let sides = words.map(|word| SIDES.iter().position(|side| *side == word));
        EdgeOrder::of_sides(sides).ok_or_else(|| {
            format!(
                "unknown order `{text}`: expected `clockwise-from-…` or `counterclockwise-from-…` \
                 with {}, or all four sides such as `top,left,right,bottom`",
                SIDES.join(", ")
            )
        })
    }

    /// The order that the end of a title states, such as `Frogs, clockwise from the left` or `Order:
    /// top, bottom, left, right`; `None` if it states none. Only words about an order may follow its
    /// first word. Without a side to start from, the order starts at the top.
    pub fn stated(title: &str) -> Option<Self> {
        let title = title.to_lowercase();
        let words: Vec<&str> = words(&title).collect();
        let about = words.iter().rev().take_while(|word| is_about_order(word)).count();
        let (before, stated) = words.split_at(words.len() - about);
        let is_split = before.iter().any(|word| is_side(word));
        let sides = stated.iter().filter(|word| is_side(word));
        let sides: Vec<usize> = sides.filter_map(|word| side_named(word)).collect();
        match sides[..] {
            _ if is_split => None,
            [_, _, ..] => EdgeOrder::of_sides(sides.into_iter().map(Some)),
            _ if stated.iter().any(|word| CLOCKWISE.contains(word)) => {
                let first = sides.first().copied().unwrap_or(1);
                let is_counter = words.iter().any(|word| COUNTER.contains(word));
                Some(EdgeOrder::around(!is_counter, first))
            }
            _ => None,
        }
    }

    /// The order that a comment states: as in [`stated`](Self::stated), or four initials such as
    /// `TRBL`. Other words may precede only all four sides, because comments mention sides for other
    /// reasons.
    pub fn stated_alone(comment: &str) -> Option<Self> {
        let comment = comment.to_lowercase();
        let others = words(&comment).filter(|word| !is_about_order(word)).collect_vec();
        let initials = others.iter().rev().take_while(|word| word.len() == 1).count();
        let initials =
            if initials > 0 { others[others.len() - initials..].concat() } else { others.concat() };
        let sides = initials.chars().map(|initial| side_named(initial.encode_utf8(&mut [0; 4])));
        let has_all = words(&comment).filter(|word| is_side(word)).unique().count() == 4;
        EdgeOrder::of_sides(sides)
            .or_else(|| EdgeOrder::stated(&comment).filter(|_| others.is_empty() || has_all))
    }

    /// The order of four distinct sides; `None` for any other input.
    pub fn of_sides(sides: impl Iterator<Item = Option<usize>>) -> Option<Self> {
        let sides: Vec<usize> = sides.collect::<Option<_>>()?;
        let sides = <[usize; 4]>::try_from(sides).ok()?;
        sides.iter().all_unique().then_some(EdgeOrder(sides))
    }

    /// Returns true for a clockwise order around the tile, false for a counter-clockwise one, and
    /// `None` for an order that does not go around the tile.
    pub fn is_clockwise(self) -> Option<bool> {
        let steps = self.0.iter().circular_tuple_windows();
        let step = steps.map(|(from, to)| (to + 4 - from) % 4).all_equal_value();
        step.ok().map(|step| step == 3)
    }

    /// Converts edges listed counter-clockwise from the right to this order. Only edges of squares
    /// are reordered.
    pub fn listed<T: Copy>(self, edges: &[T]) -> Vec<T> {
        match edges.len() {
            4 => self.0.iter().map(|&side| edges[side]).collect(),
            _ => edges.to_vec(),
        }
    }

    /// Converts edges in this order to counter-clockwise from the right.
    pub fn normalise<T: Copy>(self, listed: &[T]) -> Vec<T> {
        let mut edges = listed.to_vec();
        if listed.len() == 4 {
            for (&side, &edge) in self.0.iter().zip(listed) {
                edges[side] = edge;
            }
        }
        edges
    }
}

/// Returns true if listing the edges of a square in the opposite direction gives a different tile.
pub fn has_direction<T: PartialEq>(edges: &[T], may_turn: bool) -> bool {
    match edges {
        [a, b, c, d] if may_turn => a != c && b != d && !(a == b && c == d) && !(b == c && a == d),
        edges => !edges.iter().all_equal(),
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
            ("counter-clockwise-from-right", ['r', 't', 'l', 'b']),
            ("top,left,right,bottom", ['t', 'l', 'r', 'b']),
            ("left, right, top, bottom", ['l', 'r', 't', 'b']),
        ] {
            let order = EdgeOrder::parse(order).unwrap();
            assert_eq!(order.normalise(&listed), expected);
            assert_eq!(order.listed(&expected), listed);
        }
        assert_eq!(EdgeOrder::parse("clockwise"), EdgeOrder::parse("clockwise-from-top"));
        for wrong in ["clockwise-from", "top,left,right", "top,top,left,right", "top,left,right,up"]
        {
            assert!(EdgeOrder::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_title_or_a_comment_may_state_the_order() {
        for (text, expected) in [
            ("My frogs, clockwise from the left", Some("clockwise-from-left")),
            ("gegen den Uhrzeigersinn ab links", Some("counterclockwise-from-left")),
            ("entgegen dem Uhrzeigersinn ab links", Some("counterclockwise-from-left")),
            (
                "starting on the left side and going counter clockwise",
                Some("counterclockwise-from-left"),
            ),
            ("anti-clockwise from the top", Some("counterclockwise-from-top")),
            ("edges counter-clockwise", Some("counterclockwise-from-top")),
            ("order: top, bottom, left, right", Some("top,bottom,left,right")),
            ("Reihenfolge oben rechts unten links", Some("clockwise-from-top")),
            ("what was left of my cards", None),
            ("top and bottom", None),
            ("solved from left to right, top to bottom", None),
            ("heads at the top, tails at the bottom, left and right mixed", None),
            ("rotate the board clockwise from the left corner", None),
            ("Clockwise puzzle from Left Bank Games", None),
        ] {
            let stated = EdgeOrder::stated(text).map(EdgeOrder::name);
            assert_eq!(stated.as_deref(), expected, "{text}");
        }
        for (comment, expected) in [
            ("card 3 was lying clockwise from the left", None),
            ("each line is top, left, right, bottom", Some("top,left,right,bottom")),
            ("My puzzle (top, left, right, bottom)", Some("top,left,right,bottom")),
            ("Card: top, left, right, bottom", Some("top,left,right,bottom")),
            ("TRBL", Some("clockwise-from-top")),
            ("order: N, E, S, W", Some("clockwise-from-top")),
            ("My puzzle (T B L R)", Some("top,bottom,left,right")),
            ("blue", None),
        ] {
            let stated = EdgeOrder::stated_alone(comment).map(EdgeOrder::name);
            assert_eq!(stated.as_deref(), expected, "{comment}");
        }
        assert_eq!(EdgeOrder::stated_alone("clockwise"), EdgeOrder::stated("clockwise"));
    }

    #[test]
    fn headings_name_sides_in_several_languages() {
        for (headings, expected) in [
            (["Oben", "Rechts", "Unten", "Links"], [1, 0, 3, 2]),
            (["N", "O", "S", "W"], [1, 0, 3, 2]),
            (["N", "E", "S", "O"], [1, 0, 3, 2]),
            (["O", "R", "U", "L"], [1, 0, 3, 2]),
            (["U", "D", "L", "R"], [1, 3, 2, 0]),
            (["arriba", "abajo", "izquierda", "derecha"], [1, 3, 2, 0]),
            (["haut", "droite", "bas", "gauche"], [1, 0, 3, 2]),
        ] {
            assert_eq!(sides_of_headings(&headings), expected.map(Some), "{headings:?}");
        }
    }

    #[test]
    fn tiles_that_are_their_own_mirror_images_have_no_direction() {
        let has_direction = |tile: &str| has_direction(tile.as_bytes(), true);
        assert!(["abcd", "abca"].map(has_direction) == [true, true]);
        assert!(["abac", "abcb", "aabb", "abba", "aaab", "aaaa"].map(has_direction) == [false; 6]);
        assert!(super::has_direction(b"aaab", false) && !super::has_direction(b"aaaa", false));
    }

    #[test]
    fn orders_have_a_direction_where_they_go_around_the_tile() {
        assert_eq!(
            ["right", "north", "w", "down", "middle"].map(side_named),
            [Some(0), Some(1), Some(2), Some(3), None]
        );
        let direction = |order| EdgeOrder::parse(order).unwrap().is_clockwise();
        assert_eq!(direction("clockwise-from-left"), Some(true));
        assert_eq!(direction("bottom,right,top,left"), Some(false));
        assert_eq!(direction("top,left,right,bottom"), None);
        for (name, order) in EdgeOrder::named() {
            let sides = order.0.map(|side| SIDES[side]).join("-");
            assert_eq!(EdgeOrder::parse(&sides).unwrap().name(), name);
        }
    }
}
