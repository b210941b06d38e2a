//! The rules of `additionalPrinterColumns`.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go, ValidateCustomResourceColumnDefinition.

use crate::field_error::ErrorType;
use crate::validation::error::{ApiRule, Errors};
use crate::validation::slot::Slot;

const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
const FORMATS: [&str; 8] = [
    "byte",
    "date",
    "date-time",
    "double",
    "float",
    "int32",
    "int64",
    "password",
];

/// Checks the columns of a version.
pub(super) fn check(columns: &Slot<'_, '_>, errors: &mut Errors) {
    for column in columns.items().into_iter().flatten() {
        check_column(&column, errors);
    }
}

fn check_column(column: &Slot<'_, '_>, errors: &mut Errors) {
    let name = column.child("name");
    if name.string() == Some("") {
        errors.required(&name, "");
    }
    let ty = column.child("type");
    let types = format!("must be one of {}", TYPES.join(","));
    match ty.string() {
        Some("") => errors.required(&ty, types),
        Some(text) if !TYPES.contains(&text) => {
            errors.push_rule(ApiRule::one_of(&TYPES), ErrorType::Invalid, &ty, types);
        }
        Some(_) | None => {}
    }
    let format = column.child("format");
    let wrong = |text: &str| !text.is_empty() && !FORMATS.contains(&text);
    if format.string().is_some_and(wrong) {
        let formats = format!("must be one of {}", FORMATS.join(","));
        let rule = ApiRule::one_of(&FORMATS);
        errors.push_rule(rule, ErrorType::Invalid, &format, formats);
    }
    let path = column.child("jsonPath");
    let before = errors.found.len();
    match path.string() {
        Some("") => errors.required(&path, ""),
        Some(text) if !text.starts_with('.') => {
            errors.invalid(&path, "must be a simple json path starting with .");
        }
        Some(_) | None => {}
    }
    // The server's own name of the field differs from that in the file.
    let internal = column.path().child("JSONPath").to_string();
    super::rename(errors, before, &path, &internal);
}
