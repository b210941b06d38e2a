//! The CEL type of a schema, with the sizes of its values.
//!
//! Rules of a CustomResourceDefinition are compiled against these types, and the server rejects a
//! rule for its cost with the largest object that the schema allows, so types and sizes are read
//! together.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/common/schemas.go, SchemaDeclType;
//! pkg/cel/types.go, DeclType.

use crate::document::Document;
use crate::expression::Role;
use crate::json_schema::{JsonSchema, MAX_DEPTH};
use crate::kind::Kind;
use crate::manifest::version_schemas;
use cel::types::Type;
use foldhash::fast::RandomState;
use kubernetes::ServerVersion;
use kubernetes::names::escape;
use kubernetes::versions::changes::NAMES_ARE_BOUNDED;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use yaml::{Node, NodeId, NodeKind};

/// Limit: the bytes of the largest request. kubernetes/apiserver, pkg/apis/cel/config.go,
/// MaxRequestSizeBytes.
const MAX_REQUEST: i64 = 3 * 1024 * 1024;

/// Limit: the bytes of a duration or a time in JSON. kubernetes/apiserver,
/// pkg/cel/limits.go, MaxDurationSizeJSON and MaxDatetimeSizeJSON.
const MAX_TIME: i64 = 32;

/// Limit: the bytes of a date in JSON. kubernetes/apiserver, pkg/cel/limits.go,
/// JSONDateSize.
const DATE: i64 = 12;

/// The type of a schema.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    shape: DeclaredType,
    /// The code points, elements or entries of the largest value; 0 for an object.
    max_elements: i64,
    /// The bytes of the smallest value in JSON.
    min_bytes: i64,
}

#[derive(Debug, PartialEq, Eq)]
enum DeclaredType {
    /// A type without fields and elements.
    Scalar(Type),
    List(Arc<Declared>),
    /// A map with strings as keys.
    Map(Arc<Declared>),
    /// The fields by the names that rules use.
    Object(Fields),
}

type Fields = HashMap<Arc<str>, Arc<Declared>, RandomState>;

/// The types of the schemas of a CustomResourceDefinition that have rules, and of all schemas
/// inside them.
#[derive(Debug)]
pub(crate) struct RuleTypes {
    /// The key includes whether the schema is read as that of a whole resource.
    schemas: HashMap<(NodeId, bool), Option<Arc<Declared>>, RandomState>,
    server: ServerVersion,
    /// The outermost schemas of the versions.
    roots: HashSet<NodeId, RandomState>,
}

impl RuleTypes {
    /// Reads the types of a document. A document of another kind has none.
    pub(crate) fn new(document: &Document) -> Self {
        let mut types = Self::unread(document);
        let mut reader = Reader {
            schemas: HashMap::default(),
            server: types.server,
        };
        let roles = document.expressions().iter().map(|it| it.role);
        for id in roles.filter_map(Role::schema) {
            if let Some(schema) = JsonSchema::new(document.node(id)) {
                reader.read(schema, types.is_whole(schema), MAX_DEPTH);
            }
        }
        types.schemas = reader.schemas;
        types
    }

    /// Returns the types of a document of which few are needed. Each is read separately.
    pub(crate) fn unread(document: &Document) -> Self {
        let schemas = match document.kind() {
            Kind::CustomResourceDefinition => version_schemas(document.root()),
            _ => Vec::new(),
        };
        Self {
            schemas: HashMap::default(),
            server: document.target().server(),
            roots: schemas.iter().map(|(_, it)| it.node().id()).collect(),
        }
    }

    /// Returns the type of a schema. `is_resource` is whether it describes a whole resource. `None`
    /// if rules can use no part of it.
    pub(super) fn get(&self, schema: JsonSchema<'_>, is_resource: bool) -> Option<Arc<Declared>> {
        match self.schemas.get(&key(schema, is_resource)) {
            Some(known) => known.clone(),
            None => Declared::new(schema, is_resource, self.server),
        }
    }

    /// Returns the type of `self` in the rules of a schema.
    pub(crate) fn of_rules(&self, schema: JsonSchema<'_>) -> Option<Arc<Declared>> {
        self.get(schema, self.is_whole(schema))
    }

    fn is_whole(&self, schema: JsonSchema<'_>) -> bool {
        self.roots.contains(&schema.node().id()) || schema.flag("x-kubernetes-embedded-resource")
    }
}

fn key(schema: JsonSchema<'_>, is_resource: bool) -> (NodeId, bool) {
    (schema.node().resolved().id(), is_resource)
}

impl Declared {
    /// Returns the type of a schema. `is_resource` is whether it describes a whole resource.
    /// `None` if rules can use no part of it.
    pub(crate) fn new(
        schema: JsonSchema<'_>,
        is_resource: bool,
        server: ServerVersion,
    ) -> Option<Arc<Self>> {
        let reader = Reader {
            schemas: HashMap::default(),
            server,
        };
        { reader }.read(schema, is_resource, MAX_DEPTH)
    }

    /// Returns the type of a property of an object.
    pub(crate) fn property(&self, name: &str) -> Option<&Arc<Self>> {
        self.field(&escape(name)?)
    }

    /// Returns the type of a field of an object, by the name that rules use.
    pub(super) fn field(&self, name: &str) -> Option<&Arc<Self>> {
        match &self.shape {
            DeclaredType::Object(fields) => fields.get(name),
            DeclaredType::Scalar(_) | DeclaredType::List(_) | DeclaredType::Map(_) => None,
        }
    }

    /// Returns the names of the fields of an object.
    pub(super) fn field_names(&self) -> impl Iterator<Item = &Arc<str>> {
        let fields = match &self.shape {
            DeclaredType::Object(fields) => Some(fields.keys()),
            DeclaredType::Scalar(_) | DeclaredType::List(_) | DeclaredType::Map(_) => None,
        };
        fields.into_iter().flatten()
    }

    /// Returns the type of the elements of a list or the values of a map.
    pub(crate) fn element(&self) -> Option<&Arc<Self>> {
        match &self.shape {
            DeclaredType::List(element) | DeclaredType::Map(element) => Some(element),
            DeclaredType::Scalar(_) | DeclaredType::Object(_) => None,
        }
    }

    /// Returns whether it is a map.
    pub(super) fn is_map(&self) -> bool {
        matches!(self.shape, DeclaredType::Map(_))
    }

    /// Returns the type. An object is named `name`, and types inside it have names that begin
    /// with it.
    pub(super) fn cel_type(&self, name: &str) -> Type {
        match &self.shape {
            DeclaredType::Scalar(ty) => ty.clone(),
            DeclaredType::List(element) => Type::list(element.cel_type(&format!("{name}.@idx"))),
            DeclaredType::Map(value) => {
                Type::map(Type::String, value.cel_type(&format!("{name}.@elem")))
            }
            DeclaredType::Object(_) => Type::object(name),
        }
    }

    /// Returns the code points, elements or entries of the largest value; 0 for an object.
    pub(super) fn max_elements(&self) -> u64 {
        self.max_elements.cast_unsigned()
    }

    /// Returns how often a value fits in an unbounded list or map.
    ///
    /// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/compilation.go,
    /// maxCardinality.
    pub(crate) fn max_cardinality(&self) -> u64 {
        quotient(MAX_REQUEST, self.min_bytes.wrapping_add(1)).cast_unsigned()
    }

    fn scalar(ty: Type, max_elements: i64, min_bytes: i64) -> Arc<Self> {
        Arc::new(Self {
            shape: DeclaredType::Scalar(ty),
            max_elements,
            min_bytes,
        })
    }

    fn text() -> Arc<Self> {
        Self::scalar(Type::String, MAX_REQUEST - 2, 2)
    }
}

/// Reads schemas. Aliases can repeat a schema, so each is read once.
struct Reader {
    schemas: HashMap<(NodeId, bool), Option<Arc<Declared>>, RandomState>,
    server: ServerVersion,
}

impl Reader {
    fn read(
        &mut self,
        schema: JsonSchema<'_>,
        is_resource: bool,
        depth: usize,
    ) -> Option<Arc<Declared>> {
        let depth = depth.checked_sub(1)?;
        let key = key(schema, is_resource);
        if let Some(known) = self.schemas.get(&key) {
            return known.clone();
        }
        let read = self.convert(schema, is_resource, depth);
        self.schemas.insert(key, read.clone());
        read
    }

    fn convert(
        &mut self,
        schema: JsonSchema<'_>,
        is_resource: bool,
        depth: usize,
    ) -> Option<Arc<Declared>> {
        if schema.flag("x-kubernetes-int-or-string") {
            let max = max_length(schema).map_or(MAX_REQUEST - 2, |max| max.wrapping_mul(4));
            return Some(Declared::scalar(Type::Dyn, max, 1));
        }
        match schema.ty() {
            "array" => {
                let items = self.inner(schema.schema("items")?, depth)?;
                let max = schema
                    .limit("maxItems")
                    .unwrap_or_else(|| quotient(MAX_REQUEST - 2, items.min_bytes.wrapping_add(1)));
                Some(container(DeclaredType::List(items), max))
            }
            "object" => match schema.schema("additionalProperties") {
                Some(values) => {
                    let values = self.inner(values, depth)?;
                    let max = schema.limit("maxProperties").unwrap_or_else(|| {
                        quotient(MAX_REQUEST - 2, values.min_bytes.wrapping_add(6))
                    });
                    Some(container(DeclaredType::Map(values), max))
                }
                None => Some(self.object(schema, is_resource, depth)),
            },
            "string" => Some(string(schema)),
            "boolean" => Some(Declared::scalar(Type::Bool, 0, 4)),
            "number" => Some(Declared::scalar(Type::Double, 0, 1)),
            "integer" => Some(Declared::scalar(Type::Int, 0, 1)),
            _ => None,
        }
    }

    /// Returns the type of a nested schema.
    fn inner(&mut self, schema: JsonSchema<'_>, depth: usize) -> Option<Arc<Declared>> {
        self.read(schema, schema.flag("x-kubernetes-embedded-resource"), depth)
    }

    fn object(&mut self, schema: JsonSchema<'_>, is_resource: bool, depth: usize) -> Arc<Declared> {
        let add_standard = is_resource && !schema.has_standard_fields();
        let mut object = Object::new(schema);
        for (name, property) in schema.properties() {
            if add_standard && ["kind", "apiVersion", "metadata"].contains(&name.as_ref()) {
                continue;
            }
            let default = property.node().get("default");
            let has_default = default.is_some_and(|value| !value.is_null());
            if let Some(field) = self.inner(property, depth) {
                object.add(&name, field, has_default);
            }
        }
        if add_standard {
            object.add("kind", Declared::text(), false);
            object.add("apiVersion", Declared::text(), false);
            object.add("metadata", metadata(schema, self.server), false);
        }
        object.finish()
    }
}

/// An object whose fields are being read.
struct Object<'a> {
    required: HashSet<&'a str, RandomState>,
    fields: Fields,
    min_bytes: i64,
}

impl<'a> Object<'a> {
    fn new(schema: JsonSchema<'a>) -> Self {
        Self {
            required: required(schema),
            fields: Fields::default(),
            min_bytes: 2,
        }
    }

    /// Adds a field. One without a name that rules can use still counts toward the size.
    fn add(&mut self, name: &str, field: Arc<Declared>, has_default: bool) {
        if self.required.contains(name) && !has_default {
            let length = i64::try_from(name.len()).unwrap_or(i64::MAX);
            self.min_bytes = self
                .min_bytes
                .saturating_add(length)
                .saturating_add(field.min_bytes)
                .saturating_add(4);
        }
        if let Some(name) = escape(name) {
            self.fields.insert(name.as_ref().into(), field);
        }
    }

    fn finish(self) -> Arc<Declared> {
        Arc::new(Declared {
            shape: DeclaredType::Object(self.fields),
            max_elements: 0,
            min_bytes: self.min_bytes,
        })
    }
}

/// Limit: the bytes of the name of an object. kubernetes/apimachinery,
/// pkg/util/validation/validation.go, DNS1123SubdomainMaxLength.
const MAX_NAME: i64 = 253;

/// Returns the `metadata` that every resource has. Newer servers limit the length of a name.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/model/schemas.go,
/// WithTypeAndObjectMeta.
fn metadata(schema: JsonSchema<'_>, server: ServerVersion) -> Arc<Declared> {
    let written = schema.property("metadata");
    let name = |name: &str, most: i64| {
        if !NAMES_ARE_BOUNDED.applies(server) {
            return Declared::text();
        }
        let own = written.and_then(|it| max_length(it.property(name)?));
        let most = own.map_or(most, |own| own.min(most));
        Declared::scalar(Type::String, most.wrapping_mul(4), 2)
    };
    let names = [
        ("name".into(), name("name", MAX_NAME)),
        // The suffix that the server adds has at least one byte.
        ("generateName".into(), name("generateName", MAX_NAME - 1)),
    ];
    Arc::new(Declared {
        shape: DeclaredType::Object(Fields::from_iter(names)),
        max_elements: 0,
        min_bytes: 2,
    })
}

fn container(shape: DeclaredType, max_elements: i64) -> Arc<Declared> {
    Arc::new(Declared {
        shape,
        max_elements,
        min_bytes: 2,
    })
}

fn string(schema: JsonSchema<'_>) -> Arc<Declared> {
    match schema.text("format") {
        "byte" => {
            let max = max_length(schema).unwrap_or(MAX_REQUEST - 2);
            Declared::scalar(Type::Bytes, max, 2)
        }
        "duration" => Declared::scalar(Type::Duration, MAX_TIME, 3),
        "date" => Declared::scalar(Type::Timestamp, DATE, DATE),
        "date-time" => Declared::scalar(Type::Timestamp, MAX_TIME, 21),
        _ => {
            let max = match max_length(schema) {
                Some(max) => max.wrapping_mul(4),
                None => longest_value(schema).unwrap_or(MAX_REQUEST - 2),
            };
            Declared::scalar(Type::String, max, 2)
        }
    }
}

/// Returns the bytes of the longest value of an enumeration. `None` if there is no enumeration.
fn longest_value(schema: JsonSchema<'_>) -> Option<i64> {
    let values = schema.node().get("enum").and_then(Node::as_sequence)?;
    let lengths = values
        .items()
        .map(|value| value.as_str().map_or(0, str::len));
    i64::try_from(lengths.max()?).ok()
}

fn max_length(schema: JsonSchema<'_>) -> Option<i64> {
    schema.limit("maxLength")
}

fn required(schema: JsonSchema<'_>) -> HashSet<&str, RandomState> {
    match schema.node().get("required").map(Node::kind) {
        Some(NodeKind::Sequence(names)) => names.items().filter_map(Node::as_str).collect(),
        Some(NodeKind::Mapping(_) | NodeKind::Scalar(_)) | None => HashSet::default(),
    }
}

/// Returns a division whose divisor is above 0.
fn quotient(left: i64, right: i64) -> i64 {
    left.checked_div(right).unwrap_or_default()
}
