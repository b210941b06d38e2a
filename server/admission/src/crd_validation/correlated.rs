//! Correlation with the old object: the old value of a value, and whether both are equal.
//!
//! Unchanged values may stay invalid, so the server has to find them. In a list with keys the
//! old element is the one with the same keys, at any index; elements of any other list have no
//! old value.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/common/equality.go, CorrelatedObject;
//! pkg/cel/common/maplist.go, MakeMapList.

use cel::Value;
use cel::value::Key;
use policy::crd::list_keys;
use policy::json_schema::{JsonSchema, MAX_DEPTH};

/// The old element that an element of a list was.
pub(super) fn element<'a>(
    list: JsonSchema<'_>,
    element: &Value,
    old: &'a Value,
) -> Option<&'a Value> {
    if list.text("x-kubernetes-list-type") != "map" || list_keys(list).next().is_none() {
        return None;
    }
    let key = |value: &'a Value, name: &str| value.as_map()?.get_str(name);
    let own = element.as_map()?;
    let is_same = |old: &&'a Value| {
        list_keys(list).all(|name| {
            let own = own.get_str(name).filter(|value| is_scalar(value));
            own.is_some() && key(old, name) == own
        })
    };
    old.as_list()?.iter().find(is_same)
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::List(_) | Value::Map(_))
}

/// Returns whether a value is unchanged. Elements with keys may have changed their order.
pub(super) fn is_same(schema: JsonSchema<'_>, value: &Value, old: &Value) -> bool {
    is_same_within(Some(schema), value, old, MAX_DEPTH)
}

fn is_same_within(
    schema: Option<JsonSchema<'_>>,
    value: &Value,
    old: &Value,
    depth: usize,
) -> bool {
    let (Some(schema), Some(depth)) = (schema, depth.checked_sub(1)) else {
        return value == old;
    };
    match (value, old) {
        (Value::List(elements), Value::List(others)) => {
            let items = schema.schema("items");
            let is_keyed = schema.text("x-kubernetes-list-type") == "map";
            if !is_keyed {
                return value == old;
            }
            elements.len() == others.len()
                && elements.iter().all(|value| {
                    let old = element(schema, value, old);
                    old.is_some_and(|old| is_same_within(items, value, old, depth))
                })
        }
        (Value::Map(fields), Value::Map(others)) => {
            fields.len() == others.len()
                && fields.iter().all(|(key, value)| {
                    let Key::String(name) = key else { return false };
                    // Unknown fields are never considered unchanged.
                    let inner = schema.property(name);
                    let inner = inner.or_else(|| schema.schema("additionalProperties"));
                    let old = others.get_str(name);
                    match (inner, old) {
                        (Some(_), Some(old)) => is_same_within(inner, value, old, depth),
                        _ => false,
                    }
                })
        }
        _ => value == old,
    }
}
