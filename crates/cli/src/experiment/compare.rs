//! `edgematch compare`: runs the engines side by side and compares times and solutions.
//!
//! A disagreement is printed with the arrangements that are missing, and becomes the exit code 4.
//! Exports are written after each puzzle, so an interrupted comparison keeps what it measured.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{anyhow, bail};
use edgematch::analyse::compare::{Comparison, Runs, compare, named};
use edgematch::engine::{Contender, contenders};
use edgematch::enumerate::{Limits, RunStatus};
use edgematch::load;
use edgematch::problem::Problem;
use edgematch_draw::{Drawing, TILE};
use edgematch_report::{comparison as tables, natural, plot};
use itertools::Itertools;

use super::watcher::Watcher;
use crate::args::engine::usual_contenders;
use crate::args::machine::PROCESSOR_TIME;
use crate::args::{Compare, PuzzleFile, inputs};
use crate::common::{
    DrawingFile, OutputFile, Outputs, exit, note, patience, print, say, warnings, write_line,
};

/// Default number of measured runs of each engine, on a single file and on several. The median of
/// three keeps one disturbed run out of the plots.
const RUNS_OF_ONE: usize = 5;
const RUNS_OF_SEVERAL: usize = 3;

/// The width in pixels of a tile-sized length in a PNG plot: two pixels per unit of the drawing.
const PLOT_PIXELS: u32 = 2 * TILE as u32;

/// Runs `edgematch compare`; returns the exit code, that of the puzzle with the worst one:
/// [`exit::FAILED`] if engines disagree on it.
pub fn run(args: &Compare) -> anyhow::Result<u8> {
    let limit = args.time.time_limit.unwrap_or_default();
    let mut watcher = Watcher::new(args.messages.quiet, limit);
    let files: Vec<PathBuf> =
        args.files.iter().map(|f| puzzles_in(f)).flatten_ok().try_collect()?;
    let is_single = files.len() == 1;
    let chosen = chosen_contenders(args, is_single)?;
    let mut exports = Exports::open(args, &files)?;
    let pair = scatter_pair(args, is_single, &chosen)?;
    let skip = Arc::clone(&watcher.skip);
    let limits = Limits {
        time: Some(limit),
        interrupt: Some(&skip),
        // One thread: methods are compared, not machines.
        threads: 1,
        ..Limits::default()
    };
    let usual = if is_single { RUNS_OF_ONE } else { RUNS_OF_SEVERAL };
    let runs = Runs { number: args.runs.unwrap_or(usual), processor: PROCESSOR_TIME };
    let mut comparisons: Vec<Comparison> = Vec::new();
    let mut code = exit::FOUND;
    let mut out = io::stdout().lock();
    for (index, file) in files.iter().enumerate() {
        let puzzle = PuzzleFile { file: file.clone(), extra: args.extra.clone() };
        // Ctrl-C also skips a file that cannot be read, such as a pipe without a writer.
        let reading = Limits { interrupt: Some(&skip), ..Limits::default() };
        let problem = match patience::load(&puzzle, &reading) {
            Ok(loaded) => loaded.problem,
            Err(error) if is_single => return Err(error),
            Err(error) => {
                let unread = watcher.aside(|| exit::report_error(&error));
                if watcher.is_ended() {
                    code = worse(code, exit::INTERRUPTED);
                    break;
                }
                let is_skipped = skip.swap(false, Ordering::Relaxed);
                code = worse(code, if is_skipped { exit::STOPPED } else { unread });
                continue;
            }
        };
        watcher.set_puzzle(&problem.puzzle.name, index + 1, files.len());
        let comparison = compare(&problem, &chosen, runs, &limits, &mut watcher);
        code = worse(code, code_of(&comparison));
        watcher.aside(|| show(&mut out, args, is_single, (file, &problem), &comparison))?;
        comparisons.push(comparison);
        exports.write(&comparisons)?;
        if watcher.is_ended() {
            code = worse(code, exit::INTERRUPTED);
            break;
        }
    }
    drop(watcher);
    match conclude(args, exports.plot, pair, (is_single, limit), &comparisons) {
        // An interrupted run may have nothing to plot, which is then no error.
        Err(error) if code == exit::INTERRUPTED => say(&format!("{error:#}")),
        ended => ended?,
    }
    Ok(code)
}

/// Prints the table over several puzzles and draws the plot, if one is requested; `limit` is the
/// time limit of a run.
fn conclude(
    args: &Compare,
    file: Option<DrawingFile>,
    pair: Option<[String; 2]>,
    (is_single, limit): (bool, Duration),
    comparisons: &[Comparison],
) -> anyhow::Result<()> {
    if !is_single && !args.levels {
        print(tables::summary_text(comparisons))?;
    }
    let Some(mut file) = file else {
        return Ok(());
    };
    let plot = match comparisons {
        [one] if is_single => plot::of_one(one),
        all => {
            let pair = pair.as_ref().map(|pair| pair.each_ref().map(String::as_str));
            plot::of_several(all, pair, limit.as_secs_f64())
        }
    };
    let svg = plot.map_err(|e| anyhow!("the plot can't be drawn: {e}"))?;
    file.write(&Drawing { svg, width: plot::WIDTH.into(), height: plot::HEIGHT.into() })
}

/// Prints the tables of one puzzle: times and calls per level of a single file; of several files
/// only the calls if `--levels` is given, otherwise "done". Disagreements are always printed.
fn show(
    out: &mut dyn Write,
    args: &Compare,
    is_single: bool,
    (file, problem): (&Path, &Problem),
    comparison: &Comparison,
) -> io::Result<()> {
    let levels = tables::levels_text(comparison);
    match (args.levels, is_single) {
        // Its times become a line of the table over all puzzles.
        (false, false) => note(args.messages.quiet, &format!("{} done", file.display())),
        (true, false) => {
            write_line(out, &comparison.puzzle)?;
            writeln!(out, "{levels}")?;
        }
        (true, true) => write!(out, "{levels}")?,
        (false, true) if levels.is_empty() => write!(out, "{}", tables::engines_text(comparison))?,
        (false, true) => write!(out, "{}\n{levels}", tables::engines_text(comparison))?,
    }
    write!(out, "{}", tables::disagreements_text(problem, comparison))?;
    out.flush()?;
    warnings::assumed(problem, args.messages.quiet);
    warnings::ignored_objective(problem, args.messages.quiet);
    Ok(())
}

/// The puzzle files that an argument stands for: those in a folder, in natural order; a file, or a
/// folder that is itself a puzzle, stands for itself.
///
/// # Errors
/// If a folder cannot be read or contains no puzzle.
fn puzzles_in(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() || load::puzzle_file(path).is_ok() {
        return Ok(vec![path.to_owned()]);
    }
    let mut puzzles: Vec<PathBuf> = fs::read_dir(path)?.map_ok(|e| e.path()).try_collect()?;
    puzzles.retain(|path| load::is_puzzle_file(path));
    puzzles.sort_by(|one, other| natural(&one.to_string_lossy(), &other.to_string_lossy()));
    if puzzles.is_empty() {
        bail!("the folder {} contains no puzzle", path.display());
    }
    Ok(puzzles)
}

/// The contenders to run: those whose names begin with a word of `--engine`. By default all for a
/// single file, one form of each engine for several, and those that count calls with `--levels`.
///
/// # Errors
/// If a word matches no contender, or `--levels` is given and none counts calls.
fn chosen_contenders(args: &Compare, is_single: bool) -> anyhow::Result<Vec<Contender>> {
    let all = contenders();
    let names: Vec<String> = all.iter().map(|c| c.name.clone()).collect();
    let named = named(&names, &args.engines).map_err(|why| anyhow!(why))?;
    let usual = usual_contenders();
    let is_chosen = |c: &Contender| match (args.engines.is_empty(), args.levels) {
        (false, _) => named.contains(&c.name),
        (true, true) => c.engine.counts_calls(),
        (true, false) => is_single || usual.contains(&c.name),
    };
    let (chosen, others): (Vec<Contender>, Vec<Contender>) = all.into_iter().partition(is_chosen);
    if args.levels && !chosen.iter().any(|c| c.engine.counts_calls()) {
        let names = others.iter().filter(|c| c.engine.counts_calls()).map(|c| &c.name).join(" or ");
        bail!("--levels needs an engine that counts calls: {names}");
    }
    Ok(chosen)
}

/// Writes comparisons in the format of an exported file.
type Export = fn(&[Comparison]) -> String;

/// The files that are written besides standard output.
struct Exports {
    /// The exported files, each with the function that writes its content.
    tables: Vec<(OutputFile, Export)>,
    plot: Option<DrawingFile>,
}

impl Exports {
    /// Checks that all files may be written, before runs that can take hours.
    fn open(args: &Compare, files: &[PathBuf]) -> anyhow::Result<Exports> {
        let constraints = inputs("the constraints", &args.extra.constraints);
        let mut outputs = Outputs::new(args.force, inputs("a puzzle", files).chain(constraints));
        let exports: [(_, Export); 3] = [
            (&args.export_json, tables::export_json),
            (&args.export_csv, tables::export_csv),
            (&args.export_markdown, tables::summary_markdown),
        ];
        let named = exports.into_iter().filter_map(|(path, text)| Some((path.as_ref()?, text)));
        let tables =
            named.map(|(path, text)| anyhow::Ok((outputs.file(path)?, text))).try_collect()?;
        let plot =
            args.plot.as_ref().map(|path| DrawingFile::open(&mut outputs, path, PLOT_PIXELS));
        Ok(Exports { tables, plot: plot.transpose()? })
    }

    /// Rewrites the exported tables; called after each puzzle, so that a crash loses nothing.
    fn write(&mut self, comparisons: &[Comparison]) -> anyhow::Result<()> {
        for (file, text) in &mut self.tables {
            file.write(text(comparisons).as_bytes())?;
        }
        Ok(())
    }
}

/// The two contenders of `--scatter` by their full names; `None` if the option is not given.
///
/// # Errors
/// If there is a single puzzle, or the words do not match two different contenders that run.
fn scatter_pair(
    args: &Compare,
    is_single: bool,
    chosen: &[Contender],
) -> anyhow::Result<Option<[String; 2]>> {
    if args.scatter.is_empty() {
        return Ok(None);
    }
    if is_single {
        bail!("--scatter is for several puzzles");
    }
    let names: Vec<String> = chosen.iter().map(|c| c.name.clone()).collect();
    let mut pair = Vec::new();
    for word in &args.scatter {
        let fitting = named(&names, std::slice::from_ref(word)).map_err(|why| anyhow!(why))?;
        pair.extend(fitting.into_iter().next());
    }
    match <[String; 2]>::try_from(pair) {
        Ok(pair) if pair[0] != pair[1] => Ok(Some(pair)),
        _ => bail!("--scatter takes two of the engines that run: --scatter propagate,backtrack"),
    }
}

/// The exit code of one comparison.
fn code_of(comparison: &Comparison) -> u8 {
    let ended = |is: fn(&RunStatus) -> bool| comparison.entries.iter().any(|e| is(&e.status));
    if !comparison.disagreements.is_empty() || ended(|s| matches!(s, RunStatus::Failed(_))) {
        exit::FAILED
    } else if ended(|s| matches!(s, RunStatus::Stopped(_))) {
        exit::STOPPED
    } else {
        exit::FOUND
    }
}

/// The more important of two exit codes, in the order interrupted, failed, bad input, stopped,
/// found.
fn worse(one: u8, other: u8) -> u8 {
    let order = [exit::INTERRUPTED, exit::FAILED, exit::BAD_INPUT, exit::STOPPED];
    order.into_iter().find(|code| [one, other].contains(code)).unwrap_or(exit::FOUND)
}
