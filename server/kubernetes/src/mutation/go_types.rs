//! The Go types of fields, as the errors of decoding name them.
//!
//! The API reference has the types of objects, but calls a `v1.ServiceType` a string, and leaves
//! out the types whose fields are those of the outer object.
//!
//! Limit: the types of the stable versions, as of 1.36. Before 1.35, errors do not name embedded
//! types.
//!
//! Upstream: kubernetes/api, types.go of each version; kubernetes-sigs/json,
//! internal/golang/encoding/json/decode.go, object.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The fields of each type.
static TYPES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("go_types.txt").lines();
    lines.filter_map(|line| line.split_once(' ')).collect()
});

/// Returns the words about a type by its name in the API reference: `io.k8s.api.core.v1.Pod`.
fn words(type_name: &str) -> impl Iterator<Item = &'static str> {
    let start = type_name.rmatch_indices('.').nth(2);
    let name = start.and_then(|(start, _)| type_name.get(start + 1..));
    let words = name.and_then(|name| TYPES.get(name).copied());
    words.unwrap_or_default().split(' ')
}

/// Returns the Go type of a field, unless the API reference tells it.
pub(super) fn declared(type_name: &str, field: &str) -> Option<&'static str> {
    let mut fields = words(type_name).filter_map(|word| word.split_once('='));
    fields.find(|(name, _)| *name == field).map(|(_, ty)| ty)
}

/// Returns the embedded type that has a field: `VolumeSource` for `configMap` of a `Volume`.
pub(super) fn embedded(type_name: &str, field: &str) -> Option<&'static str> {
    let mut types = words(type_name).filter_map(|word| word.split_once(':'));
    let has = |fields: &str| fields.split(',').any(|it| it == field);
    types.find(|(_, fields)| has(fields)).map(|(ty, _)| ty)
}
