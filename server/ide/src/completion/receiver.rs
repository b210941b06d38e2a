//! The possible types of the value before a dot.
//!
//! To the compiler, `object` is `dyn`, and every method fits. The schemas of the matched kinds
//! specify the types at admission; without a schema, sample manifests are used.

use super::admission_types::{OBJECT, add, at_admission, typed};
use super::any_kind::{self, ObjectPart};
use super::context::Context;
use super::sample_values::values;
use super::schemas::is_request_options;
use super::variables;
use crate::self_schema::{is_int_or_string, lacks, self_schema};
use cel::Type;
use cel::syntax::{Ast, ExprId, ExprKind, IdentRole, IdentUse};

/// Returns the possible types of the value before the dot. Empty if its name does not exist.
pub(super) fn types(context: &Context<'_>) -> Vec<Type> {
    let receiver = context.receiver();
    receiver.map_or_else(Vec::new, |(receiver, _)| types_of(context, receiver))
}

/// Returns the possible types of a node. Empty if its name does not exist.
pub(super) fn types_of(context: &Context<'_>, id: ExprId) -> Vec<Type> {
    let ty = context.type_of(id);
    if is_unknown(context, id) {
        return Vec::new();
    }
    if let Some(types) = variables::optional_types(context, id) {
        return types;
    }
    if is_request_options(context.target.ast(), id) {
        return vec![Type::object(OBJECT)];
    }
    if let Some(kinds) = context.kinds
        && let Some(types) = typed(kinds, id)
        && (!types.is_empty() || ty.is_dyn())
    {
        return types;
    }
    match ty {
        Type::Error => return Vec::new(),
        ty if !ty.is_dyn() => return vec![ty],
        _ => {}
    }
    match any_kind::part(context, id) {
        Some(ObjectPart::Object) => return vec![Type::object(OBJECT)],
        Some(ObjectPart::Metadata(schema)) => return at_admission(schema),
        None => {}
    }
    let target = context.target;
    let schema = self_schema(target.document, target.expression, id);
    if schema.is_some_and(is_int_or_string) {
        return vec![Type::Int, Type::String];
    }
    let mut types: Vec<Type> = Vec::new();
    for value in values(context, id) {
        add(&mut types, value.ty());
    }
    if types.is_empty() {
        types.push(Type::Dyn);
    }
    types
}

/// Returns whether a part of a chain before its last name does not exist: for the compiler, or in
/// all kinds.
fn is_unknown(context: &Context<'_>, id: ExprId) -> bool {
    let ast = context.target.ast();
    let mut at = id;
    loop {
        let operand = match ast.kind(at) {
            ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => *operand,
            ExprKind::Call {
                target: Some(target),
                ..
            } => {
                at = *target;
                continue;
            }
            ExprKind::Paren(inner) => *inner,
            ExprKind::Ident { name, .. } => return is_undeclared(context, at, ast.name(*name)),
            _ => return false,
        };
        if is_missing_in_definition(context, at, operand) {
            return true;
        }
        let name = ast.qualified_name(at).map(|name| name.join(ast));
        if name.is_some_and(|name| context.env.variable(&name).is_some()) {
            return false;
        }
        if context.type_of(operand) == Type::Error {
            return true;
        }
        let mut types = context
            .kinds
            .into_iter()
            .flat_map(|kinds| kinds.types(operand))
            .peekable();
        if types.peek().is_some()
            && types.all(|(ty, schema)| *ty == Type::Error && schema.is_none())
        {
            return true;
        }
        at = operand;
    }
}

/// Returns whether a node selects a field that the schema around a validation rule lacks.
fn is_missing_in_definition(context: &Context<'_>, id: ExprId, operand: ExprId) -> bool {
    let target = context.target;
    match target.ast().kind(id) {
        ExprKind::Select { field, .. } => {
            let schema = self_schema(target.document, target.expression, operand);
            schema.is_some_and(|schema| lacks(schema, target.ast().name(*field)))
        }
        _ => false,
    }
}

/// Returns whether a name is neither declared by a macro nor by the environment.
fn is_undeclared(context: &Context<'_>, id: ExprId, name: &str) -> bool {
    let ast = context.target.ast();
    let uses = ast.idents(ast.root(), &[]);
    let is_bound = |it: &IdentUse| it.id == id && !matches!(it.role, IdentRole::Free);
    let env = &context.env;
    env.variable(name).is_none() && !env.is_namespace(name) && !uses.iter().any(is_bound)
}

/// Returns the name after the last dot of a value, such as `labels` of `object.metadata.?labels`.
pub(super) fn last_field(ast: &Ast, id: ExprId) -> Option<&str> {
    let mut at = id;
    loop {
        match ast.kind(ast.unparenthesized(at)) {
            ExprKind::Select { field, .. } => return Some(ast.name(*field)),
            ExprKind::Call {
                target: Some(target),
                ..
            } => at = *target,
            _ => return None,
        }
    }
}

/// Returns whether a chain such as `object.?spec` is optional, so that every further link needs `?`.
pub(super) fn is_optional_chain(ast: &Ast, mut id: ExprId) -> bool {
    while let ExprKind::Select {
        operand, optional, ..
    }
    | ExprKind::Index {
        operand, optional, ..
    } = ast.kind(id)
    {
        if *optional {
            return true;
        }
        id = *operand;
    }
    false
}
