//! Placeholder values that a schema allows and that the API server accepts.

use cel::Value;
use cel::value::{Key, Map};
use kubernetes::openapi::{Schema, SchemaType};

/// Limit: the nesting of values.
const MAX_DEPTH: usize = 16;

/// An arbitrary string.
pub(super) const TEXT: &str = "example";

/// An image. Policies often check the registry and the tag.
const IMAGE: &str = "registry.example.com/app:1.0";

/// The label by which a workload finds its pods.
const LABEL: &str = "app";

/// Examples of formats.
const FORMATS: [(&str, &str); 11] = [
    ("date-time", "2024-01-01T00:00:00Z"),
    ("date", "2024-01-01"),
    ("duration", "1h"),
    ("byte", "ZXhhbXBsZQ=="),
    ("uuid", "6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36"),
    ("uri", "https://example.com"),
    ("email", "jane@example.com"),
    ("hostname", "example.com"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("cidr", "192.0.2.0/24"),
];

/// Fields that the validation of a type requires, unlike its schema, and whose errors are not at
/// the field: the name of the type, and the field.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/core/validation/validation.go,
/// pkg/apis/networking/validation/validation.go.
const REQUIRED: [(&str, &str); 4] = [
    ("IngressServiceBackend", "port"),
    ("ServiceBackendPort", "number"),
    ("PersistentVolumeClaimSpec", "resources"),
    ("VolumeResourceRequirements", "requests"),
];

/// Fields that are tried before others where a type requires one of several.
pub(super) const PREFERRED: [&str; 5] = [
    "hostPath",
    "httpGet",
    "matchLabels",
    "podSelector",
    "service",
];

/// Strings that are tried where validation rejects a value. The last one is a request for a
/// certificate.
pub(super) const CANDIDATES: [&str; 10] = [
    TEXT,
    "other",
    "/example",
    "example.com",
    "example.com/example",
    "192.0.2.1",
    "192.0.2.0/24",
    "1",
    "2024-01-01T00:00:00Z",
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHUk1FVUNBUUF3RWpFUU1BNEdBMVVFQXd3SFpYaGhiWEJzWlRBcU1BVUdBeXRsY0FNaEFFekdNckVjWUlRQQpDVDJrOWVOZ0p4K3JJMXAyakNrNFR2b0tQM0JXc05MU29BQXdCUVlESzJWd0EwRUFGSGZhUVJFTnZDdE9nUGtCCmw1UCtNbUsyQ29hekl0WlhkYWZoNTZ3WWVjQVRsdG5rbW1LY3JJVGpjN0xQcCsrSHpIanEzaGU4NUErRG5Wa1MKSDl2bkRnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==",
];

/// Values that validation accepts in fields with restricted values, by the name of the field.
const VALUES: [(&str, &str); 7] = [
    ("image", IMAGE),
    ("accessModes", "ReadWriteOnce"),
    ("schedule", "0 * * * *"),
    ("apiGroup", "rbac.authorization.k8s.io"),
    ("concurrencyPolicy", "Allow"),
    ("operator", "Exists"),
    ("timeZone", "Etc/UTC"),
];

/// Numbers that are ports.
const PORTS: [&str; 4] = ["port", "containerPort", "hostPort", "number"];

/// Returns an object with these fields.
pub(super) fn map<K: Into<std::sync::Arc<str>>>(
    fields: impl IntoIterator<Item = (K, Value)>,
) -> Value {
    let fields = fields
        .into_iter()
        .map(|(key, value)| (Key::String(key.into()), value));
    Value::Map(fields.collect::<Map>())
}

/// Returns a value that the schema allows, for the field with this name.
pub(super) fn placeholder(schema: Option<Schema<'_>>, field: &str) -> Value {
    within(schema, field, MAX_DEPTH)
}

fn within(schema: Option<Schema<'_>>, field: &str, depth: usize) -> Value {
    let depth = depth.checked_sub(1);
    let Some((schema, depth)) = schema.zip(depth) else {
        return Value::string(TEXT);
    };
    match schema.ty() {
        SchemaType::Any => Value::string(TEXT),
        SchemaType::Object => object(schema, depth),
        SchemaType::Array => Value::list(vec![within(schema.items(), field, depth)]),
        SchemaType::String => Value::string(string(schema, field)),
        SchemaType::Integer | SchemaType::Number | SchemaType::IntOrString => {
            let default = schema.default_value().and_then(|it| it.as_i64());
            let port = PORTS.contains(&field).then_some(80);
            let number = default.filter(|it| *it != 0).or(port).unwrap_or(1);
            Value::Int(number)
        }
        SchemaType::Boolean => {
            let default = schema.default_value().and_then(|it| it.as_bool());
            Value::Bool(default.unwrap_or_default())
        }
        SchemaType::Quantity if field == "storage" => Value::string("1Gi"),
        SchemaType::Quantity => Value::string("1"),
    }
}

fn object(schema: Schema<'_>, depth: usize) -> Value {
    let name = schema.type_name().unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or_default();
    let is_needed = |field: &str| schema.is_required(field) || REQUIRED.contains(&(name, field));
    let needed = schema.properties().filter(|(field, _)| is_needed(field));
    let mut value = map(needed.map(|(field, schema)| (field, within(Some(schema), field, depth))));
    if name == "VolumeResourceRequirements" {
        set(
            &mut value,
            "requests",
            map([("storage", Value::string("1Gi"))]),
        );
    }
    let labels = || map([(LABEL, Value::string(TEXT))]);
    if let Some(map) = value.as_map_mut()
        && map.get_str("selector").is_some()
        && let Some(template) = map.get_str_mut("template")
    {
        set(template, "metadata", self::map([("labels", labels())]));
        map.set_str("selector", self::map([("matchLabels", labels())]));
    }
    value
}

/// Sets a field of an object.
pub(super) fn set(object: &mut Value, field: &str, value: Value) {
    if let Some(map) = object.as_map_mut() {
        map.set_str(field, value);
    }
}

fn string(schema: Schema<'_>, field: &str) -> String {
    let default = schema
        .default_value()
        .and_then(|it| it.as_str().map(str::to_owned));
    let listed = schema.enum_values().next();
    let listed = listed.and_then(|it| it.as_str().map(str::to_owned));
    let of_table = |table: &[(&str, &str)], wanted: &str| {
        let found = table.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, example)| (*example).to_owned())
    };
    let format = schema.format();
    let found = default.filter(|it| !it.is_empty()).or(listed);
    let found = found
        .or_else(|| of_table(&FORMATS, format?))
        .or_else(|| of_table(&VALUES, field));
    found.unwrap_or_else(|| TEXT.to_owned())
}
