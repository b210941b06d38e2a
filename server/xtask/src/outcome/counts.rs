//! The number of tests that passed and failed, from the last lines of test runners.

use std::fmt;

/// The number of tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Counts {
    /// One failure: a step that could not be run.
    pub(crate) const FAILED: Self = Self {
        passed: 0,
        failed: 1,
    };

    /// A step that passes or fails as a whole.
    pub(crate) fn one(passed: bool) -> Self {
        Self {
            passed: usize::from(passed),
            failed: usize::from(!passed),
        }
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
        }
    }

    /// From the lines of cargo-nextest, such as
    /// `Summary [   0.1s] 10 tests run: 8 passed (1 slow), 2 failed, 0 skipped`.
    pub(crate) fn from_nextest(success: bool, lines: &[String]) -> Self {
        let summary = lines.iter().rev().find(|line| {
            let line = line.trim_start();
            line.starts_with("Summary [")
        });
        let counts = summary.and_then(|line| {
            let (_, rest) = line.split_once(']')?;
            let (run, rest) = rest.split_once(" run: ")?;
            // Not all tests may have run: `3/10 tests`.
            let run = run.trim().split([' ', '/']).next()?.parse().ok()?;
            let passed = number_before(rest, " passed").min(run);
            Some(Self {
                passed,
                failed: run - passed,
            })
        });
        counts.unwrap_or_default().agree(success)
    }

    /// From the lines of `cargo test`, such as
    /// `test result: ok. 10 passed; 0 failed; 0 ignored; …`.
    pub(crate) fn from_cargo(success: bool, lines: &[String]) -> Self {
        let results = lines
            .iter()
            .filter_map(|line| line.trim_start().strip_prefix("test result: "));
        let counts = results.map(|rest| Self {
            passed: number_before(rest, " passed"),
            failed: number_before(rest, " failed"),
        });
        counts.fold(Self::default(), Self::and).agree(success)
    }

    /// Returns the counts with a failure added if the runner failed without a failed test, because
    /// it could not build them.
    fn agree(self, success: bool) -> Self {
        if success || self.failed > 0 {
            return self;
        }
        self.and(Self::FAILED)
    }
}

/// Returns the number before a word, or 0.
fn number_before(text: &str, word: &str) -> usize {
    let before = text.split_once(word).map_or("", |(before, _)| before);
    let digits = before.rsplit(|it: char| !it.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}
