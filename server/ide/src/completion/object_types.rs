//! The types of mutations: `Object`, the types of its fields such as `Object.spec`, and
//! `JSONPatch`.
//!
//! To the compiler every field of `Object` exists. The schemas of the matched kinds give the
//! fields that a merge accepts.

use super::context::{Context, CursorPosition};
use super::sample_fields::is_name;
use super::{CompletionKind, Item, List};
use crate::kind_fields::{Kinds, OBJECT, fields_of, schema_of_type};
use cel::syntax::{Ast, ExprKind, Token, TokenKind};
use kubernetes::openapi::{Schema, SchemaType};
use policy::Role;

const RANK: u8 = 0;

/// Offers the fields of the object literal at the cursor that it does not have yet.
pub(super) fn add_fields(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::StructField { type_name } = &context.place else {
        return;
    };
    let written = written_fields(context);
    for (name, owner, schema) in fields(context, type_name) {
        if !written.contains(&&*name) && is_name(&name) {
            let (insert, caret) = value(&format!("{type_name}.{name}"), &name, schema);
            let item = super::fields::schema_item(owner, &name, schema);
            let write = (context.word, insert, Some(caret));
            list.write(CompletionKind::Field, RANK, item, write);
        }
    }
    let types = context.env.types();
    for field in types.field_names(type_name) {
        if written.contains(&&*field) {
            continue;
        }
        let ty = types.field_type(type_name, &field);
        let item = Item {
            detail: ty.map(|ty| ty.to_string()),
            tail: ": ",
            ..Item::new(&*field)
        };
        list.push(CompletionKind::Field, RANK, item);
    }
}

/// Offers the types of the fields after the name of a type. Returns whether there is one.
pub(super) fn add_nested(context: &Context<'_>, list: &mut List<'_>) -> bool {
    let Some(type_name) = type_before_dot(context) else {
        return false;
    };
    for (name, owner, schema) in fields(context, &type_name) {
        if is_name(&name) && fields_of(schema).is_some() {
            let item = Item {
                tail: "{$}",
                ..super::fields::schema_item(owner, &name, schema)
            };
            list.push(CompletionKind::Type, RANK, item);
        }
    }
    true
}

/// Returns the name of the type in front of the dot at the cursor: `Object.spec`.
fn type_before_dot(context: &Context<'_>) -> Option<String> {
    let CursorPosition::Member {
        receiver: Some(receiver),
        ..
    } = context.place
    else {
        return None;
    };
    let role = context.target.expression.role;
    if !matches!(role, Role::ApplyConfiguration | Role::JsonPatch) {
        return None;
    }
    let ast = context.target.ast();
    let name = ast.qualified_name(receiver)?.join(ast);
    let rest = name.strip_prefix(OBJECT)?;
    (rest.is_empty() || rest.starts_with('.')).then_some(name)
}

/// Returns the fields of a type in all kinds, each with the schema of its owner.
pub(super) fn fields<'a>(
    context: &Context<'a>,
    type_name: &str,
) -> Vec<(String, Schema<'a>, Schema<'a>)> {
    let mut found: Vec<(String, Schema<'a>, Schema<'a>)> = Vec::new();
    for root in context.kinds.into_iter().flat_map(Kinds::objects) {
        let Some(owner) = schema_of_type(root, type_name) else {
            continue;
        };
        for (name, field) in owner.properties() {
            if !found.iter().any(|(known, ..)| known == name) {
                found.push((name.to_owned(), owner, field));
            }
        }
    }
    found
}

/// Returns `name: value` with an empty value of the right form, and the offset of the cursor.
fn value(type_name: &str, name: &str, schema: Schema<'_>) -> (String, usize) {
    let object = fields_of(schema).map(|_| format!("{type_name}{{"));
    let (before, after) = match (schema.ty(), object) {
        (SchemaType::Array, Some(object)) => (format!("{name}: [{object}"), "}]"),
        (SchemaType::Array, None) => (format!("{name}: ["), "]"),
        (_, Some(object)) => (format!("{name}: {object}"), "}"),
        (SchemaType::Object, None) => (format!("{name}: {{"), "}"),
        (SchemaType::String, None) => (format!("{name}: '"), "'"),
        _ => (format!("{name}: "), ""),
    };
    let caret = before.len();
    (before + after, caret)
}

/// Returns the fields that the literal at the cursor has, without the one at the cursor.
fn written_fields<'a>(context: &Context<'a>) -> Vec<&'a str> {
    let ast = context.target.ast();
    let at = context.target.offset;
    let innermost = ast
        .ids()
        .filter(|id| matches!(ast.kind(*id), ExprKind::Struct { .. }))
        .filter(|id| ast.span(*id).touches(at))
        .max_by_key(|id| ast.span(*id).start());
    let Some(ExprKind::Struct { fields, .. }) = innermost.map(|id| ast.kind(id)) else {
        return Vec::new();
    };
    let others = fields
        .iter()
        .filter(|field| !field.name.span.touches(at) || field.name.is_missing());
    others.map(|field| ast.name(field.name)).collect()
}

/// Returns the type of the object whose field comes next, if the last token is `{` or `,`, or a
/// `?` after one of them.
pub(super) fn literal_type(ast: &Ast, before: &[Token]) -> Option<String> {
    let mut depth = 0_u32;
    let mut last = before.len();
    while last > 0 {
        last -= 1;
        match before.get(last)?.kind {
            TokenKind::CloseBracket | TokenKind::CloseBrace | TokenKind::CloseParen => depth += 1,
            TokenKind::OpenBrace if depth == 0 => break,
            TokenKind::OpenBracket | TokenKind::OpenBrace | TokenKind::OpenParen => {
                depth = depth.checked_sub(1)?;
            }
            _ => {}
        }
    }
    if before.get(last)?.kind != TokenKind::OpenBrace {
        return None;
    }
    let mut names = Vec::new();
    let mut wants_name = true;
    for token in before.get(..last)?.iter().rev() {
        match token.kind {
            TokenKind::Ident if wants_name => names.push(ast.slice(token.span)),
            TokenKind::Dot if !wants_name => {}
            _ => break,
        }
        wants_name = !wants_name;
    }
    names.reverse();
    (!names.is_empty()).then(|| names.join("."))
}
