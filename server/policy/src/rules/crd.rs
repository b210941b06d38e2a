//! The rules of CustomResourceDefinition.
//!
//! The server converts a definition before it looks at it: where all versions share a
//! schema it speaks of `spec.validation`, whatever the file says.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go, validateCustomResourceDefinitionSpec;
//! pkg/apis/apiextensions/v1/conversion.go and defaults.go.

mod column;
mod conversion;
mod names;
mod rule;
mod schema;
mod structural;
mod subresource;
mod validation_rule;

use super::Check;
use super::error::Errors;
use super::format::{dns_1035_label, dns_subdomain};
use super::slot::{Shape, Slot};
use crate::crd;
use crate::field_path::{FieldPath, PathRef};
use std::collections::HashSet;
use yaml::Node;

const SCOPES: [&str; 2] = ["Cluster", "Namespaced"];

/// What is wrong with the name of a definition.
pub(super) fn name_messages(root: &Slot<'_, '_>, name: &str) -> Vec<String> {
    let spec = root.child("spec");
    let names = spec.child("names");
    let mut messages = dns_subdomain(name);
    let (plural, group) = (names.child("plural").string(), spec.child("group").string());
    if let (Some(plural), Some(group)) = (plural, group)
        && name != format!("{plural}.{group}")
    {
        messages.push("must be spec.names.plural+\".\"+spec.group".to_owned());
    }
    messages
}

/// Checks the `spec` of a CustomResourceDefinition.
pub(super) fn check(check: &Check<'_>, root: &Slot<'_, '_>, errors: &mut Errors) {
    let spec = root.child("spec");
    if spec.shape() == Shape::Wrong {
        return;
    }
    check_group(&spec.child("group"), errors);
    let scope = spec.child("scope");
    match scope.string() {
        Some("") => errors.required(&scope, ""),
        Some(text) if !SCOPES.contains(&text) => errors.not_supported(&scope, &SCOPES),
        Some(_) | None => {}
    }
    check_versions(check, &spec.child("versions"), errors);
    names::check(&spec.child("names"), errors);
    conversion::check(&spec.child("conversion"), errors);
    let preserve = spec.child("preserveUnknownFields");
    if preserve.boolean() == Some(true) {
        errors.invalid(
            &preserve,
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in \
             spec.versions[*].schema instead",
        );
    }
}

fn check_group(group: &Slot<'_, '_>, errors: &mut Errors) {
    let text = match group.string() {
        None => return,
        Some("") => return errors.required(group, ""),
        Some(text) => text,
    };
    let messages = dns_subdomain(text);
    if messages.is_empty() && !text.contains('.') {
        errors.invalid(group, "should be a domain with at least one dot");
    }
    errors.joined_invalid(group, &messages);
}

fn check_versions(check: &Check<'_>, versions: &Slot<'_, '_>, errors: &mut Errors) {
    let Some(items) = versions.items() else {
        return;
    };
    let items: Vec<Slot<'_, '_>> = items.collect();
    let mut names = HashSet::new();
    let mut unique = true;
    let mut storage = 0;
    for version in &items {
        let name = version.child("name");
        if let Some(text) = name.string() {
            unique &= names.insert(text);
            errors.joined_invalid(&name, &dns_1035_label(text));
        }
        storage += usize::from(version.child("storage").boolean() != Some(false));
        check_deprecation(version, errors);
    }
    if !unique {
        errors.invalid(versions, "must contain unique version names");
    }
    if storage != 1 {
        errors.invalid(
            versions,
            "must have exactly one version marked as storage version",
        );
    }
    if storage == 0 {
        // What a stored object is called follows from the storage version.
        let document = FieldPath::root();
        let document = PathRef::new(&document);
        let status = document.child("status");
        let stored = versions.with_path(status.child("storedVersions"));
        errors.invalid(&stored, "must have at least one stored version");
    }
    check_parts(check, &items, errors);
}

fn check_deprecation(version: &Slot<'_, '_>, errors: &mut Errors) {
    let warning = version.child("deprecationWarning");
    let Some(text) = warning.string().filter(|_| warning.is_set()) else {
        return;
    };
    if version.child("deprecated").boolean() == Some(false) {
        return errors.invalid(&warning, "can only be set for deprecated versions");
    }
    if text.len() > 256 {
        errors.invalid(&warning, "must be <= 256 characters long");
    }
    if text.is_empty() {
        errors.invalid(&warning, "must not be an empty string");
    }
}

/// A part of a version that the server moves to `spec` where all versions have the same.
struct Part {
    /// The field of a version.
    field: &'static str,
    /// The field of `spec` to which it is moved.
    moved: &'static str,
}

const PARTS: [Part; 3] = [
    Part {
        field: "schema",
        moved: "validation",
    },
    Part {
        field: "subresources",
        moved: "subresources",
    },
    Part {
        field: "additionalPrinterColumns",
        moved: "additionalPrinterColumns",
    },
];

fn check_parts(check: &Check<'_>, versions: &[Slot<'_, '_>], errors: &mut Errors) {
    for part in PARTS {
        let slots: Vec<Slot<'_, '_>> = versions
            .iter()
            .map(|version| version.child(part.field))
            .collect();
        let moved = all_same(&slots);
        let looked_at = if moved { 1 } else { slots.len() };
        for (index, slot) in slots.iter().take(looked_at).enumerate() {
            let before = errors.found.len();
            match part.field {
                "schema" => check_schema(check, versions.get(index), slot, errors),
                "subresources" => subresource::check(slot, errors),
                _ => column::check(slot, errors),
            }
            if moved {
                let (from, to) = (slot.path().to_string(), format!("spec.{}", part.moved));
                rename(errors, before, &from, &to);
            }
        }
        if part.field == "schema" {
            require_schemas(&slots, moved, errors);
        }
    }
}

fn check_schema(
    check: &Check<'_>,
    version: Option<&Slot<'_, '_>>,
    slot: &Slot<'_, '_>,
    errors: &mut Errors,
) {
    let status =
        version.is_some_and(|version| version.child("subresources").child("status").is_set());
    schema::check(check, &slot.child("openAPIV3Schema"), status, errors);
}

/// Every version needs a schema, its own or the one that all share.
fn require_schemas(slots: &[Slot<'_, '_>], moved: bool, errors: &mut Errors) {
    for slot in slots {
        let schema = slot.child("openAPIV3Schema");
        if slot.shape() != Shape::Wrong && !schema.is_set() {
            errors.required(&schema, "");
        } else if moved {
            return;
        }
    }
}

/// The errors from `before` on, with a field below `from` called by `to`.
fn rename(errors: &mut Errors, before: usize, from: &str, to: &str) {
    for error in errors.found.iter_mut().skip(before) {
        if let Some(rest) = error.field.strip_prefix(from) {
            error.field = format!("{to}{rest}");
            error.detail = error.detail.replace(from, to);
        }
    }
}

fn all_same(slots: &[Slot<'_, '_>]) -> bool {
    let mut nodes = slots.iter().map(Slot::node);
    let first: Option<Option<Node<'_>>> = nodes.next();
    let Some(first) = first else {
        return false;
    };
    nodes.all(|other| match (first, other) {
        (None, None) => true,
        (Some(first), Some(other)) => crd::same(first, other),
        _ => false,
    })
}
