//! A field of a schema as an item.

use super::admission_types::at_admission;
use super::{Item, usage};
use crate::kind_fields::{facts, type_text};
use crate::manifest_schema::{description, is_required};
use kubernetes::openapi::Schema;

/// Returns the item of a field of the schema `of`.
pub(super) fn schema_item(of: Schema<'_>, name: &str, field: Schema<'_>) -> Item {
    let is_required = is_required(of, name, field);
    let facts = facts(field, is_required);
    let documentation = match description(of, name, field) {
        Some(description) => format!("{facts}\n\n{}", text::clean::for_markdown(description)),
        None => facts,
    };
    Item {
        detail: Some(type_text(field)),
        documentation: Some(documentation),
        types: at_admission(field),
        position: if is_of_every_kind(of, name) {
            Some(usize::MAX)
        } else {
            let of_type = of.type_name().and_then(|ty| usage::field_of_type(ty, name));
            of_type.or_else(|| of.place_of(name))
        },
        is_required,
        ..Item::new(name)
    }
}

/// Returns whether every object has the field, so that it is rarely of interest.
fn is_of_every_kind(of: Schema<'_>, name: &str) -> bool {
    matches!(name, "apiVersion" | "kind") && of.property("metadata").is_some()
}
