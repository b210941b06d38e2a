//! The objects within an object: `apiVersion`, `kind` and `metadata` of embedded resources.
//!
//! The server checks them like those of a whole object. If one is missing, it runs no rule.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/objectmeta/validation.go,
//! Validate; kubernetes/apimachinery, pkg/api/validation/objectmeta.go,
//! ValidateObjectMetaAccessor.

mod metadata;

use crate::field_error::{ErrorType, FieldError};
use crate::json_schema::{JsonSchema, MAX_DEPTH};
use crate::library::format::dns_subdomain_prefix;
use cel::Value;
use cel::value::{Key, Map};
use kubernetes::names::format;
use kubernetes::quote::quote;
use kubernetes::versions::ServerVersion;

/// Limit: bytes of all annotations.
///
/// Upstream: kubernetes/apimachinery, pkg/api/validation/objectmeta.go,
/// TotalAnnotationSizeLimitB.
const ANNOTATIONS_SIZE: usize = 256 * 1024;

/// Returns the errors of a value.
type Check = fn(&str) -> Vec<String>;

/// An error in a field of an embedded resource.
pub(crate) struct EmbeddedError {
    /// The path of the field.
    pub(crate) field: String,
    /// The type.
    pub(crate) kind: ErrorType,
    /// The detail; empty if the type is enough.
    pub(crate) detail: String,
    value: Option<String>,
}

impl EmbeddedError {
    fn error(self) -> FieldError {
        FieldError::new(self.field, self.kind, self.value, &self.detail)
    }

    /// Returns the error as the server writes it.
    pub(crate) fn text(self) -> String {
        let error = self.error();
        format!("{}: {}", error.field, error.message)
    }
}

/// The errors of a server.
struct ErrorCollector {
    server: ServerVersion,
    errors: Vec<EmbeddedError>,
}

impl ErrorCollector {
    fn new(server: ServerVersion) -> Self {
        Self {
            server,
            errors: Vec::new(),
        }
    }

    fn push(&mut self, wrong: EmbeddedError) {
        self.errors.push(wrong);
    }

    fn in_fields(self) -> Vec<FieldError> {
        self.errors.into_iter().map(EmbeddedError::error).collect()
    }
}

/// Returns the errors in the embedded resources of an object.
pub fn check(schema: JsonSchema<'_>, object: &Value, server: ServerVersion) -> Vec<FieldError> {
    let found = wrong(schema, object, false, server).into_iter();
    found.map(EmbeddedError::error).collect()
}

/// Returns the errors in the embedded resources of a value, which itself is one if `is_resource`.
pub(crate) fn wrong(
    schema: JsonSchema<'_>,
    value: &Value,
    is_resource: bool,
    server: ServerVersion,
) -> Vec<EmbeddedError> {
    let mut found = ErrorCollector::new(server);
    if let Value::Map(map) = value
        && is_resource
        && !schema.flag("x-kubernetes-embedded-resource")
    {
        resource(map, "", &mut found);
    }
    visit(schema, value, "", MAX_DEPTH, &mut found);
    found.errors
}

/// Returns the errors in the metadata of a new object. `is_namespaced` is `None` if the scope
/// is unknown.
///
/// Upstream: kubernetes/apimachinery, pkg/api/validation/objectmeta.go,
/// ValidateObjectMetaAccessor.
pub fn new_metadata(
    object: &Value,
    is_namespaced: Option<bool>,
    server: ServerVersion,
) -> Vec<FieldError> {
    let mut found = ErrorCollector::new(server);
    let empty = Map::default();
    let metadata = metadata_of(object).unwrap_or(&empty);
    let text = |name: &str| metadata.get_str(name).and_then(Value::as_str).unwrap_or("");
    let path = "metadata";
    strings(metadata, path, &OBJECT_NAMES, &mut found);
    if text("name").is_empty() {
        found.push(EmbeddedError {
            field: child(path, "name"),
            kind: ErrorType::Required,
            detail: "name or generateName is required".to_owned(),
            value: None,
        });
    }
    let namespace = |kind, detail: &str| EmbeddedError {
        field: child(path, "namespace"),
        kind,
        detail: detail.to_owned(),
        value: None,
    };
    match (is_namespaced, text("namespace")) {
        (Some(true), "") => found.push(namespace(ErrorType::Required, "")),
        (Some(true), _) => strings(metadata, path, &NAMESPACE, &mut found),
        (Some(false), "") | (None, _) => {}
        (Some(false), _) => {
            found.push(namespace(ErrorType::Forbidden, "not allowed on this type"));
        }
    }
    metadata::generation(metadata, path, &mut found);
    labels(metadata, path, &mut found);
    metadata::check(metadata, path, &mut found);
    found.in_fields()
}

/// Returns the errors in the metadata of an updated object.
///
/// Upstream: kubernetes/apimachinery, pkg/api/validation/objectmeta.go,
/// ValidateObjectMetaAccessorUpdate.
pub fn changed_metadata(object: &Value, server: ServerVersion) -> Vec<FieldError> {
    let mut found = ErrorCollector::new(server);
    if let Some(metadata) = metadata_of(object) {
        labels(metadata, "metadata", &mut found);
        metadata::without_finalizers(metadata, "metadata", &mut found);
    }
    found.in_fields()
}

fn metadata_of(object: &Value) -> Option<&Map> {
    object.as_map()?.get_str("metadata")?.as_map()
}

fn visit(
    schema: JsonSchema<'_>,
    value: &Value,
    path: &str,
    depth: usize,
    errors: &mut ErrorCollector,
) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    match value {
        Value::Map(map) => {
            if schema.flag("x-kubernetes-embedded-resource") {
                resource(map, path, errors);
            }
            for (key, value) in map.iter() {
                let Key::String(name) = key else { continue };
                if let Some(property) = schema.property(name) {
                    visit(property, value, &child(path, name), depth, errors);
                } else if let Some(values) = schema.schema("additionalProperties") {
                    visit(values, value, &format!("{path}[{name}]"), depth, errors);
                }
            }
        }
        Value::List(list) => {
            let Some(items) = schema.schema("items") else {
                return;
            };
            for (index, value) in list.iter().enumerate() {
                visit(items, value, &format!("{path}[{index}]"), depth, errors);
            }
        }
        _ => {}
    }
}

fn child(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

fn resource(map: &Map, path: &str, errors: &mut ErrorCollector) {
    let checks: [(&str, Check); 2] = [
        ("apiVersion", |text| {
            wrong_version(text).into_iter().collect()
        }),
        ("kind", |text| format::kind(text).into_iter().collect()),
    ];
    for (name, wrong) in checks {
        let field = child(path, name);
        match map.get_str(name) {
            None => errors.push(EmbeddedError {
                field,
                kind: ErrorType::Required,
                detail: String::new(),
                value: None,
            }),
            Some(Value::String(text)) if text.is_empty() => {
                invalid(field, text, "must not be empty", errors);
            }
            Some(Value::String(text)) => {
                for detail in wrong(text) {
                    invalid(field.clone(), text, &detail, errors);
                }
            }
            // The types of fields are not checked here.
            Some(_) => {}
        }
    }
    if let Some(Value::Map(metadata)) = map.get_str("metadata") {
        self::metadata(metadata, &child(path, "metadata"), errors);
    }
}

fn wrong_version(text: &str) -> Option<String> {
    let is_wrong = text != "/" && text.matches('/').count() > 1;
    is_wrong.then(|| format!("unexpected GroupVersion string: {text}"))
}

fn metadata(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    strings(metadata, path, &EMBEDDED_NAMES, errors);
    strings(metadata, path, &NAMESPACE, errors);
    metadata::generation(metadata, path, errors);
    labels(metadata, path, errors);
    metadata::check(metadata, path, errors);
}

const EMBEDDED_NAMES: [(&str, Check); 2] = [
    ("generateName", format::path_segment_prefix),
    ("name", format::path_segment),
];
const OBJECT_NAMES: [(&str, Check); 2] = [
    ("generateName", dns_subdomain_prefix),
    ("name", format::dns_subdomain),
];
const NAMESPACE: [(&str, Check); 1] = [("namespace", format::dns_1123_label)];

/// Checks strings that are not empty.
fn strings(metadata: &Map, path: &str, checks: &[(&str, Check)], errors: &mut ErrorCollector) {
    for (name, check) in checks {
        let text = metadata.get_str(name).and_then(Value::as_str);
        for detail in text.filter(|it| !it.is_empty()).into_iter().flat_map(check) {
            invalid(child(path, name), text.unwrap_or(""), &detail, errors);
        }
    }
}

/// Checks labels and annotations.
fn labels(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    let pairs = |name: &str| {
        let map = metadata.get_str(name).and_then(Value::as_map);
        map.into_iter().flat_map(Map::iter)
    };
    let labels = child(path, "labels");
    for (key, value) in pairs("labels") {
        let Key::String(key) = key else { continue };
        for detail in format::qualified_name(key) {
            invalid(labels.clone(), key, &detail, errors);
        }
        let value = value.as_str().unwrap_or("");
        for detail in format::label_value(value) {
            invalid(labels.clone(), value, &detail, errors);
        }
    }
    let (annotations, mut size) = (child(path, "annotations"), 0);
    for (key, value) in pairs("annotations") {
        let Key::String(key) = key else { continue };
        for detail in format::qualified_name(&key.to_lowercase()) {
            invalid(annotations.clone(), key, &detail, errors);
        }
        size += key.len() + value.as_str().map_or(0, str::len);
    }
    metadata::too_long(size, &annotations, ANNOTATIONS_SIZE, errors);
}

fn invalid(field: String, value: &str, detail: &str, errors: &mut ErrorCollector) {
    errors.push(EmbeddedError {
        field,
        kind: ErrorType::Invalid,
        detail: detail.to_owned(),
        value: Some(quote(value)),
    });
}
