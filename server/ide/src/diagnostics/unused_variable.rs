#![doc = include_str!("unused_variable.md")]

use super::facts::Facts;
use super::{Finding, RuleContext, Tag};
use crate::SourceFile;
use cel::syntax::is_identifier;
use policy::variables::Definition;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies {
        // With a syntax error in the file, the expression that uses it may not be seen.
        if facts.document.recovered() {
            continue;
        }
        for index in facts.variables.unused() {
            let definition = facts.variables.definitions.get(index);
            found
                .extend(definition.and_then(|definition| finding(context.file, facts, definition)));
        }
    }
}

fn finding(file: &SourceFile, facts: &Facts<'_>, definition: &Definition<'_>) -> Option<Finding> {
    let name = definition.name?;
    if !is_identifier(name) || may_be_used(file, facts, name) {
        return None;
    }
    let finding = Finding::new(
        definition.name_node?.range(),
        format!("No expression uses the variable `{name}`. Use it or remove it."),
    )
    .tag(Tag::Unnecessary);
    Some(match file.editor().remove_item(definition.node) {
        Some(edit) => finding.maybe_fix(format!("Remove `{name}`"), vec![edit]),
        None => finding,
    })
}

/// Whether an expression that cannot be read well mentions the name.
fn may_be_used(file: &SourceFile, facts: &Facts<'_>, name: &str) -> bool {
    facts.document.expressions().iter().any(|expression| {
        let broken = !expression.parse.is_ok()
            || super::swallowed_comment::find(file, facts.document, expression).is_some();
        broken && expression.text().contains(name)
    })
}

#[cfg(test)]
mod tests;
