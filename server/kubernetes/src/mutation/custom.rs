//! Decoding the object of a request.
//!
//! A built-in kind has a type that the whole object must fit. A custom resource has only that of
//! its metadata.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/customresource_handler.go,
//! unstructuredSchemaCoercer.apply; pkg/apiserver/schema/objectmeta/algorithm.go,
//! CoerceWithOptions; kubernetes/apiserver, pkg/endpoints/handlers/rest.go, transformDecodeError.

use super::strict;
use crate::defaults::{self, UnknownField};
use crate::names::GroupVersion;
use crate::openapi::{Catalog, Schema};
use crate::quote::{json_text, quote, to_json};
use cel::value::{Key, Value};

/// Limit: the depth to which an object is visited.
const MAX_DEPTH: usize = 200;

/// Decodes the object of a request. Returns the fields of a custom resource that the server drops.
///
/// # Errors
/// An object of a built-in kind does not decode, or the metadata of a custom resource or of a
/// resource embedded in it; the message of the server.
pub fn unknown_fields(kinds: &Catalog, object: &Value) -> Result<Vec<UnknownField>, String> {
    let text = |field: &str| object.as_map()?.get_str(field)?.as_str();
    let (api_version, kind) = (text("apiVersion"), text("kind").unwrap_or_default());
    let GroupVersion { group, version } = GroupVersion::parse(api_version.unwrap_or_default());
    let Some(schema) = kinds.schema(group, version, kind) else {
        return Ok(Vec::new());
    };
    let fail = |error: String| {
        let version = quote(version);
        format!("{kind} in version {version} cannot be handled as a {kind}: {error}")
    };
    if schema.is_built_in() {
        return strict::decode(schema, object, String::new()).map_err(fail);
    }
    let metadata = object.as_map().and_then(|map| map.get_str("metadata"));
    let mut unknown = match metadata.zip(schema.property("metadata")) {
        None => Vec::new(),
        Some((value, schema)) => {
            strict::metadata(schema, value, "metadata".to_owned()).map_err(fail)?
        }
    };
    unknown.extend(defaults::unknown_fields(kinds, object));
    let mut embedded = Vec::new();
    inner(schema, object, "", &mut embedded, 0).map_err(fail)?;
    embedded.sort_unstable();
    unknown.extend(embedded);
    Ok(unknown)
}

/// Decodes the resources that are embedded in the fields or items of a value.
fn inner(
    schema: Schema<'_>,
    value: &Value,
    path: &str,
    unknown: &mut Vec<UnknownField>,
    depth: usize,
) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Ok(());
    }
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let Key::String(name) = key else { continue };
                let dot = if path.is_empty() { "" } else { "." };
                let (field, path) = match schema.property(name) {
                    Some(field) => (field, format!("{path}{dot}{name}")),
                    None => match schema.additional_properties() {
                        Some(values) => (values, format!("{path}[{name}]")),
                        None => continue,
                    },
                };
                embedded(field, value, &path, unknown)?;
                // The metadata of the object itself has been decoded.
                if depth > 0 || &**name != "metadata" {
                    inner(field, value, &path, unknown, depth + 1)?;
                }
            }
        }
        Value::List(list) => {
            let Some(items) = schema.items() else {
                return Ok(());
            };
            for (index, value) in list.iter().enumerate() {
                let path = format!("{path}[{index}]");
                embedded(items, value, &path, unknown)?;
                inner(items, value, &path, unknown, depth + 1)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Decodes a value if it is an embedded resource.
fn embedded(
    schema: Schema<'_>,
    value: &Value,
    path: &str,
    unknown: &mut Vec<UnknownField>,
) -> Result<(), String> {
    let Some(map) = value.as_map().filter(|_| schema.is_embedded_resource()) else {
        return Ok(());
    };
    let invalid = |field: &str, value: &Value, detail: &str| {
        let value = json_text(&to_json(value));
        format!("{path}.{field}: Invalid value: {value}: {detail}")
    };
    for field in ["apiVersion", "kind"] {
        if let Some(value) = map.get_str(field).filter(|it| it.as_str().is_none()) {
            return Err(invalid(field, value, "must be a string"));
        }
    }
    let metadata = map.get_str("metadata").zip(schema.property("metadata"));
    if let Some((value, schema)) = metadata {
        let decoded = strict::metadata(schema, value, format!("{path}.metadata"));
        unknown.extend(decoded.map_err(|error| invalid("metadata", value, &error))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
