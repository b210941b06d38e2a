//! Parts of objects as errors show them: as the JSON of the types that the server works with.
//!
//! These types have no names for JSON, so all fields are written, under their names in Go and in
//! their order there. The table has one line per type. A field is `Name`, `Name=json` if the
//! manifest has another name, and `:type` unless it is written unchanged. `*` is a pointer, `[]` a
//! list, `+` an embedded type, `^` a field of the outer object, and `~` a field that is left out if
//! it is empty.
//!
//! Limit: the types are those of 1.36. Older servers lack the latest fields.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/core/types.go and pkg/apis/batch/types.go.

use super::pass::is_set;
use cel::Value;
use kubernetes::defaults::key_text;
use kubernetes::quote::{json_text, to_json};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// The types of which errors show objects.
const TYPES: &str = include_str!("internal_types.txt");

/// Returns an object of a type as an error shows it.
pub(super) fn internal_json(type_name: &str, value: Option<&Value>) -> String {
    json_text(&internal_value(type_name, value))
}

/// Returns the JSON of an object of a type.
pub(super) fn internal_value(type_name: &str, value: Option<&Value>) -> Json {
    let lines = TYPES.lines().filter_map(|line| line.split_once(' '));
    let types = Types(lines.collect());
    types.json(type_name, value, None)
}

struct Types(HashMap<&'static str, &'static str>);

impl Types {
    fn json(&self, ty: &str, value: Option<&Value>, outer: Option<&Value>) -> Json {
        if let Some(element) = ty.strip_prefix("[]") {
            let list = value.and_then(Value::as_list);
            let json = |it| self.json(element, Some(it), None);
            return list.map_or(Json::Null, |list| list.iter().map(json).collect());
        }
        if let Some(target) = ty.strip_prefix('*') {
            return value.map_or(Json::Null, |it| self.json(target, Some(it), outer));
        }
        if let Some(fields) = self.0.get(ty) {
            let mut json = Map::new();
            for field in fields.split(' ') {
                self.field(field, value, outer, &mut json);
            }
            return Json::Object(json);
        }
        match (value, ty) {
            (Some(value), _) => to_json(value),
            (None, "string") => Json::from(""),
            (None, "int") => Json::from(0),
            (None, "bool") => Json::from(false),
            (None, "quantity") => Json::from("0"),
            (None, _) => Json::Null,
        }
    }

    fn field(
        &self,
        field: &str,
        object: Option<&Value>,
        outer: Option<&Value>,
        json: &mut Map<String, Json>,
    ) {
        let (name, ty) = field.split_once(':').unwrap_or((field, ""));
        if let Some(child) = name.strip_prefix('+') {
            let part = match child {
                "" => object,
                _ => object.and_then(|object| get(object, child)),
            };
            if let Json::Object(fields) = self.json(ty, part, outer) {
                json.extend(fields);
            }
        } else if let Some(name) = name.strip_prefix('~') {
            let is_written =
                |it: &&Value| is_set(it) && it.as_map().is_none_or(|map| !map.is_empty());
            let value = object.and_then(|object| get(object, name));
            if let Some(value) = value.filter(is_written) {
                json.insert(name.to_owned(), to_json(value));
            }
        } else {
            let (name, of) = match name.strip_prefix('^') {
                Some(name) => (name, outer),
                None => (name, object),
            };
            let (name, written) = name.split_once('=').unwrap_or((name, name));
            let value = of.and_then(|of| get(of, written));
            json.insert(name.to_owned(), self.json(ty, value, object));
        }
    }
}

/// Returns a field of an object. The types differ from manifests in upper and lower case.
fn get<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    let is_field = |key| key_text(key).is_some_and(|key| key.eq_ignore_ascii_case(name));
    let mut fields = object.as_map()?.iter();
    let (_, value) = fields.find(|(key, _)| is_field(key))?;
    (!matches!(value, Value::Null)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kubernetes::object;
    use std::collections::HashSet;

    fn read(text: &str) -> Value {
        let stream = yaml::parse(text.into());
        object(stream.documents().next().unwrap().root().unwrap()).unwrap()
    }

    fn shown(type_name: &str, object: &str) -> String {
        internal_json(type_name, Some(&read(object)))
    }

    #[test]
    fn fields_have_the_names_and_the_order_of_go() {
        for (type_name, object, expected) in [
            (
                "Volume",
                "{name: a, rbd: {image: i, monitors: [m]}}",
                r#""RBD":{"CephMonitors":["m"],"RBDImage":"i","FSType":"","RBDPool":"","RadosUser":"","Keyring":"","SecretRef":null,"ReadOnly":false}"#,
            ),
            (
                "EnvVar",
                "{name: a, valueFrom: {configMapKeyRef: {name: m, key: k}}}",
                r#"{"Name":"a","Value":"","ValueFrom":{"FieldRef":null,"ResourceFieldRef":null,"ConfigMapKeyRef":{"Name":"m","Key":"k","Optional":null},"SecretKeyRef":null,"FileKeyRef":null}}"#,
            ),
            (
                "PodTemplateSpec",
                "{metadata: {labels: {b: <, a: x}, creationTimestamp: null}, spec: {hostPID: true}}",
                r#"{"labels":{"a":"x","b":"\u003c"},"Spec":{"Volumes":null,"#,
            ),
            (
                "PodSpec",
                "{hostPID: true, securityContext: {runAsUser: 1}}",
                r#""SecurityContext":{"HostNetwork":false,"HostPID":true,"HostIPC":false,"ShareProcessNamespace":null,"HostUsers":null,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":1,"#,
            ),
            (
                "TopologySpreadConstraint",
                "{maxSkew: 1, labelSelector: {matchExpressions: [], matchLabels: {a: b}}}",
                r#"{"MaxSkew":1,"TopologyKey":"","WhenUnsatisfiable":"","LabelSelector":{"matchLabels":{"a":"b"}},"#,
            ),
        ] {
            let shown = shown(type_name, object);
            assert!(shown.contains(expected), "{shown}");
        }
    }

    #[test]
    fn the_table_has_every_type_that_it_names() {
        let types: HashSet<&str> = TYPES
            .lines()
            .filter_map(|it| it.split(' ').next())
            .collect();
        let fields = TYPES.lines().flat_map(|line| line.split(' ').skip(1));
        for ty in fields.filter_map(|field| Some(field.split_once(':')?.1)) {
            let name = ty.trim_start_matches(['*', '[', ']']);
            let is_basic = ["string", "int", "bool", "quantity"].contains(&name);
            assert!(is_basic || types.contains(name), "{name}");
        }
    }
}
