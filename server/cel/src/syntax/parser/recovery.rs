//! Recovery from syntax errors.
//!
//! Each function here is reached only when no rule of the grammar matches. It reports the error,
//! once, and finds the position from which to continue: mostly by interpreting the source as what
//! was probably meant, otherwise by skipping to the next comma or closing bracket.

use super::aggregate::closer;
use super::{Parser, shorten};
use crate::syntax::ast::{BinaryOperator, ExprId, ExprKind, UnaryOperator};
use crate::syntax::error::{SyntaxError, SyntaxErrorKind};
use crate::syntax::foreign;
use crate::syntax::token::TokenKind;
use text::Span;

/// An operator at the current token, as CEL or another language writes it.
struct Operator {
    operator: BinaryOperator,
    /// The number of tokens.
    tokens: usize,
    /// The error, if it is not an operator of CEL.
    wrong: Option<SyntaxErrorKind>,
}

impl Operator {
    const fn right(operator: BinaryOperator) -> Option<Self> {
        Some(Self {
            operator,
            tokens: 1,
            wrong: None,
        })
    }
}

impl Parser<'_> {
    /// Consumes the operator at the current token if `accepts` holds for it.
    pub(super) fn take_operator(
        &mut self,
        accepts: impl Fn(BinaryOperator) -> bool,
    ) -> Option<(BinaryOperator, Span)> {
        let found = self.operator().filter(|found| accepts(found.operator))?;
        let start = self.current().span;
        let end = self.peek(found.tokens - 1).span;
        if let Some(wrong) = found.wrong {
            self.error(start.cover(end), wrong);
        }
        self.at += found.tokens;
        Some((found.operator, start.cover(end)))
    }

    fn operator(&self) -> Option<Operator> {
        use BinaryOperator as B;
        use TokenKind as T;
        match self.kind() {
            T::BarBar => Operator::right(B::Or),
            T::AmpersandAmpersand => Operator::right(B::And),
            T::EqualsEquals => Operator::right(B::Equals),
            T::NotEquals => Operator::right(B::NotEquals),
            T::Less => Operator::right(B::Less),
            T::LessEquals => Operator::right(B::LessEquals),
            T::Greater => Operator::right(B::Greater),
            T::GreaterEquals => Operator::right(B::GreaterEquals),
            T::In => Operator::right(B::In),
            T::Plus => Operator::right(B::Add),
            T::Minus if self.at_arrow() => None,
            T::Minus => Operator::right(B::Subtract),
            T::Star => Operator::right(B::Multiply),
            T::Slash => Operator::right(B::Divide),
            T::Percent => Operator::right(B::Modulo),
            T::Foreign => self.foreign_operator(),
            T::Ident => self.word_operator(),
            T::Exclamation if self.peek(1).kind == T::In => self.word_operator(),
            _ => None,
        }
    }

    /// Returns a sign such as `=` between two operands.
    fn foreign_operator(&self) -> Option<Operator> {
        let (current, next) = (self.current().span, self.peek(1).span);
        let both = self.slice(current.cover(next));
        let is_pair = current.end() == next.start() && both == "=<";
        let (found, tokens) = if is_pair {
            (both, 2)
        } else {
            (self.current_text(), 1)
        };
        if (self.in_key && found == "=") || (found == "=>" && self.is_after_argument()) {
            return None;
        }
        let (operator, advice) = foreign::sign_operator(found)?;
        Some(Operator {
            operator,
            tokens,
            wrong: Some(SyntaxErrorKind::ForeignOperator {
                found: found.into(),
                advice,
            }),
        })
    }

    /// Returns a word such as `and` between two operands.
    fn word_operator(&self) -> Option<Operator> {
        if !self.peek(1).kind.begins_expression() && self.peek(1).kind != TokenKind::In {
            return None;
        }
        let found = self.current_text();
        let is_not_in = found.eq_ignore_ascii_case("not") && self.peek(1).kind == TokenKind::In;
        let (found, tokens) = match found {
            _ if is_not_in => ("not in", 2),
            "!" => ("!in", 2),
            _ => (found, 1),
        };
        let (operator, advice) = foreign::word_operator(found)?;
        Some(Operator {
            operator,
            tokens,
            wrong: Some(SyntaxErrorKind::WordOperator {
                found: found.into(),
                advice,
            }),
        })
    }

    /// Returns whether the current token is after a name that begins an argument, such as the
    /// variable of a lambda.
    fn is_after_argument(&self) -> bool {
        let before = |count: usize| {
            self.at
                .checked_sub(count)
                .and_then(|at| self.tokens.get(at))
        };
        let begins = |kind| matches!(kind, TokenKind::OpenParen | TokenKind::Comma);
        before(1).is_some_and(|it| it.kind == TokenKind::Ident)
            && before(2).is_some_and(|it| begins(it.kind))
    }

    /// Returns whether `->` is written here.
    fn at_arrow(&self) -> bool {
        let next = self.peek(1);
        self.kind() == TokenKind::Minus
            && next.kind == TokenKind::Greater
            && next.span.start() == self.current().span.end()
    }

    /// Consumes `=>` or `->` after the variable of a macro, in place of a comma.
    pub(super) fn take_arrow(&mut self) -> bool {
        let is_thin = self.at_arrow();
        if !is_thin && self.current_text() != "=>" {
            return false;
        }
        let (found, tokens) = if is_thin { ("->", 2) } else { ("=>", 1) };
        let span = self.current().span.cover(self.peek(tokens - 1).span);
        let found = found.into();
        self.error(span, SyntaxErrorKind::Arrow { found });
        self.at += tokens;
        true
    }

    pub(super) fn is_word_not(&self) -> bool {
        self.current_text().eq_ignore_ascii_case("not")
            && matches!(
                self.peek(1).kind,
                TokenKind::Ident | TokenKind::True | TokenKind::False | TokenKind::Exclamation
            )
            && foreign::word_operator(self.peek(1).span.slice(self.text)).is_none()
    }

    /// Parses `not a`
    pub(super) fn word_not(&mut self) -> ExprId {
        let first = self.current().span;
        let kind = SyntaxErrorKind::WordOperator {
            found: self.current_text().into(),
            advice: foreign::NOT_ADVICE,
        };
        while self.is_word_not() {
            self.bump();
        }
        self.error(first, kind);
        let operand = self.unary();
        let depth = self.depth(operand);
        let span = first.cover(self.span(operand));
        let kind = ExprKind::Unary {
            operator: UnaryOperator::Not,
            count: 1,
            operator_span: first,
            operand,
        };
        self.push(kind, span, depth)
    }

    /// Reports a missing operand.
    pub(super) fn missing_operand(&mut self) -> ExprId {
        let start = self.current().span;
        if let Some(operand) = self.foreign_operand() {
            return operand;
        }
        let mut skipped = false;
        while let Some(kind) = self.foreign_prefix() {
            self.error(self.foreign_span(), kind);
            self.bump();
            skipped = true;
        }
        if skipped && self.kind().begins_expression() {
            let operand = self.operand_after_junk();
            let span = start.cover(self.span(operand));
            return self.error_node(&[operand], span);
        }
        if skipped {
            return self.missing_expr();
        }
        let after = self.previous().map(|token| shorten(self.slice(token.span)));
        let found = self.found();
        self.error(
            self.here(),
            SyntaxErrorKind::ExpectedExpression { after, found },
        );
        self.missing_expr()
    }

    /// Skips a regular expression as in JavaScript, `/^a/`, or the index `*` for all elements.
    fn foreign_operand(&mut self) -> Option<ExprId> {
        let start = self.current().span;
        let is_slash = self.kind() == TokenKind::Slash;
        let is_all = self.kind() == TokenKind::Star
            && self.previous().map(|it| it.kind) == Some(TokenKind::OpenBracket)
            && self.peek(1).kind == TokenKind::CloseBracket;
        if !is_slash && !is_all {
            return None;
        }
        let rest = (1..).map(|count| self.peek(count));
        let mut ahead = rest.take_while(|it| !matches!(it.kind, TokenKind::End | TokenKind::Comma));
        let end = if is_all { Some(start) } else { None };
        let end = end.or_else(|| Some(ahead.find(|it| it.kind == TokenKind::Slash)?.span))?;
        let kind = SyntaxErrorKind::ForeignOperator {
            found: if is_all { "[*]" } else { "/…/" }.into(),
            advice: if is_all {
                foreign::ALL_ADVICE
            } else {
                foreign::PATTERN_ADVICE
            },
        };
        self.error(start.cover(end), kind);
        while self.kind() != TokenKind::End && self.current().span.start() <= end.start() {
            self.bump();
        }
        Some(self.missing_expr())
    }

    /// Parses the operand after skipped symbols. Brackets are entered through the rule that counts
    /// their nesting.
    fn operand_after_junk(&mut self) -> ExprId {
        match self.kind() {
            TokenKind::Minus | TokenKind::Exclamation => self.expr(),
            _ => self.member(),
        }
    }

    /// Returns the error for a symbol in place of an operand that CEL lacks, alone or together with
    /// the operator before it, as in `!==`.
    fn foreign_prefix(&self) -> Option<SyntaxErrorKind> {
        let written = self.slice(self.foreign_span());
        let advice = match foreign::pair_advice(written) {
            Some(advice) => advice,
            None if self.kind() == TokenKind::Foreign => foreign::sign_advice(written),
            None => return None,
        };
        Some(SyntaxErrorKind::ForeignOperator {
            found: shorten(written),
            advice,
        })
    }

    /// Returns the current token, with the one before it if they form one symbol.
    fn foreign_span(&self) -> Span {
        let current = self.current().span;
        let Some(before) = self.previous().filter(|_| self.is_adjacent()) else {
            return current;
        };
        let both = before.span.cover(current);
        match foreign::pair_advice(self.slice(both)) {
            Some(_) => both,
            None => current,
        }
    }

    /// Reports a missing name after a dot.
    pub(super) fn missing_field(&mut self, operand: ExprId) {
        let before = self.span(operand);
        let dot = self.previous().map_or(before, |token| token.span);
        let number = self.slice(before);
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && before.end() == dot.start() {
            let kind = SyntaxErrorKind::MalformedNumber {
                found: format!("{number}.").into(),
                advice: foreign::FRACTION_ADVICE,
            };
            self.error(before.cover(dot), kind);
            return;
        }
        if let Some(kind) = self.foreign_prefix() {
            return self.error(self.foreign_span(), kind);
        }
        let found = self.found();
        self.error(self.here(), SyntaxErrorKind::ExpectedField { found });
    }

    /// Reports parentheses after an operand that is not a name.
    pub(super) fn not_callable(&mut self, operand: ExprId) -> ExprId {
        if !self.is_known_wrong(operand) {
            self.error(self.current().span, SyntaxErrorKind::NotCallable);
        }
        let (args, parens) = self.args();
        let mut parts = vec![operand];
        parts.extend_from_slice(&args);
        let span = self.span(operand).cover(parens);
        self.error_node(&parts, span)
    }

    /// Reports braces after an operand that is not a name.
    pub(super) fn not_a_type(&mut self, operand: ExprId) -> ExprId {
        let is_known = self.is_known_wrong(operand);
        if !is_known {
            self.error(self.current().span, SyntaxErrorKind::NotAType);
        }
        self.muted += 1;
        let body = self.map();
        self.muted -= 1;
        let span = self.span(operand).cover(self.span(body));
        self.error_node(&[operand, body], span)
    }

    /// Returns whether an operand has a reported error, so that an error after it is not a
    /// second one.
    fn is_known_wrong(&self, operand: ExprId) -> bool {
        let kind = self.exprs.get(operand.index()).map(|expr| &expr.kind);
        match kind {
            Some(ExprKind::Error(_)) => true,
            Some(ExprKind::Select { field, .. }) => {
                !self.options.escaped_names && self.slice(field.span).starts_with('`')
            }
            _ => false,
        }
    }

    /// Skips to the closing bracket.
    pub(super) fn skip_to_close(&mut self, inner: ExprId) -> ExprId {
        if self.at_list_end() {
            return inner;
        }
        self.skip_junk(inner, Self::at_list_end)
    }

    /// Skips to the next comma or closing bracket, unless another item begins here.
    pub(super) fn skip_to_item_end(&mut self, item: ExprId) -> ExprId {
        let begins_item = self.kind().begins_expression() && !self.is_glued_to(item);
        if self.kind() == TokenKind::Comma || self.at_list_end() || begins_item {
            return item;
        }
        self.skip_junk(item, |parser| {
            parser.kind() == TokenKind::Comma || parser.at_list_end()
        })
    }

    /// Returns whether the current token was meant to be part of the item before it, or follows
    /// from its error, so that it is not a separate item.
    pub(super) fn is_glued_to(&self, item: ExprId) -> bool {
        self.is_known_wrong(item) || self.glued().is_some()
    }

    /// Reports the error at the current token, which follows a complete expression, and skips to
    /// the first token for which `stops` is true. Skipped expressions are kept as parts.
    pub(super) fn skip_junk(&mut self, before: ExprId, stops: impl Fn(&Self) -> bool) -> ExprId {
        let is_known = self.is_known_wrong(self.last_operand());
        if is_known {
            self.note_consequence();
        }
        if self.kind() == TokenKind::Unknown || is_known {
            self.last_error = Some(self.at);
        }
        self.report_junk();
        self.note_skipping();
        let mut parts = vec![before];
        self.muted += 1;
        while self.kind() != TokenKind::End && !stops(self) {
            if self.kind().begins_expression() {
                parts.push(self.expr());
            } else {
                self.bump();
            }
        }
        self.muted -= 1;
        let span = Span::new(self.span(before).start(), self.previous_end());
        self.error_node(&parts, span)
    }

    /// Records that cel-go also rejects the current token, although the error only follows from the
    /// one before it.
    fn note_consequence(&mut self) {
        let span = self.current().span;
        if self.muted == 0 {
            self.consequences.push(SyntaxError {
                span,
                kind: SyntaxErrorKind::Unexpected {
                    found: shorten(self.slice(span)),
                },
                related: None,
                upstream_offset: Some(span.start()),
            });
        }
    }

    /// Returns the node that was read last.
    fn last_operand(&self) -> ExprId {
        ExprId::new(self.exprs.len().saturating_sub(1))
    }

    fn report_junk(&mut self) {
        let token = self.current();
        if let Some((span, kind)) = self.glued() {
            return self.error(span, kind);
        }
        if let Some(found) = closer(token.kind)
            && *self.open_count(found) == 0
        {
            return self.error(token.span, SyntaxErrorKind::Unopened(found));
        }
        let next = self.peek(1).span;
        let both = token.span.cover(next);
        let is_pair = token.span.end() == next.start()
            && (self.at_arrow() || foreign::pair_advice(self.slice(both)).is_some());
        let span = if is_pair { both } else { token.span };
        let found = shorten(self.slice(span));
        let kind = match token.kind {
            _ if is_pair || token.kind == TokenKind::Foreign => SyntaxErrorKind::ForeignOperator {
                advice: foreign::sign_advice(&found),
                found,
            },
            _ => SyntaxErrorKind::Unexpected { found },
        };
        self.error(span, kind);
    }

    /// Returns the error for a token that directly follows a number or the prefix of a string.
    fn glued(&self) -> Option<(Span, SyntaxErrorKind)> {
        let before = self.previous().filter(|_| self.is_adjacent())?;
        let span = before.span.cover(self.current().span);
        let found = shorten(self.slice(span));
        match (before.kind, self.kind()) {
            (TokenKind::Ident, TokenKind::String) => {
                let found = shorten(self.slice(before.span));
                Some((before.span, SyntaxErrorKind::StringPrefix { found }))
            }
            (
                TokenKind::Int | TokenKind::Uint | TokenKind::Double,
                TokenKind::Ident | TokenKind::Int | TokenKind::Double,
            ) => {
                let advice = foreign::number_advice(&found);
                Some((span, SyntaxErrorKind::MalformedNumber { found, advice }))
            }
            (_, TokenKind::Double) if self.current_text().starts_with('.') => {
                let kind = SyntaxErrorKind::ForeignOperator {
                    found: shorten(self.current_text()),
                    advice: foreign::INDEX_ADVICE,
                };
                Some((self.current().span, kind))
            }
            _ => None,
        }
    }
}
