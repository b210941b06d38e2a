//! The schema of a document in an inputs file.
//!
//! A document is an input, a manifest, or an `AdmissionReview` or its request. The reader decides
//! by a few keys which one it is, and the schema uses the same keys.

use super::head;
use super::value::{Format, has, insert};
use evaluation::input::keys;
use serde_json::{Value, json};

pub(super) fn schema() -> Value {
    let mut schema = head(
        "admissible-inputs.schema.json",
        "Admission input of Admissible",
        "A request against which a policy is evaluated. With `expect`, it is a test.",
    );
    let is_review = json!({
        "required": ["apiVersion"],
        "properties": { "apiVersion": { "type": "string", "pattern": "^admission\\.k8s\\.io/" } },
    });
    let is_manifest = json!({
        "required": ["apiVersion", "kind"],
        "properties": { "apiVersion": { "type": "string" } },
        "not": { "anyOf": [required("object"), required("oldObject"), required("expect")] },
    });
    let of_review = choice(
        &required("request"),
        &reference("review"),
        &reference("request"),
    );
    let of_others = choice(&is_manifest, &reference("manifest"), &reference("input"));
    insert(&mut schema, "type", json!("object"));
    let whole = choice(&is_review, &of_review, &of_others);
    if let (Some(schema), Value::Object(whole)) = (schema.as_object_mut(), whole) {
        schema.extend(whole);
    }
    let definitions = json!({
        "input": input(),
        "review": review(),
        "request": request(),
        "manifest": manifest(),
    });
    insert(&mut schema, "definitions", definitions);
    schema
}

/// Returns a schema that depends on whether another one accepts the document.
fn choice(condition: &Value, then: &Value, otherwise: &Value) -> Value {
    json!({ "if": condition, "then": then, "else": otherwise })
}

/// Returns a reference to a definition.
fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// Returns an input, which describes something to do.
fn input() -> Value {
    let mut schema = Format::Yaml.keys(keys(&[]));
    let below = ["object", "oldObject", "operation"].map(has);
    let request = json!({
        "required": ["request"],
        "properties": { "request": { "type": "object", "anyOf": below } },
    });
    let something = json!([has("object"), has("oldObject"), request]);
    insert(&mut schema, "anyOf", something);
    schema
}

/// Returns an `AdmissionReview`, as a webhook receives it.
fn review() -> Value {
    let mut schema = input();
    for name in ["apiVersion", "kind", "response"] {
        allow(&mut schema, name);
    }
    schema
}

/// Returns the schema of the request of an `AdmissionReview` by itself. Its `kind` is then that of
/// the document.
fn request() -> Value {
    let mut schema = Format::Yaml.keys(keys(&["request"]));
    for name in ["apiVersion", "kind"] {
        allow(&mut schema, name);
    }
    let something = ["object", "oldObject", "operation"].map(has);
    insert(&mut schema, "anyOf", json!(something));
    schema
}

/// Returns the schema of a manifest, which describes the creation of its object. A list has no
/// request.
fn manifest() -> Value {
    let string = json!({ "type": "string", "minLength": 1 });
    json!({
        "properties": { "apiVersion": string, "kind": string },
        "not": {
            "required": ["items"],
            "properties": { "items": { "type": "array" }, "kind": { "pattern": "List$" } },
        },
    })
}

/// Allows any value of a key.
fn allow(schema: &mut Value, name: &str) {
    if let Some(properties) = schema.get_mut("properties") {
        insert(properties, name, json!({}));
    }
}

fn required(name: &str) -> Value {
    json!({ "required": [name] })
}
