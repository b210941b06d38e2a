//! Code actions and their edits.

use super::{create_input, diagnostic, positions};
use crate::capabilities::{Capabilities, FIX_ALL};
use crate::convert::positions::Positions;
use ide::{ActionKind, FixableRule, NewFile, Safety};
use policy::ParsedFile;
use serde::{Deserialize, Serialize};
use similar::{DiffTag, TextDiff};
use std::collections::HashMap;
use text::{LineIndex, TextEdit, TextRange, TextSize};
use tower_lsp_server::ls_types as lsp;

/// The identifier of the annotation of edits that a user confirms.
const CONFIRM: &str = "unsafe";

/// The fixes of an action whose edit is requested later.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FixData {
    pub(crate) uri: lsp::Uri,
    pub(crate) version: i32,
    /// The code of the rule.
    pub(crate) code: String,
    /// Whether its fixes may be unsafe.
    pub(crate) is_unsafe: bool,
}

impl FixData {
    pub(crate) fn new(uri: &lsp::Uri, version: i32, rule: &FixableRule) -> Self {
        Self {
            uri: uri.clone(),
            version,
            code: rule.code.to_owned(),
            is_unsafe: rule.safety == Safety::Unsafe,
        }
    }

    /// Returns the most that a fix may be.
    pub(crate) fn safety(&self) -> Safety {
        if self.is_unsafe {
            Safety::Unsafe
        } else {
            Safety::Safe
        }
    }
}

/// Converts code actions. `version` is the version of the text to which they apply.
pub(crate) fn code_actions(
    file: &ParsedFile,
    uri: &lsp::Uri,
    version: i32,
    actions: &[ide::CodeAction],
    client: &Capabilities,
) -> lsp::CodeActionResponse {
    let positions = positions(file, client.encoding);
    let action = |action: &ide::CodeAction| {
        let finding = action.finding.as_ref();
        let finding = finding.map(|it| vec![diagnostic(&positions, uri, it, &client.diagnostics)]);
        let document = (uri, Some(version));
        let edit = workspace_edit(&positions, document, &action.edits, action.safety, client);
        lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
            title: action.title.clone(),
            kind: Some(kind(action.kind)),
            diagnostics: finding,
            edit: Some(edit),
            is_preferred: (client.answers.preferred && action.is_preferred).then_some(true),
            ..lsp::CodeAction::default()
        })
    };
    actions.iter().map(action).collect()
}

fn kind(kind: ActionKind) -> lsp::CodeActionKind {
    match kind {
        ActionKind::QuickFix => lsp::CodeActionKind::QUICKFIX,
        ActionKind::Extract => lsp::CodeActionKind::REFACTOR_EXTRACT,
        ActionKind::Inline => lsp::CodeActionKind::REFACTOR_INLINE,
        ActionKind::Rewrite => lsp::CodeActionKind::REFACTOR_REWRITE,
    }
}

/// Returns the action that fixes the findings of a rule, with its edit or the data to compute
/// it.
pub(crate) fn rule_fix(
    rule: &FixableRule,
    data: &FixData,
    edit: Option<lsp::WorkspaceEdit>,
) -> lsp::CodeActionOrCommand {
    lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
        title: format!("Fix all {} findings of `{}`", rule.count, rule.code),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        data: edit.is_none().then(|| serde_json::json!(data)),
        edit,
        ..lsp::CodeAction::default()
    })
}

/// Returns the action that applies all safe fixes.
pub(crate) fn fix_all(edit: lsp::WorkspaceEdit) -> lsp::CodeActionOrCommand {
    lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
        title: "Apply all safe fixes".to_owned(),
        kind: Some(FIX_ALL.into()),
        edit: Some(edit),
        ..lsp::CodeAction::default()
    })
}

/// Returns the edit that changes the lines in which `text` differs.
pub(crate) fn replacement(
    file: &ParsedFile,
    (uri, version): (&lsp::Uri, i32),
    text: &str,
    safety: Safety,
    client: &Capabilities,
) -> lsp::WorkspaceEdit {
    let positions = positions(file, client.encoding);
    let edits = changed_lines(file.text(), text);
    workspace_edit(&positions, (uri, Some(version)), &edits, safety, client)
}

/// A file that is not the one in which an action is requested.
pub(crate) struct OtherFile {
    pub(crate) uri: lsp::Uri,
    /// Its text, and its version if it is open. `None` if it does not exist.
    pub(crate) existing: Option<(String, Option<i32>)>,
}

/// Returns the action that turns a rule off in a configuration file with a new text. `None` if the
/// client cannot create the file.
pub(crate) fn ignore_in_project(
    finding: lsp::Diagnostic,
    code: &str,
    (configuration, text): (&OtherFile, &str),
    client: &Capabilities,
) -> Option<lsp::CodeActionOrCommand> {
    Some(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
        title: format!("Ignore `{code}` in this project"),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![finding]),
        edit: Some(other_file(configuration, text, client)?),
        ..lsp::CodeAction::default()
    }))
}

/// Returns the action that creates a file. A user confirms it, if the client supports that.
pub(crate) fn new_file(
    uri: &lsp::Uri,
    new: &NewFile,
    client: &Capabilities,
) -> lsp::CodeActionOrCommand {
    let mut edit = create_input(uri, None, &new.text, client.encoding);
    if client.answers.confirmed_edits {
        confirm(&mut edit);
    }
    lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
        title: new.title.clone(),
        kind: Some(kind(ActionKind::Rewrite)),
        edit: Some(edit),
        ..lsp::CodeAction::default()
    })
}

/// Annotates the files that an edit creates, so that a user confirms them.
fn confirm(edit: &mut lsp::WorkspaceEdit) {
    let Some(lsp::DocumentChanges::Operations(operations)) = &mut edit.document_changes else {
        return;
    };
    for operation in operations {
        if let lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Create(create)) = operation {
            create.annotation_id = Some(CONFIRM.to_owned());
        }
    }
    edit.change_annotations = Some(annotations());
}

/// Returns the edit that replaces the text of another file, or creates it.
fn other_file(other: &OtherFile, text: &str, client: &Capabilities) -> Option<lsp::WorkspaceEdit> {
    let Some((old, version)) = &other.existing else {
        let answers = &client.answers;
        let can_create = answers.creates_files;
        return can_create.then(|| create_input(&other.uri, None, text, client.encoding));
    };
    let lines = LineIndex::new(old);
    let positions = Positions::new(old, &lines, client.encoding);
    let edits = changed_lines(old, text);
    let document = (&other.uri, *version);
    let safety = Safety::Safe;
    Some(workspace_edit(&positions, document, &edits, safety, client))
}

/// Returns the edits of the lines in which two texts differ.
fn changed_lines(old: &str, new: &str) -> Vec<TextEdit> {
    let diff = TextDiff::from_lines(old, new);
    let (before, after) = (diff.old_slices(), diff.new_slices());
    let edit = |op: &similar::DiffOp| {
        let start = TextSize::of(before.get(..op.old_range().start)?.concat().as_str());
        let removed = before.get(op.old_range())?.concat();
        let range = TextRange::at(start, TextSize::of(removed.as_str()));
        let inserted = after.get(op.new_range())?.concat();
        (op.tag() != DiffTag::Equal).then(|| TextEdit::replace(range, inserted))
    };
    diff.ops().iter().filter_map(edit).collect()
}

/// Returns an edit of one document. A user confirms an unsafe one, if the client supports that.
fn workspace_edit(
    positions: &Positions<'_>,
    (uri, version): (&lsp::Uri, Option<i32>),
    edits: &[TextEdit],
    safety: Safety,
    client: &Capabilities,
) -> lsp::WorkspaceEdit {
    let edits = positions.edits(edits);
    if !client.answers.versioned_edits {
        let changes = HashMap::from([(uri.clone(), edits.collect())]);
        return lsp::WorkspaceEdit::new(changes);
    }
    let is_confirmed = client.answers.confirmed_edits && safety == Safety::Unsafe;
    let edit = |text_edit| {
        if !is_confirmed {
            return lsp::OneOf::Left(text_edit);
        }
        lsp::OneOf::Right(lsp::AnnotatedTextEdit {
            text_edit,
            annotation_id: CONFIRM.to_owned(),
        })
    };
    let change = lsp::TextDocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier {
            uri: uri.clone(),
            version,
        },
        edits: edits.map(edit).collect(),
    };
    lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Edits(vec![change])),
        change_annotations: is_confirmed.then(annotations),
        ..lsp::WorkspaceEdit::default()
    }
}

fn annotations() -> HashMap<String, lsp::ChangeAnnotation> {
    let annotation = lsp::ChangeAnnotation {
        label: "Unsafe fix".to_owned(),
        needs_confirmation: Some(true),
        description: Some("may change which requests are denied".to_owned()),
    };
    HashMap::from([(CONFIRM.to_owned(), annotation)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::apply_edits;

    #[test]
    fn only_lines_that_differ_are_edited() {
        let (old, new) = ("a\r\né\nc\nd", "a\r\né\nx\ny\nd\n");
        let edits = changed_lines(old, new);
        assert_eq!(apply_edits(old, &edits).unwrap(), new);
        let kept = TextSize::of("a\r\né\n");
        assert!(edits.iter().all(|edit| edit.range.start() >= kept));
    }
}
