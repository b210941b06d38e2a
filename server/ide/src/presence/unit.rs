//! The policies and webhooks of a document, whose expressions are analyzed in the order of the
//! server.

use super::analysis::{Analysis, Scope};
use super::cases::{self, Case};
use super::fact_set::{FactSet, MAX_FACTS};
use super::known_sites::KnownSites;
use super::sites::{Site, SiteCollector, SiteFacts, Sites};
use kubernetes::openapi::Catalog;
use policy::{Expression, PolicyDocument, Role};
use std::sync::Arc;
use yaml::NodeId;

/// A part of a document with its own rules: a policy or a webhook.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) cases: Vec<Case>,
    /// Whether the cases have more than one kind.
    pub(super) has_kinds: bool,
    pub(super) sites: Vec<Sites>,
    /// The sites in message expressions, which are harmless: messages have a fallback.
    pub(super) messages: Vec<Sites>,
}

impl Unit {
    pub(super) fn new(cases: Vec<Case>, sites: Vec<Sites>, messages: Vec<Sites>) -> Self {
        let mut pairs = cases.iter().zip(cases.iter().skip(1));
        Self {
            has_kinds: pairs.any(|(one, next)| one.kind != next.kind),
            cases,
            sites,
            messages,
        }
    }

    /// Returns the sites, in order of evaluation.
    pub(super) fn sites(&self) -> impl Iterator<Item = &Site> {
        self.sites.iter().flat_map(|sites| &**sites)
    }

    /// Returns the sites in message expressions.
    pub(super) fn messages(&self) -> impl Iterator<Item = &Site> {
        self.messages.iter().flat_map(|sites| &**sites)
    }
}

/// Returns the unit of the policy, or of each webhook. `cases` holds their cases in this order.
pub(super) fn units<'d>(
    document: &'d PolicyDocument,
    cases: Vec<Vec<Case>>,
    analysis: &mut Analysis<'d>,
    known: &mut Vec<KnownSites>,
) -> Vec<Unit> {
    known.resize_with(cases.len(), KnownSites::default);
    let mut webhooks = document.webhooks().iter();
    let unit = |(cases, known): (Vec<Case>, &mut KnownSites)| {
        known.truncate(document.expressions().len());
        let range = webhooks.next().map(|webhook| webhook.at.range);
        unit(document, cases, (&mut *analysis, known), |expression| {
            let owner: NodeId = expression.owner;
            range.is_none_or(|range| range.contains_range(document.node(owner).range()))
        })
    };
    cases.into_iter().zip(known).map(unit).collect()
}

/// Returns the cases of the policy, or of each webhook, numbered.
pub(super) fn cases(document: &PolicyDocument, catalog: &Catalog) -> Vec<Vec<Case>> {
    let policy = document.policy().map(|it| it.match_constraints.as_deref());
    let webhooks = document.webhooks().iter();
    let webhooks = webhooks.map(|webhook| Some(&*webhook.matching));
    let mut first = 0;
    let cases = policy.into_iter().chain(webhooks).map(|matching| {
        let mut cases = matching.map_or_else(Vec::new, |it| cases::cases(it, catalog));
        cases::number(&mut cases, first);
        first += cases.len();
        cases
    });
    cases.collect()
}

/// Analyzes the expressions of a policy or of a webhook, in the order of the server.
fn unit<'d>(
    document: &'d PolicyDocument,
    cases: Vec<Case>,
    (analysis, known): (&mut Analysis<'d>, &mut KnownSites),
    is_own: impl Fn(&Expression) -> bool,
) -> Unit {
    let expressions = document.expressions().iter().enumerate();
    // An expression that does not compile is never evaluated.
    let compiles = |it: &Expression| document.checked(it).is_some_and(|it| it.answer().is_ok());
    let own: Vec<_> = expressions
        .filter(|(_, it)| it.parse.is_ok() && is_own(it) && compiles(it))
        .collect();
    let (mut sites, all) = conditions(&own, analysis, known);
    let messages = messages(&own, &all, analysis, known);
    let decisive = own.iter().filter(|(_, it)| {
        // The others are analyzed above or where they are used, or are harmless if they fail.
        matches!(
            it.role,
            Role::Validation | Role::AuditAnnotation | Role::ApplyConfiguration | Role::JsonPatch
        )
    });
    sites.extend(decisive.map(|(index, expression)| {
        known.find(analysis, &[(*index, *expression)], &all, |analysis| {
            SiteCollector::sites(analysis, *index, expression, &all)
        })
    }));
    if analysis.is_exhausted() {
        return Unit::new(cases, Vec::new(), Vec::new());
    }
    Unit::new(cases, sites, messages)
}

/// Analyzes message expressions. Each is evaluated if its validation is false.
fn messages<'d>(
    own: &[(usize, &'d Expression)],
    all: &Arc<SiteFacts>,
    analysis: &mut Analysis<'d>,
    known: &mut KnownSites,
) -> Vec<Sites> {
    let messages = own
        .iter()
        .filter(|(_, it)| it.role == Role::MessageExpression);
    let sites = messages.filter_map(|(index, message)| {
        let is_validation =
            |it: &Expression| it.role == Role::Validation && it.owner == message.owner;
        let (of, validation) = *own.iter().find(|(_, it)| is_validation(it))?;
        let expressions = [(*index, *message), (of, validation)];
        let find = |analysis: &mut Analysis<'d>| {
            let scope = Scope::new(of, validation);
            let failed = analysis.assume(&scope, validation.ast().root(), false);
            let facts = FactSet::clone(all).and(&failed);
            let facts = facts.resolved(&analysis.terms).closed(&analysis.terms);
            SiteCollector::sites(analysis, *index, message, &SiteFacts::new(facts))
        };
        Some(known.find(analysis, &expressions, all, find))
    });
    sites.collect()
}

/// Analyzes the match conditions. Returns their sites and the facts after them.
fn conditions<'d>(
    own: &[(usize, &'d Expression)],
    analysis: &mut Analysis<'d>,
    known: &mut KnownSites,
) -> (Vec<Sites>, Arc<SiteFacts>) {
    let conditions: Vec<(usize, &Expression, FactSet)> = own
        .iter()
        .filter(|(_, it)| it.role.is_match_condition())
        .map(|(index, expression)| {
            let facts = known.facts(analysis, (*index, *expression));
            (*index, *expression, facts)
        })
        .collect();
    let mut sites = Vec::with_capacity(own.len());
    let mut before = FactSet::default();
    for (at, (index, expression, own_facts)) in conditions.iter().enumerate() {
        // A failing condition does not matter if another one is false, and the conditions before it
        // have not failed.
        let later = conditions.iter().skip(at + 1).take(MAX_FACTS);
        let facts = later
            .fold(before.clone(), |facts, (.., later)| facts.and(later))
            .resolved(&analysis.terms);
        let facts = SiteFacts::new(facts);
        let find = |analysis: &mut Analysis<'d>| {
            SiteCollector::sites(analysis, *index, expression, &facts)
        };
        let expressions = [(*index, *expression)];
        sites.push(known.find(analysis, &expressions, &facts, find));
        before = before.and(&own_facts.clone().closed(&analysis.terms));
    }
    let facts = conditions.iter().map(|(.., facts)| facts);
    let all = facts.fold(FactSet::default(), FactSet::and);
    let all = all.resolved(&analysis.terms).closed(&analysis.terms);
    (sites, SiteFacts::new(all))
}
