//! The field that the rest of an expression leads to: the one that a guard tests, or the one with
//! which the old object is compared.
//!
//! `has(c.securityContext) && c.` continues with `securityContext`, and
//! `object.spec.selector == oldObject.spec.` with `selector`.

use super::context::Context;
use super::position::CursorPosition;
use cel::syntax::{ExprId, ExprKind, MacroKind, Precedence};

/// The names of the new and the old object.
const PAIRS: [(&str, &str); 2] = [("object", "oldObject"), ("self", "oldSelf")];

/// Returns the field that is probably meant after the dot at the cursor.
pub(super) fn meant_field<'a>(context: &Context<'a>) -> Option<&'a str> {
    let CursorPosition::Member {
        receiver: Some(receiver),
        ..
    } = context.position
    else {
        return None;
    };
    compared(context, receiver).or_else(|| guarded(context, receiver))
}

/// Returns the field of the last guard before the cursor, if nothing else reads it yet.
fn guarded<'a>(context: &Context<'a>, receiver: ExprId) -> Option<&'a str> {
    let ast = context.target.ast();
    let source = ast.slice(ast.span(receiver));
    let reads = ast.ids().filter_map(|id| match ast.kind(id) {
        ExprKind::Select { operand, field, .. } if ast.slice(ast.span(*operand)) == source => {
            Some((id, ast.name(*field)))
        }
        _ => None,
    });
    let reads: Vec<(ExprId, &str)> = reads.collect();
    let guards = ast.ids().filter_map(|id| {
        let call = ast.macro_call(id)?;
        let is_before = ast.span(id).end() <= ast.span(receiver).start();
        let is_guard = call.kind == MacroKind::Has && is_before;
        let field = *call.body.first().filter(|_| is_guard)?;
        let found = reads.iter().find(|(id, _)| *id == field)?;
        Some((ast.span(id).start(), found.1))
    });
    let (_, field) = guards.max_by_key(|(start, _)| *start)?;
    let count = reads.iter().filter(|(_, name)| *name == field).count();
    (count == 1).then_some(field)
}

/// Returns the last field of the value that is compared, if the rest of its path is the same in the
/// other object.
fn compared<'a>(context: &Context<'a>, receiver: ExprId) -> Option<&'a str> {
    let ast = context.target.ast();
    let start = ast.span(receiver).start();
    let path = |id| Some(ast.qualified_name(id)?.join(ast));
    let owner = path(receiver)?;
    ast.ids().find_map(|id| {
        let ExprKind::Binary {
            operator,
            left,
            right,
            ..
        } = ast.kind(id)
        else {
            return None;
        };
        let other = match (ast.span(*left).start(), ast.span(*right).start()) {
            _ if operator.precedence() != Precedence::Relation => return None,
            (_, at) if at == start => *left,
            (at, _) if at == start => *right,
            _ => return None,
        };
        let ExprKind::Select { operand, field, .. } = ast.kind(ast.unparenthesized(other)) else {
            return None;
        };
        is_counterpart(&owner, &path(*operand)?).then(|| ast.name(*field))
    })
}

/// Returns whether two paths are the same in the new and in the old object.
fn is_counterpart(one: &str, other: &str) -> bool {
    fn rest<'p>(path: &'p str, root: &str) -> Option<&'p str> {
        let rest = path.strip_prefix(root)?;
        (rest.is_empty() || rest.starts_with('.')).then_some(rest)
    }
    PAIRS.iter().any(|(new, old)| {
        [(one, other), (other, one)].iter().any(|(one, other)| {
            let rest_of_new = rest(one, new);
            rest_of_new.is_some() && rest_of_new == rest(other, old)
        })
    })
}
