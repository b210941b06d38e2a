#![doc = include_str!("apply_configuration.md")]

mod null_branch;
mod type_names;

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::kind_problems::{
    is_guarded, is_open, names, nearest_field, relevant_kinds, suggestion,
};
use crate::diagnostics::{Finding, RuleContext, map_literal};
use crate::kind_fields::{OBJECT, type_text};
use cel::Type;
use cel::syntax::{ExprId, ExprKind, Field};
use kubernetes::names::unescape;
use kubernetes::openapi::{Schema, SchemaType};
use policy::typecheck::kinds::{KindChecks, MatchedKind};
use policy::{Expression, Role};
use std::borrow::Cow;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let Some(checks) = context.file.kind_checks_of(facts.document) else {
            continue;
        };
        let kinds: Vec<&MatchedKind> = relevant_kinds(checks)
            .into_iter()
            .filter(|kind| checks.schema(kind).is_some())
            .collect();
        let policy_kinds = PolicyKinds {
            facts,
            checks,
            kinds: &kinds,
        };
        let expressions = facts.document.expressions().iter();
        let mutations = expressions
            .clone()
            .filter(|it| it.role.is_mutation())
            .filter(|it| facts.is_read(it) && it.parse.is_ok());
        let types = mutations.flat_map(|it| type_names::findings(facts, it));
        found.extend(types.take(context.max_findings()));
        let expressions = expressions
            .filter(|it| it.role == Role::ApplyConfiguration)
            .filter(|it| facts.is_read(it) && it.parse.is_ok());
        for expression in expressions {
            found.extend(null_branch::findings(facts, expression));
            found.extend(
                policy_kinds
                    .findings(expression)
                    .into_iter()
                    .take(context.max_findings()),
            );
        }
    }
}

struct PolicyKinds<'a> {
    facts: &'a DocumentFacts<'a>,
    checks: &'a KindChecks,
    kinds: &'a [&'a MatchedKind],
}

/// An error in a field of an apply configuration.
#[derive(Clone, Debug, PartialEq)]
enum FieldError {
    /// The field does not exist.
    Unknown { nearest: Option<String> },
    /// The field can only be replaced as a whole, which an apply configuration cannot express.
    Atomic(&'static str),
    /// The name is escaped, which Kubernetes does not support here.
    Escaped(String),
    /// The value has another type.
    Type { expected: String, found: Type },
}

impl PolicyKinds<'_> {
    fn findings(&self, expression: &Expression) -> Vec<Finding> {
        let ast = expression.ast();
        let mut found = Vec::new();
        for id in ast.ids() {
            let ExprKind::Struct {
                type_name, fields, ..
            } = ast.kind(id)
            else {
                continue;
            };
            let path: Vec<&str> = type_name.iter().map(|name| ast.name(*name)).collect();
            if let Some(("Object", path)) = path.split_first().map(|(first, rest)| (*first, rest)) {
                let fields = fields.iter();
                found.extend(fields.filter_map(|field| self.field((expression, id), path, field)));
            }
        }
        found
    }

    fn field(
        &self,
        (expression, id): (&Expression, ExprId),
        path: &[&str],
        field: &Field,
    ) -> Option<Finding> {
        let ast = expression.ast();
        let name = ast.name(field.name);
        let (wrong, is_certain) = self.field_errors(expression, path, field);
        let (_, first) = wrong.first()?;
        if !is_certain && is_guarded(ast, id) {
            return None;
        }
        let kinds: Vec<&MatchedKind> = wrong.iter().map(|(kind, _)| *kind).collect();
        let whole = [path, &[name]].concat().join(".");
        let span = match first {
            FieldError::Type { .. } => ast.span(field.value),
            FieldError::Unknown { .. } | FieldError::Atomic(_) | FieldError::Escaped(_) => {
                field.name.span
            }
        };
        let range = self.facts.document.range(expression, span);
        let is_error = is_certain && !matches!(first, FieldError::Escaped(_));
        let message = message(&names(&kinds), &whole, first);
        let mut finding = Finding::new(range, message).certain(is_error);
        if let Some(words) = upstream(&whole, first) {
            finding = finding.upstream(words);
        }
        Some(match first {
            FieldError::Unknown {
                nearest: Some(nearest),
            } => self.facts.rename(finding, (expression, span), nearest),
            FieldError::Escaped(_) => {
                let key =
                    |name: &str| unescape(name).map_or_else(|| name.to_owned(), Cow::into_owned);
                match map_literal::edits(self.facts.document, expression, id, key) {
                    Some(edits) => finding.fix("Convert to a map", edits),
                    None => finding,
                }
            }
            _ => finding,
        })
    }

    /// Returns the errors of a field by kind, and whether every kind has an error.
    fn field_errors(
        &self,
        expression: &Expression,
        path: &[&str],
        field: &Field,
    ) -> (Vec<(&MatchedKind, FieldError)>, bool) {
        let name = expression.ast().name(field.name);
        let mut known = 0;
        let mut wrong: Vec<(&MatchedKind, FieldError)> = Vec::new();
        for kind in self.kinds {
            let root = self.checks.schema(kind);
            let Some(of) = root.and_then(|root| object_at(root, path)) else {
                continue;
            };
            known += 1;
            let typed = self.checks.checked(kind, expression);
            let ty = typed.and_then(|typed| typed.type_of(field.value));
            wrong.extend(field_error(of, name, ty).map(|error| (*kind, error)));
        }
        let is_certain = wrong.len() == known;
        (wrong, is_certain)
    }
}

fn message(kinds: &str, path: &str, error: &FieldError) -> String {
    match error {
        FieldError::Unknown { nearest } => {
            let hint = suggestion(nearest.as_ref());
            format!("`{path}` is not a field of {kinds}, so the mutation fails.{hint}")
        }
        FieldError::Atomic(what) => format!(
            "{kinds}: `{path}` is an atomic {what}, which an apply configuration cannot change. \
             Use a JSON patch."
        ),
        FieldError::Escaped(name) => format!(
            "{kinds}: field names of an `Object` are not escaped, so this sets `{path}` instead of \
             `{name}`. Write a map without a type: `{{'{name}': …}}`."
        ),
        FieldError::Type { expected, found } => {
            format!("{kinds}: `{path}` is of type `{expected}`, but the value is `{found}`.")
        }
    }
}

/// Returns Kubernetes' message. `None` for the decoder's, which depends on the value.
fn upstream(path: &str, error: &FieldError) -> Option<String> {
    match error {
        FieldError::Unknown { .. } => Some(format!(
            "error applying patch: failed to convert patch object to typed object: .{path}: field \
             not declared in schema"
        )),
        FieldError::Atomic(_) => Some(format!(
            "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps \
             or structs: .{path}"
        )),
        FieldError::Escaped(_) | FieldError::Type { .. } => None,
    }
}

/// Returns the schema of a type such as `Object.spec.template`. Lists have the type of their
/// items.
fn object_at<'c>(root: Schema<'c>, path: &[&str]) -> Option<Schema<'c>> {
    let found = path.iter().try_fold(root, |schema, name| {
        let schema = item(schema);
        let values = || schema.additional_properties();
        schema.property(name).or_else(values)
    })?;
    Some(item(found)).filter(|found| found.ty() == SchemaType::Object)
}

fn item(schema: Schema<'_>) -> Schema<'_> {
    match schema.items() {
        Some(items) if schema.ty() == SchemaType::Array => item(items),
        _ => schema,
    }
}

fn field_error(of: Schema<'_>, name: &str, ty: Option<&Type>) -> Option<FieldError> {
    let Some(field) = of.property(name) else {
        if let Some(raw) = unescape(name).filter(|raw| raw != name)
            && (of.property(&raw).is_some() || of.additional_properties().is_some())
        {
            return Some(FieldError::Escaped(raw.into_owned()));
        }
        if is_open(of) {
            return None;
        }
        let nearest = nearest_field(of, name);
        return Some(FieldError::Unknown { nearest });
    };
    let ty = match ty? {
        Type::Optional(value) => value,
        other => other,
    };
    if !fits(field, ty) {
        return Some(FieldError::Type {
            expected: type_text(field),
            found: ty.clone(),
        });
    }
    match field.ty() {
        SchemaType::Array if field.is_atomic() => Some(FieldError::Atomic("list")),
        SchemaType::Object if field.is_atomic() => Some(FieldError::Atomic("object")),
        _ => None,
    }
}

/// Returns whether a field may have a value of a type. True if this is not certain.
pub(super) fn fits(field: Schema<'_>, ty: &Type) -> bool {
    let is_number = matches!(ty, Type::Int | Type::Uint | Type::Double);
    let is_object = matches!(ty, Type::Map(_) | Type::Struct(_));
    let is_known =
        is_number || is_object || matches!(ty, Type::String | Type::Bool | Type::List(_));
    !is_known
        || match field.ty() {
            SchemaType::Any => true,
            SchemaType::String => *ty == Type::String,
            SchemaType::Integer | SchemaType::Number => is_number,
            SchemaType::Boolean => *ty == Type::Bool,
            SchemaType::IntOrString | SchemaType::Quantity => is_number || *ty == Type::String,
            SchemaType::Array => matches!(ty, Type::List(_)),
            SchemaType::Object => is_object,
        }
}

#[cfg(test)]
mod tests;
