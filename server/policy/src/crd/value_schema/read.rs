//! Reading a schema.

use super::formats::{self, Format};
use super::{ListType, Pattern, ValueSchema};
use crate::json_schema::{JsonSchema, MAX_DEPTH};
use kubernetes::versions::ServerVersion;
use kubernetes::{entries, object};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use yaml::{Node, NodeId, Value as Scalar};

/// Which formats have an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formats {
    /// Those that a server supports, as for custom resources. Others are ignored.
    Supported(ServerVersion),
    /// As written, for defaults.
    Written,
}

const INT_OR_STRING: &[&str] = &["integer", "string"];

/// Reads schemas. Aliases can make one appear many times, so each is read once.
pub(crate) struct Reader {
    formats: Formats,
    schemas: HashMap<NodeId, Option<Arc<ValueSchema>>>,
}

impl ValueSchema {
    /// Reads a schema. `None` if it is not a mapping. A schema that is nested too deeply allows
    /// everything.
    #[must_use]
    pub fn new(schema: JsonSchema<'_>, formats: Formats) -> Option<Arc<Self>> {
        Reader::new(formats).read(schema)
    }
}

impl Reader {
    pub(crate) fn new(formats: Formats) -> Self {
        Self {
            formats,
            schemas: HashMap::new(),
        }
    }

    /// Reads a schema, as [`ValueSchema::new`] does.
    pub(crate) fn read(&mut self, schema: JsonSchema<'_>) -> Option<Arc<ValueSchema>> {
        self.within(schema.node(), MAX_DEPTH)
    }

    fn within(&mut self, node: Node<'_>, depth: usize) -> Option<Arc<ValueSchema>> {
        let depth = depth.checked_sub(1)?;
        let schema = JsonSchema::new(node)?;
        let id = node.resolved().id();
        if let Some(known) = self.schemas.get(&id) {
            return known.clone();
        }
        let read = self.convert(schema, depth).map(Arc::new);
        self.schemas.insert(id, read.clone());
        read
    }

    fn convert(&mut self, schema: JsonSchema<'_>, depth: usize) -> Option<ValueSchema> {
        let mut read = ValueSchema {
            types: types(schema),
            ..ValueSchema::default()
        };
        for entry in entries(schema.node().as_mapping()?) {
            let (field, node) = (entry.key.key_text(), entry.value);
            if !node.is_null() && !read.set_keyword(&field, node) {
                self.set_inner(&mut read, &field, node, depth);
            }
        }
        self.set_format(&mut read, schema.text("format"));
        // The server rejects rules in `allOf`, `anyOf`, `oneOf` and `not`.
        // Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go,
        // hasXValidations.
        let inner = read.properties.values();
        let mut inner = inner.chain(&read.values).chain(&read.items);
        read.has_rules = read.has_rules || inner.any(|schema| schema.has_rules);
        Some(read)
    }

    fn set_format(&self, read: &mut ValueSchema, format: &str) {
        let has_effect = match self.formats {
            Formats::Written => true,
            Formats::Supported(server) => formats::is_supported(format, read.types, server),
        };
        if has_effect {
            read.format = format.into();
            read.known_format = Format::named(format);
        }
    }

    /// Reads the schemas in a field.
    fn set_inner(&mut self, read: &mut ValueSchema, field: &str, node: Node<'_>, depth: usize) {
        match field {
            "items" => read.items = self.within(node, depth),
            "additionalProperties" => read.values = self.within(node, depth),
            "not" => read.not = self.within(node, depth),
            "allOf" => read.all_of = self.list(node, depth),
            "anyOf" => read.any_of = self.list(node, depth),
            "oneOf" => read.one_of = self.list(node, depth),
            "properties" => {
                let entries = node.as_mapping().into_iter().flat_map(entries);
                let properties = entries.filter_map(|entry| {
                    let name = entry.key.key_text().as_ref().into();
                    Some((name, self.within(entry.value, depth)?))
                });
                read.properties = properties.collect();
            }
            _ => {}
        }
    }

    fn list(&mut self, node: Node<'_>, depth: usize) -> Vec<Arc<ValueSchema>> {
        items(node)
            .filter_map(|item| self.within(item, depth))
            .collect()
    }
}

impl ValueSchema {
    /// Sets the field of a keyword without schemas. Returns whether there is such a keyword.
    fn set_keyword(&mut self, field: &str, node: Node<'_>) -> bool {
        match field {
            "nullable" => self.is_nullable = flag(node),
            "enum" => self.choices = items(node).filter_map(object).collect(),
            "maxLength" => self.characters.max = integer(node),
            "minLength" => self.characters.min = integer(node),
            "maxItems" => self.items_length.max = integer(node),
            "minItems" => self.items_length.min = integer(node),
            "maxProperties" => self.properties_length.max = integer(node),
            "minProperties" => self.properties_length.min = integer(node),
            "pattern" => self.pattern = Pattern::new(node),
            "multipleOf" => self.numbers.multiple_of = number(node),
            "maximum" => self.numbers.max = number(node),
            "exclusiveMaximum" => self.numbers.excludes_max = flag(node),
            "minimum" => self.numbers.min = number(node),
            "exclusiveMinimum" => self.numbers.excludes_min = flag(node),
            "required" => self.required = strings(node),
            "x-kubernetes-validations" => self.has_rules = items(node).next().is_some(),
            "x-kubernetes-list-map-keys" => self.list_keys = strings(node),
            "x-kubernetes-list-type" => {
                self.list_type = match node.as_str() {
                    Some("set") => ListType::Set,
                    Some("map") => ListType::Map,
                    _ => ListType::Atomic,
                }
            }
            _ => return false,
        }
        true
    }
}

impl Pattern {
    fn new(node: Node<'_>) -> Option<Self> {
        let text = node.as_str().filter(|text| !text.is_empty())?;
        Some(Self {
            text: text.into(),
            regex: OnceLock::new(),
        })
    }
}

fn types(schema: JsonSchema<'_>) -> &'static [&'static str] {
    if schema.flag("x-kubernetes-int-or-string") {
        return INT_OR_STRING;
    }
    match schema.ty() {
        "array" => &["array"],
        "boolean" => &["boolean"],
        "integer" => &["integer"],
        "number" => &["number"],
        "object" => &["object"],
        "string" => &["string"],
        // The server rejects other types.
        _ => &[],
    }
}

fn items<'a>(node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    let sequence = node.as_sequence();
    sequence.into_iter().flat_map(yaml::Sequence::items)
}

fn strings(node: Node<'_>) -> Vec<Box<str>> {
    items(node)
        .filter_map(|item| item.as_str().map(Box::from))
        .collect()
}

fn flag(node: Node<'_>) -> bool {
    let scalar = node.as_scalar();
    scalar.is_some_and(|scalar| scalar.value() == Scalar::Bool(true))
}

fn integer(node: Node<'_>) -> Option<i64> {
    node.as_scalar()?.value().as_integer()
}

// The server also keeps these limits as doubles.
fn number(node: Node<'_>) -> Option<f64> {
    match node.as_scalar()?.value() {
        Scalar::Int(value) => Some(value as f64),
        Scalar::Uint(value) => Some(value as f64),
        Scalar::Float(value) => Some(value),
        Scalar::Null | Scalar::Bool(_) | Scalar::Str => None,
    }
}
