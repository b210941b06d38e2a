//! The kinds that the rules of a policy or a webhook match.
//!
//! Kubernetes' type checker uses a RESTMapper, which is more lenient than admission: it accepts
//! a singular for a plural, uppercase for lowercase letters, and the core group for any group.
//! It does not resolve wildcards and stops after ten. Those kinds come first here, exactly as
//! it finds them; the others that admission matches follow.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/typechecking.go,
//! typesToCheck; kubernetes/apimachinery, pkg/api/meta/restmapper.go, KindsFor.

use crate::kind::Kind;
use crate::manifest::{Rule, StringField, has_wildcard};
use kubernetes::names::GroupVersionKind;
use kubernetes::openapi::{Catalog, Resource};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

/// Limit: kinds of a rule that the type checker of Kubernetes checks. kubernetes/apiserver,
/// pkg/admission/plugin/policy/validating/typechecking.go, maxTypesToCheck.
const MAX_IN_STATUS: usize = 10;

/// Limit: kinds of a document that are checked. Wildcards can match all kinds of a server.
const MAX_KINDS: usize = 40;

/// A kind that rules match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedKind {
    /// The kind.
    pub name: GroupVersionKind,
    /// The resource, such as `deployments`.
    pub resource: Arc<str>,
    /// The subresource whose kind this is, such as `scale`. `None` for the resource itself.
    pub subresource: Option<Arc<str>>,
    /// Whether Kubernetes type-checks validations for it and shows the result in the status of the
    /// policy.
    pub in_status: bool,
    /// Whether a rule names the resource instead of matching it by a wildcard.
    pub is_named: bool,
    /// Whether requests for it reach the policy: the server serves it, and the rules match it as
    /// written.
    pub is_admitted: bool,
    /// Its index in the list.
    pub(super) index: usize,
}

/// The kinds of some rules.
#[derive(Debug, Default)]
pub(super) struct Matched {
    /// Those of Kubernetes' checker first.
    pub(super) kinds: Vec<MatchedKind>,
    /// Whether there are more than [`MAX_KINDS`].
    pub(super) is_cut: bool,
}

impl Matched {
    /// Returns the kinds of several lists of rules, each once.
    pub(super) fn join(each: Vec<Self>) -> Self {
        let mut joined = Self {
            is_cut: each.iter().any(|found| found.is_cut),
            ..Self::default()
        };
        for kind in each.into_iter().flat_map(|found| found.kinds) {
            match joined.kinds.iter_mut().find(|it| it.name == kind.name) {
                Some(known) => known.is_named |= kind.is_named,
                None => joined.kinds.push(kind),
            }
        }
        joined.is_cut |= joined.kinds.len() > MAX_KINDS;
        joined.kinds.truncate(MAX_KINDS);
        joined.number();
        joined
    }

    fn number(&mut self) {
        for (index, kind) in self.kinds.iter_mut().enumerate() {
            kind.index = index;
        }
    }
}

/// Returns whether a rule excludes every resource that it names.
fn is_total(rule: &Rule) -> bool {
    has_wildcard(&rule.operations) && rule.names.is_empty()
}

/// Returns the kinds that `rules` match and `excluded` does not exclude. `in_status` is whether
/// Kubernetes type-checks such a document.
pub(super) fn matched(
    catalog: &Catalog,
    rules: &[Rule],
    excluded: &[Rule],
    in_status: bool,
) -> Matched {
    let mut finder = Finder {
        catalog,
        excluded,
        found: BTreeMap::new(),
    };
    for rule in rules {
        finder.add_rule(rule);
    }
    let mut status = BTreeMap::new();
    if in_status {
        for found in status_kinds(catalog, rules) {
            status.insert(found.name.clone(), found);
        }
    }
    // A kind that both the checker and admission match gets the facts of both.
    let mut kinds: Vec<MatchedKind> = Vec::new();
    for (name, found) in status {
        let admitted = finder.found.remove(&name);
        kinds.push(MatchedKind {
            is_named: true,
            is_admitted: admitted.is_some(),
            ..found
        });
    }
    let (named, others): (Vec<_>, Vec<_>) =
        finder.found.into_values().partition(|found| found.is_named);
    kinds.extend(named);
    kinds.extend(others);
    let limit = MAX_KINDS.max(kinds.iter().filter(|kind| kind.in_status).count());
    let is_cut = kinds.len() > limit;
    kinds.truncate(limit);
    let mut matched = Matched { kinds, is_cut };
    matched.number();
    matched
}

/// Returns the kinds that Kubernetes' checker finds.
fn status_kinds(catalog: &Catalog, rules: &[Rule]) -> Vec<MatchedKind> {
    let names = Names::new(catalog);
    let mut found = Vec::new();
    for rule in rules {
        let is_wild = |list: &[StringField]| list.iter().any(|entry| entry.text.contains('*'));
        if is_wild(&rule.groups) || is_wild(&rule.versions) {
            continue;
        }
        let mut count = 0;
        for group in sorted(&rule.groups) {
            for version in sorted(&rule.versions) {
                let resources = sorted(&rule.resources).into_iter();
                for resource in resources.filter(|it| !it.contains(['*', '/'])) {
                    for kind in names.kinds_for(group, version, resource) {
                        found.push(kind.matched());
                        count += 1;
                        if count == MAX_IN_STATUS {
                            return found;
                        }
                    }
                }
            }
        }
    }
    found
}

fn sorted(list: &[StringField]) -> Vec<&str> {
    let mut list: Vec<&str> = list.iter().map(|word| &*word.text).collect();
    list.sort_unstable();
    list
}

/// Collects the kinds that admission matches.
struct Finder<'c, 'd> {
    catalog: &'c Catalog,
    excluded: &'d [Rule],
    found: BTreeMap<GroupVersionKind, MatchedKind>,
}

impl Finder<'_, '_> {
    fn add_rule(&mut self, rule: &Rule) {
        for pattern in rule.patterns() {
            let (resource, subresource) = (pattern.resource, pattern.subresource());
            let is_open = has_wildcard(&rule.groups) || has_wildcard(&rule.versions);
            if resource != "*" && !is_open {
                for group in &rule.groups {
                    for version in &rule.versions {
                        let found = self.catalog.resource(&group.text, &version.text, resource);
                        self.add_resource(rule, found, subresource, true);
                    }
                }
                continue;
            }
            let all: Vec<Resource<'_>> = self
                .catalog
                .resources()
                .filter(|it| rule.has_version(it.group, it.version))
                .filter(|it| resource == "*" || it.plural == resource)
                .filter(|it| it.served_by_default)
                .collect();
            for found in all {
                self.add_resource(rule, Some(found), subresource, resource != "*");
            }
        }
    }

    fn add_resource(
        &mut self,
        rule: &Rule,
        found: Option<Resource<'_>>,
        subresource: &str,
        is_named: bool,
    ) {
        let Some(found) = found.filter(|found| !is_of_admission(found)) else {
            return;
        };
        let is_used = is_named || rule.operations.iter().any(|it| can(&found, &it.text));
        if is_used && matches!(subresource, "" | "*") {
            let name = GroupVersionKind::new(found.group, found.version, found.kind);
            self.add(&found, name, None, is_named);
        }
        for below in found.subresources.iter() {
            if subresource == "*" || subresource == below.name {
                let name = GroupVersionKind::new(below.group, below.version, below.kind);
                self.add(
                    &found,
                    name,
                    Some(below.name),
                    is_named && subresource != "*",
                );
            }
        }
    }

    fn add(
        &mut self,
        of: &Resource<'_>,
        name: GroupVersionKind,
        subresource: Option<&str>,
        is_named: bool,
    ) {
        let path = subresource.unwrap_or("");
        let is_excluded = |rule: &Rule| {
            is_total(rule)
                && rule.has_version(of.group, of.version)
                && rule.has_resource(of.plural, path)
        };
        if self.excluded.iter().any(is_excluded) {
            return;
        }
        let found = self.found.entry(name.clone());
        let found = found.or_insert_with(|| MatchedKind {
            name,
            resource: of.plural.into(),
            subresource: subresource.map(Into::into),
            in_status: false,
            is_named,
            is_admitted: true,
            index: 0,
        });
        found.is_named |= is_named;
        if subresource.is_none() {
            found.subresource = None;
        }
    }
}

/// Returns whether a resource supports an operation.
fn can(resource: &Resource<'_>, operation: &str) -> bool {
    let has = |verb| resource.verbs.contains(verb);
    match operation {
        "CREATE" => has("create"),
        "UPDATE" => has("update") || has("patch"),
        "DELETE" => has("delete"),
        "*" => has("create") || has("update") || has("patch") || has("delete"),
        _ => false,
    }
}

/// Returns whether policies never apply to such objects, so that they cannot lock out their
/// authors.
fn is_of_admission(resource: &Resource<'_>) -> bool {
    let kind = Kind::parse(resource.kind);
    kind.is_some_and(|kind| {
        kind.group() == resource.group && kind != Kind::CustomResourceDefinition
    })
}

/// A kind by the name of its resource.
#[derive(Clone, Debug)]
struct Served {
    name: GroupVersionKind,
    plural: Arc<str>,
}

impl Served {
    fn new(resource: &Resource<'_>) -> Self {
        Self {
            name: GroupVersionKind::new(resource.group, resource.version, resource.kind),
            plural: resource.plural.into(),
        }
    }

    fn matched(&self) -> MatchedKind {
        MatchedKind {
            name: self.name.clone(),
            resource: Arc::clone(&self.plural),
            subresource: None,
            in_status: true,
            is_named: true,
            is_admitted: false,
            index: 0,
        }
    }
}

/// Kinds by a name of their resource, plural and singular.
type ByName = HashMap<Box<str>, Vec<Served>, foldhash::fast::RandomState>;

/// The tables of a server's RESTMapper.
struct Names {
    built_in: &'static ByName,
    added: ByName,
}

/// Limit: versions of Kubernetes. A minor version is the index of its names in [`BUILT_IN`].
const VERSIONS: usize = 64;

/// The names of built-in resources.
static BUILT_IN: [OnceLock<ByName>; VERSIONS] = [const { OnceLock::new() }; VERSIONS];

/// For an unknown version.
static NOTHING: OnceLock<ByName> = OnceLock::new();

impl Names {
    fn new(catalog: &Catalog) -> Self {
        let version = catalog.version();
        let cell = BUILT_IN.get(usize::from(version.0)).unwrap_or(&NOTHING);
        let built_in = cell.get_or_init(|| {
            let built_in = Catalog::with_former(version);
            by_name(built_in.resources())
        });
        Self {
            built_in,
            added: by_name(catalog.added_resources()),
        }
    }

    /// Upstream: kubernetes/apimachinery, pkg/api/meta/restmapper.go, KindsFor, where the
    /// empty group matches any group.
    fn kinds_for(&self, group: &str, version: &str, resource: &str) -> Vec<&Served> {
        let resource = resource.to_lowercase();
        let fits = |served: &&Served| {
            *served.name.version == *version && (group.is_empty() || *served.name.group == *group)
        };
        let all = [self.built_in, &self.added];
        let named = all.into_iter().filter_map(|names| names.get(&*resource));
        let mut found: Vec<&Served> = named.flatten().filter(fits).collect();
        found.sort_by(|left, right| left.name.cmp(&right.name));
        found.dedup_by(|left, right| left.name == right.name);
        found
    }
}

fn by_name<'c>(resources: impl Iterator<Item = Resource<'c>>) -> ByName {
    let mut names = ByName::default();
    for resource in resources {
        let served = Served::new(&resource);
        let mut add = |name: &str| {
            if !name.is_empty() {
                names.entry(name.into()).or_default().push(served.clone());
            }
        };
        add(resource.plural);
        if resource.singular != resource.plural {
            add(resource.singular);
        }
    }
    names
}
