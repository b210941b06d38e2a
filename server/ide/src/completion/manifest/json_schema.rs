//! The schemas of a CustomResourceDefinition: the keys that fit the type of a schema, and values
//! that follow from other keys.

use super::{ManifestContext, ManifestList};
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

/// The keys of a JSON schema that a definition must not use.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/convert.go, validateUnsupportedFields;
/// pkg/apis/apiextensions/validation/validation.go, ValidateCustomResourceDefinitionOpenAPISchema.
const UNSUPPORTED: [&str; 8] = [
    "id",
    "$schema",
    "$ref",
    "additionalItems",
    "definitions",
    "dependencies",
    "patternProperties",
    "uniqueItems",
];

/// The formats of strings that are validated, the most frequent first.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/validation/formats.go.
const STRING_FORMATS: &str = "date-time duration uri date email hostname ipv4 ipv6 cidr mac uuid \
    byte password k8s-short-name k8s-long-name";

/// Returns whether a schema can have a key: the type of the schema, if it is known, has it.
pub(super) fn fits(schema: Node<'_>, key: &str) -> bool {
    if UNSUPPORTED.contains(&key) {
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
            _ => words(STRING_FORMATS),
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

/// Returns the keys that people write for the type of a schema, separated by spaces: the most
/// frequent first in 1,500 published schemas of custom resources.
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
