//! Converts a page to PDF operators.
//!
//! It supports paths, strokes, their opacity, clip paths and pictures. Gradients, masks, filters,
//! blend modes and translucent groups, which our drawings do not use, are errors.

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Name};
use resvg::tiny_skia::{Path as Outline, PathSegment, Point, Transform};
use resvg::usvg::{
    BlendMode, ClipPath, FillRule, Group, Image, ImageKind, LineCap, LineJoin, Node, Paint,
    PaintOrder, Path, Stroke, Tree,
};

use super::{PdfError, SharedResources};

type Result<T> = std::result::Result<T, PdfError>;

/// The operators of a page under construction.
pub(super) struct Painter<'a> {
    content: Content,
    shared: &'a mut SharedResources,
}

impl Painter<'_> {
    /// The operators that draw a page of this size, in points; the drawing is stretched to it.
    /// Pictures and opacities are added to `shared`.
    ///
    /// # Errors
    /// If the drawing has something that this module does not convert, such as a gradient or a
    /// mask. All methods below fail for the same reason.
    pub fn draw(
        drawing: &Tree,
        [width, height]: [f32; 2],
        shared: &mut SharedResources,
    ) -> Result<Vec<u8>> {
        let across = width / drawing.size().width();
        let down = height / drawing.size().height();
        let mut painter = Painter { content: Content::new(), shared };
        // In PDF, y points up.
        painter.content.transform([across, 0.0, 0.0, -down, 0.0, height]);
        painter.group(drawing.root())?;
        Ok(painter.content.finish().into_vec())
    }

    /// Draws the visible children of a group, without its transform and clip path.
    fn nodes(&mut self, group: &Group) -> Result<()> {
        for node in group.children() {
            match node {
                Node::Group(inner) => self.group(inner)?,
                Node::Path(path) if path.is_visible() => self.shape(path)?,
                Node::Image(image) if image.is_visible() => self.picture(image)?,
                Node::Path(_) | Node::Image(_) => {}
                Node::Text(text) => self.group(text.flattened())?,
            }
        }
        Ok(())
    }

    /// Draws a group. Masks, filters, blend modes and opacity are errors.
    fn group(&mut self, group: &Group) -> Result<()> {
        if group.mask().is_some() || !group.filters().is_empty() {
            return Err(PdfError::new("it has a mask or a filter; write an .svg file instead"));
        }
        if group.blend_mode() != BlendMode::Normal {
            return Err(PdfError::new("it has a blend mode; write an .svg file instead"));
        }
        if group.opacity().get() < 1.0 {
            return Err(PdfError::new("it has a translucent group; write an .svg file instead"));
        }
        self.content.save_state();
        let Transform { sx, ky, kx, sy, tx, ty } = group.transform();
        self.content.transform([sx, ky, kx, sy, tx, ty]);
        if let Some(path) = group.clip_path() {
            self.clip(path)?;
        }
        self.nodes(group)?;
        self.content.restore_state();
        Ok(())
    }

    /// Restricts subsequent drawing to the inside of a path.
    fn clip(&mut self, path: &ClipPath) -> Result<()> {
        if let Some(further) = path.clip_path() {
            self.clip(further)?;
        }
        if self.outlines(path.root(), path.transform())? {
            self.content.clip_even_odd()
        } else {
            self.content.clip_nonzero()
        };
        self.content.end_path();
        Ok(())
    }

    /// Adds the outlines of a group to the current path; returns true if any of them has the
    /// even-odd fill rule. Pictures and text are an error.
    fn outlines(&mut self, group: &Group, to: Transform) -> Result<bool> {
        let to = to.pre_concat(group.transform());
        let mut is_even_odd = false;
        for child in group.children() {
            is_even_odd |= match child {
                Node::Group(inner) => self.outlines(inner, to)?,
                Node::Path(path) => {
                    let outline = path.data().clone().transform(to);
                    self.trace(&outline.ok_or_else(|| PdfError::new("a clip path has no size"))?);
                    path.fill().is_some_and(|fill| fill.rule() == FillRule::EvenOdd)
                }
                Node::Image(_) | Node::Text(_) => {
                    return Err(PdfError::new("it has a clip path made of text or a picture"));
                }
            };
        }
        Ok(is_even_odd)
    }

    /// Fills and strokes a path.
    fn shape(&mut self, path: &Path) -> Result<()> {
        let fill_opacity = path.fill().map_or(1.0, |fill| fill.opacity().get());
        let stroke_opacity = path.stroke().map_or(1.0, |stroke| stroke.opacity().get());
        self.content.save_state();
        if fill_opacity < 1.0 || stroke_opacity < 1.0 {
            let state = self.shared.opacities(fill_opacity, stroke_opacity);
            self.content.set_parameters(Name(&state));
        }
        if let Some(fill) = path.fill() {
            let [red, green, blue] = rgb(fill.paint())?;
            self.content.set_fill_rgb(red, green, blue);
        }
        if let Some(stroke) = path.stroke() {
            self.set_stroke(stroke)?;
        }
        match path.paint_order() {
            PaintOrder::FillAndStroke => {
                self.fill(path);
                self.stroke(path);
            }
            PaintOrder::StrokeAndFill => {
                self.stroke(path);
                self.fill(path);
            }
        }
        self.content.restore_state();
        Ok(())
    }

    /// Fills a path with the current colour, if it has a fill.
    fn fill(&mut self, path: &Path) {
        if let Some(fill) = path.fill() {
            self.trace(path.data());
            match fill.rule() {
                FillRule::NonZero => self.content.fill_nonzero(),
                FillRule::EvenOdd => self.content.fill_even_odd(),
            };
        }
    }

    /// Strokes a path with the current settings, if it has a stroke.
    fn stroke(&mut self, path: &Path) {
        if path.stroke().is_some() {
            self.trace(path.data());
            self.content.stroke();
        }
    }

    /// Sets the colour, width, ends, joins and dashes of lines.
    fn set_stroke(&mut self, stroke: &Stroke) -> Result<()> {
        let [red, green, blue] = rgb(stroke.paint())?;
        self.content.set_stroke_rgb(red, green, blue);
        self.content.set_line_width(stroke.width().get());
        self.content.set_line_cap(match stroke.linecap() {
            LineCap::Butt => LineCapStyle::ButtCap,
            LineCap::Round => LineCapStyle::RoundCap,
            LineCap::Square => LineCapStyle::ProjectingSquareCap,
        });
        self.content.set_line_join(match stroke.linejoin() {
            LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
            LineJoin::Round => LineJoinStyle::RoundJoin,
            LineJoin::Bevel => LineJoinStyle::BevelJoin,
        });
        self.content.set_miter_limit(stroke.miterlimit().get());
        if let Some(dashes) = stroke.dasharray() {
            self.content.set_dash_pattern(dashes.iter().copied(), stroke.dashoffset());
        }
        Ok(())
    }

    /// Draws a picture: PNG, JPEG, or an SVG document.
    fn picture(&mut self, image: &Image) -> Result<()> {
        let file = match image.kind() {
            ImageKind::SVG(inner) => return self.group(inner.root()),
            ImageKind::JPEG(file) | ImageKind::PNG(file) => file,
            ImageKind::GIF(_) | ImageKind::WEBP(_) => {
                return Err(PdfError::new("a picture is neither PNG nor JPEG"));
            }
        };
        let height = image.size().height();
        self.content.save_state();
        // PDF draws a picture in the unit square, with the first row at the top.
        self.content.transform([image.size().width(), 0.0, 0.0, -height, 0.0, height]);
        self.content.x_object(Name(&self.shared.picture(file)));
        self.content.restore_state();
        Ok(())
    }

    /// Adds an outline to the current path.
    fn trace(&mut self, outline: &Outline) {
        let content = &mut self.content;
        let mut here = Point::zero();
        for segment in outline.segments() {
            match segment {
                PathSegment::MoveTo(to) => {
                    content.move_to(to.x, to.y);
                    here = to;
                }
                PathSegment::LineTo(to) => {
                    content.line_to(to.x, to.y);
                    here = to;
                }
                PathSegment::QuadTo(control, to) => {
                    // The equivalent cubic curve.
                    let near = |end: f32, control: f32| end + (control - end) * 2.0 / 3.0;
                    let [x1, y1] = [near(here.x, control.x), near(here.y, control.y)];
                    let [x2, y2] = [near(to.x, control.x), near(to.y, control.y)];
                    content.cubic_to(x1, y1, x2, y2, to.x, to.y);
                    here = to;
                }
                PathSegment::CubicTo(first, second, to) => {
                    content.cubic_to(first.x, first.y, second.x, second.y, to.x, to.y);
                    here = to;
                }
                PathSegment::Close => {
                    content.close_path();
                }
            }
        }
    }
}

/// The red, green and blue components from 0 to 1; gradients and patterns are an error.
fn rgb(paint: &Paint) -> Result<[f32; 3]> {
    match paint {
        Paint::Color(colour) => {
            Ok([colour.red, colour.green, colour.blue].map(|part| f32::from(part) / 255.0))
        }
        _ => Err(PdfError::new("it has a gradient or a pattern")),
    }
}
