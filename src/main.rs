//! The command line program; everything it does is in [`cli`] and in the library.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
