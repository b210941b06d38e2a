#![doc = include_str!("json_patch_value.md")]

mod fit;

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::json_patches::{Operation, kinds, literals};
use crate::diagnostics::kind_problems::{is_guarded, names};
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::presence::Pointer;
use cel::Type;
use cel::syntax::ExprId;
use fit::{Misfit, Reader, schema_at};
use kubernetes::openapi::Schema;
use policy::typecheck::kinds::{KindChecks, MatchedKind};

/// The types of Kubernetes' libraries, which JSON cannot represent.
const LIBRARY_TYPES: [&str; 6] = [
    "kubernetes.NamedFormat",
    "kubernetes.Quantity",
    "kubernetes.Semver",
    "kubernetes.URL",
    "net.CIDR",
    "net.IP",
];

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let checks = context.file.kind_checks_of(facts.document);
        for operation in literals(facts) {
            if !matches!(operation.op(), Some("add" | "replace" | "test")) {
                continue;
            }
            let Some(value) = operation.field("value").map(|field| field.value) else {
                continue;
            };
            let finding = no_json(facts, operation, value)
                .or_else(|| misfit(facts, checks?, operation, value));
            found.extend(finding);
        }
    }
}

/// Reports a value that JSON cannot represent.
fn no_json(facts: &DocumentFacts<'_>, operation: Operation<'_>, value: ExprId) -> Option<Finding> {
    let ty = facts
        .document
        .checked(operation.expression)?
        .type_of(value)?;
    let what = match ty {
        Type::Opaque(opaque) => format!("a value of type `{}`", opaque.name),
        Type::Struct(name) if LIBRARY_TYPES.contains(&&**name) => {
            format!("a value of type `{name}`")
        }
        Type::Type(_) => "a type".to_owned(),
        Type::Map(entry) => match &entry.0 {
            key @ (Type::Int | Type::Uint | Type::Bool) => {
                format!("a map with keys of type `{key}`")
            }
            _ => return None,
        },
        _ => return None,
    };
    let message =
        format!("JSON cannot represent {what}, so the mutation fails. Use strings instead.");
    let span = operation.ast().span(value);
    let range = facts.document.range(operation.expression, span);
    Some(Finding::new(range, message))
}

/// Reports a value that does not fit the field.
fn misfit(
    facts: &DocumentFacts<'_>,
    checks: &KindChecks,
    operation: Operation<'_>,
    value: ExprId,
) -> Option<Finding> {
    if operation.op() == Some("test") {
        return None;
    }
    let pointer = operation.patch.path.as_ref()?;
    let mut known = 0;
    let mut wrong: Vec<(&MatchedKind, Schema<'_>, Misfit)> = Vec::new();
    for (kind, root) in kinds(checks) {
        known += 1;
        let reader = checks
            .checked(kind, operation.expression)
            .map(|typed| Reader {
                ast: operation.ast(),
                typed,
            });
        let read = described(root, pointer).zip(reader);
        let misfit = read.and_then(|(field, reader)| reader.misfit(field, value, &[], 0));
        wrong.extend(misfit.map(|misfit| (kind, root, misfit)));
    }
    let (_, root, first) = wrong.first()?;
    let is_custom = !root.is_built_in();
    let is_certain = wrong.len() == known;
    let ast = operation.ast();
    if !is_certain && is_guarded(ast, operation.id()) {
        return None;
    }
    let is_dropped = is_custom && first.types.is_none();
    let severity = if is_certain && !first.is_choice && !is_dropped {
        Severity::Error
    } else {
        Severity::Warning
    };
    let wrong: Vec<&MatchedKind> = wrong.iter().map(|(kind, ..)| *kind).collect();
    let message = first.message(&names(&wrong), pointer, is_custom);
    let range = facts.document.range(operation.expression, first.span);
    let finding = Finding::new(range, message).severity(severity);
    Some(match &first.nearest {
        Some(right) => facts.rename(finding, (operation.expression, first.span), right),
        None => finding,
    })
}

/// Returns the schema of the value at a pointer. No schema of a custom resource describes its
/// metadata.
fn described<'c>(root: Schema<'c>, pointer: &Pointer) -> Option<Schema<'c>> {
    let first = pointer.tokens.first().and_then(|it| it.name.as_deref());
    let is_described = root.is_built_in() || first != Some("metadata");
    schema_at(root, pointer).filter(|_| is_described)
}

#[cfg(test)]
mod tests;
