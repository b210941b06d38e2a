//! The metadata of an object after the mutating policies: the object remains in its namespace and at
//! its version, and each kind has a format of names.
//!
//! The strategy of a kind validates the metadata of a new object, and the server validates it
//! again if nothing else is wrong. The metadata of an updated object is validated first for all
//! kinds and then by the strategy, so that an error is reported several times.
//!
//! Limit: subresources are not validated, and neither are names that other fields determine.
//!
//! Upstream: kubernetes/apiserver, pkg/registry/rest/create.go, BeforeCreate, update.go,
//! BeforeUpdate, and meta.go, EnsureObjectNamespaceMatchesRequestNamespace;
//! kubernetes/kubernetes, pkg/registry/*/*/strategy.go, Validate and ValidateUpdate.

use super::create_defaults::metadata_mut;
use super::fields::{get, list};
use super::request::{Operation, Request};
use cel::Value;
use kubernetes::metadata_field;
use kubernetes::openapi::{Catalog, Schema};
use kubernetes::quote::quote;
use kubernetes::versions::ServerVersion;
use kubernetes::versions::changes::SERVICE_NAMES_RELAXED;
use policy::field_error::{ErrorType, FieldError};
use policy::object_meta::{NameFormat, check, check_update};

/// How the strategy of a resource validates metadata.
#[derive(Clone, Copy)]
struct MetadataStrategy {
    /// The format of names. `None` if the strategy does not validate the metadata of a new object.
    names: Option<NameFormat>,
    /// How often an update validates the metadata as that of a new object.
    whole: usize,
    /// Whether an update validates the change.
    change: bool,
}

const fn strategy(names: NameFormat, whole: usize, change: bool) -> MetadataStrategy {
    MetadataStrategy {
        names: Some(names),
        whole,
        change,
    }
}

const UPDATE: MetadataStrategy = strategy(NameFormat::Subdomain, 0, true);
const BOTH: MetadataStrategy = strategy(NameFormat::Subdomain, 1, true);
const WHOLE: MetadataStrategy = strategy(NameFormat::Subdomain, 1, false);
const LABEL: MetadataStrategy = strategy(NameFormat::Label, 1, true);
const SEGMENT: MetadataStrategy = strategy(NameFormat::PathSegment, 1, true);
const NONE: MetadataStrategy = MetadataStrategy {
    names: None,
    whole: 0,
    change: false,
};

/// The strategies of the built-in resources, in the order of group and plural. The names of other
/// resources are DNS subdomains, and an update validates the change.
static STRATEGIES: &[(&str, &str, MetadataStrategy)] = &[
    ("", "configmaps", BOTH),
    ("", "endpoints", BOTH),
    ("", "events", NONE),
    ("", "limitranges", WHOLE),
    ("", "namespaces", LABEL),
    ("", "nodes", BOTH),
    ("", "persistentvolumeclaims", BOTH),
    (
        "",
        "persistentvolumes",
        strategy(NameFormat::Subdomain, 2, false),
    ),
    ("", "pods", BOTH),
    ("", "replicationcontrollers", BOTH),
    ("", "secrets", BOTH),
    ("", "serviceaccounts", BOTH),
    ("", "services", LABEL),
    (
        "admissionregistration.k8s.io",
        "mutatingadmissionpolicies",
        WHOLE,
    ),
    (
        "admissionregistration.k8s.io",
        "mutatingadmissionpolicybindings",
        WHOLE,
    ),
    (
        "admissionregistration.k8s.io",
        "mutatingwebhookconfigurations",
        WHOLE,
    ),
    (
        "admissionregistration.k8s.io",
        "validatingadmissionpolicies",
        WHOLE,
    ),
    (
        "admissionregistration.k8s.io",
        "validatingadmissionpolicybindings",
        WHOLE,
    ),
    (
        "admissionregistration.k8s.io",
        "validatingwebhookconfigurations",
        WHOLE,
    ),
    ("apiregistration.k8s.io", "apiservices", SEGMENT),
    ("apps", "controllerrevisions", BOTH),
    ("apps", "daemonsets", BOTH),
    ("apps", "replicasets", BOTH),
    ("apps", "statefulsets", strategy(NameFormat::Label, 0, true)),
    ("batch", "jobs", BOTH),
    ("certificates.k8s.io", "certificatesigningrequests", SEGMENT),
    ("certificates.k8s.io", "clustertrustbundles", SEGMENT),
    ("discovery.k8s.io", "endpointslices", WHOLE),
    ("networking.k8s.io", "ingressclasses", BOTH),
    ("networking.k8s.io", "ingresses", BOTH),
    ("networking.k8s.io", "ipaddresses", SEGMENT),
    ("networking.k8s.io", "networkpolicies", BOTH),
    ("policy", "poddisruptionbudgets", NONE),
    ("rbac.authorization.k8s.io", "clusterrolebindings", SEGMENT),
    ("rbac.authorization.k8s.io", "clusterroles", SEGMENT),
    ("rbac.authorization.k8s.io", "rolebindings", SEGMENT),
    ("rbac.authorization.k8s.io", "roles", SEGMENT),
    ("storage.k8s.io", "csidrivers", NONE),
    ("storage.k8s.io", "storageclasses", BOTH),
];

/// The message for an object whose namespace is not that of the request.
const OTHER_NAMESPACE: &str =
    "the namespace of the provided object does not match the namespace sent on the request";

/// The message for an object that is not the latest version.
const MODIFIED: &str = "the object has been modified; please apply your changes to the latest \
                        version and try again";

/// Limit: the name of a cron job, to which its jobs append eleven characters.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/batch/validation/validation.go,
/// ValidateCronJobCreate.
const CRON_JOB_NAME: usize = 52;

fn strategy_of(request: &Request, server: ServerVersion) -> MetadataStrategy {
    let names = (&*request.resource.group, &*request.resource.plural);
    let known = STRATEGIES.binary_search_by_key(&names, |(group, plural, _)| (*group, *plural));
    let known = known.ok().and_then(|place| STRATEGIES.get(place));
    let found = known.map_or(UPDATE, |(.., strategy)| *strategy);
    if names == ("", "services") && !SERVICE_NAMES_RELAXED.applies(server) {
        return strategy(NameFormat::Label1035, found.whole, found.change);
    }
    found
}

/// Why the server does not store an object: the status code, the reason and the message.
pub(super) type Misplaced = (u16, &'static str, String);

/// Keeps the object of a request in its namespace, and an update at the stored version. `before` is
/// the object before the policies.
///
/// # Errors
/// A policy has moved the object, or has changed its resource version.
///
/// Upstream: kubernetes/apiserver, pkg/registry/generic/registry/store.go, Update.
pub(super) fn keep_in_place(
    request: &mut Request,
    before: Option<&Value>,
) -> Result<(), Misplaced> {
    if objects(request).is_none() {
        return Ok(());
    }
    let Some(object) = &mut request.inputs.object else {
        return Ok(());
    };
    let version = |object| metadata_field(object, "resourceVersion");
    let (new, known) = (version(object), before.and_then(version));
    if request.operation == Operation::Update && new.is_some() && new != known {
        let (resource, name) = (request.resource.qualified(), quote(&request.name));
        let message = format!("Operation cannot be fulfilled on {resource} {name}: {MODIFIED}");
        return Err((409, "Conflict", message));
    }
    let is_cluster_scoped = request.resource.namespaced == Some(false);
    let expected = if is_cluster_scoped {
        ""
    } else {
        &*request.namespace
    };
    let namespace = metadata_field(object, "namespace").unwrap_or_default();
    if namespace == expected {
        return Ok(());
    }
    if !namespace.is_empty() && !expected.is_empty() {
        return Err((400, "BadRequest", OTHER_NAMESPACE.to_owned()));
    }
    let expected = (!expected.is_empty()).then(|| Value::string(expected));
    match (metadata_mut(object), expected) {
        (Some(metadata), Some(namespace)) => metadata.set_str("namespace", namespace),
        (Some(metadata), None) => drop(metadata.take_str("namespace")),
        (None, _) => {}
    }
    Ok(())
}

/// The objects of a request whose metadata is validated: the new one, and the old one of an update.
fn objects(request: &Request) -> Option<(&Value, Option<&Value>)> {
    let object = request.inputs.object.as_ref()?;
    let is_validated = request.fills_in && request.subresource.is_empty();
    match request.operation {
        Operation::Create if is_validated => Some((object, None)),
        Operation::Update if is_validated => Some((object, request.inputs.old_object.as_ref())),
        _ => None,
    }
}

/// Returns the errors that the server reports for every kind before those of its strategy.
pub(super) fn common_errors(request: &Request, server: ServerVersion) -> Vec<FieldError> {
    let Some((object, Some(old))) = objects(request) else {
        return Vec::new();
    };
    let mut errors = late_errors(request, server);
    errors.extend(check_update(object, old, server));
    errors
}

/// Returns the errors of the strategy of a kind without a definition.
pub(super) fn strategy_errors(
    request: &Request,
    kinds: &Catalog,
    server: ServerVersion,
) -> Vec<FieldError> {
    let Some((object, old)) = objects(request) else {
        return Vec::new();
    };
    let strategy = strategy_of(request, server);
    let namespaced = request.resource.namespaced;
    let finalizers = bare_finalizers(request, kinds, object);
    let with_finalizers = |errors: Vec<FieldError>| [errors, finalizers.clone()].concat();
    let names = strategy.names;
    let whole = names.map(|names| with_finalizers(check(object, names, namespaced, server)));
    let whole = whole.unwrap_or_default();
    let Some(old) = old else {
        let long = long_cron_job(request, object);
        return whole.into_iter().chain(long).collect();
    };
    let change = strategy.change;
    let change = change.then(|| with_finalizers(check_update(object, old, server)));
    let wholes = std::iter::repeat_n(whole, strategy.whole);
    wholes.chain(change).flatten().collect()
}

/// Returns the errors of an object in which the strategy of its kind has found none.
pub(super) fn late_errors(request: &Request, server: ServerVersion) -> Vec<FieldError> {
    let namespaced = request.resource.namespaced;
    let check = |(object, _)| check(object, NameFormat::PathSegment, namespaced, server);
    objects(request).map_or_else(Vec::new, check)
}

/// The finalizers that need no domain.
pub(super) const FINALIZERS: [&str; 3] = ["orphan", "foregroundDeletion", "kubernetes"];

/// The groups of built-in kinds whose finalizers need no domain.
const ANY_FINALIZERS: [&str; 2] = ["admissionregistration.k8s.io", "coordination.k8s.io"];

/// Returns the errors of finalizers without a domain, which built-in kinds require.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/core/validation/validation.go,
/// validateKubeFinalizerName.
fn bare_finalizers(request: &Request, kinds: &Catalog, object: &Value) -> Vec<FieldError> {
    let resource = &request.resource;
    let schema = kinds.schema(&resource.group, &resource.version, &resource.kind);
    let is_built_in = schema.is_some_and(Schema::is_built_in);
    if !is_built_in || ANY_FINALIZERS.contains(&&*resource.group) {
        return Vec::new();
    }
    let finalizers = get(object, "metadata").map_or(&[][..], |it| list(it, "finalizers"));
    let finalizers = finalizers.iter().filter_map(Value::as_str).enumerate();
    let bare = finalizers.filter(|(_, name)| !name.contains('/') && !FINALIZERS.contains(name));
    let error = |(index, name)| {
        let field = format!("metadata.finalizers[{index}]");
        let detail = "name is neither a standard finalizer name nor is it fully qualified";
        FieldError::new(field, ErrorType::Invalid, Some(quote(name)), detail)
    };
    bare.map(error).collect()
}

fn long_cron_job(request: &Request, object: &Value) -> Option<FieldError> {
    let name = metadata_field(object, "name").unwrap_or_default();
    let is_long = request.resource.plural == "cronjobs" && name.len() > CRON_JOB_NAME;
    is_long.then(|| {
        let name = Some(quote(name));
        let detail = format!("must be no more than {CRON_JOB_NAME} characters");
        FieldError::new(
            "metadata.name".to_owned(),
            ErrorType::Invalid,
            name,
            &detail,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::STRATEGIES;

    #[test]
    fn the_strategies_are_in_the_order_in_which_they_are_searched() {
        let names = STRATEGIES.iter().map(|(group, plural, _)| (group, plural));
        assert!(names.is_sorted());
    }
}
