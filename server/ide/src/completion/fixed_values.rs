//! The values of fields that Kubernetes restricts by validation, if the schema of the kind has no
//! enum.

use kubernetes::openapi::Schema;

/// The values of fields that Kubernetes validates, regardless of any enum in the schema, by the
/// type of the object and the name of the field.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go;
/// kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go;
/// kubernetes/apimachinery, pkg/apis/meta/v1/types.go, LabelSelectorOperator;
/// kubernetes/kubernetes, pkg/apis/rbac/validation/validation.go.
const VALUES: [(&str, &str, &str); 30] = [
    (
        "CustomResourceColumnDefinition",
        "type",
        "string integer number boolean date",
    ),
    ("CustomResourceConversion", "strategy", "None Webhook"),
    (
        "CustomResourceDefinitionSpec",
        "scope",
        "Namespaced Cluster",
    ),
    (
        "LabelSelectorRequirement",
        "operator",
        "In NotIn Exists DoesNotExist",
    ),
    ("MatchResources", "matchPolicy", "Equivalent Exact"),
    (
        "MutatingAdmissionPolicySpec",
        "failurePolicy",
        "Fail Ignore",
    ),
    (
        "MutatingAdmissionPolicySpec",
        "reinvocationPolicy",
        "Never IfNeeded",
    ),
    ("MutatingWebhook", "failurePolicy", "Fail Ignore"),
    ("MutatingWebhook", "matchPolicy", "Equivalent Exact"),
    ("MutatingWebhook", "reinvocationPolicy", "Never IfNeeded"),
    ("MutatingWebhook", "sideEffects", "None NoneOnDryRun"),
    ("Mutation", "patchType", "ApplyConfiguration JSONPatch"),
    (
        "NamedRuleWithOperations",
        "operations",
        "CREATE UPDATE DELETE CONNECT *",
    ),
    ("NamedRuleWithOperations", "scope", "Namespaced Cluster *"),
    ("ParamRef", "parameterNotFoundAction", "Deny Allow"),
    ("RoleRef", "apiGroup", "rbac.authorization.k8s.io"),
    ("RoleRef", "kind", "ClusterRole Role"),
    ("Subject", "apiGroup", "rbac.authorization.k8s.io"),
    ("Subject", "kind", "ServiceAccount User Group"),
    (
        "RuleWithOperations",
        "operations",
        "CREATE UPDATE DELETE CONNECT *",
    ),
    ("RuleWithOperations", "scope", "Namespaced Cluster *"),
    (
        "ValidatingAdmissionPolicyBindingSpec",
        "validationActions",
        "Deny Warn Audit",
    ),
    (
        "ValidatingAdmissionPolicySpec",
        "failurePolicy",
        "Fail Ignore",
    ),
    (
        "Validation",
        "reason",
        "Invalid Forbidden RequestEntityTooLarge",
    ),
    ("MutatingWebhook", "admissionReviewVersions", "v1 v1beta1"),
    ("ValidatingWebhook", "admissionReviewVersions", "v1 v1beta1"),
    ("ValidatingWebhook", "failurePolicy", "Fail Ignore"),
    ("ValidatingWebhook", "matchPolicy", "Equivalent Exact"),
    ("ValidatingWebhook", "sideEffects", "None NoneOnDryRun"),
    (
        "WebhookConversion",
        "conversionReviewVersions",
        "v1 v1beta1",
    ),
];

/// Returns the values of a field that Kubernetes accepts, separated by spaces.
pub(crate) fn fixed_values(owner: Schema<'_>, key: &str) -> Option<&'static str> {
    let owner = owner.type_name().and_then(|name| name.rsplit('.').next());
    let mut known = VALUES.iter();
    let found = known.find(|(ty, field, _)| Some(*ty) == owner && *field == key);
    found.map(|(_, _, values)| *values)
}
