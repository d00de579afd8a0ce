//! Writes one page as PDF operators.
//!
//! It converts the nodes that `usvg` leaves: paths, strokes, opacity, clip paths and pictures.
//! Gradients, masks and filters are rejected rather than drawn incorrectly; our drawings have none.

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Name, Rect};
use resvg::tiny_skia::{Path as Outline, PathSegment, Point, Transform};
use resvg::usvg::{
    BlendMode, ClipPath, Fill, FillRule, Group, Image, ImageKind, LineCap, LineJoin, Node, Paint,
    PaintOrder, Path, Stroke, Tree,
};

use super::{Layer, PdfError, SharedResources};

/// The operators that draw a page of this size, in points.
pub(super) fn draw(
    drawing: &Tree,
    [width, height]: [f32; 2],
    shared: &mut SharedResources,
) -> Result<Vec<u8>, PdfError> {
    let across = width / drawing.size().width();
    let down = height / drawing.size().height();
    let mut content = Content::new();
    // In PDF, y points up.
    content.transform([across, 0.0, 0.0, -down, 0.0, height]);
    group(drawing.root(), &mut content, shared)?;
    Ok(content.finish().into_vec())
}

fn node(node: &Node, content: &mut Content, shared: &mut SharedResources) -> Result<(), PdfError> {
    match node {
        Node::Group(inner) => group(inner, content, shared),
        Node::Path(path) if path.is_visible() => shape(path, content, shared),
        Node::Image(image) if image.is_visible() => picture(image, content, shared),
        Node::Path(_) | Node::Image(_) => Ok(()),
        Node::Text(text) => group(text.flattened(), content, shared),
    }
}

fn group(
    group: &Group,
    content: &mut Content,
    shared: &mut SharedResources,
) -> Result<(), PdfError> {
    if group.mask().is_some() || !group.filters().is_empty() {
        return Err(PdfError::new("it has a mask or a filter"));
    }
    if group.blend_mode() != BlendMode::Normal {
        return Err(PdfError::new("it blends colours"));
    }
    content.save_state();
    content.transform(matrix(group.transform()));
    if let Some(path) = group.clip_path() {
        clip(path, content)?;
    }
    let opacity = group.opacity().get();
    if opacity < 1.0 {
        let mut inner = Content::new();
        for child in group.children() {
            node(child, &mut inner, shared)?;
        }
        let bounds = group.layer_bounding_box();
        let layer = shared.layer(Layer {
            content: inner.finish().into_vec(),
            bounds: Rect::new(bounds.left(), bounds.top(), bounds.right(), bounds.bottom()),
        });
        content.set_parameters(Name(&shared.opacities(opacity, opacity)));
        content.x_object(Name(&layer));
    } else {
        for child in group.children() {
            node(child, content, shared)?;
        }
    }
    content.restore_state();
    Ok(())
}

/// Restricts subsequent drawing to the inside of a path.
fn clip(path: &ClipPath, content: &mut Content) -> Result<(), PdfError> {
    if let Some(further) = path.clip_path() {
        clip(further, content)?;
    }
    let is_even_odd = outlines(path.root(), path.transform(), content)?;
    if is_even_odd {
        content.clip_even_odd()
    } else {
        content.clip_nonzero()
    };
    content.end_path();
    Ok(())
}

/// Traces the outlines of a group; returns true if they use the even-odd fill rule.
fn outlines(group: &Group, to: Transform, content: &mut Content) -> Result<bool, PdfError> {
    let to = to.pre_concat(group.transform());
    let mut is_even_odd = false;
    for child in group.children() {
        is_even_odd |= match child {
            Node::Group(inner) => outlines(inner, to, content)?,
            Node::Path(path) => {
                let outline = path
                    .data()
                    .clone()
                    .transform(to)
                    .ok_or_else(|| PdfError::new("a clip path has no size"))?;
                trace(&outline, content);
                path.fill().is_some_and(|fill| fill.rule() == FillRule::EvenOdd)
            }
            Node::Image(_) | Node::Text(_) => return Err(PdfError::new("text clips a drawing")),
        };
    }
    Ok(is_even_odd)
}

fn shape(path: &Path, content: &mut Content, shared: &mut SharedResources) -> Result<(), PdfError> {
    let fill = path.fill();
    let stroke = path.stroke();
    let opacity = |of: Option<f32>| of.unwrap_or(1.0);
    let fill_opacity = opacity(fill.map(|fill| fill.opacity().get()));
    let stroke_opacity = opacity(stroke.map(|stroke| stroke.opacity().get()));
    content.save_state();
    if fill_opacity < 1.0 || stroke_opacity < 1.0 {
        let state = shared.opacities(fill_opacity, stroke_opacity);
        content.set_parameters(Name(&state));
    }
    if let Some(fill) = fill {
        let [red, green, blue] = rgb(fill.paint())?;
        content.set_fill_rgb(red, green, blue);
    }
    if let Some(stroke) = stroke {
        begin_stroke(stroke, content)?;
    }
    let fill_inside = |fill: &Fill, content: &mut Content| {
        trace(path.data(), content);
        match fill.rule() {
            FillRule::NonZero => content.fill_nonzero(),
            FillRule::EvenOdd => content.fill_even_odd(),
        };
    };
    let stroke_along = |content: &mut Content| {
        trace(path.data(), content);
        content.stroke();
    };
    match (fill, stroke, path.paint_order()) {
        (None, None, _) => {}
        (Some(fill), None, _) => fill_inside(fill, content),
        (None, Some(_), _) => stroke_along(content),
        (Some(fill), Some(_), PaintOrder::FillAndStroke) => {
            fill_inside(fill, content);
            stroke_along(content);
        }
        (Some(fill), Some(_), PaintOrder::StrokeAndFill) => {
            stroke_along(content);
            fill_inside(fill, content);
        }
    }
    content.restore_state();
    Ok(())
}

fn begin_stroke(stroke: &Stroke, content: &mut Content) -> Result<(), PdfError> {
    let [red, green, blue] = rgb(stroke.paint())?;
    content.set_stroke_rgb(red, green, blue);
    content.set_line_width(stroke.width().get());
    content.set_line_cap(match stroke.linecap() {
        LineCap::Butt => LineCapStyle::ButtCap,
        LineCap::Round => LineCapStyle::RoundCap,
        LineCap::Square => LineCapStyle::ProjectingSquareCap,
    });
    content.set_line_join(match stroke.linejoin() {
        LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
        LineJoin::Round => LineJoinStyle::RoundJoin,
        LineJoin::Bevel => LineJoinStyle::BevelJoin,
    });
    content.set_miter_limit(stroke.miterlimit().get());
    if let Some(dashes) = stroke.dasharray() {
        content.set_dash_pattern(dashes.iter().copied(), stroke.dashoffset());
    }
    Ok(())
}

fn picture(
    image: &Image,
    content: &mut Content,
    shared: &mut SharedResources,
) -> Result<(), PdfError> {
    match image.kind() {
        ImageKind::SVG(inner) => group(inner.root(), content, shared),
        ImageKind::JPEG(file) | ImageKind::PNG(file) => {
            let width = image.size().width();
            let height = image.size().height();
            content.save_state();
            // PDF draws a picture in the unit square, with the first row at the top.
            content.transform([width, 0.0, 0.0, -height, 0.0, height]);
            content.x_object(Name(&shared.picture(file)));
            content.restore_state();
            Ok(())
        }
        ImageKind::GIF(_) | ImageKind::WEBP(_) => {
            Err(PdfError::new("a picture is neither PNG nor JPEG"))
        }
    }
}

fn rgb(paint: &Paint) -> Result<[f32; 3], PdfError> {
    match paint {
        Paint::Color(colour) => {
            Ok([colour.red, colour.green, colour.blue].map(|part| f32::from(part) / 255.0))
        }
        _ => Err(PdfError::new("it has a gradient or a pattern")),
    }
}

fn matrix(transform: Transform) -> [f32; 6] {
    let Transform { sx, ky, kx, sy, tx, ty } = transform;
    [sx, ky, kx, sy, tx, ty]
}

fn trace(outline: &Outline, content: &mut Content) {
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
                content.cubic_to(
                    near(here.x, control.x),
                    near(here.y, control.y),
                    near(to.x, control.x),
                    near(to.y, control.y),
                    to.x,
                    to.y,
                );
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
