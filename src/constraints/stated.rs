//! A constraint with what was written of it, so that it can be written again.

use std::sync::Arc;

use super::fields::{Cells, Field, Fields, Fit, Scene};
use super::{FIELDS_OF_TERM, Kind};
use crate::board::{Board, CellName, CellSide, side_name};
use crate::problem::{Arrangement, Clause, Constraint, LinearConstraint};
use crate::puzzle::{Label, Puzzle, Written};

/// A constraint that came from a file or a command line.
#[derive(Debug)]
pub(super) struct Stated {
    pub kind: &'static Kind,
    pub fields: Fields,
    pub means: Arc<dyn Constraint>,
}

impl Constraint for Stated {
    fn name(&self) -> &'static str {
        self.means.name()
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        self.means.broken(puzzle, board, arrangement)
    }

    fn sums(&self, puzzle: &Puzzle, board: &Board) -> Vec<LinearConstraint> {
        self.means.sums(puzzle, board)
    }

    fn sums_of_copies(&self, puzzle: &Puzzle, board: &Board) -> Vec<LinearConstraint> {
        self.means.sums_of_copies(puzzle, board)
    }

    fn clauses_of_copies(&self, puzzle: &Puzzle, board: &Board) -> Vec<Clause> {
        self.means.clauses_of_copies(puzzle, board)
    }

    fn written(&self, puzzle: &Puzzle, board: &Board) -> Vec<LinearConstraint> {
        self.means.written(puzzle, board)
    }

    fn free_seams(&self) -> &[[CellSide; 2]] {
        self.means.free_seams()
    }

    fn wanted_seams(&self) -> &[[CellSide; 2]] {
        self.means.wanted_seams()
    }

    fn stated(&self, puzzle: &Puzzle, board: &Board) -> Option<Written> {
        let scene = Scene { puzzle, board };
        let fields = scene.written(self.kind.fields, &self.fields);
        Some(Written::entry(self.kind.name, fields))
    }
}

impl Scene<'_> {
    /// A mapping with the fields that are given.
    fn written(&self, known: &[Field], fields: &Fields) -> Written {
        let entries = known.iter().flat_map(|&field| self.entries(field, fields));
        Written::Map(
            entries
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
        )
    }

    fn entries(&self, field: Field, fields: &Fields) -> Vec<(&'static str, Written)> {
        let tiles =
            |tiles: &Option<Vec<usize>>| tiles.as_ref().map(|tiles| self.tiles_written(tiles));
        let number = |number: Option<i64>| number.map(Written::Number);
        let truth = |is_so: bool| is_so.then_some(Written::Truth(true));
        let entries = match field {
            Field::Cells => {
                let cells = fields.cells.as_deref();
                let key = if cells.is_some_and(|cells| cells.len() == 1) {
                    "cell"
                } else {
                    "cells"
                };
                vec![(key, cells.map(|cells| self.cells_written(cells)))]
            }
            Field::Tiles => {
                let is_one = fields.tiles.as_ref().is_some_and(|tiles| tiles.len() == 1);
                vec![(if is_one { "tile" } else { "tiles" }, tiles(&fields.tiles))]
            }
            Field::Rotations => {
                let numbers =
                    |all: &Vec<usize>| one_or_list(all.iter().map(|&r| Written::count(r)));
                let is_one = fields.rotations.as_ref().is_some_and(|all| all.len() == 1);
                let key = if is_one { "rotation" } else { "rotations" };
                vec![(key, fields.rotations.as_ref().map(numbers))]
            }
            Field::Face => {
                let face = fields.face.map(|face| Written::text(face.name()));
                vec![("face", face)]
            }
            Field::Shows => {
                let shows = fields.shows.iter();
                let shows =
                    shows.map(|(side, labels)| (self.side_written(*side), self.image(labels)));
                let shows: Vec<(String, Written)> = shows.collect();
                vec![("shows", (!shows.is_empty()).then_some(Written::Map(shows)))]
            }
            Field::Weight => vec![("weight", number(fields.weight))],
            Field::Bounds => vec![
                ("at_least", number(fields.at_least)),
                ("at_most", number(fields.at_most)),
                ("exactly", number(fields.exactly)),
            ],
            Field::Terms => {
                let terms = fields.terms.iter();
                let terms = terms.map(|term| self.written(FIELDS_OF_TERM, term));
                vec![("terms", Some(Written::list(terms)))]
            }
            Field::OnlyIn => {
                let cells = fields.only_in.as_deref();
                vec![("only_in", cells.map(|cells| self.cells_written(cells)))]
            }
            Field::OnlyFrom => vec![("only_from", tiles(&fields.only_from))],
            Field::Without => vec![("without", tiles(&fields.without))],
            Field::Sides => {
                let one = |side: Option<usize>| match side {
                    None => Written::text("any"),
                    Some(side) => Written::text(self.side_written(side)),
                };
                vec![(
                    "sides",
                    fields.sides.map(|sides| Written::list(sides.map(one))),
                )]
            }
            Field::Image => vec![(
                "image",
                fields.image.as_deref().map(|image| self.image(image)),
            )],
            Field::Only => vec![("only", truth(fields.only))],
            Field::Same => vec![("same", truth(fields.same))],
            Field::Fit => {
                let named = |fit| Fit::ALL.into_iter().find(|(_, own)| *own == fit);
                let name = fields.fit.and_then(named);
                vec![("fit", name.map(|(name, _)| Written::text(name)))]
            }
        };
        let said = entries.into_iter();
        said.filter_map(|(key, value)| Some((key, value?)))
            .collect()
    }

    /// A part of the board by its name where it has one, else the cells.
    fn cells_written(&self, cells: &[usize]) -> Written {
        let names = self.board.cells();
        let one = |&cell: &usize| match &names[cell].name {
            CellName::At(row, column) => Written::list([*row, *column].map(Written::count)),
            CellName::Named(name) => Written::text(name),
        };
        if let [cell] = cells {
            return one(cell);
        }
        let lines = self
            .board
            .rows_and_columns()
            .into_iter()
            .flat_map(|(rows, columns)| {
                let rows = (1..=rows).map(|row| format!("row {row}"));
                rows.chain((1..=columns).map(|column| format!("column {column}")))
            });
        let parts = ["all", "corners", "border", "inside"].map(str::to_owned);
        let mut parts = parts.into_iter().chain(lines);
        let part = parts.find(|part| {
            let named = self.cells(&Cells::Named(part.clone()));
            named.is_ok_and(|named| named == cells)
        });
        match part {
            Some(part) => Written::Text(part),
            None => Written::list(cells.iter().map(one)),
        }
    }

    fn tiles_written(&self, tiles: &[usize]) -> Written {
        let names = tiles
            .iter()
            .map(|&tile| Written::text(&self.puzzle.tiles[tile].name));
        one_or_list(names)
    }

    fn side_written(&self, side: usize) -> String {
        let mut tiles = self.puzzle.tiles.iter();
        match tiles.all(|tile| tile.sides() == 4) {
            true => side_name(side, 4),
            false => side.to_string(),
        }
    }

    /// An image, or one half of it; for one that no tile shows, a name that no image has.
    fn image(&self, image: &[Label]) -> Written {
        let labels = &self.puzzle.labels;
        let name = match image {
            [] => self.no_image(),
            [label] => labels.name(*label),
            [label, ..] => labels.edge(*label).image.clone(),
        };
        Written::Text(name)
    }

    fn no_image(&self) -> String {
        let labels = &self.puzzle.labels;
        let is_free = |name: &String| labels.all().all(|label| labels.edge(label).image != *name);
        let mut names = (0..).map(|tail| format!("none{}", "_".repeat(tail)));
        names.find(is_free).unwrap_or_default()
    }
}

fn one_or_list(values: impl Iterator<Item = Written>) -> Written {
    let mut values: Vec<Written> = values.collect();
    match values.len() {
        1 => values.remove(0),
        _ => Written::List(values),
    }
}
