//! The variables of the macros around an expression.

use crate::types::Type;
use std::sync::Arc;

/// The variables in scope, outer ones first.
#[derive(Debug, Default)]
pub(super) struct Scope {
    locals: Vec<(Arc<str>, Type)>,
}

impl Scope {
    /// Adds a variable, which hides others of its name.
    pub(super) fn enter(&mut self, name: &Arc<str>, ty: Type) {
        self.locals.push((Arc::clone(name), ty));
    }

    /// Takes the innermost variable away.
    pub(super) fn leave(&mut self) {
        self.locals.pop();
    }

    /// Returns the type of the innermost variable.
    pub(super) fn innermost(&self) -> Option<&Type> {
        self.locals.last().map(|local| &local.1)
    }

    /// Returns the type of a variable. A dot before the name does not matter.
    pub(super) fn find(&self, name: &str) -> Option<&Type> {
        let name = name.strip_prefix('.').unwrap_or(name);
        let local = self.locals.iter().rev().find(|local| *local.0 == *name);
        local.map(|local| &local.1)
    }
}
