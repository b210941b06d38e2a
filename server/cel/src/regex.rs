//! Regular expressions in Go's syntax.
//!
//! CEL uses the regular expressions of Go's package `regexp`. They run on the crate `regex`, which
//! is as fast and as safe but differs in syntax: `\d`, `\Q`, `{,2}`, `[a&&b]` and more mean
//! something else or are invalid. So an expression is parsed by Go's rules, and rewritten in an
//! unambiguous form. Errors have Go's messages.
//!
//! Compiling takes a hundred times as long as reading. Many expressions are only checked: an
//! expression is compiled when it first matches a string, unless it could be too large.

mod class;
mod describe;
mod error;
mod escape;
mod example;
mod group;
mod names;
mod node;
mod parse;
mod size;
#[cfg(test)]
mod tests;
mod write;

pub use error::RegexError;

use error::Code;
use std::sync::OnceLock;

/// A regular expression that can be compiled.
#[derive(Clone, Debug)]
pub struct Regex {
    pattern: Box<str>,
    /// `None` if it cannot be compiled, which [`Regex::new`] excludes.
    compiled: OnceLock<Option<regex::Regex>>,
}

/// The maximum size of a compiled expression in bytes.
///
/// Limit: ours. Go allows 128 MiB, in a form that is smaller for Unicode classes.
const MAX_SIZE: usize = 64 << 20;
/// The nesting that is compiled. Reading rejects less than this.
const MAX_NESTING: u32 = 10_000;

impl Regex {
    /// Reads a pattern. It is compiled if its compiled form could be too large, otherwise later.
    ///
    /// # Errors
    /// It is not a regular expression of Go.
    pub fn new(pattern: &str) -> Result<Self, RegexError> {
        let node = parse::parse(pattern)?;
        let regex = Self {
            pattern: pattern.into(),
            compiled: OnceLock::new(),
        };
        if size::upper_bound(&node) > MAX_SIZE as u64 && regex.compiled().is_none() {
            return Err(RegexError::new(Code::Large, pattern));
        }
        Ok(regex)
    }

    /// Returns whether it matches anywhere in a string.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.compiled().is_some_and(|it| it.is_match(text))
    }

    /// Returns a string that a pattern matches. `None` if it is not a regular expression of Go, or
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

    /// Returns a description of what a pattern matches, in Markdown. `None` if it is not a regular
    /// expression of Go, or the description would be too long.
    #[must_use]
    pub fn description(pattern: &str) -> Option<String> {
        describe::describe(&parse::parse(pattern).ok()?)
    }

    /// Returns the parts of a string that it matches, from left to right, without overlaps.
    pub fn find_iter<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let found = self.compiled().map(|it| it.find_iter(text));
        found.into_iter().flatten().map(|it| it.as_str())
    }

    fn compiled(&self) -> Option<&regex::Regex> {
        let compile = || {
            let node = parse::parse(&self.pattern).ok()?;
            regex::RegexBuilder::new(&write::write(&node))
                .size_limit(MAX_SIZE)
                .nest_limit(MAX_NESTING)
                .build()
                .ok()
        };
        self.compiled.get_or_init(compile).as_ref()
    }
}
