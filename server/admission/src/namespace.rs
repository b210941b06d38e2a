//! The variable `namespaceObject`.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/condition.go,
//! CreateNamespaceObject.

use crate::map::map;
use cel::Value;
use cel::types::Type;
use cel::value::{EvalError, EvalErrorKind, Key, Map, Opaque};
use kubernetes::names::NAMESPACE_NAME;
use std::sync::Arc;

/// Why a result is unknown if it depends on a namespace of which only the name is known.
pub const UNKNOWN_NAMESPACE: &str =
    "only the name of its namespace is known; add the Namespace to the files";

/// The fields of `namespaceObject`: without `apiVersion`, `kind` and `managedFields`.
const FIELDS: [&str; 3] = ["metadata", "spec", "status"];

/// The fields of its metadata.
const METADATA: [&str; 12] = [
    "annotations",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "labels",
    "name",
    "namespace",
    "resourceVersion",
    "uid",
];

/// Returns the namespace as expressions see it.
pub(super) fn namespace_object(namespace: &Value) -> Value {
    let Some(fields) = namespace.as_map() else {
        return namespace.clone();
    };
    let entries = FIELDS.map(|name| {
        // They are structs, which the server writes even if they are empty.
        let field = fields.get_str(name).and_then(Value::as_map);
        let field = field.cloned().unwrap_or_default();
        let field = match name {
            "metadata" => retained_metadata(&field),
            _ => field,
        };
        (Key::String(name.into()), Value::Map(field))
    });
    Value::Map(entries.into_iter().collect())
}

fn retained_metadata(metadata: &Map) -> Map {
    let entries = metadata.iter();
    let entries =
        entries.filter(|(key, _)| matches!(key, Key::String(name) if METADATA.contains(&&**name)));
    entries
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Returns a namespace of which only the name is known, and so the label with the name, which every
/// namespace has.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/core/v1/defaults.go, SetDefaults_Namespace.
pub(super) fn assumed(name: &str) -> Value {
    Value::opaque(AssumedNamespace {
        name: name.into(),
        part: Part::Namespace,
    })
}

/// A part of a namespace of which only the name is known.
#[derive(Debug)]
struct AssumedNamespace {
    name: Arc<str>,
    part: Part,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Namespace,
    Metadata,
    Labels,
}

impl AssumedNamespace {
    /// Returns the value of a field, if it is known.
    fn known(&self, field: &str) -> Option<Value> {
        let part = |part| {
            let name = Arc::clone(&self.name);
            Value::opaque(Self { name, part })
        };
        match (self.part, field) {
            (Part::Namespace, "metadata") => Some(part(Part::Metadata)),
            (Part::Metadata, "labels") => Some(part(Part::Labels)),
            (Part::Metadata, "name") | (Part::Labels, NAMESPACE_NAME) => {
                Some(Value::String(Arc::clone(&self.name)))
            }
            _ => None,
        }
    }
}

fn unknown() -> EvalError {
    EvalError::new(EvalErrorKind::Unknown(UNKNOWN_NAMESPACE))
}

impl Opaque for AssumedNamespace {
    fn ty(&self) -> Type {
        Type::map(Type::String, Type::Dyn)
    }

    fn equals(&self, _: &dyn Opaque) -> bool {
        false
    }

    fn display(&self) -> String {
        let name = || Value::String(Arc::clone(&self.name));
        let labels = map([(NAMESPACE_NAME, name())]);
        let metadata = |labels| map([("name", name()), ("labels", labels)]);
        let value = match self.part {
            Part::Labels => labels,
            Part::Metadata => metadata(labels),
            Part::Namespace => map([("metadata", metadata(labels))]),
        };
        value.to_string()
    }

    fn field(&self, name: &str) -> Option<Result<Value, EvalError>> {
        Some(self.known(name).ok_or_else(unknown))
    }

    fn has_field(&self, name: &str) -> Option<Result<bool, EvalError>> {
        Some(self.known(name).map(|_| true).ok_or_else(unknown))
    }

    fn unknown(&self) -> Option<EvalError> {
        Some(unknown())
    }

    fn go_type(&self) -> &'static str {
        "map[string]interface {}"
    }
}

#[cfg(test)]
mod tests {
    use super::namespace_object;
    use kubernetes::object;

    #[test]
    fn a_namespace_keeps_what_expressions_may_see() {
        let stream = yaml::parse(
            "{apiVersion: v1, kind: Namespace, metadata: {name: shop, managedFields: [], \
             ownerReferences: [], labels: {a: b}}, status: {phase: Active}}"
                .into(),
        );
        let namespace = stream.documents().next().unwrap().root().unwrap();
        let seen = namespace_object(&object(namespace).unwrap());
        assert_eq!(
            seen.to_string(),
            "{metadata: {name: shop, labels: {a: b}}, spec: {}, status: {phase: Active}}"
        );
    }
}
