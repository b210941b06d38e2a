//! The variable `namespaceObject`.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/condition.go,
//! CreateNamespaceObject.

use cel::Value;
use cel::value::{Key, Map};

/// What the server keeps of a namespace: neither what kind it is nor who has written which
/// field.
const FIELDS: [&str; 3] = ["metadata", "spec", "status"];

/// What it keeps of the metadata.
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

/// The namespace as expressions see it.
pub(super) fn namespace_object(namespace: &Value) -> Value {
    let Some(fields) = namespace.as_map() else {
        return namespace.clone();
    };
    let entries = kept(fields, &FIELDS).map(|(key, value)| match (key, value.as_map()) {
        (Key::String(name), Some(metadata)) if &**name == "metadata" => {
            let kept = kept(metadata, &METADATA);
            let kept = kept.map(|(key, value)| (key.clone(), value.clone()));
            (key.clone(), Value::Map(kept.collect()))
        }
        _ => (key.clone(), value.clone()),
    });
    Value::Map(entries.collect())
}

fn kept<'a>(map: &'a Map, names: &'a [&'a str]) -> impl Iterator<Item = (&'a Key, &'a Value)> + 'a {
    map.iter()
        .filter(|(key, _)| matches!(key, Key::String(name) if names.contains(&&**name)))
}

#[cfg(test)]
mod tests {
    use super::namespace_object;
    use crate::admission::object;

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
            "{metadata: {name: shop, labels: {a: b}}, status: {phase: Active}}"
        );
    }
}
