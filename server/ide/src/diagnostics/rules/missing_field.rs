#![doc = include_str!("missing_field.md")]

use super::unknown_kind;
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::misplaced::Place;
use crate::diagnostics::{Finding, RuleContext, api_error};
use crate::file::SourceFile;
use policy::field_error::ErrorType;
use policy::schema::MismatchKind;
use policy::validation::{ApiError, ApiRule};
use policy::{FieldPath, FieldStep, NearMiss, NearMissKind};
use std::collections::HashSet;
use text::TextEdit;
use yaml::Node;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let misses = context.file.near_misses().iter();
    found.extend(misses.filter_map(unidentified));
    for facts in context.policies() {
        // In a document with a syntax error, the field may be present but not parsed.
        if facts.document.recovered() {
            continue;
        }
        let causes = Causes::new(facts);
        let errors = facts.errors.iter();
        let missing = errors.filter_map(|error| missing(context.file, facts, &causes, error));
        found.extend(missing.take(context.max_findings()));
    }
}

/// Reports a document without `apiVersion` or `kind`.
fn unidentified(miss: &NearMiss) -> Option<Finding> {
    let (message, fix) = match &miss.kind {
        NearMissKind::MissingApiVersion { kind } => (
            format!("A `{kind}` requires the field `apiVersion`."),
            unknown_kind::newest(*kind).map(|newest| ("apiVersion", newest)),
        ),
        NearMissKind::MissingKind { group } => (
            format!("An object of `{group}` requires the field `kind`."),
            None,
        ),
        NearMissKind::UnknownKind { .. }
        | NearMissKind::UnknownVersion { .. }
        | NearMissKind::RemovedVersion
        | NearMissKind::UnknownGroup { .. }
        | NearMissKind::List { .. } => return None,
    };
    let finding = Finding::new(miss.range, message);
    // In a list, the indentation of the first key is unknown.
    Some(match fix.filter(|_| miss.base.is_root()) {
        Some((key, value)) => finding.fix(
            format!("Add `{key}: {value}`"),
            vec![TextEdit::insert(
                miss.range.start(),
                format!("{key}: {value}\n"),
            )],
        ),
        None => finding,
    })
}

fn missing(
    file: &SourceFile,
    facts: &DocumentFacts<'_>,
    causes: &Causes<'_>,
    error: &ApiError,
) -> Option<Finding> {
    if error.kind != ErrorType::Required || is_wrong(error) {
        return None;
    }
    let path = &error.path;
    let field = last_name(path);
    let in_file = facts.document.base().join(path);
    if causes.explains(&in_file) || is_second_of_two(error) {
        return None;
    }
    let finding = Finding::new(error.range, message(error, field, facts))
        .upstream(api_error::upstream(error));
    Some(match fix(file, facts, path, field) {
        Some((title, edit)) => finding.unsafe_fix(title, vec![edit]),
        None => finding,
    })
}

/// Returns whether the server reports an invalid value as missing.
pub(super) fn is_wrong(error: &ApiError) -> bool {
    matches!(error.rule, ApiRule::Url | ApiRule::ValueExpressionLength)
}

/// Errors whose consequence may be a missing field.
struct Causes<'f> {
    /// The fields that are misspelled or misplaced, and the objects that contain them.
    meant: HashSet<FieldPath>,
    /// Values that are not objects.
    wrong_types: HashSet<&'f FieldPath>,
}

impl<'f> Causes<'f> {
    fn new(facts: &'f DocumentFacts<'_>) -> Self {
        let mut causes = Self {
            meant: HashSet::new(),
            wrong_types: HashSet::new(),
        };
        for mismatch in &facts.mismatches {
            if matches!(mismatch.kind, MismatchKind::WrongType { .. }) {
                causes.wrong_types.insert(&mismatch.path);
            }
        }
        for meant in facts.meant.values() {
            causes.meant.insert(meant.owner.child(&meant.name));
            // The object may be missing as well.
            if let Place::Below(_) = meant.place {
                causes.meant.insert(meant.owner.clone());
            }
        }
        causes
    }

    /// Returns whether one of the errors explains why the field at `path` is missing.
    fn explains(&self, path: &FieldPath) -> bool {
        if self.meant.contains(path) {
            return true;
        }
        let mut place = path.parent();
        while let Some(path) = place {
            if self.wrong_types.contains(&path) {
                return true;
            }
            place = path.parent();
        }
        false
    }
}

/// Returns whether an error is the second of two errors about the same lists.
fn is_second_of_two(error: &ApiError) -> bool {
    error.rule == ApiRule::ValidationsOrAuditAnnotations
        && last_name(&error.path) == "auditAnnotations"
}

/// Returns whether an error is reported at another field, or follows from another error, such as a
/// misspelling.
pub(super) fn follows(error: &ApiError, facts: &DocumentFacts<'_>) -> bool {
    let is_first = |first: &ApiError| first.rule == error.rule && first.field != error.field;
    let is_second = is_second_of_two(error) && facts.errors.iter().any(is_first);
    let is_missing = error.kind == ErrorType::Required && !is_wrong(error);
    let is_explained = || {
        let in_file = facts.document.base().join(&error.path);
        facts.document.recovered() || Causes::new(facts).explains(&in_file)
    };
    is_second || is_missing && is_explained()
}

/// Returns the name of the field at a path; empty for an element of a list.
fn last_name(path: &FieldPath) -> &str {
    match path.steps().last() {
        Some(FieldStep::Field(field) | FieldStep::Key(field)) => field.as_ref(),
        Some(FieldStep::Index(_)) | None => "",
    }
}

fn message(error: &ApiError, field: &str, facts: &DocumentFacts<'_>) -> String {
    let kind = facts.document.kind();
    if let Some(message) = of_definition(error) {
        return message;
    }
    if let Some(owner) = missing_owner(error, facts) {
        return format!("A `{kind}` requires the field `{owner}`.");
    }
    if let Some(message) = special(error) {
        return message;
    }
    let written = error.node.map(|node| facts.document.node(node));
    if written.is_some_and(|node| !node.is_null()) {
        return format!("`{}` must not be empty.", error.path);
    }
    let place = error.path.parent();
    match place.filter(|place| !place.is_root()) {
        Some(place) => format!("`{place}` requires the field `{field}`."),
        None => format!("A `{kind}` requires the field `{field}`."),
    }
}

/// Returns the outermost missing field, if a parent of the field is missing as well.
fn missing_owner(error: &ApiError, facts: &DocumentFacts<'_>) -> Option<FieldPath> {
    let path = &error.path;
    let missing = path.resolve(facts.document.root()).missing;
    if missing < 2 {
        return None;
    }
    let steps = path.steps();
    let outermost = steps.iter().take(steps.len() + 1 - missing);
    Some(outermost.cloned().collect())
}

/// Returns the message about a rule for CustomResourceDefinitions.
fn of_definition(error: &ApiError) -> Option<String> {
    let field = &error.path;
    if let Some(inner) = in_default(field) {
        return Some(match error.detail.as_str() {
            "" => format!("The default requires the field `{inner}`."),
            detail => format!("`{field}`: {detail}."),
        });
    }
    Some(match &error.rule {
        ApiRule::Approval => "A CustomResourceDefinition in a Kubernetes API group requires the \
                              annotation `api-approved.kubernetes.io`, with a URL or a reason that \
                              begins with `unapproved`."
            .to_owned(),
        ApiRule::Declared(place) => format!("`{place}` requires `{field}`. Declare it."),
        _ => return None,
    })
}

/// Returns the path of a field in the default that contains it. `None` outside a default.
fn in_default(path: &FieldPath) -> Option<FieldPath> {
    let mut steps = path.steps().iter();
    steps.find(|step| matches!(step, FieldStep::Field(name) if &**name == "default"))?;
    let inner: FieldPath = steps.cloned().collect();
    matches!(inner.steps(), [FieldStep::Field(_), ..]).then_some(inner)
}

/// Returns the message about a rule other than "this field is required".
fn special(error: &ApiError) -> Option<String> {
    let field = &error.path;
    Some(match &error.rule {
        ApiRule::ValidationsOrAuditAnnotations => {
            "A policy requires an entry in `validations` or `auditAnnotations`.".to_owned()
        }
        ApiRule::NameOrSelector => format!("`{field}` requires `name` or `selector`."),
        ApiRule::UrlOrService => format!("`{field}` requires `url` or `service`."),
        ApiRule::MultilineRule => "A rule with line breaks requires a `message`.".to_owned(),
        _ if last_name(field) == "parameterNotFoundAction" => {
            "`paramRef` requires `parameterNotFoundAction`. Write `Deny` or `Allow` to set what \
             happens if no parameter is found."
                .to_owned()
        }
        _ => return None,
    })
}

/// Returns the edit that adds a field with its safest value, if there is one.
fn fix(
    file: &SourceFile,
    facts: &DocumentFacts<'_>,
    path: &FieldPath,
    field: &str,
) -> Option<(String, TextEdit)> {
    let value = match field {
        "parameterNotFoundAction" => "Deny",
        "reinvocationPolicy" => "Never",
        "sideEffects" => "None",
        _ => return None,
    };
    let owner = path.parent()?.resolve(facts.document.root());
    if owner.missing > 0 {
        return None;
    }
    let mapping = owner.node.as_mapping()?;
    let edit = match mapping.entry(field).map(|entry| entry.value) {
        Some(written) => write_value(written, value)?,
        None => file.editor().add_entry(mapping, field, value)?,
    };
    Some((format!("Add `{field}: {value}`"), edit))
}

fn write_value(written: Node<'_>, value: &str) -> Option<TextEdit> {
    let range = written.range();
    let space = if range.is_empty() { " " } else { "" };
    (!written.is_alias()).then(|| TextEdit::replace(range, format!("{space}{value}")))
}

#[cfg(test)]
mod tests;
