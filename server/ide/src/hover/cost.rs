//! The cost of an expression, shown at the key of its field.
//!
//! Kubernetes counts the cost of an expression against a budget, but does not report how much of it
//! is used.

use super::Hover;
use crate::file::SourceFile;
use crate::units::{bound, number, percent};
use policy::cost::{PER_CALL, PER_RULE, RuleCost, TYPICAL, estimate, least, rule_cost, typical};
use policy::{Expression, PolicyDocument};
use text::{TextRange, TextSize};

/// Returns the cost of the expression whose key is at an offset.
pub(super) fn hover(file: &SourceFile, offset: TextSize) -> Option<Hover> {
    let documents = file.policies().iter();
    documents
        .flat_map(|document| document.expressions().iter().map(move |it| (document, it)))
        .find_map(|(document, expression)| {
            let range = key(document, expression)?;
            let markdown = range
                .contains_inclusive(offset)
                .then(|| cost(document, expression))??;
            Some(Hover {
                range,
                part: None,
                markdown,
            })
        })
}

/// Returns the range of the key of an expression.
fn key(document: &PolicyDocument, expression: &Expression) -> Option<TextRange> {
    let owner = document.node(expression.owner);
    let entry = owner.entry_of(document.node(expression.node))?;
    Some(entry.key.range())
}

/// Returns the share of its budget, in percent, that an expression uses with lists of a typical
/// length. For a rule of a CustomResourceDefinition, it is the estimate of the API server, which
/// limits rules by it.
pub(crate) fn share(document: &PolicyDocument, expression: &Expression) -> Option<u64> {
    if let Some(cost) = rule_cost(document, expression) {
        return Some(percent(cost.total(), PER_RULE));
    }
    Some(percent(typical(document, expression)?.max, PER_CALL))
}

/// Returns a description of the cost of an expression.
pub(crate) fn cost(document: &PolicyDocument, expression: &Expression) -> Option<String> {
    if let Some(cost) = rule_cost(document, expression) {
        return Some(of_rule(cost));
    }
    let estimate = estimate(document, expression)?;
    // A constant has no cost.
    if estimate.max == 0 {
        return None;
    }
    let limit = number(PER_CALL);
    if estimate.is_bounded() {
        let (most, part) = (
            bound("at most", estimate.max),
            percent(estimate.max, PER_CALL),
        );
        return Some(format!("Costs {most} of {limit} cost units ({part}%)."));
    }
    let least = match least(document, expression)? {
        0 => String::new(),
        least => format!("Costs {} cost units. ", bound("at least", least)),
    };
    let usual = typical(document, expression)?.max;
    Some(format!(
        "{least}With {TYPICAL} entries in each list, it costs {} of {limit} cost units ({}%).",
        bound("up to", usual),
        percent(usual, PER_CALL)
    ))
}

fn of_rule(cost: RuleCost) -> String {
    let total = cost.total();
    let (most, part) = (number(total), percent(total, PER_RULE));
    let limit = number(PER_RULE);
    let each = match cost.runs {
        1 => String::new(),
        runs => format!(
            ": {} each time, {} times",
            number(cost.each.max),
            bound("up to", runs)
        ),
    };
    let part = if total > PER_RULE {
        "over the limit".to_owned()
    } else {
        format!("{part}%")
    };
    format!("The API server estimates {most} of {limit} cost units ({part}){each}.")
}
