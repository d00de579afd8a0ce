//! Tests of the library through its public interface, compared with brute force, and tests of the
//! project's structure.

use edgematch_testing::{self as common, ROOT};

mod agreement;
mod assumed;
mod best;
mod boards;
mod constraints;
mod corners;
mod counting;
mod counts;
mod deep;
mod domains;
mod estimate;
mod explain;
mod figures;
mod first;
mod formulations;
mod frontier;
mod imports;
mod layers;
mod lazy;
mod limits;
mod lines;
mod logic;
mod mangled;
mod models;
mod notations;
mod own;
mod parts;
mod revision;
mod serves;
