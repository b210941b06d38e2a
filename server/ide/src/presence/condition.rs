//! The facts that follow from a condition that is true or false.
//!
//! These are the facts without which the condition would have another value: if
//! `has(object.spec.x)` is true, `object.spec.x` is present. A successful evaluation of the
//! condition implies more facts, and [`FactSet::closed`] adds them for later expressions.

use super::analysis::{Analysis, Scope};
use super::fact_set::{Fact, FactSet};
use super::term::{Constant, Term, TermId};
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Literal, MacroCall, MacroKind};
use std::sync::Arc;

/// Limit: the elements of a constant list for which a condition is analyzed separately.
const MAX_ELEMENTS: usize = 16;

impl<'d> Analysis<'d> {
    /// Returns the facts that follow if a node has this value.
    pub(super) fn assume(&mut self, scope: &Scope<'d>, id: ExprId, truth: bool) -> FactSet {
        self.deeper(|this| this.assumed(scope, id, truth))
            .unwrap_or_default()
    }

    fn assumed(&mut self, scope: &Scope<'d>, id: ExprId, truth: bool) -> FactSet {
        let ast = scope.ast();
        match ast.kind(id) {
            ExprKind::Paren(inner) => self.assume(scope, *inner, truth),
            ExprKind::Literal(Literal::Bool(value)) => {
                if *value == truth {
                    FactSet::default()
                } else {
                    FactSet::impossible()
                }
            }
            ExprKind::Unary { count, operand, .. } => {
                self.assume(scope, *operand, truth ^ (count % 2 == 1))
            }
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => self.binary(scope, *operator, (*left, *right), truth),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => {
                let condition = (*condition, true);
                let yes = self.both(scope, condition, (*then, truth));
                let no = self.both(scope, (condition.0, false), (*otherwise, truth));
                yes.or(no, &self.terms)
            }
            ExprKind::Select { .. } | ExprKind::Index { .. } | ExprKind::Ident { .. } => {
                self.flag(scope, id, truth)
            }
            ExprKind::Call { .. } => self.assume_call(scope, id, truth),
            _ => FactSet::default(),
        }
    }

    /// Returns the facts that follow if both nodes have their value, evaluated in this order.
    fn both(
        &mut self,
        scope: &Scope<'d>,
        first: (ExprId, bool),
        second: (ExprId, bool),
    ) -> FactSet {
        let one = self.assume(scope, first.0, first.1);
        if one.is_impossible() {
            return one;
        }
        let other = self.assume(scope, second.0, second.1);
        one.and(&other).resolved(&self.terms)
    }

    fn binary(
        &mut self,
        scope: &Scope<'d>,
        operator: BinaryOperator,
        (left, right): (ExprId, ExprId),
        truth: bool,
    ) -> FactSet {
        match operator {
            BinaryOperator::And | BinaryOperator::Or => {
                // The value that both sides, or at least one side, must have.
                let all = operator == BinaryOperator::And;
                if truth == all {
                    return self.both(scope, (left, truth), (right, truth));
                }
                let one = self.assume(scope, left, truth);
                let other = self.both(scope, (left, !truth), (right, truth));
                one.or(other, &self.terms)
            }
            BinaryOperator::Equals => self.equality(scope, left, right, truth),
            BinaryOperator::NotEquals => self.equality(scope, left, right, !truth),
            BinaryOperator::In => self.membership(scope, left, right, truth),
            BinaryOperator::Less
            | BinaryOperator::LessEquals
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEquals => self.compared(scope, operator, (left, right), truth),
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo => FactSet::default(),
        }
    }

    /// Returns the facts that follow from the value of a boolean.
    fn flag(&mut self, scope: &Scope<'d>, id: ExprId, truth: bool) -> FactSet {
        if let Some(variable) = self.variable(scope, id) {
            let key = (variable.index, truth);
            if let Some(facts) = self.variable_facts.get(&key) {
                return facts.clone();
            }
            let root = variable.ast().root();
            let facts = self.assume(&variable, root, truth);
            self.variable_facts.insert(key, facts.clone());
            return facts;
        }
        let term = self.term(scope, id);
        let value = self.terms.constant(Constant::Bool(truth));
        FactSet::from_fact(Fact::OneOf(term, vec![value]))
    }

    fn equality(&mut self, scope: &Scope<'d>, left: ExprId, right: ExprId, equal: bool) -> FactSet {
        let ast = scope.ast();
        for (one, other) in [(left, right), (right, left)] {
            if let ExprKind::Literal(Literal::Bool(value)) = ast.kind(ast.unparenthesized(one)) {
                return self.assume(scope, other, *value == equal);
            }
            if self.is_call(scope, one, "none") {
                return self.tested(scope, other, !equal);
            }
            if equal && self.is_call(scope, one, "of") {
                return self.tested(scope, other, true);
            }
        }
        if self.is_test(scope, left) && self.is_test(scope, right) {
            let yes = self.both(scope, (left, true), (right, equal));
            let no = self.both(scope, (left, false), (right, !equal));
            return yes.or(no, &self.terms);
        }
        let (one, other) = (self.term(scope, left), self.term(scope, right));
        for (one, other) in [(one, other), (other, one)] {
            if let Some(constant) = self.terms.as_constant(other).cloned() {
                let facts = self.equals_constant(one, (other, &constant), equal);
                let operator = BinaryOperator::Equals;
                return facts.and(&self.compared(scope, operator, (left, right), equal));
            }
        }
        match (self.typed(one), self.typed(other)) {
            (Some(of), _) | (None, Some(of)) => {
                FactSet::from_fact(Fact::Type(of, Arc::from("type")))
            }
            (None, None) => {
                FactSet::from_fact(Fact::Vague(one)).and(&FactSet::from_fact(Fact::Vague(other)))
            }
        }
    }

    /// Returns the argument of `type(x)`.
    fn typed(&self, term: TermId) -> Option<TermId> {
        match self.terms.get(term) {
            Term::Call(name, args) if &**name == "type" => args.first().copied(),
            _ => None,
        }
    }

    fn equals_constant(
        &mut self,
        term: TermId,
        (value, constant): (TermId, &Constant),
        equal: bool,
    ) -> FactSet {
        if let Term::Call(name, args) = self.terms.get(term)
            && let ("orValue", [inner, default]) = (&**name, &**args)
        {
            let (inner, is_default) = (*inner, *default == value);
            let is_known = self.terms.as_constant(*default).is_some();
            let mut facts = FactSet::default();
            if is_known && equal != is_default {
                facts = self.all_present(inner);
            }
            if equal && !is_default {
                facts.add(Fact::OneOf(inner, vec![value]));
            }
            return facts;
        }
        FactSet::from_fact(match (constant, equal) {
            (Constant::Null, true) => Fact::Null(term),
            (Constant::Null, false) => Fact::NotNull(term),
            (_, true) => Fact::OneOf(term, vec![value]),
            (_, false) => Fact::NoneOf(term, vec![value]),
        })
    }

    fn membership(
        &mut self,
        scope: &Scope<'d>,
        left: ExprId,
        right: ExprId,
        truth: bool,
    ) -> FactSet {
        let value = self.term(scope, left);
        let range = self.term(scope, right);
        if let Some(values) = self.constants(range) {
            let facts = self.listed(scope, left, &values, truth);
            return facts.and(&FactSet::from_fact(if truth {
                Fact::OneOf(value, values)
            } else {
                Fact::NoneOf(value, values)
            }));
        }
        let entry = self.terms.index(range, value);
        let mut facts = FactSet::from_fact(Fact::Vague(value));
        if truth {
            facts.add(Fact::Present(entry));
        } else {
            facts.add(Fact::Absent(entry));
        }
        if truth && self.is_or_empty(scope, right) {
            facts = facts.and(&self.all_present(range));
        }
        facts
    }

    /// Returns the elements of a list of constants.
    fn constants(&self, term: TermId) -> Option<Vec<TermId>> {
        let Term::Call(name, elements) = self.terms.get(term) else {
            return None;
        };
        let is_constant = |term: &TermId| self.terms.as_constant(*term).is_some();
        (&**name == "[]" && elements.iter().all(is_constant)).then(|| elements.to_vec())
    }

    /// Returns the facts that every part of a path is present.
    pub(super) fn all_present(&self, term: TermId) -> FactSet {
        FactSet::from_fact(Fact::Present(term)).closed(&self.terms)
    }

    fn is_call(&self, scope: &Scope<'d>, id: ExprId, wanted: &str) -> bool {
        let ast = scope.ast();
        match ast.kind(ast.unparenthesized(id)) {
            ExprKind::Call { function, .. } => ast.name(*function) == wanted,
            _ => false,
        }
    }

    /// Returns whether a node tests for presence.
    fn is_test(&self, scope: &Scope<'d>, id: ExprId) -> bool {
        let ast = scope.ast();
        match ast.kind(ast.unparenthesized(id)) {
            ExprKind::Unary { operand, .. } => self.is_test(scope, *operand),
            ExprKind::Binary { operator, .. } => *operator == BinaryOperator::In,
            ExprKind::Select { .. } => self.variable(scope, id).is_some(),
            _ => self.is_call(scope, id, "has") || self.is_call(scope, id, "hasValue"),
        }
    }

    fn assume_call(&mut self, scope: &Scope<'d>, id: ExprId, truth: bool) -> FactSet {
        let ast = scope.ast();
        if let Some(call) = ast.macro_call(id) {
            return self.assume_macro(scope, call, truth);
        }
        let ExprKind::Call {
            target,
            function,
            args,
            ..
        } = ast.kind(id)
        else {
            return FactSet::default();
        };
        let term = self.term(scope, id);
        match (ast.name(*function), target) {
            ("hasValue", Some(target)) => self.tested(scope, *target, truth),
            ("orValue", Some(_)) => {
                let value = Constant::Bool(truth);
                let constant = self.terms.constant(value.clone());
                let facts = self.equals_constant(term, (constant, &value), true);
                facts.and(&self.decided(scope, id, truth))
            }
            ("dyn", None) => args
                .first()
                .map_or_else(FactSet::default, |inner| self.assume(scope, *inner, truth)),
            _ => {
                let mut facts = match (target, &**args) {
                    (Some(target), [argument]) => {
                        self.searched(scope, (*target, ast.name(*function), *argument), truth)
                    }
                    _ => FactSet::default(),
                };
                for part in target.iter().chain(args) {
                    let part = self.term(scope, *part);
                    facts.add(Fact::Vague(part));
                }
                facts
            }
        }
    }

    fn assume_macro(&mut self, scope: &Scope<'d>, call: MacroCall<'d>, truth: bool) -> FactSet {
        if let (MacroKind::Has, [body]) = (call.kind, call.body) {
            let term = self.term(scope, *body);
            if !truth {
                return FactSet::from_fact(Fact::Absent(term));
            }
            let mut facts = FactSet::from_fact(Fact::Present(term));
            // Null has no fields, and the selection of one does not fail.
            if let Some(parent) = self.terms.parent(term) {
                facts.add(Fact::NotNull(parent));
            }
            return facts;
        }
        let (Some(target), [body]) = (call.target, call.body) else {
            return FactSet::default();
        };
        let of_all = match (call.kind, truth) {
            (MacroKind::All, true) | (MacroKind::Exists, false) => true,
            (MacroKind::Exists | MacroKind::ExistsOne, true) => false,
            _ => return FactSet::default(),
        };
        let range = self.term(scope, target);
        if let ([variable], Some(elements)) = (call.variables, self.constants(range)) {
            let name = scope.ast().macro_variable(*variable);
            let Some(name) = name.map(|name| scope.ast().name(name)) else {
                return FactSet::default();
            };
            return self.one_by_one(scope, (name, *body), (&elements, of_all), truth);
        }
        let iteration = self.iteration(scope, target);
        let inner = self.bound(scope, call, &iteration);
        let facts = self.assume(&inner, *body, truth);
        if of_all {
            return self.of_each(&iteration, &facts);
        }
        let mut facts = self.of_some(&iteration, facts.and(&iteration.facts));
        if self.is_or_empty(scope, target) {
            facts = facts.and(&self.all_present(range));
        }
        facts
    }

    /// Returns the facts from a condition on each element of a list of constants.
    fn one_by_one(
        &mut self,
        scope: &Scope<'d>,
        (name, body): (&'d str, ExprId),
        (elements, of_all): (&[TermId], bool),
        truth: bool,
    ) -> FactSet {
        if elements.len() > MAX_ELEMENTS {
            return FactSet::default();
        }
        let start = if of_all {
            FactSet::default()
        } else {
            FactSet::impossible()
        };
        elements.iter().fold(start, |facts, element| {
            let inner = scope.with([(name, *element)]);
            let of_element = self.assume(&inner, body, truth);
            if of_all {
                facts.and(&of_element)
            } else {
                facts.or(of_element, &self.terms)
            }
        })
    }
}
