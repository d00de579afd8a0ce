//! A matching relation between pictures, resolved into images with halves and images that match
//! themselves.

use std::collections::{HashSet, VecDeque};

/// Pictures that are the edges of one image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Group {
    /// All match one another, and each itself.
    Whole(Vec<usize>),
    /// All of the first match all of the second, which may be none.
    Halves(Vec<usize>, Vec<usize>),
}

/// Two pictures that no image can explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchingError {
    /// The first matches the second, which does not match it.
    OneWay(usize, usize),
    /// They do not match, and would have to.
    Missing(usize, usize),
    /// They match, and may not: both are the same half.
    Odd(usize, usize),
    /// The first matches itself and the second, which does not match itself.
    Loop(usize, usize),
}

/// The groups of a relation, by what each picture matches.
pub(super) fn groups(matches: &[HashSet<usize>]) -> Result<Vec<Group>, MatchingError> {
    for (one, others) in matches.iter().enumerate() {
        let mut others: Vec<usize> = others.iter().copied().collect();
        others.sort_unstable();
        if let Some(&other) = others.iter().find(|&&other| !matches[other].contains(&one)) {
            return Err(MatchingError::OneWay(one, other));
        }
    }
    let mut is_seen = vec![false; matches.len()];
    let mut groups = Vec::new();
    for start in 0..matches.len() {
        if !is_seen[start] {
            groups.push(group(matches, start, &mut is_seen)?);
        }
    }
    Ok(groups)
}

fn group(
    matches: &[HashSet<usize>],
    start: usize,
    is_seen: &mut [bool],
) -> Result<Group, MatchingError> {
    // By turns the one half and the other.
    let mut halves = [vec![start], Vec::new()];
    let mut open = VecDeque::from([(start, 0)]);
    is_seen[start] = true;
    while let Some((one, half)) = open.pop_front() {
        for &other in &matches[one] {
            if !std::mem::replace(&mut is_seen[other], true) {
                halves[1 - half].push(other);
                open.push_back((other, 1 - half));
            }
        }
    }
    let [first, second] = halves.map(|mut half| {
        half.sort_unstable();
        half
    });
    let mut all: Vec<usize> = first.iter().chain(&second).copied().collect();
    all.sort_unstable();
    let fits = |one: usize, other: usize| matches[one].contains(&other);
    if let Some(&own) = all.iter().find(|&&one| fits(one, one)) {
        let mut others = all.iter().filter(|&&other| fits(own, other));
        if let Some(&other) = others.find(|&&other| !fits(other, other)) {
            return Err(MatchingError::Loop(own, other));
        }
        let mut pairs = itertools::iproduct!(&all, &all);
        return match pairs.find(|&(&one, &other)| !fits(one, other)) {
            Some((&one, &other)) => Err(MatchingError::Missing(one, other)),
            None => Ok(Group::Whole(all)),
        };
    }
    for half in [&first, &second] {
        let mut pairs = itertools::iproduct!(half, half);
        if let Some((&one, &other)) = pairs.find(|&(&one, &other)| fits(one, other)) {
            return Err(MatchingError::Odd(one, other));
        }
    }
    let mut pairs = itertools::iproduct!(&first, &second);
    match pairs.find(|&(&one, &other)| !fits(one, other)) {
        Some((&one, &other)) => Err(MatchingError::Missing(one, other)),
        None => Ok(Group::Halves(first, second)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(lists: &[&[usize]]) -> Vec<HashSet<usize>> {
        lists.iter().map(|list| list.iter().copied().collect()).collect()
    }

    #[test]
    fn halves_and_images_that_match_themselves() {
        let found =
            groups(&relation(&[&[1], &[0], &[2], &[], &[6, 5], &[4], &[4], &[7, 8], &[7, 8]]));
        let expected = vec![
            Group::Halves(vec![0], vec![1]),
            Group::Whole(vec![2]),
            Group::Halves(vec![3], vec![]),
            Group::Halves(vec![4], vec![5, 6]),
            Group::Whole(vec![7, 8]),
        ];
        assert_eq!(found, Ok(expected));
    }

    #[test]
    fn what_no_image_explains_is_named() {
        assert_eq!(groups(&relation(&[&[1], &[]])), Err(MatchingError::OneWay(0, 1)));
        // A path of four: its ends would have to match.
        let path = relation(&[&[1], &[0, 2], &[1, 3], &[2]]);
        assert_eq!(groups(&path), Err(MatchingError::Missing(0, 3)));
        let triangle = relation(&[&[1, 2], &[0, 2], &[0, 1]]);
        assert_eq!(groups(&triangle), Err(MatchingError::Odd(1, 2)));
        assert_eq!(groups(&relation(&[&[0, 1], &[0]])), Err(MatchingError::Loop(0, 1)));
        let open = relation(&[&[0, 1], &[0, 1, 2], &[1, 2]]);
        assert_eq!(groups(&open), Err(MatchingError::Missing(0, 2)));
    }
}
