#!/usr/bin/env bash
# A Slurm array, one task a part:
#
#     sbatch --array=1-200 benches/distributed/slurm.sh FILE FOLDER
#
# The same line once more searches what is still missing: part.sh leaves alone what is there.
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -euo pipefail
exec "$(dirname "${EDGEMATCH_PART:-$0}")/part.sh" "$1" "$SLURM_ARRAY_TASK_ID" "$SLURM_ARRAY_TASK_COUNT" "$2"
