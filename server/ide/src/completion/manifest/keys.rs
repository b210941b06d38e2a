//! Keys: the fields of the schema that the mapping does not have yet, the required ones first.

use super::super::CompletionKind;
use super::super::fields::schema_item;
use super::super::usage::{self, Order};
use super::{ManifestContext, ManifestList, json_schema};
use crate::manifest_schema::{is_json_schema, schema_of};
use kubernetes::openapi::{Schema, SchemaType};
use yaml::Mapping;

pub(super) fn add(context: &ManifestContext<'_>, mapping: Mapping<'_>, list: &mut ManifestList) {
    let node = mapping.node();
    let present: Vec<_> = mapping
        .entries()
        .map(|entry| entry.key.key_text())
        .collect();
    let Some(schema) = schema_of(context.catalog, node) else {
        let Some(path) = context.input_path(node) else {
            return;
        };
        for (place, key) in evaluation::input::keys(&path).iter().enumerate() {
            if !present.iter().any(|known| known == key) {
                list.push(context, CompletionKind::Field, Order::at(place), |item| {
                    item.label = (*key).to_owned();
                    item.edit.insert = format!("{key}: ");
                });
            }
        }
        return;
    };
    let preferred = if is_json_schema(schema) {
        json_schema::preferred(node)
    } else {
        ""
    };
    for (name, field) in schema.properties() {
        if present.iter().any(|known| known == name) {
            continue;
        }
        let order = order(preferred, name, schema.is_required(name));
        list.push(context, CompletionKind::Field, order, |item| {
            let found = schema_item(schema, name, field);
            item.detail = found.detail;
            item.documentation = found.documentation;
            item.label = name.to_owned();
            item.edit.insert = insert(context, name, field);
        });
    }
}

fn order(preferred: &str, name: &str, is_required: bool) -> Order {
    match preferred.split(' ').position(|known| known == name) {
        Some(place) => Order::at(place),
        None => usage::key(name, is_required),
    }
}

/// Returns the key with the beginning of its value: on the next line for objects and lists.
fn insert(context: &ManifestContext<'_>, name: &str, field: Schema<'_>) -> String {
    let indent = " ".repeat(context.cursor.column + 2);
    match field.ty() {
        _ if context.cursor.has_colon => name.to_owned(),
        _ if context.cursor.is_flow => format!("{name}: "),
        SchemaType::Object => format!("{name}:\n{indent}"),
        SchemaType::Array => format!("{name}:\n{indent}- "),
        _ => format!("{name}: "),
    }
}
