//! What looks like a slip of whoever typed the puzzle, and may be meant.

/// Something that is rare in puzzles and common where one was mistyped. A file that means it says
/// so, `allow: [tiles-alike]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Oddity {
    /// An image of which only one half is there.
    OneHalf,
    /// An image that one edge shows.
    Once,
    /// Two images that a slip turns into each other, and one of them is rare.
    SimilarNames,
    /// A sign inside a name: `blue+!`.
    SignInside,
    /// Two whole images whose names end in words for the halves of one: `cat head` and `cat tail`.
    WordHalves,
    /// The tiles make fewer pairs than the board has seams.
    FewPairs,
    /// Two tiles that cannot be told apart.
    TilesAlike,
    /// More tiles than cells.
    SpareTiles,
}

impl Oddity {
    /// Every one, in the order in which they are looked for.
    pub const ALL: [Oddity; 8] = [
        Oddity::SignInside,
        Oddity::WordHalves,
        Oddity::SimilarNames,
        Oddity::Once,
        Oddity::OneHalf,
        Oddity::FewPairs,
        Oddity::TilesAlike,
        Oddity::SpareTiles,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Oddity::OneHalf => "one-half",
            Oddity::Once => "once",
            Oddity::SimilarNames => "similar-names",
            Oddity::SignInside => "sign-inside",
            Oddity::WordHalves => "word-halves",
            Oddity::FewPairs => "few-pairs",
            Oddity::TilesAlike => "tiles-alike",
            Oddity::SpareTiles => "spare-tiles",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Oddity> {
        let mut all = Oddity::ALL.into_iter();
        all.find(|oddity| oddity.name() == name)
    }
}
