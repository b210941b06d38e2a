//! The validation of objects of built-in kinds.
//!
//! The API server validates an object after the mutating policies and before the validating ones.
//! A table has the rules of each kind, and one pass applies them: see `rules.txt`.
//!
//! Limit: the table has the most common rules of the most common kinds, those of 1.36. It notes
//! what is left out of a kind, and responses repeat that.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/*/validation/validation.go.

mod checks;
mod formats;
mod internal_json;
mod jobs;
mod pass;
mod relations;
mod table;
mod updates;
mod warnings;

use super::fields::get;
use super::request::{Operation, Request};
use super::warning::Warning;
use cel::Value;
use pass::{Pass, Scope};
use policy::field_error::FieldError;
use table::TABLE;

/// Returns the errors of the object of a request. `before` is the object before the policies, if
/// they have changed it.
///
/// A request that the server does not validate may have only a part of an object. Then only the
/// errors that the policies cause count.
pub(super) fn errors(request: &Request, before: Option<&Value>) -> Vec<FieldError> {
    let Some(object) = written(request) else {
        return Vec::new();
    };
    let rows = rows(request);
    if request.validates {
        return errors_by(&rows, request, object);
    }
    let new = before.map(|before| new_errors(&rows, request, object, before));
    new.unwrap_or_default()
}

/// Returns the object that a request creates or updates as a whole.
fn written(request: &Request) -> Option<&Value> {
    let is_written = matches!(request.operation, Operation::Create | Operation::Update);
    let object = request.inputs.object.as_ref();
    object.filter(|_| is_written && request.subresource.is_empty())
}

/// Returns what of the object of a request is not validated, for an object of a built-in kind: words
/// such as "hugepages, Windows options". `None` if everything is.
pub(super) fn not_validated(request: &Request) -> Option<&'static str> {
    if !request.subresource.is_empty() {
        return Some("the values of its fields");
    }
    let kind = kind(request);
    let note = TABLE.notes.get(&*kind).copied();
    let is_known = TABLE.groups.contains_key(&*kind);
    note.or_else(|| (!is_known).then_some("the values of its fields besides the metadata"))
}

/// Returns the kind in a request with its group: `Deployment.apps`.
fn kind(request: &Request) -> String {
    let resource = &request.resource;
    let separator = if resource.group.is_empty() { "" } else { "." };
    format!("{}{separator}{}", resource.kind, resource.group)
}

/// Returns the name of the rows for a request: `Deployment.apps` or `update Deployment.apps`.
fn rows(request: &Request) -> String {
    let kind = kind(request);
    let update = format!("update {kind}");
    let is_update = request.inputs.old_object.is_some();
    if is_update && TABLE.groups.contains_key(&*update) {
        update
    } else {
        kind
    }
}

fn errors_by(rows: &str, request: &Request, object: &Value) -> Vec<FieldError> {
    let scope = Scope {
        value: Some(object),
        old: request.inputs.old_object.as_ref(),
        outer: None,
        path: "",
    };
    let mut pass = Pass::new(&TABLE.groups, rows.starts_with("warn "));
    pass.group(rows, scope);
    pass.errors
}

/// Returns the warnings of the strategy of a kind about a valid object. An update has them if it
/// changes the specification, and an update of a pod has none.
pub(super) fn warnings(request: &Request) -> Vec<Warning> {
    let Some(object) = written(request).filter(|_| request.validates) else {
        return Vec::new();
    };
    let spec = |object: &Value| get(object, "spec").cloned();
    let old = request.inputs.old_object.as_ref();
    if old.is_some_and(|old| request.is_of_pod() || spec(old) == spec(object)) {
        return Vec::new();
    }
    let errors = errors_by(&format!("warn {}", kind(request)), request, object);
    let warning = |error: FieldError| match &*error.field {
        "<nil>" => Warning::from_request(error.message),
        _ => Warning::of_field(error.field, &error.message),
    };
    errors.into_iter().map(warning).collect()
}

/// Returns the errors that an object did not have before the policies.
fn new_errors(rows: &str, request: &Request, object: &Value, before: &Value) -> Vec<FieldError> {
    let known = errors_by(rows, request, before);
    let mut known: Vec<_> = known.iter().map(without_places).collect();
    let mut errors = errors_by(rows, request, object);
    errors.retain(|error| {
        let key = without_places(error);
        let index = known.iter().position(|known| *known == key);
        index.map(|index| known.swap_remove(index)).is_none()
    });
    errors
}

/// Returns an error without list indices, which other elements change.
fn without_places(error: &FieldError) -> (String, String) {
    let path = error.field.chars().filter(|it| !it.is_ascii_digit());
    (path.collect(), error.message.clone())
}

#[cfg(test)]
mod tests;
