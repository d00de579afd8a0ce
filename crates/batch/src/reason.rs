//! Why a run is not complete.

/// Why a run is not complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// As many solutions as asked for were found.
    Solutions,
    /// The time was up.
    Time,
    /// Somebody interrupted it.
    Interrupted,
    /// It did not stop when its time was up, and was killed.
    Hang,
    /// It wanted more memory than it may have.
    Memory,
    /// The engine does not serve this board.
    Engine,
    /// The text is no puzzle.
    Puzzle,
    /// The file can't be read.
    Unreadable,
    /// The text is longer than any puzzle.
    TooLarge,
    /// The engine failed, or disagrees with the checker.
    Failed,
    /// The worker process ended.
    Crash,
}

impl Reason {
    /// Every one.
    pub const ALL: [Reason; 11] = [
        Reason::Solutions,
        Reason::Time,
        Reason::Interrupted,
        Reason::Hang,
        Reason::Memory,
        Reason::Engine,
        Reason::Puzzle,
        Reason::Unreadable,
        Reason::TooLarge,
        Reason::Failed,
        Reason::Crash,
    ];

    /// Its name in the file of results.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Solutions => "solutions",
            Reason::Time => "time",
            Reason::Interrupted => "interrupted",
            Reason::Hang => "hang",
            Reason::Memory => "memory",
            Reason::Engine => "engine",
            Reason::Puzzle => "puzzle",
            Reason::Unreadable => "unreadable",
            Reason::TooLarge => "too large",
            Reason::Failed => "failed",
            Reason::Crash => "crash",
        }
    }

    /// The reason with this name.
    pub fn named(name: &str) -> Option<Reason> {
        let mut all = Self::ALL.into_iter();
        all.find(|reason| reason.name() == name)
    }

    /// The same in words.
    pub fn words(self) -> &'static str {
        match self {
            Reason::Solutions => "as many as asked for",
            Reason::Time => "its time was up",
            Reason::Interrupted => "interrupted",
            Reason::Hang => "it hung",
            Reason::Memory => "out of memory",
            Reason::Engine => "not for this board",
            Reason::Puzzle => "no puzzle",
            Reason::Unreadable => "can't be read",
            Reason::TooLarge => "too large",
            Reason::Failed => "the engine failed",
            Reason::Crash => "the worker ended",
        }
    }

    /// The status of a run that has found nothing.
    pub fn status(self) -> &'static str {
        match self {
            Reason::Solutions
            | Reason::Time
            | Reason::Interrupted
            | Reason::Hang
            | Reason::Memory
            | Reason::Engine => "UNKNOWN",
            Reason::Puzzle
            | Reason::Unreadable
            | Reason::TooLarge
            | Reason::Failed
            | Reason::Crash => "ERROR",
        }
    }

    /// What the command `solve` ends with for the same reason; that an engine does not serve a board
    /// says nothing against the puzzle.
    pub fn exit_code(self) -> u8 {
        match self {
            Reason::Solutions | Reason::Engine => 0,
            Reason::Puzzle | Reason::Unreadable | Reason::TooLarge => 2,
            Reason::Time | Reason::Interrupted | Reason::Hang | Reason::Memory => 3,
            Reason::Failed | Reason::Crash => 4,
        }
    }
}
