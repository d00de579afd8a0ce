//! `backtrack`: depth-first search that fills one cell after another in a fixed order.
//!
//! There are three variants. [`Backtrack::Fast`] places kinds row by row, breaks the symmetry up
//! front and looks ahead to the end of each row. [`Backtrack::Plain`] only looks up tiles that fit
//! the neighbours. [`Backtrack::Scan`] tries every unused tile in every rotation, like the
//! published backtrackers, and uses their counts. The latter two share one search. If the group
//! fixes the first cell, it tries one orientation per orbit there; the host removes other
//! duplicates by their canonical form. It uses neither domains nor a model.

mod order;
mod plain;
mod rows;
mod side_label;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use num_bigint::BigUint;

pub use self::order::Order;
use self::plain::Candidates;
use super::kind::default_variant;
use super::step::{FillStep, steps};
use super::{
    Engine, EngineError, EngineKind, EngineOption, FilteringHost, Host, Options, Result, Value,
    Work, check_no_broken_seams, check_observer, counted,
};
use crate::domains::{Observer, Roots};
use crate::problem::Problem;
use crate::puzzle::Face;
use crate::runtime::limits::{CancelToken, Flow};

/// The depth-first backtracking engine, in three variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Backtrack {
    /// Row by row with lookahead, from the corner with the smallest expected tree.
    #[default]
    Fast,
    /// Looks up the placements that fit the filled neighbours, without lookahead. All edges must be
    /// known.
    Plain(Order),
    /// Tries every unused tile in every rotation, and counts the tries.
    Scan(Order),
}

/// The option `scan`, which the engine `corners` also has.
pub(super) const SCAN: EngineOption = EngineOption {
    excludes: &[PLAIN.name],
    ..EngineOption::flag(
        "scan",
        "try every unused tile in every rotation and count the tries, as published programs do",
    )
};

const PLAIN: EngineOption = EngineOption::flag(
    "plain",
    "look up the tiles that fit the placed neighbours, without pruning",
);

const ORDER: EngineOption = EngineOption {
    name: "order",
    help: "the order of the cells [default: spiral]",
    value: Value::Name(|| Order::ALL.map(Order::name).to_vec()),
    excludes: &[],
    goes_with: &[PLAIN.name, SCAN.name],
};

pub(super) const KIND: EngineKind = EngineKind {
    name: "backtrack",
    help: "depth-first search, row by row",
    options: &[&ORDER, &PLAIN, &SCAN],
    build: |options| {
        let wanted = |order: &Order| Some(order.name()) == options.name_of(&ORDER);
        let order = Order::ALL.into_iter().find(wanted).unwrap_or_default();
        Box::new(if options.has(&PLAIN) {
            Backtrack::Plain(order)
        } else if options.has(&SCAN) {
            Backtrack::Scan(order)
        } else {
            Backtrack::Fast
        })
    },
    variants,
    is_compared: true,
    has_probes: true,
};

/// The fast search, then the other variants in each order.
fn variants() -> Vec<(String, Options)> {
    let mut forms = default_variant(KIND.name);
    for option in [PLAIN, SCAN] {
        for order in Order::ALL.map(Order::name) {
            let options = Options::default().flag(option.name).name(ORDER.name, order);
            forms.push((format!("{}-{order}", option.name), options));
        }
    }
    forms
}

impl Engine for Backtrack {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn variant(&self) -> String {
        match self {
            Backtrack::Fast => String::new(),
            Backtrack::Plain(order) => format!("{} plain", order.name()),
            Backtrack::Scan(order) => format!("{} scan", order.name()),
        }
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        check_no_broken_seams(problem)?;
        if matches!(self, Backtrack::Plain(_)) && !problem.tables().fits_mates_only() {
            Err("it looks up tiles by their edges, and some edges fit several others".into())
        } else {
            Ok(())
        }
    }

    fn effort(&self, work: &Work) -> String {
        let nodes = counted(work.nodes, "node", "nodes");
        match self {
            Backtrack::Scan(_) => format!("{nodes}, {}", counted(work.tries, "try", "tries")),
            Backtrack::Fast | Backtrack::Plain(_) => nodes,
        }
    }

    fn uses_threads(&self) -> bool {
        *self == Backtrack::Fast
    }

    fn counts_calls(&self) -> bool {
        matches!(self, Backtrack::Scan(_))
    }

    /// The product of the choices of tiles and orientations in each cell: N!·4^(k−1)/(N−k)! for k
    /// of N tiles if the first tile is not rotated, otherwise N!·4^k/(N−k)!. Empty if tiles have
    /// copies, which published programs do not support. Breaks if the token stops the run.
    fn possible(&self, problem: &Problem, token: &CancelToken<'_>) -> Flow<Vec<BigUint>> {
        let order = match self {
            Backtrack::Scan(order) if !problem.puzzle.has_copies() => order,
            _ => return ControlFlow::Continue(Vec::new()),
        };
        let mut of_shapes: BTreeMap<usize, Fillings> = BTreeMap::new();
        let mut possible = vec![BigUint::from(1u8)];
        for step in steps(problem, &order.cells(&problem.board, token)?, token)? {
            let sides = step.sides;
            let fillings = of_shapes.entry(sides);
            fillings.or_insert_with(|| Fillings::new(problem, sides)).fill(&step, token)?;
            possible.push(of_shapes.values().map(Fillings::number).product());
        }
        ControlFlow::Continue(possible)
    }

    fn probe(
        &self,
        problem: &Problem,
        probes: u32,
        seed: u64,
        token: &CancelToken<'_>,
    ) -> Flow<Vec<f64>> {
        match self {
            Backtrack::Fast if rows::serves(problem) => rows::probe(problem, (probes, seed), token),
            _ => ControlFlow::Continue(Vec::new()),
        }
    }

    fn roots(&self, problem: &Problem, token: &CancelToken<'_>) -> Flow<Roots> {
        let order = match self {
            Backtrack::Fast if rows::serves(problem) => return rows::roots(problem, token),
            Backtrack::Fast => order_without_rows(problem),
            Backtrack::Plain(order) | Backtrack::Scan(order) => *order,
        };
        // If the group fixes the first cell, its tile is not rotated.
        Roots::in_order(problem, order.cells(&problem.board, token)?, token)
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        let (order, candidates) = match *self {
            Backtrack::Fast => {
                return search_fast(problem, host, work, &mut |_| ControlFlow::Continue(()));
            }
            Backtrack::Plain(order) => (order, Candidates::Fitting),
            Backtrack::Scan(order) => (order, Candidates::All),
        };
        Ok(plain::search(problem, order, candidates, None, host.token(), host, work))
    }
}

/// Runs [`Backtrack::Fast`]. `expects` receives each new estimate of the total number of nodes, and
/// can end the search by `Break`.
///
/// # Errors
/// Like [`Engine::search`].
pub(super) fn search_fast(
    problem: &Problem,
    host: &mut FilteringHost<'_>,
    work: &mut Work,
    expects: &mut dyn FnMut(f64) -> Flow,
) -> Result<Flow> {
    host.test_constraints();
    if rows::serves(problem) {
        return match rows::search(problem, host.token(), expects, host, work) {
            ControlFlow::Continue(end) => Ok(ControlFlow::Continue(end?)),
            ControlFlow::Break(()) => Ok(ControlFlow::Break(())),
        };
    }
    let are_known = problem.tables().fits_mates_only();
    let candidates = if are_known { Candidates::Fitting } else { Candidates::All };
    let order = order_without_rows(problem);
    Ok(plain::search(problem, order, candidates, None, host.token(), host, work))
}

/// Runs [`Backtrack::Scan`]; the observer receives each placement and each finished subtree. Breaks
/// if the host or the token stops the run.
///
/// # Errors
/// If the problem is not supported, or the observer fails.
pub fn observe_scan(
    problem: &Problem,
    order: Order,
    observer: &mut dyn Observer,
    token: &CancelToken<'_>,
    host: &mut dyn Host,
) -> Result<Flow> {
    Backtrack::Scan(order).serves(problem).map_err(|message| EngineError::Trace { message })?;
    let end = FilteringHost::run(problem, token, host, |host| {
        host.test_constraints();
        let observer: &mut dyn Observer = &mut *observer;
        let work = &mut Work::default();
        Ok(plain::search(problem, order, Candidates::All, Some(observer), token, host, work))
    })?;
    check_observer(end, observer)
}

/// The order for boards that the row-by-row search does not support. On a rectangle there are then
/// very many labels, so lists are short and lookahead gains little; any other board has no rows.
fn order_without_rows(problem: &Problem) -> Order {
    match problem.board.rectangle() {
        Some(_) => Order::Rows,
        None => Order::Spiral,
    }
}

/// Counts the ways to fill cells with a number of sides, regardless of seams.
struct Fillings {
    one_sided: usize,
    two_sided: usize,
    cells: usize,
    /// The number of ways, by the number of two-sided tiles used.
    ways: Vec<BigUint>,
}

impl Fillings {
    /// Creates the counter for cells with `sides` sides, none of which is filled.
    fn new(problem: &Problem, sides: usize) -> Self {
        let tiles = problem.puzzle.tiles.iter();
        let (two_sided, one_sided): (Vec<_>, Vec<_>) =
            tiles.filter(|tile| tile.sides() == sides).partition(|tile| tile.back.is_some());
        Fillings {
            one_sided: one_sided.len(),
            two_sided: two_sided.len(),
            cells: 0,
            ways: vec![BigUint::from(1u8)],
        }
    }

    /// Counts one more filled cell, with the orientations that `step` allows. Breaks if the token
    /// stops the run.
    fn fill(&mut self, step: &FillStep, token: &CancelToken<'_>) -> Flow {
        let orientations = step.orientations.len();
        let fronts = step.orientations.iter().filter(|o| o.face() == Face::Front).count();
        let mut ways = vec![BigUint::ZERO; self.two_sided.min(self.cells + 1) + 1];
        for (used, before) in self.ways.iter().enumerate() {
            ways[used] += before * (self.one_sided.saturating_sub(self.cells - used) * fronts);
            if used < self.two_sided {
                ways[used + 1] += before * ((self.two_sided - used) * orientations);
            }
            // The 32-bit digits of the count, each of which is multiplied twice.
            token.work(before.bits() as usize / 32 + 1)?;
        }
        self.cells += 1;
        self.ways = ways;
        ControlFlow::Continue(())
    }

    /// The number of ways to fill the cells counted so far.
    fn number(&self) -> BigUint {
        self.ways.iter().sum()
    }
}
