//! Opening a results file: creating its schema, or migrating an older one.
//!
//! A file of a newer schema, or one that is no results file at all, is refused and left as it is.

use std::path::Path;
use std::time::{Duration, SystemTime};

use edgematch_report::natural;
use itertools::Itertools;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::claims::is_alive;
use super::{PATIENCE, Store, StoreError, explained};

/// Tells our files from other SQLite files: `edge` in ASCII.
const APPLICATION: i64 = 0x6564_6765;

/// The schema's version.
const SCHEMA: i64 = 2;

/// The one before: `revision` was called `sources`, and held a hash of the program's sources.
const SCHEMA_WITH_SOURCES: i64 = 1;

impl Store {
    /// Opens a file of results to write into; makes it where there is none.
    ///
    /// # Errors
    /// Where it can't be opened or made, or is something else.
    pub fn open(file: &Path) -> Result<Store, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Store::connect(file, flags)?;
        store.refuse_foreign_schema()?;
        let made = store.make();
        made.map_err(|error| store.trouble(&error))?;
        match store.schema()? {
            SCHEMA => Ok(store),
            _ => Err(store
                .error("an older edgematch is writing to it: wait until it has finished".into())),
        }
    }

    /// Opens a file of results to read from.
    ///
    /// # Errors
    /// Where there is none, it can't be opened, or is something else.
    pub fn open_to_read(file: &Path) -> Result<Store, StoreError> {
        if !file.is_file() {
            let message =
                if file.exists() { "it is not a results file" } else { "there is no such file" };
            return Err(StoreError { file: file.to_owned(), message: message.into() });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let store = Store::connect(file, flags)?;
        let Err(error) = store.rename_for_reading() else {
            return Ok(store);
        };
        // A reader writes, too, into a file beside this one, unless it is told that nobody does.
        match Store::finished(file, flags) {
            Some(store) => store,
            None => Err(error),
        }
    }

    /// Opens a file that nobody writes, where that is so: nothing stands in the log beside it.
    fn finished(file: &Path, flags: OpenFlags) -> Option<Result<Store, StoreError>> {
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        let is_done = Path::new(&log).metadata().map_or(true, |log| log.len() == 0);
        let path = file.canonicalize().ok()?;
        let path = utf8_percent_encode(path.to_str()?, NON_ALPHANUMERIC);
        let address = format!("file:{path}?immutable=1");
        is_done.then(|| {
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            let mut store = Store::connect(Path::new(&address), flags)?;
            store.file = file.to_owned();
            store.rename_for_reading()?;
            Ok(store)
        })
    }

    fn connect(file: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let fail = |error: rusqlite::Error| StoreError {
            file: file.to_owned(),
            message: explained(&error),
        };
        let connection = Connection::open_with_flags(file, flags).map_err(fail)?;
        connection.busy_timeout(PATIENCE).map_err(fail)?;
        connection.create_collation("natural_order", natural).map_err(fail)?;
        Ok(Store { file: file.to_owned(), connection, process: None })
    }

    /// Whatever is missing of a new file. Two processes may be at it.
    fn make(&mut self) -> rusqlite::Result<()> {
        let number = |name| pragma(&self.connection, name);
        if number("user_version")? == 0 && number("schema_version")? == 0 {
            // A new file's mode can't be changed while another process makes it, too.
            let deadline = SystemTime::now() + PATIENCE;
            while let Err(error) = self.connection.pragma_update(None, "journal_mode", "WAL") {
                let is_busy = error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy);
                if !is_busy || SystemTime::now() > deadline {
                    return Err(error);
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            let change =
                self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if pragma(&change, "user_version")? == 0 {
                change.execute_batch(include_str!("schema.sql"))?;
                change.pragma_update(None, "application_id", APPLICATION)?;
                change.pragma_update(None, "user_version", SCHEMA)?;
            }
            change.commit()?;
        }
        self.bring_up_to_date()?;
        // What a killed process has committed stays; only a power cut may take the last of it.
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        self.connection.pragma_update(None, "foreign_keys", true)
    }

    /// Renames what the schema before called otherwise, but for a program that writes into it. Two
    /// processes may be at it.
    fn bring_up_to_date(&mut self) -> rusqlite::Result<()> {
        if !is_of_the_schema_before(&self.connection)? {
            return Ok(());
        }
        let behavior = TransactionBehavior::Immediate;
        let change = self.connection.transaction_with_behavior(behavior)?;
        if is_of_the_schema_before(&change)? && !has_living_batch(&change)? {
            change.execute_batch("ALTER TABLE runs RENAME COLUMN sources TO revision")?;
            change.pragma_update(None, "user_version", SCHEMA)?;
        }
        change.commit()
    }

    /// Shows a file of the schema before as one of today's, without a change to it.
    fn rename_for_reading(&self) -> Result<(), StoreError> {
        self.refuse_foreign_schema()?;
        if self.schema()? == SCHEMA {
            return Ok(());
        }
        let renamed = "CREATE TEMP VIEW runs AS SELECT *, sources AS revision FROM main.runs";
        let made = self.connection.execute_batch(renamed);
        made.map_err(|error| self.trouble(&error))
    }

    /// Refuses one of our files that has more than our tables and indexes: a view or a trigger in it
    /// may run without end.
    fn refuse_foreign_schema(&self) -> Result<(), StoreError> {
        let foreign = foreign_object(&self.connection);
        match foreign.map_err(|error| self.trouble(&error))? {
            Some(object) => Err(self.error(format!(
                "it is not a results file of edgematch: it has {object}, which edgematch does not write"
            ))),
            None => Ok(()),
        }
    }

    /// The version of its schema, today's or the one before; anything else is refused.
    fn schema(&self) -> Result<i64, StoreError> {
        let number = |name| {
            let asked = pragma(&self.connection, name);
            asked.map_err(|error| self.trouble(&error))
        };
        if number("application_id")? == 0 && number("schema_version")? == 0 {
            return Err(self.error("it is empty: nothing has been written into it yet".into()));
        }
        if number("application_id")? != APPLICATION {
            return Err(self.error("it is a database, but not a results file".into()));
        }
        match number("user_version")? {
            known @ (SCHEMA | SCHEMA_WITH_SOURCES) => Ok(known),
            other => Err(self.error(format!(
                "its form is version {other}, this program writes and reads version {SCHEMA}"
            ))),
        }
    }
}

/// A number that a file keeps of itself.
fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// The first object in one of our files that is not in the schema.
fn foreign_object(connection: &Connection) -> rusqlite::Result<Option<String>> {
    if pragma(connection, "application_id")? != APPLICATION {
        return Ok(None);
    }
    let schema = normalised(include_str!("schema.sql"));
    let own: Vec<&str> = schema.split(';').map(str::trim).collect();
    let mut find = connection.prepare("SELECT type, name, sql FROM sqlite_schema")?;
    let mut objects = find.query([])?;
    while let Some(object) = objects.next()? {
        let kind: String = object.get(0)?;
        let name: String = object.get(1)?;
        let sql: Option<String> = object.get(2)?;
        // SQLite's own: statistics, numbers that were given, indexes of keys.
        let is_of_sqlite = name.starts_with("sqlite_") && ["table", "index"].contains(&&*kind);
        if !is_of_sqlite && !own.contains(&&*normalised(&sql.unwrap_or_default())) {
            return Ok(Some(format!("the {kind} `{name}`")));
        }
    }
    Ok(None)
}

/// Statements without comments and line breaks, with the columns called as they are today.
fn normalised(sql: &str) -> String {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or(line));
    let words = lines.flat_map(str::split_whitespace).join(" ");
    words.replace("sources", "revision")
}

/// Whether it is one of ours, as the version before wrote them.
fn is_of_the_schema_before(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(pragma(connection, "application_id")? == APPLICATION
        && pragma(connection, "user_version")? == SCHEMA_WITH_SOURCES)
}

fn has_living_batch(connection: &Connection) -> rusqlite::Result<bool> {
    let mut find = connection.prepare("SELECT id FROM batches")?;
    let mut batches = find.query_map([], |row| row.get(0))?;
    while let Some(batch) = batches.next().transpose()? {
        if is_alive(connection, batch)? {
            return Ok(true);
        }
    }
    Ok(false)
}
