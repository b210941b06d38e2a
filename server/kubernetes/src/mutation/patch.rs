//! Applying a JSON patch.
//!
//! Upstream: evanphx/json-patch v4, patch.go.

use super::json::json;
use super::native::{self, Natives};
use super::{JsonPatch, MutationError};
use crate::mutation::Object;
use cel::value::Value;
use std::sync::Arc;

/// Why a patch is not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchError {
    /// A `test` fails. The object does not change, which is not an error.
    TestFailed,
    /// The patch cannot be applied.
    Failed(MutationError),
}

type Patched<T = ()> = Result<T, PatchError>;

/// An operation with its value as JSON has it.
struct Operation<'a> {
    patch: &'a JsonPatch,
    value: Option<Value>,
}

/// Applies the operations of a patch to an object.
///
/// # Errors
/// Why it is not applied.
pub fn apply(operations: &[Value], object: &Value, natives: &Natives<'_>) -> Patched<Value> {
    let operations = operations
        .iter()
        .map(|operation| {
            let patch = operation
                .downcast::<JsonPatch>()
                .ok_or_else(|| no_operation(operation))?;
            let value = patch.value.as_ref().map(|it| checked(it, natives));
            let value = value.transpose().map_err(PatchError::Failed)?;
            Ok(Operation { patch, value })
        })
        .collect::<Patched<Vec<_>>>()?;
    let mut object = object.clone();
    native::encode(&mut object);
    for operation in &operations {
        operation.apply(&mut object)?;
    }
    Ok(object)
}

/// Returns the error of the server for an element of a patch that is not an operation, such as
/// null.
fn no_operation(element: &Value) -> PatchError {
    let ty = element.ty();
    let ty = ty.runtime_name();
    PatchError::Failed(MutationError::Failed(format!(
        "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch: type conversion error from '{ty}' to '*mutation.JSONPatchVal'"
    )))
}

/// Returns the value of an operation, whose types must match their paths.
fn checked(value: &Value, natives: &Natives<'_>) -> Result<Value, MutationError> {
    if let Some(object) = value.downcast::<Object>() {
        type_mismatch(object)?;
    }
    json(value, natives)
}

/// Checks that the types in an object fit their fields.
///
/// # Errors
/// A type does not fit its field. The error has the message of the API server.
pub fn type_mismatch(object: &Object) -> Result<(), String> {
    let misplaced = object.misplaced_types();
    if misplaced.is_empty() {
        return Ok(());
    }
    Err(format!("type mismatch: {}", misplaced.join("\n")))
}

fn failed(words: impl Into<String>) -> PatchError {
    PatchError::Failed(MutationError::Failed(format!(
        "JSON Patch: {}",
        words.into()
    )))
}

impl Operation<'_> {
    fn apply(&self, object: &mut Value) -> Patched {
        let path = &*self.patch.path;
        match &*self.patch.op {
            "add" => {
                let target = PatchTarget::find(object, path).ok_or_else(|| {
                    failed(format!(
                        "add operation does not apply: doc is missing path: \"{path}\": missing value"
                    ))
                })?;
                let added = target.add(self.value());
                added.map_err(|error| failed(format!("error in add for path: '{path}': {error}")))
            }
            "remove" => self.remove(object, path),
            "replace" => self.replace(object, path),
            "move" => self.relocate(object, path),
            "copy" => self.copy(object, path),
            "test" => self.test(object, path),
            other => Err(failed(format!("Unexpected kind: {other}"))),
        }
    }

    /// Returns the value of an operation. A missing one is null.
    fn value(&self) -> Value {
        self.value.clone().unwrap_or(Value::Null)
    }

    fn remove(&self, object: &mut Value, path: &str) -> Patched {
        let target = PatchTarget::find(object, path).ok_or_else(|| {
            failed(format!(
                "remove operation does not apply: doc is missing path: \"{path}\": missing value"
            ))
        })?;
        let removed = target.remove();
        removed.map_err(|error| failed(format!("error in remove for path: '{path}': {error}")))
    }

    fn replace(&self, object: &mut Value, path: &str) -> Patched {
        if path.is_empty() {
            let value = self.value();
            if !matches!(value, Value::Map(_) | Value::List(_) | Value::Null) {
                let words = "replace operation value must be object or array: %!w(<nil>)";
                return Err(failed(words));
            }
            *object = value;
            return Ok(());
        }
        let missing = |what: &str| {
            failed(format!(
                "replace operation does not apply: doc is missing {what}: {path}: missing value"
            ))
        };
        let mut target = PatchTarget::find(object, path).ok_or_else(|| missing("path"))?;
        target.get().map_err(|_| missing("key"))?;
        let set = target.set(self.value());
        set.map_err(|error| failed(format!("error in remove for path: '{path}': {error}")))
    }

    /// Returns the path from which a value is taken.
    fn source(&self, name: &str) -> Patched<Arc<str>> {
        let from = Arc::clone(&self.patch.from);
        if from.is_empty() {
            return Err(failed(format!(
                "{name} operation failed to decode from: operation, missing from field: missing value"
            )));
        }
        Ok(from)
    }

    fn relocate(&self, object: &mut Value, path: &str) -> Patched {
        let from = self.source("move")?;
        let mut target = PatchTarget::find(object, &from).ok_or_else(|| {
            failed(format!(
                "move operation does not apply: doc is missing from path: {from}: missing value"
            ))
        })?;
        let key = target.key.clone();
        let in_move = |error| failed(format!("error in move for path: '{key}': {error}"));
        let value = target.get().map_err(in_move)?;
        target.remove().map_err(in_move)?;
        let target = PatchTarget::find(object, path).ok_or_else(|| {
            failed(format!(
                "move operation does not apply: doc is missing destination path: {path}: missing value"
            ))
        })?;
        let added = target.add(value.unwrap_or(Value::Null));
        added.map_err(|error| failed(format!("error in move for path: '{path}': {error}")))
    }

    fn copy(&self, object: &mut Value, path: &str) -> Patched {
        let from = self.source("copy")?;
        let mut target = PatchTarget::find(object, &from).ok_or_else(|| {
            failed(format!(
                "copy operation does not apply: doc is missing from path: {from}: missing value"
            ))
        })?;
        let value = target.get();
        let value =
            value.map_err(|error| failed(format!("error in copy for from: '{from}': {error}")))?;
        let target = PatchTarget::find(object, path).ok_or_else(|| {
            failed(format!(
                "copy operation does not apply: doc is missing destination path: {path}: missing value"
            ))
        })?;
        let added = target.add(value.unwrap_or(Value::Null));
        added.map_err(|error| failed(format!("error while adding value during copy: {error}")))
    }

    fn test(&self, object: &mut Value, path: &str) -> Patched {
        let found = if path.is_empty() {
            Some(object.clone())
        } else {
            let mut target = PatchTarget::find(object, path).ok_or_else(|| {
                failed(format!(
                    "test operation does not apply: is missing path: {path}: missing value"
                ))
            })?;
            let found = target.get();
            found.map_err(|error| failed(format!("error in test for path: '{path}': {error}")))?
        };
        // A missing value or null equals only a missing value.
        let is_same = match (found.unwrap_or(Value::Null), &self.value) {
            (Value::Null, expected) => expected.is_none(),
            (_, None) => false,
            (found, Some(expected)) => same(&found, expected),
        };
        if is_same {
            Ok(())
        } else {
            Err(PatchError::TestFailed)
        }
    }
}

/// Returns whether two values are equal in JSON. Numbers are compared as written. Null is decoded
/// into an empty map or list, so it equals one, but not inside another value.
fn same(left: &Value, right: &Value) -> bool {
    let same_within = |left: &Value, right: &Value| match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Null, _) | (_, Value::Null) => false,
        _ => same(left, right),
    };
    match (left, right) {
        (Value::Map(left), Value::Null) => left.is_empty(),
        (Value::List(left), Value::Null) => left.is_empty(),
        (Value::Map(left), Value::Map(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| {
                    let other = right.get(&key.value());
                    other.is_some_and(|other| same_within(value, other))
                })
        }
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right.iter())
                    .all(|(left, right)| same(left, right))
        }
        _ => left == right,
    }
}

/// The container of the value at a path, and the last part of the path.
struct PatchTarget<'a> {
    container: &'a mut Value,
    key: String,
}

impl<'a> PatchTarget<'a> {
    fn find(object: &'a mut Value, path: &str) -> Option<Self> {
        let mut parts = path.split('/').map(decode);
        parts.next()?;
        let mut key = parts.next()?;
        let mut container = object;
        for next in parts {
            container = match container {
                Value::Map(map) => map.get_str_mut(&key)?,
                Value::List(_) => {
                    let elements = container.as_list_mut()?;
                    let index = index(&key, elements.len()).ok()?;
                    elements.get_mut(index)?
                }
                _ => return None,
            };
            key = next;
        }
        matches!(container, Value::Map(_) | Value::List(_)).then_some(Self { container, key })
    }

    /// Returns the value. An object has none for a key that it does not have.
    fn get(&mut self) -> Result<Option<Value>, String> {
        match &*self.container {
            Value::Map(map) => Ok(map.get_str(&self.key).cloned()),
            Value::List(elements) => {
                let index = index(&self.key, elements.len())?;
                let value = elements.get(index).cloned();
                value.map(Some).ok_or_else(|| invalid(&self.key))
            }
            _ => Ok(None),
        }
    }

    fn set(self, value: Value) -> Result<(), String> {
        if let Value::Map(map) = self.container {
            map.set_str(&self.key, value);
            return Ok(());
        }
        let Some(elements) = self.container.as_list_mut() else {
            return Ok(());
        };
        let index = index(&self.key, elements.len())?;
        let element = elements.get_mut(index).ok_or_else(|| invalid(&self.key))?;
        *element = value;
        Ok(())
    }

    fn add(self, value: Value) -> Result<(), String> {
        if let Value::Map(map) = self.container {
            map.set_str(&self.key, value);
            return Ok(());
        }
        let Some(elements) = self.container.as_list_mut() else {
            return Ok(());
        };
        if self.key == "-" {
            elements.push(value);
            return Ok(());
        }
        if let Err(reason) = number(&self.key) {
            return Err(format!(
                "value was not a proper array index: '{}': {reason}",
                self.key
            ));
        }
        let index = index(&self.key, elements.len() + 1)?;
        if index > elements.len() {
            return Err(invalid(&self.key));
        }
        elements.insert(index, value);
        Ok(())
    }

    fn remove(self) -> Result<(), String> {
        if let Value::Map(map) = self.container {
            let removed = map.take_str(&self.key);
            let missing = || {
                format!(
                    "Unable to remove nonexistent key: {}: missing value",
                    self.key
                )
            };
            return removed.map(drop).ok_or_else(missing);
        }
        let Some(elements) = self.container.as_list_mut() else {
            return Ok(());
        };
        let index = index(&self.key, elements.len())?;
        if index >= elements.len() {
            return Err(invalid(&self.key));
        }
        elements.remove(index);
        Ok(())
    }
}

/// Returns a part of a path: `~1` is a slash and `~0` a tilde.
fn decode(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// Returns the index of an element in a list of that length; a negative one counts from the end.
fn index(key: &str, length: usize) -> Result<usize, String> {
    let number = number(key)?;
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let from_start = if number < 0 { number + length } else { number };
    let index = usize::try_from(from_start).map_err(|_| invalid(key))?;
    if from_start >= length {
        return Err(invalid(key));
    }
    Ok(index)
}

fn number(key: &str) -> Result<i64, String> {
    let digits = key.strip_prefix(['+', '-']).unwrap_or(key);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let key_in_quotes = crate::quote::quote(key);
    if !is_number {
        return Err(format!(
            "strconv.Atoi: parsing {key_in_quotes}: invalid syntax"
        ));
    }
    let out_of_range = |_| format!("strconv.Atoi: parsing {key_in_quotes}: value out of range");
    key.parse().map_err(out_of_range)
}

fn invalid(key: &str) -> String {
    let number = number(key).unwrap_or_default();
    format!("Unable to access invalid index: {number}: invalid index referenced")
}
