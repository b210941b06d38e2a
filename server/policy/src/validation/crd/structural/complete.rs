//! Checks that every field of a combined schema is declared outside it.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/complete.go,
//! validateStructuralCompleteness.

use crate::field_error::ErrorType;
use crate::json_schema::{ALIAS_BUDGET, JsonSchema, MAX_DEPTH};
use crate::validation::error::{ApiRule, Errors};
use crate::validation::slot::Slot;

struct CompletenessChecker<'e> {
    errors: &'e mut Errors,
    /// The remaining number of schemas to visit, since aliases may repeat them.
    budget: usize,
}

/// Checks the schemas that are combined with the outermost one. The server checks only these.
pub(super) fn check(schema: &Slot<'_, '_>, errors: &mut Errors) {
    let mut checker = CompletenessChecker {
        errors,
        budget: 10 * ALIAS_BUDGET,
    };
    checker.combined(schema, schema, MAX_DEPTH);
}

impl CompletenessChecker<'_> {
    /// Checks the schemas that are combined with `schema`. `declared` must declare their fields.
    fn combined(&mut self, schema: &Slot<'_, '_>, declared: &Slot<'_, '_>, depth: usize) {
        self.nested(&schema.child("not"), declared, depth);
        for field in ["allOf", "anyOf", "oneOf"] {
            let list = schema.child(field);
            for item in list.items().into_iter().flatten() {
                self.nested(&item, declared, depth);
            }
        }
    }

    fn nested(&mut self, schema: &Slot<'_, '_>, declared: &Slot<'_, '_>, depth: usize) {
        let (Some(depth), Some(budget)) = (depth.checked_sub(1), self.budget.checked_sub(1)) else {
            return;
        };
        if !is_schema(schema) {
            return;
        }
        self.budget = budget;
        self.combined(schema, declared, depth);
        let items = (schema.child("items"), declared.child("items"));
        if is_schema(&items.0) {
            self.inner(&items.0, &items.1, depth);
        }
        let properties = declared.child("properties");
        schema.child("properties").each_value(&mut |name, schema| {
            let path = properties.path_ref().key(name);
            let declared = properties.child(name);
            self.inner(schema, &declared.with_path(path), depth);
        });
    }

    fn inner(&mut self, schema: &Slot<'_, '_>, declared: &Slot<'_, '_>, depth: usize) {
        if is_schema(declared) {
            self.nested(schema, declared, depth);
        } else {
            let place = schema.path().to_string();
            let detail = format!("because it is defined in {place}");
            let rule = ApiRule::Declared(place);
            self.errors
                .push_rule(rule, ErrorType::Required, declared, detail);
        }
    }
}

fn is_schema(slot: &Slot<'_, '_>) -> bool {
    slot.node().and_then(JsonSchema::new).is_some()
}
