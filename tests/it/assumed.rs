//! The rules of a text, and what the caller says instead.

use edgematch::load::{self, Form, ReadOverrides};
use edgematch::problem::Problem;

/// What the caller says, as `KEY: VALUE` words of JSON.
fn told(words: &str) -> ReadOverrides {
    serde_json::from_str(&format!("{{{words}}}")).unwrap()
}

fn read(text: &str, words: &str) -> Problem {
    let options = told(words).options(str::to_owned).unwrap();
    load::from_bytes_as(text.as_bytes(), "file.txt", "file", &options).unwrap()
}

fn solutions(problem: &Problem) -> String {
    let solved = problem.solutions().all();
    assert!(solved.outcome.status.is_complete());
    solved.outcome.tally.solutions.to_string()
}

#[test]
fn rules_from_outside_hold_for_every_form() {
    let yaml = "{rows: 1, cols: 2, border: x, tiles: {1: [a, x, x, x], 2: [x, x, a, x]}}";
    let by = |words: &str| {
        let problem = read(yaml, words);
        let border = problem
            .puzzle
            .border
            .map(|border| problem.puzzle.labels.name(border));
        (border, problem.puzzle.may_turn, solutions(&problem))
    };
    assert_eq!(
        by(r#""from": "yaml""#),
        (Some("x".into()), true, "2".into())
    );
    assert_eq!(
        by(r#""from": "yaml", "rotations": false"#),
        (Some("x".into()), false, "1".into())
    );
    let (border, _, number) = by(r#""from": "yaml", "border": "none""#);
    assert_eq!((border, number.parse::<u32>().unwrap() > 2), (None, true));
    let code = Form::named("code").unwrap();
    let code = code
        .write(&load::from_str(yaml).unwrap(), None)
        .unwrap()
        .text;
    assert_eq!(read(&code, r#""border": "none""#).puzzle.border, None);
    for (border, says) in [
        ("y", "no edge shows the border `y`"),
        (
            "x+",
            "border: the border is a whole image, not a half: expected `x`, or `none`",
        ),
        ("?", "border: `?` is an unknown edge"),
    ] {
        let words = told(&format!(r#""border": "{border}""#));
        let read = words.options(str::to_owned).and_then(|options| {
            load::from_bytes_as(yaml.as_bytes(), "file.yaml", "file", &options)
        });
        assert!(read.unwrap_err().to_string().contains(says), "{border}");
    }
    let halves = told(r#""border": "a""#).options(str::to_owned).unwrap();
    let error = load::from_bytes_as(b"AbCd", "file.txt", "file", &halves).unwrap_err();
    assert!(
        error.to_string().ends_with("no edge shows the border `a`"),
        "{error}"
    );
    assert_eq!(error.help.as_deref(), Some("did you mean `A`?"));
}

#[test]
fn corners_are_listed_around_the_tile() {
    let text = |order| format!("{{order: '{order}', tiles: {{1: {{corners: [a, b, c, d]}}}}}}");
    assert!(load::from_str(&text("left,top,right,bottom")).is_ok());
    let error = load::from_str(&text("top,left,right,bottom")).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("corners in the order `top,left,right,bottom`"),
        "{error}"
    );
}
