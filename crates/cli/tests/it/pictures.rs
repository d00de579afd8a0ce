//! Pictures: the files written, rejected input, and whether adjacent pictures match.

use std::fs;
use std::path::{Path, PathBuf};

use image::{ImageFormat, Rgba, RgbaImage};
use tempfile::tempdir;

use crate::session::{at_root, puzzle, run, run_in_shell, run_with_input, write};

const BLOG: &str = "puzzles/scramble-1";

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The mean difference of pixels across each seam, to the right of and below each cell.
fn breaks(picture: &RgbaImage, tile: u32, margin: u32) -> Vec<f64> {
    // The frame is drawn on the seam itself.
    const BESIDE: u32 = 3;
    let mean = |pairs: Vec<(Rgba<u8>, Rgba<u8>)>| {
        let total: f64 =
            pairs.iter().flat_map(|(a, b)| (0..3).map(|i| f64::from(a[i].abs_diff(b[i])))).sum();
        total / pairs.len() as f64 / 3.0
    };
    let at = |x, y| *picture.get_pixel(x, y);
    // Across the picture, but not where a mismatched seam would be marked.
    let middle = tile / 2;
    let inner = (middle - 23..middle - 19).chain(middle + 20..middle + 24);
    let mut breaks = Vec::new();
    for row in 0..3 {
        for column in 0..3 {
            let x = margin + column * tile;
            let y = margin + row * tile;
            if column < 2 {
                let seam = x + tile;
                let pairs =
                    inner.clone().map(|d| (at(seam - BESIDE, y + d), at(seam + BESIDE, y + d)));
                breaks.push(mean(pairs.collect()));
            }
            if row < 2 {
                let seam = y + tile;
                let pairs =
                    inner.clone().map(|d| (at(x + d, seam - BESIDE), at(x + d, seam + BESIDE)));
                breaks.push(mean(pairs.collect()));
            }
        }
    }
    breaks
}

#[test]
fn the_painted_tiles_join_at_every_seam_of_the_solution_and_break_where_it_is_wrong() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("out");
    run(&["solve", BLOG, "-q", "-o", out.to_str().unwrap()]).expect(0);
    let solved = image::open(out.join("1.png")).unwrap().to_rgba8();
    assert_eq!(solved.dimensions(), (512, 512));
    let solved = breaks(&solved, 160, 16);
    assert_eq!(solved.len(), 12);
    assert!(solved.iter().all(|&b| b < 15.0), "{solved:?}");

    let wrong = folder.path().join("wrong.png");
    run(&["show", BLOG, "tests/wrong.txt", "-o", wrong.to_str().unwrap()]);
    let wrong = breaks(&image::open(wrong).unwrap().to_rgba8(), 160, 16);
    let broken = wrong.iter().filter(|&&b| b > 40.0).count();
    assert_eq!(broken, 4, "the four seams of the tile that is turned: {wrong:?}");
}

#[test]
fn a_folder_gets_the_tiles_and_each_solution_as_text_svg_and_png() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("deep/out");
    let path = out.to_str().unwrap();
    let session = run(&["solve", &puzzle("quasthoff-example"), "-o", path]).expect(0);
    assert!(session.stdout.ends_with("==========\n"), "text is printed as ever");
    assert_eq!(names(&out), ["1.png", "1.svg", "1.txt", "2.png", "2.svg", "2.txt", "unsolved.png"]);
    let check = run(&["check", &puzzle("quasthoff-example"), out.join("2.txt").to_str().unwrap()]);
    assert_eq!(check.stdout, "arrangement 1: fits\n");
}

#[test]
fn a_folder_that_is_not_empty_is_refused_unless_forced() {
    let folder = tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let solve =
        |more: &[&str]| run(&[&["solve", &puzzle("quasthoff-example"), "-o", path], more].concat());
    assert_eq!(solve(&[]).code, 0);
    write(folder.path(), "2024.txt", "somebody's own");
    let all = names(folder.path());
    let session = solve(&[]);
    assert_eq!((session.code, session.stdout.as_str()), (2, ""));
    session.says("is not empty; use --force");
    assert_eq!(names(folder.path()), all);

    assert_eq!(solve(&["-n", "1", "--force"]).code, 0);
    assert_eq!(
        names(folder.path()),
        ["1.png", "1.svg", "1.txt", "2024.txt", "unsolved.png"],
        "a second solution of an earlier run would pass for one of this run"
    );
}

#[test]
fn output_that_cannot_be_written_leaves_nothing_behind() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "file", "");
    for path in [file.clone(), file.join("inside"), PathBuf::from("/proc/nothing")] {
        run(&["solve", &puzzle("quasthoff-example"), "-o", path.to_str().unwrap()]).refused();
    }
    for name in ["tiles.gif", "tiles", "no/such/folder/tiles.svg"] {
        let path = folder.path().join(name);
        run(&["show", &puzzle("scramble-1"), "-o", path.to_str().unwrap()]).expect(2);
    }
    fs::create_dir(folder.path().join("tiles.svg")).unwrap();
    let path = folder.path().join("tiles.svg");
    run(&["show", &puzzle("scramble-1"), "-o", path.to_str().unwrap()])
        .expect(2)
        .says("can't be written");
    assert_eq!(names(folder.path()), ["file", "tiles.svg"]);
}

#[test]
fn one_svg_goes_to_standard_output_alone() {
    let session = run(&["solve", &puzzle("absolut-knifflig"), "-o", "-"]).expect(0);
    let svg = roxmltree::Document::parse(&session.stdout).unwrap();
    let edges = svg.descendants().filter_map(|n| n.attribute("href"));
    assert_eq!(edges.filter(|href| href.starts_with("#e")).count(), 36);
    for more in [&["-n", "2"][..], &["--format", "json"], &["--statistics"], &["--draw"]] {
        run(&[&["solve", &puzzle("scramble-1"), "-o", "-"], more].concat()).refused();
    }
    for alone in [&["--pixels", "20"][..], &["--names", "hidden"]] {
        run(&[&["solve", &puzzle("scramble-1")], alone].concat()).expect(2);
    }
    assert_eq!(run(&["solve", &puzzle("sharks-misread"), "-o", "-"]).stdout, "");
}

#[test]
fn a_file_draws_the_first_solution() {
    let folder = tempdir().unwrap();
    let [svg, png] = ["one.svg", "one.png"].map(|name| folder.path().join(name));
    let solve = |path: &str| run(&["solve", "-q", &puzzle("quasthoff-example"), "-o", path]);
    solve(svg.to_str().unwrap()).expect(0);
    assert_eq!(fs::read_to_string(&svg).unwrap(), solve("-").stdout);
    solve(png.to_str().unwrap()).expect(0);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    solve(png.to_str().unwrap()).refused().says("use --force");
    let other = folder.path().join("other.svg");
    let pixels = ["solve", &puzzle("scramble-1"), "--pixels", "20", "-o", other.to_str().unwrap()];
    run(&pixels).refused().says("requires a PNG");
}

#[test]
fn a_sheet_has_the_name_of_its_puzzle() {
    let folder = tempdir().unwrap();
    let text = fs::read(at_root(&puzzle("scramble-1"))).unwrap();
    write(folder.path(), "mine.yaml", text);
    run_in_shell("exec", folder.path(), &["sheet", "mine.yaml"]).expect(0);
    assert_eq!(names(folder.path()), ["mine.pdf", "mine.yaml"]);
}

#[test]
fn there_is_one_defs_for_each_image_and_a_title_for_each_tile() {
    let session = run(&["show", &puzzle("framed-4x4-tud"), "-o", "-"]);
    let svg = roxmltree::Document::parse(&session.stdout).unwrap();
    let count = |tag: &str| svg.descendants().filter(|n| n.has_tag_name(tag)).count();
    let images = run(&["info", &puzzle("framed-4x4-tud"), "--format", "json"]).stdout;
    let info: serde_json::Value = serde_json::from_str(&images).unwrap();
    let images = info["sizes"]["images"].as_u64().unwrap() as usize;
    assert_eq!(count("defs"), images + 1, "and one for paper and clip path");
    assert_eq!(count("title"), 16 + 1);
    let used = |name: &str| {
        let used = svg.descendants().filter_map(|n| n.attribute("href"));
        used.filter(|href| href.trim_end_matches(char::is_numeric) == name).count()
    };
    assert_eq!([used("#e"), used("#front"), used("#frame")], [64, 16, 16]);
}

#[test]
fn every_seam_that_does_not_fit_is_marked() {
    let marks = |solution: &str| {
        let session = run(&["show", &puzzle("scramble-1"), solution, "-o", "-"]);
        session.stdout.matches("class=\"misfit\"").count()
    };
    assert_eq!(marks("tests/wrong.txt"), 4);
    let session = run(&["show", &puzzle("scramble-1"), "tests/wrong.txt"]);
    assert_eq!(session.stdout.matches("does not fit: cells [").count(), 4);
}

#[test]
fn names_of_any_sort_make_valid_xml() {
    let names =
        ["<b>&\"'", "a\u{1}b", "\u{5d0}\u{5d1}\u{5d2}", "\u{202e}abc", "a\u{301}\u{30a}\u{323}"];
    let tiles: Vec<String> = names
        .iter()
        .map(|name| {
            let name = serde_json::Value::from(*name);
            format!("  {name}: [{name}, \"<g>+\", b, \"\\u0007\"]\n")
        })
        .collect();
    let yaml = format!("rows: 1\ncols: 5\ntiles:\n{}", tiles.concat());
    let session = run_with_input(&["show", "-", "-o", "-"], yaml.clone()).expect(0);
    let svg = roxmltree::Document::parse(&session.stdout).unwrap();
    let written: Vec<&str> =
        svg.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect();
    assert_eq!(written[0], names[0]);
    assert_eq!(written[1], "a\u{fffd}b");
    assert_eq!(written[2], names[2]);

    let folder = tempdir().unwrap();
    let png = folder.path().join("odd.png");

    run_with_input(&["show", "-", "-o", png.to_str().unwrap()], yaml.clone()).expect(0);
    assert!(image::open(png).is_ok());
    let text = run_with_input(&["show", "-"], yaml).stdout;
    assert!(!text.contains(['\u{1}', '\u{7}']), "a terminal gets no control characters");
}

/// A puzzle of two tiles with pictures; `second` is the content of the second picture. Returns the
/// temporary folder and the puzzle's path.
fn with_picture(second: impl AsRef<[u8]>) -> (tempfile::TempDir, String) {
    let folder = tempdir().unwrap();
    let yaml = "rows: 1\ncols: 2\npictures: \"pic-{tile}.png\"\n\
                tiles: {a: [x, y, z, y], b: [z, y, x, y]}\n";
    let path = write(folder.path(), "pictured.yaml", yaml);
    RgbaImage::from_pixel(20, 20, Rgba([200, 0, 0, 128]))
        .save_with_format(folder.path().join("pic-a.png"), ImageFormat::Png)
        .unwrap();
    if !second.as_ref().is_empty() {
        write(folder.path(), "pic-b.png", second);
    }
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    RgbaImage::from_pixel(width, height, Rgba([0, 0, 200, 255]))
        .write_to(&mut bytes, ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

/// The first bytes of a PNG that claims this size.
fn png_header(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = png(1, 1);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let mut crc = u32::MAX;
    for &byte in &bytes[12..29] {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    bytes[29..33].copy_from_slice(&(!crc).to_be_bytes());
    bytes
}

fn cut_jpeg() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let noise = image::RgbImage::from_fn(60, 60, |x, y| image::Rgb([(x * y % 251) as u8; 3]));
    noise.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    let mut bytes = bytes.into_inner();
    bytes.truncate(bytes.len() / 2);
    bytes
}

#[test]
fn json_tells_why_there_are_no_pictures() {
    let (folder, path) = with_picture(b"hello");
    let out_path = folder.path().join("out");
    let out = out_path.to_str().unwrap();
    let session = run(&["solve", &path, "-o", out, "--format", "jsonl"]).expect(2);
    let objects: Vec<serde_json::Value> =
        session.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((&objects[0]["type"], &objects[1]["status"]), (&"error".into(), &"ERROR".into()));
    assert!(objects[0]["message"].as_str().unwrap().contains("is not a PNG or JPEG picture"));
}

#[test]
fn a_width_in_pixels_is_for_png() {
    for args in [
        &["show", "puzzles/scramble-1.yaml", "-o", "-", "--pixels", "50"][..],
        &["solve", "puzzles/scramble-1.yaml", "-o", "-", "--pixels", "50"],
        &["solve", "puzzles/scramble-1.yaml", "-o", "nowhere", "--pixels", "-1"],
    ] {
        run(args).refused();
    }
}

#[test]
fn pictures_that_cannot_be_used_are_named() {
    let jpeg_start = b"\xff\xd8\xff\xe0 and nothing more";
    for (second, words) in [
        (Vec::new(), "is missing"),
        (b"GIF89a".to_vec(), "is not a PNG or JPEG picture"),
        (b"hello".to_vec(), "is not a PNG or JPEG picture"),
        (png(20, 20)[..60].to_vec(), "is damaged"),
        (jpeg_start.to_vec(), "is damaged"),
        (cut_jpeg(), "is damaged: it ends too early"),
        (png_header(50_000, 50_000), "is too large: at most 10000 × 10000"),
    ] {
        let (folder, path) = with_picture(&second);
        let out = folder.path().join("out");
        for args in
            [&["show", &path, "-o", "-"][..], &["solve", &path, "-o", out.to_str().unwrap()]]
        {
            let session = run(args).refused();
            session.says("pic-b.png: the picture of tile `b`");
            session.says(words);
        }
        assert!(!out.exists(), "a folder was made for nothing");
    }
}

#[test]
fn pictures_of_the_tiles_are_not_replaced() {
    let (folder, path) = with_picture(png(20, 20));
    let picture = folder.path().join("pic-b.png");
    let before = std::fs::read(&picture).unwrap();
    let session = run(&["show", &path, "--force", "-o", picture.to_str().unwrap()]);
    assert_eq!(session.code, 2);
    let said = session.stderr.contains("would replace a tile's picture");
    assert!(said, "{}", session.stderr);
    assert_eq!(std::fs::read(&picture).unwrap(), before);
}

#[test]
fn pictures_of_other_sizes_are_scaled_with_a_warning_and_alpha_is_kept() {
    for (size, words) in
        [((20, 30), "20 × 30 pixels, not square"), ((40, 40), "the first one 20 × 20")]
    {
        let (folder, path) = with_picture(png(size.0, size.1));
        let out = folder.path().join("drawn.png");
        let out_path = out.to_str().unwrap();
        let flags = ["show", &path, "-o", out_path, "--pixels", "50"];
        run(&flags).expect(0).says(words);
        let drawn = image::open(out).unwrap().to_rgba8();
        let [first, second] = [30, 87].map(|x| *drawn.get_pixel(x, 30));
        assert!(first[0] > first[1], "half transparent on white: {first:?}");
        assert_eq!(second, Rgba([0, 0, 200, 255]));
    }
    let (_folder, path) = with_picture(png(20, 20));
    assert_eq!(run(&["show", &path, "-o", "-"]).stderr, "");
}

#[test]
fn a_png_that_would_be_too_large_is_refused() {
    let folder = tempdir().unwrap();
    let picture_path = folder.path().join("huge.png");
    let out = picture_path.to_str().unwrap();
    run(&["show", &puzzle("framed-7x7-em-7-4-8"), "-o", out, "--pixels", "4000"])
        .expect(2)
        .says("too large (at most 200 million pixels): reduce the width of a tile");
}

#[test]
fn the_picture_of_characters_fits_into_eighty_columns_and_is_read_back() {
    let session = run(&["solve", &puzzle("scramble-1"), "--draw"]);
    session.prints("% │blu+ 3↑ red-│red+ 5← blu+│blu- 4↑ red-│\n");
    assert!(!session.stdout.contains('\u{1b}'), "no colour where there is no terminal");
    let check = run_with_input(&["check", &puzzle("scramble-1"), "-"], session.stdout);
    assert_eq!(check.stdout, "arrangement 1: fits\n");
    let long = "rows: 1\ncols: 3\ntiles: {1: [a-name-that-is-far-too-long-to-draw, sun, b, sun],\n\
                2: [b, sun, a-name-that-is-far-too-long-to-draw, sun], 3: [sun, a-name-that-is-far-too-long-to-draw, sun, b]}";
    for puzzle in [long.to_owned(), fs::read_to_string(at_root(&puzzle("framed-6x6-tud"))).unwrap()]
    {
        let text = run_with_input(&["show", "-"], puzzle).stdout;
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    }
    assert!(
        run_with_input(&["show", "-"], long)
            .stdout
            .contains("a = a-name-that-is-far-too-long-to-draw\n")
    );
    assert_eq!(run(&["solve", &puzzle("scramble-1"), "--draw", "--format", "json"]).code, 2);
}

#[test]
fn the_pictures_of_the_readme_are_what_the_program_draws() {
    let docs = Path::new(crate::ROOT).join("docs");
    let shown = fs::read_to_string(docs.join("scramble-1.svg")).unwrap();
    assert_eq!(run(&["solve", &puzzle("scramble-1"), "-o", "-"]).stdout, shown);
    let folder = tempdir().unwrap();
    let out = folder.path().join("out");
    run(&["solve", BLOG, "-o", out.to_str().unwrap()]);
    let decoded = |path: PathBuf| image::open(path).unwrap().to_rgba8();
    let drawn = decoded(out.join("1.png"));
    let shown = decoded(docs.join("fish.png"));
    assert_eq!(drawn.dimensions(), shown.dimensions());
    let differing =
        drawn.pixels().zip(shown.pixels()).filter(|(a, b)| (0..4).any(|i| a[i].abs_diff(b[i]) > 8));
    assert!(differing.count() < 500, "docs/fish.png is another picture");
}

#[test]
fn completions_and_manual_pages_come_from_the_table_of_arguments() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        run(&["completions", shell]).expect(0).prints("time-limit");
    }
    let page = run(&["man"]).stdout;
    assert!(page.contains(".TH edgematch 1"));
    let page = run(&["man", "solve"]).stdout;
    assert!(page.contains("edgematch-solve") && page.contains("time\\-limit"));
    for heading in [".SH \"EXAMPLES\"\n", ".SH \"EXIT STATUS\"\n"] {
        assert!(page.contains(heading), "{heading}");
    }
    let folder = tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert_eq!(run(&["man", "--all", pages.to_str().unwrap()]).code, 0);
    assert_eq!(fs::read(pages.join("edgematch-solve.1")).unwrap(), page.as_bytes());
    assert!(pages.join("edgematch.1").exists());
    run(&["man", "dance"]).expect(2).says("solve, count, why, doctor, hint, check, compare, info");
}

/// Draws a puzzle's tiles, 100 pixels wide each, and returns the colours at these places.
fn colours(path: &str, folder: &Path, places: &[(u32, u32)]) -> Vec<Rgba<u8>> {
    let out = folder.join("drawn.png");
    let out_path = out.to_str().unwrap();
    let flags = ["show", path, "-o", out_path, "--pixels", "100"];
    run(&flags).expect(0);
    let drawn = image::open(out).unwrap().to_rgba8();
    places.iter().map(|&(x, y)| *drawn.get_pixel(x, y)).collect()
}

const RED: Rgba<u8> = Rgba([200, 0, 0, 255]);
const BLUE: Rgba<u8> = Rgba([0, 0, 200, 255]);

/// Writes a picture that is red on the left and blue on the right.
fn two_colours(path: &Path) {
    RgbaImage::from_fn(40, 40, |x, _| if x < 20 { RED } else { BLUE })
        .save_with_format(path, ImageFormat::Png)
        .unwrap();
}

#[test]
fn a_back_that_is_printed_through_shows_the_front_mirrored() {
    let folder = tempdir().unwrap();
    let yaml =
        "rows: 1\ncols: 1\nflip: mirror\npictures: \"{tile}.png\"\ntiles: {a: [x, y, z, y]}\n";
    let path = write(folder.path(), "one.yaml", yaml);
    two_colours(&folder.path().join("a.png"));
    // Each face is 100 wide, with 4 between them.
    let places = [(20, 30), (100, 30), (124, 30), (204, 30)];
    let drawn = colours(path.to_str().unwrap(), folder.path(), &places);
    assert_eq!(drawn, [RED, BLUE, BLUE, RED]);
}

#[test]
fn backs_of_their_own_need_pictures_of_their_own() {
    let folder = tempdir().unwrap();
    let yaml = |pattern: &str| {
        format!(
            "rows: 1\ncols: 1\npictures: {pattern}\ntiles: {{a: {{edges: [x, y, z, y], back: [x, \
             x, x, x]}}}}\n"
        )
    };
    two_colours(&folder.path().join("a.png"));
    two_colours(&folder.path().join("a-front.png"));
    write(folder.path(), "a-back.png", png(40, 40));
    let path = write(folder.path(), "one.yaml", yaml("\"{tile}.png\""));
    run(&["show", path.to_str().unwrap(), "-o", "-"])
        .refused()
        .says("write {face} in `pictures`, such as \"{tile}-{face}.png\"");
    let path = write(folder.path(), "one.yaml", yaml("\"{tile}-{face}.png\""));
    let places = [(20, 30), (100, 30), (124, 30), (204, 30)];
    let drawn = colours(path.to_str().unwrap(), folder.path(), &places);
    assert_eq!(drawn, [RED, BLUE, BLUE, BLUE]);
}

#[test]
fn pictures_of_triangles_are_clipped_and_turned_over_about_the_axis_that_their_sides_are() {
    let folder = tempdir().unwrap();
    let yaml =
        "board: {cells: {A: 3}}\nflip: mirror\npictures: \"{tile}.png\"\ntiles: {a: [x, y, z]}\n";
    let path = write(folder.path(), "one.yaml", yaml);
    // Red next to side 0, which is on the right, and blue elsewhere.
    RgbaImage::from_fn(100, 100, |x, _| if x > 62 { RED } else { BLUE })
        .save_with_format(folder.path().join("a.png"), ImageFormat::Png)
        .unwrap();
    // A triangle is 86.6 wide and points to the left; its back is 90.6 to the right of it.
    let places = [(14, 14), (94, 40), (40, 60), (105, 14), (185, 60), (150, 40)];
    let drawn = colours(path.to_str().unwrap(), folder.path(), &places);
    assert_eq!([drawn[0], drawn[3]], [Rgba([255; 4]); 2], "outside the triangles");
    assert_eq!(drawn[1..3], [RED, BLUE]);
    // Turning over about the vertical axis exchanges sides 0 and 1: the right side is now above.
    assert_eq!(drawn[4..], [BLUE, RED]);
}

#[test]
fn a_tile_with_its_back_up_says_so() {
    let yaml = "rows: 1\ncols: 2\nborder: z\ntiles:\n  1: {edges: [a, z, z, z], back: [b+, z, z, \
     z]}\n  2: [z, z, b-, z]\n";
    let session = run_with_input(&["solve", "-", "-o", "-"], yaml).expect(0);
    let svg = roxmltree::Document::parse(&session.stdout).unwrap();
    let titles: Vec<&str> =
        svg.descendants().filter(|n| n.has_tag_name("title")).filter_map(|n| n.text()).collect();
    assert_eq!(
        titles[1..],
        ["Tile 1, back up, rotation 0: b+, z, z, z", "Tile 2, rotation 0: z, z, b-, z"]
    );
    let mut texts = svg.descendants().filter(|n| n.has_tag_name("text"));
    assert!(texts.any(|n| n.text() == Some("back")));
    let text = run_with_input(&["solve", "-", "--draw"], yaml).stdout;
    assert!(text.contains("1↑ back"), "{text}");
    let tiles = run_with_input(&["show", "-"], yaml).stdout;
    assert!(tiles.contains("1↑ ") && tiles.contains("1↑ back"), "{tiles}");
}

/// The beginning of a puzzle on two triangles that share a side.
const TWO_SIDED: &str = "board: {cells: {A: 3, B: 3}, seams: [[A, 0, B, 0]]}\ntiles:\n";

#[test]
fn cells_that_lie_in_no_rows_are_a_table() {
    let tiles = "  one: [a+, b, c]\n  two: {edges: [x, x, x], back: [a-, d, e]}\n";
    let yaml = format!("{TWO_SIDED}{tiles}");
    let session = run_with_input(&["solve", "-", "-n", "1", "--draw"], yaml.clone()).expect(0);
    let lines: Vec<&str> = session.stdout.lines().filter(|l| l.starts_with('%')).collect();
    assert!(lines.contains(&"% cell  tile  turned  side 0  side 1  side 2"), "{lines:?}");
    assert!(lines.contains(&"% A     one   0       a+ → B  b rim   c rim"), "{lines:?}");
    assert!(lines.contains(&"% B     two   0/back  a- → A  d rim   e rim"), "{lines:?}");
    run_with_input(&["check", "-", "-"], yaml).expect(2);
}

#[test]
fn pictures_have_a_white_ground_and_name_their_images() {
    let folder = tempdir().unwrap();
    let path = puzzle("scramble-1");
    let out = folder.path().join("drawn.png");
    run(&["show", &path, "-o", out.to_str().unwrap()]).expect(0);
    assert_eq!(*image::open(out).unwrap().to_rgba8().get_pixel(1, 1), Rgba([255; 4]));
    let texts = |file: &str| {
        let svg = run(&["show", file, "-o", "-"]).stdout;
        let svg = roxmltree::Document::parse(&svg).unwrap();
        let texts = svg.descendants().filter(|n| n.has_tag_name("text"));
        let texts: Vec<String> = texts.filter_map(|n| n.text().map(str::to_owned)).collect();
        texts
    };
    assert_eq!(texts(&path)[9..], ["ylw", "red", "grn", "blu"]);
    assert!(texts(BLOG).is_empty(), "tiles with pictures need no figures");
}
