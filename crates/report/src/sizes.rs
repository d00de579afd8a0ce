//! The sizes of a puzzle and its tables, domains and models, measured without solving it.

use edgematch::domains::{Domains, Rarest, break_symmetry, reduce};
use edgematch::model::{FORMULATIONS, ModelSize};
use edgematch::problem::Problem;
use edgematch::puzzle::{Label, Puzzle};
use edgematch::tables::Table;
use serde::Serialize;

/// The sizes of a puzzle and its board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sizes {
    /// Number of tiles.
    pub tiles: usize,
    /// Number of kinds, that is, of different tiles.
    pub kinds: usize,
    /// Number of values: the distinguishable orientations of all kinds.
    #[serde(rename = "looks")]
    pub values: usize,
    /// Number of images.
    pub images: usize,
    /// Number of images with halves.
    pub halved_images: usize,
    /// Number of cells.
    pub cells: usize,
    /// Number of counted seams: those that must match, and those that should.
    pub seams: usize,
    /// Number of sides on the rim.
    pub rim: usize,
    /// Order of the board's symmetry group.
    pub group: usize,
    /// The tiles of the frame; `None` without a border image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<Frame>,
    /// One entry for each type of seam.
    pub tables: Vec<TableSize>,
}

/// The tiles of a framed puzzle classified by the border edges on their fronts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// Number of tiles with two adjacent border edges.
    pub corner: usize,
    /// Number of tiles with one border edge.
    pub border: usize,
    /// Number of tiles without border edges.
    pub inner: usize,
    /// Number of other tiles, which only narrow boards use: with two border edges that are not
    /// adjacent, or more than two.
    pub narrow: usize,
    /// Number of images that occur only on edges next to a border edge, between tiles of the frame.
    pub images_of_frame: usize,
    /// Number of all other images, except the border.
    pub images_inside: usize,
}

/// The size of a compatibility table over values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableSize {
    /// The name of the type of seam.
    pub name: String,
    /// Number of allowed tuples.
    pub tuples: usize,
    /// The share of allowed tuples among all pairs of values, from 0 to 1.
    pub density: f64,
    /// Number of bipartite blocks.
    pub blocks: usize,
}

/// Measures the puzzle, its board and its compatibility tables, which are built if needed.
pub fn sizes(problem: &Problem) -> Sizes {
    let labels = &problem.puzzle.labels;
    Sizes {
        tiles: problem.puzzle.tiles.len(),
        kinds: problem.kinds.kinds.len(),
        values: problem.kinds.values.len(),
        images: labels.images(),
        halved_images: labels.halved_images(),
        cells: problem.board.size(),
        seams: problem.board.counted().count(),
        rim: problem.board.rim().len(),
        group: problem.group.len(),
        frame: problem.puzzle.border.map(|border| frame(&problem.puzzle, border)),
        tables: problem.tables().all().iter().map(table_size).collect(),
    }
}

/// Classifies the tiles and images of a framed puzzle by their fronts.
fn frame(puzzle: &Puzzle, border: Label) -> Frame {
    let mut frame = Frame::default();
    // For each label, whether it occurs next to a border edge, and whether elsewhere.
    let mut places = vec![(false, false); puzzle.labels.len()];
    for tile in &puzzle.tiles {
        let sides = tile.sides();
        let is_border = |side: usize| tile.edges[side] == border;
        let follows = |side: usize| is_border((side + 1) % sides);
        let is_meeting = (0..sides).any(|side| is_border(side) && follows(side));
        *match (0..sides).filter(|&side| is_border(side)).count() {
            0 => &mut frame.inner,
            1 => &mut frame.border,
            2 if is_meeting => &mut frame.corner,
            _ => &mut frame.narrow,
        } += 1;
        for (side, label) in tile.edges.iter().enumerate() {
            let (along, elsewhere) = &mut places[label.index()];
            if follows(side) || is_border((side + sides - 1) % sides) {
                *along = true;
            } else {
                *elsewhere = true;
            }
        }
    }
    let labels = &puzzle.labels;
    let first_halves = labels.all().filter(|&l| l != border && l <= labels.mate(l));
    for label in first_halves {
        let halves = [label, labels.mate(label)].map(|half| places[half.index()]);
        let is_along = halves.iter().any(|half| half.0);
        if is_along && halves.iter().all(|half| !half.1) {
            frame.images_of_frame += 1;
        } else {
            frame.images_inside += 1;
        }
    }
    frame
}

fn table_size(table: &Table) -> TableSize {
    let all = table.all_values();
    let tuples = table.number_of_tuples(&all, &all);
    TableSize {
        name: table.name.clone(),
        tuples,
        density: tuples as f64 / (all.len() * all.len()) as f64,
        blocks: table.blocks().len(),
    }
}

/// The number of placements after each step of preparation, and the sizes of the 0-1 models.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preparation {
    /// Number of placements that the single-cell rules allow.
    pub placements: usize,
    /// Number of placements after propagation; `None` if that proves that there is no solution.
    pub reduced: Option<usize>,
    /// Total number of placements after symmetry breaking and another propagation; `None` if that,
    /// or the step before, proves that there is no solution.
    pub symmetry_broken: Option<usize>,
    /// Number of parts that symmetry breaking splits the search into.
    pub parts: usize,
    /// The sizes of the models for each formulation, summed over the parts.
    pub models: Vec<FormulationSize>,
}

/// The size of a 0-1 model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FormulationSize {
    /// The name of the formulation.
    pub formulation: &'static str,
    /// Number of variables.
    pub variables: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of nonzero coefficients.
    pub nonzeros: usize,
    /// The linear relaxation; `None` if it was not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relaxation: Option<Relaxation>,
}

/// The linear relaxations of the models of all parts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Relaxation {
    /// False if the relaxations of all parts are infeasible, so that the puzzle has no solution.
    pub feasible: bool,
    /// Number of variables with a fractional value in the solutions of the relaxations.
    pub fractional: usize,
    /// The value of the first objective, a bound for all solutions; `None` without an objective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<f64>,
    /// Seconds to build and solve them.
    pub seconds: f64,
}

/// Reduces the domains and breaks symmetry, and measures the models without building them. Also
/// returns the domains of each part.
pub fn prepare(problem: &Problem) -> (Preparation, Vec<Domains>) {
    let mut root = Domains::first(problem);
    let placements = root.placements();
    let reduced = reduce(problem, &mut root).map(|()| root.placements());
    let parts: Vec<Domains> = match reduced {
        Err(_) => Vec::new(),
        Ok(_) => break_symmetry(problem, root, Rarest::Placements)
            .into_iter()
            .map(|part| part.domains)
            .filter_map(|mut part| reduce(problem, &mut part).is_ok().then_some(part))
            .collect(),
    };
    let models = FORMULATIONS.iter().map(|&formulation| {
        let sizes = parts.iter().map(|part| ModelSize::new(problem, part, formulation));
        let size: ModelSize = sizes.sum();
        FormulationSize {
            formulation: formulation.name(),
            variables: size.variables,
            rows: size.rows().number,
            nonzeros: size.rows().nonzeros,
            relaxation: None,
        }
    });
    let left: usize = parts.iter().map(Domains::placements).sum();
    let preparation = Preparation {
        placements,
        reduced: reduced.ok(),
        symmetry_broken: (!parts.is_empty()).then_some(left),
        parts: parts.len(),
        models: models.collect(),
    };
    (preparation, parts)
}
