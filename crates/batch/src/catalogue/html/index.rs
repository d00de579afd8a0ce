//! The index: a line a puzzle.

use edgematch::clock::seconds as duration;
use edgematch::engine::counted;
use edgematch::enumerate::Known;
use maud::{Markup, html};

use super::entry::Entry;
use super::frame::{Script, image, page as framed, pages};
use super::solutions::Figure;
use crate::catalogue::survey::constraints;
use crate::catalogue::words::{self, counts, one_line, verdict};
use crate::catalogue::{STATUSES, Survey};

/// What a page of the index is called.
pub(super) fn file_name(page: usize) -> String {
    match page {
        0 => "index.html".into(),
        page => format!("index-{}.html", page + 1),
    }
}

/// A page of the index: of these puzzles, each with the drawing that stands for it.
pub(super) fn page(
    listed: &[(&Entry, &Option<Figure>)],
    (number, all): (usize, usize),
    survey: &Survey,
    entries: &[Entry],
) -> String {
    let title = match number {
        0 => "Edge-matching puzzles".to_owned(),
        number => format!("Edge-matching puzzles, page {}", number + 1),
    };
    let has_difficulty = entries.iter().any(|entry| entry.difficulty().is_some());
    let puzzles = entries.iter().filter(|entry| entry.folder().is_some()).count();
    let bad = entries.len() - puzzles;
    let body = html! {
        header {
            h1 { "Edge-matching puzzles" }
            p {
                (counted(puzzles, "puzzle", "puzzles"))
                @if bad > 0 { ", " (bad) " that could not be run" }
                "."
            }
        }
        main {
            @for disagreement in &survey.disagreements {
                p.wrong { "Engines disagree: " (one_line(&disagreement.to_string())) }
            }
            @if number == 0 { (totals(entries)) }
            (pages(number, all, file_name))
            (tools(has_difficulty, listed))
            table.index {
                (head(has_difficulty))
                tbody {
                    @for (entry, thumbnail) in listed {
                        @match entry.folder() {
                            Some(folder) => (puzzle(entry, &folder, thumbnail.as_ref(), has_difficulty)),
                            None => (bad_text(entry, if has_difficulty { 6 } else { 5 })),
                        }
                    }
                }
            }
            (pages(number, all, file_name))
            @if has_difficulty {
                p.small {
                    "Difficulty: placements tried, row by row, for each distinct solution."
                }
            }
            p.small {
                "Distinct: different-looking boards up to turning. "
                "Classes: solutions up to turning the board. "
                "Solutions: all tiles told apart, every turn of the board."
            }
        }
    };
    framed(&title, "", Script::OfTheIndex, &body)
}

fn known(entry: &Entry) -> Known {
    entry.best().ended.known()
}

/// The bars of the histogram: the most distinct solutions that one stands for, and its words.
const BARS: [(u64, &str); 7] = [
    (0, "0"),
    (1, "1"),
    (3, "2 to 3"),
    (9, "4 to 9"),
    (99, "10 to 99"),
    (9_999, "100 to 9,999"),
    (u64::MAX, "10,000 or more"),
];

/// How the runs ended, and how many distinct solutions the complete ones have.
fn totals(entries: &[Entry]) -> Markup {
    let puzzles: Vec<&Entry> = entries.iter().filter(|e| e.folder().is_some()).collect();
    let mut bars = [0_usize; BARS.len()];
    for entry in &puzzles {
        let ended = &entry.best().ended;
        let complete = ended.distinct.as_ref().filter(|_| ended.status.is_complete());
        if let Some(distinct) = complete {
            // More than a number holds is in the last bar.
            let distinct: u64 = distinct.parse().unwrap_or(u64::MAX);
            let bar = BARS.iter().position(|(most, _)| distinct <= *most);
            bars[bar.unwrap_or(BARS.len() - 1)] += 1;
        }
    }
    let with = |status: Known| puzzles.iter().filter(|e| known(e) == status).count();
    let ends = STATUSES.map(|status| (status, with(status)));
    let runs = puzzles.iter().flat_map(|entry| &entry.runs);
    let seconds: f64 = runs.map(|(_, run)| run.work.seconds).sum();
    let largest = bars.iter().copied().max().unwrap_or_default();
    html! {
        p {
            @for (status, number) in ends.iter().filter(|end| end.1 > 0) {
                (words::known(*status)) ": " b { (number) } ". "
            }
            "Time of the runs: " (duration(seconds)) "."
        }
        @if largest > 0 {
            p.small { "Puzzles by their number of distinct solutions, complete runs:" }
            div.histogram {
                @for ((_, words), number) in BARS.iter().zip(bars) {
                    span { (words) }
                    svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
                        rect width=(100.0 * number as f64 / largest as f64) height="10";
                    }
                    span { (number) }
                }
            }
        }
    }
}

/// What scripts search and sort by.
fn tools(has_difficulty: bool, listed: &[(&Entry, &Option<Figure>)]) -> Markup {
    let has = |status: &Known| listed.iter().any(|(entry, _)| known(entry) == *status);
    let verdicts = STATUSES.into_iter().filter(has);
    html! {
        div #tools hidden {
            label { "Search " input #find type="search" autocomplete="off"; }
            label {
                "Verdict "
                select #verdict {
                    option value="" { "any" }
                    @for status in verdicts {
                        option value=(status.name()) { (words::known(status)) }
                    }
                }
            }
            label {
                "Distinct from "
                input #least type="number" min="0";
            }
            label {
                "to "
                input #most type="number" min="0";
            }
            label {
                "Sort by "
                select #sort {
                    option value="1" { "name" }
                    option value="2" { "board" }
                    option value="3" { "distinct" }
                    option value="4" { "classes" }
                    option value="5" { "solutions" }
                    @if has_difficulty { option value="6" { "difficulty" } }
                }
            }
            output #shown {}
        }
    }
}

/// The heads of the columns.
fn head(has_difficulty: bool) -> Markup {
    html! {
        thead {
            tr {
                th scope="col" { "Board" }
                th scope="col" { "Puzzle" }
                th scope="col" { "Size" }
                th.number scope="col" { "Distinct" }
                th.number scope="col" { "Classes" }
                th.number scope="col" { "Solutions" }
                @if has_difficulty { th.number scope="col" { "Difficulty" } }
                th scope="col" { "Verdict" }
            }
        }
    }
}

fn puzzle(entry: &Entry, folder: &str, thumbnail: Option<&Figure>, has_difficulty: bool) -> Markup {
    let row = entry.best();
    let ended = &row.ended;
    let [distinct, classes, solutions] = counts(ended);
    let link = format!("{folder}/index.html");
    let board = entry.puzzle.board.as_deref().unwrap_or_default();
    let title = entry.title();
    let name = one_line(&entry.puzzle.name);
    html! {
        tr data-verdict=(known(entry).name()) {
            td.thumbnail {
                // The title beside it leads to the same page.
                @if let Some(figure) = thumbnail {
                    a href=(link) tabindex="-1" aria-hidden="true" { (image(figure, "")) }
                }
            }
            td.name {
                a href=(link) { (title) }
                @if name != title { span.small { (name) } }
            }
            td.size data-label="Size" data-key=(entry.puzzle.tiles.unwrap_or_default()) {
                (board.trim_end_matches(" grid"))
            }
            (count("Distinct", &distinct, ended.distinct.as_deref()))
            (count("Classes", &classes, ended.classes.as_deref()))
            (count("Solutions", &solutions, ended.solutions.as_deref()))
            @if has_difficulty { (difficulty(entry)) }
            td data-label="Verdict" {
                (one_line(&verdict(&row.ended)))
                @if !constraints(&row.options).is_empty() { span.small { "with constraints" } }
            }
        }
    }
}

/// A cell with a count as it is shown; it is sorted by all its digits.
fn count(label: &str, shown: &str, digits: Option<&str>) -> Markup {
    let key = digits.filter(|digits| *digits != shown);
    html! { td.number data-label=(label) data-key=[key] { (shown) } }
}

fn difficulty(entry: &Entry) -> Markup {
    let shown = entry.difficulty().map_or(String::new(), |d| format!("{d:.0}"));
    count("Difficulty", &shown, None)
}

/// A text that is no puzzle: a line with what is wrong.
fn bad_text(entry: &Entry, columns: usize) -> Markup {
    let verdict = verdict(&entry.best().ended);
    let error = match entry.error() {
        Some(error) => format!("{verdict}: {error}"),
        None => verdict,
    };
    html! {
        tr.bad data-verdict=(known(entry).name()) {
            td.thumbnail {}
            td.name {
                (entry.title())
                @for place in &entry.places { span.small { (place) } }
            }
            td.wrong colspan=(columns) data-key="" { (one_line(&error)) }
        }
    }
}
