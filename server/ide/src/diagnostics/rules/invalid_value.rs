#![doc = include_str!("invalid_value.md")]

use super::{cost_budget, missing_field};
use crate::diagnostics::{Finding, RuleContext, api_error};
use policy::field_error::ErrorType;
use policy::validation::{ApiError, ApiRule};
use std::collections::HashSet;
use text::TextRange;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut fields: HashSet<(TextRange, &str)> = HashSet::new();
        let mut rules: HashSet<(TextRange, &ApiRule, &str)> = HashSet::new();
        let errors = &facts.errors;
        for error in errors.iter().filter(|error| is_invalid(error, errors)) {
            // The server reports an empty name twice, and a wrong kind or version under several
            // fields.
            let is_new = fields.insert((error.range, &error.field));
            let detail = match error.rule {
                ApiRule::Other => error.detail.as_str(),
                _ => "",
            };
            if rules.insert((error.range, &error.rule, detail)) && is_new {
                let finding = Finding::new(error.range, api_error::explain(facts, error));
                found.push(finding.upstream(api_error::upstream(error)));
            }
        }
    }
}

/// Returns whether no more specific rule reports the error.
fn is_invalid(error: &ApiError, errors: &[ApiError]) -> bool {
    if cost_budget::is_cost(error) || cost_budget::follows(error, errors) {
        return false;
    }
    let is_field = error.rule != ApiRule::VariableName && !error.rule.is_of_compiler();
    let kind = match error.kind {
        ErrorType::Invalid
        | ErrorType::TypeInvalid
        | ErrorType::Forbidden
        | ErrorType::TooLong
        | ErrorType::TooMany
        | ErrorType::Internal => true,
        ErrorType::Required => missing_field::is_wrong(error),
        ErrorType::Duplicate | ErrorType::NotFound | ErrorType::NotSupported => false,
    };
    is_field && kind && !is_of_status(error)
}

/// Returns whether an error is in a field that the server derives from the versions.
fn is_of_status(error: &ApiError) -> bool {
    error.field == "status.storedVersions"
}

/// Returns whether an error follows from one of the versions.
pub(super) fn follows(error: &ApiError, errors: &[ApiError]) -> bool {
    let mut others = errors.iter().map(|other| other.field.as_str());
    is_of_status(error) && others.any(|field| field.starts_with("spec.version"))
}

#[cfg(test)]
mod tests;
