//! Values: those of an enum, and those that are usual for the name of the field.

use super::super::common_values::common_values;
use super::super::fixed_values::fixed_values;
use super::super::{usage, well_known};
use super::{
    ManifestContext, ManifestList, definition_names, inputs, json_paths, json_schema, references,
    rules,
};
use crate::kind_fields::allowed_strings;
use crate::manifest_schema::{is_json_schema, schema_of};
use kubernetes::openapi::{Schema, SchemaType};
use policy::manifest::Requirement;
use yaml::Node;

pub(super) fn add(context: &ManifestContext<'_>, list: &mut ManifestList) {
    let Some((owner, key)) = context.owner() else {
        return;
    };
    let schema = schema_of(context.catalog, context.node);
    let of_owner = schema_of(context.catalog, owner);
    match &*key {
        key if of_owner.is_none() && inputs::add(context, (owner, key), list) => {}
        "apiVersion" | "kind" if !has_fixed_values(of_owner, &key) => {
            references::add_kinds(context, owner, &key, list);
        }
        "policyName" => references::add_policies(context, owner, list),
        "name" | "plural" | "singular" | "listKind"
            if definition_names::add(context, (owner, &key), list) => {}
        "name" | "namespace" if references::add_params(context, (owner, &key), list) => {}
        "name" if references::add_named(context, owner, list) => {}
        "apiGroups" | "apiVersions" | "resources" if is_rule(of_owner, owner) => {
            rules::add(context, owner, &key, list);
        }
        key if json_paths::add(context, (of_owner, owner, key), list) => {}
        _ if of_owner.is_some_and(is_json_schema)
            && json_schema::add_values(context, (owner, &key), list) => {}
        _ if add_labels(context, owner, &key, list) => {}
        _ if add_validated(context, owner, (of_owner, &key), list) => return,
        _ if add_common(context, (of_owner, &key), list) => {}
        _ => {}
    }
    if &*key == "namespace" && list.items.is_empty() {
        for namespace in well_known::namespaces(context.samples) {
            list.value(context, &namespace, None);
        }
    }
    if let Some(schema) = schema {
        add_schema(context, schema, list);
    }
}

/// Offers the keys and values of labels in selectors and metadata. Returns whether any are offered.
fn add_labels(
    context: &ManifestContext<'_>,
    owner: Node<'_>,
    key: &str,
    list: &mut ManifestList,
) -> bool {
    let map = context.owner_key(owner);
    let values = match (key, map.as_deref()) {
        ("key", _) if is_requirement(context, owner) => context.label_keys("labels", None),
        ("values", _) if is_requirement(context, owner) => {
            well_known::label_values(&Requirement::read(owner).key, context.samples)
        }
        (label, Some(map)) if well_known::is_labels(map) => {
            well_known::label_values(label, context.samples)
        }
        _ => return false,
    };
    for value in &values {
        list.value(context, value, None);
    }
    !values.is_empty()
}

/// Returns whether a mapping is a rule that matches resources.
fn is_rule(schema: Option<Schema<'_>>, owner: Node<'_>) -> bool {
    let name = schema.and_then(Schema::type_name);
    name.is_some_and(|name| name.ends_with("RuleWithOperations"))
        || owner.get("resources").is_some()
}

/// Returns whether a mapping is an expression of a label selector.
fn is_requirement(context: &ManifestContext<'_>, node: Node<'_>) -> bool {
    let schema = schema_of(context.catalog, node).and_then(Schema::type_name);
    schema.is_some_and(|name| name.ends_with(".LabelSelectorRequirement"))
}

fn has_fixed_values(owner: Option<Schema<'_>>, key: &str) -> bool {
    owner.is_some_and(|owner| fixed_values(owner, key).is_some())
}

/// Offers the values that Kubernetes accepts. Returns whether they are known.
fn add_validated(
    context: &ManifestContext<'_>,
    owner: Node<'_>,
    (of_owner, key): (Option<Schema<'_>>, &str),
    list: &mut ManifestList,
) -> bool {
    let Some(values) = of_owner.and_then(|it| fixed_values(it, key)) else {
        return false;
    };
    let values = values.split(' ');
    // A mutating policy cannot match deletions.
    let is_mutating = context.is_mutating_policy();
    let values = values.filter(|value| *value != "DELETE" || !is_mutating);
    let possible = match key {
        "operations" => rules::operations(context, owner),
        _ => Vec::new(),
    };
    let fits = |value: &str| possible.is_empty() || value == "*" || possible.contains(&value);
    let values = values.filter(|value| fits(value));
    // Kubernetes rejects a binding that denies and warns.
    let excluded = match key {
        "validationActions" if context.has_item("Deny") => "Warn",
        "validationActions" if context.has_item("Warn") => "Deny",
        _ => "",
    };
    for value in values.filter(|value| *value != excluded) {
        list.value(context, value, None);
    }
    true
}

/// Offers the common values. Returns whether there are any.
fn add_common(
    context: &ManifestContext<'_>,
    (owner, key): (Option<Schema<'_>>, &str),
    list: &mut ManifestList,
) -> bool {
    let values = owner.map_or_else(Vec::new, |owner| common_values(context.samples, owner, key));
    for value in &values {
        list.value(context, value, None);
    }
    !values.is_empty()
}

fn add_schema(context: &ManifestContext<'_>, schema: Schema<'_>, list: &mut ManifestList) {
    let default = schema.default_value();
    for text in usage::by_frequency(allowed_strings(schema)) {
        let is_default = default.as_ref().and_then(|it| it.as_str()) == Some(&text);
        list.value(context, &text, is_default.then_some("default"));
    }
    if schema.ty() == SchemaType::Boolean && !context.cursor.is_quoted {
        for value in ["true", "false"] {
            list.keyword(context, value);
        }
    }
}
