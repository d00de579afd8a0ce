//! Sizes of a puzzle, its tables, domains and models, measured without solving it.

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
    /// Number of kinds.
    pub kinds: usize,
    /// Number of values: kinds times the orientations that can be told apart.
    #[serde(rename = "looks")]
    pub values: usize,
    /// Number of images.
    pub images: usize,
    /// Number of images with halves.
    pub halved_images: usize,
    /// Number of cells.
    pub cells: usize,
    /// Number of seams that count: those that must fit, and those that are wanted to.
    pub seams: usize,
    /// Number of sides on the rim.
    pub rim: usize,
    /// Order of the group.
    pub group: usize,
    /// The tiles of a frame, where there is a border.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<Frame>,
    /// One entry for each type of seam.
    pub tables: Vec<TableSize>,
}

/// Which tiles of a framed puzzle go where, by the border edges on their fronts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// Tiles with two border edges side by side.
    pub corner: usize,
    /// Tiles with one.
    pub border: usize,
    /// Tiles with none.
    pub inner: usize,
    /// Tiles with others, which lie on narrow boards.
    pub narrow: usize,
    /// Images that only tiles of the frame show, and only towards one another.
    pub images_of_frame: usize,
    /// Images that do not.
    pub images_inside: usize,
}

/// The size of a compatibility table, over kinds and values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableSize {
    /// The type of seam.
    pub name: String,
    /// Number of allowed tuples.
    pub tuples: usize,
    /// The share of all pairs that is allowed, from 0 to 1.
    pub density: f64,
    /// Number of bipartite blocks.
    pub blocks: usize,
}

/// Counts tiles, cells and tuples.
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

fn frame(puzzle: &Puzzle, border: Label) -> Frame {
    let mut frame = Frame::default();
    // By label whether it lies along the frame, and whether elsewhere.
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

/// What is left to decide before a search begins, and the models of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preparation {
    /// Placements under the rules that concern one cell alone.
    pub placements: usize,
    /// Placements after reducing; `None` where that proves that nothing fits.
    pub reduced: Option<usize>,
    /// Placements after breaking symmetry and reducing again, over all parts.
    pub symmetry_broken: Option<usize>,
    /// Number of parts that breaking symmetry leaves.
    pub parts: usize,
    /// The sizes of the models, by formulation, added up over the parts.
    pub models: Vec<FormulationSize>,
}

/// The size of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FormulationSize {
    /// The formulation.
    pub formulation: &'static str,
    /// Number of variables.
    pub variables: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of coefficients.
    pub nonzeros: usize,
}

/// Reduces and breaks symmetry as the `milp` engine does, and tells how large its models are.
pub fn prepare(problem: &Problem) -> Preparation {
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
        }
    });
    let left: usize = parts.iter().map(Domains::placements).sum();
    Preparation {
        placements,
        reduced: reduced.ok(),
        symmetry_broken: (!parts.is_empty()).then_some(left),
        parts: parts.len(),
        models: models.collect(),
    }
}
