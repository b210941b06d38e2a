//! The rules of a CustomResourceDefinition: the fields that `self` and `oldSelf` certainly have.
//!
//! Each rule runs separately, on each value of its schema.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go,
//! validateExpressions.

use super::analysis::{Analysis, Scope};
use super::cases::{Case, MatchedKind};
use super::crd_rule::{BySchema, Rule};
use super::fact_set::FactSet;
use super::guarantees::Guarantees;
use super::sites::{SiteCollector, SiteFacts, Sites};
use super::unit::Unit;
use admission::Operation;
use kubernetes::names::GroupVersionKind;
use kubernetes::openapi::{Catalog, Definitions};
use policy::{Expression, PolicyDocument, Role};
use std::collections::HashMap;
use std::sync::Arc;
use yaml::NodeId;

/// Returns the kinds of a definition as its rules see them. `None` if it cannot be parsed.
pub(super) fn catalog(document: &PolicyDocument, catalog: &Catalog) -> Option<Catalog> {
    let definitions = Definitions::from_crd_rules(document.root())?;
    let built_in = Catalog::built_in(catalog.version());
    Some(built_in.with_definitions([Arc::new(definitions)]))
}

/// Analyzes the rules of a definition. Returns one unit for each schema with rules.
pub(super) fn units<'d>(document: &'d PolicyDocument, analysis: &mut Analysis<'d>) -> Vec<Unit> {
    let expressions = document.expressions().iter().enumerate();
    let compiles = |it: &Expression| document.checked(it).is_some_and(|it| it.answer().is_ok());
    let rules: Vec<Rule<'d>> = expressions
        .filter(|(_, it)| it.parse.is_ok() && compiles(it))
        .filter_map(|(index, it)| Rule::new(document, index, it, analysis))
        .collect();
    let guarantees = Guarantees::new(&rules, analysis);
    let messages = messages(document);
    let mut units: Vec<Unit> = Vec::new();
    let mut places: BySchema<'_, Option<usize>> = HashMap::default();
    for (at, rule) in rules.iter().enumerate() {
        let known = guarantees.for_rule(at, &analysis.terms);
        let sites = SiteCollector::sites(
            analysis,
            rule.index,
            rule.expression,
            &SiteFacts::new(known.clone()),
        );
        let message = messages.get(&rule.expression.owner);
        let failing = message.map(|message| failing_message(*message, rule, &known, analysis));
        let unit = places.entry(rule.schema_location()).or_insert_with(|| {
            units.push(Unit::new(
                vec![case(document, rule)?],
                Vec::new(),
                Vec::new(),
            ));
            Some(units.len() - 1)
        });
        if let Some(unit) = unit.and_then(|at| units.get_mut(at)) {
            unit.sites.push(sites);
            unit.messages.extend(failing);
        }
    }
    if analysis.is_exhausted() {
        return Vec::new();
    }
    units
}

/// Returns the message expressions that can be parsed, with their indexes among the expressions, by
/// their rule.
fn messages(document: &PolicyDocument) -> HashMap<NodeId, (usize, &Expression)> {
    let mut found = HashMap::new();
    for (index, expression) in document.expressions().iter().enumerate() {
        let is_message = matches!(expression.role, Role::CrdMessageExpression { .. });
        if is_message && expression.parse.is_ok() {
            found.entry(expression.owner).or_insert((index, expression));
        }
    }
    found
}

/// Analyzes the message expression of a rule, which is evaluated if the rule is false.
fn failing_message<'d>(
    (index, message): (usize, &'d Expression),
    rule: &Rule<'d>,
    known: &FactSet,
    analysis: &mut Analysis<'d>,
) -> Sites {
    let scope = Scope::new(rule.index, rule.expression);
    let failed = analysis.assume(&scope, rule.expression.ast().root(), false);
    let facts = known.clone().and(&failed).resolved(&analysis.terms);
    let facts = facts.closed(&analysis.terms);
    SiteCollector::sites(analysis, index, message, &SiteFacts::new(facts))
}

/// Returns the case of the kind whose objects contain the values of a rule.
fn case(document: &PolicyDocument, rule: &Rule<'_>) -> Option<Case> {
    let definition = document.crd()?;
    let GroupVersionKind {
        group,
        version,
        kind,
    } = definition.kind_at(rule.version)?;
    Some(Case {
        number: 0,
        first_of_kind: 0,
        operation: Operation::Update,
        kind: Some(MatchedKind {
            group: group.to_string(),
            version: version.to_string(),
            kind: kind.to_string(),
            plural: definition.plural.as_ref()?.text.to_string(),
            subresource: None,
            namespaced: true,
        }),
        namespaced: None,
        selected: Arc::default(),
        at: rule.at.clone(),
    })
}
