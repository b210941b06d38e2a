//! The tables of the typed fields of `request` and `namespaceObject`.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Returns the content of `environment/tables.rs`.
pub(super) fn render(variables: &Value) -> Result<String, String> {
    let mut out = String::from(
        "//! Written by `cargo xtask schemas` from `cel-variables.json`: do not edit.\n\n\
         use super::{ObjectField, ObjectType};\n",
    );
    for (name, constant) in [("request", "REQUEST"), ("namespaceObject", "NAMESPACE")] {
        let schema = variables
            .get(name)
            .ok_or_else(|| format!("cel-variables.json does not describe {name}"))?;
        let mut types = BTreeMap::new();
        object_type(schema, constant, &mut types)?;
        for text in types.values() {
            out.push_str(text);
        }
    }
    Ok(out)
}

/// Adds the constant of an object type and of those inside it; the key keeps a type that two fields
/// share to one constant. Returns the name of the constant.
fn object_type(
    schema: &Value,
    constant: &str,
    types: &mut BTreeMap<String, String>,
) -> Result<String, String> {
    let name = text(schema, "object")?;
    let constant = match constant {
        "REQUEST" | "NAMESPACE" => constant.to_owned(),
        _ => short(name).to_uppercase(),
    };
    let fields = schema
        .get("fields")
        .and_then(Value::as_object)
        .ok_or_else(|| format!("the type {name} has no fields"))?;
    let visible = match constant.as_str() {
        "REQUEST" | "NAMESPACE" => "pub(super) ",
        _ => "",
    };
    let mut out = format!(
        "\n{visible}static {constant}: ObjectType = ObjectType {{\n    name: \"{name}\",\n    fields: &[\n"
    );
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort_by_key(|(field, _)| *field);
    for (field, description) in fields {
        let required = description.get("required").and_then(Value::as_bool) == Some(true);
        let ty = description
            .get("type")
            .ok_or_else(|| format!("the field {field} of {name} has no type"))?;
        let (ty, object) = match ty {
            Value::String(ty) => (ty.as_str(), "None".to_owned()),
            inner => {
                let constant = object_type(inner, "", types)?;
                (text(inner, "object")?, format!("Some(&{constant})"))
            }
        };
        let _ = writeln!(
            out,
            "        ObjectField {{ name: \"{field}\", ty: \"{ty}\", object: {object}, required: {required} }},"
        );
    }
    out.push_str("    ],\n};\n");
    types.insert(constant.clone(), out);
    Ok(constant)
}

fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value
        .get(key)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("{key} is missing in {value}"))
}
