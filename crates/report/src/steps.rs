//! Instructions in words for laying an arrangement by hand.

use edgematch::load::tile_text;
use edgematch::problem::{Arrangement, Placed, Problem};
use edgematch::puzzle::{Face, Orientation};

/// The instructions, a line for each cell in the order of the board: `card 4 top left, turned a
/// quarter to the left`.
pub fn steps(problem: &Problem, arrangement: &Arrangement) -> String {
    let cells = arrangement.0.iter().enumerate();
    cells.map(|(cell, placed)| step(problem, cell, placed) + "\n").collect()
}

/// The instruction for one cell.
pub fn step(problem: &Problem, index: usize, placed: &Placed) -> String {
    let cell = &problem.board.cells()[index];
    let name = tile_text(&problem.puzzle.tiles[placed.tile].name);
    let place = match problem.board.rectangle() {
        Some(size) => place_in(size, index),
        None => format!("in {}", cell.name.bare()),
    };
    format!("card {name} {place}, {}", turned(placed.orientation, cell.sides))
}

/// The position of a cell in words, on a board of this size: `top left` or `in the middle` if there
/// are at most three rows and columns, otherwise `in row 1, column 4`. `index` counts the cells in
/// reading order.
fn place_in((rows, columns): (usize, usize), index: usize) -> String {
    let (row, column) = (index / columns, index % columns);
    let of = |place: usize, length: usize, words: [&'static str; 3]| match (place, length) {
        (_, 1) => "",
        (0, _) => words[0],
        (_, 3) if place == 1 => words[1],
        _ => words[2],
    };
    if rows > 3 || columns > 3 {
        return format!("in row {}, column {}", row + 1, column + 1);
    }
    let vertical = of(row, rows, ["top", "", "bottom"]);
    let horizontal = of(column, columns, ["left", "", "right"]);
    match (vertical, horizontal) {
        ("", "") => "in the middle".to_owned(),
        ("", side) | (side, "") => side.to_owned(),
        (vertical, horizontal) => format!("{vertical} {horizontal}"),
    }
}

/// Describes in words how to turn a tile from its orientation in the file to this one.
fn turned(orientation: Orientation, sides: usize) -> String {
    let over = match orientation.face() {
        Face::Front => "",
        Face::Back => "turned over, ",
    };
    let turn = match (orientation.rotation(), sides) {
        (0, _) => "upright".to_owned(),
        (1, 4) => "turned a quarter to the left".to_owned(),
        (2, 4) => "upside down".to_owned(),
        (3, 4) => "turned a quarter to the right".to_owned(),
        (steps, sides) if 2 * steps > sides => {
            format!("turned {} of {sides} to the right", sides - steps)
        }
        (steps, sides) => format!("turned {steps} of {sides} to the left"),
    };
    format!("{over}{turn}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_have_words_for_their_places() {
        let places: Vec<String> = (0..9).map(|index| place_in((3, 3), index)).collect();
        assert_eq!(
            places,
            [
                "top left",
                "top",
                "top right",
                "left",
                "in the middle",
                "right",
                "bottom left",
                "bottom",
                "bottom right"
            ]
        );
        assert_eq!(place_in((1, 2), 1), "right");
        assert_eq!(place_in((4, 4), 5), "in row 2, column 2");
    }

    #[test]
    fn turns_are_to_the_nearer_side() {
        let words = [0, 1, 2, 3].map(|steps| turned(Orientation::turned(steps), 4));
        assert_eq!(
            words,
            [
                "upright",
                "turned a quarter to the left",
                "upside down",
                "turned a quarter to the right"
            ]
        );
        assert_eq!(turned(Orientation::turned(5), 6), "turned 1 of 6 to the right");
    }
}
