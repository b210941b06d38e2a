//! The rules of MutatingAdmissionPolicy.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateMutatingAdmissionPolicySpec.

use super::error::Errors;
use super::policy::check_head;
use super::resources::check_mutating_operations;
use super::slot::{ObjectContent, Slot};
use super::{Check, reinvocation_policy};
use crate::manifest::PatchType;

/// Checks the `spec` of a MutatingAdmissionPolicy.
pub(super) fn check(check: &Check<'_>, root: &Slot<'_, '_>, errors: &mut Errors) {
    let spec = root.child("spec");
    if spec.shape() == ObjectContent::Wrong {
        return;
    }
    check_head(check, &spec, errors);
    check_mutating_operations(&spec.child("matchConstraints"), errors);
    let mutations = spec.child("mutations");
    if mutations.items().is_some_and(|items| items.len() == 0) {
        errors.required(&mutations, "mutations must contain at least one item");
    }
    for mutation in mutations.items().into_iter().flatten() {
        check_mutation(check, &mutation, errors);
    }
    reinvocation_policy::check_policy(&spec.child("reinvocationPolicy"), errors);
}

fn check_mutation(check: &Check<'_>, mutation: &Slot<'_, '_>, errors: &mut Errors) {
    let patch_type = mutation.child("patchType");
    let apply = mutation.child("applyConfiguration");
    let patch = mutation.child("jsonPatch");
    match patch_type.string() {
        None => {}
        Some("") => errors.required(&patch_type, ""),
        Some("JSONPatch") => {
            check_patch(check, &patch, "JSONPatch", errors);
            check_absent(&apply, "JSONPatch", errors);
        }
        Some("ApplyConfiguration") => {
            check_patch(check, &apply, "ApplyConfiguration", errors);
            check_absent(&patch, "ApplyConfiguration", errors);
        }
        Some(_) => errors.not_supported(&patch_type, &PatchType::VALUES),
    }
}

fn check_patch(check: &Check<'_>, patch: &Slot<'_, '_>, patch_type: &str, errors: &mut Errors) {
    if !patch.is_set() {
        let detail = format!("must be specified when patchType is {patch_type}");
        return errors.required(patch, detail);
    }
    if patch.shape() == ObjectContent::Wrong {
        return;
    }
    let expression = patch.child("expression");
    if expression
        .string()
        .is_some_and(|text| text.trim().is_empty())
    {
        errors.required(&expression, "");
    }
    check.compile(&expression, errors);
}

fn check_absent(patch: &Slot<'_, '_>, patch_type: &str, errors: &mut Errors) {
    if patch.is_set() {
        let detail = format!("must not be specified when patchType is {patch_type}");
        errors.invalid(patch, detail);
    }
}
