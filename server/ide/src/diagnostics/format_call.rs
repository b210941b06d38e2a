//! Concatenations of strings as calls of `format()`.
//!
//! The API server estimates the cost of a CRD validation rule, and assumes that the result of
//! `string()` has any length: a concatenation with it exceeds every budget. The cost of `format()`
//! depends only on the string before the dot.
//!
//! Upstream: cel-go, checker/cost.go, `functionCost`; ext/strings.go, `format`.

use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal};

/// A part of a string.
#[derive(Clone, Copy)]
pub(super) enum Piece<'a> {
    /// A literal string.
    Text(&'a str),
    /// An expression.
    Value(&'a str),
}

/// Returns the call that joins the pieces.
pub(super) fn format_call<'a>(pieces: impl IntoIterator<Item = Piece<'a>>) -> String {
    let (mut text, mut values) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(&escaped(part).replace('%', "%%")),
            Piece::Value(value) => {
                text.push_str("%s");
                values.push(value);
            }
        }
    }
    format!("'{text}'.format([{}])", values.join(", "))
}

/// Returns a string escaped for a CEL string literal.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\'', "\\'")
        .replace('\n', "\\n")
}

/// Returns a concatenation as a call of `format()`. `None` if it has no string literal, or a part
/// on several lines.
pub(super) fn from_sum(ast: &Ast, sum: ExprId) -> Option<String> {
    let mut parts = Vec::new();
    operands(ast, sum, &mut parts);
    let pieces: Vec<Piece<'_>> = parts.iter().map(|part| piece(ast, *part)).collect();
    let is_text = |piece: &Piece<'_>| matches!(piece, Piece::Text(_));
    let is_line = |piece: &Piece<'_>| match piece {
        Piece::Value(text) => !text.contains('\n'),
        Piece::Text(_) => true,
    };
    let can_be = pieces.iter().any(is_text) && pieces.iter().all(is_line);
    (can_be && pieces.len() > 1).then(|| format_call(pieces))
}

/// Returns the longest chain of `+` around a part of it.
pub(super) fn whole_sum(ast: &Ast, parents: &[Option<ExprId>], part: ExprId) -> ExprId {
    let mut at = part;
    while let Some(parent) = parents.get(at.index()).copied().flatten()
        && let ExprKind::Binary {
            operator: BinaryOperator::Add,
            left,
            ..
        } = ast.kind(parent)
        && *left == at
    {
        at = parent;
    }
    at
}

/// Appends the operands of a chain of `+`, from left to right.
fn operands(ast: &Ast, id: ExprId, found: &mut Vec<ExprId>) {
    let mut right = Vec::new();
    let mut at = ast.unparenthesized(id);
    while let ExprKind::Binary {
        operator: BinaryOperator::Add,
        left,
        right: last,
        ..
    } = ast.kind(at)
    {
        right.push(*last);
        at = *left;
    }
    found.push(at);
    found.extend(right.into_iter().rev());
}

fn piece(ast: &Ast, id: ExprId) -> Piece<'_> {
    let bare = ast.unparenthesized(id);
    match ast.kind(bare) {
        ExprKind::Literal(Literal::String(text)) => Piece::Text(text),
        ExprKind::Call {
            target: None,
            function,
            args,
            ..
        } if ast.name(*function) == "string" => match &**args {
            [value] => Piece::Value(ast.slice(ast.span(*value))),
            _ => Piece::Value(ast.slice(ast.span(bare))),
        },
        _ => Piece::Value(ast.slice(ast.span(bare))),
    }
}

#[cfg(test)]
mod tests {
    use super::from_sum;

    #[test]
    fn a_sum_becomes_a_format() {
        for (sum, expected) in [
            (
                "'min ' + string(self.min)",
                Some("'min %s'.format([self.min])"),
            ),
            (
                "\"100% of '\" + self.name + \"' and \" + string(self.a + 1)",
                Some("'100%% of \\'%s\\' and %s'.format([self.name, self.a + 1])"),
            ),
            (
                "(self.a + 'é😀') + 'c'",
                Some("'%sc'.format([self.a + 'é😀'])"),
            ),
            ("self.a + self.b", None),
            ("'a'", None),
            ("'a' +\n [\n].join()", None),
        ] {
            let parse = cel::parse(sum);
            let made = from_sum(&parse.ast, parse.ast.root());
            assert_eq!(made.as_deref(), expected, "{sum}");
        }
    }
}
