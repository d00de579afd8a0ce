//! `edgematch read`: reads a puzzle from photographs of its cards.
//!
//! Nothing is written before all photographs are read.

use std::fs;
use std::io::{self, Read as _, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use edgematch::engine::counted;
use edgematch::load::{self, PUZZLE_FORMATS};
use edgematch_draw::{self as draw, Renderer};
use edgematch_read::{
    CardFacts, EdgeKind, GridSize, MOST_SOLUTIONS, Photo, PhotoContent, Quad, ReadError, Reading,
};
use itertools::Itertools;

use crate::args::{MatchingArg, Read, inputs};
use crate::common::{
    LimitError, OutputFolder, Outputs, columns, exit, ink, note, patience, quoted,
};

/// The maximum size of a photograph in bytes.
const LARGEST: u64 = 256 << 20;

/// The name of the puzzle file in the output folder.
const PUZZLE: &str = "puzzle.yaml";

/// The width of a card on the contact sheet in pixels.
const PIXELS: u32 = 120;

/// Runs `edgematch read`; returns the exit code: [`exit::NONE`] if the photographs are not legible or
/// the puzzle that was read has no solution, [`exit::STOPPED`] if that is not known.
pub fn run(args: &Read) -> anyhow::Result<u8> {
    let outputs = Outputs::new(args.force, inputs("a photograph", &args.photos));
    let folder = outputs.folder(&args.output, is_written)?;
    if args.corners.is_some() && args.photos.len() > 1 {
        bail!(
            "--corners describes a single photograph, but {} were given: read them one at a time",
            args.photos.len()
        );
    }
    let limits = args.time.limits(None);
    let paths = args.photos.clone();
    let bytes: Vec<Vec<u8>> = patience::under(&limits, "the photographs were read", move || {
        paths.iter().map(|path| bytes(path)).try_collect()
    })??;
    let names: Vec<String> = args.photos.iter().map(|path| load::shown(path)).collect();
    let photos = names.iter().zip(&bytes);
    let photos = photos.map(|(name, bytes)| Photo { name, picture: PhotoContent::File(bytes) });
    let photos: Vec<Photo<'_>> = photos.collect();
    let reading = Reading::new(&photos, &card_facts(args), &limits).map_err(with_advice)?;
    write(args, &reading, &folder)?;
    if !reading.is_legible() {
        note(args.messages.quiet, &refusal(&reading, folder.path()));
        return Ok(exit::NONE);
    }
    note(args.messages.quiet, &verdict(&reading));
    Ok(match reading.solutions {
        Some(0) => exit::NONE,
        Some(_) => exit::FOUND,
        None => exit::STOPPED,
    })
}

/// The content of a photograph; `-` is standard input.
///
/// # Errors
/// If it is a folder, cannot be read, or is too large.
fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = load::shown(path);
    if path.is_dir() {
        bail!("{name} is a folder, not a picture");
    }
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().take(LARGEST + 1).read_to_end(&mut bytes),
        _ => fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|e| anyhow!("{name}: {}", load::read_failure(&e)))?;
    if bytes.len() as u64 > LARGEST {
        bail!("{name} is larger than {} MB", LARGEST >> 20);
    }
    Ok(bytes)
}

/// The facts about the cards that the options state.
fn card_facts(args: &Read) -> CardFacts {
    CardFacts {
        size: args
            .size
            .map(|size| GridSize { rows: size.rows.into(), columns: size.columns.into() }),
        images: args.images.map(usize::from),
        kind: args.matching.map(|matching| match matching {
            MatchingArg::Half => EdgeKind::Halves,
            MatchingArg::Equal => EdgeKind::Whole,
        }),
        corners: args.corners.as_deref().and_then(|c| c.try_into().ok()).map(Quad),
        cards: Vec::new(),
        most_pixels: None,
    }
}

/// Converts the error of a failed reading, with advice on what to do about it.
fn with_advice(error: ReadError) -> anyhow::Error {
    let advice = match error {
        ReadError::Stopped(stop) => return LimitError::new(stop, "the cards were read").into(),
        ReadError::NoCards { .. } => {
            "; lay them on a ground of another colour, or give the corners of the board with --corners"
        }
        ReadError::Number { .. } | ReadError::Uneven { .. } => {
            "; lay them apart from each other and from the border, or say with --size how many there are"
        }
        ReadError::Photos { .. } | ReadError::NoSquare { .. } => "; --size says how many there are",
        ReadError::Small { .. } => "; take the photograph from nearer",
        ReadError::Cut { .. } => "; all cards must lie inside",
        ReadError::Photo { .. }
        | ReadError::Blank { .. }
        | ReadError::Many { .. }
        | ReadError::Alike
        | ReadError::Unlike => "",
    };
    anyhow!("{error}{advice}")
}

/// Returns true for the names of files that [`write`] makes.
fn is_written(name: &str) -> bool {
    let is_card = name.strip_suffix(".png").is_some_and(|number| number.parse::<u32>().is_ok());
    is_card || ["sheet.png", "sheet.html", "review.html", PUZZLE].contains(&name)
}

/// Writes the pictures of the cards and the contact sheet into the folder, and the puzzle if the
/// reading is legible; with `--review`, or if it is not, also the review page. Prints the number of
/// cards and the images on standard output.
fn write(args: &Read, reading: &Reading, folder: &OutputFolder) -> anyhow::Result<()> {
    let path = folder.path();
    let name = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let name = name.file_name().map_or("photo".into(), |name| name.to_string_lossy().into_owned());
    let problem = reading.problem(&name).context("the cards do not form a puzzle")?;
    let exported = PUZZLE_FORMATS[0].write(&problem, None)?;
    let sheet = reading.contact_sheet();
    let sheet_png = Renderer::new(PIXELS).png(&sheet)?;
    for (number, card) in reading.cards.iter().enumerate() {
        folder.write(format!("{}.png", number + 1), &card.png())?;
    }
    folder.write("sheet.png", &sheet_png)?;
    folder.write("sheet.html", reading.page(&name).as_bytes())?;
    let has_review = args.review || !reading.is_legible();
    if has_review {
        folder.write("review.html", reading.review(&name).as_bytes())?;
    }
    let mut out = io::stdout().lock();
    let size = reading.size;
    writeln!(out, "{} cards, {} × {}", size.cards(), size.rows, size.columns)?;
    if !reading.is_legible() {
        return Ok(out.flush()?);
    }
    // Written last: if it exists, all others do.
    folder.write(PUZZLE, exported.text.as_bytes())?;
    out.write_all(draw::text_of_images(&problem, columns(), ink(args.color)).as_bytes())?;
    out.flush()?;
    let shown = quoted(&path.join(PUZZLE).display().to_string());
    let (other, does) = if has_review {
        ("review.html", "corrects it")
    } else {
        ("sheet.png", "shows what was read")
    };
    let words = format!("{shown} is written; {} {does}", path.join(other).display());
    note(args.messages.quiet, &words);
    Ok(())
}

/// The message for photographs that are not legible, with the next steps.
fn refusal(reading: &Reading, path: &Path) -> String {
    let old = if path.join(PUZZLE).exists() {
        format!(". {PUZZLE} in that folder is of an earlier reading")
    } else {
        String::new()
    };
    let unsolved =
        if reading.solutions == Some(0) { ", and no likely reading has a solution" } else { "" };
    format!(
        "not read: {} of {} sides are doubtful{unsolved}; {} shows them. Take the photograph in \
         even light on a plain ground, or each card alone; say what you know with --size, --images \
         and --matching; or correct the sides in {}{old}",
        reading.doubtful_sides().count(),
        reading.sides.len(),
        path.join("sheet.png").display(),
        path.join("review.html").display(),
    )
}

/// The closing message: whether the reading is certain, which sides and pairs of halves are
/// doubtful, and how many solutions there are.
fn verdict(reading: &Reading) -> String {
    const MOST: usize = 6;
    let solutions = match reading.solutions {
        None => "it is not known whether there is a solution".to_owned(),
        Some(0) => "no likely reading has a solution; compare the rows of the sheet".to_owned(),
        Some(MOST_SOLUTIONS..) => format!("{MOST_SOLUTIONS} solutions or more"),
        Some(number) => counted(number as usize, "solution", "solutions"),
    };
    if reading.is_certain() {
        return format!("read without doubt: {solutions}");
    }
    let sides = reading.doubtful_sides().map(|side| format!("card {}", reading.side_name(side)));
    let edges = reading.edges();
    let pairs = reading.doubtful_mates.iter().filter(|&&group| group < reading.mates[group]);
    let pairs =
        pairs.map(|&group| format!("{} with {}", edges[group], edges[reading.mates[group]]));
    let mut doubts: Vec<String> = pairs.chain(sides).collect();
    if doubts.len() > MOST {
        let more = doubts.len() - MOST;
        doubts.truncate(MOST);
        doubts.push(format!("{more} more"));
    }
    let solved = match reading.rivals {
        0 | 1 => solutions,
        rivals => format!("{rivals} readings have a solution"),
    };
    match doubts.len() {
        0 => format!("read with doubt: {solved}"),
        _ => format!("read with doubt: {}; {solved}", doubts.join(", ")),
    }
}
