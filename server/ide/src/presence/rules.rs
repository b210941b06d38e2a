//! The rules of a CustomResourceDefinition: what `self` and `oldSelf` are sure to have.
//!
//! Each rule runs for itself, on each value of its schema. An object that breaks another rule
//! is rejected anyway, so that what the other rules of the schema and of those around it make
//! sure of counts as known.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go,
//! validateExpressions.

use super::analysis::{Analysis, Scope};
use super::cases::{Case, MatchedKind};
use super::fact_set::{Fact, FactSet};
use super::sites::SiteCollector;
use super::term::{Qualifier, Root, Term, TermId};
use super::{Site, Unit};
use admission::Operation;
use cel::syntax::ExprKind;
use kubernetes::names::GroupVersionKind;
use kubernetes::openapi::{Catalog, Definitions};
use policy::{Expression, PolicyDocument, Role};
use std::sync::Arc;
use text::checkpoint::checkpoint;

/// A rule with its place.
struct Rule<'d> {
    index: usize,
    expression: &'d Expression,
    /// The version, by its place in the list.
    version: usize,
    /// The way from the schema of the version to that of the rule.
    at: Vec<Qualifier>,
    /// Whether it runs only where there is an old value.
    is_transition: bool,
    /// The facts where it is true.
    facts: FactSet,
}

/// The kinds of a definition as its rules see them. `None` where it cannot be read.
pub(super) fn catalog(document: &PolicyDocument, catalog: &Catalog) -> Option<Catalog> {
    let definitions = Definitions::of_rules(document.root())?;
    let built_in = Catalog::built_in(catalog.version());
    Some(built_in.with_definitions([Arc::new(definitions)]))
}

/// Goes through the rules of a definition. One unit for each schema that has rules.
pub(super) fn units<'d>(document: &'d PolicyDocument, analysis: &mut Analysis<'d>) -> Vec<Unit> {
    let expressions = document.expressions().iter().enumerate();
    let compiles = |it: &Expression| document.checked(it).is_some_and(|it| it.answer().is_ok());
    let rules: Vec<Rule<'d>> = expressions
        .filter(|(_, it)| it.parse.is_ok() && compiles(it))
        .filter_map(|(index, it)| Rule::new(document, index, it, analysis))
        .collect();
    let mut units: Vec<(usize, &[Qualifier], Unit)> = Vec::new();
    for rule in &rules {
        let facts = known(rule, &rules, analysis);
        let mut sites: Vec<Site> = Vec::new();
        SiteCollector::new(analysis, &mut sites).expression(rule.index, rule.expression, facts);
        let failing = failing_message(document, rule, known(rule, &rules, analysis), analysis);
        let own = units
            .iter_mut()
            .find(|(version, at, _)| (*version, *at) == (rule.version, &rule.at));
        if let Some((.., unit)) = own {
            unit.sites.extend(sites);
            unit.messages.extend(failing);
        } else if let Some(case) = case(document, rule) {
            let unit = Unit {
                cases: vec![case],
                sites,
                messages: failing,
            };
            units.push((rule.version, &rule.at, unit));
        }
    }
    if analysis.is_exhausted() {
        return Vec::new();
    }
    units.into_iter().map(|(.., unit)| unit).collect()
}

impl<'d> Rule<'d> {
    fn new(
        document: &PolicyDocument,
        index: usize,
        expression: &'d Expression,
        analysis: &mut Analysis<'d>,
    ) -> Option<Self> {
        let Role::CrdRule {
            optional_old_self, ..
        } = expression.role
        else {
            return None;
        };
        // spec.versions[0].schema.openAPIV3Schema
        let steps = expression.path.steps();
        let steps = steps.get(document.base().steps().len()..)?;
        let [_, _, policy::FieldStep::Index(version), _, _, rest @ ..] = steps else {
            return None;
        };
        let ast = expression.ast();
        let is_old = |kind: &ExprKind| matches!(kind, ExprKind::Ident { name, .. } if ast.name(*name) == "oldSelf");
        let scope = Scope::new(index, expression);
        Some(Self {
            index,
            expression,
            version: *version,
            at: at(rest)?,
            is_transition: !optional_old_self && ast.ids().any(|id| is_old(ast.kind(id))),
            facts: analysis.assume(&scope, ast.root(), true),
        })
    }
}

/// Goes through the message expression of a rule, which is evaluated where the rule is false.
fn failing_message<'d>(
    document: &'d PolicyDocument,
    rule: &Rule<'d>,
    known: FactSet,
    analysis: &mut Analysis<'d>,
) -> Vec<Site> {
    let mut sites = Vec::new();
    let mut all = document.expressions().iter().enumerate();
    let message = all.find(|(_, it)| {
        let is_own = it.owner == rule.expression.owner && it.parse.is_ok();
        is_own && matches!(it.role, Role::CrdMessageExpression { .. })
    });
    if let Some((index, message)) = message {
        let scope = Scope::new(rule.index, rule.expression);
        let failed = analysis.assume(&scope, rule.expression.ast().root(), false);
        let facts = known.and(&failed).resolved(&analysis.terms);
        let facts = facts.closed(&analysis.terms);
        SiteCollector::new(analysis, &mut sites).expression(index, message, facts);
    }
    sites
}

/// The way that the path of a rule goes through schemas.
fn at(steps: &[policy::FieldStep]) -> Option<Vec<Qualifier>> {
    let mut at = Vec::new();
    let mut steps = steps.iter();
    while let Some(policy::FieldStep::Field(field)) = steps.next() {
        at.push(match field.as_ref() {
            "properties" => match steps.next()? {
                policy::FieldStep::Key(name) | policy::FieldStep::Field(name) => {
                    Qualifier::Field(name.as_ref().into())
                }
                policy::FieldStep::Index(_) => return None,
            },
            "items" | "additionalProperties" => Qualifier::Element,
            "x-kubernetes-validations" => return Some(at),
            _ => return None,
        });
    }
    None
}

/// Returns the facts that the other rules guarantee where a rule runs.
fn known(rule: &Rule<'_>, rules: &[Rule<'_>], analysis: &mut Analysis<'_>) -> FactSet {
    let mut facts = FactSet::default();
    for other in rules {
        checkpoint();
        let is_other = other.index != rule.index && other.version == rule.version;
        let runs = !other.is_transition || rule.is_transition;
        let Some(inside) = rule.at.strip_prefix(other.at.as_slice()) else {
            continue;
        };
        if is_other && runs && inside.is_empty() {
            facts = facts.and(&other.facts);
        } else if is_other && runs {
            facts = facts.and(&said_of(&other.facts, inside, analysis));
        }
    }
    facts.resolved(&analysis.terms)
}

/// Returns the facts about a nested value that follow from those about the value of an outer
/// schema.
fn said_of(outer: &FactSet, inside: &[Qualifier], analysis: &mut Analysis<'_>) -> FactSet {
    let mut facts = outer.clone();
    for root in [Root::This, Root::OldSelf] {
        let (from, to) = (path(root, inside, analysis), analysis.terms.root(root));
        facts = facts.about(from, to, &mut analysis.terms);
    }
    let is_new = |fact: &&Fact| !outer.iter().any(|other| other == *fact);
    let mut said = FactSet::default();
    for fact in facts.iter().filter(is_new) {
        said.add(fact.clone());
    }
    said
}

fn path(root: Root, inside: &[Qualifier], analysis: &mut Analysis<'_>) -> TermId {
    let terms = &mut analysis.terms;
    let root = terms.root(root);
    inside.iter().fold(root, |of, step| match step {
        Qualifier::Field(name) => terms.field(of, name),
        Qualifier::Element => terms.add(Term::Each(of)),
    })
}

/// The kind whose objects hold the values of a rule.
fn case(document: &PolicyDocument, rule: &Rule<'_>) -> Option<Case> {
    let definition = document.definition()?;
    let GroupVersionKind {
        group,
        version,
        kind,
    } = definition.kind_at(rule.version)?;
    Some(Case {
        number: 0,
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
        at: rule.at.clone(),
    })
}
