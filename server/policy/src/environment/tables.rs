//! Written by `cargo xtask schemas` from `cel-variables.json`: do not edit.

use super::{ObjectField, ObjectType};

static GROUPVERSIONKIND: ObjectType = ObjectType {
    name: "kubernetes.GroupVersionKind",
    fields: &[
        ObjectField { name: "group", ty: "string", object: None, required: true },
        ObjectField { name: "kind", ty: "string", object: None, required: true },
        ObjectField { name: "version", ty: "string", object: None, required: true },
    ],
};

static GROUPVERSIONRESOURCE: ObjectType = ObjectType {
    name: "kubernetes.GroupVersionResource",
    fields: &[
        ObjectField { name: "group", ty: "string", object: None, required: true },
        ObjectField { name: "resource", ty: "string", object: None, required: true },
        ObjectField { name: "version", ty: "string", object: None, required: true },
    ],
};

pub(super) static REQUEST: ObjectType = ObjectType {
    name: "kubernetes.AdmissionRequest",
    fields: &[
        ObjectField { name: "dryRun", ty: "bool", object: None, required: false },
        ObjectField { name: "kind", ty: "kubernetes.GroupVersionKind", object: Some(&GROUPVERSIONKIND), required: true },
        ObjectField { name: "name", ty: "string", object: None, required: true },
        ObjectField { name: "namespace", ty: "string", object: None, required: false },
        ObjectField { name: "operation", ty: "string", object: None, required: true },
        ObjectField { name: "options", ty: "dyn", object: None, required: false },
        ObjectField { name: "requestKind", ty: "kubernetes.GroupVersionKind", object: Some(&GROUPVERSIONKIND), required: true },
        ObjectField { name: "requestResource", ty: "kubernetes.GroupVersionResource", object: Some(&GROUPVERSIONRESOURCE), required: true },
        ObjectField { name: "requestSubResource", ty: "string", object: None, required: false },
        ObjectField { name: "resource", ty: "kubernetes.GroupVersionResource", object: Some(&GROUPVERSIONRESOURCE), required: true },
        ObjectField { name: "subResource", ty: "string", object: None, required: false },
        ObjectField { name: "userInfo", ty: "kubernetes.UserInfo", object: Some(&USERINFO), required: true },
    ],
};

static USERINFO: ObjectType = ObjectType {
    name: "kubernetes.UserInfo",
    fields: &[
        ObjectField { name: "extra", ty: "map(string, list(string))", object: None, required: false },
        ObjectField { name: "groups", ty: "list(string)", object: None, required: false },
        ObjectField { name: "uid", ty: "string", object: None, required: false },
        ObjectField { name: "username", ty: "string", object: None, required: false },
    ],
};

pub(super) static NAMESPACE: ObjectType = ObjectType {
    name: "kubernetes.Namespace",
    fields: &[
        ObjectField { name: "metadata", ty: "kubernetes.NamespaceMetadata", object: Some(&NAMESPACEMETADATA), required: true },
        ObjectField { name: "spec", ty: "kubernetes.NamespaceSpec", object: Some(&NAMESPACESPEC), required: true },
        ObjectField { name: "status", ty: "kubernetes.NamespaceStatus", object: Some(&NAMESPACESTATUS), required: true },
    ],
};

static NAMESPACEMETADATA: ObjectType = ObjectType {
    name: "kubernetes.NamespaceMetadata",
    fields: &[
        ObjectField { name: "UID", ty: "string", object: None, required: true },
        ObjectField { name: "annotations", ty: "map(string, string)", object: None, required: true },
        ObjectField { name: "creationTimestamp", ty: "google.protobuf.Timestamp", object: None, required: true },
        ObjectField { name: "deletionGracePeriodSeconds", ty: "int", object: None, required: true },
        ObjectField { name: "deletionTimestamp", ty: "google.protobuf.Timestamp", object: None, required: true },
        ObjectField { name: "finalizers", ty: "list(string)", object: None, required: true },
        ObjectField { name: "generateName", ty: "string", object: None, required: true },
        ObjectField { name: "generation", ty: "int", object: None, required: true },
        ObjectField { name: "labels", ty: "map(string, string)", object: None, required: true },
        ObjectField { name: "name", ty: "string", object: None, required: true },
        ObjectField { name: "namespace", ty: "string", object: None, required: true },
        ObjectField { name: "resourceVersion", ty: "string", object: None, required: true },
    ],
};

static NAMESPACESPEC: ObjectType = ObjectType {
    name: "kubernetes.NamespaceSpec",
    fields: &[
        ObjectField { name: "finalizers", ty: "list(string)", object: None, required: true },
    ],
};

static NAMESPACESTATUS: ObjectType = ObjectType {
    name: "kubernetes.NamespaceStatus",
    fields: &[
        ObjectField { name: "conditions", ty: "list(kubernetes.NamespaceCondition)", object: None, required: true },
        ObjectField { name: "phase", ty: "string", object: None, required: true },
    ],
};
