//! Names with the fields and indexes after them.
//!
//! The value of `object.spec.containers[0].image` is found without copies: every part is read
//! in place.
//!
//! Upstream: cel-go, interpreter/attributes.go.

use super::code::{
    Attribute, AttributeId, LoopVariable, Qualifier, QualifierKey, Root, StepId, StepKind,
};
use super::frame::{Accumulator, Evaluated, Frame, Lazy, Val};
use super::record::Recorder;
use super::run::{Run, finished};
use crate::changes::CONTENT_OF_OPTIONALS_STAYS;
use crate::value::{EvalError, Value, go_type, native_type};
use std::sync::Arc;

impl Attribute {
    /// Returns whether it is `c ? a : b`, which itself costs nothing.
    pub(super) const fn is_conditional(&self) -> bool {
        matches!(self.root, Root::Conditional(..))
    }
}

impl<R: Recorder> Run<'_, R> {
    /// Resolves a name and its qualifiers.
    pub(super) fn attribute<'s>(&'s self, id: AttributeId, frame: &'s Frame<'s>) -> Evaluated<'s> {
        let Some(attribute) = self.code.attribute(id) else {
            return Err(EvalError::no_such_overload());
        };
        let mut result = self.resolve(attribute, frame).and_then(checked);
        let is_over = matches!(&result, Err(error) if error.is_fatal());
        if !is_over
            && !attribute.is_conditional()
            && let Err(fatal) = self.units(1)
        {
            result = Err(fatal);
        }
        result
    }

    /// Returns the value of `a.?b.?c` by reference: `Some(None)` if it is empty. `None` if it must
    /// be evaluated; no cost is counted then.
    pub(super) fn peek_optional<'s>(
        &'s self,
        id: StepId,
        frame: &'s Frame<'s>,
    ) -> Option<Result<Option<&'s Value>, EvalError>> {
        let StepKind::Attribute(attribute) = self.code.kind(id) else {
            return None;
        };
        if R::ON {
            return None;
        }
        let attribute = self.code.attribute(*attribute)?;
        let before = self.cost();
        let found = self.walk_optional(attribute, frame);
        if found.is_none() {
            self.set_cost(before);
        }
        found
    }

    fn walk_optional<'s>(
        &'s self,
        attribute: &'s Attribute,
        frame: &'s Frame<'s>,
    ) -> Option<Result<Option<&'s Value>, EvalError>> {
        let root = self.root(attribute, frame)?.ok()?;
        let (mut value, rest) = match self.walk(root, attribute) {
            Ok(walked) => walked,
            Err(error) if error.is_fatal() => return Some(Err(error)),
            Err(_) => return None,
        };
        if !rest.first()?.optional {
            return None;
        }
        for qualifier in rest {
            let (QualifierKey::Field(Value::String(name)), Value::Map(map)) =
                (&qualifier.key, value)
            else {
                return None;
            };
            let Some(found) = map.get_str(name) else {
                return Some(self.units(1).map(|()| None));
            };
            if let Err(fatal) = self.units(1) {
                return Some(Err(fatal));
            }
            value = found;
        }
        Some(self.units(1).map(|()| Some(value)))
    }

    /// Evaluates `has(…)`.
    pub(super) fn presence<'s>(
        &'s self,
        id: AttributeId,
        frame: &'s Frame<'s>,
    ) -> Result<bool, EvalError> {
        let Some(attribute) = self.code.attribute(id) else {
            return Err(EvalError::no_such_overload());
        };
        let result = self.resolve_present(attribute, frame);
        if attribute.is_conditional() && !matches!(&result, Err(error) if error.is_fatal()) {
            // Upstream: `Observe` gives back the unit of an attribute without looking
            // whether it took one.
            self.give_back()?;
        }
        result
    }

    fn resolve_present<'s>(
        &'s self,
        attribute: &'s Attribute,
        frame: &'s Frame<'s>,
    ) -> Result<bool, EvalError> {
        if !R::ON
            && let Some(root) = self.root(attribute, frame)
        {
            let (value, rest) = self.walk(root?, attribute)?;
            if let ([last], Value::Map(map)) = (rest, value)
                && let (QualifierKey::Presence(Value::String(name)), false) =
                    (&last.key, last.optional)
            {
                let present = map.get_str(name).is_some();
                self.units(1)?;
                return Ok(present);
            }
            let at_root = rest.len() == attribute.qualifiers.len();
            let value = self.qualify(Val::Ref(value), rest, at_root, frame)?;
            return Ok(is_true(&value));
        }
        Ok(is_true(&*self.resolve(attribute, frame)?))
    }

    /// Returns the value of an attribute, without the cost of its name.
    pub(super) fn resolve<'s>(
        &'s self,
        attribute: &'s Attribute,
        frame: &'s Frame<'s>,
    ) -> Evaluated<'s> {
        let Some(root) = self.root(attribute, frame) else {
            return self.resolve_made(attribute, frame);
        };
        let root = root?;
        if R::ON {
            self.recorder.record(attribute.expr, &Ok(Val::Ref(root)));
        }
        match self.walk(root, attribute) {
            Ok((value, [])) if attribute.qualifiers.is_empty() => Ok(self.renewed(Val::Ref(value))),
            Ok((value, [])) => Ok(Val::Ref(value)),
            Ok((value, rest)) => {
                let at_root = rest.len() == attribute.qualifiers.len();
                self.qualify(Val::Ref(value), rest, at_root, frame)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the value of a name, by reference if it is stored.
    #[inline(always)]
    pub(super) fn root<'s>(
        &'s self,
        attribute: &'s Attribute,
        frame: &'s Frame<'s>,
    ) -> Option<Result<&'s Value, EvalError>> {
        match attribute.root {
            Root::Variable(place) => Some(self.variable(place)),
            Root::Local(up, LoopVariable::First) => Some(Ok(frame.up(up).first)),
            Root::Local(up, LoopVariable::Second) => Some(Ok(frame.up(up).second)),
            Root::Local(..) | Root::Step(_) | Root::Conditional(..) => None,
        }
    }

    /// Follows plain fields of maps by reference as far as possible. Returns the value reached
    /// and the remaining qualifiers.
    #[inline(always)]
    fn walk<'s>(
        &'s self,
        mut value: &'s Value,
        attribute: &'s Attribute,
    ) -> Result<(&'s Value, &'s [Arc<Qualifier>]), EvalError> {
        let mut rest = &*attribute.qualifiers;
        for name in &attribute.names {
            let (Value::Map(map), [qualifier, behind @ ..]) = (value, rest) else {
                break;
            };
            let found = map.get_near(&name.text, &name.place);
            if R::ON || found.is_none() {
                let steps = if R::ON {
                    1
                } else {
                    attribute.qualifiers.len() - behind.len()
                };
                self.units(steps as u64)?;
            }
            let Some(found) = found else {
                return Err(EvalError::no_such_key(&name.text).at(qualifier.node));
            };
            if R::ON {
                self.recorder.record(qualifier.expr, &Ok(Val::Ref(found)));
            }
            value = found;
            rest = behind;
        }
        if !R::ON {
            self.units((attribute.qualifiers.len() - rest.len()) as u64)?;
        }
        Ok((value, rest))
    }

    /// Returns the value of an attribute whose root is computed.
    #[inline(never)]
    fn resolve_made<'s>(&'s self, attribute: &'s Attribute, frame: &'s Frame<'s>) -> Evaluated<'s> {
        let value = match attribute.root {
            Root::Local(up, local) => self.local(frame.up(up), local)?,
            Root::Step(step) => self.eval(step, frame)?,
            Root::Variable(place) => Val::Ref(self.variable(place)?),
            Root::Conditional(condition, then, otherwise) => {
                let branch = if self.test(condition, frame)? {
                    then
                } else {
                    otherwise
                };
                return match self.code.attribute(branch) {
                    Some(branch) => self.resolve(branch, frame),
                    None => Err(EvalError::no_such_overload()),
                };
            }
        };
        if R::ON && !matches!(attribute.root, Root::Step(_)) {
            self.recorder.record(attribute.expr, &Ok(Val::Ref(&value)));
        }
        if attribute.qualifiers.is_empty() {
            return Ok(self.renewed(value));
        }
        self.qualify(value, &attribute.qualifiers, true, frame)
    }

    fn local<'s>(&'s self, frame: &'s Frame<'s>, local: LoopVariable) -> Evaluated<'s> {
        match local {
            LoopVariable::First => Ok(Val::Ref(frame.first)),
            LoopVariable::Second => Ok(Val::Ref(frame.second)),
            LoopVariable::Accumulator => match frame.accumulator {
                Accumulator::Value(value) => Ok(Val::Ref(value)),
                Accumulator::Failure(error) => Err(error.clone()),
                Accumulator::Lazy(lazy) => self.force(lazy),
            },
        }
    }

    fn force<'s>(&'s self, lazy: &'s Lazy<'s>) -> Evaluated<'s> {
        let init = || self.eval(lazy.init, lazy.frame).map(Val::into_owned);
        match lazy.cell.get_or_init(init) {
            Ok(value) => Ok(Val::Ref(value)),
            Err(error) => Err(error.clone()),
        }
    }

    fn qualify<'s>(
        &'s self,
        mut value: Val<'s>,
        qualifiers: &'s [Arc<Qualifier>],
        at_root: bool,
        frame: &'s Frame<'s>,
    ) -> Evaluated<'s> {
        let mut optional = false;
        if at_root && let Value::Optional(inner) = &*value {
            let Some(inner) = inner else {
                return Ok(value);
            };
            value = Val::Own(match self.renewed_content(inner) {
                Some(renewed) => renewed?,
                None => (**inner).clone(),
            });
            optional = true;
        }
        for qualifier in qualifiers {
            value = checked(value)?;
            optional = optional || qualifier.optional;
            if optional {
                match self.look_up(&value, qualifier, true, frame)? {
                    Some(found) => value = found,
                    None if self.code.fails_without_fields && !has_fields(&value) => {
                        return Err(EvalError::no_such_overload().at(qualifier.node));
                    }
                    None => return Ok(Val::Own(Value::Optional(None))),
                }
                self.units(1)?;
            } else {
                let found = self.take(&value, qualifier, frame);
                finished(&found)?;
                self.units(1)?;
                value = found?;
            }
            if R::ON {
                self.recorder.record(qualifier.expr, &Ok(Val::Ref(&value)));
            }
        }
        if optional {
            return Ok(Val::Own(Value::some(value.into_owned())));
        }
        Ok(value)
    }

    /// Returns the value of a name, or of a branch of `?:`. The value of an optional is converted
    /// again.
    #[inline]
    fn renewed<'s>(&self, value: Val<'s>) -> Val<'s> {
        match &*value {
            Value::Optional(Some(inner)) => match self.renewed_content(inner) {
                Some(renewed) => Val::Own(Value::some(renewed.unwrap_or_else(Value::failed))),
                None => value,
            },
            _ => value,
        }
    }

    /// Returns the content of an optional, converted again. `None` if it does not change.
    fn renewed_content(&self, content: &Value) -> Option<Result<Value, EvalError>> {
        if CONTENT_OF_OPTIONALS_STAYS.applies(self.code.release) {
            return None;
        }
        content.renewed()
    }

    /// Returns the value of a key that must exist.
    fn take<'s>(
        &'s self,
        value: &Val<'s>,
        qualifier: &'s Qualifier,
        frame: &'s Frame<'s>,
    ) -> Evaluated<'s> {
        match self.look_up(value, qualifier, false, frame) {
            Ok(Some(found)) => Ok(found),
            // Without a presence test, a missing value is a failure.
            Ok(None) => Err(EvalError::no_such_overload().at(qualifier.node)),
            Err(error) => Err(error.at(qualifier.node)),
        }
    }

    /// Returns the value of a key. `None` if it is missing and `test` allows that.
    #[inline(never)]
    fn look_up<'s>(
        &'s self,
        value: &Val<'s>,
        qualifier: &'s Qualifier,
        test: bool,
        frame: &'s Frame<'s>,
    ) -> Result<Option<Val<'s>>, EvalError> {
        match &qualifier.key {
            QualifierKey::Field(key) | QualifierKey::Constant(key) => find(value, key, test),
            QualifierKey::Presence(key) if test => find(value, key, true),
            QualifierKey::Presence(key) => {
                let present = is_present(value, key)?;
                Ok(Some(Val::bool(present)))
            }
            QualifierKey::Attribute(attribute) => {
                let Some(attribute) = self.code.attribute(*attribute) else {
                    return Ok(None);
                };
                let key = self.resolve(attribute, frame)?;
                let name = match attribute.root {
                    Root::Variable(_) => native_type,
                    _ => go_type,
                };
                find(value, checked_key(&key, name)?, test)
            }
            QualifierKey::Step(step) => {
                let key = self.eval(*step, frame)?;
                find(value, checked_key(&key, go_type)?, test)
            }
        }
    }
}

/// Returns a value that was read, or its error if it is an element or an entry that holds one.
#[inline]
fn checked(value: Val<'_>) -> Evaluated<'_> {
    match value.failure() {
        Some(error) => Err(error.clone()),
        None => Ok(value),
    }
}

/// Returns whether the result of a presence test is true.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(present) => *present,
        Value::Optional(value) => value.is_some(),
        _ => false,
    }
}

/// Returns the value of an expression in brackets, if it can be a key. Otherwise `name` is its type
/// in Go.
fn checked_key(key: &Value, name: fn(&Value) -> &'static str) -> Result<&Value, EvalError> {
    match key {
        Value::String(_) | Value::Int(_) | Value::Uint(_) | Value::Bool(_) | Value::Double(_) => {
            Ok(key)
        }
        other => Err(EvalError::message(format!(
            "invalid qualifier type: {}",
            name(other)
        ))),
    }
}

/// Returns whether such a value can have keys.
fn has_fields(value: &Value) -> bool {
    matches!(value, Value::Map(_) | Value::List(_) | Value::Opaque(_))
}

/// Returns the value of a key.
///
/// Upstream: cel-go, interpreter/attributes.go, `refQualify`.
fn find<'s>(value: &Val<'s>, key: &Value, test: bool) -> Result<Option<Val<'s>>, EvalError> {
    let found = match value {
        Val::Ref(value) => find_in(value, key, test)?,
        Val::Own(value) => find_in(value, key, test)?.map(|found| Val::Own(found.into_owned())),
    };
    match found {
        None if !test => Err(missing(value, key)),
        found => Ok(found),
    }
}

fn find_in<'v>(value: &'v Value, key: &Value, test: bool) -> Result<Option<Val<'v>>, EvalError> {
    match value {
        Value::Map(map) => Ok(map.find(key)?.map(Val::Ref)),
        Value::List(elements) => {
            let index = usize::try_from(list_index(key)?).ok();
            Ok(index.and_then(|index| elements.get(index)).map(Val::Ref))
        }
        Value::Opaque(object) => {
            let Value::String(name) = key else {
                return Ok(None);
            };
            if test && object.has_field(name).transpose()? == Some(false) {
                return Ok(None);
            }
            object.field(name).transpose().map(|it| it.map(Val::Own))
        }
        _ => Ok(None),
    }
}

/// Upstream: cel-go, common/types/list.go, `IndexOrError`.
fn list_index(key: &Value) -> Result<i64, EvalError> {
    let unsupported = || EvalError::message(format!("unsupported index value {} in list", key));
    match key {
        Value::Int(index) => Ok(*index),
        Value::Uint(index) => i64::try_from(*index).map_err(|_| unsupported()),
        // The limits are exact: 2^63 is a double.
        Value::Double(index)
            if index.fract() == 0.0
                && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(index) =>
        {
            Ok(*index as i64)
        }
        Value::Double(_) => Err(unsupported()),
        other => Err(EvalError::message(format!(
            "unsupported index type '{}' in list",
            other.ty().runtime_name()
        ))),
    }
}

/// Returns whether a value has a key.
fn is_present(value: &Value, key: &Value) -> Result<bool, EvalError> {
    match (value, key) {
        (Value::Map(map), Value::String(name)) => Ok(map.get_str(name).is_some()),
        (Value::Opaque(object), Value::String(name)) => {
            Ok(object.has_field(name).transpose()? == Some(true))
        }
        _ => Ok(find_in(value, key, true)?.is_some()),
    }
}

fn missing(value: &Value, key: &Value) -> EvalError {
    let key_text = key.to_string();
    match value {
        Value::List(_) => EvalError::message(format!("index out of bounds: {key_text}")),
        _ => EvalError::no_such_key(&key_text),
    }
}
