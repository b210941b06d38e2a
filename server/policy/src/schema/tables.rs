//! Written by `cargo xtask schemas` from `schemas-1.36.json`: do not edit.

use super::{ObjectType, Field, KindTable, MapType, Type};
use crate::kind::{Kind, Version};

/// Every kind and version with the type of its documents.
pub(super) static KINDS: &[KindTable] = &[
    KindTable { kind: Kind::ValidatingAdmissionPolicy, version: Version::V1, definition: &V1_VALIDATING_ADMISSION_POLICY },
    KindTable { kind: Kind::ValidatingAdmissionPolicy, version: Version::V1beta1, definition: &V1BETA1_VALIDATING_ADMISSION_POLICY },
    KindTable { kind: Kind::ValidatingAdmissionPolicy, version: Version::V1alpha1, definition: &V1ALPHA1_VALIDATING_ADMISSION_POLICY },
    KindTable { kind: Kind::ValidatingAdmissionPolicyBinding, version: Version::V1, definition: &V1_VALIDATING_ADMISSION_POLICY_BINDING },
    KindTable { kind: Kind::ValidatingAdmissionPolicyBinding, version: Version::V1beta1, definition: &V1BETA1_VALIDATING_ADMISSION_POLICY_BINDING },
    KindTable { kind: Kind::ValidatingAdmissionPolicyBinding, version: Version::V1alpha1, definition: &V1ALPHA1_VALIDATING_ADMISSION_POLICY_BINDING },
    KindTable { kind: Kind::MutatingAdmissionPolicy, version: Version::V1, definition: &V1_MUTATING_ADMISSION_POLICY },
    KindTable { kind: Kind::MutatingAdmissionPolicy, version: Version::V1beta1, definition: &V1BETA1_MUTATING_ADMISSION_POLICY },
    KindTable { kind: Kind::MutatingAdmissionPolicy, version: Version::V1alpha1, definition: &V1ALPHA1_MUTATING_ADMISSION_POLICY },
    KindTable { kind: Kind::MutatingAdmissionPolicyBinding, version: Version::V1, definition: &V1_MUTATING_ADMISSION_POLICY_BINDING },
    KindTable { kind: Kind::MutatingAdmissionPolicyBinding, version: Version::V1beta1, definition: &V1BETA1_MUTATING_ADMISSION_POLICY_BINDING },
    KindTable { kind: Kind::MutatingAdmissionPolicyBinding, version: Version::V1alpha1, definition: &V1ALPHA1_MUTATING_ADMISSION_POLICY_BINDING },
    KindTable { kind: Kind::ValidatingWebhookConfiguration, version: Version::V1, definition: &V1_VALIDATING_WEBHOOK_CONFIGURATION },
    KindTable { kind: Kind::ValidatingWebhookConfiguration, version: Version::V1beta1, definition: &V1BETA1_VALIDATING_WEBHOOK_CONFIGURATION },
    KindTable { kind: Kind::MutatingWebhookConfiguration, version: Version::V1, definition: &V1_MUTATING_WEBHOOK_CONFIGURATION },
    KindTable { kind: Kind::MutatingWebhookConfiguration, version: Version::V1beta1, definition: &V1BETA1_MUTATING_WEBHOOK_CONFIGURATION },
    KindTable { kind: Kind::CustomResourceDefinition, version: Version::V1, definition: &CUSTOM_RESOURCE_DEFINITION },
];

static APPLY_CONFIGURATION: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ApplyConfiguration",
    map_type: MapType::Granular,
    fields: &[
        Field::new("expression", Type::String),
    ],
};

static AUDIT_ANNOTATION: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.AuditAnnotation",
    map_type: MapType::Granular,
    fields: &[
        Field::new("key", Type::String).required().default("\"\""),
        Field::new("valueExpression", Type::String).required().default("\"\""),
    ],
};

static EXPRESSION_WARNING: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ExpressionWarning",
    map_type: MapType::Granular,
    fields: &[
        Field::new("fieldRef", Type::String).required().default("\"\""),
        Field::new("warning", Type::String).required().default("\"\""),
    ],
};

static JSON_PATCH: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.JSONPatch",
    map_type: MapType::Granular,
    fields: &[
        Field::new("expression", Type::String),
    ],
};

static MATCH_CONDITION: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.MatchCondition",
    map_type: MapType::Granular,
    fields: &[
        Field::new("expression", Type::String).required().default("\"\""),
        Field::new("name", Type::String).required().default("\"\""),
    ],
};

static V1_MATCH_RESOURCES: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.MatchResources",
    map_type: MapType::Atomic,
    fields: &[
        Field::new("excludeResourceRules", Type::List(&Type::Object(&NAMED_RULE_WITH_OPERATIONS))),
        Field::new("matchPolicy", Type::Enum(&["Equivalent", "Exact"])),
        Field::new("namespaceSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("objectSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("resourceRules", Type::List(&Type::Object(&NAMED_RULE_WITH_OPERATIONS))),
    ],
};

static V1_MUTATING_ADMISSION_POLICY: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicy",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1_MUTATING_ADMISSION_POLICY_SPEC)).default("{}"),
    ],
};

static V1_MUTATING_ADMISSION_POLICY_BINDING: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBinding",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1_MUTATING_ADMISSION_POLICY_BINDING_SPEC)).default("{}"),
    ],
};

static V1_MUTATING_ADMISSION_POLICY_BINDING_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBindingSpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("matchResources", Type::Object(&V1_MATCH_RESOURCES)),
        Field::new("paramRef", Type::Object(&V1_PARAM_REF)),
        Field::new("policyName", Type::String),
    ],
};

static V1_MUTATING_ADMISSION_POLICY_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicySpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("failurePolicy", Type::Enum(&["Fail", "Ignore"])),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchConstraints", Type::Object(&V1_MATCH_RESOURCES)),
        Field::new("mutations", Type::List(&Type::Object(&MUTATION))),
        Field::new("paramKind", Type::Object(&PARAM_KIND)),
        Field::new("reinvocationPolicy", Type::Enum(&["IfNeeded", "Never"])),
        Field::new("variables", Type::List(&Type::Object(&V1_VARIABLE))),
    ],
};

static V1_MUTATING_WEBHOOK: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.MutatingWebhook",
    map_type: MapType::Granular,
    fields: &[
        Field::new("admissionReviewVersions", Type::List(&Type::String)).required(),
        Field::new("clientConfig", Type::Object(&WEBHOOK_CLIENT_CONFIG)).required().default("{}"),
        Field::new("failurePolicy", Type::Enum(&["Fail", "Ignore"])),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchPolicy", Type::Enum(&["Equivalent", "Exact"])),
        Field::new("name", Type::String).required().default("\"\""),
        Field::new("namespaceSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("objectSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("reinvocationPolicy", Type::Enum(&["IfNeeded", "Never"])),
        Field::new("rules", Type::List(&Type::Object(&RULE_WITH_OPERATIONS))),
        Field::new("sideEffects", Type::Enum(&["None", "NoneOnDryRun", "Some", "Unknown"])).required(),
        Field::new("timeoutSeconds", Type::Int32),
    ],
};

static V1_MUTATING_WEBHOOK_CONFIGURATION: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("webhooks", Type::MapList(&Type::Object(&V1_MUTATING_WEBHOOK), &["name"])),
    ],
};

static MUTATION: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.Mutation",
    map_type: MapType::Granular,
    fields: &[
        Field::new("applyConfiguration", Type::Object(&APPLY_CONFIGURATION)),
        Field::new("jsonPatch", Type::Object(&JSON_PATCH)),
        Field::new("patchType", Type::Enum(&["ApplyConfiguration", "JSONPatch"])).required().default("\"\""),
    ],
};

static NAMED_RULE_WITH_OPERATIONS: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.NamedRuleWithOperations",
    map_type: MapType::Atomic,
    fields: &[
        Field::new("apiGroups", Type::List(&Type::String)),
        Field::new("apiVersions", Type::List(&Type::String)),
        Field::new("operations", Type::List(&Type::Enum(&["*", "CONNECT", "CREATE", "DELETE", "UPDATE"]))),
        Field::new("resourceNames", Type::List(&Type::String)),
        Field::new("resources", Type::List(&Type::String)),
        Field::new("scope", Type::Enum(&["*", "Cluster", "Namespaced"])),
    ],
};

static PARAM_KIND: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ParamKind",
    map_type: MapType::Atomic,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
    ],
};

static V1_PARAM_REF: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ParamRef",
    map_type: MapType::Atomic,
    fields: &[
        Field::new("name", Type::String),
        Field::new("namespace", Type::String),
        Field::new("parameterNotFoundAction", Type::String),
        Field::new("selector", Type::Object(&LABEL_SELECTOR)),
    ],
};

static RULE_WITH_OPERATIONS: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.RuleWithOperations",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiGroups", Type::List(&Type::String)),
        Field::new("apiVersions", Type::List(&Type::String)),
        Field::new("operations", Type::List(&Type::Enum(&["*", "CONNECT", "CREATE", "DELETE", "UPDATE"]))),
        Field::new("resources", Type::List(&Type::String)),
        Field::new("scope", Type::Enum(&["*", "Cluster", "Namespaced"])),
    ],
};

static SERVICE_REFERENCE: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ServiceReference",
    map_type: MapType::Granular,
    fields: &[
        Field::new("name", Type::String).required().default("\"\""),
        Field::new("namespace", Type::String).required().default("\"\""),
        Field::new("path", Type::String),
        Field::new("port", Type::Int32),
    ],
};

static TYPE_CHECKING: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.TypeChecking",
    map_type: MapType::Granular,
    fields: &[
        Field::new("expressionWarnings", Type::List(&Type::Object(&EXPRESSION_WARNING))),
    ],
};

static V1_VALIDATING_ADMISSION_POLICY: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1_VALIDATING_ADMISSION_POLICY_SPEC)).default("{}"),
        Field::new("status", Type::Object(&VALIDATING_ADMISSION_POLICY_STATUS)).default("{}"),
    ],
};

static V1_VALIDATING_ADMISSION_POLICY_BINDING: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1_VALIDATING_ADMISSION_POLICY_BINDING_SPEC)).required().default("{}"),
    ],
};

static V1_VALIDATING_ADMISSION_POLICY_BINDING_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("matchResources", Type::Object(&V1_MATCH_RESOURCES)),
        Field::new("paramRef", Type::Object(&V1_PARAM_REF)),
        Field::new("policyName", Type::String).required(),
        Field::new("validationActions", Type::Set(&Type::Enum(&["Audit", "Deny", "Warn"]))).required(),
    ],
};

static V1_VALIDATING_ADMISSION_POLICY_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicySpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("auditAnnotations", Type::List(&Type::Object(&AUDIT_ANNOTATION))),
        Field::new("failurePolicy", Type::Enum(&["Fail", "Ignore"])),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchConstraints", Type::Object(&V1_MATCH_RESOURCES)),
        Field::new("paramKind", Type::Object(&PARAM_KIND)),
        Field::new("validations", Type::List(&Type::Object(&VALIDATION))),
        Field::new("variables", Type::MapList(&Type::Object(&V1_VARIABLE), &["name"])),
    ],
};

static VALIDATING_ADMISSION_POLICY_STATUS: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyStatus",
    map_type: MapType::Granular,
    fields: &[
        Field::new("conditions", Type::MapList(&Type::Object(&CONDITION), &["type"])),
        Field::new("observedGeneration", Type::Int64),
        Field::new("typeChecking", Type::Object(&TYPE_CHECKING)),
    ],
};

static V1_VALIDATING_WEBHOOK: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ValidatingWebhook",
    map_type: MapType::Granular,
    fields: &[
        Field::new("admissionReviewVersions", Type::List(&Type::String)).required(),
        Field::new("clientConfig", Type::Object(&WEBHOOK_CLIENT_CONFIG)).required().default("{}"),
        Field::new("failurePolicy", Type::Enum(&["Fail", "Ignore"])),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchPolicy", Type::Enum(&["Equivalent", "Exact"])),
        Field::new("name", Type::String).required().default("\"\""),
        Field::new("namespaceSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("objectSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("rules", Type::List(&Type::Object(&RULE_WITH_OPERATIONS))),
        Field::new("sideEffects", Type::Enum(&["None", "NoneOnDryRun", "Some", "Unknown"])).required(),
        Field::new("timeoutSeconds", Type::Int32),
    ],
};

static V1_VALIDATING_WEBHOOK_CONFIGURATION: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("webhooks", Type::MapList(&Type::Object(&V1_VALIDATING_WEBHOOK), &["name"])),
    ],
};

static VALIDATION: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.Validation",
    map_type: MapType::Granular,
    fields: &[
        Field::new("expression", Type::String).required().default("\"\""),
        Field::new("message", Type::String),
        Field::new("messageExpression", Type::String),
        Field::new("reason", Type::String),
    ],
};

static V1_VARIABLE: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.Variable",
    map_type: MapType::Atomic,
    fields: &[
        Field::new("expression", Type::String).required().default("\"\""),
        Field::new("name", Type::String).required().default("\"\""),
    ],
};

static WEBHOOK_CLIENT_CONFIG: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1.WebhookClientConfig",
    map_type: MapType::Granular,
    fields: &[
        Field::new("caBundle", Type::Bytes),
        Field::new("service", Type::Object(&SERVICE_REFERENCE)),
        Field::new("url", Type::String),
    ],
};

static V1ALPHA1_MUTATING_ADMISSION_POLICY: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicy",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1ALPHA1_MUTATING_ADMISSION_POLICY_SPEC)).default("{}"),
    ],
};

static V1ALPHA1_MUTATING_ADMISSION_POLICY_BINDING: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicyBinding",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1ALPHA1_MUTATING_ADMISSION_POLICY_BINDING_SPEC)).default("{}"),
    ],
};

static V1ALPHA1_MUTATING_ADMISSION_POLICY_BINDING_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicyBindingSpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("matchResources", Type::Object(&V1_MATCH_RESOURCES)),
        Field::new("paramRef", Type::Object(&V1ALPHA1_PARAM_REF)),
        Field::new("policyName", Type::String),
    ],
};

static V1ALPHA1_MUTATING_ADMISSION_POLICY_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicySpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("failurePolicy", Type::Enum(&["Fail", "Ignore"])),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchConstraints", Type::Object(&V1_MATCH_RESOURCES)),
        Field::new("mutations", Type::List(&Type::Object(&MUTATION))),
        Field::new("paramKind", Type::Object(&PARAM_KIND)),
        Field::new("reinvocationPolicy", Type::Enum(&["IfNeeded", "Never"])),
        Field::new("variables", Type::List(&Type::Object(&V1ALPHA1_VARIABLE))),
    ],
};

static V1ALPHA1_PARAM_REF: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.ParamRef",
    map_type: MapType::Atomic,
    fields: &[
        Field::new("name", Type::String),
        Field::new("namespace", Type::String),
        Field::new("parameterNotFoundAction", Type::Enum(&["Allow", "Deny"])),
        Field::new("selector", Type::Object(&LABEL_SELECTOR)),
    ],
};

static V1ALPHA1_VALIDATING_ADMISSION_POLICY: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicy",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1ALPHA1_VALIDATING_ADMISSION_POLICY_SPEC)).default("{}"),
        Field::new("status", Type::Object(&VALIDATING_ADMISSION_POLICY_STATUS)).default("{}"),
    ],
};

static V1ALPHA1_VALIDATING_ADMISSION_POLICY_BINDING: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicyBinding",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1ALPHA1_VALIDATING_ADMISSION_POLICY_BINDING_SPEC)).required().default("{}"),
    ],
};

static V1ALPHA1_VALIDATING_ADMISSION_POLICY_BINDING_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicyBindingSpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("matchResources", Type::Object(&V1_MATCH_RESOURCES)),
        Field::new("paramRef", Type::Object(&V1ALPHA1_PARAM_REF)),
        Field::new("policyName", Type::String).required(),
        Field::new("validationActions", Type::Set(&Type::Enum(&["Audit", "Deny", "Warn"]))).required(),
    ],
};

static V1ALPHA1_VALIDATING_ADMISSION_POLICY_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicySpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("auditAnnotations", Type::List(&Type::Object(&AUDIT_ANNOTATION))),
        Field::new("failurePolicy", Type::Enum(&["Fail", "Ignore"])),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchConstraints", Type::Object(&V1_MATCH_RESOURCES)),
        Field::new("paramKind", Type::Object(&PARAM_KIND)),
        Field::new("validations", Type::List(&Type::Object(&VALIDATION))),
        Field::new("variables", Type::MapList(&Type::Object(&V1ALPHA1_VARIABLE), &["name"])),
    ],
};

static V1ALPHA1_VARIABLE: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1alpha1.Variable",
    map_type: MapType::Granular,
    fields: &[
        Field::new("expression", Type::String).required().default("\"\""),
        Field::new("name", Type::String).required().default("\"\""),
    ],
};

static V1BETA1_MATCH_RESOURCES: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.MatchResources",
    map_type: MapType::Atomic,
    fields: &[
        Field::new("excludeResourceRules", Type::List(&Type::Object(&NAMED_RULE_WITH_OPERATIONS))),
        Field::new("matchPolicy", Type::String),
        Field::new("namespaceSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("objectSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("resourceRules", Type::List(&Type::Object(&NAMED_RULE_WITH_OPERATIONS))),
    ],
};

static V1BETA1_MUTATING_ADMISSION_POLICY: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicy",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1BETA1_MUTATING_ADMISSION_POLICY_SPEC)).default("{}"),
    ],
};

static V1BETA1_MUTATING_ADMISSION_POLICY_BINDING: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicyBinding",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1BETA1_MUTATING_ADMISSION_POLICY_BINDING_SPEC)).default("{}"),
    ],
};

static V1BETA1_MUTATING_ADMISSION_POLICY_BINDING_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicyBindingSpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("matchResources", Type::Object(&V1BETA1_MATCH_RESOURCES)),
        Field::new("paramRef", Type::Object(&V1_PARAM_REF)),
        Field::new("policyName", Type::String),
    ],
};

static V1BETA1_MUTATING_ADMISSION_POLICY_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicySpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("failurePolicy", Type::String),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchConstraints", Type::Object(&V1BETA1_MATCH_RESOURCES)),
        Field::new("mutations", Type::List(&Type::Object(&MUTATION))),
        Field::new("paramKind", Type::Object(&PARAM_KIND)),
        Field::new("reinvocationPolicy", Type::Enum(&["IfNeeded", "Never"])),
        Field::new("variables", Type::List(&Type::Object(&V1_VARIABLE))),
    ],
};

static V1BETA1_MUTATING_WEBHOOK: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.MutatingWebhook",
    map_type: MapType::Granular,
    fields: &[
        Field::new("admissionReviewVersions", Type::List(&Type::String)),
        Field::new("clientConfig", Type::Object(&WEBHOOK_CLIENT_CONFIG)).required().default("{}"),
        Field::new("failurePolicy", Type::String),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchPolicy", Type::String),
        Field::new("name", Type::String).required().default("\"\""),
        Field::new("namespaceSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("objectSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("reinvocationPolicy", Type::Enum(&["IfNeeded", "Never"])),
        Field::new("rules", Type::List(&Type::Object(&RULE_WITH_OPERATIONS))),
        Field::new("sideEffects", Type::String),
        Field::new("timeoutSeconds", Type::Int32),
    ],
};

static V1BETA1_MUTATING_WEBHOOK_CONFIGURATION: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.MutatingWebhookConfiguration",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("webhooks", Type::MapList(&Type::Object(&V1BETA1_MUTATING_WEBHOOK), &["name"])),
    ],
};

static V1BETA1_VALIDATING_ADMISSION_POLICY: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.ValidatingAdmissionPolicy",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1BETA1_VALIDATING_ADMISSION_POLICY_SPEC)).default("{}"),
        Field::new("status", Type::Object(&VALIDATING_ADMISSION_POLICY_STATUS)).default("{}"),
    ],
};

static V1BETA1_VALIDATING_ADMISSION_POLICY_BINDING: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.ValidatingAdmissionPolicyBinding",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&V1BETA1_VALIDATING_ADMISSION_POLICY_BINDING_SPEC)).required().default("{}"),
    ],
};

static V1BETA1_VALIDATING_ADMISSION_POLICY_BINDING_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.ValidatingAdmissionPolicyBindingSpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("matchResources", Type::Object(&V1BETA1_MATCH_RESOURCES)),
        Field::new("paramRef", Type::Object(&V1_PARAM_REF)),
        Field::new("policyName", Type::String).required(),
        Field::new("validationActions", Type::Set(&Type::Enum(&["Audit", "Deny", "Warn"]))).required(),
    ],
};

static V1BETA1_VALIDATING_ADMISSION_POLICY_SPEC: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.ValidatingAdmissionPolicySpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("auditAnnotations", Type::List(&Type::Object(&AUDIT_ANNOTATION))),
        Field::new("failurePolicy", Type::String),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchConstraints", Type::Object(&V1BETA1_MATCH_RESOURCES)),
        Field::new("paramKind", Type::Object(&PARAM_KIND)),
        Field::new("validations", Type::List(&Type::Object(&VALIDATION))),
        Field::new("variables", Type::MapList(&Type::Object(&V1_VARIABLE), &["name"])),
    ],
};

static V1BETA1_VALIDATING_WEBHOOK: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.ValidatingWebhook",
    map_type: MapType::Granular,
    fields: &[
        Field::new("admissionReviewVersions", Type::List(&Type::String)),
        Field::new("clientConfig", Type::Object(&WEBHOOK_CLIENT_CONFIG)).required().default("{}"),
        Field::new("failurePolicy", Type::String),
        Field::new("matchConditions", Type::MapList(&Type::Object(&MATCH_CONDITION), &["name"])),
        Field::new("matchPolicy", Type::String),
        Field::new("name", Type::String).required().default("\"\""),
        Field::new("namespaceSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("objectSelector", Type::Object(&LABEL_SELECTOR)),
        Field::new("rules", Type::List(&Type::Object(&RULE_WITH_OPERATIONS))),
        Field::new("sideEffects", Type::String),
        Field::new("timeoutSeconds", Type::Int32),
    ],
};

static V1BETA1_VALIDATING_WEBHOOK_CONFIGURATION: ObjectType = ObjectType {
    name: "io.k8s.api.admissionregistration.v1beta1.ValidatingWebhookConfiguration",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("webhooks", Type::MapList(&Type::Object(&V1BETA1_VALIDATING_WEBHOOK), &["name"])),
    ],
};

static CUSTOM_RESOURCE_COLUMN_DEFINITION: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceColumnDefinition",
    map_type: MapType::Granular,
    fields: &[
        Field::new("description", Type::String),
        Field::new("format", Type::String),
        Field::new("jsonPath", Type::String).required().default("\"\""),
        Field::new("name", Type::String).required().default("\"\""),
        Field::new("priority", Type::Int32),
        Field::new("type", Type::String).required().default("\"\""),
    ],
};

static CUSTOM_RESOURCE_CONVERSION: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceConversion",
    map_type: MapType::Granular,
    fields: &[
        Field::new("strategy", Type::String).required().default("\"\""),
        Field::new("webhook", Type::Object(&WEBHOOK_CONVERSION)),
    ],
};

static CUSTOM_RESOURCE_DEFINITION: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("kind", Type::String),
        Field::new("metadata", Type::Object(&OBJECT_META)).default("{}"),
        Field::new("spec", Type::Object(&CUSTOM_RESOURCE_DEFINITION_SPEC)).required().default("{}"),
        Field::new("status", Type::Object(&CUSTOM_RESOURCE_DEFINITION_STATUS)).default("{}"),
    ],
};

static CUSTOM_RESOURCE_DEFINITION_CONDITION: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionCondition",
    map_type: MapType::Granular,
    fields: &[
        Field::new("lastTransitionTime", Type::Time),
        Field::new("message", Type::String),
        Field::new("observedGeneration", Type::Int64),
        Field::new("reason", Type::String),
        Field::new("status", Type::String).required().default("\"\""),
        Field::new("type", Type::String).required().default("\"\""),
    ],
};

static CUSTOM_RESOURCE_DEFINITION_NAMES: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionNames",
    map_type: MapType::Granular,
    fields: &[
        Field::new("categories", Type::List(&Type::String)),
        Field::new("kind", Type::String).required().default("\"\""),
        Field::new("listKind", Type::String),
        Field::new("plural", Type::String).required().default("\"\""),
        Field::new("shortNames", Type::List(&Type::String)),
        Field::new("singular", Type::String),
    ],
};

static CUSTOM_RESOURCE_DEFINITION_SPEC: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec",
    map_type: MapType::Granular,
    fields: &[
        Field::new("conversion", Type::Object(&CUSTOM_RESOURCE_CONVERSION)),
        Field::new("group", Type::String).required().default("\"\""),
        Field::new("names", Type::Object(&CUSTOM_RESOURCE_DEFINITION_NAMES)).required().default("{}"),
        Field::new("preserveUnknownFields", Type::Bool),
        Field::new("scope", Type::String).required().default("\"\""),
        Field::new("versions", Type::List(&Type::Object(&CUSTOM_RESOURCE_DEFINITION_VERSION))).required(),
    ],
};

static CUSTOM_RESOURCE_DEFINITION_STATUS: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionStatus",
    map_type: MapType::Granular,
    fields: &[
        Field::new("acceptedNames", Type::Object(&CUSTOM_RESOURCE_DEFINITION_NAMES)).default("{}"),
        Field::new("conditions", Type::MapList(&Type::Object(&CUSTOM_RESOURCE_DEFINITION_CONDITION), &["type"])),
        Field::new("observedGeneration", Type::Int64),
        Field::new("storedVersions", Type::List(&Type::String)),
    ],
};

static CUSTOM_RESOURCE_DEFINITION_VERSION: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion",
    map_type: MapType::Granular,
    fields: &[
        Field::new("additionalPrinterColumns", Type::List(&Type::Object(&CUSTOM_RESOURCE_COLUMN_DEFINITION))),
        Field::new("deprecated", Type::Bool),
        Field::new("deprecationWarning", Type::String),
        Field::new("name", Type::String).required().default("\"\""),
        Field::new("schema", Type::Object(&CUSTOM_RESOURCE_VALIDATION)),
        Field::new("selectableFields", Type::List(&Type::Object(&SELECTABLE_FIELD))),
        Field::new("served", Type::Bool).required().default("false"),
        Field::new("storage", Type::Bool).required().default("false"),
        Field::new("subresources", Type::Object(&CUSTOM_RESOURCE_SUBRESOURCES)),
    ],
};

static CUSTOM_RESOURCE_SUBRESOURCE_SCALE: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceScale",
    map_type: MapType::Granular,
    fields: &[
        Field::new("labelSelectorPath", Type::String),
        Field::new("specReplicasPath", Type::String).required().default("\"\""),
        Field::new("statusReplicasPath", Type::String).required().default("\"\""),
    ],
};

static CUSTOM_RESOURCE_SUBRESOURCE_STATUS: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus",
    map_type: MapType::Granular,
    fields: &[
    ],
};

static CUSTOM_RESOURCE_SUBRESOURCES: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresources",
    map_type: MapType::Granular,
    fields: &[
        Field::new("scale", Type::Object(&CUSTOM_RESOURCE_SUBRESOURCE_SCALE)),
        Field::new("status", Type::Object(&CUSTOM_RESOURCE_SUBRESOURCE_STATUS)),
    ],
};

static CUSTOM_RESOURCE_VALIDATION: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceValidation",
    map_type: MapType::Granular,
    fields: &[
        Field::new("openAPIV3Schema", Type::Object(&JSON_SCHEMA_PROPS)),
    ],
};

static EXTERNAL_DOCUMENTATION: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ExternalDocumentation",
    map_type: MapType::Granular,
    fields: &[
        Field::new("description", Type::String),
        Field::new("url", Type::String),
    ],
};

pub(super) static JSON_SCHEMA_PROPS: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps",
    map_type: MapType::Granular,
    fields: &[
        Field::new("$ref", Type::String),
        Field::new("$schema", Type::String),
        Field::new("additionalItems", Type::SchemaOrBool),
        Field::new("additionalProperties", Type::SchemaOrBool),
        Field::new("allOf", Type::List(&Type::Object(&JSON_SCHEMA_PROPS))),
        Field::new("anyOf", Type::List(&Type::Object(&JSON_SCHEMA_PROPS))),
        Field::new("default", Type::Any),
        Field::new("definitions", Type::Map(&Type::Object(&JSON_SCHEMA_PROPS))),
        Field::new("dependencies", Type::Map(&Type::SchemaOrStrings)),
        Field::new("description", Type::String),
        Field::new("enum", Type::List(&Type::Any)),
        Field::new("example", Type::Any),
        Field::new("exclusiveMaximum", Type::Bool),
        Field::new("exclusiveMinimum", Type::Bool),
        Field::new("externalDocs", Type::Object(&EXTERNAL_DOCUMENTATION)),
        Field::new("format", Type::String),
        Field::new("id", Type::String),
        Field::new("items", Type::SchemaOrList),
        Field::new("maxItems", Type::Int64),
        Field::new("maxLength", Type::Int64),
        Field::new("maxProperties", Type::Int64),
        Field::new("maximum", Type::Number),
        Field::new("minItems", Type::Int64),
        Field::new("minLength", Type::Int64),
        Field::new("minProperties", Type::Int64),
        Field::new("minimum", Type::Number),
        Field::new("multipleOf", Type::Number),
        Field::new("not", Type::Object(&JSON_SCHEMA_PROPS)),
        Field::new("nullable", Type::Bool),
        Field::new("oneOf", Type::List(&Type::Object(&JSON_SCHEMA_PROPS))),
        Field::new("pattern", Type::String),
        Field::new("patternProperties", Type::Map(&Type::Object(&JSON_SCHEMA_PROPS))),
        Field::new("properties", Type::Map(&Type::Object(&JSON_SCHEMA_PROPS))),
        Field::new("required", Type::List(&Type::String)),
        Field::new("title", Type::String),
        Field::new("type", Type::String),
        Field::new("uniqueItems", Type::Bool),
        Field::new("x-kubernetes-embedded-resource", Type::Bool),
        Field::new("x-kubernetes-int-or-string", Type::Bool),
        Field::new("x-kubernetes-list-map-keys", Type::List(&Type::String)),
        Field::new("x-kubernetes-list-type", Type::String),
        Field::new("x-kubernetes-map-type", Type::String),
        Field::new("x-kubernetes-preserve-unknown-fields", Type::Bool),
        Field::new("x-kubernetes-validations", Type::MapList(&Type::Object(&VALIDATION_RULE), &["rule"])),
    ],
};

static SELECTABLE_FIELD: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.SelectableField",
    map_type: MapType::Granular,
    fields: &[
        Field::new("jsonPath", Type::String).required().default("\"\""),
    ],
};

static VALIDATION_RULE: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule",
    map_type: MapType::Granular,
    fields: &[
        Field::new("fieldPath", Type::String),
        Field::new("message", Type::String),
        Field::new("messageExpression", Type::String),
        Field::new("optionalOldSelf", Type::Bool),
        Field::new("reason", Type::Enum(&["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"])),
        Field::new("rule", Type::String).required().default("\"\""),
    ],
};

static WEBHOOK_CONVERSION: ObjectType = ObjectType {
    name: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookConversion",
    map_type: MapType::Granular,
    fields: &[
        Field::new("clientConfig", Type::Object(&WEBHOOK_CLIENT_CONFIG)),
        Field::new("conversionReviewVersions", Type::List(&Type::String)).required(),
    ],
};

static CONDITION: ObjectType = ObjectType {
    name: "io.k8s.apimachinery.pkg.apis.meta.v1.Condition",
    map_type: MapType::Granular,
    fields: &[
        Field::new("lastTransitionTime", Type::Time).required(),
        Field::new("message", Type::String).required().default("\"\""),
        Field::new("observedGeneration", Type::Int64),
        Field::new("reason", Type::String).required().default("\"\""),
        Field::new("status", Type::String).required().default("\"\""),
        Field::new("type", Type::String).required().default("\"\""),
    ],
};

static LABEL_SELECTOR: ObjectType = ObjectType {
    name: "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector",
    map_type: MapType::Atomic,
    fields: &[
        Field::new("matchExpressions", Type::List(&Type::Object(&LABEL_SELECTOR_REQUIREMENT))),
        Field::new("matchLabels", Type::Map(&Type::String)),
    ],
};

static LABEL_SELECTOR_REQUIREMENT: ObjectType = ObjectType {
    name: "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement",
    map_type: MapType::Granular,
    fields: &[
        Field::new("key", Type::String).required().default("\"\""),
        Field::new("operator", Type::String).required().default("\"\""),
        Field::new("values", Type::List(&Type::String)),
    ],
};

static MANAGED_FIELDS_ENTRY: ObjectType = ObjectType {
    name: "io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry",
    map_type: MapType::Granular,
    fields: &[
        Field::new("apiVersion", Type::String),
        Field::new("fieldsType", Type::String),
        Field::new("fieldsV1", Type::Any),
        Field::new("manager", Type::String),
        Field::new("operation", Type::String),
        Field::new("subresource", Type::String),
        Field::new("time", Type::Time),
    ],
};

static OBJECT_META: ObjectType = ObjectType {
    name: "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
    map_type: MapType::Granular,
    fields: &[
        Field::new("annotations", Type::Map(&Type::String)),
        Field::new("creationTimestamp", Type::Time),
        Field::new("deletionGracePeriodSeconds", Type::Int64),
        Field::new("deletionTimestamp", Type::Time),
        Field::new("finalizers", Type::Set(&Type::String)),
        Field::new("generateName", Type::String),
        Field::new("generation", Type::Int64),
        Field::new("labels", Type::Map(&Type::String)),
        Field::new("managedFields", Type::List(&Type::Object(&MANAGED_FIELDS_ENTRY))),
        Field::new("name", Type::String),
        Field::new("namespace", Type::String),
        Field::new("ownerReferences", Type::MapList(&Type::Object(&OWNER_REFERENCE), &["uid"])),
        Field::new("resourceVersion", Type::String),
        Field::new("selfLink", Type::String),
        Field::new("uid", Type::String),
    ],
};

static OWNER_REFERENCE: ObjectType = ObjectType {
    name: "io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference",
    map_type: MapType::Atomic,
    fields: &[
        Field::new("apiVersion", Type::String).required().default("\"\""),
        Field::new("blockOwnerDeletion", Type::Bool),
        Field::new("controller", Type::Bool),
        Field::new("kind", Type::String).required().default("\"\""),
        Field::new("name", Type::String).required().default("\"\""),
        Field::new("uid", Type::String).required().default("\"\""),
    ],
};
