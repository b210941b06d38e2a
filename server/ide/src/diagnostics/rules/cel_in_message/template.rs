//! Placeholders of other languages in a message.

use super::ROOTS;
use crate::diagnostics::format_call::{Piece, escaped, format_call};

/// A message with placeholders.
pub(super) enum Template<'m> {
    /// `The name {{ object.metadata.name }} is taken`
    Expressions {
        /// The first placeholder, with its delimiters.
        first: &'m str,
        /// The strings and the expressions, in order.
        parts: Vec<Piece<'m>>,
    },
    /// `%s`
    Verb(&'m str),
}

/// The delimiters of placeholders.
const DELIMITERS: [(&str, &str); 5] = [
    ("{{", "}}"),
    ("${", "}"),
    ("$(", ")"),
    ("' + ", " + '"),
    ("{", "}"),
];

/// The bytes of which every placeholder has one.
const MARKS: &[u8] = b"{$'[%";

impl<'m> Template<'m> {
    pub(super) fn find(text: &'m str) -> Option<Self> {
        // Most messages have none.
        if !text.bytes().any(|byte| MARKS.contains(&byte)) {
            return None;
        }
        let mut parts = Vec::new();
        let mut first = None;
        let mut rest = text;
        while let Some((before, whole, inner)) = next(rest) {
            parts.extend([Piece::Text(before), Piece::Value(inner)]);
            first = first.or(Some(whole));
            rest = rest.get(before.len() + whole.len()..).unwrap_or("");
        }
        parts.push(Piece::Text(rest));
        match first {
            Some(first) => Some(Template::Expressions { first, parts }),
            None => verb(text).map(Template::Verb),
        }
    }

    /// Returns the message as an expression: a concatenation, or a call of `format()` in a CRD
    /// validation rule, where a concatenation costs too much.
    pub(super) fn as_expression(&self, is_rule: bool) -> Option<String> {
        let Template::Expressions { parts, .. } = self else {
            return None;
        };
        let parts = parts.iter().filter(|part| !matches!(part, Piece::Text("")));
        if is_rule {
            return Some(format_call(parts.copied()));
        }
        let parts = parts.map(|part| match part {
            Piece::Text(text) => format!("'{}'", escaped(text)),
            Piece::Value(value) => format!("string({value})"),
        });
        Some(parts.collect::<Vec<_>>().join(" + "))
    }
}

/// Returns the text before the first placeholder, and the placeholder with and without its
/// delimiters.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let found = DELIMITERS.iter().filter_map(|(open, close)| {
        let mut places = text.match_indices(open);
        places.find_map(|(at, _)| {
            let (inner, _) = text.get(at + open.len()..)?.split_once(close)?;
            let whole = text.get(at..at + open.len() + inner.len() + close.len())?;
            let inner = inner.trim();
            is_path(inner).then_some((at, whole, inner))
        })
    });
    let (at, whole, inner) = found.chain(element(text)).min_by_key(|(at, ..)| *at)?;
    Some((text.get(..at)?, whole, inner))
}

/// Returns whether a string is a path that begins with a root.
fn is_path(text: &str) -> bool {
    path(text).is_some_and(|path| path == text)
}

/// Returns the path at the beginning of a string: a root, and at least one field or index.
fn path(text: &str) -> Option<&str> {
    let is_word = |next: char| next.is_ascii_alphanumeric() || next == '_';
    let word = |text: &str| text.len() - text.trim_start_matches(is_word).len();
    let root = word(text);
    let mut length = root;
    while let Some(rest) = text.get(length..) {
        let step = match rest.strip_prefix('.') {
            Some(field) => word(field),
            None => index(rest).unwrap_or(0),
        };
        if step == 0 {
            break;
        }
        length += step + usize::from(rest.starts_with('.'));
    }
    let is_root = ROOTS.contains(&text.get(..root)?);
    (is_root && length > root).then(|| text.get(..length))?
}

/// Returns the length of `[0]`, `['a']` or `["a"]`.
fn index(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let (inner, _) = inner.split_once(']')?;
    let quoted = |mark: char| inner.strip_prefix(mark)?.strip_suffix(mark);
    let is_number = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
    let is_key = quoted('\'').or_else(|| quoted('"')).is_some();
    (is_number || is_key).then_some(inner.len() + 2)
}

/// Returns the first path in a sentence that selects an element, such as
/// `object.spec.containers[0].name`. A path of fields alone may be just the name of a field.
fn element(text: &str) -> Option<(usize, &str, &str)> {
    let is_part = |before: char| before.is_alphanumeric() || matches!(before, '_' | '.');
    let places = ROOTS.iter().flat_map(|root| text.match_indices(root));
    let found = places.filter_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let path = path(rest)?;
        (!before.ends_with(is_part) && path.contains('[')).then_some((at, path, path))
    });
    found.min_by_key(|(at, ..)| *at)
}

/// Returns a verb such as `%s` that is not next to a letter or a digit.
fn verb(text: &str) -> Option<&str> {
    let mut places = text.match_indices('%');
    places.find_map(|(at, _)| {
        let verb = text.get(at..at + 2)?;
        let before = text.get(..at)?.chars().next_back();
        let after = text.get(at + 2..)?.chars().next();
        let apart =
            |side: Option<char>| side.is_none_or(|side| !side.is_alphanumeric() && side != '%');
        (["%s", "%d", "%v"].contains(&verb) && apart(before) && apart(after)).then_some(verb)
    })
}

#[cfg(test)]
mod tests {
    use super::{DELIMITERS, MARKS};

    #[test]
    fn every_placeholder_has_a_mark() {
        let delimiters = DELIMITERS.iter().map(|(open, _)| *open);
        for placeholder in delimiters.chain(["%s", "object.a[0]"]) {
            let is_marked = placeholder.bytes().any(|byte| MARKS.contains(&byte));
            assert!(is_marked, "{placeholder}");
        }
    }
}
