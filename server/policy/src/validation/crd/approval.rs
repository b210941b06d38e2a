//! The approval that an API in a group of Kubernetes itself needs.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go, validateAPIApproval;
//! pkg/apihelpers/helpers.go, IsProtectedCommunityGroup and GetAPIApprovalState.

use crate::field_error::ErrorType;
use crate::library::url::parse::request_parts;
use crate::validation::error::{ApiRule, Errors};
use crate::validation::slot::Slot;

const ANNOTATION: &str = "api-approved.kubernetes.io";
const PROTECTED: [&str; 2] = ["k8s.io", "kubernetes.io"];
const MORE: &str = "see https://github.com/kubernetes/enhancements/pull/1111";

/// Checks that a definition in a protected group has the annotation.
pub(super) fn check(root: &Slot<'_, '_>, errors: &mut Errors) {
    let spec = root.child("spec");
    let group = spec.child("group");
    if !group.string().is_some_and(is_protected) {
        return;
    }
    let metadata = root.child("metadata");
    let annotations = metadata.child("annotations");
    let annotation = annotations
        .child(ANNOTATION)
        .with_path(annotations.path_ref().key(ANNOTATION));
    let needed = format!("protected groups must have approval annotation {ANNOTATION:?}");
    match annotation.string() {
        Some("") => {
            let detail = format!("{needed}, {MORE}");
            errors.push_rule(ApiRule::Approval, ErrorType::Required, &annotation, detail);
        }
        Some(text) if !text.starts_with("unapproved") && !is_url(text) => {
            let either = "with either a URL or a reason starting with \"unapproved\"";
            errors.invalid(&annotation, format!("{needed} {either}, {MORE}"));
        }
        Some(_) | None => {}
    }
}

fn is_protected(group: &str) -> bool {
    PROTECTED.iter().any(|protected| {
        let before = group.strip_suffix(protected);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

fn is_url(text: &str) -> bool {
    request_parts(text).is_ok_and(|url| !url.host().is_empty() && !url.scheme().is_empty())
}
