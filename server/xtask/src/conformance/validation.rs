//! `validate.jsonl`: a manifest, and the response of the API server.
//!
//! The server stops early: a manifest that it cannot decode is not decoded strictly, and one that
//! fails strict decoding is rejected. The cases hold the errors of validation in addition to those
//! of strict decoding, so that both are compared.

use super::case::{Case, Outcome};
use policy::FieldPath;
use policy::validation::{Verdict, validate, verdict};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A field of a manifest. The detail is left out if it is not compared.
type Finding = (String, String, Option<String>);

/// The field and the error of a message of Kubernetes' decoders.
#[derive(Debug, PartialEq, Eq)]
enum ErrorField {
    /// The path of a field with its indexes; empty for the whole document.
    Field(String),
    /// The path of a field without indexes.
    Type(String),
    /// The name of a key, at any position.
    Key(String),
}

/// Checks the whole result.
pub(super) fn check(case: &Case) -> Outcome {
    // The case of an empty file has no manifest.
    let text = case.text(&["manifest"]).unwrap_or_default();
    let ours = verdict(text);
    if let Some(error) = case.text(&["expect", "decodeError"]) {
        return compare_places("decodeError", &[place_of_decode(error)], &ours.decode);
    }
    if !ours.decode.is_empty() {
        return Err(format!("we cannot decode it: {:?}", ours.decode));
    }
    let strict = case.text(&["expect", "strictError"]);
    compare_places(
        "strictError",
        &strict.map_or(vec![], places_of_strict),
        &ours.strict,
    )?;
    compare_errors(case, &errors(text, &ours))
}

/// Returns the errors of the rules, even if strict decoding ends before them.
fn errors(text: &str, verdict: &Verdict) -> Vec<Finding> {
    let mut errors = verdict.errors.clone();
    if !verdict.strict.is_empty() {
        let stream = Arc::new(yaml::parse(text.into()));
        let policies = policy::recognize(&stream).policies;
        errors = policies.iter().flat_map(|it| validate(it)).collect();
    }
    let errors = errors.into_iter();
    errors
        .map(|it| (it.kind.as_str().into(), it.field, Some(it.detail)))
        .collect()
}

/// Compares the sets of errors, without the detail of syntax errors.
fn compare_errors(case: &Case, ours: &[Finding]) -> Outcome {
    let list = case.get(&["expect", "errors"]).and_then(Value::as_array);
    let list = list.ok_or("malformed: no list `expect.errors`")?;
    let text = |error: &Value, key: &str| {
        let text = error.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let mut expected = BTreeSet::new();
    let mut syntax = BTreeSet::new();
    for error in list {
        let (kind, field) = (text(error, "type"), text(error, "field"));
        let detail = text(error, "detail");
        if detail.contains("Syntax error: ") {
            syntax.insert((kind.clone(), field.clone()));
            expected.insert((kind, field, None));
        } else {
            expected.insert((kind, field, Some(detail)));
        }
    }
    let ours = ours.iter().cloned().map(|(kind, field, detail)| {
        let key = (kind, field);
        let detail = detail.filter(|_| !syntax.contains(&key));
        (key.0, key.1, detail)
    });
    let ours: BTreeSet<Finding> = ours.collect();
    if ours == expected {
        return Ok(());
    }
    let missing: Vec<_> = expected.difference(&ours).collect();
    let wrong: Vec<_> = ours.difference(&expected).collect();
    Err(format!("missing: {missing:?}; wrong: {wrong:?}"))
}

/// Compares positions: every expected one is found, and no others.
fn compare_places(what: &str, expected: &[ErrorField], ours: &[FieldPath]) -> Outcome {
    let at = |place: &ErrorField| ours.iter().any(|field| place.is(&field.to_string()));
    let known = |field: &FieldPath| {
        let field = field.to_string();
        expected.iter().any(|place| place.is(&field))
    };
    // A decoder may stop after its first error, where we continue.
    let rest = what == "decodeError" || ours.iter().all(known);
    if expected.iter().all(at) && rest {
        return Ok(());
    }
    Err(format!("{what} expected at {expected:?}; ours: {ours:?}"))
}

/// Returns the path in a message like `json: cannot unmarshal number into Go struct field
/// PolicySpec.spec.failurePolicy of type v1.FailurePolicyType`. The names of types, which begin
/// with a capital letter, are not part of the path.
fn place_of_decode(error: &str) -> ErrorField {
    let field = error
        .split_once("Go struct field ")
        .and_then(|(_, rest)| rest.split_once(" of type "));
    let Some((path, _)) = field else {
        return ErrorField::Field(String::new());
    };
    let names = path.split('.');
    let fields = names.filter(|name| !name.starts_with(|first: char| first.is_uppercase()));
    ErrorField::Type(fields.collect::<Vec<_>>().join("."))
}

/// Returns the paths in a message like `strict decoding error: unknown field "spec.a", yaml:
/// unmarshal errors: line 20: key "kind" already set in map`.
fn places_of_strict(error: &str) -> Vec<ErrorField> {
    let quoted = |rest: &str| rest.split('"').next().unwrap_or_default().to_owned();
    let unknown = error.split("unknown field \"").skip(1);
    let unknown = unknown.map(|rest| ErrorField::Field(quoted(rest)));
    let repeated = error.split("duplicate field \"").skip(1);
    let repeated = repeated.map(|rest| ErrorField::Field(quoted(rest)));
    let keys = error.lines().filter_map(|line| {
        let (before, _) = line.split_once("\" already set in map")?;
        let (_, key) = before.split_once("key \"")?;
        Some(ErrorField::Key(key.into()))
    });
    unknown.chain(repeated).chain(keys).collect()
}

impl ErrorField {
    fn is(&self, field: &str) -> bool {
        match self {
            Self::Field(path) => path == field,
            Self::Type(path) => *path == without_indexes(field),
            Self::Key(key) => field == key || field.ends_with(&format!(".{key}")),
        }
    }
}

/// Returns `spec.validations.expression` for `spec.validations[0].expression`.
fn without_indexes(field: &str) -> String {
    let mut parts = field.split('[');
    let mut path = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        path.push_str(part.split_once(']').map_or("", |(_, rest)| rest));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_decoders_name_fields() {
        let text = "json: cannot unmarshal string into Go struct field NamedRuleWithOperations.spec.matchConstraints.resourceRules.RuleWithOperations.Rule.apiGroups of type []string";
        let place = place_of_decode(text);
        assert!(place.is("spec.matchConstraints.resourceRules[0].apiGroups"));
        assert!(!place.is("spec.matchConstraints.resourceRules[0]"));
        assert!(place_of_decode("yaml: line 2: did not find expected key").is(""));
    }

    #[test]
    fn strict_errors_are_told_apart() {
        let text = "strict decoding error: unknown field \"spec.a\", unknown field \"spec.b[0].c\", yaml: unmarshal errors:\n  line 20: key \"kind\" already set in map";
        let places = places_of_strict(text);
        let field = |path: &str| ErrorField::Field(path.into());
        let expected = [
            field("spec.a"),
            field("spec.b[0].c"),
            ErrorField::Key("kind".into()),
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn a_syntax_error_is_compared_without_its_words() {
        let case = |detail: &str| {
            let error = serde_json::json!({
                "type": "FieldValueInvalid", "field": "spec.a", "detail": detail,
            });
            let case = serde_json::json!({ "expect": { "errors": [error] } });
            Case::read(1, case.to_string().as_bytes()).unwrap()
        };
        let ours = |detail: &str| {
            let detail = Some(detail.to_owned());
            [("FieldValueInvalid".to_owned(), "spec.a".to_owned(), detail)]
        };
        let syntax = "compilation failed: ERROR: <input>:1:4: Syntax error: mismatched input";
        assert_eq!(compare_errors(&case(syntax), &ours("our words")), Ok(()));
        assert_eq!(
            compare_errors(&case("its words"), &ours("its words")),
            Ok(())
        );
        assert!(compare_errors(&case("its words"), &ours("our words")).is_err());
        assert!(compare_errors(&case(syntax), &[]).is_err());
    }
}
