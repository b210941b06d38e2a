//! Paths to the fields of a custom resource: in printer columns, selectable fields, the scale
//! subresource and validation rules.

use super::{ManifestContext, ManifestList};
use kubernetes::openapi::Schema;
use yaml::Node;

/// Limit: names in a path. Columns rarely show deeper fields.
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

/// The fields to which the paths of a key can lead.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go,
/// ValidateCustomResourceDefinitionSubresources and ValidateCustomResourceSelectableFields.
struct PathRule<'n> {
    /// The types of the fields, separated by spaces; `date` is a format.
    types: &'n str,
    /// The prefixes of the paths, separated by spaces. Empty for all except those to the fields of
    /// every object: selectable fields must not be in `metadata`, and other columns are the same for
    /// all objects.
    prefixes: &'static str,
}

impl<'n> PathRule<'n> {
    fn new(owner: Node<'n>, key: &str) -> Option<Self> {
        let (types, prefixes) = match key {
            "jsonPath" if is_in(owner, "selectableFields") => ("string integer boolean", ""),
            "jsonPath" => (column_types(owner), ""),
            "specReplicasPath" => ("integer", ".spec."),
            "statusReplicasPath" => ("integer", ".status."),
            "labelSelectorPath" => ("string", ".spec. .status."),
            _ => return None,
        };
        Some(Self { types, prefixes })
    }

    fn accepts(&self, field: &FieldBelow<'_>) -> bool {
        let has_type = self.types.split(' ').any(|ty| match ty {
            "date" => field.text("format").starts_with("date"),
            ty => field.text("type") == ty,
        });
        let path = &*field.path;
        let has_prefix = if self.prefixes.is_empty() {
            !matches!(path, ".apiVersion" | ".kind") && !path.starts_with(".metadata.")
        } else {
            let mut prefixes = self.prefixes.split_whitespace();
            prefixes.any(|prefix| path.starts_with(prefix))
        };
        has_type && has_prefix
    }
}

/// Offers the paths that fit the value of `key`. Returns whether it is one that takes a path.
pub(super) fn add(
    context: &ManifestContext<'_>,
    (of_owner, owner, key): (Option<Schema<'_>>, Node<'_>, &str),
    list: &mut ManifestList,
) -> bool {
    let type_name = of_owner.and_then(Schema::type_name).unwrap_or_default();
    if key == "fieldPath" && type_name.ends_with(".ValidationRule") {
        add_field_paths(context, owner, list);
        return true;
    }
    let Some(rule) = PathRule::new(owner, key) else {
        return false;
    };
    let Some(root) = schema_of_version(owner) else {
        return false;
    };
    for field in fields_below(root, &|field| rule.accepts(field)) {
        list.value(context, &field.path, None);
    }
    if rule.types.contains("date") {
        list.value(context, ".metadata.creationTimestamp", None);
    }
    true
}

/// Offers the paths of the fields that a validation rule can be about.
fn add_field_paths(context: &ManifestContext<'_>, rule: Node<'_>, list: &mut ManifestList) {
    let schema = rule.parent().and_then(Node::parent);
    let all = |_: &FieldBelow<'_>| true;
    for field in schema.map_or_else(Vec::new, |it| fields_below(it, &all)) {
        list.value(context, &field.path, None);
    }
}

/// Returns the types of the fields that a printer column can show.
fn column_types(column: Node<'_>) -> &str {
    let ty = column.get("type").and_then(Node::as_str);
    ty.unwrap_or("string integer number boolean date")
}

/// Returns whether a mapping is an element of the list with this key.
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

/// Returns the accepted fields below a schema, those of each object in the order of their
/// definition.
fn fields_below<'n>(
    schema: Node<'n>,
    accepts: &dyn Fn(&FieldBelow<'n>) -> bool,
) -> Vec<FieldBelow<'n>> {
    let mut found = Vec::new();
    add_fields(schema, "", accepts, &mut found);
    found
}

fn add_fields<'n>(
    schema: Node<'n>,
    above: &str,
    accepts: &dyn Fn(&FieldBelow<'n>) -> bool,
    found: &mut Vec<FieldBelow<'n>>,
) {
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
        let field = FieldBelow {
            path: path.clone(),
            schema: entry.value,
        };
        if accepts(&field) {
            found.push(field);
        }
        add_fields(entry.value, &path, accepts, found);
    }
}
