//! The exit codes in the help of each command: one rule, and what the command's description says
//! otherwise.

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

/// The table in the help of a command from that in its description. There, a line has a code and its
/// meaning, or codes that mean what the rule says; 2 need not be listed.
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
