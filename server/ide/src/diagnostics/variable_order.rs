#![doc = include_str!("variable_order.md")]

use super::facts::Facts;
use super::{Finding, RuleContext};
use crate::SourceFile;
use policy::variables::{Use, Variables};
use std::collections::HashSet;
use text::TextEdit;
use yaml::Node;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies {
        let circles = facts.variables.cycles();
        let together = |left: usize, right: usize| {
            let holds = |circle: &Vec<usize>| circle.contains(&left) && circle.contains(&right);
            circles.iter().any(holds)
        };
        for used in facts.variables.too_early() {
            let (Some(user), Some(target)) = (used.within, facts.variables.definition(used.name))
            else {
                continue;
            };
            // Going round in a circle is another mistake.
            if user != target && !together(user, target) {
                found.push(finding(context.file, facts, used, (user, target)));
            }
        }
    }
}

fn finding(
    file: &SourceFile,
    facts: &Facts<'_>,
    used: &Use<'_>,
    (user, target): (usize, usize),
) -> Finding {
    let variables = &facts.variables;
    let name = used.name;
    let order = variables.order();
    let advice = match order.as_deref().and_then(|order| listed(variables, order)) {
        Some(list) => format!("An order that works: {list}."),
        None => "Move it up.".to_owned(),
    };
    let message = format!(
        "`{name}` is defined below, and an expression sees only the variables above it. {advice}"
    );
    let finding = Finding::new(facts.document.range(used.expression, used.span), message)
        .upstream(format!("undefined field '{name}'"));
    let definition = variables.definitions.get(target);
    let finding = match definition.and_then(|definition| definition.name_node) {
        Some(node) => finding.related(node.range(), format!("`{name}` is defined here")),
        None => finding,
    };
    let edits = order.and_then(|order| move_up(file, variables, &order, (user, target)));
    match edits {
        Some(edits) => finding.fix(format!("Move `{name}` up"), edits),
        None => finding,
    }
}

/// The names in their new order, unless there are too many to read.
fn listed(variables: &Variables<'_>, order: &[usize]) -> Option<String> {
    // Limit: what a person takes in at a look.
    const MANY: usize = 8;
    if order.len() > MANY {
        return None;
    }
    let names = order.iter().map(|index| {
        let name = variables.definitions.get(*index)?.name?;
        Some(format!("`{name}`"))
    });
    Some(names.collect::<Option<Vec<_>>>()?.join(", "))
}

/// Moves a variable, and what it needs itself, before the first variable that uses it.
fn move_up(
    file: &SourceFile,
    variables: &Variables<'_>,
    order: &[usize],
    (user, target): (usize, usize),
) -> Option<Vec<TextEdit>> {
    let name = variables.definitions.get(target)?.name?;
    let users = variables.uses.iter().filter(|used| used.name == name);
    let first = users.filter_map(|used| used.within).min()?.min(user);
    let needed = needed(variables, target);
    let moved: Vec<Node<'_>> = order
        .iter()
        .filter(|index| needed.contains(index) && **index > first)
        .filter_map(|index| variables.definitions.get(*index))
        .map(|definition| definition.node)
        .collect();
    let before = variables.definitions.get(first)?.node;
    file.editor().move_before(&moved, before)
}

/// A variable and all that it needs, directly or not.
fn needed(variables: &Variables<'_>, target: usize) -> HashSet<usize> {
    let mut needed = HashSet::from([target]);
    let mut waiting = vec![target];
    while let Some(index) = waiting.pop() {
        let uses = variables
            .uses
            .iter()
            .filter(|used| used.within == Some(index));
        for next in uses.filter_map(|used| variables.definition(used.name)) {
            if needed.insert(next) {
                waiting.push(next);
            }
        }
    }
    needed
}

#[cfg(test)]
mod tests;
