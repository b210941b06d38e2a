//! The rules of `spec.names`.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go, ValidateCustomResourceDefinitionNames.

use crate::rules::error::Errors;
use crate::rules::format::dns_1035_label;
use crate::rules::slot::{Shape, Slot};

/// Checks the names. An absent singular or listKind follows from the kind.
pub(super) fn check(names: &Slot<'_, '_>, errors: &mut Errors) {
    if names.shape() == Shape::Wrong {
        return;
    }
    let kind = names.child("kind");
    let kind_text = kind.string();
    for field in ["plural", "kind"] {
        let slot = names.child(field);
        if slot.string() == Some("") {
            errors.required(&slot, "");
        }
    }
    if kind_text == Some("") {
        for field in ["singular", "listKind"] {
            let slot = names.child(field);
            if slot.string() == Some("") {
                errors.required(&slot, "");
            }
        }
    }
    for field in ["plural", "singular"] {
        let slot = names.child(field);
        if let Some(text) = slot.string().filter(|text| !text.is_empty()) {
            errors.joined_invalid(&slot, &dns_1035_label(text));
        }
    }
    for field in ["kind", "listKind"] {
        check_kind(&names.child(field), errors);
    }
    let list_kind = names.child("listKind");
    if kind_text.is_some_and(|kind| !kind.is_empty() && list_kind.string() == Some(kind)) {
        errors.invalid(&list_kind, "kind and listKind may not be the same");
    }
    for field in ["shortNames", "categories"] {
        let list = names.child(field);
        for item in list.items().into_iter().flatten() {
            if let Some(text) = item.string() {
                errors.joined_invalid(&item, &dns_1035_label(text));
            }
        }
    }
}

fn check_kind(slot: &Slot<'_, '_>, errors: &mut Errors) {
    let Some(text) = slot.string().filter(|text| !text.is_empty()) else {
        return;
    };
    let messages = dns_1035_label(&text.to_lowercase());
    if !messages.is_empty() {
        let form = messages.join(",");
        let detail = format!("may have mixed case, but should otherwise match: {form}");
        errors.invalid(slot, detail);
    }
}
