//! Keys: the fields of the schema that the mapping lacks, the required ones first.

use super::super::schema_item::schema_item;
use super::super::usage::{self, Order};
use super::super::{CompletionKind, subjects, well_known};
use super::{ManifestContext, ManifestList, json_schema};
use crate::manifest_schema::{is_json_schema, schema_of};
use kubernetes::TypeMeta;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Schema, SchemaType};
use policy::manifest::{Operator, PatchType, Requirement};
use std::borrow::Cow;
use yaml::{Mapping, Node};

/// The keys of types in the usual order. The API server requires more of them than the schema does.
const KEYS: [(&str, &str); 15] = [
    (
        "ValidatingAdmissionPolicySpec",
        "matchConstraints validations variables failurePolicy matchConditions paramKind \
         auditAnnotations",
    ),
    (
        "MutatingAdmissionPolicySpec",
        "matchConstraints mutations reinvocationPolicy failurePolicy variables matchConditions \
         paramKind",
    ),
    (
        "ValidatingAdmissionPolicyBindingSpec",
        "policyName validationActions matchResources paramRef",
    ),
    (
        "MutatingAdmissionPolicyBindingSpec",
        "policyName matchResources paramRef",
    ),
    (
        "MatchResources",
        "resourceRules namespaceSelector objectSelector excludeResourceRules matchPolicy",
    ),
    (
        "NamedRuleWithOperations",
        "apiGroups apiVersions operations resources scope resourceNames",
    ),
    (
        "RuleWithOperations",
        "apiGroups apiVersions operations resources scope",
    ),
    ("Validation", "expression message messageExpression reason"),
    (
        "ObjectMeta",
        "name namespace labels annotations generateName finalizers ownerReferences",
    ),
    (
        "ParamRef",
        "name parameterNotFoundAction namespace selector",
    ),
    (
        "ValidationRule",
        "rule message messageExpression reason fieldPath optionalOldSelf",
    ),
    ("ValidatingWebhook", WEBHOOK),
    ("MutatingWebhook", WEBHOOK),
    (
        "CustomResourceDefinitionNames",
        "kind plural singular listKind shortNames categories",
    ),
    (
        "CustomResourceDefinitionVersion",
        "name served storage schema subresources additionalPrinterColumns",
    ),
];

/// The pairs of keys of types of which a mapping can have only one.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
/// validateParamRef; kubernetes/apiserver, pkg/util/webhook/validation.go;
/// kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
const EXCLUSIVE: [(&str, &str, &str); 3] = [
    ("JSONSchemaProps", "properties", "additionalProperties"),
    ("ParamRef", "name", "selector"),
    ("WebhookClientConfig", "service", "url"),
];

/// The keys of an exclude rule, which excludes resources of a group that other rules match.
const EXCLUDED: &str = "resources apiGroups apiVersions operations scope resourceNames";

const WEBHOOK: &str = "name clientConfig rules sideEffects admissionReviewVersions failurePolicy \
    matchConditions namespaceSelector objectSelector timeoutSeconds";

pub(super) fn add(context: &ManifestContext<'_>, mapping: Mapping<'_>, list: &mut ManifestList) {
    let node = mapping.node();
    let present: Vec<Cow<'_, str>> = mapping
        .entries()
        .map(|entry| entry.key.key_text())
        .collect();
    let Some(schema) = schema_of(context.catalog, node) else {
        return add_input_keys(context, node, &present, list);
    };
    // Below the key of a list, the cursor is at the first key of its first element.
    let is_first = context.cursor.is_alone && present.len() == 1;
    let (schema, dash) = match (schema.ty(), schema.items()) {
        (SchemaType::Array, Some(items)) if is_first => (items, "- "),
        _ => (schema, ""),
    };
    let preferred = keys_in_order(context, node, schema);
    let kind = match context.input_path(node) {
        Some(_) => CompletionKind::Field,
        None => CompletionKind::Key,
    };
    if let Some(values) = schema.additional_properties() {
        let field = context.owner_key(node).unwrap_or_default();
        let keys = context.label_keys(&field, Some(values));
        add_names(context, keys, &present, list);
    }
    for (name, field) in schema.properties() {
        let is_other = is_json_schema(schema) && !json_schema::fits(node, name)
            || is_excluded(schema, node, name)
            || name == "namespace" && is_metadata_of_cluster(context, node);
        if is_other || present.iter().any(|known| known == name) {
            continue;
        }
        let order = order(preferred, name, schema);
        list.push(context, kind, order, |item| {
            let found = schema_item(schema, name, field);
            item.detail = found.detail;
            item.documentation = found.documentation;
            item.label = name.to_owned();
            item.edit.insert = format!("{dash}{}", insert(context, dash.len(), name, field));
        });
    }
}

/// Returns the keys of a mapping in the usual order, separated by spaces.
fn keys_in_order(
    context: &ManifestContext<'_>,
    node: Node<'_>,
    schema: Schema<'_>,
) -> &'static str {
    if is_json_schema(schema) {
        return json_schema::preferred(node);
    }
    let name = schema.type_name().and_then(|name| name.rsplit('.').next());
    match context.owner_key(node.parent().unwrap_or(node)).as_deref() {
        Some("excludeResourceRules") => EXCLUDED,
        _ => preferred(name.unwrap_or_default()),
    }
}

/// Offers the keys of an admission input, and the first keys of its objects and of manifests.
fn add_input_keys(
    context: &ManifestContext<'_>,
    node: Node<'_>,
    present: &[Cow<'_, str>],
    list: &mut ManifestList,
) {
    let path = context.input_path(node);
    // Manifests and the items of a list begin as the object of an input does.
    let begins = is_item(node) || is_manifest(node);
    let path = path.or_else(|| begins.then(|| vec!["object"]));
    let Some(path) = path else {
        return;
    };
    if *path == ["request", "userInfo", "extra"] {
        let keys = well_known::words(subjects::EXTRA);
        return add_names(context, keys, present, list);
    }
    let keys = evaluation::input::keys(&path).iter().enumerate();
    let is_present = |name: &str| present.iter().any(|known| known == name);
    for (place, key) in keys.filter(|(_, key)| !is_present(key.name)) {
        list.push(context, CompletionKind::Field, Order::at(place), |item| {
            item.label = key.name.to_owned();
            item.documentation = Some(key.description.to_owned());
            item.edit.insert = format!("{}: ", key.name);
        });
    }
}

/// Returns whether a mapping is a document with `apiVersion` or `kind`.
fn is_manifest(node: Node<'_>) -> bool {
    let TypeMeta { api_version, kind } = TypeMeta::read(node);
    node.parent().is_none() && (api_version.is_some() || kind.is_some())
}

/// Returns whether a mapping is an item of a `List`, which can be of any kind.
fn is_item(node: Node<'_>) -> bool {
    let items = node.parent().filter(|it| it.as_sequence().is_some());
    let list = items.and_then(|items| {
        let list = items.parent()?;
        let is_items = list.entry_of(items)?.key.text() == "items";
        is_items.then(|| TypeMeta::read(list).kind?.as_str())
    });
    list.flatten() == Some("List")
}

/// Offers keys of labels, annotations and other maps.
fn add_names(
    context: &ManifestContext<'_>,
    keys: Vec<String>,
    present: &[Cow<'_, str>],
    list: &mut ManifestList,
) {
    let keys = keys.into_iter().enumerate();
    for (place, key) in keys.filter(|(_, key)| !present.iter().any(|known| known == key)) {
        list.push(context, CompletionKind::Field, Order::at(place), |item| {
            item.edit.insert = format!("{key}: ");
            item.label = key;
        });
    }
}

/// Returns whether another key of a mapping, or its value, excludes a key.
fn is_excluded(schema: Schema<'_>, node: Node<'_>, key: &str) -> bool {
    let name = schema.type_name().and_then(|name| name.rsplit('.').next());
    let mut pairs = EXCLUSIVE.iter().filter(|(ty, ..)| Some(*ty) == name);
    let has = |other: &str| node.get(other).is_some();
    if pairs.any(|(_, left, right)| *left == key && has(right) || *right == key && has(left)) {
        return true;
    }
    match key {
        "applyConfiguration" => PatchType::read(node) == Some(PatchType::JsonPatch),
        "jsonPatch" => PatchType::read(node) == Some(PatchType::ApplyConfiguration),
        "values" => matches!(
            Requirement::read(node).operator,
            Some(Operator::Exists | Operator::DoesNotExist)
        ),
        _ => false,
    }
}

/// Returns whether a mapping is the metadata of a cluster-scoped object.
fn is_metadata_of_cluster(context: &ManifestContext<'_>, node: Node<'_>) -> bool {
    if context.owner_key(node).as_deref() != Some("metadata") {
        return false;
    }
    let names = node.parent().and_then(|root| TypeMeta::read(root).names());
    let resource = names.and_then(|(GroupVersion { group, version }, kind)| {
        context.catalog.kind(group, version, kind)
    });
    resource.is_some_and(|it| !it.namespaced)
}

/// Returns the keys of a type in the usual order, separated by spaces.
fn preferred(type_name: &str) -> &'static str {
    let found = KEYS.iter().find(|(name, _)| *name == type_name);
    found.map_or("", |(_, keys)| keys)
}

fn order(preferred: &str, name: &str, schema: Schema<'_>) -> Order {
    match preferred.split(' ').position(|known| known == name) {
        Some(place) => Order::at(place),
        None => usage::key(name, schema.is_required(name), schema.place_of(name)),
    }
}

/// Returns the key with the beginning of its value: on the next line for objects and lists.
fn insert(context: &ManifestContext<'_>, dash: usize, name: &str, field: Schema<'_>) -> String {
    let indent = " ".repeat(context.cursor.column + dash + 2);
    match field.ty() {
        _ if context.cursor.has_colon => name.to_owned(),
        _ if context.cursor.is_flow => format!("{name}: "),
        SchemaType::Object => format!("{name}:\n{indent}"),
        SchemaType::Array => format!("{name}:\n{indent}- "),
        _ => format!("{name}: "),
    }
}
