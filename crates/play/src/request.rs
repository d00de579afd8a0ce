//! Requests of the page and their answers. A server and a web worker in the page answer them in the
//! same way. Each kind of request is a line in [`REQUESTS`].
//!
//! ```text
//!  name, JSON ──► Request ──► answer ──► lines of JSON, one at a time
//!                               ▲
//!                   puzzles by name, limits
//! ```

use edgematch::enumerate::Limits;
use edgematch::load::{self, LoadError, PUZZLE_FORMATS, ReadOptions};
use edgematch::problem::Problem;
use edgematch::problem::oddities::warnings;
use edgematch::runtime::clock;
use edgematch_draw::{Figure, SIGN_OFFSET, Style};
use serde::{Deserialize, Serialize};
use serde_json::{from_slice, json};

use crate::listed::{LoadedPuzzle, Look, PuzzleSummary};
use crate::pieces::Pieces;
use crate::refusal::{Reason, Refusal, Result};
use crate::{Game, Photograph, Question, RandomPuzzleRequest, answer, qr};

/// The maximum number of images in one `signs` request, which returns the figures drawn for images.
const MOST_SIGNS: usize = 100;

/// The maximum number of puzzles in one request for difficulties, and in one for thumbnails.
const MOST_RATED: usize = 200;
const MOST_DRAWN: usize = 50;

/// The maximum number of cells, and of pieces, of a puzzle to play.
const MOST_CELLS: usize = 1_024;

/// The largest request, in bytes: enough for the tiles of any puzzle that is entered by hand.
const LARGEST: usize = 256 << 10;

/// The largest request with a photograph, in bytes; pages shrink larger ones before sending.
const LARGEST_PHOTOGRAPH: usize = 8 << 20;

/// The puzzles that can be requested by name; by default there are none.
pub trait Puzzles {
    /// The entries of all puzzles. Puzzles that are not read within the limits have only a name.
    fn list(&self, _limits: &Limits<'_>) -> Vec<PuzzleSummary> {
        Vec::new()
    }

    /// The difficulty of a puzzle; see [`difficulty`](crate::difficulty). `None` if no valid puzzle
    /// has this name, or it was not rated within the limits.
    fn difficulty(&self, _name: &str, _limits: &Limits<'_>) -> Option<&'static str> {
        None
    }

    /// Reads a puzzle, without its pictures.
    ///
    /// # Errors
    /// If no puzzle has this name, or its file is not a valid puzzle.
    fn problem(&self, name: &str) -> Result<Problem> {
        Err(missing(name))
    }

    /// Reads a puzzle with its pictures.
    ///
    /// # Errors
    /// Those of [`problem`](Self::problem); also if its pictures cannot be used or are not read
    /// within the limits.
    fn find(&self, name: &str, _limits: &Limits<'_>) -> Result<LoadedPuzzle> {
        Err(missing(name))
    }
}

/// An empty list of puzzles.
#[derive(Debug, Clone, Copy)]
pub struct NoPuzzles;

impl Puzzles for NoPuzzles {}

/// The refusal of a puzzle name that is unknown; long names are truncated.
pub fn missing(name: &str) -> Refusal {
    Refusal::new(Reason::Missing, format!("there is no puzzle {name:.100} here"))
}

/// The client of a request: it receives the answer and sets the limits.
pub trait Asker {
    /// Sends a line of JSON, which ends with a line break, to the client.
    fn send_line(&self, line: String);

    /// The limits of the whole answer, including reading.
    fn limits(&self) -> Limits<'_>;
}

/// Sends a value as a line of JSON.
fn send(asker: &dyn Asker, what: &impl Serialize) {
    asker.send_line(serde_json::to_string(what).unwrap_or_default() + "\n");
}

/// The puzzle of a request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum PuzzleReference {
    /// A puzzle with a name.
    Name(String),
    /// The text of a file, in any form that can be read.
    Text(String),
}

impl PuzzleReference {
    /// Reads the puzzle, without its pictures.
    ///
    /// # Errors
    /// If there is no such puzzle, it is not valid, or it is too large to play.
    fn problem(&self, puzzles: &dyn Puzzles) -> Result<Problem> {
        let problem = match self {
            PuzzleReference::Name(name) => puzzles.problem(name)?,
            PuzzleReference::Text(text) => read_playable(text.as_bytes(), "this text", "entered")?,
        };
        refuse_too_large(&problem)?;
        Ok(problem)
    }

    /// Reads the puzzle with its pictures; a text has none.
    ///
    /// # Errors
    /// If there is no such puzzle, it is not valid, its pictures cannot be used, or it is too large
    /// to play.
    pub fn find(&self, puzzles: &dyn Puzzles, limits: &Limits<'_>) -> Result<LoadedPuzzle> {
        let one = match self {
            PuzzleReference::Name(name) => puzzles.find(name, limits)?,
            PuzzleReference::Text(_) => {
                LoadedPuzzle { problem: self.problem(puzzles)?, pictures: None }
            }
        };
        refuse_too_large(&one.problem)?;
        Ok(one)
    }
}

/// Reads a puzzle, but rejects a board of more than [`MOST_CELLS`] cells before building it. `file`
/// is for errors, `name` is the puzzle's name if the text has none.
pub(crate) fn read_playable(text: &[u8], file: &str, name: &str) -> Result<Problem, LoadError> {
    load::from_bytes_as(text, file, name, &ReadOptions::AS_WRITTEN.with_most_cells(MOST_CELLS))
}

/// Returns an error for a puzzle with more than [`MOST_CELLS`] pieces.
pub(crate) fn refuse_too_large(problem: &Problem) -> Result<()> {
    let tiles = Pieces::new(problem).number();
    if tiles > MOST_CELLS {
        let message = format!("{tiles} tiles are too many to play by hand: at most {MOST_CELLS}");
        return Err(Refusal::unanswerable(message));
    }
    Ok(())
}

/// A request of the page.
#[derive(Debug, Clone)]
pub enum Request {
    /// List the puzzles.
    Puzzles,
    /// Rate puzzles by difficulty.
    Difficulties(DifficultyRequest),
    /// Draw a QR code of a text.
    Qr(QrRequest),
    /// Draw the figures of images, given by name, for the editor.
    Signs(SignsRequest),
    /// Open a puzzle to play: draw it, and return the text of its file and warnings.
    Game(OpenRequest),
    /// Draw the thumbnails of puzzles.
    Thumbnails(ThumbnailsRequest),
    /// Generate a puzzle.
    Fresh(RandomPuzzleRequest),
    /// Read the cards in a photograph.
    Read(Box<Photograph>),
    /// Answer a question about a puzzle.
    Answer(QuestionRequest),
}

/// What an answer takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Hardly any time.
    Short,
    /// A search.
    Long,
    /// Some time, for which nobody waits.
    Background,
}

/// A request for difficulties.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifficultyRequest {
    /// The names of puzzles, at most [`MOST_RATED`].
    names: Vec<String>,
}

/// A request for a QR code.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QrRequest {
    text: String,
}

/// A request for the figures of images.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignsRequest {
    images: Vec<String>,
}

/// A request to open a puzzle.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    puzzle: PuzzleReference,
    /// Images that receive the first figures, in this order.
    #[serde(default)]
    images: Vec<String>,
    #[serde(default)]
    look: Look,
}

/// A request for thumbnails.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThumbnailsRequest {
    /// At most [`MOST_DRAWN`].
    thumbnails: Vec<Thumbnail>,
}

/// A thumbnail to draw.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Thumbnail {
    puzzle: PuzzleReference,
    #[serde(default)]
    look: Look,
}

/// A question about a puzzle.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionRequest {
    puzzle: PuzzleReference,
    question: Question,
}

/// A kind of request.
#[derive(Debug, Clone, Copy)]
pub struct RequestKind {
    /// The name, which is the last part of the address `/api/name`.
    pub name: &'static str,
    /// The largest body, in bytes; `None` if the request has no body.
    pub largest: Option<usize>,
    /// Parses the body.
    read: fn(&[u8]) -> serde_json::Result<Request>,
}

/// All kinds of requests.
pub const REQUESTS: [RequestKind; 9] = [
    RequestKind { name: "puzzles", largest: None, read: |_| Ok(Request::Puzzles) },
    kind("difficulties", LARGEST, |body| from_slice(body).map(Request::Difficulties)),
    kind("qr", LARGEST, |body| from_slice(body).map(Request::Qr)),
    kind("signs", LARGEST, |body| from_slice(body).map(Request::Signs)),
    kind("game", LARGEST, |body| from_slice(body).map(Request::Game)),
    kind("thumbnails", LARGEST, |body| from_slice(body).map(Request::Thumbnails)),
    kind("fresh", LARGEST, |body| from_slice(body).map(Request::Fresh)),
    kind("read", LARGEST_PHOTOGRAPH, |body| from_slice(body).map(Request::Read)),
    kind("answer", LARGEST, |body| from_slice(body).map(Request::Answer)),
];

/// A kind of request with a body of at most `largest` bytes.
const fn kind(
    name: &'static str,
    largest: usize,
    read: fn(&[u8]) -> serde_json::Result<Request>,
) -> RequestKind {
    RequestKind { name, largest: Some(largest), read }
}

impl RequestKind {
    /// The kind with this name; `None` if there is none.
    pub fn named(name: &str) -> Option<&'static RequestKind> {
        REQUESTS.iter().find(|kind| kind.name == name)
    }

    /// Parses the body of a request of this kind.
    ///
    /// # Errors
    /// If the body is not JSON of the right shape.
    pub fn read(&self, body: &[u8]) -> Result<Request> {
        (self.read)(body).map_err(|error| Refusal {
            line: Some(error.line()),
            column: Some(error.column()),
            ..Refusal::new(Reason::Malformed, format!("the request is not valid: {error}"))
        })
    }
}

impl Request {
    /// What the answer takes, so that a server answers others meanwhile. Hints and checks are quick
    /// on nearly every board.
    pub fn effort(&self) -> Effort {
        match self {
            Request::Fresh(_) | Request::Read(_) => Effort::Long,
            Request::Difficulties(_) => Effort::Background,
            Request::Answer(asked) => match asked.question {
                Question::Check { .. } | Question::Hint { .. } => Effort::Short,
                _ => Effort::Long,
            },
            _ => Effort::Short,
        }
    }

    /// Answers the request, and sends each line of the answer to `asker` as soon as it is known.
    /// Reading the puzzle counts towards the limits of `asker`.
    ///
    /// # Errors
    /// If it cannot be answered; some lines may have been sent already.
    pub fn answer(&self, puzzles: &dyn Puzzles, asker: &dyn Asker) -> Result<()> {
        let limits = Limits { since: Some(clock::now()), ..asker.limits() };
        match self {
            Request::Puzzles => {
                send(asker, &json!({"type": "puzzles", "puzzles": puzzles.list(&limits)}));
            }
            Request::Difficulties(rated) => rated.answer(puzzles, asker, &limits)?,
            Request::Qr(linked) => {
                send(asker, &qr::draw(&linked.text).map_err(Refusal::unanswerable)?);
            }
            Request::Signs(signs) => signs.answer(asker)?,
            Request::Game(shown) => {
                let one = shown.puzzle.find(puzzles, &limits)?;
                let text = PUZZLE_FORMATS[0].write(&one.problem, None).ok();
                let style = shown.look.style(&one, &shown.images);
                send_game(asker, &one, text.map(|written| written.text), &style);
            }
            Request::Thumbnails(pictured) => pictured.answer(puzzles, asker, &limits)?,
            Request::Fresh(wanted) => {
                let (problem, text) = wanted.make(&limits)?;
                let one = LoadedPuzzle { problem, pictures: None };
                send_game(asker, &one, Some(text), &Look::default().style(&one, &[]));
            }
            Request::Read(photograph) => {
                send(asker, &photograph.read(&limits).map_err(Refusal::unanswerable)?);
            }
            Request::Answer(asked) => {
                let problem = asked.puzzle.problem(puzzles)?;
                let mut tell = |said| send(asker, &said);
                answer(&problem, &asked.question, &limits, &mut tell)?;
            }
        }
        Ok(())
    }
}

impl DifficultyRequest {
    /// Sends a line with each difficulty, in the order of the names; `null` for those not rated
    /// within the limits.
    ///
    /// # Errors
    /// If there are more than [`MOST_RATED`] names.
    fn answer(&self, puzzles: &dyn Puzzles, asker: &dyn Asker, limits: &Limits<'_>) -> Result<()> {
        if self.names.len() > MOST_RATED {
            return Err(Refusal::unanswerable(format!("too many names: at most {MOST_RATED}")));
        }
        let token = limits.token();
        for name in &self.names {
            let is_over = token.poll().is_break();
            let rated = if is_over { None } else { puzzles.difficulty(name, limits) };
            send(asker, &json!({"type": "difficulty", "difficulty": rated}));
        }
        Ok(())
    }
}

impl ThumbnailsRequest {
    /// Sends a line with each thumbnail as SVG, in order; `null` for a puzzle that cannot be drawn
    /// within the limits.
    ///
    /// # Errors
    /// If there are more than [`MOST_DRAWN`].
    fn answer(&self, puzzles: &dyn Puzzles, asker: &dyn Asker, limits: &Limits<'_>) -> Result<()> {
        if self.thumbnails.len() > MOST_DRAWN {
            return Err(Refusal::unanswerable(format!(
                "too many thumbnails: at most {MOST_DRAWN}"
            )));
        }
        let token = limits.token();
        for Thumbnail { puzzle, look } in &self.thumbnails {
            let found =
                if token.poll().is_break() { None } else { puzzle.find(puzzles, limits).ok() };
            let svg = found.map(|one| one.thumbnail(look));
            send(asker, &json!({"type": "thumbnail", "svg": svg}));
        }
        Ok(())
    }
}

impl SignsRequest {
    /// Sends the outlines and colours of the figures in the order of the images.
    ///
    /// # Errors
    /// If there are more than [`MOST_SIGNS`] images.
    fn answer(&self, asker: &dyn Asker) -> Result<()> {
        if self.images.len() > MOST_SIGNS {
            return Err(Refusal::unanswerable(format!("too many images: at most {MOST_SIGNS}")));
        }
        let all = self.images.iter().enumerate();
        let signs: Vec<_> = all
            .map(|(number, name)| {
                let figure = Figure::from_image(number, name);
                json!({"path": figure.path(), "strong": figure.strong(), "pale": figure.pale()})
            })
            .collect();
        send(asker, &json!({"type": "signs", "signs": signs, "offset": SIGN_OFFSET}));
        Ok(())
    }
}

/// A remark about a puzzle, worded for players, who do not see its file. The page translates those
/// whose code it knows.
#[derive(Debug, Serialize)]
struct Remark {
    /// The name of the [`Oddity`](edgematch::puzzle::Oddity), `assumed` or `picture`.
    code: &'static str,
    /// The tile that it concerns, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    tile: Option<String>,
    message: String,
}

/// Warnings and assumptions about a puzzle and its pictures.
fn remarks(LoadedPuzzle { problem, pictures }: &LoadedPuzzle) -> Vec<Remark> {
    let said = warnings(problem).into_iter().map(|warning| Remark {
        code: warning.oddity.name(),
        tile: warning.tile.map(|tile| problem.puzzle.tiles[tile].name.clone()),
        message: warning.message.replace('`', ""),
    });
    let remark = |code, message| Remark { code, tile: None, message };
    let assumed = problem.puzzle.assumed.iter().map(|fact| remark("assumed", fact.to_string()));
    let of_pictures = pictures.iter().flat_map(|pictures| &pictures.warnings);
    said.chain(assumed).chain(of_pictures.map(|said| remark("picture", said.clone()))).collect()
}

/// Sends the answer of [`Request::Game`]. `text` is that of the puzzle's file.
fn send_game(asker: &dyn Asker, one: &LoadedPuzzle, text: Option<String>, style: &Style<'_>) {
    let game = json!({
        "type": "game",
        "game": Game::new(&one.problem, style),
        "text": text,
        "warnings": remarks(one),
    });
    send(asker, &game);
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use serde_json::Value;

    use super::*;

    /// Collects the lines of an answer.
    #[derive(Default)]
    struct LineCollector(RefCell<String>);

    impl Asker for LineCollector {
        fn send_line(&self, line: String) {
            self.0.borrow_mut().push_str(&line);
        }

        fn limits(&self) -> Limits<'_> {
            Limits::default()
        }
    }

    fn ask(name: &str, body: &Value) -> Result<Vec<Value>, Refusal> {
        let request = RequestKind::named(name).unwrap().read(body.to_string().as_bytes())?;
        let collector = LineCollector::default();
        request.answer(&NoPuzzles, &collector)?;
        Ok(collector
            .0
            .into_inner()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect())
    }

    const PAIR: &str = "tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]}\nrows: 1\ncols: 2\n";

    #[test]
    fn a_text_is_opened_and_solved_without_a_server() {
        let opened = ask("game", &json!({"puzzle": {"text": PAIR}})).unwrap();
        assert_eq!(opened[0]["game"]["tiles"].as_array().unwrap().len(), 2);
        let asked = json!({"puzzle": {"text": PAIR}, "question": {"solve": {"most": 10}}});
        let answered = ask("answer", &asked).unwrap();
        let found = answered.iter().filter(|line| line["type"] == "solution");
        assert_eq!(found.count() as u64, answered.last().unwrap()["distinct"]);
        assert_eq!(answered.last().unwrap()["complete"], true);
    }

    #[test]
    fn a_refusal_has_the_right_reason() {
        let unknown = ask("game", &json!({"puzzle": {"name": "x"}})).unwrap_err();
        assert_eq!(unknown.reason, Reason::Missing);
        let malformed = ask("game", &json!({"puzzel": 1})).unwrap_err();
        assert_eq!(malformed.reason, Reason::Malformed);
        let wrong = ask("game", &json!({"puzzle": {"text": "tiles: {1: [a"}})).unwrap_err();
        assert_eq!(wrong.reason, Reason::Unanswerable);
        assert!(wrong.line.is_some());
    }

    /// A short text can declare a huge board, which must not be built, searched or drawn.
    #[test]
    fn every_request_refuses_a_board_that_is_too_large_to_play_on() {
        let slow = "{rows: 1000, cols: 2, tiles: {1: {edges: [a+,norder b, a-, b], copies: any}}}";
        let tall = "{rows: 1000, cols: 1000, tiles: {1: {edges: [a+, b, a-, b], copies: any}}}";
        let square = "{rows: 120, cols: 120, tiles: {1: {edges: [a, b, a, b], copies: any}}}";
        let tile = |number: usize| format!("{number}: [a, b, a, b]");
        let tiles: Vec<String> = (0..=MOST_CELLS).map(tile).collect();
        let many = format!("{{rows: 1, cols: 1, tiles: {{{}}}}}", tiles.join(", "));
        let questions = [
            json!({"solve": {"most": 3}}),
            json!({"count": {"placed": []}}),
            json!({"hint": {"placed": []}}),
            json!({"check": {"placed": []}}),
            json!({"doctor": {}}),
            json!({"best": {}}),
            json!({"watch": {}}),
        ];
        for text in [slow, tall, square, &many] {
            let puzzle = json!({"text": text});
            let asked = |question| ("answer", json!({"puzzle": puzzle, "question": question}));
            let drawn = json!({"thumbnails": [{"puzzle": puzzle}]});
            assert_eq!(ask("thumbnails", &drawn).unwrap()[0]["svg"], Value::Null);
            let shown = [("game", json!({"puzzle": puzzle}))];
            for (kind, body) in questions.iter().map(asked).chain(shown) {
                let refused = ask(kind, &body).unwrap_err();
                assert_eq!(refused.reason, Reason::Unanswerable, "{body}");
                let message = refused.message;
                assert!(message.contains("at most 1024"), "{body}: {message}");
            }
        }
    }

    #[test]
    fn hints_and_checks_are_short() {
        let effort = |question: Value| {
            let asked = json!({"puzzle": {"text": PAIR}, "question": question});
            let kind = RequestKind::named("answer").unwrap();
            kind.read(asked.to_string().as_bytes()).unwrap().effort()
        };
        assert_eq!(effort(json!({"count": {"placed": []}})), Effort::Long);
        assert_eq!(effort(json!({"hint": {"placed": []}})), Effort::Short);
        assert_eq!(effort(json!({"check": {"placed": []}})), Effort::Short);
    }
}
