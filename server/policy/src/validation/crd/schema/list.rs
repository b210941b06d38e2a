//! The rules of lists and maps that are merged: `x-kubernetes-list-type`,
//! `x-kubernetes-list-map-keys`, `x-kubernetes-map-type`.

use super::as_schema;
use crate::json_schema::JsonSchema;
use crate::validation::error::Errors;
use crate::validation::resources::check_enumeration;
use crate::validation::slot::Slot;
use std::collections::HashSet;

/// Checks one schema, without those inside it.
pub(super) fn check(schema: &Slot<'_, '_>, errors: &mut Errors) {
    let map_type = schema.child("x-kubernetes-map-type");
    if map_type.is_set() {
        check_type(schema, "object", "x-kubernetes-map-type", errors);
    }
    check_enumeration(&map_type, &["atomic", "granular"], errors);
    let list_type = schema.child("x-kubernetes-list-type");
    let kind = list_type.string().unwrap_or("");
    if list_type.is_set() && !check_type(schema, "array", "x-kubernetes-list-type", errors) {
        // The rest is about lists.
    } else if kind == "set" {
        check_set(schema, errors);
    }
    check_enumeration(&list_type, &["atomic", "set", "map"], errors);
    let keys = schema.child("x-kubernetes-list-map-keys");
    let names = keys.strings().unwrap_or_default();
    if !names.is_empty() && kind != "map" {
        let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
        if list_type.is_set() {
            errors.invalid(&list_type, detail);
        } else {
            errors.required(&list_type, detail);
        }
    }
    if kind == "map" {
        check_map(schema, &keys, &names, errors);
    }
    if kind == "map" || kind == "set" {
        check_nullable(schema, kind, &names, errors);
    }
}

/// Checks that `type` is the type that a field requires.
fn check_type(schema: &Slot<'_, '_>, wanted: &str, field: &str, errors: &mut Errors) -> bool {
    let ty = schema.child("type");
    let detail = format!("must be {wanted} if {field} is specified");
    match ty.string() {
        Some("") => errors.required(&ty, detail),
        Some(text) if text != wanted => errors.invalid(&ty, detail),
        Some(_) | None => return true,
    }
    false
}

/// Checks a set, whose items are compared as a whole.
fn check_set(schema: &Slot<'_, '_>, errors: &mut Errors) {
    let items = schema.child("items");
    let Some(inner) = as_schema(&items) else {
        return;
    };
    let detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
    let (field, wrong) = match inner.ty() {
        "array" => {
            let list_type = inner.text("x-kubernetes-list-type");
            (
                "x-kubernetes-list-type",
                !matches!(list_type, "" | "atomic"),
            )
        }
        "object" => {
            let map_type = inner.text("x-kubernetes-map-type");
            ("x-kubernetes-map-type", map_type != "atomic")
        }
        _ => return,
    };
    if wrong {
        errors.invalid(&items.child(field), detail);
    }
}

fn check_map(schema: &Slot<'_, '_>, keys: &Slot<'_, '_>, names: &[&str], errors: &mut Errors) {
    if names.is_empty() {
        let detail = "must not be empty if x-kubernetes-list-type is map";
        errors.required(keys, detail);
    }
    let items = schema.child("items");
    if !items.is_set() {
        let detail = "must have a schema if x-kubernetes-list-type is map";
        return errors.required(&items, detail);
    }
    let Some(inner) = as_schema(&items) else {
        let detail = "must only have a single schema if x-kubernetes-list-type is map";
        return errors.invalid(&items, detail);
    };
    if inner.ty() == "object" {
        check_keys(&items, inner, keys, names, errors);
    } else {
        let ty = items.child("type");
        errors.invalid(
            &ty,
            "must be object if parent array's x-kubernetes-list-type is map",
        );
    }
}

fn check_keys(
    items: &Slot<'_, '_>,
    inner: JsonSchema<'_>,
    keys: &Slot<'_, '_>,
    names: &[&str],
    errors: &mut Errors,
) {
    let mut seen = HashSet::new();
    let types = inner.properties();
    for name in names {
        match types.get(*name).map(|property| property.ty()) {
            None => errors.invalid(keys, "entries must all be names of item properties"),
            Some("array" | "object") => {
                let properties = items.child("properties");
                let path = properties.path_ref().key(name);
                let ty = properties.child(name).child("type").with_path(path);
                errors.invalid(
                    &ty.with_path(ty.path_ref().child("type")),
                    "must be a scalar type if parent array's x-kubernetes-list-type is map",
                );
            }
            Some(_) => {}
        }
        if !seen.insert(name) {
            errors.invalid(keys, "must not contain duplicate entries");
        }
    }
}

/// Upstream: validateMapListKeysMapSet.
fn check_nullable(schema: &Slot<'_, '_>, kind: &str, names: &[&str], errors: &mut Errors) {
    let items = schema.child("items");
    let Some(inner) = as_schema(&items) else {
        return;
    };
    if inner.flag("nullable") {
        let detail = format!("cannot be nullable when x-kubernetes-list-type is {kind}");
        errors.forbidden(&items.child("nullable"), detail);
    }
    if kind != "map" {
        return;
    }
    let required = items.child("required").strings().unwrap_or_default();
    let properties = items.child("properties");
    let schemas = inner.properties();
    for name in names {
        let Some(inner) = schemas.get(*name) else {
            continue;
        };
        let property = properties
            .child(name)
            .with_path(properties.path_ref().key(name));
        let default = property.child("default");
        if !required.contains(name) && !default.is_set() {
            errors.required(
                &default,
                "this property is in x-kubernetes-list-map-keys, so it must have a default or \
                 be a required property",
            );
        }
        if inner.flag("nullable") {
            let detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            errors.forbidden(&property.child("nullable"), detail);
        }
    }
}
