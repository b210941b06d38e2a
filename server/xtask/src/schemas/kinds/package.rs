//! Reads the definitions of one version out of the package `kubernetes-validate`.

use super::server_resources::{OPTIONS, ServerResources};
use kubernetes::openapi::{SchemaFacts, read_type};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The definitions of one version by their names.
pub(super) type Definitions = Map<String, Value>;

/// Group, version and kind.
pub(super) type Key = (String, String, String);

/// The facts that the package lacks and another description has.
const FILLED: [&str; 6] = [
    "default",
    "enum",
    "format",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
];

/// Returns the definitions of a version, completed from `schemas`.
pub(super) fn read(package: &Path, minor: u8, schemas: &Value) -> Result<Definitions, String> {
    let path = package
        .join(format!("v1.{minor}.0-local"))
        .join("_definitions.json");
    let Value::Object(mut document) = super::super::read(&path)? else {
        return Err(format!("{} holds no object", path.display()));
    };
    let Some(Value::Object(mut definitions)) = document.remove("$defs") else {
        return Err(format!("{} has no $defs", path.display()));
    };
    for (name, definition) in &mut definitions {
        complete(definition, schemas.get(name));
    }
    // Options of requests are in no document, since they are not stored.
    for name in OPTIONS {
        let schema = schemas
            .get(name)
            .ok_or_else(|| format!("the type {name} is not described"))?;
        definitions.insert(name.to_owned(), schema.clone());
    }
    Ok(definitions)
}

/// Removes the fields that the package adds, and adds those that it lacks.
pub(super) fn complete(schema: &mut Value, other: Option<&Value>) {
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    // The package allows one apiVersion and kind for each type.
    fields.remove("enum");
    for key in FILLED {
        if let (false, Some(value)) = (
            fields.contains_key(key),
            other.and_then(|other| other.get(key)),
        ) {
            fields.insert(key.into(), value.clone());
        }
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        let others = other.and_then(|other| other.get("properties"));
        for (name, property) in properties {
            complete(property, others.and_then(|others| others.get(name)));
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = fields.get_mut(key) {
            complete(inner, other.and_then(|other| other.get(key)));
        }
    }
}

/// Returns the kinds that the definitions describe, with their types.
pub(super) fn kinds(definitions: &Definitions, facts: &ServerResources) -> Vec<(Key, String)> {
    let mut found = Vec::new();
    for (name, definition) in definitions {
        let kinds = definition.get("x-kubernetes-group-version-kind");
        for kind in kinds.and_then(Value::as_array).into_iter().flatten() {
            let text = |key: &str| kind.get(key).and_then(Value::as_str).unwrap_or_default();
            let key = [text("group"), text("version"), text("kind")].map(str::to_owned);
            if facts.is_kind(text("group"), text("kind")) {
                found.push((key.into(), name.clone()));
            }
        }
    }
    for name in OPTIONS {
        let kind = name.rsplit('.').next().unwrap_or(name);
        let key = ["", "v1", kind].map(str::to_owned);
        found.push((key.into(), name.to_owned()));
    }
    found
}

/// Returns the types that the definitions describe.
pub(super) fn types(definitions: &Definitions) -> Result<BTreeMap<String, SchemaFacts>, String> {
    let mut types = BTreeMap::new();
    for (name, definition) in definitions {
        let schema =
            read_type(name, definition).map_err(|reason| format!("the type {name}: {reason}"))?;
        types.insert(name.clone(), schema);
    }
    check_references(&types)?;
    Ok(types)
}

/// Checks that every referenced type is described: otherwise it would be read as any value.
fn check_references(types: &BTreeMap<String, SchemaFacts>) -> Result<(), String> {
    let mut mentioned = BTreeSet::new();
    for schema in types.values() {
        references(schema, &mut mentioned);
    }
    match mentioned.iter().find(|name| !types.contains_key(**name)) {
        Some(name) => Err(format!("the type {name} is mentioned and not described")),
        None => Ok(()),
    }
}

pub(super) fn references<'s>(schema: &'s SchemaFacts, found: &mut BTreeSet<&'s str>) {
    found.extend(schema.reference.as_deref());
    for property in schema.properties.values() {
        references(&property.schema, found);
    }
    for inner in [&schema.items, &schema.values].into_iter().flatten() {
        references(inner, found);
    }
}
