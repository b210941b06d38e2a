//! The variables of the macros around the cursor.

use super::context::Context;
use super::{CompletionKind, Item, List};
use cel::syntax::{Ast, ExprId, ExprKind, MacroKind};

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
                types: declared.map(|id| context.type_of(id)).into_iter().collect(),
                ..Item::new(ast.name(binding.name))
            },
        );
    }
    for name in unfinished(ast, context.target.offset) {
        list.push(CompletionKind::Variable, RANK, Item::new(name));
    }
}

/// Returns the variables of the macros around an offset whose argument at the offset is missing:
/// `list.all(c, )`.
fn unfinished(ast: &Ast, offset: u32) -> Vec<&str> {
    let mut names = Vec::new();
    for id in ast.path_at(offset) {
        let ExprKind::Call {
            target: Some(_),
            function,
            args,
            ..
        } = ast.kind(id)
        else {
            continue;
        };
        let Some(last) = args.iter().rev().find(|arg| is_written(ast, **arg)) else {
            continue;
        };
        let written = args.iter().filter(|arg| is_written(ast, **arg)).count();
        let end = ast.span(*last).end();
        let between = text::Span::new(end, offset.max(end));
        if offset < end || ast.slice(between).trim() != "," {
            continue;
        }
        let call = MacroKind::find(ast.name(*function), true, written + 1);
        let variables = args.iter().take(call.map_or(0, |(_, variables)| variables));
        let variables = variables.filter_map(|arg| ast.macro_variable(*arg));
        names.extend(variables.map(|name| ast.name(name)));
    }
    names
}

fn is_written(ast: &Ast, id: ExprId) -> bool {
    !matches!(ast.kind(id), ExprKind::Error(_))
}
