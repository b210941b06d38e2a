//! Adds a message to a validation, or rewrites its message as an expression.
//!
//! A message that is added is a starting point for a better one. A message that is rewritten as an
//! expression is the same for users.

use super::refactoring;
use crate::code_actions::{ActionKind, CodeAction};
use crate::diagnostics::{escaped, suggested_message};
use crate::file::SourceFile;
use policy::manifest::Validation;
use text::TextEdit;
use yaml::edit::{quoted, replace_entry};

/// Returns the actions for the message of a validation, or of a rule of a CustomResourceDefinition.
pub(super) fn actions(
    file: &SourceFile,
    validation: Validation<'_>,
    is_rule: bool,
) -> Vec<CodeAction> {
    let add = add(file, validation, is_rule).map(|edit| {
        let title = "Add a `message`".to_owned();
        refactoring(title, ActionKind::Rewrite, vec![edit])
    });
    let convert = as_expression(validation).map(|edits| {
        let title = "Convert `message` to `messageExpression`".to_owned();
        refactoring(title, ActionKind::Rewrite, edits)
    });
    add.into_iter().chain(convert).collect()
}

/// Returns the edit that adds a message.
fn add(file: &SourceFile, validation: Validation<'_>, is_rule: bool) -> Option<TextEdit> {
    if validation.message_entry().is_some() || validation.condition().is_empty() {
        return None;
    }
    let message = suggested_message(validation, is_rule);
    let owner = validation.node().as_mapping()?;
    file.editor().add_entry(owner, "message", &quoted(&message))
}

/// Returns the edits that replace the message with a constant expression.
fn as_expression(validation: Validation<'_>) -> Option<Vec<TextEdit>> {
    let entry = validation.message_entry()?;
    let message = validation.message()?;
    // A merged message is not part of the validation.
    let is_own = validation
        .node()
        .range()
        .contains_range(entry.value.range());
    let is_block = entry.value.as_scalar()?.block_indent().is_some();
    if !is_own || is_block || validation.message_expression().is_some() {
        return None;
    }
    let expression = quoted(&format!("'{}'", escaped(message)));
    replace_entry(entry, "messageExpression", &expression)
}
