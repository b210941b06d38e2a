//! Loops.
//!
//! Upstream: cel-go, checker/checker.go, `checkComprehension`.

use super::CheckErrorKind;
use super::walk::{CheckStep, Checker};
use crate::expand::{Comprehension, NodeId, NodeKind};
use crate::syntax::MacroKind;
use crate::types::Type;

impl<'a> Checker<'a> {
    fn comprehension(&self, node: NodeId) -> Option<&'a Comprehension> {
        match self.expansion.kind(node) {
            NodeKind::Comprehension(it) => Some(it),
            _ => None,
        }
    }

    /// Declares the variables, once the range and the initial value are checked.
    pub(super) fn range(&mut self, node: NodeId) {
        let Some(it) = self.comprehension(node) else {
            return;
        };
        let range = self.resolved_type_of(it.range);
        let accumulator = self.type_of(it.init);
        self.scope.enter(&it.accumulator, accumulator.clone());
        let has_two = it.second_variable.is_some();
        let (first, second) = match range {
            Type::List(element) if has_two => (Type::Int, Type::clone(&element)),
            Type::List(element) => (Type::clone(&element), Type::Error),
            Type::Map(entry) => (entry.0.clone(), entry.1.clone()),
            Type::Dyn | Type::Error | Type::Var(_) => {
                self.assign(&Type::Dyn, &range);
                (Type::Dyn, Type::Dyn)
            }
            ty => {
                self.report(it.range, CheckErrorKind::NotARange { ty });
                (Type::Error, Type::Error)
            }
        };
        self.declare_variables(node, it, [&first, &second], accumulator);
        self.scope.enter(&it.variable, first);
        if let Some(name) = &it.second_variable {
            self.scope.enter(name, second);
        }
        self.push(CheckStep::Condition(node));
        self.push(CheckStep::Visit(it.condition));
    }

    /// Keeps the types of the variables, for features that show their declarations.
    fn declare_variables(
        &mut self,
        node: NodeId,
        it: &Comprehension,
        types: [&Type; 2],
        accumulator: Type,
    ) {
        let origin = self.expansion.node(node).map(|node| node.origin);
        let Some(call) = origin.and_then(|origin| self.ast.macro_call(origin)) else {
            return;
        };
        let names_a_value = matches!(call.kind, MacroKind::OptMap | MacroKind::OptFlatMap);
        // A loop over an empty list only names a value.
        if &*it.variable == "#unused" {
            if let Some(variable) = call.variables.first().filter(|_| names_a_value) {
                let variable = self.ast.bare(*variable);
                self.declared.push((variable, accumulator));
            }
            return;
        }
        for (variable, ty) in call.variables.iter().zip(types) {
            let variable = self.ast.bare(*variable);
            self.declared.push((variable, ty.clone()));
        }
    }

    pub(super) fn condition(&mut self, node: NodeId) {
        if let Some(it) = self.comprehension(node) {
            self.expect(it.condition, &Type::Bool);
            self.push(CheckStep::Accumulate(node));
            self.push(CheckStep::Visit(it.step));
        }
    }

    pub(super) fn accumulate(&mut self, node: NodeId) {
        let Some(it) = self.comprehension(node) else {
            return;
        };
        self.scope.leave();
        if it.second_variable.is_some() {
            self.scope.leave();
        }
        let accumulator = self.scope.innermost().cloned();
        self.expect(it.step, &accumulator.unwrap_or(Type::Error));
        self.push(CheckStep::Result(node));
        self.push(CheckStep::Visit(it.result));
    }

    pub(super) fn result(&mut self, node: NodeId) {
        let Some(it) = self.comprehension(node) else {
            return;
        };
        self.scope.leave();
        let resolved = self.resolved_type_of(it.result);
        let ty = self.unifier.bounded(resolved);
        self.set_type(node, ty);
    }

    fn expect(&mut self, node: NodeId, expected: &Type) {
        let found = self.type_of(node);
        if !self.assign(expected, &found) {
            let kind = CheckErrorKind::TypeMismatch {
                expected: expected.clone(),
                found,
            };
            self.report(node, kind);
        }
    }
}
