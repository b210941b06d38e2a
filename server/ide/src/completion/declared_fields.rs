//! The meaning of the fields of `request` and `namespaceObject`, whose types Kubernetes declares
//! without descriptions.
//!
//! The API reference describes a namespace and a user, but not an admission request.
//!
//! Upstream: kubernetes/api, admission/v1/types.go, AdmissionRequest.

use crate::kind_fields::OPERATIONS;
use kubernetes::openapi::{Catalog, Schema};
use std::borrow::Cow;

/// The fields without a schema, or whose description lacks what a policy needs, by the last name
/// of their type.
const FIELDS: [(&str, &str, &str); 19] = [
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
        "The group, version and plural name of the resource, as the policy matches it.",
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
    ("NamespaceStatus", "phase", "`Active` or `Terminating`."),
];

/// Returns the meaning of a field of a type of `request` or `namespaceObject`.
pub(crate) fn meaning_of_field<'c>(
    catalog: &'c Catalog,
    type_name: &str,
    field: &str,
) -> Option<Cow<'c, str>> {
    let of = type_name.strip_prefix("kubernetes.")?;
    if (of, field) == ("AdmissionRequest", "operation") {
        let operations = OPERATIONS.join("`, `");
        return Some(format!("The operation of the request. One of `{operations}`.").into());
    }
    let mut known = FIELDS.iter();
    if let Some((.., meaning)) = known.find(|(ty, name, _)| (*ty, *name) == (of, field)) {
        return Some(Cow::Borrowed(meaning));
    }
    // Only `namespaceObject` has a field `UID`.
    let field = if field == "UID" { "uid" } else { field };
    let schema = schema(catalog, of)?.property(field)?;
    schema.description().map(Cow::Borrowed)
}

/// Returns the schema of a declared type that has one.
fn schema<'c>(catalog: &'c Catalog, of: &str) -> Option<Schema<'c>> {
    let namespace = || catalog.schema("", "v1", "Namespace");
    match of {
        "UserInfo" => catalog.named("io.k8s.api.authentication.v1.UserInfo"),
        "Namespace" => namespace(),
        "NamespaceMetadata" => namespace()?.property("metadata"),
        "NamespaceSpec" => namespace()?.property("spec"),
        "NamespaceStatus" => namespace()?.property("status"),
        "NamespaceCondition" => namespace()?
            .property("status")?
            .property("conditions")?
            .items(),
        _ => None,
    }
}

/// Returns the meaning of a variable whose name has dots.
///
/// Upstream: kubernetes/api, admissionregistration/v1/types.go, Validation.
pub(crate) fn meaning_of_variable(name: &str) -> Option<&'static str> {
    let is_check = name == "authorizer.requestResource";
    is_check.then_some(
        "A check for the resource of the request: its group, resource, subresource, namespace and \
         name. `check()` adds the verb.",
    )
}
