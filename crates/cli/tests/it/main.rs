//! Tests that run the command as a process.

use edgematch_testing::{self as common, ROOT};

mod filled;
mod session;

mod assumed;
mod bad_input;
mod batch;
mod best;
mod board_verbs;
mod certificates;
mod check;
mod choices;
mod cli;
mod compare;
mod constraints;
mod counts;
mod doctor;
mod estimate;
mod export;
mod fairness;
mod forms;
mod frontier;
mod generate;
mod highs;
mod hostile;
mod log;
mod nets;
mod output;
mod pages;
mod parts;
mod pictures;
mod play;
mod pressure;
mod read;
mod readme;
mod records;
mod results;
mod sheet;
mod site;
mod threads;
mod why;
