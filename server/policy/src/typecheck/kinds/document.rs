//! The kinds of a document: those that it matches, that of its parameters, and the expressions that
//! use them.

use super::matched::{Matched, matched};
use crate::document::Document;
use crate::expression::Expression;
use crate::field_path::FieldStep;
use crate::kind::Kind;
use kubernetes::names::{GroupVersion, GroupVersionKind};
use kubernetes::openapi::Catalog;

/// The kinds of a document.
pub(super) struct FoundKinds {
    pub(super) all: Matched,
    /// Those of each webhook, if the document is a webhook configuration.
    pub(super) by_webhook: Option<Vec<Vec<GroupVersionKind>>>,
}

/// Returns the kinds that the rules of a document match.
pub(super) fn find_kinds(document: &Document, catalog: &Catalog) -> FoundKinds {
    if let Some(policy) = document.policy() {
        let in_status = document.kind() == Kind::ValidatingAdmissionPolicy;
        return FoundKinds {
            all: matched(catalog, policy.rules(), policy.excluded(), in_status),
            by_webhook: None,
        };
    }
    let each = document.webhooks().iter();
    let each: Vec<Matched> = each
        .map(|webhook| matched(catalog, &webhook.matching.rules, &[], false))
        .collect();
    let names = |found: &Matched| found.kinds.iter().map(|it| it.name.clone()).collect();
    FoundKinds {
        by_webhook: (!each.is_empty()).then(|| each.iter().map(names).collect()),
        all: Matched::join(each),
    }
}

/// Returns the index of the validation to which an expression belongs.
pub(super) fn validation_index(document: &Document, expression: &Expression) -> Option<usize> {
    let path = expression.path.steps();
    let path = path.get(document.base().steps().len()..)?;
    match path {
        [_, _, FieldStep::Index(index), ..] => Some(*index),
        _ => None,
    }
}

/// Returns the kind of the parameters of a policy. `None` if it names none that can be read.
///
/// Upstream: kubernetes/apimachinery, pkg/runtime/schema/group_version.go, ParseGroupVersion.
pub(super) fn param_kind(document: &Document) -> Option<GroupVersionKind> {
    let kind = document.policy()?.param_kind.as_ref()?;
    let GroupVersion { group, version } = kind.group_version();
    (!version.contains('/')).then(|| GroupVersionKind::new(group, version, kind.kind()))
}
