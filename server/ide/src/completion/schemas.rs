//! The schemas of a value in the matched kinds, and those of the objects that contain it.

use super::context::Context;
use cel::syntax::{Ast, ExprId, ExprKind};
use kubernetes::openapi::Schema;

/// The types of `request.options`, except those of CONNECT.
const OPTIONS: [&str; 3] = [
    "io.k8s.apimachinery.pkg.apis.meta.v1.CreateOptions",
    "io.k8s.apimachinery.pkg.apis.meta.v1.UpdateOptions",
    "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
];

/// Returns the schemas that have the field that a node selects, and its name.
pub(super) fn owners<'a>(
    context: &Context<'a>,
    id: ExprId,
) -> impl Iterator<Item = (Schema<'a>, &'a str)> + use<'a> {
    let ast = context.target.ast();
    let select = match ast.kind(ast.unparenthesized(content(ast, id))) {
        ExprKind::Select { operand, field, .. } => Some((*operand, ast.name(*field))),
        _ => None,
    };
    let kinds = context.kinds;
    let catalog = context.catalog;
    select.into_iter().flat_map(move |(operand, field)| {
        let is_options = is_request_options(ast, operand);
        let options = OPTIONS.iter().filter(move |_| is_options);
        let options = options.filter_map(move |name| catalog.named(name));
        let owners = kinds.into_iter().flat_map(move |it| it.schemas(operand));
        let owners = owners.map(|(_, owner)| owner).chain(options);
        owners.map(move |owner| (owner, field))
    })
}

/// Returns whether a node is `request.options`, an object that the API does not describe as a kind.
pub(super) fn is_request_options(ast: &Ast, id: ExprId) -> bool {
    let name = ast.qualified_name(ast.unparenthesized(id));
    name.is_some_and(|name| name.join(ast) == "request.options")
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
    let id = content(context.target.ast(), id);
    let kinds = context.kinds.into_iter();
    kinds
        .flat_map(|kinds| kinds.schemas(id))
        .map(|(_, it)| it)
        .collect()
}

/// Returns the optional value that a call unwraps, or the node itself.
fn content(ast: &Ast, id: ExprId) -> ExprId {
    match ast.kind(ast.unparenthesized(id)) {
        ExprKind::Call {
            target: Some(target),
            function,
            ..
        } if matches!(ast.name(*function), "orValue" | "value") => *target,
        _ => id,
    }
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
