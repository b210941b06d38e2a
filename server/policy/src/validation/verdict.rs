//! The response of the API server to a manifest.
//!
//! A server that cannot decode a manifest reports only that; strict decoding then lists what it
//! would have dropped; only then come the rules. This is the whole response, for comparison with
//! a real one.

use super::{ApiError, answer};
use crate::field_path::FieldPath;
use crate::policy_document::PolicyDocument;
use crate::recognition::{NearMiss, NearMissKind, recognize};
use crate::schema::{FoundType, MismatchKind, check, of_kind};
use std::sync::Arc;
use yaml::{Mapping, Node, NodeKind, Stream};

/// The answer to a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Why it cannot be decoded. If there is an error, the other fields are empty.
    pub decode: Vec<DecodeError>,
    /// Errors of strict decoding: unknown fields and duplicate keys.
    pub strict: Vec<DecodeError>,
    /// The errors of validation.
    pub errors: Vec<ApiError>,
}

/// A place that cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The field; empty where it is the whole document.
    pub field: FieldPath,
    /// The message.
    pub detail: String,
}

/// Returns the response of the API server to `text`, which holds one document or a list.
#[must_use]
pub fn verdict(text: &str) -> Verdict {
    let stream = Arc::new(yaml::parse(text.into()));
    let mut verdict = Verdict::default();
    if let Some(error) = stream.errors().first() {
        verdict.decode.push(root_error(error.message()));
        return verdict;
    }
    let found = recognize(&stream);
    for miss in &found.near_misses {
        verdict.decode.push(near_miss(miss));
    }
    if found.policies.is_empty() && verdict.decode.is_empty() && !is_object(&stream) {
        verdict
            .decode
            .push(root_error("there is no object".to_owned()));
    }
    for document in &found.policies {
        add_document(document, &mut verdict);
    }
    if !verdict.decode.is_empty() {
        verdict.strict.clear();
        verdict.errors.clear();
    } else if !verdict.strict.is_empty() {
        verdict.errors.clear();
    }
    verdict
}

fn root_error(detail: String) -> DecodeError {
    DecodeError {
        field: FieldPath::root(),
        detail,
    }
}

fn is_object(stream: &Stream) -> bool {
    let mut roots = stream.documents().filter_map(yaml::Document::root);
    roots.any(|root| root.as_mapping().is_some())
}

fn near_miss(miss: &NearMiss) -> DecodeError {
    let (field, detail) = match &miss.kind {
        NearMissKind::UnknownKind { kind, group, .. } => (
            miss.base.clone(),
            format!("no kind {kind:?} is registered for the group {group:?}"),
        ),
        NearMissKind::UnknownVersion { kind, version } => (
            miss.base.clone(),
            format!(
                "no kind {:?} is registered for version {version:?}",
                kind.as_str()
            ),
        ),
        NearMissKind::UnknownGroup { kind, group } => (
            miss.base.clone(),
            format!(
                "no kind {:?} is registered for the group {group:?}",
                kind.as_str()
            ),
        ),
        NearMissKind::MissingApiVersion { .. } => (
            miss.base.clone(),
            "Object 'apiVersion' is missing".to_owned(),
        ),
        NearMissKind::MissingKind { .. } => {
            (miss.base.clone(), "Object 'Kind' is missing".to_owned())
        }
    };
    DecodeError { field, detail }
}

fn add_document(document: &PolicyDocument, verdict: &mut Verdict) {
    add_duplicates(document.root(), document.base(), verdict);
    if let Some(schema) = of_kind(document.kind(), document.version()) {
        for mismatch in check(document.root(), document.base(), schema) {
            match mismatch.kind {
                MismatchKind::UnknownField { silent: true, .. } => {}
                MismatchKind::UnknownField { name, .. } => verdict.strict.push(DecodeError {
                    field: mismatch.path,
                    detail: format!("unknown field {name:?}"),
                }),
                MismatchKind::WrongType {
                    found: FoundType::NotFinite,
                    ..
                } => verdict
                    .decode
                    .push(root_error("json: unsupported value".to_owned())),
                MismatchKind::WrongType { expected, found } => verdict.decode.push(DecodeError {
                    field: mismatch.path,
                    detail: format!("cannot unmarshal {found} into {expected}"),
                }),
            }
        }
    }
    verdict.errors.extend(answer(document));
}

/// Adds duplicate keys, at any depth. Aliases are not followed: their targets are visited where
/// they are written.
fn add_duplicates(root: Node<'_>, base: &FieldPath, verdict: &mut Verdict) {
    let mut open = vec![(root, base.clone())];
    while let Some((node, path)) = open.pop() {
        if node.is_alias() {
            continue;
        }
        match node.kind() {
            NodeKind::Mapping(mapping) => {
                add_repeated(mapping, &path, verdict);
                for entry in mapping.entries() {
                    open.push((entry.value, path.child(&entry.key.key_text())));
                }
            }
            NodeKind::Sequence(sequence) => {
                for (index, item) in sequence.items().enumerate() {
                    open.push((item, path.index(index)));
                }
            }
            NodeKind::Scalar(_) => {}
        }
    }
}

fn add_repeated(mapping: Mapping<'_>, path: &FieldPath, verdict: &mut Verdict) {
    let pairs = mapping.duplicates().into_iter();
    for (_, again) in pairs.chain(mapping.overrides()) {
        let key = again.key.key_text();
        verdict.strict.push(DecodeError {
            field: path.child(&key),
            detail: format!("key {key:?} already set in map"),
        });
    }
}
