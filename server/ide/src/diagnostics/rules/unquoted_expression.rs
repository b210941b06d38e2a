#![doc = include_str!("unquoted_expression.md")]

use crate::diagnostics::unquoted::{self, Unquoted};
use crate::diagnostics::{Finding, RuleContext, diagnose, touches};
use crate::file::SourceFile;
use crate::report::Severity;
use crate::settings::Settings;
use policy::validation::validate;
use text::{TextEdit, TextRange, TextSize, apply_edits};
use yaml::edit::single_quoted;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let (file, unquoted) = (context.file, context.unquoted);
    if unquoted.is_empty() {
        return;
    }
    let changes: Vec<TextEdit> = unquoted.iter().map(|it| change(file, it)).collect();
    let errors = remaining_errors(file, &changes);
    let rejected = rejected(context);
    let findings = unquoted.iter().zip(changes).enumerate();
    found.extend(findings.map(|(index, (expression, change))| {
        let error = errors.get(index).and_then(Option::as_deref);
        let finding = finding(file, expression, change, error);
        let is_rejected = rejected.iter().any(|it| touches(*it, expression.range));
        if !is_rejected && is_parsed(context, expression.range) {
            return finding.severity(Severity::Warning);
        }
        finding
    }));
}

/// Returns the ranges of what Kubernetes rejects.
fn rejected(context: &RuleContext<'_>) -> Vec<TextRange> {
    let errors = context.file.stream().errors().iter().map(|it| it.range);
    let documents = context.documents.iter().map(|facts| facts.document);
    let invalid = documents.flat_map(validate).map(|it| it.range);
    errors.chain(invalid).collect()
}

/// Returns whether the value that YAML parses is an expression: `! true` is the string `true`.
fn is_parsed(context: &RuleContext<'_>, range: TextRange) -> bool {
    let mut documents = context.documents.iter().map(|facts| facts.document);
    documents.any(|document| {
        let mut expressions = document.expressions().iter();
        expressions.any(|it| touches(document.node(it.node).range(), range))
    })
}

fn finding(
    file: &SourceFile,
    expression: &Unquoted,
    change: TextEdit,
    error: Option<&str>,
) -> Finding {
    let reason = reason(file.slice(expression.range));
    let (advice, title) = if expression.text.contains('\n') {
        (
            "Use a literal block (`|`).",
            "Convert to a literal block (`|`)",
        )
    } else {
        ("Quote the whole expression.", "Quote the whole expression")
    };
    let mut message = format!("YAML parses this expression as something else: {reason}. {advice}");
    if let Some(error) = error {
        message.push_str(" The expression also has an error: ");
        message.push_str(error);
    }
    Finding::new(expression.range, message).fix(title, vec![change])
}

/// Returns the edit that makes YAML parse the whole expression.
fn change(file: &SourceFile, expression: &Unquoted) -> TextEdit {
    if !expression.text.contains('\n') {
        return TextEdit::replace(expression.range, in_quotes(&expression.text));
    }
    let indent = usize::from(expression.column) + 2;
    let block = file.editor().block(indent, &expression.text);
    let range = TextRange::new(expression.after_colon, expression.range.end());
    TextEdit::replace(range, block)
}

/// Returns for each change the first error that remains in it.
fn remaining_errors(file: &SourceFile, changes: &[TextEdit]) -> Vec<Option<String>> {
    let Ok(text) = apply_edits(file.text(), changes) else {
        return Vec::new();
    };
    let after = file.edited(text);
    // If YAML still parses one differently, this rule would analyze the file once more.
    if !unquoted::find(&after).is_empty() {
        return Vec::new();
    }
    let found = diagnose(&after, &Settings::default());
    let (mut removed, mut added) = (TextSize::new(0), TextSize::new(0));
    let errors = changes.iter().map(|change| {
        let size = TextSize::of(change.insert.as_str());
        let range = TextRange::at(change.range.start() + added - removed, size);
        (removed, added) = (removed + change.range.len(), added + size);
        let mut errors = found.iter().filter(|it| it.severity == Severity::Error);
        let error = errors.find(|it| range.contains_range(it.range))?;
        Some(error.message.clone())
    });
    errors.collect()
}

/// Returns the expression in the quotes that need the fewest escapes.
fn in_quotes(text: &str) -> String {
    if text.contains('\'') && !text.contains(['"', '\\']) {
        return format!("\"{text}\"");
    }
    single_quoted(text)
}

/// Returns a description of how YAML parses the value.
fn reason(value: &str) -> String {
    let first = value.chars().next().unwrap_or(' ');
    match first {
        '!' => "`!` begins a tag".to_owned(),
        '"' | '\'' => format!("`{first}` begins a quoted string, which ends at the next `{first}`"),
        '[' => "`[` begins a list".to_owned(),
        '{' => "`{` begins a mapping".to_owned(),
        _ if first.is_ascii_punctuation() && first != '(' && first != '_' => {
            format!("`{first}` has a special meaning at the beginning of a value")
        }
        _ if value.contains(": ") => "a colon followed by a space begins a value".to_owned(),
        _ => "part of it has a special meaning".to_owned(),
    }
}

#[cfg(test)]
mod tests;
