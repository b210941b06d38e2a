//! CRD validation rules, for which the API server estimates the cost before it accepts them.

use super::rewrite::{Rewrite, rewrite};
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::{Finding, Severity, api_error};
use crate::file::SourceFile;
use crate::units::{number, percent};
use cel::syntax::{Ast, MacroKind};
use policy::cost::{Bound, PER_RULE, PER_SCHEMA, bounds, rule_cost};
use policy::validation::{ApiError, ApiRule};
use policy::{Expression, FieldStep, Role};
use std::collections::BTreeMap;
use text::TextEdit;

/// Limit: the share of a budget, in percent, from which a rule is reported.
const MUCH: u64 = 80;

/// Returns whether the server rejects a rule because of its cost.
pub(in super::super) fn is_cost(error: &ApiError) -> bool {
    error.rule == ApiRule::RuleCost
}

/// Returns whether an error follows from the cost of a single rule.
pub(in super::super) fn follows(error: &ApiError, errors: &[ApiError]) -> bool {
    error.rule == ApiRule::TotalCost && errors.iter().any(is_cost)
}

pub(super) fn check(file: &SourceFile, facts: &DocumentFacts<'_>, found: &mut Vec<Finding>) {
    let expressions = facts.document.expressions().iter();
    let rules: Vec<(&Expression, u64)> = expressions
        .filter_map(|it| Some((it, rule_cost(facts.document, it)?.total())))
        .collect();
    for (expression, total) in &rules {
        let mut errors = facts.errors.iter().filter(|error| is_cost(error));
        let refusal = errors.find(|error| error.node == Some(expression.node));
        let finding = match refusal {
            Some(error) => refused(facts, expression, *total, error),
            None if is_much(*total, PER_RULE) => near(facts, expression, *total),
            None => continue,
        };
        found.push(with_limits(file, facts, expression, *total, finding));
    }
    found.extend(totals(facts, &rules));
}

fn is_much(cost: u64, budget: u64) -> bool {
    percent(cost, budget) >= MUCH && cost <= budget
}

fn refused(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    total: u64,
    error: &ApiError,
) -> Finding {
    let limit = number(PER_RULE);
    let message = format!(
        "This {} can use {} cost units, which exceeds the limit of {limit}. {}",
        name(expression),
        number(total),
        advice(facts, expression, total)
    );
    let range = facts.document.node(expression.node).range();
    Finding::new(range, message)
        .upstream(api_error::upstream(error))
        .severity(Severity::Error)
}

fn near(facts: &DocumentFacts<'_>, expression: &Expression, total: u64) -> Finding {
    let message = format!(
        "This {} can use {} of {} cost units ({}%). {}",
        name(expression),
        number(total),
        number(PER_RULE),
        percent(total, PER_RULE),
        advice(facts, expression, total)
    );
    let range = facts.document.node(expression.node).range();
    Finding::new(range, message).severity(Severity::Information)
}

fn name(expression: &Expression) -> &'static str {
    match expression.role {
        Role::CrdRule { .. } => "rule",
        _ => "message",
    }
}

/// Returns the cause of the cost, as advice.
fn advice(facts: &DocumentFacts<'_>, expression: &Expression, total: u64) -> String {
    if let Some(rewrite) = rewrite(facts, expression, total) {
        return rewrite.advice;
    }
    let named: Vec<String> = bounds(facts.document, expression, PER_RULE / 2)
        .iter()
        .map(|bound| format!("`{}` has no `{}`", bound_name(bound), bound.field))
        .collect();
    match named.as_slice() {
        [] if has_loop(expression.ast()) => {
            "Avoid nested loops, or lower the limits in the schema.".into()
        }
        [] => "The result of a function counts as a string or a list of any length.".into(),
        named => format!("{}.", text::listed(named, "and")),
    }
}

fn has_loop(ast: &Ast) -> bool {
    let mut calls = ast.ids().filter_map(|id| ast.macro_call(id));
    calls.any(|call| {
        !matches!(
            call.kind,
            MacroKind::Has | MacroKind::OptMap | MacroKind::OptFlatMap
        )
    })
}

fn bound_name(bound: &Bound) -> &str {
    match bound.path.as_str() {
        "" => "self",
        path => path,
    }
}

fn title(rewrite: &Rewrite) -> String {
    match rewrite.changes.as_slice() {
        [(_, right)] => format!("Change to `{right}`"),
        _ => "Rewrite with sizes that the API server knows".to_owned(),
    }
}

/// Adds a cheaper form of the rule, or the limits that the schema lacks.
fn with_limits(
    file: &SourceFile,
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    total: u64,
    finding: Finding,
) -> Finding {
    if let Some(rewrite) = rewrite(facts, expression, total) {
        return match edits(facts, expression, &rewrite.changes) {
            Some(edits) if rewrite.total <= PER_RULE => finding.fix(title(&rewrite), edits),
            Some(edits) => finding.unsafe_fix(title(&rewrite), edits),
            None => finding,
        };
    }
    let bounds = bounds(facts.document, expression, PER_RULE / 2);
    let limits = |bounds: &[Bound]| -> Option<Vec<TextEdit>> {
        bounds.iter().map(|it| edit(file, facts, it)).collect()
    };
    let mut finding = finding;
    if let [first, rest @ ..] = bounds.as_slice()
        && (rest.is_empty() || first.total <= PER_RULE / 2)
        && let Some(edits) = limits(std::slice::from_ref(first))
    {
        let title = format!(
            "Add `{}: {}` to `{}`",
            first.field,
            first.limit,
            bound_name(first)
        );
        return finding.unsafe_fix(title, edits);
    }
    if let Some(edits) = limits(&bounds).filter(|edits| !edits.is_empty()) {
        let paths: Vec<String> = bounds
            .iter()
            .map(|it| format!("`{}`", bound_name(it)))
            .collect();
        finding = finding.unsafe_fix(format!("Add limits to {}", paths.join(", ")), edits);
    }
    finding
}

fn edit(file: &SourceFile, facts: &DocumentFacts<'_>, bound: &Bound) -> Option<TextEdit> {
    let schema = facts.document.node(bound.schema);
    let mut entries = schema
        .as_mapping()
        .filter(|_| !schema.is_alias())?
        .entries();
    let entry = entries.find(|entry| entry.key.key_text() == "type")?;
    let limit = bound.limit.to_string();
    file.editor().add_behind(entry, bound.field, &limit)
}

/// Reports versions whose rules together are near the budget, at the most expensive rule.
fn totals(facts: &DocumentFacts<'_>, rules: &[(&Expression, u64)]) -> Vec<Finding> {
    let mut versions: BTreeMap<usize, Vec<(&Expression, u64)>> = BTreeMap::new();
    for (expression, total) in rules {
        let mut steps = expression.path.steps().iter();
        let of_document = facts.document.base().steps().len();
        if let Some(FieldStep::Index(version)) = steps.nth(of_document + 2) {
            versions
                .entry(*version)
                .or_default()
                .push((expression, *total));
        }
    }
    versions.into_values().filter_map(|rules| {
        let sum = rules
            .iter()
            .fold(0_u64, |sum, (_, total)| sum.saturating_add(*total));
        let (most, cost) = rules.iter().max_by_key(|(_, total)| *total)?;
        let message = format!(
            "All rules of this version together can use {} of {} cost units ({}%). This rule is \
             the most expensive, with {}.",
            number(sum),
            number(PER_SCHEMA),
            percent(sum, PER_SCHEMA),
            number(*cost)
        );
        let range = facts.document.node(most.node).range();
        let finding = Finding::new(range, message).severity(Severity::Information);
        is_much(sum, PER_SCHEMA).then_some(finding)
    }).collect()
}
