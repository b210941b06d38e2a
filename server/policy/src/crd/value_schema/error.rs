//! An error of a value, before it has a path in an object.

use crate::field_error::{ErrorType, FieldError};
use crate::field_path::{FieldPath, FieldStep};
use cel::Value;
use kubernetes::quote::{json_text, quote, to_json};
use std::fmt::Write;

/// An error of a value within the value that is validated.
#[derive(Clone, Debug)]
pub(crate) struct SchemaError {
    /// The path from the value that is validated.
    pub(crate) path: FieldPath,
    /// The type.
    pub(crate) kind: ErrorType,
    /// The value as the server prints it. `None` for errors without one.
    value: Option<String>,
    /// The reason.
    pub(crate) reason: Reason,
}

/// Why a value is wrong.
#[derive(Clone, Debug)]
pub(crate) enum Reason {
    /// The rest of a sentence that begins with the field: `should be at least 2 chars long`.
    InBody(String),
    /// A whole detail. Empty if the type of the error is enough.
    Detail(String),
    /// None of these values.
    Choices(Vec<String>),
    /// A sentence that the server reports of the value that is validated, not of the field.
    Whole(String),
}

impl SchemaError {
    pub(super) fn new(path: FieldPath, kind: ErrorType, reason: Reason) -> Self {
        Self {
            path,
            kind,
            value: None,
            reason,
        }
    }

    pub(super) fn with_value(self, value: String) -> Self {
        Self {
            value: Some(value),
            ..self
        }
    }

    /// Returns the error that the server reports of the value that is validated.
    pub(super) fn whole(path: FieldPath, text: String) -> Self {
        Self::new(path, ErrorType::Invalid, Reason::Whole(text)).with_value("\"\"".to_owned())
    }

    /// Returns the field as in a detail of the server.
    pub(crate) fn name(&self) -> String {
        name(&self.path)
    }

    /// Returns the detail as the server writes it.
    pub(crate) fn detail(&self) -> String {
        match &self.reason {
            Reason::InBody(reason) => format!("{} in body {reason}", self.name()),
            Reason::Detail(detail) | Reason::Whole(detail) => detail.clone(),
            Reason::Choices(choices) => {
                let choices: Vec<String> = choices.iter().map(|text| quote(text)).collect();
                format!("supported values: {}", choices.join(", "))
            }
        }
    }

    /// Returns the string by which the server compares errors.
    pub(super) fn text(&self) -> String {
        match &self.reason {
            Reason::Whole(text) => text.clone(),
            _ => format!("{} {} {}", self.name(), self.kind, self.detail()),
        }
    }

    /// Returns the error of an object with the value at `base`.
    ///
    /// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/validation/validation.go,
    /// kubeOpenAPIResultToFieldErrors.
    pub(super) fn in_field(self, base: &str) -> FieldError {
        let name = match self.reason {
            Reason::Whole(_) => String::new(),
            _ => self.name(),
        };
        let name = name.strip_prefix('.').unwrap_or(&name);
        let field = match (base, name) {
            ("", name) => name.to_owned(),
            (base, "") => base.to_owned(),
            (base, name) => format!("{base}.{name}"),
        };
        let detail = self.detail();
        FieldError::new(field, self.kind, self.value, &detail)
    }
}

/// Returns a path as the validator writes it: with the name of a map's key after a dot, even at
/// the beginning.
pub(super) fn name(path: &FieldPath) -> String {
    let mut text = String::new();
    for (at, step) in path.steps().iter().enumerate() {
        // Writing to a string does not fail.
        let _ = match step {
            FieldStep::Field(name) if at == 0 => write!(text, "{name}"),
            FieldStep::Field(name) | FieldStep::Key(name) => write!(text, ".{name}"),
            FieldStep::Index(index) => write!(text, "[{index}]"),
        };
    }
    text
}

/// Returns a value as errors print it: a string quoted, an object or a list as JSON.
///
/// Upstream: kubernetes/apimachinery, pkg/util/validation/field/errors.go, ErrorBody.
pub(super) fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => quote(text),
        Value::Map(_) | Value::List(_) | Value::Null => json(value),
        other => other.to_string(),
    }
}

/// Returns a value as Go's `json.Marshal` writes it.
pub(super) fn json(value: &Value) -> String {
    json_text(&to_json(value))
}
