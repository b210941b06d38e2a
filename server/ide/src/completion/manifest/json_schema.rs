//! The keys of a schema in a CustomResourceDefinition that fit its type.

use yaml::Node;

/// Returns the keys that people write for the type of a schema, the most frequent first,
/// separated by spaces.
pub(super) fn preferred(schema: Node<'_>) -> &'static str {
    match schema.get("type").and_then(Node::as_str) {
        Some("integer" | "number") => {
            "minimum maximum format default enum description multipleOf exclusiveMinimum \
             exclusiveMaximum"
        }
        Some("string") => "enum maxLength pattern minLength format default description",
        Some("array") => {
            "items maxItems minItems x-kubernetes-list-type x-kubernetes-list-map-keys \
             x-kubernetes-validations description"
        }
        Some("object") => {
            "properties required x-kubernetes-validations additionalProperties maxProperties \
             x-kubernetes-preserve-unknown-fields description"
        }
        Some("boolean") => "default description",
        Some(_) | None => "type properties items description",
    }
}
