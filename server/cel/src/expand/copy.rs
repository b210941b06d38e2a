//! Copies of a part of a tree.
//!
//! `a.optMap(x, …)` first tests whether `a` has a value and then reads the value: cel-go inserts
//! `a` into the tree twice.
//!
//! Upstream: cel-go, parser/helper.go, `Copy`.

use super::build::Builder;
use super::{Comprehension, MAX_NODES, MapEntry, NodeId, NodeKind, StructField};

/// Old IDs with the new ones, by the old.
type Renamed = Vec<(NodeId, NodeId)>;

impl Builder<'_> {
    /// Copies a node and its descendants. Entries and fields of the copy have the offset of the
    /// macro.
    pub(super) fn copy(&mut self, id: NodeId, offset: u32) -> NodeId {
        let room = MAX_NODES.saturating_sub(self.nodes.len());
        let below = if self.is_too_large {
            None
        } else {
            self.below(id, room)
        };
        let Some(below) = below else {
            self.is_too_large = true;
            let origin = self.nodes.get(id.index()).map(|node| node.origin);
            let origin = origin.unwrap_or_else(|| self.ast.root());
            return self.add(NodeKind::Error, origin, offset);
        };
        let mut renamed = Renamed::with_capacity(below.len());
        let mut last = id;
        for old in below {
            let Some(node) = self.nodes.get(old.index()) else {
                continue;
            };
            let kind = rename(&node.kind, &renamed, offset);
            let (origin, offset) = (node.origin, node.offset);
            last = self.add(kind, origin, offset);
            renamed.push((old, last));
        }
        last
    }

    /// Returns a node and its descendants, children first. `None` if there are too many.
    fn below(&self, id: NodeId, room: usize) -> Option<Vec<NodeId>> {
        let mut found = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if found.len() >= room {
                return None;
            }
            found.push(id);
            if let Some(node) = self.nodes.get(id.index()) {
                node.kind.each_child(|child| open.push(child));
            }
        }
        found.sort_unstable();
        Some(found)
    }
}

impl NodeKind {
    /// Calls `visit` with each direct child.
    pub(crate) fn each_child(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            NodeKind::Error | NodeKind::Literal(_) | NodeKind::Ident(_) => {}
            NodeKind::Select { operand, .. } => visit(*operand),
            NodeKind::Call { target, args, .. } => {
                target.iter().chain(args.iter()).copied().for_each(visit);
            }
            NodeKind::List { elements, .. } => elements.iter().copied().for_each(visit),
            NodeKind::Map(entries) => entries.iter().for_each(|entry| {
                visit(entry.key);
                visit(entry.value);
            }),
            NodeKind::Struct { fields, .. } => fields.iter().for_each(|it| visit(it.value)),
            NodeKind::Comprehension(it) => {
                let parts = [it.range, it.init, it.condition, it.step, it.result];
                parts.into_iter().for_each(visit);
            }
        }
    }
}

/// Returns the new ID of a node, or its own if it is not copied.
fn renamed_id(renamed: &Renamed, id: NodeId) -> NodeId {
    let at = renamed.binary_search_by_key(&id, |entry| entry.0).ok();
    at.and_then(|at| renamed.get(at))
        .map_or(id, |entry| entry.1)
}

fn rename(kind: &NodeKind, renamed: &Renamed, offset: u32) -> NodeKind {
    let new = |id: NodeId| renamed_id(renamed, id);
    match kind {
        NodeKind::Error | NodeKind::Literal(_) | NodeKind::Ident(_) => kind.clone(),
        NodeKind::Select {
            operand,
            field,
            test_only,
        } => NodeKind::Select {
            operand: new(*operand),
            field: field.clone(),
            test_only: *test_only,
        },
        NodeKind::Call {
            target,
            function,
            args,
        } => NodeKind::Call {
            target: target.map(new),
            function: function.clone(),
            args: args.iter().copied().map(new).collect(),
        },
        NodeKind::List { elements, optional } => NodeKind::List {
            elements: elements.iter().copied().map(new).collect(),
            optional: optional.clone(),
        },
        NodeKind::Map(entries) => {
            let entries = entries.iter();
            NodeKind::Map(entries.map(|it| rename_entry(*it, new, offset)).collect())
        }
        NodeKind::Struct { type_name, fields } => NodeKind::Struct {
            type_name: type_name.clone(),
            fields: fields
                .iter()
                .map(|it| rename_field(it, new(it.value), offset))
                .collect(),
        },
        NodeKind::Comprehension(it) => rename_loop(it, new),
    }
}

fn rename_loop(it: &Comprehension, new: impl Fn(NodeId) -> NodeId) -> NodeKind {
    NodeKind::Comprehension(Box::new(Comprehension {
        range: new(it.range),
        init: new(it.init),
        condition: new(it.condition),
        step: new(it.step),
        result: new(it.result),
        ..it.clone()
    }))
}

fn rename_entry(entry: MapEntry, new: impl Fn(NodeId) -> NodeId, offset: u32) -> MapEntry {
    MapEntry {
        key: new(entry.key),
        value: new(entry.value),
        offset,
        ..entry
    }
}

fn rename_field(field: &StructField, value: NodeId, offset: u32) -> StructField {
    StructField {
        value,
        offset,
        ..field.clone()
    }
}
