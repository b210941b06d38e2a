//! The validation of a document by the API server.
//!
//! Validation follows the server's code rule by rule: the same fields and the same messages.
//! Defaults are applied first, as in the server, by rules that have the value of an absent field.
//!
//! One file per kind, or per group of rules that kinds share.

mod audit_annotations;
mod binding;
mod client_config;
mod crd;
mod error;
mod failure_policy;
mod match_conditions;
mod message_expression;
mod metadata;
mod mutation;
mod param_kind;
mod policy;
mod reinvocation_policy;
mod resources;
mod review_versions;
mod selector;
mod slot;
mod verdict;
mod webhook;

pub use crd::{rule_field, rule_path};
pub use error::{ApiError, ApiRule};
pub use verdict::{Verdict, verdict};

use crate::expression::Expression;
use crate::field_error::ErrorType;
use crate::field_path::FieldPath;
use crate::kind::Kind;
use crate::policy_document::PolicyDocument;
use crate::typecheck::Checked;
use crate::typecheck::compile::{self, RefusalKind};
use error::Errors;
use slot::Slot;
use std::cell::OnceCell;
use std::collections::HashMap;

/// Returns the errors that the API server's validation finds in a document, in the order of the
/// file. Values of the wrong type are skipped: [`crate::schema::check`] finds them, and the server
/// then does not get this far. A patch, which no server receives as is, has none.
#[must_use]
pub fn validate(document: &PolicyDocument) -> Vec<ApiError> {
    if document.is_patch() {
        Vec::new()
    } else {
        answer(document)
    }
}

/// Returns the errors of a document, even if it seems to be a patch.
fn answer(document: &PolicyDocument) -> Vec<ApiError> {
    let check = Check {
        document,
        by_path: OnceCell::new(),
    };
    // The server receives a single document.
    let root_path = FieldPath::root();
    let root = Slot::root(&root_path, document.root());
    let mut errors = Errors::default();
    match document.kind() {
        Kind::ValidatingAdmissionPolicy => policy::check(&check, &root, &mut errors),
        Kind::MutatingAdmissionPolicy => mutation::check(&check, &root, &mut errors),
        Kind::ValidatingAdmissionPolicyBinding => {
            binding::check_validating(&check, &root, &mut errors);
        }
        Kind::MutatingAdmissionPolicyBinding => {
            binding::check_mutating(&check, &root, &mut errors);
        }
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            webhook::check(&check, &root, &mut errors);
        }
        Kind::CustomResourceDefinition => crd::check(&check, &root, &mut errors),
    }
    let expected = match document.kind() {
        Kind::CustomResourceDefinition => crd::expected_name(&root),
        _ => None,
    };
    metadata::check(&root, expected.as_deref(), &mut errors);
    errors.found.sort_by_cached_key(|error| error.range.start());
    errors.found
}

/// The state that the rules of a document share.
struct Check<'d> {
    document: &'d PolicyDocument,
    /// The expressions by their paths: a string with thousands of aliases has as many.
    by_path: OnceCell<HashMap<&'d FieldPath, &'d Expression>>,
}

impl<'d> Check<'d> {
    /// Adds the error of an expression that does not compile, or for which no program can be
    /// created. Other rules handle blank and absent ones.
    fn compile(&self, slot: &Slot<'_, '_>, errors: &mut Errors) {
        let Some((expression, checked)) = self.expression(slot) else {
            return;
        };
        if let Some(refusal) = compile::refusal(expression, checked) {
            let kind = match refusal.kind {
                RefusalKind::Program => ErrorType::Internal,
                RefusalKind::Compile | RefusalKind::ResultType => ErrorType::Invalid,
            };
            errors.push_refusal(kind, slot, refusal);
        }
    }

    /// Returns the expression of a field, with its type check. `None` if there is none.
    fn expression(&self, slot: &Slot<'_, '_>) -> Option<(&'d Expression, &'d Checked)> {
        // They are in the order of their nodes.
        let node = slot.node()?.id();
        let all = self.document.expressions();
        let first = all.partition_point(|expression| expression.node < node);
        let same = all.iter().skip(first);
        let mut same = same.take_while(|expression| expression.node == node);
        let found = match (same.next()?, same.next()) {
            (only, None) => only,
            // Aliases of one string.
            (_, Some(_)) => {
                let by_path = || all.iter().map(|it| (&it.path, it)).collect();
                let path = self.document.base().join(&slot.path());
                self.by_path.get_or_init(by_path).get(&path)?
            }
        };
        Some((found, self.document.checked(found)?))
    }
}

#[cfg(test)]
mod tests;
