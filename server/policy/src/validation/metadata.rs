//! The rules of `metadata`.
//!
//! Upstream: kubernetes/apimachinery, pkg/api/validation/objectmeta.go,
//! ValidateObjectMetaAccessor, for a kind without a namespace.

use super::error::{ApiRule, Errors};
use super::slot::Slot;
use crate::field_error::ErrorType;
use kubernetes::entries;
use kubernetes::names::format::{dns_subdomain, label_value, qualified_name, without_dash};
use yaml::Node;

/// Limit: all annotations of an object together.
const ANNOTATIONS_SIZE: usize = 256 * 1024;

/// Checks the metadata of a document. `expected` is the name of a CustomResourceDefinition.
pub(super) fn check(root: &Slot<'_, '_>, expected: Option<&str>, errors: &mut Errors) {
    let metadata = root.child("metadata");
    generate_name(&metadata, expected, errors);
    object_name(&metadata, expected, errors);
    namespace(&metadata, errors);
    labels(&metadata.child("labels"), errors);
    annotations(&metadata.child("annotations"), errors);
    owner_references(&metadata.child("ownerReferences"), errors);
    finalizers(&metadata.child("finalizers"), errors);
}

fn generate_name(metadata: &Slot<'_, '_>, expected: Option<&str>, errors: &mut Errors) {
    let slot = metadata.child("generateName");
    if let Some(prefix) = slot.string().filter(|prefix| !prefix.is_empty()) {
        check_name(&slot, &without_dash(prefix), expected, errors);
    }
}

fn check_name(slot: &Slot<'_, '_>, text: &str, expected: Option<&str>, errors: &mut Errors) {
    errors.all_invalid(&ApiRule::DnsSubdomain, slot, dns_subdomain(text));
    if let Some(expected) = expected.filter(|expected| *expected != text) {
        let rule = ApiRule::DefinitionName(expected.to_owned());
        let detail = "must be spec.names.plural+\".\"+spec.group";
        errors.push_rule(rule, ErrorType::Invalid, slot, detail);
    }
}

fn object_name(metadata: &Slot<'_, '_>, expected: Option<&str>, errors: &mut Errors) {
    let slot = metadata.child("name");
    match slot.string() {
        None => {}
        // The server creates a name from the prefix before it checks the name.
        Some("") if metadata.child("generateName").is_set() => {}
        Some("") => errors.required(&slot, "name or generateName is required"),
        Some(text) => check_name(&slot, text, expected, errors),
    }
}

fn namespace(metadata: &Slot<'_, '_>, errors: &mut Errors) {
    let slot = metadata.child("namespace");
    if slot.string().is_some_and(|namespace| !namespace.is_empty()) {
        let detail = "not allowed on this type";
        errors.push_rule(ApiRule::ClusterScoped, ErrorType::Forbidden, &slot, detail);
    }
}

/// Checks labels, including those of a selector.
///
/// Upstream: kubernetes/apimachinery, pkg/apis/meta/v1/validation/validation.go,
/// ValidateLabels.
pub(super) fn labels(slot: &Slot<'_, '_>, errors: &mut Errors) {
    for (key, value) in pairs(slot) {
        errors.all_invalid_at(
            &ApiRule::QualifiedName,
            slot,
            key,
            qualified_name(&key.key_text()),
        );
        if let Some(text) = string(value) {
            errors.all_invalid_at(&ApiRule::LabelValue, slot, value, label_value(text));
        }
    }
}

fn annotations(slot: &Slot<'_, '_>, errors: &mut Errors) {
    let mut size = 0;
    for (key, value) in pairs(slot) {
        let name = key.key_text();
        size += name.len() + string(value).map_or(0, str::len);
        // This is the only check that ignores case.
        errors.all_invalid_at(
            &ApiRule::QualifiedName,
            slot,
            key,
            qualified_name(&name.to_lowercase()),
        );
    }
    if size > ANNOTATIONS_SIZE {
        let detail = format!("may not be more than {ANNOTATIONS_SIZE} bytes");
        errors.push(ErrorType::TooLong, slot, detail);
    }
}

fn owner_references(slot: &Slot<'_, '_>, errors: &mut Errors) {
    let Some(owners) = slot.items() else {
        return;
    };
    let mut controller: Option<String> = None;
    for owner in owners {
        owner_reference(slot, &owner, errors);
        if owner.child("controller").boolean() != Some(true) {
            continue;
        }
        let text = |field: &str| owner.child(field).string().unwrap_or("").to_owned();
        let named = format!("{}/{}", text("kind"), text("name"));
        match &controller {
            None => controller = Some(named),
            Some(first) => errors.invalid(
                slot,
                format!(
                    "Only one reference can have Controller set to true. Found \"true\" in \
                     references for {first} and {named}"
                ),
            ),
        }
    }
}

/// Checks an owner. The server names its fields without the index in the list.
fn owner_reference(list: &Slot<'_, '_>, owner: &Slot<'_, '_>, errors: &mut Errors) {
    let mut check = |field: &str, detail: &str, wrong: fn(&str) -> bool| {
        let slot = owner.child(field);
        if slot.string().is_some_and(wrong) {
            errors.invalid(&slot.with_path(list.path_ref().child(field)), detail);
        }
    };
    let without_version = |text: &str| {
        let mut parts = text.split('/').rev();
        parts.next().is_none_or(str::is_empty) || parts.nth(1).is_some()
    };
    check("apiVersion", "version must not be empty", without_version);
    check("kind", "must not be empty", str::is_empty);
    check("name", "must not be empty", str::is_empty);
    check("uid", "must not be empty", str::is_empty);
    let text = |field: &str| owner.child(field).string();
    if (text("apiVersion"), text("kind")) == (Some("v1"), Some("Event")) {
        let detail = "/v1, Kind=Event is disallowed from being an owner";
        errors.invalid(&owner.with_path(*list.path_ref()), detail);
    }
}

fn finalizers(slot: &Slot<'_, '_>, errors: &mut Errors) {
    let Some(items) = slot.items() else {
        return;
    };
    let mut found = Vec::new();
    for item in items {
        let Some(finalizer) = item.string() else {
            continue;
        };
        let slot = item.with_path(*slot.path_ref());
        errors.all_invalid(&ApiRule::QualifiedName, &slot, qualified_name(finalizer));
        found.push(finalizer);
    }
    if found.contains(&"orphan") && found.contains(&"foregroundDeletion") {
        errors.invalid(
            slot,
            "finalizer orphan and foregroundDeletion cannot be both set",
        );
    }
}

/// Returns the keys and values of a map as the server sees them.
fn pairs<'a>(slot: &Slot<'_, 'a>) -> impl Iterator<Item = (Node<'a>, Node<'a>)> {
    let mapping = slot.node().and_then(Node::as_mapping);
    mapping
        .into_iter()
        .flat_map(entries)
        .map(|entry| (entry.key, entry.value))
}

/// Returns a string in a map; null is the empty string.
fn string(node: Node<'_>) -> Option<&str> {
    if node.is_null() {
        Some("")
    } else {
        node.as_str()
    }
}
