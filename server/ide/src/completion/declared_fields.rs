//! The meaning of the fields of `request` and `namespaceObject`, whose types Kubernetes declares
//! without descriptions.
//!
//! Upstream: kubernetes/api, admission/v1/types.go, AdmissionRequest; authentication/v1/types.go,
//! UserInfo; core/v1/types.go, Namespace.

/// The fields by the last name of their type.
const FIELDS: [(&str, &str, &str); 26] = [
    (
        "AdmissionRequest",
        "dryRun",
        "Whether the request is not persisted.",
    ),
    (
        "AdmissionRequest",
        "kind",
        "The kind of the object, as the policy matches it.",
    ),
    (
        "AdmissionRequest",
        "name",
        "The name of the object. Empty if the server generates it, and for deletions of a \
         collection.",
    ),
    (
        "AdmissionRequest",
        "namespace",
        "The namespace of the request. Empty for cluster-scoped objects.",
    ),
    (
        "AdmissionRequest",
        "operation",
        "The operation of the request. One of `CREATE`, `UPDATE`, `DELETE`, `CONNECT`.",
    ),
    (
        "AdmissionRequest",
        "options",
        "The options of the operation, such as `CreateOptions`.",
    ),
    (
        "AdmissionRequest",
        "requestKind",
        "The kind of the original request. It differs from `kind` if the policy matches an \
         equivalent version.",
    ),
    (
        "AdmissionRequest",
        "requestResource",
        "The resource of the original request. It differs from `resource` if the policy matches an \
         equivalent version.",
    ),
    (
        "AdmissionRequest",
        "requestSubResource",
        "The subresource of the original request.",
    ),
    (
        "AdmissionRequest",
        "resource",
        "The resource of the request, as the policy matches it: `pods`.",
    ),
    (
        "AdmissionRequest",
        "subResource",
        "The subresource of the request, such as `status`. Empty if there is none.",
    ),
    (
        "AdmissionRequest",
        "userInfo",
        "The user who sends the request.",
    ),
    (
        "UserInfo",
        "extra",
        "More attributes of the user, from the authenticator.",
    ),
    ("UserInfo", "groups", "The groups of the user."),
    (
        "UserInfo",
        "uid",
        "A unique value for the user, also after a user of the same name was deleted and added.",
    ),
    (
        "UserInfo",
        "username",
        "The name of the user. That of a service account is \
         `system:serviceaccount:NAMESPACE:NAME`.",
    ),
    (
        "GroupVersionKind",
        "group",
        "The API group. Empty for the core group.",
    ),
    (
        "GroupVersionKind",
        "version",
        "The version of the API group.",
    ),
    ("GroupVersionKind", "kind", "The kind: `Pod`."),
    (
        "GroupVersionResource",
        "group",
        "The API group. Empty for the core group.",
    ),
    (
        "GroupVersionResource",
        "version",
        "The version of the API group.",
    ),
    (
        "GroupVersionResource",
        "resource",
        "The plural name of the resource: `pods`.",
    ),
    ("Namespace", "metadata", "The metadata of the namespace."),
    (
        "NamespaceMetadata",
        "labels",
        "The labels of the namespace.",
    ),
    (
        "NamespaceMetadata",
        "annotations",
        "The annotations of the namespace.",
    ),
    ("NamespaceStatus", "phase", "`Active` or `Terminating`."),
];

/// Returns the meaning of a field of a type of `request` or `namespaceObject`.
pub(crate) fn meaning_of_field(type_name: &str, field: &str) -> Option<&'static str> {
    let of = type_name.strip_prefix("kubernetes.")?;
    let mut known = FIELDS.iter();
    let found = known.find(|(ty, name, _)| (*ty, *name) == (of, field));
    found.map(|(.., meaning)| *meaning)
}
