//! The schemas in a CustomResourceDefinition, as written.
//!
//! To report that a property has another spelling, or that no rule can reach it, the
//! schema must be read the way Kubernetes converts it into CEL types.

use crate::field_path::{FieldPath, PathRef};
use foldhash::fast::RandomState;
use kubernetes::entries;
use std::borrow::Cow;
use std::collections::HashMap;
use yaml::{Node, NodeKind, Value};

/// A schema: an object of the type `JSONSchemaProps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonSchema<'a> {
    node: Node<'a>,
}

/// The schemas of properties by name.
pub(crate) type Properties<'a> = HashMap<Cow<'a, str>, JsonSchema<'a>, RandomState>;

/// Limit: schemas that a walk visits through aliases. A file that needs more expands endlessly.
pub(crate) const ALIAS_BUDGET: usize = 2_000;

/// Limit: schemas within schemas. Aliases can nest them deeper than a stack reaches.
pub const MAX_DEPTH: usize = 100;

/// The keys of a schema that the API server forbids.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go,
/// ValidateCustomResourceDefinitionOpenAPISchema.
pub const UNSUPPORTED_KEYS: [&str; 6] = [
    "id",
    "additionalItems",
    "patternProperties",
    "definitions",
    "dependencies",
    "$ref",
];

impl<'a> JsonSchema<'a> {
    /// Returns a node as a schema. `None` if it is not a mapping.
    #[must_use]
    pub fn new(node: Node<'a>) -> Option<Self> {
        node.as_mapping().map(|_| Self { node })
    }

    /// Returns its node.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// Returns `type`, empty if missing.
    #[must_use]
    pub fn ty(self) -> &'a str {
        self.text("type")
    }

    /// Returns a field of the schema that holds a string, empty if it is absent.
    #[must_use]
    pub fn text(self, field: &str) -> &'a str {
        self.node.get(field).and_then(Node::as_str).unwrap_or("")
    }

    /// Returns whether a boolean field of the schema is true.
    #[must_use]
    pub fn flag(self, field: &str) -> bool {
        let scalar = self.node.get(field).and_then(Node::as_scalar);
        scalar.is_some_and(|scalar| scalar.value() == Value::Bool(true))
    }

    /// Returns whether a field is set once the server has decoded the schema. An empty string or a
    /// false flag is unset in some fields and set in others.
    ///
    /// Upstream: kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/types_jsonschema.go,
    /// JSONSchemaProps: fields with and without a pointer.
    pub(crate) fn has(self, field: &str) -> bool {
        match field {
            "id" | "$schema" | "description" | "type" | "format" | "title" | "pattern" => {
                !self.text(field).is_empty()
            }
            "nullable"
            | "exclusiveMaximum"
            | "exclusiveMinimum"
            | "uniqueItems"
            | "x-kubernetes-embedded-resource"
            | "x-kubernetes-int-or-string" => self.flag(field),
            _ => self.node.get(field).is_some_and(|node| !node.is_null()),
        }
    }

    /// Returns whether a field has a non-empty list or map.
    pub(crate) fn has_any(self, field: &str) -> bool {
        match self.node.get(field).map(Node::kind) {
            Some(NodeKind::Mapping(mapping)) => entries(mapping).next().is_some(),
            Some(NodeKind::Sequence(sequence)) => sequence.items().len() > 0,
            Some(NodeKind::Scalar(_)) | None => false,
        }
    }

    /// Returns the schema in a field.
    #[must_use]
    pub fn schema(self, field: &str) -> Option<JsonSchema<'a>> {
        self.node.get(field).and_then(JsonSchema::new)
    }

    /// Returns the schema of a property.
    #[must_use]
    pub fn property(self, name: &str) -> Option<JsonSchema<'a>> {
        JsonSchema::new(self.node.get("properties")?.get(name)?)
    }

    /// Returns the names of all properties, in the order of the file.
    #[must_use]
    pub fn property_names(self) -> Vec<String> {
        let properties = self.node.get("properties").and_then(Node::as_mapping);
        properties
            .into_iter()
            .flat_map(entries)
            .map(|entry| entry.key.key_text().into_owned())
            .collect()
    }

    /// Returns the schemas of all properties, by name.
    pub(crate) fn properties(self) -> Properties<'a> {
        let properties = self.node.get("properties").and_then(Node::as_mapping);
        properties
            .into_iter()
            .flat_map(entries)
            .filter_map(|entry| Some((entry.key.key_text(), JsonSchema::new(entry.value)?)))
            .collect()
    }

    /// Returns whether the schema of a resource declares all of `kind`, `apiVersion`,
    /// `metadata.name` and `metadata.generateName`. Otherwise the server uses its own.
    ///
    /// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/model/schemas.go,
    /// WithTypeAndObjectMeta.
    pub(crate) fn has_standard_fields(self) -> bool {
        let has = |schema: JsonSchema<'_>, name: &str, ty: &str| {
            schema.property(name).is_some_and(|found| found.ty() == ty)
        };
        has(self, "kind", "string")
            && has(self, "apiVersion", "string")
            && has(self, "metadata", "object")
            && self.property("metadata").is_some_and(|metadata| {
                has(metadata, "name", "string") && has(metadata, "generateName", "string")
            })
    }

    /// Returns a limit, such as `maxItems`. A negative one counts as 0.
    pub(crate) fn limit(self, field: &str) -> Option<i64> {
        let scalar = self.node.get(field).and_then(Node::as_scalar)?;
        Some(scalar.value().as_integer()?.max(0))
    }

    /// Returns this schema and every schema inside it.
    #[must_use]
    pub fn all(self) -> Vec<JsonSchema<'a>> {
        let base = FieldPath::root();
        let mut all = Vec::new();
        self.walk(&PathRef::new(&base), &mut |schema, _| all.push(schema));
        all
    }

    /// Calls `visit` for this schema and every schema inside it, with its path.
    pub(crate) fn walk(
        self,
        path: &PathRef<'_>,
        visit: &mut dyn FnMut(JsonSchema<'a>, &PathRef<'_>),
    ) {
        let mut budget = ALIAS_BUDGET;
        self.walk_within(path, (false, MAX_DEPTH), &mut budget, visit);
    }

    fn walk_within(
        self,
        path: &PathRef<'_>,
        (in_alias, depth): (bool, usize),
        budget: &mut usize,
        visit: &mut dyn FnMut(JsonSchema<'a>, &PathRef<'_>),
    ) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let in_alias = in_alias || self.node.is_alias();
        if in_alias {
            let Some(rest) = budget.checked_sub(1) else {
                return;
            };
            *budget = rest;
        }
        visit(self, path);
        self.for_each_inner(path, &mut |schema, path| {
            schema.walk_within(path, (in_alias, depth), budget, visit);
        });
    }

    /// Calls `visit` for every schema directly inside this one, with its path.
    pub(crate) fn for_each_inner(
        self,
        path: &PathRef<'_>,
        visit: &mut dyn FnMut(JsonSchema<'a>, &PathRef<'_>),
    ) {
        let Some(mapping) = self.node.as_mapping() else {
            return;
        };
        for entry in entries(mapping) {
            let field = entry.key.key_text();
            let path = path.child(&field);
            match Inner::parse(&field) {
                None => {}
                Some(Inner::Schema) => {
                    if let Some(schema) = JsonSchema::new(entry.value) {
                        visit(schema, &path);
                    } else {
                        each_item(entry.value, &path, visit);
                    }
                }
                Some(Inner::List) => each_item(entry.value, &path, visit),
                Some(Inner::Map) => each_value(entry.value, &path, visit),
            }
        }
    }
}

/// The form in which a field of a schema holds further schemas.
enum Inner {
    /// One schema, or a list of them.
    Schema,
    List,
    Map,
}

impl Inner {
    fn parse(field: &str) -> Option<Self> {
        Some(match field {
            "items" | "additionalProperties" | "additionalItems" | "not" => Inner::Schema,
            "allOf" | "anyOf" | "oneOf" => Inner::List,
            "properties" | "patternProperties" | "definitions" | "dependencies" => Inner::Map,
            _ => return None,
        })
    }
}

fn each_item<'a>(
    node: Node<'a>,
    path: &PathRef<'_>,
    visit: &mut dyn FnMut(JsonSchema<'a>, &PathRef<'_>),
) {
    let items = node
        .as_sequence()
        .into_iter()
        .flat_map(yaml::Sequence::items);
    for (index, item) in items.enumerate() {
        if let Some(schema) = JsonSchema::new(item) {
            visit(schema, &path.index(index));
        }
    }
}

fn each_value<'a>(
    node: Node<'a>,
    path: &PathRef<'_>,
    visit: &mut dyn FnMut(JsonSchema<'a>, &PathRef<'_>),
) {
    let values = node.as_mapping().into_iter().flat_map(entries);
    for entry in values {
        if let Some(schema) = JsonSchema::new(entry.value) {
            visit(schema, &path.key(&entry.key.key_text()));
        }
    }
}

/// Returns whether two nodes have the same JSON, where absent, null and empty are equal, as for the
/// API server after decoding.
#[must_use]
pub(crate) fn same(left: Node<'_>, right: Node<'_>) -> bool {
    let mut budget = COMPARE_BUDGET;
    same_within(left, right, COMPARE_DEPTH, &mut budget)
}

/// Limit: nodes of a comparison; aliases can make their number explode.
const COMPARE_BUDGET: usize = 1_000_000;
/// Limit: nodes within nodes of a comparison.
const COMPARE_DEPTH: usize = 2 * MAX_DEPTH;

fn same_within(left: Node<'_>, right: Node<'_>, depth: usize, budget: &mut usize) -> bool {
    if left.resolved().id() == right.resolved().id() {
        return true;
    }
    let (Some(rest), Some(depth)) = (budget.checked_sub(1), depth.checked_sub(1)) else {
        return false;
    };
    *budget = rest;
    match (left.kind(), right.kind()) {
        (NodeKind::Scalar(left), NodeKind::Scalar(right)) => {
            left.value() == right.value()
                && (left.value() != Value::Str || left.text() == right.text())
        }
        (NodeKind::Sequence(left), NodeKind::Sequence(right)) => {
            left.items().len() == right.items().len()
                && left
                    .items()
                    .zip(right.items())
                    .all(|(left, right)| same_within(left, right, depth, budget))
        }
        (NodeKind::Mapping(left), NodeKind::Mapping(right)) => {
            let (left, right) = (significant(left), significant(right));
            left.len() == right.len()
                && left.iter().zip(&right).all(|(left, right)| {
                    left.0 == right.0 && same_within(left.1, right.1, depth, budget)
                })
        }
        _ => false,
    }
}

/// Returns the entries that are not empty, sorted by key.
fn significant(mapping: yaml::Mapping<'_>) -> Vec<(Cow<'_, str>, Node<'_>)> {
    let mut found: Vec<_> = entries(mapping)
        .filter(|entry| !is_empty(entry.value))
        .map(|entry| (entry.key.key_text(), entry.value))
        .collect();
    found.sort_by(|left, right| left.0.cmp(&right.0));
    found
}

/// Returns whether a value is empty once decoded: null, false, an empty string or
/// an empty list.
pub(crate) fn is_empty(node: Node<'_>) -> bool {
    match node.kind() {
        NodeKind::Mapping(_) => false,
        NodeKind::Sequence(sequence) => sequence.items().len() == 0,
        NodeKind::Scalar(scalar) => match scalar.value() {
            Value::Null | Value::Bool(false) => true,
            Value::Str => scalar.text().is_empty(),
            Value::Bool(true) | Value::Int(_) | Value::Uint(_) | Value::Float(_) => false,
        },
    }
}
