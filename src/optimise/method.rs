//! What a method of the portfolio is.
//!
//! A method is one file, or one folder, and a line in the list of the portfolio. It proves nothing;
//! it hands over arrangements that are better than all that any method has found.

use std::sync::atomic::AtomicUsize;

use super::Effort;
use super::tables::FitTables;
use crate::scheduler::Sink;

/// A way to good arrangements.
pub(super) trait Method: Sync {
    /// Its name in statistics.
    fn name(&self) -> &'static str;

    /// Whether it obeys all that a problem asks for.
    ///
    /// # Errors
    /// Why it does not, in a few words.
    fn serves(&self, tables: &FitTables<'_>) -> Result<(), &'static str>;

    /// Steps after which it had better begin anew; `None` if it makes use of any number.
    fn restart(&self, tables: &FitTables<'_>) -> Option<u64>;

    /// Looks for arrangements with fewer than `broken` broken seams, lowers that number, and hands
    /// over the values of all cells.
    fn run(
        &self,
        tables: &FitTables<'_>,
        effort: &Effort,
        broken: &AtomicUsize,
        sink: &mut dyn Sink<Vec<usize>>,
    );
}
