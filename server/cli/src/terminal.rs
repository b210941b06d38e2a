//! The output streams of the process.
//!
//! One module decides about color and width, and cleans text from files before it reaches a
//! terminal, which would interpret its control characters.

use crate::arguments::Color;
use anstream::{AutoStream, ColorChoice};
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, StderrLock, StdoutLock, Write};
use terminal_size::{Width, terminal_size_of};
use text::clean::{for_json, for_screen, for_xml};

pub(crate) use text::clean::for_name as printable_name;
pub(crate) use text::clean::for_terminal as printable;

/// The maximum width of a paragraph, in columns.
pub(crate) const READABLE_WIDTH: usize = 96;

/// The width of output that does not go to a terminal, in columns.
const DEFAULT_WIDTH: usize = 140;

/// The minimum width of reports, in columns.
const MIN_WIDTH: usize = 60;

/// Standard output, which drops colors if they are disabled.
type Output = Cleaned<AutoStream<StdoutLock<'static>>>;

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
    pub(crate) fn stdout(&self) -> Output {
        self.cleaned(for_screen)
    }

    /// Returns standard output for JSON.
    pub(crate) fn json(&self) -> Output {
        self.cleaned(for_json)
    }

    /// Returns standard output for XML.
    pub(crate) fn xml(&self) -> Output {
        self.cleaned(for_xml)
    }

    fn cleaned(&self, clean: fn(&str) -> Cow<'_, str>) -> Output {
        Cleaned {
            inner: AutoStream::new(io::stdout().lock(), self.color),
            clean,
        }
    }

    /// Returns standard error, which drops colors if they are disabled.
    pub(crate) fn stderr(&self) -> Cleaned<AutoStream<StderrLock<'static>>> {
        Cleaned {
            inner: AutoStream::new(io::stderr().lock(), self.color),
            clean: for_screen,
        }
    }

    /// Returns whether standard error is a terminal.
    pub(crate) fn is_watched() -> bool {
        io::stderr().is_terminal()
    }
}

/// An output stream that replaces characters that are not allowed in a report.
///
/// Every byte of a report goes through one: a message that misses [`printable`] must not control
/// the terminal either.
pub(crate) struct Cleaned<W> {
    inner: W,
    clean: fn(&str) -> Cow<'_, str>,
}

impl<W: Write> Write for Cleaned<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        // The writers write whole strings, so a character is never cut.
        match str::from_utf8(buffer).map(self.clean) {
            Ok(Cow::Owned(cleaned)) => {
                self.inner.write_all(cleaned.as_bytes())?;
                Ok(buffer.len())
            }
            _ => self.inner.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Returns standard output for lines of JSON, from any thread.
pub(crate) fn json_lines() -> Cleaned<io::Stdout> {
    Cleaned {
        inner: io::stdout(),
        clean: for_json,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_cleaned() {
        let written = |clean| {
            let mut out = Cleaned {
                inner: Vec::new(),
                clean,
            };
            out.write_all("\"\u{9b}é\"".as_bytes()).unwrap();
            String::from_utf8(out.inner).unwrap()
        };
        assert_eq!(written(for_screen), "\"\u{fffd}é\"");
        assert_eq!(written(for_json), "\"\\u009bé\"");
    }
}
