//! The RBAC authorizer: roles and their bindings grant permissions.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac/rbac.go, Authorize and
//! RuleAllows; pkg/registry/rbac/validation/rule.go, VisitRulesFor.

mod binding;
mod defaults;
mod rule;

use crate::fields::{get, list, selects};
use binding::Binding;
use cel::Value;
use kubernetes::names::GroupVersion;
use kubernetes::{ServerVersion, metadata_field, string_field};
use policy::library::{Answer, AuthorizationRequest, Decision, Target};
use rule::Rule;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The API group of roles and bindings.
const GROUP: &str = "rbac.authorization.k8s.io";

/// The group of administrators, who do not need a role.
///
/// Upstream: kubernetes/apiserver, pkg/authorization/authorizerfactory/builtin.go,
/// NewPrivilegedGroups.
const PRIVILEGED: &str = "system:masters";

/// The namespace of a manifest without one, as for `kubectl`.
const DEFAULT_NAMESPACE: &str = "default";

/// The roles and bindings of a cluster.
///
/// A server visits the bindings of a scope in random order, and the first one that allows a
/// request is the reason. Here they are in the order of their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roles {
    cluster_roles: BTreeMap<Box<str>, ClusterRole>,
    /// By namespace and name.
    roles: BTreeMap<(Box<str>, Box<str>), Vec<Rule>>,
    cluster_bindings: BTreeMap<Box<str>, Binding>,
    /// By namespace and name.
    bindings: BTreeMap<Box<str>, BTreeMap<Box<str>, Binding>>,
}

#[derive(Clone, Debug)]
struct ClusterRole {
    rules: Vec<Rule>,
    /// `metadata.labels`.
    labels: Option<Value>,
    /// The label selectors of the roles that it aggregates. A controller replaces its rules with
    /// those of these roles.
    ///
    /// Upstream: kubernetes/kubernetes, pkg/controller/clusterroleaggregation/
    /// clusterroleaggregation_controller.go, syncClusterRole.
    selectors: Option<Vec<Value>>,
}

impl Roles {
    /// Returns the default roles of a server, which every cluster has.
    pub(crate) fn of_server(server: ServerVersion) -> Arc<Self> {
        defaults::of_server(server)
    }

    /// Returns the roles and bindings among objects, and the default ones of a server. Of two
    /// objects with one name, the first is used.
    pub(crate) fn new(objects: &[Value], server: ServerVersion) -> Self {
        let mut roles = Self::default();
        for object in objects {
            let api_version = string_field(object, "apiVersion").unwrap_or_default();
            let GroupVersion { group, version } = GroupVersion::parse(api_version);
            if (group, version) == (GROUP, "v1") {
                roles.add(object);
            }
        }
        roles.extend(&defaults::of_server(server));
        roles
    }

    /// Adds the cluster-scoped roles and bindings that are missing.
    fn extend(&mut self, others: &Self) {
        for (name, role) in &others.cluster_roles {
            if let Entry::Vacant(place) = self.cluster_roles.entry(name.clone()) {
                place.insert(role.clone());
            }
        }
        for (name, binding) in &others.cluster_bindings {
            if let Entry::Vacant(place) = self.cluster_bindings.entry(name.clone()) {
                place.insert(binding.clone());
            }
        }
    }

    /// Adds an object of the group.
    fn add(&mut self, object: &Value) {
        let Some(name) = metadata_field(object, "name") else {
            return;
        };
        let namespace = metadata_field(object, "namespace").unwrap_or(DEFAULT_NAMESPACE);
        match string_field(object, "kind") {
            Some("ClusterRole") => {
                let role = self.cluster_roles.entry(name.into());
                role.or_insert_with(|| ClusterRole::read(object));
            }
            Some("Role") => {
                let role = self.roles.entry((namespace.into(), name.into()));
                role.or_insert_with(|| rules(object));
            }
            Some("ClusterRoleBinding") => {
                let binding = self.cluster_bindings.entry(name.into());
                binding.or_insert_with(|| Binding::read(object, name, ""));
            }
            Some("RoleBinding") => {
                let bindings = self.bindings.entry(namespace.into()).or_default();
                let binding = bindings.entry(name.into());
                binding.or_insert_with(|| Binding::read(object, name, namespace));
            }
            _ => {}
        }
    }

    /// Decides a check: the first binding to the user whose role allows it.
    pub(crate) fn authorize(&self, request: &AuthorizationRequest<'_>) -> Answer {
        if request.user.groups.iter().any(|it| **it == *PRIVILEGED) {
            return allowed(String::new());
        }
        let namespace = match request.target {
            Target::Path(_) => "",
            Target::Resource(resource) => &*resource.namespace,
        };
        let of_namespace = self.bindings.get(namespace).into_iter().flatten();
        let bindings = self.cluster_bindings.iter().chain(of_namespace);
        let mut errors = BTreeSet::new();
        let mut messages = Vec::new();
        for (_, binding) in bindings {
            let Some(subject) = binding.subject(request.user) else {
                continue;
            };
            match self.allows(binding, request) {
                Ok(true) => {
                    return allowed(format!("RBAC: allowed by {}", binding.describe(subject)));
                }
                Ok(false) => {}
                Err(error) if errors.contains(&error) => {}
                Err(error) => {
                    errors.insert(error.clone());
                    messages.push(error);
                }
            }
        }
        Answer {
            reason: reason(&messages).into(),
            ..Answer::default()
        }
    }

    /// Returns whether the role of a binding allows a request.
    ///
    /// # Errors
    /// The role does not exist; the message of the server.
    fn allows(
        &self,
        binding: &Binding,
        request: &AuthorizationRequest<'_>,
    ) -> Result<bool, String> {
        let name = &*binding.role_name;
        let any = |rules: &[Rule]| rules.iter().any(|rule| rule.allows(request));
        match &*binding.role_kind {
            "Role" => {
                let key = (binding.namespace.clone(), Box::from(name));
                let rules = self.roles.get(&key);
                rules
                    .map(|rules| any(rules))
                    .ok_or_else(|| not_found("role", name))
            }
            "ClusterRole" => {
                let role = self.cluster_roles.get_key_value(name);
                let (name, role) = role.ok_or_else(|| not_found("clusterrole", name))?;
                Ok(self.parts(name, role).any(|role| any(&role.rules)))
            }
            kind => Err(format!("unsupported role reference kind: \"{kind}\"")),
        }
    }

    /// Returns the roles whose rules a role has: itself, or the roles that it selects, and in turn
    /// those that they select.
    fn parts<'r>(
        &'r self,
        name: &'r str,
        role: &'r ClusterRole,
    ) -> impl Iterator<Item = &'r ClusterRole> {
        let mut seen = BTreeSet::from([name]);
        let mut left = vec![role];
        std::iter::from_fn(move || {
            loop {
                let role = left.pop()?;
                let Some(selectors) = &role.selectors else {
                    return Some(role);
                };
                for (name, other) in &self.cluster_roles {
                    let mut selectors = selectors.iter();
                    if selectors.any(|it| other.is_selected_by(it)) && seen.insert(name) {
                        left.push(other);
                    }
                }
            }
        })
    }
}

impl ClusterRole {
    fn read(object: &Value) -> Self {
        let aggregation = get(object, "aggregationRule");
        Self {
            rules: rules(object),
            labels: get(object, "metadata")
                .and_then(|it| get(it, "labels"))
                .cloned(),
            selectors: aggregation.map(|it| list(it, "clusterRoleSelectors").to_vec()),
        }
    }

    fn is_selected_by(&self, selector: &Value) -> bool {
        selects(selector, |key| get(self.labels.as_ref()?, key)?.as_str())
    }
}

fn rules(object: &Value) -> Vec<Rule> {
    list(object, "rules").iter().map(Rule::read).collect()
}

fn allowed(reason: String) -> Answer {
    Answer {
        decision: Decision::Allow,
        reason: reason.into(),
        error: None,
    }
}

fn not_found(resource: &str, name: &str) -> String {
    format!("{resource}.{GROUP} \"{name}\" not found")
}

/// Returns the server's reason if no role allows a request.
///
/// Upstream: kubernetes/apimachinery, pkg/util/errors/errors.go, aggregate.Error.
fn reason(errors: &[String]) -> String {
    match errors {
        [] => String::new(),
        [only] => format!("RBAC: {only}"),
        several => format!("RBAC: [{}]", several.join(", ")),
    }
}

#[cfg(test)]
mod tests;
