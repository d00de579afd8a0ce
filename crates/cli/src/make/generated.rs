//! The text of a puzzle that was generated: with the flags that make it again.

use anyhow::anyhow;
use edgematch::load::Form;
use edgematch::problem::Problem;

use crate::args::{Generate, MatchingArg};
use crate::common::talk::quoted;

/// The flags that decide what is made, but for the seed, as one types them.
pub fn flags(args: &Generate) -> Vec<String> {
    let mut flags = Vec::new();
    let mut say = |flag: &str, value: Option<String>| {
        if let Some(value) = value {
            flags.push(format!("--{flag} {}", quoted(&value)));
        }
    };
    let range = |from: String, to: Option<String>| {
        let from = if from == "0" { "" } else { &from };
        format!("{from}..{}", to.unwrap_or_default())
    };
    say("size", args.size.map(|size| format!("{}x{}", size.rows, size.columns)));
    say("board", args.board.clone());
    say("images", args.images.map(|images| images.to_string()));
    say("all-tiles", args.all_tiles.map(|colours| colours.to_string()));
    say("from", args.from.as_ref().map(|file| file.display().to_string()));
    say("frame-images", args.frame_images.map(|images| images.to_string()));
    let classes = args.classes.filter(|_| !args.unique);
    say("classes", classes.map(|c| range(c.from.to_string(), c.to.map(|to| to.to_string()))));
    let difficulty = args
        .difficulty
        .map(|d| range(d.from.to_string(), d.to.is_finite().then(|| d.to.to_string())));
    say("difficulty", difficulty);
    let words = [
        ("--matching equal", args.matching == MatchingArg::Equal),
        ("--framed", args.framed),
        ("--two-sided", args.two_sided),
        ("--no-rotations", args.no_rotations),
        ("--unique", args.unique),
        ("--no-twins", args.no_twins),
    ];
    flags.extend(words.into_iter().filter(|(_, is)| *is).map(|(word, _)| word.to_owned()));
    flags
}

/// A puzzle in our own form, under this name, with the flags that made it.
pub fn written(problem: Problem, name: &str, flags: &[String]) -> anyhow::Result<String> {
    let source = format!("edgematch {}: generate {}", edgematch::VERSION, flags.join(" "));
    let problem = problem.called(name.to_owned(), Some(source));
    let written = Form::named("yaml").expect("our own form").write(&problem, None);
    Ok(written.map_err(|error| anyhow!("{error}"))?.text)
}
