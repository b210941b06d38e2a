#![doc = include_str!("json_patch_path.md")]

use super::facts::Facts;
use super::kind_problems::{is_guarded, is_open, names, relevant_kinds};
use super::{Finding, MAX_FINDINGS, RuleContext};
use cel::syntax::{Ast, ExprId, ExprKind, Literal};
use policy::openapi::{Schema, SchemaType};
use policy::typecheck::kinds::{KindChecks, MatchedKind};
use policy::{Expression, Role};
use text::nearest;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let Some(checks) = context.file.kind_checks_of(facts.document) else {
            continue;
        };
        let expressions = facts.document.expressions().iter();
        let expressions = expressions
            .filter(|it| it.role == Role::JsonPatch)
            .filter(|it| facts.is_read(it) && it.parse.is_ok());
        for expression in expressions {
            let ids = expression.ast().ids();
            let findings = ids.filter_map(|id| finding(facts, checks, expression, id));
            found.extend(findings.take(MAX_FINDINGS));
        }
    }
}

fn finding(
    facts: &Facts<'_>,
    checks: &KindChecks,
    expression: &Expression,
    id: ExprId,
) -> Option<Finding> {
    let ast = expression.ast();
    let (value, pointer) = pointer(ast, id)?;
    let kinds = relevant_kinds(checks).into_iter();
    let kinds: Vec<(&MatchedKind, Schema<'_>)> = kinds
        .filter_map(|kind| Some((kind, checks.schema(kind)?)))
        .collect();
    let missing: Vec<(&MatchedKind, Missing)> = kinds
        .iter()
        .filter_map(|(kind, root)| Some((*kind, missing(*root, pointer)?)))
        .collect();
    let (_, first) = missing.first()?;
    let is_certain = missing.len() == kinds.len();
    if !is_certain && is_guarded(ast, id) {
        return None;
    }
    let wrong: Vec<&MatchedKind> = missing.iter().map(|(kind, _)| *kind).collect();
    let hint = first.nearest.as_ref();
    let hint = hint.map_or_else(String::new, |it| format!(" Did you mean `{it}`?"));
    let message = format!(
        "{}: there is no field `{}`, so the mutation fails or changes nothing.{hint}",
        names(&wrong),
        first.path
    );
    Some(Finding::new(
        facts.document.range(expression, ast.span(value)),
        message,
    ))
}

/// The path of an operation, where it is a constant.
fn pointer(ast: &Ast, id: ExprId) -> Option<(ExprId, &str)> {
    let ExprKind::Struct {
        type_name, fields, ..
    } = ast.kind(id)
    else {
        return None;
    };
    let [name] = &**type_name else {
        return None;
    };
    let mut fields = fields.iter();
    let path = fields.find(|field| ast.name(field.name) == "path")?;
    let is_patch = ast.name(*name) == policy::mutation::JSON_PATCH;
    match ast.kind(ast.unparenthesized(path.value)) {
        ExprKind::Literal(Literal::String(text)) if is_patch => Some((path.value, text)),
        _ => None,
    }
}

/// A field that a schema does not have.
struct Missing {
    /// The path up to it.
    path: String,
    nearest: Option<String>,
}

/// The first field of a pointer that is not there.
fn missing(root: Schema<'_>, pointer: &str) -> Option<Missing> {
    let mut path = String::new();
    let mut schema = root;
    for step in pointer.strip_prefix('/')?.split('/') {
        let name = step.replace("~1", "/").replace("~0", "~");
        if schema.ty() == SchemaType::Array {
            path.push_str("[]");
            schema = schema.items()?;
            continue;
        }
        if schema.ty() != SchemaType::Object {
            return None;
        }
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&name);
        match schema.property(&name) {
            Some(field) => schema = field,
            None if is_open(schema) => schema = schema.additional_properties()?,
            None => {
                let known: Vec<&str> = schema.properties().map(|(name, _)| name).collect();
                let nearest = nearest(&name, known.iter().copied()).map(str::to_owned);
                return Some(Missing { path, nearest });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests;
