//! Presence analysis: the values that are present when an expression is evaluated.
//!
//! The type checker does not model missing fields, and at admission a missing field is an error.
//! The analysis follows the order of the API server (match conditions, variables where they are
//! used, validations) and computes the facts that earlier conditions guarantee at each site that
//! can fail. Rules report fields that may be missing there. If a condition is not understood,
//! nothing is reported.

mod always_present;
mod analysis;
mod cases;
mod condition;
mod crd_rule;
mod fact_set;
mod fallback;
mod guarantees;
mod known_sites;
mod loops;
mod patch;
mod rules;
mod schema;
mod sites;
mod term;
mod unit;

pub(crate) use cases::{Case, MatchedKind};
pub(crate) use fact_set::{Fact, FactSet};
pub(crate) use patch::{Patch, Pointer, Token};
pub(crate) use schema::{FieldState, FieldType, Format};
pub(crate) use sites::{Site, SiteKind};
pub(crate) use term::{Constant, Root, Term, TermId};

use analysis::Analysis;
use known_sites::KnownSites;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Schema};
use policy::{Kind, PolicyDocument};
use std::sync::Arc;
use term::Terms;
use unit::Unit;

/// The analysis of a document.
#[derive(Debug)]
pub(crate) struct Presence {
    catalog: Arc<Catalog>,
    terms: Terms,
    units: Vec<Unit>,
    /// The rules of a CustomResourceDefinition.
    rules: Vec<Unit>,
    params: Option<(String, String, String)>,
    operation: TermId,
    roots: [TermId; 2],
    sub_resource: TermId,
    /// The values by the number of the case.
    values: Vec<CaseValues>,
    /// The schema facts by case and value, which several rules use.
    cache: schema::SchemaCache,
    /// By unit.
    known: Vec<KnownSites>,
    /// The number of terms in the first version.
    first_terms: usize,
}

/// Limit: the growth of the terms, as a multiple of their number in the first version. Versions
/// only add terms; beyond this, the analysis starts from scratch.
const MAX_GROWTH: usize = 4;

/// The values in the requests of a case by which conditions distinguish cases.
#[derive(Debug)]
struct CaseValues {
    /// The paths of the operation and of the subresource, with their values.
    request: Vec<(TermId, TermId)>,
    /// The paths that contain the kind, with their values.
    kind: Vec<(TermId, TermId)>,
}

/// A site that can fail, with its document and unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteContext<'f> {
    presence: &'f Presence,
    unit: &'f Unit,
    /// The site.
    pub(crate) site: &'f Site,
}

impl Presence {
    /// Analyzes a document for servers with these kinds. `before` is the analysis of an earlier
    /// version; its results are reused where their inputs are unchanged.
    pub(crate) fn new(
        document: &PolicyDocument,
        catalog: Arc<Catalog>,
        before: Option<Self>,
    ) -> Self {
        let mut analysis = Analysis::new(document);
        let of_rules = match document.kind() {
            Kind::CustomResourceDefinition if !document.expressions().is_empty() => {
                rules::catalog(document, &catalog)
            }
            _ => None,
        };
        let cases = unit::cases(document, &catalog);
        // The kinds of a definition change with it.
        let before = before
            .filter(|it| of_rules.is_none() && it.is_reusable_for(&catalog, document, &cases));
        let mut presence = before.unwrap_or_else(|| Self::empty(document, catalog));
        analysis.terms = std::mem::take(&mut presence.terms);
        if let Some(catalog) = of_rules {
            presence.rules = rules::units(document, &mut analysis);
            presence.catalog = Arc::new(catalog);
        }
        presence.units = unit::units(document, cases, &mut analysis, &mut presence.known);
        presence.terms = analysis.terms;
        presence.add_values();
        presence
    }

    fn empty(document: &PolicyDocument, catalog: Arc<Catalog>) -> Self {
        let mut terms = Terms::with_space();
        Self {
            catalog,
            params: params(document),
            operation: terms.path(Root::Request, &["operation"]),
            roots: [Root::Object, Root::OldObject].map(|root| terms.root(root)),
            sub_resource: terms.path(Root::Request, &["subResource"]),
            values: Vec::new(),
            cache: schema::SchemaCache::default(),
            terms,
            known: Vec::new(),
            units: Vec::new(),
            rules: Vec::new(),
            first_terms: 0,
        }
    }

    /// Returns whether a later version of the document can use its results: it has no rules of a
    /// CustomResourceDefinition.
    pub(crate) fn is_reusable(&self) -> bool {
        self.rules.is_empty()
    }

    fn is_reusable_for(
        &self,
        catalog: &Arc<Catalog>,
        document: &PolicyDocument,
        cases: &[Vec<Case>],
    ) -> bool {
        let known = self.units.iter().map(|unit| &unit.cases);
        self.is_reusable()
            && Arc::ptr_eq(&self.catalog, catalog)
            && self.params == params(document)
            && known.eq(cases)
            && self.terms.len() <= self.first_terms * MAX_GROWTH
    }

    /// Adds the values of the cases in the first version. Later ones have the same.
    fn add_values(&mut self) {
        if self.first_terms != 0 {
            return;
        }
        let paths = [self.operation, self.sub_resource];
        let mut first = self.units.iter().map(|unit| unit.cases.len()).sum();
        for unit in &mut self.rules {
            cases::number(&mut unit.cases, first);
            first += unit.cases.len();
        }
        for unit in self.units.iter().chain(&self.rules) {
            let cases = unit.cases.iter();
            let values = cases.map(|case| CaseValues::new(case, paths, &mut self.terms));
            self.values.extend(values);
        }
        self.first_terms = self.terms.len();
    }

    /// Returns the sites in message expressions that can fail.
    pub(crate) fn messages(&self) -> impl Iterator<Item = SiteContext<'_>> {
        self.units.iter().chain(&self.rules).flat_map(move |unit| {
            unit.messages().map(move |site| SiteContext {
                presence: self,
                unit,
                site,
            })
        })
    }

    /// Returns the sites that can fail, in order of evaluation.
    pub(crate) fn failure_sites(&self) -> impl Iterator<Item = SiteContext<'_>> {
        self.sites(&self.units)
    }

    /// Returns the sites in the rules of a CustomResourceDefinition, whose values are typed.
    pub(crate) fn rule_failure_sites(&self) -> impl Iterator<Item = SiteContext<'_>> {
        self.sites(&self.rules)
    }

    fn sites<'f>(&'f self, units: &'f [Unit]) -> impl Iterator<Item = SiteContext<'f>> {
        units.iter().flat_map(move |unit| {
            unit.sites().map(move |site| SiteContext {
                presence: self,
                unit,
                site,
            })
        })
    }
}

impl<'f> SiteContext<'f> {
    /// Returns the cases that may reach the site.
    pub(crate) fn cases(self) -> impl Iterator<Item = &'f Case> {
        let cases = self.unit.cases.iter();
        cases.filter(move |case| self.is_possible(case))
    }

    /// Returns all cases of the policy.
    pub(crate) fn all_cases(self) -> &'f [Case] {
        &self.unit.cases
    }

    /// Returns whether a case may reach the site.
    pub(crate) fn is_possible(self, case: &Case) -> bool {
        let facts = &self.site.facts;
        if facts.is_empty() {
            return true;
        }
        let possible = facts.possible(|facts| {
            let cases = self.unit.cases.iter();
            let possible = cases.map(|case| self.presence.is_possible(case, facts, self.unit));
            possible.collect()
        });
        let first = self.unit.cases.first().map_or(0, |first| first.number);
        let place = case.number.checked_sub(first);
        place.and_then(|place| possible.get(place)) == Some(&true)
    }

    pub(crate) fn term(self, id: TermId) -> &'f Term {
        self.presence.terms.get(id)
    }

    /// Returns the value that contains a value.
    pub(crate) fn parent(self, id: TermId) -> Option<TermId> {
        self.presence.terms.parent(id)
    }

    pub(crate) fn root_of(self, id: TermId) -> Option<Root> {
        self.presence.terms.root_of(id)
    }

    /// Returns the root and the fields of a path that consists only of fields.
    pub(crate) fn fields(self, id: TermId) -> Option<(Root, Vec<&'f str>)> {
        self.presence.terms.fields(id)
    }

    /// Returns whether the value is known to be present.
    pub(crate) fn is_present(self, id: TermId) -> bool {
        self.site.facts.is_present(id, &self.presence.terms)
    }

    /// Returns whether the value is known not to be null.
    pub(crate) fn is_not_null(self, id: TermId) -> bool {
        self.site.facts.is_not_null(id, &self.presence.terms)
    }

    /// Returns whether a condition checks the type of the value.
    pub(crate) fn has_type(self, id: TermId) -> bool {
        self.site.facts.has_type(id, &self.presence.terms)
    }

    /// Returns whether a condition uses the operation in a way that is not understood.
    pub(crate) fn is_operation_vague(self) -> bool {
        let facts = &self.site.facts;
        facts.is_vague(self.presence.operation)
            || self.presence.roots.iter().any(|it| facts.is_vague(*it))
    }

    /// Returns whether the value is known to be absent.
    pub(crate) fn is_absent(self, id: TermId) -> bool {
        let mut facts = self.site.facts.iter();
        facts.any(|fact| *fact == Fact::Absent(id))
    }

    /// Returns the state of a value in the object of a case.
    pub(crate) fn state(self, case: &Case, id: TermId) -> FieldState {
        self.presence.known_state(case, id)
    }

    /// Returns the schema of a value in a case.
    pub(crate) fn schema(self, case: &Case, id: TermId) -> Option<Schema<'f>> {
        self.presence.schema(case, id)
    }

    /// Returns the type of a value in a case.
    pub(crate) fn field_type(self, case: &Case, id: TermId) -> Option<FieldType> {
        self.presence.field_type(case, id)
    }
}

impl Presence {
    /// Returns whether a case is possible with these facts.
    fn is_possible(&self, case: &Case, facts: &FactSet, unit: &Unit) -> bool {
        let Some(values) = self.values.get(case.number) else {
            return true;
        };
        for (term, root) in self.roots.iter().zip([Root::Object, Root::OldObject]) {
            if facts.null(*term).is_some_and(|null| null == case.has(root)) {
                return false;
            }
        }
        facts.iter().all(|fact| match fact {
            Fact::OneOf(term, all) => values
                .value_at(*term)
                .is_none_or(|value| all.contains(&value)),
            Fact::NoneOf(term, none) => values
                .value_at(*term)
                .is_none_or(|value| !none.contains(&value)),
            Fact::Vague(term) => !unit.has_kinds || !values.is_of_kind(*term),
            Fact::Present(term) => case.kind.is_none() || self.can_have(case, *term),
            Fact::Absent(term) => case.kind.is_none() || self.can_lack(case, *term),
            Fact::Null(_) | Fact::NotNull(_) | Fact::Type(..) | Fact::Either(..) => true,
        })
    }

    /// Returns whether objects of a case may have a value.
    fn can_have(&self, case: &Case, term: TermId) -> bool {
        let has_subresource = case
            .kind
            .as_ref()
            .is_some_and(|it| it.subresource.is_some());
        (has_subresource || !self.terms.covers(term, self.sub_resource))
            && self.known_state(case, term) != FieldState::Undefined
    }

    /// Returns whether objects of a case may lack a value.
    fn can_lack(&self, case: &Case, term: TermId) -> bool {
        let has_subresource = case
            .kind
            .as_ref()
            .is_some_and(|it| it.subresource.is_some());
        !(has_subresource && term == self.sub_resource)
            && (self.is_null(case, term) || self.known_state(case, term) != FieldState::Required)
    }

    /// Returns whether the path of a value begins with an object that is null in a case.
    fn is_null(&self, case: &Case, id: TermId) -> bool {
        let root = self.terms.root_of(id);
        root.is_some_and(|root| !case.has(root))
    }
}

impl CaseValues {
    fn new(case: &Case, paths: [TermId; 2], terms: &mut Terms) -> Self {
        let kind = case.kind.as_ref();
        let subresource = kind.and_then(|kind| kind.subresource.as_ref());
        let values = [
            Some(case.operation.as_str()),
            subresource.map(String::as_str),
        ];
        let values = paths.into_iter().zip(values);
        Self {
            request: values
                .filter_map(|(path, value)| Some((path, terms.text(value?))))
                .collect(),
            kind: kind.map_or_else(Vec::new, |kind| kind_values(kind, terms)),
        }
    }

    /// Returns the value at a path. `None` if it is not one of these paths, or can be any value.
    fn value_at(&self, path: TermId) -> Option<TermId> {
        let mut values = self.request.iter().chain(&self.kind);
        values
            .find(|(known, _)| *known == path)
            .map(|(_, value)| *value)
    }

    /// Returns whether a path contains the kind.
    fn is_of_kind(&self, path: TermId) -> bool {
        self.kind.iter().any(|(known, _)| *known == path)
    }
}

/// Returns the paths that contain the kind of the object, such as `request.kind.kind`, with their
/// values.
fn kind_values(kind: &MatchedKind, terms: &mut Terms) -> Vec<(TermId, TermId)> {
    let api_version = match kind.group.as_str() {
        "" => kind.version.clone(),
        group => format!("{group}/{}", kind.version),
    };
    let values: [(Root, &[&str], &str); 8] = [
        (Root::Object, &["kind"], &kind.kind),
        (Root::OldObject, &["kind"], &kind.kind),
        (Root::Object, &["apiVersion"], &api_version),
        (Root::OldObject, &["apiVersion"], &api_version),
        (Root::Request, &["kind", "kind"], &kind.kind),
        (Root::Request, &["kind", "group"], &kind.group),
        (Root::Request, &["kind", "version"], &kind.version),
        (Root::Request, &["resource", "resource"], &kind.plural),
    ];
    let values = values
        .into_iter()
        .map(|(root, fields, value)| (terms.path(root, fields), terms.text(value)));
    values.collect()
}

/// Returns the group, version and kind of `spec.paramKind`.
fn params(document: &PolicyDocument) -> Option<(String, String, String)> {
    let kind = document.policy()?.param_kind.as_ref()?;
    let GroupVersion { group, version } = kind.group_version();
    Some((group.to_owned(), version.to_owned(), kind.kind().to_owned()))
}

#[cfg(test)]
mod tests;
