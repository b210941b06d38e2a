//! The fields of values whose type is known, and of objects that are built.

use super::context::{Context, Place};
use super::{CompletionKind, Item, List};
use cel::Type;

const RANK: u8 = 0;

pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    if let Some((_, Type::Struct(name))) = context.receiver() {
        add_fields(context, list, &name, "");
    }
}

pub(super) fn add_struct(context: &Context<'_>, list: &mut List<'_>) {
    if let Place::StructField { type_name } = &context.place {
        add_fields(context, list, type_name, ": ");
    }
}

fn add_fields(context: &Context<'_>, list: &mut List<'_>, type_name: &str, tail: &'static str) {
    let types = context.env.types();
    for field in types.field_names(type_name) {
        let ty = types.field_type(type_name, &field);
        let item = Item {
            detail: ty.map(|ty| ty.to_string()),
            tail,
            ..Item::new(&*field)
        };
        list.push(CompletionKind::Field, RANK, item);
    }
}
