//! A comparison with a type at the cursor: `type(x) == `.

use crate::completion::context::Context;
use cel::syntax::{BinaryOperator, ExprId, ExprKind};

/// Returns the value whose type is compared at the cursor: `x` of `type(x) == `.
pub(in crate::completion) fn value_of_type(context: &Context<'_>) -> Option<ExprId> {
    let ast = context.target.ast();
    let is_blank = |start: u32, end: u32| {
        let between = context.target.text().get(start as usize..end as usize);
        between.is_some_and(|it| it.trim().is_empty())
    };
    let word = context.word;
    let other = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Binary {
            operator: BinaryOperator::Equals | BinaryOperator::NotEquals,
            operator_span,
            left,
            right,
        } => {
            let is_right = is_blank(operator_span.end(), word.start());
            let is_left = is_blank(word.end(), operator_span.start());
            let other = if is_right { *left } else { *right };
            (is_right || is_left).then_some(other)
        }
        _ => None,
    })?;
    match ast.kind(ast.unparenthesized(other)) {
        ExprKind::Call {
            target: None,
            function,
            args,
            ..
        } if ast.name(*function) == "type" => args.first().copied(),
        _ => None,
    }
}
