//! Fixes that guard a part of an expression with a condition or a default.

use super::Finding;
use super::conditions::value;
use super::document_facts::DocumentFacts;
use super::null_test::NullTest;
use super::parents::{enclosing, parents};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, MacroKind};
use kubernetes::openapi::{Schema, SchemaType};
use policy::{Expression, PolicyDocument, Role};
use text::{Span, TextEdit, TextRange, TextSize, apply_edits};
use yaml::edit::{replace_part, single_quoted};
use yaml::{Scalar, ScalarStyle};

/// A condition that guards a part of an expression.
pub(crate) struct Guard {
    /// The condition that must be true: `has(object.spec)`.
    pub(crate) is_there: String,
    /// Its opposite: `!has(object.spec)`.
    pub(super) is_missing: String,
    /// The part that it is about, in backticks: `spec`.
    pub(super) subject: String,
    /// The state of the part if the condition is false.
    pub(super) state: &'static str,
}

/// The state of a field or key that an object does not have.
const MISSING: &str = "is missing";

impl Guard {
    /// Returns the guard of a value that may be null.
    pub(super) fn from_nullable(value: &str) -> Self {
        Self {
            is_there: format!("{value} != null"),
            is_missing: format!("{value} == null"),
            subject: format!("`{value}`"),
            state: "is null",
        }
    }

    /// Returns the condition under which a read of a field or key in a chain does not fail.
    pub(crate) fn from_read(ast: &Ast, id: ExprId) -> Option<Self> {
        let text = |id: ExprId| ast.slice(ast.span(id));
        match ast.kind(id) {
            ExprKind::Select { field, .. } => {
                let is_there = format!("has({})", text(id));
                Some(Self {
                    is_missing: format!("!{is_there}"),
                    is_there,
                    subject: format!("`{}`", field.span.slice(ast.text())),
                    state: MISSING,
                })
            }
            ExprKind::Index { operand, index, .. } => {
                let is_there = format!("{} in {}", text(*index), text(*operand));
                Some(Self {
                    is_missing: format!("!({is_there})"),
                    is_there,
                    subject: format!("`{}`", text(*index)),
                    state: MISSING,
                })
            }
            _ => None,
        }
    }

    /// Combines guards, outer ones first: `has(a.b) && has(a.b.c)`.
    pub(super) fn all(parts: &[Self]) -> Self {
        let join = |part: fn(&Self) -> &str, operator| {
            let parts: Vec<&str> = parts.iter().map(part).collect();
            parts.join(operator)
        };
        Self {
            is_there: join(|it| &it.is_there, " && "),
            is_missing: join(|it| &it.is_missing, " || "),
            subject: join(|it| &it.subject, " or "),
            state: parts.first().map_or(MISSING, |it| it.state),
        }
    }
}

/// Returns edits of parts of an expression. `None` if its scalar style cannot hold one of them.
pub(super) fn edits(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    changes: &[(Span, String)],
) -> Option<Vec<TextEdit>> {
    changed(facts.document, expression, changes)
}

fn changed(
    document: &PolicyDocument,
    expression: &Expression,
    changes: &[(Span, String)],
) -> Option<Vec<TextEdit>> {
    let node = document.node(expression.node);
    let scalar = node.as_scalar().filter(|_| !node.is_alias())?;
    let edit = |(part, right): &(Span, String)| replace_part(scalar, *part, right);
    let edits: Option<Vec<TextEdit>> = changes.iter().map(edit).collect();
    edits.or_else(|| Some(vec![in_quotes(scalar, changes)?]))
}

/// Returns the edit that writes a changed expression in quotes. `None` if it is not plain.
fn in_quotes(scalar: Scalar<'_>, changes: &[(Span, String)]) -> Option<TextEdit> {
    let edit = |(part, right): &(Span, String)| {
        let part = TextRange::new(TextSize::new(part.start()), TextSize::new(part.end()));
        TextEdit::replace(part, right.as_str())
    };
    let edits: Vec<TextEdit> = changes.iter().map(edit).collect();
    let text = apply_edits(scalar.text(), &edits).ok()?;
    let is_plain = scalar.style() == ScalarStyle::Plain && !text.contains('\n');
    is_plain.then(|| TextEdit::replace(scalar.content_range(), single_quoted(text.trim())))
}

/// The smallest boolean part around a node, which can be guarded.
struct GuardTarget {
    id: ExprId,
    /// Whether the part may be true when the value is missing.
    may_be_missing: bool,
    /// Whether `a || target` requires parentheses.
    is_in_and: bool,
}

fn target(ast: &Ast, role: Role, from: ExprId) -> Option<GuardTarget> {
    let parents = parents(ast);
    let above = |id: ExprId| parents.get(id.index()).copied().flatten();
    let mut at = from;
    loop {
        let parent = above(at);
        if !matches!(parent.map(|id| ast.kind(id)), Some(ExprKind::Unary { .. }))
            && let Some(may_be_missing) = boolean(ast, role, &parents, at)
        {
            let is_in_and = matches!(
                parent.map(|id| ast.kind(id)),
                Some(ExprKind::Binary {
                    operator: BinaryOperator::And,
                    ..
                })
            );
            return Some(GuardTarget {
                id: at,
                may_be_missing,
                is_in_and,
            });
        }
        at = parent?;
    }
}

/// Returns whether a condition may be true when the value is missing. `None` if the node is not
/// a condition.
fn boolean(ast: &Ast, role: Role, parents: &[Option<ExprId>], id: ExprId) -> Option<bool> {
    let Some(parent) = parents.get(id.index()).copied().flatten() else {
        return match role {
            Role::Validation | Role::CrdRule { .. } => Some(true),
            Role::MatchCondition | Role::WebhookMatchCondition => Some(false),
            _ => None,
        };
    };
    match ast.kind(parent) {
        ExprKind::Paren(_) => boolean(ast, role, parents, parent),
        ExprKind::Unary { .. } => {
            boolean(ast, role, parents, parent)?;
            Some(false)
        }
        ExprKind::Binary {
            operator: BinaryOperator::And | BinaryOperator::Or,
            ..
        } => Some(boolean(ast, role, parents, parent).unwrap_or(false)),
        ExprKind::Conditional { condition, .. } if *condition == id => Some(false),
        ExprKind::Conditional { .. } => boolean(ast, role, parents, parent),
        ExprKind::Call { .. } => {
            let call = ast.macro_call(parent)?;
            let first = call.body.first() == Some(&id);
            match (call.kind, call.body.len()) {
                (MacroKind::All, _) => call.body.contains(&id).then_some(true),
                (MacroKind::Exists | MacroKind::ExistsOne | MacroKind::Filter, _) => {
                    call.body.contains(&id).then_some(false)
                }
                (MacroKind::Map | MacroKind::TransformList | MacroKind::TransformMap, 2)
                    if first =>
                {
                    Some(false)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// A title and its edits.
pub(crate) type GuardFix = (String, Vec<TextEdit>);

/// Returns the fixes for a read of a value that may be missing: a test in place of the comparison
/// of the value with null, or a condition before the part that reads it.
pub(crate) fn read_guards(
    document: &PolicyDocument,
    expression: &Expression,
    id: ExprId,
    guard: &Guard,
) -> Vec<GuardFix> {
    let ast = expression.ast();
    let parents = parents(ast);
    let end = chain_end(ast, &parents, id);
    match NullTest::around(ast, &parents, end) {
        Some(test) if end == id => {
            let fix = presence_test(document, expression, &test, guard);
            fix.into_iter().collect()
        }
        Some(_) => Vec::new(),
        None => guards(document, expression, id, guard),
    }
}

/// Returns the fix that writes the guard of a value in place of its comparison with null.
pub(super) fn presence_test(
    document: &PolicyDocument,
    expression: &Expression,
    test: &NullTest,
    guard: &Guard,
) -> Option<GuardFix> {
    let ast = expression.ast();
    let condition = if test.is_missing {
        &guard.is_missing
    } else {
        &guard.is_there
    };
    let change = test.with_condition(ast, &parents(ast), condition);
    let edits = changed(document, expression, &[change])?;
    Some((format!("Use `{condition}`"), edits))
}

/// Returns the finding with fixes that add a condition before the failing part.
pub(super) fn with_guard(
    finding: Finding,
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    id: ExprId,
    guard: &Guard,
) -> Finding {
    finding.unsafe_fixes(guards(facts.document, expression, id, guard))
}

/// Returns the fixes that add a condition before a part of an expression.
fn guards(
    document: &PolicyDocument,
    expression: &Expression,
    id: ExprId,
    guard: &Guard,
) -> Vec<GuardFix> {
    let ast = expression.ast();
    let Some(target) = target(ast, expression.role, id) else {
        return Vec::new();
    };
    let span = ast.span(target.id);
    let (start, end) = (
        Span::new(span.start(), span.start()),
        Span::new(span.end(), span.end()),
    );
    let needs_parens = matches!(ast.kind(target.id), ExprKind::Conditional { .. });
    let wrap = |before: String, parens: bool, inner: bool| {
        let open = if parens { "(" } else { "" };
        let inner_open = if inner { "(" } else { "" };
        let mut changes = vec![(start, format!("{open}{before}{inner_open}"))];
        let close = format!(
            "{}{}",
            if inner { ")" } else { "" },
            if parens { ")" } else { "" }
        );
        if !close.is_empty() {
            changes.push((end, close));
        }
        changed(document, expression, &changes)
    };
    let title = |value| {
        let effect = effect(ast, expression.role, target.id, value);
        format!("{effect} if {} {}", guard.subject, guard.state)
    };
    let required = wrap(format!("{} && ", guard.is_there), false, needs_parens);
    let required = required.map(|edits| (title(false), edits));
    let missing = || format!("{} || ", guard.is_missing);
    let optional = target.may_be_missing.then(missing);
    let optional = optional.and_then(|before| wrap(before, target.is_in_and, needs_parens));
    let optional = optional.map(|edits| (title(true), edits));
    // A field that a schema does not require may be missing.
    let fixes = match expression.role.schema() {
        Some(_) => [optional, required],
        None => [required, optional],
    };
    fixes.into_iter().flatten().collect()
}

/// Returns what happens if a condition has a value, as the beginning of a title: `Deny` if the whole
/// expression then has this value too.
fn effect(ast: &Ast, role: Role, condition: ExprId, value: bool) -> &'static str {
    let parents = parents(ast);
    let mut at = condition;
    while let Some(parent) = parents.get(at.index()).copied().flatten() {
        let decides = match ast.kind(parent) {
            ExprKind::Paren(_) => true,
            ExprKind::Binary { operator, .. } if value => *operator == BinaryOperator::Or,
            ExprKind::Binary { operator, .. } => *operator == BinaryOperator::And,
            ExprKind::Call { .. } if !value => ast
                .macro_call(parent)
                .is_some_and(|call| call.kind == MacroKind::All && call.body.contains(&at)),
            _ => false,
        };
        if !decides {
            return if value {
                "Count as `true`"
            } else {
                "Count as `false`"
            };
        }
        at = parent;
    }
    match (role, value) {
        (Role::CrdRule { .. }, false) => "Reject",
        (Role::CrdRule { .. }, true) => "Accept",
        (Role::MatchCondition, _) => "Skip the policy",
        (Role::WebhookMatchCondition, _) => "Skip the webhook",
        (_, false) => "Deny",
        (_, true) => "Allow",
    }
}

/// Returns the end of the chain of fields and indexes that begins at a node.
pub(crate) fn chain_end(ast: &Ast, parents: &[Option<ExprId>], from: ExprId) -> ExprId {
    let mut at = from;
    while let Some(parent) = parents.get(at.index()).copied().flatten() {
        match ast.kind(parent) {
            ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. }
                if *operand == at =>
            {
                at = parent;
            }
            _ => break,
        }
    }
    at
}

/// Returns the finding with a fix that reads the value as an optional with a default.
pub(super) fn with_default(
    finding: Finding,
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    first: ExprId,
    schema: Option<Schema<'_>>,
) -> Finding {
    match or_default(facts.document, expression, first, schema) {
        Some((title, edits)) => finding.unsafe_fix(title, edits),
        None => finding,
    }
}

/// Returns the fix that reads the chain from a field on as an optional with a default. `schema`
/// describes the end of the chain.
pub(crate) fn or_default(
    document: &PolicyDocument,
    expression: &Expression,
    first: ExprId,
    schema: Option<Schema<'_>>,
) -> Option<GuardFix> {
    let ast = expression.ast();
    let parents = parents(ast);
    let end = chain_end(ast, &parents, first);
    let parent = enclosing(ast, &parents, end);
    let is_tested = parent
        .and_then(|parent| ast.macro_call(parent))
        .is_some_and(|call| call.kind == MacroKind::Has);
    if is_tested {
        return None;
    }
    let at = match ast.kind(first) {
        ExprKind::Select { operator, .. } => operator.end(),
        ExprKind::Index { brackets, .. } => brackets.start() + 1,
        _ => return None,
    };
    let optional = (Span::new(at, at), "?".to_owned());
    if let Some(test) = NullTest::around(ast, &parents, end) {
        let mut changes = test.with_has_value(ast);
        changes.push(optional);
        let edits = changed(document, expression, &changes)?;
        return Some(("Use `?` and `.hasValue()`".to_owned(), edits));
    }
    let is_rule = expression.role.schema().is_some();
    let schema = schema.filter(|schema| !is_rule || is_plain(*schema));
    let default = schema.and_then(default)?;
    if parent.is_some_and(|parent| fails_for(document, expression, parent, default)) {
        return None;
    }
    let after = ast.span(end).end();
    let changes = [
        optional,
        (Span::new(after, after), format!(".orValue({default})")),
    ];
    let edits = changed(document, expression, &changes)?;
    let from = match ast.kind(first) {
        ExprKind::Index { brackets, .. } => brackets.start(),
        _ => at,
    };
    let subject = ast.slice(Span::new(from, after));
    Some((format!("Treat a missing `{subject}` as `{default}`"), edits))
}

/// Returns whether a node is a call that fails for a default, such as `int('')`.
fn fails_for(
    document: &PolicyDocument,
    expression: &Expression,
    id: ExprId,
    default: &str,
) -> bool {
    let ast = expression.ast();
    let (
        ExprKind::Call {
            target: None,
            function,
            args,
            ..
        },
        Some(checked),
    ) = (ast.kind(id), document.checked(expression))
    else {
        return false;
    };
    let call = cel::parse(&format!("{}({default})", ast.name(*function)));
    args.len() == 1 && value(&call.ast, call.ast.root(), checked.env()).is_none()
}

/// Returns whether values of a schema have the same type as a literal in the rules of a
/// CustomResourceDefinition.
fn is_plain(schema: Schema<'_>) -> bool {
    let is_typed = matches!(
        schema.format(),
        Some("byte" | "date" | "date-time" | "duration")
    );
    let is_map = schema.additional_properties().is_some();
    !is_typed && (is_map || schema.ty() != SchemaType::Object)
}

/// Returns the default for a missing value.
fn default(schema: Schema<'_>) -> Option<&'static str> {
    Some(match schema.ty() {
        SchemaType::Object => "{}",
        SchemaType::Array => "[]",
        SchemaType::String => "''",
        SchemaType::Integer => "0",
        SchemaType::Number => "0.0",
        SchemaType::Boolean => "false",
        SchemaType::Any | SchemaType::IntOrString | SchemaType::Quantity => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::Guard;

    /// A key may contain text that looks like an operator.
    #[test]
    fn a_guard_has_an_opposite() {
        let check = |read: &str, is_there: &str, is_missing: &str| {
            let parse = cel::parse(read);
            let guard = Guard::from_read(&parse.ast, parse.ast.root()).unwrap();
            assert_eq!(
                (&*guard.is_there, &*guard.is_missing),
                (is_there, is_missing)
            );
        };
        check("object.spec", "has(object.spec)", "!has(object.spec)");
        check("a['b != c']", "'b != c' in a", "!('b != c' in a)");
        check("a['has(b)']", "'has(b)' in a", "!('has(b)' in a)");
    }
}
