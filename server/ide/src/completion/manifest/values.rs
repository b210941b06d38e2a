//! Values: those of an enum, and those that the field has by its name.

use super::{ManifestContext, ManifestList, references, rules};
use crate::manifest_schema::{is_json_schema, schema_of};
use kubernetes::openapi::{Schema, SchemaType};

/// The values of fields that Kubernetes validates and whose schema has no enum.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go;
/// kubernetes/apimachinery, pkg/apis/meta/v1/types.go, LabelSelectorOperator.
const VALUES: [(&str, &str); 11] = [
    ("failurePolicy", "Fail Ignore"),
    ("matchPolicy", "Equivalent Exact"),
    ("operator", "In NotIn Exists DoesNotExist"),
    ("operations", "CREATE UPDATE DELETE CONNECT *"),
    ("parameterNotFoundAction", "Deny Allow"),
    ("patchType", "ApplyConfiguration JSONPatch"),
    (
        "reason",
        "Invalid Forbidden Unauthorized RequestEntityTooLarge",
    ),
    ("reinvocationPolicy", "Never IfNeeded"),
    ("scope", "Namespaced Cluster *"),
    ("sideEffects", "None NoneOnDryRun"),
    ("validationActions", "Deny Warn Audit"),
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
            if schema.is_some() {
                add_validated(context, &key, list);
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

fn add_validated(context: &ManifestContext<'_>, key: &str, list: &mut ManifestList) {
    let found = VALUES.iter().find(|(known, _)| *known == key);
    for value in found.into_iter().flat_map(|(_, values)| values.split(' ')) {
        list.value(context, value, None);
    }
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
