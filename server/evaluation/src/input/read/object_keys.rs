//! The keys of inputs that hold objects, at the root and below `request`.

use text::{Key, ValueType};

/// `object`, at the root and below `request`.
pub(super) const OBJECT: Key = Key::new(
    "object",
    ValueType::Open(MANIFEST),
    "The new object; for CONNECT, its options.",
);

/// `oldObject`, at the root and below `request`.
pub(super) const OLD_OBJECT: Key = Key::new(
    "oldObject",
    ValueType::Open(MANIFEST),
    "The existing object. Without `object`, the request is a DELETE.",
);

/// `namespaceObject`, at the root and below `request`.
pub(super) const NAMESPACE_OBJECT: Key = Key::new(
    "namespaceObject",
    ValueType::Open(NAMESPACE),
    "The namespace of the object.",
);

/// The keys by which an object begins.
const MANIFEST: &[Key] = &[
    Key::new("apiVersion", ValueType::NonEmptyString, API_VERSION).required(),
    Key::new("kind", ValueType::NonEmptyString, KIND).required(),
    METADATA,
];

/// The keys by which a namespace begins.
const NAMESPACE: &[Key] = &[
    Key::new("apiVersion", ValueType::Any, API_VERSION),
    Key::new("kind", ValueType::Words(&["Namespace"]), KIND),
    METADATA,
];

pub(super) const API_VERSION: &str = "The group and the version of the object, such as `apps/v1`.";

pub(super) const KIND: &str = "The kind of the object, such as `Deployment`.";

pub(super) const METADATA: Key = Key::new(
    "metadata",
    ValueType::Any,
    "The name, the namespace, the labels and other metadata of the object.",
);
