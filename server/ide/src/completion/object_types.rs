//! The types of mutations: `Object`, the types of its fields such as `Object.spec`, and
//! `JSONPatch`.
//!
//! To the compiler, every field of `Object` exists. The schemas of the matched kinds have the
//! fields that a merge accepts.

use super::context::Context;
use super::map_keys::map_keys;
use super::names::{is_name, literal};
use super::position::CursorPosition;
use super::schema_item::schema_item;
use super::{CompletionKind, Item, List, json_pointers};
use crate::kind_fields::{Kinds, OBJECT, fields_of, schema_of_type};
use cel::syntax::ExprKind;
use kubernetes::openapi::{Schema, SchemaType};
use policy::Role;
use std::iter;

const RANK: u8 = 0;

/// The fields of `JSONPatch`, in the order in which people write them.
const PATCH_FIELDS: [&str; 4] = ["op", "path", "value", "from"];

/// The operations that have a `value`, and those that have a `from`. The others have neither.
///
/// Upstream: RFC 6902, section 4.
const WITH_VALUE: [&str; 3] = ["add", "replace", "test"];
const WITH_FROM: [&str; 2] = ["move", "copy"];

/// The fields of metadata that mutations set.
const METADATA_FIELDS: [&str; 2] = ["labels", "annotations"];

/// Returns whether a field is an atomic list or object, which an apply configuration cannot change.
fn is_atomic(schema: Schema<'_>) -> bool {
    matches!(schema.ty(), SchemaType::Array | SchemaType::Object) && schema.is_atomic()
}

/// Offers the fields that the object literal at the cursor lacks.
pub(super) fn add_fields(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::StructField { type_name } = &context.position else {
        return;
    };
    let written = written_fields(context);
    let is_configuration = context.target.expression.role == Role::ApplyConfiguration;
    for (name, owner, schema) in fields(context, type_name) {
        let is_excluded = is_configuration && is_atomic(schema);
        if !is_excluded && !written.contains(&&*name) && is_name(&name) {
            let (insert, caret) = value(&format!("{type_name}.{name}"), &name, schema);
            let mut item = schema_item(owner, &name, schema);
            if type_name.ends_with(".metadata") {
                item.position = METADATA_FIELDS.iter().position(|it| *it == name);
                item.position.get_or_insert(METADATA_FIELDS.len());
            }
            let write = (context.word, insert, iter::once(caret..caret).collect());
            list.write(CompletionKind::Field, RANK, item, write);
        }
    }
    let types = context.env.types();
    let mut names = types.field_names(type_name);
    names.sort_by_cached_key(|name| PATCH_FIELDS.iter().position(|known| *known == &**name));
    let operation = json_pointers::text_of_field(context, "op");
    for (place, field) in names.iter().enumerate() {
        let is_of_other = operation.is_some_and(|operation| match &**field {
            "value" => !WITH_VALUE.contains(&operation),
            "from" => !WITH_FROM.contains(&operation),
            _ => false,
        });
        if written.contains(&&**field) || is_of_other {
            continue;
        }
        let ty = types.field_type(type_name, field);
        let item = Item {
            detail: ty.map(|ty| ty.to_string()),
            tail: ": ".into(),
            ..Item::new(&**field)
        };
        list.push_at(place, CompletionKind::Field, RANK, item);
    }
}

/// Offers the literal for the value of a field, or for an element of it.
pub(super) fn add_values(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::FieldStart {
        type_name,
        field,
        is_element,
    } = &context.position
    else {
        return;
    };
    if (&**type_name, &**field) == ("JSONPatch", "value") {
        return add_patch_values(context, list);
    }
    for (name, owner, schema) in fields(context, type_name) {
        if name != *field || fields_of(schema).is_none() {
            continue;
        }
        let item = schema_item(owner, &name, schema);
        let label = format!("{type_name}.{name}");
        let (before, after) = match schema.ty() {
            SchemaType::Array if !is_element => (format!("[{label}{{"), "}]"),
            _ => (format!("{label}{{"), "}"),
        };
        write_literal(list, Item { label, ..item }, before, after);
    }
}

/// Offers the literal for the value of a JSON patch, of the type at its path.
fn add_patch_values(context: &Context<'_>, list: &mut List<'_>) {
    let Some(label) = json_pointers::type_of_path(context) else {
        return;
    };
    let schemas = json_pointers::schemas_of_path(context);
    let is_list = schemas.iter().any(|it| it.ty() == SchemaType::Array);
    let (before, after) = if is_list {
        (format!("[{label}{{"), "}]")
    } else {
        (format!("{label}{{"), "}")
    };
    write_literal(list, Item::new(label), before, after);
}

/// Offers a literal with the cursor between its parts.
fn write_literal(list: &mut List<'_>, item: Item, before: String, after: &str) {
    let caret = before.len();
    let stops = iter::once(caret..caret).collect();
    let write = (list.context.word, before + after, stops);
    list.write(CompletionKind::Type, RANK, item, write);
}

/// Offers the keys of a map: those of sample manifests, and well-known ones.
pub(super) fn add_map_keys(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::MapKey {
        type_name,
        field,
        is_quoted,
    } = &context.position
    else {
        return;
    };
    let path = type_name.split('.').skip(1).chain([field.as_str()]);
    let path: Vec<&str> = path.collect();
    let mut fields = fields(context, type_name).into_iter();
    let map = fields.find(|(name, ..)| name == field).map(|(.., map)| map);
    for (place, key) in map_keys(context, &path, map).into_iter().enumerate() {
        let Some(literal) = literal(&key).filter(|_| !key.contains('"')) else {
            continue;
        };
        let insert = if *is_quoted {
            key.clone()
        } else {
            format!("{literal}: ")
        };
        let write = (context.word, insert, Vec::new());
        list.write_at(place, CompletionKind::Value, RANK, Item::new(key), write);
    }
}

/// Offers the types of the fields after the name of a type. Returns whether there are any.
pub(super) fn add_nested(context: &Context<'_>, list: &mut List<'_>) -> bool {
    let Some(type_name) = type_before_dot(context) else {
        return false;
    };
    for (name, owner, schema) in fields(context, &type_name) {
        if is_name(&name) && fields_of(schema).is_some() {
            let item = Item {
                tail: "{$}".into(),
                ..schema_item(owner, &name, schema)
            };
            list.push(CompletionKind::Type, RANK, item);
        }
    }
    true
}

/// Returns the name of the type before the dot at the cursor: `Object.spec`.
fn type_before_dot(context: &Context<'_>) -> Option<String> {
    let CursorPosition::Member {
        receiver: Some(receiver),
        ..
    } = context.position
    else {
        return None;
    };
    let role = context.target.expression.role;
    if !role.is_mutation() {
        return None;
    }
    let ast = context.target.ast();
    let name = ast.qualified_name(receiver)?.join(ast);
    let rest = name.strip_prefix(OBJECT)?;
    (rest.is_empty() || rest.starts_with('.')).then_some(name)
}

/// Returns the fields of a type in all kinds, each with the schema of its owner.
pub(super) fn fields<'a>(
    context: &Context<'a>,
    type_name: &str,
) -> Vec<(String, Schema<'a>, Schema<'a>)> {
    let mut found: Vec<(String, Schema<'a>, Schema<'a>)> = Vec::new();
    for root in context.kinds.into_iter().flat_map(Kinds::objects) {
        let Some(owner) = schema_of_type(root, type_name) else {
            continue;
        };
        for (name, field) in owner.properties() {
            if !found.iter().any(|(known, ..)| known == name) {
                found.push((name.to_owned(), owner, field));
            }
        }
    }
    found
}

/// Returns `name: value` with an empty value of the matching form, and the offset of the cursor.
fn value(type_name: &str, name: &str, schema: Schema<'_>) -> (String, usize) {
    let object = fields_of(schema).map(|_| format!("{type_name}{{"));
    let (before, after) = match (schema.ty(), object) {
        (SchemaType::Array, Some(object)) => (format!("{name}: [{object}"), "}]"),
        (SchemaType::Array, None) => (format!("{name}: ["), "]"),
        (_, Some(object)) => (format!("{name}: {object}"), "}"),
        (SchemaType::Object, None) => (format!("{name}: {{"), "}"),
        (SchemaType::String, None) => (format!("{name}: '"), "'"),
        _ => (format!("{name}: "), ""),
    };
    let caret = before.len();
    (before + after, caret)
}

/// Returns the fields of the literal at the cursor, without the one at the cursor.
fn written_fields<'a>(context: &Context<'a>) -> Vec<&'a str> {
    let ast = context.target.ast();
    let at = context.target.offset;
    let innermost = ast
        .ids()
        .filter(|id| matches!(ast.kind(*id), ExprKind::Struct { .. }))
        .filter(|id| ast.span(*id).touches(at))
        .max_by_key(|id| ast.span(*id).start());
    let Some(ExprKind::Struct { fields, .. }) = innermost.map(|id| ast.kind(id)) else {
        return Vec::new();
    };
    let others = fields
        .iter()
        .filter(|field| !field.name.span.touches(at) || field.name.is_missing());
    others.map(|field| ast.name(field.name)).collect()
}
