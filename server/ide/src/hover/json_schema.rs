//! Values in the schemas of a CustomResourceDefinition: types, formats, patterns and the names of
//! properties.

use super::literal::regex;
use crate::explain::field_page;
use crate::manifest_schema::json_schema;
use crate::signature::add_page;
use kubernetes::openapi::{Catalog, Schema};
use policy::JsonSchema;
use policy::validation::rule_field;
use text::clean::for_markdown;
use yaml::Node;

/// Returns the meaning of a value of a key of the schema `node`; `of` is the type of schemas.
/// `None` for values without a meaning, such as descriptions.
pub(super) fn of_value(
    (catalog, of): (&Catalog, Schema<'_>),
    node: Node<'_>,
    (key, value): (&str, &str),
) -> Option<String> {
    let page = || field_page(catalog, of, key);
    match key {
        "required" => property(node, value),
        "x-kubernetes-list-map-keys" => property(node.get("items")?, value),
        "pattern" => Some(regex(value, "matches")),
        "description" | "title" | "example" => None,
        _ => match json_schema::value(key, value) {
            Some(meaning) => Some(format!("`{value}`: {meaning}\n\n{}", page()?)),
            None => page(),
        },
    }
}

/// Returns the field to which a path in a rule of a schema leads, with its type, its values and its
/// description.
pub(super) fn of_path(schema: Node<'_>, path: &str) -> Option<String> {
    let field = rule_field(path, JsonSchema::new(schema)?)?.node();
    let properties = field.parent()?;
    let name = properties.entry_of(field)?.key.key_text();
    property(properties.parent()?, &name)
}

/// Returns a property of a schema with its type, its values and its description.
pub(super) fn property(schema: Node<'_>, name: &str) -> Option<String> {
    let property = schema.get("properties")?.get(name)?;
    let text = |key: &str| property.get(key).and_then(Node::as_str);
    let mut shown = format!("`{name}`");
    if let Some(ty) = text("type") {
        shown.push_str(&format!(": {}", for_markdown(ty)));
    }
    let values = property.get("enum").and_then(Node::as_sequence);
    let values: Vec<&str> = values
        .into_iter()
        .flat_map(|values| values.items().map(Node::text))
        .collect();
    if !values.is_empty() {
        shown.push_str(&format!("\n\nOne of `{}`.", values.join("`, `")));
    }
    let description = for_markdown(text("description").unwrap_or_default());
    add_page(&mut shown, &description, "");
    Some(shown)
}
