//! Lists of tiles in the notations of people and other programs.

use std::collections::HashSet;

use edgematch::load::{self, ReadOptions, ReadOverrides};
use edgematch::problem::Problem;
use edgematch::puzzle::{Assumption, Oddity};
use fastrand::Rng;
use itertools::Itertools;
use num_bigint::BigUint;

fn read(text: &str, name: &str) -> Problem {
    let read = load::from_bytes_as(text.as_bytes(), name, "list", &ReadOptions::AS_WRITTEN);
    read.unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn solutions(problem: &Problem) -> BigUint {
    edgematch::solve(problem).outcome.tally.solutions
}

/// The same four tiles in our format, with two images with halves, or with whole images.
const HALVES: &str = "order: clockwise-from-top\ntiles:\n  1: [A+, B-, A-, B+]\n  2: [A-, B+, B+, A+]\n  \
                      3: [B-, A+, A+, B+]\n  4: [B+, B-, A-, A-]\n";
const WHOLE: &str = "order: clockwise-from-top\ntiles:\n  1: [red, blue, grey, blue]\n  \
                     2: [grey, blue, blue, red]\n  3: [blue, red, red, blue]\n  4: [blue, blue, grey, grey]\n";

#[test]
fn every_notation_of_halves_is_the_same_puzzle() {
    let expected = solutions(&read(HALVES, "own.yaml"));
    assert!(expected > BigUint::ZERO);
    for text in [
        "+1 -2 -1 +2\n-1 +2 +2 +1\n-2 +1 +1 +2\n+2 -2 -1 -1\n",
        "1 -2 -1 2\n-1 2 2 1\n-2 1 1 2\n2 -2 -1 -1\n",
        "A+ B- A- B+\nA- B+ B+ A+\nB- A+ A+ B+\nB+ B- A- A-\n",
        "AbaB\naBBA\nbAAB\nBbaa\n",
        "A b a B\na B B A\nb A A B\nB b a a\n",
        "2 2\nA b a B\na B B A\nb A A B\nB b a a\n",
        "1: A b a B\n2: a B B A\n3: b A A B\n4: B b a a\n",
        "1.A b a B\n2.a B B A\n3.b A A B\n4.B b a a\n",
        "2 2\n1.\tA b a B\n2.\ta B B A\n3.\tb A A B\n4.\tB b a a\n",
        "1:A b a B ; first\n2:a B B A\n3:b A A B\n4:B b a a ; last\n",
        "1 AbaB\n2 aBBA\n3 bAAB\n4 Bbaa\n",
        "1. AbaB\n2. aBBA\n3. bAAB\n4. Bbaa\n",
        "Fish bird fish Bird\nfish Bird Bird Fish\nbird Fish Fish Bird\nBird bird fish fish\n",
        "north a, south b, south a, north b\nsouth a, north b, north b, north a\nsouth b, north a, north a, north b\nnorth b, south b, south a, south a\n",
        "{\n  \"pieces\": [\n    [1, -2, -1, 2],\n    [-1, 2, 2, 1],\n    [-2, 1, 1, 2],\n    [2, -2, -1, -1]\n  ]\n}\n",
        "A1,B0,A0,B1\nA0,B1,B1,A1\nB0,A1,A1,B1\nB1,B0,A0,A0\n",
        "A H, B T, A T, B H\nA T, B H, B H, A H\nB T, A H, A H, B H\nB H, B T, A T, A T\n",
        "a head, b tail, a tail, b head\na tail, b head, b head, a head\nb tail, a head, a head, b \
         head\nb head, b tail, a tail, a tail\n",
        "a b' a' b\na' b b a\nb' a a b\nb b' a' a'\n",
        "Top,Right,Bottom,Left\na/top,b/bottom,a/bottom,b/top\na/bottom,b/top,b/top,a/top\nb/bottom,\
         a/top,a/top,b/top\nb/top,b/bottom,a/bottom,a/bottom\n",
        "[[1, -2, -1, 2], [-1, 2, 2, 1], [-2, 1, 1, 2], [2, -2, -1, -1]]",
        "1 a head, b tail, a tail, b head\n2 a tail, b head, b head, a head\n3 b tail, a head, a head, b head\n4 b head, b tail, a tail, a tail\n",
        "catH, dogT, catT, dogH\ncatT, dogH, dogH, catH\ndogT, catH, catH, dogH\ndogH, dogT, catT, catT\n",
        "'A+','B-','A-','B+'\n'A-','B+','B+','A+'\n'B-','A+','A+','B+'\n'B+','B-','A-','A-'\n",
        "Cat dog cat Dog\ncat Dog Dog Cat\ndog Cat Cat Dog\nDog dog cat cat\n",
        "2x2\nA b a B\na B B A\nb A A B\nB b a a\n",
        "1/top 2/bottom 1/bottom 2/top\n1/bottom 2/top 2/top 1/top\n2/bottom 1/top 1/top 2/top\n2/top 2/bottom 1/bottom 1/bottom\n",
        "2 x 2\nAbaB\naBBA\nbAAB\nBbaa\n",
        "A: AbaB\nB: aBBA\nC: bAAB\nD: Bbaa\n",
        "No. 1: A+ B- A- B+\nNo. 2: A- B+ B+ A+\nNo. 3: B- A+ A+ B+\nNo. 4: B+ B- A- A-\n",
        "id;Top edge;Bottom edge;Left edge;Right edge\n1;A+;A-;B+;B-\n2;A-;B+;A+;B+\n3;B-;A+;B+;A+\n4;B+;A-;A-;B-\n",
        "id;N;O;S;W\n1;A+;B-;A-;B+\n2;A-;B+;B+;A+\n3;B-;A+;A+;B+\n4;B+;B-;A-;A-\n",
        "id;N;O;S;E\n1;A+;B+;A-;B-\n2;A-;A+;B+;B+\n3;B-;B+;A+;A+\n4;B+;A-;A-;B-\n",
        "arriba,derecha,abajo,izquierda\nA+,B-,A-,B+\nA-,B+,B+,A+\nB-,A+,A+,B+\nB+,B-,A-,A-\n",
        "[{\"id\": 1, \"edges\": [\"A+\", \"B-\", \"A-\", \"B+\"]}, {\"id\": 2, \"edges\": [\"A-\", \"B+\", \"B+\", \"A+\"]}, {\"id\": 3, \"edges\": [\"B-\", \"A+\", \"A+\", \"B+\"]}, {\"id\": 4, \"edges\": [\"B+\", \"B-\", \"A-\", \"A-\"]}]",
        "id,side_top,side_right,side_bottom,side_left\n1,A+,B-,A-,B+\n2,A-,B+,B+,A+\n3,B-,A+,A+,B+\n4,B+,B-,A-,A-\n",
        "1 - a head, b tail, a tail, b head\n2 - a tail, b head, b head, a head\n3 - b tail, a head, a head, b head\n4 - b head, b tail, a tail, a tail\n",
        "T1 a head, b tail, a tail, b head\nT2 a tail, b head, b head, a head\nT3 b tail, a head, a head, b head\nT4 b head, b tail, a tail, a tail\n",
        "1) A|b|a|B @\n2) a|B|B|A @\n3) b|A|A|B @\n4) B|b|a|a @\n",
        "#,top,right,bottom,left\n1,A/top,B/bottom,A/bottom,B/top\n2,A/bottom,B/top,B/top,A/top\n3,B/bottom,A/top,A/top,B/top\n4,B/top,B/bottom,A/bottom,A/bottom\n",
        "a 1, b 2, a 2, b 1,\na 2, b 1, b 1, a 1,\nb 2, a 1, a 1, b 1,\nb 1, b 2, a 2, a 2,\n",
        "{\"tiles\": [[\"A head\", \"B tail\", \"A tail\", \"B head\"], [\"A tail\", \"B head\", \"B head\", \"A head\"], [\"B tail\", \"A head\", \"A head\", \"B head\"], [\"B head\", \"B tail\", \"A tail\", \"A tail\"]]}",
        "[{\"north\": \"A+\", \"east\": \"B-\", \"south\": \"A-\", \"west\": \"B+\"}, {\"north\": \"A-\", \"east\": \"B+\", \"south\": \"B+\", \"west\": \"A+\"}, {\"north\": \"B-\", \"east\": \"A+\", \"south\": \"A+\", \"west\": \"B+\"}, {\"north\": \"B+\", \"east\": \"B-\", \"south\": \"A-\", \"west\": \"A-\"}]",
        "AH BT AT BH\nAT BH BH AH\nBT AH AH BH\nBH BT AT AT\n",
        "a, b tail, a tail, b\na tail, b, b, a\nb tail, a, a, b\nb, b tail, a tail, a tail\n",
        "My four cards\nA b a B\na B B A\nb A A B\nB b a a\n",
        "My cards\nCard 1\nA b a B\nCard 2\na B B A\nCard 3\nb A A B\nCard 4\nB b a a\n",
        "fish head, bird tail, fish tail, bird head\nfish tail, bird head, bird head, fish head\nbird tail, fish head, fish head, bird head\nbird head, bird tail, fish tail, fish tail\n",
        "Card 1\nA b a B\nCard 2\na B B A\nCard 3:\nb A A B\nCard 4:\nB b a a\n",
        "HA TB TA HB\nTA HB HB HA\nTB HA HA HB\nHB TB TA TA\n",
        "a Bein, b Nase, a Nase, b Bein\na Nase, b Bein, b Bein, a Bein\nb Nase, a Bein, a Bein, b Bein\nb Bein, b Nase, a Nase, a Nase\n",
        "Cat head, dog tail, cat tail, dog head\nCat tail, dog head, dog head, cat head\nDog tail, cat head, cat head, dog head\nDog head, dog tail, cat tail, cat tail\n",
        "1a 2b 1b 2a\n1b 2a 2a 1a\n2b 1a 1a 2a\n2a 2b 1b 1b\n",
        "a b’ a’ b\na’ b b a\nb’ a a b\nb b’ a’ a’\n",
        "cat+ dog− cat− dog+\ncat− dog+ dog+ cat+\ndog− cat+ cat+ dog+\ndog+ dog− cat− cat−\n",
        "cat -dog -cat dog\n-cat dog dog cat\n-dog cat cat dog\ndog -dog -cat -cat\n",
        "#1 A b a B\n#2 a B B A\n#3 b A A B\n#4 B b a a\n",
        "Card #1: A+ B- A- B+\nCard #2: A- B+ B+ A+\nCard #3: B- A+ A+ B+\nCard #4: B+ B- A- A-\n",
        "a top half, b bottom half, a bottom half, b top half\na bottom half, b top half, b top half, a top half\nb bottom half, a top half, a top half, b top half\nb top half, b bottom half, a bottom half, a bottom half\n",
        "A+ B– A– B+\nA– B+ B+ A+\nB– A+ A+ B+\nB+ B– A– A–\n",
        "a (head), b (tail), a (tail), b (head)\na (tail), b (head), b (head), a (head)\nb (tail), a (head), a (head), b (head)\nb (head), b (tail), a (tail), a (tail)\n",
        "(A, b, a, B),\n(a, B, B, A),\n(b, A, A, B),\n(B, b, a, a)\n",
        "(1) A b a B\n(2) a B B A\n(3) b A A B\n(4) B b a a\n",
        "A↑ B↓ A↓ B↑\nA↓ B↑ B↑ A↑\nB↓ A↑ A↑ B↑\nB↑ B↓ A↓ A↓\n",
        "A♂ B♀ A♀ B♂\nA♀ B♂ B♂ A♂\nB♀ A♂ A♂ B♂\nB♂ B♀ A♀ A♀\n",
        "Top Side,Bottom Side,Left Side,Right Side\nA+,A-,B+,B-\nA-,B+,A+,B+\nB-,A+,B+,A+\nB+,A-,A-,B-\n",
        "top=A+, bottom=A-, left=B+, right=B-\ntop=A-, bottom=B+, left=A+, right=B+\ntop=B-, bottom=A+, left=B+, right=A+\ntop=B+, bottom=A-, left=A-, right=B-\n",
        "1: top A+, right B-, bottom A-, left B+\n2: top A-, right B+, bottom B+, left A+\n3: top B-, right A+, bottom A+, left B+\n4: top B+, right B-, bottom A-, left A-\n",
        "T:A+ B:A- L:B+ R:B-\nT:A- B:B+ L:A+ R:B+\nT:B- B:A+ L:B+ R:A+\nT:B+ B:A- L:A- R:B-\n",
        "| top | right | bottom | left |\n|---|:---:|---|---|\n| A+ | B- | A- | B+ |\n| A- | B+ | B+ | A+ |\n| B- | A+ | A+ | B+ |\n| B+ | B- | A- | A- |\n",
        "sep=;\nU;D;L;R\nA+;A-;B+;B-\nA-;B+;A+;B+\nB-;A+;B+;A+\nB+;A-;A-;B-\n",
        "tiles:\n- A+, B-, A-, B+\n- A-, B+, B+, A+\n- B-, A+, A+, B+\n- B+, B-, A-, A-\n",
        "{\"width\": 2, \"height\": 2, \"pieces\": [[1, -2, -1, 2], [-1, 2, 2, 1], [-2, 1, 1, 2], [2, -2, -1, -1]]}",
        "# a comment\nA b a B // another\n\n; and one\na B B A\nb A A B\nB b a a\n",
    ] {
        assert_eq!(solutions(&read(text, "list")), expected, "{text}");
    }
}

#[test]
fn every_notation_of_whole_images_is_the_same_puzzle() {
    let expected = solutions(&read(WHOLE, "own.yaml"));
    assert!(expected > BigUint::ZERO);
    for text in [
        "red blue grey blue\ngrey blue blue red\nblue red red blue\nblue blue grey grey\n",
        "R B G B\nG B B R\nB R R B\nB B G G\n",
        "2\nR B G B\nG B B R\nB R R B\nB B G G\n",
        "0\nR B G B\nG B B R\nB R R B\nB B G G\n",
        "R B G B G B B R B R R B B B G G",
        "1 2 3 2\n3 2 2 1\n2 1 1 2\n2 2 3 3\n",
        "1001 1002 1003 1002\n1003 1002 1002 1001\n1002 1001 1001 1002\n1002 1002 1003 1003\n",
        "RBGB\nGBBR\nBRRB\nBBGG\n",
        "2 RBGB GBBR BRRB BBGG\n",
        "2 2\nRBGB GBBR\nBRRB BBGG\n",
        "red blue grey blue grey blue blue red blue red red blue blue blue grey grey\n",
        "2 2\npink\nblue\ngrey\nblue\ngrey\nblue\nblue\npink\nblue\npink\npink\nblue\nblue\nblue\ngrey\ngrey\n",
        "ID A B C D\n1 R B G B\n2 G B B R\n3 B R R B\n4 B B G G\n",
        "1. 1 2 3 2\n2. 3 2 2 1\n3. 2 1 1 2\n4. 2 2 3 3\n",
        "1232\n3221\n2112\n2233\n",
        "2\n1\n2\n3\n2\n3\n2\n2\n1\n2\n1\n1\n2\n2\n2\n3\n3\n",
        "2 2\n1\n2\n3\n2\n3\n2\n2\n1\n2\n1\n1\n2\n2\n2\n3\n3\n",
        "{\"pieces\": [[\"R\",\"B\",\"G\",\"B\"],[\"G\",\"B\",\"B\",\"R\"],[\"B\",\"R\",\"R\",\"B\"],[\"B\",\
         \"B\",\"G\",\"G\"]]}",
        "1, rose, blue, grey, blue\n2, grey, blue, blue, rose\n3, blue, rose, rose, blue\n4, blue, blue, grey, grey\n",
        "red, blue, grey, blue.\ngrey, blue, blue, red.\nblue, red, red, blue.\nblue, blue, grey, grey.\n",
        "N,E,S,W\nred,blue,grey,blue\ngrey,blue,blue,red\nblue,red,red,blue\nblue,blue,grey,grey\n",
        "T\tL\tB\tR\nR\tB\tG\tB\nG\tR\tB\tB\nB\tB\tR\tR\nB\tG\tG\tB\n",
        "ID;north;west;south;east\n1;R;B;G;B\n2;G;R;B;B\n3;B;B;R;R\n4;B;G;G;B\n",
    ] {
        assert_eq!(solutions(&read(text, "list")), expected, "{text}");
    }
}

#[test]
fn files_of_other_programs_state_their_assumptions() {
    for (file, sides, halves) in [
        ("colours.txt", 4, None),
        ("n-line.txt", 4, None),
        ("header.csv", 4, Some("words")),
        ("letter-bit.txt", 4, Some("a character")),
        ("pieces.json", 4, None),
        ("signed.json", 4, Some("signs")),
        ("signed-flat.txt", 4, Some("signs")),
        ("triangles.csv", 3, None),
    ] {
        let path = format!("{}/tests/cases/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let problem = read(&text, file);
        assert_eq!(problem.puzzle.tiles[0].sides(), sides, "{file}");
        let stated: Vec<String> = problem.puzzle.assumed.iter().map(ToString::to_string).collect();
        let said = halves.map(|halves| format!("halves of images are distinguished by {halves}"));
        let has = said.is_none_or(|said| stated.contains(&said));
        assert!(has, "{file}: {stated:?}");
        let no_frame = "`0` is not the border".to_owned();
        assert_eq!(stated.contains(&no_frame), file == "signed-flat.txt", "{file}: {stated:?}");
        let has_order = stated.iter().any(|fact| fact.starts_with("edges are listed"));
        assert_eq!(has_order, sides == 4 && file != "header.csv", "{file}: {stated:?}");
        assert!(stated.contains(&"tiles may be turned".to_owned()), "{file}: {stated:?}");
    }
}

#[test]
fn digits_are_read_in_the_order_that_fits() {
    let cards = planted(&mut Rng::with_seed(1), 6, false, None);
    let digit = |(image, _): (usize, bool)| (image - 1).to_string();
    let columns: Vec<Card> = cards.iter().map(|c| vec![c[0], c[2], c[3], c[1]]).collect();
    let problem = read(&lines_of(&columns, " ", digit), "list");
    let stated: Vec<String> = problem.puzzle.assumed.iter().map(ToString::to_string).collect();
    let order = "edges are listed top, bottom, left, right".to_owned();
    assert!(stated.contains(&order), "{stated:?}");
}

#[test]
fn a_frame_on_turned_tiles_states_the_order() {
    // As edges clockwise, both orders put the frame on opposite sides of some corners.
    for (order, jumped) in
        [("top,left,right,bottom", [0, 3, 1, 2]), ("top,bottom,left,right", [0, 2, 3, 1])]
    {
        let turned = [0, 1, 2, 3, 0, 1, 2, 3, 0];
        let cells = [
            [0, 1, 2, 0],
            [0, 2, 1, 1],
            [0, 0, 3, 2],
            [2, 3, 1, 0],
            [1, 1, 2, 3],
            [3, 0, 1, 1],
            [1, 2, 0, 0],
            [2, 3, 0, 2],
            [1, 0, 0, 3],
        ];
        let line = |(cell, by): ([i32; 4], usize)| {
            let turned = [0, 1, 2, 3].map(|side| cell[(side + by) % 4]);
            jumped.map(|side| turned[side]).iter().join(" ") + "\n"
        };
        let text: String = cells.into_iter().zip(turned).map(line).collect();
        let problem = read(&text, "list");
        assert!(solutions(&problem) > BigUint::ZERO, "{text}");
        assert!(problem.puzzle.assumed.contains(&Assumption::Order(order.to_owned())), "{text}");
    }
}

#[test]
fn a_column_of_consecutive_numbers_numbers_triangles() {
    let edges = ["3 1 1", "1 4 1", "2 2 3", "4 1 2", "2 3 3", "1 1 2", "4 2 2", "3 1 4", "2 2 1"];
    let numbered: String = (1..).zip(edges).map(|(n, edges)| format!("{n} {edges}\n")).collect();
    assert_eq!(read(&numbered, "list").puzzle.tiles[8].edges.len(), 3);
}

#[test]
fn a_question_mark_is_an_unknown_edge() {
    let expected = solutions(&read(&WHOLE.replacen("red, blue", "red, \"?\"", 1), "own.yaml"));
    for text in [
        "1 ? 3 2\n3 2 2 1\n2 1 1 2\n2 2 3 3\n",
        "1?32\n3221\n2112\n2233\n",
        "R?GB\nGBBR\nBRRB\nBBGG\n",
    ] {
        assert_eq!(solutions(&read(text, "list")), expected, "{text}");
    }
}

#[test]
fn an_image_on_the_whole_rim_is_the_frame() {
    let frame = |rim: &str| {
        let text =
            "b * d d\nc b * *\n* * c a\nd * * b\na d c *\n* b b *\nb d a d\nb a b *\n* b b c\n";
        read(&text.replace('*', rim), "list").puzzle.clone()
    };
    for rim in ["grey", "00", "9", "0"] {
        let framed = frame(rim);
        assert_eq!(framed.border.map(|border| framed.labels.name(border)).as_deref(), Some(rim));
        assert!(framed.assumed.iter().any(|fact| fact.to_string().contains("is the border")));
    }
}

#[test]
fn numbers_without_bounds_are_no_size() {
    for head in ["4000000000000 4000000000000", "9999999999 9999999999 9999999999 9999999999"] {
        let text = format!("{head}\n1\n2\n3\n4\n5\n6\n7\n8\n");
        load::from_bytes_as(text.as_bytes(), "list", "list", &ReadOptions::AS_WRITTEN).unwrap_err();
    }
}

#[test]
fn initials_of_halves_may_be_colours() {
    let problem = read("RL GR BL YR\nRR GL BR YL\nRL GL BL YL\nRR GR BR YR\n", "list");
    assert_eq!(problem.puzzle.labels.images(), 4);
}

#[test]
fn two_letters_are_one_name() {
    let problem = read("ab ba aa bb\nba ab ab aa\naa bb bb ba\nbb aa ba ab\n", "list");
    assert_eq!(problem.puzzle.image_uses().len(), 4);
    assert!(edgematch::problem::oddities::warnings(&problem).is_empty());
}

#[test]
fn a_title_with_the_word_of_a_tile_is_a_tile() {
    let text = "red green violet\nviolet green green red\ngreen red red green\ngreen green violet violet\n";
    let read = load::from_bytes_as(text.as_bytes(), "list", "list", &ReadOptions::AS_WRITTEN);
    assert!(read.unwrap_err().to_string().contains("3 words for this tile, expected 4"));
}

#[test]
fn a_title_or_a_comment_may_state_the_order() {
    let order = |head: &str| {
        let text = format!("{head}AH BT AT BH\nAT BH BH AH\nBT AH AH BH\nBH BT AT AT\n");
        let problem = read(&text, "list");
        let is_stated = problem.puzzle.assumed.iter().all(|one| !one.to_string().contains("edges"));
        (problem.puzzle.tiles[0].edges.clone(), is_stated)
    };
    let clockwise = order("Top Right Bottom Left\n").0;
    assert_eq!(order("# clockwise from the top\n"), (clockwise.clone(), false));
    assert_eq!(order("My cards: Oben, Rechts, Unten, Links\n"), (clockwise.clone(), true));
    assert_eq!(order("Frogs\n"), (clockwise.clone(), false));
    assert_eq!(order("# r turns a card counter-clockwise\n"), (clockwise.clone(), false));
    let other = order("counter-clockwise from the top\n");
    assert!(other.0 != clockwise && !other.1);
    assert_eq!(order("# counter-clockwise from the top\n"), other);
    assert_eq!(order("# solved from the left to the right, top to bottom\n").0, clockwise);
    assert_eq!(order("# card 3 was lying counter-clockwise from the right\n").0, clockwise);
    let text = "top, rihgt, bottom, left, back\na,b,a,b\nb,a,b,b\na,a,b,a\na,b,b,a\n";
    let read = load::from_bytes_as(text.as_bytes(), "list", "list", &ReadOptions::AS_WRITTEN);
    assert!(read.unwrap_err().to_string().contains("each of the four sides once"));
}

#[test]
fn images_that_look_like_halves_may_be_whole() {
    let text = "A1 B2 A2 B1\nA2 B1 B1 A1\nB2 A1 A1 B1\nB1 B2 A2 A2\n";
    let whole = ReadOverrides { from: Some("whole".into()), ..ReadOverrides::default() };
    let whole = whole.options(str::to_owned).unwrap();
    let whole = load::from_bytes_as(text.as_bytes(), "list", "list", &whole).unwrap();
    assert_eq!([read(text, "list"), whole].map(|one| one.puzzle.labels.images()), [2, 4]);
}

#[test]
fn a_word_without_its_half_is_refused_where_it_stands() {
    let text = "a head, b tail, a tail, b head\na tail, b head, b head, a\nb tail, a head, a head, b head\n\
                b head, b tail, a tail, a tail\n";
    let read = load::from_bytes_as(text.as_bytes(), "list", "list", &ReadOptions::AS_WRITTEN);
    let error = read.unwrap_err();
    assert_eq!(error.position, Some((2, 25)));
    assert!(error.to_string().contains("`a` does not say which half, as `a "), "{error}");
}

#[test]
fn a_first_card_with_images_of_its_own_is_a_card() {
    let list = "a+ b- a- b+\na- b+ b+ a+\nb- a+ a+ b+\nb+ b- a- a-\n";
    for first in ["sun+ moon- star+ comet-\n", "1: sun+ moon- star+ comet-\n"] {
        let text = format!("{first}{list}");
        let board =
            ReadOverrides { board: Some("{grid: [1, 5]}".into()), ..ReadOverrides::default() };
        let board = board.options(str::to_owned).unwrap();
        let problem = load::from_bytes_as(text.as_bytes(), "list", "list", &board).unwrap();
        assert_eq!((problem.puzzle.tiles.len(), &problem.puzzle.title), (5, &None));
    }
}

#[test]
fn a_letter_of_a_side_may_be_a_colour() {
    let problem = read("T R B L\nR T L B\nB L T R\nL B R T\n", "list");
    assert_eq!(problem.puzzle.tiles.len(), 4);
}

#[test]
fn a_flat_side_matches_itself() {
    let problem = read("0 1 -2 0\n0 2 -2 -1\n-2 0 2 -2\n2 -2 -1 0\n", "list");
    let flat = problem.puzzle.labels.all().find(|&label| problem.puzzle.labels.name(label) == "0");
    let flat = flat.expect("0 is an image");
    assert_eq!(problem.puzzle.labels.mate(flat), flat);
    assert_eq!(problem.puzzle.border, None);
}

#[test]
fn texts_that_are_not_lists_of_tiles_are_rejected() {
    for text in [
        "a b c d\n",
        "a b c d\na b c\n",
        "this is a sentence\nand another one\n",
        "1 2\n3 4\n",
        "just text\n",
        "some more prose here now\nand more of it here\n",
        "four\nword\nfile\nhere\n",
        "[(1, 2, 3, 4), (2, 1, 4, 3)]",
        "[package]\nname = \"x\"\n",
        "[[a, b, c, \"-\"], [a, b, c, d]]",
        "1 2 3 4\n2 x 3 1\n",
        "name,age,city,job\nBob,3,Rome,cook\nAnn,4,Bonn,maid\nEve,5,Kiel,smith\n",
        "//! A comment: of code\n//!\nuse it;\n",
    ] {
        let read = load::from_bytes_as(text.as_bytes(), "list", "list", &ReadOptions::AS_WRITTEN);
        assert!(read.is_err(), "{text}");
    }
}

#[test]
fn mistakes_beside_the_tiles_are_named() {
    let tiles = "[[1, 2, 3, 4], [2, 1, 4, 3], [3, 4, 1, 2], [4, 3, 2, 1]]";
    let own = "\"tiles\": {\"1\": [1, 2, 3, 4]}}";
    for (text, expected) in [
        (format!("{{\"rows\": 2, \"pieces\": {tiles}}}"), "the size is neither"),
        (format!("{{\"size\": [2, 2, 1], \"pieces\": {tiles}}}"), "the size is neither"),
        (format!("{{\"size\": 3, \"pieces\": {tiles}}}"), "announces 3 × 3 = 9 tiles"),
        (format!("{{\"turn\": 0, \"pieces\": {tiles}}}"), "unknown key `turn` beside the tiles"),
        (format!("{{\"oder\": [\"top\"], {own}"), "did you mean `order`?"),
        (format!("{{\"source\": \"see: [1]\", \"colls\": 1, {own}"), "did you mean `cols`?"),
        (format!("{{\"order\": [\"top\", \"botom\"], {own}"), "did you mean `bottom`?"),
        (format!("{{\"order\": [\"top\", \"left\"], {own}"), "not four different ones"),
        (
            "sun> moon> sun< moon<\nsun moon moon sun\nmoon sun sun moon\nmoon moon sun sun\n"
                .into(),
            "list:1:1: `sun>` is not an edge",
        ),
        (
            "id,top,left,bottom,right\n1,a,b,a,b\n2,b,a,b\n3,a,b,b,b\n4,b,b,b,a\n".into(),
            "3 words for this tile, expected 4",
        ),
        (
            "oberhalb,daneben,unterhalb,davor\nb,d,a,c\nd,c,b,a\na,b,c,d\nc,a,d,b\n".into(),
            "no edge of this line occurs in another",
        ),
        (
            "milk eggs bread butter\nroses are red today\nviolets are blue now\nand so are you\n"
                .into(),
            "13 of 16 edges occur once",
        ),
    ] {
        let read = load::from_bytes_as(text.as_bytes(), "list", "list", &ReadOptions::AS_WRITTEN);
        let error = read.expect_err(&text).render();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_size_may_be_beside_the_tiles() {
    let tiles = "[[1, 2, 3, 4], [2, 1, 4, 3], [3, 4, 1, 2]]";
    for text in [
        format!("{{\"rows\": 1, \"cols\": 3, \"pieces\": {tiles}}}"),
        format!(
            "rows: 1\ncols: 3\npieces:\n{}",
            tiles.replace("[[", "- [").replace("], ", "]\n- ").replace("]]", "]")
        ),
        format!("pieces: {tiles}\nsize: [1, 3]"),
    ] {
        assert_eq!(read(&text, "list").board.rectangle(), Some((1, 3)), "{text}");
    }
}

/// An unknown edge may lie beside an edge that occurs once.
#[test]
fn edges_that_occur_once_may_lie_beside_unknown_ones() {
    let tile = |tile: i32| format!("a{tile} b{tile} ? ?\n");
    let text: String = (0..9).map(tile).collect();
    assert_eq!(read(&text, "list").puzzle.tiles.len(), 9);
}

#[test]
fn whole_images_named_like_halves_are_reported() {
    let text = "tiles:\n  1: [cat head, b+, cat tail, b-]\n  2: [cat tail, b-, cat head, b+]\nrows: 1\ncols: 2\n";
    let warnings = edgematch::problem::oddities::warnings(&read(text, "cats.yaml"));
    let said: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    let expected = "`cat head` and `cat tail` are separate images here";
    assert!(said[0].contains(expected), "{said:?}");
    assert!(warnings[0].help.contains("`cat+` and `cat-`"));
}

/// Any two last or first words may name halves, if they do so for several images about equally often.
#[test]
fn any_two_words_may_name_halves() {
    let warned = |words: [&str; 4]| {
        let [a, b, c, d] = words;
        let text = format!(
            "tiles:\n  1: [{a}, {b}, {c}, {d}]\n  2: [{c}, {d}, {a}, {b}]\nrows: 1\ncols: 2\n"
        );
        let warnings = edgematch::problem::oddities::warnings(&read(&text, "cards.yaml"));
        let of_halves = warnings.into_iter().filter(|one| one.oddity == Oddity::WordHalves);
        of_halves.map(|one| one.message).collect::<Vec<String>>()
    };
    let expected = "`red Nase` and `red Bein`, and another such pair, are separate images here, each of which \
                    matches itself";
    assert_eq!(warned(["red Nase", "red Bein", "blue Nase", "blue Bein"]), [expected]);
    assert_eq!(warned(["redNase", "redBein", "blueNase", "blueBein"]).len(), 1);
    assert_eq!(warned(["YH", "YT", "BH", "BT"]).len(), 1);
    assert_eq!(warned(["cat", "cat tail", "dog", "frog"]).len(), 1);
    for unlike in [
        ["red Nase", "red Bein", "blue Nase", "green Bein"],
        ["red Nase", "red Bein", "blue Nase", "blue Hand"],
        ["image 1", "image 2", "image 3", "image 4"],
        ["red Nase+", "red Bein+", "blue Nase+", "blue Bein+"],
    ] {
        assert_eq!(warned(unlike), [""; 0], "{unlike:?}");
    }
}

/// A tile listed clockwise from the top; each edge has an image, and true for its plus half.
type Card = Vec<(usize, bool)>;

/// The tiles of a solved 3×3 board, each rotated at random if `may_turn`; `rim` is the image on the
/// rim.
fn planted(random: &mut Rng, images: usize, may_turn: bool, rim: Option<usize>) -> Vec<Card> {
    let mut edge = || (random.usize(..images) + 1, random.bool());
    let across: Vec<(usize, bool)> = (0..12).map(|_| edge()).collect();
    let down: Vec<(usize, bool)> = (0..12).map(|_| edge()).collect();
    let other = |(image, is_plus): (usize, bool)| (image, !is_plus);
    let mut cards: Vec<Card> = Vec::new();
    for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
        let outside = |is_rim: bool, edge| match rim {
            Some(image) if is_rim => (image, true),
            _ => edge,
        };
        let mut card = vec![
            outside(row == 0, down[row * 3 + column]),
            outside(column == 2, other(across[row * 4 + column + 1])),
            outside(row == 2, other(down[row * 3 + 3 + column])),
            outside(column == 0, across[row * 4 + column]),
        ];
        if may_turn {
            card.rotate_left(random.usize(..4));
        }
        cards.push(card);
    }
    random.shuffle(&mut cards);
    cards
}

/// The same cards in our format.
fn own(cards: &[Card], header: &str, edge: impl Fn((usize, bool)) -> String) -> String {
    let tiles = cards.iter().enumerate().map(|(index, card)| {
        format!("  t{index}: [{}]\n", card.iter().map(|&e| edge(e)).join(", "))
    });
    format!("{header}tiles:\n{}", tiles.collect::<String>())
}

fn lines_of(cards: &[Card], between: &str, edge: impl Fn((usize, bool)) -> String) -> String {
    let line = |card: &Card| card.iter().map(|&e| edge(e)).join(between) + "\n";
    cards.iter().map(line).collect()
}

fn letter(image: usize) -> char {
    char::from(b'@' + image as u8)
}

const CLOCKWISE: &str = "order: clockwise-from-top\n";

#[test]
fn random_halves_have_the_same_count_in_every_notation() {
    for seed in 0..24 {
        let mut random = Rng::with_seed(seed);
        let cards = planted(&mut random, 4, true, None);
        let shown: HashSet<(usize, bool)> = cards.iter().flatten().copied().collect();
        if shown.len() < 8 {
            // An image with only one half cannot be distinguished from a whole one.
            continue;
        }
        let signed =
            |(image, is_plus): (usize, bool)| format!("{}{image}", if is_plus { "" } else { "-" });
        let cased = |(image, is_plus): (usize, bool)| {
            let letter = letter(image);
            if is_plus { letter } else { letter.to_ascii_lowercase() }.to_string()
        };
        let worded = |between: &'static str, plus: &'static str, minus: &'static str| {
            move |(image, is_plus): (usize, bool)| {
                format!("{}{between}{}", letter(image), if is_plus { plus } else { minus })
            }
        };
        let listed = |card: &Card| format!("[{}]", card.iter().map(|&e| signed(e)).join(", "));
        let lists = cards.iter().map(listed).join(", ");
        let mapped = |card: &Card| {
            let sides = ["top", "right", "bottom", "left"].iter().zip(card);
            format!(
                "{{{}}}",
                sides.map(|(side, &e)| format!("{side}: {}", worded("", "+", "-")(e))).join(", ")
            )
        };
        let pair = |&(image, is_plus): &(usize, bool)| {
            format!("[\"{}\", {}]", letter(image), u8::from(is_plus))
        };
        let pairs =
            cards.iter().map(|card| format!("[{}]", card.iter().map(pair).join(", "))).join(", ");
        let spread = cards.iter().zip(1..).map(|(card, number)| {
            let [top, right, bottom, left] =
                [0, 1, 2, 3].map(|side| worded("/", "top", "bottom")(card[side]));
            format!("{number};{left};{bottom};{top};{right}\n")
        });
        let texts = [
            lines_of(&cards, " ", signed),
            lines_of(&cards, ", ", |e| if e.1 { format!("+{}", e.0) } else { signed(e) }),
            lines_of(&cards, " ", worded("", "+", "-")),
            lines_of(&cards, "", cased),
            lines_of(&cards, "\t", cased),
            format!("3 3\n{}", lines_of(&cards, " ", cased)),
            format!("9\n{}", lines_of(&cards, " ", cased)),
            lines_of(&cards, "", cased).replace('\n', " "),
            lines_of(&cards, ",", worded("", "1", "0")),
            lines_of(&cards, "; ", worded(" ", "H", "T")),
            lines_of(&cards, ", ", worded(" ", "upper", "lower")),
            lines_of(&cards, ",", worded("/", "left", "right")),
            lines_of(&cards, " ", worded("", "", "'")),
            numbered(". ", &lines_of(&cards, " ", cased)).replace('\n', " // a card\n"),
            numbered(") ", &lines_of(&cards, " ", cased)).replace('\n', " ; a card\n"),
            format!("ID;Left;Bottom;Top;Right\n{}", spread.collect::<String>()),
            format!("[{lists}]"),
            format!("{{\"pieces\": [{lists}]}}"),
            format!("{{\n  \"pieces\": [\n    {lists}\n  ]\n}}\n"),
            format!("{{\"size\": 3, \"pieces\": [{lists}]}}"),
            format!("{{\n  \"cols\": 3,\n  \"rows\": 3,\n  \"pieces\": [\n    {lists}\n  ]\n}}\n"),
            numbered(".", &lines_of(&cards, " ", cased)),
            numbered(":\t", &lines_of(&cards, " ", cased)),
            numbered(" ", &lines_of(&cards, "", cased)),
            numbered(": ", &lines_of(&cards, "", cased)),
            format!("pieces:\n  - {}\n", cards.iter().map(listed).join("\n  - ")),
            format!("[{pairs}]"),
            cards.iter().map(|card| format!("- {}\n", mapped(card))).collect(),
            format!(
                "tiles:\n{}",
                cards.iter().map(|card| format!("  - {}\n", mapped(card))).collect::<String>()
            ),
            cards.iter().zip(1..).map(|(card, n)| format!("{n}: {}\n", mapped(card))).collect(),
        ];
        let expected = solutions(&read(&own(&cards, CLOCKWISE, worded("", "+", "-")), "own.yaml"));
        assert!(expected > BigUint::ZERO);
        for text in texts {
            assert_eq!(solutions(&read(&text, "list")), expected, "seed {seed}\n{text}");
        }
        // 0 on the rim is not a half.
        let framed = planted(&mut random, 3, true, Some(0));
        let is_rim = |(image, _): (usize, bool)| image == 0;
        let rim = |name: &dyn Fn((usize, bool)) -> String, between| {
            lines_of(&framed, between, |e| if is_rim(e) { "0".to_owned() } else { name(e) })
        };
        if framed.iter().flatten().unique().count() < 7 {
            continue;
        }
        let header = format!("{CLOCKWISE}border: frame\n");
        let edge = |e| if is_rim(e) { "frame".to_owned() } else { worded("", "+", "-")(e) };
        let expected = solutions(&read(&own(&framed, &header, edge), "own.yaml"));
        for text in [
            rim(&signed, " "),
            rim(&cased, " "),
            rim(&cased, ""),
            rim(&worded("", "1", "0"), ","),
            rim(&worded("", "H", "T"), " "),
            rim(&worded(" ", "head", "tail"), ", "),
            rim(&worded("", "", "'"), " "),
        ] {
            assert_eq!(solutions(&read(&text, "list")), expected, "seed {seed}\n{text}");
        }
    }
}

/// The lines, each after its number and this mark.
fn numbered(mark: &str, lines: &str) -> String {
    lines.lines().zip(1..).map(|(line, number)| format!("{number}{mark}{line}\n")).collect()
}

#[test]
fn random_whole_images_have_the_same_count_in_every_notation() {
    const ORDER: &str = "top,left,right,bottom";
    for seed in 0..24 {
        let mut random = Rng::with_seed(seed);
        let number = |(image, _): (usize, bool)| image.to_string();
        let name = |(image, _): (usize, bool)| {
            ["red", "blue", "grey", "pink", "gold"][image - 1].to_owned()
        };
        let initial = |(image, _): (usize, bool)| letter(image).to_string();
        let cards = planted(&mut random, 5, true, None);
        let expected = solutions(&read(&own(&cards, CLOCKWISE, name), "own.yaml"));
        let jumped: Vec<Card> = cards.iter().map(|c| vec![c[0], c[3], c[1], c[2]]).collect();
        let jumping =
            ReadOverrides { edge_order: Some(ORDER.to_owned()), ..ReadOverrides::default() };
        let jumping = jumping.options(str::to_owned).unwrap();
        for text in [lines_of(&jumped, " ", name), lines_of(&jumped, "", number)] {
            let problem = load::from_bytes_as(text.as_bytes(), "list", "list", &jumping).unwrap();
            assert_eq!(solutions(&problem), expected, "seed {seed}\n{text}");
        }
        for text in [
            lines_of(&cards, " ", name),
            lines_of(&cards, ",", number),
            lines_of(&cards, "", number),
            format!("3 {}", lines_of(&cards, "", number).replace('\n', " ")),
            lines_of(&cards, " ", initial),
            format!("0\n{}", lines_of(&cards, " ", initial)),
            lines_of(&cards, "\n", initial),
            format!("3\n{}", lines_of(&cards, "\n", initial)),
            format!(
                "[{}]",
                cards
                    .iter()
                    .map(|c| format!("[{}]", c.iter().map(|&e| number(e)).join(",")))
                    .join(",")
            ),
        ] {
            assert_eq!(solutions(&read(&text, "list")), expected, "seed {seed}\n{text}");
        }
        // A frame, and numbers that are not rotated.
        let framed = planted(&mut random, 5, true, Some(0));
        let expected =
            solutions(&read(&own(&framed, &format!("{CLOCKWISE}border: 0\n"), number), "own.yaml"));
        for text in
            [lines_of(&framed, " ", number), format!("3 3\n{}", lines_of(&framed, ",", number))]
        {
            assert_eq!(solutions(&read(&text, "list")), expected, "seed {seed}\n{text}");
        }
        let digit = |(image, _): (usize, bool)| (image - 1).to_string();
        let fixed = planted(&mut random, 6, false, None);
        let header = format!("{CLOCKWISE}rotations: false\n");
        let expected = solutions(&read(&own(&fixed, &header, digit), "own.yaml"));
        for text in [lines_of(&fixed, " ", digit), lines_of(&fixed, "", digit)] {
            let problem = read(&text, "list");
            assert_eq!(
                (solutions(&problem), problem.puzzle.may_turn),
                (expected.clone(), false),
                "seed {seed}\n{text}"
            );
        }
    }
}

#[test]
fn random_triangles_and_hexagons_have_the_same_count_in_every_notation() {
    let boards = [("board: {triangles: ['..#..', '.###.']}\n", 4, 3), ("board: flower\n", 7, 6)];
    for (seed, (board, tiles, sides)) in (0..20).flat_map(|seed| boards.map(|board| (seed, board)))
    {
        let mut random = Rng::with_seed(seed);
        let card = |_| (0..sides).map(|_| (random.usize(1..4), random.bool())).collect();
        let cards: Vec<Card> = (0..tiles).map(card).collect();
        let number = |(image, _): (usize, bool)| image.to_string();
        let signed =
            |(image, is_plus): (usize, bool)| format!("{image}{}", if is_plus { '+' } else { '-' });
        let whole = solutions(&read(&own(&cards, board, number), "own.yaml"));
        let halves = solutions(&read(&own(&cards, board, signed), "own.yaml"));
        for between in [" ", ",", ", ", ";"] {
            let text = lines_of(&cards, between, number);
            assert_eq!(solutions(&read(&text, "list")), whole, "seed {seed}\n{text}");
            let text = lines_of(&cards, between, signed);
            assert_eq!(solutions(&read(&text, "list")), halves, "seed {seed}\n{text}");
        }
    }
}

#[test]
fn a_sign_before_the_first_edge_is_no_number_of_a_tile() {
    let problem = load::from_str("+1 -1 -2 -1\n").unwrap();
    assert_eq!(problem.puzzle.tiles[0].edges.len(), 4);
}
