//! The edit that creates an admission input.

use crate::convert::positions::Positions;
use text::{Encoding, LineIndex, TextSize};
use tower_lsp_server::ls_types as lsp;

/// The title of the action that creates an input.
pub(crate) const CREATE_INPUT_TITLE: &str = "Create an admission input";

/// Returns the edit that appends an input to a file. `existing` is the text of the file, with
/// the version of the open document. `None` if the file does not exist.
pub(crate) fn create_input(
    uri: &lsp::Uri,
    existing: Option<&(String, Option<i32>)>,
    input: &str,
    encoding: Encoding,
) -> lsp::WorkspaceEdit {
    let mut operations = Vec::new();
    let (position, version, before) = match existing {
        None => {
            operations.push(create(uri));
            (lsp::Position::default(), None, "")
        }
        Some((text, version)) => (end(text, encoding), *version, separator(text)),
    };
    let insertion = lsp::TextEdit {
        range: lsp::Range::new(position, position),
        new_text: format!("{before}{input}"),
    };
    let edit = lsp::TextDocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier {
            uri: uri.clone(),
            version,
        },
        edits: vec![lsp::OneOf::Left(insertion)],
    };
    operations.push(lsp::DocumentChangeOperation::Edit(edit));
    lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Operations(operations)),
        ..lsp::WorkspaceEdit::default()
    }
}

/// Returns the code action with that edit.
pub(crate) fn create_input_action(edit: lsp::WorkspaceEdit) -> lsp::CodeActionOrCommand {
    lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
        title: CREATE_INPUT_TITLE.to_owned(),
        kind: Some(lsp::CodeActionKind::REFACTOR),
        edit: Some(edit),
        ..lsp::CodeAction::default()
    })
}

fn create(uri: &lsp::Uri) -> lsp::DocumentChangeOperation {
    lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Create(lsp::CreateFile {
        uri: uri.clone(),
        options: Some(lsp::CreateFileOptions {
            overwrite: Some(false),
            ignore_if_exists: Some(true),
        }),
        annotation_id: None,
    }))
}

fn end(text: &str, encoding: Encoding) -> lsp::Position {
    let line_index = LineIndex::new(text);
    Positions::new(text, &line_index, encoding).position(TextSize::of(text))
}

/// Returns the separator between the text and another document.
fn separator(text: &str) -> &'static str {
    match text {
        _ if text.trim().is_empty() => "",
        _ if text.ends_with('\n') => "---\n",
        _ => "\n---\n",
    }
}
