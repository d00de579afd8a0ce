//! Warnings about constraints.

use itertools::Itertools;

use super::{Warning, similar};
use crate::problem::Problem;
use crate::puzzle::{DocValue, EdgeName, Oddity};

/// A warning for each image that a constraint names and no tile shows.
pub(super) fn warnings(problem: &Problem) -> Vec<Warning> {
    let labels = &problem.puzzle.labels;
    let images: Vec<&str> =
        labels.all().map(|label| labels.edge(label).image.as_str()).unique().collect();
    let named = problem.constraints.iter().enumerate().flat_map(|(index, constraint)| {
        let named = constraint.source.iter().flat_map(images_of);
        named.map(move |image| (index + 1, image))
    });
    let unknown = named.filter(|(_, image)| !images.contains(&image.as_str()));
    let warning = |(number, image): (usize, String)| Warning {
        oddity: Oddity::UnknownImage,
        message: format!("constraint {number}: no tile shows `{image}`"),
        help: match similar(&image, images.iter().copied()) {
            Some(image) => format!("did you mean `{image}`?"),
            None => format!("the images are {}", images.join(", ")),
        },
        tile: None,
        edge: None,
    };
    unknown.unique_by(|(_, image)| image.clone()).map(warning).collect()
}

/// The images in the fields of a constraint and of those in it.
fn images_of(source: &DocValue) -> Vec<String> {
    match source {
        DocValue::Map(entries) => {
            let of_entry = |(key, value): &(String, DocValue)| match (key.as_str(), value) {
                ("image", value) => texts(value),
                ("shows", DocValue::Map(sides)) => {
                    sides.iter().flat_map(|(_, value)| texts(value)).collect()
                }
                (_, value) => images_of(value),
            };
            entries.iter().flat_map(of_entry).collect()
        }
        DocValue::List(items) => items.iter().flat_map(images_of).collect(),
        _ => Vec::new(),
    }
}

/// The images of an edge or of a list of edges.
fn texts(value: &DocValue) -> Vec<String> {
    match value {
        DocValue::Text(text) | DocValue::Plain(text) => {
            EdgeName::parse(text).into_iter().map(|edge| edge.image).collect()
        }
        DocValue::List(items) => items.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}
