//! The values that a parameter accepts at run time.

use super::Value;
use crate::types::Type;

impl Type {
    /// Returns whether a value fits a parameter of this type when a call runs. Only the first
    /// element of a list or a map is checked.
    ///
    /// Upstream: cel-go, common/types/types.go, `IsAssignableRuntimeType`.
    #[must_use]
    pub fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (Type::Dyn | Type::Any | Type::Error | Type::Param(_), _) => true,
            (Type::Nullable(_), Value::Null) => true,
            (Type::Nullable(inner), _) => inner.accepts(value),
            (Type::List(element), Value::List(elements)) => {
                elements.first().is_none_or(|first| element.accepts(first))
            }
            (Type::Map(entry), Value::Map(map)) => map
                .entry_at(0)
                .is_none_or(|(key, value)| entry.0.accepts(&key.value()) && entry.1.accepts(value)),
            (Type::Opaque(_) | Type::Struct(_), Value::Opaque(opaque)) => {
                self.runtime_name() == opaque.ty().runtime_name()
            }
            (Type::Null, Value::Null)
            | (Type::Bool, Value::Bool(_))
            | (Type::Int, Value::Int(_))
            | (Type::Uint, Value::Uint(_))
            | (Type::Double, Value::Double(_))
            | (Type::String, Value::String(_))
            | (Type::Bytes, Value::Bytes(_))
            | (Type::Duration, Value::Duration(_))
            | (Type::Timestamp, Value::Timestamp(_))
            | (Type::Type(_), Value::Type(_))
            | (Type::Optional(_), Value::Optional(_)) => true,
            _ => false,
        }
    }
}
