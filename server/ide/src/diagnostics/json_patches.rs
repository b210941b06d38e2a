//! The operations of JSON patches, for the rules about them.

use super::document_facts::DocumentFacts;
use super::kind_problems::relevant_kinds;
use crate::presence::{Patch, SiteContext, SiteKind};
use cel::syntax::{Ast, ExprId, ExprKind, Field};
use kubernetes::openapi::Schema;
use policy::Expression;
use policy::typecheck::kinds::{KindChecks, MatchedKind};
use std::collections::HashSet;

/// A `JSONPatch{…}` literal at a site that evaluates it.
#[derive(Clone, Copy)]
pub(super) struct Operation<'f> {
    pub(super) place: SiteContext<'f>,
    pub(super) expression: &'f Expression,
    pub(super) patch: &'f Patch,
}

/// Returns the operations of a document in order of evaluation. An operation in a variable is
/// evaluated at each use of the variable.
pub(super) fn operations<'f>(facts: &'f DocumentFacts<'_>) -> Vec<Operation<'f>> {
    let presence = facts.presence();
    let found = presence.failure_sites().filter_map(|place| {
        let SiteKind::Patch(patch) = &place.site.kind else {
            return None;
        };
        let expression = facts.document.expressions().get(place.site.expression)?;
        facts.is_read(expression).then_some(Operation {
            place,
            expression,
            patch,
        })
    });
    found.collect()
}

/// Returns the operations, each literal once.
pub(super) fn literals<'f>(facts: &'f DocumentFacts<'_>) -> Vec<Operation<'f>> {
    let mut found = operations(facts);
    let mut seen = HashSet::new();
    found.retain(|it| seen.insert((it.place.site.expression, it.place.site.id)));
    found
}

/// Returns the kinds that a policy mutates, with their schemas.
pub(super) fn kinds(checks: &KindChecks) -> Vec<(&MatchedKind, Schema<'_>)> {
    let kinds = relevant_kinds(checks).into_iter();
    kinds
        .filter_map(|kind| Some((kind, checks.schema(kind)?)))
        .collect()
}

impl<'f> Operation<'f> {
    pub(super) fn ast(&self) -> &'f Ast {
        self.expression.ast()
    }

    /// Returns the node of the literal.
    pub(super) fn id(&self) -> ExprId {
        self.place.site.id
    }

    pub(super) fn field(&self, name: &str) -> Option<&'f Field> {
        let ast = self.ast();
        match ast.kind(self.id()) {
            ExprKind::Struct { fields, .. } => {
                fields.iter().find(|field| ast.name(field.name) == name)
            }
            _ => None,
        }
    }

    /// Returns the value of `op`, if it is a constant.
    pub(super) fn op(&self) -> Option<&'f str> {
        self.patch.op.as_deref()
    }
}
