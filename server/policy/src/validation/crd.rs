//! The rules of CustomResourceDefinition.
//!
//! The server converts a definition before it validates it: if all versions share a schema, it
//! reports `spec.validation`, regardless of the file.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go, validateCustomResourceDefinitionSpec;
//! pkg/apis/apiextensions/v1/conversion.go and defaults.go.

mod approval;
mod column;
mod conversion;
mod default;
mod field_path;
mod names;
mod rule;
mod schema;
mod selectable;
mod structural;
mod subresource;
mod validation_rule;

use super::Check;
use super::error::{ApiRule, Errors};
use super::slot::{ObjectContent, Slot};
use crate::field_error::ErrorType;
use crate::field_path::{FieldPath, PathRef};
use crate::json_schema::{self, JsonSchema};
use kubernetes::names::format::{dns_1035_label, dns_subdomain};
use kubernetes::quote::is_printable;
use std::collections::HashSet;
use yaml::Node;

/// Returns the path that a rule of `schema` names in its `fieldPath`, as the server writes it:
/// `labels[a]` for `.labels['a']`. `None` if it is invalid.
pub fn rule_path(path: &str, schema: JsonSchema<'_>) -> Option<String> {
    let found = field_path::find(path, schema, true).ok()?;
    Some(found.path).filter(|path| !path.is_empty())
}

/// Returns the schema of the field that a rule of `schema` names in its `fieldPath`.
#[must_use]
pub fn rule_field<'a>(path: &str, schema: JsonSchema<'a>) -> Option<JsonSchema<'a>> {
    field_path::find(path, schema, true).ok()?.schema
}

const SCOPES: [&str; 2] = ["Cluster", "Namespaced"];

/// Returns the name that the plural and the group require.
pub(super) fn expected_name(root: &Slot<'_, '_>) -> Option<String> {
    let spec = root.child("spec");
    let names = spec.child("names");
    let (plural, group) = (
        names.child("plural").string()?,
        spec.child("group").string()?,
    );
    Some(format!("{plural}.{group}"))
}

/// Checks the `spec` of a CustomResourceDefinition.
pub(super) fn check(check: &Check<'_>, root: &Slot<'_, '_>, errors: &mut Errors) {
    let spec = root.child("spec");
    if spec.shape() == ObjectContent::Wrong {
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
    check_preserve(&spec, errors);
    approval::check(root, errors);
}

/// Checks the field, which the server keeps only for old definitions.
fn check_preserve(spec: &Slot<'_, '_>, errors: &mut Errors) {
    let preserve = spec.child("preserveUnknownFields");
    if preserve.boolean() != Some(true) {
        return;
    }
    errors.invalid(
        &preserve,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in \
         spec.versions[*].schema instead",
    );
    let conversion = spec.child("conversion");
    let strategy = conversion.child("strategy");
    if conversion.is_set() && strategy.string().is_some_and(|text| text != "None") {
        let detail = "must be None if spec.preserveUnknownFields is true";
        errors.invalid(&strategy, detail);
    }
    let versions = spec.child("versions");
    let mut items = versions.items().into_iter().flatten();
    let has_defaults = items.any(|version| {
        let schema = version.child("schema");
        let schema = schema.child("openAPIV3Schema");
        let schema = schema.node().and_then(JsonSchema::new);
        schema.is_some_and(has_default)
    });
    if has_defaults {
        let detail = "must be false in order to use defaults in the schema";
        errors.invalid(&preserve, detail);
    }
}

/// Returns whether a schema or one inside it has a default.
fn has_default(schema: JsonSchema<'_>) -> bool {
    schema.all().into_iter().any(|schema| schema.has("default"))
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
    errors.joined_invalid(ApiRule::DnsSubdomain, group, &messages);
}

fn check_versions(check: &Check<'_>, versions: &Slot<'_, '_>, errors: &mut Errors) {
    let Some(items) = versions.items() else {
        return;
    };
    let items: Vec<Slot<'_, '_>> = items.collect();
    let mut names = HashSet::new();
    let mut unique = true;
    let mut storage = 0;
    for (index, version) in items.iter().enumerate() {
        let name = version.child("name");
        if let Some(text) = name.string() {
            unique &= names.insert(text);
            let messages = dns_1035_label(text);
            errors.joined_invalid(ApiRule::DnsLabel, &name, &messages);
            // The server also keeps the first name in a separate field.
            if index == 0 && !text.is_empty() {
                let before = errors.found.len();
                errors.joined_invalid(ApiRule::DnsLabel, &name, &messages);
                rename(errors, before, &name, "spec.version");
            }
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
    check_stored(versions, &items, errors);
    check_parts(check, &items, errors);
}

/// Checks the stored versions, which follow from the first storage version.
///
/// Upstream: kubernetes/apiextensions-apiserver,
/// pkg/apis/apiextensions/validation/validation.go,
/// ValidateCustomResourceDefinitionStoredVersions;
/// pkg/registry/customresourcedefinition/strategy.go, PrepareForCreate.
fn check_stored(versions: &Slot<'_, '_>, items: &[Slot<'_, '_>], errors: &mut Errors) {
    let document = FieldPath::root();
    let document = PathRef::new(&document);
    let status = document.child("status");
    let path = status.child("storedVersions");
    let mut stored_error = |slot: &Slot<'_, '_>, detail: String| {
        errors.push_rule(ApiRule::StoredVersions, ErrorType::Invalid, slot, detail);
    };
    let is_storage = |version: &&Slot<'_, '_>| version.child("storage").boolean() != Some(false);
    let name = |version: &Slot<'_, '_>| version.child("name").string().map(str::to_owned);
    let Some(first) = items.iter().find(is_storage) else {
        let detail = "must have at least one stored version";
        return stored_error(&versions.with_path(path), detail.to_owned());
    };
    let mut stored = name(first);
    for version in items {
        let Some(name) = name(version) else {
            continue;
        };
        if stored.as_ref() == Some(&name) {
            stored = None;
        } else if is_storage(&version) {
            let storage = version.child("storage").with_path(path);
            stored_error(&storage, format!("must have the storage version {name}"));
        }
    }
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
    let mut characters = text.char_indices();
    if let Some((index, _)) = characters.find(|(_, char)| !is_printable(*char)) {
        let detail = format!(
            "must only contain printable UTF-8 characters; non-printable character found at \
             index {index}"
        );
        errors.invalid(&warning, detail);
    }
}

/// A part of a version that the server moves to `spec` if all versions share it.
struct Part {
    /// The field of a version.
    field: &'static str,
    /// The field of `spec` to which it is moved.
    moved: &'static str,
}

const PARTS: [Part; 4] = [
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
    Part {
        field: "selectableFields",
        moved: "selectableFields",
    },
];

fn check_parts(check: &Check<'_>, versions: &[Slot<'_, '_>], errors: &mut Errors) {
    let mut schemas_moved = false;
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
                "schema" => {
                    let mut speak_of = versions
                        .iter()
                        .enumerate()
                        .filter(|(other, _)| moved || *other == index);
                    let status = speak_of.any(|(_, version)| has_status(version));
                    schema::check(check, &slot.child("openAPIV3Schema"), status, errors);
                }
                "subresources" => subresource::check(slot, errors),
                "selectableFields" => {
                    let schema = versions.get(index).map(|version| version.child("schema"));
                    let schema = schema.filter(|_| moved == schemas_moved);
                    selectable::check(slot, schema.as_ref(), moved, errors);
                }
                _ => column::check(slot, errors),
            }
            if moved {
                rename(errors, before, slot, &format!("spec.{}", part.moved));
            }
        }
        if part.field == "schema" {
            schemas_moved = moved;
            require_schemas(&slots, moved, errors);
        }
    }
}

fn has_status(version: &Slot<'_, '_>) -> bool {
    version.child("subresources").child("status").is_set()
}

/// Checks that every version has a schema, its own or a shared one.
fn require_schemas(slots: &[Slot<'_, '_>], moved: bool, errors: &mut Errors) {
    for slot in slots {
        let schema = slot.child("openAPIV3Schema");
        if slot.shape() != ObjectContent::Wrong && !schema.is_set() {
            errors.required(&schema, "");
        } else if moved {
            return;
        }
    }
}

/// Names the fields in `slot` of the errors from `before` on as the server does, below `to`.
fn rename(errors: &mut Errors, before: usize, slot: &Slot<'_, '_>, to: &str) {
    let from = slot.path().to_string();
    for error in errors.found.iter_mut().skip(before) {
        if let Some(rest) = error.field.strip_prefix(&from) {
            error.field = format!("{to}{rest}");
            error.detail = error.detail.replace(&from, to);
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
        (Some(first), Some(other)) => json_schema::same(first, other),
        _ => false,
    })
}
