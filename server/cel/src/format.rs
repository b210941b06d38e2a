//! Printing.
//!
//! An expression is printed in one form, however it was written: on one line if it fits,
//! else broken where a person would break it. Nothing but white space and trailing commas
//! changes: constants keep their spelling, parentheses stay, and comments stay where they
//! are, since they are the only part of a policy that says why.

mod layout;

use crate::syntax::{
    Ast, BinaryOperator, Element, Entry, ExprId, ExprKind, Field, Literal, MAX_CODE_POINTS, Name,
    Parse, Precedence, UnaryOperator, tokens,
};
use layout::{Item, lay_out};
use text::Span;

/// The width of a line, in characters, that [`format`] keeps to where it can.
pub const LINE_WIDTH: usize = 80;

/// Returns the expression in its normal form, without a line break at the end. `None` if there
/// is an error in it. The result parses to the same tree, and its own normal form is itself.
///
/// Spaces count too for the API server: where they would make the expression longer than it
/// reads, lines are not broken, and if that does not help the answer is `None`.
#[must_use]
pub fn format(parse: &Parse) -> Option<String> {
    format_to_width(parse, LINE_WIDTH)
}

/// As [`format`], for lines of `width` characters. With `usize::MAX` an expression without
/// comments is one line.
#[must_use]
pub fn format_to_width(parse: &Parse, width: usize) -> Option<String> {
    if !parse.is_ok() {
        return None;
    }
    let mut printer = Printer {
        ast: &parse.ast,
        comments: &parse.comments,
        items: Vec::with_capacity(parse.ast.len() * 3),
        steps: vec![PrintStep::Expr(parse.ast.root())],
    };
    printer.run();
    let fits =
        |text: &String| text.len() <= MAX_CODE_POINTS || text.chars().count() <= MAX_CODE_POINTS;
    let broken = Some(lay_out(&printer.items, width)).filter(fits);
    broken.or_else(|| Some(lay_out(&printer.items, usize::MAX)).filter(fits))
}

/// The next part to print. Each is expanded into others until only items are left; with a stack
/// of its own the printer does not recurse.
#[derive(Clone, Copy)]
enum PrintStep<'a> {
    Expr(ExprId),
    /// Bytes of the text, after the comments that stand before them.
    Source(Span),
    /// The comments before an offset.
    Comments(u32),
    Item(Item<'a>),
}

struct Printer<'a> {
    ast: &'a Ast,
    /// Those that are still to be printed.
    comments: &'a [Span],
    items: Vec<Item<'a>>,
    /// The last one is next.
    steps: Vec<PrintStep<'a>>,
}

const fn fixed(text: &'static str) -> PrintStep<'static> {
    PrintStep::Item(Item::Text(text))
}

const OPEN: PrintStep<'static> = PrintStep::Item(Item::Open);
const CLOSE: PrintStep<'static> = PrintStep::Item(Item::Close);
const INDENT: PrintStep<'static> = PrintStep::Item(Item::Indent);
const DEDENT: PrintStep<'static> = PrintStep::Item(Item::Dedent);
const SPACE: PrintStep<'static> = PrintStep::Item(Item::Space);
const LINE: PrintStep<'static> = PrintStep::Item(Item::Line);
const SOFT: PrintStep<'static> = PrintStep::Item(Item::SoftLine);
const COMMA: [PrintStep<'static>; 2] = [fixed(","), LINE];

impl<'a> Printer<'a> {
    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            match step {
                PrintStep::Item(item) => self.items.push(item),
                PrintStep::Comments(offset) => self.flush_comments(offset),
                PrintStep::Source(span) => {
                    self.flush_comments(span.start());
                    self.items.push(Item::Text(self.ast.slice(span)));
                }
                PrintStep::Expr(id) => {
                    let first = self.steps.len();
                    self.expr(id);
                    if let Some(added) = self.steps.get_mut(first..) {
                        added.reverse();
                    }
                }
            }
        }
        self.flush_comments(u32::MAX);
    }

    fn flush_comments(&mut self, offset: u32) {
        while let Some((comment, rest)) = self.comments.split_first() {
            if comment.start() >= offset {
                return;
            }
            self.comments = rest;
            let before = Span::new(0, comment.start());
            let line = self.ast.slice(before).rsplit('\n').next().unwrap_or("");
            self.items.push(Item::Comment {
                text: self.ast.slice(*comment).trim_end(),
                has_own_line: line.trim().is_empty(),
            });
        }
    }

    fn push(&mut self, step: PrintStep<'a>) {
        self.steps.push(step);
    }

    fn push_all<const N: usize>(&mut self, steps: [PrintStep<'a>; N]) {
        self.steps.extend(steps);
    }

    /// Expands a node, in source order.
    fn expr(&mut self, id: ExprId) {
        let span = self.ast.span(id);
        match self.ast.kind(id) {
            ExprKind::Error(_) => self.push(PrintStep::Source(span)),
            ExprKind::Literal(literal) => self.literal(literal, span),
            ExprKind::Ident { name, leading_dot } => self.ident(*name, *leading_dot, span.start()),
            ExprKind::Select { .. } | ExprKind::Index { .. } => self.access(id),
            ExprKind::Call { .. } => self.call(id),
            ExprKind::Unary {
                operator,
                count,
                operator_span,
                operand,
            } => self.unary(*operator, *count, *operator_span, *operand),
            ExprKind::Binary { operator, .. } => self.binary(id, *operator),
            ExprKind::Conditional { .. } => self.conditional(id),
            ExprKind::List { elements } => self.list(elements, span),
            ExprKind::Map { entries } => self.map(entries, span),
            ExprKind::Struct {
                type_name,
                leading_dot,
                braces,
                fields,
            } => {
                self.type_name(type_name, *leading_dot, span.start());
                self.fields(fields, *braces);
            }
            ExprKind::Paren(inner) => {
                let inner = [PrintStep::Expr(*inner)];
                self.bracketed(span, inner.into_iter());
            }
        }
    }

    /// `operand.field` and `operand[index]`
    fn access(&mut self, id: ExprId) {
        match self.ast.kind(id) {
            ExprKind::Select {
                operand,
                operator,
                optional,
                field,
            } => self.push_all([
                PrintStep::Expr(*operand),
                PrintStep::Comments(operator.start()),
                fixed(if *optional { ".?" } else { "." }),
                PrintStep::Source(field.span),
            ]),
            ExprKind::Index {
                operand,
                brackets,
                optional,
                index,
            } => self.push_all([
                PrintStep::Expr(*operand),
                PrintStep::Comments(brackets.start()),
                fixed(if *optional { "[?" } else { "[" }),
                PrintStep::Expr(*index),
                closing(*brackets),
            ]),
            _ => {}
        }
    }

    fn literal(&mut self, literal: &Literal, span: Span) {
        let is_number = matches!(literal, Literal::Int(_) | Literal::Double(_));
        if is_number && self.ast.slice(span).starts_with('-') {
            let digits = tokens(self.ast.slice(span)).last();
            let len = digits.map_or(0, |token| token.span.len());
            self.push(PrintStep::Source(Span::new(span.start(), span.start() + 1)));
            self.push(PrintStep::Source(Span::new(span.end() - len, span.end())));
            return;
        }
        self.push(PrintStep::Source(span));
    }

    fn ident(&mut self, name: Name, leading_dot: bool, start: u32) {
        if leading_dot {
            self.push(PrintStep::Source(Span::new(start, start + 1)));
        }
        self.push(PrintStep::Source(name.span));
    }

    fn call(&mut self, id: ExprId) {
        let ExprKind::Call {
            target,
            leading_dot,
            function,
            args,
            parens,
        } = self.ast.kind(id)
        else {
            return;
        };
        match target {
            Some(target) => self.push_all([
                PrintStep::Expr(*target),
                PrintStep::Comments(function.span.start()),
                fixed("."),
                PrintStep::Source(function.span),
            ]),
            None => self.ident(*function, *leading_dot, self.ast.span(id).start()),
        }
        let variables = self
            .ast
            .macro_call(id)
            .map_or(0, |call| call.variables.len());
        self.args(args, variables, *parens);
    }

    /// The arguments of a call. The variables of a macro stay on its line.
    fn args(&mut self, args: &[ExprId], variables: usize, parens: Span) {
        if let [only] = args
            && self.has_brackets(*only)
        {
            self.push_all([opening(parens), PrintStep::Expr(*only), closing(parens)]);
            return;
        }
        if args.is_empty() {
            self.push_all([opening(parens), closing(parens)]);
            return;
        }
        let (variables, body) = args.split_at_checked(variables).unwrap_or((&[], args));
        self.push_all([opening(parens), OPEN, INDENT]);
        for variable in variables {
            self.push_all([PrintStep::Expr(*variable), fixed(",")]);
            if Some(variable) != variables.last() {
                self.push(SPACE);
            }
        }
        self.push(if variables.is_empty() { SOFT } else { LINE });
        self.separated(body.iter().map(|arg| [PrintStep::Expr(*arg)]));
        self.close_lines(parens);
    }

    /// Returns whether an expression brings brackets of its own that can be broken.
    fn has_brackets(&self, id: ExprId) -> bool {
        match self.ast.kind(id) {
            ExprKind::List { elements } => !elements.is_empty(),
            ExprKind::Map { entries } => !entries.is_empty(),
            ExprKind::Struct { fields, .. } => !fields.is_empty(),
            _ => false,
        }
    }

    fn unary(&mut self, operator: UnaryOperator, count: u32, written: Span, operand: ExprId) {
        self.push(PrintStep::Comments(written.start()));
        for _ in 0..count {
            self.push(fixed(operator.symbol()));
        }
        self.push(PrintStep::Expr(operand));
    }

    fn binary(&mut self, id: ExprId, operator: BinaryOperator) {
        let symbol = operator.symbol();
        if operator.precedence() <= Precedence::And {
            self.push(OPEN);
            for (index, term) in self.terms(id, operator).into_iter().enumerate() {
                if index > 0 {
                    self.push_all([SPACE, fixed(symbol), LINE]);
                }
                // The lines of a chain within a chain stand further right.
                let is_chain = matches!(self.ast.kind(term), ExprKind::Binary { operator, .. }
                    if operator.precedence() == Precedence::And);
                if is_chain {
                    self.push_all([INDENT, PrintStep::Expr(term), DEDENT]);
                } else {
                    self.push(PrintStep::Expr(term));
                }
            }
            self.push(CLOSE);
            return;
        }
        let ExprKind::Binary { left, right, .. } = self.ast.kind(id) else {
            return;
        };
        let stays = self.has_brackets(*right)
            || matches!(
                self.ast.kind(*right),
                ExprKind::Call { .. } | ExprKind::Paren(_)
            );
        self.push_all([OPEN, PrintStep::Expr(*left), SPACE, fixed(symbol)]);
        if stays {
            self.push_all([SPACE, PrintStep::Expr(*right)]);
        } else {
            self.push_all([INDENT, LINE, PrintStep::Expr(*right), DEDENT]);
        }
        self.push(CLOSE);
    }

    /// Returns the terms of a chain of `&&` or `||`.
    fn terms(&self, id: ExprId, chain: BinaryOperator) -> Vec<ExprId> {
        let mut terms = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match self.ast.kind(id) {
                ExprKind::Binary {
                    operator,
                    left,
                    right,
                    ..
                } if *operator == chain => open.extend([*right, *left]),
                _ => terms.push(id),
            }
        }
        terms
    }

    /// `a ? b : c ? d : e`, with each `?` and `:` on a line of its own where it is broken.
    fn conditional(&mut self, id: ExprId) {
        self.push(OPEN);
        let mut last = id;
        while let ExprKind::Conditional {
            condition,
            question,
            then,
            colon,
            otherwise,
        } = self.ast.kind(last)
        {
            self.push_all([
                PrintStep::Expr(*condition),
                INDENT,
                LINE,
                PrintStep::Source(*question),
            ]);
            self.push_all([
                SPACE,
                PrintStep::Expr(*then),
                LINE,
                PrintStep::Source(*colon),
                SPACE,
                DEDENT,
            ]);
            last = *otherwise;
        }
        self.push_all([PrintStep::Expr(last), CLOSE]);
    }

    fn list(&mut self, elements: &[Element], brackets: Span) {
        let items = elements
            .iter()
            .map(|element| [mark(element.optional), PrintStep::Expr(element.value)]);
        self.bracketed_list(brackets, items);
    }

    fn map(&mut self, entries: &[Entry], braces: Span) {
        let items = entries.iter().map(|entry| {
            let (key, value) = (PrintStep::Expr(entry.key), PrintStep::Expr(entry.value));
            [mark(entry.optional), key, fixed(":"), SPACE, value]
        });
        self.bracketed_list(braces, items);
    }

    fn type_name(&mut self, names: &[Name], leading_dot: bool, start: u32) {
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.push(fixed("."));
            }
            self.ident(*name, leading_dot && index == 0, start);
        }
    }

    fn fields(&mut self, fields: &[Field], braces: Span) {
        let items = fields.iter().map(|field| {
            let (name, value) = (
                PrintStep::Source(field.name.span),
                PrintStep::Expr(field.value),
            );
            [mark(field.optional), name, fixed(":"), SPACE, value]
        });
        self.bracketed_list(braces, items);
    }

    fn bracketed_list<const N: usize>(
        &mut self,
        brackets: Span,
        items: impl ExactSizeIterator<Item = [PrintStep<'a>; N]>,
    ) {
        if items.len() == 0 {
            self.push_all([opening(brackets), closing(brackets)]);
            return;
        }
        self.push_all([opening(brackets), OPEN, INDENT, SOFT]);
        self.separated(items);
        self.close_lines(brackets);
    }

    fn bracketed(&mut self, brackets: Span, inner: impl Iterator<Item = PrintStep<'a>>) {
        self.push_all([opening(brackets), OPEN, INDENT, SOFT]);
        self.steps.extend(inner);
        self.close_lines(brackets);
    }

    /// The end of what stands on lines of its own between brackets.
    fn close_lines(&mut self, brackets: Span) {
        let comments = PrintStep::Comments(brackets.end().saturating_sub(1));
        self.push_all([comments, DEDENT, SOFT, CLOSE, closing(brackets)]);
    }

    fn separated<const N: usize>(&mut self, items: impl Iterator<Item = [PrintStep<'a>; N]>) {
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.push_all(COMMA);
            }
            self.push_all(item);
        }
    }
}

/// Returns the `?` of an optional element, entry or field.
const fn mark(optional: bool) -> PrintStep<'static> {
    fixed(if optional { "?" } else { "" })
}

const fn opening(brackets: Span) -> PrintStep<'static> {
    PrintStep::Source(Span::new(brackets.start(), brackets.start() + 1))
}

const fn closing(brackets: Span) -> PrintStep<'static> {
    PrintStep::Source(Span::new(brackets.end() - 1, brackets.end()))
}

#[cfg(test)]
mod tests;
