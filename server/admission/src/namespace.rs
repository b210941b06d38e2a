//! The variable `namespaceObject`.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/condition.go,
//! CreateNamespaceObject.

use cel::Value;
use cel::value::{Key, Map};

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
