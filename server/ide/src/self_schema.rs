//! The schema that a part of a validation rule refers to.
//!
//! `self` has the schema that the rule belongs to. It is read where the rule is, since the
//! definition need not be a part of the project.

use cel::syntax::{ExprId, ExprKind, IdentRole, MacroKind};
use policy::{Expression, PolicyDocument};
use yaml::Node;

/// Returns the schema of a node: of `self`, of its fields and elements, and of the variables of
/// macros over them.
pub(crate) fn self_schema<'d>(
    document: &'d PolicyDocument,
    expression: &Expression,
    id: ExprId,
) -> Option<Node<'d>> {
    let ast = expression.ast();
    match ast.kind(id) {
        ExprKind::Paren(inner) => self_schema(document, expression, *inner),
        ExprKind::Select { operand, field, .. } => {
            let owner = self_schema(document, expression, *operand)?;
            let field = property(owner, ast.name(*field)).map(|(_, field)| field);
            field.or_else(|| owner.get("additionalProperties"))
        }
        ExprKind::Index { operand, .. } => element(self_schema(document, expression, *operand)?),
        ExprKind::Ident { name, .. } => of_name(document, expression, id, ast.name(*name)),
        ExprKind::Call {
            target: Some(target),
            function,
            ..
        } => {
            let schema = self_schema(document, expression, *target)?;
            match ast.name(*function) {
                "value" | "orValue" | "or" | "filter" | "sort" | "distinct" | "reverse"
                | "slice" => Some(schema),
                "first" | "last" => element(schema),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the schema of `self`, or of a variable of a macro.
fn of_name<'d>(
    document: &'d PolicyDocument,
    expression: &Expression,
    id: ExprId,
    name: &str,
) -> Option<Node<'d>> {
    let ast = expression.ast();
    let uses = ast.idents(ast.root(), &[]);
    match uses.iter().find(|found| found.id == id)?.role {
        IdentRole::Free if matches!(name, "self" | "oldSelf") => {
            Some(document.node(expression.role.schema()?))
        }
        IdentRole::Free => None,
        IdentRole::Declaration(binding) | IdentRole::Bound(binding) => {
            let call = ast.macro_call(binding.call)?;
            let schema = self_schema(document, expression, call.target?)?;
            match call.kind {
                MacroKind::OptMap | MacroKind::OptFlatMap => Some(schema),
                _ => element(schema),
            }
        }
    }
}

/// Returns the schema of a property by its name in CEL, and its place among the properties.
pub(crate) fn property<'d>(schema: Node<'d>, name: &str) -> Option<(usize, Node<'d>)> {
    let unescaped = kubernetes::names::unescape(name);
    let entries = schema.get("properties")?.as_mapping()?.entries();
    let is_name = |key: &str| key == name || unescaped.as_deref() == Some(key);
    let mut found = entries
        .enumerate()
        .filter(|(_, it)| is_name(&it.key.key_text()));
    found.next_back().map(|(place, entry)| (place, entry.value))
}

/// Returns whether a schema has no field of this name. False if it may have any field.
pub(crate) fn lacks(schema: Node<'_>, name: &str) -> bool {
    let is_open = [
        "additionalProperties",
        "x-kubernetes-preserve-unknown-fields",
    ];
    let is_standard = matches!(name, "apiVersion" | "kind" | "metadata");
    let is_described = schema.get("properties").is_some();
    let is_open = is_open.iter().any(|key| schema.get(key).is_some());
    is_described && !is_open && !is_standard && property(schema, name).is_none()
}

/// Returns whether a schema takes both integers and strings.
pub(crate) fn is_int_or_string(schema: Node<'_>) -> bool {
    let mark = schema.get("x-kubernetes-int-or-string");
    mark.is_some_and(|it| it.text() == "true")
}

/// Returns the schema of the elements of a list or the values of a map.
fn element(schema: Node<'_>) -> Option<Node<'_>> {
    schema
        .get("items")
        .or_else(|| schema.get("additionalProperties"))
}
