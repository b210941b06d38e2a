//! The schemas of a CustomResourceDefinition: the keys that fit the type of a schema, and values
//! that follow from other keys.

use super::{ManifestContext, ManifestList};
use kubernetes::ServerVersion;
use policy::json_schema::UNSUPPORTED_KEYS;
use std::borrow::Cow;
use yaml::Node;

/// The keys that only schemas of a type have.
const OF_TYPE: [(&str, &str); 4] = [
    ("string", "maxLength minLength pattern"),
    (
        "integer number",
        "minimum maximum multipleOf exclusiveMinimum exclusiveMaximum",
    ),
    (
        "array",
        "items maxItems minItems x-kubernetes-list-type x-kubernetes-list-map-keys",
    ),
    (
        "object",
        "properties required additionalProperties maxProperties minProperties \
         x-kubernetes-map-type x-kubernetes-embedded-resource \
         x-kubernetes-preserve-unknown-fields",
    ),
];

/// The keys that combine schemas.
const JUNCTORS: [&str; 4] = ["allOf", "anyOf", "oneOf", "not"];

/// The keys that only a schema outside of the junctors has.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/validation.go,
/// validateNestedValueValidation.
const OUTSIDE_OF_JUNCTORS: [&str; 6] = [
    "type",
    "title",
    "description",
    "default",
    "nullable",
    "additionalProperties",
];

/// The formats of strings that the API server validates, the most frequent first.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/validation/formats.go.
const STRING_FORMATS: &str = "date-time duration uri date email hostname ipv4 ipv6 cidr mac uuid \
    byte password k8s-short-name k8s-long-name";

/// The version with the formats `k8s-short-name` and `k8s-long-name`.
const NAME_FORMATS_SINCE: ServerVersion = ServerVersion(34);

/// Returns whether a schema can have a key: the type of the schema, if it is known, has it.
pub(super) fn fits(schema: Node<'_>, key: &str) -> bool {
    let is_unsupported =
        UNSUPPORTED_KEYS.contains(&key) || matches!(key, "$schema" | "uniqueItems");
    if is_unsupported || OUTSIDE_OF_JUNCTORS.contains(&key) && is_in_junctor(schema) {
        return false;
    }
    let Some(ty) = schema.get("type").and_then(Node::as_str) else {
        return true;
    };
    OF_TYPE.iter().all(|(types, keys)| {
        let has = |words: &str, word: &str| words.split_whitespace().any(|it| it == word);
        has(types, ty) || !has(keys, key)
    })
}

/// Returns whether a schema is part of a junctor, at any depth.
fn is_in_junctor(schema: Node<'_>) -> bool {
    let mut at = schema;
    while let Some(parent) = at.parent() {
        let holder = parent.parent().and_then(|owner| key_of(owner, parent));
        let is_property = holder.as_deref() == Some("properties");
        let key = key_of(parent, at).filter(|_| !is_property);
        if key.is_some_and(|key| JUNCTORS.contains(&&*key)) {
            return true;
        }
        at = parent;
    }
    false
}

fn key_of<'n>(owner: Node<'n>, node: Node<'n>) -> Option<Cow<'n, str>> {
    owner.entry_of(node).map(|entry| entry.key.key_text())
}

/// Offers the values of a key of a schema. Returns whether they are known.
pub(super) fn add_values(
    context: &ManifestContext<'_>,
    (schema, key): (Node<'_>, &str),
    list: &mut ManifestList,
) -> bool {
    let ty = schema
        .get("type")
        .and_then(Node::as_str)
        .unwrap_or_default();
    let values: Vec<String> = match key {
        "format" => match ty {
            "integer" => words("int64 int32"),
            "number" => words("double float"),
            _ => string_formats(context),
        },
        "type" => words("string integer object array boolean number"),
        "x-kubernetes-list-type" => words("map set atomic"),
        "x-kubernetes-map-type" => words("granular atomic"),
        "required" => property_names(schema),
        "x-kubernetes-list-map-keys" => schema.get("items").map(property_names).unwrap_or_default(),
        "default" => {
            if ty == "boolean" && !context.cursor.is_quoted {
                ["false", "true"]
                    .iter()
                    .for_each(|it| list.keyword(context, it));
            }
            let values = schema.get("enum").and_then(Node::as_sequence);
            let values = values.into_iter().flat_map(yaml::Sequence::items);
            values.map(|value| value.text().to_owned()).collect()
        }
        _ => return false,
    };
    for value in &values {
        list.value(context, value, None);
    }
    !values.is_empty()
}

/// Returns the formats that every target version validates. Others are ignored.
fn string_formats(context: &ManifestContext<'_>) -> Vec<String> {
    let oldest = context.file.project().target().oldest();
    let mut formats = words(STRING_FORMATS);
    formats.retain(|format| oldest >= NAME_FORMATS_SINCE || !format.starts_with("k8s-"));
    formats
}

fn property_names(schema: Node<'_>) -> Vec<String> {
    let properties = schema.get("properties").and_then(Node::as_mapping);
    let entries = properties.into_iter().flat_map(yaml::Mapping::entries);
    entries
        .map(|entry| entry.key.key_text().into_owned())
        .collect()
}

fn words(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// Returns the usual keys for the type of a schema, separated by spaces: the most frequent first in
/// 1,500 published schemas of custom resources.
pub(super) fn preferred(schema: Node<'_>) -> &'static str {
    match schema.get("type").and_then(Node::as_str) {
        Some("integer" | "number") => {
            "description format minimum maximum default enum multipleOf exclusiveMinimum \
             exclusiveMaximum"
        }
        Some("string") => "description enum default pattern maxLength minLength format",
        Some("array") => {
            "items description x-kubernetes-list-type x-kubernetes-list-map-keys maxItems minItems \
             x-kubernetes-validations"
        }
        Some("object") => {
            "properties description required x-kubernetes-validations additionalProperties \
             x-kubernetes-preserve-unknown-fields default maxProperties"
        }
        Some("boolean") => "description default",
        Some(_) | None => "type description properties items",
    }
}
