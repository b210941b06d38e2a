//! Validation of a value by its schema.

use crate::crd::{Reader, Reason};
use crate::json_schema::JsonSchema;
use crate::validation::error::{ApiRule, Errors};
use crate::validation::slot::Slot;
use cel::Value;
use kubernetes::versions::ServerVersion;

/// Checks a default, which is in a slot and has a value. `values` is the remaining number of values
/// to visit.
pub(super) fn check(
    (default, value): (&Slot<'_, '_>, &Value),
    (schema, reader): (JsonSchema<'_>, &mut Reader),
    server: ServerVersion,
    errors: &mut Errors,
    values: &mut usize,
) {
    let (Some(node), Some(schema)) = (default.node(), reader.read(schema)) else {
        return;
    };
    for error in schema.errors(value, None, server, values) {
        let node = error.path.resolve(node).node;
        let (name, detail) = (error.name(), error.detail());
        let (name, rule) = match error.reason {
            Reason::Whole(_) => ("", ApiRule::Other),
            Reason::InBody(reason) => (&*name, ApiRule::Default(reason)),
            Reason::Choices(choices) => (&*name, ApiRule::OneOf(choices)),
            Reason::Detail(_) => (&*name, ApiRule::Other),
        };
        let outer = default.path_ref();
        let slot = match name.strip_prefix('.').unwrap_or(name) {
            "" => *default,
            name => default.with_path(outer.child(name)),
        };
        errors.push_at(rule, error.kind, &slot, node, detail);
    }
}
