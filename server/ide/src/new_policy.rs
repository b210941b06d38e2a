//! A first policy for a kind, with its binding.
//!
//! An [`Intent`] is the purpose of a policy. Its document is the completion skeleton, with rules
//! and expressions that fit the schema of the kind.

mod intents;
#[cfg(test)]
mod tests;

pub use intents::{INTENTS, Intent};

use crate::completion::document;
use intents::Parts;
use kubernetes::openapi::{Catalog, Resource, Schema, SchemaType};
use policy::Kind;

/// Limit: the nesting of objects that are searched for a pod specification.
const MAX_DEPTH: usize = 6;

/// A policy with its binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPolicy {
    /// The name of both, such as `deployments-require-label`.
    pub name: String,
    /// The two documents.
    pub text: String,
}

/// The fields of a kind that intents use.
struct KindPaths {
    /// The path to a pod specification, such as `spec`, `template`, `spec`.
    pod_spec: Option<Vec<String>>,
    /// Whether `spec.replicas` is an integer.
    has_replicas: bool,
}

/// Returns a new policy for the objects of a resource. `None` if the intent does not fit them.
#[must_use]
pub fn new_policy(
    intent: &Intent,
    resource: &Resource<'_>,
    catalog: &Catalog,
) -> Option<NewPolicy> {
    // Objects such as reviews are not stored, and policies do not match other policies.
    let is_stored = resource.verbs.contains("update") && resource.verbs.contains("delete");
    let own = Kind::parse(resource.kind).filter(|kind| kind.group() == resource.group);
    if !is_stored || own.is_some_and(|kind| kind.is_policy() || kind.is_binding()) {
        return None;
    }
    let paths = KindPaths::new(catalog.schema(resource.group, resource.version, resource.kind)?);
    let parts = (intent.parts)(&paths)?;
    let name = format!("{}-{}", resource.plural, intent.name);
    let kind = intent.kind();
    let versions = if intent.is_mutating {
        served_versions(resource, catalog).join(", ")
    } else {
        resource.version.to_owned()
    };
    let policy = policy(kind, &name, (resource, &versions), &parts);
    let binding = binding(kind, &name, resource.namespaced);
    Some(NewPolicy {
        text: format!("{policy}---\n{binding}"),
        name,
    })
}

/// Returns the versions in which a resource is requested. The API server cannot convert the result
/// of a mutation, so a mutating policy must name all of them.
fn served_versions<'c>(resource: &Resource<'_>, catalog: &'c Catalog) -> Vec<&'c str> {
    let versions = catalog.resources_of_name(resource.plural);
    let versions = versions.filter(|it| it.group == resource.group && it.served_by_default);
    versions.map(|it| it.version).collect()
}

fn policy(
    kind: Kind,
    name: &str,
    (resource, versions): (&Resource<'_>, &str),
    parts: &Parts,
) -> String {
    let below = parts.subresource.and_then(|it| resource.subresource(it));
    let resources = match below {
        Some(below) => format!("{0}, {0}/{1}", resource.plural, below.name),
        None => resource.plural.to_owned(),
    };
    let group = if resource.group.is_empty() {
        "\"\""
    } else {
        resource.group
    };
    let rules = [
        ("${name}", name),
        ("${apps}", group),
        ("${v1}", versions),
        ("${deployments}", &resources),
    ];
    let changes = changes(kind, parts);
    let changes = changes.iter().map(|(part, value)| (*part, value.as_str()));
    let values: Vec<(&str, &str)> = rules.into_iter().chain(changes).collect();
    document(kind.as_str(), &values)
}

/// Returns the parts of the skeleton that depend on the purpose, each with its replacement.
fn changes(kind: Kind, parts: &Parts) -> Vec<(&'static str, String)> {
    let operations = format!("[{}]", parts.operations);
    if kind.is_mutating_policy() {
        let condition = format!(
            "  matchConditions:\n  - name: {}\n    expression: >-\n      {}\n  mutations:\n",
            parts.name, parts.condition
        );
        vec![
            ("[CREATE]", operations),
            ("${Never}", "Never".to_owned()),
            ("  mutations:\n", condition),
            ("Object{spec: Object.spec{$}}", parts.expression.clone()),
        ]
    } else {
        let variables = match parts.condition.as_str() {
            "" => String::new(),
            value => format!(
                "  variables:\n  - name: {}\n    expression: >-\n      {value}\n",
                parts.name
            ),
        };
        let expression = format!(">-\n      {}", parts.expression);
        vec![
            ("[CREATE, UPDATE]", operations),
            ("  validations:\n", format!("{variables}  validations:\n")),
            ("${object.spec.replicas > 1}", expression),
            ("${The reason for the denial.}", parts.message.to_owned()),
        ]
    }
}

/// Returns the binding of a policy: in all namespaces except that of the system components, which a
/// first policy should not affect.
fn binding(kind: Kind, name: &str, is_namespaced: bool) -> String {
    let selector = if is_namespaced {
        "  matchResources:
    namespaceSelector:
      matchExpressions:
      - key: kubernetes.io/metadata.name
        operator: NotIn
        values: [kube-system]
"
    } else {
        ""
    };
    let kind = if kind.is_mutating_policy() {
        Kind::MutatingAdmissionPolicyBinding
    } else {
        Kind::ValidatingAdmissionPolicyBinding
    };
    let values = [("${name}", name), ("${policy}", name), ("${Deny}", "Deny")];
    document(kind.as_str(), &values) + selector
}

impl KindPaths {
    fn new(schema: Schema<'_>) -> Self {
        let replicas = schema
            .property("spec")
            .and_then(|it| it.property("replicas"));
        let has_replicas = replicas.is_some_and(|it| it.ty() == SchemaType::Integer);
        Self {
            pod_spec: pod_spec(schema, MAX_DEPTH),
            has_replicas,
        }
    }
}

/// Returns the path to the pod specification that every object of a kind has.
fn pod_spec(schema: Schema<'_>, depth: usize) -> Option<Vec<String>> {
    let depth = depth.checked_sub(1)?;
    let is_present = |name: &str| name == "spec" || schema.is_required(name);
    let mut fields = schema.properties().filter(|(name, _)| is_present(name));
    fields.find_map(|(name, field)| {
        let is_found = field.type_name() == Some("io.k8s.api.core.v1.PodSpec");
        let rest = if is_found {
            Some(Vec::new())
        } else {
            pod_spec(field, depth)
        };
        let first = std::iter::once(name.to_owned());
        rest.map(|rest| first.chain(rest).collect())
    })
}
