//! A text with other edges, and all else as it was where that goes.

use std::path::Path;

use super::error::LoadError;
use super::form::ReadOptions;
use super::forms;
use super::text::Source;
use super::yaml;
use crate::problem::Problem;
use crate::puzzle::Change;

/// The text of a puzzle with other labels on some edges. Our own form keeps its comments and its
/// lines where each edge stands in the file once; else the puzzle is written anew.
///
/// # Errors
/// Where the text is no puzzle, or its form can only be read.
pub fn retyped(
    bytes: &[u8],
    file: &str,
    options: &ReadOptions,
    changes: &[Change],
) -> Result<String, LoadError> {
    let name = super::name_of(Path::new(file));
    let source = Source::decode(bytes, file)?;
    let problem = forms::read(&source, options, &name)?;
    let wanted = problem.retyped(changes);
    let in_place = yaml::retyped(&source, options, &problem, changes);
    let is_right = |text: &String| {
        let source = Source { file, text };
        let read = forms::read(&source, options, &name);
        read.is_ok_and(|read| edges_of(&read) == edges_of(&wanted))
    };
    if let Some(text) = in_place.filter(is_right) {
        return Ok(text);
    }
    let form = forms::form_of(&source, options);
    let written = form.write(&wanted, None);
    let written = written.map_err(|e| {
        let help = "convert the puzzle to YAML first: edgematch convert";
        source.error(e.to_string()).with_help(help)
    })?;
    Ok(written.text)
}

/// What all tiles show, by name.
fn edges_of(problem: &Problem) -> Vec<String> {
    let labels = &problem.puzzle.labels;
    let tiles = problem.puzzle.tiles.iter();
    let edges = tiles.flat_map(|tile| tile.edges.iter().chain(tile.back.iter().flatten()));
    edges.map(|&label| labels.name(label)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Change, Face};

    /// The text where one edge of the second tile shows what another one does.
    fn second_tile(text: &str, side: usize) -> String {
        let options = ReadOptions::AS_WRITTEN;
        let problem = forms::read(&Source { file: "f", text }, &options, "p").unwrap();
        let label = problem.puzzle.tiles[0].edges[0];
        let change = Change {
            tile: 1,
            face: Face::Front,
            side,
            label,
        };
        retyped(text.as_bytes(), "f", &options, &[change]).unwrap()
    }

    #[test]
    fn our_own_form_keeps_all_else() {
        let text = "# mine\nrows: 1\ncols: 2\norder: clockwise-from-top\ntiles:\n  1: [b, 'a c', x, y]\n  2: \
                    [b, \"u\", x, y] # two\n";
        assert_eq!(second_tile(text, 0), text.replace("\"u\"", "a c"));
        assert_eq!(second_tile(text, 1), text.replace("2: [b", "2: [a c"));
        let block = "rows: 1\ncols: 2\ntiles:\n  1: [a, b, x, y]\n  2:\n    - b\n    - u\n    - x\n    - y\n";
        assert_eq!(second_tile(block, 1), block.replace("- u", "- a"));
        let blog = "1: [[a, +], [b, -], [a, -], [b, +]]\n2: [[b, '-'], [b, +], [a, -], [b, +]]\n3: [[a, +], [b, -], [a, -], \
                    [b, +]]\n4: [[a, +], [b, -], [a, -], [b, +]]\n";
        let expected = blog.replace("2: [[b, '-']", "2: [[a, \"+\"]");
        assert_eq!(second_tile(blog, 0), expected);
    }

    #[test]
    fn other_forms_are_written_anew() {
        assert_eq!(
            second_tile("AbDC AbDC AbDC AbDC", 0),
            "AbDC\nAbDC\nAbDC\nAbDC\n"
        );
        assert_eq!(
            second_tile("AbDC AbDC AbDC AbDC", 1),
            "AbDC\nbbDC\nAbDC\nAbDC\n"
        );
    }

    /// An alias says an edge in two places: the file is written anew.
    #[test]
    fn what_stands_elsewhere_is_not_overwritten() {
        let text = "rows: 1\ncols: 2\ntiles:\n  1: &one [a, b, x, y]\n  2: *one\n";
        let retyped = second_tile(text, 1);
        assert!(
            retyped.contains("  1: [a, b, x, y]\n  2: [a, a, x, y]\n"),
            "{retyped}"
        );
    }
}
