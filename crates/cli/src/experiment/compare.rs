//! `edgematch compare`: the engines side by side.
//!
//! A disagreement is printed with the arrangements that are missing, and becomes the exit code 4.
//! Exports are written after each puzzle, so an interrupted comparison keeps what it measured.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
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

/// Measured runs of each engine, where no number is given: on a single file, and on several, where
/// the middle one of three keeps a run that was disturbed out of the plots.
const RUNS_OF_ONE: usize = 5;
const RUNS_OF_SEVERAL: usize = 3;

/// Twice as many pixels as units.
const PLOT_PIXELS: u32 = 2 * TILE as u32;

/// Runs the command; gives the exit code.
pub fn run(args: &Compare) -> anyhow::Result<u8> {
    let limit = args.time.time_limit.unwrap_or_default();
    let mut watcher = Watcher::new(args.messages.quiet, limit);
    let files: Vec<PathBuf> =
        args.files.iter().map(|f| puzzles_in(f)).flatten_ok().try_collect()?;
    let is_single = files.len() == 1;
    let chosen = chosen(args, is_single)?;
    let mut exports = Exports::open(args, &files)?;
    let pair = scatter(args, is_single, &chosen)?;
    let skip = watcher.skip();
    let limits = Limits {
        time: Some(limit),
        interrupt: Some(&skip),
        // Methods are compared, not machines.
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
        // A file that is skipped may be a pipe that nobody writes to.
        let reading = Limits { interrupt: Some(&skip), ..Limits::default() };
        let problem = match patience::load(&puzzle, &reading) {
            Ok(loaded) => loaded.problem,
            Err(error) if is_single => return Err(error),
            Err(error) => {
                let unread = watcher.aside(|| exit::failed(&error));
                if watcher.is_ended() {
                    code = worse(code, exit::INTERRUPTED);
                    break;
                }
                let is_skipped = skip.swap(false, Ordering::Relaxed);
                code = worse(code, if is_skipped { exit::STOPPED } else { unread });
                continue;
            }
        };
        watcher.puzzle(&problem.puzzle.name, index + 1, files.len());
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
    match end(args, exports.plot, pair, (is_single, limit), &comparisons) {
        // An interrupted run may have nothing to plot.
        Err(error) if code == exit::INTERRUPTED => say(&format!("{error:#}")),
        ended => ended?,
    }
    Ok(code)
}

/// What is printed and drawn of all puzzles.
fn end(
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
    let plot = plot.map_err(|e| anyhow!("the plot can't be drawn: {e}"))?;
    let drawing = Drawing { svg: plot.svg, width: plot.width, height: plot.height };
    file.write(&drawing)
}

/// Prints one comparison as soon as it is done.
fn show(
    out: &mut dyn Write,
    args: &Compare,
    is_single: bool,
    (file, problem): (&Path, &Problem),
    comparison: &Comparison,
) -> io::Result<()> {
    let levels = tables::levels_text(comparison);
    match (args.levels, is_single) {
        // Its times are a line of the table over all puzzles.
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
    Ok(())
}

/// The file itself, or the puzzles in a folder that is not one itself.
fn puzzles_in(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() || load::puzzle_file(path).is_ok() {
        return Ok(vec![path.to_owned()]);
    }
    let mut puzzles: Vec<PathBuf> = fs::read_dir(path)?.map_ok(|e| e.path()).try_collect()?;
    puzzles.retain(|path| load::is_puzzle_file(path));
    puzzles.sort_by(|one, other| natural(&one.to_string_lossy(), &other.to_string_lossy()));
    if puzzles.is_empty() {
        bail!("{}: a folder without puzzles", path.display());
    }
    Ok(puzzles)
}

/// The contenders whose names begin with one of the words; without words all on a single file, and
/// the usual form of each engine on several.
fn chosen(args: &Compare, is_single: bool) -> anyhow::Result<Vec<Contender>> {
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

/// The text of an export.
type Export = fn(&[Comparison]) -> String;

/// The files that are written besides the output.
struct Exports {
    /// Each with what it contains.
    tables: Vec<(OutputFile, Export)>,
    plot: Option<DrawingFile>,
}

impl Exports {
    /// Opens all of them, before hours of runs.
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

    /// Writes the tables anew after each file, so that a crash loses nothing.
    fn write(&mut self, comparisons: &[Comparison]) -> anyhow::Result<()> {
        for (file, text) in &mut self.tables {
            file.write(text(comparisons).as_bytes())?;
        }
        Ok(())
    }
}

/// The names of the two engines that the scatter plot is to show, where they are said.
fn scatter(
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

/// Of two codes the one that says more: interrupted, failed, bad input, stopped, found.
fn worse(one: u8, other: u8) -> u8 {
    let order = [exit::INTERRUPTED, exit::FAILED, exit::BAD_INPUT, exit::STOPPED];
    order.into_iter().find(|code| [one, other].contains(code)).unwrap_or(exit::FOUND)
}
