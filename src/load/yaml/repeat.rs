//! Repeats an item of a list for each value of its variables, as its keys `for` and `where` say.
//!
//! ```yaml
//! - for: {row: r}
//!   where: r < 3
//!   count: {cells: row r, rotation: 0, at_most: r + 1}
//! ```
//!
//! A copy of the item is a tree in which values replace the variables, so that the readers of
//! fields never see a variable. Errors in a copy name the values.

use itertools::Itertools;

use super::advice::{FOR, WHERE};
use super::arithmetic;
use super::fields::Reader;
use super::tree::{Entry, Node, NodeKind, ReadError, Result, Scalar};
use super::variables::{Value, Variables};
use crate::board::{CellName, CellSide};
use crate::problem::constraints::{Scene, WrittenCells, is_key};

/// The most combinations of values that are tried, and the most copies of an item.
const MOST: usize = 100_000;

const EXAMPLE: &str = "variables such as `{row: r}`, `{seam: [a, b]}` or `{1..4: k}`";

impl Reader<'_> {
    /// Reads each item of a list. An item with the key `for` is read once for each value of its
    /// variables.
    pub fn repeated<T>(self, items: &[Node], read: impl Fn(&Node) -> Result<T>) -> Result<Vec<T>> {
        let mut all = Vec::new();
        for item in items {
            match (item.value(FOR), item.key(WHERE)) {
                (Some(variables), _) => self.copies(item, variables, &read, &mut all)?,
                (None, Some(key)) => return Err(key.error("`where` without `for`")),
                (None, None) => all.push(read(item)?),
            }
        }
        Ok(all)
    }

    /// Reads the copies of an item with these variables.
    fn copies<T>(
        self,
        item: &Node,
        variables: &Node,
        read: &impl Fn(&Node) -> Result<T>,
        all: &mut Vec<T>,
    ) -> Result<()> {
        let mut rest = item.entries("")?;
        rest.retain(|entry| ![FOR, WHERE].contains(&entry.name));
        let conditions = item.value(WHERE).map_or(&[][..], Node::each);
        for values in self.assignments(variables)? {
            let variables = Variables { scene: self.scene, values };
            let mut holds = conditions.iter().map(|condition| variables.satisfy(condition));
            if !holds.fold_ok(true, |all, holds| all && holds)? {
                continue;
            }
            let fill = |entry: &Entry<'_>| {
                // The reader reports a key that it does not know, so its value is not filled.
                let is_known = is_key(entry.name);
                let filled = is_known.then(|| variables.fill(entry.value)).transpose()?;
                Ok((entry.key.clone(), filled.unwrap_or_else(|| entry.value.clone())))
            };
            let copy = item.with(NodeKind::Map(rest.iter().map(fill).collect::<Result<_>>()?));
            all.push(read(&copy).map_err(|error| ReadError {
                message: format!("{} (with {variables})", error.message),
                ..error
            })?);
        }
        Ok(())
    }

    /// All combinations of the values of all variables.
    fn assignments(self, node: &Node) -> Result<Vec<Vec<(&str, Value)>>> {
        let entries = node.entries(EXAMPLE)?;
        if entries.is_empty() {
            return Err(node.error(format!("no variables, expected {EXAMPLE}")));
        }
        let axes: Vec<Vec<Axis<'_>>> =
            entries.iter().map(|entry| self.axes(entry)).collect::<Result<_>>()?;
        let axes = axes.concat();
        let names = axes.iter().flat_map(|axis| &axis.names);
        if let Some(name) = names.clone().duplicates().next() {
            return Err(node.error(format!("the variable `{name}` appears a second time")));
        }
        let number = axes.iter().map(|axis| axis.choices.len()).fold(1, usize::saturating_mul);
        if number > MOST {
            let message = format!("{number} combinations of values, at most {MOST} allowed");
            return Err(node.error(message));
        }
        let choices = axes.iter().map(|axis| axis.choices.iter()).multi_cartesian_product();
        let assignment = |choice: Vec<&Vec<Value>>| {
            let values = choice.into_iter().flatten().copied();
            names.clone().copied().zip(values).collect()
        };
        Ok(choices.map(assignment).collect())
    }

    /// The variables of one domain. Several names are independent variables, except for a seam.
    fn axes<'n>(self, entry: &Entry<'n>) -> Result<Vec<Axis<'n>>> {
        let names = entry.value.each().iter().map(|node| self.variable_name(node));
        let names: Vec<&str> = names.collect::<Result<_>>()?;
        if entry.name == "seam" {
            if names.len() != 2 {
                let message = "`seam` has two variables, its cells: `seam: [a, b]`";
                return Err(entry.value.error(message));
            }
            return Ok(vec![Axis { names, choices: seams(self.scene) }]);
        }
        let choices: Vec<Vec<Value>> =
            domain(entry, self.scene)?.into_iter().map(|value| vec![value]).collect();
        let axis = |name| Axis { names: vec![name], choices: choices.clone() };
        Ok(names.into_iter().map(axis).collect())
    }

    /// Reads the name of a variable. It may not be the name of something else in the puzzle.
    fn variable_name(self, node: &Node) -> Result<&str> {
        let name = node.name("the name of a variable")?;
        if !arithmetic::is_name(name) {
            let message = format!("`{name}` cannot be a variable: expected letters, such as `r`");
            return Err(node.error(message).with_help(format!("expected {EXAMPLE}")));
        }
        let scene = self.scene;
        let labels = &scene.puzzle.labels;
        let is_image = labels.all().any(|label| labels.edge(label).image == name);
        let is_cell = scene.cells(&WrittenCells::Named(name.to_owned())).is_ok();
        let taken = [
            (is_key(name) || WORDS.contains(&name), "a field, a constraint or a value"),
            (self.named.has(name), "placements or weights of this file"),
            (scene.tile(name).is_ok(), "a tile"),
            (is_image, "an image"),
            (scene.side(name).is_ok(), "a side"),
            (is_cell, "a cell or part of the board"),
        ];
        match taken.iter().find(|(is_taken, _)| *is_taken) {
            Some((_, noun)) => {
                let error = node.error(format!("`{name}` is already the name of {noun}"));
                Err(error.with_help("choose another name for the variable"))
            }
            None => Ok(name),
        }
    }
}

/// Variables that take their values together, such as the two cells of a seam.
#[derive(Clone)]
struct Axis<'n> {
    names: Vec<&'n str>,
    choices: Vec<Vec<Value>>,
}

/// Words with a meaning in the fields of constraints, besides keys.
const WORDS: [&str; 16] = [
    "number", "row", "rows", "column", "columns", "turned", "mirrored", "front", "back", "free",
    "wanted", "true", "false", "in", "and", "or",
];

/// The values of a domain other than seams.
fn domain(entry: &Entry<'_>, scene: Scene<'_>) -> Result<Vec<Value>> {
    let squares = || {
        scene.board.squares().ok_or_else(|| {
            let board = scene.board.description_with_article();
            entry.key.error(format!("there is no {} on {board}", entry.name))
        })
    };
    let numbers = |last: usize| (1..=last as i64).map(Value::Number).collect();
    Ok(match entry.name {
        "row" => numbers(squares()?.rows()),
        "column" => numbers(squares()?.columns()),
        "cell" => scene.all_cells().into_iter().map(Value::Cell).collect(),
        "tile" => scene.all_tiles().into_iter().map(Value::Tile).collect(),
        "image" => scene.all_images().into_iter().map(Value::Image).collect(),
        "rotation" => scene.all_rotations().into_iter().map(|r| Value::Number(r as i64)).collect(),
        "side" => scene.all_rotations().into_iter().map(Value::Side).collect(),
        name => match arithmetic::range(name) {
            Some(range) if range.end() - range.start() < MOST as i64 => {
                range.map(Value::Number).collect()
            }
            Some(_) => {
                let message = format!("`{name}` has more than {MOST} values");
                return Err(entry.key.error(message));
            }
            None => {
                let known =
                    ["row", "column", "cell", "seam", "tile", "image", "rotation", "side", "1..4"];
                let error = entry.key.error(format!("`{name}` has no values to go through"));
                if name.contains("..") {
                    return Err(
                        error.with_help("a range goes from its smaller to its larger number")
                    );
                }
                return Err(error.with_known(name, known.into_iter(), "expected one of"));
            }
        },
    })
}

/// The two cells of each seam between different cells. On squares the first is left or above.
fn seams(scene: Scene<'_>) -> Vec<Vec<Value>> {
    let is_squares = scene.board.squares().is_some();
    let cells = |[one, other]: [CellSide; 2]| {
        let is_swapped = if is_squares { matches!(one.1, 1 | 2) } else { one > other };
        let [first, second] = if is_swapped { [other, one] } else { [one, other] };
        vec![Value::Cell(first.0), Value::Cell(second.0)]
    };
    let between = scene.board.touching().filter(|[one, other]| one.0 != other.0);
    between.map(cells).sorted().collect()
}

impl Variables<'_, '_> {
    /// A copy of a node in which values replace variables.
    fn fill(&self, node: &Node) -> Result<Node> {
        let kind = match &node.kind {
            NodeKind::Scalar(text, Scalar::Text) => return self.fill_text(node, text),
            NodeKind::List(items) => {
                NodeKind::List(items.iter().map(|item| self.fill(item)).collect::<Result<_>>()?)
            }
            NodeKind::Map(entries) => {
                let fill = |(key, value): &(Node, Node)| {
                    let name = key.scalar().map(|(_, name)| name);
                    let filled = match name {
                        Some(FOR) if node.value(FOR).is_some() => self.fill_inner_for(value)?,
                        Some(WHERE) if node.value(FOR).is_some() => self.fill_inner_where(value),
                        _ => self.fill(value)?,
                    };
                    // A variable may replace a side or a tile, as in `shows: {s: red}`.
                    let own = name.and_then(|name| self.value(name));
                    let key = own.map_or_else(|| key.clone(), |own| key.with_text(self.text(own)));
                    Ok((key, filled))
                };
                NodeKind::Map(entries.iter().map(fill).collect::<Result<_>>()?)
            }
            NodeKind::Scalar(..) | NodeKind::Tagged => return Ok(node.clone()),
        };
        Ok(node.with(kind))
    }

    /// A copy of the variables of an inner item, with values in the bounds of ranges.
    fn fill_inner_for(&self, node: &Node) -> Result<Node> {
        let NodeKind::Map(entries) = &node.kind else {
            return Ok(node.clone());
        };
        let fill = |(key, value): &(Node, Node)| {
            let names = value.each().iter().filter_map(|name| Some((name, name.scalar()?.1)));
            if let Some((name, text)) = names.clone().find(|(_, name)| self.value(name).is_some()) {
                return Err(name.error(format!("`{text}` is a variable of an outer `for`")));
            }
            let range = key.scalar().filter(|(_, text)| text.contains("..")).map(|(_, text)| text);
            let filled = range.and_then(|text| self.fill_parts(text));
            let key = filled.map_or_else(|| key.clone(), |text| key.with_text(text));
            Ok((key, value.clone()))
        };
        Ok(node.with(NodeKind::Map(entries.iter().map(fill).collect::<Result<_>>()?)))
    }

    /// A copy of the conditions of an inner item in which values replace the names of variables.
    fn fill_inner_where(&self, node: &Node) -> Node {
        match &node.kind {
            NodeKind::Scalar(text, Scalar::Text) => node.with_text(self.replace_names(text)),
            NodeKind::List(items) => {
                let filled = items.iter().map(|item| self.fill_inner_where(item));
                node.with(NodeKind::List(filled.collect()))
            }
            _ => node.clone(),
        }
    }

    /// Replaces the variables of a text: a variable alone by its value, an expression by a number,
    /// and parts of a text (`row r`, `1..n`, `i+`) accordingly.
    fn fill_text(&self, node: &Node, text: &str) -> Result<Node> {
        if !arithmetic::names(text).any(|name| self.value(name).is_some()) {
            return Ok(node.clone());
        }
        if let Some(value) = self.value(text) {
            return Ok(self.node(node, value));
        }
        if let Some(number) = self.evaluate(text) {
            return Ok(node.with_whole(number));
        }
        self.fill_parts(text).map(|text| node.with_text(text)).ok_or_else(|| {
            node.error(format!("`{text}` cannot be evaluated with {self}")).with_help(
                "expressions use +, -, *, mod and brackets; a cell `c` has `c.row` and `c.column`",
            )
        })
    }

    /// Replaces the variables of a text that is not a whole expression; `None` if a part of it
    /// cannot be evaluated.
    fn fill_parts(&self, text: &str) -> Option<String> {
        let part = |part: &str| match self.value(part) {
            Some(value) => Some(self.text(value)),
            None => self.evaluate(part).map(|number| number.to_string()),
        };
        if let Some((word, rest)) = text.split_once(' ')
            && arithmetic::is_name(word)
            && self.value(word).is_none()
        {
            let rest = part(rest).or_else(|| self.fill_parts(rest))?;
            return Some(format!("{word} {rest}"));
        }
        if let Some((first, last)) = text.split_once("..") {
            return Some(format!("{}..{}", part(first.trim())?, part(last.trim())?));
        }
        let (image, sign) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let value = self.value(image).filter(|value| matches!(value, Value::Image(_)))?;
        ["+", "-"].contains(&sign).then(|| self.text(value) + sign)
    }

    /// The node of a value. A cell of a board with rows is a list of its row and column; a name
    /// that is a number is that number.
    fn node(&self, node: &Node, value: Value) -> Node {
        match value {
            Value::Number(number) => node.with_whole(number),
            Value::Cell(cell) => match self.scene.board.cells()[cell].name {
                CellName::At(row, column) => {
                    let numbers = [row, column].map(|number| node.with_whole(number as i64));
                    node.with(NodeKind::List(numbers.into()))
                }
                CellName::Named(_) => node.with_text(self.text(value)),
            },
            Value::Tile(_) | Value::Image(_) | Value::Side(_) => {
                let text = self.text(value);
                let whole = text.parse().ok().filter(|whole: &i64| whole.to_string() == text);
                whole.map_or_else(|| node.with_text(text), |whole| node.with_whole(whole))
            }
        }
    }
}
