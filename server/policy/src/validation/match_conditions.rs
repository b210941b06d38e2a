//! The rules of match conditions, of policies and webhooks alike.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateMatchConditions.

use super::Check;
use super::error::{ApiRule, Errors};
use super::slot::Slot;
use kubernetes::names::format::qualified_name;
use std::collections::HashSet;

/// Limit: match conditions of a policy or a webhook.
pub(crate) const MAX_MATCH_CONDITIONS: usize = 64;

/// Checks a list of match conditions.
pub(super) fn check(check: &Check<'_>, conditions: &Slot<'_, '_>, errors: &mut Errors) {
    let Some(items) = conditions.items() else {
        return;
    };
    if items.len() > MAX_MATCH_CONDITIONS {
        errors.too_many(conditions, MAX_MATCH_CONDITIONS);
    }
    let mut names = HashSet::new();
    for condition in items {
        let expression = condition.child("expression");
        if expression
            .string()
            .is_some_and(|text| text.trim().is_empty())
        {
            errors.required(&expression, "");
        }
        check.compile(&expression, errors);
        let name = condition.child("name");
        match name.string() {
            None => {}
            Some("") => errors.required(&name, ""),
            Some(text) => {
                errors.all_invalid(&ApiRule::QualifiedName, &name, qualified_name(text));
                if !names.insert(text) {
                    errors.duplicate(&name);
                }
            }
        }
    }
}
