//! The names of the fields that a policy selects, which completion offers first in others.

use foldhash::fast::RandomState;
use policy::PolicyDocument;
use std::collections::HashSet;
use std::sync::Arc;

/// The names of the fields that a policy selects.
///
/// Invariant: all of them are equal, so that a change of them leaves the findings of other files
/// as they are.
#[derive(Clone, Debug, Default)]
pub struct SelectedNames(pub(super) Box<[Arc<str>]>);

impl SelectedNames {
    pub(super) fn new(document: &PolicyDocument) -> Self {
        let expressions = document.expressions().iter();
        let names = expressions.flat_map(|it| it.parse.selected());
        let mut seen: HashSet<&str, RandomState> = HashSet::default();
        Self(names.filter(|name| seen.insert(name)).cloned().collect())
    }
}

impl PartialEq for SelectedNames {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for SelectedNames {}
