#![doc = include_str!("unknown_enum_value.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::literal_types::requoted;
use crate::diagnostics::{Finding, RuleContext};
use crate::presence::{Constant, SiteContext, SiteKind, Term, TermId};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal};
use foldhash::fast::RandomState;
use policy::Expression;
use std::collections::HashSet;
use text::nearest;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let presence = facts.presence();
        let mut seen: HashSet<(usize, ExprId), RandomState> = HashSet::default();
        let sites = presence.failure_sites();
        for place in sites.chain(presence.rule_failure_sites()) {
            if let SiteKind::Operation(terms) = &place.site.kind
                && seen.insert((place.site.expression, place.site.id))
            {
                found.extend(comparisons(facts, place, terms));
            }
        }
    }
}

/// Reports the strings of a comparison that the schema of the field does not allow.
fn comparisons(
    facts: &DocumentFacts<'_>,
    place: SiteContext<'_>,
    terms: &[TermId],
) -> Vec<Finding> {
    let Some(expression) = facts.document.expressions().get(place.site.expression) else {
        return Vec::new();
    };
    let ast = expression.ast();
    let [one, other] = *terms else {
        return Vec::new();
    };
    let (field, constants) = match comparison(place, ast, (one, other)) {
        Some((field, constant, comes_out)) => (field, vec![(constant, Some(comes_out))]),
        None => (one, elements(place, ast)),
    };
    if constants.is_empty() || !facts.is_read(expression) {
        return Vec::new();
    }
    let Some(values) = values(place, field) else {
        return Vec::new();
    };
    let strings = constants.into_iter().filter_map(|(part, comes_out)| {
        let ExprKind::Literal(Literal::String(constant)) = ast.kind(part) else {
            return None;
        };
        Some((part, &**constant, comes_out))
    });
    let strings: Vec<(ExprId, &str, Option<&str>)> = strings.collect();
    unknown(facts, expression, &strings, &values)
}

/// Returns the findings for the strings that are not among the values of a field.
fn unknown(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    strings: &[(ExprId, &str, Option<&str>)],
    values: &[String],
) -> Vec<Finding> {
    let is_unknown =
        |constant: &str| !constant.is_empty() && !values.iter().any(|it| it == constant);
    let is_unused = |value: &&str| !strings.iter().any(|it| it.1 == *value);
    let unknown = strings.iter().filter(|it| is_unknown(it.1));
    let findings = unknown.map(|(part, constant, comes_out)| {
        let finding = finding(facts, expression, (*part, constant), (values, *comes_out));
        let unused = values.iter().map(String::as_str).filter(is_unused);
        match nearest(constant, unused) {
            Some(right) => with_fix(finding, facts, expression, (*part, constant), right),
            None => finding,
        }
    });
    findings.collect()
}

fn finding(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    (part, constant): (ExprId, &str),
    (values, comes_out): (&[String], Option<&str>),
) -> Finding {
    let shown: Vec<String> = values.iter().map(|it| format!("`{it}`")).collect();
    let effect = match comes_out {
        Some(comes_out) => format!("this comparison with `{constant}` is always {comes_out}"),
        None => format!("`{constant}` never matches"),
    };
    let message = format!("The schema allows only {}, so {effect}.", shown.join(", "));
    let span = expression.ast().span(part);
    Finding::new(facts.document.range(expression, span), message)
}

/// Adds a fix that replaces a string with another one, in the same quotes. Only a change of case is
/// certainly intended: another string may be a value of a version that the schema does not have.
fn with_fix(
    finding: Finding,
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    (part, constant): (ExprId, &str),
    right: &str,
) -> Finding {
    let span = expression.ast().span(part);
    let written = span.slice(expression.text());
    let Some(right_written) = requoted(written, right) else {
        return finding;
    };
    let title = format!("Change to `{right_written}`");
    match edits(facts, expression, &[(span, right_written)]) {
        Some(edits) if right.eq_ignore_ascii_case(constant) => finding.fix(title, edits),
        Some(edits) => finding.unsafe_fix(title, edits),
        None => finding,
    }
}

/// Returns the strings of the list in `field in ['a', 'b']`.
fn elements(place: SiteContext<'_>, ast: &Ast) -> Vec<(ExprId, Option<&'static str>)> {
    let ExprKind::Binary {
        operator: BinaryOperator::In,
        right,
        ..
    } = ast.kind(place.site.id)
    else {
        return Vec::new();
    };
    match ast.kind(ast.unparenthesized(*right)) {
        ExprKind::List { elements } => elements.iter().map(|it| (it.value, None)).collect(),
        _ => Vec::new(),
    }
}

/// Returns the field of a comparison, the node of the string, and the result if they differ.
fn comparison(
    place: SiteContext<'_>,
    ast: &Ast,
    (one, other): (TermId, TermId),
) -> Option<(TermId, ExprId, &'static str)> {
    let ExprKind::Binary {
        operator,
        left,
        right,
        ..
    } = ast.kind(place.site.id)
    else {
        return None;
    };
    let comes_out = match operator {
        BinaryOperator::Equals => "false",
        BinaryOperator::NotEquals => "true",
        _ => return None,
    };
    let (field, part) = match (place.term(one), place.term(other)) {
        (_, Term::Constant(Constant::Text(_))) => (one, *right),
        (Term::Constant(Constant::Text(_)), _) => (other, *left),
        _ => return None,
    };
    Some((field, part, comes_out))
}

/// Returns the possible values of a field in all cases of a site. `None` if one case has no enum.
fn values(place: SiteContext<'_>, field: TermId) -> Option<Vec<String>> {
    let root = place.root_of(field)?;
    let mut found: Vec<String> = Vec::new();
    for case in place.all_cases().iter().filter(|case| case.has(root)) {
        let values = place.schema(case, field)?.enum_values();
        if values.len() == 0 {
            return None;
        }
        for value in values {
            let text = value.as_str()?;
            if !found.iter().any(|known| known == text) {
                found.push(text.to_owned());
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests;
