//! The CEL types of mutations.
//!
//! An apply configuration is an `Object` with a type per field path, `Object.spec.template`, and
//! accepts any field. A JSON patch is a list of `JSONPatch` with four fields. Neither has the
//! schema of the object.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/mutation/typeresolver.go.

mod base64;
pub mod custom;
pub mod decode;
mod element;
mod error;
mod go_types;
mod json;
mod json_patch;
pub mod merge;
mod merge_type;
pub mod native;
pub mod numbers;
mod object;
pub mod patch;
mod strict;
mod time;
mod typed;

pub use error::MutationError;
pub use json_patch::JsonPatch;
pub use merge_type::has_merge_type;
pub use object::Object;

use cel::types::Type;
use cel::value::{EvalError, Value};
use std::sync::Arc;

/// The name of the type of an apply configuration, and the beginning of those within.
pub const OBJECT: &str = "Object";

/// The name of the type of an operation of a JSON patch.
pub const JSON_PATCH: &str = "JSONPatch";

/// Returns whether a name is `JSONPatch`, `Object` or a nested type such as `Object.spec`.
#[must_use]
pub fn is_patch_type(name: &str) -> bool {
    name == JSON_PATCH
        || name
            .strip_prefix(OBJECT)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the type of a field. Any name is a field of an `Object`.
///
/// Kubernetes accepts any name as a field of a `JSONPatch`, without a type for unknown ones: no
/// value is assignable to it, and it prints as an empty string.
///
/// Upstream: kubernetes/apiserver, pkg/cel/mutation/jsonpatch.go, `Field`.
#[must_use]
pub fn field_type(type_name: &str, field: &str) -> Option<Type> {
    if type_name == JSON_PATCH {
        let known = json_patch::field_type(field);
        Some(known.unwrap_or_else(|| Type::Param("".into())))
    } else {
        Some(Type::Dyn)
    }
}

/// Returns the names of the fields, if they are known.
#[must_use]
pub fn field_names(type_name: &str) -> &'static [&'static str] {
    if type_name == JSON_PATCH {
        json_patch::FIELDS
    } else {
        &[]
    }
}

/// Returns a value of one of the types.
///
/// # Errors
/// A field does not accept its value.
pub fn new_value(type_name: &str, fields: Vec<(Arc<str>, Value)>) -> Result<Value, EvalError> {
    if type_name == JSON_PATCH {
        JsonPatch::new(fields).map(Value::opaque)
    } else {
        Ok(Value::opaque(Object::new(type_name, fields)))
    }
}
