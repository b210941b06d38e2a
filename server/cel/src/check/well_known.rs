//! The messages of protocol buffers that every environment of cel-go has.
//!
//! No policy needs them, but an expression that creates one is valid.
//!
//! Upstream: cel-go, common/types/provider.go, `NewProtoRegistry`; common/types/types.go,
//! `checkedWellKnowns`.

use crate::types::Type;
use std::sync::Arc;

/// The message without fields, which is a separate type.
pub(super) const EMPTY: &str = "google.protobuf.Empty";

/// Returns the type of CEL for a message.
pub(super) fn message(name: &str) -> Option<Type> {
    let nullable = |ty| Type::Nullable(Arc::new(ty));
    Some(match name.strip_prefix("google.protobuf.")? {
        "Any" => Type::Any,
        "Duration" => Type::Duration,
        "Timestamp" => Type::Timestamp,
        "Empty" => Type::object(name),
        "Value" => Type::Dyn,
        "ListValue" => Type::list(Type::Dyn),
        "Struct" => Type::map(Type::String, Type::Dyn),
        "BoolValue" => nullable(Type::Bool),
        "BytesValue" => nullable(Type::Bytes),
        "DoubleValue" | "FloatValue" => nullable(Type::Double),
        "Int32Value" | "Int64Value" => nullable(Type::Int),
        "StringValue" => nullable(Type::String),
        "UInt32Value" | "UInt64Value" => nullable(Type::Uint),
        _ => return None,
    })
}

/// Returns the type of a field of a message.
pub(super) fn field(name: &str, field: &str) -> Option<Type> {
    let message = name.strip_prefix("google.protobuf.")?;
    Some(match (message, field) {
        ("Any", "type_url") | ("Value", "string_value") => Type::String,
        ("Any", "value") => Type::Bytes,
        ("Duration" | "Timestamp", "seconds" | "nanos") | ("Value", "null_value") => Type::Int,
        ("Value", "number_value") => Type::Double,
        ("Value", "bool_value") => Type::Bool,
        ("Value", "struct_value") | ("Struct", "fields") => Type::map(Type::String, Type::Dyn),
        ("Value", "list_value") | ("ListValue", "values") => Type::list(Type::Dyn),
        (_, "value") => match self::message(name)? {
            Type::Nullable(inner) => Type::clone(&inner),
            _ => return None,
        },
        _ => return None,
    })
}
