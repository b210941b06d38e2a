//! The variables of macros in an expression.

use cel::expand::{Comprehension, Expansion, NodeId, NodeKind};
use std::sync::Arc;

/// The value of a variable of a macro.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// The accumulator.
    Accumulator(NodeId),
    /// An element of the list or the map of a loop.
    Element(NodeId),
    /// A key or an index.
    Key,
}

/// A variable, within the scope of others.
struct Scope {
    name: Arc<str>,
    bound: Bound,
    outer: Option<usize>,
}

/// Finds the variables of macros.
#[derive(Default)]
struct Scopes {
    scopes: Vec<Scope>,
    /// The innermost scope of each node.
    of_node: Vec<Option<usize>>,
}

/// Returns, by node, the macro variable that a name refers to.
pub(super) fn bound(expansion: &Expansion) -> Vec<Option<Bound>> {
    let mut scopes = Scopes {
        scopes: Vec::new(),
        of_node: vec![None; expansion.len()],
    };
    let mut bound = vec![None; expansion.len()];
    // Parents come first.
    for id in expansion.ids().rev() {
        match expansion.kind(id) {
            NodeKind::Ident(name) => {
                if let Some(cell) = bound.get_mut(id.index()) {
                    *cell = scopes.find(id, name);
                }
            }
            NodeKind::Comprehension(it) => scopes.comprehension(id, it),
            kind => {
                let scope = scopes.scope_of(id);
                children(kind, &mut |child| scopes.set(child, scope));
            }
        }
    }
    bound
}

impl Scopes {
    fn scope_of(&self, id: NodeId) -> Option<usize> {
        self.of_node.get(id.index()).copied().flatten()
    }

    fn set(&mut self, id: NodeId, scope: Option<usize>) {
        if let Some(cell) = self.of_node.get_mut(id.index()) {
            *cell = scope;
        }
    }

    fn add(&mut self, name: &Arc<str>, bound: Bound, outer: Option<usize>) -> Option<usize> {
        self.scopes.push(Scope {
            name: Arc::clone(name),
            bound,
            outer,
        });
        Some(self.scopes.len() - 1)
    }

    fn comprehension(&mut self, id: NodeId, it: &Comprehension) {
        let outer = self.scope_of(id);
        let result = self.add(&it.accumulator, Bound::Accumulator(id), outer);
        let step = match &it.second_variable {
            None => self.add(&it.variable, Bound::Element(id), result),
            Some(second) => {
                let key = self.add(&it.variable, Bound::Key, result);
                self.add(second, Bound::Element(id), key)
            }
        };
        for (child, scope) in [
            (it.range, outer),
            (it.init, outer),
            (it.condition, step),
            (it.step, step),
            (it.result, result),
        ] {
            self.set(child, scope);
        }
    }

    fn find(&self, id: NodeId, name: &str) -> Option<Bound> {
        let mut at = self.scope_of(id);
        while let Some(scope) = at.and_then(|at| self.scopes.get(at)) {
            if *scope.name == *name {
                return Some(scope.bound);
            }
            at = scope.outer;
        }
        None
    }
}

/// Calls `each` for the children of a node, except those of a comprehension.
pub(super) fn children(kind: &NodeKind, each: &mut dyn FnMut(NodeId)) {
    match kind {
        NodeKind::Error
        | NodeKind::Literal(_)
        | NodeKind::Ident(_)
        | NodeKind::Comprehension(_) => {}
        NodeKind::Select { operand, .. } => each(*operand),
        NodeKind::Call { target, args, .. } => {
            target.iter().chain(args).for_each(|it| each(*it));
        }
        NodeKind::List { elements, .. } => elements.iter().for_each(|it| each(*it)),
        NodeKind::Map(entries) => {
            for entry in entries {
                each(entry.key);
                each(entry.value);
            }
        }
        NodeKind::Struct { fields, .. } => fields.iter().for_each(|it| each(it.value)),
    }
}
