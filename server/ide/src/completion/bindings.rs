//! The variables of the macros around the cursor.

use super::context::Context;
use super::{CompletionKind, Item, List};
use cel::syntax::ExprKind;

const RANK: u8 = 0;

pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let ast = context.target.ast();
    for binding in ast.bindings_at(context.target.offset) {
        let of = ast.macro_call(binding.call);
        let declared = ast.ids().find(|id| match ast.kind(*id) {
            ExprKind::Ident { name, .. } => *name == binding.name,
            _ => false,
        });
        let range = of.and_then(|call| Some(ast.slice(ast.span(call.target?))));
        list.push(
            CompletionKind::Variable,
            RANK,
            Item {
                detail: declared.map(|id| context.type_of(id).to_string()),
                documentation: range.map(|range| format!("From `{range}`.")),
                ..Item::new(ast.name(binding.name))
            },
        );
    }
}
