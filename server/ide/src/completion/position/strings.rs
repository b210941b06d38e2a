//! The position of the cursor in a string, which depends on the use of the string: a key, the
//! operand of a comparison, the value of a field or an argument.

use super::{CursorPosition, indexed, object_literals};
use crate::target::Target;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Token, TokenKind, tokens};
use text::Span;

/// Returns the position in `string`, the last token of `before`, and the span of its content.
/// `None` if the use of the string is unknown.
pub(super) fn position(
    target: &Target<'_>,
    before: &[Token],
    string: Token,
) -> Option<(CursorPosition, Span)> {
    let ast = target.ast();
    let content = content(ast, string)?;
    let before: Vec<Token> = before
        .iter()
        .copied()
        .filter(|token| !token.kind.is_trivia() && token.span.end() <= string.span.start())
        .collect();
    let position = following(ast, &before)
        .or_else(|| preceding(target, string))
        .or_else(|| element(ast, string))
        .or_else(|| branch(ast, string))?;
    Some((position, content))
}

/// Returns the span between the quotes of a string with one quote on each side.
fn content(ast: &Ast, string: Token) -> Option<Span> {
    let written = ast.slice(string.span);
    let quote = written
        .chars()
        .next()
        .filter(|first| matches!(first, '\'' | '"'))?;
    if written.starts_with("'''") || written.starts_with("\"\"\"") {
        return None;
    }
    let closed = string.kind == TokenKind::String && written.ends_with(quote);
    let start = string.span.start() + 1;
    Some(Span::new(start, string.span.end() - u32::from(closed)))
}

/// Returns the position by the source before the string.
fn following(ast: &Ast, before: &[Token]) -> Option<CursorPosition> {
    let (last, rest) = before.split_last()?;
    match last.kind {
        TokenKind::Question => following(ast, rest),
        TokenKind::OpenBracket => indexed(ast, *last).map(quoted_key),
        TokenKind::EqualsEquals | TokenKind::NotEquals => {
            let (with, _) = operands(ast, last.span)?;
            Some(CursorPosition::Compared { with })
        }
        TokenKind::Colon => match object_literals::field_before(ast, rest) {
            Some((type_name, field)) => Some(CursorPosition::FieldValue { type_name, field }),
            None => object_literals::map_value(ast, rest),
        },
        TokenKind::OpenBrace | TokenKind::Comma => object_literals::map_key(ast, before, true),
        TokenKind::OpenParen => first_argument(ast, rest),
        _ => None,
    }
}

const fn quoted_key(operand: ExprId) -> CursorPosition {
    CursorPosition::Key {
        operand,
        is_quoted: true,
    }
}

/// Returns the position after the opening parenthesis of a call; `before` is without it.
fn first_argument(ast: &Ast, before: &[Token]) -> Option<CursorPosition> {
    if let Some(with) = compared_optional(ast, before) {
        return Some(CursorPosition::Compared { with });
    }
    let name = before.last()?;
    let name = Some(name.span).filter(|_| name.kind == TokenKind::Ident)?;
    let call = ast.ids().find(|id| match ast.kind(*id) {
        ExprKind::Call { function, .. } => function.span == name,
        _ => false,
    });
    let function = ast.slice(name);
    let receiver = call.and_then(|call| match ast.kind(call) {
        ExprKind::Call { target, .. } => *target,
        _ => None,
    });
    // A default is a value of the optional.
    match receiver.filter(|_| function == "orValue") {
        Some(with) => Some(CursorPosition::Compared { with }),
        None => Some(CursorPosition::Argument {
            call,
            function: function.to_owned(),
        }),
    }
}

/// Returns the position in a branch of a conditional that is compared: `a == (b ? '' : 'c')`.
fn branch(ast: &Ast, string: Token) -> Option<CursorPosition> {
    let path = ast.path_at(string.span.start());
    let mut outer = path.iter().rev();
    let mut inner = *outer.next()?;
    for id in outer {
        match ast.kind(*id) {
            ExprKind::Paren(_) => {}
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } if *condition != inner => {
                let with = if *then == inner { *otherwise } else { *then };
                if !matches!(ast.kind(with), ExprKind::Literal(_) | ExprKind::Error(_)) {
                    return Some(CursorPosition::Compared { with });
                }
            }
            ExprKind::Binary {
                operator: BinaryOperator::Equals | BinaryOperator::NotEquals,
                left,
                right,
                ..
            } => {
                let with = if *left == inner { *right } else { *left };
                return Some(CursorPosition::Compared { with });
            }
            _ => return None,
        }
        inner = *id;
    }
    None
}

/// Returns the value that `optional.of('` is compared with.
fn compared_optional(ast: &Ast, before: &[Token]) -> Option<ExprId> {
    let [.., operator, namespace, dot, function] = before else {
        return None;
    };
    let is_call = ast.slice(namespace.span) == "optional"
        && dot.kind == TokenKind::Dot
        && ast.slice(function.span) == "of";
    let is_comparison = matches!(
        operator.kind,
        TokenKind::EqualsEquals | TokenKind::NotEquals
    );
    let (with, _) = operands(ast, operator.span).filter(|_| is_call && is_comparison)?;
    Some(with)
}

/// Returns the position by the source after the string: `'' == value`, `'' in value`.
fn preceding(target: &Target<'_>, string: Token) -> Option<CursorPosition> {
    let next = tokens(target.text())
        .find(|token| token.span.start() >= string.span.end() && !token.kind.is_trivia())?;
    let (_, right) = operands(target.ast(), next.span)?;
    match next.kind {
        TokenKind::EqualsEquals | TokenKind::NotEquals => {
            Some(CursorPosition::Compared { with: right })
        }
        TokenKind::In => Some(quoted_key(right)),
        _ => None,
    }
}

/// Returns the position in a list that `in` searches: `value in ['a', '']`.
fn element(ast: &Ast, string: Token) -> Option<CursorPosition> {
    ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Binary {
            operator: BinaryOperator::In,
            left,
            right,
            ..
        } => {
            let list = ast.unparenthesized(*right);
            let is_list = matches!(ast.kind(list), ExprKind::List { .. });
            let holds = is_list && ast.span(list).contains(string.span);
            holds.then_some(CursorPosition::Compared { with: *left })
        }
        _ => None,
    })
}

/// Returns the operands of the binary operator at a span.
fn operands(ast: &Ast, operator: Span) -> Option<(ExprId, ExprId)> {
    ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Binary {
            operator_span,
            left,
            right,
            ..
        } if *operator_span == operator => Some((*left, *right)),
        _ => None,
    })
}
