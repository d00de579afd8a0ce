//! Enumerates the boards of one half that show given labels along the cut.

use std::collections::HashSet;
use std::ops::{ControlFlow, Range};

use crate::board::CellSide;
use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::{Label, ValueSet};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;

/// Layout of the tile counts of a half board, packed into a `u64`: a bit field per kind for the
/// number of pieces used. Unlimited kinds have no bits.
#[derive(Debug, Clone)]
pub(super) struct Tiles {
    /// The bit field of each value's kind.
    fields: Vec<Field>,
    /// The packed counts of a whole board.
    pub all: u64,
}

/// The bit field of a kind, and the values of that kind.
#[derive(Debug, Clone)]
struct Field {
    shift: u32,
    mask: u64,
    /// The value of the field if no piece is left; unreachable if the kind is unlimited.
    most: u64,
    one: u64,
    /// The values of the kind.
    values: Range<usize>,
}

impl Tiles {
    /// Assigns the bit fields. The problem must use all tiles or have unlimited copies of each.
    ///
    /// # Errors
    /// If the fields need more than 64 bits.
    pub fn new(problem: &Problem) -> Result<Tiles, String> {
        let mut next = 0;
        let mut all = 0;
        let mut of_kind = Vec::new();
        for kind in &problem.kinds.kinds {
            let most = kind.copies as u64;
            let bits = u64::BITS - most.leading_zeros();
            let mut field =
                Field { shift: 0, mask: 0, most: 1, one: 0, values: kind.values.clone() };
            if problem.uses_every_tile() {
                if next + bits > u64::BITS {
                    return Err(
                        "there are too many different tiles: the used ones must fit into 64 bits"
                            .into(),
                    );
                }
                all += most << next;
                (field.shift, field.mask) = (next, (1 << bits) - 1);
                (field.most, field.one) = (most, 1 << next);
                next += bits;
            }
            of_kind.push(field);
        }
        let values = problem.kinds.values.iter();
        Ok(Tiles { fields: values.map(|value| of_kind[value.kind].clone()).collect(), all })
    }
}

/// The condition on a side before its cell is filled.
#[derive(Debug, Clone, Copy)]
enum SideCondition {
    /// It meets this side of the cell filled at this step.
    Meets(usize, usize),
    /// It shows the label at this position of the cut.
    Shows(usize),
    /// It meets the label at this position of the cut.
    MeetsCut(usize),
}

/// A set of values as a fixed number of words.
type Words<const W: usize> = [u64; W];

fn to_words<const W: usize>(values: &ValueSet) -> Words<W> {
    let mut words = [0; W];
    for (to, from) in words.iter_mut().zip(values.words()) {
        *to = *from;
    }
    words
}

fn both<const W: usize>(one: &Words<W>, other: &Words<W>) -> Words<W> {
    std::array::from_fn(|word| one[word] & other[word])
}

/// The values that satisfy the condition on a side, for each label.
type ByLabel<const W: usize> = Vec<Words<W>>;

/// A cell to fill.
#[derive(Debug)]
struct CellStep<const W: usize> {
    domain: Words<W>,
    /// Sides along the cut, by their positions.
    along: Vec<(usize, ByLabel<W>)>,
    /// Sides that meet a filled cell, by its step and side.
    meeting: Vec<(usize, usize, ByLabel<W>)>,
}

/// One half of a board. Sets of values have `W` words.
#[derive(Debug)]
pub(super) struct Half<const W: usize> {
    steps: Vec<CellStep<W>>,
    /// The index of the label on each side of each value, `sides` entries per value.
    edges: Vec<u32>,
    /// The largest number of sides of a value.
    sides: usize,
    /// The values of the same kind, for each value.
    alike: Vec<Words<W>>,
    tiles: Tiles,
}

/// The role of a half: the first shows the labels along the cut, the second meets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HalfRole {
    First,
    Second,
}

impl<const W: usize> Half<W> {
    /// Prepares the half with the given cells and the given sides along the cut, starting from cell
    /// `first`. Breaks if the token stops the run.
    pub fn new(
        problem: &Problem,
        domains: &Domains,
        tiles: &Tiles,
        part: (&[usize], &[CellSide], HalfRole),
        first: usize,
        token: &CancelToken<'_>,
    ) -> Flow<Self> {
        let sides = problem.board.most_sides();
        let values = &problem.kinds.values;
        let edges = values.iter().flat_map(|value| {
            let shown = value.edges.iter().map(|label| label.index() as u32);
            shown.chain(std::iter::repeat(0)).take(sides)
        });
        let order = known_in_order(problem, domains, part, first, token)?;
        let steps = order.into_iter().map(|(cell, known)| {
            let domain = &domains.cells[cell];
            let mut step =
                CellStep { domain: to_words(domain), along: Vec::new(), meeting: Vec::new() };
            for (side, known) in known {
                let by_label = problem.puzzle.labels.all().map(|label| {
                    let going = domain.iter().filter(|&value| {
                        let own = values[value].edges[side];
                        match known {
                            SideCondition::Shows(_) => own == label,
                            SideCondition::Meets(..) | SideCondition::MeetsCut(_) => {
                                problem.tables().fit(label, own)
                            }
                        }
                    });
                    to_words(&ValueSet::from_values(values.len(), going))
                });
                let by_label = by_label.collect();
                match known {
                    SideCondition::Meets(before, there) => {
                        step.meeting.push((before, there, by_label))
                    }
                    SideCondition::Shows(place) | SideCondition::MeetsCut(place) => {
                        step.along.push((place, by_label));
                    }
                }
            }
            step
        });
        let alike = tiles.fields.iter();
        let alike =
            alike.map(|field| to_words(&ValueSet::from_range(values.len(), field.values.clone())));
        ControlFlow::Continue(Half {
            steps: steps.collect(),
            edges: edges.collect(),
            sides,
            alike: alike.collect(),
            tiles: tiles.clone(),
        })
    }

    /// Estimates the number of steps to enumerate all boards, from one random dive. Breaks if the
    /// token stops the run.
    pub fn estimate_steps(
        &self,
        cut: &[usize],
        random: &mut Random,
        token: &CancelToken<'_>,
    ) -> Flow<f64> {
        let (mut steps, mut number) = (1.0, 1.0);
        let weights = vec![1; self.tiles.fields.len()];
        let mut boards = Boards::new(self, cut, &weights, token, |_, _| ControlFlow::Continue(()))?;
        let mut state = boards.empty_board();
        for step in 0..self.steps.len() {
            let going: Vec<usize> = members(boards.allowed_values(step, &state.left)).collect();
            let Some(&value) = random.choice(&going) else {
                break;
            };
            number *= going.len() as f64;
            steps += number;
            state = boards.place(step, state, value);
        }
        ControlFlow::Continue(steps)
    }
}

/// Iterates over the values in a set.
fn members<const W: usize>(mut set: Words<W>) -> impl Iterator<Item = usize> {
    let mut word = 0;
    std::iter::from_fn(move || {
        while set[word] == 0 {
            word += 1;
            if word == W {
                word = W - 1;
                return None;
            }
        }
        let value = word * 64 + set[word].trailing_zeros() as usize;
        set[word] &= set[word] - 1;
        Some(value)
    })
}

/// The state of a partial board, without positions.
#[derive(Clone, Copy)]
struct PartialBoard<const W: usize> {
    /// The packed tile counts.
    used: u64,
    /// The product of the weights of the placed values.
    weight: u128,
    /// The values of kinds with pieces left.
    left: Words<W>,
}

/// A depth-first enumeration of the boards of a half.
pub(super) struct Boards<'a, F, const W: usize> {
    half: &'a Half<W>,
    /// The domain of each step for the given labels along the cut.
    domains: Vec<Words<W>>,
    /// The weight of each value; a board weighs the product of its values.
    weights: &'a [u64],
    /// Receives the packed tile counts and the weight of each board.
    take: F,
    token: &'a CancelToken<'a>,
    nodes: u64,
    /// The offset into `half.edges` of the value placed at each step.
    laid: Vec<usize>,
}

/// The number of nodes between two reports to the token.
const NODES: u64 = 1 << 12;

impl<'a, F: FnMut(u64, u128) -> Flow, const W: usize> Boards<'a, F, W> {
    /// Prepares the enumeration for the given label indices along the cut. Breaks if the token
    /// stops the run.
    pub fn new(
        half: &'a Half<W>,
        cut: &[usize],
        weights: &'a [u64],
        token: &'a CancelToken<'a>,
        take: F,
    ) -> Flow<Self> {
        token.work(W * half.steps.len() + weights.len())?;
        let domain = |step: &CellStep<W>| {
            step.along.iter().fold(step.domain, |domain, (place, by_label)| {
                both(&domain, &by_label[cut[*place]])
            })
        };
        ControlFlow::Continue(Boards {
            half,
            domains: half.steps.iter().map(domain).collect(),
            weights,
            take,
            token,
            nodes: 0,
            laid: vec![0; half.steps.len()],
        })
    }

    /// Enumerates all boards, until `take` breaks.
    pub fn enumerate(&mut self) -> Flow {
        self.extend(0, &self.empty_board())
    }

    fn empty_board(&self) -> PartialBoard<W> {
        PartialBoard { used: 0, weight: 1, left: [u64::MAX; W] }
    }

    fn extend(&mut self, step: usize, state: &PartialBoard<W>) -> Flow {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES) {
            self.token.work(8 * NODES as usize)?;
        }
        if step == self.half.steps.len() {
            return (self.take)(state.used, state.weight);
        }
        for value in members(self.allowed_values(step, &state.left)) {
            let with = self.place(step, *state, value);
            self.extend(step + 1, &with)?;
        }
        ControlFlow::Continue(())
    }

    /// The values that a cell can take, given the values placed so far.
    fn allowed_values(&self, step: usize, left: &Words<W>) -> Words<W> {
        let going = both(&self.domains[step], left);
        self.half.steps[step].meeting.iter().fold(going, |going, (before, there, by_label)| {
            both(&going, &by_label[self.half.edges[self.laid[*before] + there] as usize])
        })
    }

    /// Places a value.
    fn place(&mut self, step: usize, mut state: PartialBoard<W>, value: usize) -> PartialBoard<W> {
        let half = self.half;
        self.laid[step] = value * half.sides;
        let field = &half.tiles.fields[value];
        state.used += field.one;
        state.weight *= u128::from(self.weights[value]);
        if state.used >> field.shift & field.mask == field.most {
            let alike = &half.alike[value];
            state.left = std::array::from_fn(|word| state.left[word] & !alike[word]);
        }
        state
    }
}

/// Sides with a known condition.
type KnownSides = Vec<(usize, SideCondition)>;

/// The cells in the order in which they are filled, with the conditions known then. After the first
/// cell, each next cell is the one expected to have the fewest values.
fn known_in_order(
    problem: &Problem,
    domains: &Domains,
    (cells, cut, which): (&[usize], &[CellSide], HalfRole),
    first: usize,
    token: &CancelToken<'_>,
) -> Flow<Vec<(usize, KnownSides)>> {
    let mut order: Vec<(usize, KnownSides)> = Vec::new();
    let mut open: Vec<usize> = cells.to_vec();
    while !open.is_empty() {
        let known = |cell: usize| -> KnownSides {
            let along = cut.iter().enumerate().filter(|(_, end)| end.0 == cell);
            let along = along.map(|(place, &(_, side))| match which {
                HalfRole::First => (side, SideCondition::Shows(place)),
                HalfRole::Second => (side, SideCondition::MeetsCut(place)),
            });
            let laid = |other: usize| order.iter().position(|(laid, _)| *laid == other);
            let beside = problem.board.seams().iter().flat_map(|seam| {
                let [one, other] = seam.ends();
                [(one, other), (other, one)]
            });
            let meeting = beside.filter(|((own, _), _)| *own == cell).filter_map(
                |((_, side), (other, there))| {
                    Some((side, SideCondition::Meets(laid(other)?, there)))
                },
            );
            along.chain(meeting).collect()
        };
        let is_first = |cell: usize| order.is_empty() && cell == first;
        let mut best: Option<(f64, usize, KnownSides)> = None;
        for (place, &cell) in open.iter().enumerate() {
            let known = known(cell);
            let values = likely_values(problem, domains, cell, &known);
            let values = values * f64::from(u8::from(!is_first(cell)));
            // This scans all seams, and the values of the cell for each known side.
            let looked_at = known.len() * domains.cells[cell].len();
            token.work(problem.board.seams().len() + 16 * looked_at)?;
            if best.as_ref().is_none_or(|best| values.total_cmp(&best.0).is_lt()) {
                best = Some((values, place, known));
            }
        }
        let Some((_, place, known)) = best else { break };
        order.push((open.remove(place), known));
    }
    ControlFlow::Continue(order)
}

/// The expected number of values of a cell that satisfy the conditions on its sides, if each label
/// that occurs on a side is equally likely.
fn likely_values(
    problem: &Problem,
    domains: &Domains,
    cell: usize,
    known: &[(usize, SideCondition)],
) -> f64 {
    let domain = &domains.cells[cell];
    let labels = |side: usize| -> HashSet<Label> {
        let values = domain.iter().map(|value| &problem.kinds.values[value]);
        values.map(|value| value.edges[side]).collect()
    };
    let shares = known.iter().map(|&(side, _)| 1.0 / labels(side).len().max(1) as f64);
    domain.len() as f64 * shares.product::<f64>()
}
