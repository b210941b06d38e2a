//! Data of any type that a schema preserves.
//!
//! A rule cannot declare a type for it and reaches it only inside of values without a static type.
//! It can be compared, and nothing else.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unknownPreserved.

use cel::Value;
use cel::types::Type;
use cel::value::{EvalError, Opaque};

/// A value whose schema has no type and `x-kubernetes-preserve-unknown-fields`.
#[derive(Debug)]
pub(super) struct Preserved(pub(super) Value);

impl Opaque for Preserved {
    fn ty(&self) -> Type {
        Type::object("unknown")
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| self.0.is_same_json(&other.0))
    }

    /// A value that an expression creates never equals one that was decoded, unless both are
    /// scalars.
    fn equals_value(&self, other: &Value) -> Option<bool> {
        Some(match other {
            Value::Opaque(other) => self.equals(&**other),
            Value::Map(map) => map
                .view()
                .is_some_and(|view| self.0.is_same_json(&Value::Map(view.source.clone()))),
            Value::List(list) => list.kind().is_some() && self.0.is_same_json(other),
            _ => self.0.is_same_json(other),
        })
    }

    fn display(&self) -> String {
        self.0.to_string()
    }

    fn go_type(&self) -> &'static str {
        "*common.unknownPreserved"
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Ok(self.0.clone()))
    }
}
