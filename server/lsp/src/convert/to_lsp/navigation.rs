//! Positions of names: locations, links, highlights, and edits in several documents.

use super::{elsewhere, positions, symbol_kind};
use crate::capabilities::Capabilities;
use ide::{Access, HierarchyCall, HierarchyItem, Occurrence, SymbolSummary};
use policy::ParsedFile;
use std::collections::HashMap;
use text::{Encoding, TextEdit, TextRange};
use tower_lsp_server::ls_types as lsp;

/// Converts a range.
pub(crate) fn range(file: &ParsedFile, range: TextRange, encoding: Encoding) -> lsp::Range {
    positions(file, encoding).range(range)
}

/// Converts ranges in a file to locations.
pub(crate) fn locations(
    file: &ParsedFile,
    uri: &lsp::Uri,
    ranges: &[TextRange],
    encoding: Encoding,
) -> Vec<lsp::Location> {
    let positions = positions(file, encoding);
    let location = |range: &TextRange| lsp::Location::new(uri.clone(), positions.range(*range));
    ranges.iter().map(location).collect()
}

/// Returns the link to a named target. `origin` is the range of the name that refers to it.
pub(crate) fn link(
    file: &ParsedFile,
    uri: &lsp::Uri,
    (name, whole): (TextRange, TextRange),
    origin: lsp::Range,
    encoding: Encoding,
) -> lsp::LocationLink {
    let positions = positions(file, encoding);
    // Clients reject a selection that is not in the target, as for an alias.
    let whole = if whole.contains_range(name) {
        whole
    } else {
        name
    };
    lsp::LocationLink {
        origin_selection_range: Some(origin),
        target_uri: uri.clone(),
        target_range: positions.range(whole),
        target_selection_range: positions.range(name),
    }
}

/// Returns the response with definitions: links, or locations for a client without links.
pub(crate) fn definitions(
    links: Vec<lsp::LocationLink>,
    with_links: bool,
) -> lsp::GotoDefinitionResponse {
    if with_links {
        return lsp::GotoDefinitionResponse::Link(links);
    }
    let location =
        |link: lsp::LocationLink| lsp::Location::new(link.target_uri, link.target_selection_range);
    lsp::GotoDefinitionResponse::Array(links.into_iter().map(location).collect())
}

/// Converts the occurrences of a name in a document.
pub(crate) fn highlights(
    file: &ParsedFile,
    found: &[&Occurrence],
    encoding: Encoding,
) -> Vec<lsp::DocumentHighlight> {
    let positions = positions(file, encoding);
    let highlight = |it: &&Occurrence| lsp::DocumentHighlight {
        range: positions.range(it.range),
        kind: Some(match it.access {
            Access::Definition => lsp::DocumentHighlightKind::WRITE,
            Access::Reference => lsp::DocumentHighlightKind::READ,
        }),
    };
    found.iter().map(highlight).collect()
}

/// Converts the edits in one file, which has a version if it is open.
pub(crate) fn text_edits(
    file: &ParsedFile,
    (uri, version): (&lsp::Uri, Option<i32>),
    edits: &[TextEdit],
    encoding: Encoding,
) -> lsp::TextDocumentEdit {
    let positions = positions(file, encoding);
    lsp::TextDocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier {
            uri: uri.clone(),
            version,
        },
        edits: positions.edits(edits).map(lsp::OneOf::Left).collect(),
    }
}

/// Returns edits of documents, with their versions if the client supports them, and renamed files,
/// which it must support.
pub(crate) fn document_edits(
    edits: Vec<lsp::TextDocumentEdit>,
    files: Vec<lsp::RenameFile>,
    client: &Capabilities,
) -> lsp::WorkspaceEdit {
    if !files.is_empty() {
        let edits = edits.into_iter().map(lsp::DocumentChangeOperation::Edit);
        let files = files.into_iter().map(lsp::ResourceOp::Rename);
        let changes = edits.chain(files.map(lsp::DocumentChangeOperation::Op));
        return lsp::WorkspaceEdit {
            document_changes: Some(lsp::DocumentChanges::Operations(changes.collect())),
            ..lsp::WorkspaceEdit::default()
        };
    }
    if client.answers.versioned_edits {
        return lsp::WorkspaceEdit {
            document_changes: Some(lsp::DocumentChanges::Edits(edits)),
            ..lsp::WorkspaceEdit::default()
        };
    }
    let plain = |edit: lsp::OneOf<lsp::TextEdit, lsp::AnnotatedTextEdit>| match edit {
        lsp::OneOf::Left(edit) => edit,
        lsp::OneOf::Right(edit) => edit.text_edit,
    };
    let changes = edits.into_iter().map(|document| {
        let edits = document.edits.into_iter().map(plain).collect();
        (document.text_document.uri, edits)
    });
    lsp::WorkspaceEdit::new(changes.collect::<HashMap<_, _>>())
}

/// Returns a link to a file or a page.
pub(crate) fn document_link(range: lsp::Range, target: lsp::Uri) -> lsp::DocumentLink {
    lsp::DocumentLink {
        range,
        target: Some(target),
        tooltip: None,
        data: None,
    }
}

/// Converts ranges that can be folded, as whole lines: every client supports these.
pub(crate) fn folding_ranges(file: &ParsedFile, ranges: &[TextRange]) -> Vec<lsp::FoldingRange> {
    let lines = file.line_index();
    let fold = |range: &TextRange| lsp::FoldingRange {
        start_line: lines.line(range.start()),
        end_line: lines.line(range.end()),
        ..lsp::FoldingRange::default()
    };
    ranges.iter().map(fold).collect()
}

/// Converts the parts around a cursor, of which there is at least one.
pub(crate) fn selection_range(
    file: &ParsedFile,
    parts: &[TextRange],
    encoding: Encoding,
) -> lsp::SelectionRange {
    let positions = positions(file, encoding);
    let mut outer = None;
    for part in parts.iter().rev() {
        outer = Some(lsp::SelectionRange {
            range: positions.range(*part),
            parent: outer.map(Box::new),
        });
    }
    outer.unwrap_or(lsp::SelectionRange {
        range: lsp::Range::default(),
        parent: None,
    })
}

/// Converts an item of the call hierarchy.
pub(crate) fn hierarchy_item(
    file: &ParsedFile,
    uri: &lsp::Uri,
    item: &HierarchyItem,
    encoding: Encoding,
) -> lsp::CallHierarchyItem {
    let positions = positions(file, encoding);
    lsp::CallHierarchyItem {
        name: item.name.clone(),
        kind: if item.is_variable {
            lsp::SymbolKind::VARIABLE
        } else {
            lsp::SymbolKind::FUNCTION
        },
        tags: None,
        detail: None,
        uri: uri.clone(),
        range: positions.range(item.range),
        selection_range: positions.range(item.selection),
        data: None,
    }
}

/// Converts a call: its item and the ranges of the uses.
pub(crate) fn hierarchy_call(
    file: &ParsedFile,
    uri: &lsp::Uri,
    call: &HierarchyCall,
    encoding: Encoding,
) -> (lsp::CallHierarchyItem, Vec<lsp::Range>) {
    let positions = positions(file, encoding);
    let uses = call.uses.iter().map(|range| positions.range(*range));
    (
        hierarchy_item(file, uri, &call.item, encoding),
        uses.collect(),
    )
}

/// Converts a symbol of the workspace. `None` if its file has no URI.
#[expect(deprecated, reason = "the field has no default and must be named")]
pub(crate) fn workspace_symbol(
    symbol: &SymbolSummary,
    encoding: Encoding,
) -> Option<lsp::SymbolInformation> {
    Some(lsp::SymbolInformation {
        name: symbol.name.clone(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: elsewhere(&symbol.location, encoding)?,
        container_name: Some(symbol.container.clone()),
    })
}
