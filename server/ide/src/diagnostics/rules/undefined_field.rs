#![doc = include_str!("undefined_field.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::parents::parents;
use crate::diagnostics::{Finding, RuleContext, uncalled};
use cel::Type;
use cel::check::CheckErrorKind;
use cel::syntax::{Ast, ExprId, ExprKind};
use policy::{Expression, FieldPath, FieldStep, JsonSchema, Problem, ProblemKind, Receiver};
use text::{Span, sentence};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        for (expression, problem) in facts.problems() {
            let range = facts.document.range(expression, problem.span);
            // A name that CEL parses as arithmetic is one error: `disk` of `self.disk/gb`.
            if context.is_found_by(&["property-escaping"], range) {
                continue;
            }
            match &problem.kind {
                ProblemKind::UndefinedField {
                    name,
                    receiver,
                    nearest,
                } => {
                    let place = (expression, problem);
                    if let Some(finding) = of_request(facts, place, receiver, name) {
                        found.push(finding);
                    } else if let Some(repeated) = of_self(facts, expression, problem) {
                        found.push(repeated);
                    } else if let Some(owner) = owner(receiver) {
                        let missing = format!("{owner} has no field `{name}`.");
                        let inner = of_metadata(facts, place, receiver, name);
                        let nearest = inner.as_deref().or(nearest.as_deref());
                        found.push(finding(facts, place, missing, nearest));
                    }
                }
                ProblemKind::Other(CheckErrorKind::NoFields { ty, field }) => {
                    let missing = sentence(&no_fields(ty, field));
                    found.push(finding(facts, (expression, problem), missing, None));
                }
                ProblemKind::Other(CheckErrorKind::FailedResolution { .. }) => {
                    found.extend(of_value(facts, expression, problem));
                }
                _ => {}
            }
        }
    }
}

/// Returns the finding about a field of `request` that has another name or is a variable.
fn of_request(
    facts: &DocumentFacts<'_>,
    (expression, problem): (&Expression, &Problem),
    receiver: &Receiver,
    name: &str,
) -> Option<Finding> {
    let is_request =
        matches!(receiver, Receiver::Object(ty) if ty == "kubernetes.AdmissionRequest");
    match name {
        _ if !is_request => None,
        "user" => {
            let message = "`request` has no field `user`. Did you mean `userInfo`?";
            let finding = facts.finding(expression, problem, message.to_owned());
            let of_user = ["username", "groups", "uid", "extra"];
            let ast = expression.ast();
            let is_valid = |id| match ast.kind(id) {
                ExprKind::Select { operand, field, .. } => {
                    is_field(ast, *operand, problem.span) && of_user.contains(&ast.name(*field))
                }
                _ => false,
            };
            Some(if ast.ids().any(is_valid) {
                facts.rename(finding, (expression, problem.span), "userInfo")
            } else {
                finding
            })
        }
        "object" | "oldObject" => {
            let ast = expression.ast();
            let whole = ast.ids().find(|id| is_field(ast, *id, problem.span))?;
            let message =
                format!("`request` has no field `{name}`. Use the variable `{name}` instead.");
            let finding = facts.finding(expression, problem, message);
            // `has()` needs a field.
            let is_tested = ast.macro_calls().any(|call| call.body.contains(&whole));
            Some(if is_tested {
                finding
            } else {
                facts.rename(finding, (expression, ast.span(whole)), name)
            })
        }
        _ => None,
    }
}

/// Returns whether a node is the selection of the field at a span.
fn is_field(ast: &Ast, id: ExprId, name: Span) -> bool {
    matches!(ast.kind(id), ExprKind::Select { field, .. } if field.span == name)
}

/// Returns the path of a field that the metadata of an object has: `metadata.name` for `name`.
fn of_metadata(
    facts: &DocumentFacts<'_>,
    (expression, _): (&Expression, &Problem),
    receiver: &Receiver,
    name: &str,
) -> Option<String> {
    let Receiver::Object(owner) = receiver else {
        return None;
    };
    let types = facts.document.checked(expression)?.env().types();
    let Type::Struct(metadata) = types.field_type(owner, "metadata")? else {
        return None;
    };
    types.field_type(&metadata, name)?;
    Some(format!("metadata.{name}"))
}

/// Returns the finding about a field of a value that only has methods, such as a URL.
fn of_value(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
) -> Option<Finding> {
    let checked = facts.document.checked(expression)?;
    let ast = expression.ast();
    let ExprKind::Select { operand, field, .. } = ast.kind(problem.expr) else {
        return None;
    };
    let (ty, name) = (checked.type_of(*operand)?, ast.name(*field));
    let message = format!(
        "{}.{}",
        sentence(&no_fields(ty, name)).trim_end_matches('.'),
        uncalled::advice(checked.env(), ty, name)
    );
    let range = facts.document.range(expression, field.span);
    let mut finding = Finding::new(range, message);
    if let Some(upstream) = &problem.upstream {
        finding = finding.upstream(upstream.clone());
    }
    let method = uncalled::meant(checked.env(), ty, name);
    Some(uncalled::with_call(
        finding,
        facts,
        (expression, field.span),
        method,
    ))
}

/// Returns the finding about a rule that names its own place: `self.spec.min` in the schema of
/// `spec`.
fn of_self(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
) -> Option<Finding> {
    let schema = JsonSchema::new(facts.document.node(expression.role.schema()?))?;
    let place = place(&expression.path);
    let ast = expression.ast();
    let first = ast.ids().find(|id| is_field(ast, *id, problem.span))?;
    let ExprKind::Select { operand, .. } = ast.kind(first) else {
        return None;
    };
    let operand = *operand;
    let ExprKind::Ident { name, .. } = ast.kind(operand) else {
        return None;
    };
    let variable = ast.name(*name);
    if !matches!(variable, "self" | "oldSelf") {
        return None;
    }
    let fields = fields_from(ast, first);
    let begins = |count: &usize| {
        let names = fields
            .iter()
            .take(*count)
            .map(|field| field.slice(ast.text()));
        names.eq(place.iter().skip(place.len() - count).copied())
    };
    let count = (1..=place.len().min(fields.len())).rev().find(begins)?;
    if let Some(next) = fields.get(count) {
        schema.property(next.slice(ast.text()))?;
    }
    let last = fields.get(count.checked_sub(1)?)?.end();
    let path = place.get(place.len() - count..)?.join(".");
    let message = format!("`{variable}` is already `{path}` here. Remove `.{path}`.");
    let finding = facts.finding(expression, problem, message);
    let part = Span::new(ast.span(operand).end(), last);
    Some(match edits(facts, expression, &[(part, String::new())]) {
        Some(edits) => finding.fix(format!("Remove `.{path}`"), edits),
        None => finding,
    })
}

/// Returns the names of the properties that lead to the schema of a rule, from the last list or
/// map on.
fn place(path: &FieldPath) -> Vec<&str> {
    let mut names = Vec::new();
    for step in path.steps() {
        match step {
            FieldStep::Key(name) => names.push(&**name),
            FieldStep::Field(name) if matches!(&**name, "items" | "additionalProperties") => {
                names.clear();
            }
            FieldStep::Field(_) | FieldStep::Index(_) => {}
        }
    }
    names
}

/// Returns the fields of a chain of selections from its first one on.
fn fields_from(ast: &Ast, first: ExprId) -> Vec<Span> {
    let parents = parents(ast);
    let mut at = Some(first);
    let mut fields = Vec::new();
    while let Some(id) = at
        && let ExprKind::Select { field, .. } = ast.kind(id)
    {
        fields.push(field.span);
        at = parents.get(id.index()).copied().flatten();
    }
    fields
}

fn finding(
    facts: &DocumentFacts<'_>,
    (expression, problem): (&Expression, &Problem),
    missing: String,
    nearest: Option<&str>,
) -> Finding {
    let message = match nearest {
        Some(nearest) => format!("{missing} Did you mean `{nearest}`?"),
        None => missing,
    };
    let finding = facts.finding(expression, problem, message);
    match nearest {
        Some(nearest) => facts.rename(finding, (expression, problem.span), nearest),
        None => finding,
    }
}

/// Returns that a type has no field, as a clause.
pub(super) fn no_fields(ty: &Type, field: &str) -> String {
    match ty {
        Type::List(_) => format!(
            "a list has no field `{field}`. `size()` is its length, and a macro such as `all()` \
             reads its elements"
        ),
        _ => format!("a value of type `{ty}` has no field `{field}`"),
    }
}

/// Returns the owner of the field. `None` for variables, which have separate rules.
fn owner(receiver: &Receiver) -> Option<String> {
    Some(match receiver {
        Receiver::Variables => return None,
        Receiver::Object(name) => format!("`{name}`"),
        Receiver::Schema => "The schema of this value".to_owned(),
        Receiver::Metadata => {
            "`metadata`, which has only `name` and `generateName` in rules,".to_owned()
        }
    })
}

#[cfg(test)]
mod tests;
