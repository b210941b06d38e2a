//! The rules of `subresources`.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go,
//! ValidateCustomResourceDefinitionSubresources.

use crate::validation::error::Errors;
use crate::validation::slot::{ObjectContent, Slot};

/// Checks the subresources of a version.
pub(super) fn check(subresources: &Slot<'_, '_>, errors: &mut Errors) {
    let scale = subresources.child("scale");
    if scale.shape() != ObjectContent::Object {
        return;
    }
    let spec = "should be a json path under .spec";
    check_path(
        &scale.child("specReplicasPath"),
        &[".spec."],
        spec,
        true,
        errors,
    );
    let status = "should be a json path under .status";
    check_path(
        &scale.child("statusReplicasPath"),
        &[".status."],
        status,
        true,
        errors,
    );
    let either = "should be a json path under either .spec or .status";
    let both = [".spec.", ".status."];
    check_path(
        &scale.child("labelSelectorPath"),
        &both,
        either,
        false,
        errors,
    );
}

fn check_path(
    slot: &Slot<'_, '_>,
    starts: &[&str],
    detail: &str,
    required: bool,
    errors: &mut Errors,
) {
    let Some(text) = slot.string() else {
        return;
    };
    if text.is_empty() {
        if required {
            errors.required(slot, "");
        }
    } else if !text.starts_with('.') {
        errors.invalid(slot, "must be a simple json path starting with .");
    } else if !starts.iter().any(|start| text.starts_with(start)) {
        errors.invalid(slot, detail);
    }
}
