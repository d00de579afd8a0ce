//! Checks printed PDF pages with a third-party reader.

use edgematch_draw::{PAPERS, Sheets, Style, pdf};
use hayro_interpret::font::GlyphRun;
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::page::Page as PdfPage;
use hayro_interpret::kurbo::{BezPath, PathSeg, Rect};
use hayro_interpret::util::TransformExt;
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps,
    InterpreterCache, InterpreterSettings, SoftMask, interpret_page,
};
use itertools::Itertools;

use crate::common::problem;

type Point = (f64, f64);

/// The straight lines that a PDF page strokes, in millimetres from the left and from the top,
/// according to a third-party reader.
#[derive(Default)]
struct Strokes(Vec<[Point; 2]>);

impl Strokes {
    fn new(page: &PdfPage<'_>) -> Strokes {
        const MILLIMETRES: f64 = 25.4 / 72.0;
        let upright = page.initial_transform(true).to_kurbo();
        let cache = InterpreterCache::new();
        let settings = InterpreterSettings::default();
        let (width, height) = page.render_dimensions();
        let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let transform = upright.then_scale(MILLIMETRES);
        let mut context = Context::new(transform, area, &cache, page.xref(), settings);
        let mut strokes = Strokes::default();
        interpret_page(page, &mut context, &mut strokes);
        strokes
    }

    /// Returns true if a line connects these points, in either direction.
    fn has(&self, from: Point, to: Point) -> bool {
        const NEAR: f64 = 0.01;
        let is_near = |a: Point, b: Point| (a.0 - b.0).hypot(a.1 - b.1) < NEAR;
        let mut all = self.0.iter();
        all.any(|&[a, b]| is_near(a, from) && is_near(b, to) || is_near(b, from) && is_near(a, to))
    }
}

impl<'a> Device<'a> for Strokes {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        if matches!(mode, DrawMode::Stroke(_) | DrawMode::FillAndStroke(..)) {
            let placed = props.transform * path.clone();
            let lines = placed.segments().filter_map(|segment| match segment {
                PathSeg::Line(line) => Some([line.p0, line.p1].map(|point| (point.x, point.y))),
                _ => None,
            });
            self.0.extend(lines);
        }
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {}

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {}

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}

#[test]
fn tiles_in_a_pdf_have_the_positions_of_the_layout() {
    for (name, paper, side) in [
        ("scramble-1", 0, 50.0),
        ("random-half-4x4-4-s1", 1, 33.3),
        ("boards/pyramid-3", 0, 40.0),
        ("boards/hexagons-3x3-4", 1, 25.0),
    ] {
        let problem = problem(name);
        let sheets = Sheets { paper: PAPERS[paper], side, seed: 3, style: Style::default() };
        let pages = sheets.pages(&problem).unwrap();
        let printed = Pdf::new(pdf(&pages, name).unwrap()).unwrap();
        assert_eq!(printed.pages().len(), pages.len());
        let (width, height) = printed.pages()[0].render_dimensions();
        for (points, length) in [(width, pages[0].width), (height, pages[0].height)] {
            assert!((f64::from(points) / 72.0 * 25.4 - length).abs() < 0.01);
        }
        let strokes = Strokes::new(&printed.pages()[0]);
        for tile in &pages[0].tiles {
            for (&from, &to) in tile.corners.iter().circular_tuple_windows() {
                assert!(strokes.has(from, to), "no side from {from:?} to {to:?}");
            }
        }
        assert!(!strokes.has((0.0, 0.0), (side, 0.0)));
    }
}
