//! Comments that suppress findings.
//!
//! A comment names the rules that it suppresses and may give a reason. No comment suppresses
//! all rules, since it would hide future errors as well.

use policy::ParsedFile;
use policy::directive::{all_comments, content, directive, is_blank, policy_comments};
use std::cell::Cell;
use std::ops::Range;
use text::{LineIndex, TextRange, TextSize};

/// A comment that suppresses findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Suppression {
    /// From the marker to the closing bracket, or to the end of the comment where it is
    /// malformed.
    pub(crate) range: TextRange,
    /// The whole comment with its `#` or `//`.
    pub(crate) comment: TextRange,
    /// The suppressed rules.
    pub(crate) scope: Scope,
    /// The codes that it names; none where it is malformed.
    pub(crate) codes: Vec<Code>,
}

/// A code as a comment writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    /// The word.
    pub(crate) name: String,
    /// Its range in the file.
    pub(crate) range: TextRange,
}

/// Where a comment silences findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// On these lines, by the line on which a finding begins.
    Lines(Range<u32>),
    /// In the whole file.
    File,
    /// Nowhere: `ignore-file` below the top of the file.
    Nowhere,
}

/// Returns the comments of a file that suppress findings: those of YAML, those of CEL, and
/// those at the top of the file, which may be before the first policy document.
pub(crate) fn suppressions(file: &ParsedFile, is_inputs_file: bool) -> Vec<Suppression> {
    let mut comments = if is_inputs_file {
        all_comments(file.text())
    } else {
        Vec::new()
    };
    comments.extend(policy_comments(file));
    if comments.is_empty() {
        return Vec::new();
    }
    comments.sort_by_cached_key(|comment| comment.start());
    comments.dedup();
    let mut values: Vec<TextRange> = file
        .policies()
        .iter()
        .flat_map(|policy| {
            let expressions = policy.expressions().iter();
            expressions.map(|expression| policy.node(expression.node).range())
        })
        .collect();
    values.sort_by_cached_key(|value| value.start());
    let at = Surroundings {
        text: file.text(),
        lines: file.line_index(),
        values: &values,
        run: &Cell::default(),
    };
    comments
        .into_iter()
        .filter_map(|comment| Suppression::parse(at, comment))
        .collect()
}

/// The view of a file for its comments.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// The text of the file.
    pub(crate) text: &'a str,
    /// Its lines.
    pub(crate) lines: &'a LineIndex,
    /// The values that span several lines, in order: a comment that suppresses findings on the
    /// first line of such a value suppresses those on all of its lines.
    pub(crate) values: &'a [TextRange],
    /// The last lines of comments that were read: the first of them, and the line after them.
    /// Each comment of a long run needs that line.
    pub(crate) run: &'a Cell<(u32, u32)>,
}

impl Suppression {
    /// Parses `comment`, which begins with `#` or `//`. `None` for a comment that is not a
    /// directive.
    pub(crate) fn parse(at: Surroundings<'_>, comment: TextRange) -> Option<Self> {
        let written = slice(at.text, comment);
        let content_text = content(written);
        let marker = comment.end() - TextSize::of(content_text);
        let rest = directive(written)?.strip_prefix("ignore")?;
        let (rest, whole_file) = match rest.strip_prefix("-file") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let list = rest
            .trim_start()
            .strip_prefix('[')
            .and_then(|list| list.split_once(']'));
        let (codes, end) = match list {
            Some((list, after)) => {
                let end = comment.end() - TextSize::of(after);
                (codes(list, end - TextSize::of(']')), end)
            }
            None => (Vec::new(), marker + TextSize::of(content_text.trim_end())),
        };
        Some(Self {
            range: TextRange::new(marker, end),
            comment,
            scope: at.scope(comment, whole_file),
            codes,
        })
    }

    /// Returns whether the comment silences findings that begin on `line`.
    pub(crate) fn covers(&self, line: u32) -> bool {
        match &self.scope {
            Scope::Lines(lines) => lines.contains(&line),
            Scope::File => true,
            Scope::Nowhere => false,
        }
    }
}

/// The words of a list that ends at `end`.
fn codes(list: &str, end: TextSize) -> Vec<Code> {
    let mut start = end - TextSize::of(list);
    let mut found = Vec::new();
    for item in list.split(',') {
        let name = item.trim();
        let indent = TextSize::of(item) - TextSize::of(item.trim_start());
        if !name.is_empty() {
            found.push(Code {
                name: name.to_owned(),
                range: TextRange::at(start + indent, TextSize::of(name)),
            });
        }
        start += TextSize::of(item) + TextSize::of(',');
    }
    found
}

impl<'a> Surroundings<'a> {
    fn scope(self, comment: TextRange, whole_file: bool) -> Scope {
        let line = self.lines.line(comment.start());
        if whole_file {
            let before = self.text.get(..usize::from(comment.start())).unwrap_or("");
            return if before.lines().all(is_blank) {
                Scope::File
            } else {
                Scope::Nowhere
            };
        }
        let line = if is_blank(self.before(comment.start())) {
            self.next_content(line)
        } else {
            line
        };
        Scope::Lines(line..self.last_line(line) + 1)
    }

    /// Returns the text of the line before `offset`.
    fn before(self, offset: TextSize) -> &'a str {
        let start = self
            .lines
            .line_range(self.lines.line(offset))
            .map_or(offset, TextRange::start);
        slice(self.text, TextRange::new(start.min(offset), offset))
    }

    /// Returns the first line after `line` that is more than a comment, or the next line if a
    /// blank line follows: a comment that is followed by a blank line applies to nothing.
    fn next_content(self, line: u32) -> u32 {
        let (first, after) = self.run.get();
        if (first..after).contains(&line) {
            return after;
        }
        let mut next = line + 1;
        while let Some(range) = self.lines.line_content(self.text, next) {
            let content = slice(self.text, range).trim();
            if content.is_empty() || !is_blank(content) {
                break;
            }
            next += 1;
        }
        self.run.set((line, next));
        next
    }

    /// The last line of the value that begins on `line`, or `line` itself.
    fn last_line(self, line: u32) -> u32 {
        let at = |offset| self.lines.line(offset);
        self.values
            .partition_point(|value| at(value.start()) <= line)
            .checked_sub(1)
            .and_then(|index| self.values.get(index))
            .filter(|value| at(value.start()) == line)
            .map_or(line, |value| at(value.end()))
    }
}

fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end()))
        .unwrap_or("")
}

#[cfg(test)]
mod tests;
