//! The names of the fields that a policy selects, which completion offers first in others.

use cel::syntax::ExprKind;
use policy::PolicyDocument;
use std::collections::BTreeSet;

/// The names of the fields that a policy selects.
///
/// Invariant: all of them are equal, so that a change of them leaves the findings of other files
/// as they are.
#[derive(Clone, Debug, Default)]
pub struct SelectedNames(pub(super) Box<[Box<str>]>);

impl SelectedNames {
    pub(super) fn new(document: &PolicyDocument) -> Self {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for expression in document.expressions() {
            let ast = expression.ast();
            names.extend(ast.ids().filter_map(|id| match ast.kind(id) {
                ExprKind::Select { field, .. } => Some(ast.name(*field)),
                _ => None,
            }));
        }
        Self(names.into_iter().map(Box::from).collect())
    }
}

impl PartialEq for SelectedNames {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for SelectedNames {}
