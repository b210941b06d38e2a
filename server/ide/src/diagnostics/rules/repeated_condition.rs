#![doc = include_str!("repeated_condition.md")]

use crate::diagnostics::conditions::operands;
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Tag};
use crate::file::SourceFile;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind};
use foldhash::fast::RandomState;
use policy::{Expression, Role};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use yaml::NodeId;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        entries(context.file, facts, found);
        for expression in facts.document.expressions() {
            if expression.parse.is_ok() && facts.is_read(expression) {
                repeated_clauses(facts, expression, found);
            }
        }
        found.truncate(context.max_findings());
    }
}

/// Reports entries of a list with the same expression.
fn entries(file: &SourceFile, facts: &DocumentFacts<'_>, found: &mut Vec<Finding>) {
    let expressions = facts.document.expressions().iter().filter_map(|it| {
        let name = name(it.role).filter(|_| it.parse.is_ok())?;
        let owner = facts.document.node(it.owner);
        let length = length(it.ast(), it.ast().root());
        Some(((owner.parent()?.id(), length), (it, name, owner)))
    });
    let mut seen: HashMap<(NodeId, &str), &Expression, RandomState> = HashMap::default();
    for ((list, _), (expression, name, owner)) in not_unique(expressions) {
        let ast = expression.ast();
        // Another rule reports constants, and an expression that does not compile may change.
        let is_sound = facts
            .document
            .checked(expression)
            .is_some_and(|it| it.answer().is_ok());
        if !is_sound || matches!(ast.kind(ast.root()), ExprKind::Literal(_)) {
            continue;
        }
        let key = (list, expression.parse.normalized_source());
        let Some(first) = seen.get(&key) else {
            seen.insert(key, expression);
            continue;
        };
        let range = facts.document.node(expression.node).range();
        let before = facts.document.node(first.node).range();
        // The target of an alias is one expression.
        if range == before {
            continue;
        }
        let message = format!(
            "Another {name} in this list has the same expression. Remove one of \
                               them."
        );
        let finding = Finding::new(range, message)
            .related(before, "first written here")
            .tag(Tag::Unnecessary);
        found.push(match file.editor().remove_item(owner) {
            Some(edit) => finding.unsafe_fix(format!("Remove this {name}"), vec![edit]),
            None => finding,
        });
    }
}

/// Returns the name of an expression whose repetition has no effect.
const fn name(role: Role) -> Option<&'static str> {
    match role {
        Role::Validation => Some("validation"),
        Role::MatchCondition | Role::WebhookMatchCondition => Some("match condition"),
        Role::CrdRule { .. } => Some("rule"),
        Role::Variable { .. }
        | Role::MessageExpression
        | Role::CrdMessageExpression { .. }
        | Role::AuditAnnotation
        | Role::ApplyConfiguration
        | Role::JsonPatch => None,
    }
}

/// Reports equal clauses of one condition.
fn repeated_clauses(facts: &DocumentFacts<'_>, expression: &Expression, found: &mut Vec<Finding>) {
    let ast = expression.ast();
    let mut waiting = vec![ast.root()];
    while let Some(id) = waiting.pop() {
        let ExprKind::Binary {
            operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
            ..
        } = ast.kind(id)
        else {
            waiting.extend(ast.children(id));
            continue;
        };
        let operands = operands(ast, id, *operator);
        for (first, again) in repeated(ast, &operands) {
            let range = |id: ExprId| facts.document.range(expression, ast.span(id));
            let message = "This clause repeats an earlier one in the same condition. Remove or \
                           correct it.";
            let finding = Finding::new(range(again), message);
            found.push(finding.related(range(first), "first written here"));
        }
        waiting.extend(operands);
    }
}

/// Returns each clause that equals an earlier clause, with the earlier one.
fn repeated(ast: &Ast, operands: &[ExprId]) -> Vec<(ExprId, ExprId)> {
    let mut seen: HashMap<String, ExprId, RandomState> = HashMap::default();
    let mut found = Vec::new();
    let operands = operands.iter().map(|it| (length(ast, *it), it));
    for (_, clause) in not_unique(operands) {
        // Another rule reports constants.
        if matches!(ast.kind(*clause), ExprKind::Literal(_)) {
            continue;
        }
        match seen.entry(ast.normalized_source(*clause)) {
            Entry::Occupied(first) => found.push((*first.get(), *clause)),
            Entry::Vacant(new) => {
                new.insert(*clause);
            }
        }
    }
    found
}

/// Returns the items whose key is not unique, in their order.
fn not_unique<K: Copy + Ord, T>(
    items: impl Iterator<Item = (K, T)>,
) -> impl Iterator<Item = (K, T)> {
    let items: Vec<(K, T)> = items.collect();
    let mut keys: Vec<K> = items.iter().map(|it| it.0).collect();
    keys.sort_unstable();
    let is_repeated = move |key: &K| {
        let first = keys.partition_point(|it| it < key);
        keys.get(first + 1) == Some(key)
    };
    items.into_iter().filter(move |(key, _)| is_repeated(key))
}

/// Returns the length of the source of a node without white space and comments, which is the same
/// for nodes with the same source.
fn length(ast: &Ast, id: ExprId) -> usize {
    let text = ast.slice(ast.span(ast.unparenthesized(id)));
    let length = |text: &str| text.bytes().filter(|it| *it > b' ').count();
    if text.contains("//") {
        length(&ast.normalized_source(id))
    } else {
        length(text)
    }
}

#[cfg(test)]
mod tests;
