//! The recipe of a puzzle: board, images, frame and backs.
//!
//! Impossible recipes are rejected with the reason before anything is tried.

use std::collections::BTreeMap;

use crate::runtime::random::Random;

use super::measure::count_tries;
use super::odds::{Odds, different_tiles};
use super::planted::{Blank, Planted};
use super::{ATTEMPTS, AtLeast, Difficulty, GenerateError, PuzzleFamily, PuzzleSource, Target};
use crate::board::{Board, CellSide, Symmetry, with_article};
use crate::engine::counted;
use crate::enumerate::Limits;
use crate::problem::Problem;
use crate::puzzle::{EdgeName, Face, Half, Label, Labels, Puzzle};

/// The properties of a new puzzle.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// The board; each cell gets one tile.
    pub board: Board,
    /// The number of images, without those that only occur in the frame.
    pub images: usize,
    /// True if images have two halves; otherwise each image matches itself.
    pub has_halves: bool,
    /// The number of images that only occur between two tiles on the rim; with 0, the other images
    /// occur there as well. `None` if the rim has no border image.
    pub frame: Option<usize>,
    /// True if tiles may be rotated.
    pub may_turn: bool,
    /// True if tiles have backs with independent edges.
    pub two_sided: bool,
}

/// The largest number of images that is tried.
const MOST_IMAGES: usize = 2_000;

/// The name of the border image.
const BORDER: &str = "border";

impl Recipe {
    /// The smallest number of images, at least that of the recipe, with which fewer than one solution
    /// is expected besides the planted one; `None` if 2,000 do not suffice.
    pub fn enough_images(&self) -> Option<usize> {
        let is_enough = |&images: &usize| Recipe { images, ..self.clone() }.ln_expected() < 0.0;
        (self.images..=MOST_IMAGES).find(is_enough)
    }

    /// The smallest number of images as in [`enough_images`](Self::enough_images), with which a sample
    /// is no harder than the range; `None` if 2,000 do not suffice.
    pub fn images_for(&self, difficulty: Difficulty) -> Option<usize> {
        // The puzzles with so many images vary around the sample.
        const MARGIN: f64 = 0.8;
        let limits = Limits::default();
        let token = limits.token();
        let most = (MARGIN * difficulty.to) as u64;
        let is_easy_enough = |&images: &usize| {
            let recipe = Recipe { images, ..self.clone() };
            let planted = recipe.planting().start(&mut Random::with_seed(1));
            let problem = Problem::new(planted.puzzle, recipe.board.clone());
            let tries = problem.map(|problem| count_tries(&problem, most, &token));
            matches!(tries, Ok(Ok(AtLeast { is_all: true, .. })))
        };
        let least = self.enough_images()?;
        if difficulty.to.is_infinite() {
            return Some(least);
        }
        let growing =
            std::iter::successors(Some(least), |images| Some(images + images.div_ceil(4)));
        growing.take_while(|&images| images <= MOST_IMAGES).find(is_easy_enough)
    }

    /// The recipe with as many images as [`images_for`](Self::images_for) a difficulty or, without
    /// one, [`enough_images`](Self::enough_images).
    ///
    /// # Errors
    /// [`GenerateError::Hopeless`] if no number of images makes the difficulty likely.
    pub fn with_fitting_images(
        self,
        difficulty: Option<Difficulty>,
    ) -> Result<Recipe, GenerateError> {
        let images = match difficulty {
            None => self.enough_images(),
            Some(difficulty) => Some(self.images_for(difficulty).ok_or_else(|| {
                let why = "with any number of images, puzzles on this board are harder";
                GenerateError::Hopeless(why.into())
            })?),
        };
        Ok(Recipe { images: images.unwrap_or(self.images), ..self })
    }

    /// The number of seams, and the number of other edges that can be chosen: those on a rim
    /// without border, and those on backs.
    fn free_edges(&self) -> (usize, usize) {
        let sides = self.board.cells().iter().map(|cell| cell.sides);
        let backs = if self.two_sided { sides.sum() } else { 0 };
        let rim = match self.frame {
            Some(_) => 0,
            None => self.board.rim().len(),
        };
        (self.board.touching().count(), rim + backs)
    }

    /// The number of seams between two tiles on the rim if the frame has images of its own,
    /// otherwise 0.
    fn frame_seams(&self) -> usize {
        let is_on_rim = |&(cell, _): &CellSide| self.board.is_on_rim(cell);
        let is_of_frame = |ends: &[CellSide; 2]| ends.iter().all(is_on_rim);
        match self.frame {
            None | Some(0) => 0,
            Some(_) => self.board.touching().filter(is_of_frame).count(),
        }
    }

    /// Rejects recipes that no puzzle can follow.
    ///
    /// # Errors
    /// [`GenerateError::Impossible`] with the reason.
    pub(super) fn refuse_impossible(&self) -> Result<(), GenerateError> {
        let board = self.board.description_with_article();
        if self.frame.is_some() && self.board.rim().is_empty() {
            return Err(GenerateError::Impossible(format!("{board} has no rim for a frame")));
        }
        if self.images == 0 {
            return Err(GenerateError::Impossible("at least one image is required".into()));
        }
        let (seams, others) = self.free_edges();
        let of_frame = self.frame_seams();
        let room = seams - of_frame + others;
        if self.images > room {
            let why = format!(
                "{} are too many for {board}: it has room for {room}",
                counted(self.images, "image", "images")
            );
            return Err(GenerateError::Impossible(why));
        }
        match self.frame {
            Some(images) if images > of_frame => Err(GenerateError::Impossible(format!(
                "{} of the frame are too many for {board}: it has room for {of_frame}",
                counted(images, "image", "images")
            ))),
            _ => Ok(()),
        }
    }

    /// Checks that there are enough different tiles if the target requires all to differ.
    ///
    /// # Errors
    /// [`GenerateError::Impossible`] if there are too few.
    pub(super) fn refuse_too_few_tiles(&self, target: &Target) -> Result<(), GenerateError> {
        let board = &self.board;
        // On other boards, a symmetry of a few cells or of one component can exchange twins without
        // giving another class.
        let is_rigid = board.size() > 2 && board.pieces().len() == 1;
        let is_unique = target.is_unique() && is_rigid;
        if self.two_sided || !(is_unique || target.no_twins) {
            return Ok(());
        }
        let labels = self.palette_sizes();
        let tiles = different_tiles(board, self.frame.is_some(), self.may_turn, labels);
        let short = tiles
            .into_iter()
            .find(|sort| sort.cells as f64 > if is_unique { sort.turning } else { sort.any });
        match short {
            None => Ok(()),
            Some(sort) => {
                let (number, which) = if is_unique {
                    (sort.turning, "different tiles without rotational symmetry")
                } else {
                    (sort.any, "different tiles")
                };
                Err(GenerateError::Impossible(format!(
                    "{} has only {number} {which}, for {} cells",
                    self.describe(),
                    sort.cells
                )))
            }
        }
    }

    /// The numbers of labels inside and along the frame.
    fn palette_sizes(&self) -> [usize; 2] {
        let halves = if self.has_halves { 2 } else { 1 };
        match self.frame {
            None | Some(0) => [halves * self.images; 2],
            Some(frame) => [halves * self.images, halves * frame],
        }
    }

    /// A short description, such as `a framed 3 × 3 grid of 4 images`.
    fn describe(&self) -> String {
        let framed = if self.frame.is_some() { "framed " } else { "" };
        let board = format!("{framed}{}", self.board.description());
        let images = counted(self.images, "image", "images");
        format!("{} of {images}", with_article(&board))
    }
}

impl PuzzleFamily for Recipe {
    fn board(&self) -> &Board {
        &self.board
    }

    fn planting(&self) -> Box<dyn PuzzleSource + '_> {
        Box::new(LabelledRecipe::new(self))
    }

    fn ln_expected(&self) -> f64 {
        let board = &self.board;
        let turns = |symmetry: &&Symmetry| {
            let mut motions = symmetry.motion.iter();
            motions.all(|motion| {
                motion.face() == Face::Front && (self.may_turn || motion.rotation() == 0)
            })
        };
        let odds = Odds {
            board,
            tiles: BTreeMap::new(),
            has_frame: self.frame.is_some(),
            may_turn: self.may_turn,
            faces: if self.two_sided { 2 } else { 1 },
            group: board.symmetries().iter().filter(turns).count(),
            matching: self.palette_sizes().map(|labels| 1.0 / labels as f64),
        };
        odds.ln_classes()
    }

    fn explain_excess(&self, expected: &str) -> String {
        let advice = self.enough_images().map_or_else(String::new, |images| {
            format!("; with {images} images it has less than one")
        });
        format!(
            "{} has about {expected} solutions besides the planted one{advice}",
            self.describe()
        )
    }
}

/// A recipe with the labels of its images.
struct LabelledRecipe<'a> {
    recipe: &'a Recipe,
    labels: Labels,
    border: Option<Label>,
    inside: Vec<Label>,
    frame: Vec<Label>,
}

impl<'a> LabelledRecipe<'a> {
    /// Creates the labels: those of the border, of the images, and of the images of the frame. A
    /// frame without images of its own uses the others.
    fn new(recipe: &'a Recipe) -> LabelledRecipe<'a> {
        let mut labels = Labels::default();
        let mut add = |name: &str, half: Half| {
            let edge = EdgeName { image: name.to_owned(), half };
            let first = labels.add(&edge).expect("each image is added once");
            let mate = labels.mate(first);
            std::iter::once(first).chain((mate != first).then_some(mate))
        };
        let border = recipe.frame.and_then(|_| add(BORDER, Half::Whole).next());
        let half = if recipe.has_halves { Half::Plus } else { Half::Whole };
        let mut palette = |name: &str, images: usize| -> Vec<Label> {
            (1..=images).flat_map(|number| add(&format!("{name}{number}"), half)).collect()
        };
        let inside = palette("img", recipe.images);
        let frame = palette("rim", recipe.frame.unwrap_or_default());
        LabelledRecipe {
            recipe,
            labels,
            border,
            frame: if frame.is_empty() { inside.clone() } else { frame },
            inside,
        }
    }

    /// The labels allowed on an edge, which depend on whether it is along the frame.
    fn palette(&self, is_of_frame: bool) -> &[Label] {
        if is_of_frame { &self.frame } else { &self.inside }
    }

    /// Adds images that do not occur, as may happen by chance if there are many, in places of
    /// images that occur more than once, separately along the frame and elsewhere. An image stays
    /// missing if there is no such place.
    fn show_every_image(&self, planted: &mut Planted, random: &mut Random) {
        let mut shown = images_shown(planted);
        let mut order: Vec<usize> = (0..number_of_places(planted)).collect();
        random.shuffle(&mut order);
        for of_frame in [false, true] {
            for &label in self.palette(of_frame) {
                let missing = image_index(planted, label);
                if shown[missing] > 0 {
                    continue;
                }
                let gives = |&&index: &&usize| {
                    is_of_frame(planted, index) == of_frame
                        && shown[image_index(planted, label_at(planted, index))] > 1
                };
                // If the frame shares the inner images, they were added in the first round.
                if let Some(&index) = order.iter().find(gives) {
                    shown[image_index(planted, label_at(planted, index))] -= 1;
                    shown[missing] += 1;
                    set_label_at(planted, index, label);
                }
            }
        }
    }
}

impl PuzzleSource for LabelledRecipe<'_> {
    fn start(&self, random: &mut Random) -> Planted {
        let puzzle = Puzzle {
            border: self.border,
            may_turn: self.recipe.may_turn,
            ..Puzzle::new(String::new(), self.labels.clone(), Vec::new())
        };
        let has_back = self.recipe.two_sided;
        let board = &self.recipe.board;
        let cells = board.cells().iter();
        let blanks: Vec<Blank> = cells.map(|cell| Blank { sides: cell.sides, has_back }).collect();
        let mut planted =
            Planted::place_blanks(puzzle, &blanks, None, board, self.inside[0], random);
        for index in 0..number_of_places(&planted) {
            let palette = self.palette(is_of_frame(&planted, index));
            set_label_at(&mut planted, index, palette[random.usize(..palette.len())]);
        }
        self.show_every_image(&mut planted, random);
        planted
    }

    fn change(&self, planted: &mut Planted, random: &mut Random) -> bool {
        let shown = images_shown(planted);
        for _ in 0..ATTEMPTS {
            let index = random.usize(..number_of_places(planted));
            let palette = self.palette(is_of_frame(planted, index));
            let before = label_at(planted, index);
            let after = palette[random.usize(..palette.len())];
            let [old, new] = [before, after].map(|label| image_index(planted, label));
            if before != after && (old == new || shown[old] > 1) {
                set_label_at(planted, index, after);
                return true;
            }
        }
        false
    }
}

/// The number of places where a label can be chosen: a place is a pair, or after all pairs a loose
/// edge.
fn number_of_places(planted: &Planted) -> usize {
    planted.pairs.len() + planted.loose.len()
}

/// Returns true if the place is a pair along the frame; false for loose edges.
fn is_of_frame(planted: &Planted, index: usize) -> bool {
    planted.pairs.get(index).is_some_and(|pair| pair.is_of_frame)
}

/// The label in a place; in a pair, that of its first edge.
fn label_at(planted: &Planted, index: usize) -> Label {
    match planted.pairs.get(index) {
        Some(pair) => planted.label(pair.ends[0]),
        None => planted.label(planted.loose[index - planted.pairs.len()]),
    }
}

/// Changes the label in a place; the second edge of a pair gets the mate.
fn set_label_at(planted: &mut Planted, index: usize, label: Label) {
    match planted.pairs.get(index) {
        Some(&pair) => planted.set_pair(pair, label),
        None => planted.set(planted.loose[index - planted.pairs.len()], label),
    }
}

/// The index of a label's image: the index of the image's first label.
fn image_index(planted: &Planted, label: Label) -> usize {
    label.min(planted.puzzle.labels.mate(label)).index()
}

/// The number of places that show each image.
fn images_shown(planted: &Planted) -> Vec<usize> {
    let mut shown = vec![0; planted.puzzle.labels.len()];
    for index in 0..number_of_places(planted) {
        shown[image_index(planted, label_at(planted, index))] += 1;
    }
    shown
}
