//! Messages for the errors of the API server's validation: the server's own and plain ones.

use super::document_facts::DocumentFacts;
use policy::FieldPath;
use policy::validation::{ApiError, ApiRule};

/// Returns the error as the server writes it, without the value.
pub(super) fn upstream(error: &ApiError) -> String {
    let (field, words) = (&error.field, error.kind.words());
    match error.detail.as_str() {
        "" => format!("{field}: {words}"),
        detail => format!("{field}: {words}: {detail}"),
    }
}

/// Returns the path of the field in the file.
///
/// The server reports an error in a schema, columns or subresources that all versions of a
/// definition share under the fields that they had in the first versions of the API.
pub(super) fn field(error: &ApiError) -> String {
    const SHARED: [(&str, &str); 6] = [
        ("spec.validation.", "spec.versions[0].schema."),
        ("spec.selectableFields", "spec.versions[0].selectableFields"),
        (
            "spec.conversion.webhookClientConfig",
            "spec.conversion.webhook.clientConfig",
        ),
        (
            "spec.conversion.conversionReviewVersions",
            "spec.conversion.webhook.conversionReviewVersions",
        ),
        (
            "spec.additionalPrinterColumns",
            "spec.versions[0].additionalPrinterColumns",
        ),
        ("spec.subresources", "spec.versions[0].subresources"),
    ];
    let field = error.field.as_str();
    if field == "spec.version" {
        return "spec.versions[0].name".to_owned();
    }
    let written = SHARED
        .iter()
        .find_map(|(read, written)| Some((written, field.strip_prefix(read)?)));
    match written {
        Some((written, rest)) => format!("{written}{rest}"),
        None => field.to_owned(),
    }
}

/// Returns the parsed path of the field in the file.
pub(super) fn path(error: &ApiError) -> Option<FieldPath> {
    FieldPath::parse(&field(error))
}

/// Returns the values that the server supports.
pub(super) fn supported(error: &ApiError) -> Vec<&str> {
    match &error.rule {
        ApiRule::OneOf(values) => values.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Limit: bytes of a value that a message quotes. Longer ones are too long, mostly.
const MAX_QUOTED: usize = 63;

/// Returns what is wrong with a value in plain words; the server's own where there are none.
pub(super) fn explain(facts: &DocumentFacts<'_>, error: &ApiError) -> String {
    let field = field(error);
    let value = error.node.map(|node| facts.document.node(node).text());
    if let Some(value) = value.filter(|value| value.len() <= MAX_QUOTED)
        && let Some(message) = name_format(&error.rule, &field, value)
    {
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
        (ApiRule::NameOrSelector, _) => {
            "`name` and `selector` are mutually exclusive. Remove one of them.".to_owned()
        }
        (ApiRule::DefaultRule, _) => {
            format!("`{field}` cannot be validated: a rule of its schema does not compile.")
        }
        (ApiRule::Default(reason), _) => format!("`{field}` {reason}."),
        (_, "") => format!("`{field}` is not allowed here."),
        (_, detail) => format!("`{field}`: {detail}."),
    }
}

/// Returns what is wrong with a name. `None` for other rules.
fn name_format(rule: &ApiRule, field: &str, value: &str) -> Option<String> {
    let (what, form) = match rule {
        ApiRule::DnsSubdomain => (
            "a valid value of",
            "Use lowercase letters, digits, `-` and `.`; begin and end with a letter or a digit.",
        ),
        ApiRule::DnsLabel if field.ends_with(".kind") || field.ends_with("Kind") => (
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
        ApiRule::QualifiedName => (
            "a qualified name in",
            "Use letters, digits, `-`, `_` and `.`; begin and end with a letter or a digit. A \
             domain and `/` may come first.",
        ),
        _ => return None,
    };
    Some(format!("`{value}` is not {what} `{field}`. {form}"))
}
