//! The fields of values whose type is known, and of objects that are built.
//!
//! The compiler knows the fields of its own types, the schemas of the matched kinds those of
//! objects and parameters.

use super::context::{Context, CursorPosition};
use super::sample_fields::{is_name, literal};
use super::{CompletionKind, Item, List};
use crate::kind_fields::{facts, type_text};
use cel::Type;
use cel::syntax::ExprId;
use kubernetes::openapi::Schema;
use text::Span;

const RANK: u8 = 0;

pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    match context.receiver() {
        Some((_, Type::Struct(name))) => add_fields(context, list, &name),
        Some((receiver, _)) => add_schema_fields(context, list, receiver),
        None => {}
    }
}

/// The fields that the kinds have. One whose name cannot stand behind a dot is offered in
/// brackets.
fn add_schema_fields(context: &Context<'_>, list: &mut List<'_>, receiver: ExprId) {
    let CursorPosition::Member { operator, .. } = context.place else {
        return;
    };
    for (name, item) in schema_items(context, receiver) {
        if is_name(&name) {
            list.push(CompletionKind::Field, RANK, item);
            continue;
        }
        let Some(written) = literal(&name) else {
            continue;
        };
        let question = if operator.len() > 1 { "?" } else { "" };
        let insert = format!("[{question}{written}]");
        let part = Span::new(operator.start(), context.word.end());
        list.write(CompletionKind::Field, RANK, item, (part, insert, None));
    }
}

/// The keys in brackets.
pub(super) fn add_keys(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Key { operand } = context.place else {
        return;
    };
    for (name, item) in schema_items(context, operand) {
        if literal(&name).is_some() && !name.contains('"') {
            list.write(
                CompletionKind::Field,
                RANK,
                item,
                (context.word, name, None),
            );
        }
    }
}

/// The fields of what a node stands for in the objects of the kinds.
fn schema_items(context: &Context<'_>, id: ExprId) -> Vec<(String, Item)> {
    let mut items: Vec<(String, Item)> = Vec::new();
    let places = context.kinds.into_iter().flat_map(|kinds| kinds.places(id));
    let mut seen: Vec<Schema<'_>> = Vec::new();
    for (_, schema) in places {
        // Several kinds hold one type, such as that of containers.
        if seen.contains(&schema) {
            continue;
        }
        seen.push(schema);
        for (name, field) in schema.properties() {
            if !items.iter().any(|(known, _)| known == name) {
                items.push((name.to_owned(), schema_item(schema, name, field)));
            }
        }
    }
    items
}

pub(super) fn schema_item(of: Schema<'_>, name: &str, field: Schema<'_>) -> Item {
    let facts = facts(field, of.is_required(name));
    let documentation = match field.description() {
        Some(description) => format!("{facts}\n\n{}", text::clean::for_markdown(description)),
        None => facts,
    };
    Item {
        detail: Some(type_text(field)),
        documentation: Some(documentation),
        is_required: of.is_required(name),
        ..Item::new(name)
    }
}

fn add_fields(context: &Context<'_>, list: &mut List<'_>, type_name: &str) {
    let types = context.env.types();
    for field in types.field_names(type_name) {
        let ty = types.field_type(type_name, &field);
        let item = Item {
            detail: ty.map(|ty| ty.to_string()),
            ..Item::new(&*field)
        };
        list.push(CompletionKind::Field, RANK, item);
    }
}
