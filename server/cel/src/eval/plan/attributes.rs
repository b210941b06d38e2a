//! Names with the fields and indexes after them.
//!
//! Upstream: cel-go, interpreter/planner.go, `planSelect`, `planCallIndex`,
//! `planCallConditional`.

use super::super::code::{Attribute, AttributeId, Qualifier, QualifierKey, Root, StepId, StepKind};
use super::{Planned, Planner};
use crate::expand::{Node, NodeId};
use crate::syntax::ExprId;
use crate::value::{EvalError, Value, go_type};
use std::sync::Arc;

impl Planner<'_> {
    pub(super) fn new_attribute(&mut self, root: Root, expr: ExprId) -> AttributeId {
        self.code.add_attribute(Attribute {
            root,
            expr,
            qualifiers: Vec::new(),
            names: Vec::new(),
            parent: None,
        })
    }

    /// Plans `operand.field` and `has(operand.field)`.
    pub(super) fn select(
        &mut self,
        id: NodeId,
        node: &Node,
        operand: NodeId,
        field: &Arc<str>,
        test_only: bool,
    ) -> Planned {
        if self.checked.reference(id).is_some() {
            return self.ident(id, node, field);
        }
        let attribute = self.operand(operand)?;
        let field = Value::String(Arc::clone(field));
        let (key, kind) = if test_only {
            let key = QualifierKey::Presence(field);
            (key, StepKind::Presence(attribute))
        } else {
            (QualifierKey::Field(field), StepKind::Attribute(attribute))
        };
        self.add_qualifier(attribute, key, false, id, node);
        Ok(self.add(kind, id, node))
    }

    /// Plans `operand[index]`, `operand[?index]` and `operand.?field`.
    pub(super) fn index(
        &mut self,
        id: NodeId,
        node: &Node,
        args: &[NodeId],
        optional: bool,
    ) -> Planned {
        let [operand, index] = *args else {
            return Err(self.error_at(id, EvalError::no_such_overload()));
        };
        let attribute = self.operand(operand)?;
        let index = self.plan(index)?;
        let key = match (self.constant_value(index), self.attribute_of(index)) {
            (Some(Value::String(key)), _) => QualifierKey::Field(Value::String(Arc::clone(key))),
            (
                Some(key @ (Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Bool(_))),
                _,
            ) => QualifierKey::Constant(key.clone()),
            (Some(other), _) => {
                let message = format!("invalid qualifier type: {}", go_type(other));
                return Err(self.error_at(id, EvalError::message(message)));
            }
            (None, Some(attribute)) => QualifierKey::Attribute(attribute),
            (None, None) => QualifierKey::Step(index),
        };
        self.add_qualifier(attribute, key, optional, id, node);
        Ok(self.add(StepKind::Attribute(attribute), id, node))
    }

    /// Plans `condition ? then : otherwise`.
    pub(super) fn conditional(&mut self, id: NodeId, node: &Node, args: &[NodeId]) -> Planned {
        let [condition, then, otherwise] = *args else {
            return Err(self.error_at(id, EvalError::no_such_overload()));
        };
        let condition = self.plan(condition)?;
        let (then, otherwise) = (self.operand(then)?, self.operand(otherwise)?);
        let root = Root::Conditional(condition, then, otherwise);
        let attribute = self.new_attribute(root, node.origin);
        Ok(self.add(StepKind::Attribute(attribute), id, node))
    }

    /// Returns the attribute of a node, or a new one with the node as its root.
    fn operand(&mut self, node: NodeId) -> Planned<AttributeId> {
        let step = self.plan(node)?;
        Ok(self.as_attribute(step))
    }

    fn as_attribute(&mut self, step: StepId) -> AttributeId {
        match self.attribute_of(step) {
            // Qualifiers are added to a copy: a macro can name a node twice.
            Some(attribute) => self.copy(attribute),
            None => {
                let expr = self.code.step(step).map(|step| step.expr);
                let expr = expr.unwrap_or_else(|| ExprId::new(0));
                self.new_attribute(Root::Step(step), expr)
            }
        }
    }

    fn copy(&mut self, id: AttributeId) -> AttributeId {
        let Some(attribute) = self.code.attribute(id) else {
            return id;
        };
        let (expr, qualifiers) = (attribute.expr, attribute.qualifiers.clone());
        let names = attribute.names.iter().map(|it| (&it.text).into()).collect();
        let root = match attribute.root {
            Root::Variable(place) => Root::Variable(place),
            Root::Local(up, local) => Root::Local(up, local),
            Root::Step(step) => Root::Step(step),
            Root::Conditional(condition, then, otherwise) => {
                let (then, otherwise) = (self.copy(then), self.copy(otherwise));
                Root::Conditional(condition, then, otherwise)
            }
        };
        self.code.add_attribute(Attribute {
            root,
            expr,
            qualifiers,
            names,
            parent: None,
        })
    }

    fn add_qualifier(
        &mut self,
        attribute: AttributeId,
        key: QualifierKey,
        optional: bool,
        id: NodeId,
        node: &Node,
    ) {
        let qualifier = Arc::new(Qualifier {
            key,
            optional,
            node: id,
            expr: node.origin,
        });
        self.qualify_all(attribute, &qualifier);
    }

    /// Adds a qualifier to an attribute, or to both branches of it.
    fn qualify_all(&mut self, id: AttributeId, qualifier: &Arc<Qualifier>) {
        let Some(attribute) = self.code.attribute_mut(id) else {
            return;
        };
        if let Root::Conditional(_, then, otherwise) = attribute.root {
            self.qualify_all(then, qualifier);
            self.qualify_all(otherwise, qualifier);
        } else {
            if let QualifierKey::Field(Value::String(name)) = &qualifier.key
                && attribute.is_plain()
                && !qualifier.optional
            {
                attribute.names.push(name.into());
            }
            attribute.qualifiers.push(Arc::clone(qualifier));
        }
    }
}
