//! Warnings about names of images that may be misspelt, and about images without a partner.

use std::cmp::Reverse;

use itertools::Itertools;

use super::{Warning, describe_counts, unpaired_edges};
use crate::problem::Problem;
use crate::puzzle::{
    EdgeCorners, EdgeName, HALF_WORDS, Half, ImageUse, Oddity, Puzzle, first_word, last_word,
};

/// The maximum number of images whose names are compared pairwise; with more, names are not
/// compared.
const MOST_NAMES: usize = 1000;

/// The warnings about images: for each image at most one, the most informative.
pub(super) fn warnings(problem: &Problem) -> Vec<Warning> {
    let puzzle = &problem.puzzle;
    let images = puzzle.image_uses();
    let compared = if images.len() <= MOST_NAMES { &images[..] } else { &[] };
    let halves = word_halves(compared);
    let are_known = puzzle.labels.fit_mates_only();
    let warning = |image: &ImageUse| {
        let shown = image.halves.iter().find(|half| !half.tiles.is_empty())?;
        let found = misspelt(puzzle, image, compared)
            .or_else(|| sign_inside(image))
            .or_else(|| Some(halves.as_ref().filter(|(of, _)| *of == image.name)?.1.clone()));
        let alone = || are_known.then(|| without_partner(puzzle, image, &images))?;
        let (oddity, message, help) = found.or_else(alone)?;
        Some(Warning {
            oddity,
            message,
            help,
            tile: shown.tiles.first().copied(),
            edge: Some(puzzle.labels.edge(shown.label).clone()),
        })
    };
    images.iter().filter(|image| !encodes_corners(puzzle, image)).filter_map(warning).collect()
}

/// The oddity, the message and the help of a warning.
type Finding = (Oddity, String, String);

/// A warning if the name of an image contains a plus, or a minus that does not join two words;
/// otherwise `None`.
fn sign_inside(image: &ImageUse) -> Option<Finding> {
    let name: Vec<char> = image.name.chars().collect();
    let is_inside = |place: usize| {
        let joins = |at: Option<&char>| at.is_some_and(|c| c.is_alphanumeric());
        let before = place.checked_sub(1).and_then(|before| name.get(before));
        match name[place] {
            '+' => true,
            '-' => !(joins(before) && joins(name.get(place + 1))),
            _ => false,
        }
    };
    (0..name.len()).any(is_inside).then(|| {
        (
            Oddity::SignInside,
            format!(
                "`{}` has a sign inside its name: only a sign at the end marks a half",
                image.name
            ),
            "end the edge with its sign, as in `blue+`".to_owned(),
        )
    })
}

/// The first of the whole images whose names differ in the same two last or first words, such as
/// `head` and `tail`, or in the same two last letters, so that they are probably the halves of one
/// image, and a warning about all of them; otherwise `None`.
fn word_halves(images: &[ImageUse]) -> Option<(&str, Finding)> {
    let splits = [last_word, first_word, last_letter];
    splits.into_iter().find_map(|split| halves_by(images, split))
}

/// Splits a name such as `YH` into `Y` and its last letter; `None` if it is shorter.
fn last_letter(name: &str) -> Option<(&str, &str)> {
    let (base, letter) = name.split_at(name.char_indices().last()?.0);
    (!base.is_empty()).then_some((base, letter))
}

/// The warning about names that `split` separates into an image and a word.
fn halves_by(
    images: &[ImageUse],
    split: fn(&str) -> Option<(&str, &str)>,
) -> Option<(&str, Finding)> {
    let whole = images.iter().filter(|image| image.halves.len() == 1);
    let separated = whole.map(|image| match split(&image.name) {
        Some((base, word)) => (image, base, word.to_lowercase()),
        None => (image, &*image.name, String::new()),
    });
    let separated: Vec<(&ImageUse, &str, String)> = separated.collect();
    let pairs_of = |[first, second]: [&str; 2]| {
        let firsts = separated.iter().filter(move |(.., word)| word == first);
        let pairs = firsts.filter_map(|(image, base, _)| {
            let is_mate = |other: &&(_, &str, String)| other.1 == *base && other.2 == second;
            Some((*image, separated.iter().find(is_mate)?.0))
        });
        pairs.collect_vec()
    };
    // `cat tail` with `cat`, too.
    let alone = HALF_WORDS.as_flattened().iter().map(|word| [word, ""]);
    let known = HALF_WORDS.into_iter().chain(alone).map(pairs_of).find(|pairs| !pairs.is_empty());
    let unknown = || {
        let words =
            separated.iter().map(|(.., word)| word.as_str()).filter(|word| !word.is_empty());
        let (first, second) = words.unique().collect_tuple()?;
        // Names of two letters, such as `ab` and `ba`, are no halves.
        let is_end = |base: &str| [first, second].iter().any(|end| base.ends_with(end));
        if !second.contains(char::is_alphabetic)
            || separated.iter().any(|(_, base, _)| is_end(base))
        {
            return None;
        }
        let edges = |word: &str| {
            let own = separated.iter().filter(|(.., own)| own == word);
            own.map(|(image, ..)| image.edges()).sum::<usize>()
        };
        let [one, other] = [first, second].map(edges);
        let pairs = pairs_of([first, second]);
        (pairs.len() > 1 && 4 * one.abs_diff(other) <= one + other).then_some(pairs)
    };
    let pairs = known.or_else(unknown)?;
    let &(first, second) = pairs.first()?;
    let (base, _) = split(&first.name)?;
    let more = match pairs.len() - 1 {
        0 => String::new(),
        1 => ", and another such pair,".to_owned(),
        more => format!(", and {more} more such pairs,"),
    };
    let message = format!(
        "`{}` and `{}`{more} are separate images here, each of which matches itself",
        first.name, second.name
    );
    let help = format!("if they are the halves of one image, write `{base}+` and `{base}-`");
    Some((&first.name, (Oddity::WordHalves, message, help)))
}

/// Returns true if the name of an image encodes corners. Such names are naturally similar and rare,
/// so they are not checked.
fn encodes_corners(puzzle: &Puzzle, image: &ImageUse) -> bool {
    EdgeCorners::from_edge(puzzle.labels.edge(image.halves[0].label)).is_some()
}

/// A warning if the rare name of `image` may be a misspelling of more frequent ones among `images`;
/// otherwise `None`.
fn misspelt(puzzle: &Puzzle, image: &ImageUse, images: &[ImageUse]) -> Option<Finding> {
    let meant = likely_meant(image, images);
    if meant.is_empty() {
        return None;
    }
    let half = match image.only_half() {
        Some(half) => puzzle.labels.edge(half.label).half,
        None => Half::Whole,
    };
    let written = |image: &ImageUse| {
        let image = image.name.clone();
        format!("`{}`", EdgeName { image, half })
    };
    let proposed = meant.iter().map(|image| written(image)).join(" or ");
    let counts = [image].into_iter().chain(meant).map(describe_counts).join(", ");
    Some((
        Oddity::SimilarNames,
        format!("did you mean {proposed}? {counts}"),
        format!("correct {}", written(image)),
    ))
}

/// Up to four more frequent images whose names are closest to that of a rare one, of which it may
/// be a misspelling. Those whose number of unpaired edges would decrease most with the edges of the
/// rare one come first.
fn likely_meant<'i>(image: &ImageUse, images: &'i [ImageUse]) -> Vec<&'i ImageUse> {
    const SHOWN: usize = 4;
    let edges = image.edges();
    let is_rare = |other: &&ImageUse| {
        let is_alone = edges == 1 || image.only_half().is_some();
        other.edges() > edges && (is_alone || 2 * edges <= other.edges())
    };
    let is_once = edges == 1;
    let others = images.iter().filter(is_rare);
    let similar = others.filter_map(|other| {
        Some((misspelling_distance(&image.name, &other.name, is_once)?, other))
    });
    let best: Vec<&ImageUse> = similar
        .min_set_by_key(|(distance, _)| *distance)
        .into_iter()
        .map(|(_, other)| other)
        .collect();
    let lacking = best
        .into_iter()
        .sorted_by_key(|other| (Reverse(unpaired_decrease(other, image)), Reverse(other.edges())));
    lacking.take(SHOWN).collect()
}

/// The decrease in the number of unpaired edges of `image` if it also had the edges of `more`; may
/// be negative.
fn unpaired_decrease(image: &ImageUse, more: &ImageUse) -> i64 {
    let lone = image.counts();
    let more = more.counts().into_iter().chain(std::iter::repeat(0));
    let joined: Vec<usize> = lone.iter().zip(more).map(|(own, more)| own + more).collect();
    unpaired_edges(&lone) as i64 - unpaired_edges(&joined) as i64
}

/// The known name of which `name` is most likely a misspelling, by edit distance; `None` if none is
/// close enough.
pub fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let rated = known.filter_map(|other| Some((misspelling_distance(name, other, false)?, other)));
    rated.min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

/// The edit distance of two names, ignoring case: the number of letters changed, left out, added,
/// or transposed with their neighbour (optimal string alignment). `None` if it exceeds the limit
/// for a misspelling, which is 2 from 8 letters on, 1 from 3 letters on, and for 2 letters 1 if
/// `is_once` (the first name occurs once); or if both names contain digits, which differ.
fn misspelling_distance(one: &str, other: &str, is_once: bool) -> Option<usize> {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let [number, of_other] = [one, other].map(digits);
    if number != of_other && !number.is_empty() && !of_other.is_empty() {
        return None;
    }
    let [one, other] = [one, other].map(str::to_lowercase);
    let most = match one.chars().count().max(other.chars().count()) {
        8.. => 2,
        3.. => 1,
        2 if is_once => 1,
        _ => 0,
    };
    let distance = strsim::osa_distance(&one, &other);
    (distance <= most).then_some(distance)
}

/// A warning if `image` occurs on a single edge, or with only one of its halves; otherwise `None`.
fn without_partner(puzzle: &Puzzle, image: &ImageUse, images: &[ImageUse]) -> Option<Finding> {
    let only = image.only_half();
    let (oddity, message) = match (image.edges(), only) {
        (1, _) => (
            Oddity::Once,
            format!("only one edge shows `{}`, so no other edge matches it", image.name),
        ),
        (edges, Some(half)) => {
            let there = puzzle.labels.edge(half.label);
            let mate = puzzle.labels.name(puzzle.labels.mate(half.label));
            (Oddity::OneHalf, format!("{edges} edges show `{there}`, but none shows `{mate}`"))
        }
        _ => return None,
    };
    let lacking = images.iter().filter(|other| other.name != image.name);
    let lacking = lacking.filter(|other| other.halves.len() == image.halves.len());
    let mut lacking = lacking.filter(|other| unpaired_decrease(other, image) > 0);
    let compare = match (lacking.next(), lacking.next()) {
        (Some(one), None) => {
            let half = only.map_or(Half::Whole, |half| puzzle.labels.edge(half.label).half);
            let meant = EdgeName { image: one.name.clone(), half };
            format!("compare it with the tile: it may be `{meant}`")
        }
        _ => "compare it with the tile".to_owned(),
    };
    Some((oddity, message, compare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_of_letters_not_of_numbers() {
        let distance = |one, other| misspelling_distance(one, other, true);
        assert_eq!(distance("pink", "Pink"), Some(0));
        assert_eq!(distance("pnik", "pink"), Some(1));
        assert_eq!(distance("pinnk", "pink"), Some(1));
        assert_eq!(distance("img1", "img11"), None);
        assert_eq!(distance("y3", "t3"), Some(1));
        assert_eq!(distance("a", "b"), None);
        assert_eq!(distance("a", "A"), Some(0));
        assert_eq!(distance("elefantenkopf", "elfantenkpof"), Some(2));
    }
}
