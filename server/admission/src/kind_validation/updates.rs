//! The rules for updates that compare large parts of an object, by the names that rows use.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/core/validation/validation.go, ValidatePodUpdate,
//! ValidatePersistentVolumeUpdate and ValidatePersistentVolumeClaimUpdate;
//! kubernetes/apimachinery, pkg/util/diff/diff.go.

use super::internal_json::internal_value;
use super::pass::{Pass, Place};
use crate::fields::{get, list, plain, text};
use crate::strategy::is_same;
use cel::Value;
use cel::value::Map;
use kubernetes::Quantity;
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::ser::{PrettyFormatter, Serializer};
use similar::TextDiff;
use std::cmp::Ordering;

/// Limit: the lines around a difference.
const CONTEXT: usize = 3;

/// Checks that an update of a pod changes only what it may.
pub(super) fn pod_unchanged(pass: &mut Pass, place: &Place<'_>) {
    let (Some(spec), Some(old)) = (place.value, place.old) else {
        return;
    };
    let mut kept = spec.clone();
    for field in ["containers", "initContainers"] {
        let before = list(old, field);
        if list(spec, field).len() != before.len() {
            let detail = "pod updates may not add or remove containers";
            return pass.within(&[".", field], |pass| pass.forbid(detail));
        }
        let containers = part(&mut kept, field).and_then(Value::as_list_mut);
        for (container, before) in containers.into_iter().flatten().zip(before) {
            keep(container, before, "image");
        }
    }
    for field in ["activeDeadlineSeconds", "tolerations"] {
        keep(&mut kept, old, field);
    }
    let grace = |spec| get(spec, "terminationGracePeriodSeconds").and_then(Value::as_int);
    if grace(old).is_some_and(|it| it < 0) && grace(spec) == Some(1) {
        keep(&mut kept, old, "terminationGracePeriodSeconds");
    }
    forbid_change(pass, place, [Some(old), Some(&kept)], "PodSpec");
}

/// Checks that an update of a volume keeps its source.
pub(super) fn source_unchanged(pass: &mut Pass, place: &Place<'_>) {
    let values = [place.old, place.value];
    pass.within(&[".persistentvolumesource"], |pass| {
        forbid_change(pass, place, values, "PersistentVolumeSource");
    });
}

/// Checks that an update of a claim changes only what it may.
pub(super) fn claim_unchanged(pass: &mut Pass, place: &Place<'_>) {
    let (Some(spec), Some(old)) = (place.value, place.old) else {
        return;
    };
    let mut kept = spec.clone();
    for field in ["volumeName", "storageClassName"] {
        if text(old, field).is_empty() {
            keep(&mut kept, old, field);
        }
    }
    if place.scope.find("status.phase").map(plain).as_deref() == Some("Bound") {
        keep(&mut kept, old, "volumeAttributesClassName");
        let requests = |spec| get(get(spec, "resources")?, "requests");
        let kept = part(&mut kept, "resources").and_then(|it| part(it, "requests"));
        if let Some((kept, old)) = kept.zip(requests(old)) {
            keep(kept, old, "storage");
        }
    }
    let values = [Some(old), Some(&kept)];
    forbid_change(pass, place, values, "PersistentVolumeClaimSpec");
    let size = |path| place.scope.find(path).map_or("0".into(), plain);
    let new = size("spec.resources.requests.storage");
    let old = size("@spec.resources.requests.storage");
    let stored = size("@status.capacity.storage");
    let is_stored = Quantity::order(&new, &stored) != Some(Ordering::Greater);
    if is_stored && Quantity::order(&new, &old) == Some(Ordering::Less) {
        pass.within(&[".resources.requests.storage"], |pass| {
            let detail = "field can not be less than status.capacity";
            pass.forbid(detail);
        });
    }
}

/// Adds an error with the difference between two values of a type, the old one first.
fn forbid_change(pass: &mut Pass, place: &Place<'_>, values: [Option<&Value>; 2], ty: &str) {
    let json = values.map(|value| internal_value(ty, value));
    let [old, new] = values.map(|it| it.unwrap_or(&Value::Null));
    let [old_json, new_json] = &json;
    if is_same(old, new) || old_json == new_json {
        return;
    }
    let [old, new] = json.map(|json| lines(&json));
    let difference = TextDiff::from_lines(&old, &new);
    let difference = difference
        .unified_diff()
        .context_radius(CONTEXT)
        .to_string();
    let detail = format!("{}\n{difference}", place.rule.detail);
    pass.forbid(&detail);
}

/// Returns JSON with one field a line. Writing to memory does not fail.
fn lines(json: &Json) -> String {
    let mut bytes = Vec::new();
    let format = PrettyFormatter::with_indent(b" ");
    let _ = json.serialize(&mut Serializer::with_formatter(&mut bytes, format));
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap_or_default()
}

fn part<'a>(value: &'a mut Value, field: &str) -> Option<&'a mut Value> {
    value.as_map_mut()?.get_str_mut(field)
}

/// Sets a field of an object to that of the old one.
fn keep(object: &mut Value, old: &Value, field: &str) {
    let Some(fields) = object.as_map_mut() else {
        return;
    };
    match get(old, field) {
        Some(value) => fields.set_str(field, value.clone()),
        None => {
            fields.take_str(field);
        }
    }
}

/// Returns a value without the fields at these paths, which lead through every element of a list.
pub(super) fn without(value: Option<&Value>, paths: &[&str]) -> Value {
    let mut value = value.cloned().unwrap_or(Value::Null);
    paths.iter().for_each(|path| remove(&mut value, path));
    value
}

/// Removes a field, in every element of a list, and the object that is empty without it.
fn remove(value: &mut Value, path: &str) {
    if let Some(list) = value.as_list_mut() {
        return list.iter_mut().for_each(|it| remove(it, path));
    }
    let Some(fields) = value.as_map_mut() else {
        return;
    };
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let inner = fields.get_str_mut(name).filter(|_| !rest.is_empty());
    let is_kept = inner.is_some_and(|inner| {
        remove(inner, rest);
        !inner.as_map().is_some_and(Map::is_empty)
    });
    if !is_kept {
        fields.take_str(name);
    }
}
