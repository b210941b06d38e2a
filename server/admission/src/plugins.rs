//! The built-in admission plugins that need nothing but manifests, in the order of the server.
//!
//! A policy sees an object after the plugins that change it, and a plugin that rejects a request
//! hides the validating policies. So they take part as far as the objects that they read are known;
//! what is unknown is never guessed.
//!
//! Upstream: kubernetes/kubernetes, pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins and
//! DefaultOffAdmissionPlugins.

mod class_defaults;
mod default_tolerations;
mod limit_ranger;
mod namespace_lifecycle;
mod node_taint;
mod pod_security;
mod priority;
mod runtime_class;
mod service_account;
mod storage_protection;

use super::objects::Objects;
use super::request::Request;
use cel::Value;
use cel::value::Map;
use kubernetes::{ServerVersion, metadata_field};
use policy::field_error::FieldError;

/// The kinds of the objects that plugins read.
pub const PLUGIN_KINDS: [(&str, &str); 7] = [
    ("v1", "LimitRange"),
    ("v1", "Namespace"),
    ("v1", "ServiceAccount"),
    ("networking.k8s.io/v1", "IngressClass"),
    ("node.k8s.io/v1", "RuntimeClass"),
    ("scheduling.k8s.io/v1", "PriorityClass"),
    ("storage.k8s.io/v1", "StorageClass"),
];

/// An object that every cluster has, for kinds that have one: in a dump of all objects of the kind.
const ALWAYS: [(&str, &str); 3] = [
    ("Namespace", "kube-system"),
    ("ServiceAccount", "default"),
    ("PriorityClass", "system-node-critical"),
];

/// The state of the server that plugins read.
#[derive(Clone, Copy)]
pub(super) struct Cluster<'a> {
    pub(super) objects: &'a Objects,
    pub(super) server: ServerVersion,
    /// Whether an object that is missing does not exist.
    pub(super) is_complete: bool,
    /// Whether pods get a service account.
    pub(super) has_service_accounts: bool,
}

/// Why a plugin rejects a request.
pub(super) enum Refusal {
    /// 403, with the reason.
    Forbidden(String),
    /// 404: the resource and the name that do not exist.
    NotFound(&'static str, String),
    /// 422, with the errors.
    Invalid(Vec<FieldError>),
}

/// The reports of plugins besides their decision.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) warnings: Vec<String>,
    /// Keys and values.
    pub(super) audit_annotations: Vec<(String, String)>,
    /// The kinds of the objects that are named but missing, and assumed to exist.
    pub(super) assumed: Vec<&'static str>,
}

type PluginResult = Result<(), Refusal>;

/// A plugin: its name, and what it does.
type Plugin<F> = (&'static str, F);
type Mutating = fn(&mut Request, &Cluster<'_>, &mut Notes) -> PluginResult;
type Validating = fn(&Request, &Cluster<'_>, &mut Notes) -> PluginResult;

/// The plugins that run before the mutating policies.
const MUTATING: [Plugin<Mutating>; 10] = [
    ("NamespaceLifecycle", namespace_lifecycle::admit),
    ("LimitRanger", limit_ranger::admit),
    ("ServiceAccount", service_account::admit),
    ("TaintNodesByCondition", node_taint::admit),
    ("Priority", priority::admit),
    ("DefaultTolerationSeconds", default_tolerations::admit),
    ("DefaultStorageClass", class_defaults::storage_class),
    ("StorageObjectInUseProtection", storage_protection::admit),
    ("RuntimeClass", runtime_class::admit),
    ("DefaultIngressClass", class_defaults::ingress_class),
];

/// The plugins that run before the validating policies.
const VALIDATING: [Plugin<Validating>; 3] = [
    ("LimitRanger", limit_ranger::validate),
    ("PodSecurity", pod_security::validate),
    ("RuntimeClass", runtime_class::validate),
];

/// Applies the plugins that change an object.
///
/// # Errors
/// The first plugin that rejects the request, and why.
pub(super) fn admit(
    request: &mut Request,
    cluster: &Cluster<'_>,
    notes: &mut Notes,
) -> Result<(), (&'static str, Refusal)> {
    let mut plugins = MUTATING.into_iter();
    plugins.try_for_each(|(name, admit)| {
        admit(request, cluster, notes).map_err(|refusal| (name, refusal))
    })
}

/// Completes an object that the plugins admitted when it was created, even if one of them would
/// reject it now.
pub(super) fn complete(request: &mut Request, cluster: &Cluster<'_>) {
    for (_, admit) in MUTATING {
        let _ = admit(request, cluster, &mut Notes::default());
    }
}

/// Validates an object by the plugins, after all mutations.
///
/// # Errors
/// The first plugin that rejects the request, and why.
pub(super) fn validate(
    request: &Request,
    cluster: &Cluster<'_>,
    notes: &mut Notes,
) -> Result<(), (&'static str, Refusal)> {
    let mut plugins = VALIDATING.into_iter();
    plugins.try_for_each(|(name, validate)| {
        validate(request, cluster, notes).map_err(|refusal| (name, refusal))
    })
}

impl<'a> Cluster<'a> {
    /// Returns an object of a kind that a pod names. `None` if it is missing, but may exist.
    ///
    /// # Errors
    /// It does not exist: every object of its kind is known.
    fn named(
        &self,
        kind: (&str, &'static str),
        (namespace, name): (&str, &str),
        notes: &mut Notes,
    ) -> Result<Option<&'a Value>, ()> {
        let found = self.objects.find(kind, namespace, name);
        if found.is_none() && self.knows_all(kind, namespace) {
            return Err(());
        }
        if found.is_none() && !ALWAYS.contains(&(kind.1, name)) {
            notes.assumed.push(kind.1);
        }
        Ok(found)
    }

    /// Returns whether every object of a kind in a namespace is known. A dump of a cluster contains
    /// those that every cluster has, with the version in which they are stored.
    fn knows_all(&self, kind: (&str, &str), namespace: &str) -> bool {
        let always = ALWAYS.iter().find(|(of, _)| *of == kind.1);
        let stored = always.and_then(|(_, name)| self.objects.find(kind, namespace, name));
        self.is_complete || stored.is_some_and(|it| metadata_field(it, "resourceVersion").is_some())
    }
}

fn spec_mut(object: &mut Value) -> Option<&mut Map> {
    object.as_map_mut()?.get_str_mut("spec")?.as_map_mut()
}
