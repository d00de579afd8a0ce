//! The solver as WebAssembly: it answers the page's requests like the server.
//!
//! It runs in a web worker, which the page terminates to stop a search. Puzzles are requested by
//! their text, never by name.

use std::time::Duration;

use edgematch::enumerate::Limits;
use edgematch_play::{Asker, NoPuzzles, Reason, Refusal, RequestKind};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The time limit of one answer, as on a server.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The page, represented by a function that takes a line.
struct Page<'a>(&'a Function);

impl Asker for Page<'_> {
    fn send_line(&self, line: String) {
        // If the page cannot listen, there is nowhere to report it.
        let _ = self.0.call1(&JsValue::NULL, &line.into());
    }

    fn limits(&self) -> Limits<'_> {
        Limits { time: Some(TIME_LIMIT), threads: 1, ..Limits::default() }
    }
}

/// Answers a request, given by the name of its kind and its JSON body. `say` is called with each
/// line of the answer; the last line may be an error.
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
        page.send_line(refusal.line());
    }
}
