#![doc = include_str!("invalid_identifier.md")]

use crate::diagnostics::document_facts::{DocumentFacts, ends_name};
use crate::diagnostics::{Finding, RuleContext, api_error};
use cel::syntax::{is_identifier, is_reserved};
use policy::Expression;
use policy::validation::{ApiError, ApiRule};
use std::collections::HashSet;
use text::{Span, TextEdit};
use yaml::Node;
use yaml::edit::{replace_part, replace_word};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let errors = facts.errors.iter();
        let mut names = errors
            .filter(|error| error.rule == ApiRule::VariableName)
            .take(context.max_findings())
            .peekable();
        if names.peek().is_some() {
            let names_in_use = NamesInUse::new(facts);
            found.extend(names.map(|error| finding(facts, error, &names_in_use)));
        }
    }
}

/// The names of the variables of a document, and where its expressions read them: each name is
/// looked up without a search of every expression.
struct NamesInUse<'a> {
    defined: HashSet<&'a str>,
    /// The text from the name on, the expression and the offset of the name in it; sorted.
    reads: Vec<(&'a str, &'a Expression, usize)>,
}

impl<'a> NamesInUse<'a> {
    fn new(facts: &DocumentFacts<'a>) -> Self {
        let expressions = facts.document.expressions().iter();
        let mut reads: Vec<_> = expressions
            .flat_map(|expression| {
                let places = expression.text().match_indices("variables.");
                places.filter_map(move |(at, prefix)| {
                    let at = at + prefix.len();
                    Some((expression.text().get(at..)?, expression, at))
                })
            })
            .collect();
        reads.sort_by_key(|(rest, ..)| *rest);
        Self {
            defined: facts.variable_names().map(Node::text).collect(),
            reads,
        }
    }

    /// Returns the places where a name is read.
    fn uses(&self, name: &str) -> impl Iterator<Item = (&'a Expression, Span)> {
        let first = self.reads.partition_point(|(rest, ..)| *rest < name);
        let reads = self.reads.iter().skip(first);
        let uses = reads.map_while(move |(rest, expression, at)| {
            let after = rest.strip_prefix(name)?;
            Some((after, *expression, (*at, at + name.len())))
        });
        uses.filter_map(|(after, expression, (start, end))| {
            let span = Span::new(u32::try_from(start).ok()?, u32::try_from(end).ok()?);
            ends_name(after).then_some((expression, span))
        })
    }
}

fn finding(facts: &DocumentFacts<'_>, error: &ApiError, names: &NamesInUse<'_>) -> Finding {
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
    let better = identifier(name).filter(|better| !names.defined.contains(&**better));
    let edits = better
        .as_deref()
        .and_then(|better| rename(facts, node?, better, names));
    match (better, edits) {
        (Some(better), Some(edits)) => finding.fix(format!("Rename to `{better}`"), edits),
        _ => finding,
    }
}

/// Returns the edits that rename the definition and every use, in the order of the file.
fn rename(
    facts: &DocumentFacts<'_>,
    definition: Node<'_>,
    better: &str,
    names: &NamesInUse<'_>,
) -> Option<Vec<TextEdit>> {
    let mut edits = vec![replace_word(definition, better)?];
    for (expression, place) in names.uses(definition.text()) {
        let scalar = facts.document.node(expression.node).as_scalar()?;
        edits.push(replace_part(scalar, place, better)?);
    }
    edits.sort_by_key(|edit| edit.range.start());
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
