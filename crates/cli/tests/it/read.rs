//! `edgematch read` turns photographs of cards into a puzzle that can be solved.

use std::fs;
use std::path::{Path, PathBuf};

use edgematch_camera::{Art, Ground, Layout, Light, Photograph, Shot};
use image::codecs::jpeg::JpegEncoder;
use image::imageops;
use image::{GrayImage, ImageReader, Rgb, RgbImage};

use crate::session::{Session, at_root, run, write};

const SHOT: Shot = Shot {
    seed: 3,
    art: Art::Animals,
    size: (3, 3),
    images: 4,
    has_halves: true,
    pixels: 80,
    layout: Layout::Loose,
    ground: Ground::Wood,
    light: Light::Day,
    distortion: 1.0,
};

fn photographed(folder: &Path, shot: &Shot) -> (String, Photograph) {
    let taken = shot.take();
    let file = write(folder, "cards.jpg", &taken.jpeg);
    (file.display().to_string(), taken)
}

fn read(photo: &str, folder: &Path) -> (Session, PathBuf) {
    let output = folder.join("out");
    let session = run(&["read", photo, "-o", &output.display().to_string()]);
    (session, output)
}

/// A synthetic photograph: the pictures of these cards of a puzzle on a grey ground.
fn laid(cards: impl IntoIterator<Item = u32>) -> RgbImage {
    let mut ground = RgbImage::from_pixel(440, 440, Rgb([120, 125, 120]));
    for (place, card) in cards.into_iter().enumerate() {
        let path = at_root(&format!("puzzles/scramble-1/input/{card}.png"));
        let card = ImageReader::open(path).unwrap().decode().unwrap().to_rgb8();
        let card = imageops::resize(&card, 100, 100, imageops::FilterType::Triangle);
        let (row, column) = (place as i64 / 3, place as i64 % 3);
        imageops::replace(&mut ground, &card, 40 + column * 130, 40 + row * 130);
    }
    ground
}

fn saved(folder: &Path, name: &str, picture: &RgbImage) -> String {
    let path = folder.join(name);
    picture.save(&path).unwrap();
    path.display().to_string()
}

#[test]
fn a_photograph_becomes_a_puzzle_with_the_pictures_of_its_cards() {
    let folder = tempfile::tempdir().unwrap();
    let (photo, taken) = photographed(folder.path(), &SHOT);
    let (session, output) = read(&photo, folder.path());
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(session.stdout.starts_with("9 cards, 3 × 3\n"));
    assert!(session.stderr.contains("read without doubt: "), "{}", session.stderr);
    for file in ["puzzle.yaml", "1.png", "9.png", "sheet.png", "sheet.html"] {
        assert!(output.join(file).is_file(), "{file}");
    }
    let puzzle = output.join("puzzle.yaml").display().to_string();
    let original = write(
        folder.path(),
        "original.yaml",
        edgematch::load::PuzzleFormat::named("yaml")
            .unwrap()
            .write(&taken.problem, None)
            .unwrap()
            .text,
    );
    let counts = |file: &str| {
        let session = run(&["count", file]);
        session.stdout.lines().next().map(str::to_owned)
    };
    assert_eq!(counts(&puzzle), counts(&original.display().to_string()));
    let pictures = folder.path().join("pictures");
    let solved = run(&["solve", &puzzle, "-o", &pictures.display().to_string()]);
    assert_eq!((solved.code, solved.stderr.contains("warning: the picture")), (0, false));
    let svg = fs::read_to_string(pictures.join("1.svg")).unwrap();
    assert_eq!(svg.matches("data:image/png").count(), 9);
}

#[test]
#[ignore = "nine photographs; .ci/run runs it"]
fn the_pictures_of_a_puzzle_of_ours_are_read_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let cards: Vec<String> =
        (1..=9).map(|card| format!("puzzles/scramble-1/input/{card}.png")).collect();
    let output = folder.path().join("out").display().to_string();
    let mut args = vec!["read", "-o", &output];
    args.extend(cards.iter().map(String::as_str));
    let session = run(&args);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let puzzle = folder.path().join("out/puzzle.yaml").display().to_string();
    let whole = |file: &str| run(&["count", file]).stdout;
    assert_eq!(whole(&puzzle).lines().next(), whole("puzzles/scramble-1.yaml").lines().next());
    let few = run(&[&["read", "-o", "elsewhere"], &args[3..8]].concat());
    assert_eq!(few.code, 2);
    assert!(few.stderr.contains("5 photographs of single cards do not form a square; --size says"));
}

#[test]
fn what_is_no_photograph_of_cards_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let grey = RgbImage::from_pixel(300, 300, Rgb([180; 3]));
    let mut jpeg = Vec::new();
    JpegEncoder::new(&mut jpeg).encode_image(&laid(1..=9)).unwrap();
    let cut = &jpeg[..jpeg.len() / 2];
    let mut blank = laid(1..=9);
    let back = RgbImage::from_pixel(100, 100, Rgb([150, 30, 30]));
    imageops::replace(&mut blank, &back, 170, 170);
    let wide = here.join("wide.png");
    GrayImage::new(9_000, 9_000).save(&wide).unwrap();
    for (photo, message) in [
        (saved(here, "grey.png", &grey), "no cards were found; lay them on a ground"),
        (write(here, "cut.jpg", cut).display().to_string(), "is damaged: it ends too early"),
        (write(here, "text.jpg", "cards").display().to_string(), "is not a JPEG or PNG picture"),
        (write(here, "empty.jpg", "").display().to_string(), "is not a JPEG or PNG picture"),
        (
            saved(here, "eight.png", &laid(1..=8)),
            "8 cards were found, which do not form a rectangle; lay",
        ),
        (saved(here, "alike.png", &laid([1; 9])), "all cards look the same: are they face"),
        (saved(here, "blank.png", &blank), "card 5 is blank: is it face down?"),
        (wide.display().to_string(), "has 81 million pixels: at most 80 million are read"),
        (here.display().to_string(), "is a folder, not a picture"),
        (here.join("none.jpg").display().to_string(), "none.jpg: there is no such file"),
    ] {
        let (session, output) = read(&photo, here);
        assert_eq!(session.code, 2, "{photo}");
        assert!(session.stderr.contains(message), "{photo}: {}", session.stderr);
        assert!(!output.exists(), "{photo}");
    }
    let eight = here.join("eight.png").display().to_string();
    let session = run(&["read", &eight, "--size", "3x3", "-o", "elsewhere"]);
    assert!(session.stderr.contains("8 cards were found, but 3 × 3 are expected"));
}

#[test]
fn a_phones_turn_is_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let upright = laid(1..=9);
    let mut jpeg = Vec::new();
    let lying = imageops::rotate270(&upright);
    JpegEncoder::new_with_quality(&mut jpeg, 95).encode_image(&lying).unwrap();
    // After the start of the JPEG: EXIF with one entry, rotation by a quarter to the right.
    let mut exif: Vec<u8> = vec![0xff, 0xe1, 0, 34];
    exif.extend(b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0");
    jpeg.splice(2..2, exif);
    let photo = write(folder.path(), "phone.jpg", jpeg).display().to_string();
    let (session, output) = read(&photo, folder.path());
    assert_eq!(session.code, 0, "{}", session.stderr);
    let first = image::open(output.join("1.png")).unwrap().to_rgb8();
    let expected = imageops::crop_imm(&upright, 40, 40, 100, 100).to_image();
    let first = imageops::resize(&first, 100, 100, imageops::FilterType::Triangle);
    let off = first
        .pixels()
        .zip(expected.pixels())
        .map(|(a, b)| (0..3).map(|c| u64::from(a[c].abs_diff(b[c]))).sum::<u64>());
    assert!(off.sum::<u64>() / (100 * 100 * 3) < 16);
}

#[test]
fn files_of_an_earlier_reading_are_kept_unless_forced() {
    let folder = tempfile::tempdir().unwrap();
    let (photo, _) = photographed(folder.path(), &SHOT);
    let (first, output) = read(&photo, folder.path());
    assert_eq!(first.code, 0);
    let (second, _) = read(&photo, folder.path());
    assert_eq!(second.code, 2);
    assert!(second.stderr.contains("is not empty; use --force"));
    assert!(!output.join("review.html").exists());
    let forced = run(&["read", &photo, "--force", "--review", "-o", &output.display().to_string()]);
    assert_eq!(forced.code, 0);
    let review = fs::read_to_string(output.join("review.html")).unwrap();
    // A self-contained file.
    assert_eq!(review.matches("data:image/png;base64,").count(), 9);
    assert!(!review.contains("http") && !review.contains("src=") && !review.contains("import "));
    let both = run(&["read", &photo, &photo, "-o", "x", "--corners", "0,0", "1,0", "1,1", "0,1"]);
    assert!(both.stderr.contains("--corners describes a single photograph, but 2 were given"));
    let odd = run(&["read", &photo, "-o", "x", "--corners", "0,0", "1,0", "1", "0,1"]);
    assert!(odd.stderr.contains("expected two numbers, such as 120,85"));
}
