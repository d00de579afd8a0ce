//! `edgematch info`: prints the sizes of a puzzle, its tables and its models.
//!
//! Models are measured without being built unless their relaxations are requested. Solutions are
//! counted if that takes little time.

use std::time::{Duration, Instant};

use anyhow::bail;
use edgematch::BigUint;
use edgematch::domains::Domains;
use edgematch::engine::{self, ENGINES, EngineError, counted};
use edgematch::enumerate::{self, Limits, Marginals, Method, Outcome};
use edgematch::load::{self, printable, tile_text};
use edgematch::model::FORMULATIONS;
use edgematch::optimise;
use edgematch::problem::{Objective, Placed, Problem};
use edgematch::puzzle::{Flip, Labels};
use edgematch::runtime::clock;
use edgematch::tables::{Block, Table};
use edgematch_report::sizes::{
    FormulationSize, Frame, Preparation, Relaxation, Sizes, prepare, sizes,
};
use edgematch_report::{Counts, WithRemarks, counts, solutions_found};
use itertools::Itertools;
use serde::Serialize;
use serde_json::json;

use crate::args::{AnswerFormat, Info, Loaded, refuse_two_readers};
use crate::common::{exit, interrupt, patience, print, warnings};

/// Runs `edgematch info`; returns the exit code, 0.
pub fn run(args: &Info) -> anyhow::Result<u8> {
    let interrupt = interrupt::flag();
    let limits = args.time.limits(Some(&interrupt));
    if let (Some(option), false) = (args.objective.given(), args.relaxation) {
        bail!("{option} requires --relaxation, which solves the models for it");
    }
    refuse_two_readers(args.puzzle.inputs().chain(args.objective.inputs()))?;
    let (puzzle, objective) = (args.puzzle.clone(), args.objective.clone());
    let (with_tables, with_relaxations) = (args.tables, args.relaxation);
    let is_json = args.answer.format == AnswerFormat::Json;
    let (problem, source, text) = patience::under(&limits, "all was counted", move || {
        let Loaded { problem, text: source, .. } = puzzle.load()?;
        let mut objectives = objective.objectives(&problem)?;
        objectives.truncate(usize::from(with_relaxations));
        // The model of an optimisation distinguishes what its objective distinguishes.
        let optimised = optimise::weakest(&problem, &objectives);
        let (mut preparation, parts) = prepare(&optimised);
        if with_relaxations {
            solve_relaxations((&optimised, &objectives), &parts, &mut preparation)?;
        }
        let counted = short_count(&problem);
        let text = if is_json {
            json(&problem, &preparation, counted.as_ref(), with_tables)?
        } else {
            text(&problem, &preparation, counted.as_ref(), with_tables)
        };
        anyhow::Ok((problem, source, text))
    })??;
    let is_quiet = args.answer.messages.quiet;
    warnings::of_text(&args.puzzle, &source, &problem, (args.warnings.strict, is_quiet))?;
    warnings::of_problem(&problem, is_quiet);
    print(&text)?;
    if is_json {
        warnings::assumed(&problem, is_quiet);
    }
    Ok(exit::FOUND)
}

/// Counts all solutions, and in how many of them each tile is in each cell; `None` if that takes
/// more than a short time.
fn short_count(problem: &Problem) -> Option<(Outcome, Marginals)> {
    // About 10 ms. The time limit is for constraints and boards that make a node expensive.
    const NODES: u64 = 10_000;
    let time = Some(Duration::from_secs(1));
    let limits = Limits { nodes: Some(NODES), time, ..Limits::default() };
    [Method::Search, Method::Frontier].into_iter().find_map(|method| {
        let (outcome, marginals) = enumerate::marginals(problem, &limits, Some(method));
        outcome.status.is_complete().then_some((outcome, marginals))
    })
}

/// Solves the relaxations of the models and adds them to `preparation`.
///
/// # Errors
/// If the solver gives no answer.
fn solve_relaxations(
    (problem, objectives): (&Problem, &[Objective]),
    parts: &[Domains],
    preparation: &mut Preparation,
) -> Result<(), EngineError> {
    let token = &Limits::default().token();
    for (model, formulation) in preparation.models.iter_mut().zip(FORMULATIONS) {
        let started = Instant::now();
        let (mut feasible, mut fractional) = (false, 0);
        let mut bound = None;
        for part in parts {
            // Nothing stops this token; a time limit abandons the thread.
            let solved =
                engine::relax((problem, objectives), part, formulation, token).continue_value();
            if let Some(of_part) = solved.transpose()?.flatten() {
                feasible = true;
                fractional += of_part.fractional;
                bound = of_part.value.map(|value| value.max(bound.unwrap_or(f64::NEG_INFINITY)));
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        let sign = objectives.first().map_or(1, |first| first.goal(problem).own(1)) as f64;
        // Adding zero turns -0 into 0.
        let objective = bound.map(|bound| sign * bound + 0.0);
        model.relaxation = Some(Relaxation { feasible, fractional, objective, seconds });
    }
    Ok(())
}

/// The output as lines of text.
fn text(
    problem: &Problem,
    preparation: &Preparation,
    counted_solutions: Option<&(Outcome, Marginals)>,
    with_tables: bool,
) -> String {
    let puzzle = &problem.puzzle;
    let sizes = sizes(problem);
    let board = format!(
        "{}: {}, {}, {} on the rim, group of {}",
        problem.board.description(),
        counted(sizes.cells, "cell", "cells"),
        counted(sizes.seams, "seam", "seams"),
        counted(sizes.rim, "side", "sides"),
        sizes.group
    );
    let images = format!("{}, {} of them with halves", sizes.images, sizes.halved_images);
    let pieces = problem.board.pieces().len();
    let pieces = (pieces > 1).then(|| format!("{pieces}, which no seam joins"));
    let constraints = (!problem.constraints.is_empty()).then(|| constraints_text(problem));
    let facts = [
        ("title", puzzle.title.clone()),
        ("source", puzzle.source.clone()),
        ("board", Some(board)),
        ("tiles", Some(tiles_text(problem, &sizes))),
        ("images", Some(images)),
        ("border", puzzle.border.map(|border| puzzle.labels.name(border))),
        ("read as", Some(warnings::read_as(problem))),
        ("frame", sizes.frame.as_ref().map(frame_text)),
        ("pieces", pieces),
        ("constraints", constraints),
        ("objective", load::objective_text(problem)),
    ];
    let facts = facts.into_iter().filter_map(|(name, fact)| Some((name, fact?)));
    let tables = sizes.tables.iter().map(|table| {
        let share = 100.0 * table.density;
        let size = format!("{} tuples ({share:.1} %), {} blocks", table.tuples, table.blocks);
        (&*table.name, size)
    });
    let placements = ("placements", placements_text(preparation));
    let models = preparation.models.iter().map(|model| {
        let FormulationSize { formulation, variables, rows, nonzeros, relaxation } = model;
        let relaxation = relaxation.as_ref().map(relaxation_text).unwrap_or_default();
        (
            *formulation,
            format!("{variables} variables, {rows} rows, {nonzeros} nonzeros{relaxation}"),
        )
    });
    let solutions = counted_solutions
        .map(|(outcome, marginals)| ("solutions", solutions_text(problem, outcome, marginals)));
    let lines = facts.chain(tables).chain([placements]).chain(models).chain(solutions);
    let lines = lines.map(|(name, value)| printable(&format!("  {name:<12} {value}")) + "\n");
    let mut text = printable(&puzzle.name) + "\n" + &lines.collect::<String>();
    text += &listed_constraints(problem);
    if with_tables {
        text.extend(problem.tables().all().iter().map(|table| table_text(problem, table)));
    }
    text
}

/// The number of solutions, and of the pairs of tile and cell that occur in them.
fn solutions_text(problem: &Problem, outcome: &Outcome, marginals: &Marginals) -> String {
    let found = solutions_found(problem, outcome);
    let all = marginals.kinds.iter().flatten();
    let occurring = all.clone().filter(|number| **number != BigUint::ZERO).count();
    match occurring {
        0 => found,
        _ => format!("{found}; {occurring} of {} pairs of tile and cell occur", all.count()),
    }
}

/// The solution of a relaxation, as an addition to the line of a model.
fn relaxation_text(relaxation: &Relaxation) -> String {
    let Relaxation { feasible, fractional, objective, seconds } = *relaxation;
    let value = objective.map_or_else(String::new, |value| format!("objective {value:.3}, "));
    let time = clock::seconds(seconds);
    if feasible {
        format!("; {value}{fractional} fractional in the relaxation, {time}")
    } else {
        format!("; relaxation infeasible, {time}")
    }
}

/// The first constraints as lines of text, each with its number; the copies of an item with `for`
/// are listed one by one.
fn listed_constraints(problem: &Problem) -> String {
    const SHOWN: usize = 20;
    let shown = problem.constraints.iter().take(SHOWN).enumerate().map(|(index, constraint)| {
        let text = load::constraint_text(constraint);
        printable(&format!("  {:<12} {text}", format!("constraint {}", index + 1))) + "\n"
    });
    let more = problem.constraints.len().saturating_sub(SHOWN);
    let rest = if more == 0 {
        String::new()
    } else {
        format!("  and {more} more; `--format json` lists all of them\n")
    };
    shown.collect::<String>() + &rest
}

/// The kind of each extra constraint, in the order of the file.
fn constraint_names(problem: &Problem) -> Vec<&'static str> {
    problem.constraints.iter().map(|c| c.name()).collect()
}

/// The names of the engines that prune only by single-cell constraints and check other constraints
/// on arrangements: first those that support the board, then those that do not.
fn filtering_engines(problem: &Problem) -> [Vec<&'static str>; 2] {
    let (serving, others): (Vec<_>, Vec<_>) = ENGINES
        .iter()
        .map(|kind| kind.usual())
        .filter(|engine| !engine.prunes_by_constraints())
        .partition(|engine| engine.serves(problem).is_ok());
    [serving, others].map(|engines| engines.iter().map(|engine| engine.name()).collect())
}

/// The number of constraints, their kinds, and which engines check them only on arrangements.
fn constraints_text(problem: &Problem) -> String {
    let names = constraint_names(problem);
    let (number, them) = (names.len(), if names.len() == 1 { "it" } else { "them" });
    let [filtering, others] = filtering_engines(problem).map(|engines| engines.join(", "));
    let kinds = names.iter().counts().into_iter().sorted();
    let kinds = kinds.map(|(name, number)| match number {
        1 => (*name).to_string(),
        _ => format!("{number} {name}"),
    });
    let kinds = kinds.collect_vec().join(", ");
    let mut text = format!("{number}: {kinds}; {filtering} check {them} on each arrangement");
    let lazy = problem.lazy_constraints().map(|c| c.name()).unique().join(", ");
    if !lazy.is_empty() {
        text += &format!("; all engines check {lazy} on each arrangement");
    }
    if !others.is_empty() {
        text += &format!("; {others} do not support the board");
    }
    text
}

/// The numbers of corner, border and inner tiles, and where images occur.
fn frame_text(frame: &Frame) -> String {
    let Frame { corner, border, inner, narrow, images_of_frame, images_inside } = frame;
    let narrow = if *narrow == 0 { String::new() } else { format!(" and {narrow} other") };
    format!(
        "{corner} corner, {border} border, {inner} inner{narrow} tiles; images: {images_of_frame} \
         only between frame tiles, {images_inside} others"
    )
}

/// The numbers of tiles, different tiles and orientations, and whether tiles have backs or may be
/// rotated.
fn tiles_text(problem: &Problem, sizes: &Sizes) -> String {
    let turns = if problem.puzzle.may_turn { "" } else { ", which may not be turned" };
    let two_sided = problem.puzzle.tiles.iter().filter(|tile| tile.back.is_some());
    let faces = match (two_sided.count(), problem.puzzle.flip()) {
        (0, _) => String::new(),
        (_, Some(flip)) => format!(", with `flip: {}`", flip.name()),
        (number, None) if number == sizes.tiles => ", two-sided".to_owned(),
        (number, None) => format!(", {number} two-sided"),
    };
    format!(
        "{}, {} different, {} orientations{faces}{turns}",
        sizes.tiles, sizes.kinds, sizes.values
    )
}

/// The number of placements at first, after reducing, and after symmetry breaking.
fn placements_text(preparation: &Preparation) -> String {
    let Preparation { placements, parts, .. } = preparation;
    match (preparation.reduced, preparation.symmetry_broken) {
        (None, _) => format!("{placements}; reducing them proves that there is no solution"),
        (Some(reduced), None) => format!(
            "{placements}, {reduced} after reducing; symmetry breaking proves that there is no solution"
        ),
        (Some(reduced), Some(left)) => {
            let parts = if *parts == 1 { String::new() } else { format!(" in {parts} parts") };
            format!("{placements}, {reduced} after reducing, {left} after symmetry breaking{parts}")
        }
    }
}

/// A value as `t,r`: the name of the first tile of its kind and the rotation, with the face if the
/// tile is two-sided.
fn value_text(problem: &Problem, value: usize) -> String {
    let Placed { tile, orientation } = problem.first_with(value);
    let tile = &problem.puzzle.tiles[tile];
    let orientation = tile.describe(orientation);
    format!("{},{orientation}", tile_text(&tile.name))
}

/// A compatibility table as lines, first its blocks, then its tuples.
fn table_text(problem: &Problem, table: &Table) -> String {
    let value = |&value: &usize| value_text(problem, value);
    let blocks = table.blocks().iter().map(|block| {
        let edges = block_edges(&problem.puzzle.labels, block).join(" ");
        let [first, second] =
            [&block.first, &block.second].map(|side| side.iter().map(value).join(" "));
        format!("  {edges}: {first} | {second}")
    });
    let name = &table.name;
    let blocks =
        [format!("{name} blocks (t,r of one side | t,r of the other)")].into_iter().chain(blocks);
    let tuples = table.tuples().map(|(p, q)| format!("  {},{}", value(&p), value(&q)));
    let tuples = [format!("{name} tuples (t1,r1,t2,r2)")].into_iter().chain(tuples);
    let lines = [String::new()].into_iter().chain(blocks).chain([String::new()]).chain(tuples);
    lines.map(|line| printable(&line) + "\n").collect()
}

/// The output as indented JSON.
fn json(
    problem: &Problem,
    preparation: &Preparation,
    counted_solutions: Option<&(Outcome, Marginals)>,
    with_tables: bool,
) -> anyhow::Result<String> {
    #[derive(Serialize)]
    struct WithCounts<'a> {
        #[serde(flatten)]
        object: serde_json::Value,
        // Not a part of `object`, which cannot hold large numbers.
        #[serde(skip_serializing_if = "Option::is_none")]
        solutions: Option<Counts<'a>>,
    }
    let puzzle = &problem.puzzle;
    let mut object = json!({
        "type": "info",
        "name": puzzle.name,
        "title": puzzle.title,
        "source": puzzle.source,
        "board": problem.board.description(),
        "rotations": puzzle.may_turn,
        "flip": puzzle.flip().map(Flip::name),
        "border": puzzle.border.map(|border| puzzle.labels.name(border)),
        "constraints": constraint_names(problem),
        "objective": load::objective_text(problem),
        "constraint_texts": problem.constraints.iter().map(load::constraint_text).collect_vec(),
        "filtering": filtering_engines(problem)[0],
        "sizes": sizes(problem),
        "preparation": preparation,
    });
    if with_tables {
        let all = problem.tables().all().iter();
        object["tables"] = all.map(|table| table_json(problem, table)).collect();
    }
    let solutions = counted_solutions
        .map(|(outcome, marginals)| counts(outcome, None).with_marginals(problem, marginals));
    let object = WithCounts { object, solutions };
    Ok(serde_json::to_string_pretty(&WithRemarks::new(object, problem))? + "\n")
}

/// The names of the edges of a block: the label of the first side, then all labels that match it.
fn block_edges(labels: &Labels, block: &Block) -> Vec<String> {
    let edges = std::iter::once(block.label).chain(labels.fitting(block.label));
    edges.map(|label| labels.name(label)).collect()
}

/// A table of fitting values as JSON: its blocks and all of its pairs.
fn table_json(problem: &Problem, table: &Table) -> serde_json::Value {
    let labels = &problem.puzzle.labels;
    let value = |value: usize| {
        let Placed { tile, orientation } = problem.first_with(value);
        let tile = &problem.puzzle.tiles[tile];
        match tile.back {
            None => json!([tile.name, orientation.rotation()]),
            Some(_) => json!([tile.name, orientation.rotation(), orientation.face().name()]),
        }
    };
    let blocks = table.blocks().iter().map(|block| {
        json!({
            "edges": block_edges(labels, block),
            "first": block.first.iter().copied().map(value).collect_vec(),
            "second": block.second.iter().copied().map(value).collect_vec(),
        })
    });
    json!({
        "name": table.name,
        "blocks": blocks.collect_vec(),
        "tuples": table.tuples().map(|(p, q)| json!([value(p), value(q)])).collect_vec(),
    })
}
