//! Semantic tokens: their legend, and their positions relative to each other.

use super::positions;
use crate::capabilities::Capabilities;
use ide::{SemanticModifier, SemanticToken, SemanticTokenKind};
use policy::ParsedFile;
use text::{TextRange, TextSize};
use tower_lsp_server::ls_types as lsp;

/// Returns the names of the kinds and modifiers, in the order of their numbers.
pub(crate) fn semantic_tokens_legend() -> lsp::SemanticTokensLegend {
    lsp::SemanticTokensLegend {
        token_types: SemanticTokenKind::ALL.map(kind).to_vec(),
        token_modifiers: SemanticModifier::ALL.map(modifier).to_vec(),
    }
}

/// Converts tokens. A token over several lines becomes one per line, which every client supports.
pub(crate) fn semantic_tokens(
    file: &ParsedFile,
    tokens: &[SemanticToken],
    client: &Capabilities,
) -> Vec<lsp::SemanticToken> {
    let positions = positions(file, client.encoding);
    let mut last = lsp::Position::default();
    let mut converted = Vec::with_capacity(tokens.len());
    for token in tokens {
        for line in lines(file, token.range) {
            let range = positions.range(line);
            let start = range.start;
            let same_line = if start.line == last.line {
                last.character
            } else {
                0
            };
            converted.push(lsp::SemanticToken {
                delta_line: start.line - last.line,
                delta_start: start.character - same_line,
                length: range.end.character - start.character,
                token_type: number(token.kind),
                token_modifiers_bitset: bits(*token),
            });
            last = start;
        }
    }
    converted
}

/// Returns the parts of a range on each line, without the line breaks.
fn lines(file: &ParsedFile, range: TextRange) -> impl Iterator<Item = TextRange> {
    let text = file.text().get(std::ops::Range::<usize>::from(range));
    let mut start = range.start();
    let lines = text.unwrap_or_default().split_inclusive('\n');
    lines.filter_map(move |line| {
        let written = line.trim_end_matches(['\r', '\n']);
        let part = TextRange::at(start, TextSize::of(written));
        start += TextSize::of(line);
        (!part.is_empty()).then_some(part)
    })
}

fn bits(token: SemanticToken) -> u32 {
    let modifiers = SemanticModifier::ALL.into_iter().enumerate();
    let set = modifiers.filter(|(_, modifier)| token.modifiers.contains(*modifier));
    set.fold(0, |bits, (index, _)| bits | 1 << index)
}

fn number(kind: SemanticTokenKind) -> u32 {
    let mut all = SemanticTokenKind::ALL.iter();
    let index = all.position(|it| *it == kind).unwrap_or_default();
    u32::try_from(index).unwrap_or_default()
}

const fn kind(kind: SemanticTokenKind) -> lsp::SemanticTokenType {
    match kind {
        SemanticTokenKind::Namespace => lsp::SemanticTokenType::NAMESPACE,
        SemanticTokenKind::Type => lsp::SemanticTokenType::TYPE,
        SemanticTokenKind::Parameter => lsp::SemanticTokenType::PARAMETER,
        SemanticTokenKind::Variable => lsp::SemanticTokenType::VARIABLE,
        SemanticTokenKind::Property => lsp::SemanticTokenType::PROPERTY,
        SemanticTokenKind::EnumMember => lsp::SemanticTokenType::ENUM_MEMBER,
        SemanticTokenKind::Function => lsp::SemanticTokenType::FUNCTION,
        SemanticTokenKind::Method => lsp::SemanticTokenType::METHOD,
        SemanticTokenKind::Macro => lsp::SemanticTokenType::MACRO,
        SemanticTokenKind::Keyword => lsp::SemanticTokenType::KEYWORD,
        SemanticTokenKind::Comment => lsp::SemanticTokenType::COMMENT,
        SemanticTokenKind::String => lsp::SemanticTokenType::STRING,
        SemanticTokenKind::Number => lsp::SemanticTokenType::NUMBER,
        SemanticTokenKind::Regexp => lsp::SemanticTokenType::REGEXP,
        SemanticTokenKind::Operator => lsp::SemanticTokenType::OPERATOR,
    }
}

const fn modifier(modifier: SemanticModifier) -> lsp::SemanticTokenModifier {
    match modifier {
        SemanticModifier::Declaration => lsp::SemanticTokenModifier::DECLARATION,
        SemanticModifier::Readonly => lsp::SemanticTokenModifier::READONLY,
        SemanticModifier::Deprecated => lsp::SemanticTokenModifier::DEPRECATED,
        SemanticModifier::DefaultLibrary => lsp::SemanticTokenModifier::DEFAULT_LIBRARY,
        SemanticModifier::Unused => lsp::SemanticTokenModifier::new("unused"),
    }
}
