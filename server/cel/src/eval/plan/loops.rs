//! Comprehensions.
//!
//! The expansion of a macro is found by its structure, since no source can have that shape: the
//! accumulator has a name that is not an identifier.
//!
//! Upstream: cel-go, parser/macro.go; ext/comprehensions.go.

use super::super::code::{Fold, Loop, LoopKind, StepId, StepKind};
use super::{Planned, Planner, Scope};
use crate::expand::{Comprehension, Node, NodeId, NodeKind};
use crate::syntax::Literal;
use std::sync::Arc;

/// The loop of a macro, by the nodes of its parts.
enum MacroLoop {
    Quantifier(bool, NodeId),
    ExistsOne(NodeId),
    List(Option<NodeId>, NodeId),
    Map(Option<NodeId>, NodeId),
    Entries(Option<NodeId>, NodeId),
}

impl Planner<'_> {
    pub(super) fn comprehension(
        &mut self,
        id: NodeId,
        node: &Node,
        comprehension: &Comprehension,
    ) -> Planned {
        let range = self.plan(comprehension.range)?;
        let two_variables = comprehension.second_variable.is_some();
        let shape = self.macro_loop(comprehension);
        let init = match shape {
            Some(_) => None,
            None => Some(self.plan(comprehension.init)?),
        };
        self.scopes.push(Scope {
            first: Arc::clone(&comprehension.variable),
            second: comprehension.second_variable.clone(),
            accumulator: Arc::clone(&comprehension.accumulator),
            only_accumulator: false,
        });
        let kind = match (shape, init) {
            (Some(shape), _) => self.loop_kind(&shape).map(|kind| {
                StepKind::Loop(Box::new(Loop {
                    range,
                    two_variables,
                    kind,
                }))
            }),
            (None, init) => self
                .written_out(comprehension, range, init)
                .map(StepKind::Fold),
        };
        self.scopes.pop();
        Ok(self.add(kind?, id, node))
    }

    fn loop_kind(&mut self, shape: &MacroLoop) -> Planned<LoopKind> {
        let optional = |planner: &mut Self, node: Option<NodeId>| {
            node.map(|node| planner.plan(node)).transpose()
        };
        Ok(match *shape {
            MacroLoop::Quantifier(all, test) => LoopKind::Quantifier(all, self.plan(test)?),
            MacroLoop::ExistsOne(test) => LoopKind::ExistsOne(self.plan(test)?),
            MacroLoop::List(filter, element) => {
                LoopKind::List(optional(self, filter)?, self.plan(element)?)
            }
            MacroLoop::Map(filter, value) => {
                LoopKind::Map(optional(self, filter)?, self.plan(value)?)
            }
            MacroLoop::Entries(filter, entry) => {
                LoopKind::Entries(optional(self, filter)?, self.plan(entry)?)
            }
        })
    }

    fn written_out(
        &mut self,
        comprehension: &Comprehension,
        range: StepId,
        init: Option<StepId>,
    ) -> Planned<Box<Fold>> {
        let condition = self.plan(comprehension.condition)?;
        let step = self.plan(comprehension.step)?;
        if let Some(scope) = self.scopes.last_mut() {
            scope.only_accumulator = true;
        }
        let result = self.plan(comprehension.result)?;
        Ok(Box::new(Fold {
            range,
            two_variables: comprehension.second_variable.is_some(),
            init: init.unwrap_or(range),
            condition,
            step,
            result,
        }))
    }

    fn macro_loop(&self, it: &Comprehension) -> Option<MacroLoop> {
        let accumulator = &*it.accumulator;
        let is_accumulator = |node: NodeId| self.is_name(node, accumulator);
        match self.expansion.kind(it.init) {
            NodeKind::Literal(Literal::Bool(all)) => {
                let function = if *all { "_&&_" } else { "_||_" };
                let condition = self.args(it.condition, "@not_strictly_false")?;
                let watched = match (condition, all) {
                    (&[watched], true) => watched,
                    (&[not], false) => *self.args(not, "!_")?.first()?,
                    _ => return None,
                };
                let &[left, predicate] = self.args(it.step, function)? else {
                    return None;
                };
                let fits = is_accumulator(watched) && is_accumulator(left);
                (fits && is_accumulator(it.result))
                    .then_some(MacroLoop::Quantifier(*all, predicate))
            }
            NodeKind::Literal(Literal::Int(0)) => {
                let &[predicate, more, same] = self.args(it.step, "_?_:_")? else {
                    return None;
                };
                let counts = self.is_with_one(more, "_+_", accumulator)
                    && self.is_with_one(it.result, "_==_", accumulator);
                (counts && is_accumulator(same) && self.is_true(it.condition))
                    .then_some(MacroLoop::ExistsOne(predicate))
            }
            NodeKind::List { elements, .. } if elements.is_empty() => self.collecting(it),
            NodeKind::Map(entries) if entries.is_empty() => self.collecting(it),
            _ => None,
        }
    }

    /// Recognizes `map`, `filter` and the `transform…` macros.
    fn collecting(&self, it: &Comprehension) -> Option<MacroLoop> {
        let accumulator = &*it.accumulator;
        if !self.is_true(it.condition) || !self.is_name(it.result, accumulator) {
            return None;
        }
        let (filter, step) = match self.args(it.step, "_?_:_") {
            Some(&[filter, step, same]) if self.is_name(same, accumulator) => (Some(filter), step),
            Some(_) => return None,
            None => (None, it.step),
        };
        if let Some(&[left, list]) = self.args(step, "_+_") {
            let NodeKind::List { elements, optional } = self.expansion.kind(list) else {
                return None;
            };
            return match **elements {
                [element] if optional.is_empty() && self.is_name(left, accumulator) => {
                    Some(MacroLoop::List(filter, element))
                }
                _ => None,
            };
        }
        match *self.args(step, "cel.@mapInsert")? {
            [left, key, value]
                if self.is_name(left, accumulator) && self.is_name(key, &it.variable) =>
            {
                Some(MacroLoop::Map(filter, value))
            }
            [left, entry] if self.is_name(left, accumulator) => {
                Some(MacroLoop::Entries(filter, entry))
            }
            _ => None,
        }
    }

    /// Returns the arguments of a call of this function.
    fn args(&self, node: NodeId, name: &str) -> Option<&[NodeId]> {
        match self.expansion.kind(node) {
            NodeKind::Call {
                target: None,
                function,
                args,
            } if **function == *name => Some(args),
            _ => None,
        }
    }

    fn is_name(&self, node: NodeId, name: &str) -> bool {
        matches!(self.expansion.kind(node), NodeKind::Ident(known) if **known == *name)
    }

    fn is_true(&self, node: NodeId) -> bool {
        matches!(
            self.expansion.kind(node),
            NodeKind::Literal(Literal::Bool(true))
        )
    }

    /// Returns whether a node is `function(accumulator, 1)`.
    fn is_with_one(&self, node: NodeId, function: &str, accumulator: &str) -> bool {
        matches!(self.args(node, function), Some(&[left, one])
            if self.is_name(left, accumulator)
                && matches!(self.expansion.kind(one), NodeKind::Literal(Literal::Int(1))))
    }
}
