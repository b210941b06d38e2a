//! The response of the API server to a manifest.
//!
//! A server that cannot decode a manifest reports only that; strict decoding then lists the fields
//! that it would have dropped; the rules come last. This is the whole response, for comparison with
//! a real one.

use super::{ApiError, answer};
use crate::field_path::FieldPath;
use crate::policy_document::PolicyDocument;
use crate::recognition::recognize;
use crate::schema::{FoundType, MismatchKind, check, of_kind};
use std::sync::Arc;
use yaml::{Mapping, Node, NodeKind, Stream};

/// The answer to a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Verdict {
    /// The fields that cannot be decoded; an empty path is the whole document. If there is one, the
    /// other lists are empty.
    pub decode: Vec<FieldPath>,
    /// The fields that strict decoding rejects: unknown fields and duplicate keys.
    pub strict: Vec<FieldPath>,
    /// The errors of validation.
    pub errors: Vec<ApiError>,
}

/// Returns the response of the API server to `text`, which holds one document or a list.
#[must_use]
pub fn verdict(text: &str) -> Verdict {
    let stream = Arc::new(yaml::parse(text.into()));
    let mut verdict = Verdict::default();
    if !stream.errors().is_empty() {
        verdict.decode.push(FieldPath::root());
        return verdict;
    }
    let found = recognize(&stream);
    let misses = found.near_misses.into_iter();
    verdict.decode.extend(misses.map(|miss| miss.base));
    if found.policies.is_empty() && verdict.decode.is_empty() && !is_object(&stream) {
        verdict.decode.push(FieldPath::root());
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

fn is_object(stream: &Stream) -> bool {
    let mut roots = stream.documents().filter_map(yaml::Document::root);
    roots.any(|root| root.as_mapping().is_some())
}

fn add_document(document: &PolicyDocument, verdict: &mut Verdict) {
    add_duplicates(document.root(), document.base(), verdict);
    if let Some(schema) = of_kind(document.kind(), document.version()) {
        for mismatch in check(document.root(), document.base(), schema) {
            match mismatch.kind {
                MismatchKind::UnknownField { silent: true, .. } => {}
                MismatchKind::UnknownField { .. } => verdict.strict.push(mismatch.path),
                MismatchKind::WrongType {
                    found: FoundType::NotFinite,
                    ..
                } => verdict.decode.push(FieldPath::root()),
                MismatchKind::WrongType { .. } => verdict.decode.push(mismatch.path),
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
        verdict.strict.push(path.child(&again.key.key_text()));
    }
}
