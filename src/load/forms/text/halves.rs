//! Conventions by which words name the halves of images.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use itertools::Itertools;

use crate::puzzle::{EdgeName, HALF_WORDS, Half, first_word, last_word};

/// A convention for halves. Returns `None` if it does not explain all words.
type Convention = fn(&[&str]) -> Option<Vec<EdgeName>>;

/// The conventions and their names, in the order in which they are tried.
pub(super) const CONVENTIONS: [(&str, Convention); 6] = [
    ("signs", |words| words.iter().any(|word| sign(word).is_some()).then(|| by_sign(words))),
    ("words", by_word),
    ("case", by_case),
    ("words", by_last_word),
    ("a character", by_character),
    ("primes", by_prime),
];

/// The signs of halves; the last two are typographic.
pub(super) const SIGNS: [char; 4] = ['+', '-', '−', '–'];

/// The dashes that are written for a minus sign.
pub(super) const DASHES: [char; 2] = ['−', '–'];

/// The prime, and how word processors write it.
pub(super) const PRIMES: [char; 3] = ['\'', '’', '′'];

/// Returns true for a sign or a prime.
pub(super) fn is_mark(c: char) -> bool {
    SIGNS.contains(&c) || PRIMES.contains(&c)
}

pub(super) fn edge(image: &str, half: Half) -> EdgeName {
    EdgeName { image: image.to_owned(), half }
}

/// The half with a plus sign, or that with a minus sign.
fn half(is_plus: bool) -> Half {
    if is_plus { Half::Plus } else { Half::Minus }
}

/// The edges, if at least half of the images occur with both halves; otherwise `None`, because the
/// convention is then a coincidence.
fn if_paired(edges: Vec<EdgeName>) -> Option<Vec<EdgeName>> {
    let mut halves: BTreeMap<&str, BTreeSet<bool>> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| edge.half != Half::Whole) {
        halves.entry(&edge.image).or_default().insert(edge.half == Half::Plus);
    }
    let both = halves.values().filter(|shown| shown.len() == 2).count();
    (2 * both >= halves.len()).then_some(edges)
}

/// The half that a sign at the start or the end of a word marks; `None` if there is no sign.
fn sign(word: &str) -> Option<Half> {
    let is_sign = |c: &char| SIGNS.contains(c);
    let sign = word.chars().next().filter(is_sign).or(word.chars().last().filter(is_sign));
    sign.map(|sign| half(sign == '+'))
}

/// Reads `+3` and `-3`, or `red+` and `red-`. A word without a sign is the `+` half of a number other
/// than 0, or of an image that has `-` elsewhere but never `+`; otherwise a whole image, which matches
/// itself.
pub(super) fn by_sign(words: &[&str]) -> Vec<EdgeName> {
    let bare = |word: &str| word.trim_matches(SIGNS).trim_end_matches([' ', '(']).to_owned();
    let are_numbers = words.iter().all(|word| bare(word).parse::<u32>().is_ok());
    let halves: HashSet<(String, Half)> =
        words.iter().filter_map(|word| Some((bare(word), sign(word)?))).collect();
    let signed = |word: &&str| {
        let has = |half| halves.contains(&(bare(word), half));
        let is_plus =
            if are_numbers { bare(word) != "0" } else { has(Half::Minus) && !has(Half::Plus) };
        let unsigned = if is_plus { Half::Plus } else { Half::Whole };
        edge(&bare(word), sign(word).unwrap_or(unsigned))
    };
    words.iter().map(signed).collect()
}

/// Splits a word such as `fish head`, `head fish`, `sun/top`, `sun (top half)`, `C H` or `dogT` into
/// its image and its end; true for the first end. `None` if it has neither end.
fn split<'a>(word: &'a str, ends: &[&str; 2]) -> Option<(&'a str, bool)> {
    let word = word.strip_suffix(" half").unwrap_or(word);
    let split = |end: &str| {
        let at = word.len().checked_sub(end.len()).filter(|&at| word.is_char_boundary(at))?;
        let (head, own) = word.split_at(at);
        let image = head.trim_end_matches([' ', '/', '_', '-', '.', '(']);
        let is_capital = own.contains(char::is_uppercase) && head.ends_with(char::is_lowercase);
        let is_apart = end.len() > 1 || image.len() < head.len() || is_capital;
        (own.eq_ignore_ascii_case(end) && !image.is_empty() && is_apart).then_some(image)
    };
    let split = |end: &str| {
        let leading = || first_word(word).filter(|(_, own)| own.eq_ignore_ascii_case(end));
        split(end).or_else(|| Some(leading()?.0))
    };
    let [plus, minus] = ends;
    split(plus).map(|image| (image, true)).or_else(|| Some((split(minus)?, false)))
}

/// Recognises words that end in one of a pair of words or initials. A word without an end is the
/// other half of an image that has one end everywhere else, as in `cat` and `cat tail`. Fewer than a
/// quarter may be other words, or fewer than half the same one, such as that of a frame; these match
/// themselves. `None` if no pair fits, or fewer than half of the images have both halves.
fn by_word(words: &[&str]) -> Option<Vec<EdgeName>> {
    const LETTERS: [[&str; 2]; 6] =
        [["h", "t"], ["t", "b"], ["u", "l"], ["l", "r"], ["f", "b"], ["i", "o"]];
    HALF_WORDS.iter().chain(&LETTERS).find_map(|ends| {
        let split = words.iter().map(|word| split(word, ends)).collect_vec();
        // `Fish head` and `fish head` show one image.
        let mut spellings: HashMap<String, [Option<&str>; 2]> = HashMap::new();
        for &(image, is_plus) in split.iter().flatten() {
            let spelling = spellings.entry(image.to_lowercase()).or_default();
            spelling[usize::from(is_plus)].get_or_insert(image);
        }
        let known = |image: &str| spellings.get(&image.to_lowercase()).copied().unwrap_or_default();
        let edges = words.iter().zip(split).map(|(word, split)| match (split, known(word)) {
            (Some((image, is_plus)), _) => {
                let [minus, plus] = known(image);
                edge(plus.or(minus).unwrap_or(image), half(is_plus))
            }
            (None, [Some(image), None]) => edge(image, Half::Plus),
            (None, [None, Some(image)]) => edge(image, Half::Minus),
            (None, _) => edge(word, Half::Whole),
        });
        let edges: Vec<EdgeName> = edges.collect();
        let whole = edges.iter().filter(|edge| edge.half == Half::Whole).collect_vec();
        let share = if whole.iter().map(|edge| &edge.image).all_equal() { 2 } else { 4 };
        if whole.len() * share < words.len() { if_paired(edges) } else { None }
    })
}

/// Recognises `R` and `r`, or `CAT` or `Cat` and `cat`, as the halves of an image. `None` unless
/// all words are of letters, both cases occur, and at least half of the images have both halves.
pub(super) fn by_case(words: &[&str]) -> Option<Vec<EdgeName>> {
    let are_letters = words.iter().all(|word| word.chars().all(char::is_alphabetic));
    let are_both =
        [char::is_uppercase, char::is_lowercase].map(|is| words.iter().any(|w| w.starts_with(is)));
    (are_letters && are_both == [true; 2]).then(|| if_paired(cased(words))).flatten()
}

/// The edges if upper and lower case are the two halves of an image: an initial capital marks the
/// first half.
pub(super) fn cased(words: &[&str]) -> Vec<EdgeName> {
    let is_upper = |word: &str| word.starts_with(char::is_uppercase);
    words.iter().map(|word| edge(&word.to_uppercase(), half(is_upper(word)))).collect()
}

/// Recognises the last words of `fish heads` and `fish tails`, whatever the two words are.
fn by_last_word(words: &[&str]) -> Option<Vec<EdgeName>> {
    by_ends(words, |word| last_word(word).unwrap_or((word, "")))
}

/// Recognises `Y1` and `Y0`, `YH` and `YT`, or `HY` and `TY` as the halves of an image.
fn by_character(words: &[&str]) -> Option<Vec<EdgeName>> {
    by_ends(words, |word| word.split_at(word.char_indices().last().map_or(0, |(at, _)| at)))
        .or_else(|| {
            by_ends(words, |word| {
                let (end, image) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
                (image, end)
            })
        })
}

/// The edges if `split` separates the words into images and two ends; `None` unless at least half
/// of the images have both. If the ends are letters, fewer than a quarter of the edges may have
/// another end; these match themselves.
fn by_ends(words: &[&str], split: fn(&str) -> (&str, &str)) -> Option<Vec<EdgeName>> {
    let separated = words.iter().copied().map(|word| {
        let (image, end) = split(word);
        (image.trim_end_matches([' ', '/', '_', '(']), end.to_lowercase())
    });
    let separated: Vec<(&str, String)> = separated.collect();
    let counts = separated.iter().map(|(_, end)| end.as_str()).counts();
    let usual = counts.iter().filter(|(end, _)| !end.is_empty());
    let usual = usual.sorted_by_key(|(end, number)| (Reverse(**number), **end)).take(2);
    let (one, other) = usual.map(|(end, _)| *end).sorted().collect_tuple()?;
    let images = separated.iter().filter(|(_, end)| [one, other].contains(&end.as_str()));
    let images = images.map(|(image, _)| *image).collect_vec();
    let strange = words.len() - images.len();
    let consist_of = |is: fn(char) -> bool| {
        images.iter().all(|image| !image.is_empty() && image.chars().all(is))
    };
    let are_names = consist_of(|c| c.is_alphabetic() || c == ' ');
    // In `1Y` and `0Y`, the digit is the half.
    let are_numbers = consist_of(|c| c.is_ascii_digit())
        && !images.iter().all(|image| ["0", "1"].contains(image));
    let are_digits = matches!((one, other), ("0", "1") | ("1", "2")) && strange == 0;
    // Two-letter names such as `ab` and `ba` consist of letters that are ends and images. In `RL`,
    // `RR`, `GL`, `GR`, … each of several images has both ends, and no word has another.
    let number = images.iter().unique().count();
    let are_all_paired =
        strange == 0 && number > 2 && separated.iter().unique().count() == 2 * number;
    let is_letter = |c: char| c.is_alphabetic() || !c.is_ascii();
    let are_letters = [one, other].iter().all(|end| end.chars().all(is_letter))
        && (are_all_paired
            || !images.iter().any(|image| [one, other].contains(&image.to_lowercase().as_str())))
        && !images.iter().all_equal()
        && strange * 4 < words.len();
    if !(are_names && are_digits || (are_names || are_numbers) && are_letters) {
        return None;
    }
    let plus = if other == "1" { other } else { one };
    let edges = separated.iter().zip(words).map(|((image, end), word)| {
        let is_half = [one, other].contains(&end.as_str());
        if is_half { edge(image, half(end == plus)) } else { edge(word, Half::Whole) }
    });
    if_paired(edges.collect())
}

/// Recognises `a` and `a'` as the halves of an image. `None` if no word ends in a prime, or fewer
/// than half of the images have both halves.
fn by_prime(words: &[&str]) -> Option<Vec<EdgeName>> {
    let is_primed = |word: &&str| word.ends_with(PRIMES);
    let edges =
        words.iter().map(|word| edge(word.trim_end_matches(PRIMES), half(!is_primed(word))));
    words.iter().any(is_primed).then(|| if_paired(edges.collect())).flatten()
}
