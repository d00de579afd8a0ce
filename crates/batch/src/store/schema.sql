-- What a batch keeps. docs/batch.md describes it, with queries.

CREATE TABLE puzzles (
    hash       TEXT PRIMARY KEY,        -- SHA-256 of the puzzle's text, or `path:…` where it could not be read
    name       TEXT NOT NULL,
    title      TEXT,
    source     TEXT,
    board      TEXT,                    -- `3 × 3 grid`; NULL where the text is no puzzle
    tiles      INTEGER,
    kinds      INTEGER,
    text       BLOB                     -- the text itself; NULL where it could not be read
) STRICT;

-- Where a puzzle was seen last: several files may hold the same one.
CREATE TABLE files (
    path       TEXT NOT NULL,
    document   INTEGER NOT NULL,        -- from 1, in a file of several
    line       INTEGER NOT NULL,        -- the line it begins at, from 1
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
    revision   TEXT NOT NULL,           -- raised where the program can answer otherwise
    state      TEXT NOT NULL CHECK (state IN ('running', 'done')),
    started_at TEXT NOT NULL,
    status     TEXT,                    -- ALL_SOLUTIONS, SATISFIED, UNSATISFIABLE, UNKNOWN, ERROR
    complete   INTEGER,                 -- 1 where it is proven that nothing is missing
    reason     TEXT,                    -- why it is not complete, in a word
    error      TEXT,                    -- the same for people
    exit_code  INTEGER,                 -- what `solve` would have ended with
    distinct_count TEXT,                -- counts have any number of digits
    class_count    TEXT,
    solution_count TEXT,
    chosen     TEXT,                    -- what `auto` took
    nodes      INTEGER,
    tries      INTEGER,
    solves     INTEGER,
    cuts       INTEGER,
    seconds    REAL,                    -- from the loaded puzzle to the verdict
    has_solutions INTEGER,              -- 1 where they are in the table `solutions`
    UNIQUE (hash, engine, options, version, revision)
) STRICT;

-- Files of extra constraints, which the options of runs name by their hashes.
CREATE TABLE constraint_files (
    hash       TEXT PRIMARY KEY,        -- SHA-256 of the text
    path       TEXT NOT NULL,
    text       TEXT NOT NULL
) STRICT;

CREATE TABLE solutions (
    run        INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,        -- from 1, as they were found
    placements TEXT NOT NULL,           -- JSON, as `solve --format json` has them
    solutions  TEXT NOT NULL,           -- for how many labelled solutions it stands
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
