//! Facts about resources beyond their schemas.
//!
//! The resources of one server are a file. Kinds that only other versions have are derived: names
//! as Kubernetes derives them, scope and exceptions from the short lists below.

use kubernetes::openapi::{KindFacts, SchemaFacts, SubresourceFacts, VERBS, guessed_plural};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds without namespaces that the described server has not.
///
/// Upstream: kubernetes/api, the markers `+genclient:nonNamespaced`.
const CLUSTER_SCOPED: [(&str, &str); 4] = [
    ("certificates.k8s.io", "ClusterTrustBundle"),
    ("networking.k8s.io", "ClusterCIDR"),
    ("resource.k8s.io", "ResourceClass"),
    ("storagemigration.k8s.io", "StorageVersionMigration"),
];

/// Resources whose names Kubernetes does not derive from the kind.
const PLURALS: [(&str, &str); 2] = [
    ("ResourceClaimParameters", "resourceclaimparameters"),
    ("ResourceClassParameters", "resourceclassparameters"),
];

/// Beta versions that servers serve by default: those older than the rule that new ones are off.
///
/// Upstream: kubernetes/kubernetes, pkg/controlplane/instance.go,
/// legacyBetaEnabledByDefaultResources.
const BETA_BY_DEFAULT: [(&str, &str); 5] = [
    ("autoscaling", "v2beta2"),
    ("flowcontrol.apiserver.k8s.io", "v1beta1"),
    ("flowcontrol.apiserver.k8s.io", "v1beta2"),
    ("flowcontrol.apiserver.k8s.io", "v1beta3"),
    ("storage.k8s.io", "v1beta1"),
];

/// A beta kind in one of these versions that is still off by default.
const BETA_ON_DEMAND: [&str; 1] = ["VolumeAttributesClass"];

/// The kinds of subresources that are in another group than their resource.
const FOREIGN: [(&str, &str, &str); 3] = [
    ("Scale", "autoscaling", "v1"),
    ("Eviction", "policy", "v1"),
    ("TokenRequest", "authentication.k8s.io", "v1"),
];

/// Subresources that are newer than their resource, with the minor version that serves them.
///
/// Upstream: kubernetes/kubernetes, pkg/features/kube_features.go, InPlacePodVerticalScaling.
const LATER: [(&str, &str, u8); 1] = [("pods", "resize", 33)];

/// The types of options of requests to subresources: CONNECT requests carry them.
pub(super) const OPTIONS: [&str; 6] = [
    "io.k8s.api.core.v1.NodeProxyOptions",
    "io.k8s.api.core.v1.PodAttachOptions",
    "io.k8s.api.core.v1.PodExecOptions",
    "io.k8s.api.core.v1.PodPortForwardOptions",
    "io.k8s.api.core.v1.PodProxyOptions",
    "io.k8s.api.core.v1.ServiceProxyOptions",
];

/// The resources of one server.
pub(super) struct ServerResources {
    /// By group and kind, each with all its versions.
    resources: BTreeMap<(String, String), Vec<KindFacts>>,
    /// The kinds of subresources by group and kind.
    below: BTreeSet<(String, String)>,
}

impl ServerResources {
    /// Reads the resources of a server, one a line.
    pub(super) fn read(lines: &str) -> Result<Self, String> {
        let mut facts = Self {
            resources: BTreeMap::new(),
            below: BTreeSet::new(),
        };
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let value: Value =
                serde_json::from_str(line).map_err(|error| format!("{error} in {line}"))?;
            let kind = resource(&value)?;
            let below = kind.subresources.iter();
            let below = below.map(|below| (below.group.clone(), below.kind.clone()));
            facts.below.extend(below);
            let key = (kind.group.clone(), kind.kind.clone());
            facts.resources.entry(key).or_default().push(kind);
        }
        Ok(facts)
    }

    /// Returns whether a kind gets an entry. Two kinds are in every group and are not objects.
    pub(super) fn is_kind(&self, group: &str, kind: &str) -> bool {
        let is_everywhere = matches!(kind, "DeleteOptions" | "WatchEvent");
        !is_everywhere || group.is_empty()
    }

    /// Returns the entry of a kind, without the servers that have it.
    pub(super) fn kind(
        &self,
        group: &str,
        version: &str,
        kind: &str,
        schema: Option<&SchemaFacts>,
    ) -> KindFacts {
        let key = (group.to_owned(), kind.to_owned());
        let mut facts = match self.resources.get(&key) {
            Some(versions) => {
                let exact = versions.iter().find(|facts| facts.version == version);
                exact.or(versions.last()).cloned().unwrap_or_default()
            }
            None if self.below.contains(&key) || !is_object(schema) => KindFacts::default(),
            None => derived(group, version, kind, schema),
        };
        for below in &mut facts.subresources {
            if below.group == group && below.version == facts.version {
                version.clone_into(&mut below.version);
            }
        }
        group.clone_into(&mut facts.group);
        version.clone_into(&mut facts.version);
        kind.clone_into(&mut facts.kind);
        facts
    }
}

/// Returns whether the objects of a type are stored, which have their own metadata.
fn is_object(schema: Option<&SchemaFacts>) -> bool {
    let metadata = schema.and_then(|schema| schema.properties.get("metadata"));
    let ty = metadata.and_then(|property| property.schema.reference.as_deref());
    ty.is_some_and(|name| name.ends_with(".ObjectMeta"))
}

/// Returns the resource of a kind that the table does not have.
fn derived(group: &str, version: &str, kind: &str, schema: Option<&SchemaFacts>) -> KindFacts {
    let names = |verbs: &[&str]| verbs.iter().map(|verb| (*verb).to_owned()).collect();
    let has_status = schema.is_some_and(|schema| schema.properties.contains_key("status"));
    let status = has_status.then(|| SubresourceFacts {
        name: "status".into(),
        group: group.into(),
        version: version.into(),
        kind: kind.into(),
        verbs: names(&["get", "patch", "update"]),
        servers: servers_since(kubernetes::ServerVersion::OLDEST.0),
    });
    let plural = PLURALS.iter().find(|(of, _)| *of == kind);
    let plural = plural.map_or_else(|| guessed_plural(kind), |(_, plural)| (*plural).into());
    KindFacts {
        version: version.into(),
        plural: Some(plural),
        singular: kind.to_lowercase(),
        namespaced: !CLUSTER_SCOPED.contains(&(group, kind)),
        verbs: names(&VERBS),
        subresources: status.into_iter().collect(),
        ..KindFacts::default()
    }
}

/// Returns the bit of a server.
pub(super) fn server(minor: u8) -> u16 {
    1 << (minor - kubernetes::ServerVersion::OLDEST.0)
}

/// Returns the servers from a minor version on.
fn servers_since(minor: u8) -> u16 {
    (minor..=kubernetes::ServerVersion::NEWEST_KINDS.0)
        .map(server)
        .sum()
}

/// Returns the servers that serve a kind by default, out of those that have it.
pub(super) fn served_by_default(group: &str, version: &str, kind: &str, servers: u16) -> u16 {
    let is_stable = !version.contains("alpha") && !version.contains("beta");
    let is_old = BETA_BY_DEFAULT.contains(&(group, version)) && !BETA_ON_DEMAND.contains(&kind);
    if is_stable || is_old { servers } else { 0 }
}

fn resource(value: &Value) -> Result<KindFacts, String> {
    let (group, version) = (text(value, "group")?, text(value, "version")?);
    let below = value.get("subresources").and_then(Value::as_array);
    let mut subresources = Vec::new();
    for below in below.into_iter().flatten() {
        subresources.push(subresource(below, value)?);
    }
    subresources.sort_by(|a, b| a.name.cmp(&b.name));
    let namespaced = value.get("namespaced").and_then(Value::as_bool);
    Ok(KindFacts {
        group: group.into(),
        version: version.into(),
        kind: text(value, "kind")?.into(),
        plural: Some(text(value, "resource")?.into()),
        singular: text(value, "singular")?.into(),
        short_names: strings(value, "shortNames"),
        namespaced: namespaced.ok_or_else(|| format!("namespaced is missing in {value}"))?,
        verbs: strings(value, "verbs"),
        subresources,
        ..KindFacts::default()
    })
}

fn subresource(value: &Value, resource: &Value) -> Result<SubresourceFacts, String> {
    let (group, version) = (text(resource, "group")?, text(resource, "version")?);
    let (kind, name) = (text(value, "kind")?, text(value, "name")?);
    let plural = text(resource, "resource")?;
    let later = LATER.iter();
    let later = later.filter(|(of, later, _)| (*of, *later) == (plural, name));
    let since = later.map(|(_, _, since)| *since).next();
    let foreign = FOREIGN.iter().find(|(foreign, _, _)| *foreign == kind);
    let (group, version) = foreign.map_or((group, version), |(_, group, version)| (group, version));
    Ok(SubresourceFacts {
        name: name.into(),
        group: group.into(),
        version: version.into(),
        kind: kind.into(),
        verbs: strings(value, "verbs"),
        servers: servers_since(since.unwrap_or(kubernetes::ServerVersion::OLDEST.0)),
    })
}

fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str, String> {
    let text = value.get(key).and_then(Value::as_str);
    text.ok_or_else(|| format!("{key} is missing in {value}"))
}

fn strings(value: &Value, key: &str) -> Vec<String> {
    let items = value.get(key).and_then(Value::as_array).into_iter();
    let items = items.flatten().filter_map(Value::as_str);
    items.map(str::to_owned).collect()
}
