//! The types of CEL.
//!
//! The checker, the declarations and the values use the same types, and users read them in
//! messages, so there is one type for all and it prints as cel-go prints it.

mod display;
mod read;
#[cfg(test)]
mod tests;

pub use read::TypeSyntaxError;

use std::sync::Arc;

/// A type.
///
/// Cloning is cheap: nested types are shared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Anything, decided when the expression runs.
    Dyn,
    /// The type of an invalid expression. Prints as `!error!`.
    Error,
    /// `google.protobuf.Any`, which also accepts anything.
    Any,
    /// `null_type`.
    Null,
    /// `bool`.
    Bool,
    /// `int`, 64 bits.
    Int,
    /// `uint`, 64 bits.
    Uint,
    /// `double`.
    Double,
    /// `string`.
    String,
    /// `bytes`.
    Bytes,
    /// `google.protobuf.Duration`.
    Duration,
    /// `google.protobuf.Timestamp`.
    Timestamp,
    /// `list(element)`.
    List(Arc<Type>),
    /// `map(key, value)`.
    Map(Arc<(Type, Type)>),
    /// `optional_type(value)`.
    Optional(Arc<Type>),
    /// `type`, or `type(of)` if the type is known.
    Type(Option<Arc<Type>>),
    /// `wrapper(bool)` and so on: the type inside, or null.
    Nullable(Arc<Type>),
    /// A parameter of a declaration, such as `A` in `list(<A>)`.
    Param(Arc<str>),
    /// A type variable of the checker. A checked expression has none, but a message can show
    /// one, as `_var3`.
    Var(u32),
    /// A type with fields, such as `kubernetes.UserInfo`.
    Struct(Arc<str>),
    /// A type without fields that has functions, such as `kubernetes.Quantity`.
    Opaque(Arc<OpaqueType>),
}

/// A type that is only accessible through its functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpaqueType {
    /// The name, such as `net.CIDR`.
    pub name: Arc<str>,
    /// The type parameters.
    pub params: Box<[Type]>,
}

impl Type {
    /// Returns `list(element)`.
    #[must_use]
    pub fn list(element: Type) -> Self {
        Self::List(Arc::new(element))
    }

    /// Returns `map(key, value)`.
    #[must_use]
    pub fn map(key: Type, value: Type) -> Self {
        Self::Map(Arc::new((key, value)))
    }

    /// Returns `optional_type(value)`.
    #[must_use]
    pub fn optional(value: Type) -> Self {
        Self::Optional(Arc::new(value))
    }

    /// Returns a type without fields and parameters.
    #[must_use]
    pub fn opaque(name: &str) -> Self {
        Self::Opaque(Arc::new(OpaqueType {
            name: name.into(),
            params: Box::default(),
        }))
    }

    /// Returns a type with fields.
    #[must_use]
    pub fn object(name: &str) -> Self {
        Self::Struct(name.into())
    }

    /// Returns the type of an expression that names this type.
    #[must_use]
    pub fn type_of(self) -> Self {
        Self::Type(Some(Arc::new(self)))
    }

    /// Returns whether it accepts any value and is accepted everywhere.
    #[must_use]
    pub const fn is_dyn(&self) -> bool {
        matches!(self, Type::Dyn | Type::Any)
    }

    /// Returns whether it contains no other type.
    #[must_use]
    pub const fn is_leaf(&self) -> bool {
        !matches!(
            self,
            Type::List(_)
                | Type::Map(_)
                | Type::Optional(_)
                | Type::Type(Some(_))
                | Type::Nullable(_)
                | Type::Opaque(_)
                | Type::Param(_)
                | Type::Var(_)
        )
    }

    /// Returns whether it replaces the type of a part with a reported error.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        matches!(self, Type::Error)
    }
}
