//! Completions.

use super::markup::markup;
use super::positions;
use crate::capabilities::Capabilities;
use crate::convert::positions::Positions;
use ide::{Completion, CompletionKind};
use policy::ParsedFile;
use tower_lsp_server::ls_types as lsp;

pub(crate) fn completion(
    file: &ParsedFile,
    items: &[Completion],
    client: &Capabilities,
) -> lsp::CompletionResponse {
    let positions = positions(file, client.encoding);
    let items = items.iter().enumerate();
    let items = items.map(|(place, it)| item(&positions, it, place, client));
    lsp::CompletionResponse::List(lsp::CompletionList {
        // The items depend on the first letters only, so the client can filter.
        is_incomplete: false,
        items: items.collect(),
    })
}

fn item(
    positions: &Positions<'_>,
    item: &Completion,
    place: usize,
    client: &Capabilities,
) -> lsp::CompletionItem {
    let (new_text, format) = inserted(item, client.answers.snippets);
    let documentation = item.documentation.as_deref().map(|text| {
        let markup = markup(text, client.answers.completion_markdown);
        lsp::Documentation::MarkupContent(markup)
    });
    lsp::CompletionItem {
        label: item.label.clone(),
        kind: Some(kind(item.kind)),
        detail: item.detail.clone(),
        documentation,
        sort_text: Some(format!("{place:03}")),
        filter_text: item.filter.clone(),
        insert_text_format: Some(format),
        // A key of YAML brings the indentation of its value.
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

/// Returns the inserted text. A client without snippets gets the text up to the cursor.
fn inserted(item: &Completion, snippets: bool) -> (String, lsp::InsertTextFormat) {
    let text = &item.edit.insert;
    let parts = item
        .caret
        .and_then(|caret| text.split_at_checked(caret as usize));
    match parts {
        Some((before, after)) if snippets => (
            format!("{}$0{}", escaped(before), escaped(after)),
            lsp::InsertTextFormat::SNIPPET,
        ),
        Some((before, _)) => (before.to_owned(), lsp::InsertTextFormat::PLAIN_TEXT),
        None => (text.clone(), lsp::InsertTextFormat::PLAIN_TEXT),
    }
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
        CompletionKind::Field => lsp::CompletionItemKind::FIELD,
        CompletionKind::Function => lsp::CompletionItemKind::FUNCTION,
        CompletionKind::Method => lsp::CompletionItemKind::METHOD,
        CompletionKind::Macro | CompletionKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Namespace => lsp::CompletionItemKind::MODULE,
        CompletionKind::Value => lsp::CompletionItemKind::VALUE,
        CompletionKind::Type => lsp::CompletionItemKind::CLASS,
    }
}
