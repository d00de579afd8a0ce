//! The ways in which words name the halves of images.

use std::collections::{BTreeMap, BTreeSet};

use crate::puzzle::{EdgeName, HALF_WORDS, Half, last_word};

/// A way to name halves: the edges that words name, or nothing if it does not explain all of them.
pub(super) struct Convention {
    pub what: &'static str,
    pub edges: fn(&[&str]) -> Option<Vec<EdgeName>>,
}

/// Tried in this order.
pub(super) const CONVENTIONS: [Convention; 5] = [
    Convention {
        what: "signs",
        edges: |words| {
            let has_sign = |word: &&str| sign(word).is_some();
            words.iter().any(has_sign).then(|| by_sign(words))
        },
    },
    Convention { what: "words", edges: by_word },
    Convention { what: "case", edges: by_case },
    Convention { what: "a final 0 or 1", edges: by_bit },
    Convention { what: "primes", edges: by_prime },
];

pub(super) fn edge(image: &str, half: Half) -> EdgeName {
    EdgeName { image: image.to_owned(), half }
}

fn half(is_plus: bool) -> Half {
    if is_plus { Half::Plus } else { Half::Minus }
}

/// The edges, if at least half of the images show both halves.
fn if_paired(edges: Vec<EdgeName>) -> Option<Vec<EdgeName>> {
    let mut halves: BTreeMap<&str, BTreeSet<bool>> = BTreeMap::new();
    for edge in &edges {
        halves.entry(&edge.image).or_default().insert(edge.half == Half::Plus);
    }
    let both = halves.values().filter(|shown| shown.len() == 2).count();
    (2 * both >= halves.len()).then_some(edges)
}

fn sign(word: &str) -> Option<Half> {
    let is_sign = |c: &char| matches!(c, '+' | '-');
    let sign = word.chars().next().filter(is_sign).or(word.chars().last().filter(is_sign));
    sign.map(|sign| half(sign == '+'))
}

/// `+3` and `-3`, or `red+` and `red-`. A number without a sign is positive; 0 matches itself.
pub(super) fn by_sign(words: &[&str]) -> Vec<EdgeName> {
    let bare = |word: &str| -> String { word.trim_matches(['+', '-']).to_owned() };
    let are_numbers = words.iter().all(|word| bare(word).parse::<u32>().is_ok());
    let signed = |word: &&str| {
        let unsigned = if are_numbers && bare(word) != "0" { Half::Plus } else { Half::Whole };
        edge(&bare(word), sign(word).unwrap_or(unsigned))
    };
    words.iter().map(signed).collect()
}

/// `fish head` and `fish tail`, `sun/top` and `sun/bottom`, `C H` and `C T`.
fn by_word(words: &[&str]) -> Option<Vec<EdgeName>> {
    const LETTERS: [[&str; 2]; 3] = [["h", "t"], ["t", "b"], ["l", "r"]];
    let split: Vec<(&str, &str)> =
        words.iter().map(|word| last_word(word)).collect::<Option<_>>()?;
    let is = |word: &str, own: &str| own.eq_ignore_ascii_case(word);
    let explains =
        |pair: &&[&str; 2]| split.iter().all(|(_, own)| is(pair[0], own) || is(pair[1], own));
    let [plus, _] = HALF_WORDS.iter().chain(&LETTERS).find(explains)?;
    let edges = split.iter().map(|(image, own)| edge(image, half(is(plus, own))));
    if_paired(edges.collect())
}

/// `R` and `r`: the halves of one image.
fn by_case(words: &[&str]) -> Option<Vec<EdgeName>> {
    let is_upper = |word: &&str| word.chars().all(char::is_uppercase);
    let is_lower = |word: &&str| word.chars().all(char::is_lowercase);
    let is_one_case = words.iter().all(|word| is_upper(&word) || is_lower(&word));
    let are_both = words.iter().any(|word| is_upper(&word)) && words.iter().any(|w| is_lower(&w));
    (is_one_case && are_both).then(|| if_paired(cased(words))).flatten()
}

pub(super) fn cased(words: &[&str]) -> Vec<EdgeName> {
    let is_upper = |word: &str| word.chars().all(char::is_uppercase);
    words.iter().map(|word| edge(&word.to_uppercase(), half(is_upper(word)))).collect()
}

/// `Y1` and `Y0`.
fn by_bit(words: &[&str]) -> Option<Vec<EdgeName>> {
    let split = words.iter().map(|word| {
        let image = word.strip_suffix(['0', '1']).filter(|image| !image.is_empty())?;
        image.chars().all(char::is_alphabetic).then(|| edge(image, half(word.ends_with('1'))))
    });
    split.collect::<Option<_>>().and_then(if_paired)
}

/// `a` and `a'`.
fn by_prime(words: &[&str]) -> Option<Vec<EdgeName>> {
    let is_primed = |word: &&str| word.ends_with('\'');
    let edges = words.iter().map(|word| edge(word.trim_end_matches('\''), half(!is_primed(word))));
    words.iter().any(is_primed).then(|| if_paired(edges.collect())).flatten()
}
