#!/usr/bin/env bash
# One part of a search, for whatever hands out the numbers:
#
#     part.sh FILE K N FOLDER [OPTION OF solve …]
#
# Writes FOLDER/part-K.jsonl, whole or not at all: a part that is there is not searched again, and one
# that is killed leaves nothing that could be taken for it. EDGEMATCH names the program.
set -euo pipefail
file=$1 part=$2 parts=$3 folder=$4
shift 4
wanted=$folder/part-$part.jsonl
[ -e "$wanted" ] && exit 0
mkdir -p "$folder"
# The name of its own, as a task that was given up may still run beside the one that replaces it.
unfinished=$(mktemp "$folder/.part-$part.XXXXXX")
trap 'rm -f "$unfinished"' EXIT
"${EDGEMATCH:-edgematch}" solve "$file" --part "$part/$parts" --format jsonl --threads 1 --quiet "$@" > "$unfinished"
mv "$unfinished" "$wanted"
