//! The rules of `spec.conversion`.
//!
//! The server moves the fields of `webhook` one level up before it checks them, and names them
//! accordingly.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go, validateCustomResourceConversion.

use super::rename;
use crate::validation::client_config;
use crate::validation::error::Errors;
use crate::validation::review_versions;
use crate::validation::slot::{ObjectContent, Slot};

const STRATEGIES: [&str; 2] = ["None", "Webhook"];

/// The fields of `webhook`, and the fields of the conversion to which they are moved.
const MOVED: [(&str, &str); 2] = [
    ("clientConfig", "webhookClientConfig"),
    ("conversionReviewVersions", "conversionReviewVersions"),
];

/// Checks the conversion. Without one, objects are not converted.
pub(super) fn check(conversion: &Slot<'_, '_>, errors: &mut Errors) {
    if conversion.shape() != ObjectContent::Object {
        return;
    }
    let strategy = conversion.child("strategy");
    let Some(text) = strategy.string() else {
        return;
    };
    if text.is_empty() {
        errors.required(&strategy, "");
    } else if !STRATEGIES.contains(&text) {
        errors.not_supported(&strategy, &STRATEGIES);
    }
    let webhook = conversion.child("webhook");
    let before = errors.found.len();
    check_webhook(text, &webhook, errors);
    for (field, moved) in MOVED {
        let to = format!("{}.{moved}", conversion.path());
        rename(errors, before, &webhook.child(field), &to);
    }
}

fn check_webhook(strategy: &str, webhook: &Slot<'_, '_>, errors: &mut Errors) {
    let config = webhook.child("clientConfig");
    let versions = webhook.child("conversionReviewVersions");
    if strategy == "Webhook" {
        if config.is_set() {
            client_config::check(&config, errors);
        } else {
            errors.required(&config, "required when strategy is set to Webhook");
        }
        review_versions::check(&versions, Some(""), errors);
        return;
    }
    let forbidden = "should not be set when strategy is not set to Webhook";
    if config.is_set() {
        errors.forbidden(&config, forbidden);
    }
    if versions.items().is_some_and(|items| items.len() > 0) {
        errors.forbidden(&versions, forbidden);
    }
}
