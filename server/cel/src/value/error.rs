//! The errors of evaluation.

use super::{Value, go_type};
use crate::expand::NodeId;
use crate::regex::RegexError;
use crate::types::Type;
use std::borrow::Cow;
use std::fmt;

/// A failure, with cel-go's message.
///
/// It is one pointer wide, so that a result is not larger than a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    inner: Box<Inner>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: EvalErrorKind,
    node: Option<NodeId>,
    /// Whether cel-go panics.
    is_panic: bool,
}

/// The kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalErrorKind {
    /// No function accepts these arguments. The call as cel-go describes it, or empty.
    NoSuchOverload(Cow<'static, str>),
    /// A map has no such key, or an object no such field.
    NoSuchKey(Box<str>),
    /// A variable has no value.
    NoSuchAttribute(Box<str>),
    /// The expression has used up its budget of cost units.
    CostLimit,
    /// The expression has allocated more memory than it may.
    MemoryLimit,
    /// It was canceled, or its deadline has passed.
    Canceled,
    /// Its parts are nested more deeply than the host allows.
    NestingLimit,
    /// It needs a value that the host does not know; why.
    Unknown(&'static str),
    /// A number or a timestamp is out of range, with cel-go's message.
    OutOfRange(&'static str),
    /// A value cannot be converted to another type.
    Conversion {
        /// The type of the value.
        from: Type,
        /// The other type.
        to: Type,
    },
    /// Bytes are not a string.
    InvalidUtf8,
    /// A constant is not a regular expression.
    InvalidRegex(RegexError),
    /// Anything else, with cel-go's message.
    Message(Cow<'static, str>),
}

impl EvalError {
    /// Returns a failure of this kind.
    #[must_use]
    pub fn new(kind: EvalErrorKind) -> Self {
        Self {
            inner: Box::new(Inner {
                kind,
                node: None,
                is_panic: false,
            }),
        }
    }

    /// Returns a failure with cel-go's message.
    #[must_use]
    pub fn message(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(EvalErrorKind::Message(message.into()))
    }

    /// Returns the failure for a number or a timestamp that is out of range.
    #[must_use]
    pub fn out_of_range(message: &'static str) -> Self {
        Self::new(EvalErrorKind::OutOfRange(message))
    }

    /// Returns the failure of a call whose arguments no function accepts.
    #[must_use]
    pub fn no_such_overload() -> Self {
        Self::no_such_call("")
    }

    /// Returns the failure of a call whose arguments no function accepts. The call is part of the
    /// message: `no such overload: _+_`.
    #[must_use]
    pub(crate) fn no_such_call(call: impl Into<Cow<'static, str>>) -> Self {
        Self::new(EvalErrorKind::NoSuchOverload(call.into()))
    }

    /// Returns the failure of a function without an overload for these arguments: `no such
    /// overload: charAt(int, string)`.
    ///
    /// Upstream: cel-go, common/decls/decls.go, `MaybeNoSuchOverload`.
    #[cold]
    #[must_use]
    pub(crate) fn no_such_overload_of(function: &str, args: &[Value]) -> Self {
        let types: Vec<Type> = args.iter().map(Value::ty).collect();
        let types: Vec<&str> = types.iter().map(Type::runtime_name).collect();
        let types = types.join(", ");
        Self::no_such_call(format!("{function}({types})"))
    }

    /// Returns the failure for a missing key of a map.
    #[must_use]
    pub(crate) fn no_such_key(key: &str) -> Self {
        Self::new(EvalErrorKind::NoSuchKey(key.into()))
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> &EvalErrorKind {
        &self.inner.kind
    }

    /// Returns the node that failed, if it is known.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        self.inner.node
    }

    /// Returns the failure at this node, if it has no node yet.
    #[must_use]
    pub fn at(mut self, node: NodeId) -> Self {
        self.inner.node.get_or_insert(node);
        self
    }

    /// Returns the failure as a panic of cel-go, which cannot be absorbed.
    #[must_use]
    pub fn panics(mut self) -> Self {
        self.inner.is_panic = true;
        self
    }

    /// Returns the failure when a value that cannot be hashed is the key of a map.
    #[must_use]
    pub fn unhashable(key: &Value) -> Self {
        Self::unhashable_type(go_type(key))
    }

    /// Returns the failure when a value of a type of Go that cannot be hashed is looked up.
    pub(super) fn unhashable_type(ty: &str) -> Self {
        Self::message(format!(
            "internal error: runtime error: hash of unhashable type {ty}"
        ))
        .panics()
    }

    /// Returns the failure when a field that the schema of an object does not declare is written:
    /// upstream, its name is a nil pointer.
    pub(crate) fn nil_pointer() -> Self {
        Self::message(
            "internal error: runtime error: invalid memory address or nil pointer dereference",
        )
        .panics()
    }

    /// Returns the failure if the key is deleted from an empty map, for which Go has another
    /// message.
    pub(crate) fn unhashable_in_nothing(key: &Value) -> Self {
        let ty = go_type(key);
        Self::message(format!("internal error: hash of unhashable type: {ty}")).panics()
    }

    /// Returns whether the failure cannot be absorbed: it ends the whole evaluation.
    #[must_use]
    pub(crate) fn is_fatal(&self) -> bool {
        self.inner.is_panic
            || matches!(
                self.inner.kind,
                EvalErrorKind::CostLimit
                    | EvalErrorKind::MemoryLimit
                    | EvalErrorKind::Canceled
                    | EvalErrorKind::NestingLimit
            )
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.inner.kind {
            EvalErrorKind::NoSuchOverload(call) if call.is_empty() => {
                out.write_str("no such overload")
            }
            EvalErrorKind::NoSuchOverload(call) => write!(out, "no such overload: {call}"),
            EvalErrorKind::NoSuchKey(key) => write!(out, "no such key: {key}"),
            EvalErrorKind::NoSuchAttribute(name) => write!(out, "no such attribute(s): {name}"),
            EvalErrorKind::CostLimit => {
                out.write_str("operation cancelled: actual cost limit exceeded")
            }
            EvalErrorKind::MemoryLimit => {
                out.write_str("operation cancelled: memory limit exceeded")
            }
            EvalErrorKind::Canceled => out.write_str("operation interrupted"),
            EvalErrorKind::Unknown(why) => out.write_str(why),
            EvalErrorKind::NestingLimit => {
                out.write_str("operation cancelled: nesting limit exceeded")
            }
            EvalErrorKind::OutOfRange(message) => out.write_str(message),
            EvalErrorKind::Conversion { from, to } => {
                let (from, to) = (from.runtime_name(), to.runtime_name());
                write!(out, "type conversion error from '{from}' to '{to}'")
            }
            EvalErrorKind::InvalidUtf8 => {
                out.write_str("invalid UTF-8 in bytes, cannot convert to string")
            }
            EvalErrorKind::InvalidRegex(error) => error.fmt(out),
            EvalErrorKind::Message(message) => out.write_str(message),
        }
    }
}

impl std::error::Error for EvalError {}
