#![doc = include_str!("swallowed_comment.md")]

use super::{Finding, RuleContext};
use crate::SourceFile;
use crate::yaml_edit::{replace_part, single_quoted};
use cel::syntax::{Parse, SyntaxErrorKind};
use policy::{Expression, PolicyDocument};
use text::{Span, TextEdit, TextRange, TextSize};
use yaml::{Node, Scalar, ScalarStyle};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let file = context.file;
    for (facts, expression) in context.expressions() {
        let scalar = facts.document.node(expression.node).as_scalar();
        match (scalar, find(file, facts.document, expression)) {
            (Some(scalar), Some(Swallowed::Lines(lines))) => {
                found.push(joined_lines(
                    file,
                    facts.document,
                    expression,
                    scalar,
                    &lines,
                ));
            }
            (Some(scalar), Some(Swallowed::Tail(tail))) => found.push(cut(scalar, &tail)),
            (None, _) | (_, None) => {}
        }
    }
}

/// What a comment takes away from an expression.
pub(super) enum Swallowed {
    Lines(Lines),
    Tail(Tail),
}

/// Lines of the file that are one line in the expression, so that they are in a comment.
pub(super) struct Lines {
    /// The comment on its own line.
    pub(super) comment: Span,
    /// The lines after it.
    lost: Span,
    /// The text with the lines as they are in the file. Offsets are the same.
    restored: String,
    /// What the author means.
    pub(super) parse: Parse,
}

/// The end of an expression that is a comment of YAML.
pub(super) struct Tail {
    comment: TextRange,
    /// The expression with its end.
    whole: String,
}

/// What a comment takes away from the expression, if anything.
pub(super) fn find(
    file: &SourceFile,
    document: &PolicyDocument,
    expression: &Expression,
) -> Option<Swallowed> {
    let scalar = document.node(expression.node).as_scalar()?;
    match lines(file, scalar, expression) {
        Some(lines) => Some(Swallowed::Lines(lines)),
        None => tail(file, scalar, expression).map(Swallowed::Tail),
    }
}

fn lines(file: &SourceFile, scalar: Scalar<'_>, expression: &Expression) -> Option<Lines> {
    if scalar.style() == ScalarStyle::Literal {
        return None;
    }
    let start = first_comment(&expression.parse)?;
    let text = expression.text();
    let restored = with_line_breaks(file, scalar, text, start)?;
    let tail = restored.get(start as usize..)?;
    let line = u32::try_from(tail.find('\n')?).ok()? + start;
    let end = text.get(start as usize..)?.find('\n');
    let end = end.map_or(text.len(), |end| start as usize + end);
    let end = u32::try_from(end).ok()?;
    let lost = Span::new(line + 1, end);
    let is_said = |line: &str| !line.is_empty() && !line.starts_with("//");
    if !lost.slice(&restored).lines().map(str::trim).any(is_said) {
        return None;
    }
    // A comment in prose that goes on in the next line is one comment, joined or not.
    let parse = cel::syntax::parse(&restored);
    (parse.errors.len() <= expression.parse.errors.len()).then(|| Lines {
        comment: Span::new(start, line),
        lost,
        restored,
        parse,
    })
}

/// Where the first comment begins, also one that only its author takes for a comment.
fn first_comment(parse: &Parse) -> Option<u32> {
    let comments = parse.comments.iter().map(|comment| comment.start());
    let hashes = parse.errors.iter().filter_map(|error| match error.kind {
        SyntaxErrorKind::HashComment => Some(error.span.start()),
        _ => None,
    });
    comments.chain(hashes).min()
}

/// The text with a line break for every blank after `from` that is one in the file. `None`
/// where there is no such blank.
fn with_line_breaks(
    file: &SourceFile,
    scalar: Scalar<'_>,
    text: &str,
    from: u32,
) -> Option<String> {
    let map = scalar.source_map();
    let mut restored = text.to_owned().into_bytes();
    let mut changed = false;
    for (at, byte) in restored.iter_mut().enumerate().skip(from as usize) {
        let at = u32::try_from(at).ok()?;
        let is_break = || {
            file.slice(map.up(Span::new(at, at + 1)))
                .contains(['\n', '\r'])
        };
        if *byte == b' ' && is_break() {
            *byte = b'\n';
            changed = true;
        }
    }
    String::from_utf8(restored).ok().filter(|_| changed)
}

fn joined_lines(
    file: &SourceFile,
    document: &PolicyDocument,
    expression: &Expression,
    scalar: Scalar<'_>,
    lines: &Lines,
) -> Finding {
    let message = match scalar.style() {
        ScalarStyle::Folded => {
            "`>` joins the lines, so this comment swallows all that follows. Write `|`, which \
             keeps the lines."
        }
        ScalarStyle::Plain
        | ScalarStyle::SingleQuoted
        | ScalarStyle::DoubleQuoted
        | ScalarStyle::Literal => {
            "YAML joins these lines, so this comment swallows all that follows. Write the \
             expression as a block after `|`, which keeps the lines."
        }
    };
    let lost = document.range(expression, lines.lost);
    let finding = Finding::new(document.range(expression, lines.comment), message)
        .related(lost, "this is part of the comment");
    match keep_lines(file, document.node(expression.node), scalar, lines) {
        Some(edits) => finding.fix("Keep the lines with `|`", edits),
        None => finding,
    }
}

/// The expression as a literal block, with a comment that is one of CEL.
fn keep_lines(
    file: &SourceFile,
    node: Node<'_>,
    scalar: Scalar<'_>,
    lines: &Lines,
) -> Option<Vec<TextEdit>> {
    let start = lines.comment.start();
    let (before, comment) = lines.restored.split_at_checked(start as usize)?;
    let hash = comment.strip_prefix('#');
    let Some(header) = scalar.header() else {
        let restored = match hash {
            Some(rest) => format!("{before}//{rest}"),
            None => lines.restored.clone(),
        };
        return Some(vec![file.editor().literal_block(node, &restored)?]);
    };
    let mut edits = vec![TextEdit::replace(header.indicator, "|")];
    if hash.is_some() {
        edits.push(replace_part(scalar, Span::new(start, start + 1), "//")?);
    }
    Some(edits)
}

fn tail(file: &SourceFile, scalar: Scalar<'_>, expression: &Expression) -> Option<Tail> {
    if scalar.style() != ScalarStyle::Plain || expression.parse.is_ok() {
        return None;
    }
    let end = scalar.range().end();
    let comments = file.stream().comments();
    let after = comments.partition_point(|comment| comment.range.start() < end);
    let comment = comments.get(after)?.range;
    let gap = file.slice(TextRange::new(end, comment.start()));
    if !gap.chars().all(|gap| gap == ' ' || gap == '\t') {
        return None;
    }
    // A comment of YAML can follow in the comment, so the expression may end before it.
    let rest = file.slice(comment).trim_end();
    let ends = rest.match_indices(" #").map(|(at, _)| at);
    let ends = std::iter::once(rest.len()).chain(ends).take(MAX_ENDS);
    ends.filter_map(|end| rest.get(..end).map(str::trim_end))
        .map(|rest| Tail {
            comment: TextRange::at(comment.start(), TextSize::of(rest)),
            whole: format!("{}{gap}{rest}", expression.text()),
        })
        .find(|tail| cel::syntax::parse(&tail.whole).is_ok())
}

/// Limit: how many ends of a cut expression are tried.
const MAX_ENDS: usize = 8;

fn cut(scalar: Scalar<'_>, tail: &Tail) -> Finding {
    let range = TextRange::new(scalar.range().start(), tail.comment.end());
    Finding::new(
        tail.comment,
        "` #` begins a comment of YAML, which cuts the expression here. Put the expression in \
         quotes.",
    )
    .fix(
        "Put the expression in quotes",
        vec![TextEdit::replace(range, single_quoted(&tail.whole))],
    )
}

#[cfg(test)]
mod tests;
