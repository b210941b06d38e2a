//! Valid and reserved identifiers.
//!
//! Users name variables and properties. Whether such a name is valid in CEL depends only on the
//! syntax, so it can be checked without an expression.

/// The reserved words, which cannot name a variable or a function. All except `false`, `in`, `null`
/// and `true` can name a field.
///
/// Upstream: cel-go, parser/parser.go, `reservedIds`.
pub(crate) const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
];

/// Returns whether a word is reserved.
#[must_use]
pub fn is_reserved(word: &str) -> bool {
    let first = word.as_bytes().first();
    let mut words = RESERVED.iter();
    words.any(|it| it.as_bytes().first() == first && *it == word)
}

/// Returns whether `name` can be the name of a variable: ASCII letters, digits and `_`, no
/// digit at the beginning, no reserved word.
#[must_use]
pub fn is_identifier(name: &str) -> bool {
    has_identifier_form(name) && !is_reserved(name)
}

/// Returns whether `name` has the form of an identifier, reserved or not.
#[must_use]
pub fn has_identifier_form(name: &str) -> bool {
    let begins_well = name
        .bytes()
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    begins_well
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        for name in ["a", "_", "a1", "In", "namespaces", "__namespace__"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in [
            "",
            "1a",
            "a-b",
            "a.b",
            "größe",
            "namespace",
            "in",
            "true",
            " a",
        ] {
            assert!(!is_identifier(name), "{name}");
        }
        assert!(has_identifier_form("namespace"));
    }
}
