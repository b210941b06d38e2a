//! The names that an expression of a role can begin with.

use super::context::Context;
use super::{CompletionKind, Item, List};
use policy::Role;
use policy::environment;

const RANK: u8 = 1;
const RANK_OF_TYPES: u8 = 5;
const RANK_OF_KEYWORDS: u8 = 6;

pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let role = context.target.expression.role;
    for root in environment::roots(context.target.document, role) {
        let ty = context.env.variable(root.name);
        let item = Item {
            detail: ty.map(ToString::to_string),
            documentation: Some(root.doc.to_owned()),
            ..Item::new(root.name)
        };
        list.push(CompletionKind::Variable, RANK, item);
    }
    if matches!(role, Role::ApplyConfiguration | Role::JsonPatch) {
        for name in environment::MUTATION_TYPES {
            let item = Item {
                tail: "{$}",
                ..Item::new(name)
            };
            list.push(CompletionKind::Type, RANK, item);
        }
    }
    for name in environment::TYPE_NAMES {
        // Most are functions too, which say more.
        if context.env.function(name).is_none() {
            list.push(CompletionKind::Type, RANK_OF_TYPES, Item::new(name));
        }
    }
    for word in ["false", "null", "true"] {
        list.push(CompletionKind::Keyword, RANK_OF_KEYWORDS, Item::new(word));
    }
}
