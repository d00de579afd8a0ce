//! `edgematch doctor --ask`: one card after another, the likeliest first, until the puzzle has a
//! solution; then the file is mended.

use std::fs::{self, OpenOptions};
use std::io;

use anyhow::{Context, bail};
use edgematch::doctor::{Diagnosis, diagnose, side_of};
use edgematch::enumerate::Limits;
use edgematch::load::{self, tile_text};
use edgematch::problem::{Arrangement, Problem};
use edgematch::puzzle::{Change, Face, Label, Tile, turns};
use edgematch::warnings::similar;
use edgematch_draw as draw;

use super::args::Doctor;
use super::talk::{ask, say, show};
use super::whole::write_whole;
use super::{exit, terminal};

/// Sides of a square clockwise from the top, as people read a card.
const CLOCKWISE: [usize; 4] = [1, 0, 3, 2];

/// Asks until the puzzle has a solution; gives the exit code.
pub fn run(
    args: &Doctor,
    problem: &Problem,
    text: &[u8],
    limits: &Limits<'_>,
) -> anyhow::Result<u8> {
    refuse_read_only(args)?;
    let mut talk = Talk {
        problem: problem.clone(),
        compared: Vec::new(),
        changes: Vec::new(),
        questions: 0,
        asks_whether_it_fits: true,
    };
    let end = talk.go_on(limits)?;
    if !talk.changes.is_empty() {
        write(args, problem, text, &talk.changes)?;
    }
    Ok(match end {
        End::Solvable => exit::FOUND,
        End::Unsolved => exit::NONE,
    })
}

/// How a talk ended.
enum End {
    /// The puzzle has a solution now.
    Solvable,
    /// It has none, or nobody wanted to go on.
    Unsolved,
}

/// What was found out by questions.
struct Talk {
    /// The puzzle with all corrections.
    problem: Problem,
    compared: Vec<usize>,
    changes: Vec<Change>,
    questions: usize,
    /// Whether the next solution is another one than the last.
    asks_whether_it_fits: bool,
}

impl Talk {
    fn go_on(&mut self, limits: &Limits<'_>) -> anyhow::Result<End> {
        loop {
            let diagnosis = match diagnose(&self.problem, limits) {
                Ok(diagnosis) => diagnosis,
                Err(status) => bail!("not examined: {status}"),
            };
            if let Some(solution) = &diagnosis.solution
                && self.asks_whether_it_fits
            {
                let words = match self.changes[..] {
                    [] => "as it is typed".to_owned(),
                    _ => format!("now ({})", self.effort()),
                };
                say(&format!("there is a solution {words}:"));
                self.show(solution);
                say("does it fit the cards?");
                if self.answer()? != Some(false) {
                    return Ok(End::Solvable);
                }
                self.asks_whether_it_fits = false;
            }
            let Some(tile) = self.next(&diagnosis) else {
                say("all cards are compared");
                return Ok(End::Unsolved);
            };
            if !self.compare(tile)? {
                return Ok(End::Unsolved);
            }
        }
    }

    fn effort(&self) -> String {
        match self.questions {
            1 => "1 question".to_owned(),
            number => format!("{number} questions"),
        }
    }

    /// Draws a solution.
    fn show(&self, solution: &Arrangement) {
        let ink = terminal::ink_of_messages();
        show(&draw::text(
            &self.problem,
            solution,
            terminal::columns(),
            ink,
        ));
    }

    /// The card to compare next: the likeliest, then any.
    fn next(&self, diagnosis: &Diagnosis) -> Option<usize> {
        let suspects = diagnosis.suspects.iter().map(|suspect| suspect.tile);
        let all = 0..self.problem.puzzle.tiles.len();
        let mut left = suspects.chain(all);
        left.find(|tile| !self.compared.contains(tile))
    }

    /// Shows a card, and asks what it shows where it does not look so; says whether to go on.
    fn compare(&mut self, tile: usize) -> anyhow::Result<bool> {
        let ink = terminal::ink_of_messages();
        let picture = draw::text_of_tile(&self.problem, tile, terminal::columns(), ink);
        let name = tile_text(&self.problem.puzzle.tiles[tile].name);
        say(&format!("card {name}, turned somehow:"));
        show(&picture);
        say("does it look so?");
        match self.answer()? {
            None => return Ok(false),
            Some(true) => {}
            Some(false) => {
                let definition = self.problem.puzzle.tiles[tile].clone();
                for face in definition.prints() {
                    let Some(changes) = self.read_face(tile, face)? else {
                        return Ok(false);
                    };
                    self.change(changes);
                    let corrected = &self.problem.puzzle.tiles[tile];
                    if is_mirrored(&definition, corrected) && !self.turn_all_over(tile)? {
                        return Ok(false);
                    }
                }
            }
        }
        self.compared.push(tile);
        Ok(true)
    }

    fn change(&mut self, changes: Vec<Change>) {
        self.asks_whether_it_fits |= !changes.is_empty();
        self.problem = self.problem.retyped(&changes);
        self.changes.extend(changes);
    }

    /// Where one card was read the other way round, all may have been; says whether to go on.
    fn turn_all_over(&mut self, but: usize) -> anyhow::Result<bool> {
        say("it was read the other way round; was every card?");
        match self.answer()? {
            None => return Ok(false),
            Some(false) => return Ok(true),
            Some(true) => {}
        }
        let tiles = self.problem.puzzle.tiles.clone();
        for (tile, definition) in tiles.iter().enumerate() {
            if tile == but || self.compared.contains(&tile) || definition.sides() != CLOCKWISE.len()
            {
                continue;
            }
            let place = (tile, Face::Front);
            let changes = Change::between(place, &definition.edges, definition.mirror());
            self.change(changes);
        }
        Ok(true)
    }

    /// Yes or no; nothing where there is no more answer.
    fn answer(&mut self) -> io::Result<Option<bool>> {
        self.questions += 1;
        loop {
            let Some(line) = ask("[yes, no, quit] ")? else {
                return Ok(None);
            };
            match line.to_lowercase().as_str() {
                "y" | "yes" => return Ok(Some(true)),
                "n" | "no" => return Ok(Some(false)),
                "q" | "quit" => return Ok(None),
                _ => say("answer yes or no, or quit"),
            }
        }
    }

    /// What a face shows; nothing where nobody wants to say.
    fn read_face(&mut self, tile: usize, face: Face) -> io::Result<Option<Vec<Change>>> {
        self.questions += 1;
        let puzzle = &self.problem.puzzle;
        let shown = puzzle.tiles[tile].face(face);
        let sides: Vec<usize> = match shown.len() {
            4 => CLOCKWISE.into(),
            sides => (0..sides).collect(),
        };
        let way = match shown.len() {
            4 => "clockwise from the top",
            _ => "counter-clockwise",
        };
        let of_back = match face {
            Face::Front => "",
            Face::Back => " on its back",
        };
        say(&format!(
            "what does it show{of_back}, {way}? Enter for what is typed"
        ));
        let typed = sides.iter().map(|&side| puzzle.labels.name(shown[side]));
        let typed = itertools::join(typed, " ");
        loop {
            let Some(line) = ask(&format!("[{typed}] "))? else {
                return Ok(None);
            };
            if ["q", "quit"].contains(&line.as_str()) {
                return Ok(None);
            }
            if line.is_empty() {
                return Ok(Some(Vec::new()));
            }
            match self.labels(&line, sides.len()) {
                Ok(labels) => {
                    let mut wanted = shown.to_vec();
                    for (&side, label) in sides.iter().zip(labels) {
                        wanted[side] = label;
                    }
                    return Ok(Some(Change::between((tile, face), shown, wanted)));
                }
                Err(message) => say(&message),
            }
        }
    }

    /// So many edges by their names.
    fn labels(&self, line: &str, number: usize) -> Result<Vec<Label>, String> {
        let labels = &self.problem.puzzle.labels;
        let is_between = |c: char| {
            if line.contains(',') {
                c == ','
            } else {
                c.is_whitespace()
            }
        };
        let words = line.split(is_between).map(str::trim);
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        if words.len() != number {
            let found = words.len();
            return Err(format!("expected {number} edges, found {found}"));
        }
        let named = |word: &&str| {
            let mut all = labels.all();
            all.find(|&label| labels.name(label) == **word)
                .ok_or_else(|| {
                    let known: Vec<String> = labels.all().map(|label| labels.name(label)).collect();
                    let names = known.iter().map(String::as_str);
                    match similar(word, names) {
                        Some(meant) => {
                            format!("did you mean `{meant}`? `{word}` is not in the puzzle")
                        }
                        None => {
                            let known = known.join(", ");
                            format!("`{word}` is not an edge of the puzzle: expected {known}")
                        }
                    }
                })
        };
        words.iter().map(named).collect()
    }
}

/// Whether a card shows the mirror image of what it showed, turned somehow, and not the same.
fn is_mirrored(before: &Tile, after: &Tile) -> bool {
    let turned_from = |edges: &[Label]| turns(edges).any(|turned| turned == after.edges);
    before.back.is_none()
        && before.sides() == CLOCKWISE.len()
        && turned_from(&before.mirror())
        && !turned_from(&before.edges)
}

/// Refuses a file that could not be written in the end.
fn refuse_read_only(args: &Doctor) -> anyhow::Result<()> {
    let file = load::puzzle_file(&args.puzzle.file)?;
    if !load::is_literal(&file) {
        let opened = OpenOptions::new().append(true).open(&file);
        opened.with_context(|| format!("{} can't be written", file.display()))?;
    }
    Ok(())
}

/// Writes the file anew, and says what changed.
fn write(args: &Doctor, problem: &Problem, text: &[u8], changes: &[Change]) -> anyhow::Result<()> {
    let labels = &problem.puzzle.labels;
    for change in changes {
        let typed = problem.puzzle.tiles[change.tile].face(change.face)[change.side];
        say(&format!(
            "card {}, {}: `{}` is `{}` now",
            tile_text(&problem.puzzle.tiles[change.tile].name),
            side_of(problem, change),
            labels.name(typed),
            labels.name(change.label)
        ));
    }
    let file = load::puzzle_file(&args.puzzle.file)?;
    let options = args.puzzle.extra.options()?;
    let mended = load::retyped(text, &load::shown(&file), &options, changes)?;
    if load::is_literal(&file) {
        print!("{mended}");
        return Ok(());
    }
    // What a link leads to is written, and who may read it stays.
    let target = fs::canonicalize(&file)?;
    let permissions = fs::metadata(&target)?.permissions();
    write_whole(&target, mended.as_bytes())?;
    fs::set_permissions(&target, permissions)?;
    say(&format!("{} is mended", file.display()));
    Ok(())
}
