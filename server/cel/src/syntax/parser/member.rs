//! Operands: names, constants, brackets, and what follows them.

use super::Parser;
use super::expression::is_number;
use crate::syntax::ast::{Expr, ExprId, ExprKind, Literal, Name};
use crate::syntax::error::{Bracket, EscapedPlace, SyntaxError, SyntaxErrorKind};
use crate::syntax::literal::{self, BadEscape};
use crate::syntax::reserved::is_reserved;
use crate::syntax::token::{Token, TokenKind};
use text::Span;

impl Parser<'_> {
    /// Parses `member : primary | member '.' name | member '.' name '(' args ')' | member '[' expr
    /// ']'`
    pub(super) fn member(&mut self) -> ExprId {
        let mut member = self.primary();
        loop {
            member = match self.kind() {
                TokenKind::Dot => self.select(member),
                TokenKind::OpenBracket => self.index(member),
                TokenKind::OpenParen => self.not_callable(member),
                TokenKind::OpenBrace => self.braces(member),
                _ => return member,
            };
        }
    }

    fn select(&mut self, operand: ExprId) -> ExprId {
        let dot = self.bump().span;
        let optional = self.eat(TokenKind::Question).is_some();
        let operator = Span::new(dot.start(), self.previous_end());
        let is_plain = self.kind() == TokenKind::Ident;
        let field = self.field(operand);
        if is_plain && !optional && self.kind() == TokenKind::OpenParen {
            return self.call(Some(operand), false, field);
        }
        let span = self.span(operand).cover(operator).cover(field.span);
        let below = self.depth(operand);
        let kind = ExprKind::Select {
            operand,
            operator,
            optional,
            field,
        };
        self.push_counted(kind, span, below, operator)
    }

    /// Parses the name after a dot.
    fn field(&mut self, operand: ExprId) -> Name {
        let token = self.current();
        match token.kind {
            TokenKind::Ident | TokenKind::EscapedIdent => {}
            TokenKind::True | TokenKind::False | TokenKind::Null | TokenKind::In => {
                let keyword = self.current_text().into();
                self.error(token.span, SyntaxErrorKind::KeywordAsField { keyword });
            }
            _ => {
                self.missing_field(operand);
                return self.missing_name();
            }
        }
        Name {
            span: self.bump().span,
        }
    }

    fn index(&mut self, operand: ExprId) -> ExprId {
        let open = self.open(Bracket::Square);
        let optional = self.eat(TokenKind::Question).is_some();
        let index = match self.kind() {
            TokenKind::End => self.missing_expr(),
            _ => self.expr(),
        };
        let index = self.skip_to_close(index);
        let brackets = self.close(Bracket::Square, open);
        let span = self.span(operand).cover(brackets);
        let below = self.max_depth(&[operand, index]);
        let kind = ExprKind::Index {
            operand,
            brackets,
            optional,
            index,
        };
        self.push_counted(kind, span, below, brackets)
    }

    /// Parses a call, from the opening parenthesis on. cel-go counts only calls with a target.
    fn call(&mut self, target: Option<ExprId>, leading_dot: bool, function: Name) -> ExprId {
        let (args, parens) = self.args();
        let start = match target {
            Some(target) => self.span(target).start(),
            None => function.span.start(),
        };
        let below = self
            .max_depth(&args)
            .max(target.map_or(0, |it| self.depth(it)));
        let span = Span::new(start, parens.end());
        let kind = ExprKind::Call {
            target,
            leading_dot,
            function,
            args,
            parens,
        };
        match target {
            Some(_) => self.push_counted(kind, span, below, parens),
            None => self.push(kind, span, below),
        }
    }

    fn primary(&mut self) -> ExprId {
        match self.kind() {
            TokenKind::Ident => self.ident(None),
            TokenKind::Dot => self.leading_dot(),
            TokenKind::OpenParen => self.paren(),
            TokenKind::OpenBracket => self.list(),
            TokenKind::OpenBrace => self.map(),
            TokenKind::Minus if is_number(self.peek(1).kind) => self.number(true),
            TokenKind::Int | TokenKind::Double => self.number(false),
            TokenKind::Uint => self.uint(),
            TokenKind::String | TokenKind::Bytes => self.quoted(),
            TokenKind::True => self.constant(Literal::Bool(true)),
            TokenKind::False => self.constant(Literal::Bool(false)),
            TokenKind::Null => self.constant(Literal::Null),
            TokenKind::Unknown => {
                let span = self.bump().span;
                self.error_node(&[], span)
            }
            TokenKind::EscapedIdent => self.escaped_ident(),
            _ => self.missing_operand(),
        }
    }

    /// Parses `.name`
    fn leading_dot(&mut self) -> ExprId {
        let dot = self.bump().span;
        if self.kind() == TokenKind::Ident {
            return self.ident(Some(dot));
        }
        let found = self.found();
        self.error(self.here(), SyntaxErrorKind::ExpectedField { found });
        self.error_node(&[], dot)
    }

    /// Parses a variable or a function without a target, from the name on.
    fn ident(&mut self, dot: Option<Span>) -> ExprId {
        let token = self.bump();
        let name = Name { span: token.span };
        let leading_dot = dot.is_some();
        let start = dot.unwrap_or(token.span);
        let id = match self.kind() {
            TokenKind::OpenParen => self.call(None, leading_dot, name),
            _ => self.push(ExprKind::Ident { name, leading_dot }, token.span, 0),
        };
        let span = start.cover(self.span(id));
        if let Some(expr) = self.exprs.get_mut(id.index()) {
            expr.span = span;
        }
        let is_type = self.previous_end() == token.span.end() && self.names_a_type();
        if is_reserved(self.slice(token.span)) && !is_type {
            self.reserved(id, start, token);
        }
        id
    }

    /// Returns whether the names that follow end in an opening brace.
    fn names_a_type(&self) -> bool {
        let mut ahead = 0;
        while self.peek(ahead).kind == TokenKind::Dot
            && self.peek(ahead + 1).kind == TokenKind::Ident
        {
            ahead += 2;
        }
        self.peek(ahead).kind == TokenKind::OpenBrace
    }

    /// Turns the name of a variable or function that is a reserved word into an error node. Types
    /// and fields may have such a name.
    fn reserved(&mut self, id: ExprId, start: Span, token: Token) {
        let word = self.slice(token.span).into();
        let Some(expr) = self.exprs.get_mut(id.index()) else {
            return;
        };
        let args = match &mut expr.kind {
            ExprKind::Call { args, .. } => std::mem::take(args),
            _ => Box::default(),
        };
        expr.kind = ExprKind::Error(args);
        let error = SyntaxError {
            span: token.span,
            kind: SyntaxErrorKind::Reserved { word },
            related: None,
            upstream_offset: Some(start.start()),
        };
        self.faults.push((id, error));
    }

    /// Parses `(expr)`
    fn paren(&mut self) -> ExprId {
        let open = self.open(Bracket::Paren);
        let inner = match self.kind() {
            TokenKind::End => self.missing_expr(),
            _ => self.expr(),
        };
        if self.kind() == TokenKind::Comma {
            self.error(self.current().span, SyntaxErrorKind::ListInParentheses);
        }
        let inner = self.skip_to_close(inner);
        let span = self.close(Bracket::Paren, open);
        let depth = self.depth(inner);
        self.push(ExprKind::Paren(inner), span, depth)
    }

    fn constant(&mut self, literal: Literal) -> ExprId {
        let span = self.bump().span;
        self.push(ExprKind::Literal(literal), span, 0)
    }

    /// Parses an integer or floating point number, with or without a minus.
    fn number(&mut self, negative: bool) -> ExprId {
        let start = self.current().span;
        if negative {
            self.bump();
        }
        let token = self.bump();
        let digits = token.span.slice(self.text);
        let span = start.cover(token.span);
        let (value, kind) = match token.kind {
            TokenKind::Double => (
                literal::double(digits, negative).map(Literal::Double),
                SyntaxErrorKind::DoubleRange,
            ),
            _ => (
                literal::int(digits, negative).map(Literal::Int),
                SyntaxErrorKind::IntRange {
                    fits_uint: !negative && literal::uint(digits).is_some(),
                },
            ),
        };
        self.value(value, span, kind)
    }

    fn uint(&mut self) -> ExprId {
        let span = self.bump().span;
        let value = literal::uint(span.slice(self.text)).map(Literal::Uint);
        self.value(value, span, SyntaxErrorKind::UintRange)
    }

    fn value(&mut self, value: Option<Literal>, span: Span, kind: SyntaxErrorKind) -> ExprId {
        match value {
            Some(value) => self.push(ExprKind::Literal(value), span, 0),
            None => self.fault(span, span, kind),
        }
    }

    /// Returns an error node for a value that CEL cannot represent.
    fn fault(&mut self, whole: Span, wrong: Span, kind: SyntaxErrorKind) -> ExprId {
        let id = self.error_node(&[], whole);
        let error = SyntaxError {
            span: wrong,
            kind,
            related: None,
            upstream_offset: Some(whole.start()),
        };
        self.faults.push((id, error));
        id
    }

    fn quoted(&mut self) -> ExprId {
        let token = self.current();
        let written = token.span.slice(self.text);
        let value = match token.kind {
            TokenKind::Bytes => literal::bytes(written).map(Literal::Bytes),
            _ => literal::string(written).map(Literal::String),
        };
        match value {
            Ok(value) => self.constant(value),
            Err(bad) => self.bad_escape(token.span, &bad),
        }
    }

    fn bad_escape(&mut self, token: Span, bad: &BadEscape) -> ExprId {
        let offset = |at: usize| token.start() + u32::try_from(at).unwrap_or(0);
        let span = Span::new(offset(bad.range.start), offset(bad.range.end));
        let kind = SyntaxErrorKind::BadEscape(bad.error);
        if !bad.error.breaks_token() {
            self.bump();
            return self.fault(token, span, kind);
        }
        self.error(span, kind);
        self.bump();
        self.error_node(&[], token)
    }

    /// Parses a name in backticks where a variable is expected.
    fn escaped_ident(&mut self) -> ExprId {
        let span = self.current().span;
        let name = self.current_text().trim_matches('`').into();
        let place = EscapedPlace::Variable;
        self.error(span, SyntaxErrorKind::Backticks { name, place });
        self.bump();
        self.error_node(&[], span)
    }

    /// Braces after an operand: the operand is the name of a type.
    fn braces(&mut self, operand: ExprId) -> ExprId {
        match self.take_type_name() {
            Some((type_name, leading_dot, start)) => self.structure(type_name, leading_dot, start),
            None => self.not_a_type(operand),
        }
    }

    /// Removes the names of the chain that was read last from the tree and returns them. `None`
    /// if the last node is not a chain of plain names.
    fn take_type_name(&mut self) -> Option<(Box<[Name]>, bool, u32)> {
        let mut names = Vec::new();
        for expr in self.exprs.iter().rev() {
            match expr {
                Expr {
                    kind:
                        ExprKind::Select {
                            optional: false,
                            field,
                            ..
                        },
                    ..
                } if is_plain(self.slice(field.span)) => names.push(*field),
                Expr {
                    kind: ExprKind::Ident { name, leading_dot },
                    span,
                } => {
                    names.push(*name);
                    names.reverse();
                    let (leading_dot, start) = (*leading_dot, span.start());
                    let rest = self.exprs.len() - names.len();
                    self.exprs.truncate(rest);
                    self.depths.truncate(rest);
                    return Some((names.into(), leading_dot, start));
                }
                _ => return None,
            }
        }
        None
    }
}

/// Returns whether a name is not empty and has no backticks.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('`')
}
