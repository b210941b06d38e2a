//! Values: those of an enum, and those that the field has by its name.

use super::{ManifestContext, ManifestList, references, rules};
use crate::manifest_schema::{is_json_schema, schema_of};
use kubernetes::openapi::{Schema, SchemaType};

/// The values of fields that Kubernetes validates, whatever enum the schema has: by the type of the
/// object and the name of the field.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go;
/// kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go;
/// kubernetes/apimachinery, pkg/apis/meta/v1/types.go, LabelSelectorOperator.
const VALUES: [(&str, &str, &str); 19] = [
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
    ("ValidatingWebhook", "sideEffects", "None NoneOnDryRun"),
];

/// The types of a schema in a CustomResourceDefinition.
const SCHEMA_TYPES: &str = "string integer object array boolean number";

pub(super) fn add(context: &ManifestContext<'_>, list: &mut ManifestList) {
    let Some((owner, key)) = context.owner() else {
        return;
    };
    let schema = schema_of(context.catalog, context.node);
    let of_owner = schema_of(context.catalog, owner);
    match &*key {
        "apiVersion" | "kind" => references::add_kinds(context, owner, &key, list),
        "policyName" => references::add_policies(context, owner, list),
        "name" | "namespace" => references::add_params(context, owner, &key, list),
        "apiGroups" | "apiVersions" | "resources" if owner.get("resources").is_some() => {
            rules::add(context, owner, &key, list);
        }
        "type" if of_owner.is_some_and(is_json_schema) => {
            for ty in SCHEMA_TYPES.split(' ') {
                list.value(context, ty, None);
            }
        }
        _ => {
            if let Some(of_owner) = of_owner.and_then(Schema::type_name)
                && add_validated(context, (of_owner, &key), list)
            {
                return;
            }
            let path = context.input_path(owner);
            let values = path.map(|path| evaluation::input::values(&path, &key));
            for value in values.into_iter().flatten() {
                list.value(context, value, None);
            }
        }
    }
    if let Some(schema) = schema {
        add_schema(context, schema, list);
    }
}

/// Offers the values that Kubernetes accepts. Returns whether they are known.
fn add_validated(
    context: &ManifestContext<'_>,
    (of_owner, key): (&str, &str),
    list: &mut ManifestList,
) -> bool {
    let of_owner = of_owner.rsplit('.').next().unwrap_or(of_owner);
    let mut known = VALUES.iter();
    let found = known.find(|(ty, field, _)| (*ty, *field) == (of_owner, key));
    let Some((_, _, values)) = found else {
        return false;
    };
    let values = values.split(' ');
    // A mutating policy cannot match deletions.
    for value in values.filter(|value| *value != "DELETE" || !context.is_mutating_policy()) {
        list.value(context, value, None);
    }
    true
}

fn add_schema(context: &ManifestContext<'_>, schema: Schema<'_>, list: &mut ManifestList) {
    let default = schema.default_value();
    for value in schema.enum_values() {
        if let Some(text) = value.as_str() {
            let detail = (default.as_ref() == Some(&value)).then_some("default");
            list.value(context, text, detail);
        }
    }
    if schema.ty() == SchemaType::Boolean && !context.cursor.is_quoted {
        for value in ["true", "false"] {
            list.keyword(context, value);
        }
    }
}
