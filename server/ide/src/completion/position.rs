//! The position of the cursor in an expression.
//!
//! It is determined by the tokens before the cursor and not by the tree, which is unreliable in
//! half-written expressions.

mod object_literals;
mod strings;

use crate::target::Target;
use cel::syntax::{Ast, ExprId, ExprKind, MacroKind, Token, TokenKind, tokens};
use text::Span;

/// The position of the cursor in the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CursorPosition {
    /// A value.
    Start,
    /// A value of a field of an object literal.
    FieldStart {
        /// The name of the type of the object.
        type_name: String,
        /// The name of the field.
        field: String,
        /// Whether it is an element of the list that is the value.
        is_element: bool,
    },
    /// A key of a map that is the value of a field of an object literal.
    MapKey {
        /// The name of the type of the object.
        type_name: String,
        /// The name of the field.
        field: String,
        /// Whether the key is in quotes.
        is_quoted: bool,
    },
    /// A string as a value of a map that is the value of a field of an object literal.
    MapValue {
        /// The name of the field.
        field: String,
        /// The key.
        key: String,
    },
    /// A completion after a dot.
    Member {
        /// The receiver. `None` if it cannot be parsed.
        receiver: Option<ExprId>,
        /// The `.` or `.?`.
        operator: Span,
    },
    /// A key in brackets, or a string that `in` searches.
    Key {
        /// The value before the brackets, or after `in`.
        operand: ExprId,
        /// Whether the key is in quotes.
        is_quoted: bool,
    },
    /// The first argument of a macro, which names a new variable.
    NewVariable {
        /// The macro.
        kind: MacroKind,
        /// The value that the macro is called on.
        receiver: ExprId,
    },
    /// A string that is compared with a value.
    Compared {
        /// The value.
        with: ExprId,
    },
    /// A string as the value of a field of an object literal.
    FieldValue {
        /// The name of the type of the object.
        type_name: String,
        /// The name of the field.
        field: String,
    },
    /// A string as an argument of a function.
    Argument {
        /// The call, if it can be parsed.
        call: Option<ExprId>,
        /// The name of the function.
        function: String,
    },
    /// The name of a field of an object that is built.
    StructField {
        /// The name of its type.
        type_name: String,
    },
}

impl CursorPosition {
    /// Returns the position and the word at the cursor. `None` if there are no completions: in a
    /// comment, in a number, after a value.
    pub(super) fn at(target: &Target<'_>) -> Option<(Self, Span)> {
        let before: Vec<Token> = tokens(target.text())
            .take_while(|token| token.span.start() < target.offset)
            .collect();
        cursor_position(target, &before)
    }
}

fn cursor_position(target: &Target<'_>, before: &[Token]) -> Option<(CursorPosition, Span)> {
    let mut before = before;
    let mut word = Span::empty(target.offset);
    if let Some((last, rest)) = before.split_last() {
        let inside = last.span.end() > target.offset;
        let touches = target.touches && last.span.end() >= target.offset;
        match last.kind {
            TokenKind::Comment if touches => return None,
            TokenKind::Unterminated if touches => return strings::position(target, before, *last),
            TokenKind::String if inside => return strings::position(target, before, *last),
            TokenKind::Ident
            | TokenKind::In
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Null
                if touches =>
            {
                word = last.span;
                before = rest;
            }
            _ if inside && !last.kind.is_trivia() => return None,
            _ => {}
        }
    }
    let significant: Vec<Token> = before
        .iter()
        .copied()
        .filter(|token| !token.kind.is_trivia())
        .collect();
    Some((after(target.ast(), &significant)?, word))
}

/// Returns the position after some tokens.
fn after(ast: &Ast, before: &[Token]) -> Option<CursorPosition> {
    let Some((last, rest)) = before.split_last() else {
        return Some(CursorPosition::Start);
    };
    match last.kind {
        TokenKind::Dot if rest.last().is_some_and(|token| ends_value(token.kind)) => {
            Some(member(ast, last.span))
        }
        TokenKind::Question
            if rest.last().is_some_and(|dot| {
                dot.kind == TokenKind::Dot && dot.span.end() == last.span.start()
            }) =>
        {
            let dot = rest.last()?.span;
            Some(member(ast, dot.cover(last.span)))
        }
        TokenKind::OpenBracket | TokenKind::OpenBrace | TokenKind::Comma | TokenKind::Question => {
            Some(bare_key(ast, before).unwrap_or_else(|| in_literal(ast, before)))
        }
        TokenKind::OpenParen => Some(new_variable(ast, rest).unwrap_or(CursorPosition::Start)),
        TokenKind::Colon => Some(match object_literals::field_before(ast, rest) {
            Some((type_name, field)) => CursorPosition::FieldStart {
                type_name,
                field,
                is_element: false,
            },
            None => CursorPosition::Start,
        }),
        kind if ends_value(kind) => None,
        _ => Some(CursorPosition::Start),
    }
}

/// Returns the position after the bracket of an index, or after `[?`.
fn bare_key(ast: &Ast, before: &[Token]) -> Option<CursorPosition> {
    let (last, rest) = before.split_last()?;
    let bracket = match last.kind {
        TokenKind::Question => rest.last()?,
        _ => last,
    };
    let operand = indexed(ast, *bracket)?;
    Some(CursorPosition::Key {
        operand,
        is_quoted: false,
    })
}

/// Returns the value before the bracket of an index. `None` for other tokens.
fn indexed(ast: &Ast, bracket: Token) -> Option<ExprId> {
    ast.ids().find_map(|id| match *ast.kind(id) {
        ExprKind::Index {
            operand, brackets, ..
        } if brackets.start() == bracket.span.start() => Some(operand),
        _ => None,
    })
}

/// Returns the position after the opening parenthesis of a macro; `before` is without it.
fn new_variable(ast: &Ast, before: &[Token]) -> Option<CursorPosition> {
    let name = before.last()?.span;
    let written = ast.slice(name);
    let (kind, _) = (2..=3).find_map(|args| MacroKind::find(written, true, args))?;
    ast.ids().find_map(|id| match *ast.kind(id) {
        ExprKind::Call {
            target: Some(receiver),
            function,
            ..
        } if function.span == name => Some(CursorPosition::NewVariable { kind, receiver }),
        _ => None,
    })
}

/// Returns the position after a bracket, a comma or a question mark.
fn in_literal(ast: &Ast, before: &[Token]) -> CursorPosition {
    if let Some((type_name, field)) = object_literals::list_field(ast, before) {
        return CursorPosition::FieldStart {
            type_name,
            field,
            is_element: true,
        };
    }
    match object_literals::literal_type(ast, before) {
        Some(type_name) => CursorPosition::StructField { type_name },
        None => object_literals::map_key(ast, before, false).unwrap_or(CursorPosition::Start),
    }
}

/// Returns whether a value can end with a token of this kind, so that no other value can follow it.
const fn ends_value(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Ident
            | TokenKind::EscapedIdent
            | TokenKind::Int
            | TokenKind::Uint
            | TokenKind::Double
            | TokenKind::String
            | TokenKind::Bytes
            | TokenKind::Unterminated
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Null
            | TokenKind::CloseBracket
            | TokenKind::CloseBrace
            | TokenKind::CloseParen
    )
}

fn member(ast: &Ast, operator: Span) -> CursorPosition {
    let receiver = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Select {
            operand,
            operator: found,
            ..
        } if found.start() == operator.start() => Some(*operand),
        ExprKind::Call {
            target: Some(target),
            function,
            ..
        } => Span::new(ast.span(*target).end(), function.span.start())
            .contains(operator)
            .then_some(*target),
        _ => None,
    });
    CursorPosition::Member { receiver, operator }
}
