//! Whether the defaults of a schema fit it.
//!
//! What is said of metadata in a default, and the forms that a text can have, are not
//! checked here.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/defaulting/validation.go,
//! ValidateDefaults.

mod prune;
mod rules;
mod value;

use crate::crd::{ALIAS_BUDGET, MAX_DEPTH, Schema};
use crate::rules::Check;
use crate::rules::error::Errors;
use crate::rules::slot::Slot;

/// Limit: the values in all defaults of a schema that are looked at. Aliases can make their
/// number explode.
const MAX_VALUES: usize = 100_000;

/// Checks the defaults of the outermost schema and of all inside it.
pub(super) fn check(check: &Check<'_>, schema: &Slot<'_, '_>, errors: &mut Errors) {
    let mut walk = Walk {
        check,
        errors,
        schemas: ALIAS_BUDGET * 10,
        values: MAX_VALUES,
    };
    walk.schema(schema, true, false, MAX_DEPTH);
}

struct Walk<'e, 'd> {
    check: &'e Check<'d>,
    errors: &'e mut Errors,
    /// How many more schemas are looked at.
    schemas: usize,
    /// How many more values are looked at.
    values: usize,
}

impl Walk<'_, '_> {
    fn schema(&mut self, slot: &Slot<'_, '_>, is_root: bool, in_metadata: bool, depth: usize) {
        let Some(schema) = slot.node().and_then(Schema::new) else {
            return;
        };
        let (Some(depth), Some(schemas)) = (depth.checked_sub(1), self.schemas.checked_sub(1))
        else {
            return;
        };
        self.schemas = schemas;
        let is_resource = is_root || schema.flag("x-kubernetes-embedded-resource");
        let in_metadata = in_metadata && !is_resource;
        if !in_metadata {
            self.default(slot, schema, is_resource);
        }
        // Values of maps may have no defaults.
        self.schema(&slot.child("items"), false, in_metadata, depth);
        slot.child("properties").each_value(&mut |name, property| {
            let is_meta = is_resource && prune::METADATA.contains(&name);
            self.schema(property, false, in_metadata || is_meta, depth);
        });
    }

    fn default(&mut self, slot: &Slot<'_, '_>, schema: Schema<'_>, is_resource: bool) {
        let default = slot.child("default");
        let Some(node) = default.node() else {
            return;
        };
        if prune::has_unknown(node, schema, is_resource, &mut self.values) {
            self.errors
                .invalid(&default, "must not have unknown fields");
        }
        if is_resource {
            return;
        }
        let before = self.errors.found.len();
        value::check(&default, schema, self.errors, &mut self.values);
        if self.errors.found.len() == before {
            rules::check(self.check, &default, slot, self.errors, &mut self.values);
        }
    }
}
