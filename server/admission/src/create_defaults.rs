//! The fields that the server sets before the mutating policies: the field manager, and those
//! of the old object.
//!
//! The rest is set [before the validating policies](super::strategy). The server uses the clock
//! and random numbers; here everything is fixed, so that an evaluation
//! always has the same result.
//!
//! Upstream: kubernetes/apiserver, pkg/registry/rest/create.go, FillObjectMetaSystemFields;
//! pkg/endpoints/handlers/create.go and update.go.

use super::request::{Operation, Request};
use crate::map::map;
use cel::Value;
use cel::value::Map;
use kubernetes::defaults;

/// An example of the suffix that the server adds to `generateName`.
pub(super) const GENERATED: &str = "x7k2p";

/// An identity.
pub(super) const UID: &str = "6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36";

/// A time.
pub(super) const TIME: &str = "2024-01-01T00:00:00Z";

/// The resource version of an unchanged object.
const RESOURCE_VERSION: &str = "1";

/// Who writes.
const MANAGER: &str = "kubectl-create";

impl Request {
    /// Fills in what the server does before admission, unless it is there: on CREATE
    /// `managedFields`, and before the validating policies also a name of `generateName`,
    /// `uid`, `creationTimestamp`, `generation` and the status; on UPDATE what the old object
    /// has of them, and `resourceVersion`.
    pub fn fill_in(&mut self) {
        if !self.subresource.is_empty() {
            return;
        }
        self.fills_in = true;
        let objects = [&mut self.inputs.object, &mut self.inputs.old_object];
        objects.into_iter().flatten().for_each(defaults::settle);
        match self.operation {
            Operation::Create => {
                let (api_version, managed) = self.managed_fields();
                if let Some(fields) = self.inputs.object.as_mut().and_then(metadata_mut)
                    && !api_version.is_empty()
                {
                    default(fields, "managedFields", || managed);
                }
            }
            Operation::Update => {
                if let Some(fields) = self.inputs.old_object.as_mut().and_then(metadata_mut) {
                    fill_identity(fields);
                    default(fields, "resourceVersion", || {
                        Value::string(RESOURCE_VERSION)
                    });
                }
                self.keep_identity();
            }
            Operation::Delete | Operation::Connect => {}
        }
    }

    /// The version of the object, and who has written it.
    fn managed_fields(&self) -> (String, Value) {
        let object = self.inputs.object.as_ref();
        let api_version =
            object.and_then(|object| object.as_map()?.get_str("apiVersion")?.as_str());
        let api_version = api_version.unwrap_or_default().to_owned();
        let entry = map([
            ("manager", Value::string(MANAGER)),
            ("operation", Value::string("Update")),
            ("apiVersion", Value::string(api_version.as_str())),
            ("time", Value::string(TIME)),
            ("fieldsType", Value::string("FieldsV1")),
            ("fieldsV1", Value::Map(Map::default())),
        ]);
        (api_version, Value::list(vec![entry]))
    }

    /// An object stays the same one when it is updated.
    fn keep_identity(&mut self) {
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

/// Sets the UID of an object and its creation timestamp.
pub(super) fn fill_identity(fields: &mut Map) {
    default(fields, "uid", || Value::string(UID));
    default(fields, "creationTimestamp", || Value::string(TIME));
}

/// The metadata of an object, made where there is none.
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
