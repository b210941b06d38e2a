//! Lists of items between brackets: arguments, elements, entries, fields.

use super::{Parser, shorten};
use crate::syntax::ast::{Element, Entry, ExprId, ExprKind, Field, Name};
use crate::syntax::error::{Bracket, Related, SyntaxErrorKind};
use crate::syntax::token::{Token, TokenKind};
use text::Span;

impl Parser<'_> {
    /// Takes an opening bracket.
    pub(super) fn open(&mut self, bracket: Bracket) -> Span {
        *self.open_count(bracket) += 1;
        self.bump().span
    }

    /// Consumes the closing bracket, or records that it is missing. Returns the span from the
    /// opening to the closing bracket.
    pub(super) fn close(&mut self, bracket: Bracket, open: Span) -> Span {
        *self.open_count(bracket) -= 1;
        let Some(found) = closer(self.kind()) else {
            return self.unclosed(bracket, open);
        };
        if found != bracket {
            if *self.open_count(found) > 0 {
                return self.unclosed(bracket, open);
            }
            let related = Related {
                span: open,
                message: "this one is open",
            };
            let kind = SyntaxErrorKind::WrongCloser {
                expected: bracket,
                found,
            };
            self.error_with(self.current().span, kind, Some(related));
        }
        open.cover(self.bump().span)
    }

    fn unclosed(&mut self, bracket: Bracket, open: Span) -> Span {
        let related = Related {
            span: open,
            message: "opened here",
        };
        let span = Span::empty(self.previous_end());
        self.error_with(span, SyntaxErrorKind::Unclosed(bracket), Some(related));
        self.open_end = self.current().span.start();
        Span::new(open.start(), self.open_end)
    }

    /// Returns whether a list in brackets must end here.
    pub(super) fn at_list_end(&self) -> bool {
        match self.kind() {
            TokenKind::End => true,
            // It belongs to a condition around the brackets, which are not closed.
            TokenKind::Colon => self.waiting > 0,
            kind => closer(kind).is_some(),
        }
    }

    /// Returns whether another item follows, after a comma or where one is missing.
    fn another_item(&mut self, item: ExprId) -> bool {
        if self.eat(TokenKind::Comma).is_some() {
            return true;
        }
        if !self.kind().begins_expression() || self.is_glued_to(item) {
            return false;
        }
        // In a sentence of prose, only the first gap is reported.
        if self.missing_comma == Some(self.span(item).start()) {
            self.last_error = Some(self.at);
        }
        let found = shorten(self.current_text());
        let span = self.current().span;
        self.missing_comma = Some(span.start());
        self.error(span, SyntaxErrorKind::MissingComma { found });
        true
    }

    /// Parses `'(' (expr (',' expr)*)? ')'`
    pub(super) fn args(&mut self) -> (Box<[ExprId]>, Span) {
        let open = self.open(Bracket::Paren);
        let first = self.ids.len();
        while !self.at_list_end() {
            let arg = self.expr();
            if self.take_arrow() {
                self.ids.push(arg);
                continue;
            }
            let arg = self.skip_to_item_end(arg);
            self.ids.push(arg);
            if !self.another_item(arg) {
                break;
            }
            if self.at_list_end() {
                self.trailing_comma();
            }
        }
        let args = self.ids.drain(first..).collect();
        (args, self.close(Bracket::Paren, open))
    }

    /// Reports a comma with no argument after it.
    fn trailing_comma(&mut self) {
        let Some(comma) = self.previous() else {
            return;
        };
        let last = self.ids.last().map(|id| self.span(*id));
        if self.kind() == TokenKind::CloseParen {
            // A lone comma is wrong for the argument that is missing before it.
            if last.is_some_and(|last| !last.is_empty()) {
                self.error(comma.span, SyntaxErrorKind::TrailingComma);
            }
            return;
        }
        // The source ends here: an argument is about to be typed.
        let missing = self.missing_operand();
        self.ids.push(missing);
    }

    /// Reports a comma directly after the opening bracket, which is allowed only if the list is
    /// empty.
    fn lone_comma(&mut self) {
        let Some(comma) = self.eat(TokenKind::Comma) else {
            return;
        };
        if !self.at_list_end() {
            let kind = SyntaxErrorKind::ExpectedExpression {
                after: None,
                found: Some(",".into()),
            };
            self.error(comma.span, kind);
        }
    }

    /// Parses `'[' (element (',' element)*)? ','? ']'`
    pub(super) fn list(&mut self) -> ExprId {
        let open = self.open(Bracket::Square);
        let mut elements = Vec::new();
        let mut depth = 0;
        self.lone_comma();
        while !self.at_list_end() {
            let optional = self.eat(TokenKind::Question).is_some();
            let expr = self.expr();
            let value = self.skip_to_item_end(expr);
            depth = self.depth(value).max(depth);
            elements.push(Element { optional, value });
            if !self.another_item(value) {
                break;
            }
        }
        let span = self.close(Bracket::Square, open);
        let elements = elements.into();
        self.push(ExprKind::List { elements }, span, depth)
    }

    /// Parses `'{' (entry (',' entry)*)? ','? '}'`
    pub(super) fn map(&mut self) -> ExprId {
        let waiting = std::mem::take(&mut self.waiting);
        let open = self.open(Bracket::Brace);
        let mut entries = Vec::new();
        let mut depth = 0;
        self.lone_comma();
        while !self.at_list_end() {
            let optional = self.eat(TokenKind::Question).is_some();
            let in_key = std::mem::replace(&mut self.in_key, true);
            let key = self.expr();
            self.in_key = in_key;
            let (colon, value) = self.entry_value();
            depth = self.max_depth(&[key, value]).max(depth);
            entries.push(Entry {
                optional,
                key,
                colon,
                value,
            });
            if !self.another_item(value) {
                break;
            }
        }
        let span = self.close(Bracket::Brace, open);
        self.waiting = waiting;
        let entries = entries.into();
        self.push(ExprKind::Map { entries }, span, depth)
    }

    /// Parses `type{field: value, ?field: value}`, from the opening brace on.
    pub(super) fn structure(
        &mut self,
        type_name: Box<[Name]>,
        leading_dot: bool,
        start: u32,
    ) -> ExprId {
        let waiting = std::mem::take(&mut self.waiting);
        let open = self.open(Bracket::Brace);
        let mut fields = Vec::new();
        let mut depth = 0;
        self.lone_comma();
        while !self.at_list_end() {
            let optional = self.eat(TokenKind::Question).is_some();
            let name = self.field_name();
            let (colon, value) = self.entry_value();
            depth = self.depth(value).max(depth);
            fields.push(Field {
                optional,
                name,
                colon,
                value,
            });
            if !self.another_item(value) {
                break;
            }
        }
        let braces = self.close(Bracket::Brace, open);
        self.waiting = waiting;
        let kind = ExprKind::Struct {
            type_name,
            leading_dot,
            braces,
            fields: fields.into(),
        };
        self.push(kind, Span::new(start, braces.end()), depth)
    }

    /// Parses the name of a struct's field.
    fn field_name(&mut self) -> Name {
        let Token { kind, span } = self.current();
        match kind {
            TokenKind::Ident | TokenKind::EscapedIdent => {
                if let Some(key) = self.map_key() {
                    return key;
                }
            }
            TokenKind::String
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Null
            | TokenKind::In => {
                let found = self.found();
                self.error(span, SyntaxErrorKind::ExpectedFieldName { found });
            }
            _ => {
                let found = self.found();
                self.error(self.here(), SyntaxErrorKind::ExpectedFieldName { found });
                if self.peek(1).kind != TokenKind::Colon {
                    return self.missing_name();
                }
            }
        }
        self.bump();
        Name { span }
    }

    /// Reads the key of a map in place of a field name, such as `a.b/c`.
    fn map_key(&mut self) -> Option<Name> {
        let first = self.current().span;
        let (mut count, mut end) = (1, first.end());
        while self.peek(count).span.start() == end && is_part_of_key(self.peek(count).kind) {
            end = self.peek(count).span.end();
            count += 1;
        }
        if count == 1 || self.peek(count).kind != TokenKind::Colon {
            return None;
        }
        let span = Span::new(first.start(), end);
        self.bump();
        let found = Some(shorten(span.slice(self.text)));
        self.error(span, SyntaxErrorKind::ExpectedFieldName { found });
        for _ in 1..count {
            self.bump();
        }
        Some(Name { span })
    }

    /// Parses `':' expr`
    fn entry_value(&mut self) -> (Span, ExprId) {
        if let Some(colon) = self.eat(TokenKind::Colon) {
            let value = self.expr();
            return (colon.span, self.skip_to_item_end(value));
        }
        let found = self.found();
        self.error(self.here(), SyntaxErrorKind::ExpectedColon { found });
        if self.kind() == TokenKind::Foreign && self.current_text() == "=" {
            let sign = self.bump().span;
            let value = self.expr();
            return (sign, self.skip_to_item_end(value));
        }
        let colon = Span::empty(self.previous_end());
        if self.kind().begins_expression() {
            let value = self.expr();
            return (colon, self.skip_to_item_end(value));
        }
        let value = self.missing_expr();
        (colon, self.skip_to_item_end(value))
    }
}

/// Returns whether a token can be part of a key such as `a.b/c-1`.
const fn is_part_of_key(kind: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        kind,
        T::Ident | T::Int | T::Double | T::Dot | T::Minus | T::Slash
    )
}

/// Returns the bracket that a token closes.
pub(super) const fn closer(kind: TokenKind) -> Option<Bracket> {
    match kind {
        TokenKind::CloseParen => Some(Bracket::Paren),
        TokenKind::CloseBracket => Some(Bracket::Square),
        TokenKind::CloseBrace => Some(Bracket::Brace),
        _ => None,
    }
}
