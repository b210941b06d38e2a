//! The parts of the output, in order.
//!
//! The tree is expanded into strings, spaces and possible line breaks. The layout decides where to
//! break lines.

use super::Lines;
use super::layout::Item;
use crate::syntax::{
    Ast, Element, Entry, ExprId, ExprKind, Field, Literal, Name, Parse, UnaryOperator, tokens,
};
use text::Span;

/// Returns the parts of an expression.
pub(super) fn print<'a>(parse: &'a Parse, lines: &'a Lines) -> Vec<Item<'a>> {
    let mut printer = Printer {
        ast: &parse.ast,
        lines,
        comments: &parse.comments,
        blanks: &lines.blanks,
        items: Vec::with_capacity(parse.ast.len() * 3),
        steps: vec![PrintStep::Expr(parse.ast.root())],
    };
    printer.run();
    printer.items
}

/// The next part to print. Each is expanded into others until only items are left; the explicit
/// stack avoids recursion.
#[derive(Clone, Copy)]
pub(super) enum PrintStep<'a> {
    Expr(ExprId),
    /// Bytes of the text, after the comments before them.
    Source(Span),
    /// The comments before an offset.
    Comments(u32),
    Item(Item<'a>),
}

pub(super) struct Printer<'a> {
    pub(super) ast: &'a Ast,
    pub(super) lines: &'a Lines,
    /// The comments that are still to be printed.
    comments: &'a [Span],
    /// The ends of the empty lines that are still to be printed.
    blanks: &'a [u32],
    items: Vec<Item<'a>>,
    /// The last one is next.
    steps: Vec<PrintStep<'a>>,
}

pub(super) const fn fixed(text: &'static str) -> PrintStep<'static> {
    PrintStep::Item(Item::Text(text))
}

/// Returns the beginning of a group, which the author may have broken.
pub(super) const fn open(is_broken: bool) -> PrintStep<'static> {
    PrintStep::Item(Item::Open { is_broken })
}

pub(super) const CLOSE: PrintStep<'static> = PrintStep::Item(Item::Close);
pub(super) const INDENT: PrintStep<'static> = PrintStep::Item(Item::Indent);
pub(super) const DEDENT: PrintStep<'static> = PrintStep::Item(Item::Dedent);
pub(super) const SPACE: PrintStep<'static> = PrintStep::Item(Item::Space);
pub(super) const LINE: PrintStep<'static> = PrintStep::Item(Item::Line);
pub(super) const SOFT: PrintStep<'static> = PrintStep::Item(Item::SoftLine);
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
                break;
            }
            self.comments = rest;
            self.flush_blanks(comment.start());
            let before = Span::new(0, comment.start());
            let line = self.ast.slice(before).rsplit('\n').next().unwrap_or("");
            self.items.push(Item::Comment {
                text: self.ast.slice(*comment).trim_end(),
                has_own_line: line.trim().is_empty(),
            });
        }
        self.flush_blanks(offset);
    }

    fn flush_blanks(&mut self, offset: u32) {
        let passed = self.blanks.partition_point(|end| *end <= offset);
        if passed > 0 {
            self.blanks = self.blanks.get(passed..).unwrap_or_default();
            self.items.push(Item::Blank);
        }
    }

    pub(super) fn push(&mut self, step: PrintStep<'a>) {
        self.steps.push(step);
    }

    pub(super) fn push_all<const N: usize>(&mut self, steps: [PrintStep<'a>; N]) {
        self.steps.extend(steps);
    }

    /// Expands a node, in source order.
    fn expr(&mut self, id: ExprId) {
        let span = self.ast.span(id);
        // A comment before a part does not break the part.
        self.push(PrintStep::Comments(span.start()));
        match self.ast.kind(id) {
            ExprKind::Error(_) => self.push(PrintStep::Source(span)),
            ExprKind::Literal(literal) => self.literal(literal, span),
            ExprKind::Ident { name, leading_dot } => self.ident(*name, *leading_dot, span.start()),
            ExprKind::Call { target: None, .. } => self.global_call(id),
            ExprKind::Select { .. } | ExprKind::Index { .. } | ExprKind::Call { .. } => {
                self.links(id);
            }
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

    /// Returns whether an expression has brackets that can be broken.
    pub(super) fn has_brackets(&self, id: ExprId) -> bool {
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

    fn global_call(&mut self, id: ExprId) {
        let ExprKind::Call {
            leading_dot,
            function,
            ..
        } = self.ast.kind(id)
        else {
            return;
        };
        self.ident(*function, *leading_dot, self.ast.span(id).start());
        self.args(id);
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
        self.open_lines(brackets);
        self.separated(items);
        self.close_lines(brackets);
    }

    fn bracketed(&mut self, brackets: Span, inner: impl Iterator<Item = PrintStep<'a>>) {
        self.open_lines(brackets);
        self.steps.extend(inner);
        self.close_lines(brackets);
    }

    /// Begins lines between brackets. They are broken if the author breaks the line after the
    /// opening bracket.
    fn open_lines(&mut self, brackets: Span) {
        let start = brackets.start() + 1;
        let blank = self.lines.has_break(start, start + 1);
        self.push_all([opening(brackets), open(blank), INDENT, SOFT]);
    }

    /// Ends lines between brackets.
    pub(super) fn close_lines(&mut self, brackets: Span) {
        let comments = PrintStep::Comments(brackets.end().saturating_sub(1));
        self.push_all([comments, DEDENT, SOFT, CLOSE, closing(brackets)]);
    }

    pub(super) fn separated<const N: usize>(
        &mut self,
        items: impl Iterator<Item = [PrintStep<'a>; N]>,
    ) {
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

pub(super) const fn opening(brackets: Span) -> PrintStep<'static> {
    PrintStep::Source(Span::new(brackets.start(), brackets.start() + 1))
}

pub(super) const fn closing(brackets: Span) -> PrintStep<'static> {
    PrintStep::Source(Span::new(brackets.end() - 1, brackets.end()))
}
