#![doc = include_str!("deep_variables.md")]

use crate::diagnostics::{Finding, RuleContext};
use policy::nesting::{MAX_DEPTH, of_variables};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let nesting = of_variables(facts.document, &facts.variables);
        let mut definitions = facts.variables.definitions.iter().zip(nesting);
        let first = definitions.find(|(_, nesting)| nesting.is_exceeded());
        let Some((definition, nesting)) = first else {
            continue;
        };
        let name = definition.name.unwrap_or_default();
        let message = if nesting.depth > MAX_DEPTH {
            format!(
                "The value of the variable `{name}` may nest lists and maps more than {MAX_DEPTH} \
                 levels deep, so `admissible` cannot evaluate it."
            )
        } else {
            format!(
                "The variable `{name}` depends on a chain of variables that is too long for \
                 `admissible` to evaluate."
            )
        };
        let range = definition.name_node.unwrap_or(definition.node).range();
        found.push(Finding::new(range, message));
    }
}
