//! From the name of a type back to its schema.
//!
//! The compiler names the types of a schema by their paths. A message needs the schema itself,
//! with the names of its properties.

use crate::crd::SELF_TYPE;
use crate::json_schema::JsonSchema;
use kubernetes::names::unescape;

/// Returns the schema of a type of the rules of `schema`. `None` for types that no schema declares.
pub(super) fn schema_of<'d>(schema: JsonSchema<'d>, type_name: &str) -> Option<JsonSchema<'d>> {
    let mut parts = type_name.split('.');
    if parts.next() != Some(SELF_TYPE) {
        return None;
    }
    parts.try_fold(schema, |schema, part| match part {
        "@idx" => schema.schema("items"),
        "@elem" => schema.schema("additionalProperties"),
        name => schema.property(&unescape(name)?),
    })
}
