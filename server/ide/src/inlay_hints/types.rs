//! Inlay hints with types, and with costs near the budget.
//!
//! The types are those at admission, by the schemas of the matched kinds. Redundant hints are left
//! out: the types of literals, and of values of any type.

use super::{HintSettings, InlayHint, InlayHintKind, Tooltip, end_of_line};
use crate::file::SourceFile;
use crate::hover::{cost_share, cost_text};
use crate::kind_fields::{Kinds, NodeTypes, type_text};
use cel::syntax::{ExprId, ExprKind, IdentRole, MacroKind};
use policy::variables::Variables;
use policy::{Expression, PolicyDocument};
use std::collections::HashSet;
use text::{TextRange, TextSize, checkpoint};

/// Limit: the characters of a type.
const MAX_TYPE: usize = 40;

/// The share of the budget, in percent, from which a cost is shown.
const NEAR_BUDGET: u64 = 80;

/// Returns the types of variables, and the costs near the budget, in a range.
#[must_use]
pub fn type_hints(file: &SourceFile, range: TextRange, settings: HintSettings) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for document in file.policies() {
        if settings.variable_types {
            add_variables(file, document, range, &mut hints);
        }
        // Thousands of aliases may refer to one expression.
        let mut seen = HashSet::new();
        for expression in document.expressions() {
            let place = document.node(expression.node).range();
            if place.intersect(range).is_none() || !seen.insert(place) {
                continue;
            }
            checkpoint::checkpoint();
            if settings.macro_types {
                add_macro_variables(file, document, expression, &mut hints);
            }
            if settings.cost {
                hints.extend(cost(file, document, expression));
            }
        }
    }
    hints.retain(|hint| range.contains_inclusive(hint.offset));
    hints
}

/// Adds the types of the variables of a policy, each after its name.
fn add_variables(
    file: &SourceFile,
    document: &PolicyDocument,
    range: TextRange,
    hints: &mut Vec<InlayHint>,
) {
    for definition in Variables::new(document).definitions {
        let (Some(name), Some(expression)) = (definition.name_node, definition.expression) else {
            continue;
        };
        let offset = name.range().end();
        let ast = expression.ast();
        let value = ast.unparenthesized(ast.root());
        if matches!(ast.kind(value), ExprKind::Literal(_)) || !range.contains_inclusive(offset) {
            continue;
        }
        let types = Types::new(file, document, expression);
        hints.extend(types.hint(value, offset));
    }
}

/// Adds the types of macro variables, at their declarations.
fn add_macro_variables(
    file: &SourceFile,
    document: &PolicyDocument,
    expression: &Expression,
    hints: &mut Vec<InlayHint>,
) {
    let ast = expression.ast();
    let mut declared = ast.idents(ast.root(), &[]);
    declared.retain(|it| matches!(it.role, IdentRole::Declaration(_)));
    if declared.is_empty() {
        return;
    }
    let types = Types::new(file, document, expression);
    hints.extend(declared.into_iter().filter_map(|it| {
        let offset = document.range(expression, it.name.span).end();
        types.hint(it.id, offset)
    }));
}

/// The types of the nodes of an expression at admission.
struct Types<'a> {
    document: &'a PolicyDocument,
    expression: &'a Expression,
    kinds: Option<NodeTypes<'a>>,
}

impl<'a> Types<'a> {
    fn new(file: &'a SourceFile, document: &'a PolicyDocument, expression: &'a Expression) -> Self {
        let kinds = Kinds::new(file, document, expression);
        Self {
            document,
            expression,
            kinds: kinds.map(Kinds::node_types),
        }
    }

    /// Returns the hint for a node. `None` if its type is unknown or differs between kinds.
    fn hint(&self, id: ExprId, offset: TextSize) -> Option<InlayHint> {
        Some(InlayHint {
            offset,
            label: format!(": {}", self.of(id)?),
            tooltip: None,
            kind: InlayHintKind::Type,
        })
    }

    fn of(&self, id: ExprId) -> Option<String> {
        match self.expression.ast().macro_call(id) {
            Some(call) if call.kind == MacroKind::Map => {
                let element = self.of(*call.body.last()?)?;
                return Some(format!("list({element})")).filter(|list| is_short(list));
            }
            Some(call) if call.kind == MacroKind::Filter => return self.of(call.target?),
            _ => {}
        }
        let mut types = self.kinds.iter().flat_map(|kinds| kinds.of(id));
        let text = |(ty, schema): (&cel::Type, Option<_>)| match schema {
            Some(schema) => type_text(schema),
            None => ty.to_string(),
        };
        let first = match types.next() {
            Some(first) => text(first),
            None => {
                let checked = self.document.checked(self.expression)?;
                checked.type_of(id)?.to_string()
            }
        };
        let is_known = !matches!(&*first, "dyn" | "any" | "!error!");
        let is_same = is_known && types.all(|other| text(other) == first);
        Some(first).filter(|first| is_same && is_short(first))
    }
}

fn is_short(text: &str) -> bool {
    text.chars().count() <= MAX_TYPE
}

/// Returns the cost of an expression at the end of the line of its key, if it is near the budget.
fn cost(
    file: &SourceFile,
    document: &PolicyDocument,
    expression: &Expression,
) -> Option<InlayHint> {
    let share = cost_share(document, expression)?;
    if share < NEAR_BUDGET {
        return None;
    }
    let label = match share {
        0..=100 => format!("{share}% of the cost budget"),
        _ => "over the cost budget".to_owned(),
    };
    let key = document.node(expression.node).range().start();
    Some(InlayHint {
        offset: end_of_line(file, key),
        label,
        tooltip: cost_text(document, expression).map(Tooltip::Text),
        kind: InlayHintKind::Note,
    })
}

#[cfg(test)]
mod tests;
