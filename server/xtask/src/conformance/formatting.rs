//! Formatting of every expression in the cases: the tree is preserved, and a second run changes
//! nothing.
//!
//! Every string of a case is tried as an expression and as a manifest, so that no case needs a
//! special rule. An expression is also formatted in a policy, in every scalar style.

use super::case::{Case, Outcome};
use cel::Parse;
use cel::format::{Lines, format, is_same};
use ide::formatting;
use kubernetes::Target;
use policy::ParsedFile;
use serde_json::Value;
use text::apply_edits;

/// The line widths of the project and of an author with a narrow window.
const WIDTHS: [usize; 2] = [100, 40];

/// Checks all strings of a case, also in policies. `None` if no string is an expression or a
/// manifest.
pub(super) fn check(case: &Case) -> Option<Outcome> {
    check_strings(case, check_text)
}

/// Checks the strings of a case that are expressions, on their own.
#[cfg(test)]
pub(super) fn check_expressions(case: &Case) -> Option<Outcome> {
    check_strings(case, |text| check_parsed(&cel::parse(text)))
}

fn check_strings(case: &Case, check: fn(&str) -> Outcome) -> Option<Outcome> {
    let mut open: Vec<&Value> = case.values().collect();
    let mut outcome = None;
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            Value::String(text) if is_checked(text) => match check(text) {
                Ok(()) => outcome = Some(Ok(())),
                Err(why) => return Some(Err(format!("{why}\n{text}"))),
            },
            _ => {}
        }
    }
    outcome
}

fn is_checked(text: &str) -> bool {
    is_manifest(text) || cel::parse(text).is_ok()
}

fn is_manifest(text: &str) -> bool {
    text.contains("apiVersion") && text.contains('\n')
}

fn check_text(text: &str) -> Outcome {
    if is_manifest(text) {
        return check_file(text);
    }
    check_parsed(&cel::parse(text))?;
    styles(text).iter().try_for_each(|style| check_file(style))
}

/// Checks an expression. A manifest is not one.
fn check_parsed(parse: &Parse) -> Outcome {
    if !parse.is_ok() {
        return Ok(());
    }
    let text = parse.ast.text();
    for width in WIDTHS {
        check_expression(parse, &Lines::with_width(width), &Lines::with_width(width))?;
        let again = |text: &str| Lines::keeping_breaks(text, width);
        let lines = again(text);
        if let Some(formatted) = format(parse, &lines) {
            check_expression(parse, &lines, &again(&formatted))?;
        }
    }
    Ok(())
}

fn check_expression(parse: &Parse, lines: &Lines, again: &Lines) -> Outcome {
    let Some(formatted) = format(parse, lines) else {
        return Err("cannot be formatted".to_owned());
    };
    let after = cel::parse(&formatted);
    if !is_same(parse, &after) {
        return Err(format!("the tree changes: {formatted}"));
    }
    if format(&after, again).as_ref() != Some(&formatted) {
        return Err(format!("a second run changes it: {formatted}"));
    }
    Ok(())
}

/// Checks a file. Expressions that cannot be formatted must not change.
pub(super) fn check_file(text: &str) -> Outcome {
    for width in WIDTHS {
        let before = parsed(text);
        let edits = formatting(&before, width, None).edits;
        let after = apply_edits(text, &edits).map_err(|error| error.to_string())?;
        let after = parsed(&after);
        let expressions = |file: &ParsedFile| -> Vec<_> {
            let documents = file.policies().iter();
            documents
                .flat_map(|it| it.expressions())
                .map(|it| it.parse.clone())
                .collect()
        };
        let (old, new) = (expressions(&before), expressions(&after));
        let is_kept = old.len() == new.len()
            && old
                .iter()
                .zip(&new)
                .all(|(a, b)| a.ast.text() == b.ast.text() || is_same(a, b));
        if !is_kept {
            return Err(format!("an expression changes in {}", after.text()));
        }
        if !formatting(&after, width, None).edits.is_empty() {
            return Err(format!("a second run changes {}", after.text()));
        }
    }
    Ok(())
}

fn parsed(text: &str) -> ParsedFile {
    ParsedFile::new(text.into(), Target::default())
}

/// Returns policies with an expression in every scalar style.
fn styles(text: &str) -> Vec<String> {
    let lines = |break_at: &str| text.replace('\n', break_at);
    let quoted = yaml::edit::single_quoted(text);
    let values = [
        text.to_owned(),
        yaml::edit::quoted(text),
        quoted.clone(),
        quoted.replace(" && ", " &&\n        "),
        text.replace(' ', "\n        "),
        format!("|\n        {}", lines("\n        ")),
        format!("|2-\n        {}", lines("\n        ")),
        format!(">-\n        {}", lines("\n        ")),
        format!(">+\r\n        {}\r\n\r\n", lines("\r\n          ")),
    ];
    let value = |value: &String| {
        format!(
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
             metadata: {{name: a}}\nspec:\n  validations:\n    - expression: {value}\n"
        )
    };
    values.iter().map(value).collect()
}
