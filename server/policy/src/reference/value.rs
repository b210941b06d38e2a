//! The types of values, as far as names alone tell them.

use super::problem;
use crate::crd::{CelType, Schema};
use crate::environment::ObjectType;
use crate::names::{escape, unescape};
use cel::syntax::is_reserved;
use std::borrow::Cow;
use std::collections::HashMap;
use text::nearest;
use yaml::NodeId;

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueType<'d> {
    /// Nothing is known.
    Unknown,
    /// The value does not exist, which is reported already.
    Failed,
    /// Plain JSON at admission; of dynamic type to the compiler.
    Raw,
    /// An object of the compiler.
    Object(&'static ObjectType),
    /// The variables of the policy.
    Variables,
    /// An object, a map or a list that a schema describes.
    Schema(Schema<'d>, Resource),
    /// `metadata` of a resource: `name` and `generateName`.
    Metadata,
    /// A type by its name in CEL.
    Named(&'d str),
}

/// Whether a schema describes a whole resource, where `apiVersion`, `kind` and `metadata`
/// exist without being declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resource {
    Whole,
    Part,
}

/// What a field is.
pub(super) enum FieldType<'d> {
    /// It has a type.
    Found(ValueType<'d>),
    /// It does not exist.
    Undefined(Receiver<'d>),
}

/// What has no field of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Receiver<'d> {
    Variables,
    Object(&'static ObjectType),
    Schema(Schema<'d>),
    Metadata,
}

const METADATA: [&str; 2] = ["name", "generateName"];

impl Receiver<'_> {
    /// The same without what only the walk needs.
    pub(super) fn kind(self) -> problem::Receiver {
        match self {
            Receiver::Variables => problem::Receiver::Variables,
            Receiver::Object(ty) => problem::Receiver::Object(ty),
            Receiver::Schema(_) => problem::Receiver::Schema,
            Receiver::Metadata => problem::Receiver::Metadata,
        }
    }

    /// The field that a name most resembles. Variables are suggested by those who know
    /// their order.
    pub(super) fn nearest(self, name: &str) -> Option<String> {
        match self {
            Receiver::Variables => None,
            Receiver::Object(ty) => {
                nearest(name, ty.fields.iter().map(|field| field.name)).map(str::to_owned)
            }
            Receiver::Schema(schema) => nearest_identifier(schema, name),
            Receiver::Metadata => nearest(name, METADATA).map(str::to_owned),
        }
    }
}

impl<'d> ValueType<'d> {
    /// The type of what a schema describes.
    pub(super) fn of_schema(schema: Schema<'d>, resource: Resource) -> Self {
        let whole = resource == Resource::Whole || schema.flag("x-kubernetes-embedded-resource");
        let resource = if whole {
            Resource::Whole
        } else {
            Resource::Part
        };
        match schema.cel_type() {
            None => ValueType::Unknown,
            Some(CelType::Dyn) => ValueType::Named("dyn"),
            Some(CelType::Scalar) => ValueType::Named(scalar_name(schema)),
            Some(CelType::Object(_) | CelType::Map(_) | CelType::List(_)) => {
                ValueType::Schema(schema, resource)
            }
        }
    }

    /// The name of the type in CEL, where it is certain.
    pub(super) fn name(self) -> Option<&'d str> {
        match self {
            ValueType::Raw => Some("dyn"),
            ValueType::Object(ty) => Some(ty.name),
            ValueType::Named(name) => Some(name),
            ValueType::Variables => Some("kubernetes.variables"),
            ValueType::Unknown
            | ValueType::Failed
            | ValueType::Schema(..)
            | ValueType::Metadata => None,
        }
    }

    /// The field of that name; `variables` are looked up elsewhere.
    pub(super) fn field(self, name: &str, properties: &mut Properties<'d>) -> FieldType<'d> {
        match self {
            ValueType::Failed => FieldType::Found(ValueType::Failed),
            ValueType::Raw => FieldType::Found(ValueType::Raw),
            ValueType::Unknown | ValueType::Variables => FieldType::Found(ValueType::Unknown),
            ValueType::Object(ty) => object_field(ty, name),
            ValueType::Schema(schema, resource) => schema_field(schema, resource, name, properties),
            ValueType::Metadata => metadata_field(name),
            ValueType::Named(ty) => FieldType::Found(match map_parts(ty) {
                Some((_, value)) => ValueType::Named(value),
                None if ty == "dyn" => ValueType::Named("dyn"),
                None => ValueType::Unknown,
            }),
        }
    }

    /// The value at an index or a key.
    pub(super) fn element(self) -> ValueType<'d> {
        match self {
            ValueType::Failed | ValueType::Raw => self,
            ValueType::Schema(schema, _) => match schema.cel_type() {
                Some(CelType::Map(inner) | CelType::List(inner)) => {
                    ValueType::of_schema(inner, Resource::Part)
                }
                Some(CelType::Object(_) | CelType::Scalar | CelType::Dyn) | None => {
                    ValueType::Unknown
                }
            },
            ValueType::Named("dyn") => self,
            ValueType::Named(ty) => match (list_part(ty), map_parts(ty)) {
                (Some(item), _) => ValueType::Named(item),
                (None, Some((_, value))) => ValueType::Named(value),
                (None, None) => ValueType::Unknown,
            },
            ValueType::Unknown
            | ValueType::Object(_)
            | ValueType::Variables
            | ValueType::Metadata => ValueType::Unknown,
        }
    }

    /// Whether this is surely a list.
    pub(super) fn is_list(self) -> bool {
        match self {
            ValueType::Schema(schema, _) => matches!(schema.cel_type(), Some(CelType::List(_))),
            ValueType::Named(ty) => list_part(ty).is_some(),
            _ => false,
        }
    }

    /// The variables of a macro over this value: `count` of them.
    pub(super) fn iterated(self, count: usize) -> [ValueType<'d>; 2] {
        let is_map = match self {
            ValueType::Schema(schema, _) => matches!(schema.cel_type(), Some(CelType::Map(_))),
            ValueType::Named(ty) => map_parts(ty).is_some(),
            _ => false,
        };
        match (is_map, self.is_list(), count) {
            (true, _, 1) => [ValueType::Named("string"), ValueType::Unknown],
            (true, _, _) => [ValueType::Named("string"), self.element()],
            (_, true, 2) => [ValueType::Named("int"), self.element()],
            // Of JSON it is not known whether it is a list or a map.
            (false, false, 2) => [ValueType::Unknown, self.element()],
            _ => [self.element(), ValueType::Unknown],
        }
    }
}

/// Upstream: kubernetes/apiserver, pkg/cel/common/schemas.go, SchemaDeclType.
fn scalar_name(schema: Schema<'_>) -> &'static str {
    match (schema.ty(), schema.text("format")) {
        ("string", "byte") => "bytes",
        ("string", "duration") => "google.protobuf.Duration",
        ("string", "date" | "date-time") => "google.protobuf.Timestamp",
        ("string", _) => "string",
        ("boolean", _) => "bool",
        ("number", _) => "double",
        _ => "int",
    }
}

fn object_field<'d>(ty: &'static ObjectType, name: &str) -> FieldType<'d> {
    match ty.field(name) {
        Some(field) => FieldType::Found(match field.object {
            Some(object) => ValueType::Object(object),
            None => ValueType::Named(field.ty),
        }),
        None => FieldType::Undefined(Receiver::Object(ty)),
    }
}

fn metadata_field<'d>(name: &str) -> FieldType<'d> {
    if METADATA.contains(&name) {
        FieldType::Found(ValueType::Named("string"))
    } else {
        FieldType::Undefined(Receiver::Metadata)
    }
}

fn schema_field<'d>(
    schema: Schema<'d>,
    resource: Resource,
    name: &str,
    properties: &mut Properties<'d>,
) -> FieldType<'d> {
    let object = match schema.cel_type() {
        Some(CelType::Object(object)) => object,
        Some(CelType::Map(values)) => {
            return FieldType::Found(ValueType::of_schema(values, Resource::Part));
        }
        Some(CelType::List(_) | CelType::Scalar | CelType::Dyn) | None => {
            return FieldType::Found(ValueType::Unknown);
        }
    };
    if resource == Resource::Whole {
        match name {
            "apiVersion" | "kind" => return FieldType::Found(ValueType::Named("string")),
            "metadata" if !declares_names(object) => {
                return FieldType::Found(ValueType::Metadata);
            }
            _ => {}
        }
    }
    match properties.named(object, name) {
        Some(found) => FieldType::Found(ValueType::of_schema(found, Resource::Part)),
        None => FieldType::Undefined(Receiver::Schema(object)),
    }
}

/// Whether the schema of a resource declares the names in its metadata itself; then its
/// `metadata` is taken as it is.
fn declares_names(schema: Schema<'_>) -> bool {
    let metadata = schema.property("metadata");
    metadata.is_some_and(|metadata| {
        metadata.property("name").is_some() && metadata.property("generateName").is_some()
    })
}

/// The properties of schemas, so that a schema with many is read once.
#[derive(Default)]
pub(super) struct Properties<'d> {
    by_schema: HashMap<NodeId, HashMap<Cow<'d, str>, Schema<'d>>>,
}

impl<'d> Properties<'d> {
    /// The schema of a property.
    pub(super) fn get(&mut self, schema: Schema<'d>, name: &str) -> Option<Schema<'d>> {
        let properties = self
            .by_schema
            .entry(schema.node().id())
            .or_insert_with(|| schema.properties());
        properties.get(name).copied()
    }

    /// The property that an identifier names, if a rule can use it.
    fn named(&mut self, schema: Schema<'d>, identifier: &str) -> Option<Schema<'d>> {
        // A reserved word is found as it is since Kubernetes 1.32.
        let name = if is_reserved(identifier) {
            Cow::Borrowed(identifier)
        } else {
            let name = unescape(identifier)?;
            (escape(&name)? == identifier).then_some(name)?
        };
        self.get(schema, &name)
            .filter(|found| found.cel_type().is_some())
    }
}

/// Limit: properties that are compared with a name that does not exist.
const MAX_CANDIDATES: usize = 1_000;

fn nearest_identifier(schema: Schema<'_>, name: &str) -> Option<String> {
    let names = schema.property_names();
    let identifiers: Vec<Cow<'_, str>> = names
        .iter()
        .take(MAX_CANDIDATES)
        .filter_map(|name| escape(name))
        .collect();
    nearest(name, identifiers.iter().map(AsRef::as_ref)).map(str::to_owned)
}

/// `X` of `list(X)`.
fn list_part(ty: &str) -> Option<&str> {
    ty.strip_prefix("list(")?.strip_suffix(')')
}

/// `K` and `V` of `map(K, V)`.
fn map_parts(ty: &str) -> Option<(&str, &str)> {
    ty.strip_prefix("map(")?.strip_suffix(')')?.split_once(", ")
}
