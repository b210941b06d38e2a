//! Completions.

use super::markup::markup;
use super::positions;
use crate::capabilities::Capabilities;
use crate::convert::positions::Positions;
use ide::{Completion, CompletionKind};
use policy::ParsedFile;
use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types as lsp;

/// The position of an item in a list of completions.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct CompletionData {
    /// The number of the list.
    pub(crate) list: u64,
    /// The index of the item.
    pub(crate) item: usize,
}

/// Converts completions. With the number of their `list`, their documentation is left out.
pub(crate) fn completion(
    file: &ParsedFile,
    items: &[Completion],
    list: Option<u64>,
    client: &Capabilities,
) -> lsp::CompletionResponse {
    let positions = positions(file, client.encoding);
    // A complete list depends only on the first letters, so the client can filter it.
    let is_incomplete = items.len() >= ide::MAX_COMPLETIONS;
    let items = items.iter().enumerate().map(|(place, it)| {
        let data = list
            .filter(|_| it.documentation.is_some())
            .map(|list| CompletionData { list, item: place });
        item(&positions, it, (place, data), client)
    });
    lsp::CompletionResponse::List(lsp::CompletionList {
        is_incomplete,
        items: items.collect(),
    })
}

fn item(
    positions: &Positions<'_>,
    item: &Completion,
    (place, data): (usize, Option<CompletionData>),
    client: &Capabilities,
) -> lsp::CompletionItem {
    let (new_text, format) = inserted(item, client.answers.snippets);
    let text = item.documentation.as_deref().filter(|_| data.is_none());
    lsp::CompletionItem {
        label: item.label.clone(),
        kind: Some(kind(item.kind)),
        detail: item.detail.clone(),
        documentation: text.map(|text| documentation(text, client)),
        data: data.and_then(|data| serde_json::to_value(data).ok()),
        sort_text: Some(format!("{place:03}")),
        filter_text: item.filter.clone(),
        insert_text_format: Some(format),
        // A YAML key inserts the indentation of its value.
        insert_text_mode: new_text
            .contains('\n')
            .then_some(lsp::InsertTextMode::AS_IS),
        text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit {
            range: positions.range(item.edit.range),
            new_text,
        })),
        ..lsp::CompletionItem::default()
    }
}

/// Converts the documentation of an item.
pub(crate) fn documentation(text: &str, client: &Capabilities) -> lsp::Documentation {
    lsp::Documentation::MarkupContent(markup(text, client.answers.completion_markdown))
}

/// Returns the inserted text. A client without snippets gets the text up to the first stop, or
/// the whole document.
fn inserted(item: &Completion, snippets: bool) -> (String, lsp::InsertTextFormat) {
    let text = &item.edit.insert;
    let part = |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or_default();
    let Some(first) = item.stops.first() else {
        return (text.clone(), lsp::InsertTextFormat::PLAIN_TEXT);
    };
    if !snippets && item.kind == CompletionKind::Snippet {
        return (text.clone(), lsp::InsertTextFormat::PLAIN_TEXT);
    }
    if !snippets {
        let before = part(0, first.start).to_owned();
        return (before, lsp::InsertTextFormat::PLAIN_TEXT);
    }
    let mut snippet = String::new();
    let mut written = 0;
    for (index, stop) in item.stops.iter().enumerate() {
        snippet.push_str(&escaped(part(written, stop.start)));
        let is_last = index + 1 == item.stops.len();
        match part(stop.start, stop.end) {
            "" if is_last => snippet.push_str("$0"),
            "" => snippet.push_str(&format!("${}", index + 1)),
            selected => snippet.push_str(&format!("${{{}:{}}}", index + 1, escaped(selected))),
        }
        written = stop.end;
    }
    let rest = text.get(written as usize..).unwrap_or_default();
    snippet.push_str(&escaped(rest));
    (snippet, lsp::InsertTextFormat::SNIPPET)
}

/// Escapes the characters that have a meaning in a snippet.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '$' | '}') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

const fn kind(kind: CompletionKind) -> lsp::CompletionItemKind {
    match kind {
        CompletionKind::Variable => lsp::CompletionItemKind::VARIABLE,
        CompletionKind::Field | CompletionKind::Key => lsp::CompletionItemKind::FIELD,
        CompletionKind::Function => lsp::CompletionItemKind::FUNCTION,
        CompletionKind::Method => lsp::CompletionItemKind::METHOD,
        CompletionKind::Macro | CompletionKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Namespace => lsp::CompletionItemKind::MODULE,
        CompletionKind::Value => lsp::CompletionItemKind::VALUE,
        CompletionKind::Type => lsp::CompletionItemKind::CLASS,
        CompletionKind::Snippet => lsp::CompletionItemKind::SNIPPET,
    }
}
