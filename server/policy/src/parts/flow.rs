//! Which parts of an object a value can be, or contain.
//!
//! Each node of each expression holds a set of parts. Sets only grow, so they are computed again
//! until nothing changes: a macro variable holds what its loop has found so far.

use super::scope::{Bound, bound, children};
use super::{MAX_PARTS, PartId, Parts};
use cel::check::Checked;
use cel::expand::{Comprehension, Expansion, NodeId, NodeKind};
use cel::syntax::Literal;
use std::collections::{BTreeSet, HashMap};

/// Limit: the nodes of the expressions of a policy. Beyond it, objects are read as a whole.
const MAX_NODES: usize = 100_000;

/// Limit: how often all expressions are followed. Each macro and each variable that others read
/// needs one round at most, and in nearly all orders two rounds suffice.
const MAX_ROUNDS: usize = 50;

/// The parts that a value can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Held {
    /// The parts that the value can be.
    own: BTreeSet<PartId>,
    /// The parts that can be elements or values of a list or a map created by an expression.
    inner: BTreeSet<PartId>,
    /// Whether it is `variables`.
    is_variables: bool,
}

/// The expressions of a policy.
pub(super) struct Flow<'a> {
    parts: &'a mut Parts,
    expressions: Vec<Followed<'a>>,
    /// The values of `variables`.
    variables: HashMap<&'a str, Held>,
}

/// An expression with the parts of each node.
struct Followed<'a> {
    expansion: &'a Expansion,
    bound: Vec<Option<Bound>>,
    held: Vec<Held>,
    /// The name of the variable that it defines.
    variable: Option<&'a str>,
}

impl<'a> Flow<'a> {
    pub(super) fn new(parts: &'a mut Parts) -> Self {
        Self {
            parts,
            expressions: Vec::new(),
            variables: HashMap::new(),
        }
    }

    /// Adds an expression. One that defines a variable has its name.
    pub(super) fn add(&mut self, checked: &'a Checked, variable: Option<&'a str>) {
        let expansion = checked.expansion();
        self.expressions.push(Followed {
            expansion,
            bound: bound(expansion),
            held: vec![Held::default(); expansion.len()],
            variable,
        });
    }

    /// Adds what all expressions read. Returns false if that is unknown.
    pub(super) fn follow(mut self) -> bool {
        let nodes: usize = self.expressions.iter().map(|it| it.expansion.len()).sum();
        let mut expressions = std::mem::take(&mut self.expressions);
        if nodes > MAX_NODES || expressions.iter().any(|it| it.expansion.is_too_large()) {
            return false;
        }
        for _ in 0..MAX_ROUNDS {
            let mut is_changed = false;
            for expression in &mut expressions {
                is_changed |= self.expression(expression);
            }
            if !is_changed {
                return true;
            }
            if self.parts.nodes.len() > MAX_PARTS {
                return false;
            }
        }
        false
    }

    /// Follows an expression once. Returns whether anything changed.
    fn expression(&mut self, it: &mut Followed<'a>) -> bool {
        let mut is_changed = false;
        for id in it.expansion.ids() {
            let new = self.node(it, id);
            if let Some(known) = it.held.get_mut(id.index()) {
                is_changed |= known.add(&new);
            }
        }
        let value = it.value_of(it.expansion.root());
        match it.variable {
            Some(name) => is_changed |= self.variables.entry(name).or_default().add(&value),
            None => self.add_whole(&value),
        }
        is_changed
    }

    fn node(&mut self, it: &Followed<'a>, id: NodeId) -> Held {
        match it.expansion.kind(id) {
            NodeKind::Error | NodeKind::Literal(_) => Held::default(),
            NodeKind::Ident(name) => self.name(it, id, name),
            NodeKind::Select {
                operand,
                field,
                test_only,
            } => {
                let value = self.member(&it.value_of(*operand), field);
                if *test_only { Held::default() } else { value }
            }
            NodeKind::Call {
                target,
                function,
                args,
            } => self.call(it, *target, function, args),
            NodeKind::List { elements, .. } => {
                self.collection_of(elements.iter().map(|id| it.value_of(*id)))
            }
            NodeKind::Map(entries) => {
                for entry in entries {
                    self.add_whole(&it.value_of(entry.key));
                }
                self.collection_of(entries.iter().map(|entry| it.value_of(entry.value)))
            }
            kind @ NodeKind::Struct { .. } => {
                children(kind, &mut |child| self.add_whole(&it.value_of(child)));
                Held::default()
            }
            NodeKind::Comprehension(comprehension) => self.comprehension(it, comprehension),
        }
    }

    fn name(&mut self, it: &Followed<'a>, id: NodeId, name: &str) -> Held {
        let comprehension = |id: NodeId| match it.expansion.kind(id) {
            NodeKind::Comprehension(it) => Some(&**it),
            _ => None,
        };
        match it.bound.get(id.index()).copied().flatten() {
            Some(Bound::Key) => Held::default(),
            Some(Bound::Element(id)) => comprehension(id)
                .map_or_else(Held::default, |of| self.elements(&it.value_of(of.range))),
            Some(Bound::Accumulator(id)) => comprehension(id).map_or_else(Held::default, |of| {
                let mut value = it.value_of(of.init);
                value.add(&it.value_of(of.step));
                value
            }),
            None => match name.strip_prefix('.').unwrap_or(name) {
                "object" | "oldObject" => Held::from_part(Parts::ROOT),
                "variables" => Held {
                    is_variables: true,
                    ..Held::default()
                },
                _ => Held::default(),
            },
        }
    }

    fn comprehension(&mut self, it: &Followed<'a>, of: &Comprehension) -> Held {
        // The number of elements matters, even if no element is read.
        self.elements(&it.value_of(of.range));
        self.add_whole(&it.value_of(of.condition));
        it.value_of(of.result)
    }

    /// Follows a call. Functions that are not listed here read their arguments as a whole, and
    /// their result is new, or a part of their arguments.
    fn call(
        &mut self,
        it: &Followed<'a>,
        target: Option<NodeId>,
        function: &str,
        args: &[NodeId],
    ) -> Held {
        let of = |id: &NodeId| it.value_of(*id);
        match (function, target, args) {
            ("_[_]" | "_[?_]" | "_?._", None, [operand, index]) => match it.string(*index) {
                Some(name) => self.member(&of(operand), name),
                None => {
                    self.add_whole(&of(index));
                    self.elements(&of(operand))
                }
            },
            ("_?_:_", None, [condition, then, otherwise]) => {
                self.add_whole(&of(condition));
                of(then).and(&of(otherwise))
            }
            ("_+_", None, [left, right]) => of(left).and(&of(right)),
            ("or" | "orValue", Some(target), [other]) => of(&target).and(&of(other)),
            ("value", Some(value), []) => it.value_of(value),
            ("optional.of" | "dyn", None, [value]) => it.value_of(*value),
            ("hasValue", Some(_), []) => Held::default(),
            ("size", None, [counted]) => self.counted(&of(counted)),
            ("size", Some(counted), []) => self.counted(&of(&counted)),
            // A constant is never equal to a list or a map, regardless of its content.
            ("_==_" | "_!=_", None, [left, right])
                if it.is_constant(*left) || it.is_constant(*right) =>
            {
                self.counted(&of(left));
                self.counted(&of(right))
            }
            ("@in", None, [key, keys]) => match it.string(*key) {
                Some(name) => self.has_key(&of(keys), name),
                None => self.all_whole(&[of(key), of(keys)]),
            },
            ("cel.@mapInsert", None, [map, key, value]) => {
                self.add_whole(&of(key));
                let entry = self.collection_of([of(value)].into_iter());
                of(map).and(&entry)
            }
            _ => self.all_whole(&target.iter().chain(args).map(of).collect::<Vec<_>>()),
        }
    }

    /// Reads values as a whole.
    fn all_whole(&mut self, values: &[Held]) -> Held {
        values.iter().for_each(|it| self.add_whole(it));
        Held::default()
    }

    /// Returns the field of a value.
    fn member(&mut self, of: &Held, name: &str) -> Held {
        let mut found = Held {
            own: of.inner.clone(),
            ..Held::default()
        };
        for part in &of.own {
            found.own.insert(self.parts.field(*part, name));
        }
        if of.is_variables
            && let Some(variable) = self.variables.get(name)
        {
            found.add(variable);
        }
        found
    }

    /// Returns any element of a list, or any value of a map.
    fn elements(&mut self, of: &Held) -> Held {
        if of.is_variables {
            self.add_whole(of);
        }
        let mut found = Held {
            own: of.inner.clone(),
            ..Held::default()
        };
        for part in &of.own {
            found.own.insert(self.parts.element(*part));
        }
        found
    }

    /// Reads the number of elements or fields of a value.
    fn counted(&mut self, of: &Held) -> Held {
        if of.is_variables {
            self.add_whole(of);
        }
        for part in &of.own {
            self.parts.add_count(*part);
        }
        Held::default()
    }

    /// Reads whether a map has a key, or a list an element.
    fn has_key(&mut self, of: &Held, name: &str) -> Held {
        self.counted(of);
        for part in &of.own {
            self.parts.field(*part, name);
            self.parts.add_elements(*part);
        }
        for part in &of.inner {
            self.parts.add_whole(*part);
        }
        Held::default()
    }

    /// Returns a list or a map with these elements or values.
    fn collection_of(&mut self, elements: impl Iterator<Item = Held>) -> Held {
        let mut made = Held::default();
        for element in elements {
            // Deeper nesting is not followed.
            let nested = Held {
                inner: element.inner,
                is_variables: element.is_variables,
                ..Held::default()
            };
            self.add_whole(&nested);
            made.inner.extend(element.own);
        }
        made
    }

    /// Adds all that a value is or contains as a whole.
    fn add_whole(&mut self, value: &Held) {
        for part in value.own.iter().chain(&value.inner) {
            self.parts.add_whole(*part);
        }
        if value.is_variables {
            let all: Vec<Held> = self.variables.values().cloned().collect();
            for variable in &all {
                for part in variable.own.iter().chain(&variable.inner) {
                    self.parts.add_whole(*part);
                }
            }
        }
    }
}

impl Followed<'_> {
    fn is_constant(&self, id: NodeId) -> bool {
        matches!(self.expansion.kind(id), NodeKind::Literal(_))
    }

    /// Returns a string literal.
    fn string(&self, id: NodeId) -> Option<&str> {
        match self.expansion.kind(id) {
            NodeKind::Literal(Literal::String(text)) => Some(text),
            _ => None,
        }
    }

    fn value_of(&self, id: NodeId) -> Held {
        self.held.get(id.index()).cloned().unwrap_or_default()
    }
}

impl Held {
    fn from_part(part: PartId) -> Self {
        Self {
            own: [part].into(),
            ..Self::default()
        }
    }

    fn and(mut self, other: &Self) -> Self {
        self.add(other);
        self
    }

    /// Adds what another value can be. Returns whether anything changed.
    fn add(&mut self, other: &Self) -> bool {
        let before = (self.own.len(), self.inner.len(), self.is_variables);
        self.own.extend(&other.own);
        self.inner.extend(&other.inner);
        self.is_variables |= other.is_variables;
        before != (self.own.len(), self.inner.len(), self.is_variables)
    }
}
