//! CEL comments in values whose lines YAML joins.

use crate::diagnostics::Finding;
use crate::file::SourceFile;
use cel::syntax::{Parse, SyntaxErrorKind};
use policy::{Expression, PolicyDocument};
use text::{Span, TextEdit};
use yaml::edit::replace_part;
use yaml::{Node, Scalar, ScalarStyle};

/// Lines of the file that are one line in the expression and are therefore part of a comment.
pub(in crate::diagnostics) struct Lines {
    /// The comment in its own line.
    pub(in crate::diagnostics) comment: Span,
    /// The lines after it.
    lost: Span,
    /// The expression with the line breaks of the file. Offsets do not change.
    restored: String,
    /// The intended expression.
    pub(in crate::diagnostics) parse: Parse,
}

impl Lines {
    pub(super) fn find(
        file: &SourceFile,
        scalar: Scalar<'_>,
        expression: &Expression,
    ) -> Option<Self> {
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
        // A comment in prose that continues on the next line is one comment, joined or not.
        let parse = cel::syntax::parse(&restored);
        (parse.errors.len() <= expression.parse.errors.len()).then(|| Lines {
            comment: Span::new(start, line),
            lost,
            restored,
            parse,
        })
    }

    pub(super) fn finding(
        &self,
        file: &SourceFile,
        document: &PolicyDocument,
        expression: &Expression,
    ) -> Option<Finding> {
        let node = document.node(expression.node);
        let scalar = node.as_scalar()?;
        let message = match scalar.style() {
            ScalarStyle::Folded => {
                "`>` folds the lines into one, so this comment includes the lines after it. Use \
                 `|`, which keeps line breaks."
            }
            ScalarStyle::Plain
            | ScalarStyle::SingleQuoted
            | ScalarStyle::DoubleQuoted
            | ScalarStyle::Literal => {
                "YAML joins these lines, so this comment extends over the lines after it. Use a \
                 literal block (`|`), which keeps line breaks."
            }
        };
        let lost = document.range(expression, self.lost);
        let finding = Finding::new(document.range(expression, self.comment), message)
            .related(lost, "this is part of the comment");
        Some(match self.keep_lines(file, node, scalar) {
            Some(edits) => finding.fix("Keep line breaks with `|`", edits),
            None => finding,
        })
    }

    /// Returns the edits that convert the value to a literal block with a CEL comment.
    fn keep_lines(
        &self,
        file: &SourceFile,
        node: Node<'_>,
        scalar: Scalar<'_>,
    ) -> Option<Vec<TextEdit>> {
        let start = self.comment.start();
        let (before, comment) = self.restored.split_at_checked(start as usize)?;
        let hash = comment.strip_prefix('#');
        let Some(header) = scalar.header() else {
            let restored = match hash {
                Some(rest) => format!("{before}//{rest}"),
                None => self.restored.clone(),
            };
            return Some(vec![file.editor().literal_block(
                node,
                &restored,
                node.range().end(),
            )?]);
        };
        let mut edits = vec![TextEdit::replace(header.indicator, "|")];
        if hash.is_some() {
            edits.push(replace_part(scalar, Span::new(start, start + 1), "//")?);
        }
        Some(edits)
    }
}

/// Returns the start of the first comment, even if it begins with `#`.
fn first_comment(parse: &Parse) -> Option<u32> {
    let comments = parse.comments.iter().map(|comment| comment.start());
    let hashes = parse.errors.iter().filter_map(|error| match error.kind {
        SyntaxErrorKind::HashComment => Some(error.span.start()),
        _ => None,
    });
    comments.chain(hashes).min()
}

/// Returns the expression with a line break for every space after `from` that is a line break in
/// the file. `None` if there is no such space.
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
