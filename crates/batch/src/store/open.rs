//! Opening a results file: locks it, creates its schema, or migrates an older one.
//!
//! A file with an unknown schema, or one that is not a results file, is rejected and not changed.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use edgematch_report::natural;
use itertools::Itertools;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rusqlite::{Connection, OpenFlags, params};

use super::{Result, Store, StoreError, describe_sqlite_error};

/// The SQLite `application_id` of results files: `edge` in ASCII.
const APPLICATION: i64 = 0x6564_6765;

/// The version of the schema, stored as SQLite's `user_version`.
const SCHEMA: i64 = 3;

/// The previous version, in which several processes could write. In addition, it has the column and
/// the objects below.
const SHARED: i64 = 2;
/// The additional column of `runs` in that version.
const SHARED_COLUMN: &str = "batch INTEGER REFERENCES batches (id),";
/// The additional objects in that version, normalised.
const SHARED_OBJECTS: [&str; 2] = [
    "CREATE TABLE batches ( id INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT NOT NULL, \
     pid INTEGER NOT NULL, born TEXT NOT NULL, started_at TEXT NOT NULL, \
     heartbeat REAL NOT NULL ) STRICT",
    "CREATE INDEX runs_by_batch ON runs (batch) WHERE state = 'running'",
];

/// The first version, in which the column `revision` was called `sources`; it is not read.
const WITH_SOURCES: i64 = 1;

/// The maximum time to wait for a lock that another connection holds during a transaction.
const PATIENCE: Duration = Duration::from_secs(20);

impl Store {
    /// Opens a results file for writing, or creates it. Migrates an older schema and deletes
    /// unfinished runs. The file stays locked until the value is dropped or the process ends.
    ///
    /// # Errors
    /// If another process has it open for writing, it cannot be opened or created, or it is not a
    /// results file.
    pub fn open(file: &Path) -> Result<Store> {
        let lock = lock(file)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Store::connect(file, flags, Some(lock))?;
        let schema = if store.is_new()? { None } else { Some(store.schema()?) };
        store.prepare(schema).map_err(|error| store.sqlite_error(&error))?;
        store.drop_unfinished()?;
        Ok(store)
    }

    /// Opens a results file for reading, even while another process writes to it. All reads are
    /// one transaction, which returns the contents as of now.
    ///
    /// # Errors
    /// If the file does not exist, cannot be opened, or is not a results file.
    pub fn open_to_read(file: &Path) -> Result<Store> {
        if !file.is_file() {
            let is =
                if file.exists() { "it is not a results file" } else { "there is no such file" };
            return Err(error(file, is.to_owned()));
        }
        // Only a connection that may write removes the log files when it is closed.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let store = Store::connect(file, flags, None)?;
        store.query(|connection| connection.pragma_update(None, "query_only", true))?;
        let store = match store.schema() {
            Ok(_) => store,
            // Even a reader writes to a log file, unless the database is opened as immutable.
            Err(error) => Store::open_immutable(file).unwrap_or(Err(error))?,
        };
        store.query(|connection| connection.execute_batch("BEGIN; SELECT 1 FROM runs"))?;
        Ok(store)
    }

    /// Opens a file for reading in a folder that is read-only. Returns `None` if its log is not
    /// empty, because another process may then be writing, or if its path cannot be resolved or is
    /// not UTF-8. The inner error means that the file cannot be opened or is not a results file.
    fn open_immutable(file: &Path) -> Option<Result<Store>> {
        let log = with_suffix(file, "-wal").metadata();
        let is_done = log.map_or(true, |log| log.len() == 0);
        let path = file.canonicalize().ok()?;
        let path = utf8_percent_encode(path.to_str()?, NON_ALPHANUMERIC);
        let address = format!("file:{path}?immutable=1");
        is_done.then(|| {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                | OpenFlags::SQLITE_OPEN_NO_MUTEX
                | OpenFlags::SQLITE_OPEN_URI;
            let mut store = Store::connect(Path::new(&address), flags, None)?;
            store.file = file.to_owned();
            store.schema()?;
            Ok(store)
        })
    }

    /// Opens a connection with the settings that all connections need; `lock` is kept open with it.
    /// The schema is neither created nor checked.
    ///
    /// # Errors
    /// If SQLite cannot open the file.
    fn connect(file: &Path, flags: OpenFlags, lock: Option<File>) -> Result<Store> {
        let connect = || {
            let connection = Connection::open_with_flags(file, flags)?;
            connection.busy_timeout(PATIENCE)?;
            connection.create_collation("natural_order", natural)?;
            Ok(connection)
        };
        let connection = connect().map_err(|why| error(file, describe_sqlite_error(&why)))?;
        Ok(Store { file: file.to_owned(), connection, _lock: lock })
    }

    /// Creates the schema if `schema` is `None`, migrates it if it is the version [`SHARED`], and
    /// records this process as the writer. Fails if the file cannot be written.
    fn prepare(&mut self, schema: Option<i64>) -> rusqlite::Result<()> {
        if schema.is_none() {
            self.connection.pragma_update(None, "journal_mode", "WAL")?;
        }
        let change = self.connection.transaction()?;
        match schema {
            None => change.execute_batch(include_str!("schema.sql"))?,
            Some(SHARED) => {
                let writer = include_str!("schema.sql").split_inclusive(';');
                let writer = writer.filter(|sql| sql.contains("CREATE TABLE writer")).join("");
                change.execute_batch(&format!(
                    "DROP INDEX runs_by_batch; ALTER TABLE runs DROP COLUMN batch;
                     DROP TABLE batches; {writer}"
                ))?;
            }
            Some(_) => {}
        }
        change.pragma_update(None, "application_id", APPLICATION)?;
        change.pragma_update(None, "user_version", SCHEMA)?;
        change.execute("DELETE FROM writer", [])?;
        change.execute(
            "INSERT INTO writer VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
            params![std::process::id()],
        )?;
        change.commit()?;
        // Commits survive the end of the process; only a power failure can lose the last of them.
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        self.connection.pragma_update(None, "foreign_keys", true)
    }

    /// The value of an SQLite pragma that is an integer.
    fn pragma(&self, name: &str) -> Result<i64> {
        self.query(|connection| connection.pragma_query_value(None, name, |row| row.get(0)))
    }

    /// Returns true if the database has no schema yet.
    fn is_new(&self) -> Result<bool> {
        Ok(self.pragma("application_id")? == 0 && self.pragma("schema_version")? == 0)
    }

    /// The version of the schema; an error if this program cannot read it, or the file is empty,
    /// another database, or has foreign objects.
    fn schema(&self) -> Result<i64> {
        if self.is_new()? {
            return Err(self.error("it is empty: nothing has been written to it yet".into()));
        }
        if self.pragma("application_id")? != APPLICATION {
            return Err(self.error("it is a database, but not a results file".into()));
        }
        match self.pragma("user_version")? {
            schema @ (SCHEMA | SHARED) => match self.query(foreign_object)? {
                None => Ok(schema),
                Some(object) => Err(self.error(format!(
                    "it is not a results file of edgematch: it has {object}, which edgematch does not write"
                ))),
            },
            WITH_SOURCES => Err(self.error(format!(
                "its schema is version {WITH_SOURCES}, which this program does not read; bring it up to \
                 date with SQLite: ALTER TABLE runs RENAME COLUMN sources TO revision; \
                 PRAGMA user_version = {SHARED}"
            ))),
            other => Err(self.error(format!(
                "its schema is version {other}, this program writes version {SCHEMA} and reads \
                 {SHARED} and {SCHEMA}"
            ))),
        }
    }
}

/// The first object that edgematch does not create, in words such as "the view" and its name; `None`
/// if there is none.
/// A foreign view or trigger could run forever.
fn foreign_object(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let schema = normalised(include_str!("schema.sql"));
    let own: Vec<&str> = schema.split(';').map(str::trim).chain(SHARED_OBJECTS).collect();
    let mut find = connection.prepare("SELECT type, name, sql FROM sqlite_schema")?;
    let mut objects = find.query([])?;
    while let Some(object) = objects.next()? {
        let (kind, name): (String, String) = (object.get(0)?, object.get(1)?);
        let sql: Option<String> = object.get(2)?;
        // SQLite itself creates tables of statistics and sequences, and indexes of keys.
        let is_of_sqlite = name.starts_with("sqlite_") && ["table", "index"].contains(&&*kind);
        if !is_of_sqlite && !own.contains(&&*normalised(&sql.unwrap_or_default())) {
            return Ok(Some(format!("the {kind} `{name}`")));
        }
    }
    Ok(None)
}

/// Locks a results file for this process, and creates it if needed. The lock ends when the returned
/// file is closed. Fails at once if another process has the lock.
fn lock(file: &Path) -> Result<File> {
    // On Windows locks prevent reading, so a separate file is locked.
    let place = if cfg!(windows) { with_suffix(file, "-lock") } else { file.to_owned() };
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(place);
    let opened = opened
        .map_err(|why| error(file, format!("{why}; does the folder exist, and is it writable?")))?;
    match opened.try_lock() {
        Ok(()) => Ok(opened),
        Err(TryLockError::WouldBlock) => {
            let writer = writer(file).map_or(String::new(), |writer| format!(" ({writer})"));
            let message = format!("another batch is writing to it{writer}");
            Err(StoreError { is_in_use: true, ..error(file, message) })
        }
        Err(TryLockError::Error(why)) => Err(error(file, format!("it cannot be locked: {why}"))),
    }
}

/// The process that is recorded as the writer of a file, in words; `None` if it cannot be read.
fn writer(file: &Path) -> Option<String> {
    let store = Store::open_to_read(file).ok()?;
    let find = "SELECT format('process %d, since %s', pid, started_at) FROM writer";
    store.connection.query_row(find, [], |row| row.get(0)).ok()
}

/// A path with a suffix appended to its file name.
fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// An error of a file that is not in use by another process.
fn error(file: &Path, message: String) -> StoreError {
    StoreError { file: file.to_owned(), message, is_in_use: false }
}

/// SQL statements in a form for comparison: without comments and line breaks, and without the
/// column of the previous version.
fn normalised(sql: &str) -> String {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or(line));
    lines.flat_map(str::split_whitespace).join(" ").replace(&format!("{SHARED_COLUMN} "), "")
}
