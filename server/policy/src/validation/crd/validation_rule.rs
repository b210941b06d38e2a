//! The rules of `x-kubernetes-validations`.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go,
//! ValidateCustomResourceDefinitionOpenAPISchema.

use super::field_path;
use crate::field_error::ErrorType;
use crate::json_schema::JsonSchema;
use crate::validation::error::{ApiRule, Errors};
use crate::validation::resources::check_enumeration;
use crate::validation::slot::Slot;
use kubernetes::names::format::has_line_break;

const REASONS: [&str; 4] = [
    "FieldValueDuplicate",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueRequired",
];

/// Checks the strings of a rule of `schema`. Its expressions are compiled only if the schema is valid.
pub(super) fn check(rule: &Slot<'_, '_>, schema: Option<JsonSchema<'_>>, errors: &mut Errors) {
    check_message(rule, errors);
    let message_expression = rule.child("messageExpression");
    if message_expression.is_blank() {
        errors.required(
            &message_expression,
            "messageExpression must be non-empty if specified",
        );
    }
    check_enumeration(&rule.child("reason"), &REASONS, errors);
    let field_path = rule.child("fieldPath");
    if field_path.is_blank() {
        errors.invalid(&field_path, "must be non-empty if specified");
    }
    if field_path.string().is_some_and(has_line_break) {
        errors.invalid(&field_path, "must not contain line breaks");
    }
    let path = field_path.string().filter(|path| !path.is_empty());
    if let (Some(path), Some(schema)) = (path, schema)
        && !field_path::is_valid(path, schema)
    {
        let rule = ApiRule::FieldPath(field_path::nearest(path, schema));
        errors.push_rule(
            rule,
            ErrorType::Invalid,
            &field_path,
            "must be a valid path",
        );
    }
}

fn check_message(rule: &Slot<'_, '_>, errors: &mut Errors) {
    let expression = rule.child("rule");
    let message = rule.child("message");
    let (Some(expression_text), Some(text)) = (expression.string(), message.string()) else {
        return;
    };
    if expression_text.trim().is_empty() {
        errors.required(&expression, "rule is not specified");
    } else if message.is_blank() {
        errors.invalid(&message, "must be non-empty if specified");
    } else if has_line_break(text.trim()) {
        errors.invalid(&message, "must not contain line breaks");
    } else if has_line_break(expression_text.trim()) && text.trim().is_empty() {
        errors.push_rule(
            ApiRule::MultilineRule,
            ErrorType::Required,
            &message,
            "message must be specified if rule contains line breaks",
        );
    }
}
