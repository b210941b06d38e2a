//! Fields that the server sets in an object between the mutating and the validating policies.
//!
//! Before it evaluates the validating policies, it prepares the object for storage: a new
//! object gets its name and UID, the status of the client is dropped, and a change of the
//! specification increments the generation.
//!
//! Upstream: kubernetes/apiserver, pkg/registry/generic/registry/store.go, create;
//! pkg/registry/rest/create.go, BeforeCreate, and update.go, BeforeUpdate;
//! kubernetes/kubernetes, pkg/registry/*/*/strategy.go, PrepareForCreate and PrepareForUpdate.

mod allocated;
mod requester;

use super::crd_validation::CrdValidator;
use super::create_defaults::{GENERATED, MAX_PREFIX, TIME, fill_identity, metadata_mut};
use super::request::{Operation, Request};
use crate::map::map;
use cel::Value;
use cel::value::Map;
use kubernetes::openapi::Catalog;
use kubernetes::{defaults, field};
use std::sync::Arc;

/// Requests for certificates.
const CERTIFICATES: (&str, &str) = ("certificates.k8s.io", "certificatesigningrequests");

/// The strategy of a resource.
#[derive(Clone, Copy, Debug)]
struct Strategy {
    /// Whether a new object has a `metadata.generation`.
    starts: bool,
    /// Whether `metadata.generation` counts changes.
    counts: bool,
    /// Whether a client cannot write the status.
    owns_status: bool,
}

/// Upstream: kubernetes/kubernetes, pkg/registry/scheduling/priorityclass/strategy.go.
const FIRST: Strategy = Strategy {
    starts: true,
    counts: false,
    owns_status: false,
};
const COUNTS: Strategy = Strategy {
    starts: true,
    counts: true,
    owns_status: false,
};
const OWNS: Strategy = Strategy {
    starts: false,
    counts: false,
    owns_status: true,
};
const BOTH: Strategy = Strategy {
    starts: true,
    counts: true,
    owns_status: true,
};

const ADMISSION: &str = "admissionregistration.k8s.io";

/// The strategies of the built-in resources, in the order of group and plural. Other resources have
/// neither.
static STRATEGIES: &[(&str, &str, Strategy)] = &[
    ("", "namespaces", OWNS),
    ("", "persistentvolumeclaims", OWNS),
    ("", "persistentvolumes", OWNS),
    ("", "pods", BOTH),
    ("", "podtemplates", COUNTS),
    ("", "replicationcontrollers", BOTH),
    ("", "resourcequotas", OWNS),
    ("", "services", OWNS),
    (ADMISSION, "mutatingadmissionpolicies", COUNTS),
    (ADMISSION, "mutatingadmissionpolicybindings", COUNTS),
    (ADMISSION, "mutatingwebhookconfigurations", COUNTS),
    (ADMISSION, "validatingadmissionpolicies", BOTH),
    (ADMISSION, "validatingadmissionpolicybindings", COUNTS),
    (ADMISSION, "validatingwebhookconfigurations", COUNTS),
    ("apiextensions.k8s.io", "customresourcedefinitions", BOTH),
    ("apps", "daemonsets", BOTH),
    ("apps", "deployments", BOTH),
    ("apps", "replicasets", BOTH),
    ("apps", "statefulsets", BOTH),
    ("autoscaling", "horizontalpodautoscalers", OWNS),
    ("batch", "cronjobs", BOTH),
    ("batch", "jobs", BOTH),
    ("certificates.k8s.io", "certificatesigningrequests", OWNS),
    ("discovery.k8s.io", "endpointslices", COUNTS),
    ("flowcontrol.apiserver.k8s.io", "flowschemas", BOTH),
    (
        "flowcontrol.apiserver.k8s.io",
        "prioritylevelconfigurations",
        BOTH,
    ),
    ("networking.k8s.io", "ingressclasses", COUNTS),
    ("networking.k8s.io", "ingresses", BOTH),
    ("networking.k8s.io", "networkpolicies", COUNTS),
    ("policy", "poddisruptionbudgets", BOTH),
    ("resource.k8s.io", "resourceclaims", OWNS),
    ("resource.k8s.io", "resourceslices", COUNTS),
    ("scheduling.k8s.io", "priorityclasses", FIRST),
    ("storage.k8s.io", "volumeattachments", OWNS),
];

impl Request {
    /// Prepares the object for storage, if the server sets any fields.
    pub(super) fn prepare(self: &mut Arc<Self>, kinds: &Catalog, validator: Option<&CrdValidator>) {
        let version = &self.resource.version;
        if self.subresource == "status" && validator.is_some_and(|it| it.has_status(version)) {
            return Arc::make_mut(self).prepare_status();
        }
        if self.fills_in && self.operation == Operation::Update {
            match &*self.subresource {
                "status" => Arc::make_mut(self).keep_all_but_status(),
                "ephemeralcontainers" => Arc::make_mut(self).keep_all_but_ephemeral(),
                _ => {}
            }
        }
        if !self.fills_in || !self.subresource.is_empty() {
            return;
        }
        let strategy = self.strategy(kinds, validator);
        let request = Arc::make_mut(self);
        match request.operation {
            Operation::Create => request.prepare_new(strategy, kinds),
            Operation::Update => request.prepare_changed(strategy),
            Operation::Delete | Operation::Connect => {}
        }
    }

    /// Returns the strategy of the resource. Custom resources count their changes.
    fn strategy(&self, kinds: &Catalog, validator: Option<&CrdValidator>) -> Strategy {
        let resource = &self.resource;
        let names = (resource.group.as_str(), resource.plural.as_str());
        let known = STRATEGIES.binary_search_by_key(&names, |(group, plural, _)| (group, plural));
        if let Some((.., strategy)) = known.ok().and_then(|place| STRATEGIES.get(place)) {
            return *strategy;
        }
        let schema = kinds.schema(&resource.group, &resource.version, &resource.kind);
        let is_custom = !schema.is_some_and(kubernetes::openapi::Schema::is_built_in);
        Strategy {
            starts: is_custom,
            counts: is_custom,
            owns_status: validator.is_some_and(|it| it.has_status(&resource.version)),
        }
    }

    fn prepare_new(&mut self, strategy: Strategy, kinds: &Catalog) {
        self.generate_name();
        let resource = &self.resource;
        let Some(object) = &mut self.inputs.object else {
            return;
        };
        defaults::normalize_for_admission(object);
        allocated::allocate(object, (&resource.group, &resource.plural), self.dry_run);
        if (&*resource.group, &*resource.plural) == CERTIFICATES {
            requester::identify(object, &self.user);
        }
        if strategy.owns_status {
            clear_status(object, (&resource.group, &resource.plural), kinds);
        }
        defaults::count_template(object);
        if let Some(fields) = metadata_mut(object) {
            fill_identity(fields);
            if strategy.starts {
                fields.set_str("generation", Value::Int(1));
            }
        }
    }

    /// Prepares an update of the status of a custom resource, which changes no other field.
    ///
    /// Upstream: kubernetes/apiextensions-apiserver, pkg/registry/customresource/
    /// status_strategy.go, PrepareForUpdate.
    fn prepare_status(&mut self) {
        let (Some(object), Some(old)) = (&mut self.inputs.object, &self.inputs.old_object) else {
            return;
        };
        let status = object.as_map().and_then(|it| it.get_str("status")).cloned();
        let managed = |object: &Value| {
            let metadata = object.as_map()?.get_str("metadata")?.as_map()?;
            metadata.get_str("managedFields").cloned()
        };
        let managed = managed(object);
        *object = old.clone();
        set_status(object, status);
        if let (Some(managed), Some(fields)) = (managed, metadata_mut(object)) {
            fields.set_str("managedFields", managed);
        }
    }

    /// Prepares an update of the status of a built-in kind, which does not change the specification.
    ///
    /// Upstream: kubernetes/kubernetes, pkg/registry/*/*/strategy.go, PrepareForUpdate of the
    /// strategies for the status; kubernetes/apiserver, pkg/registry/rest/update.go, BeforeUpdate.
    fn keep_all_but_status(&mut self) {
        let (Some(object), Some(old)) = (&mut self.inputs.object, &self.inputs.old_object) else {
            return;
        };
        let spec = old.as_map().and_then(|old| old.get_str("spec"));
        if let (Some(spec), Some(fields)) = (spec, object.as_map_mut()) {
            fields.set_str("spec", spec.clone());
        }
        let generation = metadata_field(old, "generation").cloned();
        if let (Some(generation), Some(fields)) = (generation, metadata_mut(object)) {
            fields.set_str("generation", generation);
        }
    }

    /// Prepares an update of the ephemeral containers of a pod.
    ///
    /// Upstream: kubernetes/kubernetes, pkg/registry/core/pod/strategy.go,
    /// dropNonEphemeralContainerUpdates.
    fn keep_all_but_ephemeral(&mut self) {
        const FIELD: &str = "ephemeralContainers";
        let (Some(object), Some(old)) = (&mut self.inputs.object, &self.inputs.old_object) else {
            return;
        };
        let containers = field(object, "spec")
            .and_then(|spec| field(spec, FIELD))
            .cloned();
        *object = old.clone();
        let spec = object
            .as_map_mut()
            .and_then(|it| it.get_str_mut("spec")?.as_map_mut());
        if let (Some(containers), Some(spec)) = (containers, spec) {
            spec.set_str(FIELD, containers);
            let generation = metadata_field(old, "generation").and_then(Value::as_int);
            let more = i64::from(!is_same_specification(object, old));
            if let (Some(generation), Some(fields)) = (generation, metadata_mut(object)) {
                fields.set_str("generation", Value::Int(generation + more));
            }
        }
    }

    fn generate_name(&mut self) {
        let Some(object) = &mut self.inputs.object else {
            return;
        };
        let text = |field| kubernetes::metadata_field(object, field);
        let Some(prefix) = text("generateName").filter(|_| text("name").is_none()) else {
            return;
        };
        let prefix: String = prefix.chars().take(MAX_PREFIX).collect();
        let name = format!("{prefix}{GENERATED}");
        if let Some(fields) = metadata_mut(object) {
            fields.set_str("name", Value::string(name.as_str()));
        }
        if self.name.is_empty() {
            self.name = name;
        }
    }

    fn prepare_changed(&mut self, strategy: Strategy) {
        self.keep_identity();
        let (Some(object), Some(old)) = (&mut self.inputs.object, &self.inputs.old_object) else {
            return;
        };
        defaults::normalize_for_admission(object);
        let resource = (self.resource.group.as_str(), self.resource.plural.as_str());
        allocated::keep(object, old, resource, self.dry_run);
        if resource == CERTIFICATES {
            requester::keep(object, old);
        }
        // A client can only write the status of a node when it creates the node.
        if strategy.owns_status || resource == ("", "nodes") {
            let status = old.as_map().and_then(|old| old.get_str("status"));
            set_status(object, status.cloned());
        }
        // The server ignores other times of creation.
        let created = metadata_field(old, "creationTimestamp").cloned();
        if let (Some(created), Some(fields)) = (created, metadata_mut(object)) {
            fields.set_str("creationTimestamp", created);
        }
        let generation = metadata_field(old, "generation").and_then(Value::as_int);
        let generation = if strategy.counts {
            let more = !is_same_specification(object, old)
                || metadata_counts(resource).is_some_and(|field| {
                    metadata_field(object, field) != metadata_field(old, field)
                });
            Some(generation.unwrap_or(1) + i64::from(more))
        } else {
            generation
        };
        if let (Some(generation), Some(fields)) = (generation, metadata_mut(object)) {
            fields.set_str("generation", Value::Int(generation));
        }
    }
}

/// Returns the metadata that is copied to other objects, such as the pods of a deployment, so that
/// its changes count.
fn metadata_counts(resource: (&str, &str)) -> Option<&'static str> {
    match resource {
        ("apps", "deployments") => Some("annotations"),
        ("discovery.k8s.io", "endpointslices") => Some("labels"),
        _ => None,
    }
}

fn metadata_field<'a>(object: &'a Value, field: &str) -> Option<&'a Value> {
    let metadata = object.as_map()?.get_str("metadata")?.as_map()?;
    metadata.get_str(field)
}

/// Returns whether the part of an object whose changes increment the generation is the same: all
/// but the metadata, and the version in which the client sends it.
fn is_same_specification(object: &Value, old: &Value) -> bool {
    let (Some(object), Some(old)) = (object.as_map(), old.as_map()) else {
        return object == old;
    };
    is_same_map(object, old, &["apiVersion", "metadata"])
}

/// Compares values. Missing, null and an empty list are the same.
///
/// Upstream: kubernetes/apimachinery, third_party/forked/golang/reflect/deep_equal.go, DeepEqual.
pub(super) fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Map(left), Value::Map(right)) => is_same_map(left, right, &[]),
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right.iter()).all(|(l, r)| is_same(l, r))
        }
        _ => left == right || is_blank(left) && is_blank(right),
    }
}

fn is_same_map<'a>(left: &'a Map, right: &'a Map, leave_out: &[&str]) -> bool {
    let fields = |map: &'a Map| {
        map.iter()
            .filter_map(|(key, value)| Some((defaults::key_text(key)?, value)))
            .filter(|(name, _)| !leave_out.contains(name))
    };
    fields(left).all(|(name, value)| is_same(value, right.get_str(name).unwrap_or(&Value::Null)))
        && fields(right).all(|(name, value)| left.get_str(name).is_some() || is_blank(value))
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::List(list) => list.is_empty(),
        _ => false,
    }
}

fn set_status(object: &mut Value, status: Option<Value>) {
    let Some(fields) = object.as_map_mut() else {
        return;
    };
    match status {
        Some(status) => fields.set_str("status", status),
        None => {
            fields.take_str("status");
        }
    }
}

/// Sets the status of a new object, regardless of what the client sends.
fn clear_status(object: &mut Value, resource: (&str, &str), kinds: &Catalog) {
    let status = match resource {
        // A new pod gets its status elsewhere.
        ("", "pods") => return,
        ("", "namespaces") => {
            keep_finalizer(object);
            Some(map([("phase", Value::string("Active"))]))
        }
        ("", "persistentvolumes") => Some(map([
            ("phase", Value::string("Pending")),
            ("lastPhaseTransitionTime", Value::string(TIME)),
        ])),
        ("apiextensions.k8s.io", _) => {
            // The version that is stored follows from the specification.
            set_status(object, None);
            return defaults::apply(kinds, object);
        }
        _ => defaults::blank(kinds, object, "status"),
    };
    set_status(object, status);
}

/// Adds the finalizer that keeps a namespace until the server has emptied it.
fn keep_finalizer(namespace: &mut Value) {
    const FINALIZER: &str = "kubernetes";
    let Some(fields) = namespace.as_map_mut() else {
        return;
    };
    let spec = fields.get_str("spec").and_then(Value::as_map);
    let mut spec = spec.cloned().unwrap_or_default();
    let finalizers = spec.get_str("finalizers").and_then(Value::as_list);
    let mut finalizers = finalizers.unwrap_or_default().to_vec();
    if !finalizers.iter().any(|it| it.as_str() == Some(FINALIZER)) {
        finalizers.push(Value::string(FINALIZER));
    }
    spec.set_str("finalizers", Value::list(finalizers));
    fields.set_str("spec", Value::Map(spec));
}

/// The warning about the deletion of a job without a propagation policy for its pods.
const PODS_STAY: &str = "child pods are preserved by default when jobs are deleted; set \
    propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this \
    warning";

/// Returns the warning of the strategy of the resource.
///
/// Upstream: kubernetes/kubernetes, pkg/registry/batch/job/storage/storage.go, Delete.
pub(super) fn warning(request: &Request) -> Option<String> {
    let resource = &request.resource;
    let names = (&*resource.group, &*resource.version, &*resource.plural);
    let is_deletion = request.operation == Operation::Delete && request.subresource.is_empty();
    let options = request.options.as_map();
    let is_set = |field: &str| options.is_some_and(|options| options.get_str(field).is_some());
    let has_policy = is_set("propagationPolicy") || is_set("orphanDependents");
    let is_warned = is_deletion && names == ("batch", "v1", "jobs") && !has_policy;
    is_warned.then(|| PODS_STAY.to_owned())
}

#[cfg(test)]
mod tests;
