//! Many pages search at the same time: short requests to `play` do not wait for long ones.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::play::{HARD_BOARD, Request, Server, exchange};

/// A request for a count that never ends.
fn hard() -> Request {
    let question = json!({"puzzle": {"text": HARD_BOARD}, "question": {"count": {"placed": []}}});
    Request::post("/api/answer", &question.to_string())
}

fn hint() -> Request {
    let question =
        json!({"puzzle": {"name": "scramble-1.yaml"}, "question": {"hint": {"placed": []}}});
    Request::post("/api/answer", &question.to_string())
}

fn send(server: &Server, request: &Request) -> BufReader<TcpStream> {
    let mut stream = server.connect();
    stream.write_all(&request.bytes()).unwrap();
    BufReader::new(stream)
}

fn first_line(reader: &mut BufReader<TcpStream>) -> Value {
    let mut lines = reader.lines().map_while(Result::ok);
    let line = lines.find(|line| line.starts_with('{')).unwrap();
    serde_json::from_str(&line).unwrap()
}

#[test]
fn a_hint_does_not_wait_for_sixty_hard_searches() {
    // The time limit is so long that the hint cannot have waited for a search to end.
    let server = Server::start(&["puzzles", "--time-limit", "1h"]);
    let hard = hard();
    let mut searches: Vec<_> = (0..60).map(|_| send(&server, &hard)).collect();
    // The queue is full: the last of the searches was refused.
    assert_eq!(first_line(&mut searches[59])["type"], "error");
    let given = exchange(&mut server.connect(), &hint().bytes());
    assert_eq!(given.lines()[0]["type"], "place", "{given:?}");
}

#[test]
fn a_search_that_has_to_wait_says_so_and_starts_when_another_leaves() {
    let server = Server::start(&["puzzles", "--time-limit", "1h"]);
    let hard = hard();
    let mut searches: Vec<_> = (0..30).map(|_| send(&server, &hard)).collect();
    let last = searches.last_mut().unwrap();
    assert_eq!(first_line(last)["type"], "waiting");
    let mut last = searches.pop().unwrap();
    drop(searches);
    assert_eq!(first_line(&mut last)["type"], "progress");
}

#[test]
fn silent_connections_keep_nobody_out() {
    let server = Server::start(&["puzzles"]);
    let _silent: Vec<TcpStream> = (0..600).map(|_| server.connect()).collect();
    assert_eq!(server.get("/").status, 200);
}
