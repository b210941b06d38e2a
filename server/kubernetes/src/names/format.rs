//! The formats of names in the Kubernetes API, and the messages of the API server for invalid
//! names.
//!
//! Every function returns the messages of the server, which are empty if the name is valid. The
//! formats are simple enough to check by hand, which is faster than a regular expression.
//!
//! Upstream: kubernetes/apimachinery, pkg/util/validation/validation.go and
//! pkg/api/validate/content.

use std::borrow::Cow;

const SUBDOMAIN_FORM: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const LABEL_FORM: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const KEY_FORM: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

/// Limit: a DNS name, RFC 1123.
const SUBDOMAIN_LENGTH: usize = 253;
/// Limit: one label of a DNS name, and so the name of a label.
const LABEL_LENGTH: usize = 63;

/// Checks the name of an object or the prefix of a label: DNS labels separated by dots.
///
/// Upstream: IsDNS1123Subdomain.
#[must_use]
pub fn dns_subdomain(value: &str) -> Vec<String> {
    subdomain(value, "characters")
}

/// Checks a subdomain. The two packages of the server name the unit of the length differently.
fn subdomain(value: &str, unit: &str) -> Vec<String> {
    let mut messages = too_long(value, SUBDOMAIN_LENGTH, unit);
    if !value.split('.').all(is_dns_label) {
        messages.push(format!(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \
             '-' or '.', and must start and end with an alphanumeric character (e.g. \
             'example.com', regex used for validation is '{SUBDOMAIN_FORM}')"
        ));
    }
    messages
}

/// Checks a version, a plural, or a kind in lower case: one label that begins with a letter.
///
/// Upstream: IsDNS1035Label.
#[must_use]
pub fn dns_1035_label(value: &str) -> Vec<String> {
    let mut messages = too_long(value, LABEL_LENGTH, "characters");
    let begins = value.starts_with(|first: char| first.is_ascii_lowercase());
    if !begins || !is_dns_label(value) {
        messages.push(format!(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start \
             with an alphabetic character, and end with an alphanumeric character (e.g. \
             'my-name',  or 'abc-123', regex used for validation is '{LABEL_FORM}')"
        ));
    }
    messages
}

/// Returns a kind, whose letters may be large.
#[must_use]
pub fn kind(value: &str) -> Option<String> {
    let messages = dns_1035_label(&value.to_lowercase());
    let form = messages.join(",");
    (!messages.is_empty())
        .then(|| format!("may have mixed case, but should otherwise match: {form}"))
}

/// Checks the name of a namespace or a service: one label.
///
/// Upstream: IsDNS1123Label.
#[must_use]
pub fn dns_1123_label(value: &str) -> Vec<String> {
    let mut messages = too_long(value, LABEL_LENGTH, "characters");
    if is_dns_label(value) {
        return messages;
    }
    messages.push(if value.split('.').all(is_dns_label) {
        "must not contain dots".to_owned()
    } else {
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', \
         and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', \
         regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
            .to_owned()
    });
    messages
}

fn is_dns_label(label: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    framed(label, inner, |byte| inner(byte) || byte == b'-')
}

/// Returns whether the first and last byte satisfy `edge` and all satisfy `inside`; at least one.
fn framed(text: &str, edge: impl Fn(u8) -> bool, inside: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return false;
    };
    edge(*first) && edge(*last) && bytes.iter().all(|byte| inside(*byte))
}

fn too_long(value: &str, limit: usize, unit: &str) -> Vec<String> {
    if value.len() > limit {
        vec![format!("must be no more than {limit} {unit}")]
    } else {
        Vec::new()
    }
}

/// Checks the key of a label or an annotation, or the name of a match condition: a name with an
/// optional DNS prefix and `/`.
///
/// Upstream: IsQualifiedName, since 1.34 content.IsLabelKey.
#[must_use]
pub fn qualified_name(value: &str) -> Vec<String> {
    let mut messages = Vec::new();
    let mut parts = value.split('/');
    let name = match (parts.next(), parts.next(), parts.next()) {
        (Some(name), None, _) => name,
        (Some(""), Some(name), None) => {
            messages.push("prefix part must be non-empty".to_owned());
            name
        }
        (Some(prefix), Some(name), None) => {
            let wrong = subdomain(prefix, "bytes");
            messages.extend(wrong.iter().map(|message| format!("prefix part {message}")));
            name
        }
        _ => {
            return vec![format!(
                "a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. \
                 'example.com/MyName')",
                key_message()
            )];
        }
    };
    if name.is_empty() {
        messages.push("name part must be non-empty".to_owned());
    } else if name.len() > LABEL_LENGTH {
        messages.push(format!(
            "name part must be no more than {LABEL_LENGTH} bytes"
        ));
    }
    if !is_key(name) {
        messages.push(format!("name part {}", key_message()));
    }
    messages
}

fn key_message() -> String {
    format!(
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with \
         an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for \
         validation is '{KEY_FORM}')"
    )
}

fn is_key(name: &str) -> bool {
    framed(
        name,
        |byte| byte.is_ascii_alphanumeric(),
        |byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte),
    )
}

/// Returns the value of a label.
///
/// Upstream: IsValidLabelValue.
#[must_use]
pub fn label_value(value: &str) -> Vec<String> {
    let mut messages = too_long(value, LABEL_LENGTH, "bytes");
    if !value.is_empty() && !is_key(value) {
        messages.push(format!(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', \
             '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  \
             or 'my_value',  or '12345', regex used for validation is '({KEY_FORM})?')"
        ));
    }
    messages
}

/// Checks a name that becomes a part of a URL.
///
/// Upstream: content.IsPathSegmentName.
#[must_use]
pub fn path_segment(value: &str) -> Vec<String> {
    if value == "." || value == ".." {
        return vec![format!("may not be '{value}'")];
    }
    path_segment_prefix(value)
}

/// Checks the beginning of a name that becomes a part of a URL.
///
/// Upstream: content.IsPathSegmentPrefix.
#[must_use]
pub fn path_segment_prefix(value: &str) -> Vec<String> {
    ["/", "%"]
        .iter()
        .filter(|part| value.contains(**part))
        .map(|part| format!("may not contain '{part}'"))
        .collect()
}

/// Returns a name with a letter in place of a trailing dash and the character before it.
///
/// Upstream: kubernetes/apimachinery, pkg/api/validation/generic.go, maskTrailingDash.
#[must_use]
pub fn without_dash(name: &str) -> Cow<'_, str> {
    let before = name.strip_suffix('-').filter(|before| !before.is_empty());
    let kept = before.and_then(|before| before.get(..before.len() - 1));
    kept.map_or(Cow::Borrowed(name), |kept| Cow::Owned(format!("{kept}a")))
}

/// Returns whether a string has a line break that CEL recognizes.
#[must_use]
pub fn has_line_break(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn right_names_have_no_message() {
        assert!(dns_subdomain("demo.example-1.com").is_empty());
        assert!(dns_1035_label("v1beta1").is_empty());
        assert!(qualified_name("example.com/My_name.1").is_empty());
        assert!(label_value("").is_empty());
        assert!(path_segment("a.b").is_empty());
    }

    #[test]
    fn wrong_names_fail_where_the_server_says_so() {
        for name in ["", ".", "a.", "-a", "A", "a..b", "a_b", "é"] {
            assert_eq!(dns_subdomain(name).len(), 1, "{name}");
        }
        for name in ["", "1a", "a.b", "a-", "V1"] {
            assert_eq!(dns_1035_label(name).len(), 1, "{name}");
        }
        assert_eq!(dns_subdomain(&"A".repeat(300)).len(), 2);
    }

    #[test]
    fn a_label_key_is_checked_in_two_parts() {
        let shown: Vec<String> = ["/x", "A/x", "a/b/c", "", "a/", "-"]
            .iter()
            .map(|case| {
                let short: Vec<String> = qualified_name(case)
                    .iter()
                    .map(|message| message.split(" (").next().unwrap_or("").to_owned())
                    .collect();
                format!("{case}: {}", short.join("; "))
            })
            .collect();
        expect![[r#"
            /x: prefix part must be non-empty
            A/x: prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character
            a/b/c: a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character
            : name part must be non-empty; name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character
            a/: name part must be non-empty; name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character
            -: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"#]]
        .assert_eq(&shown.join("\n"));
    }
}
