//! `edgematch export`: writes the 0-1 model as a file for another program.
//!
//! Arrangements for `--with-cuts` are checked against the puzzle first. Only solutions are cut off,
//! and arrangements that violate a constraint which the model does not contain.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{anyhow, bail};
use edgematch::domains::{Domains, Rarest, break_symmetry};
use edgematch::enumerate::solution::{ArrangementError, ValueArrangement, check};
use edgematch::export::{ExportFormat, FORMATS, NamedModel};
use edgematch::load;
use edgematch::model::{FORMULATIONS, Formulation, Model};
use edgematch::optimise;
use edgematch::problem::{Problem, Weighted};
use itertools::Itertools;

use crate::args::{Export, inputs, refuse_two_readers};
use crate::common::{Outputs, ending, exit, interrupt, note, patience, warnings};

/// Runs `edgematch export`; returns the exit code, 0.
pub fn run(args: &Export) -> anyhow::Result<u8> {
    let interrupt = interrupt::flag();
    let more =
        inputs("the solutions", &args.with_cuts).chain(inputs("the model", &args.answer.model));
    let read = args.puzzle.inputs().chain(args.objective.inputs()).chain(more);
    refuse_two_readers(read.clone())?;
    let mut outputs = Outputs::new(args.force, read);
    let mut file = outputs.file_or_stdout(args.output.as_deref())?;
    let limits = args.time.limits(Some(&interrupt));
    let work = args.clone();
    let Exported { content, messages, problem } =
        patience::under(&limits, "the model was made", move || export(&work))??;
    file.write(&content)?;
    messages.iter().for_each(|words| note(args.messages.quiet, words));
    warnings::assumed(&problem, args.messages.quiet);
    Ok(exit::FOUND)
}

/// An exported model.
struct Exported {
    /// The content of the file.
    content: Vec<u8>,
    /// Messages for standard error: the size of the model, and notes.
    messages: Vec<String>,
    problem: Problem,
}

/// Reads the puzzle, builds its model with cuts, and writes it in the requested format.
fn export(args: &Export) -> anyhow::Result<Exported> {
    let problem = args.puzzle.load()?.problem;
    let objectives = args.objective.objectives(&problem)?;
    let problem = optimise::weakest(&problem, &objectives);
    let domains = domains(args, &problem)?;
    let format = format(args)?;
    let formulation = formulation(args, format)?;
    let stated_objectives = if format.has_objective { &objectives[..] } else { &[] };
    let mut model = Model::build_whole(&problem, stated_objectives, &domains, formulation);
    let cuts = args.with_cuts.as_deref();
    let cuts = cuts.map_or(Ok(0), |path| add_cuts(args, &mut model, (&problem, &domains), path))?;
    // A format without rows has no formulation.
    let stated = format.has_rows.then(|| formulation.name());
    let remarks = remarks(args, &problem, cuts, stated);
    let named = NamedModel::new(&problem, &model, remarks);
    let mut content = Vec::new();
    format.write(&named, &mut content)?;
    let mut messages = vec![match stated {
        Some(name) => {
            let (variables, rows) = (model.variables.len(), model.rows.len());
            let cuts = if cuts > 0 { format!(", {cuts} of them cuts") } else { String::new() };
            format!("{variables} variables, {rows} rows{cuts} ({name}, {})", format.name)
        }
        None => format!("{} ({})", format.what, format.name),
    }];
    if !objectives.is_empty() && !format.has_objective {
        let format = format.name;
        messages.push(format!("note: the objective is left out: {format} has no place for one"));
    }
    if let Some(row) = format.range.loose_row(&named) {
        messages.push(format!(
            "note: the weights of row {row} exceed the tolerances of most programs that read this \
             format: verify their answers with `check`"
        ));
    }
    let is_lazy = |soft: &&Weighted| soft.constraint.is_lazy();
    if format.has_objective
        && let Some(soft) = problem.soft_constraints().find(is_lazy)
    {
        messages.push(format!(
            "note: the objective takes the soft constraint `{}` for satisfied: the optimum may be too \
             good",
            soft.constraint.name()
        ));
    } else if let Some(constraint) = problem.unstated_constraints().next() {
        messages.push(format!(
            "note: the model does not contain `{}`, so its solutions may violate it: verify them \
             with `check`, and exclude bad ones with `--with-cuts`",
            constraint.name()
        ));
    }
    Ok(Exported { content, messages, problem })
}

/// The requested formulation, or the default.
///
/// # Errors
/// If a formulation is requested and the format has none, because it is not written row by row.
fn formulation(args: &Export, format: &ExportFormat) -> anyhow::Result<&'static dyn Formulation> {
    if args.formulation.is_some() && !format.has_rows {
        bail!(
            "--formulation cannot be used with --to {}, because this format does not contain the rows of \
             the 0-1 model; omit --formulation",
            format.name
        );
    }
    Ok(args.formulation.unwrap_or(FORMULATIONS[0]))
}

/// The format given by `--to`, or else by the ending of the output file.
///
/// # Errors
/// If neither names a format.
fn format(args: &Export) -> anyhow::Result<&'static ExportFormat> {
    let ending = args.output.as_deref().map(ending).unwrap_or_default();
    let format = args.to.or_else(|| FORMATS.iter().find(|f| f.name == ending));
    let names = || FORMATS.iter().map(|f| f.name).join(", ");
    format.ok_or_else(|| anyhow!("name the format: --to {}", names()))
}

/// The values of each cell that the single-cell rules allow; with `--break-symmetry`, reduced so
/// that one image of each solution remains.
///
/// # Errors
/// If the symmetry cannot be broken within one model, or nothing breaks it.
fn domains(args: &Export, problem: &Problem) -> anyhow::Result<Domains> {
    let first = Domains::first(problem);
    if !args.break_symmetry {
        return Ok(first);
    }
    let is_symmetric = problem.group.len() > 1;
    let mut parts = break_symmetry(problem, first.clone(), Rarest::Placements);
    let (Some(part), true) = (parts.pop(), parts.is_empty()) else {
        bail!(
            "--break-symmetry: with more tiles than cells, the symmetry of {} is broken in several \
             parts, which one model cannot hold: export without --break-symmetry",
            problem.board.description_with_article()
        );
    };
    if is_symmetric && part.domains == first {
        bail!(
            "--break-symmetry: no cell is fixed by all symmetries and no tile occurs once, so \
             nothing breaks the symmetry: export without --break-symmetry"
        );
    }
    Ok(part.domains)
}

/// Comments for the head of the file: formulation, treatment of the symmetries, number of cuts.
fn remarks(
    args: &Export,
    problem: &Problem,
    cuts: usize,
    formulation: Option<&str>,
) -> Vec<String> {
    let order = problem.group.len();
    let symmetry = match (order, args.break_symmetry) {
        (1, _) => "no symmetry to break".to_owned(),
        (_, false) => {
            format!("symmetry kept: each solution appears in all its {order} symmetric forms")
        }
        (_, true) => format!(
            "symmetry broken: only one of the {order} symmetric forms of each solution is kept"
        ),
    };
    let formulation = formulation.map(|name| format!("formulation {name}"));
    let cuts = args.with_cuts.is_some().then(|| format!("{cuts} no-good cuts"));
    formulation.into_iter().chain([symmetry]).chain(cuts).collect()
}

/// Adds a no-good cut for each arrangement in the file and for each of its symmetric images, as far
/// as they are in the domains. Arrangements that differ only in twins get one cut. Returns the
/// number of cuts.
///
/// # Errors
/// If the file cannot be read, or an arrangement violates a rule that the model contains.
fn add_cuts(
    args: &Export,
    model: &mut Model,
    (problem, domains): (&Problem, &Domains),
    path: &Path,
) -> anyhow::Result<usize> {
    let file = path.display().to_string();
    let arrangements = args.answer.read(path, problem, load::read_all_solutions)?;
    let mut images = BTreeSet::new();
    for (number, arrangement) in (1..).zip(&arrangements) {
        let by_value = ValueArrangement::new(problem, arrangement);
        if let Err(violation) = check(problem, arrangement) {
            let values: Vec<usize> = by_value.values().collect();
            let is_lazy = matches!(violation, ArrangementError::Constraint { .. })
                && problem.lazy_cut(&values).is_some();
            if !is_lazy {
                let violation = violation.describe(problem);
                bail!("{file}: arrangement {number} is not a solution: {violation}");
            }
        }
        images.extend(by_value.orbit(problem));
    }
    let mut number = 0;
    for image in images {
        let values: Vec<usize> = image.values().collect();
        let mut cells = values.iter().zip(&domains.cells);
        if cells.all(|(&value, domain)| domain.contains(value)) {
            number += 1;
            model.rows.push(model.no_good(&excluded(problem, domains, &values), number));
        }
    }
    Ok(number as usize)
}

/// The values that a cut excludes together, as pairs of cell and values. For a solution these are
/// its own values; for a violation of a constraint that the model does not contain, all values that
/// violate it in the same way.
fn excluded(problem: &Problem, domains: &Domains, values: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let Some(cut) = problem.lazy_cut(values) else {
        let values = values.iter().map(|&value| vec![value]);
        return (0..).zip(values).collect();
    };
    let cells = cut.into_iter().map(|(cell, mut excluded)| {
        excluded.keep(&domains.cells[cell]);
        (cell, excluded.iter().collect())
    });
    cells.collect()
}
