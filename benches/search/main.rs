//! Benchmarks of the searches against reference programs in C. Their runs are interleaved, so
//! ratios are meaningful on a machine with other load.
//!
//! `cargo bench` prints all tables, `cargo bench -- proven`, `plain`, `first`, `best`, `bestproof`,
//! `threads`, `peers`, `auto` or `milp` a single one.

mod auto;
mod best;
mod first;
mod milp;
mod peers;
mod plain;
mod proven;
mod sides;
mod threads;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    if let Some((peers::ALONE, run)) = wanted.split_first().map(|(a, run)| (a.as_str(), run)) {
        return peers::alone(run);
    }
    let is_wanted = |table: &str| wanted.is_empty() || wanted.iter().any(|w| w == table);
    if is_wanted("proven") {
        proven::print();
    }
    if is_wanted("plain") {
        plain::print();
    }
    if is_wanted("first") {
        first::print();
    }
    if is_wanted("best") {
        best::print();
    }
    if is_wanted("bestproof") {
        best::print_proofs();
    }
    if is_wanted("threads") {
        threads::print();
    }
    if is_wanted("peers") {
        peers::print();
    }
    if is_wanted("auto") {
        auto::print();
    }
    if is_wanted("milp") {
        milp::print();
    }
}
