//! Reads a schema as OpenAPI documents and CustomResourceDefinitions write it.

use super::model::{Property, SchemaFacts};
use super::schema_type::{ListType, MapType, SchemaType};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// Limit: schemas within schemas. Documents of servers nest less than 10 levels, since they use
/// named types.
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

/// A value of a document, in JSON or in YAML.
pub(super) trait Written<'a>: Copy {
    /// Whether the fields are in the order of the author.
    const IS_IN_ORDER: bool;
    /// Returns whether it is an object.
    fn is_object(self) -> bool;
    /// Returns the fields of an object. Of several with the same name, the last one wins.
    fn fields(self) -> impl Iterator<Item = (Cow<'a, str>, Self)>;
    /// Returns the items of a list.
    fn items(self) -> impl Iterator<Item = Self>;
    /// Returns a string.
    fn as_text(self) -> Option<&'a str>;
    /// Returns whether it is `true`.
    fn is_true(self) -> bool;
    /// Returns whether it is an integer above 0.
    fn is_positive(self) -> bool;
    /// Returns the value as JSON.
    fn to_json(self) -> String;
}

impl<'a> Written<'a> for &'a Value {
    const IS_IN_ORDER: bool = false;

    fn is_object(self) -> bool {
        Value::is_object(self)
    }

    fn fields(self) -> impl Iterator<Item = (Cow<'a, str>, Self)> {
        let fields = self.as_object().into_iter().flatten();
        fields.map(|(name, value)| (Cow::Borrowed(name.as_str()), value))
    }

    fn items(self) -> impl Iterator<Item = Self> {
        self.as_array().into_iter().flatten()
    }

    fn as_text(self) -> Option<&'a str> {
        self.as_str()
    }

    fn is_true(self) -> bool {
        self.as_bool() == Some(true)
    }

    fn is_positive(self) -> bool {
        self.as_u64().is_some_and(|value| value > 0)
    }

    fn to_json(self) -> String {
        self.to_string()
    }
}

/// The use of a schema.
#[derive(Clone, Copy)]
pub(super) enum Use<'n> {
    /// The clients of a server.
    Published,
    /// The rules of a definition. A property is required if every valid object has it when a rule
    /// runs; these names also count as required. Descriptions are left out.
    Rules(&'n HashSet<String>),
}

/// Reads a named type. Two types of Kubernetes are recognized by name, since their descriptions are
/// incomplete.
///
/// # Errors
/// It is nested too deeply.
pub fn read_type(name: &str, schema: &Value) -> Result<SchemaFacts, ReadError> {
    let mut facts = read_schema(schema, Use::Published)?;
    match name {
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString" => facts.ty = SchemaType::IntOrString,
        "io.k8s.apimachinery.pkg.api.resource.Quantity" => facts.ty = SchemaType::Quantity,
        _ => {}
    }
    Ok(facts)
}

/// Reads a schema. Unknown parts are left out.
///
/// # Errors
/// It is nested too deeply.
pub(super) fn read_schema<'a>(
    schema: impl Written<'a>,
    whose: Use<'_>,
) -> Result<SchemaFacts, ReadError> {
    read(schema, whose, 0)
}

/// The fields of a schema that need others.
struct Fields<V> {
    ty: Option<V>,
    is_int_or_string: bool,
    /// `$ref`, and `allOf`.
    references: [Option<V>; 2],
    required: Option<V>,
    properties: Option<V>,
    items: Option<V>,
    values: Option<V>,
    preserves_unknown_fields: bool,
    has_least_properties: bool,
}

impl<V> Default for Fields<V> {
    fn default() -> Self {
        Self {
            ty: None,
            is_int_or_string: false,
            references: [None, None],
            required: None,
            properties: None,
            items: None,
            values: None,
            preserves_unknown_fields: false,
            has_least_properties: false,
        }
    }
}

fn read<'a, V: Written<'a>>(
    schema: V,
    whose: Use<'_>,
    depth: usize,
) -> Result<SchemaFacts, ReadError> {
    if depth > MAX_DEPTH {
        return Err(ReadError::TooDeep(MAX_DEPTH));
    }
    let (mut facts, fields) = own_facts(schema, whose);
    facts.properties = properties(&fields, whose, depth + 1)?;
    let inner = |schema: Option<V>| match schema.filter(|schema| schema.is_object()) {
        Some(schema) => read(schema, whose, depth + 1).map(|read| Some(Box::new(read))),
        None => Ok(None),
    };
    facts.items = inner(fields.items)?;
    facts.values = inner(fields.values)?;
    Ok(facts)
}

/// Reads the facts of a schema itself, and the fields that need others.
fn own_facts<'a, V: Written<'a>>(schema: V, whose: Use<'_>) -> (SchemaFacts, Fields<V>) {
    let mut facts = SchemaFacts::default();
    let mut fields = Fields::default();
    for (name, value) in schema.fields() {
        match &*name {
            "type" => fields.ty = Some(value),
            "format" => facts.format = value.as_text().map(str::to_owned),
            "description" if matches!(whose, Use::Published) => {
                facts.description = value.as_text().map(str::to_owned);
            }
            "$ref" => fields.references[0] = Some(value),
            "allOf" => fields.references[1] = Some(value),
            "enum" => facts.allowed = value.items().map(V::to_json).collect(),
            "default" => facts.default = Some(value.to_json()),
            "nullable" => facts.nullable = value.is_true(),
            "minProperties" => fields.has_least_properties = value.is_positive(),
            "required" => fields.required = Some(value),
            "properties" => fields.properties = Some(value),
            "items" => fields.items = Some(value),
            "additionalProperties" => fields.values = Some(value),
            "x-kubernetes-int-or-string" => fields.is_int_or_string = value.is_true(),
            "x-kubernetes-list-type" => facts.list_type = list_type(value),
            "x-kubernetes-list-map-keys" => facts.list_map_keys = strings(value),
            "x-kubernetes-map-type" => facts.map_type = map_type(value),
            "x-kubernetes-preserve-unknown-fields" => {
                fields.preserves_unknown_fields = value.is_true();
            }
            "x-kubernetes-embedded-resource" => facts.embedded_resource = value.is_true(),
            _ => {}
        }
    }
    facts.ty = schema_type(&fields, facts.format.as_deref());
    facts.reference = reference(&fields);
    // `additionalProperties: true` also keeps properties without a schema.
    facts.preserves_unknown_fields =
        fields.preserves_unknown_fields || fields.values.is_some_and(V::is_true);
    (facts, fields)
}

fn properties<'a, V: Written<'a>>(
    fields: &Fields<V>,
    whose: Use<'_>,
    depth: usize,
) -> Result<BTreeMap<String, Property>, ReadError> {
    let required = fields.required.map(strings).unwrap_or_default();
    let mut found = BTreeMap::new();
    let written = fields.properties.into_iter().flat_map(V::fields);
    for (place, (name, value)) in (1..).zip(written) {
        let mut property = Property {
            schema: read(value, whose, depth)?,
            required: required.iter().any(|it| *it == name),
            place: if V::IS_IN_ORDER { place } else { 0 },
        };
        if let Use::Rules(names) = whose
            && value.is_object()
        {
            if fields.has_least_properties || names.contains(&*name) {
                property.required = true;
            } else if property.schema.nullable {
                property.required = false;
                property.schema.default = None;
            }
        }
        found.insert(name.into_owned(), property);
    }
    Ok(found)
}

/// Returns the type that a schema refers to. A server puts a reference next to other keywords
/// inside `allOf`.
fn reference<'a, V: Written<'a>>(fields: &Fields<V>) -> Option<String> {
    let name = |target: V| Some(target.as_text()?.rsplit('/').next()?.to_owned());
    let [own, all] = fields.references;
    if let Some(own) = own.filter(|own| own.as_text().is_some()) {
        return name(own);
    }
    let mut all = all?.items();
    let only = all.next().filter(|_| all.next().is_none())?;
    let target = only.fields().filter(|(field, _)| field == "$ref").last();
    target.and_then(|(_, target)| name(target))
}

fn schema_type<'a, V: Written<'a>>(fields: &Fields<V>, format: Option<&str>) -> SchemaType {
    if fields.is_int_or_string || format == Some("int-or-string") {
        return SchemaType::IntOrString;
    }
    // OpenAPI 3.1 allows null as one of several types.
    let of_list = |ty: V| ty.items().find(|ty| ty.as_text() != Some("null"));
    let ty = fields.ty.and_then(|ty| of_list(ty).or(Some(ty)));
    match ty.and_then(V::as_text) {
        Some("object") => SchemaType::Object,
        Some("array") => SchemaType::Array,
        Some("string") => SchemaType::String,
        Some("integer") => SchemaType::Integer,
        Some("number") => SchemaType::Number,
        Some("boolean") => SchemaType::Boolean,
        _ => SchemaType::Any,
    }
}

fn list_type<'a>(value: impl Written<'a>) -> Option<ListType> {
    match value.as_text()? {
        "atomic" => Some(ListType::Atomic),
        "set" => Some(ListType::Set),
        "map" => Some(ListType::Map),
        _ => None,
    }
}

fn map_type<'a>(value: impl Written<'a>) -> Option<MapType> {
    match value.as_text()? {
        "atomic" => Some(MapType::Atomic),
        "granular" => Some(MapType::Granular),
        _ => None,
    }
}

fn strings<'a>(list: impl Written<'a>) -> Vec<String> {
    let texts = list.items().filter_map(Written::as_text);
    texts.map(str::to_owned).collect()
}
