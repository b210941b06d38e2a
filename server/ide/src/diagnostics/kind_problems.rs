//! Type errors of expressions for the kinds that a policy matches.
//!
//! Kubernetes reports an error once for each kind, only in the status of the policy, and with types
//! that expressions do not have at admission, where objects are plain JSON. Here, an error is
//! reported once, with its kinds and its effect at admission.

mod relaxed;

use super::document_facts::DocumentFacts;
use super::{RuleContext, touches};
use cel::Type;
use cel::check::CheckErrorKind;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal, MacroKind};
use kubernetes::names::{is_reserved, unescape};
use kubernetes::openapi::{Schema, SchemaType};
use policy::typecheck::kinds::{KindChecks, MatchedKind, TypedChecked};
use policy::{Expression, Problem, ProblemKind, Receiver, Role};
use std::collections::BTreeMap;
use text::{Span, TextRange, nearest};

/// A type error, with the kinds that have it.
pub(super) struct KindProblem<'a> {
    pub(super) facts: &'a DocumentFacts<'a>,
    pub(super) expression: &'a Expression,
    /// The part with the error.
    pub(super) expr: ExprId,
    /// The part of the expression to underline.
    pub(super) span: Span,
    /// The error for each of the kinds.
    pub(super) found: Vec<(&'a MatchedKind, KindError)>,
    /// Whether every matched kind has an error there.
    pub(super) is_for_all: bool,
    /// Kubernetes' message for the first kind.
    pub(super) upstream: String,
    /// The effect at admission.
    pub(super) effect: AdmissionEffect,
}

/// The error for a kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum KindError {
    /// The objects or the parameters lack this field.
    NoField {
        /// The path of the field from the root.
        path: String,
        /// The kind of the parameters, if it is their field.
        params: Option<String>,
        /// A field with a similar name.
        nearest: Option<String>,
    },
    /// The compiler has no type for the field.
    NoType {
        /// The path of the field from the root.
        path: String,
    },
    /// Another type error.
    Types(CheckErrorKind),
}

/// The effect of a type error at admission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdmissionEffect {
    /// The expression fails, or always has the same result.
    Error,
    /// The expression works; only the status of the policy contains a warning.
    StatusWarning,
    /// The expression works or may work, without a warning.
    Harmless,
}

/// Returns all type errors of a file that no earlier rule reports.
pub(super) fn find<'a>(context: &RuleContext<'a>) -> Vec<KindProblem<'a>> {
    let mut found = Vec::new();
    for facts in context.policies() {
        let Some(checks) = context.file.kind_checks_of(facts.document) else {
            continue;
        };
        let kinds = relevant_kinds(checks);
        for expression in facts.document.expressions() {
            if !facts.is_read(expression) || !expression.parse.is_ok() {
                continue;
            }
            let problems = of_expression(facts, (checks, &kinds), expression);
            // Most expressions have no problems, and a file may have many findings.
            if problems.is_empty() {
                continue;
            }
            let reported = reported_ranges(context, facts, expression);
            let untyped = facts.document.checked(expression);
            let untyped = untyped.map_or(&[][..], |checked| checked.problems());
            found.extend(problems.into_iter().filter(|problem| {
                let range = facts.document.range(expression, problem.span);
                let is_reported = reported.iter().any(|reported| touches(*reported, range));
                // Without types, it is the same error and is already reported.
                !is_reported && !untyped.iter().any(|known| known.span == problem.span)
            }));
        }
    }
    found
}

/// Rules about missing values. A type error at the same range is a separate error.
const GUARDS: [&str; 4] = [
    "null-object",
    "unguarded-field",
    "unguarded-key",
    "absent-request-field",
];

/// Returns the ranges of an expression that already have a finding.
fn reported_ranges(
    context: &RuleContext<'_>,
    facts: &DocumentFacts<'_>,
    expression: &Expression,
) -> Vec<TextRange> {
    let whole = facts.document.node(expression.node).range();
    let found = context.found.borrow();
    let inside = found.iter().filter(|found| !GUARDS.contains(&found.code));
    let inside = inside
        .map(|found| found.range)
        .filter(|range| whole.contains_range(*range) && *range != whole);
    let all = facts
        .document
        .range(expression, expression.ast().span(expression.ast().root()));
    inside.filter(|range| *range != all).collect()
}

/// The error of one kind in an expression.
type KindProblemAt<'a> = (&'a MatchedKind, TypedChecked<'a>, &'a Problem);

fn of_expression<'a>(
    facts: &'a DocumentFacts<'a>,
    (checks, kinds): (&'a KindChecks, &[&'a MatchedKind]),
    expression: &'a Expression,
) -> Vec<KindProblem<'a>> {
    let mut places: BTreeMap<(u32, u32), Vec<KindProblemAt<'a>>> = BTreeMap::new();
    for kind in kinds {
        let Some(typed) = checks.checked(kind, expression) else {
            continue;
        };
        for problem in typed.problems() {
            let place = (problem.span.start(), problem.span.end());
            places
                .entry(place)
                .or_default()
                .push((kind, typed, problem));
        }
    }
    if places.is_empty() {
        return Vec::new();
    }
    let seen = kinds
        .iter()
        .filter(|kind| checks.schema(kind).is_some() && checks.checked(kind, expression).is_some())
        .count();
    let places = places.into_values();
    places
        .filter_map(|place| of_place(facts, expression, (checks, seen), &place))
        .collect()
}

/// Returns the kinds that the match rules specify. Kinds matched by wildcards count only if there
/// are no others and all of them are known.
pub(super) fn relevant_kinds(checks: &KindChecks) -> Vec<&MatchedKind> {
    let kinds = checks.kinds().iter();
    let admitted: Vec<&MatchedKind> = kinds.filter(|kind| kind.is_admitted).collect();
    let named: Vec<&MatchedKind> = admitted.iter().copied().filter(|it| it.is_named).collect();
    if !named.is_empty() {
        return named;
    }
    if checks.is_complete() {
        admitted
    } else {
        Vec::new()
    }
}

fn of_place<'a>(
    facts: &'a DocumentFacts<'a>,
    expression: &'a Expression,
    (checks, seen): (&'a KindChecks, usize),
    place: &[KindProblemAt<'a>],
) -> Option<KindProblem<'a>> {
    let (_, _, first) = place.first()?;
    let (expr, span) = (first.expr, first.span);
    let upstream = first.upstream.clone()?;
    let mut effect = AdmissionEffect::Harmless;
    let mut found = Vec::new();
    for (kind, typed, problem) in place {
        let (what, is_error) = classify(checks, expression, *typed, problem)?;
        if is_error {
            effect = AdmissionEffect::Error;
        }
        found.push((*kind, what, is_error));
    }
    // Kinds without an error show that the author uses the field as intended.
    let others = seen > found.len();
    if others && effect == AdmissionEffect::Error {
        let named = place.iter().all(|(kind, ..)| kind.is_named);
        if !named || is_conditional(facts, expression, expr) {
            effect = AdmissionEffect::Harmless;
        }
    }
    if effect == AdmissionEffect::Error {
        found.retain(|(_, _, is_error)| *is_error);
    } else {
        found.retain(|(kind, ..)| kind.in_status);
        let in_status = matches!(expression.role, Role::Validation | Role::MessageExpression);
        effect = if in_status && !found.is_empty() {
            AdmissionEffect::StatusWarning
        } else {
            AdmissionEffect::Harmless
        };
    }
    Some(KindProblem {
        facts,
        expression,
        expr,
        span,
        is_for_all: !others,
        found: found.into_iter().map(|it| (it.0, it.1)).collect(),
        upstream,
        effect,
    })
}

/// Returns the error for a kind, and whether it also occurs at admission. `None` if it is reported
/// without types.
fn classify(
    checks: &KindChecks,
    expression: &Expression,
    typed: TypedChecked<'_>,
    problem: &Problem,
) -> Option<(KindError, bool)> {
    match &problem.kind {
        ProblemKind::UndefinedField {
            name,
            receiver: Receiver::Object(type_name),
            nearest,
        } => {
            let path = path(type_name, name)?;
            let of =
                operand(expression.ast(), problem).and_then(|operand| typed.schema_of(operand));
            let is_known = of.is_some_and(|of| of.property(name).is_some() || is_open(of));
            if is_known {
                return Some((KindError::NoType { path }, false));
            }
            let root = type_name.split('.').next().unwrap_or_default();
            let params = checks
                .param_kind()
                .filter(|_| is_of_params(expression, problem));
            let nearest = nearest.as_deref().and_then(as_written);
            let what = KindError::NoField {
                path,
                params: params.map(|_| plain(root)),
                nearest: nearest.or_else(|| below(of?, name)),
            };
            Some((what, true))
        }
        ProblemKind::Other(kind) => {
            let is_error = relaxed::is_error(expression.ast(), typed, problem, kind);
            if let Some(missing) = indexed(expression.ast(), typed, problem) {
                return Some((missing, true));
            }
            Some((KindError::Types(kind.clone()), is_error))
        }
        ProblemKind::UndefinedField { .. }
        | ProblemKind::UndeclaredName { .. }
        | ProblemKind::UndeclaredFunction { .. }
        | ProblemKind::UndeclaredType { .. }
        | ProblemKind::IndexedVariables { .. }
        | ProblemKind::Unescaped { .. }
        | ProblemKind::EscapedAtAdmission { .. } => None,
    }
}

/// Returns the path of a field of an object from the object itself, or of a pod in the template of a
/// workload.
fn below(owner: Schema<'_>, name: &str) -> Option<String> {
    let mut parts = [
        "spec",
        "metadata",
        "template.spec",
        "jobTemplate.spec.template.spec",
    ]
    .iter();
    parts.find_map(|path| {
        let part = path.split('.').try_fold(owner, Schema::property)?;
        part.property(name)?;
        Some(format!("{path}.{name}"))
    })
}

/// Returns whether a schema allows fields that it does not declare.
pub(super) fn is_open(schema: Schema<'_>) -> bool {
    let is_bare = schema.properties().len() == 0 && schema.additional_properties().is_none();
    schema.preserves_unknown_fields()
        || schema.additional_properties().is_some()
        || (schema.ty() == SchemaType::Object && is_bare)
        || schema.ty() == SchemaType::Any
}

/// Returns the error of an index with an undeclared key: `object.spec['replicass']`.
fn indexed(ast: &Ast, typed: TypedChecked<'_>, problem: &Problem) -> Option<KindError> {
    let ExprKind::Index { operand, index, .. } = ast.kind(problem.expr) else {
        return None;
    };
    let ExprKind::Literal(Literal::String(key)) = ast.kind(ast.unparenthesized(*index)) else {
        return None;
    };
    let Some(Type::Struct(type_name)) = typed.type_of(*operand) else {
        return None;
    };
    let schema = typed.schema_of(*operand)?;
    if schema.property(key).is_some() || is_open(schema) {
        return None;
    }
    Some(KindError::NoField {
        path: path(type_name, key)?,
        params: None,
        nearest: nearest_field(schema, key),
    })
}

/// Returns the operand of a field selection.
fn operand(ast: &Ast, problem: &Problem) -> Option<ExprId> {
    let of = |id: ExprId| match ast.kind(id) {
        ExprKind::Select { operand, field, .. } if field.span == problem.span => Some(*operand),
        _ => None,
    };
    of(problem.expr).or_else(|| ast.ids().find_map(of))
}

fn is_of_params(expression: &Expression, problem: &Problem) -> bool {
    let ast = expression.ast();
    let Some(mut id) = operand(ast, problem) else {
        return false;
    };
    loop {
        id = match ast.kind(id) {
            ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => *operand,
            ExprKind::Paren(inner) => *inner,
            ExprKind::Ident { name, .. } => return ast.name(*name) == "params",
            _ => return false,
        };
    }
}

/// Returns the path of a field from the root: `spec.containers[].image`. `None` if the type does
/// not come from a schema.
fn path(type_name: &str, field: &str) -> Option<String> {
    if type_name.starts_with("kubernetes.") {
        return None;
    }
    let mut parts = type_name.split('.');
    parts.next()?;
    let mut path = String::new();
    for part in parts {
        if part.starts_with('@') {
            path.push_str("[]");
            continue;
        }
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&unescape(part).unwrap_or(part.into()));
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(field);
    Some(path)
}

/// Returns the name of a kind without the characters that make its type unique.
fn plain(name: &str) -> String {
    let known = |char: &char| char.is_ascii_alphanumeric();
    name.chars().filter(known).collect()
}

/// Returns the name of a field as written after a dot at admission.
fn as_written(field: &str) -> Option<String> {
    let name = unescape(field)?;
    let can_stand = cel::syntax::is_identifier(&name) || is_reserved(&name);
    (can_stand && !matches!(&*name, "in" | "true" | "false" | "null")).then(|| name.into_owned())
}

/// Returns whether a part of an expression may remain unevaluated for some of the kinds.
fn is_conditional(facts: &DocumentFacts<'_>, expression: &Expression, id: ExprId) -> bool {
    let is_chosen = match expression.role {
        Role::Variable { .. } => true,
        Role::MatchCondition | Role::WebhookMatchCondition => false,
        _ => facts
            .document
            .expressions()
            .iter()
            .any(|other| matches!(other.role, Role::MatchCondition)),
    };
    is_chosen || is_guarded(expression.ast(), id)
}

/// Returns whether a part is evaluated only conditionally, or is only a test for presence.
pub(super) fn is_guarded(ast: &Ast, id: ExprId) -> bool {
    let is_guard = |id: ExprId| match ast.kind(id) {
        ExprKind::Conditional { .. } => true,
        ExprKind::Binary { operator, .. } => {
            matches!(operator, BinaryOperator::And | BinaryOperator::Or)
        }
        ExprKind::Select { optional, .. } | ExprKind::Index { optional, .. } => *optional,
        _ => ast.macro_call(id).is_some_and(|call| {
            matches!(
                call.kind,
                MacroKind::Has | MacroKind::OptMap | MacroKind::OptFlatMap
            )
        }),
    };
    let mut inner = id;
    // A parent has a greater index than its children.
    is_guard(inner)
        || ast
            .ids()
            .filter(|outer| outer.index() > id.index())
            .any(|outer| {
                let holds = ast.children(outer).any(|child| child == inner);
                if holds {
                    inner = outer;
                }
                holds && is_guard(outer)
            })
}

/// Limit: kinds in one message.
const MAX_NAMES: usize = 4;

/// Returns the kinds as a list: `Deployment, StatefulSet and 3 more`.
pub(super) fn names(kinds: &[&MatchedKind]) -> String {
    let is_alone = |kind: &MatchedKind| {
        let mut others = kinds.iter();
        !others.any(|other| other.name.kind == kind.name.kind && other.name != kind.name)
    };
    let mut names: Vec<String> = kinds
        .iter()
        .map(|kind| {
            if is_alone(kind) {
                kind.name.kind.to_string()
            } else {
                format!("{} ({})", kind.name.kind, kind.name.api_version())
            }
        })
        .collect();
    if names.len() > MAX_NAMES + 1 {
        let more = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("{more} more"));
    }
    text::listed(&names, "and")
}

/// Returns the field of an object that is probably meant by a name.
pub(super) fn nearest_field(object: Schema<'_>, name: &str) -> Option<String> {
    let fields: Vec<&str> = object.properties().map(|(name, _)| name).collect();
    nearest(name, fields.iter().copied()).map(str::to_owned)
}

/// Returns the sentence that suggests a name. Empty without a name.
pub(super) fn suggestion(nearest: Option<&String>) -> String {
    nearest.map_or_else(String::new, |it| format!(" Did you mean `{it}`?"))
}
