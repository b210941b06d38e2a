#![doc = include_str!("wrong_type.md")]

use super::implicit_type;
use crate::diagnostics::{Finding, RuleContext};
use crate::file::SourceFile;
use policy::schema::{Expected, FoundType, Mismatch, MismatchKind};
use policy::{FieldPath, FieldStep as Step, PolicyDocument};
use text::{TextEdit, TextRange, TextSize};
use yaml::{Node, NodeKind, Scalar, ScalarStyle, Value};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let policy = facts.document;
        for mismatch in &facts.mismatches {
            found.extend(wrong_type(context.file, policy, mismatch));
        }
    }
}

fn wrong_type(file: &SourceFile, policy: &PolicyDocument, mismatch: &Mismatch) -> Option<Finding> {
    let MismatchKind::WrongType { expected, found } = &mismatch.kind else {
        return None;
    };
    let node = policy.node(mismatch.node);
    if implicit_type::implicit(node, mismatch).is_some() {
        return None;
    }
    let message = match found {
        FoundType::NotFinite => {
            "JSON cannot represent infinity or NaN, so the API server cannot read \
                             this file. Write a finite number."
                .to_owned()
        }
        _ => format!(
            "`{}` must be {}, but {} is {}.{}",
            mismatch.path,
            expected_type(*expected),
            quoted_value(file, node),
            actual_type(*found),
            match exact_integer(node, *expected) {
                Some(int) => format!(" JSON is read as it is written, so write `{int}`."),
                None => advice(&mismatch.path, *found),
            }
        ),
    };
    let finding = Finding::new(underlined_range(file, node), message);
    Some(match fix(node, (*expected, *found)) {
        Some((title, edits)) => finding.fix(title, edits),
        None => finding,
    })
}

/// Returns the range to underline: for a block of several lines, only its first key or the dash of
/// its first item.
fn underlined_range(file: &SourceFile, node: Node<'_>) -> TextRange {
    let range = node.range();
    if !file.slice(range).contains(['\n', '\r']) {
        return range;
    }
    match node.kind() {
        NodeKind::Mapping(mapping) => mapping
            .entries()
            .next()
            .map_or(range, |entry| entry.key.range()),
        NodeKind::Sequence(_) => TextRange::at(range.start(), TextSize::of('-')),
        NodeKind::Scalar(_) => range,
    }
}

/// Returns a short scalar as written, in quotes, and `it` for any other value.
fn quoted_value(file: &SourceFile, node: Node<'_>) -> String {
    // Limit: bytes of a quoted value.
    const MAX_SHOWN: usize = 40;
    let written = file.slice(node.range());
    let is_short = !written.is_empty() && written.len() <= MAX_SHOWN && !written.contains('\n');
    if is_short && node.as_scalar().is_some() {
        format!("`{written}`")
    } else {
        "it".to_owned()
    }
}

fn expected_type(expected: Expected) -> &'static str {
    match expected {
        Expected::Bool => "`true` or `false`",
        Expected::Integer(32) => "a 32-bit integer",
        Expected::Integer(_) => "an integer",
        Expected::Number => "a number",
        Expected::String => "a string",
        Expected::Base64 => "a base64 string",
        Expected::Time => "a timestamp such as `\"2030-01-31T12:00:00Z\"`",
        Expected::IntOrString => "an integer or a string",
        Expected::Object => "a mapping (`key: value`)",
        Expected::List => "a list",
        Expected::SchemaOrBool => "a schema, `true` or `false`",
    }
}

fn actual_type(found: FoundType) -> &'static str {
    match found {
        FoundType::Bool(_) => "a boolean",
        FoundType::Number | FoundType::NotFinite => "a number",
        FoundType::String => "a string",
        FoundType::Object => "a mapping",
        FoundType::List => "a list",
    }
}

/// Returns advice for `required: true` at a property, as some schema languages have it. Empty for
/// other fields.
fn advice(path: &FieldPath, found: FoundType) -> String {
    let [.., Step::Field(list), Step::Key(name), Step::Field(field)] = path.steps() else {
        return String::new();
    };
    match found {
        FoundType::Bool(_) if &**list == "properties" && &**field == "required" => {
            format!(" To make the property required, list `{name}` in `required` of its parent.")
        }
        _ => String::new(),
    }
}

/// Returns the integer that a number such as `1.0` would be in YAML.
fn exact_integer(node: Node<'_>, expected: Expected) -> Option<i64> {
    let value = node.as_scalar()?.value();
    let int = value.as_integer()?;
    let fits = match expected {
        Expected::Integer(64) => true,
        Expected::Integer(_) | Expected::IntOrString => i32::try_from(int).is_ok(),
        _ => false,
    };
    (fits && matches!(value, Value::Float(_))).then_some(int)
}

fn fix(
    node: Node<'_>,
    (expected, found): (Expected, FoundType),
) -> Option<(&'static str, Vec<TextEdit>)> {
    let scalar = node.as_scalar().filter(|_| !node.is_alias())?;
    if expected == Expected::List {
        let edits = list_of(scalar).filter(|_| found == FoundType::String)?;
        return Some(("Make it a list", edits));
    }
    if let Some(int) = exact_integer(node, expected) {
        let edit = TextEdit::replace(scalar.range(), int.to_string());
        return Some(("Write it as an integer", vec![edit]));
    }
    let content = scalar.text();
    let fits = match expected {
        Expected::Bool => matches!(content, "true" | "false"),
        Expected::Integer(_) | Expected::Number => content.parse::<i32>().is_ok(),
        Expected::String
        | Expected::Base64
        | Expected::Time
        | Expected::IntOrString
        | Expected::Object
        | Expected::List
        | Expected::SchemaOrBool => false,
    };
    fits.then(|| {
        let edit = TextEdit::replace(scalar.range(), content);
        ("Remove the quotes", vec![edit])
    })
}

/// Returns edits that enclose a scalar in brackets. A plain scalar must not contain what would end
/// it in a list.
fn list_of(scalar: Scalar<'_>) -> Option<Vec<TextEdit>> {
    let range = scalar.range();
    match scalar.style() {
        ScalarStyle::Literal | ScalarStyle::Folded => return None,
        ScalarStyle::Plain if scalar.text().contains([',', '[', ']', '{', '}']) => return None,
        ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {}
    }
    Some(vec![
        TextEdit::insert(range.start(), "["),
        TextEdit::insert(range.end(), "]"),
    ])
}

#[cfg(test)]
mod tests;
