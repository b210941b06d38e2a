//! Literals that fit at the cursor: the values that a schema allows, and the empty value of a type
//! as the default of an optional value.

use super::context::Context;
use super::position::CursorPosition;
use super::{CompletionKind, Item, List, constants, usage};
use cel::Type;
use cel::syntax::ExprKind;

const RANK: u8 = 0;

/// The values that are compared only with `null`, since their type has no other literal.
const OBJECTS: [&str; 4] = ["object", "oldObject", "params", "namespaceObject"];

pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let other = list.expected.other();
    if list.expected.is_default() {
        add_empty(list);
    }
    let values = match (&context.position, other) {
        (CursorPosition::FieldStart { .. }, _) => constants::field_values(context),
        (_, Some(other)) => constants::declared(context, other),
        _ => Vec::new(),
    };
    for value in usage::by_frequency(values) {
        let is_plain = !value.is_empty() && !value.contains(['\'', '"', '\\']);
        if is_plain && !constants::is_in_list(context, &value) {
            push(list, CompletionKind::Value, &format!("'{value}'"));
        }
    }
    let ast = context.target.ast();
    if let Some(ExprKind::Ident { name, .. }) = other.map(|other| ast.kind(other))
        && OBJECTS.contains(&ast.name(*name))
    {
        push(list, CompletionKind::Keyword, "null");
    }
}

/// Offers the empty value of the expected type.
fn add_empty(list: &mut List<'_>) {
    let empty = [
        (Type::Bool, "false"),
        (Type::String, "''"),
        (Type::Int, "0"),
        (Type::Double, "0.0"),
        (Type::list(Type::Dyn), "[]"),
        (Type::map(Type::Dyn, Type::Dyn), "{}"),
    ];
    for (ty, literal) in empty {
        if list.expected.fits(&ty) {
            let kind = match ty {
                Type::Bool => CompletionKind::Keyword,
                _ => CompletionKind::Value,
            };
            push(list, kind, literal);
        }
    }
}

/// Offers a literal as it is written.
pub(super) fn push(list: &mut List<'_>, kind: CompletionKind, label: &str) {
    let write = (list.context.word, label.to_owned(), Vec::new());
    list.write_at(list.items.len(), kind, RANK, Item::new(label), write);
}
