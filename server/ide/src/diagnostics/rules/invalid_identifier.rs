#![doc = include_str!("invalid_identifier.md")]

use crate::diagnostics::document_facts::{DocumentFacts, uses_of};
use crate::diagnostics::{Finding, RuleContext, api_error};
use cel::syntax::{is_identifier, is_reserved};
use policy::validation::{ApiError, ApiRule};
use text::TextEdit;
use yaml::Node;
use yaml::edit::{replace_part, replace_word};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let names = facts
            .errors
            .iter()
            .filter(|error| error.rule == ApiRule::VariableName);
        found.extend(
            names
                .take(context.max_findings())
                .enumerate()
                .map(|(before, error)| finding(facts, error, before < MAX_FIXES)),
        );
    }
}

/// Limit: names with a fix, which requires a search of every expression.
const MAX_FIXES: usize = 50;

fn finding(facts: &DocumentFacts<'_>, error: &ApiError, with_fix: bool) -> Finding {
    let node = error.node.map(|node| facts.document.node(node));
    let name = node.map_or("", yaml::Node::text);
    let why = if is_reserved(name) {
        format!("`{name}` is a reserved word of CEL and cannot be the name of a variable.")
    } else {
        format!(
            "`{name}` is not a CEL identifier. Use letters, digits and `_`, and do not start \
             with a digit."
        )
    };
    let finding = Finding::new(error.range, why).upstream(api_error::upstream(error));
    if !with_fix {
        return finding;
    }
    let better =
        identifier(name).filter(|better| !facts.variable_names().any(|name| name.text() == better));
    let edits = better
        .as_deref()
        .and_then(|better| rename(facts, node?, better));
    match (better, edits) {
        (Some(better), Some(edits)) => finding.fix(format!("Rename to `{better}`"), edits),
        _ => finding,
    }
}

/// Returns the edits that rename the definition and every use.
fn rename(facts: &DocumentFacts<'_>, definition: Node<'_>, better: &str) -> Option<Vec<TextEdit>> {
    let name = definition.text();
    let mut edits = vec![replace_word(definition, better)?];
    for expression in facts.document.expressions() {
        let scalar = facts.document.node(expression.node).as_scalar()?;
        for place in uses_of(expression, name) {
            edits.push(replace_part(scalar, place, better)?);
        }
    }
    Some(edits)
}

/// Returns a similar identifier: `maxReplicas` for `max-replicas`.
fn identifier(name: &str) -> Option<String> {
    if is_reserved(name) {
        return Some(format!("{name}Value"));
    }
    let mut out = String::with_capacity(name.len());
    let mut raise = false;
    for character in name.chars() {
        if character == '_' || character.is_ascii_alphanumeric() {
            if raise && !out.is_empty() {
                out.push(character.to_ascii_uppercase());
            } else {
                out.push(character);
            }
            raise = false;
        } else {
            raise = true;
        }
    }
    is_identifier(&out).then_some(out)
}

#[cfg(test)]
mod tests;
