//! The rules of `metadata`, which hold for every kind, and the format of names, which each kind has
//! its own of.
//!
//! Upstream: kubernetes/apimachinery, pkg/api/validation/objectmeta.go,
//! ValidateObjectMetaAccessor and ValidateObjectMetaAccessorUpdate.

mod owners;

use crate::field_error::{ErrorType, FieldError};
use cel::Value;
use cel::value::{Key, Map};
use kubernetes::names::format;
use kubernetes::quote::{json_text, quote, to_json};
use kubernetes::versions::ServerVersion;
use std::collections::HashSet;

/// Limit: bytes of all annotations.
///
/// Upstream: kubernetes/apimachinery, pkg/api/validation/objectmeta.go,
/// TotalAnnotationSizeLimitB.
const ANNOTATIONS_SIZE: usize = 256 * 1024;

/// Where the metadata of an object is.
const PATH: &str = "metadata";

/// The format of the names of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameFormat {
    /// DNS labels separated by dots.
    Subdomain,
    /// A DNS label.
    Label,
    /// A DNS label that begins with a letter.
    Label1035,
    /// A part of a URL.
    PathSegment,
}

impl NameFormat {
    fn name(self, name: &str) -> Vec<String> {
        match self {
            NameFormat::Subdomain => format::dns_subdomain(name),
            NameFormat::Label => format::dns_1123_label(name),
            NameFormat::Label1035 => format::dns_1035_label(name),
            NameFormat::PathSegment => format::path_segment(name),
        }
    }

    /// Returns the errors of `generateName`, to which the server appends.
    fn prefix(self, prefix: &str) -> Vec<String> {
        match self {
            NameFormat::PathSegment => format::path_segment_prefix(prefix),
            _ => self.name(&format::without_dash(prefix)),
        }
    }
}

/// An error in a field of an object.
pub(crate) struct MetadataError {
    /// The path of the field.
    pub(crate) field: String,
    /// The type.
    pub(crate) kind: ErrorType,
    /// The detail; empty if the type is enough.
    pub(crate) detail: String,
    value: Option<String>,
}

impl MetadataError {
    pub(crate) fn error(self) -> FieldError {
        FieldError::new(self.field, self.kind, self.value, &self.detail)
    }

    /// Returns the error as the server writes it.
    pub(crate) fn text(self) -> String {
        let error = self.error();
        format!("{}: {}", error.field, error.message)
    }
}

/// The errors of a server.
pub(crate) struct ErrorCollector {
    server: ServerVersion,
    pub(crate) errors: Vec<MetadataError>,
}

impl ErrorCollector {
    pub(crate) fn new(server: ServerVersion) -> Self {
        Self {
            server,
            errors: Vec::new(),
        }
    }

    fn in_fields(self) -> Vec<FieldError> {
        self.errors.into_iter().map(MetadataError::error).collect()
    }

    fn push(&mut self, field: String, kind: ErrorType, value: Option<String>, detail: &str) {
        self.errors.push(MetadataError {
            field,
            kind,
            detail: detail.to_owned(),
            value,
        });
    }

    pub(crate) fn required(&mut self, field: String, detail: &str) {
        self.push(field, ErrorType::Required, None, detail);
    }

    /// Adds an error of a string.
    pub(crate) fn invalid(&mut self, field: String, value: &str, detail: &str) {
        self.wrong(field, quote(value), detail);
    }

    /// Adds an error of a value as Go writes it.
    fn wrong(&mut self, field: String, value: String, detail: &str) {
        self.push(field, ErrorType::Invalid, Some(value), detail);
    }

    /// Adds an error if a field has more bytes than the limit.
    fn too_long(&mut self, bytes: usize, field: String, limit: usize) {
        if bytes > limit {
            let detail = format!("may not be more than {limit} bytes");
            self.push(field, ErrorType::TooLong, None, &detail);
        }
    }
}

/// Returns the errors in the metadata of an object. `is_namespaced` is `None` if the scope is
/// unknown.
#[must_use]
pub fn check(
    object: &Value,
    names: NameFormat,
    is_namespaced: Option<bool>,
    server: ServerVersion,
) -> Vec<FieldError> {
    let mut found = ErrorCollector::new(server);
    let empty = Map::default();
    let metadata = metadata_of(object).unwrap_or(&empty);
    check_names(metadata, PATH, names, &mut found);
    if text(metadata, "name").is_empty() {
        found.required(child(PATH, "name"), "name or generateName is required");
    }
    let field = child(PATH, "namespace");
    match (is_namespaced, text(metadata, "namespace")) {
        (Some(true), "") => found.required(field, ""),
        (Some(true), _) => check_namespace(metadata, PATH, &mut found),
        (Some(false), "") | (None, _) => {}
        (Some(false), _) => {
            found.push(
                field,
                ErrorType::Forbidden,
                None,
                "not allowed on this type",
            );
        }
    }
    owners::generation(metadata, PATH, &mut found);
    labels(metadata, PATH, &mut found);
    owners::check(metadata, PATH, &mut found);
    found.in_fields()
}

/// Returns the errors in the metadata of an updated object. It has a resource version and the
/// generation of the old one.
#[must_use]
pub fn check_update(object: &Value, old: &Value, server: ServerVersion) -> Vec<FieldError> {
    let mut found = ErrorCollector::new(server);
    let empty = Map::default();
    let [metadata, old] = [object, old].map(|it| metadata_of(it).unwrap_or(&empty));
    no_new_finalizers(metadata, old, &mut found);
    for field in ["name", "namespace", "uid"] {
        if text(metadata, field) != text(old, field) {
            let value = text(metadata, field);
            found.invalid(child(PATH, field), value, "field is immutable");
        }
    }
    for field in ["deletionTimestamp", "deletionGracePeriodSeconds"] {
        let value = metadata.get_str(field).unwrap_or(&Value::Null);
        if value != old.get_str(field).unwrap_or(&Value::Null) {
            let value = json_text(&to_json(value));
            found.wrong(child(PATH, field), value, "field is immutable");
        }
    }
    labels(metadata, PATH, &mut found);
    owners::without_finalizers(metadata, PATH, &mut found);
    found.in_fields()
}

/// Adds the error of a finalizer that is added while the object is being deleted.
///
/// Upstream: ValidateNoNewFinalizers.
fn no_new_finalizers(metadata: &Map, old: &Map, errors: &mut ErrorCollector) {
    if text(old, "deletionTimestamp").is_empty() {
        return;
    }
    let known: HashSet<&str> = owners::finalizers_of(old).collect();
    let new = owners::finalizers_of(metadata).filter(|it| !known.contains(it));
    let mut new: Vec<String> = new.map(quote).collect();
    new.sort_unstable();
    new.dedup();
    if !new.is_empty() {
        let new = new.join(", ");
        let detail = format!(
            "no new finalizers can be added if the object is being deleted, found new finalizers \
             []string{{{new}}}"
        );
        let field = child(PATH, "finalizers");
        errors.push(field, ErrorType::Forbidden, None, &detail);
    }
}

fn metadata_of(object: &Value) -> Option<&Map> {
    object.as_map()?.get_str(PATH)?.as_map()
}

fn text<'m>(map: &'m Map, name: &str) -> &'m str {
    map.get_str(name).and_then(Value::as_str).unwrap_or("")
}

/// Returns the path of a field. The path of the whole object is empty.
pub(crate) fn child(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// Adds the errors of the metadata of an embedded resource.
pub(crate) fn check_embedded(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    check_names(metadata, path, NameFormat::PathSegment, errors);
    check_namespace(metadata, path, errors);
    owners::generation(metadata, path, errors);
    labels(metadata, path, errors);
    owners::check(metadata, path, errors);
}

fn check_names(metadata: &Map, path: &str, names: NameFormat, errors: &mut ErrorCollector) {
    strings(
        metadata,
        path,
        "generateName",
        |it| names.prefix(it),
        errors,
    );
    strings(metadata, path, "name", |it| names.name(it), errors);
}

fn check_namespace(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    strings(metadata, path, "namespace", format::dns_1123_label, errors);
}

/// Checks a string unless it is empty.
fn strings(
    metadata: &Map,
    path: &str,
    name: &str,
    check: impl Fn(&str) -> Vec<String>,
    errors: &mut ErrorCollector,
) {
    let value = text(metadata, name);
    for detail in Some(value)
        .filter(|it| !it.is_empty())
        .into_iter()
        .flat_map(check)
    {
        errors.invalid(child(path, name), value, &detail);
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
            errors.invalid(labels.clone(), key, &detail);
        }
        let value = value.as_str().unwrap_or("");
        for detail in format::label_value(value) {
            errors.invalid(labels.clone(), value, &detail);
        }
    }
    let (annotations, mut size) = (child(path, "annotations"), 0);
    for (key, value) in pairs("annotations") {
        let Key::String(key) = key else { continue };
        for detail in format::qualified_name(&key.to_lowercase()) {
            errors.invalid(annotations.clone(), key, &detail);
        }
        size += key.len() + value.as_str().map_or(0, str::len);
    }
    errors.too_long(size, annotations, ANNOTATIONS_SIZE);
}
