//! The style of a scalar.

use text::TextRange;

/// The style of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarStyle {
    /// Without quotes.
    Plain,
    /// In `'…'`.
    SingleQuoted,
    /// In `"…"`.
    DoubleQuoted,
    /// After `|`: line breaks are kept.
    Literal,
    /// After `>`: line breaks become spaces.
    Folded,
}

/// The treatment of the line breaks at the end of a block scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Chomping {
    /// No indicator: one line break is kept.
    Clip,
    /// `-`: none is kept.
    Strip,
    /// `+`: all are kept.
    Keep,
}

/// The header of a block scalar, such as `>-` or `|2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockHeader {
    /// All of the header, without blanks and the comment after it.
    pub range: TextRange,
    /// The `|` or `>`.
    pub indicator: TextRange,
    /// The treatment of the line breaks at the end.
    pub chomping: Chomping,
    /// The indentation in the header, 1 to 9, relative to the parent.
    pub indentation: Option<u8>,
}
