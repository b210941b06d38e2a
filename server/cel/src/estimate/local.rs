//! The variables of macros while a cost is estimated.

use crate::cost::{Path, SizeEstimate};
use crate::types::Type;
use std::sync::Arc;

/// The sizes of the elements of a list or the entries of a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntrySize {
    pub(super) container: Container,
    pub(super) key: SizeEstimate,
    pub(super) value: SizeEstimate,
}

/// A type with elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    List,
    Map,
}

impl EntrySize {
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            container: self.container,
            key: self.key.or(other.key),
            value: self.value.or(other.value),
        }
    }
}

/// Returns whether a comprehension ranges over a list: by the known sizes of its elements,
/// otherwise by its type.
pub(super) fn is_list(known: Option<EntrySize>, ty: &Type) -> bool {
    match known {
        Some(entries) => entries.container == Container::List,
        None => matches!(ty, Type::List(_)),
    }
}

/// A variable.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalSize {
    pub(super) path: Path,
    pub(super) size: Option<SizeEstimate>,
    pub(super) entries: Option<EntrySize>,
}

/// The variables in scope, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Locals {
    stack: Vec<(Arc<str>, LocalSize)>,
}

impl Locals {
    pub(super) fn push(&mut self, name: &Arc<str>, local: LocalSize) {
        self.stack.push((Arc::clone(name), local));
    }

    pub(super) fn pop(&mut self) {
        self.stack.pop();
    }

    pub(super) fn get(&self, name: &str) -> Option<&LocalSize> {
        let found = self.stack.iter().rev().find(|(known, _)| &**known == name);
        found.map(|(_, local)| local)
    }
}
