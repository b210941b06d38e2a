#![doc = include_str!("swallowed_comment.md")]

mod cut;
mod lines;

pub(super) use cut::Cut;
pub(super) use lines::Lines;

use crate::diagnostics::{Finding, RuleContext};
use crate::file::SourceFile;
use policy::{Expression, PolicyDocument};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let file = context.file;
    for (facts, expression) in context.expressions() {
        let node = facts.document.node(expression.node);
        found.extend(match find(file, facts.document, expression) {
            Some(Swallowed::Lines(lines)) => lines.finding(file, facts.document, expression),
            Some(Swallowed::Cut(cut)) => Some(cut.finding(file, node)),
            None => None,
        });
    }
}

/// The part of an expression that a comment swallows.
pub(super) enum Swallowed {
    /// Lines that YAML joins with a CEL comment.
    Lines(Lines),
    /// The rest of a value after a YAML comment.
    Cut(Cut),
}

/// Returns the part of an expression that a comment swallows, if any.
pub(super) fn find(
    file: &SourceFile,
    document: &PolicyDocument,
    expression: &Expression,
) -> Option<Swallowed> {
    let node = document.node(expression.node);
    match Lines::find(file, node.as_scalar()?, expression) {
        Some(lines) => Some(Swallowed::Lines(lines)),
        None => Cut::find(file, node, expression).map(Swallowed::Cut),
    }
}

#[cfg(test)]
mod tests;
