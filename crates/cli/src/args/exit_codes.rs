//! The exit codes in the help of each command. `docs/commands.md` has them as one table.

pub const SEARCHING: &str = "\
Exit codes:
  0    complete, or as many solutions as requested
  1    complete: there is no solution
  2    bad usage, bad puzzle, bad file, or output that cannot be written
  3    stopped early by a limit of time or memory
  4    the engine or its solver failed
  130  interrupted by Ctrl-C, SIGTERM or SIGHUP; what was found is printed";

pub const COUNTING: &str = "\
Exit codes:
  0    counted: there are solutions
  1    counted: there is none
  2    bad usage, bad puzzle, or bad file
  3    stopped early by a limit of time or memory; the counts are lower bounds
  4    the engine failed
  130  interrupted; the counts are lower bounds";

pub const HINTING: &str = "\
Exit codes:
  0    a placement that leads to a solution, or done
  1    no solution with these pins
  2    bad usage, bad puzzle, or bad file
  3    stopped early by a limit of time or memory
  4    the engine failed
  130  interrupted";

pub const EXPLAINING: &str = "\
Exit codes:
  0    there is no solution, and it is explained
  1    there is a solution
  2    bad usage, bad puzzle, bad file, or output that cannot be written
  3    stopped early by a limit of time or memory
  4    the engine failed
  130  interrupted";

pub const EXAMINING: &str = "\
Exit codes:
  0    examined
  2    bad usage, bad puzzle, bad file, or output that cannot be written
  3    stopped early by a limit of time or memory
  4    the engine failed
  130  interrupted";

pub const CHECKING: &str = "\
Exit codes:
  0    every arrangement fits
  1    an arrangement does not fit
  2    bad usage, bad puzzle, or bad file";

pub const VERIFYING: &str = "\
Exit codes:
  0    verified: the list of solutions is complete
  1    refused, with the reason
  2    bad usage, a file that cannot be read";

pub const MEASURING: &str = "\
Exit codes:
  0    measured
  2    bad usage, bad puzzle, or bad file
  3    stopped by the time limit
  130  interrupted";

pub const ESTIMATING: &str = "\
Exit codes:
  0    estimated
  2    bad usage, bad puzzle, or bad file
  130  interrupted";

pub const COMPARING: &str = "\
Exit codes:
  0    every engine finished, and all agree
  2    bad usage, bad puzzle, bad file, or output that cannot be written
  3    a run was stopped by the time limit, or skipped by Ctrl-C
  4    engines disagree, or one failed
  130  ended by Ctrl-C twice within a second, SIGTERM or SIGHUP";

pub const GENERATING: &str = "\
Exit codes:
  0    all puzzles are generated
  1    there is no such puzzle, proven
  2    bad usage, bad file, or output that cannot be written
  3    unreachable, given up, or stopped by the time limit
  4    the engine failed
  130  interrupted";

pub const PRINTING: &str = "\
Exit codes:
  0    written, with a solution unless --no-solution
  1    written without a solution: there is none, proven
  2    bad usage, bad puzzle, bad file, or output that cannot be written
  3    written without a solution: none was found in time
  4    the engine failed
  130  interrupted";

pub const SERVING: &str = "\
Exit codes:
  0    ended by Ctrl-C
  2    bad usage, bad puzzle, bad file, or an address that cannot be used";

pub const HOSTING: &str = "\
Exit codes:
  0    written
  2    bad usage, bad puzzle, bad file, or output that cannot be written
  3    written, with the solutions found in time; or stopped before the puzzle was read
  4    written, but results disagree or a stored solution does not fit; or the engine failed
  130  interrupted; written with the solutions found until then";

pub const BATCHING: &str = "\
Exit codes:
  0    every run is complete, or has as many solutions as requested
  2    bad usage, a bad puzzle or file, or results that cannot be written
  3    a run was stopped by a limit
  4    a run failed
  130  interrupted; run it again to resume
The worst one counts: 4, then 2, then 3.";

pub const SHOWING_RESULTS: &str = "\
Exit codes:
  0    shown
  2    bad usage, bad file, or output that cannot be written
  4    complete runs disagree";

pub const MERGING: &str = "\
Exit codes:
  0    every part is present and complete
  1    every part is present and complete, and there is no solution
  2    bad usage, a file that is not a part, or parts of different puzzles
  3    a part is missing or was stopped early
  4    parts contradict each other: a solution is in two of them";

pub const READING: &str = "\
Exit codes:
  0    written, with a solution
  1    written, but no likely reading has a solution
  2    bad usage, a bad photograph, no cards in it, or output that cannot be written
  3    written, and whether there is a solution is not known; or stopped by the time limit, and
       nothing is written";

pub const WRITING: &str = "\
Exit codes:
  0    written
  2    bad usage, bad puzzle, bad file, or output that cannot be written";
