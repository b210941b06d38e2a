#![doc = include_str!("json_patch_missing.md")]

mod fixes;

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::json_patches::{Operation, operations};
use crate::diagnostics::{Finding, RuleContext};
use crate::presence::{Case, FieldState, Pointer, Root, SiteContext, Term, TermId};
use cel::syntax::{ExprId, ExprKind, has_identifier_form};
use policy::{PolicyDocument, Role};
use std::collections::HashSet;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let operations = operations(facts);
        let applied = applied(facts.document);
        let mut seen: HashSet<(usize, ExprId)> = HashSet::new();
        for (at, operation) in operations.iter().enumerate() {
            let site = operation.place.site;
            if seen.contains(&(site.expression, site.id)) {
                continue;
            }
            let earlier = operations.get(..at).unwrap_or_default();
            let Some(missing) = missing(*operation, earlier, &applied) else {
                continue;
            };
            seen.insert((site.expression, site.id));
            let is_reported = |range| {
                let reported = context.found.borrow();
                let mut reported = reported.iter();
                reported.any(|it| it.range == range && it.code == "json-patch-path")
            };
            let finding = finding(facts, *operation, &missing);
            found.extend(finding.filter(|it| !is_reported(it.range())));
        }
    }
}

/// A value that an operation requires and an object may lack.
struct Missing<'f> {
    field: &'static str,
    pointer: &'f Pointer,
    /// The value, and the later values on the path that may also be missing.
    terms: Vec<TermId>,
    /// Whether it is the parent of the value at the path.
    is_parent: bool,
    /// Whether it is certainly missing.
    is_certain: bool,
    /// The kinds whose objects may lack it, each once. Empty if all may.
    kinds: Vec<&'f str>,
    /// A case in which it is missing.
    case: &'f Case,
}

/// Returns the first value that an operation requires and that may be missing.
fn missing<'f>(
    operation: Operation<'f>,
    earlier: &[Operation<'_>],
    applied: &HashSet<Vec<&str>>,
) -> Option<Missing<'f>> {
    let patch = operation.patch;
    let op = operation.op();
    let from = patch
        .from
        .as_ref()
        .map(|it| ("from", it, op == Some("move")));
    let path = patch
        .path
        .as_ref()
        .map(|it| ("path", it, op == Some("remove")));
    let pointers = from.into_iter().chain(path);
    let mut pointers = pointers.filter(|(_, pointer, _)| pointer.head.is_empty());
    pointers.find_map(|(field, pointer, needs_last)| {
        let needed = if pointer.is_whole && !needs_last {
            pointer.tokens.len().saturating_sub(1)
        } else {
            pointer.tokens.len()
        };
        let terms = pointer.tokens.iter().take(needed).map_while(|it| it.term);
        let place = operation.place;
        let can_be = |term: &TermId| {
            !place.is_present(*term)
                && lacking(place, *term).is_some()
                && !is_created(place, *term, earlier)
                && !is_applied(place, *term, applied)
        };
        let terms: Vec<TermId> = terms.filter(can_be).collect();
        let first = *terms.first()?;
        let (case, kinds) = lacking(place, first)?;
        let last = pointer.tokens.last().and_then(|it| it.term);
        Some(Missing {
            field,
            pointer,
            is_parent: !(pointer.is_whole && last == Some(first)),
            is_certain: place.is_absent(first),
            terms,
            kinds,
            case,
        })
    })
}

/// Returns a case whose objects may lack a value, and the kinds of all such cases if there are
/// other cases.
fn lacking(place: SiteContext<'_>, term: TermId) -> Option<(&Case, Vec<&str>)> {
    let mut first = None;
    let mut kinds: Vec<&str> = Vec::new();
    let mut others = false;
    for case in place.cases().filter(|case| case.has(Root::Object)) {
        let state = place.state(case, term);
        if !matches!(state, FieldState::Optional | FieldState::Key)
            || is_selected(place, case, term)
        {
            others = true;
            continue;
        }
        first.get_or_insert(case);
        let kind = case.kind.as_ref().map_or("", |kind| kind.kind.as_str());
        if !kind.is_empty() && !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if !others {
        kinds.clear();
    }
    first.map(|case| (case, kinds))
}

/// Returns whether an earlier operation creates a value or also requires it.
fn is_created(place: SiteContext<'_>, term: TermId, earlier: &[Operation<'_>]) -> bool {
    earlier.iter().any(|operation| {
        let is_removal = operation.op() == Some("remove");
        let Some(path) = &operation.patch.path else {
            return !is_removal;
        };
        let mut terms = path.tokens.iter().map_while(|it| it.term);
        if terms.any(|it| it == term) {
            let is_last = path.is_whole && path.tokens.last().and_then(|it| it.term) == Some(term);
            return !(is_removal && is_last);
        }
        // It may create a value with its content, or have an unknown path.
        let known = path.tokens.iter().map_while(|it| it.term).last();
        !is_removal && known.is_none_or(|known| is_within(place, term, known))
    })
}

/// Returns whether a value is the labels of a template that the selector of the object matches: an
/// object without them is not valid.
fn is_selected(place: SiteContext<'_>, case: &Case, term: TermId) -> bool {
    let Some((Root::Object, path)) = place.fields(term) else {
        return false;
    };
    let spec = || place.parent(place.parent(place.parent(term)?)?);
    path == ["spec", "template", "metadata", "labels"]
        && spec()
            .and_then(|spec| place.schema(case, spec))
            .is_some_and(|spec| spec.is_required("selector"))
}

fn is_within(place: SiteContext<'_>, mut term: TermId, of: TermId) -> bool {
    while let Some(parent) = place.parent(term) {
        if parent == of {
            return true;
        }
        term = parent;
    }
    false
}

/// Returns the fields that apply configurations set, as paths without indexes.
fn applied(document: &PolicyDocument) -> HashSet<Vec<&str>> {
    let expressions = document.expressions().iter();
    let expressions =
        expressions.filter(|it| it.role == Role::ApplyConfiguration && it.parse.is_ok());
    let mut found = HashSet::new();
    for ast in expressions.map(policy::Expression::ast) {
        for id in ast.ids() {
            if let ExprKind::Struct {
                type_name, fields, ..
            } = ast.kind(id)
            {
                let path: Vec<&str> = type_name.iter().skip(1).map(|it| ast.name(*it)).collect();
                found.extend(
                    fields
                        .iter()
                        .map(|field| [&*path, &[ast.name(field.name)]].concat()),
                );
            }
        }
    }
    found
}

/// Returns whether an apply configuration of the policy sets the value.
fn is_applied(place: SiteContext<'_>, term: TermId, applied: &HashSet<Vec<&str>>) -> bool {
    place
        .fields(term)
        .is_some_and(|(_, fields)| applied.contains(&fields))
}

fn finding(
    facts: &DocumentFacts<'_>,
    operation: Operation<'_>,
    missing: &Missing<'_>,
) -> Option<Finding> {
    let place = operation.place;
    let first = *missing.terms.first()?;
    let path = source_of_term(place, first)?;
    let path = path.strip_prefix("object.").unwrap_or(&path);
    let in_kinds = if missing.kinds.is_empty() {
        String::new()
    } else {
        format!(" in {}", missing.kinds.join(", "))
    };
    let op = operation.op().unwrap_or("op");
    let message = match (missing.is_parent, missing.is_certain) {
        (true, true) => format!(
            "`{path}` is missing{in_kinds}, and a JSON patch does not create it, so the mutation \
             fails. Add it first."
        ),
        (true, false) => format!(
            "`{path}` may be missing{in_kinds}, and a JSON patch does not create it, so the \
             mutation can fail. Add it first, or guard the patch with `{}`.",
            guard(place, &missing.terms)?
        ),
        (false, true) => format!("`{path}` is missing here{in_kinds}, so `{op}` fails."),
        (false, false) => format!(
            "`{path}` may be missing{in_kinds}, so `{op}` can fail. Guard the patch with `{}`.",
            guard(place, &missing.terms)?
        ),
    };
    let field = operation.field(missing.field)?;
    let span = operation.ast().span(field.value);
    let range = facts.document.range(operation.expression, span);
    let mut finding = Finding::new(range, message).certain(missing.is_certain);
    if let Some(words) = upstream(op, missing) {
        finding = finding.upstream(words);
    }
    Some(fixes::add(finding, facts, operation, missing))
}

/// Returns the condition under which all of the values are present.
fn guard(place: SiteContext<'_>, terms: &[TermId]) -> Option<String> {
    let conditions: Option<Vec<String>> = terms.iter().map(|it| condition(place, *it)).collect();
    conditions.map(|conditions| conditions.join(" && "))
}

fn condition(place: SiteContext<'_>, term: TermId) -> Option<String> {
    match place.term(term) {
        Term::Field(_, name) if is_field(name) => {
            Some(format!("has({})", source_of_term(place, term)?))
        }
        Term::Field(of, name) if !name.contains(['\'', '\\']) => {
            Some(format!("'{name}' in {}", source_of_term(place, *of)?))
        }
        _ => None,
    }
}

/// Returns a value as an expression.
fn source_of_term(place: SiteContext<'_>, term: TermId) -> Option<String> {
    Some(match place.term(term) {
        Term::Root(Root::Object) => "object".to_owned(),
        Term::Field(of, name) if is_field(name) => {
            format!("{}.{name}", source_of_term(place, *of)?)
        }
        Term::Field(of, name) if !name.contains(['\'', '\\']) => {
            format!("{}['{name}']", source_of_term(place, *of)?)
        }
        Term::Index(of, index) => match place.term(*index) {
            Term::Constant(crate::presence::Constant::Int(index)) => {
                format!("{}[{index}]", source_of_term(place, *of)?)
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn is_field(name: &str) -> bool {
    has_identifier_form(name) && !matches!(name, "in" | "true" | "false" | "null")
}

/// Returns Kubernetes' message, if the path is constant.
fn upstream(op: &str, missing: &Missing<'_>) -> Option<String> {
    let path = missing.pointer.text()?;
    let key = missing.pointer.tokens.last()?.name.as_deref()?;
    Some(match (op, missing.field, missing.is_parent) {
        ("add" | "remove", _, true) => format!(
            "JSON Patch: {op} operation does not apply: doc is missing path: \"{path}\": missing value"
        ),
        ("replace", _, true) => format!(
            "JSON Patch: replace operation does not apply: doc is missing path: {path}: missing value"
        ),
        ("test", _, true) => format!(
            "JSON Patch: test operation does not apply: is missing path: {path}: missing value"
        ),
        ("move" | "copy", "from", true) => format!(
            "JSON Patch: {op} operation does not apply: doc is missing from path: {path}: missing value"
        ),
        ("move" | "copy", "path", true) => format!(
            "JSON Patch: {op} operation does not apply: doc is missing destination path: {path}: missing value"
        ),
        ("remove", _, false) => format!(
            "JSON Patch: error in remove for path: '{path}': Unable to remove nonexistent key: {key}: missing value"
        ),
        ("move", _, false) => format!(
            "JSON Patch: error in move for path: '{key}': Unable to remove nonexistent key: {key}: missing value"
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
