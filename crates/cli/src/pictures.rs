//! Drawings as files, written whole or not at all.
//!
//! A folder that is not empty is left alone unless `--force` is given; then earlier pictures are
//! replaced and other files kept.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use edgematch::load::{self, LoadError};
use edgematch::problem::{Arrangement, Problem};
use edgematch_draw::{self as draw, Drawing, Names, Pictures, Renderer, Style};
use edgematch_report::{Ending, Report, Shown, arrangement_text};

use super::args::{NamesArg, PictureArgs};
use super::talk::say;
use super::whole::write_whole;

/// Reads the tiles' own pictures, where the puzzle has them.
pub fn of_tiles(
    problem: &Problem,
    path: &Path,
    is_quiet: bool,
) -> anyhow::Result<Option<Pictures>> {
    let file = load::puzzle_file(path)?;
    let Some(pattern) = load::picture_pattern(problem, &file) else {
        return Ok(None);
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let pictures = Pictures::read(problem, folder, &pattern)?;
    if !is_quiet {
        for warning in &pictures.warnings {
            say(&format!("warning: {warning}"));
        }
    }
    Ok(Some(pictures))
}

/// What pictures look like.
pub fn style(picture: PictureArgs, pictures: Option<&Pictures>) -> Style<'_> {
    Style {
        names: names(picture.names),
        pictures,
        has_legend: true,
        is_white: !picture.is_transparent(),
        ..Style::default()
    }
}

/// Where the names of tiles go.
pub fn names(wanted: NamesArg) -> Names {
    match wanted {
        NamesArg::Turned => Names::Turned,
        NamesArg::Upright => Names::Upright,
        NamesArg::Hidden => Names::Hidden,
    }
}

/// Refuses a folder that holds something, unless it is forced; one that is not there is empty.
pub fn refuse_filled(path: &Path, is_forced: bool) -> anyhow::Result<()> {
    let mut entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        read => read.with_context(|| format!("{} can't be written", path.display()))?,
    };
    if entries.next().is_some() && !is_forced {
        bail!(
            "the folder {} is not empty; use --force to write into it anyway",
            path.display()
        );
    }
    Ok(())
}

/// A report that is the drawing of one solution, and nothing else.
pub struct SvgReport<'a>(pub Style<'a>);

impl Report for SvgReport<'_> {
    fn solution(
        &mut self,
        out: &mut dyn Write,
        problem: &Problem,
        shown: &Shown<'_>,
    ) -> io::Result<()> {
        let drawing = draw::arrangement(problem, shown.arrangement, &self.0);
        out.write_all(drawing.svg.as_bytes())
    }

    fn end(&mut self, _: &mut dyn Write, _: &Ending<'_>) -> io::Result<()> {
        Ok(())
    }

    fn error(&mut self, _: &mut dyn Write, _: &LoadError) -> io::Result<()> {
        Ok(())
    }
}

/// What is written of each solution.
const ENDINGS: [&str; 3] = ["txt", "svg", "png"];

/// A folder of pictures, as it fills.
pub struct Folder<'a> {
    path: PathBuf,
    style: Style<'a>,
    renderer: Renderer,
}

impl<'a> Folder<'a> {
    /// Makes the folder ready, and draws the tiles into it as `unsolved.png`.
    pub fn open(
        path: &Path,
        is_forced: bool,
        problem: &Problem,
        picture: PictureArgs,
        style: Style<'a>,
    ) -> anyhow::Result<Self> {
        if path.exists() && !path.is_dir() {
            bail!("{} is a file, not a folder for pictures", path.display());
        }
        let unwritable = || format!("{} can't be written", path.display());
        fs::create_dir_all(path).with_context(unwritable)?;
        refuse_filled(path, is_forced)?;
        let folder = Folder {
            path: path.to_owned(),
            style,
            renderer: Renderer::new(picture.pixels()),
        };
        let unsolved = folder.renderer.png(&draw::tiles(problem, &style))?;
        write_whole(&path.join("unsolved.png"), &unsolved)?;
        folder.clear()?;
        Ok(folder)
    }

    /// Takes away the solutions of an earlier run, which would pass for solutions of this one: from
    /// 1 on, as long as all three files of a number are there. Other files are somebody's own.
    fn clear(&self) -> anyhow::Result<()> {
        for number in 1u64.. {
            let files = ENDINGS.map(|ending| self.path.join(format!("{number}.{ending}")));
            if !files.iter().all(|file| file.is_file()) {
                break;
            }
            for file in files {
                fs::remove_file(&file)
                    .with_context(|| format!("{} can't be replaced", file.display()))?;
            }
        }
        Ok(())
    }

    /// Writes `N.txt`, `N.svg` and `N.png`.
    pub fn add(
        &self,
        number: u64,
        problem: &Problem,
        arrangement: &Arrangement,
    ) -> anyhow::Result<()> {
        self.add_text(number, problem, arrangement)?;
        self.add_pictures(number, problem, arrangement)
    }

    /// Writes `N.txt`.
    pub fn add_text(
        &self,
        number: u64,
        problem: &Problem,
        arrangement: &Arrangement,
    ) -> anyhow::Result<()> {
        let text = arrangement_text(problem, arrangement);
        write_whole(&self.file(number, "txt"), text.as_bytes())
    }

    /// Writes `N.svg` and `N.png`.
    pub fn add_pictures(
        &self,
        number: u64,
        problem: &Problem,
        arrangement: &Arrangement,
    ) -> anyhow::Result<()> {
        let drawing = draw::arrangement(problem, arrangement, &self.style);
        let png = self.renderer.png(&drawing)?;
        write_whole(&self.file(number, "svg"), drawing.svg.as_bytes())?;
        write_whole(&self.file(number, "png"), &png)
    }

    fn file(&self, number: u64, ending: &str) -> PathBuf {
        self.path.join(format!("{number}.{ending}"))
    }
}

/// Whether a drawing goes there as PNG; else it is SVG.
fn is_png(path: &Path) -> anyhow::Result<bool> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("svg") => Ok(false),
        Some("png") => Ok(true),
        _ => bail!(
            "{}: expected a name that ends in .svg or .png",
            path.display()
        ),
    }
}

/// Refuses what no drawing can be written to, before there is one.
pub fn refuse_undrawable(path: &Path) -> anyhow::Result<()> {
    is_png(path)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    if folder.is_none_or(Path::is_dir) {
        Ok(())
    } else {
        bail!(
            "{} can't be written: there is no such folder",
            path.display()
        )
    }
}

/// Writes one drawing to a file, by its ending; a PNG has so many pixels a tile.
pub fn write_drawing(path: &Path, drawing: &Drawing, pixels: u32) -> anyhow::Result<()> {
    if !is_png(path)? {
        write_whole(path, drawing.svg.as_bytes())
    } else {
        write_whole(path, &Renderer::new(pixels).png(drawing)?)
    }
}
