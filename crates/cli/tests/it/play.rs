//! `edgematch play`: the server's answers to good and malicious requests, and the content of the
//! page.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::{Value, json};

use crate::session::{puzzle, run};

/// A board on which no search finishes.
pub const HARD_BOARD: &str = include_str!("../../../../benches/boards/f16-b5k17-0.yaml");

/// A running server, which is killed when dropped.
pub struct Server {
    child: Child,
    port: u16,
}

impl Server {
    pub fn start(args: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_edgematch"));
        command.args(["play", "--port", "0", "--quiet"]).args(args);
        command.current_dir(crate::ROOT);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().trim_end_matches('/').rsplit(':').next();
        let port = port.and_then(|port| port.parse().ok());
        Server { port: port.unwrap_or_else(|| panic!("no address: {line}")), child }
    }

    pub fn connect(&self) -> TcpStream {
        connect(self.port)
    }

    fn ask(&self, request: &Request) -> Response {
        request.send(self.port)
    }

    pub fn get(&self, path: &str) -> Response {
        self.ask(&Request::get(path))
    }

    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.ask(&Request::post(path, &body.to_string()))
    }

    /// A memory figure of `/proc/PID/status`, in MiB.
    fn memory(&self, key: &str) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(key));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap() / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let patience = Some(Duration::from_secs(60));
    stream.set_read_timeout(patience).unwrap();
    stream
}

/// An HTTP request.
#[derive(Clone)]
pub struct Request {
    first: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    fn new(method: &str, path: &str) -> Request {
        Request {
            first: format!("{method} {path} HTTP/1.1"),
            headers: vec![("Host".into(), "127.0.0.1".into())],
            body: Vec::new(),
        }
    }

    fn get(path: &str) -> Request {
        Request::new("GET", path)
    }

    pub fn post(path: &str, body: &str) -> Request {
        let mut request = Request::new("POST", path).with("Content-Type", "application/json");
        request.body = body.as_bytes().to_vec();
        request
    }

    /// Sets a header, replacing one of the same name.
    pub fn with(mut self, name: &str, value: &str) -> Request {
        self.headers.retain(|(own, _)| own != name);
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut text = format!("{}\r\n", self.first);
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        let has_length = self.headers.iter().any(|(name, _)| name == "Content-Length");
        if !self.body.is_empty() && !has_length {
            text += &format!("Content-Length: {}\r\n", self.body.len());
        }
        text += "Connection: close\r\n\r\n";
        [text.as_bytes(), &self.body].concat()
    }

    fn send(&self, port: u16) -> Response {
        exchange(&mut connect(port), &self.bytes())
    }
}

#[derive(Debug)]
pub struct Response {
    /// The status code; 0 if the connection was closed without an answer.
    pub status: u16,
    pub head: String,
    body: String,
}

impl Response {
    /// The JSON lines of the body, with chunks joined.
    pub fn lines(&self) -> Vec<Value> {
        let lines = self.body.lines().filter(|line| line.starts_with('{'));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn message(&self) -> String {
        self.lines()[0]["message"].as_str().unwrap_or_default().into()
    }
}

pub fn exchange(stream: &mut TcpStream, request: &[u8]) -> Response {
    // The server may close the connection before everything is sent.
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    Response {
        status: status.unwrap_or(0),
        head: head.to_lowercase(),
        body: if is_chunked { unchunked(body) } else { body.into() },
    }
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            break;
        }
        text += &rest[..length];
        body = &rest[length + 2..];
    }
    text
}

fn asked(name: &str, question: Value) -> Value {
    json!({"puzzle": {"name": name}, "question": question})
}

#[test]
fn a_puzzle_is_handed_out_solved_and_completed() {
    let server = Server::start(&["puzzles"]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-security-policy: default-src 'none'"));
    assert!(page.body.contains("<script type=\"module\" src=\"page.js\">"));
    for asset in ["page.css", "page.js", "worker.js"] {
        let file = server.get(&format!("/{asset}"));
        assert_eq!(file.status, 200, "{asset}");
        assert!(file.head.contains("x-content-type-options: nosniff"));
    }
    let listed = server.get("/api/puzzles").lines().remove(0);
    let listed = listed["puzzles"].as_array().unwrap();
    let named = |name: &str| listed.iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(named("boards/cube-4.yaml")["tiles"], 6);
    let first = named("scramble-1.yaml");
    assert_eq!(first["board"], "3 × 3 grid");
    let names = json!(["scramble-1.yaml", "none", "models/carcassonne-8x9.yaml"]);
    let rated = server.post("/api/difficulties", &json!({"names": names})).lines();
    assert!(["easy", "medium", "hard"].contains(&rated[0]["difficulty"].as_str().unwrap()));
    assert!(rated[1]["difficulty"].is_null());
    assert_eq!(rated[2]["difficulty"], "impossible");
    let code = first["code"].as_str().unwrap();
    let named = [json!({"name": "scramble-1.yaml"}), json!({"text": code})];
    let unknown = ["none", "../Cargo.toml"].map(|name| json!({"name": name}));
    let wanted: Vec<Value> =
        named.iter().chain(&unknown).map(|puzzle| json!({"puzzle": puzzle})).collect();
    let drawn = server.post("/api/thumbnails", &json!({"thumbnails": wanted})).lines();
    let pictures: Vec<Option<&str>> = drawn.iter().map(|line| line["svg"].as_str()).collect();
    assert!(pictures[..2].iter().all(|svg| svg.is_some_and(|svg| svg.starts_with("<svg"))));
    assert_eq!(pictures[2..], [None, None]);
    let game =
        server.post("/api/game", &json!({"puzzle": {"name": "scramble-1.yaml"}})).lines().remove(0);
    assert_eq!(game["game"]["cells"].as_array().unwrap().len(), 9);
    assert_eq!(game["game"]["seams"].as_array().unwrap().len(), 12);
    assert!(game["text"].as_str().unwrap().contains("tiles:"));
    let answer = |question: Value| {
        let response = server.post("/api/answer", &asked("scramble-1.yaml", question));
        assert_eq!(response.status, 200, "{response:?}");
        response.lines()
    };
    let solved = answer(json!({"solve": {"most": 10}}));
    assert_eq!(solved.len(), 2);
    assert_eq!(solved[1]["complete"], true);
    assert_eq!(solved[1]["solutions"], "4");
    let solution = solved[0]["placed"].as_array().unwrap().clone();
    let lying = |(cell, placed): (usize, &Value)| json!([cell, placed[0], placed[1]]);
    let placed: Vec<Value> = solution.iter().enumerate().map(lying).collect();
    assert_eq!(answer(json!({"check": {"placed": placed}}))[0]["wrong"], json!([]));
    assert_eq!(answer(json!({"hint": {"placed": placed}}))[0]["type"], "done");
    let most = &placed[..8];
    assert_eq!(answer(json!({"check": {"placed": most}}))[0]["wrong"], json!(["1 cell is empty"]));
    let count = &answer(json!({"count": {"placed": most}}))[0];
    assert_eq!((&count["number"], &count["complete"]), (&json!(1), &json!(true)));
    let hint = &answer(json!({"hint": {"placed": most}}))[0];
    assert_eq!((&hint["cell"], &hint["placed"]), (&json!(8), &solution[8]));
    // Tile 5, which belongs in the middle, in a corner.
    let wrong = json!([[0, 4, 0], [8, 0, 0]]);
    assert_eq!(answer(json!({"count": {"placed": wrong}}))[0]["number"], 0);
    let advice = &answer(json!({"hint": {"placed": wrong}}))[0];
    assert_eq!(advice["type"], "take-back");
    let watched = answer(json!({"watch": {}}));
    assert_eq!(
        watched.iter().map(|line| &line["engine"]).collect::<Vec<_>>(),
        ["spiral", "propagate"]
    );
}

#[test]
fn one_puzzle_keeps_what_is_asked_beside() {
    let file = puzzle("absolut-knifflig");
    let server = Server::start(&[&file, "--pin", "2,2=4"]);
    let listed = server.get("/api/puzzles").lines().remove(0)["puzzles"].clone();
    assert_eq!(listed[0]["name"], "absolut-knifflig");
    let question = asked("absolut-knifflig", json!({"count": {"placed": []}}));
    let counted = server.post("/api/answer", &question).lines().remove(0);
    let pinned = run(&["count", "--format", "json", &file, "--pin", "2,2=4"]);
    let pinned: Value = serde_json::from_str(&pinned.stdout).unwrap();
    assert_eq!(counted["number"], pinned["distinct"]);
}

#[test]
fn a_new_puzzle_is_what_generate_makes() {
    let server = Server::start(&[]);
    let wish =
        json!({"rows": 3, "columns": 3, "images": 4, "halves": true, "unique": true, "seed": 5});
    let made = server.post("/api/fresh", &wish).lines().remove(0);
    let again = run(&["generate", "--size", "3x3", "--images", "4", "--unique", "--seed", "5"]);
    let tiles = |text: &str| text[text.find("tiles:").unwrap()..].to_owned();
    assert_eq!(tiles(made["text"].as_str().unwrap()), tiles(&again.stdout));
    let impossible =
        json!({"rows": 2, "columns": 2, "images": 99, "halves": true, "unique": true, "seed": 5});
    let refused = server.post("/api/fresh", &impossible);
    assert_eq!(refused.status, 422);
    assert!(refused.message().contains("too many"), "{}", refused.message());
}

/// Malicious requests, each with a name and the allowed status codes.
fn hostile() -> Vec<(&'static str, Request, &'static [u16])> {
    let answer = |body: &str| Request::post("/api/answer", body);
    let solve = asked("scramble-1.yaml", json!({"solve": {"most": 1}})).to_string();
    let named =
        |name: &str| Request::post("/api/game", &json!({"puzzle": {"name": name}}).to_string());
    let placed = |placed: Value| {
        answer(&asked("scramble-1.yaml", json!({"count": {"placed": placed}})).to_string())
    };
    let text =
        |text: &str| Request::post("/api/game", &json!({"puzzle": {"text": text}}).to_string());
    let mut raw = Request::get("/");
    raw.first = "\u{1}\u{2} nonsense".into();
    let mut long = Request::get("/");
    long = long.with("X-Long", &"x".repeat(100_000));
    let mut lies = answer(&solve);
    lies = lies.with("Content-Length", "1000000000000");
    vec![
        ("another name", Request::get("/").with("Host", "evil.example"), &[421]),
        ("another name, asking", answer(&solve).with("Host", "evil.example:80"), &[421]),
        ("another site", answer(&solve).with("Origin", "http://evil.example"), &[403]),
        ("no site", answer(&solve).with("Origin", "null"), &[403]),
        ("across sites", answer(&solve).with("Sec-Fetch-Site", "cross-site"), &[403]),
        ("a form's type", answer(&solve).with("Content-Type", "text/plain"), &[415]),
        ("no JSON", answer("{"), &[400]),
        ("no question", answer("{}"), &[400]),
        ("no text", answer("\u{0}\u{fffd}"), &[400]),
        ("an unknown question", answer(&solve.replace("solve", "shell")), &[400]),
        ("an unknown key", answer(&solve.replace("most", "path")), &[400]),
        ("a negative number", answer(&solve.replace(":1}", ":-1}")), &[400]),
        ("a huge number", answer(&solve.replace(":1}", ":1e999}")), &[400]),
        ("deep nesting", answer(&"[".repeat(100_000)), &[400]),
        ("too much", answer(&" ".repeat(1 << 20)), &[413, 0]),
        ("a length that lies", lies, &[413]),
        ("an unknown place", Request::get("/api/nothing"), &[404]),
        ("a file", Request::get("/../Cargo.toml"), &[404]),
        ("an encoded file", Request::get("/%2e%2e/%2e%2e/etc/passwd"), &[404]),
        ("a source", Request::get("/index.html"), &[404]),
        ("another method", Request::new("DELETE", "/api/puzzles"), &[405]),
        ("a question as a page", Request::get("/api/answer"), &[405]),
        ("a puzzle outside", named("../Cargo.toml"), &[404]),
        ("an absolute path", named("/etc/passwd"), &[404]),
        ("a name with a zero", named("scramble-1.yaml\u{0}"), &[404]),
        ("no cell", placed(json!([[99, 0, 0]])), &[422]),
        ("no tile", placed(json!([[0, 99, 0]])), &[422]),
        ("no rotation", placed(json!([[0, 0, 99]])), &[422]),
        ("a huge rotation", placed(json!([[0, 0, u64::MAX]])), &[422]),
        ("a cell twice", placed(json!([[0, 0, 0], [0, 1, 0]])), &[422]),
        ("a tile twice", placed(json!([[0, 0, 0], [1, 0, 0]])), &[422]),
        ("no puzzle", text("tiles: ["), &[422]),
        ("a file's name as a text", text("/etc/passwd"), &[422]),
        (
            "a small board with large rows",
            text("{rows: 100000, cols: 100000, tiles: {1: [a, a, a, a]}}"),
            &[422],
        ),
        ("references that grow", text(&bomb()), &[422]),
        ("nothing of HTTP", raw, &[400, 0]),
        ("a long header", long, &[431, 400, 0]),
    ]
}

/// A YAML bomb: nine levels of lists, each of nine references to the level below.
fn bomb() -> String {
    let level = |level: usize| {
        let below = vec![format!("*a{}", level.wrapping_sub(1)); 9].join(", ");
        format!("a{level}: &a{level} [{}]\n", if level == 0 { "x".into() } else { below })
    };
    (0..10).map(level).collect::<String>() + "tiles: *a9\n"
}

#[test]
fn hostile_requests_are_refused_and_the_server_goes_on() {
    let server = Server::start(&["puzzles", "--time-limit", "2s"]);
    for (what, request, expected) in hostile() {
        let response = server.ask(&request);
        assert!(expected.contains(&response.status), "{what}: {response:?}");
        if ![0, 400, 431].contains(&response.status) || response.body.starts_with('{') {
            assert!(!response.message().is_empty(), "{what}: {response:?}");
            assert!(response.head.contains("content-security-policy"), "{what}");
        }
        assert!(!response.body.contains("root:") && !response.body.contains("[package]"), "{what}");
    }
    // Errors in entered text have a position.
    let bad = json!({"puzzle": {"text": "tiles:\n  1: [a, b, c, 'd ']\n  2: [a+, a, a, a]\n"}});
    let refused = server.post("/api/game", &bad).lines().remove(0);
    assert!(refused["line"].as_u64().is_some_and(|line| line > 1), "{refused}");
    // An incomplete request.
    let mut half = server.connect();
    half.write_all(b"POST /api/answer HTTP/1.1\r\nHost: ").unwrap();
    half.shutdown(Shutdown::Write).unwrap();
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_search_ends_with_its_connection_and_its_time() {
    let question = json!({"puzzle": {"text": HARD_BOARD}, "question": {"solve": {"most": 1}}});
    let request = Request::post("/api/answer", &question.to_string());
    let server = Server::start(&["--time-limit", "1s"]);
    let slow = server.ask(&request);
    assert_eq!(slow.lines().last().unwrap()["complete"], false);
    // More searches than can run or wait: closing connections makes room for others.
    let server = Server::start(&["--time-limit", "10m"]);
    for _ in 0..5 {
        let mut streams: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
        for stream in &mut streams {
            stream.write_all(&request.bytes()).unwrap();
        }
        thread::sleep(Duration::from_millis(100));
    }
    let small =
        json!({"puzzle": {"text": "tiles: {1: [a, a, a, a]}"}, "question": {"solve": {"most": 1}}});
    let solved = server.post("/api/answer", &small);
    assert_eq!(solved.lines().last().unwrap()["complete"], true);
}

#[test]
fn too_many_searches_at_once_are_told_to_come_back() {
    let question = json!({"puzzle": {"text": HARD_BOARD}, "question": {"count": {"placed": []}}});
    let request = Request::post("/api/answer", &question.to_string());
    let server = Server::start(&["--time-limit", "1h"]);
    // More searches than may run and wait.
    let mut streams: Vec<TcpStream> = (0..100).map(|_| server.connect()).collect();
    for stream in &mut streams {
        stream.write_all(&request.bytes()).unwrap();
    }
    assert_eq!(exchange(&mut server.connect(), &request.bytes()).status, 503);
    assert_eq!(server.get("/").status, 200);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    let mut server = Server::start(&["puzzles"]);
    let pid = server.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_cannot_be_served_is_said() {
    let server = Server::start(&[]);
    let port = server.port.to_string();
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().to_str().unwrap();
    for (args, words) in [
        (&["--port", &port][..], "is in use: choose another, or --port 0"),
        (&["--port", "0", "--host", "no.such.host.invalid"], "there is no such address"),
        (&["nothing.yaml"], "there is no such file"),
        (&[folder], "contains no puzzle"),
        (&["puzzles", "--pin", "1,1=1"], "--pin applies to one puzzle, not with a folder"),
        (&["--board", "cube"], "--board applies to one puzzle, not without a puzzle"),
        (&["tests/wrong.txt"], "error"),
    ] {
        let ran = run(&[&["play"], args].concat());
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn the_same_names_are_text_wherever_they_are_shown() {
    let evil = r#"<img src=x onerror=hit()>"'</script><script>hit()</script>"#;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let edge = Value::from(format!("{evil}e")).to_string();
    let tile = format!("[{edge}, {edge}, {edge}, {edge}]");
    let text =
        format!("name: {0}\ntitle: {0}\nsource: {0}\ntiles: {{{0}: {tile}}}\n", Value::from(evil));
    let file = path("evil.yaml");
    let runs = path("runs.sqlite");
    fs::write(&file, text).unwrap();
    let page = path("page.html");
    assert_eq!(run(&["site", &file, "-n", "9", "-o", &page]).code, 0);
    assert_eq!(run(&["solve", &file, "-o", &path("pictures")]).code, 0);
    assert_eq!(run(&["batch", &file, "--results", &runs, "--keep-solutions"]).code, 0);
    assert_eq!(run(&["site", &runs, "-o", &path("results.html")]).code, 0);
    let mut looked_at = 0;
    for entry in walkdir::WalkDir::new(folder.path()) {
        let entry = entry.unwrap();
        let ending = entry.path().extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("html" | "svg")) {
            let text = fs::read_to_string(entry.path()).unwrap();
            assert!(!text.contains("<img src=x"), "{}", entry.path().display());
            assert!(!text.contains("<script>hit"), "{}", entry.path().display());
            looked_at += 1;
        }
    }
    assert!(looked_at >= 3, "{looked_at} files");
}

/// One of the requests of a normal player, chosen by `number`.
fn friendly(number: usize) -> Request {
    const PUZZLES: [&str; 6] = [
        "scramble-1.yaml",
        "absolut-knifflig.yaml",
        "boards/cube-4.yaml",
        "boards/two-sided-3x3-6.yaml",
        "random-half-4x4-6-s1.yaml",
        "framed-4x4-tud.yaml",
    ];
    let name = PUZZLES[number / 11 % PUZZLES.len()];
    let answer = |question: Value| Request::post("/api/answer", &asked(name, question).to_string());
    let placed = json!([[number % 6, number / 7 % 6, 0]]);
    match number % 11 {
        0 => Request::get("/"),
        1 => Request::get("/page.js"),
        2 => Request::get("/api/puzzles"),
        3 => Request::post("/api/signs", r#"{"images": ["sun", "red"]}"#),
        4 => Request::post("/api/game", &json!({"puzzle": {"name": name}}).to_string()),
        5 => Request::post("/api/game", &json!({"puzzle": {"text": "tiles: {1: [a, b, a, b]}"}}).to_string()),
        6 => answer(json!({"count": {"placed": placed}})),
        7 => answer(json!({"hint": {"placed": placed}})),
        8 => answer(json!({"check": {"placed": placed}})),
        9 if number.is_multiple_of(5) => answer(json!({"watch": {}})),
        9 => answer(json!({"solve": {"most": 20}})),
        _ => Request::post(
            "/api/fresh",
            &json!({"rows": 3, "columns": 3, "images": 4, "halves": true, "unique": false, "seed": number}).to_string(),
        ),
    }
}

/// Many requests all get the correct answer, and memory does not grow with their number.
#[test]
#[ignore = "takes a minute or two"]
fn ten_thousand_mixed_requests() {
    const REQUESTS: usize = 10_000;
    const CLIENTS: usize = 8;
    /// The maximum peak memory of the server, in MiB.
    const MOST: f64 = 64.0;
    /// The maximum growth after the first tenth of the requests, in MiB.
    const GROWTH: f64 = 16.0;
    let server = Server::start(&["puzzles", "--time-limit", "5s"]);
    let mut hostile = hostile();
    let half = Request::post("/api/answer", "{").with("Content-Length", "100");
    hostile.push(("half a request", half, &[408]));
    let next = AtomicUsize::new(0);
    let again = AtomicUsize::new(0);
    let slowest = Mutex::new(Duration::ZERO);
    let after_tenth = Mutex::new(None);
    let started = Instant::now();
    let attend = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= REQUESTS {
                return;
            }
            if number == REQUESTS / 10 {
                *after_tenth.lock().unwrap() = Some(server.memory("VmRSS:"));
            }
            let is_hostile = number.is_multiple_of(10);
            let (what, request, expected): (_, _, &[u16]) = if is_hostile {
                hostile[number / 10 % hostile.len()].clone()
            } else {
                ("a player", friendly(number), &[200, 422])
            };
            loop {
                let asked = Instant::now();
                let response = server.ask(&request);
                let mut slowest = slowest.lock().unwrap();
                *slowest = asked.elapsed().max(*slowest);
                drop(slowest);
                if response.status == 503 {
                    again.fetch_add(1, Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(200));
                    continue;
                }
                assert!(expected.contains(&response.status), "{number}, {what}: {response:?}");
                break;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(attend);
        }
    });
    let before = after_tenth.into_inner().unwrap().unwrap();
    let peak = server.memory("VmHWM:");
    let last = server.memory("VmRSS:");
    println!(
        "{REQUESTS} requests, {} of them hostile, in {:.0} s; {} told to come back; slowest {:.1} s; \
         memory {before:.0} MiB after a tenth, {last:.0} at the end, {peak:.0} at most",
        REQUESTS / 10,
        started.elapsed().as_secs_f64(),
        again.into_inner(),
        slowest.into_inner().unwrap().as_secs_f64(),
    );
    assert!(peak < MOST, "{peak:.0} MiB");
    assert!(last - before < GROWTH, "{before:.0} MiB, then {last:.0}");
    assert_eq!(server.get("/").status, 200);
}
