//! Names: of properties with their CEL identifiers, of API versions and of resources.
//!
//! A property such as `x-y` or `namespace` cannot be written after a dot in CEL. If Kubernetes
//! passes a typed object to CEL, it escapes such names; if it passes raw JSON, it does not. Authors
//! meet the first in rules of a CustomResourceDefinition and the second in policies, which is why
//! both need the same table.

pub mod format;
mod group_version;
mod resource_pattern;
mod version_priority;

pub use cel::syntax::{is_identifier, is_reserved};
pub use group_version::{GroupVersion, GroupVersionKind};
pub use resource_pattern::ResourcePattern;
pub use version_priority::compare_versions;

use std::borrow::Cow;

/// The label that every namespace has.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/core/v1/defaults.go, SetDefaults_Namespace.
pub const NAMESPACE_NAME: &str = "kubernetes.io/metadata.name";

/// Each sequence that is replaced, with what replaces it.
const ESCAPES: [(&str, &str); 4] = [
    ("__", "__underscores__"),
    (".", "__dot__"),
    ("-", "__dash__"),
    ("/", "__slash__"),
];

/// Returns the identifier of a property in typed CEL. `None` if it has none: the name is empty,
/// begins with a digit, or holds characters other than letters, digits and `_ . - /`.
///
/// Upstream: kubernetes/apiserver, pkg/cel/escaping.go, Escape.
#[must_use]
pub fn escape(name: &str) -> Option<Cow<'_, str>> {
    let first = name.bytes().next()?;
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-/".contains(&byte);
    if first.is_ascii_digit() || !name.bytes().all(known) {
        return None;
    }
    if is_reserved(name) {
        return Some(Cow::Owned(format!("__{name}__")));
    }
    // Most names are a single word.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain || !ESCAPES.iter().any(|(plain, _)| name.contains(plain)) {
        return Some(Cow::Borrowed(name));
    }
    let mut out = String::with_capacity(name.len() + 16);
    let mut rest = name;
    while let Some(character) = rest.chars().next() {
        let escaped = ESCAPES
            .iter()
            .find_map(|(plain, escape)| Some((*escape, rest.strip_prefix(plain)?)));
        if let Some((escape, after)) = escaped {
            out.push_str(escape);
            rest = after;
        } else {
            out.push(character);
            rest = rest.get(character.len_utf8()..).unwrap_or("");
        }
    }
    Some(Cow::Owned(out))
}

/// Returns the property of an identifier in typed CEL. `None` if the identifier
/// has an unknown escape, such as `__plus__`.
///
/// Upstream: kubernetes/apiserver, pkg/cel/escaping.go, Unescape.
#[must_use]
pub fn unescape(identifier: &str) -> Option<Cow<'_, str>> {
    let mut out = String::new();
    let mut rest = identifier;
    while let Some((before, word, after)) = next_escape(rest) {
        out.push_str(before);
        match ESCAPES.iter().find(|(_, escape)| is_word(escape, word)) {
            Some((plain, _)) => out.push_str(plain),
            None if is_reserved(word) && word.len() + 4 == identifier.len() => out.push_str(word),
            None => return None,
        }
        rest = after;
    }
    if rest.len() == identifier.len() {
        return Some(Cow::Borrowed(identifier));
    }
    out.push_str(rest);
    Some(Cow::Owned(out))
}

fn is_word(escape: &str, word: &str) -> bool {
    escape.trim_matches('_') == word
}

/// Returns the first `__word__` in `text`: the part before it, the word, the part after it.
fn next_escape(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(found) = text.get(from..)?.find("__") {
        let start = from + found;
        let inner = text.get(start + 2..)?;
        let end = inner.find('_')?;
        if end > 0 && inner.get(end..)?.starts_with("__") {
            return Some((text.get(..start)?, inner.get(..end)?, inner.get(end + 2..)?));
        }
        from = start + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_escape_as_in_kubernetes() {
        let cases = [
            ("replicas", Some("replicas")),
            ("namespace", Some("__namespace__")),
            ("x-y", Some("x__dash__y")),
            (
                "app.kubernetes.io/name",
                Some("app__dot__kubernetes__dot__io__slash__name"),
            ),
            ("a__b", Some("a__underscores__b")),
            ("___", Some("__underscores___")),
            ("_", Some("_")),
            ("int", Some("int")),
            ("", None),
            ("1a", None),
            ("a b", None),
            ("$ref", None),
            ("é", None),
        ];
        for (name, expected) in cases {
            assert_eq!(escape(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn escapes_that_do_not_exist_have_no_property() {
        let cases = [
            ("x__dash__y", Some("x-y")),
            ("__namespace__", Some("namespace")),
            ("a__namespace__", None),
            ("__plus__", None),
            ("a__underscores__b", Some("a__b")),
            ("__underscores___", Some("___")),
            ("___", Some("___")),
            ("a_b", Some("a_b")),
        ];
        for (identifier, expected) in cases {
            assert_eq!(unescape(identifier).as_deref(), expected, "{identifier}");
        }
    }

    proptest! {
        #[test]
        fn unescape_undoes_escape(name in "[a-z_./-][a-z0-9_./-]{0,12}") {
            let escaped = escape(&name).unwrap();
            prop_assert!(is_identifier(&escaped));
            let unescaped = unescape(&escaped);
            prop_assert_eq!(unescaped.as_deref(), Some(name.as_str()));
        }
    }
}
