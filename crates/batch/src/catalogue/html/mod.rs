//! A catalogue for a browser, without a server: an index, a folder a puzzle, a drawing a solution.
//!
//! ```text
//!  index.html  style.css            NAME-HASH/index.html      the puzzle, its first solutions
//!  index-2.html …                   NAME-HASH/page-2.html …   the others
//!                                   NAME-HASH/1.svg, 2.svg …     a drawing a solution, or
//!                                   NAME-HASH/tiles.svg          where there is none to draw
//! ```
//!
//! Text is escaped by the types of `maud`; a drawing is a file of its own, so that its ids are,
//! too; nothing is loaded from elsewhere, and the pages forbid it. What a file of results says is
//! not believed: solutions are checked against the puzzle before they are drawn.

mod entry;
mod frame;
mod index;
mod page;
mod solutions;

use std::collections::HashMap;

use edgematch_draw::{self as draw, Drawing};
use edgematch_report::natural;
use itertools::Itertools;

use self::entry::{Entry, Puzzle};
use self::solutions::{Figure, Figures};
use super::{Files, Selection, Survey};
use crate::{Row, StoreError};

/// Puzzles on one page of the index: more would be slow to open.
const PUZZLES_A_PAGE: usize = 500;

/// Solutions on one page.
const SOLUTIONS_A_PAGE: usize = 100;

/// What the drawing of the tiles is called in the folder of a puzzle.
const TILES: &str = "tiles.svg";

/// Where a catalogue is written.
pub trait Folder {
    /// What can go wrong.
    type Error: From<StoreError>;

    /// Writes a file, whole or not at all; folders on its way are made.
    ///
    /// # Errors
    /// Where it can't be written.
    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), Self::Error>;

    /// Takes away a file of an earlier catalogue; whether there was one.
    ///
    /// # Errors
    /// Where it can't be taken away.
    fn remove(&mut self, name: &str) -> Result<bool, Self::Error>;
}

/// What was written.
#[derive(Debug, Default)]
pub struct Summary {
    /// Puzzles with a page.
    pub puzzles: usize,
    /// Texts that are no puzzle, or that no run could read.
    pub bad: usize,
    /// Solutions that were drawn.
    pub solutions: u64,
    /// What the files of results say, and is not so.
    pub faults: Vec<String>,
    /// What else should be known, such as pictures that are not there any more.
    pub notes: Vec<String>,
}

/// Writes a catalogue of the runs that are asked for, with at most so many drawings of solutions a
/// puzzle. The index is written last. `progress` is called with the number of solutions that are
/// drawn and that will be, first with 0.
///
/// # Errors
/// Where a file can't be read or written.
pub fn write<F: Folder>(
    files: &Files,
    survey: &Survey,
    (selection, most): (&Selection, u64),
    folder: &mut F,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Summary, F::Error> {
    let entries = collected(files, survey, selection)?;
    let mut to_draw = 0;
    for entry in entries.iter().filter(|entry| entry.folder().is_some()) {
        to_draw += entry.number_kept(files)?.min(most);
    }
    progress(0, to_draw);
    let mut written = Summary::default();
    folder.write("style.css", include_bytes!("style.css"))?;
    let mut thumbnails: Vec<Option<Figure>> = Vec::with_capacity(entries.len());
    for number in 0..entries.len() {
        let thumbnail = write_puzzle(files, (&entries, number, most), &mut written, folder)?;
        thumbnails.push(thumbnail);
        progress(written.solutions, to_draw);
    }
    let pages = entries.len().div_ceil(PUZZLES_A_PAGE).max(1);
    let listed: Vec<_> = entries.iter().zip(&thumbnails).collect();
    // The first page last: where it is, the catalogue is whole.
    for page in (0..pages).rev() {
        let from = page * PUZZLES_A_PAGE;
        let to = listed.len().min(from + PUZZLES_A_PAGE);
        let html = index::page(&listed[from..to], (page, pages), survey, &entries);
        folder.write(&index::file_name(page), html.as_bytes())?;
    }
    clear(folder, index::file_name, pages)?;
    Ok(written)
}

/// The puzzles with their runs, in the order of the catalogue.
fn collected<E: From<StoreError>>(
    files: &Files,
    survey: &Survey,
    selection: &Selection,
) -> Result<Vec<Entry>, E> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut entries: Vec<Entry> = Vec::new();
    files.selected(survey, selection, |file, row: Row| {
        let place = *places.entry(row.hash.clone()).or_insert(entries.len());
        if place == entries.len() {
            entries.push(Entry::new(&row));
        }
        entries[place].add(file, row);
        Ok::<(), E>(())
    })?;
    let titled = entries.into_iter().map(|entry| (entry.title(), entry));
    let titled = titled.sorted_by(|(title, entry), (its, other)| {
        natural(title, its).then_with(|| entry.hash.cmp(&other.hash))
    });
    Ok(titled.map(|(_, entry)| entry).collect())
}

/// Writes the folder of one puzzle; gives the drawing that stands for it.
fn write_puzzle<F: Folder>(
    files: &Files,
    (entries, number, most): (&[Entry], usize, u64),
    written: &mut Summary,
    folder: &mut F,
) -> Result<Option<Figure>, F::Error> {
    let entry = &entries[number];
    let Some(name) = entry.folder() else {
        written.bad += 1;
        return Ok(None);
    };
    written.puzzles += 1;
    let puzzle = entry.load(files)?;
    if let Some(note) = puzzle.as_ref().ok().and_then(|puzzle| puzzle.note.as_ref()) {
        written.notes.push(format!("{}: {note}", entry.title()));
    }
    let mut figures = Figures::new(files, entry, puzzle.as_ref().ok(), most)?;
    let neighbours = neighbours(entries, number);
    let pages = match puzzle {
        Ok(_) => figures.pages(),
        Err(_) => 1,
    };
    let mut thumbnail = None;
    for page in 0..pages {
        let drawn = draw_page(&mut figures, &puzzle, (&name, page), folder)?;
        let html = page::page(entry, &figures, page, &drawn, &neighbours);
        let file = format!("{name}/{}", page::file_name(page));
        folder.write(&file, html.as_bytes())?;
        thumbnail = thumbnail.or_else(|| drawn.figures.into_iter().next().or(drawn.tiles));
    }
    written.solutions += figures.drawn;
    let faults = figures.faults.iter().map(|fault| format!("{}: {fault}", entry.title()));
    written.faults.extend(faults);
    clear(folder, |n| format!("{name}/{}", page::file_name(n)), pages)?;
    let drawing = |n: usize| format!("{name}/{n}.svg");
    clear(folder, drawing, figures.last_number() + 1)?;
    Ok(thumbnail.map(|figure| Figure { file: format!("{name}/{}", figure.file), ..figure }))
}

/// Draws what a page shows: the next solutions, each checked; where there is none, the tiles on the
/// first page.
fn draw_page<'a, F: Folder>(
    figures: &mut Figures<'_>,
    puzzle: &'a Result<Puzzle, String>,
    (name, page): (&str, usize),
    folder: &mut F,
) -> Result<page::Drawn<'a>, F::Error> {
    let mut drawn = page::Drawn::default();
    match puzzle {
        Err(refusal) => drawn.refusal = Some(refusal),
        Ok(puzzle) => {
            let style = puzzle.style();
            for solution in figures.next_page()? {
                let drawing = draw::arrangement(&puzzle.problem, &solution.arrangement, &style);
                let file = format!("{}.svg", solution.number);
                let figure = put(folder, name, file, &drawing)?;
                drawn.figures.push(Figure { solution: Some(solution), ..figure });
            }
            if page == 0 && drawn.figures.is_empty() {
                let drawing = draw::tiles(&puzzle.problem, &style);
                drawn.tiles = Some(put(folder, name, TILES.to_owned(), &drawing)?);
            }
        }
    }
    if page == 0 && drawn.tiles.is_none() {
        folder.remove(&format!("{name}/{TILES}"))?;
    }
    Ok(drawn)
}

/// Writes a drawing into the folder of a puzzle.
fn put<F: Folder>(
    folder: &mut F,
    name: &str,
    file: String,
    drawing: &Drawing,
) -> Result<Figure, F::Error> {
    folder.write(&format!("{name}/{file}"), drawing.svg.as_bytes())?;
    Ok(Figure { file, width: drawing.width, height: drawing.height, solution: None })
}

/// Takes away what an earlier, longer catalogue has behind the last file of ours.
fn clear<F: Folder>(
    folder: &mut F,
    name: impl Fn(usize) -> String,
    from: usize,
) -> Result<(), F::Error> {
    for number in from.. {
        if !folder.remove(&name(number))? {
            break;
        }
    }
    Ok(())
}

/// The puzzles with pages before and behind one, and the page of the index that it is on.
fn neighbours(entries: &[Entry], number: usize) -> page::Neighbours<'_> {
    let has_page = |entry: &&Entry| entry.folder().is_some();
    let before = &entries[..number];
    let behind = &entries[number + 1..];
    page::Neighbours {
        index: index::file_name(number / PUZZLES_A_PAGE),
        previous: before.iter().rev().find(has_page),
        next: behind.iter().find(has_page),
    }
}
