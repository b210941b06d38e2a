//! Decoding the numbers of an apply configuration into the Go type of its kind.
//!
//! A merge accepts any number for any other, and any string for a quantity. After it the object
//! is decoded into its type: an integer field accepts a `double` only if it has no fraction, one
//! of 32 bits loses the higher bits, and a quantity must be valid. The object was decoded before,
//! so only the merged part can be invalid.
//!
//! Upstream: kubernetes/apimachinery, pkg/runtime/converter.go, fromUnstructured.

use super::strict;
use crate::openapi::{Schema, SchemaType};
use cel::value::{Key, Value};

/// Limit: the depth to which an object is visited.
const MAX_DEPTH: usize = 200;

/// Converts the numbers in integer fields to integers of their size.
///
/// # Errors
/// One has a fraction, a number or string does not fit, or a quantity is invalid; the error of the
/// server.
pub fn convert(schema: Schema<'_>, configuration: &mut Value) -> Result<(), String> {
    visit(schema, configuration, 0)
}

fn visit(schema: Schema<'_>, value: &mut Value, depth: usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Ok(());
    }
    match value {
        _ if schema.ty() == SchemaType::Quantity => return strict::quantity(value),
        Value::Double(number) if schema.ty() == SchemaType::Integer => {
            let Some(whole) = strict::whole(*number) else {
                let ty = schema.format().unwrap_or("int");
                return Err(format!("cannot convert float64 to {ty}"));
            };
            *value = Value::Int(strict::wrapped(schema, whole));
        }
        Value::Int(number) if schema.ty() == SchemaType::Integer => {
            *number = strict::wrapped(schema, *number);
        }
        Value::Int(number)
            if schema.ty() == SchemaType::IntOrString && i32::try_from(*number).is_err() =>
        {
            return Err(format!(
                "json: cannot unmarshal number {number} into Go value of type int32"
            ));
        }
        Value::List(list) if !list.is_empty() => {
            let items = schema.items();
            for element in list.elements_mut() {
                items.map_or(Ok(()), |items| visit(items, element, depth + 1))?;
            }
        }
        Value::Map(map) => {
            for (key, value) in map.iter_mut() {
                let Key::String(name) = key else { continue };
                let field = schema.property(name);
                if let Some(field) = field.or_else(|| schema.additional_properties()) {
                    visit(field, value, depth + 1)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}
