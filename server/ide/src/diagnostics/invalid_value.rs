#![doc = include_str!("invalid_value.md")]

use super::{Finding, RuleContext, api_error, missing_field};
use policy::rules::{ApiError, ErrorSource, ErrorType};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut before: Option<&ApiError> = None;
        for error in facts.errors.iter().filter(|error| is_invalid(error)) {
            // The server says of an empty name what lacks and, again, what it should be.
            let same = before
                .is_some_and(|before| before.range == error.range && before.field == error.field);
            before = Some(error);
            if !same {
                let finding = Finding::new(error.range, api_error::plain(error));
                found.push(finding.upstream(api_error::upstream(error)));
            }
        }
    }
}

/// Whether no rule with more to say takes the error.
fn is_invalid(error: &ApiError) -> bool {
    let field = match error.source {
        ErrorSource::Field => true,
        ErrorSource::VariableName | ErrorSource::Compiler => false,
    };
    let kind = match error.kind {
        ErrorType::Invalid
        | ErrorType::TypeInvalid
        | ErrorType::Forbidden
        | ErrorType::TooLong
        | ErrorType::TooMany
        | ErrorType::Internal => true,
        ErrorType::Required => missing_field::too_long(error),
        ErrorType::Duplicate | ErrorType::NotSupported => false,
    };
    field && kind
}

#[cfg(test)]
mod tests;
