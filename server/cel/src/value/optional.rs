//! The content of optionals.
//!
//! If a name or a branch of `?:` is an optional, cel-go extracts the Go value and creates a new
//! value from it. Most values do not change. Those of Kubernetes' libraries do not: Go holds them
//! as types that cel-go does not support, so the optional then holds an error, which is returned
//! when its value is read. A list or a map that is created from it holds the error, and so does a
//! list of an object whose elements cannot be read.
//!
//! Upstream: cel-go, interpreter/attributes.go, `applyQualifiers` and `Resolve`;
//! common/types/optional.go, `Value`; common/types/provider.go, `nativeToValue`.

use super::{List, Opaque, Value};
use crate::types::Type;
use crate::value::EvalError;

/// The content of an optional, or an element, in place of a value that cannot be created.
#[derive(Debug)]
struct Failure(EvalError);

impl Value {
    /// Returns the content of an optional or an element that fails when it is read.
    #[must_use]
    pub fn failed(error: EvalError) -> Self {
        Self::opaque(Failure(error))
    }

    /// Returns the error that an optional contains instead of a value.
    #[must_use]
    pub fn failure(&self) -> Option<&EvalError> {
        self.downcast::<Failure>().map(|failure| &failure.0)
    }

    /// Returns the value that an optional holds.
    ///
    /// # Errors
    /// It holds an error.
    pub(crate) fn unwrapped_value(&self) -> Result<Self, EvalError> {
        match self.failure() {
            Some(error) => Err(error.clone()),
            None => Ok(self.clone()),
        }
    }

    /// Returns the value created again from the Go value. `None` if it does not change.
    ///
    /// # Errors
    /// cel-go cannot create a value from it.
    pub(crate) fn renewed(&self) -> Option<Result<Self, EvalError>> {
        match self {
            // A type becomes its name, an optional its value.
            Value::Type(ty) => Some(Ok(Value::string(ty.runtime_name()))),
            Value::Optional(None) => Some(Ok(Value::Null)),
            Value::Optional(Some(value)) => {
                Some(value.renewed().unwrap_or_else(|| value.unwrapped_value()))
            }
            // A list of an object loses its list type, a map its schema.
            Value::List(list) if list.kind().is_some() => {
                Some(Ok(Value::List(List::new(list.to_vec()))))
            }
            Value::Map(map) => Some(Ok(Value::Map(map.view()?.source.clone()))),
            Value::Opaque(opaque) => opaque.renewed(),
            _ => None,
        }
    }
}

/// Returns cel-go's error for a Go value that it cannot convert.
#[must_use]
pub fn unsupported(go_type: &str, display: &str) -> EvalError {
    EvalError::message(format!(
        "unsupported conversion to ref.Val: ({go_type}){display}"
    ))
}

impl Opaque for Failure {
    fn ty(&self) -> Type {
        Type::Error
    }

    fn equals(&self, _: &dyn Opaque) -> bool {
        false
    }

    fn display(&self) -> String {
        self.0.to_string()
    }

    fn go_type(&self) -> &'static str {
        "*types.Err"
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Err(unsupported("*errors.errorString", &self.display())))
    }
}
