//! A server for many visitors: nobody waits for what somebody else asks.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::play::{Request, Server, exchange};
use crate::session::run;

/// A question that nobody answers in a minute.
fn hard() -> String {
    let args = [
        "generate", "-q", "--size", "10x10", "--images", "8", "--seed", "1",
    ];
    let question =
        json!({"puzzle": {"text": run(&args).stdout}, "question": {"count": {"placed": []}}});
    question.to_string()
}

fn hint() -> Request {
    let question =
        json!({"puzzle": {"name": "scramble-1.yaml"}, "question": {"hint": {"placed": []}}});
    Request::post("/api/answer", &question.to_string())
}

/// The cookie of a new visitor.
fn visitor(server: &Server) -> String {
    let head = server.get("/").head;
    let line = head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "));
    line.unwrap().split(';').next().unwrap().to_owned()
}

#[test]
fn one_visitor_with_sixty_hard_searches_keeps_no_other_waiting() {
    let server = Server::start(&["puzzles", "--time-limit", "1m"]);
    let (greedy, other) = (visitor(&server), visitor(&server));
    assert_ne!(greedy, other);
    let search = Request::post("/api/answer", &hard()).with("Cookie", &greedy);
    let mut streams: Vec<TcpStream> = (0..60).map(|_| server.connect()).collect();
    for stream in &mut streams {
        stream.write_all(&search.bytes()).unwrap();
    }
    thread::sleep(Duration::from_millis(500));
    let asked = hint().with("Cookie", &other);
    let began = Instant::now();
    let given = exchange(&mut server.connect(), &asked.bytes())
        .lines()
        .remove(0);
    let waited = began.elapsed();
    assert_eq!(given["type"], "place", "{given}");
    println!(
        "a hint beside sixty hard searches: {} ms",
        waited.as_millis()
    );
    // Far below the time of even one of those searches.
    assert!(waited < Duration::from_secs(20), "{waited:?}");
}

#[test]
fn whoever_waits_is_told_the_place() {
    let server = Server::start(&["puzzles", "--time-limit", "1m"]);
    let search = Request::post("/api/answer", &hard());
    let mut all: Vec<BufReader<TcpStream>> = (0..4)
        .map(|_| {
            let search = search.clone().with("Cookie", &visitor(&server));
            let mut stream = server.connect();
            stream.write_all(&search.bytes()).unwrap();
            BufReader::new(stream)
        })
        .collect();
    // All stay: whoever leaves makes room.
    let first = |reader: &mut BufReader<TcpStream>| -> Value {
        let mut lines = reader.lines().map_while(Result::ok);
        let line = lines.find(|line| line.starts_with('{')).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let said: Vec<Value> = all.iter_mut().map(first).collect();
    let places: Vec<u64> = said
        .iter()
        .filter_map(|line| line["place"].as_u64())
        .collect();
    assert!(!places.is_empty(), "{said:?}");
    assert!(
        places.iter().all(|place| (1..=4).contains(place)),
        "{said:?}"
    );
}

#[test]
fn silent_connections_keep_nobody_out() {
    let server = Server::start(&["puzzles"]);
    for number in [200, 600] {
        let silent: Vec<TcpStream> = (0..number).map(|_| server.connect()).collect();
        let began = Instant::now();
        assert_eq!(server.get("/").status, 200);
        let waited = began.elapsed();
        println!(
            "the page beside {number} silent connections: {} ms",
            waited.as_millis()
        );
        assert!(waited < Duration::from_secs(9), "{number}: {waited:?}");
        drop(silent);
    }
}
