//! Paths to the fields of a custom resource: in printer columns, selectable fields, the scale
//! subresource and validation rules.

use super::{ManifestContext, ManifestList};
use yaml::Node;

/// Limit: names in a path. Deeper fields are rarely shown in a column.
const MAX_DEPTH: usize = 6;

/// Limit: paths that are offered.
const MAX_PATHS: usize = 300;

/// A field below a schema.
struct FieldBelow<'n> {
    /// The names with a dot before each: `.spec.replicas`.
    path: String,
    schema: Node<'n>,
}

impl FieldBelow<'_> {
    fn text(&self, key: &str) -> &str {
        let value = self.schema.get(key).and_then(Node::as_str);
        value.unwrap_or_default()
    }
}

/// Offers the paths that fit the value of `key`. Returns whether it is one that takes a path.
pub(super) fn add(
    context: &ManifestContext<'_>,
    (owner, key): (Node<'_>, &str),
    list: &mut ManifestList,
) -> bool {
    let wanted = match key {
        "jsonPath" if is_in(owner, "selectableFields") => "string integer boolean",
        "jsonPath" => column_types(owner),
        "specReplicasPath" | "statusReplicasPath" => "integer",
        "labelSelectorPath" => "string",
        _ => return false,
    };
    let Some(root) = schema_of_version(owner) else {
        return false;
    };
    let part = match key {
        "specReplicasPath" => ".spec.",
        "statusReplicasPath" => ".status.",
        _ => ".",
    };
    for field in fields_below(root) {
        let has_type = wanted.split(' ').any(|ty| match ty {
            "date" => field.text("format").starts_with("date"),
            ty => field.text("type") == ty,
        });
        if has_type && field.path.starts_with(part) {
            list.value(context, &field.path, None);
        }
    }
    if wanted.contains("date") {
        list.value(context, ".metadata.creationTimestamp", None);
    }
    true
}

/// Offers the paths of the fields that a validation rule can be about.
pub(super) fn add_field_paths(
    context: &ManifestContext<'_>,
    rule: Node<'_>,
    list: &mut ManifestList,
) {
    let schema = rule.parent().and_then(Node::parent);
    for field in schema.map(fields_below).unwrap_or_default() {
        list.value(context, &field.path, None);
    }
}

/// Returns the types of the fields that a printer column can show.
fn column_types(column: Node<'_>) -> &str {
    let ty = column.get("type").and_then(Node::as_str);
    ty.unwrap_or("string integer number boolean date")
}

/// Returns whether a mapping is an element of the list with a key.
fn is_in(item: Node<'_>, key: &str) -> bool {
    let list = item.parent();
    let entry = list.and_then(|list| list.parent()?.entry_of(list));
    entry.is_some_and(|entry| entry.key.text() == key)
}

/// Returns the schema of the version around a node.
fn schema_of_version(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        let schema = node.get("schema").and_then(|it| it.get("openAPIV3Schema"));
        if schema.is_some() {
            return schema;
        }
        node = node.parent()?;
    }
}

/// Returns the fields below a schema, those of each object in the order of their definition.
fn fields_below(schema: Node<'_>) -> Vec<FieldBelow<'_>> {
    let mut found = Vec::new();
    add_fields(schema, "", &mut found);
    found
}

fn add_fields<'n>(schema: Node<'n>, above: &str, found: &mut Vec<FieldBelow<'n>>) {
    let properties = schema.get("properties").and_then(Node::as_mapping);
    for entry in properties.into_iter().flat_map(yaml::Mapping::entries) {
        let name = entry.key.key_text();
        let path = format!("{above}.{name}");
        if name.contains('.') {
            continue;
        }
        if found.len() >= MAX_PATHS || path.matches('.').count() > MAX_DEPTH {
            return;
        }
        found.push(FieldBelow {
            path: path.clone(),
            schema: entry.value,
        });
        add_fields(entry.value, &path, found);
    }
}
