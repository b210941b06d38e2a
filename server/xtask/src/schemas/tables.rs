//! The table of API types: one constant for each object that a policy may hold.
//!
//! Three versions of an API mostly share their types. Types of the same name and content
//! become one constant.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The kinds that carry CEL, by the end of their OpenAPI name. Their lists hold nothing
/// but items and need no table.
const ROOTS: [&str; 7] = [
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "ValidatingWebhookConfiguration",
    "MutatingWebhookConfiguration",
    "CustomResourceDefinition",
];

/// The API groups of the roots: start of the OpenAPI name and the versions that can hold
/// CEL (a CustomResourceDefinition of v1beta1 was never served with rules).
const GROUPS: [(&str, &[&str]); 2] = [
    (
        "io.k8s.api.admissionregistration.",
        &["v1", "v1beta1", "v1alpha1"],
    ),
    (
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.",
        &["v1"],
    ),
];

struct Root {
    kind: &'static str,
    version: &'static str,
    definition: String,
}

/// Returns the content of `schema/tables.rs`. `source` is the name of the file of `definitions`.
pub(super) fn render(source: &str, definitions: &Value) -> Result<String, String> {
    let definitions = &completed(definitions);
    let roots = roots(definitions);
    let names = reachable(&roots, definitions)?;
    let classes = merge(&names, definitions)?;
    let constants = constant_names(&classes);
    let mut out = format!(
        "//! Written by `cargo xtask schemas` from `{source}`: do not edit.\n\n\
         use super::{{ObjectType, Field, KindTable, MapType, Type}};\n\
         use crate::kind::{{Kind, Version}};\n\n"
    );
    out.push_str("/// Every kind and version with the type of its documents.\n");
    out.push_str("pub(super) static KINDS: &[KindTable] = &[\n");
    for root in &roots {
        let constant = constant_of(&root.definition, &classes, &constants)?;
        let version = capitalised(root.version);
        let _ = writeln!(
            out,
            "    KindTable {{ kind: Kind::{}, version: Version::{version}, definition: &{constant} }},",
            root.kind
        );
    }
    out.push_str("];\n");
    for (representative, constant) in &constants {
        out.push_str(&definition(
            representative,
            constant,
            definitions,
            &classes,
            &constants,
        )?);
    }
    Ok(out)
}

/// The definitions with what the server leaves out of its description and decodes all the
/// same: the documents outside of a schema.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/v1/types_jsonschema.go,
/// ExternalDocumentation.
fn completed(definitions: &Value) -> Value {
    let [schema, docs] = ["JSONSchemaProps", "ExternalDocumentation"]
        .map(|name| format!("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.{name}"));
    let mut definitions = definitions.clone();
    let properties = definitions
        .get_mut(&schema)
        .and_then(|schema| schema.get_mut("properties"))
        .and_then(Value::as_object_mut);
    if let Some(properties) = properties {
        let field = serde_json::json!({ "$ref": format!("#/{docs}") });
        properties.insert("externalDocs".to_owned(), field);
    }
    if let Some(all) = definitions.as_object_mut() {
        let text = serde_json::json!({ "type": "string" });
        let docs_schema = serde_json::json!({
            "type": "object",
            "properties": { "description": text, "url": text },
        });
        all.insert(docs, docs_schema);
    }
    definitions
}

fn roots(definitions: &Value) -> Vec<Root> {
    let mut roots = Vec::new();
    for kind in ROOTS {
        for (prefix, versions) in GROUPS {
            for version in versions {
                let definition = format!("{prefix}{version}.{kind}");
                if definitions.get(&definition).is_some() {
                    roots.push(Root {
                        kind,
                        version,
                        definition,
                    });
                }
            }
        }
    }
    roots
}

/// Every type that a root mentions, directly or through others.
fn reachable(roots: &[Root], definitions: &Value) -> Result<BTreeSet<String>, String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<String> = roots.iter().map(|root| root.definition.clone()).collect();
    while let Some(name) = open.pop() {
        if built_in(&name).is_some() || !found.insert(name.clone()) {
            continue;
        }
        let definition = definitions
            .get(&name)
            .ok_or_else(|| format!("the type {name} is mentioned and not described"))?;
        references(definition, &mut open);
    }
    Ok(found)
}

fn references(schema: &Value, found: &mut Vec<String>) {
    if let Some(name) = reference(schema) {
        found.push(name.to_owned());
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = schema.get(key) {
            references(inner, found);
        }
    }
    for (_, property) in properties(schema) {
        references(property, found);
    }
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/")
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

/// Returns the type of those whose JSON form differs from their description: a union, or anything.
fn built_in(name: &str) -> Option<&'static str> {
    Some(match short(name) {
        "JSONSchemaPropsOrArray" => "Type::SchemaOrList",
        "JSONSchemaPropsOrBool" => "Type::SchemaOrBool",
        "JSONSchemaPropsOrStringArray" => "Type::SchemaOrStrings",
        "JSON" | "FieldsV1" | "RawExtension" => "Type::Any",
        "IntOrString" => "Type::IntOrString",
        "Time" | "MicroTime" => "Type::Time",
        _ => return None,
    })
}

fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Each type with the first one, in the order of [`preference`], that equals it. Types are
/// equal when their content is, where mentioned types count by what they equal.
fn merge(
    names: &BTreeSet<String>,
    definitions: &Value,
) -> Result<BTreeMap<String, String>, String> {
    let mut ordered: Vec<&String> = names.iter().collect();
    ordered.sort_by_key(|name| (preference(name), (*name).clone()));
    let mut classes: BTreeMap<String, String> = ordered
        .iter()
        .map(|name| ((*name).clone(), short(name).to_owned()))
        .collect();
    loop {
        let mut representatives: BTreeMap<String, &String> = BTreeMap::new();
        let mut refined = BTreeMap::new();
        for name in &ordered {
            let key = content(name, definitions, &classes)?;
            let representative = *representatives.entry(key).or_insert(name);
            refined.insert((*name).clone(), representative.clone());
        }
        if refined == classes {
            return Ok(classes);
        }
        classes = refined;
    }
}

/// The newest version of a type gives the merged one its name.
fn preference(name: &str) -> usize {
    let versions = [".v1.", ".v1beta1.", ".v1alpha1."];
    versions
        .iter()
        .position(|version| name.contains(version))
        .unwrap_or(versions.len())
}

/// Returns the content of a type as a string, with referenced types by their class.
fn content(
    name: &str,
    definitions: &Value,
    classes: &BTreeMap<String, String>,
) -> Result<String, String> {
    let definition = definitions
        .get(name)
        .ok_or_else(|| format!("the type {name} is not described"))?;
    let mut content = definition.clone();
    if let Some(map) = content.as_object_mut() {
        map.remove("x-kubernetes-group-version-kind");
    }
    replace_references(&mut content, classes);
    Ok(format!("{} {content}", short(name)))
}

fn replace_references(schema: &mut Value, classes: &BTreeMap<String, String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::String(target)) = map.get_mut("$ref") {
                let class = target.strip_prefix("#/").and_then(|name| classes.get(name));
                if let Some(class) = class {
                    *target = class.clone();
                }
            }
            for value in map.values_mut() {
                replace_references(value, classes);
            }
        }
        Value::Array(list) => list
            .iter_mut()
            .for_each(|value| replace_references(value, classes)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The constant of each representative: its short name, with the version where two
/// representatives share it.
fn constant_names(classes: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let representatives: BTreeSet<&String> = classes.values().collect();
    let mut constants = BTreeMap::new();
    for name in &representatives {
        let alone = representatives
            .iter()
            .filter(|other| short(other) == short(name))
            .count()
            == 1;
        let constant = if alone {
            screaming(short(name))
        } else {
            let mut parts = name.rsplit('.');
            let kind = screaming(parts.next().unwrap_or(name));
            let version = screaming(parts.next().unwrap_or(""));
            format!("{version}_{kind}")
        };
        constants.insert((*name).clone(), constant);
    }
    constants
}

fn screaming(name: &str) -> String {
    let mut out = String::new();
    let mut before = '_';
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        let begins = character.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_uppercase()
                    && characters.peek().is_some_and(char::is_ascii_lowercase));
        if begins {
            out.push('_');
        }
        out.push(character.to_ascii_uppercase());
        before = character;
    }
    out
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map(|first| first.to_ascii_uppercase().to_string() + characters.as_str())
        .unwrap_or_default()
}

fn constant_of<'a>(
    name: &str,
    classes: &BTreeMap<String, String>,
    constants: &'a BTreeMap<String, String>,
) -> Result<&'a String, String> {
    classes
        .get(name)
        .and_then(|class| constants.get(class))
        .ok_or_else(|| format!("the type {name} has no table"))
}

fn definition(
    name: &str,
    constant: &str,
    definitions: &Value,
    classes: &BTreeMap<String, String>,
    constants: &BTreeMap<String, String>,
) -> Result<String, String> {
    let schema = definitions
        .get(name)
        .ok_or_else(|| format!("the type {name} is not described"))?;
    let required: Vec<&str> = strings(schema.get("required"));
    let map_type = match schema.get("x-kubernetes-map-type").and_then(Value::as_str) {
        Some("atomic") => "Atomic",
        _ => "Granular",
    };
    let mut fields: Vec<(&String, &Value)> = properties(schema).collect();
    fields.sort_by_key(|(field, _)| *field);
    let visible = if constant == "JSON_SCHEMA_PROPS" {
        "pub(super) "
    } else {
        ""
    };
    let mut out = format!(
        "\n{visible}static {constant}: ObjectType = ObjectType {{\n    name: \"{name}\",\n    \
         map_type: MapType::{map_type},\n    fields: &[\n"
    );
    for (field, schema) in fields {
        let ty = type_of(schema, classes, constants)?;
        let _ = write!(out, "        Field::new(\"{field}\", {ty})");
        if required.contains(&field.as_str()) {
            out.push_str(".required()");
        }
        if let Some(default) = schema.get("default") {
            let _ = write!(out, ".default({:?})", default.to_string());
        }
        out.push_str(",\n");
    }
    out.push_str("    ],\n};\n");
    Ok(out)
}

fn strings(value: Option<&Value>) -> Vec<&str> {
    value
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// The type of a field as an expression of Rust.
fn type_of(
    schema: &Value,
    classes: &BTreeMap<String, String>,
    constants: &BTreeMap<String, String>,
) -> Result<String, String> {
    if let Some(name) = reference(schema) {
        return match built_in(name) {
            Some(ty) => Ok(ty.to_owned()),
            None => Ok(format!(
                "Type::Object(&{})",
                constant_of(name, classes, constants)?
            )),
        };
    }
    let kind = schema.get("type").and_then(Value::as_str);
    let format = schema.get("format").and_then(Value::as_str);
    Ok(match (kind, format) {
        (Some("array"), _) => list_type(schema, classes, constants)?,
        (Some("object"), _) => match schema.get("additionalProperties") {
            Some(values) => format!("Type::Map(&{})", type_of(values, classes, constants)?),
            None => "Type::Any".to_owned(),
        },
        (Some("string"), Some("byte")) => "Type::Bytes".to_owned(),
        (Some("string"), None) => match strings(schema.get("enum")) {
            none if none.is_empty() => "Type::String".to_owned(),
            values => format!("Type::Enum(&{values:?})"),
        },
        (Some("boolean"), _) => "Type::Bool".to_owned(),
        (Some("integer"), Some("int32")) => "Type::Int32".to_owned(),
        (Some("integer"), _) => "Type::Int64".to_owned(),
        (Some("number"), _) => "Type::Number".to_owned(),
        other => return Err(format!("a field has the unknown type {other:?}")),
    })
}

fn list_type(
    schema: &Value,
    classes: &BTreeMap<String, String>,
    constants: &BTreeMap<String, String>,
) -> Result<String, String> {
    let items = schema
        .get("items")
        .ok_or("a list has no type of its items")?;
    let items = type_of(items, classes, constants)?;
    let list_type = schema.get("x-kubernetes-list-type").and_then(Value::as_str);
    Ok(match list_type {
        Some("set") => format!("Type::Set(&{items})"),
        Some("map") => {
            let keys = strings(schema.get("x-kubernetes-list-map-keys"));
            format!("Type::MapList(&{items}, &{keys:?})")
        }
        _ => format!("Type::List(&{items})"),
    })
}
