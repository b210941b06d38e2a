//! Facts that the other rules of a CustomResourceDefinition guarantee when a rule runs.
//!
//! An object that violates another rule is rejected anyway, so the guarantees of the other rules of
//! the schema and of outer schemas are known facts. A definition may have thousands of rules, so a
//! rule uses only the facts that share a field with it, directly or through an alternative.

use super::analysis::Analysis;
use super::crd_rule::{BySchema, Rule, SchemaLocation};
use super::fact_set::{Fact, FactSet, MAX_FACTS};
use super::term::{Qualifier, Root, Term, TermId, Terms};
use cel::syntax::{Ast, ExprKind, Literal};
use foldhash::fast::RandomState;
use kubernetes::names::unescape;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use text::checkpoint::checkpoint;

/// The facts that the rules of a definition guarantee.
pub(super) struct Guarantees<'r, 'd> {
    rules: &'r [Rule<'d>],
    schemas: BySchema<'r, Guaranteed>,
}

/// The facts that rules guarantee about the values of a schema.
#[derive(Default)]
struct Guaranteed {
    /// The facts with the indexes of their rules, in the order of the rules.
    facts: Vec<(usize, Fact)>,
    /// The facts about a field of the value.
    by_field: HashMap<Arc<str>, Vec<usize>, RandomState>,
    /// The facts about the value itself or about its elements.
    others: Vec<usize>,
    /// Rules of the schema itself that are never true; two of each kind, as defined by
    /// [`Rule::is_transition`], are enough.
    impossible: [Vec<usize>; 2],
}

impl<'r, 'd> Guarantees<'r, 'd> {
    pub(super) fn new(rules: &'r [Rule<'d>], analysis: &mut Analysis<'_>) -> Self {
        let mut own: BySchema<'r, Guaranteed> = HashMap::default();
        for (index, rule) in rules.iter().enumerate() {
            let schema = own.entry(rule.schema_location()).or_default();
            for fact in rule.facts.iter() {
                schema.add(index, fact.clone(), &analysis.terms);
            }
            let [always, transitions] = &mut schema.impossible;
            let impossible = if rule.is_transition {
                transitions
            } else {
                always
            };
            if rule.facts.is_impossible() && impossible.len() < 2 {
                impossible.push(index);
            }
        }
        let mut all: BySchema<'r, _> = HashMap::default();
        for rule in rules {
            let place = rule.schema_location();
            all.entry(place)
                .or_insert_with(|| said_of(&own, place, analysis));
        }
        for (place, facts) in all {
            own.entry(place).or_default().extend(facts, &analysis.terms);
        }
        Self {
            rules,
            schemas: own,
        }
    }

    /// Returns the facts that the other rules guarantee when a rule runs.
    pub(super) fn for_rule(&self, index: usize, terms: &Terms) -> FactSet {
        let mut facts = FactSet::default();
        let Some(rule) = self.rules.get(index) else {
            return facts;
        };
        let Some(schema) = self.schemas.get(&rule.schema_location()) else {
            return facts;
        };
        let runs = |other: usize| {
            let other_runs = |other: &Rule<'_>| !other.is_transition || rule.is_transition;
            other != index && self.rules.get(other).is_some_and(other_runs)
        };
        if schema.impossible.iter().flatten().any(|it| runs(*it)) {
            facts = FactSet::impossible();
        }
        let names = names(rule.expression.ast());
        for fact in schema.relevant(names, runs, terms) {
            facts.add(fact.clone());
        }
        facts.resolved(terms)
    }
}

impl Guaranteed {
    fn add(&mut self, rule: usize, fact: Fact, terms: &Terms) {
        let fields = Fields::from_fact(&fact, terms);
        let at = self.facts.len();
        if fields.names.is_empty() {
            if !fields.is_of_value {
                // A fact about constants does not describe the value.
                return;
            }
            self.others.push(at);
        }
        for name in fields.names {
            let about = self.by_field.entry(Arc::clone(name)).or_default();
            if about.last() != Some(&at) {
                about.push(at);
            }
        }
        self.facts.push((rule, fact));
    }

    /// Adds facts and sorts all in the order of the rules.
    fn extend(&mut self, facts: Vec<(usize, Fact)>, terms: &Terms) {
        if facts.is_empty() {
            return;
        }
        let mut all = std::mem::take(&mut self.facts);
        all.extend(facts);
        all.sort_by_cached_key(|(rule, _)| *rule);
        self.by_field.clear();
        self.others.clear();
        for (rule, fact) in all {
            self.add(rule, fact, terms);
        }
    }

    /// Returns the facts of the rules that run about fields with these names, and the facts that
    /// share a field with them, up to the limit.
    fn relevant<'n>(
        &'n self,
        names: Vec<Cow<'n, str>>,
        runs: impl Fn(usize) -> bool,
        terms: &'n Terms,
    ) -> impl Iterator<Item = &'n Fact> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut known: HashSet<Cow<'n, str>, RandomState> = HashSet::default();
        let mut waiting = names;
        let mut about = self.others.as_slice();
        loop {
            for at in about {
                checkpoint();
                if found.len() == MAX_FACTS {
                    break;
                }
                if let Some((rule, fact)) = self.facts.get(*at)
                    && runs(*rule)
                    && found.insert(*at)
                {
                    let names = Fields::from_fact(fact, terms).names.into_iter();
                    waiting.extend(names.map(|name| Cow::Borrowed(&**name)));
                }
            }
            let Some(name) = waiting.pop() else { break };
            about = self.by_field.get(&*name).map_or(&[], Vec::as_slice);
            if about.is_empty() || !known.insert(name) {
                about = &[];
            }
        }
        let found = found.into_iter().filter_map(|at| self.facts.get(at));
        found.map(|(_, fact)| fact)
    }
}

/// Returns the facts about the values of a schema that follow from the rules of outer schemas.
fn said_of(
    own: &BySchema<'_, Guaranteed>,
    (version, at): SchemaLocation<'_>,
    analysis: &mut Analysis<'_>,
) -> Vec<(usize, Fact)> {
    let mut derived = Vec::new();
    for length in 0..at.len() {
        let Some((outer, inside)) = at.split_at_checked(length) else {
            continue;
        };
        let (Some(schema), Some(first)) = (own.get(&(version, outer)), inside.first()) else {
            continue;
        };
        let about = match first {
            Qualifier::Field(name) => schema.by_field.get(name).map(Vec::as_slice),
            Qualifier::Element => None,
        };
        let mut about: Vec<usize> = about.unwrap_or_default().to_vec();
        about.extend(&schema.others);
        about.sort_unstable();
        let facts: Vec<_> = about
            .iter()
            .filter_map(|at| schema.facts.get(*at))
            .collect();
        for facts in facts.chunk_by(|one, other| one.0 == other.0) {
            let mut of_rule = FactSet::default();
            facts.iter().for_each(|(_, fact)| of_rule.add(fact.clone()));
            let rule = facts.first().map_or(0, |(rule, _)| *rule);
            let new = inner_facts(&of_rule, inside, analysis);
            derived.extend(new.into_iter().map(|fact| (rule, fact)));
        }
    }
    derived
}

/// Returns the facts about a nested value that follow from facts about the value of an outer
/// schema.
fn inner_facts(outer: &FactSet, inside: &[Qualifier], analysis: &mut Analysis<'_>) -> Vec<Fact> {
    let mut facts = outer.clone();
    for root in [Root::This, Root::OldSelf] {
        let (from, to) = (path(root, inside, analysis), analysis.terms.root(root));
        facts = facts.about(from, to, &mut analysis.terms);
    }
    let is_new = |fact: &&Fact| !outer.iter().any(|other| other == *fact);
    facts.iter().filter(is_new).cloned().collect()
}

fn path(root: Root, inside: &[Qualifier], analysis: &mut Analysis<'_>) -> TermId {
    let terms = &mut analysis.terms;
    let root = terms.root(root);
    inside.iter().fold(root, |of, step| match step {
        Qualifier::Field(name) => terms.field(of, name),
        Qualifier::Element => terms.add(Term::Each(of)),
    })
}

/// Returns the possible fields of `self` in an expression, by name.
fn names(ast: &Ast) -> Vec<Cow<'_, str>> {
    let names = ast.ids().filter_map(|id| match ast.kind(id) {
        ExprKind::Select { field, .. } => {
            let name = ast.name(*field);
            Some(unescape(name).unwrap_or(Cow::Borrowed(name)))
        }
        ExprKind::Literal(Literal::String(text)) => Some(Cow::Borrowed(&**text)),
        _ => None,
    });
    names.collect()
}

/// The fields that a fact is about.
#[derive(Default)]
struct Fields<'t> {
    /// The fields of `self` and `oldSelf`.
    names: Vec<&'t Arc<str>>,
    /// Whether it is about `self` or `oldSelf` itself, or about elements.
    is_of_value: bool,
}

impl<'t> Fields<'t> {
    fn from_fact(fact: &Fact, terms: &'t Terms) -> Self {
        let mut found = Self::default();
        found.add(fact, terms);
        found
    }

    fn add(&mut self, fact: &Fact, terms: &'t Terms) {
        match fact {
            Fact::Present(term)
            | Fact::Absent(term)
            | Fact::Null(term)
            | Fact::NotNull(term)
            | Fact::OneOf(term, _)
            | Fact::NoneOf(term, _)
            | Fact::Type(term, _)
            | Fact::Vague(term) => self.add_term(*term, terms),
            Fact::Either(one, other) => {
                let facts = one.iter().chain(other.iter());
                facts.for_each(|fact| self.add(fact, terms));
            }
        }
    }

    fn add_term(&mut self, term: TermId, terms: &'t Terms) {
        let is_root = |term: TermId| matches!(terms.get(term), Term::Root(_));
        match terms.get(term) {
            Term::Field(of, name) if is_root(*of) => self.names.push(name),
            Term::Root(_) => self.is_of_value = true,
            Term::Index(of, key) => {
                self.add_term(*of, terms);
                self.add_term(*key, terms);
            }
            Term::Field(of, _)
            | Term::Item(of, _)
            | Term::Position(of, _)
            | Term::Value(of, _)
            | Term::Each(of) => self.add_term(*of, terms),
            Term::Call(_, parts) => parts.iter().for_each(|part| self.add_term(*part, terms)),
            Term::Constant(_) | Term::Unique(_) => {}
        }
    }
}
