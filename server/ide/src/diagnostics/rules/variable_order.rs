#![doc = include_str!("variable_order.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use crate::file::SourceFile;
use policy::variables::{VariableUse, Variables};
use std::collections::{HashMap, HashSet};
use text::TextEdit;
use yaml::Node;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut early = facts.variables.too_early().peekable();
        if early.peek().is_none() {
            continue;
        }
        let list = VariableOrder::new(facts);
        let findings = early.filter_map(|used| list.finding(context.file, facts, used));
        found.extend(findings.take(context.max_findings()));
    }
}

/// The variables of a document and their dependencies.
struct VariableOrder<'f> {
    variables: &'f Variables<'f>,
    /// The variables that each variable uses.
    needs: Vec<Vec<usize>>,
    /// The index of the cycle of each variable that is in one.
    cycles: HashMap<usize, usize>,
    /// A valid order, unless there is a cycle.
    order: Option<Vec<usize>>,
}

impl<'f> VariableOrder<'f> {
    fn new(facts: &'f DocumentFacts<'_>) -> Self {
        let variables = &facts.variables;
        let mut needs = vec![Vec::new(); variables.definitions.len()];
        for used in &variables.uses {
            let user = used.within.and_then(|user| needs.get_mut(user));
            if let (Some(user), Some(target)) = (user, variables.index_of(used.name)) {
                user.push(target);
            }
        }
        let cycles = variables.cycles().into_iter().enumerate();
        Self {
            variables,
            needs,
            cycles: cycles
                .flat_map(|(cycle, members)| members.into_iter().map(move |it| (it, cycle)))
                .collect(),
            order: variables.order(),
        }
    }

    fn finding(
        &self,
        file: &SourceFile,
        facts: &DocumentFacts<'_>,
        used: &VariableUse<'_>,
    ) -> Option<Finding> {
        let user = used.within?;
        let target = self.variables.index_of(used.name)?;
        let cycle = self.cycles.get(&user);
        // A cycle is a different error.
        if user == target || (cycle.is_some() && cycle == self.cycles.get(&target)) {
            return None;
        }
        let name = used.name;
        let advice = match self.names_in_order() {
            Some(names) => format!("A valid order: {names}."),
            None => "Move it up.".to_owned(),
        };
        let message = format!(
            "`{name}` is defined further down, and an expression can only use variables that are \
             defined before it. {advice}"
        );
        let mut finding = Finding::new(facts.document.range(used.expression, used.span), message)
            .upstream(format!("undefined field '{name}'"));
        let definition = self.variables.definitions.get(target)?;
        if let Some(node) = definition.name_node {
            finding = finding.related(node.range(), format!("`{name}` is defined here"));
        }
        Some(match self.move_up(file, user, target) {
            Some(edits) => finding.fix(format!("Move `{name}` up"), edits),
            None => finding,
        })
    }

    /// Returns the names in a valid order. `None` if there are too many for a message.
    fn names_in_order(&self) -> Option<String> {
        // Limit: the number that fits into one message.
        const MANY: usize = 8;
        let order = self.order.as_deref().filter(|order| order.len() <= MANY)?;
        let names = order.iter().map(|index| {
            let name = self.variables.definitions.get(*index)?.name?;
            Some(format!("`{name}`"))
        });
        Some(names.collect::<Option<Vec<_>>>()?.join(", "))
    }

    /// Returns the edits that move a variable and its dependencies before the first variable that
    /// uses it.
    fn move_up(&self, file: &SourceFile, user: usize, target: usize) -> Option<Vec<TextEdit>> {
        let mut users = self.needs.iter();
        let first = users.position(|needs| needs.contains(&target))?.min(user);
        let needed = self.needed(target);
        let moved: Vec<Node<'_>> = self
            .order
            .as_deref()?
            .iter()
            .filter(|index| needed.contains(index) && **index > first)
            .filter_map(|index| self.variables.definitions.get(*index))
            .map(|definition| definition.node)
            .collect();
        // Limit: the bytes of an edit.
        const MANY: usize = 100;
        if moved.len() > MANY {
            return None;
        }
        let before = self.variables.definitions.get(first)?.node;
        file.editor().move_before(&moved, before)
    }

    /// Returns a variable and all its dependencies, direct or not.
    fn needed(&self, target: usize) -> HashSet<usize> {
        let mut needed = HashSet::from([target]);
        let mut waiting = vec![target];
        while let Some(index) = waiting.pop() {
            for next in self.needs.get(index).into_iter().flatten() {
                if needed.insert(*next) {
                    waiting.push(*next);
                }
            }
        }
        needed
    }
}

#[cfg(test)]
mod tests;
