//! The policies and webhooks of a document, whose expressions are analyzed in the order of the
//! server.

use super::Site;
use super::analysis::{Analysis, Scope};
use super::cases::{self, Case};
use super::fact_set::{FactSet, MAX_FACTS};
use super::sites::SiteCollector;
use kubernetes::openapi::Catalog;
use policy::{Expression, PolicyDocument, Role};
use yaml::NodeId;

/// A part of a document with its own rules: a policy or a webhook.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) cases: Vec<Case>,
    /// Whether the cases have more than one kind.
    pub(super) has_kinds: bool,
    pub(super) sites: Vec<Site>,
    /// The sites in message expressions, which are harmless: messages have a fallback.
    pub(super) messages: Vec<Site>,
}

impl Unit {
    pub(super) fn new(cases: Vec<Case>, sites: Vec<Site>, messages: Vec<Site>) -> Self {
        let mut pairs = cases.iter().zip(cases.iter().skip(1));
        Self {
            has_kinds: pairs.any(|(one, next)| one.kind != next.kind),
            cases,
            sites,
            messages,
        }
    }
}

pub(super) fn units<'d>(
    document: &'d PolicyDocument,
    catalog: &Catalog,
    analysis: &mut Analysis<'d>,
) -> Vec<Unit> {
    if let Some(policy) = document.policy() {
        let cases = cases::cases(policy.rules(), catalog);
        return vec![unit(document, cases, analysis, |_| true)];
    }
    let webhooks = document.webhooks().iter();
    webhooks
        .map(|webhook| {
            let cases = cases::cases(&webhook.matching.rules, catalog);
            let range = webhook.at.range;
            unit(document, cases, analysis, |expression| {
                let owner: NodeId = expression.owner;
                range.contains_range(document.node(owner).range())
            })
        })
        .collect()
}

/// Analyzes the expressions of a policy or of a webhook, in the order of the server.
fn unit<'d>(
    document: &'d PolicyDocument,
    cases: Vec<Case>,
    analysis: &mut Analysis<'d>,
    is_own: impl Fn(&Expression) -> bool,
) -> Unit {
    let mut sites = Vec::new();
    let expressions = document.expressions().iter().enumerate();
    // An expression that does not compile is never evaluated.
    let compiles = |it: &Expression| document.checked(it).is_some_and(|it| it.answer().is_ok());
    let own: Vec<_> = expressions
        .filter(|(_, it)| it.parse.is_ok() && is_own(it) && compiles(it))
        .collect();
    let all = conditions(&own, analysis, &mut sites);
    let messages = messages(&own, &all, analysis);
    for (index, expression) in own {
        match expression.role {
            Role::Validation
            | Role::AuditAnnotation
            | Role::ApplyConfiguration
            | Role::JsonPatch => {
                SiteCollector::new(analysis, &mut sites).expression(index, expression, all.clone());
            }
            // Analyzed above or where they are used, or harmless if they fail.
            Role::MatchCondition
            | Role::WebhookMatchCondition
            | Role::Variable { .. }
            | Role::MessageExpression
            | Role::CrdRule { .. }
            | Role::CrdMessageExpression { .. } => {}
        }
    }
    if analysis.is_exhausted() {
        return Unit::new(cases, Vec::new(), Vec::new());
    }
    Unit::new(cases, sites, messages)
}

/// Analyzes message expressions. Each is evaluated if its validation is false.
fn messages<'d>(
    own: &[(usize, &'d Expression)],
    all: &FactSet,
    analysis: &mut Analysis<'d>,
) -> Vec<Site> {
    let mut sites = Vec::new();
    let messages = own
        .iter()
        .filter(|(_, it)| it.role == Role::MessageExpression);
    for (index, message) in messages {
        let is_validation =
            |it: &Expression| it.role == Role::Validation && it.owner == message.owner;
        let Some((of, validation)) = own.iter().find(|(_, it)| is_validation(it)) else {
            continue;
        };
        let scope = Scope::new(*of, validation);
        let failed = analysis.assume(&scope, validation.ast().root(), false);
        let facts = all.clone().and(&failed);
        let facts = facts.resolved(&analysis.terms).closed(&analysis.terms);
        SiteCollector::new(analysis, &mut sites).expression(*index, message, facts);
    }
    sites
}

/// Analyzes the match conditions. Returns the facts after them.
fn conditions<'d>(
    own: &[(usize, &'d Expression)],
    analysis: &mut Analysis<'d>,
    sites: &mut Vec<Site>,
) -> FactSet {
    let conditions: Vec<(usize, &Expression, FactSet)> = own
        .iter()
        .filter(|(_, it)| it.role.is_match_condition())
        .map(|(index, expression)| {
            let scope = Scope::new(*index, expression);
            let known = analysis.assume(&scope, expression.ast().root(), true);
            (*index, *expression, known)
        })
        .collect();
    let mut before = FactSet::default();
    for (at, (index, expression, known)) in conditions.iter().enumerate() {
        // A failing condition does not matter if another one is false, and the conditions before it
        // have not failed.
        let later = conditions.iter().skip(at + 1).take(MAX_FACTS);
        let facts = later
            .fold(before.clone(), |facts, (.., known)| facts.and(known))
            .resolved(&analysis.terms);
        SiteCollector::new(analysis, sites).expression(*index, expression, facts);
        before = before.and(&known.clone().closed(&analysis.terms));
    }
    let known = conditions.iter().map(|(_, _, known)| known);
    let all = known.fold(FactSet::default(), FactSet::and);
    all.resolved(&analysis.terms).closed(&analysis.terms)
}
