//! The conversion of an `Object` to plain data, which the server then merges.
//!
//! It converts a list or a map literal of an expression one level deep. A literal inside it, such
//! as the map in `[{'name': 'a'}]`, remains a CEL value, which the merge recognizes as neither.
//! Values from the objects of the request already are plain data, at any depth.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/mutation/dynamic/objects.go, ConvertToNative and
//! convertField.

use super::Object;
use crate::versions::ServerVersion;
use cel::types::Type;
use cel::value::{Key, Opaque, Value};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// The empty list of an apply configuration. In Go it is a nil slice: a list for expressions and
/// for validation, but null in JSON.
static NIL: LazyLock<Value> = LazyLock::new(|| Value::list(Vec::new()));

/// The lists and maps of the objects of a request, by their memory addresses.
pub struct Natives<'a> {
    roots: Vec<&'a Value>,
    places: OnceCell<HashSet<usize>>,
    server: ServerVersion,
}

/// A list or a map that stays a value of CEL.
#[derive(Debug)]
pub(super) struct Unread(pub(super) Value);

impl<'a> Natives<'a> {
    /// Returns those of these objects, on a server.
    pub fn new(roots: impl IntoIterator<Item = &'a Value>, server: ServerVersion) -> Self {
        Self {
            roots: roots.into_iter().collect(),
            places: OnceCell::new(),
            server,
        }
    }

    /// Returns the server that mutates.
    pub fn server(&self) -> ServerVersion {
        self.server
    }

    fn hold(&self, value: &Value) -> bool {
        let places = self.places.get_or_init(|| {
            let mut places = HashSet::new();
            for root in &self.roots {
                collect(root, &mut places);
            }
            places
        });
        value.address().is_some_and(|place| places.contains(&place))
    }
}

fn collect(value: &Value, places: &mut HashSet<usize>) {
    places.extend(value.address());
    match value {
        Value::List(elements) => elements.iter().for_each(|it| collect(it, places)),
        Value::Map(map) => map.iter().for_each(|(_, it)| collect(it, places)),
        _ => {}
    }
}

/// Returns the fields of an object, as plain data.
pub fn read(object: &Object, natives: &Natives<'_>) -> Value {
    let fields = object.fields().iter();
    let entries =
        fields.map(|(name, value)| (Key::String(Arc::clone(name)), field(value, natives)));
    Value::Map(entries.collect())
}

fn field(value: &Value, natives: &Natives<'_>) -> Value {
    match value {
        Value::List(_) | Value::Map(_) if natives.hold(value) => without_nulls(value),
        Value::List(elements) if elements.is_empty() => NIL.clone(),
        Value::List(elements) => {
            let elements = elements.iter().map(|element| inner(element, natives));
            Value::list(elements.collect())
        }
        Value::Map(map) => {
            let entries = map.iter();
            Value::Map(
                entries
                    .map(|(key, value)| (key.clone(), inner(value, natives)))
                    .collect(),
            )
        }
        other => inner(other, natives),
    }
}

/// Converts an element of a list or a map.
fn inner(value: &Value, natives: &Natives<'_>) -> Value {
    match value {
        Value::List(_) | Value::Map(_) if natives.hold(value) => without_nulls(value),
        Value::List(_) | Value::Map(_) => Value::opaque(Unread(value.clone())),
        _ => match value.downcast::<Object>() {
            Some(object) => read(object, natives),
            None => value.clone(),
        },
    }
}

/// Writes an object as JSON has it: the empty list of an apply configuration is null.
pub fn encode(object: &mut Value) {
    if !has_nil(object) {
        return;
    }
    match object {
        Value::Map(map) => map.iter_mut().for_each(|(_, it)| encode(it)),
        Value::List(elements) if elements.is_empty() => *object = Value::Null,
        Value::List(elements) => elements.elements_mut().iter_mut().for_each(encode),
        _ => {}
    }
}

/// Returns whether a value has an empty list of an apply configuration.
#[must_use]
pub fn has_nil(value: &Value) -> bool {
    match value {
        Value::List(elements) if elements.is_empty() => value.address() == NIL.address(),
        Value::List(elements) => elements.iter().any(has_nil),
        Value::Map(map) => map.iter().any(|(_, it)| has_nil(it)),
        _ => false,
    }
}

/// Returns the value without null fields: unlike the null of an expression, they count as missing.
fn without_nulls(value: &Value) -> Value {
    if !has_null(value) {
        return value.clone();
    }
    match value {
        Value::List(elements) => Value::list(elements.iter().map(without_nulls).collect()),
        Value::Map(map) => {
            let entries = map.iter().filter(|(_, it)| !matches!(it, Value::Null));
            Value::Map(
                entries
                    .map(|(key, it)| (key.clone(), without_nulls(it)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::List(elements) => elements.iter().any(has_null),
        Value::Map(map) => map.iter().any(|(_, it)| has_null(it)),
        _ => false,
    }
}

impl Opaque for Unread {
    fn ty(&self) -> Type {
        self.0.ty()
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| self.0 == other.0)
    }

    fn equals_value(&self, other: &Value) -> Option<bool> {
        Some(matches!(other, Value::Opaque(other) if self.equals(&**other)))
    }

    fn display(&self) -> String {
        self.0.to_string()
    }

    fn go_type(&self) -> &'static str {
        "map[string]interface {}"
    }
}
