#![doc = include_str!("implicit_type.md")]

use crate::diagnostics::{Finding, RuleContext, Severity};
use policy::schema::{Expected, FoundType, Mismatch, MismatchKind};
use text::TextEdit;
use yaml::edit::quoted;
use yaml::mappings;
use yaml::{Node, Scalar, ScalarStyle, Value};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let policy = facts.document;
        for mismatch in &facts.mismatches {
            if let Some(scalar) = implicit(policy.node(mismatch.node), mismatch) {
                found.push(value(scalar));
            }
        }
        for mapping in mappings(policy.root()) {
            found.extend(mapping.entries().filter_map(|entry| key(entry.key)));
        }
    }
}

/// Returns the scalar of a mismatch, if quotes are missing.
pub(super) fn implicit<'a>(node: Node<'a>, mismatch: &Mismatch) -> Option<Scalar<'a>> {
    let MismatchKind::WrongType { expected, found } = &mismatch.kind else {
        return None;
    };
    let wants_string = matches!(
        expected,
        Expected::String | Expected::Base64 | Expected::Time | Expected::IntOrString
    );
    if !wants_string
        || !matches!(
            found,
            FoundType::Bool(_) | FoundType::Number | FoundType::NotFinite
        )
    {
        return None;
    }
    node.as_scalar()
        .filter(|scalar| scalar.style() == ScalarStyle::Plain)
}

fn value(scalar: Scalar<'_>) -> Finding {
    let written = scalar.text();
    let meaning = meaning(scalar);
    let message = format!(
        "YAML parses `{written}` as {meaning}, but this field requires a string. Quote the value."
    );
    let finding = Finding::new(scalar.range(), message);
    quote(finding, "Quote the value", scalar)
}

/// Reports a key that Kubernetes parses as another name than the written one.
fn key(key: Node<'_>) -> Option<Finding> {
    let scalar = key.as_scalar()?;
    if scalar.style() != ScalarStyle::Plain || scalar.value() == Value::Str {
        return None;
    }
    let (written, seen) = (scalar.text(), scalar.key_text());
    if written == seen || written.is_empty() || key.is_alias() {
        return None;
    }
    let message = format!(
        "YAML parses the key `{written}` as {}, so Kubernetes reads the key `{seen}`. Quote the \
         key.",
        meaning(scalar)
    );
    let finding = Finding::new(key.range(), message).severity(Severity::Warning);
    Some(quote(finding, "Quote the key", scalar))
}

fn quote(finding: Finding, title: &str, scalar: Scalar<'_>) -> Finding {
    let edit = TextEdit::replace(scalar.range(), quoted(scalar.text()));
    finding.fix(title, vec![edit])
}

fn meaning(scalar: Scalar<'_>) -> String {
    match scalar.value() {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("the boolean `{value}`"),
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => {
            format!("the number `{}`", scalar.key_text())
        }
        Value::Str => "a string".to_owned(),
    }
}

#[cfg(test)]
mod tests;
