//! What the type checker has against expressions for the kinds that they meet.
//!
//! Kubernetes says the same thing once for each kind, hides it in the status of the policy,
//! and means it for a world that an expression never runs in: at admission objects are plain
//! JSON. Here one mistake is one thing, with its kinds, and with what it means at admission.

mod relaxed;

use super::facts::Facts;
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

/// A mistake, with the kinds for which it is one.
pub(super) struct KindProblem<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) expression: &'a Expression,
    /// What to underline.
    pub(super) span: Span,
    /// What is wrong, for each of the kinds.
    pub(super) found: Vec<(&'a MatchedKind, What)>,
    /// Kubernetes' words for the first kind.
    pub(super) upstream: String,
    /// What it means when the expression runs.
    pub(super) harm: Harm,
}

/// What is wrong for a kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// The objects, or the parameters, have no such field.
    NoField {
        /// The path of the field from the root.
        path: String,
        /// The kind of the parameters, where it is a field of them.
        params: Option<String>,
        /// The field that is likely meant.
        nearest: Option<String>,
    },
    /// The compiler has no type for the field.
    NoType {
        /// The path of the field from the root.
        path: String,
    },
    /// It is about types.
    Types(CheckErrorKind),
}

/// What a mistake means when the expression runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Harm {
    /// It goes wrong, or the expression does not do what it seems to do.
    Mistake,
    /// It works. Only the status of the policy holds a warning.
    InStatus,
    /// It works, or may work, and nobody hears of it.
    Nothing,
}

/// All mistakes of a file that no rule above has told.
pub(super) fn of<'a>(context: &RuleContext<'a>) -> Vec<KindProblem<'a>> {
    let mut found = Vec::new();
    for facts in context.policies() {
        let Some(checks) = context.file.kind_checks_of(facts.document) else {
            continue;
        };
        for expression in facts.document.expressions() {
            if !facts.is_read(expression) || !expression.parse.is_ok() {
                continue;
            }
            let told = told(context, facts, expression);
            let untyped = facts.document.checked(expression);
            let untyped = untyped.map_or(&[][..], |checked| checked.problems());
            let problems = of_expression(facts, checks, expression);
            found.extend(problems.into_iter().filter(|problem| {
                let range = facts.document.range(expression, problem.span);
                let is_told = told.iter().any(|told| touches(*told, range));
                // Without types it is the same error, and is reported so.
                !is_told && !untyped.iter().any(|known| known.span == problem.span)
            }));
        }
    }
    found
}

/// What these say of a value is that it can be missing. That its type is wrong is another
/// error.
const GUARDS: [&str; 4] = [
    "null-object",
    "unguarded-field",
    "unguarded-key",
    "absent-request-field",
];

/// The places of an expression at which something is said already.
fn told(context: &RuleContext<'_>, facts: &Facts<'_>, expression: &Expression) -> Vec<TextRange> {
    let whole = facts.document.node(expression.node).range();
    let inside = context.found.iter();
    let inside = inside.filter(|found| !GUARDS.contains(&found.code));
    let inside = inside.map(|found| found.range);
    let inside = inside.filter(|range| whole.contains_range(*range) && *range != whole);
    let all = facts
        .document
        .range(expression, expression.ast().span(expression.ast().root()));
    inside.filter(|range| *range != all).collect()
}

/// What one kind has at a place.
type Found<'a> = (&'a MatchedKind, TypedChecked<'a>, &'a Problem);

fn of_expression<'a>(
    facts: &'a Facts<'a>,
    checks: &'a KindChecks,
    expression: &'a Expression,
) -> Vec<KindProblem<'a>> {
    let kinds = relevant_kinds(checks);
    let mut places: BTreeMap<(u32, u32), Vec<Found<'a>>> = BTreeMap::new();
    for kind in &kinds {
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
    let seen = kinds
        .iter()
        .filter(|kind| checks.schema(kind).is_some() && checks.checked(kind, expression).is_some());
    let seen: Vec<&MatchedKind> = seen.copied().collect();
    let places = places.into_values();
    places
        .filter_map(|place| of_place(facts, expression, (checks, &seen), &place))
        .collect()
}

/// The kinds that the rules name. Those of wildcards count only where there are no others,
/// and where all of them are known.
pub(super) fn relevant_kinds(checks: &KindChecks) -> Vec<&MatchedKind> {
    let kinds = checks.kinds().iter();
    let admitted: Vec<&MatchedKind> = kinds.filter(|kind| kind.is_admitted).collect();
    let named: Vec<&MatchedKind> = admitted.iter().copied().filter(|it| it.is_named).collect();
    if !named.is_empty() {
        return named;
    }
    match checks.is_complete() {
        true => admitted,
        false => Vec::new(),
    }
}

fn of_place<'a>(
    facts: &'a Facts<'a>,
    expression: &'a Expression,
    (checks, seen): (&'a KindChecks, &[&MatchedKind]),
    place: &[Found<'a>],
) -> Option<KindProblem<'a>> {
    let (_, _, first) = place.first()?;
    let (expr, span) = (first.expr, first.span);
    let upstream = first.upstream.clone()?;
    let mut harm = Harm::Nothing;
    let mut found = Vec::new();
    for (kind, typed, problem) in place {
        let (what, is_mistake) = judge(checks, expression, *typed, problem)?;
        if is_mistake {
            harm = Harm::Mistake;
        }
        found.push((*kind, what, is_mistake));
    }
    // Kinds for which nothing is wrong show that the author knows what the field is.
    let others = seen.len() > found.len();
    if others && harm == Harm::Mistake {
        let named = place.iter().all(|(kind, ..)| kind.is_named);
        if !named || is_conditional(facts, expression, expr) {
            harm = Harm::Nothing;
        }
    }
    if harm == Harm::Mistake {
        found.retain(|(_, _, is_mistake)| *is_mistake);
    } else {
        found.retain(|(kind, ..)| kind.in_status);
        let in_status = matches!(expression.role, Role::Validation | Role::MessageExpression);
        harm = match in_status && !found.is_empty() {
            true => Harm::InStatus,
            false => Harm::Nothing,
        };
    }
    Some(KindProblem {
        facts,
        expression,
        span,
        found: found.into_iter().map(|it| (it.0, it.1)).collect(),
        upstream,
        harm,
    })
}

/// What is wrong for a kind, and whether it is so at admission as well. `None` where that is
/// told without types.
fn judge(
    checks: &KindChecks,
    expression: &Expression,
    typed: TypedChecked<'_>,
    problem: &Problem,
) -> Option<(What, bool)> {
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
                return Some((What::NoType { path }, false));
            }
            let root = type_name.split('.').next().unwrap_or_default();
            let params = checks
                .param_kind()
                .filter(|_| is_of_params(expression, problem));
            let what = What::NoField {
                path,
                params: params.map(|_| plain(root)),
                nearest: nearest.as_deref().and_then(as_written),
            };
            Some((what, true))
        }
        ProblemKind::Other(kind) => {
            let is_mistake = relaxed::is_mistake(expression.ast(), typed, problem, kind);
            if let Some(missing) = indexed(expression.ast(), typed, problem) {
                return Some((missing, true));
            }
            Some((What::Types(kind.clone()), is_mistake))
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

/// Whether an object may hold fields that its schema does not describe.
pub(super) fn is_open(schema: Schema<'_>) -> bool {
    let is_bare = schema.properties().len() == 0 && schema.additional_properties().is_none();
    schema.preserves_unknown_fields()
        || schema.additional_properties().is_some()
        || (schema.ty() == SchemaType::Object && is_bare)
        || schema.ty() == SchemaType::Any
}

/// `object.spec['replicass']`: a key that the schema does not have.
fn indexed(ast: &Ast, typed: TypedChecked<'_>, problem: &Problem) -> Option<What> {
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
    let names: Vec<&str> = schema.properties().map(|(name, _)| name).collect();
    Some(What::NoField {
        path: path(type_name, key)?,
        params: None,
        nearest: nearest(key, names.iter().copied()).map(str::to_owned),
    })
}

/// What a field is taken of.
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

/// A field of a type as the path from the root: `spec.containers[].image`. `None` where the
/// type is none of a schema.
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

/// The name of a kind without what keeps it apart from another.
fn plain(name: &str) -> String {
    let known = |char: &char| char.is_ascii_alphanumeric();
    name.chars().filter(known).collect()
}

/// A field as it is written at admission, after a dot.
fn as_written(field: &str) -> Option<String> {
    let name = unescape(field)?;
    let can_stand = cel::syntax::is_identifier(&name) || is_reserved(&name);
    (can_stand && !matches!(&*name, "in" | "true" | "false" | "null")).then(|| name.into_owned())
}

/// Whether a part of an expression may not run for some of the kinds.
fn is_conditional(facts: &Facts<'_>, expression: &Expression, id: ExprId) -> bool {
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

/// Whether something around a part decides whether it runs, or whether it only asks if
/// something is there.
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
    // Whoever holds a node has a greater number.
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

/// Limit: kinds that one message names.
const MAX_NAMES: usize = 4;

/// The kinds in words: `Deployment, StatefulSet and 3 more`.
pub(super) fn names(kinds: &[&MatchedKind]) -> String {
    let is_alone = |kind: &MatchedKind| {
        let mut others = kinds.iter();
        !others.any(|other| other.name.kind == kind.name.kind && other.name != kind.name)
    };
    let mut names: Vec<String> = kinds
        .iter()
        .map(|kind| match is_alone(kind) {
            true => kind.name.kind.to_string(),
            false => format!("{} ({})", kind.name.kind, kind.name.api_version()),
        })
        .collect();
    if names.len() > MAX_NAMES + 1 {
        let more = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("{more} more"));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
