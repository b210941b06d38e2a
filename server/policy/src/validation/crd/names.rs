//! The rules of `spec.names`.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go, ValidateCustomResourceDefinitionNames.

use crate::field_error::ErrorType;
use crate::validation::error::{ApiRule, Errors};
use crate::validation::slot::{ObjectContent, Slot};
use kubernetes::names::format::{self, dns_1035_label};

/// Checks the names. An absent singular or listKind follows from the kind, and is invalid if the
/// kind is.
pub(super) fn check(names: &Slot<'_, '_>, errors: &mut Errors) {
    if names.shape() == ObjectContent::Wrong {
        return;
    }
    let kind = names.child("kind");
    let kind_text = kind.string();
    let plural = names.child("plural");
    check_label(ApiRule::DnsLabel, &plural, plural.string(), errors);
    check_kind(&kind, kind_text, errors);
    let singular = names.child("singular");
    match singular.string() {
        Some("") => {
            let made = kind_text.map(str::to_lowercase);
            let slot = made_of(&kind, &singular);
            check_label(ApiRule::KindName, &slot, made.as_deref(), errors);
        }
        text => check_label(ApiRule::DnsLabel, &singular, text, errors),
    }
    let list_kind = names.child("listKind");
    match list_kind.string() {
        Some("") => {
            let made = kind_text.map(|kind| match kind {
                "" => String::new(),
                _ => format!("{kind}List"),
            });
            check_kind(&made_of(&kind, &list_kind), made.as_deref(), errors);
        }
        text => check_kind(&list_kind, text, errors),
    }
    if kind_text.is_some_and(|kind| !kind.is_empty() && list_kind.string() == Some(kind)) {
        errors.invalid(&list_kind, "kind and listKind may not be the same");
    }
    for field in ["shortNames", "categories"] {
        let list = names.child(field);
        for item in list.items().into_iter().flatten() {
            if let Some(text) = item.string() {
                errors.joined_invalid(ApiRule::DnsLabel, &item, &dns_1035_label(text));
            }
        }
    }
}

/// Returns the position of the kind, named as the field derived from it.
fn made_of<'q, 'a>(kind: &Slot<'_, 'a>, field: &Slot<'q, 'a>) -> Slot<'q, 'a> {
    kind.with_path(*field.path_ref())
}

fn check_label(rule: ApiRule, slot: &Slot<'_, '_>, text: Option<&str>, errors: &mut Errors) {
    match text {
        None => {}
        Some("") => errors.required(slot, ""),
        Some(text) => errors.joined_invalid(rule, slot, &dns_1035_label(text)),
    }
}

fn check_kind(slot: &Slot<'_, '_>, text: Option<&str>, errors: &mut Errors) {
    let Some(text) = text else {
        return;
    };
    if text.is_empty() {
        return errors.required(slot, "");
    }
    if let Some(detail) = format::kind(text) {
        errors.push_rule(ApiRule::KindName, ErrorType::Invalid, slot, detail);
    }
}
