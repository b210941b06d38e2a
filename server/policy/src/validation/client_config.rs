//! The rules for calling a webhook: by a URL or a service.
//!
//! Upstream: kubernetes/apiserver, pkg/util/webhook/validation.go.

use super::error::{ApiRule, Errors};
use super::slot::{ObjectContent, Slot};
use crate::field_error::ErrorType;
use crate::library::url::parse::parse_reference;
use kubernetes::names::format::dns_subdomain;

const FORM: &str = "; desired format: https://host[/path]";

/// Checks a client configuration.
pub(super) fn check(config: &Slot<'_, '_>, errors: &mut Errors) {
    if config.shape() == ObjectContent::Wrong {
        return;
    }
    let url = config.child("url");
    let service = config.child("service");
    if url.is_set() == service.is_set() {
        let detail = "exactly one of url or service is required";
        errors.push_rule(ApiRule::UrlOrService, ErrorType::Required, config, detail);
    } else if let Some(text) = url.string().filter(|_| url.is_set()) {
        check_url(&url, text, errors);
    } else if service.shape() == ObjectContent::Object {
        check_service(&service, errors);
    }
}

fn check_url(slot: &Slot<'_, '_>, text: &str, errors: &mut Errors) {
    let url = match parse_reference(text) {
        Ok(url) => url,
        Err(error) => {
            let detail = format!("url must be a valid URL: {error}{FORM}");
            return errors.push_rule(ApiRule::Url, ErrorType::Required, slot, detail);
        }
    };
    if url.scheme() != "https" {
        let detail = format!("'https' is the only allowed URL scheme{FORM}");
        errors.invalid(slot, detail);
    }
    if url.host().is_empty() {
        errors.invalid(slot, format!("host must be specified{FORM}"));
    }
    if url.has_user() {
        errors.invalid(slot, "user information is not permitted in the URL");
    }
    if url.has_fragment() {
        errors.invalid(slot, "fragments are not permitted in the URL");
    }
    if !url.query().is_empty() {
        errors.invalid(slot, "query parameters are not permitted in the URL");
    }
}

fn check_service(service: &Slot<'_, '_>, errors: &mut Errors) {
    // The server passes name and namespace in the wrong order, so that each is reported
    // under the name of the other.
    for (field, reported) in [("name", "namespace"), ("namespace", "name")] {
        let slot = service.child(field);
        if slot.string() == Some("") {
            errors.required(&slot.with_path(service.path_ref().child(reported)), "");
        }
    }
    let port = service.child("port");
    if port
        .integer()
        .is_some_and(|port| !(1..=65535).contains(&port))
    {
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        errors.invalid(&port, detail);
    }
    let path = service.child("path");
    match path.string() {
        None | Some("" | "/") => {}
        Some("//") => errors.invalid(&path, "segment[0] may not be empty"),
        Some(text) => check_path(&path, text, errors),
    }
}

fn check_path(slot: &Slot<'_, '_>, text: &str, errors: &mut Errors) {
    if !text.starts_with('/') {
        errors.invalid(slot, "must start with a '/'");
    }
    let mut characters = text.chars();
    characters.next();
    let steps = characters.as_str();
    let steps = steps.strip_suffix('/').unwrap_or(steps);
    for (index, step) in steps.split('/').enumerate() {
        if step.is_empty() {
            errors.invalid(slot, format!("segment[{index}] may not be empty"));
            continue;
        }
        for message in dns_subdomain(step) {
            errors.invalid(slot, format!("segment[{index}]: {message}"));
        }
    }
}
