//! The printed form of types.
//!
//! Upstream: cel-go, checker/format.go, `FormatCELType`.

use super::Type;
use std::fmt;

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Type::Dyn => "dyn",
            Type::Error => "!error!",
            Type::Any => "any",
            Type::Null => "null",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Uint => "uint",
            Type::Double => "double",
            Type::String => "string",
            Type::Bytes => "bytes",
            Type::Duration => "duration",
            Type::Timestamp => "timestamp",
            Type::List(element) => return write!(out, "list({element})"),
            Type::Map(entry) => return write!(out, "map({}, {})", entry.0, entry.1),
            Type::Optional(value) => return write!(out, "optional_type({value})"),
            Type::Type(None) => "type",
            Type::Type(Some(of)) => return write!(out, "type({of})"),
            Type::Nullable(inner) => return write!(out, "wrapper({inner})"),
            Type::Param(name) | Type::Struct(name) => name,
            Type::Var(number) => return write!(out, "_var{number}"),
            Type::Opaque(opaque) => return write_opaque(out, &opaque.name, &opaque.params),
        })
    }
}

fn write_opaque(out: &mut fmt::Formatter<'_>, name: &str, params: &[Type]) -> fmt::Result {
    out.write_str(name)?;
    for (at, param) in params.iter().enumerate() {
        let separator = if at == 0 { "(" } else { ", " };
        write!(out, "{separator}{param}")?;
    }
    out.write_str(if params.is_empty() { "" } else { ")" })
}

impl Type {
    /// Returns the name of the type at run time: the result of `string(type(x))`, without
    /// parameters.
    ///
    /// Upstream: cel-go, common/types/types.go, `TypeName`.
    #[must_use]
    pub fn runtime_name(&self) -> &str {
        match self {
            Type::Dyn => "dyn",
            Type::Error => "error",
            Type::Any => "google.protobuf.Any",
            Type::Null => "null_type",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Uint => "uint",
            Type::Double => "double",
            Type::String => "string",
            Type::Bytes => "bytes",
            Type::Duration => "google.protobuf.Duration",
            Type::Timestamp => "google.protobuf.Timestamp",
            Type::List(_) => "list",
            Type::Map(_) => "map",
            Type::Optional(_) => "optional_type",
            Type::Type(_) => "type",
            Type::Nullable(inner) => inner.runtime_name(),
            Type::Var(_) => "dyn",
            Type::Param(name) | Type::Struct(name) => name,
            Type::Opaque(opaque) => &opaque.name,
        }
    }

    /// Returns the name of the type at run time, with its parameters, such as
    /// `list(google.protobuf.Timestamp)`.
    ///
    /// Upstream: cel-go, common/types/types.go, `Type.String`.
    #[must_use]
    pub fn full_runtime_name(&self) -> String {
        let params: Vec<String> = match self {
            Type::List(element) | Type::Optional(element) | Type::Type(Some(element)) => {
                vec![element.full_runtime_name()]
            }
            Type::Map(entry) => [&entry.0, &entry.1].map(Self::full_runtime_name).into(),
            Type::Nullable(inner) => return format!("wrapper({})", inner.full_runtime_name()),
            Type::Opaque(opaque) => opaque.params.iter().map(Self::full_runtime_name).collect(),
            _ => Vec::new(),
        };
        let name = self.runtime_name();
        if params.is_empty() {
            return name.to_owned();
        }
        format!("{name}({})", params.join(", "))
    }
}
