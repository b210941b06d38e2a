//! The paths that the expressions of a document read, whatever is known of them.

use super::{Flow, Root, Term};
use std::sync::Arc;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A field, or the entry of a map with a constant key.
    Field(Arc<str>),
    /// An element of a list, or an entry of a map.
    Element,
}

impl Flow {
    /// Every path from a variable that an expression reads, with all of its beginnings.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (Root, Vec<Step>)> {
        self.terms.ids().filter_map(|mut id| {
            let mut steps = Vec::new();
            loop {
                match self.terms.get(id) {
                    Term::Root(root) => {
                        steps.reverse();
                        return Some((*root, steps));
                    }
                    Term::Field(_, name) => steps.push(Step::Field(Arc::clone(name))),
                    Term::Index(..) | Term::Item(..) | Term::Value(..) | Term::Each(_) => {
                        steps.push(Step::Element);
                    }
                    Term::Position(..) | Term::Constant(_) | Term::Call(..) | Term::Unique(_) => {
                        return None;
                    }
                }
                id = self.terms.parent(id)?;
            }
        })
    }
}
