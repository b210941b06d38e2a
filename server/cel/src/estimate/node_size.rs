//! The path and size of a node, and the sizes of its elements.
//!
//! Upstream: cel-go, checker/cost.go, `coster`.

use super::Estimator;
use super::local::{EntrySize, LocalSize};
use crate::cost::{EstimatedValue, Path, SizeEstimate, is_scalar};
use crate::expand::{NodeId, NodeKind};
use crate::syntax::Literal;

impl<'a> Estimator<'a> {
    pub(super) fn value(&mut self, node: NodeId) -> EstimatedValue<'a> {
        let path = self.path(node);
        let computed_size = self.size(node);
        EstimatedValue {
            ty: self.checked.type_of(node),
            literal: match self.expansion.kind(node) {
                NodeKind::Literal(literal) => Some(literal),
                _ => None,
            },
            computed_size,
            path: if path.is_of_accumulator() {
                Path::default()
            } else {
                path
            },
        }
    }

    pub(super) fn path(&self, node: NodeId) -> Path {
        if let Some(local) = self.local(node) {
            return local.path.clone();
        }
        self.paths.get(node.index()).cloned().unwrap_or_default()
    }

    pub(super) fn set_path(&mut self, node: NodeId, path: Path) {
        if let Some(place) = self.paths.get_mut(node.index()) {
            *place = path;
        }
    }

    /// Returns the macro variable that a node refers to.
    fn local(&self, node: NodeId) -> Option<&LocalSize> {
        match self.expansion.kind(node) {
            NodeKind::Ident(name) => self.locals.get(name),
            _ => None,
        }
    }

    /// Returns the size of a node. `None` if unknown.
    ///
    /// Upstream: cel-go, checker/cost.go, `computeSize`.
    pub(super) fn size(&mut self, node: NodeId) -> Option<SizeEstimate> {
        if let Some(size) = self.computed.get(node.index()).copied().flatten() {
            return Some(size);
        }
        if let Some(size) = self.written_size(node) {
            return Some(SizeEstimate::fixed(size));
        }
        let path = self.path(node);
        if let Some(size) = path.with_parts(|path| self.sizes.size_of(path)) {
            self.set_size(node, Some(size));
            return Some(size);
        }
        if is_scalar(self.checked.type_of(node)) {
            return Some(SizeEstimate::fixed(1));
        }
        self.local(node)?.size
    }

    /// Returns the size of a constant or a literal.
    fn written_size(&self, node: NodeId) -> Option<u64> {
        let count = match self.expansion.kind(node) {
            NodeKind::Literal(Literal::String(text)) => text.chars().count(),
            NodeKind::Literal(Literal::Bytes(bytes)) => bytes.len(),
            NodeKind::Literal(_) => 1,
            NodeKind::List { elements, .. } => elements.len(),
            NodeKind::Map(entries) => entries.len(),
            _ => return None,
        };
        Some(count as u64)
    }

    pub(super) fn size_or_unknown(&mut self, node: NodeId) -> SizeEstimate {
        self.size(node).unwrap_or(SizeEstimate::UNKNOWN)
    }

    pub(super) fn set_size(&mut self, node: NodeId, size: Option<SizeEstimate>) {
        if let (Some(place), Some(_)) = (self.computed.get_mut(node.index()), size) {
            *place = size;
        }
    }

    pub(super) fn entries_of(&self, node: NodeId) -> Option<EntrySize> {
        let known = self.entries.get(node.index()).copied().flatten();
        known.or_else(|| self.local(node)?.entries)
    }

    pub(super) fn set_entries(&mut self, node: NodeId, entries: Option<EntrySize>) {
        if let (Some(place), Some(_)) = (self.entries.get_mut(node.index()), entries) {
            *place = entries;
        }
    }

    pub(super) fn copy_sizes(&mut self, to: NodeId, from: NodeId) {
        let size = self.size(from);
        self.set_size(to, size);
        let entries = self.entries_of(from);
        self.set_entries(to, entries);
    }
}
