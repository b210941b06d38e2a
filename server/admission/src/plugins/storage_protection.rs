//! The plugin StorageObjectInUseProtection: a new persistent volume and a new claim get the
//! finalizer that protects them while in use.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/storage/storageobjectinuseprotection/
//! admission.go.

use super::{Cluster, Notes, PluginResult};
use crate::create_defaults::metadata_mut;
use crate::request::{Operation, Request};
use cel::Value;

pub(super) fn admit(request: &mut Request, _: &Cluster<'_>, _: &mut Notes) -> PluginResult {
    let is_new = request.operation == Operation::Create && request.subresource.is_empty();
    if !is_new || !request.resource.group.is_empty() {
        return Ok(());
    }
    let Some(object) = &mut request.inputs.object else {
        return Ok(());
    };
    match request.resource.plural.as_str() {
        "persistentvolumeclaims" => add_finalizer(object, "kubernetes.io/pvc-protection"),
        "persistentvolumes" => add_finalizer(object, "kubernetes.io/pv-protection"),
        _ => {}
    }
    Ok(())
}

fn add_finalizer(object: &mut Value, name: &str) {
    let Some(fields) = metadata_mut(object) else {
        return;
    };
    let finalizers = fields.get_str("finalizers").and_then(Value::as_list);
    let mut finalizers = finalizers.unwrap_or_default().to_vec();
    if !finalizers.iter().any(|it| it.as_str() == Some(name)) {
        finalizers.push(Value::string(name));
        fields.set_str("finalizers", Value::list(finalizers));
    }
}
