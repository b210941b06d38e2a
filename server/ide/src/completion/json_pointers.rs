//! The paths of JSON patches: pointers into the objects of the matched kinds.

use super::context::Context;
use super::map_keys::sample_keys;
use super::position::CursorPosition;
use super::schema_item::schema_item;
use super::{CompletionKind, List, well_known};
use crate::kind_fields::{Kinds, OBJECT, schema_at_pointer, schema_of_type};
use cel::syntax::{ExprId, ExprKind, Literal};
use kubernetes::openapi::{Schema, SchemaType};

const RANK: u8 = 0;

/// The fields of the metadata that a policy can change, the most common first.
const METADATA: [&str; 4] = ["labels", "annotations", "finalizers", "ownerReferences"];

/// Offers the fields below the written part of a pointer, each as a whole pointer.
pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let content = context.word;
    let text = context.target.text();
    let written = text
        .get(content.start() as usize..context.target.offset as usize)
        .unwrap_or_default();
    let parent = written.rsplit_once('/').map_or("", |(parent, _)| parent);
    let is_target = is_target(context);
    for root in context.kinds.into_iter().flat_map(Kinds::objects) {
        let Some(owner) = schema_at_pointer(root, parent) else {
            continue;
        };
        for (name, field) in owner.properties() {
            if is_target && !can_change(parent, name) {
                continue;
            }
            let mut item = schema_item(owner, name, field);
            item.label = format!("{parent}/{}", escape(name));
            if parent == "/metadata" {
                item.position = METADATA.iter().position(|known| *known == name);
            }
            push(context, list, item);
        }
        if owner.ty() == SchemaType::Array {
            for (name, detail) in [("-", "after the last element"), ("0", "the first element")] {
                let element = super::Item {
                    detail: Some(detail.to_owned()),
                    ..super::Item::new(format!("{parent}/{name}"))
                };
                push(context, list, element);
            }
        }
        if let Some(values) = owner.additional_properties() {
            add_keys(context, list, (parent, values));
        }
    }
}

/// Returns whether a patch can change a field. The server sets the others, or rejects a change.
fn can_change(parent: &str, name: &str) -> bool {
    match parent {
        "" => !matches!(name, "apiVersion" | "kind"),
        "/metadata" => METADATA.contains(&name),
        _ => true,
    }
}

/// Returns whether the patch changes the value at the pointer.
fn is_target(context: &Context<'_>) -> bool {
    let is_path =
        matches!(&context.position, CursorPosition::FieldValue { field, .. } if field == "path");
    is_path && text_of_field(context, "op") != Some("test")
}

/// Offers the keys of a map: those of sample manifests, and well-known ones.
fn add_keys(context: &Context<'_>, list: &mut List<'_>, (parent, values): (&str, Schema<'_>)) {
    let path: Vec<&str> = parent.split('/').skip(1).collect();
    let field = path.last().copied().unwrap_or_default();
    let samples = sample_keys(context, &path);
    let known = well_known::words(well_known::keys(field, context.object_kind(), Some(values)));
    for (place, key) in samples.into_iter().chain(known).enumerate() {
        let item = super::Item {
            position: Some(place),
            ..super::Item::new(format!("{parent}/{}", escape(&key)))
        };
        push(context, list, item);
    }
}

/// Returns the schemas of the fields at the path of the patch at the cursor.
pub(super) fn schemas_of_path<'a>(context: &Context<'a>) -> Vec<Schema<'a>> {
    let objects = context.kinds.into_iter().flat_map(Kinds::objects);
    let Some(pointer) = path(context) else {
        return Vec::new();
    };
    objects
        .filter_map(|root| schema_at_pointer(root, pointer))
        .collect()
}

/// Returns the schemas of the objects with the field at the path of the patch at the cursor, and its
/// name.
pub(super) fn owners_of_path<'a>(context: &Context<'a>) -> Vec<(Schema<'a>, String)> {
    let objects = context.kinds.into_iter().flat_map(Kinds::objects);
    let Some((parent, name)) = path(context).and_then(|it| it.rsplit_once('/')) else {
        return Vec::new();
    };
    let owners = objects.filter_map(|root| schema_at_pointer(root, parent));
    owners.map(|owner| (owner, name.to_owned())).collect()
}

/// Returns the name of the type of the objects at the path of the patch at the cursor: the names in
/// the pointer without list indexes.
pub(super) fn type_of_path(context: &Context<'_>) -> Option<String> {
    let mut name = OBJECT.to_owned();
    for part in path(context)?.strip_prefix('/')?.split('/') {
        let is_place = part == "-" || part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_place {
            name.push('.');
            name.push_str(part);
        }
    }
    let root = context.kinds?.objects().next()?;
    schema_of_type(root, &name).map(|_| name)
}

/// Returns the path of the patch at the cursor.
fn path<'a>(context: &Context<'a>) -> Option<&'a str> {
    text_of_field(context, "path")
}

/// Returns the last two names of the path of the patch at the cursor: a map and its key. The key
/// can be the argument of `jsonpatch.escapeKey`.
pub(super) fn last_names(context: &Context<'_>) -> Option<(String, String)> {
    let ast = context.target.ast();
    let string = |id| match ast.kind(id) {
        ExprKind::Literal(Literal::String(text)) => Some(text.to_string()),
        _ => None,
    };
    let pointer = match ast.kind(field_at_cursor(context, "path")?) {
        ExprKind::Binary { left, right, .. } => match ast.kind(*right) {
            ExprKind::Call { args, .. } => string(*left)? + &escape(&string(*args.first()?)?),
            _ => return None,
        },
        _ => path(context)?.to_owned(),
    };
    let (parent, key) = pointer.rsplit_once('/')?;
    let (_, map) = parent.rsplit_once('/')?;
    Some((map.to_owned(), key.replace("~1", "/").replace("~0", "~")))
}

/// Returns the value of a field of the object literal at the cursor, if it is a string.
pub(super) fn text_of_field<'a>(context: &Context<'a>, name: &str) -> Option<&'a str> {
    match context.target.ast().kind(field_at_cursor(context, name)?) {
        ExprKind::Literal(Literal::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns the value of a field of the object literal at the cursor.
pub(super) fn field_at_cursor(context: &Context<'_>, name: &str) -> Option<ExprId> {
    let ast = context.target.ast();
    let around = ast.path_at(context.word.start());
    let fields = around.iter().rev().find_map(|id| match ast.kind(*id) {
        ExprKind::Struct { fields, .. } => Some(fields),
        _ => None,
    });
    let mut fields = fields.into_iter().flatten();
    let field = fields.find(|field| ast.name(field.name) == name)?;
    Some(field.value)
}

fn push(context: &Context<'_>, list: &mut List<'_>, item: super::Item) {
    if item.label.contains(['\'', '"', '\\']) {
        return;
    }
    let write = (context.word, item.label.clone(), Vec::new());
    list.write(CompletionKind::Field, RANK, item, write);
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
