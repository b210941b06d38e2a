//! Expressions without required quotes, which YAML parses as something else.

use super::continuation::lines_below;
use super::placeholder::has_placeholder;
use crate::file::SourceFile;
use std::collections::BTreeSet;
use text::{TextRange, TextSize};
use yaml::Entry;
use yaml::mappings;

/// An expression that YAML parses as something else.
pub(super) struct Unquoted {
    /// The range from its first character to its last.
    pub(super) range: TextRange,
    /// The intended expression.
    pub(super) text: String,
    /// The column of its key.
    pub(super) column: TextSize,
    /// The offset directly after the colon.
    pub(super) after_colon: TextSize,
}

/// The fields that hold expressions.
const FIELDS: [&str; 4] = ["expression", "messageExpression", "valueExpression", "rule"];

/// Returns the expressions that YAML parses as something else: valid CEL on a line with a syntax
/// error or a tag.
pub(super) fn find(file: &SourceFile) -> Vec<Unquoted> {
    let errors = file.stream().errors().iter();
    let mut places: BTreeSet<TextSize> = errors.map(|error| error.range.start()).collect();
    if file.text().contains(": !") {
        places.extend(tagged(file));
    }
    let mut found: Vec<Unquoted> = Vec::new();
    for place in places {
        if found.len() == file.max_findings() {
            break;
        }
        let last = found.last().map(|last| last.range);
        if !last.is_some_and(|last| last.contains_inclusive(place)) {
            found.extend(Unquoted::at(file, place));
        }
    }
    found
}

/// Returns the starts of expressions that have a tag.
fn tagged(file: &SourceFile) -> impl Iterator<Item = TextSize> {
    let policies = file.policies().iter();
    let entries = policies
        .flat_map(|policy| mappings(policy.root()))
        .flat_map(yaml::Mapping::entries);
    let is_tagged =
        |entry: &Entry<'_>| FIELDS.contains(&entry.key.text()) && entry.value.tag().is_some();
    entries
        .filter(is_tagged)
        .map(|entry| entry.value.range().start())
}

impl Unquoted {
    /// Parses the expression at `place`, if it is on the same line as its key.
    fn at(file: &SourceFile, place: TextSize) -> Option<Self> {
        let index = file.line_index();
        let line = index.line(place);
        let content = index.line_content(file.text(), line)?;
        let entry = file.slice(content).trim_start_matches([' ', '-']);
        let (key, value) = entry.split_once(':')?;
        let words = value.trim_start();
        let first = TextRange::at(
            content.end() - TextSize::of(words),
            TextSize::of(words.trim_end()),
        );
        let is_value = FIELDS.contains(&key) && value.starts_with(' ');
        if !is_value || place < first.start() || is_other(file.slice(first)) {
            return None;
        }
        let start = content.end() - TextSize::of(entry);
        let column = start - content.start();
        let (mut text, mut range) = (file.slice(first).to_owned(), first);
        for words in lines_below(file, line, column) {
            text.push('\n');
            text.push_str(file.slice(words).trim_end());
            range = range.cover(words);
        }
        let text = [text.as_str(), within_quotes(&text)]
            .into_iter()
            .find(|text| cel::syntax::parse(text).is_ok())?;
        Some(Self {
            range,
            text: text.to_owned(),
            column,
            after_colon: start + TextSize::of(key) + TextSize::of(':'),
        })
    }
}

/// Returns whether quotes would not help: the value is a block, is cut off by a comment, or has a
/// placeholder.
fn is_other(value: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_digit() || matches!(sign, '+' | '-');
    let header = value
        .strip_prefix(['|', '>'])
        .map(|rest| rest.trim_start_matches(is_sign));
    let is_block = header.is_some_and(|rest| rest.is_empty() || rest.starts_with(" #"));
    value.is_empty() || is_block || value.contains(" #") || has_placeholder(value)
}

/// Returns the value without its outer quotes.
fn within_quotes(value: &str) -> &str {
    let without = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    without('"').or_else(|| without('\'')).unwrap_or("")
}
