#![doc = include_str!("duplicate_name.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Severity, api_error};
use crate::file::SourceFile;
use policy::field_error::ErrorType;
use policy::validation::ApiError;
use policy::{FieldPath, FieldStep};
use yaml::Node;
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let duplicates = facts
            .errors
            .iter()
            .filter(|error| error.kind == ErrorType::Duplicate);
        found.extend(
            duplicates
                .take(context.max_findings())
                .map(|error| refused(context, facts, error)),
        );
        variables(facts, found);
    }
}

fn refused(context: &RuleContext<'_>, facts: &DocumentFacts<'_>, error: &ApiError) -> Finding {
    let node = error.node.map(|node| facts.document.node(node));
    let name = node.map_or("", Node::text);
    let finding = Finding::new(
        error.range,
        format!("`{name}` is already in this list. Rename or remove one of the entries."),
    )
    .upstream(api_error::upstream(error));
    let finding = match node {
        Some(node) => with_fix(context.file, node, finding),
        None => finding,
    };
    match first(facts, &error.path, name) {
        Some(first) => finding.related(first.range(), format!("the first `{name}`")),
        None => finding,
    }
}

/// Adds the fix: removes a value of a list, or renames an entry with a name.
fn with_fix(file: &SourceFile, node: Node<'_>, finding: Finding) -> Finding {
    let is_item = node.parent().is_some_and(|it| it.as_sequence().is_some());
    if is_item {
        return match file.editor().remove_item(node) {
            Some(edit) => finding.fix(format!("Remove this `{}`", node.text()), vec![edit]),
            None => finding,
        };
    }
    let mut names = (2..)
        .map(|number| format!("{}-{number}", node.text()))
        .filter(|name| !file.text().contains(name));
    let edit = names
        .next()
        .and_then(|name| Some((replace_word(node, &name)?, name)));
    match edit.filter(|_| node.as_str().is_some()) {
        Some((edit, name)) => finding.unsafe_fix(format!("Rename it to `{name}`"), vec![edit]),
        None => finding,
    }
}

/// Returns the node with the first use of the name in the list around `path`.
fn first<'a>(facts: &DocumentFacts<'a>, path: &FieldPath, name: &str) -> Option<Node<'a>> {
    let steps = path.steps();
    let index = steps
        .iter()
        .rposition(|step| matches!(step, FieldStep::Index(_)))?;
    let (list, rest) = steps.split_at_checked(index)?;
    let [_, inner @ ..] = rest else { return None };
    let follow = |root: Node<'a>, steps: &[FieldStep]| {
        steps.iter().try_fold(root, |node, step| match step {
            FieldStep::Field(field) | FieldStep::Key(field) => node.get(field),
            FieldStep::Index(index) => node.as_sequence()?.items().nth(*index),
        })
    };
    follow(facts.document.root(), list)?
        .as_sequence()?
        .items()
        .filter_map(|item| follow(item, inner))
        .find(|node| node.text() == name)
}

/// Reports variables with the same name, which the server accepts: an expression uses the last one
/// that is defined before it.
fn variables(facts: &DocumentFacts<'_>, found: &mut Vec<Finding>) {
    let name_node = |index: usize| facts.variables.definitions.get(index)?.name_node;
    for (first, second) in facts.variables.duplicates() {
        let (Some(first), Some(second)) = (name_node(first), name_node(second)) else {
            continue;
        };
        let name = second.text();
        let finding = Finding::new(
            second.range(),
            format!("The variable `{name}` is defined twice. Rename or remove one of them."),
        );
        found.push(
            finding
                .severity(Severity::Warning)
                .related(first.range(), format!("the first `{name}`")),
        );
    }
}

#[cfg(test)]
mod tests;
