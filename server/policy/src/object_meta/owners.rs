//! Metadata beyond names, labels and annotations: owners, finalizers and managed fields.
//!
//! Upstream: kubernetes/apimachinery, pkg/api/validation/objectmeta.go, ValidateOwnerReferences
//! and ValidateFinalizers; pkg/apis/meta/v1/validation/validation.go, ValidateManagedFields.

use super::{ErrorCollector, child, text};
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

/// The detail of the error of a missing field.
const NOT_EMPTY: &str = "must not be empty";

const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";

/// Adds the error of a negative generation.
pub(super) fn generation(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    if let Some(Value::Int(generation @ ..0)) = metadata.get_str("generation") {
        let detail = "must be greater than or equal to 0";
        errors.wrong(child(path, "generation"), generation.to_string(), detail);
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
        errors.wrong(path.to_owned(), format!("[{}]", shown.join(",")), &detail);
    }
}

fn owner(owner: &Map, path: &str, errors: &mut ErrorCollector) {
    let version = text(owner, "apiVersion");
    let (group, name) = version.split_once('/').unwrap_or(("", version));
    if version.is_empty() {
        errors.required(child(path, "apiVersion"), NOT_EMPTY);
    } else if name.is_empty() || name.contains('/') {
        let detail = "must be <group>/<version> or <version>";
        errors.invalid(child(path, "apiVersion"), version, detail);
    }
    for field in ["kind", "name", "uid"] {
        if text(owner, field).is_empty() {
            errors.required(child(path, field), NOT_EMPTY);
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
        errors.invalid(field, version, "version must not be empty");
    }
    for field in ["kind", "name", "uid"] {
        if text(owner, field).is_empty() {
            errors.invalid(child(path, field), "", NOT_EMPTY);
        }
    }
    banned((group, name), owner, path, errors);
}

fn banned(version: (&str, &str), owner: &Map, path: &str, errors: &mut ErrorCollector) {
    if version == ("", "v1") && text(owner, "kind") == "Event" {
        let detail = "/v1, Kind=Event is disallowed from being an owner";
        errors.wrong(path.to_owned(), json(owner), detail);
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

pub(super) fn finalizers_of(metadata: &Map) -> impl Iterator<Item = &str> {
    list(metadata, "finalizers").filter_map(Value::as_str)
}

fn finalizers(metadata: &Map, path: &str, errors: &mut ErrorCollector) {
    let all: Vec<&str> = finalizers_of(metadata).collect();
    for finalizer in &all {
        for detail in format::qualified_name(finalizer) {
            errors.invalid(path.to_owned(), finalizer, &detail);
        }
    }
    if all.contains(&ORPHAN) && all.contains(&FOREGROUND) {
        let shown: Vec<String> = all.iter().map(|it| quote(it)).collect();
        let detail = format!("finalizer {ORPHAN} and {FOREGROUND} cannot be both set");
        errors.wrong(path.to_owned(), format!("[{}]", shown.join(",")), &detail);
    }
}

fn managed_fields(entry: &Map, path: &str, errors: &mut ErrorCollector) {
    let is_required = METADATA_IS_REQUIRED.applies(errors.server);
    match text(entry, "operation") {
        "Apply" | "Update" => {}
        other if !is_required => {
            let detail = "must be `Apply` or `Update`";
            errors.invalid(child(path, "operation"), other, detail);
        }
        "" => errors.required(child(path, "operation"), NOT_EMPTY),
        other => {
            let (field, kind) = (child(path, "operation"), ErrorType::NotSupported);
            let detail = "supported values: \"Apply\", \"Update\"";
            errors.push(field, kind, Some(quote(other)), detail);
        }
    }
    let fields_type = text(entry, "fieldsType");
    if !matches!(fields_type, "" | "FieldsV1") {
        let field = child(path, "fieldsType");
        errors.invalid(field, fields_type, "must be `FieldsV1`");
    }
    let (manager, field) = (text(entry, "manager"), child(path, "manager"));
    errors.too_long(manager.len(), field.clone(), MANAGER_LENGTH);
    for (place, letter) in manager.char_indices().filter(|(_, it)| it.is_control()) {
        let code = u32::from(letter);
        let detail = format!("invalid character U+{code:04X} (at position {place})");
        errors.invalid(field.clone(), manager, &detail);
    }
    let (subresource, field) = (text(entry, "subresource"), child(path, "subresource"));
    errors.too_long(subresource.len(), field, SUBRESOURCE_LENGTH);
}
