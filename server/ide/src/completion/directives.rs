//! Completion in comments for this program: directives, and the codes of rules.

use super::{Completion, CompletionKind, line_item, relative_path};
use crate::diagnostics::RULES;
use crate::file::SourceFile;
use evaluation::samples::Sample;
use std::collections::BTreeSet;
use text::{TextRange, TextSize};

/// The prefix of every directive.
pub(crate) const MARKER: &str = "admissible:";

/// The directives, each with the text after it and its purpose.
pub(crate) const DIRECTIVES: [(&str, &str, &str); 3] = [
    ("ignore", "[$]", "suppresses findings on a line"),
    ("ignore-file", "[$]", "suppresses findings in the file"),
    ("input", " $", "names a file with inputs"),
];

/// The rules whose findings depend most on the intent of the author. They come first.
const FIRST: [&str; 6] = [
    "unguarded-field",
    "unused-variable",
    "unguarded-key",
    "unbound-policy",
    "null-object",
    "cost-budget",
];

/// Returns the completions in a comment for this program. `None` elsewhere.
pub(super) fn completion(
    file: &SourceFile,
    offset: TextSize,
    samples: &[Sample],
) -> Option<Vec<Completion>> {
    let text = file.text();
    let before = text.get(..usize::from(offset))?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    let (lead, written) = line.rsplit_once(MARKER)?;
    let is_comment = lead.trim_end().ends_with('#') || lead.trim_end().ends_with("//");
    if !is_comment || written.contains(']') {
        return None;
    }
    if let Some(path) = written.trim_start().strip_prefix("input ") {
        return Some(inputs(file, path.trim_start(), offset, samples));
    }
    let word = written
        .trim_start_matches(|it: char| it != '-' && !it.is_ascii_alphanumeric())
        .rsplit(|it: char| it != '-' && !it.is_ascii_alphanumeric());
    let word = word.into_iter().next().unwrap_or_default();
    let range = TextRange::new(offset - TextSize::of(word), offset);
    let Some((_, list)) = written.split_once('[') else {
        let is_first = written.trim_start() == word;
        let offered = DIRECTIVES.iter().filter(|_| is_first);
        let items = offered.map(|(name, tail, detail)| {
            let mut item = line_item(CompletionKind::Keyword, name, tail, range);
            item.detail = Some((*detail).to_owned());
            item
        });
        return Some(items.collect());
    };
    let after = text.get(usize::from(offset)..).unwrap_or_default();
    let rest = after.split([']', '\n']).next().unwrap_or_default();
    let others = list.strip_suffix(word).unwrap_or(list);
    let known = others.split(',').chain(rest.split(',')).map(str::trim);
    let known: Vec<&str> = known.collect();
    let codes = codes().filter(|code| !known.contains(code));
    Some(codes.map(|code| rule_item(code, "", range)).collect())
}

/// Returns the files with manifests, each of which is an input.
fn inputs(file: &SourceFile, typed: &str, offset: TextSize, samples: &[Sample]) -> Vec<Completion> {
    let range = TextRange::new(offset - TextSize::of(typed), offset);
    let files: BTreeSet<_> = samples.iter().map(|sample| &sample.path).collect();
    files
        .into_iter()
        .filter_map(|path| relative_path(file.path(), path))
        .map(|path| line_item(CompletionKind::Value, &path, "", range))
        .collect()
}

/// Returns the codes of all rules, the most frequent first.
pub(super) fn codes() -> impl Iterator<Item = &'static str> {
    let others = RULES.iter().map(|rule| rule.code);
    let others = others.filter(|code| !FIRST.contains(code));
    FIRST.into_iter().chain(others)
}

/// Returns the completion of the code of a rule, with its page.
pub(super) fn rule_item(code: &str, tail: &str, range: TextRange) -> Completion {
    let rule = RULES.iter().find(|rule| rule.code == code);
    let mut item = line_item(CompletionKind::Value, code, tail, range);
    item.documentation = rule.map(|rule| rule.page.to_owned());
    item
}
