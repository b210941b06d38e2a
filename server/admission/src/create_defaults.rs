//! The fields that the server sets before the mutating policies: the field manager, and those that
//! a changed object keeps from the old one.
//!
//! The rest is set [before the validating policies](super::strategy). The server uses the clock
//! and random numbers; here everything is fixed, so that an evaluation
//! always has the same result.
//!
//! Upstream: kubernetes/apiserver, pkg/registry/rest/create.go, FillObjectMetaSystemFields;
//! pkg/endpoints/handlers/create.go and update.go.

use super::request::{MANAGER, Operation, Request};
use crate::map::map;
use cel::Value;
use cel::value::Map;
use kubernetes::defaults::{self, key_text};

/// An example of the suffix that the server adds to `generateName`.
pub(super) const GENERATED: &str = "x7k2p";

/// An identity.
pub(super) const UID: &str = "6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36";

/// A time.
pub(super) const TIME: &str = "2024-01-01T00:00:00Z";

/// The resource version of a stored object.
pub(super) const RESOURCE_VERSION: &str = "5731";

impl Request {
    /// Adds the fields that the server sets itself, unless they are set: in a new object
    /// `managedFields`, and before the validating policies also a name from `generateName`, `uid`,
    /// `creationTimestamp`, `generation` and the status; in an old object everything that the
    /// server stores; in a changed object the fields of the old one.
    pub fn fill_in(&mut self) {
        if self.operation == Operation::Connect {
            return;
        }
        self.fills_in = true;
        let objects = [&mut self.inputs.object, &mut self.inputs.old_object];
        objects
            .into_iter()
            .flatten()
            .for_each(defaults::normalize_for_admission);
        if self.operation == Operation::Create && self.subresource.is_empty() {
            self.set_managed_fields();
        }
    }

    /// Records the manager of the object's fields.
    pub(super) fn set_managed_fields(&mut self) {
        let Some(object) = &mut self.inputs.object else {
            return;
        };
        let fields = object.as_map().filter(|object| has_managed_fields(object));
        let api_version = fields.and_then(|object| object.get_str("apiVersion"));
        let Some(api_version) = api_version.cloned() else {
            return;
        };
        let entry = || {
            map([
                ("manager", Value::string(MANAGER)),
                ("operation", Value::string("Update")),
                ("apiVersion", api_version),
                ("time", Value::string(TIME)),
                ("fieldsType", Value::string("FieldsV1")),
                ("fieldsV1", Value::Map(Map::default())),
            ])
        };
        if let Some(fields) = metadata_mut(object) {
            default(fields, "managedFields", || Value::list(vec![entry()]));
        }
    }

    /// Gives objects without a namespace that of the request. A cluster-scoped object has none.
    ///
    /// Upstream: kubernetes/apiserver, pkg/registry/rest/meta.go,
    /// EnsureObjectNamespaceMatchesRequestNamespace.
    pub(super) fn match_namespace(&mut self) {
        const FIELD: &str = "namespace";
        let is_namespaced = self.resource.namespaced != Some(false);
        let objects = [&mut self.inputs.object, &mut self.inputs.old_object];
        for object in objects.into_iter().flatten().filter(|_| self.fills_in) {
            let has_one = kubernetes::metadata_field(object, FIELD).is_some();
            let is_wanted = is_namespaced && !self.namespace.is_empty();
            match metadata_mut(object).filter(|_| has_one != is_wanted) {
                Some(fields) if is_wanted => {
                    fields.set_str(FIELD, Value::string(self.namespace.as_str()));
                }
                Some(fields) if !is_namespaced => {
                    fields.take_str(FIELD);
                }
                _ => {}
            }
        }
    }

    /// Keeps the identity of an updated object.
    pub(super) fn keep_identity(&mut self) {
        let old = self.inputs.old_object.as_ref();
        let old = old.and_then(|old| old.as_map()?.get_str("metadata")?.as_map());
        let Some(old) = old.cloned() else { return };
        if let Some(fields) = self.inputs.object.as_mut().and_then(metadata_mut) {
            for field in [
                "uid",
                "creationTimestamp",
                "resourceVersion",
                "managedFields",
            ] {
                if let Some(value) = old.get_str(field) {
                    default(fields, field, || value.clone());
                }
            }
        }
    }
}

/// The metadata without a manager.
///
/// Upstream: kubernetes/apimachinery, pkg/util/managedfields/internal/stripmeta.go.
const UNMANAGED: [&str; 8] = [
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "generation",
    "managedFields",
    "resourceVersion",
];

/// Returns whether an object has a field that its writer owns.
fn has_managed_fields(object: &Map) -> bool {
    object.iter().any(|(key, value)| match key_text(key) {
        Some("apiVersion" | "kind") => false,
        Some("metadata") => {
            let metadata = value.as_map().into_iter().flat_map(Map::iter);
            let mut names = metadata.map(|(key, _)| key_text(key));
            names.any(|name| name.is_none_or(|name| !UNMANAGED.contains(&name)))
        }
        _ => is_set(value),
    })
}

/// Returns whether a value is more than an empty object.
fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Map(map) => map.iter().any(|(_, value)| is_set(value)),
        _ => true,
    }
}

/// Sets the UID of an object and its creation timestamp.
pub(super) fn fill_identity(fields: &mut Map) {
    default(fields, "uid", || Value::string(UID));
    default(fields, "creationTimestamp", || Value::string(TIME));
}

/// Limit: the characters of `generateName` that the server keeps.
///
/// Upstream: kubernetes/apiserver, pkg/storage/names/generate.go, maxGeneratedNameLength.
pub(super) const MAX_PREFIX: usize = 58;

/// Returns the metadata of an object, created if it is missing.
pub(super) fn metadata_mut(object: &mut Value) -> Option<&mut Map> {
    let fields = object.as_map_mut()?;
    if fields.get_str("metadata").is_none() {
        fields.set_str("metadata", Value::Map(Map::default()));
    }
    fields.get_str_mut("metadata")?.as_map_mut()
}

/// Sets a field that has no value.
pub(super) fn default(fields: &mut Map, field: &str, value: impl FnOnce() -> Value) {
    if fields
        .get_str(field)
        .is_none_or(|it| matches!(it, Value::Null))
    {
        fields.set_str(field, value());
    }
}
