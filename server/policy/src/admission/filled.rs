//! What the server fills in before admission: a name, an identity, a time.
//!
//! The server takes the clock and chance; here everything is fixed, so that an evaluation
//! always gives the same.
//!
//! Upstream: kubernetes/apiserver, pkg/registry/rest/create.go, FillObjectMetaSystemFields;
//! pkg/endpoints/handlers/create.go and update.go.

use super::map;
use super::request::{Operation, Request, metadata};
use cel::Value;
use cel::value::Map;

/// What the server puts behind `generateName`, such as this.
const GENERATED: &str = "x7k2p";

/// An identity.
const UID: &str = "6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36";

/// A time.
const TIME: &str = "2024-01-01T00:00:00Z";

/// The version of an object that nobody has changed.
const RESOURCE_VERSION: &str = "1";

/// Who writes.
const MANAGER: &str = "kubectl-create";

impl Request {
    /// Fills in what the server does before admission, unless it is there: on CREATE a name
    /// of `generateName`, `uid`, `creationTimestamp` and `managedFields`; on UPDATE what the
    /// old object has of them, and `resourceVersion`.
    pub fn fill_in(&mut self) {
        if !self.subresource.is_empty() {
            return;
        }
        match self.operation {
            Operation::Create => {
                self.generate_name();
                let (api_version, managed) = self.managed_fields();
                if let Some(fields) = metadata_mut(&mut self.inputs.object) {
                    default(fields, "uid", || Value::string(UID));
                    default(fields, "creationTimestamp", || Value::string(TIME));
                    if !api_version.is_empty() {
                        default(fields, "managedFields", || managed);
                    }
                }
            }
            Operation::Update => {
                if let Some(fields) = metadata_mut(&mut self.inputs.old_object) {
                    default(fields, "uid", || Value::string(UID));
                    default(fields, "creationTimestamp", || Value::string(TIME));
                    default(fields, "resourceVersion", || {
                        Value::string(RESOURCE_VERSION)
                    });
                }
                self.keep_identity();
            }
            Operation::Delete | Operation::Connect => {}
        }
    }

    fn generate_name(&mut self) {
        let Some(object) = &mut self.inputs.object else {
            return;
        };
        let prefix = metadata(object, "generateName").unwrap_or_default();
        if !self.name.is_empty() || prefix.is_empty() {
            return;
        }
        self.name = format!("{prefix}{GENERATED}");
        let name = Value::string(self.name.as_str());
        if let Some(fields) = metadata_mut(&mut self.inputs.object) {
            fields.set_str("name", name);
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
        if let Some(fields) = metadata_mut(&mut self.inputs.object) {
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

fn metadata_mut(object: &mut Option<Value>) -> Option<&mut Map> {
    let fields = object.as_mut()?.as_map_mut()?;
    if fields.get_str("metadata").is_none() {
        fields.set_str("metadata", Value::Map(Map::default()));
    }
    fields.get_str_mut("metadata")?.as_map_mut()
}

fn default(fields: &mut Map, field: &str, value: impl FnOnce() -> Value) {
    if fields
        .get_str(field)
        .is_none_or(|it| matches!(it, Value::Null))
    {
        fields.set_str(field, value());
    }
}
