//! The expression under the cursor.
//!
//! Hover and completion need the expression, the offset in its text, and the mapping of edits
//! back to the file, which is the same for every scalar style.

use crate::file::SourceFile;
use cel::syntax::{Ast, Token, TokenKind, tokens};
use policy::{Expression, PolicyDocument};
use text::{Span, TextEdit, TextRange, TextSize};
use yaml::edit::{replace_part, written};
use yaml::{Scalar, ScalarStyle};

/// An expression with a cursor in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    /// The document of the expression.
    pub(crate) document: &'a PolicyDocument,
    /// The expression.
    pub(crate) expression: &'a Expression,
    scalar: Scalar<'a>,
    /// The cursor in the file.
    cursor: TextSize,
    /// The text to insert before anything at the cursor: YAML requires a space
    /// behind a colon.
    lead: &'static str,
    /// The cursor in the text of the expression.
    pub(crate) offset: u32,
    /// Whether the cursor touches the text. It does not in the white space around it.
    pub(crate) touches: bool,
}

impl<'a> Target<'a> {
    /// The expression at an offset of the file, or the field in which none is written yet.
    pub(crate) fn at(file: &'a SourceFile, cursor: TextSize) -> Option<Self> {
        let documents = file.policies().iter();
        documents
            .flat_map(|document| {
                let written = document.expressions().iter();
                let expressions = written.chain(document.blank_expressions());
                expressions.map(move |expression| (document, expression))
            })
            .find_map(|(document, expression)| Self::within(file, document, expression, cursor))
    }

    fn within(
        file: &'a SourceFile,
        document: &'a PolicyDocument,
        expression: &'a Expression,
        cursor: TextSize,
    ) -> Option<Self> {
        let node = document.node(expression.node);
        let scalar = node.as_scalar().filter(|_| !node.is_alias())?;
        if !holds(file, scalar, cursor) {
            return None;
        }
        let map = scalar.source_map();
        let begin = map.down(cursor).map(|at| map.up(Span::empty(at)).start());
        if begin.is_some_and(|begin| is_in_escape(file, begin, cursor)) {
            return None;
        }
        Some(Self {
            document,
            expression,
            scalar,
            cursor,
            lead: if is_behind_colon(file, scalar, cursor) {
                " "
            } else {
                ""
            },
            offset: map.down_floor(cursor),
            touches: begin == Some(cursor),
        })
    }

    /// The scalar of the expression.
    pub(crate) fn scalar(&self) -> Scalar<'a> {
        self.scalar
    }

    /// The tree of the expression.
    pub(crate) fn ast(&self) -> &'a Ast {
        self.expression.ast()
    }

    /// The text of the expression.
    pub(crate) fn text(&self) -> &'a str {
        self.expression.text()
    }

    /// The place in the file of a part of the text.
    pub(crate) fn range(&self, span: Span) -> TextRange {
        self.scalar.source_map().up(span)
    }

    /// Replaces a part of the text that ends or begins at the cursor, or is around it. `None`
    /// where YAML would read something else then.
    pub(crate) fn replace(&self, part: Span, insert: &str) -> Option<TextEdit> {
        if !part.is_empty() {
            return replace_part(self.scalar, part, insert);
        }
        let insert = written(self.scalar, part, insert)?;
        Some(TextEdit::insert(
            self.cursor,
            format!("{}{insert}", self.lead),
        ))
    }

    /// Returns the number of bytes of a part of the inserted text as the scalar writes it.
    pub(crate) fn width(&self, insert: &str) -> usize {
        let escaped: &[char] = match self.scalar.style() {
            ScalarStyle::SingleQuoted => &['\''],
            ScalarStyle::DoubleQuoted => &['\\', '"'],
            ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => &[],
        };
        insert.len() + insert.matches(escaped).count()
    }

    /// Returns the token that the cursor touches: of two the one that is probably meant, a name
    /// or a literal rather than punctuation.
    pub(crate) fn token(&self) -> Option<Token> {
        let touched = tokens(self.text())
            .skip_while(|token| token.span.end() < self.offset)
            .take_while(|token| token.span.touches(self.offset))
            .filter(|token| !token.kind.is_trivia());
        touched.max_by_key(|token| (weight(token.kind), token.span.start()))
    }
}

/// How much a person means a token of that kind where it touches another.
fn weight(kind: TokenKind) -> u8 {
    match kind {
        TokenKind::Ident | TokenKind::EscapedIdent => 3,
        TokenKind::Int
        | TokenKind::Uint
        | TokenKind::Double
        | TokenKind::String
        | TokenKind::Bytes
        | TokenKind::True
        | TokenKind::False
        | TokenKind::Null => 2,
        TokenKind::Dot | TokenKind::Comma => 0,
        _ => 1,
    }
}

/// Returns whether a cursor is between the characters of an escape that begins at `begin`. A
/// line break that YAML folds, and the indentation after it, is not an escape.
fn is_in_escape(file: &SourceFile, begin: TextSize, cursor: TextSize) -> bool {
    begin < cursor && !file.slice(TextRange::new(begin, cursor)).trim().is_empty()
}

/// Returns whether a cursor is directly after the colon of a key without a value.
fn is_behind_colon(file: &SourceFile, scalar: Scalar<'_>, cursor: TextSize) -> bool {
    let before = file.text().get(..usize::from(cursor)).unwrap_or("");
    scalar.style() == ScalarStyle::Plain && scalar.text().is_empty() && before.ends_with(':')
}

/// Returns whether a cursor is in a scalar, or in the white space where text would continue the
/// scalar.
fn holds(file: &SourceFile, scalar: Scalar<'_>, cursor: TextSize) -> bool {
    let content = scalar.content_range();
    match scalar.style() {
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => content.contains_inclusive(cursor),
        ScalarStyle::Plain => {
            let start = scalar.range().start();
            cursor >= start && is_behind(file, scalar, scalar.range().end(), cursor)
        }
        ScalarStyle::Literal | ScalarStyle::Folded => {
            let header = scalar.header().map(|header| header.range.end());
            let start = header.unwrap_or(content.start());
            let begun = file.line_index().line(cursor) > file.line_index().line(start);
            begun && is_behind(file, scalar, scalar.range().end(), cursor)
        }
    }
}

/// Returns whether `cursor` is at most as far behind `end` as white space reaches, on the same
/// line or on one that is indented enough to belong to the scalar.
fn is_behind(file: &SourceFile, scalar: Scalar<'_>, end: TextSize, cursor: TextSize) -> bool {
    if cursor <= end {
        return true;
    }
    let between = file.slice(TextRange::new(end, cursor));
    if !between.chars().all(char::is_whitespace) {
        return false;
    }
    match between.rsplit_once('\n') {
        None => !file
            .text()
            .get(usize::from(cursor)..)
            .is_some_and(|rest| rest.starts_with('#')),
        Some((_, column)) => {
            let owner = scalar.node().parent().map(|owner| owner.range().start());
            let indent = owner.map_or(0, |owner| file.column(owner));
            column.len() > indent && is_last_on_line(file, cursor)
        }
    }
}

fn is_last_on_line(file: &SourceFile, cursor: TextSize) -> bool {
    let rest = file.text().get(usize::from(cursor)..).unwrap_or("");
    rest.lines().next().unwrap_or("").trim().is_empty()
}

#[cfg(test)]
mod tests;
