//! The exit codes in the help of each command: one rule, and what a command says otherwise.

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

/// The codes of commands whose answer is found by a search.
pub const ANSWER_CODES: &[u8] = &[0, 1, 2, 3, 4, 130];

/// The codes of commands that search, but give no answer that may be no.
pub const RUN_CODES: &[u8] = &[0, 2, 3, 4, 130];

/// The codes of commands that only read and write.
pub const FILE_CODES: &[u8] = &[0, 2];

/// The table of a command: codes, and its own meaning of some; an empty one is that of the rule.
pub fn exit_codes(codes: &[u8], own: &[(u8, &str)]) -> String {
    let rule: BTreeMap<u8, &str> = RULE.into_iter().collect();
    let mut meanings: BTreeMap<u8, &str> = codes.iter().map(|&code| (code, "")).collect();
    meanings.extend(own.iter().copied());
    let line = |(code, meaning): (u8, &str)| {
        let meaning = if meaning.is_empty() { rule[&code] } else { meaning };
        format!("\n  {code:<5}{meaning}")
    };
    "Exit codes:".to_owned() + &meanings.into_iter().map(line).collect::<String>()
}
