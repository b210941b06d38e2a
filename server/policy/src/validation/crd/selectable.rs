//! The rules of `selectableFields`.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go, ValidateCustomResourceSelectableFields.

use super::field_path::find;
use super::structural::unsupported;
use crate::json_schema::JsonSchema;
use crate::validation::error::Errors;
use crate::validation::slot::Slot;
use std::collections::HashSet;

/// Limit: selectable fields of a version. MaxSelectableFields in the same file.
const MAX_FIELDS: usize = 8;

/// Checks the selectable fields of a version, or of all if `moved`. `schema` is the schema that
/// the server finds next to them.
pub(super) fn check(
    fields: &Slot<'_, '_>,
    schema: Option<&Slot<'_, '_>>,
    moved: bool,
    errors: &mut Errors,
) {
    let Some(items) = fields.items().filter(|items| items.len() > 0) else {
        return;
    };
    let outer = schema.filter(|schema| schema.is_set());
    let inner = outer.map(|schema| schema.child("openAPIV3Schema"));
    if moved && outer.is_none() {
        return errors.invalid(
            fields,
            "may only be set when validations.schema is included",
        );
    }
    let inner = inner.filter(Slot::is_set);
    if !moved && inner.is_none() {
        let detail = "may only be set when `version.schema.openAPIV3Schema` is not included";
        return errors.invalid(fields, detail);
    }
    let schema = inner.and_then(|inner| inner.node()).map(JsonSchema::new);
    let schema = schema.map(|schema| schema.filter(|it| unsupported(*it).is_none()));
    if schema == Some(None) {
        return;
    }
    let schema = schema.flatten();
    let mut paths = HashSet::new();
    for item in items {
        check_field(&item, schema, &mut paths, errors);
    }
    if paths.len() > MAX_FIELDS {
        errors.too_many(fields, MAX_FIELDS);
    }
}

fn check_field(
    field: &Slot<'_, '_>,
    schema: Option<JsonSchema<'_>>,
    paths: &mut HashSet<String>,
    errors: &mut Errors,
) {
    let slot = field.child("jsonPath");
    let Some(text) = slot.string() else {
        return;
    };
    if text.is_empty() {
        return errors.required(&slot, "");
    }
    let Some(schema) = schema else {
        return;
    };
    let found = match find(text, schema, false) {
        Ok(found) => found,
        Err(error) => return errors.invalid(&slot, format!("is an invalid path: {error}")),
    };
    if found.root == "metadata" {
        errors.invalid(&slot, "must not point to fields in metadata");
    }
    let ty = found.schema.map(JsonSchema::ty);
    if !matches!(ty, Some("string" | "boolean" | "integer")) {
        let detail = "must point to a field of type string, boolean or integer. Enum string \
                      fields and strings with formats are allowed.";
        errors.invalid(&slot, detail);
    }
    if !paths.insert(found.path) {
        errors.duplicate(&slot);
    }
}
