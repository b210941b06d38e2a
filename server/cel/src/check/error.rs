//! The errors of type checking.
//!
//! Upstream: cel-go, checker/errors.go; cel/validator.go; ext/formatting.go.

use crate::expand::NodeId;
use crate::syntax::ExprId;
use crate::types::Type;
use std::fmt::Write;
use text::Span;

/// An error in an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckError {
    /// The kind.
    pub kind: CheckErrorKind,
    /// The node for which cel-go reports it.
    pub node: NodeId,
    /// The node of the source that it comes from.
    pub expr: ExprId,
    /// The part of the expression that is wrong.
    pub span: Span,
    /// The byte offset that cel-go reports.
    pub offset: u32,
}

/// The kind of declaration that was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undeclared {
    /// As a variable or a type.
    Name,
    /// As a function.
    Function,
    /// As the type of a constructed object.
    Type,
}

/// The kinds of error.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckErrorKind {
    /// A name that the environment does not declare.
    UndeclaredReference {
        /// The name as written.
        name: Box<str>,
        /// The namespace in which it was looked up. Empty in Kubernetes.
        container: Box<str>,
        /// The kind of declaration that was looked up.
        what: Undeclared,
    },
    /// No overload of the function accepts these arguments.
    NoMatchingOverload {
        /// The function.
        function: Box<str>,
        /// The types of the arguments, the target first.
        args: Box<[Type]>,
        /// Whether there is something before the dot.
        member: bool,
    },
    /// A value of another type is needed.
    TypeMismatch {
        /// The type that is needed.
        expected: Type,
        /// The actual type.
        found: Type,
    },
    /// A field of an object does not accept the value.
    FieldTypeMismatch {
        /// The field.
        field: Box<str>,
        /// The type of the field.
        expected: Type,
        /// The type of the value.
        found: Type,
    },
    /// The type has no such field.
    UndefinedField {
        /// The name of the type.
        type_name: Box<str>,
        /// The field.
        field: Box<str>,
    },
    /// The type has no fields.
    NoFields {
        /// The type.
        ty: Type,
        /// The selected field.
        field: Box<str>,
    },
    /// A macro is called on a value that is neither a list nor a map.
    NotARange {
        /// Its type.
        ty: Type,
    },
    /// The name before `{` is not a type.
    NotAType {
        /// The name of the type that it has.
        name: Box<str>,
    },
    /// The type before `{` has no fields.
    NotAMessageType {
        /// The name of the type.
        name: Box<str>,
    },
    /// Only the name of the type is known.
    FailedResolution {
        /// The name of the type.
        name: Box<str>,
    },
    /// A constant that the function cannot read.
    InvalidArgument {
        /// `duration`, `timestamp` or `matches`.
        function: &'static str,
    },
    /// The string of `format()` does not fit its arguments. The message is that of cel-go.
    Format {
        /// The message.
        message: Box<str>,
    },
    /// `a.?b`, `a[?b]` or `{?a: b}` in a version that does not have it.
    OptionalSyntax {
        /// The name of the syntax in cel-go.
        syntax: &'static str,
    },
    /// The expression is too large for this checker: chained macros on optional values, or
    /// nested types, have more parts than any server supports.
    TooLarge,
}

impl CheckErrorKind {
    /// Returns cel-go's message.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::UndeclaredReference {
                name, container, ..
            } => format!("undeclared reference to '{name}' (in container '{container}')"),
            Self::NoMatchingOverload {
                function,
                args,
                member,
            } => no_matching_overload(function, args, *member),
            Self::TypeMismatch { expected, found } => {
                format!("expected type '{expected}' but found '{found}'")
            }
            Self::FieldTypeMismatch {
                field,
                expected,
                found,
            } => format!(
                "expected type of field '{field}' is '{expected}' but provided type is '{found}'"
            ),
            Self::UndefinedField { field, .. } => format!("undefined field '{field}'"),
            Self::NoFields { ty, .. } => format!("type '{ty}' does not support field selection"),
            Self::NotARange { ty } => format!(
                "expression of type '{ty}' cannot be range of a comprehension (must be list, map, or dynamic)"
            ),
            Self::NotAType { name } => format!("'{name}' is not a type"),
            Self::NotAMessageType { name } => format!("'{name}' is not a message type"),
            Self::FailedResolution { name } => format!("unexpected failed resolution of '{name}'"),
            Self::InvalidArgument { function } => format!("invalid {function} argument"),
            Self::Format { message } => message.to_string(),
            Self::OptionalSyntax { syntax } => format!("unsupported syntax '{syntax}'"),
            Self::TooLarge => "expression is too large to be checked".to_owned(),
        }
    }
}

fn no_matching_overload(function: &str, args: &[Type], member: bool) -> String {
    let mut out = format!("found no matching overload for '{function}' applied to '");
    let args = match args.split_first() {
        Some((target, rest)) if member => {
            let _ = write!(out, "{target}.");
            rest
        }
        _ => args,
    };
    for (at, arg) in args.iter().enumerate() {
        let _ = write!(out, "{}{arg}", if at == 0 { "(" } else { ", " });
    }
    out.push_str(if args.is_empty() { "()'" } else { ")'" });
    out
}

impl CheckError {
    /// Returns cel-go's message.
    #[must_use]
    pub fn message(&self) -> String {
        self.kind.message()
    }
}
