//! A constraint together with its source: what was written, so that it can be written again.

use std::sync::Arc;

use super::Kind;
use super::declare::{Field, Mapping, Sort};
use super::fields::{FieldValue, Fields};
use super::scene::{Cells, Scene};
use crate::board::{Area, Board, CellName, CellSide, side_name};
use crate::problem::{Arrangement, Constraint, Dependence, Formula, Nesting, TilePlacements};
use crate::puzzle::{DocValue, Label, Puzzle};

/// A constraint that came from a file or a command line.
#[derive(Debug)]
pub(super) struct SourceConstraint {
    pub kind: &'static Kind,
    pub fields: Fields,
    pub means: Arc<dyn Constraint>,
}

impl Constraint for SourceConstraint {
    fn name(&self) -> &'static str {
        self.means.name()
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        self.means.broken(puzzle, board, arrangement)
    }

    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.means.formula(puzzle, board)
    }

    fn formula_of_copies(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.means.formula_of_copies(puzzle, board)
    }

    fn is_lazy(&self) -> bool {
        self.means.is_lazy()
    }

    fn depends_on(&self) -> Dependence {
        self.means.depends_on()
    }

    fn lazy_cut(
        &self,
        puzzle: &Puzzle,
        board: &Board,
        arrangement: &Arrangement,
    ) -> Option<Vec<(usize, Arc<TilePlacements>)>> {
        self.means.lazy_cut(puzzle, board, arrangement)
    }

    fn symmetric_formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.means.symmetric_formula(puzzle, board)
    }

    fn nesting(&self) -> Nesting {
        self.means.nesting()
    }

    fn pinned_cell(&self) -> Option<usize> {
        self.means.pinned_cell()
    }

    fn free_seams(&self) -> &[[CellSide; 2]] {
        self.means.free_seams()
    }

    fn wanted_seams(&self) -> &[[CellSide; 2]] {
        self.means.wanted_seams()
    }

    fn source(&self, puzzle: &Puzzle, board: &Board) -> Option<DocValue> {
        let scene = Scene { puzzle, board };
        let fields = scene.written(&self.kind.takes, &self.fields);
        Some(if self.kind.is_spread() { fields } else { DocValue::entry(self.kind.name, fields) })
    }
}

impl Scene<'_> {
    /// A mapping with the fields that are given, in the order in which the mapping lists them.
    fn written(&self, mapping: &Mapping, fields: &Fields) -> DocValue {
        let given = mapping.fields.iter().filter_map(|&field| Some((field, fields.value(field)?)));
        let entries = given.filter_map(|(field, value)| self.entry(field, value));
        DocValue::Map(entries.collect())
    }

    /// A key with its value; nothing of what is so anyway.
    fn entry(&self, field: Field, value: &FieldValue) -> Option<(String, DocValue)> {
        let written = match value {
            FieldValue::Truth(false) => return None,
            FieldValue::Truth(true) => DocValue::Truth(true),
            FieldValue::Number(number) => DocValue::Number(*number),
            FieldValue::Word(word) => DocValue::text(*word),
            FieldValue::Face(face) => DocValue::text(face.name()),
            FieldValue::Cells(cells) => self.cells_written(cells),
            FieldValue::Tiles(tiles) => self.tiles_written(tiles),
            FieldValue::Rotations(all) => one_or_list(all.iter().map(|&r| DocValue::count(r))),
            FieldValue::Image(labels) => self.image(labels),
            FieldValue::Shows(shows) => {
                let shows = shows.iter();
                let shows =
                    shows.map(|(side, labels)| (self.side_written(*side), self.image(labels)));
                DocValue::Map(shows.collect())
            }
            FieldValue::Sides(sides) => DocValue::list(sides.map(|side| match side {
                None => DocValue::text("any"),
                Some(side) => DocValue::text(self.side_written(side)),
            })),
            FieldValue::Constraints(all) => {
                let sources = all.iter().map(|part| part.source(self.puzzle, self.board));
                let mut sources = sources.collect::<Option<Vec<DocValue>>>()?;
                match field.sort {
                    Sort::Constraint => sources.pop()?,
                    _ => DocValue::List(sources),
                }
            }
            FieldValue::Terms(terms) => match field.sort {
                Sort::Terms(mapping) => {
                    DocValue::list(terms.iter().map(|term| self.written(mapping, term)))
                }
                _ => return None,
            },
        };
        let key = if value.is_one() { field.singular.unwrap_or(field.key) } else { field.key };
        Some((key.to_owned(), written))
    }

    /// A part of the board by its name where it has one, else the cells.
    fn cells_written(&self, cells: &[usize]) -> DocValue {
        let names = self.board.cells();
        let one = |&cell: &usize| match &names[cell].name {
            CellName::At(row, column) => DocValue::list([*row, *column].map(DocValue::count)),
            CellName::Named(name) => DocValue::text(name),
        };
        if let [cell] = cells {
            return one(cell);
        }
        let lines = self.board.squares().into_iter().flat_map(|area| {
            let (rows, columns) = (area.rows(), area.columns());
            let rows = (1..=rows).map(|row| format!("row {row}"));
            rows.chain((1..=columns).map(|column| format!("column {column}")))
        });
        let letters = self.board.area().map(Area::letters).unwrap_or_default();
        let mut parts = ["all", "corners", "border", "inside"]
            .map(str::to_owned)
            .into_iter()
            .chain(letters.into_iter().map(String::from))
            .chain(lines);
        let part = parts.find(|part| {
            let named = self.cells(&Cells::Named(part.clone()));
            named.is_ok_and(|named| named == cells)
        });
        match part {
            Some(part) => DocValue::Text(part),
            None => DocValue::list(cells.iter().map(one)),
        }
    }

    fn tiles_written(&self, tiles: &[usize]) -> DocValue {
        one_or_list(tiles.iter().map(|&tile| DocValue::text(&self.puzzle.tiles[tile].name)))
    }

    fn side_written(&self, side: usize) -> String {
        let mut tiles = self.puzzle.tiles.iter();
        if tiles.all(|tile| tile.sides() == 4) { side_name(side, 4) } else { side.to_string() }
    }

    /// An image, or one half of it; for one that no tile shows, a name that no image has.
    fn image(&self, image: &[Label]) -> DocValue {
        let labels = &self.puzzle.labels;
        let name = match image {
            [] => self.no_image(),
            [label] => labels.name(*label),
            [label, ..] => labels.edge(*label).image.clone(),
        };
        DocValue::Text(name)
    }

    fn no_image(&self) -> String {
        let labels = &self.puzzle.labels;
        let is_free = |name: &String| labels.all().all(|label| labels.edge(label).image != *name);
        let mut names = (0..).map(|tail| format!("none{}", "_".repeat(tail)));
        names.find(is_free).unwrap_or_default()
    }
}

fn one_or_list(values: impl Iterator<Item = DocValue>) -> DocValue {
    let mut values: Vec<DocValue> = values.collect();
    match values.len() {
        1 => values.remove(0),
        _ => DocValue::List(values),
    }
}
