//! Regular expressions in Go's syntax.
//!
//! CEL takes the regular expressions of Go's package `regexp`. They run on the crate `regex`,
//! which is as fast and as safe but differs in syntax: `\d`, `\Q`, `{,2}`, `[a&&b]` and more
//! mean something else or are invalid. So an expression is parsed by Go's rules, and written
//! again in a form that has only one meaning. Errors have Go's messages.

mod class;
mod error;
mod escape;
mod example;
mod group;
mod names;
mod node;
mod parse;
#[cfg(test)]
mod tests;
mod write;

pub use error::RegexError;

use error::Code;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Regex {
    compiled: regex::Regex,
}

/// The bytes that a compiled expression can take.
///
/// Limit: ours. Go allows 128 MiB of a form that is smaller where it has classes of Unicode.
const MAX_SIZE: usize = 64 << 20;
/// The nesting that is compiled. Reading rejects less than this.
const MAX_NESTING: u32 = 10_000;

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// It is not a regular expression of Go.
    pub fn new(pattern: &str) -> Result<Self, RegexError> {
        let node = parse::parse(pattern)?;
        regex::RegexBuilder::new(&write::write(&node))
            .size_limit(MAX_SIZE)
            .nest_limit(MAX_NESTING)
            .build()
            .map(|compiled| Self { compiled })
            .map_err(|_| RegexError::new(Code::Large, pattern))
    }

    /// Returns whether it matches anywhere in a string.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.compiled.is_match(text)
    }

    /// A string that a pattern matches. `None` where it is not a regular expression of Go, or
    /// no string is found.
    #[must_use]
    pub fn example(pattern: &str) -> Option<String> {
        let node = parse::parse(pattern).ok()?;
        let example = example::example(&node)?;
        Self::new(pattern)
            .ok()?
            .is_match(&example)
            .then_some(example)
    }

    /// Returns the compiled form, for functions that find. Its groups are not those of the
    /// pattern.
    #[must_use]
    pub const fn compiled(&self) -> &regex::Regex {
        &self.compiled
    }
}
