//! The kinds that a CustomResourceDefinition defines, as the server publishes them.
//!
//! The server adds the fields that every object has: `apiVersion`, `kind` and `metadata`, at the
//! root and in embedded objects. Type checking sees this published schema, not the one in the file.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/controller/openapi/builder/builder.go,
//! buildKubeNative, addEmbeddedProperties.

mod presence;

use super::definitions::Definitions;
use super::json::{Use, Written, read_schema};
use super::model::{KindFacts, Model, Property, SchemaFacts, SubresourceFacts};
use super::schema_type::SchemaType;
use crate::entries::entries;
use presence::NamesInJunctors;
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use yaml::{Mapping, Node, NodeKind, Scalar, Sequence};

/// The verbs of every stored kind.
pub const VERBS: [&str; 8] = [
    "create",
    "delete",
    "deletecollection",
    "get",
    "list",
    "patch",
    "update",
    "watch",
];

/// The verbs of a subresource of a custom resource.
const SUBRESOURCE_VERBS: [&str; 3] = ["get", "patch", "update"];

/// The type of the metadata of every object.
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

impl Definitions {
    /// Returns the kinds of a CustomResourceDefinition: one for each version that is served. `None`
    /// for another document, or if group, kind or plural are missing or the schemas are too large.
    #[must_use]
    pub fn from_crd(root: Node<'_>) -> Option<Self> {
        Self::read_crd(root, false)
    }

    /// Returns the kinds for the rules of a CustomResourceDefinition, including versions that are
    /// not served: a property is required if every valid object has it when a rule runs.
    #[must_use]
    pub fn from_crd_rules(root: Node<'_>) -> Option<Self> {
        Self::read_crd(root, true)
    }

    fn read_crd(root: Node<'_>, is_for_rules: bool) -> Option<Self> {
        let spec = root.get("spec")?;
        let named = Named::read(spec)?;
        let mut model = Model {
            types: vec![BTreeMap::new()],
            ..Model::default()
        };
        let mut junctors = NamesInJunctors::default();
        for version in spec.get("versions")?.as_sequence()?.items() {
            let served = version.get("served").map(|node| boolean(node));
            let name = version.get("name").and_then(Node::as_str);
            let is_used = is_for_rules || matches!(served, None | Some(Some(true)));
            let Some(name) = name.filter(|_| is_used) else {
                continue;
            };
            let mut kind = named.kind(name);
            kind.subresources = subresources(version, &kind);
            let schema = schema(version, is_for_rules, &mut junctors)?;
            if let (Some(types), Some(type_name)) = (model.types.first_mut(), &kind.type_name) {
                types.insert(type_name.clone(), schema);
            }
            model.kinds.push(kind);
        }
        model.kinds.dedup_by(|a, b| a.version == b.version);
        Some(Self::from_model(&model))
    }
}

/// The facts that all versions share.
struct Named {
    group: String,
    kind: String,
    plural: String,
    singular: String,
    short_names: Vec<String>,
    namespaced: bool,
}

impl Named {
    fn read(spec: Node<'_>) -> Option<Self> {
        let names = spec.get("names")?;
        let text = |node: Node<'_>, key: &str| {
            let text = node.get(key).and_then(Node::as_str)?;
            (!text.is_empty()).then(|| text.to_owned())
        };
        let kind = text(names, "kind")?;
        let short_names = names.get("shortNames").and_then(Node::as_sequence);
        let short_names = short_names.into_iter().flat_map(yaml::Sequence::items);
        Some(Self {
            group: text(spec, "group")?,
            plural: text(names, "plural")?,
            singular: text(names, "singular").unwrap_or_else(|| kind.to_lowercase()),
            short_names: short_names
                .filter_map(Node::as_str)
                .map(str::to_owned)
                .collect(),
            namespaced: text(spec, "scope").as_deref() != Some("Cluster"),
            kind,
        })
    }

    fn kind(&self, version: &str) -> KindFacts {
        KindFacts {
            group: self.group.clone(),
            version: version.to_owned(),
            kind: self.kind.clone(),
            type_name: Some(type_name(&self.group, version, &self.kind)),
            servers: 1,
            servers_by_default: 1,
            plural: Some(self.plural.clone()),
            singular: self.singular.clone(),
            short_names: self.short_names.clone(),
            namespaced: self.namespaced,
            verbs: owned(&VERBS),
            subresources: Vec::new(),
        }
    }
}

/// Returns the name under which the server publishes the type: `io.example.v1.Widget`.
fn type_name(group: &str, version: &str, kind: &str) -> String {
    let mut parts: Vec<&str> = group.split('.').rev().collect();
    parts.extend([version, kind]);
    parts.join(".")
}

fn subresources(version: Node<'_>, kind: &KindFacts) -> Vec<SubresourceFacts> {
    let below = version.get("subresources");
    let has = |name: &str| {
        let node = below.and_then(|node| node.get(name));
        node.is_some_and(|node| !node.is_null())
    };
    let subresource = |name: &str, group: &str, version: &str, kind: &str| SubresourceFacts {
        name: name.into(),
        group: group.into(),
        version: version.into(),
        kind: kind.into(),
        verbs: owned(&SUBRESOURCE_VERBS),
        servers: 1,
    };
    let scale = has("scale").then(|| subresource("scale", "autoscaling", "v1", "Scale"));
    let status =
        has("status").then(|| subresource("status", &kind.group, &kind.version, &kind.kind));
    scale.into_iter().chain(status).collect()
}

/// Returns the schema that the server publishes for a version.
fn schema(
    version: Node<'_>,
    is_for_rules: bool,
    junctors: &mut NamesInJunctors,
) -> Option<SchemaFacts> {
    let node = version
        .get("schema")
        .and_then(|schema| schema.get("openAPIV3Schema"));
    let Some(node) = node.filter(|node| node.as_mapping().is_some()) else {
        return Some(SchemaFacts {
            ty: SchemaType::Object,
            ..SchemaFacts::default()
        });
    };
    let names = junctors.read(node)?;
    let whose = if is_for_rules {
        Use::Rules(names)
    } else {
        Use::Published
    };
    let mut schema = read_schema(node, whose).ok()?;
    complete(&mut schema);
    add_object_fields(&mut schema);
    Some(schema)
}

/// Adds the fields that every object has to embedded objects. A definition cannot refer to a type.
fn complete(schema: &mut SchemaFacts) {
    schema.reference = None;
    for property in schema.properties.values_mut() {
        complete(&mut property.schema);
    }
    for inner in [&mut schema.items, &mut schema.values]
        .into_iter()
        .flatten()
    {
        complete(inner);
    }
    if schema.embedded_resource {
        add_object_fields(schema);
        for name in ["apiVersion", "kind"] {
            if let Some(property) = schema.properties.get_mut(name) {
                property.required = true;
            }
        }
    }
}

fn add_object_fields(schema: &mut SchemaFacts) {
    let string = SchemaFacts {
        ty: SchemaType::String,
        ..SchemaFacts::default()
    };
    let metadata = SchemaFacts {
        reference: Some(OBJECT_META.into()),
        ..SchemaFacts::default()
    };
    for (name, own) in [
        ("apiVersion", string.clone()),
        ("kind", string),
        ("metadata", metadata),
    ] {
        let required = schema
            .properties
            .get(name)
            .is_some_and(|known| known.required);
        let property = Property {
            schema: own,
            required,
            place: 0,
        };
        schema.properties.insert(name.into(), property);
    }
}

impl<'a> Written<'a> for Node<'a> {
    const IS_IN_ORDER: bool = true;

    fn is_object(self) -> bool {
        self.as_mapping().is_some()
    }

    fn fields(self) -> impl Iterator<Item = (Cow<'a, str>, Self)> {
        let entries = self.as_mapping().into_iter().flat_map(entries);
        entries.map(|entry| (entry.key.key_text(), entry.value))
    }

    fn items(self) -> impl Iterator<Item = Self> {
        let items = self.as_sequence().into_iter();
        items.flat_map(Sequence::items)
    }

    fn as_text(self) -> Option<&'a str> {
        self.as_str()
    }

    fn is_true(self) -> bool {
        boolean(self) == Some(true)
    }

    fn is_positive(self) -> bool {
        match self.as_scalar().map(Scalar::value) {
            Some(yaml::Value::Int(value)) => value > 0,
            Some(yaml::Value::Uint(value)) => value > 0,
            _ => false,
        }
    }

    fn to_json(self) -> String {
        json(self).to_string()
    }
}

/// Returns a node as JSON, if the definition is not too large.
fn json(node: Node<'_>) -> Value {
    match node.kind() {
        NodeKind::Scalar(scalar) => scalar_value(scalar),
        NodeKind::Sequence(sequence) => Value::Array(sequence.items().map(json).collect()),
        NodeKind::Mapping(mapping) => Value::Object(object(mapping)),
    }
}

fn object(mapping: Mapping<'_>) -> Map<String, Value> {
    let entries =
        entries(mapping).map(|entry| (entry.key.key_text().into_owned(), json(entry.value)));
    entries.collect()
}

fn scalar_value(scalar: Scalar<'_>) -> Value {
    match scalar.value() {
        yaml::Value::Null => Value::Null,
        yaml::Value::Bool(value) => Value::Bool(value),
        yaml::Value::Int(value) => Value::from(value),
        yaml::Value::Uint(value) => Value::from(value),
        yaml::Value::Float(value) => Number::from_f64(value).map_or(Value::Null, Value::Number),
        yaml::Value::Str => Value::from(scalar.text()),
    }
}

fn boolean(node: Node<'_>) -> Option<bool> {
    match node.as_scalar()?.value() {
        yaml::Value::Bool(value) => Some(value),
        _ => None,
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
