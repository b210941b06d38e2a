#![doc = include_str!("invalid_value.md")]

use super::{cost_budget, missing_field};
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, api_error};
use kubernetes::names::format::{dns_1035_label, dns_subdomain};
use policy::field_error::ErrorType;
use policy::validation::{ApiError, ApiRule};
use policy::{FieldPath, FieldStep};
use std::collections::HashSet;
use text::TextRange;
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut fields: HashSet<(TextRange, &str)> = HashSet::new();
        let mut rules: HashSet<(TextRange, &ApiRule, &str)> = HashSet::new();
        let errors = &facts.errors;
        for error in errors.iter().filter(|error| is_invalid(error, errors)) {
            // The server reports an empty name twice, and an invalid kind or version under several
            // fields.
            let is_new = fields.insert((error.range, &error.field));
            let detail = match error.rule {
                ApiRule::Other => error.detail.as_str(),
                _ => "",
            };
            if rules.insert((error.range, &error.rule, detail)) && is_new {
                let finding = Finding::new(error.range, api_error::explain(facts, error))
                    .upstream(api_error::upstream(error));
                found.push(with_fix(context, facts, error, finding));
            }
        }
    }
}

/// Adds the fix if the valid value follows from the invalid one.
fn with_fix(
    context: &RuleContext<'_>,
    facts: &DocumentFacts<'_>,
    error: &ApiError,
    finding: Finding,
) -> Finding {
    let node = error.node.map(|node| facts.document.node(node));
    if error.rule == ApiRule::DenyAndWarn {
        let actions = facts.document.binding().and_then(|it| it.actions_at);
        let actions = actions.and_then(|it| facts.document.node(it.node).as_sequence());
        let mut items = actions.into_iter().flat_map(yaml::Sequence::items);
        let warn = items.find(|it| it.text() == "Warn");
        let edit = warn.and_then(|it| context.file.editor().remove_item(it));
        return match edit {
            Some(edit) => finding.fix("Remove `Warn`", vec![edit]),
            None => finding,
        };
    }
    let right = match &error.rule {
        ApiRule::FieldPath(Some(right)) => Some(right),
        ApiRule::DefinitionName(right) if error.field == "metadata.name" => Some(right),
        _ => None,
    };
    if let Some(right) = right {
        return match node.and_then(|node| replace_word(node, right)) {
            Some(edit) => finding.fix(format!("Change to `{right}`"), vec![edit]),
            None => finding,
        };
    }
    if let Some(path) = node.and_then(|it| json_path(error, it.as_str()?)) {
        return match node.and_then(|node| replace_word(node, &path)) {
            Some(edit) => finding.fix(format!("Change to `{path}`"), vec![edit]),
            None => finding,
        };
    }
    let name = node.and_then(|it| Some((it, valid_name(&error.rule, it.as_str()?)?)));
    let edit = name.and_then(|(node, name)| Some((replace_word(node, &name)?, name)));
    match edit {
        Some((edit, name)) => finding.unsafe_fix(format!("Use `{name}`"), vec![edit]),
        None => finding,
    }
}

/// Returns the JSON path for a path without the dot, or in the form of `kubectl`.
fn json_path(error: &ApiError, written: &str) -> Option<String> {
    if error.detail != "must be a simple json path starting with ." {
        return None;
    }
    let inner = written
        .strip_prefix('{')
        .and_then(|it| it.strip_suffix('}'));
    let path = inner
        .unwrap_or(written)
        .trim()
        .trim_start_matches(['$', '.']);
    let mut roots = ["metadata", "spec", "status"].iter();
    let is_path = roots.any(|root| {
        path.strip_prefix(root)
            .is_some_and(|it| it.starts_with('.'))
    });
    is_path.then(|| format!(".{path}"))
}

/// Returns a name in lowercase, with `-` for invalid characters. `None` if it is still not valid.
fn valid_name(rule: &ApiRule, name: &str) -> Option<String> {
    // `ValidatingAdmissionPolicy/name`
    let name_alone = name.trim().rsplit('/').next()?;
    let lower = name_alone.to_ascii_lowercase().replace(['_', ' '], "-");
    let lower = lower.trim_matches(['-', '.']).to_owned();
    let errors = match rule {
        ApiRule::DnsSubdomain => dns_subdomain(&lower),
        ApiRule::DnsLabel => dns_1035_label(&lower),
        _ => return None,
    };
    (errors.is_empty() && lower != name).then_some(lower)
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
        | ErrorType::TooFew
        | ErrorType::Internal => true,
        ErrorType::Required => missing_field::is_wrong(error),
        ErrorType::Duplicate | ErrorType::NotFound | ErrorType::NotSupported => false,
    };
    let is_listed = matches!(error.rule, ApiRule::OneOf(_));
    is_field
        && kind
        && !is_listed
        && !is_derived(error, errors)
        && error.rule != ApiRule::StoredVersions
}

/// Returns whether the expected name of a definition contains an invalid group or plural, or the
/// server does not know that a rule uses `oldSelf`, since it rejects the rule.
fn is_derived(error: &ApiError, errors: &[ApiError]) -> bool {
    if let Some(rule) = error.field.strip_suffix("optionalOldSelf") {
        let is_rule = |other: &ApiError| other.field.strip_prefix(rule) == Some("rule");
        return errors.iter().any(is_rule);
    }
    let is_part =
        |path: &FieldPath| matches!(&*path.to_string(), "spec.group" | "spec.names.plural");
    let mut others = errors.iter();
    matches!(error.rule, ApiRule::DefinitionName(_))
        && others.any(|other| other.rule != error.rule && is_part(&other.path))
}

/// Returns whether an error follows from one of the versions, or from a name.
pub(super) fn follows(error: &ApiError, errors: &[ApiError]) -> bool {
    let mut others = errors.iter();
    if is_derived(error, errors) {
        return true;
    }
    error.rule == ApiRule::StoredVersions && others.any(|other| is_of_versions(&other.path))
}

/// Returns whether a field is `spec.version` or in `spec.versions`.
fn is_of_versions(path: &FieldPath) -> bool {
    matches!(path.steps(), [_, FieldStep::Field(name), ..] if matches!(&**name, "version" | "versions"))
}

#[cfg(test)]
mod tests;
