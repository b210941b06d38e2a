//! From the analysis to the protocol.

mod code_actions;
mod completion;
mod evaluation;
mod hover;
mod input;
mod markup;
mod navigation;
mod semantic_tokens;
mod signature_help;

pub(crate) use code_actions::{
    FixData, OtherFile, code_actions, fix_all, ignore_in_project, new_file, replacement, rule_fix,
};
pub(crate) use completion::{CompletionData, completion, documentation};
pub(crate) use evaluation::{
    InputChoice, LensData, code_lenses, evaluation, inlay_hints, input_choices, mutation,
};
pub(crate) use hover::hover;
pub(crate) use input::{CREATE_INPUT_TITLE, create_input, create_input_action};
pub(crate) use navigation::{
    definitions, document_edits, document_link, folding_ranges, hierarchy_call, hierarchy_item,
    highlights, link, locations, range, selection_range, text_edits, workspace_symbol,
};
pub(crate) use semantic_tokens::{semantic_tokens, semantic_tokens_legend};
pub(crate) use signature_help::signature_help;

use crate::capabilities::{Capabilities, DiagnosticCapabilities};
use crate::convert::positions::Positions;
use ide::SymbolKind;
use policy::ParsedFile;
use std::cmp::Reverse;
use text::{Encoding, LineIndex, TextEdit, TextRange};
use tower_lsp_server::ls_types as lsp;
use workspace::ConfigProblem;

/// The source of the findings, as editors show it.
const SOURCE: &str = "admissible";

/// The maximum number of findings in one file.
///
/// Limit: editors also truncate the list, and every change sends all of them.
const MAX_FINDINGS: usize = 1000;

/// The name of a symbol without a name: editors reject an empty one.
const NO_NAME: &str = "(no name)";

/// Converts the findings in a file. If there are too many, the most severe are kept, and the
/// last one has the number of missing ones.
pub(crate) fn diagnostics(
    file: &ParsedFile,
    uri: &lsp::Uri,
    findings: &[ide::Diagnostic],
    client: &Capabilities,
) -> Vec<lsp::Diagnostic> {
    let positions = positions(file, client.encoding);
    let convert = |finding| diagnostic(&positions, uri, finding, &client.diagnostics);
    if findings.len() <= MAX_FINDINGS {
        return findings.iter().map(convert).collect();
    }
    let mut worst: Vec<&ide::Diagnostic> = findings.iter().collect();
    worst.sort_by_cached_key(|finding| Reverse(finding.severity));
    worst.truncate(MAX_FINDINGS);
    let mut diagnostics: Vec<_> = worst.into_iter().map(convert).collect();
    diagnostics.push(lsp::Diagnostic {
        severity: Some(lsp::DiagnosticSeverity::INFORMATION),
        source: Some(SOURCE.to_owned()),
        message: format!(
            "{} more findings in this file are not shown.",
            findings.len() - MAX_FINDINGS
        ),
        ..lsp::Diagnostic::default()
    });
    diagnostics
}

fn positions(file: &ParsedFile, encoding: Encoding) -> Positions<'_> {
    Positions::new(file.text(), file.line_index(), encoding)
}

fn diagnostic(
    positions: &Positions<'_>,
    uri: &lsp::Uri,
    finding: &ide::Diagnostic,
    client: &DiagnosticCapabilities,
) -> lsp::Diagnostic {
    lsp::Diagnostic {
        range: positions.range(finding.range),
        severity: Some(severity(finding.severity)),
        code: Some(lsp::NumberOrString::String(finding.code.to_owned())),
        code_description: client
            .code_description
            .then(|| client.rule_pages.uri(finding.code))
            .flatten()
            .map(|href| lsp::CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message: message(positions, finding, client),
        related_information: (client.related && !finding.related.is_empty())
            .then(|| related(positions, uri, finding)),
        tags: finding
            .tag
            .map(tag)
            .filter(|tag| client.tags.contains(tag))
            .map(|tag| vec![tag]),
        data: finding
            .upstream
            .as_ref()
            .filter(|_| client.data)
            .map(|words| serde_json::json!({ "upstream": words })),
    }
}

/// Returns the message, Kubernetes' message, and the parts that the client cannot show elsewhere.
fn message(
    positions: &Positions<'_>,
    finding: &ide::Diagnostic,
    client: &DiagnosticCapabilities,
) -> String {
    let mut message = finding.message.clone();
    if let Some(words) = &finding.upstream {
        message.push_str("\nKubernetes: ");
        message.push_str(words);
    }
    if !client.related {
        for place in &finding.related {
            let line = match &place.elsewhere {
                Some(other) => {
                    let line = other.start(positions.encoding()).line + 1;
                    let name = other.file.file_name().unwrap_or_default();
                    format!("{} line {line}", name.to_string_lossy())
                }
                None => {
                    let line = positions.position(place.range.start()).line + 1;
                    format!("Line {line}")
                }
            };
            message.push_str(&format!("\n{line}: {}", place.message));
        }
    }
    message
}

fn related(
    positions: &Positions<'_>,
    uri: &lsp::Uri,
    finding: &ide::Diagnostic,
) -> Vec<lsp::DiagnosticRelatedInformation> {
    let places = finding.related.iter();
    places
        .map(|place| lsp::DiagnosticRelatedInformation {
            location: place
                .elsewhere
                .as_ref()
                .and_then(|place| elsewhere(place, positions.encoding()))
                .unwrap_or_else(|| lsp::Location::new(uri.clone(), positions.range(place.range))),
            message: place.message.clone(),
        })
        .collect()
}

/// Returns a location in another file of the project.
pub(crate) fn elsewhere(place: &ide::Location, encoding: Encoding) -> Option<lsp::Location> {
    // A document that was never saved is identified by its URI.
    let uri = if place.file.is_absolute() {
        lsp::Uri::from_file_path(&place.file)?
    } else {
        place.file.to_str()?.parse().ok()?
    };
    let position = |at: text::LineCol| lsp::Position::new(at.line, at.col);
    let range = lsp::Range::new(
        position(place.start(encoding)),
        position(place.end(encoding)),
    );
    Some(lsp::Location::new(uri, range))
}

fn severity(severity: ide::Severity) -> lsp::DiagnosticSeverity {
    match severity {
        ide::Severity::Hint => lsp::DiagnosticSeverity::HINT,
        ide::Severity::Information => lsp::DiagnosticSeverity::INFORMATION,
        ide::Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        ide::Severity::Error => lsp::DiagnosticSeverity::ERROR,
    }
}

fn tag(tag: ide::Tag) -> lsp::DiagnosticTag {
    match tag {
        ide::Tag::Unnecessary => lsp::DiagnosticTag::UNNECESSARY,
        ide::Tag::Deprecated => lsp::DiagnosticTag::DEPRECATED,
    }
}

/// Converts the problems of a configuration file.
pub(crate) fn config_problems(
    text: &str,
    problems: &[ConfigProblem],
    encoding: Encoding,
) -> Vec<lsp::Diagnostic> {
    let line_index = LineIndex::new(text);
    let positions = Positions::new(text, &line_index, encoding);
    let diagnostic = |problem: &ConfigProblem| lsp::Diagnostic {
        range: positions.range(problem.range),
        severity: Some(lsp::DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_owned()),
        message: problem.message.clone(),
        ..lsp::Diagnostic::default()
    };
    problems.iter().map(diagnostic).collect()
}

/// Converts the outline of a file: nested symbols, or a flat list with container names.
pub(crate) fn document_symbols(
    file: &ParsedFile,
    uri: &lsp::Uri,
    symbols: &[ide::Symbol],
    client: &Capabilities,
) -> lsp::DocumentSymbolResponse {
    let positions = positions(file, client.encoding);
    if client.answers.nested_symbols {
        let nested = symbols.iter().map(|symbol| nested(&positions, symbol));
        return lsp::DocumentSymbolResponse::Nested(nested.collect());
    }
    let mut flat = Vec::new();
    flatten(&positions, uri, symbols, None, &mut flat);
    lsp::DocumentSymbolResponse::Flat(flat)
}

#[expect(deprecated, reason = "the field has no default and must be named")]
fn nested(positions: &Positions<'_>, symbol: &ide::Symbol) -> lsp::DocumentSymbol {
    let children = symbol.children.iter().map(|child| nested(positions, child));
    lsp::DocumentSymbol {
        name: name(symbol),
        detail: symbol.detail.clone(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: positions.range(symbol.range),
        selection_range: positions.range(selection(symbol)),
        children: (!symbol.children.is_empty()).then(|| children.collect()),
    }
}

#[expect(deprecated, reason = "the field has no default and must be named")]
fn flatten(
    positions: &Positions<'_>,
    uri: &lsp::Uri,
    symbols: &[ide::Symbol],
    container: Option<&str>,
    flat: &mut Vec<lsp::SymbolInformation>,
) {
    for symbol in symbols {
        let name = name(symbol);
        flat.push(lsp::SymbolInformation {
            name: name.clone(),
            kind: symbol_kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: lsp::Location::new(uri.clone(), positions.range(symbol.range)),
            container_name: container.map(str::to_owned),
        });
        flatten(positions, uri, &symbol.children, Some(&name), flat);
    }
}

fn name(symbol: &ide::Symbol) -> String {
    match symbol.name.trim() {
        "" => NO_NAME.to_owned(),
        name => name.to_owned(),
    }
}

/// Returns the range of the name within that of the symbol: otherwise editors reject the whole
/// outline.
fn selection(symbol: &ide::Symbol) -> TextRange {
    let inside = symbol.range.intersect(symbol.selection);
    inside.unwrap_or_else(|| TextRange::empty(symbol.range.start()))
}

/// Returns a kind that every client supports.
fn symbol_kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Document => lsp::SymbolKind::CLASS,
        SymbolKind::Group => lsp::SymbolKind::ARRAY,
        SymbolKind::Variable => lsp::SymbolKind::VARIABLE,
        SymbolKind::Expression => lsp::SymbolKind::FUNCTION,
        SymbolKind::Annotation => lsp::SymbolKind::PROPERTY,
    }
}

/// Converts edits of one file, for a request that does not name its version.
pub(crate) fn formatting(
    file: &ParsedFile,
    edits: &[TextEdit],
    encoding: Encoding,
) -> Vec<lsp::TextEdit> {
    positions(file, encoding).edits(edits).collect()
}

#[cfg(test)]
mod tests;
