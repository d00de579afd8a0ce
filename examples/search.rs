//! Draws how domains shrink along the branch to the solution of a 6×6, the picture of
//! `docs/search.md`. `cargo run --example search > docs/search.svg`

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;

use edgematch::domains::{Domains, Rarest, break_symmetry, reduce};
use edgematch::engine::Propagate;
use edgematch::enumerate::{self, Limits, NewSolution};
use edgematch::problem::Problem;
use edgematch::puzzle::ValueSet;

/// The width of a cell in the picture.
const CELL: usize = 36;

/// The distance between panels.
const STEP: usize = 250;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/boards/s6-k12-0.yaml");
    let problem = edgematch::load::read(&path)?;
    print!("{}", picture(&problem).ok_or("the board has a solution")?);
    Ok(())
}

/// The picture as SVG; `None` if the board has no solution.
pub fn picture(problem: &Problem) -> Option<String> {
    let part = break_symmetry(problem, Domains::first(problem), Rarest::Mates).remove(0);
    let solution = solution(problem, &part.domains)?;
    let (first, value) = *part.first?.iter().find(|(cell, value)| solution[*cell] == *value)?;
    let mut domains = part.domains;
    let mut panels = vec![(String::from("symmetry broken"), domains.clone(), None)];
    let mut chosen = (first, value);
    for title in ["the rarest tile", "the next choice", "the next", "all follows"] {
        domains.cells[chosen.0] = ValueSet::from_values(problem.kinds.values.len(), [chosen.1]);
        reduce(problem, &mut domains).ok()?;
        let is_done = domains.cells.iter().all(|cell| cell.len() == 1);
        panels.push((title.to_owned(), domains.clone(), Some(chosen.0)));
        if is_done {
            break;
        }
        let open = (0..problem.board.size()).filter(|&cell| domains.cells[cell].len() > 1);
        let next = open.min_by_key(|&cell| domains.cells[cell].len())?;
        chosen = (next, solution[next]);
    }
    Some(drawn(problem, &panels))
}

/// The values of a solution that is in the domains.
fn solution(problem: &Problem, domains: &Domains) -> Option<Vec<usize>> {
    let mut found = None;
    let mut keep = |solution: &NewSolution<'_>| {
        let inside = solution.distinct.orbit.iter().map(|p| p.values().collect::<Vec<_>>());
        found = inside
            .into_iter()
            .find(|values| values.iter().zip(&domains.cells).all(|(&l, cell)| cell.contains(l)));
        ControlFlow::Continue(())
    };
    enumerate::run(problem, &Propagate, &Limits::default(), &mut keep);
    found
}

fn drawn(problem: &Problem, panels: &[(String, Domains, Option<usize>)]) -> String {
    let columns = problem.board.lines()[0].len();
    let width = STEP * panels.len();
    let height = CELL * columns + 60;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (index, (title, domains, chosen)) in panels.iter().enumerate() {
        let left = index * STEP + (STEP - CELL * columns) / 2;
        let middle = left + CELL * columns / 2;
        let _ = writeln!(svg, "<text x=\"{middle}\" y=\"20\" font-size=\"15\">{title}</text>");
        for (cell, domain) in domains.cells.iter().enumerate() {
            let x = left + cell % columns * CELL;
            let y = 32 + cell / columns * CELL;
            let (fill, ink) = shade(domain.len(), *chosen == Some(cell));
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" \
                 stroke=\"#fff\" stroke-width=\"2\"/><text x=\"{}\" y=\"{}\" font-size=\"14\" \
                 fill=\"{ink}\">{}</text>",
                x + CELL / 2,
                y + CELL / 2 + 5,
                domain.len()
            );
        }
        let left_over = domains.placements();
        let y = CELL * columns + 52;
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{y}\" font-size=\"13\" fill=\"#444\">{left_over} placements</text>"
        );
    }
    svg + "</svg>\n"
}

/// The fill and text colours of a cell: orange for the chosen cell, otherwise darker with fewer
/// values.
fn shade(values: usize, is_chosen: bool) -> (&'static str, &'static str) {
    match values {
        _ if is_chosen => ("#d55e00", "#fff"),
        1 => ("#003f63", "#fff"),
        2..=4 => ("#0072b2", "#fff"),
        5..=16 => ("#56a3cf", "#000"),
        17..=64 => ("#a9d1e8", "#000"),
        _ => ("#e8eef2", "#000"),
    }
}
