//! The field that the rest of an expression leads to: the one that a guard tests, or the one with
//! which the old object is compared.
//!
//! `has(c.securityContext) && c.` continues with `securityContext`, and
//! `object.spec.selector == oldObject.spec.` with `selector`.

use super::context::Context;
use super::position::CursorPosition;
use cel::syntax::{Ast, ExprId, ExprKind, MacroKind, Precedence};

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
    let cursor = ast.span(receiver);
    let (start, rest) = path(ast, receiver)?;
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
        let is_relation = operator.precedence() == Precedence::Relation;
        let other = match (ast.span(*left), ast.span(*right)) {
            (_, span) if span.start() == cursor.start() => *left,
            (span, _) if span.start() == cursor.start() => *right,
            _ => return None,
        };
        let (root, mut fields) = path(ast, other).filter(|_| is_relation)?;
        let last = fields.pop()?;
        let is_pair = |pair: &(&str, &str)| *pair == (start, root) || *pair == (root, start);
        (PAIRS.iter().any(is_pair) && fields == rest).then_some(last)
    })
}

/// Returns the variable and the fields of a chain such as `object.spec.replicas`.
fn path(ast: &Ast, mut id: ExprId) -> Option<(&str, Vec<&str>)> {
    let mut fields = Vec::new();
    loop {
        match ast.kind(id) {
            ExprKind::Select { operand, field, .. } => {
                fields.push(ast.name(*field));
                id = *operand;
            }
            ExprKind::Ident { name, .. } => {
                fields.reverse();
                return Some((ast.name(*name), fields));
            }
            _ => return None,
        }
    }
}
