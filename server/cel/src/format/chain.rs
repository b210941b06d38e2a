//! Chains: operators, conditions and calls that follow each other.
//!
//! The style is that of policy authors. In the public policy libraries of Kyverno and Gatekeeper,
//! `&&` and `||` end a line 515 times and begin one 7 times; `?` and `:` end lines as well.

use super::layout::Item;
use super::printer::{
    CLOSE, DEDENT, INDENT, LINE, PrintStep, Printer, SOFT, SPACE, closing, fixed, open, opening,
};
use crate::syntax::{BinaryOperator, ExprId, ExprKind, Precedence};

/// The number of calls from which a chain that does not fit on a line is broken before each call.
/// Of shorter chains only the arguments are broken, as in `items.all(c, …)`.
const LONG_CHAIN: usize = 3;

impl Printer<'_> {
    pub(super) fn binary(&mut self, id: ExprId, operator: BinaryOperator) {
        match operator.precedence() {
            Precedence::Or | Precedence::And => self.logical(id, operator),
            Precedence::Sum => self.sum(id),
            Precedence::Relation | Precedence::Product => self.relation(id),
        }
    }

    /// Prints `a && b && c`: each operand begins a line if the chain is broken.
    fn logical(&mut self, id: ExprId, operator: BinaryOperator) {
        let terms = self.terms(id, |it| it == operator);
        let is_broken = terms
            .array_windows()
            .any(|[(left, _), (right, _)]| self.is_broken_between(*left, *right));
        self.push(open(is_broken));
        for (index, (term, _)) in terms.into_iter().enumerate() {
            if index > 0 {
                self.push_all([SPACE, fixed(operator.symbol()), LINE]);
            }
            // The lines of a chain within a chain are indented further.
            let is_chain = matches!(self.ast.kind(term), ExprKind::Binary { operator, .. }
                if operator.precedence() == Precedence::And);
            if is_chain {
                self.push_all([INDENT, PrintStep::Expr(term), DEDENT]);
            } else {
                self.push(PrintStep::Expr(term));
            }
        }
        self.push(CLOSE);
    }

    /// Prints `a + b - c`: as many operands on a line as fit, since most are parts of a message.
    fn sum(&mut self, id: ExprId) {
        let terms = self.terms(id, |it| it.precedence() == Precedence::Sum);
        let mut last = id;
        self.push(open(false));
        for (index, (term, operator)) in terms.into_iter().enumerate() {
            if let Some(operator) = operator {
                if index == 1 {
                    self.push(INDENT);
                }
                let is_broken = self.is_broken_between(last, term);
                let symbol = fixed(operator.symbol());
                self.push_all([SPACE, symbol, PrintStep::Item(Item::Fill { is_broken })]);
            }
            self.push_all([open(false), PrintStep::Expr(term), CLOSE]);
            last = term;
        }
        self.push_all([DEDENT, CLOSE]);
    }

    /// Prints `a == b`.
    fn relation(&mut self, id: ExprId) {
        let ExprKind::Binary {
            operator,
            left,
            right,
            ..
        } = self.ast.kind(id)
        else {
            return;
        };
        let symbol = fixed(operator.symbol());
        let stays = self.has_brackets(*right)
            || matches!(
                self.ast.kind(*right),
                ExprKind::Call { .. } | ExprKind::Paren(_)
            );
        let is_broken = !stays && self.is_broken_between(*left, *right);
        self.push_all([open(is_broken), PrintStep::Expr(*left), SPACE, symbol]);
        if stays {
            self.push_all([SPACE, PrintStep::Expr(*right)]);
        } else {
            self.push_all([INDENT, LINE, PrintStep::Expr(*right), DEDENT]);
        }
        self.push(CLOSE);
    }

    /// Returns the operands of a chain of operators, each with the operator before it.
    fn terms(
        &self,
        id: ExprId,
        is_of_chain: impl Fn(BinaryOperator) -> bool,
    ) -> Vec<(ExprId, Option<BinaryOperator>)> {
        let mut terms = Vec::new();
        let mut open = vec![(id, None)];
        while let Some((id, before)) = open.pop() {
            match self.ast.kind(id) {
                ExprKind::Binary {
                    operator,
                    left,
                    right,
                    ..
                } if is_of_chain(*operator) => {
                    open.extend([(*right, Some(*operator)), (*left, before)]);
                }
                _ => terms.push((id, before)),
            }
        }
        terms
    }

    /// Returns whether the author breaks a line between two nodes that follow each other.
    fn is_broken_between(&self, left: ExprId, right: ExprId) -> bool {
        let (end, start) = (self.ast.span(left).end(), self.ast.span(right).start());
        self.lines.has_break(end, start)
    }

    /// Prints `a ? b : c ? d : e`: `?` and `:` end lines if it is broken.
    pub(super) fn conditional(&mut self, id: ExprId) {
        let mut arms = Vec::new();
        let mut last = id;
        while let ExprKind::Conditional {
            condition,
            then,
            otherwise,
            ..
        } = self.ast.kind(last)
        {
            arms.push((last, *condition, *then, *otherwise));
            last = *otherwise;
        }
        let is_broken = arms.iter().any(|(_, condition, then, otherwise)| {
            self.is_broken_between(*condition, *then) || self.is_broken_between(*then, *otherwise)
        });
        self.push(open(is_broken));
        for (arm, condition, then, otherwise) in arms {
            let ExprKind::Conditional {
                question, colon, ..
            } = self.ast.kind(arm)
            else {
                continue;
            };
            let (question, colon) = (PrintStep::Source(*question), PrintStep::Source(*colon));
            self.push_all([PrintStep::Expr(condition), SPACE, question, INDENT, LINE]);
            self.push_all([PrintStep::Expr(then), SPACE, colon]);
            if otherwise == last {
                self.push_all([LINE, PrintStep::Expr(last), DEDENT]);
            } else {
                self.push_all([DEDENT, LINE]);
            }
        }
        self.push(CLOSE);
    }

    /// Prints `operand.field`, `operand[index]` and `operand.function(args)`, as far as they follow
    /// each other.
    pub(super) fn links(&mut self, id: ExprId) {
        let (head, links) = self.chain_of(id);
        let calls = links.iter().filter(|link| self.is_call(**link)).count();
        let starts = self.segment_starts(&links);
        let is_broken = starts.iter().any(|link| self.is_broken_before(*link));
        let breaks = is_broken || calls >= LONG_CHAIN;
        if breaks {
            self.push_all([open(is_broken), PrintStep::Expr(head), INDENT]);
        } else {
            self.push(PrintStep::Expr(head));
        }
        let mut starts = starts.into_iter().peekable();
        for link in links {
            if starts.next_if_eq(&link).is_some() && breaks {
                self.push(SOFT);
            }
            self.link(link);
        }
        if breaks {
            self.push_all([DEDENT, CLOSE]);
        }
    }

    /// Returns the operand at the beginning of a chain, and the rest of it in order.
    fn chain_of(&self, id: ExprId) -> (ExprId, Vec<ExprId>) {
        let mut links = Vec::new();
        let mut head = id;
        while let ExprKind::Select { operand, .. }
        | ExprKind::Index { operand, .. }
        | ExprKind::Call {
            target: Some(operand),
            ..
        } = self.ast.kind(head)
        {
            links.push(head);
            head = *operand;
        }
        links.reverse();
        (head, links)
    }

    fn is_call(&self, id: ExprId) -> bool {
        matches!(self.ast.kind(id), ExprKind::Call { .. })
    }

    /// Returns the links that begin a line if the chain is broken: the first call, and after each
    /// call the next link, unless no call follows it. The fields before the first call stay on
    /// the line of the operand.
    fn segment_starts(&self, links: &[ExprId]) -> Vec<ExprId> {
        let last = links.iter().rposition(|link| self.is_call(*link));
        let mut is_start = false;
        let mut has_call = false;
        let mut starts = Vec::new();
        for link in links.iter().take(last.map_or(0, |last| last + 1)) {
            let is_call = self.is_call(*link);
            // An index never begins a line.
            let can_start = !matches!(self.ast.kind(*link), ExprKind::Index { .. });
            if can_start && if has_call { is_start } else { is_call } {
                starts.push(*link);
                is_start = false;
            }
            has_call |= is_call;
            is_start |= is_call;
        }
        starts
    }

    /// Returns whether the author breaks a line before a link.
    fn is_broken_before(&self, link: ExprId) -> bool {
        match self.ast.kind(link) {
            ExprKind::Select { operand, field, .. } => self
                .lines
                .has_break(self.ast.span(*operand).end(), field.span.start()),
            ExprKind::Call {
                target: Some(target),
                function,
                ..
            } => self
                .lines
                .has_break(self.ast.span(*target).end(), function.span.start()),
            _ => false,
        }
    }

    /// Prints a link without its operand.
    fn link(&mut self, id: ExprId) {
        match self.ast.kind(id) {
            ExprKind::Select {
                operator,
                optional,
                field,
                ..
            } => self.push_all([
                PrintStep::Comments(operator.start()),
                fixed(if *optional { ".?" } else { "." }),
                PrintStep::Source(field.span),
            ]),
            ExprKind::Index {
                brackets,
                optional,
                index,
                ..
            } => self.push_all([
                PrintStep::Comments(brackets.start()),
                fixed(if *optional { "[?" } else { "[" }),
                PrintStep::Expr(*index),
                closing(*brackets),
            ]),
            ExprKind::Call { function, .. } => {
                self.push_all([
                    PrintStep::Comments(function.span.start()),
                    fixed("."),
                    PrintStep::Source(function.span),
                ]);
                self.args(id);
            }
            _ => {}
        }
    }

    /// Prints the arguments of a call. The variables of a macro stay on its line.
    pub(super) fn args(&mut self, id: ExprId) {
        let ExprKind::Call { args, parens, .. } = self.ast.kind(id) else {
            return;
        };
        if let [only] = &**args
            && self.has_brackets(*only)
        {
            self.push_all([opening(*parens), PrintStep::Expr(*only), closing(*parens)]);
            return;
        }
        if args.is_empty() {
            self.push_all([opening(*parens), closing(*parens)]);
            return;
        }
        let variables = (self.ast.macro_call(id)).map_or(0, |call| call.variables.len());
        let (variables, body) = args.split_at_checked(variables).unwrap_or((&[], args));
        let before = match variables.last() {
            Some(variable) => self.ast.span(*variable).end(),
            None => parens.start() + 1,
        };
        let first = body.first().map_or(before, |id| self.ast.span(*id).start());
        let is_broken = self.lines.has_break(before, first);
        self.push_all([opening(*parens), open(is_broken), INDENT]);
        for variable in variables {
            self.push_all([PrintStep::Expr(*variable), fixed(",")]);
            if Some(variable) != variables.last() {
                self.push(SPACE);
            }
        }
        self.push(if variables.is_empty() { SOFT } else { LINE });
        self.separated(body.iter().map(|arg| [PrintStep::Expr(*arg)]));
        self.close_lines(*parens);
    }
}
