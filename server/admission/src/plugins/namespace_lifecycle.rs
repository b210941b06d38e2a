//! The plugin NamespaceLifecycle: objects are only created in namespaces that exist and are not
//! being deleted, and some namespaces are never deleted.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/namespace/lifecycle/admission.go, Admit.

use super::{Cluster, Notes, PluginResult, Refusal};
use crate::fields::{get, text};
use crate::request::{Operation, Request};

/// The namespaces that are never deleted.
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];

/// Reviews are created in any namespace, so that they do not reveal which ones exist.
const REVIEWS: (&str, &str) = ("authorization.k8s.io", "localsubjectaccessreviews");

pub(super) fn admit(request: &mut Request, cluster: &Cluster<'_>, _: &mut Notes) -> PluginResult {
    let resource = (&*request.resource.group, &*request.resource.plural);
    if request.is_namespace() {
        let is_deletion = request.operation == Operation::Delete && request.subresource.is_empty();
        if is_deletion && IMMORTAL.contains(&&*request.name) {
            return Err(Refusal::Forbidden(
                "this namespace may not be deleted".to_owned(),
            ));
        }
        return Ok(());
    }
    let name = &request.namespace;
    if request.operation != Operation::Create || name.is_empty() || resource == REVIEWS {
        return Ok(());
    }
    match &request.inputs.namespace_object {
        None if cluster.knows_all(("v1", "Namespace"), "") => {
            Err(Refusal::NotFound("namespaces", name.clone()))
        }
        Some(namespace)
            if get(namespace, "status").is_some_and(|it| text(it, "phase") == "Terminating") =>
        {
            Err(Refusal::Forbidden(format!(
                "unable to create new content in namespace {name} because it is being terminated"
            )))
        }
        _ => Ok(()),
    }
}
