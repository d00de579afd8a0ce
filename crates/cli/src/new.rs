//! `edgematch new`: a puzzle typed card by card in the terminal.
//!
//! What looks mistyped is said at once, while the card is still in the hand.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use anyhow::bail;
use edgematch::load;
use edgematch::problem::Problem;
use edgematch::puzzle::{EdgeName, Half, turns};
use edgematch::warnings::similar;
use edgematch_draw as draw;
use itertools::Itertools;

use super::args::{New, Size, rows_and_columns};
use super::talk::{ask, say, show};
use super::whole::write_whole;
use super::{exit, terminal};

/// Edges of a card.
const SIDES: usize = 4;

/// Runs the command; gives the exit code.
pub fn run(args: &New) -> anyhow::Result<u8> {
    if args.file.exists() && !args.force {
        let file = args.file.display();
        bail!("{file} is there already; --force replaces it");
    }
    let is_yaml = |ending: &OsStr| ending == "yaml" || ending == "yml";
    if !args.file.extension().is_some_and(is_yaml) {
        bail!(
            "{}: expected a name that ends in .yaml",
            args.file.display()
        );
    }
    let folder = args.file.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("{} is not a folder", folder.display());
    }
    let Some(entry) = Entry::begin()? else {
        return Ok(given_up());
    };
    let Some(text) = entry.fill()? else {
        return Ok(given_up());
    };
    write_whole(&args.file, text.as_bytes())?;
    let file = args.file.display();
    say(&format!("{file} is written; now: edgematch solve {file}"));
    Ok(exit::FOUND)
}

fn given_up() -> u8 {
    say("nothing is written");
    exit::NONE
}

/// A puzzle as it is typed.
struct Entry {
    size: Size,
    has_halves: bool,
    cards: Vec<Vec<EdgeName>>,
}

/// What was answered where a card is typed.
enum Answer {
    Card(Vec<EdgeName>),
    Back,
    Quit,
}

impl Entry {
    /// Asks for what is the same for all cards; nothing where nobody answers.
    fn begin() -> io::Result<Option<Entry>> {
        let size = loop {
            let Some(line) = ask("rows and columns [3x3] ")? else {
                return Ok(None);
            };
            let line = line.replace(' ', "");
            let size = match line.parse::<u16>() {
                Ok(side) => format!("{side}x{side}"),
                Err(_) if line.is_empty() => "3x3".to_owned(),
                Err(_) => line,
            };
            match rows_and_columns(&size) {
                Ok(size) => break size,
                Err(expected) => say(&expected),
            }
        };
        let has_halves = loop {
            let question = "does each edge show one of two halves, such as head and tail? [yes] ";
            let Some(line) = ask(question)? else {
                return Ok(None);
            };
            match line.as_str() {
                "" | "y" | "yes" => break true,
                "n" | "no" => break false,
                _ => say("answer yes or no"),
            }
        };
        say(if has_halves {
            "type the edges of each card clockwise from the top: names with + or -, as in cat+ dog- cat- \
             cow+, or a letter each, capitals for +, as in AbaC; `back` for the card before, `quit` to stop"
        } else {
            "type the edges of each card clockwise from the top: names, as in cat dog cat cow, or a \
             letter each, as in abac; `back` for the card before, `quit` to stop"
        });
        Ok(Some(Entry {
            size,
            has_halves,
            cards: Vec::new(),
        }))
    }

    /// Asks for all cards; gives the text of the file, or nothing where nobody answers.
    fn fill(mut self) -> anyhow::Result<Option<String>> {
        let number = usize::from(self.size.rows) * usize::from(self.size.columns);
        loop {
            while self.cards.len() < number {
                match self.ask_card(self.cards.len())? {
                    Answer::Card(card) => {
                        self.cards.push(card);
                        say(&self.counts());
                    }
                    Answer::Back => drop(self.cards.pop()),
                    Answer::Quit => return Ok(None),
                }
            }
            let text = self.text();
            let problem = load::from_str(&text)?;
            show(&draw::text_of_tiles(
                &problem,
                terminal::columns(),
                terminal::ink_of_messages(),
            ));
            let options = load::ReadOptions::AS_WRITTEN;
            for warning in load::warnings(text.as_bytes(), "these cards", &options, &problem)? {
                say(&format!("warning: {}", warning.message));
            }
            let question = "are these the cards? [yes, or the number of a card to type it anew] ";
            match ask(question)?.as_deref() {
                Some("q" | "quit") => return Ok(None),
                // Who types no more has typed all cards.
                None | Some("" | "y" | "yes") => return Ok(Some(text)),
                Some(line) => self.correct(line, &problem)?,
            }
        }
    }

    /// Asks for one card anew.
    fn correct(&mut self, line: &str, problem: &Problem) -> io::Result<()> {
        let Some(card) = problem.puzzle.tile_named(line) else {
            say(&format!("`{line}` is not the number of a card"));
            return Ok(());
        };
        if let Answer::Card(edges) = self.ask_card(card)? {
            self.cards[card] = edges;
        }
        Ok(())
    }

    /// Asks for a card until its edges can be read.
    fn ask_card(&mut self, index: usize) -> io::Result<Answer> {
        loop {
            let Some(line) = ask(&format!("card {}: ", index + 1))? else {
                return Ok(Answer::Quit);
            };
            match line.as_str() {
                "q" | "quit" => return Ok(Answer::Quit),
                "b" | "back" => return Ok(Answer::Back),
                _ => {}
            }
            match self.edges(&line) {
                Ok(edges) => {
                    self.look_at(&edges, index);
                    return Ok(Answer::Card(edges));
                }
                Err(message) => say(&message),
            }
        }
    }

    /// The edges in a line.
    fn edges(&self, line: &str) -> Result<Vec<EdgeName>, String> {
        let is_between = |c: char| c.is_whitespace() || c == ',';
        let words: Vec<&str> = line.split(is_between).filter(|w| !w.is_empty()).collect();
        let letters = |word: &str| word.chars().all(char::is_alphabetic);
        let edges: Vec<EdgeName> = match words[..] {
            [word] if word.chars().count() == SIDES && letters(word) => {
                word.chars().map(|letter| self.edge_of(letter)).collect()
            }
            _ => {
                let edges = words.iter().map(|word| EdgeName::parse(word));
                edges.collect::<Result<_, _>>().map_err(|e| e.to_string())?
            }
        };
        if edges.len() != SIDES {
            let found = edges.len();
            return Err(match words[..] {
                [word] if letters(word) => {
                    let number = word.chars().count();
                    format!("expected {SIDES} edges, or a word of {SIDES} letters, found {number}")
                }
                _ => format!("expected {SIDES} edges, found {found}"),
            });
        }
        let is_half = |edge: &EdgeName| edge.half != Half::Whole;
        match edges.iter().find(|edge| is_half(edge) != self.has_halves) {
            Some(edge) if self.has_halves => Err(format!("`{edge}` has no sign, + or -")),
            Some(edge) => Err(format!("`{edge}` has a sign, and images have no halves")),
            None => Ok(edges),
        }
    }

    /// The names of the images so far, in the order in which they came.
    fn images(&self) -> Vec<&str> {
        let edges = self.cards.iter().flatten();
        edges.map(|edge| edge.image.as_str()).unique().collect()
    }

    /// An edge by its letter: the image that alone begins so, else one that is called so.
    fn edge_of(&self, letter: char) -> EdgeName {
        let upper = letter.to_uppercase().to_string();
        let begins = |name: &&str| name.to_uppercase().starts_with(&upper);
        let mut known = self.images().into_iter().filter(begins);
        let image = match (known.next(), known.next()) {
            (Some(image), None) => image.to_owned(),
            _ => upper,
        };
        let half = match (self.has_halves, letter.is_uppercase()) {
            (false, _) => Half::Whole,
            (true, true) => Half::Plus,
            (true, false) => Half::Minus,
        };
        EdgeName { image, half }
    }

    /// Says at once what is odd about a card.
    fn look_at(&self, edges: &[EdgeName], index: usize) {
        let known = self.images();
        for image in edges.iter().map(|edge| edge.image.as_str()).unique() {
            if known.contains(&image) {
                continue;
            }
            if let Some(meant) = similar(image, known.iter().copied()) {
                say(&format!(
                    "`{image}` is new; if it is `{meant}`, type `back` and the card again"
                ));
            }
        }
        let is_same = |card: &Vec<EdgeName>| turns(edges).any(|turned| turned == *card);
        let same = self.cards.iter().position(is_same);
        if let Some(same) = same.filter(|&same| same != index) {
            say(&format!(
                "the same as card {}; if that is not so, type `back` and the card again",
                same + 1
            ));
        }
    }

    /// How often each half was typed.
    fn counts(&self) -> String {
        let number = |name: &str, half: Half| {
            let edges = self.cards.iter().flatten();
            edges
                .filter(|edge| edge.image == name && edge.half == half)
                .count()
        };
        let counted = self.images().into_iter().map(|name| {
            if self.has_halves {
                let [plus, minus] = [Half::Plus, Half::Minus].map(|half| number(name, half));
                format!("{name} {plus}+ {minus}-")
            } else {
                format!("{name} {}", number(name, Half::Whole))
            }
        });
        format!("  {}", itertools::join(counted, ", "))
    }

    /// The file.
    fn text(&self) -> String {
        let quoted = |edge: &EdgeName| serde_json::Value::from(edge.to_string()).to_string();
        let plain = |text: &str| {
            text.chars()
                .all(|c| c.is_alphanumeric() || "+-".contains(c))
        };
        let edge = |edge: &EdgeName| match edge.to_string() {
            text if plain(&text) && text.starts_with(char::is_alphabetic) => text,
            _ => quoted(edge),
        };
        let Size { rows, columns } = self.size;
        let mut text =
            format!("rows: {rows}\ncols: {columns}\norder: clockwise-from-top\ntiles:\n");
        for (index, card) in self.cards.iter().enumerate() {
            let edges = itertools::join(card.iter().map(edge), ", ");
            text += &format!("  {}: [{edges}]\n", index + 1);
        }
        text
    }
}
