//! The plugin PodSecurity: the labels of a namespace require its pods to meet the Pod Security
//! Standards, or give warnings and audit annotations if they do not. A workload only gives those.
//!
//! Limit: the exemptions and defaults in the configuration of the server are unknown. A change of
//! the labels does not check existing pods.
//!
//! Upstream: kubernetes/pod-security-admission, admission/admission.go.

mod checks;
mod labels;

use super::{Cluster, Notes, PluginResult, Refusal};
use crate::fields::{get, list, text};
use crate::request::{Operation, Request};
use cel::Value;
use checks::Pod;
use kubernetes::quote::quote;
use labels::{Policy, Standard};

/// The prefix of the keys of audit annotations.
const PREFIX: &str = "pod-security.kubernetes.io/";

/// The resources whose objects contain the template of a pod.
const WORKLOADS: [(&str, &str); 8] = [
    ("", "podtemplates"),
    ("", "replicationcontrollers"),
    ("apps", "daemonsets"),
    ("apps", "deployments"),
    ("apps", "replicasets"),
    ("apps", "statefulsets"),
    ("batch", "cronjobs"),
    ("batch", "jobs"),
];

/// The subresources of pods that do not change the specification.
const IGNORED: [&str; 8] = [
    "attach",
    "binding",
    "eviction",
    "exec",
    "log",
    "portforward",
    "proxy",
    "status",
];

pub(super) fn validate(
    request: &Request,
    cluster: &Cluster<'_>,
    notes: &mut Notes,
) -> PluginResult {
    let resource = (&*request.resource.group, &*request.resource.plural);
    let is_written = matches!(request.operation, Operation::Create | Operation::Update);
    let Some(object) = request.inputs.object.as_ref().filter(|_| is_written) else {
        return Ok(());
    };
    let below = &*request.subresource;
    if request.is_namespace() {
        return check_labels(request);
    }
    let is_pod = resource == ("", "pods");
    let pod = if is_pod && !IGNORED.contains(&below) && is_significant(request, object) {
        Some(object)
    } else if below.is_empty() && WORKLOADS.contains(&resource) {
        template(object)
    } else {
        None
    };
    let spec = pod.and_then(|pod| get(pod, "spec"));
    let policy = Policy::read(request.inputs.namespace_object.as_ref());
    let (Some(spec), Some(pod), false) = (spec, pod, policy.is_privileged()) else {
        return Ok(());
    };
    let pod = Pod::new(pod, spec, cluster.server);
    evaluate(&policy, &pod, is_pod, notes)
}

fn evaluate(policy: &Policy, pod: &Pod<'_>, is_enforced: bool, notes: &mut Notes) -> PluginResult {
    let violated = |standard: Standard, words: &str| {
        let details = checks::violations(standard, pod)?;
        let standard = quote(&standard.to_string());
        Some(format!("{words} PodSecurity {standard}: {details}"))
    };
    let mut annotate = |key: &str, value: String| {
        notes
            .audit_annotations
            .push((format!("{PREFIX}{key}"), value));
    };
    if !policy.errors.is_empty() {
        let errors = policy
            .errors
            .iter()
            .map(|it| format!("{}: {}", it.field, it.message));
        let errors = match errors.collect::<Vec<_>>().as_slice() {
            [one] => one.clone(),
            all => format!("[{}]", all.join(", ")),
        };
        annotate("error", format!("Failed to parse policy: {errors}"));
    }
    let denial = violated(policy.enforce, "violates").filter(|_| is_enforced);
    if is_enforced {
        annotate("enforce-policy", policy.enforce.to_string());
    }
    if let Some(violation) = violated(policy.audit, "would violate") {
        annotate("audit-violations", violation);
    }
    if let Some(message) = denial {
        return Err(Refusal::Forbidden(message));
    }
    notes
        .warnings
        .extend(violated(policy.warn, "would violate"));
    Ok(())
}

/// Checks the labels of a namespace.
fn check_labels(request: &Request) -> PluginResult {
    let errors = Policy::read(request.inputs.object.as_ref()).errors;
    let before = Policy::read(request.inputs.old_object.as_ref()).errors;
    if errors.is_empty() || errors == before || !request.subresource.is_empty() {
        return Ok(());
    }
    Err(Refusal::Invalid(errors))
}

/// Returns the template of the pods of a workload: that of a cron job is in the one of its jobs.
fn template(object: &Value) -> Option<&Value> {
    let spec = get(object, "spec");
    let of_job = spec.and_then(|spec| get(get(spec, "jobTemplate")?, "spec"));
    get(of_job.or(spec).unwrap_or(object), "template")
}

/// Returns whether the request creates a pod, adds a container or changes an image.
///
/// Upstream: kubernetes/pod-security-admission, admission/admission.go, isSignificantPodUpdate.
fn is_significant(request: &Request, pod: &Value) -> bool {
    let old = request
        .inputs
        .old_object
        .as_ref()
        .and_then(|old| get(old, "spec"));
    let (Some(old), Some(new)) = (old, get(pod, "spec")) else {
        return true;
    };
    let is_changed = |field: &str| {
        let images = |spec| list(spec, field).iter().map(|it| text(it, "image"));
        images(new).ne(images(old))
    };
    let added = list(new, "ephemeralContainers").iter().any(|container| {
        let mut known = list(old, "ephemeralContainers").iter();
        let known = known.find(|it| text(it, "name") == text(container, "name"));
        known.is_none_or(|it| text(it, "image") != text(container, "image"))
    });
    added
        || ["containers", "initContainers"]
            .iter()
            .any(|field| is_changed(field))
}
