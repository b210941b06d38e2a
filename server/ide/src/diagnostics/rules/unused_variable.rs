#![doc = include_str!("unused_variable.md")]

use super::swallowed_comment;
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Tag};
use crate::file::SourceFile;
use cel::syntax::is_identifier;
use policy::variables::VariableDefinition;
use policy::{Expression, ProblemKind};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        // A syntax error in the file may hide the expression that uses it.
        if facts.document.recovered() {
            continue;
        }
        let unused = facts.variables.unused();
        if unused.is_empty() {
            continue;
        }
        let unquoted = context.unquoted.iter();
        let mut broken = broken(context.file, facts);
        broken.extend(unquoted.map(|expression| expression.text.as_str()));
        broken.extend(
            facts
                .problems()
                .filter_map(|(_, problem)| match &problem.kind {
                    ProblemKind::UndeclaredName { name, .. } => Some(&**name),
                    _ => None,
                }),
        );
        let definitions = unused
            .into_iter()
            .filter_map(|index| facts.variables.definitions.get(index));
        let findings =
            definitions.filter_map(|definition| finding(context.file, definition, &broken));
        found.extend(findings.take(context.max_findings()));
    }
}

/// Returns the expressions with errors, whose uses of variables are uncertain.
fn broken<'a>(file: &SourceFile, facts: &DocumentFacts<'a>) -> Vec<&'a str> {
    let expressions = facts.document.expressions().iter();
    expressions
        .filter(|expression| {
            !expression.parse.is_ok()
                || swallowed_comment::find(file, facts.document, expression).is_some()
        })
        .map(Expression::text)
        .collect()
}

fn finding(
    file: &SourceFile,
    definition: &VariableDefinition<'_>,
    broken: &[&str],
) -> Option<Finding> {
    let name = definition.name?;
    if !is_identifier(name) || broken.iter().any(|text| text.contains(name)) {
        return None;
    }
    let finding = Finding::new(
        definition.name_node?.range(),
        format!("The variable `{name}` is never used. Use it or remove it."),
    )
    .tag(Tag::Unnecessary);
    Some(match file.editor().remove_item(definition.node) {
        Some(edit) => finding.unsafe_fix(format!("Remove `{name}`"), vec![edit]),
        None => finding,
    })
}

#[cfg(test)]
mod tests;
