#![doc = include_str!("unquoted_expression.md")]

use crate::diagnostics::unquoted::Unquoted;
use crate::diagnostics::{Finding, RuleContext};
use crate::file::SourceFile;
use text::{TextEdit, TextRange};
use yaml::edit::single_quoted;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let unquoted = context.unquoted.iter();
    found.extend(unquoted.map(|expression| finding(context.file, expression)));
}

fn finding(file: &SourceFile, expression: &Unquoted) -> Finding {
    let reason = reason(file.slice(expression.range));
    let read = "YAML parses this expression as something else";
    if expression.text.contains('\n') {
        let message = format!("{read}: {reason}. Use a literal block (`|`).");
        let block = file
            .editor()
            .block(usize::from(expression.column) + 2, &expression.text);
        let range = TextRange::new(expression.after_colon, expression.range.end());
        return Finding::new(expression.range, message).fix(
            "Convert to a literal block (`|`)",
            vec![TextEdit::replace(range, block)],
        );
    }
    let message = format!("{read}: {reason}. Quote the whole expression.");
    let edit = TextEdit::replace(expression.range, in_quotes(&expression.text));
    Finding::new(expression.range, message).fix("Quote the whole expression", vec![edit])
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
