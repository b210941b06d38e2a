//! The schemas of a value in the matched kinds, and those of the objects that contain it.

use super::context::Context;
use cel::syntax::{ExprId, ExprKind};
use kubernetes::openapi::Schema;

/// Returns the schemas that have the field that a node selects, and its name.
pub(super) fn owners<'a>(
    context: &Context<'a>,
    id: ExprId,
) -> impl Iterator<Item = (Schema<'a>, &'a str)> + use<'a> {
    let ast = context.target.ast();
    let select = match ast.kind(ast.unparenthesized(id)) {
        ExprKind::Select { operand, field, .. } => Some((*operand, ast.name(*field))),
        _ => None,
    };
    let kinds = context.kinds;
    select.into_iter().flat_map(move |(operand, field)| {
        let owners = kinds.into_iter().flat_map(move |it| it.schemas(operand));
        owners.map(move |(_, owner)| (owner, field))
    })
}

/// Returns the schemas of a value, including values in `namespaceObject`.
pub(super) fn all_schemas<'a>(
    context: &Context<'a>,
    id: ExprId,
) -> impl Iterator<Item = Schema<'a>> {
    let of_kinds = schemas(context, id).into_iter();
    of_kinds.chain(schema_of_namespace_object(context, id))
}

/// Returns the schemas of a value. The schema of `field.orValue('')` is that of the field.
pub(super) fn schemas<'a>(context: &Context<'a>, id: ExprId) -> Vec<Schema<'a>> {
    let ast = context.target.ast();
    let id = match ast.kind(ast.unparenthesized(id)) {
        ExprKind::Call {
            target: Some(target),
            function,
            ..
        } if matches!(ast.name(*function), "orValue" | "value") => *target,
        _ => id,
    };
    let kinds = context.kinds.into_iter();
    kinds
        .flat_map(|kinds| kinds.schemas(id))
        .map(|(_, it)| it)
        .collect()
}

/// Returns the schema of a field of `namespaceObject`, which has only some fields of a namespace.
fn schema_of_namespace_object<'a>(context: &Context<'a>, id: ExprId) -> Option<Schema<'a>> {
    let ast = context.target.ast();
    let name = ast.qualified_name(ast.unparenthesized(id))?.join(ast);
    let fields = name.strip_prefix("namespaceObject.")?;
    let namespace = context.catalog.schema("", "v1", "Namespace")?;
    let mut fields = fields.split('.');
    fields.try_fold(namespace, Schema::property)
}
