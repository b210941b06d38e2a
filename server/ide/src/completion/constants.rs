//! The possible strings of a value: those of an enum, and those of sample manifests.

use super::common_values::common_values;
use super::context::Context;
use super::fixed_values::fixed_values;
use super::position::CursorPosition;
use super::sample_fields::well_known_keys;
use super::sample_values::values;
use super::schemas::{all_schemas, owners, schemas};
use super::{CompletionKind, Item, List, json_pointers, object_types, subjects, usage, well_known};
use crate::kind_fields::{Kinds, allowed_strings};
use crate::self_schema::self_schema;
use cel::Value;
use cel::syntax::{Binding, ExprId, ExprKind, Literal};
use kubernetes::names::GroupVersion;
use kubernetes::openapi::Schema;
use policy::typecheck::kinds::MatchedKind;
use std::collections::BTreeSet;

const RANK: u8 = 0;
const RANK_OF_SAMPLES: u8 = 1;
const RANK_OF_MEANING: u8 = 2;

/// The operations of a JSON patch, the most frequent first.
///
/// Upstream: evanphx/json-patch, v4/patch.go, Patch.ApplyIndentWithOptions.
const PATCH_OPERATIONS: [&str; 6] = ["add", "replace", "remove", "test", "copy", "move"];

/// Limit: the bytes of an offered string of a sample. A longer one is not a name.
const MAX_BYTES: usize = 60;

/// Offers the possible strings of the other operand of a comparison.
pub(super) fn add_compared(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Compared { with } = context.position else {
        return;
    };
    leave_out_others(context, list);
    if let Some(known) = request_values(context, with) {
        for value in known {
            push(list, RANK, &value, None);
        }
        return;
    }
    add_declared(context, with, list);
    add_common(context, with, list);
    for value in meaning_values(context, with) {
        push(list, RANK_OF_MEANING, &value, None);
    }
    let values = values(context, with);
    let seen: BTreeSet<&str> = values.iter().filter_map(Value::as_str).collect();
    for seen in seen.into_iter().filter(|seen| seen.len() <= MAX_BYTES) {
        push(list, RANK_OF_SAMPLES, seen, Some("in a sample manifest"));
    }
}

/// Offers the values that a schema allows for a value.
pub(super) fn add_declared(context: &Context<'_>, id: ExprId, list: &mut List<'_>) {
    for schema in all_schemas(context, id) {
        add_enum(list, schema);
    }
    for value in values_in_definition(context, id) {
        push(list, RANK, &value, None);
    }
    for owner in owners(context, id) {
        let values = fixed_values(owner.0, owner.1).into_iter();
        for value in values.flat_map(|it| it.split(' ')) {
            push(list, RANK, value, None);
        }
    }
}

/// Offers the possible prefixes of a value.
pub(super) fn add_beginnings(context: &Context<'_>, id: ExprId, list: &mut List<'_>) {
    add_declared(context, id, list);
    add_common(context, id, list);
}

/// Offers the common values of a field, or of the elements of one.
fn add_common(context: &Context<'_>, id: ExprId, list: &mut List<'_>) {
    for (owner, field) in owners(context, id) {
        for value in common_values(context.samples, owner, field) {
            push(list, RANK_OF_MEANING, &value, None);
        }
    }
    if context.is_field_of(id, "username", "kubernetes.UserInfo") {
        for user in subjects::users(context.samples) {
            push(list, RANK_OF_MEANING, &user, None);
        }
    }
}

/// Returns the values that the match rules or a schema allow for a value.
pub(super) fn declared(context: &Context<'_>, id: ExprId) -> Vec<String> {
    if let Some(known) = request_values(context, id) {
        return known;
    }
    let mut values: Vec<String> = all_schemas(context, id).flat_map(allowed_strings).collect();
    values.extend(values_in_definition(context, id));
    let fixed = owners(context, id).filter_map(|(owner, field)| fixed_values(owner, field));
    values.extend(fixed.flat_map(well_known::words));
    values
}

/// Returns the values that the schema around a validation rule allows for a part of `self`.
fn values_in_definition(context: &Context<'_>, id: ExprId) -> Vec<String> {
    let target = context.target;
    let schema = self_schema(target.document, target.expression, id);
    let values = schema.and_then(|it| it.get("enum")?.as_sequence());
    let values = values.into_iter().flat_map(yaml::Sequence::items);
    values.map(|value| value.text().to_owned()).collect()
}

/// Returns the values that a schema allows for the object literal field at the cursor.
pub(super) fn field_values(context: &Context<'_>) -> Vec<String> {
    let CursorPosition::FieldStart {
        type_name, field, ..
    } = &context.position
    else {
        return Vec::new();
    };
    let schemas = match (&**type_name, &**field) {
        ("JSONPatch", "op") => {
            return PATCH_OPERATIONS.map(str::to_owned).to_vec();
        }
        ("JSONPatch", "value") => json_pointers::schemas_of_path(context),
        _ => object_types::fields(context, type_name)
            .into_iter()
            .filter(|(name, ..)| name == field)
            .map(|(.., schema)| schema)
            .collect(),
    };
    schemas.into_iter().flat_map(allowed_strings).collect()
}

/// Returns whether the list around the cursor already contains a string.
pub(super) fn is_in_list(context: &Context<'_>, text: &str) -> bool {
    others_in_list(context).contains(&text)
}

/// Offers the possible strings of an element of a list: `'' in list`.
pub(super) fn add_elements(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Key { operand, .. } = context.position else {
        return;
    };
    if context.is_field_of(operand, "groups", "kubernetes.UserInfo") {
        for group in subjects::groups(context.samples) {
            push(list, RANK, &group, None);
        }
    }
    for schema in schemas(context, operand) {
        if let Some(items) = schema.items() {
            add_enum(list, items);
        }
    }
    add_common(context, operand, list);
}

/// Excludes the strings that the list around the cursor already contains.
fn leave_out_others(context: &Context<'_>, list: &mut List<'_>) {
    for text in others_in_list(context) {
        list.leave_out(text);
    }
}

/// Returns the other strings of the list around the cursor.
fn others_in_list<'a>(context: &Context<'a>) -> Vec<&'a str> {
    let ast = context.target.ast();
    let path = ast.path_at(context.word.start());
    let enclosing = path.iter().rev().find_map(|id| match ast.kind(*id) {
        ExprKind::List { elements } => Some(elements),
        _ => None,
    });
    let elements = enclosing.into_iter().flatten();
    let others = elements.filter(|it| !ast.span(it.value).touches(context.target.offset));
    others
        .filter_map(|element| match ast.kind(element.value) {
            ExprKind::Literal(Literal::String(text)) => Some(&**text),
            _ => None,
        })
        .collect()
}

/// Returns the possible strings of a field of the request or of the type of an object, by the match
/// rules of the policy. `None` for other values.
fn request_values(context: &Context<'_>, id: ExprId) -> Option<Vec<String>> {
    let ast = context.target.ast();
    let id = ast.unparenthesized(id);
    if context.is_field_of(id, "operation", "kubernetes.AdmissionRequest") {
        return Some(well_known::words(&context.operations().join(" ")));
    }
    let name = ast.qualified_name(id).map(|name| name.join(ast))?;
    let kinds = context.kinds.map_or(&[][..], Kinds::kinds);
    let of_kinds = |value: &dyn Fn(&MatchedKind) -> String| {
        let place = |kind: &MatchedKind| well_known::place_of_resource(&kind.resource);
        let values: BTreeSet<(usize, String)> =
            kinds.iter().map(|it| (place(it), value(it))).collect();
        let mut seen = BTreeSet::new();
        let values = values.into_iter().map(|(_, value)| value);
        let new = |value: &String| !value.is_empty() && seen.insert(value.clone());
        Some(values.filter(new).collect())
    };
    match &*name {
        "request.subResource" => {
            of_kinds(&|kind| kind.subresource.as_deref().unwrap_or_default().to_owned())
        }
        "request.resource.resource" | "request.requestResource.resource" => {
            of_kinds(&|kind| kind.resource.to_string())
        }
        "request.kind.kind" | "request.requestKind.kind" | "object.kind" | "oldObject.kind" => {
            of_kinds(&|kind| kind.name.kind.to_string())
        }
        "request.kind.group" | "request.resource.group" | "request.requestKind.group" => {
            of_kinds(&|kind| kind.name.group.to_string())
        }
        "request.kind.version" | "request.resource.version" | "request.requestKind.version" => {
            of_kinds(&|kind| kind.name.version.to_string())
        }
        "object.apiVersion" | "oldObject.apiVersion" => of_kinds(&api_version),
        name if is_name_of_namespace(context, name) => {
            Some(well_known::namespaces(context.samples))
        }
        _ => None,
    }
}

fn is_name_of_namespace(context: &Context<'_>, name: &str) -> bool {
    match name {
        "request.namespace"
        | "namespaceObject.metadata.name"
        | "object.metadata.namespace"
        | "oldObject.metadata.namespace" => true,
        "object.metadata.name" | "oldObject.metadata.name" => context.object_kind() == "Namespace",
        _ => false,
    }
}

fn api_version(kind: &MatchedKind) -> String {
    let (group, version) = (&*kind.name.group, &*kind.name.version);
    GroupVersion { group, version }.to_string()
}

/// Returns the possible strings of a value by its meaning: the value of a label, or the key or
/// element to which a variable of a macro is bound.
fn meaning_values(context: &Context<'_>, id: ExprId) -> Vec<String> {
    let ast = context.target.ast();
    match ast.kind(ast.unparenthesized(id)) {
        ExprKind::Index { index, .. } => match ast.kind(*index) {
            ExprKind::Literal(Literal::String(label)) => {
                well_known::label_values(label, context.samples)
            }
            _ => Vec::new(),
        },
        ExprKind::Ident { name, .. } => {
            let bindings = ast.bindings_at(context.target.offset);
            let of_name = |it: &&Binding| ast.name(it.name) == ast.name(*name);
            let binding = bindings.iter().find(of_name);
            let call = binding.and_then(|binding| ast.macro_call(binding.call));
            match call.and_then(|call| call.target) {
                Some(target) if context.is_field_of(target, "groups", "kubernetes.UserInfo") => {
                    subjects::groups(context.samples)
                }
                Some(target) => {
                    let keys = well_known_keys(context, target);
                    let common = owners(context, target)
                        .flat_map(|(owner, field)| common_values(context.samples, owner, field));
                    common.chain(well_known::words(keys)).collect()
                }
                None => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Offers the values of a field of an object literal.
pub(super) fn add_field_value(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::FieldValue { type_name, field } = &context.position else {
        return;
    };
    match (&**type_name, &**field) {
        ("JSONPatch", "op") => {
            for operation in PATCH_OPERATIONS {
                push(list, RANK, operation, None);
            }
        }
        ("JSONPatch", "path" | "from") => json_pointers::add(context, list),
        ("JSONPatch", "value") => {
            for schema in json_pointers::schemas_of_path(context) {
                add_enum(list, schema);
            }
            for (owner, field) in json_pointers::owners_of_path(context) {
                add_values(context, (owner, &field), list);
            }
            let (map, key) = json_pointers::last_names(context).unwrap_or_default();
            add_label_values(context, (&map, &key), list);
        }
        _ => {
            for (name, owner, schema) in object_types::fields(context, type_name) {
                if name == *field {
                    add_enum(list, schema);
                    add_values(context, (owner, field), list);
                }
            }
        }
    }
}

/// Offers the values of a field that its schema does not restrict.
fn add_values(context: &Context<'_>, (owner, field): (Schema<'_>, &str), list: &mut List<'_>) {
    let fixed = well_known::words(fixed_values(owner, field).unwrap_or_default());
    let common = common_values(context.samples, owner, field);
    for value in fixed.iter().chain(&common) {
        push(list, RANK, value, None);
    }
}

/// Offers the values of a map in an object literal.
pub(super) fn add_map_value(context: &Context<'_>, list: &mut List<'_>) {
    if let CursorPosition::MapValue { field, key } = &context.position {
        add_label_values(context, (field, key), list);
    }
}

/// Offers the values of a label.
fn add_label_values(context: &Context<'_>, (map, key): (&str, &str), list: &mut List<'_>) {
    if well_known::is_labels(map) {
        for value in well_known::label_values(key, context.samples) {
            push(list, RANK, &value, None);
        }
    }
}

fn add_enum(list: &mut List<'_>, schema: Schema<'_>) {
    let default = schema.default_value();
    for text in usage::by_frequency(allowed_strings(schema)) {
        let is_default = default.as_ref().and_then(|it| it.as_str()) == Some(&text);
        push(list, RANK, &text, is_default.then_some("default"));
    }
}

fn push(list: &mut List<'_>, rank: u8, text: &str, detail: Option<&str>) {
    if text.is_empty() || text.contains(['\'', '"', '\\']) || text.chars().any(char::is_control) {
        return;
    }
    let item = Item {
        detail: detail.map(str::to_owned),
        ..Item::new(text)
    };
    let write = (list.context.word, text.to_owned(), Vec::new());
    list.write(CompletionKind::Value, rank, item, write);
}
