//! Names that refer to other objects: kinds, policies, parameters and namespaces.

use super::super::subjects;
use super::{ManifestContext, ManifestList};
use crate::manifest_schema::schema_of;
use kubernetes::TypeMeta;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Resource, Schema};
use policy::Kind;
use policy::manifest::{Binding, text_of};
use std::collections::BTreeSet;
use yaml::Node;

/// The groups of the kinds that contain CEL. They come first.
const OF_POLICIES: [&str; 2] = ["admissionregistration.k8s.io", "apiextensions.k8s.io"];

/// Offers the API versions and the kinds of manifests, and of parameters in `paramKind`.
pub(super) fn add_kinds(
    context: &ManifestContext<'_>,
    owner: Node<'_>,
    key: &str,
    list: &mut ManifestList,
) {
    let written = TypeMeta::read(owner);
    let other = match key {
        "kind" => written.api_version,
        _ => written.kind,
    };
    let other = other.and_then(Node::as_str).unwrap_or_default();
    let is_param = context.owner_key(owner).as_deref() == Some("paramKind");
    let fits = |resource: &Resource<'_>| {
        let api_version = api_version(resource);
        let matches_other = match key {
            "kind" => other.is_empty() || api_version == other,
            _ => other.is_empty() || resource.kind == other,
        };
        matches_other && (!is_param || can_be_params(context, resource))
    };
    let mut values: Vec<(usize, String)> = Vec::new();
    for resource in context.catalog.resources().filter(fits) {
        let value = match key {
            "kind" => resource.kind.to_owned(),
            _ => api_version(&resource),
        };
        let mut known = OF_POLICIES.iter();
        let place = known
            .position(|known| *known == resource.group)
            .or_else(|| is_matched(context, &resource).then_some(OF_POLICIES.len()));
        values.push((place.unwrap_or(usize::MAX), value));
    }
    let mut seen = BTreeSet::new();
    let known = |value: &str| Kind::ALL.iter().position(|kind| kind.as_str() == value);
    values.sort_by_cached_key(|(place, value)| {
        (*place, known(value).unwrap_or(usize::MAX), value.len())
    });
    for (_, value) in &values {
        if seen.insert(value) {
            list.value(context, value, None);
        }
    }
}

/// Returns whether a policy of the project names the resource in its rules.
fn is_matched(context: &ManifestContext<'_>, resource: &Resource<'_>) -> bool {
    let mut rules = policies(context).flat_map(|policy| policy.spec.rules());
    rules.any(|rule| {
        rule.groups.iter().any(|it| &*it.text == resource.group)
            && rule.resources.iter().any(|it| &*it.text == resource.plural)
    })
}

fn api_version(resource: &Resource<'_>) -> String {
    let (group, version) = (resource.group, resource.version);
    GroupVersion { group, version }.to_string()
}

/// Returns whether a kind usually contains parameters: a ConfigMap or a custom resource.
fn can_be_params(context: &ManifestContext<'_>, resource: &Resource<'_>) -> bool {
    let (group, version, kind) = (resource.group, resource.version, resource.kind);
    (group.is_empty() && kind == "ConfigMap") || context.catalog.is_added(group, version, kind)
}

/// Offers the policies of the project to which a binding can refer.
pub(super) fn add_policies(context: &ManifestContext<'_>, spec: Node<'_>, list: &mut ManifestList) {
    let kind = spec.parent().and_then(|root| TypeMeta::read(root).kind);
    let kind = kind.and_then(Node::as_str).unwrap_or_default();
    for policy in policies(context) {
        if policy.binding_kind().as_str() == kind
            && let Some(name) = &policy.name
        {
            list.value(context, name, Some(policy.kind.as_str()));
        }
    }
}

/// Offers the policies of the project.
pub(super) fn add_all_policies(context: &ManifestContext<'_>, list: &mut ManifestList) {
    for policy in policies(context) {
        if let Some(name) = &policy.name {
            list.value(context, name, Some(policy.kind.as_str()));
        }
    }
}

/// Offers the objects of the project that can be the parameters of a binding, or their
/// namespaces: those of the kind that the policy names, if it is known. Returns whether the key is
/// one of a reference to parameters.
pub(super) fn add_params(
    context: &ManifestContext<'_>,
    (owner, key): (Node<'_>, &str),
    list: &mut ManifestList,
) -> bool {
    if context.owner_key(owner).as_deref() != Some("paramRef") {
        return false;
    }
    let binding = owner.parent().map(Binding::read).unwrap_or_default();
    let bound = text_of(binding.policy_name.as_ref());
    let policy = policies(context).find(|policy| policy.name.as_deref() == Some(bound));
    let param_kind = policy.and_then(|policy| policy.spec.param_kind.as_ref());
    let objects = context.file.project().files().iter();
    for object in objects.flat_map(|file| &file.objects) {
        let fits = param_kind.is_none_or(|kind| {
            kind.api_version() == object.api_version && kind.kind() == object.kind
        });
        let value = match key {
            "name" => &object.name,
            _ => &object.namespace,
        };
        if fits && !value.is_empty() {
            list.value(context, value, Some(&object.kind));
        }
    }
    true
}

/// Offers the names of the sample objects of the kind beside the key, or of users and groups.
/// Returns whether no other names fit.
pub(super) fn add_named(
    context: &ManifestContext<'_>,
    owner: Node<'_>,
    list: &mut ManifestList,
) -> bool {
    let schema = schema_of(context.catalog, owner).and_then(Schema::type_name);
    let is_subject = schema.is_some_and(|name| name.ends_with(".Subject"));
    let kind = TypeMeta::read(owner).kind.and_then(Node::as_str);
    let names = match kind.unwrap_or_default() {
        "" => return false,
        "Group" if is_subject => subjects::groups(context.samples),
        "User" if is_subject => subjects::users(context.samples),
        kind => {
            let samples = context.samples.iter().filter(|it| it.kind == kind);
            samples.map(|it| it.name.clone()).collect()
        }
    };
    for name in names.iter().filter(|name| !name.is_empty()) {
        list.value(context, name, None);
    }
    is_subject
}

fn policies<'a>(
    context: &ManifestContext<'a>,
) -> impl Iterator<Item = &'a crate::project::PolicySummary> {
    let files = context.file.project().files().iter();
    files.flat_map(|file| &file.policies)
}
