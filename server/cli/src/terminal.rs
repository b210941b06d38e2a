//! The output streams of the process.
//!
//! One place decides about color and width, and cleans text from files before it reaches a
//! terminal, which would interpret its control characters.

use crate::arguments::Color;
use anstream::{AutoStream, ColorChoice};
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, StderrLock, StdoutLock};
use terminal_size::{Width, terminal_size_of};

/// The width of output that does not go to a terminal, in columns.
const DEFAULT_WIDTH: usize = 140;

/// The minimum width of reports, in columns.
const MIN_WIDTH: usize = 60;

/// The two output streams of the process.
#[derive(Debug)]
pub(crate) struct Terminal {
    color: ColorChoice,
    /// The width of standard output, in columns.
    pub(crate) width: usize,
}

impl Terminal {
    /// Returns the streams of this process, colored as `color` requests.
    pub(crate) fn new(color: Color) -> Self {
        let width = terminal_size_of(io::stdout()).map(|(Width(width), _)| usize::from(width));
        Self {
            color: match color {
                Color::Auto => ColorChoice::Auto,
                Color::Always => ColorChoice::Always,
                Color::Never => ColorChoice::Never,
            },
            width: width.unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH),
        }
    }

    /// Returns standard output, which drops colors if they are disabled.
    pub(crate) fn stdout(&self) -> AutoStream<StdoutLock<'static>> {
        AutoStream::new(io::stdout().lock(), self.color)
    }

    /// Returns standard error, which drops colors if they are disabled.
    pub(crate) fn stderr(&self) -> AutoStream<StderrLock<'static>> {
        AutoStream::new(io::stderr().lock(), self.color)
    }

    /// Returns whether standard error is a terminal.
    pub(crate) fn is_watched() -> bool {
        io::stderr().is_terminal()
    }
}

/// Returns the text with every control character except the line feed made visible.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let hostile = |character: char| character.is_control() && character != '\n';
    if !text.contains(hostile) {
        return Cow::Borrowed(text);
    }
    let shown = |character: char| match character {
        '\n' => '\n',
        '\t' => ' ',
        '\u{7f}' => '\u{2421}',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        _ if character.is_control() => '\u{fffd}',
        _ => character,
    };
    Cow::Owned(text.chars().map(shown).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(
            printable("a\u{1b}[31m\tb\u{85}\u{7f}\n"),
            "a␛[31m b\u{fffd}␡\n"
        );
        assert!(matches!(printable("plain 😀\n"), Cow::Borrowed(_)));
    }
}
