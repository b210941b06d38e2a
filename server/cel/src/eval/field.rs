//! Names with plain fields.
//!
//! `object.spec.replicas <= 5` is the most common test of a policy. If nothing is missing and the
//! budget suffices, its field is looked up in one step and its cost is counted once. Everything
//! else is evaluated step by step, which then finds the error and the cost of cel-go.

use super::Activation;
use super::code::{
    Attribute, Call, Code, FieldName, FieldOperands, LoopVariable, PARENTS, Root, StepId, StepKind,
};
use super::frame::Frame;
use super::operators::{integer_test, truth};
use super::record::Recorder;
use super::run::Run;
use crate::value::{EvalError, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Something by the path of a value: its variable, and the fields that lead to it.
type ByPath<T> = HashMap<(u32, Vec<Arc<str>>), T>;

impl Attribute {
    /// Returns the variable and the fields above the last, if there are only plain fields.
    pub(super) fn parent_path(&self) -> Option<(u32, Vec<Arc<str>>)> {
        match (&self.root, &*self.names) {
            (Root::Variable(variable), [above @ .., _]) if !above.is_empty() && self.is_plain() => {
                let above = above.iter().map(|it| Arc::clone(&it.text));
                Some((*variable, above.collect()))
            }
            _ => None,
        }
    }

    /// Returns whether the value of its name is stored, so that it can be read by reference.
    pub(super) const fn is_stored(&self) -> bool {
        matches!(
            self.root,
            Root::Variable(_) | Root::Local(_, LoopVariable::First | LoopVariable::Second)
        )
    }

    /// Returns the cost of a name and its plain fields, one unit each.
    const fn units(&self) -> u64 {
        self.names.len() as u64 + 1
    }

    /// Returns whether it consists of a name and plain fields only.
    pub(super) fn is_plain(&self) -> bool {
        self.names.len() == self.qualifiers.len()
    }
}

impl Code {
    /// Finds the values above a field that several attributes read: `object.spec` of
    /// `object.spec.a == object.spec.b`.
    pub(super) fn share_parents(&mut self) {
        let mut counts: ByPath<usize> = HashMap::new();
        for parent in self.attributes.iter().filter_map(Attribute::parent_path) {
            *counts.entry(parent).or_default() += 1;
        }
        let mut places: ByPath<usize> = HashMap::new();
        for attribute in &mut self.attributes {
            let parent = attribute.parent_path();
            let Some(parent) = parent.filter(|it| counts.get(it).is_some_and(|it| *it > 1)) else {
                continue;
            };
            let free = places.len();
            let place = *places.entry(parent).or_insert(free);
            attribute.parent = (place < PARENTS).then_some(place);
        }
    }
}

impl<'a, R: Recorder> Run<'a, R> {
    /// Returns the value of a constant, or of a name with plain fields, by reference. `None` for
    /// anything more complex; no cost is counted then.
    #[inline]
    pub(super) fn peek<'s>(
        &'s self,
        id: StepId,
        frame: &'s Frame<'s>,
    ) -> Option<Result<&'s Value, EvalError>> {
        let attribute = match self.code.kind(id) {
            StepKind::Constant(value) => return Some(Ok(value)),
            StepKind::Attribute(attribute) if !R::ON => self.code.attribute(*attribute)?,
            _ => return None,
        };
        let value = self.field(attribute, frame)?;
        self.has_units(attribute.units()).then_some(Ok(value))
    }

    /// Returns the value of a name with plain fields, by reference and without cost. `None` for
    /// anything more complex.
    #[inline]
    fn field<'s>(&'s self, attribute: &'s Attribute, frame: &'s Frame<'s>) -> Option<&'s Value> {
        if !attribute.is_plain() {
            return None;
        }
        let value = match &*attribute.names {
            [.., last] if let Some(place) = attribute.parent => {
                step(self.parent(attribute, place)?, last)?
            }
            names => {
                let mut value = self.root(attribute, frame)?.ok()?;
                for name in names {
                    value = step(value, name)?;
                }
                value
            }
        };
        stored(value)
    }

    /// Returns the value above the last field, which is looked up once.
    #[inline]
    fn parent(&self, attribute: &Attribute, place: usize) -> Option<&'a Value> {
        let known = self.parents.get(place)?;
        if let Some(value) = known.get() {
            return Some(value);
        }
        let (Root::Variable(variable), [above @ .., _]) = (&attribute.root, &*attribute.names)
        else {
            return None;
        };
        let mut value = self.variable(*variable).ok()?;
        for name in above {
            value = step(value, name)?;
        }
        known.set(Some(value));
        Some(value)
    }

    /// Returns the result of an operation on a field and a constant. `None` if it must be evaluated
    /// step by step; no cost is counted then.
    #[inline]
    pub(super) fn test_field<'s>(
        &'s self,
        call: &Call,
        operands: &'s FieldOperands,
        frame: &'s Frame<'s>,
    ) -> Option<bool> {
        let attribute = self.code.attribute(operands.attribute)?;
        let value = self.field(attribute, frame)?;
        let (result, cost) = compare(call, operands, value)?;
        self.has_units(attribute.units() + cost).then_some(result)
    }
}

impl Code {
    /// Returns the result and the cost of an expression that only compares a field with a
    /// constant. `None` if it must be evaluated step by step.
    #[inline]
    pub(super) fn test_field(&self, variables: &dyn Activation) -> Option<(bool, u64)> {
        let StepKind::Call(call) = self.kind(self.root) else {
            return None;
        };
        let operands = call.field.as_ref()?;
        let attribute = self.attribute(operands.attribute)?;
        let Root::Variable(variable) = attribute.root else {
            return None;
        };
        let name = self.variables.get(variable as usize)?;
        let mut value = variables.resolve(name)?.ok()?;
        for name in &attribute.names {
            value = step(value, name)?;
        }
        let (result, cost) = compare(call, operands, stored(value)?)?;
        Some((result, attribute.units() + cost))
    }
}

/// Returns the result and the cost of an operation on the value of a field and a constant. `None`
/// if the implementation of the function must decide.
#[inline(always)]
fn compare(call: &Call, operands: &FieldOperands, value: &Value) -> Option<(bool, u64)> {
    let (left, right) = if operands.is_reversed {
        (&operands.constant, value)
    } else {
        (value, &operands.constant)
    };
    Some(match (left, right) {
        (Value::Int(left), Value::Int(right)) => (integer_test(call.operator?, *left, *right)?, 1),
        _ => (truth(call, left, right)?, call.rule.cost(left, right)),
    })
}

/// Returns a stored value, unless the value of its name can differ from it.
#[inline]
fn stored(value: &Value) -> Option<&Value> {
    (!matches!(value, Value::Optional(_) | Value::Opaque(_))).then_some(value)
}

/// Returns the value of a field of a map.
#[inline]
fn step<'v>(value: &'v Value, name: &FieldName) -> Option<&'v Value> {
    match value {
        Value::Map(map) => map.get_near(&name.text, &name.place),
        _ => None,
    }
}
