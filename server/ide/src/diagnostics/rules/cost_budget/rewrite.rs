//! Parts of a rule whose size the API server's estimate cannot bound, and their equivalents with a
//! bounded size.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/compilation.go,
//! sizeEstimator, which looks fields up by their escaped names and the entries of maps by
//! index; cel-go, checker/cost.go, `computeSize`, which gives the result of `string()` none.

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::format_call::{from_sum, whole_sum};
use crate::diagnostics::parents;
use cel::Type;
use cel::syntax::{Ast, ExprId, ExprKind, is_identifier, is_reserved};
use policy::Expression;
use policy::cost::rule_total_of;
use text::Span;

/// Changes that make a rule cheaper without a change of meaning.
pub(super) struct Rewrite {
    /// The cause of the unknown size, and the equivalent.
    pub(super) advice: String,
    pub(super) changes: Vec<(Span, String)>,
    /// The cost of the rule with the changes.
    pub(super) total: u64,
}

/// Returns the first kind of change that reduces the cost.
pub(super) fn rewrite(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    now: u64,
) -> Option<Rewrite> {
    let ast = expression.ast();
    let found = [
        reserved(facts, expression),
        entries(facts, expression),
        sums(ast),
    ];
    found.into_iter().find_map(|(advice, mut changes)| {
        changes.sort_by_cached_key(|(span, _)| span.start());
        let text = changed(expression.text(), &changes)?;
        let total = rule_total_of(facts.document, expression, &text)?;
        (total < now).then_some(Rewrite {
            advice,
            changes,
            total,
        })
    })
}

type Changes = (String, Vec<(Span, String)>);

fn changed(text: &str, changes: &[(Span, String)]) -> Option<String> {
    let (mut out, mut from) = (String::new(), 0);
    for (span, right) in changes {
        out.push_str(text.get(from..span.start() as usize)?);
        out.push_str(right);
        from = span.end() as usize;
    }
    out.push_str(text.get(from..)?);
    (!changes.is_empty()).then_some(out)
}

/// Returns the field selections: the node, the type of the operand, the name and its span.
fn selections<'a>(
    facts: &'a DocumentFacts<'_>,
    expression: &'a Expression,
) -> impl Iterator<Item = (ExprId, &'a Type, &'a str, Span)> {
    let ast = expression.ast();
    let checked = facts.document.checked(expression);
    ast.ids().filter_map(move |id| {
        let ExprKind::Select { operand, field, .. } = ast.kind(id) else {
            return None;
        };
        let of = checked?.type_of(*operand)?;
        Some((id, of, ast.name(*field), field.span))
    })
}

/// Returns the advice and the changes from `self.namespace` to `self.__namespace__`.
fn reserved(facts: &DocumentFacts<'_>, expression: &Expression) -> Changes {
    let is_object = |of: &Type| match of {
        Type::Struct(_) => true,
        Type::Optional(of) => matches!(**of, Type::Struct(_)),
        _ => false,
    };
    let selections = selections(facts, expression);
    let found = selections.filter(|(_, of, name, _)| is_object(of) && is_reserved(name));
    let found: Vec<_> = found.map(|(.., name, span)| (name, span)).collect();
    let name = found.first().map_or("", |(name, _)| *name);
    let advice = format!(
        "The API server does not know the size of `{name}`, which is a reserved word in CEL. \
         Write `__{name}__`."
    );
    let changes = found
        .iter()
        .map(|(name, span)| (*span, format!("__{name}__")));
    (advice, changes.collect())
}

/// Returns the advice and the changes from `self.labels.app` to `self.labels['app']`.
fn entries(facts: &DocumentFacts<'_>, expression: &Expression) -> Changes {
    let ast = expression.ast();
    let is_plain = |id: ExprId| match ast.kind(id) {
        ExprKind::Select {
            operator, optional, ..
        } => (!optional && is_used(ast, id)).then_some(*operator),
        _ => None,
    };
    let selections = selections(facts, expression).filter(|(_, of, ..)| matches!(of, Type::Map(_)));
    let found: Vec<_> = selections
        .filter_map(|(id, _, name, span)| {
            let dot = is_plain(id).filter(|_| is_identifier(name))?;
            Some((name, Span::new(dot.start(), span.end())))
        })
        .collect();
    let name = found.first().map_or("", |(name, _)| *name);
    let advice = format!(
        "The API server does not know the size of the map entry `.{name}`. Write `['{name}']`."
    );
    let changes = found
        .iter()
        .map(|(name, span)| (*span, format!("['{name}']")));
    (advice, changes.collect())
}

/// Returns whether a field is read, and not tested with `has()`.
fn is_used(ast: &Ast, id: ExprId) -> bool {
    let calls = ast.ids().filter_map(|call| ast.macro_call(call));
    let is_has = |kind| kind == cel::syntax::MacroKind::Has;
    let mut tests = calls.filter(|call| is_has(call.kind));
    !tests.any(|call| call.body.contains(&id))
}

/// Returns the advice and the changes from `'a' + string(self.b)` to `'a%s'.format([self.b])`.
fn sums(ast: &Ast) -> Changes {
    let parents = parents(ast);
    let is_string = |id: ExprId| match ast.kind(id) {
        ExprKind::Call {
            target: None,
            function,
            ..
        } => ast.name(*function) == "string",
        _ => false,
    };
    let mut changes: Vec<(Span, String)> = Vec::new();
    for call in ast.ids().filter(|id| is_string(*id)) {
        let Some(sum) = parents.get(call.index()).copied().flatten() else {
            continue;
        };
        let sum = whole_sum(ast, &parents, sum);
        let span = ast.span(sum);
        let is_new = |(known, _): &(Span, String)| !known.contains(span) && !span.contains(*known);
        if let Some(right) = from_sum(ast, sum).filter(|_| changes.iter().all(is_new)) {
            changes.push((span, right));
        }
    }
    let right = changes.first().map_or("", |(_, right)| right.as_str());
    let advice = format!(
        "The API server does not know the length of the result of `string()`. Write `{right}`."
    );
    (advice, changes)
}
