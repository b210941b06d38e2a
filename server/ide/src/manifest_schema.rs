//! The schema of a part of a manifest, for completion and hover in YAML.
//!
//! The nearest object with a kind determines the schema, so the object of an admission input and
//! the items of a list have the schema of their own kind.

pub(crate) mod json_schema;

use kubernetes::TypeMeta;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Schema};
use yaml::{Node, NodeKind};

/// The type of the schemas in a CustomResourceDefinition.
const JSON_SCHEMA: &str =
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

/// The fields of a JSON schema that hold a schema or something else.
const NESTED_SCHEMAS: [&str; 3] = ["items", "additionalProperties", "additionalItems"];

/// Returns the schema of a value. `None` if no kind is known or the kind lacks the field.
pub(crate) fn schema_of<'c>(catalog: &'c Catalog, node: Node<'_>) -> Option<Schema<'c>> {
    let mut steps = Vec::new();
    let mut at = node;
    let mut schema = loop {
        if let Some(schema) = kind_schema(catalog, at) {
            break schema;
        }
        let parent = at.parent()?;
        steps.push((parent, at));
        at = parent;
    };
    for (parent, child) in steps.into_iter().rev() {
        schema = match parent.kind() {
            NodeKind::Sequence(_) => schema.items()?,
            NodeKind::Mapping(_) => {
                let entry = parent.entry_of(child)?;
                field(catalog, schema, &entry.key.key_text())?
            }
            NodeKind::Scalar(_) => return None,
        };
    }
    Some(schema)
}

/// Returns the schema of a field of an object.
pub(crate) fn field<'c>(catalog: &'c Catalog, owner: Schema<'c>, name: &str) -> Option<Schema<'c>> {
    if is_json_schema(owner) && NESTED_SCHEMAS.contains(&name) {
        return catalog.named(JSON_SCHEMA);
    }
    owner
        .property(name)
        .or_else(|| owner.additional_properties())
}

/// Returns the description of a field of an object.
pub(crate) fn description<'c>(owner: Schema<'c>, name: &str, field: Schema<'c>) -> Option<&'c str> {
    let of_schema = json_schema::key(name).filter(|_| is_json_schema(owner));
    of_schema.or_else(|| field.description())
}

/// Returns whether a field is required: by the schema, or by the API server, if its description
/// ends with that word.
pub(crate) fn is_required(owner: Schema<'_>, name: &str, field: Schema<'_>) -> bool {
    let description = field.description().unwrap_or_default();
    owner.is_required(name) || description.trim_end_matches('.').ends_with("Required")
}

/// Returns whether the values of a schema are the schemas of a CustomResourceDefinition.
pub(crate) fn is_json_schema(schema: Schema<'_>) -> bool {
    schema.type_name() == Some(JSON_SCHEMA)
}

/// Returns the keys from an object without a kind, such as an admission input, to a node. Items of
/// a list have no key.
pub(crate) fn path<'a>(node: Node<'a>) -> Vec<&'a str> {
    let mut path = Vec::new();
    let mut at = node;
    while let Some(parent) = at.parent() {
        path.extend(parent.entry_of(at).map(|entry| entry.key.text()));
        at = parent;
    }
    path.reverse();
    path
}

fn kind_schema<'c>(catalog: &'c Catalog, node: Node<'_>) -> Option<Schema<'c>> {
    let meta = TypeMeta::read(node);
    if is_namespace_of_input(node, meta) {
        return catalog.schema("", "v1", "Namespace");
    }
    let names = meta
        .names()
        .or_else(|| object_of_input(node, meta)?.names());
    let (GroupVersion { group, version }, kind) = names?;
    catalog.schema(group, version, kind)
}

/// Returns whether a node is `namespaceObject` of an admission input, which needs no kind.
fn is_namespace_of_input(node: Node<'_>, meta: TypeMeta<'_>) -> bool {
    meta.kind.is_none()
        && matches!(
            *path(node),
            ["namespaceObject"] | ["request", "namespaceObject"]
        )
}

/// Returns the kind of the object of an admission input, if a node is its `expect.object`, which
/// needs no kind.
fn object_of_input<'n>(node: Node<'n>, meta: TypeMeta<'n>) -> Option<TypeMeta<'n>> {
    let expect = node.parent().filter(|_| meta.kind.is_none())?;
    let root = expect.parent()?;
    let is_key =
        |of: Node<'_>, node, name| of.entry_of(node).is_some_and(|it| it.key.text() == name);
    let is_expected = is_key(expect, node, "object") && is_key(root, expect, "expect");
    let objects = [root.get("object"), root.get("oldObject")];
    let object = objects.into_iter().flatten().next();
    object
        .filter(|_| is_expected && root.parent().is_none())
        .map(TypeMeta::read)
}
