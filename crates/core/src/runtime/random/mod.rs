//! Random numbers that are the same on every machine for the same seed.
//!
//! [`fastrand`] draws a `usize` from 32 random bits on 32-bit targets such as browsers, so a seed
//! would yield other numbers there. This module always draws 64 bits.

use std::ops::{Bound, RangeBounds};

use num_bigint::BigUint;

/// A seeded generator of random numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random(fastrand::Rng);

/// Converts a bound of a range to 64 bits.
fn wide(bound: Bound<&usize>) -> Bound<u64> {
    bound.map(|&number| number as u64)
}

impl Random {
    /// Creates a generator from a seed.
    pub fn with_seed(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// A uniformly distributed number from a range.
    ///
    /// # Panics
    /// If the range is empty.
    pub fn usize(&mut self, range: impl RangeBounds<usize>) -> usize {
        let range = (wide(range.start_bound()), wide(range.end_bound()));
        self.0.u64(range) as usize
    }

    /// A uniformly distributed number from a range.
    ///
    /// # Panics
    /// If the range is empty.
    pub fn u64(&mut self, range: impl RangeBounds<u64>) -> u64 {
        self.0.u64(range)
    }

    /// A uniformly distributed number from a range.
    ///
    /// # Panics
    /// If the range is empty.
    pub fn i64(&mut self, range: impl RangeBounds<i64>) -> i64 {
        self.0.i64(range)
    }

    /// A uniformly distributed number from a range.
    ///
    /// # Panics
    /// If the range is empty.
    pub fn u32(&mut self, range: impl RangeBounds<u32>) -> u32 {
        self.0.u32(range)
    }

    /// A uniformly distributed number from a range.
    ///
    /// # Panics
    /// If the range is empty.
    pub fn u8(&mut self, range: impl RangeBounds<u8>) -> u8 {
        self.0.u8(range)
    }

    /// A uniformly distributed number below a bound of any size.
    ///
    /// # Panics
    /// If the bound is 0.
    pub fn number_below(&mut self, bound: &BigUint) -> BigUint {
        assert!(*bound != BigUint::ZERO, "no number is below 0");
        let words = bound.bits().div_ceil(32);
        loop {
            let number = BigUint::new((0..words).map(|_| self.u32(..)).collect());
            let number = number >> (32 * words - bound.bits());
            if number < *bound {
                return number;
            }
        }
    }

    /// A uniformly distributed number from 0 (inclusive) to 1 (exclusive).
    pub fn f64(&mut self) -> f64 {
        self.0.f64()
    }

    /// True or false with equal probability.
    pub fn bool(&mut self) -> bool {
        self.0.bool()
    }

    /// A random element of a list; `None` if it is empty.
    pub fn choice<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        (!list.is_empty()).then(|| &list[self.usize(..list.len())])
    }

    /// Shuffles a list uniformly (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for place in 1..list.len() {
            list.swap(place, self.usize(..=place));
        }
    }
}

/// The mean of independent random values and the standard error of the mean; zeros if there are
/// none.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let number = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let variance = squares / (number - 1.0).max(1.0);
    (mean, (variance / number).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_on_every_machine() {
        let mut random = Random::with_seed(7);
        let mut list: Vec<usize> = (0..10).collect();
        random.shuffle(&mut list);
        assert_eq!(list, [8, 9, 4, 0, 3, 2, 7, 1, 5, 6]);
        assert_eq!(random.usize(..1_000_000), 444218);
        let wide = fastrand::Rng::with_seed(7).u64(3..=1_000);
        assert_eq!(Random::with_seed(7).usize(3..=1_000) as u64, wide);
    }

    #[test]
    fn an_empty_list_has_no_choice() {
        assert_eq!(Random::with_seed(1).choice::<u8>(&[]), None);
        assert_eq!(Random::with_seed(1).choice(&[5]), Some(&5));
    }
}
