//! The checks of a value without its content: type, `enum`, strings.
//!
//! Upstream: kubernetes/kube-openapi, pkg/validation/validate/type.go; validator.go;
//! formats.go.

use super::ValueSchema;
use super::error::{Reason, SchemaError, json, printed};
use super::formats::Format;
use super::numbers::is_integer;
use super::validate::Outcome;
use crate::field_error::ErrorType;
use crate::field_path::PathRef;
use cel::Value;
use cel::regex::Regex;
use kubernetes::quote::quote;

impl ValueSchema {
    /// Checks the type of a value. The server also compares the format of a value that has one.
    pub(super) fn check_type(&self, value: &Value, path: PathRef<'_>) -> Outcome {
        let takes = |name: &str| self.types.contains(&name);
        let (found, found_format) = json_type(value);
        let is_whole = match value {
            Value::Double(number) => is_integer(*number) && takes("integer"),
            Value::Int(_) | Value::Uint(_) => takes("number"),
            _ => false,
        };
        let fits = takes(found) || is_whole;
        let has_format = !self.format.is_empty();
        let wrong = match value {
            Value::Null if self.types.is_empty() || self.is_nullable => None,
            Value::Null => Some((self.types.join(","), found)),
            Value::String(_) | Value::List(_)
                if has_format && !takes("number") && !takes("integer") =>
            {
                None
            }
            Value::String(_) | Value::List(_) if fits => None,
            Value::String(_) | Value::List(_) => Some((self.types.join(","), found)),
            _ if has_format && !fits && *self.format != *found_format => {
                Some((self.format.to_string(), found_format))
            }
            _ if fits => None,
            _ => Some((self.types.join(","), found)),
        };
        match wrong {
            None => Outcome::valid(),
            Some((wanted, found)) => Outcome::new(wrong_type(path, &wanted, found)),
        }
    }

    /// Checks that a value is one of `enum`. No value of `enum` equals null.
    pub(super) fn check_choices(&self, value: &Value, path: PathRef<'_>) -> Outcome {
        if self.choices.is_empty() || self.choices.iter().any(|choice| is_choice(value, choice)) {
            return Outcome::default();
        }
        let choices = self.choices.iter().map(|choice| match choice {
            Value::String(text) => text.to_string(),
            other => json(other),
        });
        let reason = Reason::Choices(choices.collect());
        let error = SchemaError::new(path.to_path(), ErrorType::NotSupported, reason);
        Outcome::new(error.with_value(printed(value)))
    }

    /// Checks the length of a string and its pattern, and reports the first error.
    pub(super) fn check_text(&self, text: &str, path: PathRef<'_>) -> Outcome {
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        if let Some(max) = self.characters.max.filter(|max| length > *max) {
            let bytes = if max == 1 { "byte" } else { "bytes" };
            let reason = Reason::Detail(format!("may not be more than {max} {bytes}"));
            let error = SchemaError::new(path.to_path(), ErrorType::TooLong, reason);
            return Outcome::new(error);
        }
        let min = self.characters.min.filter(|min| length < *min);
        let reason = match (min, &self.pattern) {
            (Some(min), _) => format!("should be at least {min} chars long"),
            (None, Some(pattern)) if !pattern.matches(text) => {
                format!("should match '{}'", pattern.text)
            }
            _ => return Outcome::default(),
        };
        let reason = Reason::InBody(reason);
        let error = SchemaError::new(path.to_path(), ErrorType::Invalid, reason);
        Outcome::new(error.with_value(quote(text)))
    }

    /// Checks the format of a string.
    pub(super) fn check_format(&self, format: &Format, text: &str, path: PathRef<'_>) -> Outcome {
        if format.validates(text) {
            Outcome::default()
        } else {
            Outcome::new(wrong_type(path, &self.format, text))
        }
    }
}

impl super::Pattern {
    fn matches(&self, text: &str) -> bool {
        let regex = self.regex.get_or_init(|| Regex::new(&self.text).ok());
        regex.as_ref().is_none_or(|regex| regex.is_match(text))
    }
}

fn wrong_type(path: PathRef<'_>, wanted: &str, found: &str) -> SchemaError {
    let found = quote(found);
    let reason = Reason::InBody(format!("must be of type {wanted}: {found}"));
    SchemaError::new(path.to_path(), ErrorType::TypeInvalid, reason).with_value(found)
}

/// Returns the type of a value in JSON, and the format of a number.
fn json_type(value: &Value) -> (&'static str, &'static str) {
    match value {
        Value::Null => ("null", ""),
        Value::Bool(_) => ("boolean", ""),
        Value::Int(_) | Value::Uint(_) => ("integer", "int64"),
        Value::Double(_) => ("number", "float64"),
        Value::List(_) => ("array", ""),
        Value::Map(_) => ("object", ""),
        _ => ("string", ""),
    }
}

/// Returns whether a value equals one of `enum`, once it is converted to its type.
// As Go converts the numbers.
fn is_choice(value: &Value, choice: &Value) -> bool {
    match (value, choice) {
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Int(value), Value::Double(choice)) => *value as f64 == *choice,
        (Value::Double(value), Value::Int(choice)) => *value as i64 == *choice,
        // Go converts an integer to the letter of that number.
        (Value::Int(value), Value::String(choice)) => {
            let letter = u32::try_from(*value).ok().and_then(char::from_u32);
            choice.chars().eq([letter.unwrap_or('\u{fffd}')])
        }
        (value, choice) => value == choice,
    }
}
