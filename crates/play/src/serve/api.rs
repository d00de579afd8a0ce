//! The routes of the server: what can be asked, and where.
//!
//! Requests are limited in size and time before they are read. Names of puzzles are looked up in a
//! list and never taken for paths.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Query, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use edgematch::load::{self, Form};
use edgematch::problem::Problem;
use edgematch::warnings::warnings;
use edgematch_draw::{self as draw, SIGN_OFFSET, Style};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::job_runner::Teller;
use super::library::LibraryError;
use super::middleware::middleware;
use super::refusal::{Refusal, error};
use super::visitors::Visitor;
use super::{One, Service, gallery, qr};
use crate::{ASSETS, BESIDE, Fresh, Game, INDEX, Photograph, Question, RequestError, answer};

/// The largest request, in bytes: more than the tiles of any puzzle that is entered by hand.
const LARGEST: usize = 256 << 10;

/// The largest request with a photograph, which pages make smaller before they send it.
const LARGEST_PHOTOGRAPH: usize = 8 << 20;

/// A request that has not come whole by then is refused.
const PATIENCE: Duration = Duration::from_secs(10);

/// Images that have a sign.
const MOST_SIGNS: usize = 100;

/// Puzzles that are rated at once.
const MOST_RATED: usize = 24;

/// More cells or tiles than anybody lays by hand.
const MOST_CELLS: usize = 1_024;

/// All that can be asked.
pub(super) fn router(service: Arc<Service>) -> Router {
    let mut router = Router::new()
        .route("/", get(|| async { page() }))
        .route("/thumbnail", get(thumbnail))
        .route("/api/puzzles", get(puzzles))
        .route("/api/difficulties", post(difficulties))
        .route("/api/qr", post(qr))
        .route("/api/signs", post(signs))
        .route("/api/game", post(game))
        .route("/api/fresh", post(fresh))
        .route("/api/read", post(read_photograph))
        .route("/api/answer", post(answers));
    for asset in ASSETS.into_iter().chain(BESIDE) {
        let file = move || async move { ([(header::CONTENT_TYPE, asset.kind)], asset.text) };
        router = router.route(&format!("/{}", asset.name), get(file));
    }
    router
        .fallback(|uri: Uri| async move {
            let path: String = uri.path().chars().take(100).collect();
            error(StatusCode::NOT_FOUND, &format!("there is no {path} here"))
        })
        .method_not_allowed_fallback(|| async {
            error(
                StatusCode::METHOD_NOT_ALLOWED,
                "method not allowed: use GET or POST",
            )
        })
        .layer(from_fn_with_state(Arc::clone(&service), middleware))
        .with_state(service)
}

fn page() -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], INDEX).into_response()
}

/// An answer of one line.
fn line(what: &impl Serialize) -> Response {
    let text = serde_json::to_string(what).unwrap_or_default() + "\n";
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// What a request asks, where it is JSON of the right shape.
async fn read<T: DeserializeOwned>(body: Body) -> Result<T, Refusal> {
    read_up_to(body, LARGEST).await
}

async fn read_up_to<T: DeserializeOwned>(body: Body, largest: usize) -> Result<T, Refusal> {
    let too_large = || {
        let message = format!("the request is larger than {} KiB", largest >> 10);
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    // What says beforehand that it is too large need not be waited for.
    if body.size_hint().lower() > largest as u64 {
        return Err(too_large());
    }
    let bytes = tokio::time::timeout(PATIENCE, to_bytes(body, largest))
        .await
        .map_err(|_| {
            let message = "the request was not complete in time";
            Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
        })?
        .map_err(|_| too_large())?;
    serde_json::from_slice(&bytes).map_err(|error| Refusal {
        position: Some((error.line(), error.column())),
        ..Refusal::new(
            StatusCode::BAD_REQUEST,
            format!("the request is not valid: {error}"),
        )
    })
}

/// The puzzles to choose from.
async fn puzzles(State(service): State<Arc<Service>>) -> Response {
    let all = Arc::clone(&service);
    let job = move |teller: &Teller| {
        let listed = all.gallery.list(&all.library);
        teller.say(&json!({"type": "puzzles", "puzzles": listed}));
        Ok(())
    };
    service.errands.answer(job).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rated {
    names: Vec<String>,
}

/// How hard puzzles are, by their names.
async fn difficulties(
    State(service): State<Arc<Service>>,
    body: Body,
) -> Result<Response, Refusal> {
    let Rated { names } = read(body).await?;
    if names.len() > MOST_RATED {
        return Err(Refusal::wrong(format!("at most {MOST_RATED} names")));
    }
    let all = Arc::clone(&service);
    let job = move |teller: &Teller| {
        let limits = teller.limits();
        let rate = |name: &String| all.gallery.difficulty(&all.library, name, &limits);
        let rated: Vec<_> = names.iter().map(rate).collect();
        teller.say(&json!({"type": "difficulties", "difficulties": rated}));
        Ok(())
    };
    Ok(service.errands.answer(job).await)
}

/// The puzzle of a picture: its name, or its code.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pictured {
    name: Option<String>,
    code: Option<String>,
}

/// The picture of a puzzle that was listed, or of one whose code is given.
async fn thumbnail(
    State(service): State<Arc<Service>>,
    Query(Pictured { name, code }): Query<Pictured>,
) -> Result<Response, Refusal> {
    let Some(which) = name.map(Which::Name).or(code.map(Which::Text)) else {
        return Err(Refusal::wrong("expected `name` or `code`"));
    };
    let draw = move || -> Result<String, Refusal> {
        let one = which.find(&service)?;
        refuse_too_large(&one.problem)?;
        Ok(gallery::thumbnail(&one))
    };
    // It reads files, and the thread that answers is not to wait for them.
    let drawn = tokio::task::spawn_blocking(draw).await;
    let svg = drawn.unwrap_or_else(|_| {
        let message = "no picture could be drawn";
        Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message))
    })?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Linked {
    text: String,
}

/// A QR code of a text.
async fn qr(body: Body) -> Result<Response, Refusal> {
    let Linked { text } = read(body).await?;
    Ok(line(&qr::draw(&text).map_err(Refusal::wrong)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Signs {
    images: Vec<String>,
}

/// What stands for images, by their names.
async fn signs(body: Body) -> Result<Response, Refusal> {
    let Signs { images } = read(body).await?;
    if images.len() > MOST_SIGNS {
        return Err(Refusal::wrong(format!("at most {MOST_SIGNS} images")));
    }
    let signs: Vec<_> = images
        .iter()
        .enumerate()
        .map(|(number, name)| {
            let sign = draw::sign(number, name);
            json!({"path": sign.path, "strong": sign.strong, "pale": sign.pale})
        })
        .collect();
    Ok(line(
        &json!({"type": "signs", "signs": signs, "offset": SIGN_OFFSET}),
    ))
}

/// Which puzzle is meant.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Which {
    /// One that was listed.
    Name(String),
    /// The text of a file, in whatever form.
    Text(String),
}

impl Which {
    /// The puzzle alone.
    fn problem(&self, service: &Service) -> Result<Problem, Refusal> {
        match self {
            Which::Name(name) => found(name, service.library.problem(name)),
            Which::Text(text) => Ok(load::from_bytes(text.as_bytes(), "this text", "entered")?),
        }
    }

    /// The puzzle with its pictures; a text has none.
    fn find(&self, service: &Service) -> Result<One, Refusal> {
        match self {
            Which::Name(name) => found(name, service.library.find(name)),
            Which::Text(_) => Ok(One {
                problem: self.problem(service)?,
                pictures: None,
            }),
        }
    }
}

/// What the library has under a name.
fn found<T>(name: &str, found: Option<Result<T, LibraryError>>) -> Result<T, Refusal> {
    match found {
        Some(Ok(found)) => Ok(found),
        Some(Err(LibraryError::Puzzle(error))) => Err(error.into()),
        Some(Err(LibraryError::Pictures(message))) => Err(Refusal::wrong(message)),
        None => {
            let message = format!("there is no puzzle {name:.100} here");
            Err(Refusal::new(StatusCode::NOT_FOUND, message))
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shown {
    puzzle: Which,
    /// Images whose signs come first.
    #[serde(default)]
    images: Vec<String>,
}

/// A puzzle to play, and the text of its file.
async fn game(State(service): State<Arc<Service>>, body: Body) -> Result<Response, Refusal> {
    let Shown { puzzle, images } = read(body).await?;
    let library = Arc::clone(&service);
    let job = move |teller: &Teller| {
        let one = puzzle.find(&library)?;
        let text = Form::named("yaml").and_then(|form| form.write(&one.problem, None).ok());
        say_game(teller, &one, text.map(|written| written.text), &images)
    };
    Ok(service.errands.answer(job).await)
}

/// What looks mistyped, for people who see no file.
fn odd(problem: &Problem) -> Vec<String> {
    let found = warnings(problem).into_iter();
    let said = found.map(|warning| match warning.tile {
        Some(tile) => {
            let name = &problem.puzzle.tiles[tile].name;
            format!("card {name}: {}", warning.message)
        }
        None => warning.message,
    });
    said.collect()
}

fn refuse_too_large(problem: &Problem) -> Result<(), Refusal> {
    let tiles = problem.puzzle.tiles.len();
    if tiles > MOST_CELLS {
        let message = format!("{tiles} tiles are too many to play by hand: at most {MOST_CELLS}");
        return Err(Refusal::wrong(message));
    }
    Ok(())
}

fn say_game(
    teller: &Teller,
    one: &One,
    text: Option<String>,
    images: &[String],
) -> Result<(), Refusal> {
    let One { problem, pictures } = one;
    refuse_too_large(problem)?;
    let style = Style {
        pictures: pictures.as_ref(),
        images,
        ..Style::default()
    };
    let of_pictures = pictures.iter().flat_map(|pictures| &pictures.warnings);
    let odd = odd(problem);
    let warnings: Vec<&String> = odd.iter().chain(of_pictures).collect();
    teller.say(&json!({
        "type": "game",
        "game": Game::new(problem, &style),
        "text": text,
        "warnings": warnings,
    }));
    Ok(())
}

/// A new puzzle.
async fn fresh(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Response, Refusal> {
    let wanted: Fresh = read(body).await?;
    let job = move |teller: &Teller| {
        let (problem, text) = wanted.make(&teller.limits()).map_err(Refusal::wrong)?;
        let one = One {
            problem,
            pictures: None,
        };
        say_game(teller, &one, Some(text), &[])
    };
    Ok(service.searches.answer(visitor, job).await)
}

/// A photograph of cards, and what is known of them.
async fn read_photograph(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Response, Refusal> {
    let photograph: Photograph = read_up_to(body, LARGEST_PHOTOGRAPH).await?;
    let job = move |teller: &Teller| {
        teller.say(&photograph.read().map_err(Refusal::wrong)?);
        Ok(())
    };
    Ok(service.searches.answer(visitor, job).await)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    puzzle: Which,
    question: Question,
}

/// What is asked about a puzzle.
async fn answers(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Response, Refusal> {
    let Asked { puzzle, question } = read(body).await?;
    let library = Arc::clone(&service);
    let is_errand = matches!(question, Question::Check { .. });
    let job = move |teller: &Teller| {
        let problem = puzzle.problem(&library)?;
        let mut tell = |said| teller.say(&said);
        let answered = answer(&problem, &question, &teller.limits(), &mut tell);
        answered.map_err(|refused| match refused {
            RequestError::Wrong(message) => Refusal::wrong(message),
            RequestError::Failed(message) => {
                Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
            }
        })
    };
    Ok(if is_errand {
        service.errands.answer(job).await
    } else {
        service.searches.answer(visitor, job).await
    })
}
