//! `edgematch sheet`: rendered pages are measured pixel by pixel.

use std::fs;
use std::path::Path;

use edgematch::load;
use edgematch::problem::Problem;
use edgematch::puzzle::Label;
use edgematch_draw::{PAPERS, SheetPage, Sheets, Style};
use itertools::Itertools;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::session::{at_root, puzzle, run, run_with_input};

/// The resolution of rendered pages in pixels per millimetre.
const PIXELS: f64 = 20.0;

fn problem(name: &str) -> Problem {
    load::read(&at_root(&puzzle(name))).unwrap()
}

fn sheets(paper: usize, side: f64) -> Sheets<'static> {
    Sheets { paper: PAPERS[paper], side, seed: 3, style: Style::default() }
}

/// A rendered page.
struct Seen(Pixmap);

impl Seen {
    fn width(&self) -> usize {
        self.0.width() as usize
    }

    /// The darkness at a point in millimetres, from 0 to 1.
    fn at(&self, (x, y): (f64, f64)) -> f64 {
        let [x, y] = [x, y].map(|at| (at * PIXELS) as u32);
        let pixel = self.0.pixel(x, y).expect("a point on the page");
        let light: f64 = [pixel.red(), pixel.green(), pixel.blue()].map(f64::from).iter().sum();
        // Transparent pixels are white paper.
        (f64::from(pixel.alpha()) * 3.0 - light) / 765.0
    }

    /// The offset of the middle of the dark line near a point, in millimetres along a direction;
    /// `None` if there is no line within 0.75 mm.
    fn line(&self, (x, y): (f64, f64), (dx, dy): (f64, f64)) -> Option<f64> {
        let reach = 0.75;
        let steps = (0..=150).map(|step| -reach + 2.0 * reach * f64::from(step) / 150.0);
        let dark =
            steps.filter(|along| self.at((x + along * dx, y + along * dy)) > 0.4).collect_vec();
        Some((dark.first()? + dark.last()?) / 2.0)
    }
}

/// Renders an SVG page.
fn drawn(page: &SheetPage) -> Seen {
    let tree = Tree::from_str(&page.svg, &Options::default()).unwrap();
    let size = [page.width, page.height].map(|length| (length * PIXELS) as u32);
    let mut pixmap = Pixmap::new(size[0], size[1]).unwrap();
    let scale = (PIXELS * 25.4 / 96.0) as f32;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Seen(pixmap)
}

/// Asserts that every side of every tile is a line at the place that the layout gives, with the
/// requested length.
fn measure(page: &SheetPage, side: f64, seen: &Seen) {
    assert!(!page.tiles.is_empty());
    for tile in &page.tiles {
        for (&from, &to) in tile.corners.iter().circular_tuple_windows() {
            let dx = (to.0 - from.0) / side;
            let dy = (to.1 - from.1) / side;
            assert!((dx.hypot(dy) - 1.0).abs() < 1e-6, "the side is {side} mm long");
            // Near the ends, where the figure does not cover the side.
            for along in [0.06 * side, 0.94 * side] {
                let point = (from.0 + along * dx, from.1 + along * dy);
                let off = seen.line(point, (-dy, dx)).expect("a line is near");
                assert!(off.abs() < 0.12, "{off} mm off");
            }
        }
    }
}

#[test]
fn tiles_on_a_printed_page_are_where_and_as_large_as_the_layout_says() {
    for (name, paper, side) in [
        ("scramble-1", 0, 50.0),
        ("random-half-4x4-4-s1", 1, 33.3),
        ("boards/pyramid-3", 0, 40.0),
        ("boards/hexagons-3x3-4", 1, 25.0),
    ] {
        let problem = problem(name);
        let pages = sheets(paper, side).pages(&problem).unwrap();
        measure(&pages[0], side, &drawn(&pages[0]));
    }
}

/// The cut marks above a row of tiles are 50 mm apart, measured in pixels.
#[test]
fn a_ruler_on_the_page_reads_fifty_millimetres() {
    let pages = sheets(0, 50.0).pages(&problem("scramble-1")).unwrap();
    let seen = drawn(&pages[0]);
    assert!(seen.width().abs_diff((210.0 * PIXELS) as usize) <= 1);
    let top = pages[0].tiles[0].corners.iter().map(|c| c.1).fold(f64::MAX, f64::min);
    let row = (0..seen.width()).map(|x| seen.at((x as f64 / PIXELS, top - 2.0)) > 0.4);
    let runs = row.enumerate().chunk_by(|(_, is_dark)| *is_dark);
    let lines = runs.into_iter().filter(|(is_dark, _)| *is_dark).map(|(_, run)| {
        let run = run.map(|(x, _)| x as f64).collect_vec();
        (run[0] + run[run.len() - 1]) / 2.0 / PIXELS
    });
    let lines = lines.collect_vec();
    assert_eq!(lines.len(), 6, "a mark for each of six sides: {lines:?}");
    for (left, right) in lines.iter().tuples() {
        assert!((right - left - 50.0).abs() < 0.11, "{lines:?}");
    }
    // The printed ruler at the bottom.
    let y = 297.0 - 12.0;
    let dark = (0..seen.width()).filter(|&x| seen.at((x as f64 / PIXELS, y)) > 0.4);
    let dark = dark.map(|x| x as f64 / PIXELS).filter(|x| *x < 63.0).collect_vec();
    let first = dark[0];
    let last = dark[dark.len() - 1];
    assert!((last - first - 50.0).abs() < 0.3, "{first} to {last}");
}

/// The label of each side with the position of its middle, in hundredths of a millimetre.
fn sides(problem: &Problem, page: &SheetPage) -> Vec<((i64, i64), Label)> {
    let hundredths = |length: f64| (length * 100.0).round() as i64;
    let tiles = page.tiles.iter().flat_map(|tile| {
        let corners = tile.corners.iter().circular_tuple_windows().enumerate();
        corners.map(|(side, (from, to))| {
            let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
            let definition = &problem.puzzle.tiles[tile.placed.tile];
            let label = definition.shows(side, tile.placed.orientation);
            ((hundredths(middle.0), hundredths(middle.1)), label)
        })
    });
    tiles.sorted().collect()
}

/// If backs are printed as the mirror images of their fronts, the back page is the mirror image of
/// the front page.
#[test]
fn backs_lie_behind_their_fronts() {
    let triangles = "board: tetrahedron\nflip: mirror\ntiles: {1: [a+, b+, c+], 2: [a-, b+, c-], \
                     3: [a+, c+, b-], 4: [c-, a-, b-]}";
    for problem in [problem("boards/transparent-3x3-6"), load::from_str(triangles).unwrap()] {
        let sheets = sheets(0, 30.0);
        let pages = sheets.pages(&problem).unwrap();
        let width = (pages[0].width * 100.0).round() as i64;
        let behind = |((x, y), label)| ((width - x, y), label);
        let mirrored = sides(&problem, &pages[0]).into_iter().map(behind);
        assert_eq!(mirrored.sorted().collect_vec(), sides(&problem, &pages[1]));
    }
    // If backs have a print of their own, each is behind its front.
    let problem = problem("boards/two-sided-3x3-6");
    let pages = sheets(0, 30.0).pages(&problem).unwrap();
    for (front, back) in pages[0].tiles.iter().zip(&pages[1].tiles) {
        assert_eq!(front.placed.tile, back.placed.tile);
        assert_ne!(front.placed.orientation.face(), back.placed.orientation.face());
    }
}

#[test]
fn every_tile_is_printed_once_shuffled_and_turned() {
    let problem = problem("random-half-6x6-20-s1");
    let order = |seed: u64| {
        let sheets = Sheets { seed, ..sheets(0, 60.0) };
        let pages = sheets.pages(&problem).unwrap();
        assert!(pages.len() > 3);
        let placed = pages.iter().flat_map(|page| page.tiles.iter().map(|tile| tile.placed));
        placed.collect_vec()
    };
    let one = order(1);
    assert_eq!(one, order(1));
    assert_ne!(one, order(2));
    let tiles = one.iter().map(|placed| placed.tile).collect_vec();
    assert_ne!(tiles, (0..36).collect_vec());
    assert_eq!(tiles.into_iter().sorted().collect_vec(), (0..36).collect_vec());
    assert_eq!(one.iter().map(|placed| placed.orientation.rotation()).unique().count(), 4);
    // TetraVex tiles are not turned.
    let fixed = load::read(&at_root(&puzzle("random-vex-5x5-10-s1"))).unwrap();
    let pages = sheets(0, 30.0).pages(&fixed).unwrap();
    assert!(pages[0].tiles.iter().all(|tile| tile.placed.orientation.rotation() == 0));
}

/// The number of pages of a PDF. Its content is tested with another program in `tests/outside`.
fn pages(file: &Path) -> usize {
    let bytes = fs::read(file).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    text.matches("/Type /Page\n").count()
}

#[test]
fn the_solution_is_on_the_last_page_and_a_net_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = |args: &[&str], name: &str| {
        let file = folder.path().join(name);
        let args = [&["sheet"], args, &["-o", file.to_str().unwrap()]].concat();
        (run(&args), file)
    };
    let (session, file) = sheet(&["puzzles/scramble-1.yaml"], "one.pdf");
    assert_eq!((session.code, pages(&file)), (0, 2), "{}", session.stderr);
    assert!(session.stderr.starts_with("2 pages: "), "{}", session.stderr);
    let (session, file) = sheet(&["puzzles/scramble-1.yaml", "--no-solution", "-q"], "none.pdf");
    assert_eq!((session.code, session.stderr.as_str(), pages(&file)), (0, "", 1));
    let (session, file) = sheet(&["puzzles/boards/cube-4.yaml", "--paper", "letter"], "cube.pdf");
    assert_eq!((session.code, pages(&file)), (0, 3));
    let (session, file) = sheet(&["puzzles/sharks-misread.yaml"], "misread.pdf");
    assert_eq!((session.code, pages(&file)), (1, 1));
    session.says("there is no solution, proven");
    let hard = ["benches/boards/owen-1-8.yaml", "--time-limit", "500ms", "--size-mm", "15mm"];
    let (session, file) = sheet(&hard, "hard.pdf");
    assert_eq!((session.code, pages(&file)), (3, 1), "{}", session.stderr);
    // Each SVG page is a separate file.
    let (session, file) = sheet(&["puzzles/boards/cube-4.yaml"], "cube.svg");
    assert_eq!(session.code, 0);
    assert!(!file.exists());
    let page =
        |number: u32| fs::read_to_string(folder.path().join(format!("cube-{number}.svg"))).unwrap();
    assert!(page(1).contains("width=\"210mm\" height=\"297mm\""));
    assert!(page(2).contains("equal numbers meet") && page(2).contains(">front</text>"));
    assert!(page(3).contains("cube-4: the solution"));
    assert!(!folder.path().join("cube-4.svg").exists());
    // The tiles' own pictures.
    let (session, _) = sheet(&["puzzles/scramble-1/input/tile_dict.yaml"], "fish.svg");
    assert_eq!(session.code, 0);
    let fish = fs::read_to_string(folder.path().join("fish-1.svg")).unwrap();
    assert_eq!(fish.matches("data:image/png").count(), 9);
}

#[test]
fn bad_requests_are_told_what_would_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pdf");
    let file = path.to_str().unwrap();
    for (args, words) in [
        (&["-o", file, "--size-mm", "200"][..], "the largest that fit have 186 mm"),
        (&["-o", file, "--size-mm", "0"], "expected millimetres from 5 to 1000"),
        (&["-o", file, "--size-mm", "nan"], "expected millimetres"),
        (&["-o", file, "--paper", "a0"], "a4, letter"),
        (&["-o", "sheet.docx"], "expected a name that ends in .pdf or .svg"),
        (&["-o", "/nowhere/at/all.pdf"], "there is no such folder"),
    ] {
        run(&[&["sheet", "puzzles/scramble-1.yaml"], args].concat()).expect(2).says(words);
    }
    run_with_input(&["sheet", "-", "-o", file], "tiles: {1: [a, b]").expect(2);
    assert!(!Path::new(file).exists());
    let picture = "pictures: '{tile}.png'\ntiles: {1: [a, b, c, d]}";
    run_with_input(&["sheet", "-", "-o", file], picture).expect(2).says("is missing");
    // Names that must be escaped in a page.
    let hostile = "name: \"<script>&\\\"\\u202e\"\ntiles: {\"</svg>\": [a, a, a, a]}";
    let session = run_with_input(&["sheet", "-", "-o", file], hostile);
    assert_eq!((session.code, pages(Path::new(file))), (0, 2), "{}", session.stderr);
}
