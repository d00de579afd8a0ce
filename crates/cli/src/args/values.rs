//! Parsers of option values: durations, memory sizes, parts, ranges.
//!
//! Each parser's error says what was expected, usually with an example.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use edgematch::engine::PartOf;
use edgematch::generate::{BANDS, Classes, Difficulty};
use edgematch_draw::{LARGEST_SIDE, Theme, TileNames};

/// Returns a parser that accepts these names and yields the value that is paired with the name. It
/// compares case-insensitively if the argument sets `ignore_case`.
pub(super) fn one_of<T: Clone + Send + Sync + 'static>(
    entries: impl IntoIterator<Item = (impl Into<PossibleValue>, T)>,
) -> impl TypedValueParser<Value = T> {
    let entries = entries.into_iter().map(|(name, value)| (name.into(), value));
    let entries: Vec<(PossibleValue, T)> = entries.collect();
    let names = PossibleValuesParser::new(entries.iter().map(|(name, _)| name.clone()));
    names.map(move |given| {
        let entry = entries.iter().find(|(name, _)| name.matches(&given, true));
        entry.expect("clap accepts names of this list only").1.clone()
    })
}

/// Returns a parser for the names of [`TileNames`].
pub(super) fn tile_names() -> impl TypedValueParser<Value = TileNames> {
    let names = [TileNames::Turned, TileNames::Small, TileNames::Hidden];
    one_of(std::iter::zip(["turned", "small", "hidden"], names))
}

/// Returns a parser for the names of [`Theme`].
pub(super) fn theme() -> impl TypedValueParser<Value = Theme> {
    one_of(Theme::ALL)
}

/// Returns a parser for integers from 1 to 65535.
pub(super) fn positive() -> impl TypedValueParser<Value = u16> {
    number(1..=u16::MAX)
}

/// Returns a parser for integers in an inclusive range.
pub(super) fn number<T>(range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let [least, most] = [range.start(), range.end()];
        number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
    }
}

/// Parses a whole number of up to 64 bits.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number".to_owned())
}

/// Parses a limit on nodes, at least 1.
pub(super) fn nodes(text: &str) -> Result<u64, String> {
    whole(text).ok().filter(|&nodes| nodes > 0).ok_or("expected a whole number from 1".to_owned())
}

/// Parses a length in millimetres, with or without the suffix `mm`; it must be from 5 to
/// [`LARGEST_SIDE`].
pub(super) fn millimetres(text: &str) -> Result<f64, String> {
    const LEAST: f64 = 5.0;
    let length = text.strip_suffix("mm").unwrap_or(text).trim().parse();
    match length {
        Ok(length) if (LEAST..=LARGEST_SIDE).contains(&length) => Ok(length),
        _ => Err(format!("expected millimetres from {LEAST} to {LARGEST_SIDE}")),
    }
}

/// Parses a number of classes or an inclusive range of it: `2`, `2..5`, `10..`, `..3`. An empty
/// range is an error.
pub(super) fn classes(text: &str) -> Result<Classes, String> {
    let expected = || "expected a number or a range, such as 1, 2..5 or 10..".to_owned();
    let number = |text: &str| text.parse::<u64>().map_err(|_| expected());
    let classes = match text.split_once("..") {
        None => Classes { from: number(text)?, to: Some(number(text)?) },
        Some((from, to)) => Classes {
            from: if from.is_empty() { 0 } else { number(from)? },
            to: (!to.is_empty()).then(|| number(to)).transpose()?,
        },
    };
    match classes.to {
        Some(to) if to < classes.from => {
            Err(format!("the range {text} is empty: its first number exceeds the second"))
        }
        _ => Ok(classes),
    }
}

/// Parses the name of a difficulty band such as `easy`, or a range of tries per distinct solution:
/// `20000..30000`, either end optional. An empty range is an error.
pub(super) fn difficulty(text: &str) -> Result<Difficulty, String> {
    if let Some(named) = Difficulty::named(text) {
        return Ok(named);
    }
    let expected = || {
        let names = BANDS.map(|band| band.name).join(", ");
        format!("expected {names}, or a range of tries per distinct solution, such as 20000..30000")
    };
    let number = |text: &str| text.parse::<u32>().map_err(|_| expected()).map(f64::from);
    let (from, to) = text.split_once("..").ok_or_else(expected)?;
    let range = Difficulty {
        from: if from.is_empty() { 0.0 } else { number(from)? },
        to: if to.is_empty() { f64::INFINITY } else { number(to)? },
    };
    if range.from >= range.to {
        let why = "its first number must be less than the second";
        return Err(format!("the range {text} is empty: {why}"));
    }
    Ok(range)
}

/// Parses a number of solutions; `all` and `0` both yield 0, which means all.
pub(super) fn solutions(text: &str) -> Result<u64, String> {
    if text == "all" {
        return Ok(0);
    }
    let number = text.parse();
    number.map_err(|_| "expected a whole number; 0 or `all` means all".to_owned())
}

/// Parses a duration such as `500ms`, `30s`, `1.5m` or `1h30m`; a bare number is in seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a time such as 500ms, 30s, 2m or 1h30m".to_owned();
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let (mut seconds, mut rest) = (0.0, text);
    loop {
        let (number, after) = rest.split_at(rest.find(is_letter).unwrap_or(rest.len()));
        let (unit, after) = after.split_at(after.find(|c| !is_letter(c)).unwrap_or(after.len()));
        let factor = match unit {
            "ms" => 0.001,
            "" | "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return Err(expected()),
        };
        let number = number.parse().ok().filter(|number: &f64| *number >= 0.0);
        seconds += factor * number.ok_or_else(expected)?;
        if after.is_empty() {
            return Duration::try_from_secs_f64(seconds).map_err(|_| expected());
        }
        rest = after;
    }
}

/// Parses a memory limit such as `500M`, `2G` or `65536KiB` into bytes. Units are powers of 1024 up
/// to T, in either case; a bare number is in bytes. Less than 32M is an error.
pub(super) fn memory_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let expected = || "expected a size such as 500M or 2G".to_owned();
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(expected()),
    };
    let number: u64 = digits.parse().map_err(|_| expected())?;
    let bytes = number.checked_mul(1 << shift).ok_or_else(expected)?;
    // With less, the program could not even report an error.
    const LEAST: u64 = 32 << 20;
    if bytes >= LEAST { Ok(bytes) } else { Err("expected at least 32M".to_owned()) }
}

/// Parses `K/N`, part K of N; 1 ≤ K ≤ N ≤ [`PartOf::MOST`].
pub(super) fn part(text: &str) -> Result<PartOf, String> {
    let expected = || "expected K/N, such as 3/200".to_owned();
    let (part, of) = text.split_once('/').ok_or_else(expected)?;
    let number = |digits: &str| digits.parse::<u32>().map_err(|_| expected());
    let part = number(part)?;
    let of = number(of)?;
    if of > PartOf::MOST {
        return Err(format!("there are at most {} parts", PartOf::MOST));
    }
    if part >= 1 && part <= of {
        Ok(PartOf { part, of })
    } else {
        Err(format!("there is no part {part} of {of}: parts are numbered from 1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(memory_size("2G"), Ok(2 << 30));
        assert_eq!(memory_size("64MiB"), Ok(64 << 20));
        for bad in ["", "G", "-1G", "2X", "1M", "99999999999999T"] {
            assert!(memory_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("0s"), Ok(Duration::ZERO));
        for bad in ["", "s", "-1s", "5 weeks", "1e400", "nan", "ms", "1m-1s", "1hm"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
