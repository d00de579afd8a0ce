//! Drawings as files, and the pictures that tiles of some puzzles have.

use std::io::{self, Write};
use std::path::Path;

use anyhow::bail;
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use edgematch::runtime::limits::Limits;
use edgematch_draw::{self as draw, Drawing, PictureError, Pictures, Renderer, Style};
use edgematch_report::{Ending, Report, Shown, arrangement_text};

use super::output::{Destination, OutputFolder, Outputs, ending, is_stdout};
use super::patience::LimitError;
use super::talk::note;
use crate::args::{Force, Input, PictureArgs, PuzzleFile};

/// Reads the pictures of the tiles and prints warnings about them unless `is_quiet`; `None` if they
/// are not needed or the tiles have none.
///
/// # Errors
/// If a picture cannot be read, or the time limit or an interruption ends the run first.
pub fn read(
    is_needed: bool,
    puzzle: &PuzzleFile,
    problem: &Problem,
    is_quiet: bool,
    limits: &Limits<'_>,
) -> anyhow::Result<Option<Pictures>> {
    if !is_needed {
        return Ok(None);
    }
    let read = Pictures::read(problem, &load::puzzle_file(&puzzle.file)?, &limits.token());
    let pictures = read.map_err(|error| match error {
        PictureError::Stopped(stop) => LimitError::new(stop, "the pictures were read").into(),
        error => anyhow::Error::from(error),
    })?;
    for warning in pictures.iter().flat_map(|pictures| &pictures.warnings) {
        note(is_quiet, &format!("warning: {warning}"));
    }
    Ok(pictures)
}

/// The drawing style of the given options, with a legend and a white ground.
pub fn style(picture: PictureArgs, pictures: Option<&Pictures>) -> Style<'_> {
    let PictureArgs { names, theme, .. } = picture;
    Style { names, theme, pictures, has_legend: true, is_white: true, ..Style::default() }
}

/// The files of the tiles' own pictures as inputs of a command, with a noun phrase for messages.
pub fn files(own: Option<&Pictures>) -> impl Iterator<Item = Input<'_>> {
    let files = own.into_iter().flat_map(|pictures| &pictures.files);
    files.map(|path| ("a tile's picture", path.as_path()))
}

/// A report that writes an SVG drawing for each solution and nothing else; `-o -` uses it for one.
pub struct SvgReport<'a>(pub Style<'a>);

impl Report for SvgReport<'_> {
    fn solution(&mut self, out: &mut dyn Write, shown: &Shown<'_>) -> io::Result<()> {
        let drawing = draw::arrangement(shown.problem, shown.arrangement, &self.0);
        out.write_all(drawing.svg.as_bytes())
    }

    fn end(&mut self, _: &mut dyn Write, _: &Ending<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// The endings of the files written for each solution.
const ENDINGS: [&str; 3] = ["txt", "svg", "png"];

/// Returns true for the names of files that a [`PictureFolder`] writes: `N.txt`, `N.svg`, `N.png`
/// and `unsolved.png`.
pub fn is_picture(name: &str) -> bool {
    let is_numbered =
        |(number, ending): (&str, &str)| number.parse::<u64>().is_ok() && ENDINGS.contains(&ending);
    name == UNSOLVED || name.split_once('.').is_some_and(is_numbered)
}

const UNSOLVED: &str = "unsolved.png";

/// The output of `solve -o`: a folder for all solutions, or a drawing of the first.
pub enum SolutionPictures<'a> {
    Folder(PictureFolder<'a>),
    First(DrawingFile, &'a Problem, Style<'a>),
}

impl SolutionPictures<'_> {
    /// Draws the tiles in a folder.
    pub fn add_tiles(&self) -> anyhow::Result<()> {
        match self {
            SolutionPictures::Folder(folder) => folder.add_tiles(),
            SolutionPictures::First(..) => Ok(()),
        }
    }

    /// Writes the text of an arrangement into a folder.
    pub fn add_text(&self, number: u64, arrangement: &Arrangement) -> anyhow::Result<()> {
        match self {
            SolutionPictures::Folder(folder) => folder.add_text(number, arrangement),
            SolutionPictures::First(..) => Ok(()),
        }
    }

    /// Draws an arrangement; into a file only number 1.
    pub fn add_pictures(&mut self, number: u64, arrangement: &Arrangement) -> anyhow::Result<()> {
        match self {
            SolutionPictures::Folder(folder) => folder.add_pictures(number, arrangement),
            SolutionPictures::First(file, problem, style) if number == 1 => {
                file.write(&draw::arrangement(problem, arrangement, style))
            }
            SolutionPictures::First(..) => Ok(()),
        }
    }
}

/// Returns true if the name of an output ends like a drawing.
pub fn is_drawing(path: &Path) -> bool {
    ["svg", "png"].contains(&ending(path).as_str())
}

/// The folder of `solve -o`, with a text and two pictures of each solution, numbered from 1.
pub struct PictureFolder<'a> {
    folder: OutputFolder,
    problem: &'a Problem,
    style: Style<'a>,
    renderer: Renderer,
}

impl<'a> PictureFolder<'a> {
    /// Creates the folder, and removes the files of an earlier run.
    pub fn open(
        folder: OutputFolder,
        problem: &'a Problem,
        picture: PictureArgs,
        style: Style<'a>,
    ) -> anyhow::Result<Self> {
        folder.create()?;
        folder.remove(UNSOLVED)?;
        let pictures =
            PictureFolder { folder, problem, style, renderer: Renderer::new(picture.pixels()) };
        pictures.clear()?;
        Ok(pictures)
    }

    /// Draws the tiles as `unsolved.png`.
    pub fn add_tiles(&self) -> anyhow::Result<()> {
        let drawing = draw::tiles(self.problem, &self.style);
        self.folder.write(UNSOLVED, &self.renderer.png(&drawing)?)
    }

    /// Removes the solutions of an earlier run, which would be mistaken for solutions of this one:
    /// from number 1, as long as all three files of a number exist. Other files may be the user's
    /// own.
    fn clear(&self) -> anyhow::Result<()> {
        for number in 1u64.. {
            let names = ENDINGS.map(|ending| format!("{number}.{ending}"));
            if !names.iter().all(|name: &String| self.folder.path().join(name).is_file()) {
                break;
            }
            for name in names {
                self.folder.remove(name)?;
            }
        }
        Ok(())
    }

    /// Writes `N.txt`, the arrangement as text.
    pub fn add_text(&self, number: u64, arrangement: &Arrangement) -> anyhow::Result<()> {
        let text = arrangement_text(self.problem, arrangement);
        self.folder.write(format!("{number}.txt"), text.as_bytes())
    }

    /// Writes `N.svg` and `N.png`, drawings of the arrangement.
    pub fn add_pictures(&self, number: u64, arrangement: &Arrangement) -> anyhow::Result<()> {
        let drawing = draw::arrangement(self.problem, arrangement, &self.style);
        let png = self.renderer.png(&drawing)?;
        self.folder.write(format!("{number}.svg"), drawing.svg.as_bytes())?;
        self.folder.write(format!("{number}.png"), &png)
    }
}

/// The destination of one drawing: a file, SVG or PNG by its ending, or SVG on standard output.
pub struct DrawingFile {
    file: Destination,
    /// The width of a tile in pixels; `None` for SVG.
    pixels: Option<u32>,
}

impl DrawingFile {
    /// Opens the destination; `pixels` is the width of a tile in a PNG.
    ///
    /// # Errors
    /// If the name ends in neither .svg nor .png, or the file must not be written.
    pub fn open(outputs: &mut Outputs, path: &Path, pixels: u32) -> anyhow::Result<DrawingFile> {
        let is_png = match ending(path).as_str() {
            "svg" => false,
            "png" => true,
            _ if is_stdout(path) => false,
            _ => bail!("{}: expected a name that ends in .svg or .png", path.display()),
        };
        let file = outputs.file_or_stdout(Some(path))?;
        Ok(DrawingFile { file, pixels: is_png.then_some(pixels) })
    }

    /// Opens the destination of an option `-o`; `None` if it is not given. The files `read` and the
    /// tiles' own pictures are inputs, which must not be replaced.
    ///
    /// # Errors
    /// As [`in_style`](DrawingFile::in_style).
    pub fn of_option<'a>(
        path: Option<&Path>,
        picture: PictureArgs,
        force: Force,
        read: impl Iterator<Item = Input<'a>>,
        own: Option<&'a Pictures>,
    ) -> anyhow::Result<Option<DrawingFile>> {
        let Some(path) = path else {
            return Ok(None);
        };
        let mut outputs = Outputs::new(force, read.chain(files(own)));
        DrawingFile::in_style(&mut outputs, path, picture).map(Some)
    }

    /// Opens the destination of a drawing with the given options.
    ///
    /// # Errors
    /// As [`open`](DrawingFile::open), or if `--pixels` is given for an SVG.
    pub fn in_style(
        outputs: &mut Outputs,
        path: &Path,
        picture: PictureArgs,
    ) -> anyhow::Result<DrawingFile> {
        let file = DrawingFile::open(outputs, path, picture.pixels())?;
        if picture.pixels.is_some() && file.pixels.is_none() {
            bail!("--pixels requires a PNG, -o FILE.png");
        }
        Ok(file)
    }

    /// Writes the drawing, rendered to PNG if the file's ending says so.
    pub fn write(&mut self, drawing: &Drawing) -> anyhow::Result<()> {
        match self.pixels {
            Some(pixels) => self.file.write(&Renderer::new(pixels).png(drawing)?),
            None => self.file.write(drawing.svg.as_bytes()),
        }
    }
}
