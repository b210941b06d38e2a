//! The metadata of embedded resources beyond names, labels and annotations: owners, finalizers and
//! managed fields.
//!
//! Upstream: kubernetes/apimachinery, pkg/api/validation/objectmeta.go, ValidateOwnerReferences
//! and ValidateFinalizers; pkg/apis/meta/v1/validation/validation.go, ValidateManagedFields.

use super::{EmbeddedError, ErrorCollector, child, invalid};
use crate::field_error::ErrorType;
use cel::Value;
use cel::value::Map;
use kubernetes::names::format;
use kubernetes::quote::quote;
use kubernetes::versions::changes::METADATA_IS_REQUIRED;

/// Limit: bytes of the name of a field manager.
const MANAGER_LENGTH: usize = 128;
/// Limit: bytes of the name of a subresource.
const SUBRESOURCE_LENGTH: usize = 256;

const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";

/// Adds the error of a negative generation.
pub(super) fn generation(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    if let Some(Value::Int(generation @ ..0)) = metadata.get_str("generation") {
        let detail = "must be greater than or equal to 0".to_owned();
        wrong(
            &child(path, "generation"),
            &generation.to_string(),
            detail,
            errors,
        );
    }
}

/// Adds the errors of owners, finalizers and managed fields.
pub(super) fn check(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    owners(metadata, &child(path, "ownerReferences"), errors);
    finalizers(metadata, &child(path, "finalizers"), errors);
    all_managed_fields(metadata, path, errors);
}

/// Adds the errors of owners and managed fields.
pub(super) fn without_finalizers(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    owners(metadata, &child(path, "ownerReferences"), errors);
    all_managed_fields(metadata, path, errors);
}

fn all_managed_fields(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    let managed = child(path, "managedFields");
    for (index, entry) in maps(metadata, "managedFields").enumerate() {
        managed_fields(entry, &format!("{managed}[{index}]"), errors);
    }
}

fn list<'m>(map: &'m Map, name: &str) -> impl Iterator<Item = &'m Value> + use<'m> {
    let list = map.get_str(name).and_then(Value::as_list);
    list.into_iter().flat_map(|list| list.iter())
}

fn maps<'m>(map: &'m Map, name: &str) -> impl Iterator<Item = &'m Map> + use<'m> {
    list(map, name).filter_map(Value::as_map)
}

fn text<'m>(map: &'m Map, name: &str) -> &'m str {
    map.get_str(name).and_then(Value::as_str).unwrap_or("")
}

fn owners(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    let all: Vec<&Map> = maps(metadata, "ownerReferences").collect();
    let mut controller: Option<String> = None;
    for (index, owner) in all.iter().enumerate() {
        if METADATA_IS_REQUIRED.applies(errors.server) {
            self::owner(owner, &format!("{path}[{index}]"), errors);
        } else {
            former_owner(owner, path, errors);
        }
        if !matches!(owner.get_str("controller"), Some(Value::Bool(true))) {
            continue;
        }
        let current = format!("{}/{}", text(owner, "kind"), text(owner, "name"));
        let Some(first) = &controller else {
            controller = Some(current);
            continue;
        };
        let detail = format!(
            "Only one reference can have Controller set to true. Found \"true\" in references \
             for {first} and {current}"
        );
        let shown: Vec<String> = all.iter().map(|owner| json(owner)).collect();
        wrong(path, &format!("[{}]", shown.join(",")), detail, errors);
    }
}

fn owner(owner: &Map, path: &str, errors: &mut ErrorCollector) {
    let version = text(owner, "apiVersion");
    let (group, name) = version.split_once('/').unwrap_or(("", version));
    if version.is_empty() {
        required(child(path, "apiVersion"), errors);
    } else if name.is_empty() || name.contains('/') {
        let detail = "must be <group>/<version> or <version>";
        invalid(child(path, "apiVersion"), version, detail, errors);
    }
    for field in ["kind", "name", "uid"] {
        if text(owner, field).is_empty() {
            required(child(path, field), errors);
        }
    }
    banned((group, name), owner, path, errors);
}

/// Adds the errors of servers before [`METADATA_IS_REQUIRED`], without the index of the owner.
fn former_owner(owner: &Map, path: &str, errors: &mut ErrorCollector) {
    let version = text(owner, "apiVersion");
    let (group, name) = match version.split_once('/') {
        Some((_, name)) if name.contains('/') => ("", ""),
        Some(parts) => parts,
        None => ("", version),
    };
    if name.is_empty() {
        let field = child(path, "apiVersion");
        invalid(field, version, "version must not be empty", errors);
    }
    for field in ["kind", "name", "uid"] {
        if text(owner, field).is_empty() {
            invalid(child(path, field), "", "must not be empty", errors);
        }
    }
    banned((group, name), owner, path, errors);
}

fn banned(version: (&str, &str), owner: &Map, path: &str, errors: &mut ErrorCollector) {
    if version == ("", "v1") && text(owner, "kind") == "Event" {
        let detail = "/v1, Kind=Event is disallowed from being an owner".to_owned();
        wrong(path, &json(owner), detail, errors);
    }
}

/// Returns an owner as Go writes it.
fn json(owner: &Map) -> String {
    let texts = ["apiVersion", "kind", "name", "uid"]
        .map(|name| format!("\"{name}\":{}", quote(text(owner, name))));
    let mut fields = texts.to_vec();
    for name in ["controller", "blockOwnerDeletion"] {
        if let Some(Value::Bool(value)) = owner.get_str(name) {
            fields.push(format!("\"{name}\":{value}"));
        }
    }
    format!("{{{}}}", fields.join(","))
}

fn finalizers(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    let all: Vec<&str> = list(metadata, "finalizers")
        .filter_map(Value::as_str)
        .collect();
    for finalizer in &all {
        for detail in format::qualified_name(finalizer) {
            invalid(path.to_owned(), finalizer, &detail, errors);
        }
    }
    if all.contains(&ORPHAN) && all.contains(&FOREGROUND) {
        let shown: Vec<String> = all.iter().map(|it| quote(it)).collect();
        let detail = format!("finalizer {ORPHAN} and {FOREGROUND} cannot be both set");
        wrong(path, &format!("[{}]", shown.join(",")), detail, errors);
    }
}

fn managed_fields(entry: &Map, path: &str, errors: &mut ErrorCollector) {
    let is_required = METADATA_IS_REQUIRED.applies(errors.server);
    match text(entry, "operation") {
        "Apply" | "Update" => {}
        other if !is_required => {
            let detail = "must be `Apply` or `Update`";
            invalid(child(path, "operation"), other, detail, errors);
        }
        "" => required(child(path, "operation"), errors),
        other => errors.push(EmbeddedError {
            field: child(path, "operation"),
            kind: ErrorType::NotSupported,
            detail: "supported values: \"Apply\", \"Update\"".to_owned(),
            value: Some(quote(other)),
        }),
    }
    let fields_type = text(entry, "fieldsType");
    if !matches!(fields_type, "" | "FieldsV1") {
        let field = child(path, "fieldsType");
        invalid(field, fields_type, "must be `FieldsV1`", errors);
    }
    let (manager, field) = (text(entry, "manager"), child(path, "manager"));
    too_long(manager.len(), &field, MANAGER_LENGTH, errors);
    for (place, letter) in manager.char_indices().filter(|(_, it)| it.is_control()) {
        let code = u32::from(letter);
        let detail = format!("invalid character U+{code:04X} (at position {place})");
        invalid(field.clone(), manager, &detail, errors);
    }
    let subresource = text(entry, "subresource").len();
    too_long(
        subresource,
        &child(path, "subresource"),
        SUBRESOURCE_LENGTH,
        errors,
    );
}

fn required(field: String, errors: &mut ErrorCollector) {
    errors.push(EmbeddedError {
        field,
        kind: ErrorType::Required,
        detail: "must not be empty".to_owned(),
        value: None,
    });
}

/// Adds an error if a field has more bytes than the limit.
pub(super) fn too_long(bytes: usize, field: &str, limit: usize, errors: &mut ErrorCollector) {
    if bytes > limit {
        errors.push(EmbeddedError {
            field: field.to_owned(),
            kind: ErrorType::TooLong,
            detail: format!("may not be more than {limit} bytes"),
            value: None,
        });
    }
}

/// Adds an error of a value that is not a string.
fn wrong(field: &str, value: &str, detail: String, errors: &mut ErrorCollector) {
    errors.push(EmbeddedError {
        field: field.to_owned(),
        kind: ErrorType::Invalid,
        detail,
        value: Some(value.to_owned()),
    });
}
