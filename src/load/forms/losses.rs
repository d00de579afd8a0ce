//! Information that a form cannot represent. Missing details, including rules such as constraints,
//! are reported as losses; boards and edges that a form would misrepresent are rejected.

use itertools::Itertools;

use crate::load::Remedy;
use crate::load::form::{Detail, Loss};
use crate::problem::Problem;
use crate::puzzle::{Half, Label, Tile};

/// The details of a problem that a form with the details `keeps` does not represent.
pub(super) fn lost(problem: &Problem, keeps: &[Option<Detail>]) -> Vec<Loss> {
    let puzzle = &problem.puzzle;
    let (rows, columns) = problem.board.rectangle().unwrap_or_default();
    let has_size = rows > 0 && (rows != columns || puzzle.pieces() != Some(rows * columns));
    let constraints = match problem.constraints.len() {
        1 => "its constraint".to_owned(),
        number => format!("its {number} constraints"),
    };
    let size = format!("the size, {rows} × {columns}");
    let all = [
        (Detail::Title, puzzle.title.is_some(), "its title"),
        (Detail::Source, puzzle.source.is_some(), "its source"),
        (Detail::Pictures, puzzle.pictures.is_some(), "the pictures of the tiles"),
        (
            Detail::TileNames,
            puzzle.has_tile_names(),
            "the names of the tiles, which are numbered from 1",
        ),
        (Detail::ImageNames, true, "the names of the images"),
        (Detail::OtherNames, !puzzle.images.is_empty(), "the alternative names of images"),
        (Detail::Size, has_size, &size),
        (Detail::Allowed, !puzzle.allowed.is_empty(), "what it allows"),
        (Detail::FixedRotations, !puzzle.may_turn, "that tiles may not be turned"),
        (Detail::Constraints, !problem.constraints.is_empty(), &constraints),
        (Detail::Objective, !problem.objectives.list.is_empty(), "its objective"),
        (Detail::Matches, puzzle.labels.matches().next().is_some(), "which images match others"),
        (Detail::Copies, puzzle.has_copies(), "the numbers of copies of tiles"),
    ];
    let rules = [Detail::FixedRotations, Detail::Constraints, Detail::Matches, Detail::Copies];
    let is_lost =
        |(detail, has_it, _): &(Detail, bool, &str)| *has_it && !keeps.contains(&Some(*detail));
    let lost = all.into_iter().filter(is_lost).map(|(detail, _, what)| Loss {
        description: what.to_owned(),
        is_rule: rules.contains(&detail),
        remedy: (detail == Detail::Size).then_some(Remedy::Size),
    });
    lost.collect()
}

/// Rejects problems other than rectangles of squares with one-sided tiles and known edges, for the
/// forms of other programs.
pub(super) fn refuse_all_but_squares(problem: &Problem) -> Result<(), String> {
    let puzzle = &problem.puzzle;
    if problem.board.rectangle().is_none() {
        let board = problem.board.description_with_article();
        return Err(format!("it holds rectangles of squares, not {board}"));
    }
    if !puzzle.labels.all().all(|label| puzzle.labels.is_known(label)) {
        return Err("it cannot say that an edge is unknown".into());
    }
    // A rectangle has cells of four sides only.
    if let Some(Tile { name, .. }) = puzzle.tiles.iter().find(|tile| tile.back.is_some()) {
        return Err(format!("tile `{name}` has a back, which this form cannot hold"));
    }
    Ok(())
}

/// Rejects images that match themselves, for forms in which every image has halves. The border
/// becomes one half of an image; what that loses is returned, or `None` without a border.
pub(super) fn refuse_whole_images(problem: &Problem) -> Result<Option<String>, String> {
    refuse_all_but_squares(problem)?;
    let puzzle = &problem.puzzle;
    let edges = puzzle.tiles.iter().flat_map(|tile| &tile.edges);
    let is_whole = |label: &&Label| puzzle.labels.edge(**label).half == Half::Whole;
    let whole = edges.into_iter().find(|label| is_whole(label) && puzzle.border != Some(**label));
    if let Some(&label) = whole {
        let name = puzzle.labels.name(label);
        return Err(format!("image `{name}` matches itself, and here every image has two halves"));
    }
    border_as_half(problem)
}

/// Checks that the border can be written as a half without a mate, and rejects it otherwise. This
/// is equivalent only if all tiles are used and exactly as many edges show the border as the rim
/// has sides. Returns a loss if there is a border.
pub(super) fn border_as_half(problem: &Problem) -> Result<Option<String>, String> {
    refuse_all_but_squares(problem)?;
    let puzzle = &problem.puzzle;
    let edges = puzzle.tiles.iter().flat_map(|tile| &tile.edges);
    let Some(border) = puzzle.border else {
        return Ok(None);
    };
    let shown = edges.filter(|&&label| label == border).count();
    let rim = problem.board.rim().len();
    let name = puzzle.labels.name(border);
    if shown == rim && problem.uses_every_tile() {
        Ok(Some(format!("that `{name}` is the border: it is half an image that nothing fits")))
    } else {
        Err(format!(
            "{shown} edges show the border `{name}`, the rim has {rim} sides: no half of an image \
             says so"
        ))
    }
}

/// Rejects halves, for forms in which every image matches itself.
pub(super) fn refuse_halves(problem: &Problem) -> Result<Option<String>, String> {
    refuse_all_but_squares(problem)?;
    let puzzle = &problem.puzzle;
    let mut labels = puzzle.labels.all();
    if let Some(label) = labels.find(|&label| puzzle.labels.mate(label) != label) {
        let [one, other] = [label, puzzle.labels.mate(label)].map(|l| puzzle.labels.name(l));
        return Err(format!(
            "`{one}` matches `{other}`, and here every image matches itself alone"
        ));
    }
    let is_shown = |border: &Label| puzzle.tiles.iter().any(|tile| tile.edges.contains(border));
    if let Some(border) = puzzle.border.filter(|border| !is_shown(border)) {
        return Err(format!(
            "no edge shows the border `{}`, and this form names the border by its edges alone",
            puzzle.labels.name(border)
        ));
    }
    Ok(None)
}

/// The names of all images except the border, in the order of their first edges.
pub(super) fn images(problem: &Problem) -> Vec<String> {
    let puzzle = &problem.puzzle;
    let edges = puzzle.tiles.iter().flat_map(|tile| tile.faces().flat_map(|face| tile.face(face)));
    let inside = edges.filter(|&&label| puzzle.border != Some(label));
    inside.map(|&label| puzzle.labels.edge(label).image.clone()).unique().collect()
}
