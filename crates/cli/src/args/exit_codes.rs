//! The section on exit codes in the help of each command: common meanings, which a command's
//! description may override.

use std::collections::BTreeMap;

/// The meaning of a code unless a command says otherwise.
const RULE: [(u8, &str); 6] = [
    (0, "done"),
    (1, "there is no solution"),
    (2, "bad usage, bad input, or output that cannot be written"),
    (3, "stopped early by a limit"),
    (4, "an engine or its solver failed"),
    (130, "interrupted by Ctrl-C, SIGTERM or SIGHUP"),
];

/// Builds the help section from the section in a command's description. A line there is a code, two
/// spaces and a meaning, or a comma-separated list of codes with their [common meanings](RULE).
/// Code 2 is always added.
///
/// # Panics
/// If a code without a meaning is not in [`RULE`].
pub fn exit_codes(described: &str) -> String {
    let rule: BTreeMap<u8, &str> = RULE.into_iter().collect();
    let mut meanings = BTreeMap::from([(2, rule[&2])]);
    for line in described.lines().map(str::trim) {
        let (codes, meaning) = line.split_once("  ").unwrap_or((line, ""));
        let codes = codes.split(", ").filter_map(|code| code.parse().ok());
        meanings.extend(codes.map(|code| match meaning.trim() {
            "" => (code, rule[&code]),
            own => (code, own),
        }));
    }
    let lines = meanings.into_iter().map(|(code, meaning)| format!("\n  {code:<5}{meaning}"));
    "Exit codes:".to_owned() + &lines.collect::<String>()
}
