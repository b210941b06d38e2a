//! Reads a schema as OpenAPI documents and CustomResourceDefinitions write it.

use super::model::{Property, SchemaFacts};
use super::schema::{ListType, MapType, SchemaType};
use serde_json::{Map, Value};
use std::fmt;

/// Limit: schemas within schemas. Documents of servers nest less than 10 deep, since they
/// name their types.
const MAX_DEPTH: usize = 100;

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It is not JSON; the message of the parser.
    Json(String),
    /// It has neither `components.schemas` nor `definitions`.
    NoSchemas,
    /// It is greater than this many bytes.
    TooLarge(usize),
    /// Its schemas are nested more than this deep.
    TooDeep(usize),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(reason) => write!(f, "the document is not JSON: {reason}"),
            Self::NoSchemas => f.write_str(
                "the document has no `components.schemas` (OpenAPI 3) and no `definitions` (OpenAPI 2)",
            ),
            Self::TooLarge(limit) => write!(f, "the document is greater than {limit} bytes"),
            Self::TooDeep(limit) => write!(f, "its schemas are nested more than {limit} deep"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a schema. Unknown parts are left out.
///
/// # Errors
/// It is nested too deeply.
pub(crate) fn read_schema(schema: &Value) -> Result<SchemaFacts, ReadError> {
    read(schema, 0)
}

/// Reads a named type. Two types of Kubernetes are recognized by their names, since their
/// descriptions are incomplete.
///
/// # Errors
/// It is nested too deeply.
pub fn read_type(name: &str, schema: &Value) -> Result<SchemaFacts, ReadError> {
    let mut facts = read_schema(schema)?;
    match name {
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString" => facts.ty = SchemaType::IntOrString,
        "io.k8s.apimachinery.pkg.api.resource.Quantity" => facts.ty = SchemaType::Quantity,
        _ => {}
    }
    Ok(facts)
}

fn read(schema: &Value, depth: usize) -> Result<SchemaFacts, ReadError> {
    if depth > MAX_DEPTH {
        return Err(ReadError::TooDeep(MAX_DEPTH));
    }
    let Some(fields) = schema.as_object() else {
        return Ok(SchemaFacts::default());
    };
    let mut facts = SchemaFacts {
        ty: schema_type(fields),
        reference: reference(fields),
        format: text(fields, "format").map(str::to_owned),
        allowed: array(fields.get("enum")).map(Value::to_string).collect(),
        default: fields.get("default").map(Value::to_string),
        list_type: list_type(fields),
        list_map_keys: strings(fields.get("x-kubernetes-list-map-keys")),
        map_type: map_type(fields),
        // `additionalProperties: true` also keeps properties without a schema.
        preserves_unknown_fields: flag(fields, "x-kubernetes-preserve-unknown-fields")
            || flag(fields, "additionalProperties"),
        embedded_resource: flag(fields, "x-kubernetes-embedded-resource"),
        nullable: flag(fields, "nullable"),
        description: text(fields, "description").map(str::to_owned),
        ..SchemaFacts::default()
    };
    let required = strings(fields.get("required"));
    let properties = fields.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let property = Property {
            schema: read(property, depth + 1)?,
            required: required.contains(name),
        };
        facts.properties.insert(name.clone(), property);
    }
    let inner = |key: &str| match fields.get(key) {
        Some(schema @ Value::Object(_)) => read(schema, depth + 1).map(|read| Some(Box::new(read))),
        _ => Ok(None),
    };
    facts.items = inner("items")?;
    facts.values = inner("additionalProperties")?;
    Ok(facts)
}

/// Returns the type that a schema refers to. A server writes a reference next to other facts
/// inside `allOf`.
fn reference(fields: &Map<String, Value>) -> Option<String> {
    let target = |schema: &Value| {
        let target = schema.get("$ref")?.as_str()?;
        Some(target.rsplit('/').next()?.to_owned())
    };
    let own = fields.get("$ref").and_then(Value::as_str);
    if let Some(own) = own {
        return own.rsplit('/').next().map(str::to_owned);
    }
    match fields.get("allOf").and_then(Value::as_array)?.as_slice() {
        [only] => target(only),
        _ => None,
    }
}

fn schema_type(fields: &Map<String, Value>) -> SchemaType {
    let is_int_or_string = flag(fields, "x-kubernetes-int-or-string")
        || text(fields, "format") == Some("int-or-string");
    if is_int_or_string {
        return SchemaType::IntOrString;
    }
    let ty = match fields.get("type") {
        // OpenAPI 3.1 allows null as one of several types.
        Some(Value::Array(types)) => types.iter().find(|ty| *ty != "null"),
        ty => ty,
    };
    match ty.and_then(Value::as_str) {
        Some("object") => SchemaType::Object,
        Some("array") => SchemaType::Array,
        Some("string") => SchemaType::String,
        Some("integer") => SchemaType::Integer,
        Some("number") => SchemaType::Number,
        Some("boolean") => SchemaType::Boolean,
        _ => SchemaType::Any,
    }
}

fn list_type(fields: &Map<String, Value>) -> Option<ListType> {
    match text(fields, "x-kubernetes-list-type")? {
        "atomic" => Some(ListType::Atomic),
        "set" => Some(ListType::Set),
        "map" => Some(ListType::Map),
        _ => None,
    }
}

fn map_type(fields: &Map<String, Value>) -> Option<MapType> {
    match text(fields, "x-kubernetes-map-type")? {
        "atomic" => Some(MapType::Atomic),
        "granular" => Some(MapType::Granular),
        _ => None,
    }
}

fn text<'a>(fields: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    fields.get(key).and_then(Value::as_str)
}

fn strings(list: Option<&Value>) -> Vec<String> {
    array(list)
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn array(list: Option<&Value>) -> impl Iterator<Item = &Value> {
    list.and_then(Value::as_array).into_iter().flatten()
}

fn flag(fields: &Map<String, Value>, key: &str) -> bool {
    fields.get(key).and_then(Value::as_bool) == Some(true)
}
