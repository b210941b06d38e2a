//! The specification of a certificate request: it names the user who creates it, and never
//! changes.
//!
//! Upstream: kubernetes/kubernetes, pkg/registry/certificates/certificates/strategy.go,
//! PrepareForCreate and PrepareForUpdate.

use crate::user::UserInfo;
use cel::Value;
use cel::value::Map;
use kubernetes::defaults::key_text;

/// The fields that the server sets.
const OWN: [&str; 4] = ["username", "uid", "groups", "extra"];

/// Writes the user into a new request.
pub(super) fn identify(object: &mut Value, user: &UserInfo) {
    let Some(spec) = spec_mut(object) else {
        return;
    };
    spec.retain(|key, _| key_text(key).is_none_or(|key| !OWN.contains(&key)));
    let user = user.variable();
    for (key, value) in user.as_map().into_iter().flat_map(Map::iter) {
        if let Some(key) = key_text(key) {
            spec.set_str(key, value.clone());
        }
    }
}

/// Restores the specification of a request that is changed.
pub(super) fn keep(object: &mut Value, old: &Value) {
    let spec = old.as_map().and_then(|old| old.get_str("spec"));
    if let (Some(fields), Some(spec)) = (object.as_map_mut(), spec) {
        fields.set_str("spec", spec.clone());
    }
}

fn spec_mut(object: &mut Value) -> Option<&mut Map> {
    object.as_map_mut()?.get_str_mut("spec")?.as_map_mut()
}
