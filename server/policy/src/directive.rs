//! Comments for this program: `# admissible: …`.
//!
//! A directive suppresses findings or names inputs. This module finds the comments; each user
//! parses its own directives.

use crate::ParsedFile;
use std::sync::Arc;
use text::{TextRange, TextSize};

/// Limit: comments that are read, since each is compared with each finding.
const MAX_COMMENTS: usize = 2_000;

/// The word with which every comment for this program begins.
const MARKER: &str = "admissible:";

/// Returns whether a file may have comments for this program.
#[must_use]
pub fn may_have_comments(text: &str) -> bool {
    text.contains(MARKER)
}

/// Returns the comments for this program in all documents of a file.
#[must_use]
pub fn all_comments(text: &str) -> Vec<TextRange> {
    if !may_have_comments(text) {
        return Vec::new();
    }
    let stream = yaml::parse(Arc::from(text));
    let comments = stream.comments().iter().map(|comment| comment.range);
    let ours = comments.filter(|it| stream.slice(*it).contains(MARKER));
    ours.take(MAX_COMMENTS).collect()
}

/// Returns the comments for this program in the policies of a file and at its top, in no particular
/// order.
#[must_use]
pub fn policy_comments(file: &ParsedFile) -> Vec<TextRange> {
    let mut found = Vec::new();
    let is_other = file.near_misses().is_empty() && file.unsupported().is_empty();
    if file.policies().is_empty() && is_other || !may_have_comments(file.text()) {
        return found;
    }
    for line in 0..file.line_index().line_count() {
        let range = file.line_index().line_content(file.text(), line);
        let Some(range) = range.filter(|range| is_blank(file.slice(*range))) else {
            break;
        };
        if let Some(hash) = file.slice(range).find('#') {
            let start = range.start() + TextSize::of(file.slice(range).get(..hash).unwrap_or(""));
            found.push(TextRange::new(start, range.end()));
        }
    }
    let yaml = file.stream().comments().iter();
    found.extend(yaml.map(|comment| comment.range));
    for policy in file.policies() {
        for expression in policy.expressions() {
            let comments = expression.parse.comments.iter();
            found.extend(comments.map(|comment| policy.range(expression, *comment)));
        }
    }
    found.retain(|comment| file.slice(*comment).contains(MARKER));
    found.truncate(MAX_COMMENTS);
    found
}

/// Returns the content of a comment.
#[must_use]
pub fn content(comment: &str) -> &str {
    comment.trim_start_matches(['#', '/']).trim_start()
}

/// Returns the directive of a comment. It ends with the comment.
#[must_use]
pub fn directive(comment: &str) -> Option<&str> {
    Some(content(comment).strip_prefix(MARKER)?.trim_start())
}

/// Returns whether a line is empty, a comment, or the mark between two documents, so that no
/// finding can be in it.
#[must_use]
pub fn is_blank(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim();
    line.is_empty() || line.starts_with('#') || line.starts_with("//") || line == "---"
}
