//! A number of rows or columns.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};

use super::scalar::Refusal;
use crate::load::limits::LONGEST_SIDE;

/// The largest one, as numbers of a file are read.
const LONGEST: u64 = LONGEST_SIDE as u64;

/// A number of rows or columns.
pub(super) struct Length(pub usize);

impl<'de> serde::Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LengthVisitor)
    }
}

struct LengthVisitor;

impl Visitor<'_> for LengthVisitor {
    type Value = Length;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from 1 to {LONGEST_SIDE}")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Length, E> {
        match number {
            1..=LONGEST => Ok(Length(number as usize)),
            _ => Err(refused(number)),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Length, E> {
        Err(refused(number))
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<Length, E> {
        Err(refused(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Length, E> {
        Err(refused(format!("{number:?}")))
    }
}

fn refused<E: Error>(number: impl fmt::Display) -> E {
    let expected = format!("expected a whole number from 1 to {LONGEST_SIDE}");
    Refusal::from(format!(
        "{number} is no number of rows or columns: {expected}"
    ))
    .into_error()
}
