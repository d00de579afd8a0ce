#!/usr/bin/env bash
# Makes the figures and the picture of docs/measurements.md: random puzzles of 3x3 to 6x6 with fewer and fewer
# images, all their solutions, and their first one. Takes some minutes.
#
#   benches/hardness/run.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-target/hardness}
count=${COUNT:-40}
mkdir -p "$folder"
cargo build --release --quiet --examples --bins
edgematch=target/release/edgematch

# puzzles SIZE FEWEST MOST: so many puzzles of each number of images
puzzles() {
  for images in $(seq "$2" "$3"); do
    "$edgematch" generate --quiet --size "$1x$1" --images "$images" --count "$count" --seed 1
  done
}
# solve NAME OPTIONS…: what standard input has, as a line of JSON each
solve() {
  local results=$folder/$1.sqlite
  shift
  rm -f "$results"
  # Where a run is stopped its exit code says so.
  "$edgematch" batch - --engine propagate --time-limit 60s --results "$results" --quiet "$@" || [ $? = 3 ]
  "$edgematch" results "$results" --format jsonl > "${results%.sqlite}.jsonl"
}
{ puzzles 3 2 10; puzzles 4 3 14; puzzles 5 5 20; puzzles 6 6 24; } | solve all
{ puzzles 3 1 10; puzzles 4 1 14; puzzles 5 1 20; puzzles 6 2 24; } | solve first --solutions 1
target/release/examples/hardness "$folder/all.jsonl" "$folder/first.jsonl" docs/hardness.svg
