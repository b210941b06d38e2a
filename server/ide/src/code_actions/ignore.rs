//! Comments that suppress a finding, on its line or in the whole file.
//!
//! A comment must not end up in a value, so it is on a separate line above the value. A comment
//! that suppresses another rule there gets one more code.

use super::{ActionKind, CodeAction};
use crate::file::SourceFile;
use crate::report::{Diagnostic, Safety};
use crate::suppression::{Scope, Suppression};
use std::collections::HashSet;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Node, NodeKind};

/// The rules that a comment cannot suppress: after a syntax error, YAML may not parse the comment,
/// and only documents with CEL are searched for comments.
const NEVER: [&str; 3] = ["unknown-suppression", "yaml-syntax", "invalid-object"];

/// Returns the actions that suppress findings, one for each rule and scope.
pub(super) fn actions(file: &SourceFile, findings: &[&Diagnostic]) -> Vec<CodeAction> {
    let mut seen = HashSet::new();
    let mut actions = Vec::new();
    let is_json = file.path().extension().is_some_and(|it| it == "json");
    for finding in findings {
        let code = finding.code;
        if is_json || NEVER.contains(&code) || !seen.insert(code) {
            continue;
        }
        let action = |title: String, edit| CodeAction {
            title,
            kind: ActionKind::QuickFix,
            edits: vec![edit],
            finding: Some((*finding).clone()),
            safety: Safety::Safe,
            is_preferred: false,
        };
        let line = on_line(file, finding);
        actions.extend(line.map(|edit| action(format!("Ignore `{code}` here"), edit)));
        let edit = in_file(file, code);
        actions.push(action(format!("Ignore `{code}` in this file"), edit));
    }
    actions
}

/// Returns the edit that suppresses a finding at its line. `None` if a comment would become part of
/// a value.
fn on_line(file: &SourceFile, finding: &Diagnostic) -> Option<TextEdit> {
    let lines = file.line_index();
    let at = finding.range.start();
    let line = match scalar_at(file, at) {
        Some(scalar) => {
            let first = lines.line(scalar.start());
            let is_covered = lines.line(at) == first || is_expression(file, scalar);
            is_covered.then_some(first)?
        }
        None => lines.line(at),
    };
    let covers = |it: &&Suppression| matches!(it.scope, Scope::Lines(_)) && it.covers(line);
    if let Some(known) = file.suppressions().iter().find(covers) {
        return with_code(known, finding.code);
    }
    let content = lines.line_content(file.text(), line)?;
    if scalar_at(file, content.start()).is_some_and(|it| it.start() < content.start()) {
        return None;
    }
    let text = file.slice(content);
    let unmarked = text.trim_start_matches('\u{feff}');
    let indent = unmarked.get(..unmarked.len() - unmarked.trim_start().len())?;
    let start = content.start() + (TextSize::of(text) - TextSize::of(unmarked));
    let comment = format!("{indent}# admissible: ignore[{}]", finding.code);
    Some(TextEdit::insert(
        start,
        comment + file.editor().line_break(),
    ))
}

/// Returns the edit that suppresses a rule in a file.
fn in_file(file: &SourceFile, code: &str) -> TextEdit {
    let of_file = |it: &&Suppression| it.scope == Scope::File;
    let known = file.suppressions().iter().find(of_file);
    known.and_then(|it| with_code(it, code)).unwrap_or_else(|| {
        let mark = if file.text().starts_with('\u{feff}') {
            "\u{feff}"
        } else {
            ""
        };
        let comment = format!("# admissible: ignore-file[{code}]");
        TextEdit::insert(TextSize::of(mark), comment + file.editor().line_break())
    })
}

fn with_code(known: &Suppression, code: &str) -> Option<TextEdit> {
    let last = known.codes.last()?;
    Some(TextEdit::insert(last.range.end(), format!(", {code}")))
}

fn is_expression(file: &SourceFile, scalar: TextRange) -> bool {
    let mut policies = file.policies().iter();
    policies.any(|policy| {
        let mut expressions = policy.expressions().iter();
        expressions.any(|it| policy.node(it.node).range() == scalar)
    })
}

/// Returns the range of the scalar at an offset.
fn scalar_at(file: &SourceFile, at: TextSize) -> Option<TextRange> {
    let roots = file.policies().iter().map(|policy| policy.root());
    let mut node: Node<'_> = roots
        .into_iter()
        .find(|it| it.range().contains_inclusive(at))?;
    loop {
        let holds = |it: &Node<'_>| !it.is_alias() && it.range().contains_inclusive(at);
        let next = match node.kind() {
            NodeKind::Scalar(_) => return Some(node.range()),
            NodeKind::Mapping(mapping) => {
                let mut nodes = mapping.entries().flat_map(|entry| [entry.key, entry.value]);
                nodes.find(holds)
            }
            NodeKind::Sequence(sequence) => sequence.items().find(holds),
        };
        node = next?;
    }
}
