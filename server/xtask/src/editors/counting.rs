//! The number of tests that passed and failed, from the output of our test programs.

/// The number of tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: usize,
    pub(super) failed: usize,
}

impl Tally {
    /// Counts lines such as `ok  a name` and `✓ a name`. A program that fails without a failed
    /// test, or that succeeds without any test, counts as one failure.
    pub(super) fn parse(lines: &[String], success: bool) -> Self {
        let begins = |marks: &[&str]| {
            let lines = lines.iter().map(|line| plain(line));
            lines
                .filter(|line| marks.iter().any(|mark| line.starts_with(mark)))
                .count()
        };
        let passed = begins(&["ok ", "✓ "]);
        let failed = begins(&["FAILED ", "✖ ", "× "]);
        let silent = passed + failed == 0 || (failed == 0 && !success);
        Self {
            passed,
            failed: failed + usize::from(silent),
        }
    }
}

/// Returns the line without its indent and without colors.
fn plain(line: &str) -> String {
    let mut rest = line;
    let mut plain = String::with_capacity(line.len());
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(text: &str, success: bool) -> (usize, usize) {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let Tally { passed, failed } = Tally::parse(&lines, success);
        (passed, failed)
    }

    #[test]
    fn lines_of_every_program_are_counted() {
        assert_eq!(
            tally("ok  a (1 ms)\nFAILED  b (2 ms)\n    at ok", false),
            (1, 1)
        );
        assert_eq!(
            tally(" \u{1b}[32m✓\u{1b}[39m src/a.test.ts > b", true),
            (1, 0)
        );
        assert_eq!(
            tally(" × src/a.test.ts > b\n✓ a.cel run successfuly.", false),
            (1, 1)
        );
    }

    #[test]
    fn nothing_counts_as_a_failure() {
        assert_eq!(tally("", true), (0, 1));
        assert_eq!(tally("ok  a\ncrash", false), (1, 1));
        assert_eq!(tally("okay", true), (0, 1));
    }
}
