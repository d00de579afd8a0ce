//! The third reading: the extra constraints, when puzzle and board are known.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};

use super::scalar::{Refusal, Scalar, first_time, next_key, short};
use super::suggest::did_you_mean;
use crate::constraints::{
    Cells, FIELDS_OF_TERM, Field, Fields, Fit, KINDS, Kind, LARGEST_BOUND, LARGEST_WEIGHT, Scene,
};
use crate::problem::Constraint;
use crate::puzzle::Face;

/// The key of the list in a file.
pub(super) const KEY: &str = "constraints";

/// What every error about a list of constraints shows.
const EXAMPLE: &str = "a list such as `constraints: [{pin: {cell: [1, 1], tile: 5}}]`";

type List = Vec<Arc<dyn Constraint>>;

/// Reads the list of a puzzle file, or of a file with nothing else.
pub(super) struct Reader<'a> {
    pub scene: Scene<'a>,
    /// Whether the file holds the list alone.
    pub is_alone: bool,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = List;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<List, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = List;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXAMPLE)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<List, A::Error> {
        let (mut seen, mut list) = (HashSet::new(), None);
        while let Some(key) = next_key(&mut map, &mut seen)? {
            match key == KEY {
                true => list = Some(map.next_value_seed(ListReader(self.scene))?),
                false if self.is_alone => {
                    let refusal = Refusal::with_help(
                        format!("`{key}` in a file of constraints"),
                        format!("it holds {EXAMPLE} and nothing else"),
                    );
                    return Err(refusal.into_error());
                }
                false => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match list {
            None if self.is_alone => {
                Err(Refusal::with_help(format!("the key `{KEY}` is missing"), EXAMPLE).into_error())
            }
            list => Ok(list.unwrap_or_default()),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<List, A::Error> {
        ListReader(self.scene).visit_seq(list)
    }
}

struct ListReader<'a>(Scene<'a>);

impl<'de> DeserializeSeed<'de> for ListReader<'_> {
    type Value = List;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<List, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ListReader<'_> {
    type Value = List;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXAMPLE)
    }

    fn visit_unit<E: Error>(self) -> Result<List, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<List, A::Error> {
        let (mut constraints, mut pinned) = (Vec::new(), HashSet::new());
        while let Some(constraint) = list.next_element_seed(OneReader {
            scene: self.0,
            pinned: &mut pinned,
        })? {
            constraints.push(constraint);
        }
        Ok(constraints)
    }
}

/// One constraint: its kind, and below it its fields.
struct OneReader<'a, 'p> {
    scene: Scene<'a>,
    /// Cells that earlier constraints of the list have pinned.
    pinned: &'p mut HashSet<usize>,
}

impl<'de> DeserializeSeed<'de> for OneReader<'_, '_> {
    type Value = Arc<dyn Constraint>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for OneReader<'_, '_> {
    type Value = Arc<dyn Constraint>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a constraint such as `pin: {cell: [1, 1], tile: 5}`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let kind = map.next_key_seed(Scalar::new("the name of a constraint", |text| {
            kind_named(&short(text, "a name")?)
        }))?;
        let Some(kind) = kind else {
            return Err(Refusal::from("a constraint without a name").into_error());
        };
        let made = map.next_value_seed(MadeReader {
            scene: self.scene,
            kind,
            pinned: self.pinned,
        })?;
        map.next_key_seed(Scalar::new("nothing", |key| -> Result<(), Refusal> {
            Err(Refusal::with_help(
                format!("`{}` beside `{}`", short(key, "a key")?, kind.name),
                "each constraint is an item of the list of its own",
            ))
        }))?;
        Ok(made)
    }
}

fn kind_named(name: &str) -> Result<&'static Kind, Refusal> {
    let names = || KINDS.iter().map(|kind| kind.name);
    Kind::named(name).ok_or_else(|| {
        let help = did_you_mean(name, names())
            .unwrap_or_else(|| format!("the constraints are {}", itertools::join(names(), ", ")));
        Refusal::with_help(format!("unknown constraint `{name}`"), help)
    })
}

/// The fields of a constraint, and what they make.
struct MadeReader<'a, 'p> {
    scene: Scene<'a>,
    kind: &'static Kind,
    pinned: &'p mut HashSet<usize>,
}

impl MadeReader<'_, '_> {
    fn make<E: Error>(self, fields: Fields) -> Result<Arc<dyn Constraint>, E> {
        let made = self.kind.make(&self.scene, fields, self.pinned);
        made.map_err(|e| Refusal::from(e).into_error())
    }
}

impl<'de> DeserializeSeed<'de> for MadeReader<'_, '_> {
    type Value = Arc<dyn Constraint>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MadeReader<'_, '_> {
    type Value = Arc<dyn Constraint>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields of `{}`", self.kind.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let reader = FieldsReader {
            scene: self.scene,
            name: self.kind.name,
            known: self.kind.fields,
        };
        let fields = reader.visit_map(map)?;
        self.make(fields)
    }

    /// `rotations: [0]`.
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        if self.kind.name != "rotations" {
            let expected = format!("found a list, expected the fields of `{}`", self.kind.name);
            return Err(Refusal::from(expected).into_error());
        }
        let rotations = Many(rotation(self.scene)).visit_seq(list)?;
        self.make(Fields {
            rotations: Some(sorted(rotations)),
            ..Fields::default()
        })
    }
}

/// A mapping of fields.
#[derive(Clone, Copy)]
struct FieldsReader<'a> {
    scene: Scene<'a>,
    name: &'static str,
    known: &'static [Field],
}

impl FieldsReader<'_> {
    fn next_key<'de, A: MapAccess<'de>>(
        &self,
        map: &mut A,
        seen: &mut HashSet<String>,
    ) -> Result<Option<(String, Field)>, A::Error> {
        map.next_key_seed(Scalar::new("a field", |text| {
            let key = short(text, "a key")?;
            let field = Field::of_key(&key).filter(|field| self.known.contains(field));
            let Some(field) = field else {
                let keys = || self.known.iter().flat_map(|field| field.keys());
                let help = did_you_mean(&key, keys())
                    .unwrap_or_else(|| format!("its fields are {}", itertools::join(keys(), ", ")));
                return Err(Refusal::with_help(
                    format!("`{}` has no field `{key}`", self.name),
                    help,
                ));
            };
            let is_new = field == Field::Bounds || !field.keys().any(|k| seen.contains(k));
            let key = first_time(key, seen)?;
            match is_new {
                true => Ok((key, field)),
                false => Err(format!("`{key}` beside another key of the same field").into()),
            }
        }))
    }
}

impl<'de> DeserializeSeed<'de> for FieldsReader<'_> {
    type Value = Fields;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fields, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FieldsReader<'_> {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields of `{}`", self.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let scene = self.scene;
        let (mut fields, mut seen) = (Fields::default(), HashSet::new());
        while let Some((key, field)) = self.next_key(&mut map, &mut seen)? {
            match field {
                Field::Cells => fields.cells = Some(map.next_value_seed(CellsReader(scene))?),
                Field::OnlyIn => fields.only_in = Some(map.next_value_seed(CellsReader(scene))?),
                Field::Tiles if key == "tile" => {
                    let one = Scalar::new("the name of a tile", tile(scene));
                    fields.tiles = Some(vec![map.next_value_seed(one)?]);
                }
                Field::Tiles => fields.tiles = Some(map.next_value_seed(Many(tile(scene)))?),
                Field::OnlyFrom => {
                    fields.only_from = Some(map.next_value_seed(Many(tile(scene)))?);
                }
                Field::Without => fields.without = Some(map.next_value_seed(Many(tile(scene)))?),
                Field::Rotations => {
                    let rotations = map.next_value_seed(Many(rotation(scene)))?;
                    fields.rotations = Some(sorted(rotations));
                }
                Field::Face => {
                    let face = Scalar::new("`front` or `back`", |text| face(scene, text));
                    fields.face = Some(map.next_value_seed(face)?);
                }
                Field::Shows => fields.shows = map.next_value_seed(ShowsReader(scene))?,
                Field::Weight => fields.weight = Some(map.next_value_seed(Whole::weight())?),
                Field::Bounds => {
                    let bound = Some(map.next_value_seed(Whole::bound())?);
                    match key.as_str() {
                        "at_least" => fields.at_least = bound,
                        "at_most" => fields.at_most = bound,
                        _ => fields.exactly = bound,
                    }
                }
                Field::Terms => {
                    let term = FieldsReader {
                        name: "a term",
                        known: FIELDS_OF_TERM,
                        ..self
                    };
                    fields.terms = map.next_value_seed(TermsReader(term))?;
                }
                Field::Sides => {
                    let sides = map.next_value_seed(Many(side_or_any(scene)))?;
                    let two = <[Option<usize>; 2]>::try_from(sides).map_err(|sides| {
                        let number = sides.len();
                        Refusal::from(format!("{number} sides, expected one of each of two tiles"))
                            .into_error()
                    })?;
                    fields.sides = Some(two);
                }
                Field::Image => {
                    let image =
                        Scalar::new(
                            "an image, or one half of it",
                            |text| Ok(scene.labels(text)?),
                        );
                    fields.image = Some(map.next_value_seed(image)?);
                }
                Field::Only => fields.only = map.next_value_seed(truth())?,
                Field::Same => fields.same = map.next_value_seed(truth())?,
                Field::Fit => {
                    let fit = Scalar::new("`free` or `wanted`", fit);
                    fields.fit = Some(map.next_value_seed(fit)?);
                }
            }
        }
        Ok(fields)
    }
}

fn sorted(mut numbers: Vec<usize>) -> Vec<usize> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Reads a text, the same everywhere.
type ReadText<T> = fn(&str) -> Result<T, Refusal>;

/// Reads a text with what is known of a puzzle.
type Read<'a, T> = Box<dyn Fn(&str) -> Result<T, Refusal> + 'a>;

fn tile<'a>(scene: Scene<'a>) -> Read<'a, usize> {
    Box::new(move |text| Ok(scene.tile(&short(text, "a name")?)?))
}

fn rotation<'a>(scene: Scene<'a>) -> Read<'a, usize> {
    Box::new(move |text| match text.parse() {
        Ok(number) => Ok(scene.rotation(number)?),
        Err(_) => {
            let text = short(text, "a rotation")?;
            Err(format!("`{text}` is no rotation: expected counter-clockwise steps").into())
        }
    })
}

fn face(scene: Scene<'_>, text: &str) -> Result<Face, Refusal> {
    let text = short(text, "a face")?;
    Ok(scene.face(&text)?)
}

fn side_or_any<'a>(scene: Scene<'a>) -> Read<'a, Option<usize>> {
    Box::new(move |text| match text {
        "any" => Ok(None),
        side => Ok(Some(scene.side(&short(side, "a side")?)?)),
    })
}

fn truth() -> Scalar<ReadText<bool>> {
    Scalar::new("`true` or `false`", |text| match text {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(format!("`{}`, expected `true` or `false`", short(other, "a text")?).into()),
    })
}

fn fit(text: &str) -> Result<Fit, Refusal> {
    let found = Fit::ALL.into_iter().find(|(name, _)| *name == text);
    found.map(|(_, fit)| fit).ok_or_else(|| {
        let text = short(text, "a fit");
        match text {
            Ok(text) => format!("unknown fit `{text}`: expected `free` or `wanted`").into(),
            Err(refusal) => refusal,
        }
    })
}

/// One of something, or a list of them.
struct Many<'a, T>(Read<'a, T>);

impl<'de, T> DeserializeSeed<'de> for Many<'_, T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T> Visitor<'de> for Many<'_, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one or a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
        let mut many = Vec::new();
        while let Some(one) = list.next_element_seed(Scalar::new("a name", &self.0))? {
            many.push(one);
        }
        match many.is_empty() {
            true => Err(Refusal::from("an empty list").into_error()),
            false => Ok(many),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
        let one = (self.0)(text).map_err(Refusal::into_error)?;
        Ok(vec![one])
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Vec<T>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Vec<T>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Vec<T>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Vec<T>, E> {
        self.visit_str(&truth.to_string())
    }
}

/// `[1, 1]`, `corners`, `row 2`, `{row: 2}`, or a list of those.
struct CellsReader<'a>(Scene<'a>);

impl CellsReader<'_> {
    fn find<E: Error>(&self, written: &Cells) -> Result<Vec<usize>, E> {
        let found = self.0.cells(written);
        found.map_err(|e| Refusal::from(e).into_error())
    }

    /// Whether cells have names there, which may be numbers.
    fn knows_names(&self) -> bool {
        self.0.board.rows_and_columns().is_none()
    }

    fn visit_name<E: Error>(
        self,
        name: impl fmt::Display,
        found: Unexpected,
    ) -> Result<Vec<usize>, E> {
        match self.knows_names() {
            true => self.visit_str(&name.to_string()),
            false => Err(E::invalid_type(found, &self)),
        }
    }
}

impl<'de> DeserializeSeed<'de> for CellsReader<'_> {
    type Value = Vec<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<usize>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for CellsReader<'_> {
    type Value = Vec<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a cell such as [1, 1], a part of the board such as `corners`, or a list of them",
        )
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<usize>, E> {
        let name = short(text, "a name").map_err(Refusal::into_error)?;
        self.find(&Cells::Named(name))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Vec<usize>, E> {
        self.visit_name(number, Unexpected::Unsigned(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Vec<usize>, E> {
        self.visit_name(number, Unexpected::Signed(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Vec<usize>, E> {
        self.visit_name(number, Unexpected::Float(number))
    }

    fn visit_bool<E: Error>(self, word: bool) -> Result<Vec<usize>, E> {
        self.visit_name(word, Unexpected::Bool(word))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<usize>, A::Error> {
        let line = Scalar::new("`row` or `column`", |text| match text {
            "row" => Ok(true),
            "column" => Ok(false),
            other => {
                Err(format!("`{}`, expected `row` or `column`", short(other, "a key")?).into())
            }
        });
        let Some(is_row) = map.next_key_seed(line)? else {
            let expected = "expected a cell, `{row: 1}` or `{column: 1}`, not an empty mapping";
            return Err(Refusal::from(expected).into_error());
        };
        let number = map.next_value_seed(Whole::bound())?;
        map.next_key_seed(Scalar::new("nothing", |_| -> Result<(), Refusal> {
            Err("a row or a column, not both".into())
        }))?;
        self.find(&match is_row {
            true => Cells::Row(number),
            false => Cells::Column(number),
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<usize>, A::Error> {
        let mut cells = Vec::new();
        let mut numbers = Vec::new();
        let mut items = 0;
        while let Some(item) = list.next_element_seed(ItemReader(self.0))? {
            items += 1;
            match item {
                Item::Number(number) => numbers.push(number),
                Item::Cells(more) => cells.extend(more),
            }
        }
        match (numbers[..].as_ref(), items) {
            ([], 1..) => Ok(sorted(cells)),
            (&[row, column], 2) => self.find(&Cells::At(row, column)),
            _ => Err(
                Refusal::from("expected a cell as [row, column], or a list of cells").into_error(),
            ),
        }
    }
}

enum Item {
    Number(i64),
    Cells(Vec<usize>),
}

struct ItemReader<'a>(Scene<'a>);

impl<'de> DeserializeSeed<'de> for ItemReader<'_> {
    type Value = Item;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ItemReader<'_> {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        CellsReader(self.0).expecting(f)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Item, E> {
        let cells = CellsReader(self.0);
        match cells.knows_names() {
            true => cells.visit_u64(number).map(Item::Cells),
            false => Ok(Item::Number(i64::try_from(number).unwrap_or(i64::MAX))),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Item, E> {
        let cells = CellsReader(self.0);
        match cells.knows_names() {
            true => cells.visit_i64(number).map(Item::Cells),
            false => Ok(Item::Number(number)),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Item, E> {
        CellsReader(self.0).visit_f64(number).map(Item::Cells)
    }

    fn visit_bool<E: Error>(self, word: bool) -> Result<Item, E> {
        CellsReader(self.0).visit_bool(word).map(Item::Cells)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Item, E> {
        CellsReader(self.0).visit_str(text).map(Item::Cells)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Item, A::Error> {
        CellsReader(self.0).visit_map(map).map(Item::Cells)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Item, A::Error> {
        CellsReader(self.0).visit_seq(list).map(Item::Cells)
    }
}

/// `{top: red+, left: blue}`.
struct ShowsReader<'a>(Scene<'a>);

impl<'de> DeserializeSeed<'de> for ShowsReader<'_> {
    type Value = Vec<(usize, Vec<crate::puzzle::Label>)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ShowsReader<'_> {
    type Value = Vec<(usize, Vec<crate::puzzle::Label>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sides with what they show, such as {top: red+}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let scene = self.0;
        let (mut shows, mut seen) = (Vec::new(), HashSet::new());
        while let Some(side) = map.next_key_seed(Scalar::new("a side", |text| {
            Ok(scene.side(&first_time(short(text, "a side")?, &mut seen)?)?)
        }))? {
            let edge = Scalar::new("an edge such as `red+`", |text| Ok(scene.labels(text)?));
            shows.push((side, map.next_value_seed(edge)?));
        }
        match shows.is_empty() {
            true => Err(Refusal::from("`shows` without a side").into_error()),
            false => Ok(shows),
        }
    }
}

/// The terms of an expression: a list, the same under `terms`, or one term alone.
pub(super) struct ExpressionReader<'a>(pub Scene<'a>);

impl ExpressionReader<'_> {
    fn reader(&self, known: &'static [Field]) -> FieldsReader<'_> {
        FieldsReader {
            scene: self.0,
            name: "an expression",
            known,
        }
    }
}

impl<'de> DeserializeSeed<'de> for ExpressionReader<'_> {
    type Value = Vec<Fields>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ExpressionReader<'_> {
    type Value = Vec<Fields>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of terms such as [{weight: 2, tile: 5}]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        TermsReader(self.reader(FIELDS_OF_TERM)).visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        const FIELDS: &[Field] = &[
            Field::Terms,
            Field::Weight,
            Field::Cells,
            Field::Tiles,
            Field::Rotations,
            Field::Face,
            Field::Shows,
        ];
        let mut fields = self.reader(FIELDS).visit_map(map)?;
        let terms = std::mem::take(&mut fields.terms);
        match (terms.is_empty(), fields.is_empty()) {
            (true, _) => Ok(vec![fields]),
            (false, true) => Ok(terms),
            (false, false) => {
                Err(Refusal::from("`terms` beside the fields of a single term").into_error())
            }
        }
    }
}

struct TermsReader<'a>(FieldsReader<'a>);

impl<'de> DeserializeSeed<'de> for TermsReader<'_> {
    type Value = Vec<Fields>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Fields>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TermsReader<'_> {
    type Value = Vec<Fields>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of terms such as [{weight: 2, tile: 5}]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Fields>, A::Error> {
        let mut terms = Vec::new();
        while let Some(term) = list.next_element_seed(self.0)? {
            terms.push(term);
        }
        Ok(terms)
    }
}

/// A whole number within limits.
struct Whole {
    what: &'static str,
    largest: i64,
}

impl Whole {
    fn weight() -> Self {
        Whole {
            what: "a weight",
            largest: LARGEST_WEIGHT,
        }
    }

    fn bound() -> Self {
        Whole {
            what: "a bound",
            largest: LARGEST_BOUND,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Whole {
    type Value = i64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<i64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Whole {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
        match number.unsigned_abs() <= self.largest.unsigned_abs() {
            true => Ok(number),
            false => {
                let (what, largest) = (self.what, self.largest);
                let refusal = format!("too large for {what}: at most ±{largest}");
                Err(Refusal::from(refusal).into_error())
            }
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<i64, E> {
        self.visit_i64(i64::MAX)
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<i64, E> {
        self.visit_i64(i64::MIN)
    }

    /// `1e3` is whole; of others it says by what all weights and bounds must be multiplied.
    fn visit_f64<E: Error>(self, number: f64) -> Result<i64, E> {
        if number.fract() == 0.0 {
            return self.visit_i64(number as i64);
        }
        let scaled = (1..=9).map(|digits| 10f64.powi(digits));
        let mut whole =
            scaled.filter(|scale| ((number * scale).round() - number * scale).abs() < 1e-6);
        let refusal = match whole.next() {
            Some(scale) if number.is_finite() => Refusal::with_help(
                format!("{number} is not a whole number"),
                format!(
                    "multiply every weight and the bounds by {scale}: {number} becomes {}",
                    (number * scale).round()
                ),
            ),
            _ => Refusal::from(format!("{number} is not a whole number")),
        };
        Err(refusal.into_error())
    }
}
