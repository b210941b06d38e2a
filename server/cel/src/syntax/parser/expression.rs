//! Operators.

use super::{Parser, Rule};
use crate::syntax::ast::{BinaryOperator, ExprId, ExprKind, Precedence, UnaryOperator};
use crate::syntax::error::{Related, SyntaxErrorKind};
use crate::syntax::foreign;
use crate::syntax::token::TokenKind;
use text::Span;

impl Parser<'_> {
    /// Parses the whole source.
    pub(super) fn start(&mut self) -> ExprId {
        if self.kind() == TokenKind::End {
            let span = Span::empty(0);
            self.error(span, SyntaxErrorKind::Empty);
            return self.error_node(&[], span);
        }
        let root = self.expr();
        if self.kind() == TokenKind::End {
            return root;
        }
        self.skip_junk(root, |_| false)
    }

    /// Parses `expr : conditionalOr ('?' conditionalOr ':' expr)?`
    pub(super) fn expr(&mut self) -> ExprId {
        if !self.enter(Rule::Expr) {
            let given_up = self.give_up();
            self.leave(Rule::Expr);
            return given_up;
        }
        let condition = self.logical(Precedence::Or);
        let expr = match self.kind() {
            TokenKind::Question => self.conditional(condition),
            _ => condition,
        };
        self.leave(Rule::Expr);
        expr
    }

    /// Parses a conditional after its condition, from the `?` on.
    fn conditional(&mut self, condition: ExprId) -> ExprId {
        let question = self.bump().span;
        let pair = question.cover(self.current().span);
        let pair = Some(pair).filter(|pair| foreign::pair_advice(self.slice(*pair)).is_some());
        if let Some(pair) = pair.filter(|_| self.kind() != TokenKind::Dot) {
            return self.default_operator(condition, pair);
        }
        self.waiting += 1;
        let mut then = self.logical(Precedence::Or);
        if self.kind() == TokenKind::Question {
            then = self.nested_conditional(then);
        }
        self.waiting -= 1;
        let (colon, otherwise) = match self.eat(TokenKind::Colon) {
            Some(colon) => (colon.span, self.expr()),
            None => {
                self.missing_else(question, pair);
                (Span::empty(self.previous_end()), self.missing_expr())
            }
        };
        let below = self.max_depth(&[condition, then, otherwise]);
        let span = self.span(condition).cover(self.span(otherwise));
        let kind = ExprKind::Conditional {
            condition,
            question,
            then,
            colon,
            otherwise,
        };
        self.push_counted(kind, span, below, question)
    }

    /// Parses `b ? c : d` between the `?` and the `:` of another conditional, which the grammar
    /// allows in parentheses only.
    fn nested_conditional(&mut self, condition: ExprId) -> ExprId {
        self.error(self.current().span, SyntaxErrorKind::NestedConditional);
        self.note_skipping();
        if !self.enter(Rule::Expr) {
            let given_up = self.give_up();
            self.leave(Rule::Expr);
            return given_up;
        }
        // Only one pair of parentheses is reported at a time.
        self.muted += 1;
        let nested = self.conditional(condition);
        self.muted -= 1;
        self.leave(Rule::Expr);
        nested
    }

    /// Parses `a ?? b` and `a ?: b`, of which `pair` is the sign.
    fn default_operator(&mut self, condition: ExprId, pair: Span) -> ExprId {
        self.foreign_pair(pair);
        self.bump();
        let default = self.logical(Precedence::Or);
        let span = self.span(condition).cover(self.span(default));
        self.error_node(&[condition, default], span)
    }

    fn foreign_pair(&mut self, pair: Span) {
        let found = self.slice(pair);
        let kind = SyntaxErrorKind::ForeignOperator {
            advice: foreign::sign_advice(found),
            found: found.into(),
        };
        self.error(pair, kind);
    }

    /// Reports a missing `:`. `pair` is the token that begins with the `?`, if there is one:
    /// `a?.b`.
    fn missing_else(&mut self, question: Span, pair: Option<Span>) {
        if let Some(pair) = pair {
            return self.foreign_pair(pair);
        }
        let found = self.found();
        let related = Related {
            span: question,
            message: "the condition ends here",
        };
        let kind = SyntaxErrorKind::ConditionalWithoutElse { found };
        self.error_with(self.here(), kind, Some(related));
        self.note_skipping();
    }

    /// Parses `conditionalOr : conditionalAnd ('||' conditionalAnd)*`, and the same for `&&`.
    fn logical(&mut self, precedence: Precedence) -> ExprId {
        let first = self.logical_term(precedence);
        let mut terms = Vec::new();
        let mut operators = Vec::new();
        while let Some((_, span)) =
            self.take_operator(|operator| operator.precedence() == precedence)
        {
            if terms.is_empty() {
                terms.push(first);
            }
            operators.push(span);
            terms.push(self.logical_term(precedence));
        }
        let operator = match precedence {
            Precedence::Or => BinaryOperator::Or,
            _ => BinaryOperator::And,
        };
        if terms.is_empty() {
            first
        } else {
            self.balanced(operator, &terms, &operators)
        }
    }

    fn logical_term(&mut self, precedence: Precedence) -> ExprId {
        match precedence {
            Precedence::Or => self.logical(Precedence::And),
            _ => self.relation(),
        }
    }

    /// Returns the tree of a chain of `&&` or `||`: one term more than operators.
    ///
    /// Upstream: cel-go, parser/helper.go, `balancedTree`.
    fn balanced(
        &mut self,
        operator: BinaryOperator,
        terms: &[ExprId],
        operators: &[Span],
    ) -> ExprId {
        let middle = operators.len() / 2;
        let (Some(operator_span), Some((left, right))) =
            (operators.get(middle), terms.split_at_checked(middle + 1))
        else {
            return terms
                .first()
                .copied()
                .unwrap_or_else(|| self.missing_expr());
        };
        let left = self.balanced(operator, left, operators.get(..middle).unwrap_or_default());
        let right = self.balanced(
            operator,
            right,
            operators.get(middle + 1..).unwrap_or_default(),
        );
        let depth = self.max_depth(&[left, right]);
        let span = self.span(left).cover(self.span(right));
        let kind = ExprKind::Binary {
            operator,
            operator_span: *operator_span,
            left,
            right,
        };
        self.push(kind, span, depth)
    }

    /// Parses `relation : calc | relation op relation`
    fn relation(&mut self) -> ExprId {
        if !self.enter(Rule::Relation) {
            let given_up = self.give_up();
            self.leave(Rule::Relation);
            return given_up;
        }
        let mut left = self.calc(Precedence::Sum);
        while let Some((operator, span)) =
            self.take_operator(|operator| operator.precedence() == Precedence::Relation)
        {
            let right = if self.enter(Rule::Relation) {
                self.calc(Precedence::Sum)
            } else {
                self.give_up()
            };
            self.leave(Rule::Relation);
            left = self.binary(operator, span, left, right);
        }
        self.leave(Rule::Relation);
        left
    }

    /// Parses `calc : unary | calc ('*' | '/' | '%') calc | calc ('+' | '-') calc` with operators
    /// that bind at least as tightly as `loosest`.
    fn calc(&mut self, loosest: Precedence) -> ExprId {
        if !self.enter(Rule::Calc) {
            let given_up = self.give_up();
            self.leave(Rule::Calc);
            return given_up;
        }
        let mut left = self.unary();
        while let Some((operator, span)) =
            self.take_operator(|operator| operator.precedence() >= loosest)
        {
            let right = match operator.precedence() {
                Precedence::Product => self.factor(),
                _ => self.calc(Precedence::Product),
            };
            left = self.binary(operator, span, left, right);
        }
        self.leave(Rule::Calc);
        left
    }

    /// Parses the right side of `*`, `/` or `%`: a [`Rule::Calc`] without an operator.
    fn factor(&mut self) -> ExprId {
        let factor = if self.enter(Rule::Calc) {
            self.unary()
        } else {
            self.give_up()
        };
        self.leave(Rule::Calc);
        factor
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        operator_span: Span,
        left: ExprId,
        right: ExprId,
    ) -> ExprId {
        let below = self.max_depth(&[left, right]);
        let span = self.span(left).cover(self.span(right));
        let kind = ExprKind::Binary {
            operator,
            operator_span,
            left,
            right,
        };
        self.push_counted(kind, span, below, operator_span)
    }

    /// Parses `unary : member | '!'+ member | '-'+ member`
    pub(super) fn unary(&mut self) -> ExprId {
        let operator = match self.kind() {
            TokenKind::Exclamation => UnaryOperator::Not,
            // A minus directly before a number is part of it, but of two in a row neither is.
            TokenKind::Minus if !is_number(self.peek(1).kind) => UnaryOperator::Negate,
            TokenKind::Ident if self.is_word_not() => return self.word_not(),
            _ => return self.member(),
        };
        let kind = self.kind();
        let first = self.current().span;
        let mut count = 0;
        while self.eat(kind).is_some() {
            count += 1;
        }
        let operator_span = Span::new(first.start(), self.previous_end());
        let is_signed = self.kind() == TokenKind::Minus && is_number(self.peek(1).kind);
        if matches!(self.kind(), TokenKind::Exclamation | TokenKind::Minus) && !is_signed {
            return self.mixed_unary(first);
        }
        let operand = self.member();
        let span = first.cover(self.span(operand));
        let depth = self.depth(operand);
        let kind = ExprKind::Unary {
            operator,
            count,
            operator_span,
            operand,
        };
        self.push(kind, span, depth)
    }

    /// Parses `!-a` and `-!a`, of which the grammar has neither.
    fn mixed_unary(&mut self, first: Span) -> ExprId {
        let second = if self.kind() == TokenKind::Minus {
            '-'
        } else {
            '!'
        };
        self.error(self.current().span, SyntaxErrorKind::MixedUnary { second });
        while matches!(self.kind(), TokenKind::Exclamation | TokenKind::Minus) {
            self.bump();
        }
        let operand = self.member();
        let span = first.cover(self.span(operand));
        self.error_node(&[operand], span)
    }
}

pub(super) const fn is_number(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Int | TokenKind::Double)
}
