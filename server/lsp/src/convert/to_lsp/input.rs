//! Admission inputs: how one is created, and what is wrong with one.

use super::{SOURCE, positions};
use crate::capabilities::Capabilities;
use crate::convert::positions::Positions;
use crate::inputs::Mistake;
use ide::SourceFile;
use text::{Encoding, LineIndex, TextSize};
use tower_lsp_server::ls_types as lsp;

/// What the action is called that creates an input.
pub(crate) const CREATE_INPUT_TITLE: &str = "Create an admission input";

/// The edit that puts an input at the end of a file. `there` is the text that the file has,
/// with the version of the open document; `None` where it does not exist.
pub(crate) fn create_input(
    uri: &lsp::Uri,
    there: Option<&(String, Option<i32>)>,
    input: &str,
    encoding: Encoding,
) -> lsp::WorkspaceEdit {
    let mut operations = Vec::new();
    let (position, version, before) = match there {
        None => {
            operations.push(create(uri));
            (lsp::Position::default(), None, "")
        }
        Some((text, version)) => (end(text, encoding), *version, separator(text)),
    };
    let edit = lsp::TextEdit {
        range: lsp::Range::new(position, position),
        new_text: format!("{before}{input}"),
    };
    let edit = lsp::TextDocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier {
            uri: uri.clone(),
            version,
        },
        edits: vec![lsp::OneOf::Left(edit)],
    };
    operations.push(lsp::DocumentChangeOperation::Edit(edit));
    lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Operations(operations)),
        ..lsp::WorkspaceEdit::default()
    }
}

/// The action with that edit.
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
    let positions = Positions::new(text, &line_index, encoding);
    positions.position(TextSize::of(text))
}

/// What stands between the documents of a file.
fn separator(text: &str) -> &'static str {
    match text {
        _ if text.trim().is_empty() => "",
        _ if text.ends_with('\n') => "---\n",
        _ => "\n---\n",
    }
}

/// Mistakes about inputs.
pub(crate) fn input_mistakes(
    file: &SourceFile,
    mistakes: &[Mistake],
    client: &Capabilities,
) -> Vec<lsp::Diagnostic> {
    let positions = positions(file, client.encoding);
    let diagnostic = |mistake: &Mistake| lsp::Diagnostic {
        range: positions.range(mistake.range),
        severity: Some(lsp::DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_owned()),
        message: mistake.message.clone(),
        ..lsp::Diagnostic::default()
    };
    mistakes.iter().map(diagnostic).collect()
}
