# The checks of the project. `just` lists them; `.ci/run` runs all of them.

# Where tools are kept that only the checks need.
tools := justfile_directory() / "target/tools"

# The minimum Rust version, as Cargo.toml states it.
rust := `sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml`

# List the recipes.
default:
    @just --list

# What a commit must pass, in a few minutes.
check: format lint doc test unit

# Everything that `.ci/run` does, one after another.
all: format lint doc features test unit install outside long certificates minimum package browser python

# Format.
format:
    cargo fmt --check

# Lints, warnings denied.
lint:
    cargo clippy --workspace --all-targets -- -D warnings

# Documentation without warnings.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# The tests, by the README's own command.
test:
    cargo test

# The unit tests of the solver, which `cargo test` leaves out because they take long to compile.
unit:
    cargo test --package edgematch-core --config profile.dev.package.edgematch-core.overflow-checks=true

# The command, by the README's own line.
install:
    CARGO_INSTALL_ROOT="{{ tools }}" cargo install --path crates/cli --locked

# What has fewer features: the library, and what the browser's solver is made of.
features:
    cargo clippy --package edgematch --no-default-features -- -D warnings
    cargo clippy --package edgematch --no-default-features --features forms -- -D warnings
    cargo clippy --package edgematch --no-default-features --features milp -- -D warnings
    cargo clippy --package edgematch-play --no-default-features -- -D warnings
    cargo clippy --package edgematch-read --no-default-features -- -D warnings
    if rustc --print target-libdir --target wasm32-unknown-unknown | xargs test -d; then \
      cargo check --package edgematch --target wasm32-unknown-unknown; \
    fi

# Readers of other people, which take long to compile.
outside:
    cargo test --package edgematch-outside

# The long lists of tests, by name.
lists := replace("""
  figures::every_3x3_of_the_catalogue
  figures::three_puzzles_under_every_formulation
  figures::a_hard_board_is_completed
  constraints::the_model_enforces_what_propagate_enforces
  best::the_model_proves_the_optima_of_brute_force
  best::the_least_cost_is_that_of_brute_force_on_300_puzzles
  best::pools_are_those_of_all_solutions_on_1000_puzzles
  figures::two_searches_count_the_third_clue_puzzle_of_eternity
  estimate::probes_are_within_a_factor_of_three
  threads::large_boards_print_the_same_with_any_number_of_threads
  parts::every_engine_finds_the_same_in_every_number_of_parts
  agreement::every_formulation_finds_what_brute_force_finds_up_to_2x3
  logic::every_engine_obeys_constraints_in_constraints_on_5000_puzzles
  export::a_sat_solver_obeys_constraints_in_constraints_on_1000_puzzles
  models::every_model_has_the_stated_counts
  frontier::macmahon_squares_have_the_published_number
  frontier::counts_agree_with_lists_under_constraints_on_5000_puzzles
  generate::a_hundred_unique_puzzles_of_each_size
  results::a_hundred_thousand_rows_are_shown_in_little_memory
  play::ten_thousand_mixed_requests
  batch::ten_thousand_puzzles_in_little_memory
  batch::a_worker_that_hangs_is_replaced
  records::the_script_of_the_suite_compares_its_counts
  read::the_pictures_of_a_puzzle_of_ours_are_read_one_by_one
  a_ground_without_cards_is_refused
  photographs_that_were_held_back_are_read
  cards_are_read_whatever_they_lie_on
  turned_cards_are_found_on_textured_grounds_and_in_shadows
""", "\n", " ")

# Long lists of tests by their names, on all cores; one that was renamed fails.
list +names:
    cargo test --release --test it -- --ignored --exact {{ names }} > target/long-lists.log 2>&1 \
      || { cat target/long-lists.log; exit 1; }
    test "$(grep -c '^test .* ok$' target/long-lists.log)" = "$(echo {{ names }} | wc -w)"

# The long lists of tests.
long: (list lists)

# Certificates, checked by a second program.
certificates:
    test -x target/checkers/bin/rate || cargo install rate --version 0.3.0 --locked --root target/checkers
    just list certificates::constraints_in_constraints_are_certified_on_1000_puzzles \
      certificates::long_certificates_are_verified_by_three_programs

# The minimum Rust version, where it can be installed.
minimum:
    if rustup toolchain install {{ rust }} --profile minimal --no-self-update; then \
      CARGO_TARGET_DIR=target/minimum cargo +{{ rust }} check --workspace; \
    else \
      echo "Rust {{ rust }} is neither installed nor to be had: not checked"; \
    fi

# Each crate as it would be published, in the order of their dependencies.
package:
    cargo publish --workspace --dry-run --no-verify --allow-dirty --locked

# The same, and each crate built from its package, before a release: a quarter of an hour.
package-all:
    cargo publish --workspace --dry-run --allow-dirty --locked

# Licences, sources and duplicates of all dependencies; needs cargo-deny.
deny:
    cargo deny check bans licenses sources

# The solver for browsers: target/web/edgematch.wasm.
web:
    .ci/web

# The page in a real browser, and the solver for it: Debian's Chromium, driven by what npm brings.
browser: web
    .ci/browser

# The package for Python.
python:
    .ci/python

# Benchmarks; a filter such as `first` or `threads` runs one of them.
bench *filter:
    cargo bench -- {{ filter }}

# The pages of docs/ as a book: target/book. Needs mdbook 0.5 (`cargo install mdbook --version 0.5.4 --locked`).
book:
    mdbook build

# Write the tables of docs/commands.md and docs/constraints.md anew.
commands:
    EDGEMATCH_UPDATE=1 cargo test --package edgematch-cli --bin edgematch
    EDGEMATCH_UPDATE=1 cargo test --test it -- constraints::the_tables_of_the_page_are_what_kinds_declare
