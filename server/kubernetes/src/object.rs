//! Manifests as CEL sees them.
//!
//! The API server turns YAML into JSON and JSON into an object without a schema: integers
//! are `int`, other numbers `double`, and a key is always a string.
//!
//! Upstream: kubernetes-sigs/yaml, yaml.go, convertToJSONableObject;
//! kubernetes/apimachinery, pkg/util/json/json.go, ConvertInterfaceNumbers.

use crate::entries::entries;
use cel::Value;
use cel::value::{Key, MapBuilder};
use std::sync::Arc;
use yaml::{Node, NodeKind, Scalar};

/// The most nodes that an object has, aliases followed.
///
/// Limit: an object of 1.5 MiB, the limit of etcd, has far fewer. Aliases in aliases could
/// otherwise grow without bounds.
const MAX_NODES: usize = 1_000_000;

/// Returns the value of a node. `None` if its aliases make it too large.
#[must_use]
pub fn object(node: Node<'_>) -> Option<Value> {
    let mut left = MAX_NODES;
    convert(node, &mut left)
}

fn convert(node: Node<'_>, left: &mut usize) -> Option<Value> {
    *left = left.checked_sub(1)?;
    match node.kind() {
        NodeKind::Scalar(scalar) => Some(scalar_value(scalar)),
        NodeKind::Sequence(sequence) => {
            let items = sequence.items().map(|item| convert(item, left));
            Some(Value::list(items.collect::<Option<_>>()?))
        }
        NodeKind::Mapping(mapping) => {
            let mut map = MapBuilder::default();
            for entry in entries(mapping) {
                let key = Key::String(Arc::from(&*entry.key.key_text()));
                map.insert(key, convert(entry.value, left)?);
            }
            Some(Value::Map(map.build()))
        }
    }
}

fn scalar_value(scalar: Scalar<'_>) -> Value {
    match scalar.value() {
        yaml::Value::Null => Value::Null,
        yaml::Value::Bool(value) => Value::Bool(value),
        yaml::Value::Int(value) => Value::Int(value),
        // As Go converts the number.
        yaml::Value::Uint(value) => Value::Double(value as f64),
        yaml::Value::Float(value) => number(value),
        yaml::Value::Str => Value::string(scalar.text()),
    }
}

/// Returns a field of an object that is not null.
#[must_use]
pub fn field<'v>(object: &'v Value, field: &str) -> Option<&'v Value> {
    let value = object.as_map()?.get_str(field)?;
    (!matches!(value, Value::Null)).then_some(value)
}

/// Returns a field of an object if it is a string that is not empty.
#[must_use]
pub fn string_field<'v>(object: &'v Value, field: &str) -> Option<&'v str> {
    let text = object.as_map()?.get_str(field)?.as_str()?;
    (!text.is_empty()).then_some(text)
}

/// Returns a field of `metadata` if it is a string that is not empty.
#[must_use]
pub fn metadata_field<'v>(object: &'v Value, field: &str) -> Option<&'v str> {
    string_field(object.as_map()?.get_str("metadata")?, field)
}

/// Returns whether an object is of a kind.
#[must_use]
pub fn is_of_kind(object: &Value, api_version: &str, kind: &str) -> bool {
    string_field(object, "apiVersion") == Some(api_version)
        && string_field(object, "kind") == Some(kind)
}

/// Limit: integers above it are not all doubles, and Go writes them with an exponent.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns a number. JSON does not distinguish `1.0` from `1`, so one without a fraction becomes an
/// integer.
pub fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() <= MAX_EXACT {
        // An integer within the limit.
        return Value::Int(value as i64);
    }
    Value::Double(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Value> {
        let stream = yaml::parse(text.into());
        let root = stream.documents().next()?.root()?;
        object(root)
    }

    #[test]
    fn scalars_are_what_kubernetes_reads() {
        let value = read("{a: 1, b: 1.0, c: 1.5, d: yes, e: ~, f: '1', 1: x}").unwrap();
        let field = |name: &str| value.as_map().unwrap().get_str(name).unwrap().clone();
        assert_eq!(field("a").as_int(), Some(1));
        assert_eq!(field("b").as_int(), Some(1));
        assert!(matches!(field("c"), Value::Double(number) if number == 1.5));
        assert_eq!(field("d").as_bool(), Some(true));
        assert!(matches!(field("e"), Value::Null));
        assert_eq!(field("f").as_str(), Some("1"));
        assert_eq!(field("1").as_str(), Some("x"));
    }

    #[test]
    fn aliases_are_followed_and_bounded() {
        let value = read("a: &a {x: 1}\nb: {<<: *a, y: 2}\n").unwrap();
        let merged = value.as_map().unwrap().get_str("b").unwrap().clone();
        assert_eq!(merged.as_map().unwrap().len(), 2);
        let mut bomb = String::from("- &l0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n");
        for level in 1..9 {
            let last = format!("*l{}", level - 1);
            let list = vec![last; 10].join(", ");
            bomb.push_str(&format!("- &l{level} [{list}]\n"));
        }
        let stream = yaml::parse(bomb.as_str().into());
        let refused = read(&bomb).is_none() || !stream.errors().is_empty();
        assert!(refused, "neither the parser nor the conversion stops it");
    }
}
