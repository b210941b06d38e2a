//! An error in a field of an object, as the server reports it.
//!
//! Upstream: kubernetes/apimachinery, pkg/util/validation/field/errors.go.

use std::fmt;

/// The type of an error, named as in the server's `Status` causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorType {
    /// A required value is missing.
    Required,
    /// A value that must be unique is not.
    Duplicate,
    /// A reference to a missing value.
    NotFound,
    /// A malformed value.
    Invalid,
    /// A value of the wrong type.
    TypeInvalid,
    /// A value outside an enumeration.
    NotSupported,
    /// A value that is not allowed here.
    Forbidden,
    /// A string or list that is too long.
    TooLong,
    /// A list with too many items.
    TooMany,
    /// A list with too few items.
    TooFew,
    /// The server fails on a value that it accepted before.
    Internal,
}

impl ErrorType {
    /// Returns the name in a `Status` cause, such as `FieldValueRequired`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ErrorType::Required => "FieldValueRequired",
            ErrorType::Duplicate => "FieldValueDuplicate",
            ErrorType::NotFound => "FieldValueNotFound",
            ErrorType::Invalid => "FieldValueInvalid",
            ErrorType::TypeInvalid => "FieldValueTypeInvalid",
            ErrorType::NotSupported => "FieldValueNotSupported",
            ErrorType::Forbidden => "FieldValueForbidden",
            ErrorType::TooLong => "FieldValueTooLong",
            ErrorType::TooMany => "FieldValueTooMany",
            ErrorType::TooFew => "FieldValueTooFew",
            ErrorType::Internal => "InternalError",
        }
    }

    /// Returns the beginning of the error's message, such as `Required value`.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            ErrorType::Required => "Required value",
            ErrorType::Duplicate => "Duplicate value",
            ErrorType::NotFound => "Not found",
            ErrorType::Invalid | ErrorType::TypeInvalid => "Invalid value",
            ErrorType::NotSupported => "Unsupported value",
            ErrorType::Forbidden => "Forbidden",
            ErrorType::TooLong => "Too long",
            ErrorType::TooMany => "Too many",
            ErrorType::TooFew => "Too few",
            ErrorType::Internal => "Internal error",
        }
    }
}

impl fmt::Display for ErrorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The subject of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorSource {
    /// A value.
    Value,
    /// A rule whose evaluation failed.
    FailedRule,
    /// The rules that are not evaluated because of the other errors.
    UncheckedRules,
}

/// An error of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The path of the field.
    pub field: String,
    /// The type.
    pub kind: ErrorType,
    /// The message, which begins with the type in words.
    pub message: String,
    /// The subject of the error.
    pub source: ErrorSource,
}

impl FieldError {
    /// Returns the error of a field. An empty path is the whole object.
    pub fn new(field: String, kind: ErrorType, value: Option<String>, detail: &str) -> Self {
        let value = value.map_or_else(String::new, |value| format!(": {value}"));
        let colon = if detail.is_empty() { "" } else { ": " };
        let message = format!("{}{value}{colon}{detail}", kind.prefix());
        let field = match field.as_str() {
            "" => "<nil>".to_owned(),
            _ => field,
        };
        Self {
            field,
            kind,
            message,
            source: ErrorSource::Value,
        }
    }
}
