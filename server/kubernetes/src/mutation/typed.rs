//! Validation of an apply configuration, and of the object that it is merged into, by the schema of
//! the object.
//!
//! Upstream: kubernetes-sigs/structured-merge-diff, typed/validate.go; kubernetes/apiserver,
//! pkg/admission/plugin/policy/mutating/patch/smd.go, ApplyStructuredMergeDiff and findAtomics.

use super::element;
use super::json_patch::go_type;
use super::native::Unread;
use crate::openapi::{Schema, SchemaType};
use crate::quote::quote;
use crate::versions::ServerVersion;
use crate::versions::bugs::DUPLICATES_NOT_APPLIED;
use cel::value::{Key, Map, Value};
use std::collections::HashSet;

/// Limit: the depth to which a configuration is visited.
const MAX_DEPTH: usize = 200;

/// The beginning of the server's message for a duplicate element of a list.
const DUPLICATE: &str = "duplicate entries for key";

/// An error: its path, and the message of the server.
struct TypedError {
    path: String,
    message: String,
}

/// The value that is converted into a typed one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// An apply configuration. A null is a Go number, since every result of an expression is a Go
    /// value.
    Configuration,
    /// The object that is changed. A null is a missing value.
    Object,
}

/// Returns the errors of a configuration, as the server lists them. `None` without errors.
pub(super) fn errors(schema: Schema<'_>, configuration: &Value) -> Option<String> {
    listed(&Check::run(Subject::Configuration, schema, configuration))
}

/// Returns why a configuration cannot be merged into an object, as the server lists it. `None` if
/// it can. An object of a built-in kind has been decoded into its Go type, so it fits.
pub(super) fn errors_of_object(
    schema: Schema<'_>,
    object: &Value,
    server: ServerVersion,
) -> Option<String> {
    let (is_built_in, is_strict) = (schema.is_built_in(), DUPLICATES_NOT_APPLIED.affects(server));
    if is_built_in && !is_strict {
        return None;
    }
    let mut found = Check::run(Subject::Object, schema, object);
    found.retain(|it| {
        let is_duplicate = it.message.starts_with(DUPLICATE);
        if is_duplicate {
            is_strict
        } else {
            !is_built_in
        }
    });
    listed(&found)
}

fn listed(found: &[TypedError]) -> Option<String> {
    let lines: Vec<String> = found
        .iter()
        .map(|TypedError { path, message }| {
            if path.is_empty() {
                message.clone()
            } else {
                format!("{path}: {message}")
            }
        })
        .collect();
    match lines.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        _ => Some(format!("errors:\n  {}", lines.join("\n  "))),
    }
}

/// The errors of a value.
struct Check {
    subject: Subject,
    path: String,
    found: Vec<TypedError>,
}

impl Check {
    fn run(subject: Subject, schema: Schema<'_>, value: &Value) -> Vec<TypedError> {
        let mut check = Self {
            subject,
            path: String::new(),
            found: Vec::new(),
        };
        check.value(schema, value, 0);
        check.found
    }

    fn error(&mut self, message: impl Into<String>) {
        self.found.push(TypedError {
            path: self.path.clone(),
            message: message.into(),
        });
    }

    /// Visits a value within, whose name is added to the path.
    fn within(&mut self, name: &str, visit: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(name);
        visit(self);
        self.path.truncate(length);
    }

    /// Returns whether a value counts as missing.
    fn is_missing(&self, value: &Value) -> bool {
        self.subject == Subject::Object && matches!(value, Value::Null)
    }

    fn value(&mut self, schema: Schema<'_>, value: &Value, depth: usize) {
        if depth > MAX_DEPTH || self.is_missing(value) {
            return;
        }
        let message = match (schema.ty(), value) {
            (SchemaType::Object, Value::Map(map)) => return self.fields(schema, map, depth),
            (SchemaType::Array, Value::List(list)) => return self.elements(schema, list, depth),
            (SchemaType::Any, _) => return self.deduced(value, depth),
            (SchemaType::Object, _) => Some(format!("expected map, got {}", self.shown(value))),
            (SchemaType::Array, _) => Some(format!("expected list, got {}", self.shown(value))),
            (ty, _) => self.scalar(ty, schema.format(), value),
        };
        if let Some(message) = message {
            self.error(message);
        }
    }

    /// Returns the error of a value where a scalar is expected.
    fn scalar(&self, ty: SchemaType, format: Option<&str>, value: &Value) -> Option<String> {
        let is_number = is_number(value);
        let is_text = matches!(value, Value::String(_));
        let is_bool = matches!(value, Value::Bool(_));
        match ty {
            SchemaType::Integer | SchemaType::Number => {
                let found = match value {
                    Value::List(_) => "[]interface {}",
                    Value::Map(_) => "map[string]interface {}",
                    Value::Opaque(_) if unread(value).is_some() => {
                        unread(value).map_or("", |inner| go_type(inner))
                    }
                    other => go_type(other),
                };
                let message = || format!("expected numeric (int or float), got {found}");
                (!is_number).then(message)
            }
            SchemaType::Boolean => {
                (!is_bool).then(|| format!("expected boolean, got {}", self.shown(value)))
            }
            SchemaType::String if matches!(format, None | Some("byte")) => {
                let shown = || format!("&value.valueUnstructured{{Value:{}}}", self.go(value));
                (!is_text).then(|| format!("expected string, got {}", shown()))
            }
            _ => {
                let message = || format!("expected any scalar, got {}", self.shown(value));
                (!is_number && !is_text && !is_bool).then(message)
            }
        }
    }

    /// Checks a value that no schema describes: any JSON.
    ///
    /// Upstream: kubernetes/kube-openapi, pkg/schemaconv/smd.go, deducedDef and untypedDef.
    fn deduced(&mut self, value: &Value, depth: usize) {
        if depth > MAX_DEPTH || self.is_missing(value) {
            return;
        }
        match value {
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    let Key::String(key) = key else { continue };
                    self.within(&format!(".{key}"), |it| it.deduced(value, depth + 1));
                }
            }
            Value::List(list) => {
                for (index, value) in list.iter().enumerate() {
                    self.within(&format!("[{index}]"), |it| it.deduced(value, depth + 1));
                }
            }
            Value::String(_) | Value::Bool(_) => {}
            _ if is_number(value) => {}
            _ => self.error(format!("expected map, got {}", self.shown(value))),
        }
    }

    /// Checks the fields of an object. The server stops at one that the schema does not have.
    fn fields(&mut self, schema: Schema<'_>, map: &Map, depth: usize) {
        for (key, value) in map.iter() {
            let Key::String(key) = key else { continue };
            let property = schema.property(key);
            let field = property.or_else(|| schema.additional_properties());
            let is_declared = field.is_some() || is_open(schema);
            self.within(&format!(".{key}"), |it| match field {
                Some(field) => it.value(field, value, depth + 1),
                None if is_declared => it.deduced(value, depth + 1),
                None => it.error("field not declared in schema"),
            });
            if !is_declared {
                return;
            }
        }
    }

    fn elements(&mut self, schema: Schema<'_>, list: &[Value], depth: usize) {
        let Some(items) = schema.items() else { return };
        let mut seen = HashSet::new();
        for (index, value) in list.iter().enumerate() {
            let name = if schema.is_atomic() {
                Ok(format!("[{index}]"))
            } else if self.is_missing(value) {
                Err(element::null(schema).to_owned())
            } else {
                element::name(schema, value)
            };
            let name = match name {
                Ok(name) => name,
                Err(reason) => return self.error(format!("element {index}: {reason}")),
            };
            if !schema.is_atomic() && !seen.insert(name.clone()) {
                self.error(format!("{DUPLICATE} {name}"));
            }
            self.within(&name, |it| it.value(items, value, depth + 1));
        }
    }

    /// Returns a value as the server prints it where it expects another type.
    fn shown(&self, value: &Value) -> String {
        format!("&{{{}}}", self.printed(value))
    }

    fn printed(&self, value: &Value) -> String {
        match value {
            Value::Null if self.subject == Subject::Object => "<nil>".to_owned(),
            Value::Null => "NULL_VALUE".to_owned(),
            Value::List(elements) => {
                let texts: Vec<String> = elements.iter().map(|it| self.printed(it)).collect();
                format!("[{}]", texts.join(" "))
            }
            Value::Map(map) => {
                let mut texts: Vec<String> = map
                    .iter()
                    .map(|(key, value)| format!("{}:{}", key.value(), self.printed(value)))
                    .collect();
                texts.sort();
                format!("map[{}]", texts.join(" "))
            }
            other => other.to_string(),
        }
    }

    /// Returns a value in the syntax of Go.
    fn go(&self, value: &Value) -> String {
        match value {
            Value::Null if self.subject == Subject::Object => "interface {}(nil)".to_owned(),
            Value::Null => "0".to_owned(),
            Value::Uint(number) => format!("{number:#x}"),
            Value::String(text) => quote(text),
            Value::Bytes(bytes) => {
                let texts: Vec<String> = bytes.iter().map(|byte| format!("{byte:#x}")).collect();
                format!("[]uint8{{{}}}", texts.join(", "))
            }
            Value::List(elements) => {
                let texts: Vec<String> = elements.iter().map(|it| self.go(it)).collect();
                format!("[]interface {{}}{{{}}}", texts.join(", "))
            }
            Value::Map(map) => {
                let entry = |(key, value): (&Key, &Value)| {
                    let key = key.value();
                    format!(
                        "{}:{}",
                        quote(key.as_str().unwrap_or_default()),
                        self.go(value)
                    )
                };
                let mut texts: Vec<String> = map.iter().map(entry).collect();
                texts.sort();
                format!("map[string]interface {{}}{{{}}}", texts.join(", "))
            }
            other => other.to_string(),
        }
    }
}

/// Returns whether a value is a number for the merge, which does not support `uint`.
fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Double(_))
}

/// Returns a part that stays a CEL value.
fn unread(value: &Value) -> Option<&Value> {
    value.downcast::<Unread>().map(|unread| &unread.0)
}

/// Returns whether an object accepts any field.
pub(super) fn is_open(schema: Schema<'_>) -> bool {
    schema.preserves_unknown_fields() || schema.properties().len() == 0
}

/// The type of objects for which the server has no schema.
pub(super) const RAW: &str = "io.k8s.apimachinery.pkg.runtime.RawExtension";

/// Returns whether a map or an object is atomic.
pub(super) fn is_atomic_map(schema: Schema<'_>) -> bool {
    match schema.ty() {
        SchemaType::Any => false,
        SchemaType::Object => schema.is_atomic() || schema.type_name() == Some(RAW),
        _ => true,
    }
}

/// Returns the paths of lists, maps and objects that a configuration cannot set, since they would
/// be replaced as a whole.
pub(super) fn atomics(schema: Schema<'_>, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    find_atomics(schema, value, &mut String::new(), 0, &mut found);
    found
}

fn find_atomics(
    schema: Schema<'_>,
    value: &Value,
    path: &mut String,
    depth: usize,
    found: &mut Vec<String>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    let length = path.len();
    match (schema.ty(), value) {
        (SchemaType::Any, Value::List(_)) => found.push(path.clone()),
        (SchemaType::Object, Value::Map(map)) => {
            if is_atomic_map(schema) {
                found.push(path.clone());
            }
            for (key, value) in map.iter() {
                let Key::String(key) = key else { continue };
                if let Some(field) = schema.property(key) {
                    path.push('.');
                    path.push_str(key);
                    find_atomics(field, value, path, depth + 1, found);
                    path.truncate(length);
                }
            }
        }
        (SchemaType::Array, Value::List(list)) => {
            if schema.is_atomic() {
                found.push(path.clone());
            }
            let Some(items) = schema.items() else { return };
            for (index, value) in list.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                find_atomics(items, value, path, depth + 1, found);
                path.truncate(length);
            }
        }
        _ => {}
    }
}
