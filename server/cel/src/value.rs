//! The values of CEL.
//!
//! Everything that an expression reads and computes is a [`Value`]. Cloning one is cheap: large
//! parts are shared, so an object is converted once and read many times.

mod accept;
mod display;
mod duration;
mod equality;
mod error;
mod go_type;
mod list;
mod map;
pub mod number;
mod optional;
mod quote;
#[cfg(test)]
mod tests;
mod timestamp;

pub use duration::Duration;
pub use error::{EvalError, EvalErrorKind};
pub(crate) use go_type::{go_type, native_type};
pub use list::{List, ListKind, LostElements, Repeats, Sum};
pub(crate) use map::{Hidden, Place, is_equal};
pub use map::{Key, Map, MapBuilder, Spelling, View};
pub use optional::unsupported;
pub use quote::quoted;
pub use timestamp::{Calendar, Timestamp, TimestampError};

use crate::syntax::Literal;
use crate::types::Type;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`
    Null,
    /// `true` and `false`
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A floating point number.
    Double(f64),
    /// A string.
    String(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A list.
    List(List),
    /// A map.
    Map(Map),
    /// A span of time.
    Duration(Duration),
    /// A timestamp.
    Timestamp(Timestamp),
    /// A type as a value.
    Type(Arc<Type>),
    /// A value that may be absent.
    Optional(Option<Arc<Value>>),
    /// A value of a library's type.
    Opaque(Arc<dyn Opaque>),
}

/// A value of a library's type, such as a quantity.
pub trait Opaque: Any + fmt::Debug + Send + Sync {
    /// Returns its type when the expression runs.
    fn ty(&self) -> Type;

    /// Returns whether it equals another value of a library.
    fn equals(&self, other: &dyn Opaque) -> bool;

    /// Returns whether it equals a value other than null. `None` if the comparison does not exist,
    /// which makes `==` an error. `!=` and functions treat that as a difference.
    fn equals_value(&self, other: &Value) -> Option<bool> {
        match other {
            Value::Opaque(other) if other.ty() == self.ty() => Some(self.equals(&**other)),
            _ => None,
        }
    }

    /// Returns the string by which tests and traces show it.
    fn display(&self) -> String;

    /// Returns a field, for types with fields. `None` if the type has no field of that name.
    ///
    /// # Errors
    /// The field is not set.
    fn field(&self, name: &str) -> Option<Result<Value, EvalError>> {
        let _ = name;
        None
    }

    /// Returns whether a field is set, for types that have fields. `None` if the type has no
    /// field of that name.
    ///
    /// # Errors
    /// The field is computed, and that fails.
    fn has_field(&self, name: &str) -> Option<Result<bool, EvalError>> {
        let _ = name;
        None
    }

    /// Returns the error of everything but the selection of a field, for a value that is only known
    /// in part.
    fn unknown(&self) -> Option<EvalError> {
        None
    }

    /// Returns the name of its type in Go, which is part of some messages of cel-go.
    fn go_type(&self) -> &'static str;

    /// Returns whether it can be the key of a map. If not, Go panics.
    fn is_hashable(&self) -> bool {
        true
    }

    /// Returns whether Go compares it by its content, so that it is found again as the key of a map.
    /// Equal values are displayed alike.
    fn is_comparable(&self) -> bool {
        false
    }

    /// Returns the value that cel-go creates from it if a name or a branch of `?:` is an optional
    /// that holds it. `None` if it does not change.
    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        None
    }

    /// Returns the size for the cost model. `None` for values without one.
    fn size(&self) -> Option<u64> {
        None
    }

    /// Returns whether it is the zero value of its type.
    fn is_zero(&self) -> bool {
        false
    }
}

impl Value {
    /// Returns the error of a value that is only known in part.
    pub(crate) fn unknown(&self) -> Option<EvalError> {
        match self {
            Value::Opaque(opaque) => opaque.unknown(),
            _ => None,
        }
    }
}

impl dyn Opaque {
    /// Returns the value as its concrete type, for the functions of its library.
    #[must_use]
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        let value: &dyn Any = self;
        value.downcast_ref()
    }
}

impl From<&Literal> for Value {
    fn from(literal: &Literal) -> Self {
        match literal {
            Literal::Null => Value::Null,
            Literal::Bool(value) => Value::Bool(*value),
            Literal::Int(number) => Value::Int(*number),
            Literal::Uint(number) => Value::Uint(*number),
            Literal::Double(number) => Value::Double(*number),
            Literal::String(text) => Value::string(&**text),
            Literal::Bytes(bytes) => Value::bytes(&**bytes),
        }
    }
}

impl Value {
    /// Returns a string.
    #[must_use]
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::String(text.into())
    }

    /// Bytes.
    #[must_use]
    pub fn bytes(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self::Bytes(bytes.into())
    }

    /// Returns a list.
    #[must_use]
    pub fn list(elements: Vec<Value>) -> Self {
        Self::List(List::new(elements))
    }

    /// Returns an optional with a value.
    #[must_use]
    pub fn some(value: Value) -> Self {
        Self::Optional(Some(Arc::new(value)))
    }

    /// Returns a value of a library.
    #[must_use]
    pub fn opaque(value: impl Opaque) -> Self {
        Self::Opaque(Arc::new(value))
    }

    /// Returns the value of a library as its concrete type.
    #[must_use]
    pub fn downcast<T: 'static>(&self) -> Option<&T> {
        match self {
            Value::Opaque(opaque) => opaque.downcast_ref(),
            _ => None,
        }
    }

    /// Returns the string of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the string that Go holds for the value: the name of a type, or the value of an
    /// optional. Functions that do not check types accept all of them.
    #[must_use]
    pub fn native_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            Value::Type(ty) => Some(ty.runtime_name()),
            Value::Optional(Some(value)) => value.native_str(),
            _ => None,
        }
    }

    /// Returns the number of an `int`.
    #[must_use]
    pub const fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns a `bool`.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the elements of a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the address of a list or a map: the same for values that share it.
    #[must_use]
    pub fn address(&self) -> Option<usize> {
        match self {
            Value::List(elements) => Some(elements.address()),
            Value::Map(map) => Some(map.address()),
            _ => None,
        }
    }

    /// Returns the entries of a map.
    #[must_use]
    pub const fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the entries of a map, to change them.
    #[must_use]
    pub const fn as_map_mut(&mut self) -> Option<&mut Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the elements of a list for mutation. A list that is shared is copied first.
    #[must_use]
    pub fn as_list_mut(&mut self) -> Option<&mut Vec<Value>> {
        match self {
            Value::List(elements) => Some(elements.elements_mut()),
            _ => None,
        }
    }

    /// Returns the type of the value when the expression runs. Elements are `dyn`.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self {
            Value::Null => Type::Null,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) => Type::Int,
            Value::Uint(_) => Type::Uint,
            Value::Double(_) => Type::Double,
            Value::String(_) => Type::String,
            Value::Bytes(_) => Type::Bytes,
            Value::List(_) => Type::list(Type::Dyn),
            Value::Map(_) => Type::map(Type::Dyn, Type::Dyn),
            Value::Duration(_) => Type::Duration,
            Value::Timestamp(_) => Type::Timestamp,
            Value::Type(_) => Type::Type(None),
            Value::Optional(_) => Type::optional(Type::Dyn),
            Value::Opaque(opaque) => opaque.ty(),
        }
    }

    /// Returns whether it is zero, empty, false or null: the values that
    /// `optional.ofNonZeroValue` turns into `optional.none()`. Types and optionals never are.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Bool(value) => !value,
            Value::Int(number) => *number == 0,
            Value::Uint(number) => *number == 0,
            Value::Double(number) => *number == 0.0,
            Value::String(text) => text.is_empty(),
            Value::Bytes(bytes) => bytes.is_empty(),
            Value::List(elements) => elements.is_empty(),
            Value::Map(map) => map.is_empty(),
            Value::Duration(span) => span.nanos == 0,
            Value::Timestamp(time) => time.is_zero(),
            Value::Type(_) | Value::Optional(_) => false,
            Value::Opaque(opaque) => opaque.is_zero(),
        }
    }

    /// Returns the size of the value for the cost model: code points of a string, bytes,
    /// elements, entries, and 1 for everything else.
    ///
    /// Upstream: cel-go, interpreter/runtimecost.go, `actualSize`.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Value::String(text) => code_points(text),
            Value::Bytes(bytes) => bytes.len() as u64,
            Value::List(elements) => elements.len() as u64,
            Value::Map(map) => map.len() as u64,
            Value::Optional(Some(value)) => value.size(),
            Value::Opaque(opaque) => opaque.size().unwrap_or(1),
            _ => 1,
        }
    }
}

/// Returns the code points of a string.
fn code_points(text: &str) -> u64 {
    if text.is_ascii() {
        text.len() as u64
    } else {
        text.chars().count() as u64
    }
}
