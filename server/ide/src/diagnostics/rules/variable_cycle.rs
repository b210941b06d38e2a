#![doc = include_str!("variable_cycle.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use policy::variables::VariableUse;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        for cycle in facts.variables.cycles() {
            found.extend(finding(facts, cycle));
        }
    }
}

fn finding(facts: &DocumentFacts<'_>, mut cycle: Vec<usize>) -> Option<Finding> {
    let first = cycle.iter().enumerate().min_by_key(|(_, index)| **index)?.0;
    cycle.rotate_left(first);
    let names: Vec<&str> = cycle
        .iter()
        .filter_map(|index| facts.variables.definitions.get(*index)?.name)
        .collect();
    let mut links = cycle
        .iter()
        .zip(cycle.iter().cycle().skip(1))
        .filter_map(|(user, target)| link(facts, *user, *target));
    let (start, path) = (links.next()?, path(&names)?);
    let message = match names.as_slice() {
        [name] => format!("The variable `{name}` refers to itself. Change its expression."),
        _ => format!("Variables refer to each other in a cycle: `{path}`. Change one of them."),
    };
    let finding = Finding::new(facts.document.range(start.expression, start.span), message)
        .upstream(format!("undefined field '{}'", start.name));
    Some(links.fold(finding, |finding, used| {
        let range = facts.document.range(used.expression, used.span);
        let user = used
            .within
            .and_then(|index| facts.variables.definitions.get(index));
        let user = user.and_then(|user| user.name).unwrap_or("");
        finding.related(range, format!("`{user}` uses `{}`", used.name))
    }))
}

/// Returns the cycle as a path back to its start. Limit: a long path is shortened in the middle.
fn path(names: &[&str]) -> Option<String> {
    const LONGEST: usize = 8;
    let first = names.first()?;
    let mut shown: Vec<&str> = names.to_vec();
    if shown.len() > LONGEST {
        let last = names.last()?;
        shown.truncate(LONGEST - 2);
        shown.extend(["…", last]);
    }
    shown.push(first);
    Some(shown.join(" → "))
}

/// Returns the first use of a variable by another one.
fn link<'f>(
    facts: &'f DocumentFacts<'_>,
    user: usize,
    target: usize,
) -> Option<&'f VariableUse<'f>> {
    let variables = &facts.variables;
    variables
        .uses
        .iter()
        .find(|used| used.within == Some(user) && variables.index_of(used.name) == Some(target))
}

#[cfg(test)]
mod tests;
