//! The built-in admission plugins that need nothing but manifests, in the order of the server.
//!
//! A policy sees an object after the plugins that change it.
//!
//! Upstream: kubernetes/kubernetes, pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins and
//! DefaultOffAdmissionPlugins.

mod default_tolerations;
mod node_taint;
mod priority;
mod service_account;
mod storage_protection;

use super::request::Request;
use cel::Value;

/// Applies the plugins to the object of a request. `before` is the object before the policies, if
/// they have run.
///
/// # Errors
/// A plugin denies the request; why.
pub(super) fn admit(
    request: &mut Request,
    objects: &[Value],
    has_service_accounts: bool,
    before: Option<&Value>,
) -> Result<(), String> {
    if has_service_accounts {
        service_account::complete(request, objects);
    }
    node_taint::admit(request);
    let before = before.map(|before| priority::class_name(Some(before)));
    priority::prioritize(request, objects, before)?;
    default_tolerations::admit(request);
    storage_protection::admit(request);
    Ok(())
}
