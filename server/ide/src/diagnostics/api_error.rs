//! Messages for the errors of the API server's validation: its own messages and plain ones.

mod advice;

use super::document_facts::DocumentFacts;
use policy::validation::{ApiError, ApiRule};

/// Returns the error as the server writes it, without the value.
pub(super) fn upstream(error: &ApiError) -> String {
    let (field, words) = (&error.field, error.kind.prefix());
    match error.detail.as_str() {
        "" => format!("{field}: {words}"),
        detail => format!("{field}: {words}: {detail}"),
    }
}

/// Returns the values that the server supports.
pub(super) fn supported(error: &ApiError) -> Vec<&str> {
    match &error.rule {
        ApiRule::OneOf(values) => values.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Limit: bytes of a value that a message quotes. Longer ones are rarely useful.
const MAX_QUOTED: usize = 63;

/// Returns the message for an error in a value; the server's own message if there is no better one.
pub(super) fn explain(facts: &DocumentFacts<'_>, error: &ApiError) -> String {
    let field = error.path.to_string();
    let value = error.node.map(|node| facts.document.node(node).text());
    let message = match (&error.rule, value.filter(|value| value.len() <= MAX_QUOTED)) {
        (ApiRule::FieldPath(nearest), Some(value)) => Some(field_path(value, nearest.as_deref())),
        (rule, Some(value)) => name_format(rule, &field, value),
        (_, None) => None,
    };
    if let Some(message) = message {
        return message;
    }
    match (&error.rule, error.detail.as_str()) {
        (ApiRule::Wildcard(wildcard), _) => format!(
            "`{wildcard}` in `{field}` includes other entries. Remove `{wildcard}` or the \
             entries that it includes."
        ),
        (ApiRule::DenyAndWarn, _) => {
            "`Deny` and `Warn` report the same failure twice. Remove one of them.".to_owned()
        }
        (ApiRule::ClusterScoped, _) => {
            format!("`{field}` is not allowed because this kind is cluster-scoped.")
        }
        (ApiRule::DefinitionName(expected), _) => format!(
            "The name of a CustomResourceDefinition is its plural and its group: `{expected}`."
        ),
        (ApiRule::NameOrSelector, _) => {
            "`name` and `selector` are mutually exclusive. Remove one of them.".to_owned()
        }
        (ApiRule::DefaultRule, _) => {
            format!("`{field}` cannot be validated: a rule of its schema does not compile.")
        }
        (ApiRule::Default(reason), _) => format!("`{field}` {reason}."),
        (_, "") => format!("`{field}` is not allowed here."),
        (_, detail) => match advice::advice(detail) {
            Some(advice) => format!("`{field}` {advice}"),
            None => format!("`{field}`: {detail}."),
        },
    }
}

/// Returns the message for an invalid field path.
fn field_path(value: &str, nearest: Option<&str>) -> String {
    let help = match nearest {
        Some(nearest) => format!("Did you mean `{nearest}`?"),
        None => "Write the path from the schema of the rule, such as `.name` or `.spec['a.b']`."
            .to_owned(),
    };
    format!("`{value}` is not the path of a field. {help}")
}

/// Returns the message for an invalid name. `None` for other rules.
fn name_format(rule: &ApiRule, field: &str, value: &str) -> Option<String> {
    let (what, form) = match rule {
        ApiRule::DnsSubdomain => (
            "a valid value of",
            "Use lowercase letters, digits, `-` and `.`; begin and end with a letter or a digit.",
        ),
        ApiRule::KindName => (
            "a valid value of",
            "Use letters, digits and `-`; begin with a letter and end with a letter or a digit.",
        ),
        ApiRule::DnsLabel => (
            "a valid value of",
            "Use lowercase letters, digits and `-`; begin with a letter and end with a letter or \
             a digit.",
        ),
        ApiRule::LabelValue => (
            "a valid label value in",
            "Use letters, digits, `-`, `_` and `.`; begin and end with a letter or a digit.",
        ),
        ApiRule::QualifiedName => ("a qualified name in", qualified_name(field)),
        _ => return None,
    };
    Some(format!("`{value}` is not {what} `{field}`. {form}"))
}

/// Returns the form of a qualified name.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
/// validateAuditAnnotation.
fn qualified_name(field: &str) -> &'static str {
    if field.contains("auditAnnotations") {
        return "Use letters, digits, `-`, `_` and `.`; begin and end with a letter or a digit. The \
                server adds the name of the policy and `/` in front.";
    }
    "Use letters, digits, `-`, `_` and `.`; begin and end with a letter or a digit. A domain and \
     `/` may come first."
}
