//! YAML comments that end unquoted values.

use crate::diagnostics::Finding;
use crate::diagnostics::continuation::lines_below;
use crate::file::SourceFile;
use policy::Expression;
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::single_quoted;
use yaml::{Node, ScalarStyle};

/// The part of an expression that is in or after a YAML comment.
pub(in crate::diagnostics) struct Cut {
    comment: TextRange,
    /// The intended expression.
    whole: String,
    /// The lines of the expression below the comment, which YAML cannot parse.
    pub(in crate::diagnostics) lines: Option<TextRange>,
}

/// Limit: possible ends of an expression.
const MAX_ENDS: usize = 8;

impl Cut {
    pub(super) fn find(file: &SourceFile, node: Node<'_>, expression: &Expression) -> Option<Self> {
        let is_plain = node.as_scalar()?.style() == ScalarStyle::Plain;
        if !is_plain || node.is_alias() || expression.parse.is_ok() {
            return None;
        }
        let end = node.range().end();
        let comments = file.stream().comments();
        let after = comments.partition_point(|comment| comment.range.start() < end);
        let comment = comments.get(after)?.range;
        let gap = file.slice(TextRange::new(end, comment.start()));
        if !gap.chars().all(|gap| gap == ' ' || gap == '\t') {
            return None;
        }
        let text = format!("{}{gap}", expression.text());
        one_line(file, comment, &text).or_else(|| several_lines(file, node, comment, &text))
    }

    pub(super) fn finding(&self, file: &SourceFile, node: Node<'_>) -> Finding {
        let start = node.range().start();
        let Some(lines) = self.lines else {
            let message = "` #` begins a YAML comment, which cuts off the expression here. Quote \
                           the expression.";
            let range = TextRange::new(start, self.comment.end());
            let edit = TextEdit::replace(range, single_quoted(&self.whole));
            return Finding::new(self.comment, message).fix("Quote the expression", vec![edit]);
        };
        let message = "` #` begins a YAML comment, which ends the expression here. Use a literal \
                       block (`|`), and begin the comment with `//`.";
        let finding = Finding::new(self.comment, message).related(
            lines,
            "YAML cannot parse these \
                                                                          lines",
        );
        let block = file.editor().literal_block(node, &self.whole, lines.end());
        match block {
            Some(edit) => finding.fix("Convert to a literal block (`|`)", vec![edit]),
            None => finding,
        }
    }
}

/// Returns the expression if `#` is a part of it, for example in a string.
fn one_line(file: &SourceFile, comment: TextRange, text: &str) -> Option<Cut> {
    // A YAML comment may follow in the comment, so the expression may end before it.
    let rest = file.slice(comment).trim_end();
    let ends = std::iter::once(rest.len())
        .chain(rest.match_indices(" #").map(|(at, _)| at))
        .take(MAX_ENDS);
    ends.filter_map(|end| rest.get(..end).map(str::trim_end))
        .map(|rest| Cut {
            comment: TextRange::at(comment.start(), TextSize::of(rest)),
            whole: format!("{text}{rest}"),
            lines: None,
        })
        .find(|cut| cel::syntax::parse(&cut.whole).is_ok())
}

/// Returns the expression if `#` is meant as a comment and the expression continues below.
fn several_lines(file: &SourceFile, node: Node<'_>, comment: TextRange, text: &str) -> Option<Cut> {
    let index = file.line_index();
    let key = node.parent()?.entry_of(node)?.key.range().start();
    let column = key - index.line_range(index.line(key))?.start();
    let comment_text = file.slice(comment).trim_start_matches('#');
    let mut whole = format!("{text}//{comment_text}");
    let mut lines: Option<TextRange> = None;
    for words in lines_below(file, index.line(comment.start()), column) {
        whole.push('\n');
        whole.push_str(&file.slice(words).replacen(" #", " //", 1));
        lines = Some(lines.map_or(words, |lines| lines.cover(words)));
    }
    let lines = lines?;
    let mut errors = file.stream().errors().iter();
    let unread = errors.any(|error| lines.contains_inclusive(error.range.start()));
    (unread && cel::syntax::parse(&whole).is_ok()).then_some(Cut {
        comment,
        whole,
        lines: Some(lines),
    })
}
