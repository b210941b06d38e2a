//! Errors in a JSON pointer, by the schema of the object to which it points.
//!
//! Upstream: evanphx/json-patch v4, patch.go, findObject.

use crate::diagnostics::kind_problems::{is_open, nearest_field, suggestion};
use crate::kind_fields::type_text;
use crate::presence::{Pointer, Token};
use kubernetes::openapi::{Schema, SchemaType};

/// The use of the value at a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointerUse {
    /// The value is added. In a list, the position can be the end, `-`.
    Adds,
    /// The value is required.
    Reads,
    /// The operation is not known.
    Unknown,
}

/// An error in a pointer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fault {
    /// The field does not exist.
    Unknown {
        /// The path up to it.
        path: String,
        nearest: Option<String>,
    },
    /// The key of a map has a slash.
    Slash {
        /// The path of the map.
        path: String,
        /// The key, if it is constant.
        key: Option<String>,
    },
    /// A value that is neither an object nor a list has no children.
    Scalar { path: String, ty: String },
    /// The index of a list is not a number.
    Index { path: String, name: String },
    /// There is no element at the end of a list.
    End { path: String },
}

impl Fault {
    /// Returns the message for kinds with these names.
    pub(super) fn message(&self, kinds: &str) -> String {
        match self {
            Self::Unknown { path, nearest } => {
                let hint = suggestion(nearest.as_ref());
                format!(
                    "`{path}` is not a field of {kinds}, so the mutation fails or changes nothing.{hint}"
                )
            }
            Self::Slash { path, key } => {
                let key = key.as_deref().map_or_else(
                    || "jsonpatch.escapeKey(key)".to_owned(),
                    |key| format!("jsonpatch.escapeKey('{key}')"),
                );
                format!(
                    "A `/` in a key of `{path}` must be escaped, or the mutation fails. Write `{key}`, or `~1` for `/`."
                )
            }
            Self::Scalar { path, ty } => {
                format!(
                    "{kinds}: `{path}` is of type `{ty}`, which has no fields, so the mutation fails."
                )
            }
            Self::Index { path, name } => format!(
                "{kinds}: `{path}` is a list, and `{name}` is not an index, so the mutation fails."
            ),
            Self::End { path } => format!(
                "`-` is the position after the last element of `{path}`, where a value can only be \
                 added, so the mutation fails."
            ),
        }
    }
}

/// Returns the first error of a pointer into an object with this schema.
pub(super) fn fault(root: Schema<'_>, pointer: &Pointer, usage: PointerUse) -> Option<Fault> {
    let mut path = String::new();
    let mut schema = root;
    let mut map: Option<(String, usize)> = None;
    for (at, token) in pointer.tokens.iter().enumerate() {
        let is_last = pointer.is_whole && at + 1 == pointer.tokens.len();
        match schema.ty() {
            SchemaType::Array => {
                if let Some(fault) = element(&path, token, is_last, usage) {
                    return Some(fault);
                }
                map = None;
                path.push_str("[]");
                schema = schema.items()?;
            }
            SchemaType::Object => {
                let name = token.name.as_deref();
                if let Some(field) = name.and_then(|name| schema.property(name)) {
                    map = None;
                    schema = field;
                } else if let Some(values) = schema.additional_properties() {
                    map = Some((path.clone(), at));
                    schema = values;
                } else {
                    return unknown(&path, schema, name?);
                }
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name.unwrap_or("…"));
            }
            SchemaType::Any => return None,
            _ => return Some(scalar(schema, path, map, pointer)),
        }
    }
    // The non-constant part follows the last name.
    let is_scalar = !matches!(
        schema.ty(),
        SchemaType::Array | SchemaType::Object | SchemaType::Any
    );
    (is_scalar && !pointer.is_whole).then(|| scalar(schema, path, map, pointer))
}

/// Returns the error of a pointer into a scalar. `map` is the map that contains it as an entry.
fn scalar(
    schema: Schema<'_>,
    path: String,
    map: Option<(String, usize)>,
    pointer: &Pointer,
) -> Fault {
    match map {
        Some((path, start)) => Fault::Slash {
            path,
            key: key(pointer, start),
        },
        None => Fault::Scalar {
            path,
            ty: type_text(schema),
        },
    }
}

fn unknown(path: &str, schema: Schema<'_>, name: &str) -> Option<Fault> {
    if is_open(schema) {
        return None;
    }
    let dot = if path.is_empty() { "" } else { "." };
    Some(Fault::Unknown {
        path: format!("{path}{dot}{name}"),
        nearest: nearest_field(schema, name),
    })
}

/// Returns the error of an index of a list.
fn element(path: &str, token: &Token, is_last: bool, usage: PointerUse) -> Option<Fault> {
    let name = token.name.as_deref()?;
    if name == "-" {
        let can_be = is_last && usage != PointerUse::Reads;
        return (!can_be).then(|| Fault::End {
            path: path.to_owned(),
        });
    }
    let digits = name.strip_prefix(['+', '-']).unwrap_or(name);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (!is_number).then(|| Fault::Index {
        path: path.to_owned(),
        name: name.to_owned(),
    })
}

/// Returns the key that consists of the tokens from `start` to the end.
fn key(pointer: &Pointer, start: usize) -> Option<String> {
    let names = pointer.tokens.get(start..)?.iter();
    let names: Option<Vec<&str>> = names.map(|token| token.name.as_deref()).collect();
    names
        .filter(|_| pointer.is_whole)
        .map(|names| names.join("/"))
}
