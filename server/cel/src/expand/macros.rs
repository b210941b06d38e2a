//! The expansions of macros.
//!
//! Upstream: cel-go, parser/macro.go; cel/library.go, `optMap` and `optFlatMap`;
//! ext/comprehensions.go; ext/lists.go, `sortByMacro`.

use super::build::Builder;
use super::names::NAMES;
use super::{Comprehension, NodeId, NodeKind};
use crate::syntax::{ExprId, ExprKind, Literal, MacroCall, MacroKind};
use std::sync::Arc;

/// Adds the nodes of one macro: all of them originate from its call and have its offset.
struct Expander<'b, 'a> {
    builder: &'b mut Builder<'a>,
    origin: ExprId,
    offset: u32,
}

impl<'a> Builder<'a> {
    /// Returns the node that a macro becomes.
    pub(super) fn expand(&mut self, call: MacroCall<'a>) -> NodeId {
        let offset = self.ast.upstream_offset(call.id);
        let mut expander = Expander {
            builder: self,
            origin: call.id,
            offset,
        };
        expander.expand(call).unwrap_or_else(|| {
            let offset = expander.offset;
            self.add(NodeKind::Error, call.id, offset)
        })
    }

    /// Returns the variable that an argument of a macro declares, as cel-go names it. Empty if it
    /// is not a name, which the parser reports.
    pub(super) fn variable(&self, argument: ExprId) -> Arc<str> {
        match self.ast.kind(self.ast.bare(argument)) {
            ExprKind::Ident { name, leading_dot } => self.name(*name, *leading_dot),
            _ => Arc::from(""),
        }
    }
}

impl<'a> Expander<'_, 'a> {
    fn expand(&mut self, call: MacroCall<'a>) -> Option<NodeId> {
        let Some(target) = call.target else {
            return self.has(call);
        };
        let target = self.builder.node_for(target);
        let last = self.builder.node_for(*call.body.last()?);
        let filter = match call.body {
            [filter, _] => Some(self.builder.node_for(*filter)),
            _ => None,
        };
        Some(match call.kind {
            MacroKind::Has => return None,
            MacroKind::All => self.all(call, target, last),
            MacroKind::Exists => self.exists(call, target, last),
            MacroKind::ExistsOne => self.exists_one(call, target, last),
            MacroKind::Map | MacroKind::TransformList => self.map(call, target, filter, last),
            MacroKind::Filter => self.filter(call, target, last)?,
            MacroKind::OptMap => self.optional(call, target, last, true)?,
            MacroKind::OptFlatMap => self.optional(call, target, last, false)?,
            MacroKind::SortBy => self.sort_by(call, target, last),
            MacroKind::TransformMap => {
                let key = self.builder.variable(*call.variables.first()?);
                let key = self.add(NodeKind::Ident(key));
                self.insert(call, target, filter, &[key, last])
            }
            MacroKind::TransformMapEntry => self.insert(call, target, filter, &[last]),
        })
    }

    fn has(&mut self, call: MacroCall<'_>) -> Option<NodeId> {
        let argument = self.builder.ast.bare(*call.body.first()?);
        let (operand, field) = match self.builder.ast.kind(argument) {
            ExprKind::Select {
                operand,
                optional: false,
                field,
                ..
            } => (
                self.builder.node_for(*operand),
                self.builder.ast.name(*field).into(),
            ),
            // `has(has(a.b))` is `has(a.b)`.
            _ => {
                let inner = self.builder.node_for(argument);
                match &self.builder.nodes.get(inner.index())?.kind {
                    NodeKind::Select { operand, field, .. } => (*operand, Arc::clone(field)),
                    _ => return None,
                }
            }
        };
        Some(self.add(NodeKind::Select {
            operand,
            field,
            test_only: true,
        }))
    }

    fn add(&mut self, kind: NodeKind) -> NodeId {
        self.builder.add(kind, self.origin, self.offset)
    }

    fn literal(&mut self, literal: Literal) -> NodeId {
        self.add(NodeKind::Literal(literal))
    }

    fn call(&mut self, function: &Arc<str>, args: &[NodeId]) -> NodeId {
        self.add(NodeKind::Call {
            target: None,
            function: Arc::clone(function),
            args: args.into(),
        })
    }

    fn member(&mut self, target: NodeId, function: &Arc<str>, args: &[NodeId]) -> NodeId {
        self.add(NodeKind::Call {
            target: Some(target),
            function: Arc::clone(function),
            args: args.into(),
        })
    }

    fn list(&mut self, elements: &[NodeId]) -> NodeId {
        self.add(NodeKind::List {
            elements: elements.into(),
            optional: Box::default(),
        })
    }

    /// Returns a reference to the accumulator.
    fn accumulator(&mut self) -> NodeId {
        self.add(NodeKind::Ident(Arc::clone(&NAMES.result)))
    }

    fn comprehension(
        &mut self,
        call: MacroCall<'_>,
        range: NodeId,
        init: NodeId,
        condition: NodeId,
        step: NodeId,
        result: NodeId,
    ) -> NodeId {
        let mut variables = call.variables.iter().map(|it| self.builder.variable(*it));
        let variable = variables.next().unwrap_or_else(|| Arc::from(""));
        let second_variable = variables.next();
        self.add(NodeKind::Comprehension(Box::new(Comprehension {
            range,
            variable,
            second_variable,
            accumulator: Arc::clone(&NAMES.result),
            init,
            condition,
            step,
            result,
        })))
    }

    fn all(&mut self, call: MacroCall<'_>, range: NodeId, predicate: NodeId) -> NodeId {
        let init = self.literal(Literal::Bool(true));
        let accumulator = self.accumulator();
        let condition = self.call(&NAMES.not_strictly_false, &[accumulator]);
        let accumulator = self.accumulator();
        let step = self.call(&NAMES.and, &[accumulator, predicate]);
        let result = self.accumulator();
        self.comprehension(call, range, init, condition, step, result)
    }

    fn exists(&mut self, call: MacroCall<'_>, range: NodeId, predicate: NodeId) -> NodeId {
        let init = self.literal(Literal::Bool(false));
        let accumulator = self.accumulator();
        let not = self.call(&NAMES.not, &[accumulator]);
        let condition = self.call(&NAMES.not_strictly_false, &[not]);
        let accumulator = self.accumulator();
        let step = self.call(&NAMES.or, &[accumulator, predicate]);
        let result = self.accumulator();
        self.comprehension(call, range, init, condition, step, result)
    }

    fn exists_one(&mut self, call: MacroCall<'_>, range: NodeId, predicate: NodeId) -> NodeId {
        let init = self.literal(Literal::Int(0));
        let condition = self.literal(Literal::Bool(true));
        let (accumulator, one) = (self.accumulator(), self.literal(Literal::Int(1)));
        let more = self.call(&NAMES.add, &[accumulator, one]);
        let same = self.accumulator();
        let step = self.call(&NAMES.conditional, &[predicate, more, same]);
        let (accumulator, one) = (self.accumulator(), self.literal(Literal::Int(1)));
        let result = self.call(&NAMES.equals, &[accumulator, one]);
        self.comprehension(call, range, init, condition, step, result)
    }

    fn map(
        &mut self,
        call: MacroCall<'_>,
        range: NodeId,
        filter: Option<NodeId>,
        value: NodeId,
    ) -> NodeId {
        let init = self.list(&[]);
        let element = self.list(&[value]);
        let accumulator = self.accumulator();
        let step = self.call(&NAMES.add, &[accumulator, element]);
        self.collect(call, range, init, filter, step)
    }

    fn filter(&mut self, call: MacroCall<'_>, range: NodeId, filter: NodeId) -> Option<NodeId> {
        let init = self.list(&[]);
        // The element is the declared variable.
        let variable = *call.variables.first()?;
        let name = self.builder.variable(variable);
        let offset = self.builder.ast.upstream_offset(variable);
        let element = self.builder.add(NodeKind::Ident(name), variable, offset);
        let element = self.list(&[element]);
        let accumulator = self.accumulator();
        let step = self.call(&NAMES.add, &[accumulator, element]);
        Some(self.collect(call, range, init, Some(filter), step))
    }

    fn insert(
        &mut self,
        call: MacroCall<'_>,
        range: NodeId,
        filter: Option<NodeId>,
        entry: &[NodeId],
    ) -> NodeId {
        let init = self.add(NodeKind::Map(Box::default()));
        let mut args = vec![self.accumulator()];
        args.extend(entry);
        let step = self.call(&NAMES.map_insert, &args);
        self.collect(call, range, init, filter, step)
    }

    /// Returns a loop over all elements that runs the step for those that pass the filter.
    fn collect(
        &mut self,
        call: MacroCall<'_>,
        range: NodeId,
        init: NodeId,
        filter: Option<NodeId>,
        step: NodeId,
    ) -> NodeId {
        let condition = self.literal(Literal::Bool(true));
        let step = filter.map_or(step, |filter| {
            let same = self.accumulator();
            self.call(&NAMES.conditional, &[filter, step, same])
        });
        let result = self.accumulator();
        self.comprehension(call, range, init, condition, step, result)
    }

    fn optional(
        &mut self,
        call: MacroCall<'_>,
        target: NodeId,
        value: NodeId,
        wraps: bool,
    ) -> Option<NodeId> {
        let name = self.builder.variable(*call.variables.first()?);
        let has_value = self.member(target, &NAMES.has_value, &[]);
        let copy = self.builder.copy(target, self.offset);
        let init = self.member(copy, &NAMES.value, &[]);
        let step = self.add(NodeKind::Ident(Arc::clone(&name)));
        let mut mapped = self.bind(name, init, step, value);
        if wraps {
            mapped = self.call(&NAMES.optional_of, &[mapped]);
        }
        let none = self.call(&NAMES.optional_none, &[]);
        Some(self.call(&NAMES.conditional, &[has_value, mapped, none]))
    }

    /// Returns a loop over an empty list: it names a value in the result.
    fn bind(&mut self, name: Arc<str>, init: NodeId, step: NodeId, result: NodeId) -> NodeId {
        let range = self.list(&[]);
        let condition = self.literal(Literal::Bool(false));
        self.add(NodeKind::Comprehension(Box::new(Comprehension {
            range,
            variable: Arc::clone(&NAMES.unused),
            second_variable: None,
            accumulator: name,
            init,
            condition,
            step,
            result,
        })))
    }

    fn sort_by(&mut self, call: MacroCall<'_>, target: NodeId, key: NodeId) -> NodeId {
        let name = Arc::clone(&NAMES.sort_by_input);
        let range = self.add(NodeKind::Ident(Arc::clone(&name)));
        let keys = self.map(call, range, None, key);
        let input = self.add(NodeKind::Ident(Arc::clone(&name)));
        let sorted = self.member(input, &NAMES.sort_by_keys, &[keys]);
        let step = self.add(NodeKind::Ident(Arc::clone(&name)));
        self.bind(name, target, step, sorted)
    }
}
