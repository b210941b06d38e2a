//! The sources on which the grammars of editors must agree with our parser and lexer.
//!
//! They include every string of the conformance cases, even if it is not an expression, since an
//! editor also shows incomplete expressions. The expressions of the manifests in the repository are
//! added.

use crate::error::Error;
use crate::repository;
use cel::syntax::{
    EscapeError, ParseOptions, SyntaxErrorKind, Token, TokenKind, parse_with, tokens,
};
use kubernetes::Target;
use policy::ParsedFile;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// A source, whether it matches the syntax of CEL, and its tokens.
#[derive(Debug, PartialEq, Serialize)]
struct Expression {
    text: String,
    valid: bool,
    tokens: Vec<(&'static str, String)>,
}

/// Writes all sources to a JSON file.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn write(root: &Path, file: &Path) -> Result<(), Error> {
    let expressions: Vec<Expression> = texts(root)?.into_iter().filter_map(expression).collect();
    let json = serde_json::to_string(&expressions)
        .map_err(|error| Error::Failed(format!("cannot write the expressions: {error}")))?;
    repository::write(file, &json)
}

/// Returns all sources of the repository, without duplicates.
fn texts(root: &Path) -> Result<BTreeSet<String>, Error> {
    let mut texts = BTreeSet::new();
    for folder in ["examples", "tests", "editors/fixtures"] {
        for (name, path) in repository::files(&root.join(folder))? {
            if has_extension(&name, &["yaml", "yml"]) {
                add_manifest(&repository::read(&path)?, &mut texts);
            } else if has_extension(&name, &["jsonl"]) {
                for line in repository::read(&path)?.lines() {
                    let case = serde_json::from_str(line)
                        .map_err(|error| Error::Failed(format!("{name}: {error}")))?;
                    add_strings(&case, &mut texts);
                }
            }
        }
    }
    Ok(texts)
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|it| extensions.iter().any(|extension| it == *extension))
}

fn add_strings(value: &Value, texts: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|it| add_strings(it, texts)),
        Value::Object(fields) => fields.values().for_each(|it| add_strings(it, texts)),
        Value::String(text) => {
            if text.contains("apiVersion") {
                add_manifest(text, texts);
            }
            texts.insert(text.clone());
        }
        _ => {}
    }
}

fn add_manifest(text: &str, texts: &mut BTreeSet<String>) {
    let file = ParsedFile::new(text.into(), Target::default());
    let expressions = file.policies().iter().flat_map(|it| it.expressions());
    texts.extend(expressions.map(|it| it.parse.ast.text().to_owned()));
}

/// Returns `None` for a source that matches the syntax and is rejected for another reason: such an
/// error can hide a later one.
fn expression(text: String) -> Option<Expression> {
    let options = ParseOptions {
        escaped_names: true,
    };
    let errors = parse_with(&text, options).errors;
    let valid = errors.is_empty();
    let is_compared = valid || errors.iter().any(|error| is_syntax(&error.kind));
    let named = |token: Token| (kind(token.kind), token.span.slice(&text).to_owned());
    let tokens = tokens(&text).map(named).collect();
    is_compared.then_some(Expression {
        text,
        valid,
        tokens,
    })
}

/// Returns the kind of a token as the test of the TextMate grammars names it.
const fn kind(kind: TokenKind) -> &'static str {
    use TokenKind as T;
    match kind {
        T::Whitespace => "space",
        T::Comment => "comment",
        T::Ident | T::EscapedIdent => "name",
        T::Int | T::Uint | T::Double => "number",
        T::String | T::Bytes | T::Unterminated => "string",
        T::True | T::False | T::Null => "constant",
        T::In => "in",
        _ => "sign",
    }
}

/// Returns whether a grammar finds an error. The others depend on values, macros and limits.
const fn is_syntax(kind: &SyntaxErrorKind) -> bool {
    use SyntaxErrorKind as K;
    !matches!(
        kind,
        K::IntRange { .. }
            | K::UintRange
            | K::DoubleRange
            | K::HasArgument
            | K::MacroVariable(_)
            | K::DuplicateVariable { .. }
            | K::AccumulatorVariable
            | K::SortByTarget
            | K::TooLong { .. }
            | K::NestedTooDeep
            | K::ChainTooLong
            | K::SkippedTooMuch
            | K::BadEscape(EscapeError::CodePoint(_) | EscapeError::UnicodeInBytes)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valid(text: &str) -> Option<bool> {
        expression(text.into()).map(|it| it.valid)
    }

    #[test]
    fn only_the_syntax_decides() {
        assert_eq!(valid("a.`b-c` > 1"), Some(true));
        assert_eq!(valid("a."), Some(false));
        assert_eq!(valid("package"), Some(false));
        assert_eq!(valid("99999999999999999999"), None);
        assert_eq!(valid("has(a)"), None);
    }

    #[test]
    fn tokens_have_kinds() {
        let tokens = expression("1 in b'a'".into()).map(|it| it.tokens);
        let expected = [
            ("number", "1"),
            ("space", " "),
            ("in", "in"),
            ("space", " "),
            ("string", "b'a'"),
        ];
        assert_eq!(
            tokens,
            Some(expected.map(|(kind, text)| (kind, text.into())).into())
        );
    }

    #[test]
    fn expressions_of_manifests_in_cases_are_texts() {
        let manifest = "apiVersion: admissionregistration.k8s.io/v1\n\
                        kind: ValidatingAdmissionPolicy\n\
                        spec: {validations: [{expression: 'a.b'}]}\n";
        let mut texts = BTreeSet::new();
        add_strings(&serde_json::json!({"x": [manifest]}), &mut texts);
        assert!(texts.contains("a.b"), "{texts:?}");
    }
}
