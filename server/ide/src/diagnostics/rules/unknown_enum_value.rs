#![doc = include_str!("unknown_enum_value.md")]

use crate::diagnostics::facts::Facts;
use crate::diagnostics::{Finding, RuleContext};
use crate::presence::{Constant, SiteContext, SiteKind, Term, TermId};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind};
use std::collections::HashSet;
use text::nearest;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let presence = facts.presence(context.file.project());
        let mut seen: HashSet<(usize, ExprId)> = HashSet::new();
        for place in presence.places().chain(presence.rule_places()) {
            if seen.insert((place.site.expression, place.site.id)) {
                found.extend(finding(facts, place));
            }
        }
    }
}

/// Reports a comparison of a field with a string that its schema does not allow.
fn finding(facts: &Facts<'_>, place: SiteContext<'_>) -> Option<Finding> {
    let SiteKind::Operation(terms) = &place.site.kind else {
        return None;
    };
    let [one, other] = **terms else { return None };
    let expression = facts.document.expressions().get(place.site.expression)?;
    let (field, constant, part, comes_out) = comparison(place, expression.ast(), (one, other))?;
    let values = values(place, field)?;
    if values.iter().any(|it| it == constant) || !facts.is_read(expression) {
        return None;
    }
    let shown: Vec<String> = values.iter().map(|it| format!("`{it}`")).collect();
    let message = format!(
        "The schema allows only {}, so this comparison with `{constant}` is always {comes_out}.",
        shown.join(", ")
    );
    let span = expression.ast().span(part);
    let finding = Finding::new(facts.document.range(expression, span), message);
    Some(match nearest(constant, values.iter().map(String::as_str)) {
        Some(right) => facts.rename(finding, (expression, span), &format!("'{right}'")),
        None => finding,
    })
}

/// Returns the field and the string of a comparison, the node of the string, and the result if
/// they differ.
fn comparison<'f>(
    place: SiteContext<'f>,
    ast: &Ast,
    (one, other): (TermId, TermId),
) -> Option<(TermId, &'f str, ExprId, &'static str)> {
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
    let (field, constant, part): (_, &str, _) = match (place.term(one), place.term(other)) {
        (_, Term::Constant(Constant::Text(text))) => (one, text, *right),
        (Term::Constant(Constant::Text(text)), _) => (other, text, *left),
        _ => return None,
    };
    // A comparison with an empty string asks whether something is there.
    let is_written = !constant.is_empty() && matches!(ast.kind(part), ExprKind::Literal(_));
    is_written.then_some((field, constant, part, comes_out))
}

/// Returns the values that a field can have in any case of a place. `None` if one case has no enum.
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
