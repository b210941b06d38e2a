//! Updates of expectations in an inputs file.
//!
//! Only values under `expect` change; everything else is kept byte for byte. The result is parsed
//! again and discarded unless it means exactly what was intended.

use super::Update;
use crate::input::{Expect, ExpectField, ExpectRanges, Input, InputFile, read};
use crate::run::yaml::to_yaml;
use cel::Value;
use cel::value::Key;
use std::path::Path;
use text::{LineIndex, TextEdit, apply_edits};
use yaml::edit::{Editor, quoted};
use yaml::{Node, NodeKind};

/// Returns the file with its expectations changed. `None` if that cannot be done without changing
/// something else.
#[must_use]
pub fn rewrite(path: &Path, text: &str, updates: &[&Update]) -> Option<String> {
    let old = read(path, text);
    let is_there = |update: &&Update| {
        let mut inputs = old.inputs.iter();
        inputs.any(|it| it.key == update.input.key && is_same(it, &update.input))
    };
    if !updates.iter().all(is_there) {
        return None;
    }
    let stream = yaml::parse(text.into());
    let lines = LineIndex::new(text);
    let editor = Editor {
        text,
        lines: &lines,
    };
    let mut edits = Vec::new();
    for update in updates {
        let document = stream.documents().nth(update.input.key.document)?;
        let expect = document.root()?.get("expect")?;
        for (field, value) in &update.changes {
            edits.push(edit(editor, expect, *field, value.as_ref())?);
        }
    }
    edits.sort_by_cached_key(|edit| edit.range.start());
    let new = apply_edits(text, &edits).ok()?;
    is_right(&old, &read(path, &new), updates).then_some(new)
}

/// Returns whether a new file has the updated expectations, and is otherwise equal to the old one.
fn is_right(old: &InputFile, new: &InputFile, updates: &[&Update]) -> bool {
    let plain = |expect: Option<&Expect>| {
        expect.map(|expect| Expect {
            ranges: ExpectRanges::default(),
            ..expect.clone()
        })
    };
    let is_as_wanted = |(old, new): (&Input, &Input)| {
        let mut updates = updates.iter();
        let update = updates.find(|update| update.input.key == old.key);
        let wanted = update.map_or(old.expect.as_ref(), |update| Some(&update.expect));
        is_same(old, new) && plain(new.expect.as_ref()) == plain(wanted)
    };
    old.inputs.len() == new.inputs.len()
        && old.errors.len() == new.errors.len()
        && old.inputs.iter().zip(&new.inputs).all(is_as_wanted)
}

/// Returns whether two inputs are the same except for their expectations.
fn is_same(left: &Input, right: &Input) -> bool {
    let names = |input: &Input| {
        let policies = input.policies.as_ref();
        policies.map(|it| it.iter().map(|it| it.name.clone()).collect::<Vec<_>>())
    };
    left.key == right.key && left.request == right.request && names(left) == names(right)
}

fn edit(
    editor: Editor<'_>,
    expect: Node<'_>,
    field: ExpectField,
    value: Option<&Value>,
) -> Option<TextEdit> {
    let node = match expect.kind() {
        NodeKind::Mapping(mapping) => {
            let entry = mapping.entry(field.key())?;
            if value.is_none() {
                return editor.remove_entry(entry);
            }
            entry.value
        }
        _ => Some(expect).filter(|_| field == ExpectField::Decision)?,
    };
    let written = replacement_text(editor, node, value?);
    Some(TextEdit::replace(node.range(), written))
}

/// Returns the text of a value that replaces a node, in flow style if the node is.
fn replacement_text(editor: Editor<'_>, node: Node<'_>, value: &Value) -> String {
    let is_flow = node.is_flow() || node.as_scalar().is_some();
    let old = editor.slice(node.range());
    if is_flow {
        let end = if old.ends_with('\n') {
            editor.line_break()
        } else {
            ""
        };
        return flow(value) + end;
    }
    let indent = " ".repeat(editor.before(node.range().start()).chars().count());
    let lines: Vec<String> = to_yaml(value)
        .lines()
        .enumerate()
        .map(|(number, line)| match number {
            _ if line.is_empty() => String::new(),
            0 => line.to_owned(),
            _ => format!("{indent}{line}"),
        })
        .collect();
    let end = if old.ends_with('\n') {
        editor.line_break()
    } else {
        ""
    };
    lines.join(editor.line_break()) + end
}

/// Returns a value on one line.
fn flow(value: &Value) -> String {
    match value {
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| {
                let key = match key {
                    Key::String(text) => quoted(text),
                    key => quoted(&key.value().to_string()),
                };
                format!("{key}: {}", flow(value))
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::List(list) => {
            let items: Vec<String> = list.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::String(text) if is_word(text) => text.to_string(),
        Value::String(text) => quoted(text),
        other => to_yaml(other).trim_end().to_owned(),
    }
}

/// Returns whether a string is one without quotes: a decision, a reason.
fn is_word(text: &str) -> bool {
    let is_plain = text.chars().all(|it| it.is_ascii_alphabetic());
    is_plain && to_yaml(&Value::string(text)).trim_end() == text
}

#[cfg(test)]
mod tests;
