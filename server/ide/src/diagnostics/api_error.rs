//! The errors of the API server's validation, in the server's words and in plain ones.

use policy::FieldPath;
use policy::field_error::ErrorType;
use policy::validation::ApiError;

/// The error as the server writes it, without the value, which stands in the file.
pub(super) fn upstream(error: &ApiError) -> String {
    let (field, words) = (&error.field, error.kind.words());
    match error.detail.as_str() {
        "" => format!("{field}: {words}"),
        detail => format!("{field}: {words}: {detail}"),
    }
}

/// The field as it is written in the file.
///
/// The server reads a definition whose versions share one schema, columns or subresources
/// into fields that no file has had since the first versions of the API.
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

/// The way to the field in the file.
pub(super) fn path(error: &ApiError) -> Option<FieldPath> {
    FieldPath::parse(&field(error))
}

/// The values that the server supports, read from its own words.
pub(super) fn supported(error: &ApiError) -> Vec<&str> {
    if error.kind != ErrorType::NotSupported {
        return Vec::new();
    }
    error.detail.split('"').skip(1).step_by(2).collect()
}

/// What a value must look like, by a part of the words in which the server says it.
const FORMS: [(&str, &str); 5] = [
    (
        "RFC 1123 subdomain",
        "is not a valid name. Use lower-case letters, digits, `-` and `.`; begin and end with a \
         letter or a digit.",
    ),
    (
        "DNS-1035 label",
        "is not valid. Use letters, digits and `-`; begin with a letter and end with a letter or \
         a digit.",
    ),
    (
        "a valid label must be",
        "has a value that is not valid. Use letters, digits, `-`, `_` and `.`; begin and end with \
         a letter or a digit.",
    ),
    ("name part must", KEY),
    ("a valid label key must", KEY),
];

const KEY: &str = "is not a valid name. Use letters, digits, `-`, `_` and `.`; begin and end with \
                   a letter or a digit. A domain and `/` may stand before it.";

/// What is wrong with a value, in plain words; the server's own where there are none.
pub(super) fn plain(error: &ApiError) -> String {
    let detail = error.detail.as_str();
    let field = field(error);
    let has = |part: &str| detail.contains(part);
    if let Some((_, form)) = FORMS.iter().find(|(part, _)| has(part)) {
        return format!("`{field}` {form}");
    }
    if has("is present, must not specify") {
        return wildcard(error);
    }
    if has("must not contain line breaks") {
        return format!("`{field}` must be one line.");
    }
    if has("both Deny and Warn") {
        return "`Deny` and `Warn` say the same thing twice. Remove one of them.".to_owned();
    }
    if has("not allowed on this type") {
        return format!("`{field}` is not allowed: this kind stands outside of namespaces.");
    }
    if has("mutually exclusive") {
        return format!("`{field}`: use either `name` or `selector`, not both.");
    }
    if has("rule compile error: ") {
        return format!("`{field}` cannot be checked: a rule of its schema does not compile.");
    }
    // What is said of a default begins with its place in the default.
    if let Some((_, what)) = detail.split_once(" in body ") {
        return format!("`{field}` {what}.");
    }
    match detail {
        "" => format!("`{field}` is not allowed here."),
        detail => format!("`{field}`: {detail}."),
    }
}

/// `if '*' is present, must not specify other API groups`
fn wildcard(error: &ApiError) -> String {
    let star = error.detail.split('\'').nth(1).unwrap_or("*");
    format!(
        "`{star}` includes the others in `{}`. Remove `{star}` or what it includes.",
        field(error)
    )
}
