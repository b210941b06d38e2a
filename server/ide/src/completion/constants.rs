//! The strings that a value can be: those of an enum, and those of sample manifests.

use super::context::{Context, CursorPosition};
use super::sample_values::values;
use super::{CompletionKind, Item, List, json_pointers, object_types};
use crate::kind_fields::OPERATIONS;
use cel::syntax::{ExprId, ExprKind};
use cel::{Type, Value};
use kubernetes::openapi::Schema;
use std::collections::BTreeSet;

const RANK: u8 = 0;
const RANK_OF_SAMPLES: u8 = 1;

/// The operations of a JSON patch, the most frequent first.
///
/// Upstream: evanphx/json-patch, v4/patch.go, Patch.ApplyIndentWithOptions.
const PATCH_OPERATIONS: [&str; 6] = ["add", "replace", "remove", "test", "copy", "move"];

/// Limit: bytes of a string of a sample that is offered. A longer one is not a name.
const MAX_BYTES: usize = 60;

/// Offers the strings that the value on the other side of a comparison can be.
pub(super) fn add_compared(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Compared { with } = context.place else {
        return;
    };
    if is_operation(context, with) {
        for operation in operations(context) {
            push(list, RANK, operation, None);
        }
        return;
    }
    let schemas = context
        .kinds
        .into_iter()
        .flat_map(|kinds| kinds.places(with));
    for (_, schema) in schemas {
        add_enum(list, schema);
    }
    let values = values(context, with);
    let seen: BTreeSet<&str> = values.iter().filter_map(Value::as_str).collect();
    for seen in seen.into_iter().filter(|seen| seen.len() <= MAX_BYTES) {
        push(list, RANK_OF_SAMPLES, seen, Some("in a sample manifest"));
    }
}

/// Offers the values of a field of an object literal.
pub(super) fn add_field_value(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::FieldValue { type_name, field } = &context.place else {
        return;
    };
    match (&**type_name, &**field) {
        ("JSONPatch", "op") => {
            for operation in PATCH_OPERATIONS {
                push(list, RANK, operation, None);
            }
        }
        ("JSONPatch", "path" | "from") => json_pointers::add(context, list),
        _ => {
            for (name, _, schema) in object_types::fields(context, type_name) {
                if name == *field {
                    add_enum(list, schema);
                }
            }
        }
    }
}

fn add_enum(list: &mut List<'_>, schema: Schema<'_>) {
    let default = schema.default_value();
    for value in schema.enum_values() {
        let Some(text) = value.as_str() else { continue };
        let detail = (default.as_ref() == Some(&value)).then_some("default");
        push(list, RANK, text, detail);
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
    let write = (list.context.word, text.to_owned(), None);
    list.write(CompletionKind::Value, rank, item, write);
}

/// Returns whether a node is `request.operation`.
fn is_operation(context: &Context<'_>, id: ExprId) -> bool {
    let ast = context.target.ast();
    match ast.kind(ast.unparenthesized(id)) {
        ExprKind::Select { operand, field, .. } => {
            ast.name(*field) == "operation"
                && context.type_of(*operand) == Type::object("kubernetes.AdmissionRequest")
        }
        _ => false,
    }
}

/// Returns the operations that the rules of the policy match. All of them if none is named.
fn operations(context: &Context<'_>) -> Vec<&'static str> {
    let policy = context.target.document.policy();
    let rules = policy.map_or(&[][..], |policy| policy.rules());
    let is_matched = |operation: &str| rules.iter().any(|rule| rule.has_operation(operation));
    let mut operations = OPERATIONS.to_vec();
    if rules.iter().any(|rule| !rule.operations.is_empty()) {
        operations.retain(|operation| is_matched(operation));
    }
    operations
}
