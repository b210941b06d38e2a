//! The defaults of the objects of a kind, derived once.
//!
//! The schemas and the tables here determine for each field of each type whether it is kept, its
//! value if it is missing, and the defaults of the server's code. Since many objects share a kind,
//! all of it is derived for the first object of a kind, and kept with the catalog.

use super::Rule;
use super::pointers::is_pointer;
use super::presence::{is_left_out, is_null, is_written_time};
use crate::openapi::{Catalog, Schema, SchemaId, SchemaType};
use cel::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// The type of times.
const TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
const MICRO_TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";

/// The type of the schemas in a CustomResourceDefinition, and the prefix of the types that are such
/// a schema or a simple value.
const JSON_SCHEMA: &str = ".JSONSchemaProps";
const JSON_SCHEMA_OR: &str = "JSONSchemaPropsOr";

/// A field of such schemas that the OpenAPI documents leave out.
const EXTERNAL_DOCS: &str = "externalDocs";

/// The types whose maps of quantities are lists of resources.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/core/v1/zz_generated.defaults.go and
/// pkg/apis/node/v1/zz_generated.defaults.go, the calls of SetDefaults_ResourceList.
const RESOURCE_LISTS: [&str; 2] = ["io.k8s.api.core.", "io.k8s.api.node."];

/// The defaults of the objects of a kind.
#[derive(Debug)]
pub(super) enum Plan {
    /// They are written by the Go type of the kind.
    Typed(KindPlan),
    /// They follow a schema that was added, and only the metadata is a Go type.
    Custom(Option<KindPlan>),
}

/// The defaults of each type in a kind. The kind itself is the first.
#[derive(Debug, Default)]
pub(super) struct KindPlan(Vec<TypePlan>);

/// The defaults of the values of a type. Numbers are indexes in [`KindPlan`].
#[derive(Debug)]
pub(super) enum TypePlan {
    /// No special handling.
    Plain,
    /// A string: null counts as an empty one.
    Text,
    /// A quantity is written in its canonical form.
    Quantity,
    /// A time is written in UTC, to the second.
    Time,
    /// A time is written in UTC, to the microsecond.
    MicroTime,
    /// Bytes are written without line breaks.
    Bytes,
    /// A list of such values.
    List(usize),
    /// A map of such values.
    Map(usize),
    /// Quantities by the names of their resources.
    Resources,
    /// An object with fields.
    Object(Box<Object>),
}

/// The defaults of an object of a type, applied in the order of the fields here.
#[derive(Debug, Default)]
pub(super) struct Object {
    /// The fields that the type has.
    pub(super) fields: HashMap<Box<str>, Field, foldhash::fast::RandomState>,
    /// The fields that are not pointers: they are always present.
    pub(super) structs: Vec<Arc<str>>,
    /// The defaulting function of the server.
    pub(super) rule: Option<Rule>,
    /// The values of missing fields.
    pub(super) defaults: Vec<(Arc<str>, Value)>,
}

/// The defaults of a field.
#[derive(Debug, Default)]
pub(super) struct Field {
    /// The shape of its value.
    pub(super) shape: usize,
    /// Whether it is kept if it is an empty list, an empty map, zero or `false`, an empty string.
    pub(super) keeps_list: bool,
    pub(super) keeps_map: bool,
    pub(super) keeps_zero: bool,
    pub(super) keeps_text: bool,
}

impl Plan {
    /// Returns the defaults of a kind. `None` for an unknown kind.
    pub(super) fn from_kind(
        catalog: &Catalog,
        names @ (group, version, kind): (&str, &str, &str),
    ) -> Option<Arc<Self>> {
        catalog.derived(names, || {
            let schema = catalog.schema(group, version, kind)?;
            let is_typed = schema.is_built_in() || !catalog.is_added(group, version, kind);
            Some(if is_typed {
                Plan::Typed(KindPlan::new(schema))
            } else {
                Plan::Custom(schema.property("metadata").map(KindPlan::new))
            })
        })
    }
}

impl KindPlan {
    fn new(schema: Schema<'_>) -> Self {
        let mut making = PlanBuilder {
            plan: Self::default(),
            shape_indexes: HashMap::new(),
            json_schema: None,
        };
        making.shape(schema);
        making.plan
    }

    /// Returns the shape at an index.
    pub(super) fn get(&self, place: usize) -> &TypePlan {
        self.0.get(place).unwrap_or(&TypePlan::Plain)
    }
}

/// A plan under construction. Types can contain themselves, so the index of one is known before its
/// shape.
struct PlanBuilder {
    plan: KindPlan,
    shape_indexes: HashMap<SchemaId, usize>,
    /// The shape of the schemas in a CustomResourceDefinition.
    json_schema: Option<usize>,
}

impl TypePlan {
    /// Returns whether no value of it changes.
    pub(super) const fn leaves_all(&self) -> bool {
        matches!(self, Self::Plain | Self::Text)
    }
}

impl PlanBuilder {
    /// Returns the index of the shape of a schema.
    fn shape(&mut self, schema: Schema<'_>) -> usize {
        if let Some(known) = self.shape_indexes.get(&schema.id()) {
            return *known;
        }
        let place = self.plan.0.len();
        self.shape_indexes.insert(schema.id(), place);
        if schema
            .type_name()
            .is_some_and(|it| it.ends_with(JSON_SCHEMA))
        {
            self.json_schema = Some(place);
        }
        self.plan.0.push(TypePlan::Plain);
        let shape = match schema.ty() {
            SchemaType::Object => match schema.additional_properties() {
                Some(values) => TypePlan::Map(self.shape(values)),
                None if schema.properties().len() == 0 => TypePlan::Plain,
                None => TypePlan::Object(Box::new(self.object(schema))),
            },
            SchemaType::Array => match schema.items() {
                Some(items) => TypePlan::List(self.shape(items)),
                None => TypePlan::Plain,
            },
            SchemaType::Quantity => TypePlan::Quantity,
            SchemaType::String => text_shape(schema),
            _ => TypePlan::Plain,
        };
        if let Some(made) = self.plan.0.get_mut(place) {
            *made = shape;
        }
        place
    }

    /// Returns the index of the shape of a field. A type that is a schema or a scalar has no
    /// separate shape, so the shape is that of the schema.
    fn field(&mut self, field: Schema<'_>) -> usize {
        let name = field.type_name().and_then(|name| name.rsplit('.').next());
        let is_schema_or = name.is_some_and(|name| name.starts_with(JSON_SCHEMA_OR));
        let json_schema = self.json_schema.filter(|_| is_schema_or);
        json_schema.unwrap_or_else(|| self.shape(field))
    }

    fn add(&mut self, shape: TypePlan) -> usize {
        self.plan.0.push(shape);
        self.plan.0.len() - 1
    }

    fn object(&mut self, schema: Schema<'_>) -> Object {
        let type_name = schema.type_name().unwrap_or_default();
        let mut object = Object {
            rule: super::rule(type_name),
            ..Object::default()
        };
        for (name, field) in schema.properties() {
            let quantities = field.additional_properties();
            let has_resources = quantities.is_some_and(|it| it.ty() == SchemaType::Quantity)
                && RESOURCE_LISTS
                    .iter()
                    .any(|types| type_name.starts_with(types));
            let shape = if has_resources {
                self.add(TypePlan::Resources)
            } else {
                self.field(field)
            };
            let kept = Field::new(schema, type_name, name, field, shape);
            object.fields.insert(name.into(), kept);
            let is_struct = field.ty() == SchemaType::Object
                && quantities.is_none()
                && field.default_value().is_some_and(|it| it.is_object());
            if is_struct {
                object.structs.push(name.into());
            }
            if let Some(value) = without_value(schema, type_name, name, field) {
                object.defaults.push((name.into(), value));
            }
        }
        if type_name.ends_with(JSON_SCHEMA) {
            let shape = self.add(TypePlan::Plain);
            let docs = Field {
                shape,
                keeps_map: true,
                ..Field::default()
            };
            object.fields.insert(EXTERNAL_DOCS.into(), docs);
        }
        object
    }
}

impl Field {
    fn new(
        schema: Schema<'_>,
        type_name: &str,
        name: &str,
        field: Schema<'_>,
        shape: usize,
    ) -> Self {
        let is_written = is_always_written(schema, type_name, name);
        let is_map = field.additional_properties().is_some();
        let is_pointer = is_pointer(type_name, name) || is_null(type_name, name);
        // A field of any type is a pointer or has a custom encoder.
        let is_any = field.ty() == SchemaType::Any;
        Self {
            shape,
            keeps_list: is_written || is_any,
            keeps_map: is_written || !is_map,
            keeps_zero: is_pointer || is_any || field.ty() == SchemaType::IntOrString,
            keeps_text: is_pointer || is_any,
        }
    }
}

/// Returns the shape of a string type.
fn text_shape(schema: Schema<'_>) -> TypePlan {
    match (schema.type_name(), schema.format()) {
        (Some(TIME), _) => TypePlan::Time,
        (Some(MICRO_TIME), _) => TypePlan::MicroTime,
        (_, Some("byte")) => TypePlan::Bytes,
        _ => TypePlan::Text,
    }
}

/// Returns whether a list or a map is written even if it is missing.
fn is_always_written(schema: Schema<'_>, type_name: &str, field: &str) -> bool {
    let is_required = schema.is_required(field) && !is_left_out(type_name, field);
    is_required || is_null(type_name, field)
}

/// Returns the value of a missing field. `None` if it stays missing.
fn without_value(
    schema: Schema<'_>,
    type_name: &str,
    name: &str,
    field: Schema<'_>,
) -> Option<Value> {
    if let Some(default) = field.default_value().filter(|it| !it.is_null()) {
        // Objects were added before.
        let is_there = !is_left_out(type_name, name);
        return super::tree::value(&default).filter(|_| is_there);
    }
    if is_null(type_name, name) {
        return Some(Value::Null);
    }
    if matches!(field.type_name(), Some(TIME | MICRO_TIME)) {
        return is_written_time(name).then_some(Value::Null);
    }
    if name == "divisor" && field.ty() == SchemaType::Quantity {
        return Some(Value::string("0"));
    }
    if !is_always_written(schema, type_name, name) {
        return None;
    }
    // A number, a string or a boolean that is always written has a default.
    Some(match field.ty() {
        SchemaType::Quantity => Value::string("0"),
        SchemaType::IntOrString => Value::Int(0),
        SchemaType::String if field.format() != Some("byte") => return None,
        SchemaType::Integer | SchemaType::Number | SchemaType::Boolean => return None,
        _ => Value::Null,
    })
}
