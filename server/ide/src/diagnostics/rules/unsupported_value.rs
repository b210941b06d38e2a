#![doc = include_str!("unsupported_value.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, api_error};
use policy::validation::{ApiError, ApiRule};
use text::{TextEdit, nearest};
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let unsupported = facts
            .errors
            .iter()
            .filter(|error| matches!(error.rule, ApiRule::OneOf(_)));
        found.extend(unsupported.map(|error| finding(context, facts, error)));
    }
}

fn finding(context: &RuleContext<'_>, facts: &DocumentFacts<'_>, error: &ApiError) -> Finding {
    let node = error.node.map(|node| facts.document.node(node));
    let written = node.map_or("", yaml::Node::text);
    let supported = api_error::supported(error);
    let listed: Vec<String> = supported.iter().map(|value| format!("`{value}`")).collect();
    let message = format!(
        "`{}` cannot be `{written}`. Use {}.",
        error.path,
        text::listed(&listed, "or")
    );
    let finding = Finding::new(error.range, message).upstream(api_error::upstream(error));
    let nearest = nearest(written, supported.iter().copied())
        .or_else(|| beginning(written, &supported))
        .or_else(|| synonym(written, &supported));
    let edit = nearest.and_then(|nearest| replace_word(node?, nearest));
    match (nearest, edit) {
        (Some(nearest), Some(edit)) => finding.fix(format!("Change to `{nearest}`"), vec![edit]),
        (None, _) => match node.and_then(|node| without(context, node)) {
            Some(edit) => finding.unsafe_fix(format!("Remove `{written}`"), vec![edit]),
            None => finding,
        },
        _ => finding,
    }
}

/// Values of other languages and tools.
const SYNONYMS: [(&str, &str); 12] = [
    ("!=", "NotIn"),
    ("=", "In"),
    ("==", "In"),
    ("dict", "object"),
    ("double", "number"),
    ("equal", "In"),
    ("equals", "In"),
    ("float", "number"),
    ("list", "array"),
    ("map", "object"),
    ("notequal", "NotIn"),
    ("notequals", "NotIn"),
];

/// Returns the supported value that begins with an abbreviation such as `int`.
fn beginning<'s>(written: &str, supported: &[&'s str]) -> Option<&'s str> {
    let begins = |value: &&&str| {
        let begin = value.get(..written.len());
        written.len() > 2 && begin.is_some_and(|begin| begin.eq_ignore_ascii_case(written))
    };
    let mut found = supported.iter().filter(begins);
    let only = found.next()?;
    found.next().is_none().then_some(*only)
}

/// Returns the supported value with the meaning of a word of another language.
fn synonym<'s>(written: &str, supported: &[&'s str]) -> Option<&'s str> {
    let (_, right) = SYNONYMS
        .iter()
        .find(|(from, _)| from.eq_ignore_ascii_case(written))?;
    supported.iter().copied().find(|value| value == right)
}

/// Returns the edit that removes an item from a list with other items.
fn without(context: &RuleContext<'_>, item: yaml::Node<'_>) -> Option<TextEdit> {
    let list = item.parent()?.as_sequence()?;
    let has_others = list.items().len() > 1;
    has_others.then(|| context.file.editor().remove_item(item))?
}

#[cfg(test)]
mod tests;
