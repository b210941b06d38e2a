//! Correlation with the old object: the old value of a value, and whether both are equal.
//!
//! Unchanged values may stay invalid, so the server must find them. In a list with keys the old
//! element is the one with the same keys, at any index; elements of any other list have no old
//! value.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/common/equality.go, CorrelatedObject;
//! pkg/cel/common/maplist.go, MakeMapList.

use super::{ListType, ValueSchema};
use cel::Value;
use cel::value::Key;

impl ValueSchema {
    /// Returns the old element that an element of a list was.
    #[must_use]
    pub fn old_element<'a>(&self, element: &Value, old: &'a Value) -> Option<&'a Value> {
        if self.list_type != ListType::Map || self.list_keys.is_empty() {
            return None;
        }
        let key = |value: &'a Value, name: &str| value.as_map()?.get_str(name);
        let own = element.as_map()?;
        let is_same = |old: &&'a Value| {
            self.list_keys.iter().all(|name| {
                let own = own.get_str(name).filter(|value| is_scalar(value));
                own.is_some() && key(old, name) == own
            })
        };
        old.as_list()?.iter().find(is_same)
    }

    /// Returns whether a value is unchanged. Elements with keys may have changed their order.
    #[must_use]
    pub fn is_unchanged(&self, value: &Value, old: &Value) -> bool {
        match (value, old) {
            (Value::List(elements), Value::List(others)) => {
                let items = self.items().filter(|_| self.list_type == ListType::Map);
                let Some(items) = items else {
                    return value == old;
                };
                elements.len() == others.len()
                    && elements.iter().all(|value| {
                        let old = self.old_element(value, old);
                        old.is_some_and(|old| items.is_unchanged(value, old))
                    })
            }
            (Value::Map(fields), Value::Map(others)) => {
                fields.len() == others.len()
                    && fields.iter().all(|(key, value)| {
                        let Key::String(name) = key else { return false };
                        // Unknown fields are never considered unchanged.
                        match (self.field(name), others.get_str(name)) {
                            (Some(inner), Some(old)) => inner.is_unchanged(value, old),
                            _ => false,
                        }
                    })
            }
            _ => value == old,
        }
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::List(_) | Value::Map(_))
}
