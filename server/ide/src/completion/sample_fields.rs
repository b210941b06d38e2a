//! The fields of sample objects.
//!
//! To the compiler, `object` is `dyn`. The manifests of the workspace show its fields.

use super::context::Context;
use super::names::is_name;
use super::position::CursorPosition;
use super::receiver::last_field;
use super::sample_values::values;
use super::schemas::{all_schemas, owners};
use super::{CompletionKind, Item, List, subjects, well_known};
use cel::syntax::ExprId;
use cel::value::Key;
use cel::{Type, Value};
use kubernetes::openapi::Schema;
use std::collections::{BTreeMap, BTreeSet};

const RANK: u8 = 0;
const RANK_OF_WELL_KNOWN: u8 = 1;

/// Limit: the bytes of an example value.
const MAX_EXAMPLE: usize = 60;

/// Offers the fields after a dot. A key that is not an identifier is offered in brackets.
pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Member {
        receiver: Some(receiver),
        operator,
    } = context.position
    else {
        return;
    };
    // The compiler accepts only the fields of the type.
    if matches!(context.type_of(receiver), Type::Struct(_)) {
        return;
    }
    for (key, value) in fields(context, receiver) {
        let item = item(&key, &value);
        list.member(context.word, operator, &key, (RANK, item));
    }
}

/// Offers the keys in brackets.
pub(super) fn add_keys(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Key { operand, .. } = context.position else {
        return;
    };
    for (key, value) in fields(context, operand) {
        let item = item(&key, &value);
        list.key(context.word, key, (RANK, item));
    }
}

/// Offers the keys that Kubernetes and its tools define.
pub(super) fn add_well_known(context: &Context<'_>, list: &mut List<'_>) {
    let (operand, is_key) = match context.position {
        CursorPosition::Key { operand, .. } => (operand, true),
        CursorPosition::Member {
            receiver: Some(receiver),
            ..
        } => (receiver, false),
        _ => return,
    };
    let field = last_field(context.target.ast(), operand).unwrap_or_default();
    let keys = well_known_keys(context, operand);
    // Keys of metadata have the same meaning in every kind.
    let others = match field {
        "labels" | "annotations" => {
            well_known::metadata_keys(context.samples, field, context.kind_of(operand))
        }
        _ => BTreeSet::new(),
    };
    let keys = others
        .iter()
        .map(String::as_str)
        .chain(keys.split_whitespace());
    // After a dot, only a name can be written.
    let keys = keys.filter(|key| is_key || is_name(key));
    for (place, key) in keys.enumerate() {
        let item = Item {
            types: vec![Type::String],
            ..Item::new(key)
        };
        let write = (context.word, key.to_owned(), Vec::new());
        list.write_at(
            place,
            CompletionKind::Field,
            RANK_OF_WELL_KNOWN,
            item,
            write,
        );
    }
}

/// Returns the keys of a map that Kubernetes and its tools define, separated by spaces.
pub(super) fn well_known_keys(context: &Context<'_>, map: ExprId) -> &'static str {
    if context.is_field_of(map, "extra", "kubernetes.UserInfo") {
        return subjects::EXTRA;
    }
    if owners(context, map).any(|(owner, _)| is_of_volume(owner)) {
        return "storage";
    }
    let field = last_field(context.target.ast(), map).unwrap_or_default();
    let values = all_schemas(context, map).find_map(Schema::additional_properties);
    well_known::keys(field, context.kind_of(map), values)
}

/// Returns whether a type describes the resources of a volume: its storage.
fn is_of_volume(schema: Schema<'_>) -> bool {
    let name = schema.type_name().and_then(|name| name.rsplit('.').next());
    matches!(
        name,
        Some("VolumeResourceRequirements" | "PersistentVolumeSpec" | "PersistentVolumeClaimStatus")
    )
}

/// Returns the fields of the values of a node, each with one value.
fn fields(context: &Context<'_>, id: ExprId) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for value in values(context, id) {
        let Some(map) = value.as_map() else {
            continue;
        };
        for (key, value) in map.iter() {
            if let Key::String(key) = key {
                found
                    .entry(key.to_string())
                    .or_insert_with(|| value.clone());
            }
        }
    }
    found
}

fn item(key: &str, value: &Value) -> Item {
    let ty = value.ty();
    Item {
        detail: Some(ty.runtime_name().to_owned()),
        types: vec![ty.clone()],
        documentation: example(value).map(|example| format!("Example: `{example}`")),
        ..Item::new(key)
    }
}

/// Returns a short scalar as it is shown. `None` for other values.
fn example(value: &Value) -> Option<String> {
    let shown = match value {
        Value::String(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        _ => return None,
    };
    let is_short = shown.len() <= MAX_EXAMPLE && !shown.contains(['\n', '`']);
    (is_short && !shown.is_empty()).then_some(shown)
}
