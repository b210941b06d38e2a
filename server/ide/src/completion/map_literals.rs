//! The keys of map literals: `{'low': 1}`, directly or as a variable of the policy.

use super::context::Context;
use super::position::CursorPosition;
use super::{Item, List, variables};
use cel::syntax::ExprId;

const RANK: u8 = 0;

/// Offers the keys after a dot.
pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Member {
        receiver: Some(receiver),
        operator,
    } = context.position
    else {
        return;
    };
    for (key, item) in items(context, receiver) {
        list.member(context.word, operator, &key, (RANK, item));
    }
}

/// Offers the keys in brackets, or before `in`.
pub(super) fn add_keys(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Key { operand, .. } = context.position else {
        return;
    };
    for (key, item) in items(context, operand) {
        list.key(context.word, key, (RANK, item));
    }
}

/// Returns the keys of the literal that a node is or refers to, with the source of their values.
fn items(context: &Context<'_>, id: ExprId) -> Vec<(String, Item)> {
    let own = context.target.ast();
    let (ast, map) = match variables::definition(context, id) {
        Some(expression) => (expression.ast(), expression.ast().root()),
        None => (own, id),
    };
    let entries = ast.map_entries(map);
    let items = entries.enumerate().map(|(place, (key, value))| {
        let value = ast.slice(ast.span(value));
        let item = Item {
            detail: Some(value.to_owned()),
            position: Some(place),
            ..Item::new(key)
        };
        (key.to_owned(), item)
    });
    items.collect()
}
