//! The checks of a custom resource beyond the rules of its definition, in the order of the server.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/registry/customresource/validator.go;
//! strategy.go and status_strategy.go, Validate and ValidateUpdate.

use super::CrdValidator;
use super::finding::Findings;
use crate::object_meta::FINALIZERS;
use crate::request::{Operation, Request};
use crate::warning::Warning;
use cel::Value;
use kubernetes::names::format;
use kubernetes::quote::quote;
use kubernetes::versions::ServerVersion;
use kubernetes::versions::changes::{CHOICES_BLOCK_RULES, UNCHANGED_MAY_BE_INVALID};
use policy::crd::{ValueSchema, embedded};
use policy::field_error::{ErrorSource, ErrorType, FieldError};
use policy::manifest::{Scale, StringField};
use policy::object_meta::{NameFormat::Subdomain, check, check_update};

/// The detail of the error about rules that the server does not evaluate.
const RULES_NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid; \
                       correct the existing errors to complete validation";

/// A request to create or update a custom resource.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) version: &'a str,
    pub(super) object: &'a Value,
    pub(super) old: Option<&'a Value>,
    pub(super) is_status: bool,
    /// `None` if it is unknown.
    pub(super) is_namespaced: Option<bool>,
    /// Whether the object has the metadata that the server sets.
    pub(super) is_filled_in: bool,
}

impl CrdValidator {
    /// Returns the part of a request that is validated. `None` for other requests.
    pub(super) fn subject<'a>(&self, request: &'a Request) -> Option<Subject<'a>> {
        let version = &request.resource.version;
        let is_status = request.subresource == "status" && self.has_status(version);
        let old = request.inputs.old_object.as_ref();
        Some(Subject {
            version,
            object: request.inputs.object.as_ref()?,
            old: old.filter(|_| request.operation == Operation::Update),
            is_status,
            is_namespaced: request.resource.namespaced,
            is_filled_in: request.fills_in,
        })
        .filter(|_| is_status || request.subresource.is_empty())
    }

    /// Returns the errors of an object that are not from rules, and whether no rule is evaluated
    /// because of them.
    pub(super) fn structural(
        &self,
        subject: &Subject<'_>,
        schema: &ValueSchema,
    ) -> (Vec<FieldError>, bool) {
        let server = self.document.target().server();
        let Subject { object, old, .. } = *subject;
        let mut errors = Vec::new();
        if subject.is_filled_in {
            errors = match old {
                None => check(object, Subdomain, subject.is_namespaced, server),
                Some(old) => check_update(object, old, server),
            };
        }
        let comparable = old.filter(|_| UNCHANGED_MAY_BE_INVALID.applies(server));
        if subject.is_status {
            let field = |object: &'_ Value| object.as_map()?.get_str("status").cloned();
            if let (Some(schema), Some(status)) = (schema.property("status"), field(object)) {
                let old = comparable.and_then(field);
                errors.extend(schema.validate("status", &status, old.as_ref(), server));
            }
        } else {
            errors.extend(schema.validate("", object, comparable, server));
        }
        if let Some(scale) = self.scale(subject.version) {
            errors.extend(scaled(scale, object, subject.is_status));
        }
        if !subject.is_status {
            errors.extend(self.embedded(subject));
        }
        // Lists that were invalid before may remain invalid.
        if old.is_none_or(|old| schema.repeated_elements(old).is_empty()) {
            errors.extend(schema.repeated_elements(object));
        }
        let is_blocked = schema.has_rules() && is_blocking(&errors, server);
        if is_blocked {
            let value = Some("null".to_owned());
            let error =
                FieldError::new(String::new(), ErrorType::Invalid, value, RULES_NOT_CHECKED);
            errors.push(FieldError {
                source: ErrorSource::UncheckedRules,
                ..error
            });
        }
        (errors, is_blocked)
    }

    fn embedded(&self, subject: &Subject<'_>) -> Vec<FieldError> {
        let server = self.document.target().server();
        let schema = self.schema(subject.version);
        schema.map_or_else(Vec::new, |schema| {
            embedded::check(schema, subject.object, server)
        })
    }

    /// Returns `subresources.scale` of a version.
    fn scale(&self, version: &str) -> Option<&Scale> {
        let crd = self.document.crd()?;
        crd.versions.get(crd.position(version)?)?.scale.as_ref()
    }
}

/// Returns whether the server evaluates no rule because of these errors.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/registry/customresource/strategy.go,
/// hasBlockingErr.
fn is_blocking(errors: &[FieldError], server: ServerVersion) -> bool {
    errors.iter().any(|error| match error.kind {
        ErrorType::Required | ErrorType::TooLong | ErrorType::TooMany | ErrorType::TypeInvalid => {
            true
        }
        ErrorType::NotSupported => CHOICES_BLOCK_RULES.applies(server),
        _ => false,
    })
}

/// Returns the errors of the fields that `subresources.scale` names.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/registry/customresource/validator.go,
/// ValidateScaleSpec and ValidateScaleStatus.
fn scaled(scale: &Scale, object: &Value, is_status: bool) -> Vec<FieldError> {
    let of_spec = scale.spec_replicas_path.as_ref().filter(|_| !is_status);
    let mut errors: Vec<FieldError> = [of_spec, scale.status_replicas_path.as_ref()]
        .into_iter()
        .flatten()
        .filter_map(|StringField { text: path, .. }| {
            let (shown, detail) = match nested(object, path, "int64") {
                Err(detail) => ("0".to_owned(), detail),
                Ok(Some(Value::Int(number @ ..0))) => (
                    number.to_string(),
                    "should be a non-negative integer".to_owned(),
                ),
                Ok(Some(Value::Int(number))) if i32::try_from(*number).is_err() => {
                    let most = i32::MAX;
                    (
                        number.to_string(),
                        format!("should be less than or equal to {most}"),
                    )
                }
                Ok(_) => return None,
            };
            Some(invalid(path, shown, &detail))
        })
        .collect();
    if let Some(StringField { text: path, .. }) = &scale.label_selector_path
        && let Err(detail) = nested(object, path, "string")
    {
        errors.push(invalid(path, "\"\"".to_owned(), &detail));
    }
    errors
}

fn invalid(path: &str, value: String, detail: &str) -> FieldError {
    FieldError::new(path.to_owned(), ErrorType::Invalid, Some(value), detail)
}

/// Returns the value at a path such as `.spec.replicas`.
///
/// Upstream: kubernetes/apimachinery, pkg/apis/meta/v1/unstructured/helpers.go, NestedInt64.
///
/// # Errors
/// The server's message if the value has another type.
fn nested<'a>(object: &'a Value, path: &str, ty: &str) -> Result<Option<&'a Value>, String> {
    let path = path.strip_prefix('.').unwrap_or(path);
    let wrong = |at: &str, value: &Value, ty: &str| {
        let (shown, found) = go_value(value);
        format!(".{at} accessor error: {shown} is of the type {found}, expected {ty}")
    };
    let mut value = object;
    let mut end = 0;
    for name in path.split('.') {
        let Value::Map(map) = value else {
            // The message contains the path to the value and the missing field.
            let at = path.get(..end + 1 + name.len()).unwrap_or(path);
            return Err(wrong(at, value, "map[string]interface{}"));
        };
        end += name.len() + usize::from(end > 0);
        match map.get_str(name) {
            None => return Ok(None),
            Some(Value::Null) if end == path.len() => return Err(wrong(path, &Value::Null, ty)),
            Some(Value::Null) => return Ok(None),
            Some(inner) => value = inner,
        }
    }
    if go_value(value).1 == ty {
        Ok(Some(value))
    } else {
        Err(wrong(path, value, ty))
    }
}

/// Returns a value and its type as Go prints them.
fn go_value(value: &Value) -> (String, &'static str) {
    match value {
        Value::Null => ("<nil>".to_owned(), "<nil>"),
        Value::Bool(_) => (value.to_string(), "bool"),
        Value::Int(_) => (value.to_string(), "int64"),
        Value::Double(_) => (value.to_string(), "float64"),
        Value::String(text) => (text.to_string(), "string"),
        Value::List(list) => {
            let items: Vec<String> = list.iter().map(|item| go_value(item).0).collect();
            (format!("[{}]", items.join(" ")), "[]interface {}")
        }
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| {
                let name = kubernetes::defaults::key_text(key).unwrap_or_default();
                format!("{name}:{}", go_value(value).0)
            });
            let mut entries: Vec<String> = entries.collect();
            entries.sort_unstable();
            (
                format!("map[{}]", entries.join(" ")),
                "map[string]interface {}",
            )
        }
        other => (other.to_string(), "interface {}"),
    }
}

impl Findings {
    /// Adds the warnings about finalizers that the old object does not have.
    ///
    /// Upstream: kubernetes/apiextensions-apiserver, pkg/registry/customresource/strategy.go,
    /// generateWarningsFromObj; validator.go, validateKubeFinalizerName.
    pub(super) fn warn_of_finalizers(&mut self, subject: &Subject<'_>) {
        if subject.is_status || !self.errors.is_empty() {
            return;
        }
        let known = subject.old.map(finalizers).unwrap_or_default();
        let mut added = finalizers(subject.object);
        added.retain(|name| !known.contains(name));
        added.sort_unstable();
        added.dedup();
        for name in added {
            let quoted = quote(name);
            let mut warn = |detail: &str| {
                let detail = format!("{quoted}: {detail}");
                let field = "metadata.finalizers".to_owned();
                self.warnings.push(Warning::of_field(field, &detail));
            };
            for detail in format::qualified_name(name) {
                warn(&detail);
            }
            if name.contains('/') || FINALIZERS.contains(&name) {
                continue;
            }
            let path = if name.contains('.') {
                " including a path (/)"
            } else {
                ""
            };
            warn(&format!(
                "prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with \
                 other finalizer writers"
            ));
        }
    }
}

fn finalizers(object: &Value) -> Vec<&str> {
    let list = || {
        let metadata = object.as_map()?.get_str("metadata")?.as_map()?;
        metadata.get_str("finalizers")?.as_list()
    };
    let list = list().into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}
