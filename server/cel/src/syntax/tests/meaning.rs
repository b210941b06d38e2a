//! The tree without spans and parentheses: equivalent sources have the same tree.

use crate::syntax::{Ast, ExprId, ExprKind, Name};
use std::fmt::Write;

/// Returns the tree as nested lists.
pub(crate) fn meaning(ast: &Ast) -> String {
    let mut out = String::new();
    node(ast, ast.root(), &mut out);
    out
}

fn node(ast: &Ast, id: ExprId, out: &mut String) {
    if let ExprKind::Paren(inner) = ast.kind(id) {
        return node(ast, *inner, out);
    }
    let _ = write!(out, "({}", head(ast, id));
    for child in ast.children(id) {
        out.push(' ');
        node(ast, child, out);
    }
    out.push(')');
}

fn head(ast: &Ast, id: ExprId) -> String {
    let mark = |optional: bool, plain: &str, with_mark: &str| {
        (if optional { with_mark } else { plain }).to_owned()
    };
    match ast.kind(id) {
        ExprKind::Paren(_) => String::new(),
        ExprKind::Error(_) => "error".to_owned(),
        ExprKind::Literal(literal) => format!("{literal:?}"),
        ExprKind::Ident { name, leading_dot } => dotted(*leading_dot, ast.name(*name)),
        ExprKind::Select {
            optional, field, ..
        } => mark(*optional, ".", ".?") + ast.name(*field),
        ExprKind::Index { optional, .. } => mark(*optional, "[]", "[?]"),
        ExprKind::Call { .. } => call(ast, id),
        ExprKind::Unary {
            operator, count, ..
        } => operator.symbol().repeat(*count as usize),
        ExprKind::Binary { operator, .. } => operator.symbol().to_owned(),
        ExprKind::Conditional { .. } => "?:".to_owned(),
        ExprKind::List { elements } => {
            format!("list{}", marks(elements.iter().map(|it| it.optional)))
        }
        ExprKind::Map { entries } => format!("map{}", marks(entries.iter().map(|it| it.optional))),
        ExprKind::Struct { .. } => structure(ast, id),
    }
}

fn call(ast: &Ast, id: ExprId) -> String {
    match ast.kind(id) {
        ExprKind::Call {
            target,
            leading_dot,
            function,
            ..
        } => {
            let name = dotted(*leading_dot, ast.name(*function));
            format!("{name}(){}", if target.is_some() { "@" } else { "" })
        }
        _ => String::new(),
    }
}

fn structure(ast: &Ast, id: ExprId) -> String {
    let ExprKind::Struct {
        type_name,
        leading_dot,
        fields,
        ..
    } = ast.kind(id)
    else {
        return String::new();
    };
    let names: Vec<&str> = type_name
        .iter()
        .map(|name: &Name| ast.name(*name))
        .collect();
    let names = dotted(*leading_dot, &names.join("."));
    let fields: Vec<&str> = fields.iter().map(|field| ast.name(field.name)).collect();
    let optional = match ast.kind(id) {
        ExprKind::Struct { fields, .. } => marks(fields.iter().map(|it| it.optional)),
        _ => String::new(),
    };
    format!("{names}{fields:?}{optional}")
}

fn dotted(leading_dot: bool, name: &str) -> String {
    format!("{}{name}", if leading_dot { "." } else { "" })
}

fn marks(optional: impl Iterator<Item = bool>) -> String {
    let marks: String = optional.map(|it| if it { '?' } else { '-' }).collect();
    format!("[{marks}]")
}
