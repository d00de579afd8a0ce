//! Readings of synthetic photographs.

mod judge;

use edgematch::enumerate::Limits;
use edgematch_camera::{ARTS, Art, GROUNDS, Ground, Layout, Light, Shot};
use edgematch_read::{
    CardFacts, EdgeKind, GridSize, MOST_PIXELS, Photo, PhotoContent, Quad, ReadError, Reading,
    decode,
};
use image::{Rgb, RgbImage};

use self::judge::{Judged, Sum, judged};

/// The last digit of the seeds that were not used for tuning.
const HELD_BACK: u64 = 9;

const NINE: GridSize = GridSize { rows: 3, columns: 3 };

/// Nine cards with four images, photographed carefully.
const SHOT: Shot = Shot {
    seed: HELD_BACK,
    art: Art::Animals,
    size: (3, 3),
    images: 4,
    has_halves: true,
    pixels: 100,
    layout: Layout::Loose,
    ground: Ground::Wood,
    light: Light::Day,
    distortion: 1.0,
};

/// The combinations of layout and ground that are photographed.
const SCENES: [(Layout, Ground); 7] = [
    (Layout::Cropped(0.0), Ground::White),
    (Layout::Board(0.0), Ground::White),
    (Layout::Board(0.0), Ground::Wood),
    (Layout::Board(0.02), Ground::White),
    (Layout::Board(0.02), Ground::Wood),
    (Layout::Loose, Ground::White),
    (Layout::Loose, Ground::Wood),
];

/// Photographs of every art in every scene, `each` of them, with held-back seeds.
fn all_scenes(each: u64, of: Shot) -> impl Iterator<Item = Shot> {
    let seeds = (0..each).map(|number| number * 10 + HELD_BACK);
    let scenes = move |seed: u64, art: Art| {
        SCENES.into_iter().map(move |(layout, ground)| Shot { seed, art, layout, ground, ..of })
    };
    seeds.flat_map(move |seed| ARTS.into_iter().flat_map(move |art| scenes(seed, art)))
}

fn sum_of(shots: impl Iterator<Item = Shot>) -> Sum {
    let mut sum = Sum::default();
    for shot in shots {
        sum.add(&judged(&shot));
    }
    sum
}

#[test]
#[ignore = "takes seconds in release; .ci/run runs it"]
fn cards_are_read_whatever_they_lie_on() {
    for (layout, ground) in SCENES {
        for art in [Art::Animals, Art::Textures] {
            let shot = Shot { art, layout, ground, ..SHOT };
            let found = judged(&shot);
            assert_eq!(found.corrections(), Some(0), "{shot:?}: {found:?}");
        }
    }
}

#[test]
#[ignore = "takes seconds in release; .ci/run runs it"]
fn turned_cards_are_found_on_textured_grounds_and_in_shadows() {
    for ground in GROUNDS {
        let shot = Shot { art: Art::Textures, layout: Layout::Scattered, ground, ..SHOT };
        let found = judged(&shot);
        assert_eq!(found.corrections(), Some(0), "{shot:?}: {found:?}");
    }
    for ground in [Ground::White, Ground::Wood, Ground::Planks] {
        let shot = Shot { art: Art::Textures, light: Light::Shadow, ground, ..SHOT };
        let found = judged(&shot);
        assert_eq!(found.corrections(), Some(0), "{shot:?}: {found:?}");
    }
}

#[test]
fn the_first_corner_of_a_card_is_its_top_left_one() {
    let taken = Shot { layout: Layout::Scattered, ground: Ground::Stone, ..SHOT }.take();
    let photo = Photo { name: "turned.jpg", picture: PhotoContent::File(&taken.jpeg) };
    let reading = Reading::new(&[photo], &CardFacts::default(), &Limits::default()).unwrap();
    for card in &reading.cards {
        assert_eq!(card.quad, Quad::sorted(card.quad.0));
    }
}

#[test]
#[ignore = "twelve photographs; .ci/run runs it"]
fn a_ground_without_cards_is_refused() {
    for ground in GROUNDS {
        for light in [Light::Day, Light::Shadow, Light::Flash] {
            let shot = Shot { ground, light, ..SHOT };
            let photo =
                Photo { name: "ground.jpg", picture: PhotoContent::File(&shot.take_ground()) };
            let refused = Reading::new(&[photo], &CardFacts::default(), &Limits::default());
            assert!(refused.is_err(), "{ground:?} {light:?}");
        }
    }
}

#[test]
fn plain_tiles_of_a_floor_are_no_puzzle() {
    let floor = RgbImage::from_fn(900, 720, |x, y| {
        let (column, row) = (x / 180, y / 180);
        let is_joint = (x % 180).min(y % 180) < 8;
        let shade = if is_joint { 210 } else { 160 + (column * 5 + row * 3) % 9 };
        let grain = (x * x * 31 + y * y * 17 + x * y * 7) % 13;
        Rgb([(shade + grain) as u8, (shade + grain + 8) as u8, (shade + grain + 12) as u8])
    });
    let photo = Photo { name: "floor", picture: PhotoContent::Pixels(&floor) };
    let reading = Reading::new(&[photo], &CardFacts::default(), &Limits::default()).unwrap();
    assert_eq!(reading.size.cards(), 20);
    assert!(!reading.is_legible(), "{} doubtful sides", reading.doubtful_sides().count());
}

#[test]
fn options_mean_what_they_say() {
    let taken = SHOT.take();
    let read = |facts: CardFacts| {
        let photo = Photo { name: "all.jpg", picture: PhotoContent::File(&taken.jpeg) };
        Reading::new(&[photo], &facts, &Limits::default()).unwrap()
    };
    for images in [3, 6] {
        let reading = read(CardFacts { images: Some(images), ..CardFacts::default() });
        let names = reading.edges().into_iter().map(|edge| edge.image);
        assert_eq!(names.collect::<std::collections::BTreeSet<_>>().len(), images);
        let whole =
            CardFacts { images: Some(images), kind: Some(EdgeKind::Whole), ..CardFacts::default() };
        assert_eq!(read(whole).mates, (0..images).collect::<Vec<_>>());
    }
    let halves = read(CardFacts { kind: Some(EdgeKind::Halves), ..CardFacts::default() });
    assert!((0..halves.mates.len()).all(|group| halves.mates[group] != group));
}

#[test]
fn images_that_match_themselves_are_told_from_halves() {
    let shot = Shot { has_halves: false, art: Art::Textures, ..SHOT };
    let taken = shot.take();
    let photos = [Photo { name: "whole.jpg", picture: PhotoContent::File(&taken.jpeg) }];
    let told = CardFacts { kind: Some(EdgeKind::Whole), ..CardFacts::default() };
    let reading = Reading::new(&photos, &told, &Limits::default()).unwrap();
    assert!((0..reading.mates.len()).all(|group| reading.mates[group] == group));
    assert_eq!(judged(&shot).corrections(), Some(0));
}

#[test]
fn a_board_is_cut_where_its_corners_are_given() {
    let shot = Shot { layout: Layout::Board(0.0), ..SHOT };
    let taken = shot.take();
    // The outermost corners of all cards.
    let all = || taken.corners.iter().flatten();
    let most = |by: fn(&(f32, f32)) -> f32| {
        let farthest = all().max_by(|a, b| by(a).total_cmp(&by(b)));
        *farthest.unwrap()
    };
    let corners =
        [most(|p| -p.0 - p.1), most(|p| p.0 - p.1), most(|p| p.0 + p.1), most(|p| p.1 - p.0)];
    let options =
        CardFacts { size: Some(NINE), corners: Some(Quad(corners)), ..CardFacts::default() };
    let found = Judged::new(&shot, &taken, &options);
    assert_eq!(found.corrections(), Some(0), "{found:?}");
}

#[test]
fn cards_with_given_outlines_are_read_in_rows() {
    let taken = SHOT.take();
    let mut cards: Vec<_> = taken.corners.iter().map(|&c| Quad::sorted(c)).collect();
    cards.reverse();
    let options = CardFacts { cards: cards.clone(), ..CardFacts::default() };
    let found = Judged::new(&SHOT, &taken, &options);
    assert_eq!(found.corrections(), Some(0), "{found:?}");
    cards.pop();
    let photo = Photo { name: "all.jpg", picture: PhotoContent::File(&taken.jpeg) };
    let options = CardFacts { cards, ..CardFacts::default() };
    let refused = Reading::new(&[photo], &options, &Limits::default()).unwrap_err();
    assert!(refused.to_string().contains("8 cards"), "{refused}");
}

#[test]
fn each_card_may_have_a_photograph_of_its_own() {
    let taken = SHOT.take();
    let photo = Photo { name: "all.jpg", picture: PhotoContent::File(&taken.jpeg) };
    let all = Reading::new(&[photo], &CardFacts::default(), &Limits::default()).unwrap();
    let bytes: Vec<Vec<u8>> = all.cards.iter().map(|card| card.png()).collect();
    let photos: Vec<Photo<'_>> = bytes
        .iter()
        .map(|bytes| Photo { name: "card.png", picture: PhotoContent::File(bytes) })
        .collect();
    let each = Reading::new(&photos, &CardFacts::default(), &Limits::default()).unwrap();
    assert_eq!(each.size, NINE);
    let groups =
        |reading: &Reading| -> Vec<usize> { reading.sides.iter().map(|side| side.group).collect() };
    let (a, b) = (groups(&all), groups(&each));
    for left in 0..a.len() {
        for right in 0..a.len() {
            assert_eq!(a[left] == a[right], b[left] == b[right], "{left} {right}");
        }
    }
    let error = Reading::new(&photos[..7], &CardFacts::default(), &Limits::default()).unwrap_err();
    assert_eq!(error, ReadError::NoSquare { found: 7 });
}

#[test]
fn a_reading_gives_the_puzzle_that_was_photographed() {
    let taken = SHOT.take();
    let photo = Photo { name: "all.jpg", picture: PhotoContent::File(&taken.jpeg) };
    let reading = Reading::new(&[photo], &CardFacts::default(), &Limits::default()).unwrap();
    let problem = reading.problem("cards").unwrap();
    assert_eq!(problem.puzzle.tiles.len(), 9);
    assert_eq!(problem.puzzle.labels.halved_images(), 4);
    assert_eq!(problem.puzzle.tiles[0].name, "1");
    assert!(reading.solutions.is_some_and(|number| number > 0));
    let sheet = reading.contact_sheet().svg;
    assert_eq!(sheet.matches("<image").count(), 36);
    assert!(!sheet.contains(">? a+<"));
    let unsure = Reading { doubtful_mates: (0..reading.mates.len()).collect(), ..reading };
    assert!(unsure.contact_sheet().svg.contains(">? a+<"));
}

#[test]
fn a_photograph_with_more_pixels_than_allowed_is_refused() {
    let taken = SHOT.take();
    let pixels = decode("all.jpg", &taken.jpeg, MOST_PIXELS).unwrap();
    let number = u64::from(pixels.width()) * u64::from(pixels.height());
    assert!(decode("all.jpg", &taken.jpeg, number).is_ok());
    assert!(decode("all.jpg", &taken.jpeg, number - 1).is_err());
}

/// Reads pictures of each scene with this many pixels per side of a card and this distortion, and
/// prints a row of the statistics.
fn read_row(pixels: u32, distortion: f64, each: u64) -> Sum {
    let shot = Shot { pixels, distortion, ..SHOT };
    let sum = sum_of(all_scenes(each, shot));
    println!("| {pixels} | {distortion} | {sum} |");
    sum
}

#[test]
#[ignore = "takes a minute; .ci/run runs it"]
fn photographs_that_were_held_back_are_read() {
    let small = read_row(40, 1.0, 3);
    let usual = read_row(100, 1.0, 3);
    assert!(small.part_of_sides() >= 0.95, "{small}");
    assert!(usual.part_of_sides() >= 0.99, "{usual}");
    assert!(usual.part_without_corrections() >= 0.95, "{usual}");
}

/// Prints the statistics of docs/measurements.md.
#[test]
#[ignore = "takes a quarter of an hour, and proves nothing"]
fn the_table_of_held_back_photographs() {
    println!("| pixels | distortion | {} |", Sum::HEAD);
    let rows = [(40, 0.0, 3), (40, 1.0, 10), (100, 0.0, 3), (100, 1.0, 10), (100, 2.0, 3)];
    for (pixels, distortion, each) in rows.into_iter().chain([(200, 1.0, 2), (400, 1.0, 1)]) {
        read_row(pixels, distortion, each);
    }
}
