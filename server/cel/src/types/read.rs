//! Types from their written form.
//!
//! Signatures of functions and fields are tables of strings, `list(<T>), int`, so that they can be
//! compared with those that Kubernetes declares.

use super::{OpaqueType, Type};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A string that is not a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeSyntaxError {
    text: Box<str>,
}

impl fmt::Display for TypeSyntaxError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is not a type", self.text)
    }
}

impl std::error::Error for TypeSyntaxError {}

/// The maximum nesting of a parsed type.
const MAX_NESTING: usize = 32;

impl FromStr for Type {
    type Err = TypeSyntaxError;

    /// Parses a type such as `int`, `list(<A>)`, `map(string, dyn)`, `google.protobuf.Timestamp`,
    /// `optional_type(<V>)`, `struct(kubernetes.UserInfo)`. A name in angle brackets is a
    /// parameter, an unknown name is an opaque type.
    fn from_str(text: &str) -> Result<Self, TypeSyntaxError> {
        read(text, 0).ok_or_else(|| TypeSyntaxError { text: text.into() })
    }
}

impl Type {
    /// Reads a list of types with commas between. An empty string is an empty list.
    ///
    /// # Errors
    /// The string is not a list of types.
    pub(crate) fn read_list(text: &str) -> Result<Vec<Type>, TypeSyntaxError> {
        read_list(text, 0).ok_or_else(|| TypeSyntaxError { text: text.into() })
    }
}

fn read(text: &str, depth: usize) -> Option<Type> {
    let text = text.trim();
    if depth > MAX_NESTING {
        return None;
    }
    if let Some(name) = text.strip_prefix('<') {
        return Some(Type::Param(name.strip_suffix('>')?.into()));
    }
    let Some((name, rest)) = text.split_once('(') else {
        return named(text);
    };
    let params = read_list(rest.strip_suffix(')')?, depth + 1)?;
    applied(name, params)
}

fn read_list(text: &str, depth: usize) -> Option<Vec<Type>> {
    let mut types = Vec::new();
    let (mut open, mut start) = (0_usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' => open = open.checked_sub(1)?,
            b',' if open == 0 => {
                types.push(read(text.get(start..at)?, depth)?);
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text.get(start..)?;
    if !(last.trim().is_empty() && types.is_empty()) {
        types.push(read(last, depth)?);
    }
    Some(types)
}

fn named(name: &str) -> Option<Type> {
    Some(match name {
        "" => return None,
        "dyn" => Type::Dyn,
        "any" | "google.protobuf.Any" => Type::Any,
        "null_type" => Type::Null,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "duration" | "google.protobuf.Duration" => Type::Duration,
        "timestamp" | "google.protobuf.Timestamp" => Type::Timestamp,
        "type" => Type::Type(None),
        _ => Type::opaque(name),
    })
}

fn applied(name: &str, params: Vec<Type>) -> Option<Type> {
    match (name, params.as_slice()) {
        ("list", [element]) => Some(Type::list(element.clone())),
        ("map", [key, value]) => Some(Type::map(key.clone(), value.clone())),
        ("optional_type", [value]) => Some(Type::optional(value.clone())),
        ("type", [of]) => Some(of.clone().type_of()),
        ("wrapper", [inner]) => Some(Type::Nullable(Arc::new(inner.clone()))),
        ("struct", [Type::Opaque(opaque)]) => Some(Type::Struct(Arc::clone(&opaque.name))),
        ("list" | "map" | "optional_type" | "type" | "wrapper" | "struct", _) => None,
        _ => Some(Type::Opaque(Arc::new(OpaqueType {
            name: name.into(),
            params: params.into(),
        }))),
    }
}
