#![doc = include_str!("server_bug.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::project::PolicySummary;
use cel::Type;
use cel::syntax::{Ast, ExprId, ExprKind};
use kubernetes::Target;
use kubernetes::mutation::{JSON_PATCH, OBJECT};
use kubernetes::openapi::Resource;
use kubernetes::versions::bugs::{
    Bug, CONTAINS_CIDR_TOO_STRICT, MUTATIONS_OF_OTHER_KINDS_LOST, PATCH_VALUE_PANICS,
};
use policy::manifest::Rule;
use policy::{Expression, Kind, Role};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let expressions = facts.document.expressions().iter();
        let read = expressions.filter(|it| it.parse.is_ok() && facts.is_read(it));
        let findings = read.flat_map(|expression| of_expression(facts, expression));
        found.extend(findings.take(context.max_findings()));
        found.extend(lost_mutations(context, facts));
    }
}

/// The servers of a target that are affected: all, some, or none.
enum Affected {
    All,
    Some,
    None,
}

fn affected(bug: &Bug, target: Target) -> Affected {
    if !target.is_chosen() {
        return if bug.affects(target.server()) {
            Affected::All
        } else {
            Affected::None
        };
    }
    let mut servers = target.servers();
    match (
        servers.clone().all(|it| bug.affects(it)),
        servers.any(|it| bug.affects(it)),
    ) {
        (true, _) => Affected::All,
        (false, true) => Affected::Some,
        (false, false) => Affected::None,
    }
}

fn of_expression(facts: &DocumentFacts<'_>, expression: &Expression) -> Vec<Finding> {
    let target = facts.document.target();
    let ast = expression.ast();
    let mut found = Vec::new();
    for id in ast.ids() {
        let (bug, span, message, is_certain) = match ast.kind(id) {
            ExprKind::Call { function, .. } if ast.name(*function) == "containsCIDR" => (
                &CONTAINS_CIDR_TOO_STRICT,
                function.span,
                "`containsCIDR` returns false unless the inner range begins with the address of \
                 the outer one. Compare with `containsIP` and `prefixLength` instead."
                    .to_owned(),
                false,
            ),
            ExprKind::Struct { .. } if expression.role == Role::JsonPatch => {
                let Some((value, is_certain)) = object_within(facts, expression, id) else {
                    continue;
                };
                let message = "The API server panics on an `Object` within a list or a map in \
                               the value of a JSON patch. Write a map literal instead, such as \
                               `[{'name': 'a'}]`.";
                let span = ast.span(value);
                (&PATCH_VALUE_PANICS, span, message.to_owned(), is_certain)
            }
            _ => continue,
        };
        let severity = match affected(bug, target) {
            Affected::None => continue,
            Affected::All if is_certain => Severity::Error,
            Affected::All | Affected::Some => Severity::Warning,
        };
        let message = format!("{message} Affected: Kubernetes {}.", bug.releases);
        let range = facts.document.range(expression, span);
        found.push(Finding::new(range, message).severity(severity));
    }
    found
}

/// Returns the value of an operation of a JSON patch that contains an `Object` in a list or a map,
/// and whether it certainly has an element.
fn object_within(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    id: ExprId,
) -> Option<(ExprId, bool)> {
    let ast = expression.ast();
    let ExprKind::Struct {
        type_name, fields, ..
    } = ast.kind(id)
    else {
        return None;
    };
    let is_patch = type_name.last().map(|name| ast.name(*name)) == Some(JSON_PATCH);
    let mut fields = fields.iter().filter(|_| is_patch);
    let value = fields.find(|field| ast.name(field.name) == "value")?.value;
    let ty = facts.document.checked(expression)?.type_of(value)?;
    let is_within = match ty {
        Type::List(element) => holds_object(element),
        Type::Map(entry) => holds_object(&entry.1),
        _ => false,
    };
    is_within.then(|| (value, has_element(ast, value)))
}

fn holds_object(ty: &Type) -> bool {
    match ty {
        Type::List(element) => holds_object(element),
        Type::Map(entry) => holds_object(&entry.1),
        Type::Struct(name) => {
            let rest = name.strip_prefix(OBJECT);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        }
        _ => false,
    }
}

/// Returns whether a value is written as a list or a map with an element, at each level.
fn has_element(ast: &Ast, id: ExprId) -> bool {
    match ast.kind(id) {
        ExprKind::Paren(inner) => has_element(ast, *inner),
        ExprKind::List { elements } => {
            let mut elements = elements.iter().filter(|it| !it.optional);
            elements.any(|it| has_element(ast, it.value))
        }
        ExprKind::Map { entries } => {
            let mut entries = entries.iter().filter(|it| !it.optional);
            entries.any(|it| has_element(ast, it.value))
        }
        ExprKind::Struct { .. } => true,
        _ => false,
    }
}

/// Reports a mutating policy for a different version of a kind than another policy.
fn lost_mutations(context: &RuleContext<'_>, facts: &DocumentFacts<'_>) -> Option<Finding> {
    let document = facts.document;
    let bug = &MUTATIONS_OF_OTHER_KINDS_LOST;
    let constraints = document.policy()?.match_constraints.as_ref()?;
    let kind = Kind::MutatingAdmissionPolicy;
    if document.kind() != kind
        || constraints.is_exact()
        || matches!(affected(bug, document.target()), Affected::None)
    {
        return None;
    }
    let surroundings = context.file.surroundings();
    let own = surroundings.policy(document)?;
    let mut others = surroundings.policies_of(kind);
    let (other, resource) = others.find_map(|other| {
        let is_another = other.name != own.name && surroundings.is_beside(&other.location);
        let resource = differing(context, own, other).filter(|_| is_another)?;
        Some((other, resource))
    })?;
    let name = other.name.as_deref().unwrap_or_default();
    let message = format!(
        "`{name}` mutates another version of `{resource}`. If a request matches both policies, \
         the API server keeps only the changes to the version that is mutated last. Match the \
         same versions in both policies."
    );
    let finding = Finding::new(document.name_range(), message).severity(Severity::Warning);
    Some(finding.related_location(&other.location, context.file, "the other policy"))
}

/// Returns a resource for which two policies match no common version.
fn differing(
    context: &RuleContext<'_>,
    own: &PolicySummary,
    other: &PolicySummary,
) -> Option<String> {
    let kinds = context.file.project().kinds();
    let names = |policy: &PolicySummary, group: &str, plural: &str| {
        let rules = policy.spec.rules().iter();
        let resources = kinds.resources_of_name(plural);
        let resources: Vec<_> = resources.filter(|it| it.group == group).collect();
        let named = |rule: &Rule| {
            let names = |it: &&Resource<'_>| {
                rule.has_kind((it.group, it.version, it.plural), it.namespaced)
            };
            let found = resources.iter().filter(names);
            found.map(|it| it.version.to_owned()).collect::<Vec<_>>()
        };
        rules.flat_map(named).collect::<Vec<_>>()
    };
    own.spec.rules().iter().find_map(|rule| {
        let ([group], [plural]) = (&*rule.groups, &*rule.resources) else {
            return None;
        };
        let ours = names(own, &group.text, &plural.text);
        let theirs = names(other, &group.text, &plural.text);
        let is_shared = ours.iter().any(|version| theirs.contains(version));
        let differs = !ours.is_empty() && !theirs.is_empty() && !is_shared;
        differs.then(|| plural.text.to_string())
    })
}

#[cfg(test)]
mod tests;
