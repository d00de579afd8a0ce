//! The solver as WebAssembly: it answers what the page asks, as the server does.
//!
//! It runs in a worker beside the page, which ends it to stop a search. Puzzles have no names here:
//! the page knows their texts.

use std::time::Duration;

use edgematch::enumerate::Limits;
use edgematch_play::{Asker, NoPuzzles, Reason, Refusal, RequestKind};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The longest time of one answer, as on a server.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The page, by a function that takes a line.
struct Page<'a>(&'a Function);

impl Asker for Page<'_> {
    fn say(&self, line: String) {
        // Where the page cannot listen, nobody can be told.
        let _ = self.0.call1(&JsValue::NULL, &line.into());
    }

    fn limits(&self) -> Limits<'_> {
        Limits { time: Some(TIME_LIMIT), threads: 1, ..Limits::default() }
    }
}

/// Answers a request, given by the name of its kind and its body of JSON: `say` is called with each
/// line of the answer, the last of which may be an error.
#[wasm_bindgen]
pub fn answer(kind: &str, body: &str, say: &Function) {
    let page = Page(say);
    let answered = match RequestKind::named(kind) {
        None => Err(Refusal::new(Reason::Missing, format!("there is no {kind:.100} here"))),
        Some(kind) => {
            kind.read(body.as_bytes()).and_then(|request| request.answer(&NoPuzzles, &page))
        }
    };
    if let Err(refusal) = answered {
        page.say(refusal.line());
    }
}
