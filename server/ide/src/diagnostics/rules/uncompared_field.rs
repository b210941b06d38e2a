#![doc = include_str!("uncompared_field.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use crate::self_schema::self_schema;
use cel::Type;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, IdentRole};
use foldhash::fast::RandomState;
use policy::{Expression, JsonSchema, Role};
use std::collections::HashMap;
use yaml::{Node, NodeId};

/// The fields that make a schema open.
const OPEN: [&str; 2] = [
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
];

/// The first open part of each schema: many rules can belong to one.
type OpenParts<'d> = HashMap<NodeId, Option<JsonSchema<'d>>, RandomState>;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut known = OpenParts::default();
        for expression in facts.document.expressions() {
            if matches!(expression.role, Role::CrdRule { .. }) && expression.parse.is_ok() {
                let ids = expression.ast().ids();
                found.extend(ids.filter_map(|id| finding(facts, expression, id, &mut known)));
            }
        }
    }
}

/// Returns the finding of a comparison with an old value whose schema preserves unknown fields.
///
/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredMap.Equal.
fn finding<'d>(
    facts: &DocumentFacts<'d>,
    expression: &Expression,
    id: ExprId,
    known: &mut OpenParts<'d>,
) -> Option<Finding> {
    let schema = compared(facts, expression, id)?;
    let find_open = || {
        JsonSchema::new(schema)?
            .all()
            .into_iter()
            .find(|it| is_open(*it))
    };
    let open = (*known.entry(schema.id()).or_insert_with(find_open))?;
    let message = match expression.role {
        // An optional holds the old value without its schema.
        Role::CrdRule {
            optional_old_self: true,
            ..
        } => {
            "This comparison never finds an object with a field that the schema does not declare \
             equal to its old value, even if it is unchanged."
        }
        _ => {
            "This comparison ignores a field that the schema does not declare if only one of the \
             objects has it: `{a: 1}` equals `{b: 2}`."
        }
    };
    let message = format!(
        "{message} Declare the fields that must not change, or compare `object` with `oldObject` \
         in a ValidatingAdmissionPolicy."
    );
    let span = expression.ast().span(id);
    let finding = Finding::new(facts.document.range(expression, span), message);
    let place = OPEN.iter().find_map(|flag| open.node().get(flag))?;
    Some(finding.related(place.range(), "undeclared fields are possible here"))
}

/// Returns the schema of the values that a node compares if one of them is old.
fn compared<'d>(
    facts: &DocumentFacts<'d>,
    expression: &Expression,
    id: ExprId,
) -> Option<Node<'d>> {
    let ast = expression.ast();
    let ExprKind::Binary {
        operator: BinaryOperator::Equals | BinaryOperator::NotEquals | BinaryOperator::In,
        left,
        right,
        ..
    } = ast.kind(id)
    else {
        return None;
    };
    // The keys of a map are strings.
    let checked = facts.document.checked(expression)?;
    checked.type_of(*left).filter(|ty| **ty != Type::String)?;
    let right = match ast.kind(ast.unparenthesized(*right)) {
        ExprKind::List { elements, .. } => elements.first().map_or(*right, |it| it.value),
        _ => *right,
    };
    match (root(ast, *left)?, root(ast, right)?) {
        ("self", "oldSelf") | ("oldSelf", "self") => {}
        _ => return None,
    }
    let schema = |id| self_schema(facts.document, expression, id);
    schema(*left).or_else(|| schema(right))
}

/// Returns the variable of a rule that a value is a part of.
fn root(ast: &Ast, id: ExprId) -> Option<&str> {
    match ast.kind(id) {
        ExprKind::Paren(inner) => root(ast, *inner),
        ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => root(ast, *operand),
        ExprKind::Call {
            target: Some(target),
            ..
        } => root(ast, *target),
        ExprKind::Ident { name, .. } => {
            let uses = ast.idents(ast.root(), &[]);
            match uses.iter().find(|it| it.id == id)?.role {
                IdentRole::Free => Some(ast.name(*name)),
                IdentRole::Declaration(binding) | IdentRole::Bound(binding) => {
                    root(ast, ast.macro_call(binding.call)?.target?)
                }
            }
        }
        _ => None,
    }
}

/// Returns whether objects of a schema can have fields that it does not declare. Values of a map
/// are declared, and so is a value of any type.
fn is_open(schema: JsonSchema<'_>) -> bool {
    let [keeps, is_embedded] = OPEN.map(|flag| schema.flag(flag));
    let is_object = schema.text("type") == "object";
    is_embedded || keeps && is_object && schema.schema("additionalProperties").is_none()
}

#[cfg(test)]
mod tests;
