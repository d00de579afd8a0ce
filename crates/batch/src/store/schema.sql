-- The results of batches. docs/batch.md describes the tables, with queries.

CREATE TABLE puzzles (
    hash       TEXT PRIMARY KEY,        -- SHA-256 of the puzzle's text, or `path:…` if it could not be read
    name       TEXT NOT NULL,
    title      TEXT,
    source     TEXT,
    board      TEXT,                    -- such as `3 × 3 grid`; NULL if the text is not a puzzle
    tiles      INTEGER,
    kinds      INTEGER,
    text       BLOB                     -- the text itself; NULL if it could not be read
) STRICT;

-- The files that contain each puzzle, as of the last batch: several files may have the same text.
CREATE TABLE files (
    path       TEXT NOT NULL,
    document   INTEGER NOT NULL,        -- the number of the puzzle in its file, from 1
    line       INTEGER NOT NULL,        -- the line where it begins, from 1
    hash       TEXT NOT NULL REFERENCES puzzles (hash),
    PRIMARY KEY (path, document)
) STRICT, WITHOUT ROWID;

CREATE INDEX files_by_hash ON files (hash);

-- The process that is writing, or was the last to write.
CREATE TABLE writer (
    pid        INTEGER NOT NULL,
    started_at TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
    id         INTEGER PRIMARY KEY,
    hash       TEXT NOT NULL REFERENCES puzzles (hash),
    engine     TEXT NOT NULL,
    options    TEXT NOT NULL,           -- JSON: limits and extra constraints
    version    TEXT NOT NULL,
    revision   TEXT NOT NULL,           -- changes if the program may give other results
    state      TEXT NOT NULL CHECK (state IN ('running', 'done')),
    started_at TEXT NOT NULL,
    status     TEXT,                    -- ALL_SOLUTIONS, SATISFIED, UNSATISFIABLE, UNKNOWN, ERROR
    complete   INTEGER,                 -- 1 if the search finished, so no solution is missing
    reason     TEXT,                    -- why it is not complete, as a keyword
    error      TEXT,                    -- the error message
    exit_code  INTEGER,                 -- the exit code that `solve` would have had
    distinct_count TEXT,                -- counts are decimal digits, of any number
    class_count    TEXT,
    solution_count TEXT,
    chosen     TEXT,                    -- the engine that `auto` chose
    nodes      INTEGER,
    tries      INTEGER,
    solves     INTEGER,
    cuts       INTEGER,
    seconds    REAL,                    -- of the search, without loading the puzzle
    has_solutions INTEGER,              -- 1 if they are in the table `solutions`
    UNIQUE (hash, engine, options, version, revision)
) STRICT;

-- Files of extra constraints, to which the options of runs refer by hash.
CREATE TABLE constraint_files (
    hash       TEXT PRIMARY KEY,        -- SHA-256 of the text
    path       TEXT NOT NULL,
    text       TEXT NOT NULL
) STRICT;

CREATE TABLE solutions (
    run        INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,        -- from 1, in the order in which they were found
    placements TEXT NOT NULL,           -- JSON, as in the output of `solve --format json`
    solutions  TEXT NOT NULL,           -- the number of solutions that it represents
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
