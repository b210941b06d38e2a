//! The cost of an expression before it runs.
//!
//! Upstream: cel-go, checker/cost.go, `Cost`.

use super::local::{Container, EntrySize, Local, Locals, is_list};
use super::path::Path;
use super::rules;
use super::{
    CREATE_LIST, CREATE_MAP, CREATE_STRUCT, CallEstimate, CostEstimate, EstimatedCall,
    EstimatedValue, SELECT, SizeEstimate, SizeOf, is_scalar,
};
use crate::check::Checked;
use crate::env::{DeclaredOverload, Env};
use crate::expand::{Comprehension, Expansion, MapEntry, NodeId, NodeKind};
use crate::syntax::Literal;
use crate::types::Type;
use std::sync::Arc;

/// Choices that environments differ in.
#[derive(Clone, Copy, Debug, Default)]
pub struct EstimateOptions {
    /// Whether `has(a.b)` costs a unit beside `a`. It does in cel-go and does not in
    /// Kubernetes.
    pub presence_test_has_cost: bool,
}

/// What an expression without errors costs, at least and at most.
#[must_use]
pub fn estimate(
    checked: &Checked,
    env: &Env,
    sizes: &dyn SizeOf,
    options: EstimateOptions,
) -> CostEstimate {
    let expansion = checked.expansion();
    let mut estimator = Estimator {
        expansion,
        checked,
        env,
        sizes,
        options,
        locals: Locals::default(),
        paths: vec![Path::default(); expansion.len()],
        computed: vec![None; expansion.len()],
        entries: vec![None; expansion.len()],
    };
    estimator.cost(expansion.root())
}

struct Estimator<'a> {
    expansion: &'a Expansion,
    checked: &'a Checked,
    env: &'a Env,
    sizes: &'a dyn SizeOf,
    options: EstimateOptions,
    locals: Locals,
    /// By node, its path.
    paths: Vec<Path>,
    /// By node, its size as far as it was computed.
    computed: Vec<Option<SizeEstimate>>,
    /// By node, the sizes of what it holds.
    entries: Vec<Option<EntrySize>>,
}

impl<'a> Estimator<'a> {
    fn cost(&mut self, node: NodeId) -> CostEstimate {
        let expansion = self.expansion;
        match expansion.kind(node) {
            NodeKind::Error | NodeKind::Literal(_) => CostEstimate::default(),
            NodeKind::Ident(name) => self.name(node, name),
            NodeKind::Select {
                operand,
                field,
                test_only,
            } => self.select(node, *operand, field, *test_only),
            NodeKind::Call {
                target,
                function,
                args,
            } => self.call(node, *target, function, args),
            NodeKind::List { elements, .. } => self.list(node, elements),
            NodeKind::Map(entries) => self.map(node, entries),
            NodeKind::Struct { fields, .. } => {
                let base = CostEstimate::fixed(CREATE_STRUCT);
                fields
                    .iter()
                    .fold(base, |sum, field| sum.plus(self.cost(field.value)))
            }
            NodeKind::Comprehension(comprehension) => {
                if self.is_binding(comprehension) {
                    self.binding(node, comprehension)
                } else {
                    self.comprehension(node, comprehension)
                }
            }
        }
    }

    fn name(&mut self, node: NodeId, name: &Arc<str>) -> CostEstimate {
        let path = match self.locals.get(name) {
            Some(local) => local.path.clone(),
            None => Path::of_variable(Arc::clone(name)),
        };
        self.set_path(node, path);
        CostEstimate::fixed(SELECT)
    }

    fn select(
        &mut self,
        node: NodeId,
        operand: NodeId,
        field: &Arc<str>,
        test_only: bool,
    ) -> CostEstimate {
        let cost = self.cost(operand);
        if test_only {
            let test = u64::from(self.options.presence_test_has_cost);
            return cost.plus(CostEstimate::fixed(test));
        }
        let path = self.path(operand).join(field);
        self.set_path(node, path);
        match self.checked.type_of(operand) {
            Type::Map(_) | Type::Struct(_) | Type::Param(_) => {
                cost.plus(CostEstimate::fixed(SELECT))
            }
            _ => cost,
        }
    }

    fn list(&mut self, node: NodeId, elements: &[NodeId]) -> CostEstimate {
        let mut sum = CostEstimate::fixed(CREATE_LIST);
        let mut value = nothing_yet(elements.is_empty());
        for element in elements {
            sum = sum.plus(self.cost(*element));
            value = value.or(self.size_or_unknown(*element));
        }
        let entries = EntrySize {
            container: Container::List,
            key: SizeEstimate::fixed(1),
            value,
        };
        self.set_entries(node, Some(entries));
        sum
    }

    fn map(&mut self, node: NodeId, entries: &[MapEntry]) -> CostEstimate {
        let mut sum = CostEstimate::fixed(CREATE_MAP);
        let mut key = nothing_yet(entries.is_empty());
        let mut value = key;
        for entry in entries {
            sum = sum.plus(self.cost(entry.key));
            sum = sum.plus(self.cost(entry.value));
            key = key.or(self.size_or_unknown(entry.key));
            value = value.or(self.size_or_unknown(entry.value));
        }
        let entries = EntrySize {
            container: Container::Map,
            key,
            value,
        };
        self.set_entries(node, Some(entries));
        sum
    }

    /// Whether it only gives a value a name: it loops over an empty list and never.
    fn is_binding(&self, comprehension: &Comprehension) -> bool {
        let range = self.expansion.kind(comprehension.range);
        let condition = self.expansion.kind(comprehension.condition);
        matches!(range, NodeKind::List { elements, .. } if elements.is_empty())
            && matches!(condition, NodeKind::Literal(Literal::Bool(false)))
            && &*comprehension.accumulator != "__result__"
    }

    fn binding(&mut self, node: NodeId, comprehension: &Comprehension) -> CostEstimate {
        let sum = self.cost(comprehension.range);
        let sum = sum.plus(self.cost(comprehension.init));
        self.push_accumulator(comprehension);
        let sum = sum.plus(self.cost(comprehension.result));
        self.locals.pop();
        self.copy_sizes(node, comprehension.result);
        sum
    }

    fn comprehension(&mut self, node: NodeId, comprehension: &Comprehension) -> CostEstimate {
        let sum = self.cost(comprehension.range);
        let sum = sum.plus(self.cost(comprehension.init));
        self.push_accumulator(comprehension);
        let variables = self.push_variables(comprehension);
        let condition = self.cost(comprehension.condition);
        let step = self.cost(comprehension.step);
        for _ in 0..variables {
            self.locals.pop();
        }
        let sum = sum.plus(self.cost(comprehension.result));
        self.locals.pop();
        let count = self.size_or_unknown(comprehension.range);
        match self.expansion.kind(comprehension.init) {
            NodeKind::Literal(_) => {
                let size = self.size(comprehension.init);
                self.set_size(node, size);
            }
            NodeKind::List { .. } | NodeKind::Map(_) => {
                self.set_size(node, Some(count));
                let entries = self.entries_of(comprehension.step);
                self.set_entries(node, entries);
            }
            _ => {}
        }
        sum.plus(count.of(step.plus(condition)))
    }

    fn push_accumulator(&mut self, comprehension: &Comprehension) {
        let local = Local {
            path: self.path(comprehension.init),
            entries: self.entries_of(comprehension.init),
            size: self.size(comprehension.init),
        };
        self.locals.push(&comprehension.accumulator, local);
    }

    /// Declares the variables of a loop, and gives their number.
    fn push_variables(&mut self, comprehension: &Comprehension) -> usize {
        let known = self.entries_of(comprehension.range);
        let is_list = is_list(known, self.checked.type_of(comprehension.range));
        let path = self.path(comprehension.range);
        let key = known.map(|entries| entries.key);
        let value = known.map(|entries| entries.value);
        let mut push = |name: &Arc<str>, part: &str, size: Option<SizeEstimate>| {
            let local = Local {
                path: path.join(part),
                size,
                entries: None,
            };
            self.locals.push(name, local);
        };
        match &comprehension.second_variable {
            None if is_list => push(&comprehension.variable, "@items", value),
            None => push(&comprehension.variable, "@keys", key),
            Some(second) => {
                let parts = if is_list {
                    ("@indices", "@items")
                } else {
                    ("@keys", "@values")
                };
                push(&comprehension.variable, parts.0, key);
                push(second, parts.1, value);
                return 2;
            }
        }
        1
    }

    fn call(
        &mut self,
        node: NodeId,
        target: Option<NodeId>,
        function: &str,
        args: &'a [NodeId],
    ) -> CostEstimate {
        if let ("dyn", [arg, ..]) = (function, args) {
            let cost = self.cost(*arg);
            self.copy_sizes(node, *arg);
            return cost.plus(CostEstimate::fixed(1));
        }
        let mut costs = Vec::with_capacity(args.len());
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            costs.push(self.cost(*arg));
            values.push(self.value(*arg));
        }
        let (checked, env) = (self.checked, self.env);
        let mut overloads = checked.overloads(node, env).peekable();
        if overloads.peek().is_none() {
            return CostEstimate::default();
        }
        let of_target = target.map_or(CostEstimate::default(), |target| self.cost(target));
        let target = target.map(|target| self.value(target));
        let mut cost: Option<CostEstimate> = None;
        let mut result_size: Option<SizeEstimate> = None;
        for overload in overloads {
            let call = EstimatedCall {
                function,
                overload: overload.id(),
                target: target.as_ref(),
                args: &values,
                sizes: self.sizes,
            };
            let estimate = self.overload(node, overload, &call, args, &costs);
            cost = Some(cost.map_or(estimate.cost, |cost| cost.or(estimate.cost)));
            result_size = match (result_size, estimate.result_size) {
                (Some(known), Some(size)) => Some(known.or(size)),
                (known, size) => known.or(size),
            };
            self.indexed(node, overload, args, &mut result_size);
            if result_size.is_none() {
                result_size = self.size(node);
            }
        }
        self.set_size(node, result_size);
        of_target.plus(cost.unwrap_or_default())
    }

    /// What an overload costs with its arguments.
    fn overload(
        &mut self,
        node: NodeId,
        overload: &DeclaredOverload,
        call: &EstimatedCall<'_>,
        args: &[NodeId],
        costs: &[CostEstimate],
    ) -> CallEstimate {
        let sum = || {
            let none = CostEstimate::default();
            costs.iter().fold(none, |sum, cost| sum.plus(*cost))
        };
        let of_library = overload
            .function
            .estimate
            .and_then(|estimate| estimate(call));
        if let Some(estimate) = of_library.or_else(|| self.sizes.call(call)) {
            return CallEstimate {
                cost: estimate.cost.plus(sum()),
                ..estimate
            };
        }
        match (overload.id(), args, costs) {
            // The right side may not run.
            ("logical_and" | "logical_or", _, [left, right]) => CallEstimate::cost(CostEstimate {
                min: left.min,
                max: left.plus(*right).max,
            }),
            ("conditional", [_, then, other], [condition, of_then, of_other]) => {
                let size = self.size_or_unknown(*then).or(self.size_or_unknown(*other));
                self.join_entries(node, *then, *other);
                CallEstimate::cost(condition.plus(of_then.or(*of_other))).giving(size)
            }
            (id, ..) => {
                if let ("add_string" | "add_bytes" | "add_list", [left, right]) = (id, args) {
                    self.join_entries(node, *left, *right);
                }
                let estimate = rules::estimate(call);
                CallEstimate {
                    cost: estimate.cost.plus(sum()),
                    ..estimate
                }
            }
        }
    }

    /// What `a[b]` gives is found by its path later on.
    fn indexed(
        &mut self,
        node: NodeId,
        overload: &DeclaredOverload,
        args: &[NodeId],
        result_size: &mut Option<SizeEstimate>,
    ) {
        let part = match overload.id() {
            "index_list" => "@items",
            "index_map" => "@values",
            _ => return,
        };
        if let Some(container) = args.first() {
            *result_size = self.entries_of(*container).map(|entries| entries.value);
            let path = self.path(*container).join(part);
            self.set_path(node, path);
        }
    }

    /// A value that holds what either of two values holds.
    fn join_entries(&mut self, node: NodeId, left: NodeId, right: NodeId) {
        if let (Some(left), Some(right)) = (self.entries_of(left), self.entries_of(right)) {
            self.set_entries(node, Some(left.or(right)));
        }
    }

    fn value(&mut self, node: NodeId) -> EstimatedValue<'a> {
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

    fn path(&self, node: NodeId) -> Path {
        if let Some(local) = self.local(node) {
            return local.path.clone();
        }
        self.paths.get(node.index()).cloned().unwrap_or_default()
    }

    fn set_path(&mut self, node: NodeId, path: Path) {
        if let Some(place) = self.paths.get_mut(node.index()) {
            *place = path;
        }
    }

    /// The variable of a macro that a node names.
    fn local(&self, node: NodeId) -> Option<&Local> {
        match self.expansion.kind(node) {
            NodeKind::Ident(name) => self.locals.get(name),
            _ => None,
        }
    }

    /// What is known of the size of a node.
    ///
    /// Upstream: cel-go, checker/cost.go, `computeSize`.
    fn size(&mut self, node: NodeId) -> Option<SizeEstimate> {
        if let Some(size) = self.computed.get(node.index()).copied().flatten() {
            return Some(size);
        }
        if let Some(size) = self.written_size(node) {
            return Some(SizeEstimate::fixed(size));
        }
        if let Some(size) = self.sizes.size_of(&self.path(node).parts()) {
            self.set_size(node, Some(size));
            return Some(size);
        }
        if is_scalar(self.checked.type_of(node)) {
            return Some(SizeEstimate::fixed(1));
        }
        self.local(node)?.size
    }

    /// The size of a constant, and of what is written out.
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

    fn size_or_unknown(&mut self, node: NodeId) -> SizeEstimate {
        self.size(node).unwrap_or(SizeEstimate::UNKNOWN)
    }

    fn set_size(&mut self, node: NodeId, size: Option<SizeEstimate>) {
        if let (Some(place), Some(_)) = (self.computed.get_mut(node.index()), size) {
            *place = size;
        }
    }

    fn entries_of(&self, node: NodeId) -> Option<EntrySize> {
        let known = self.entries.get(node.index()).copied().flatten();
        known.or_else(|| self.local(node)?.entries)
    }

    fn set_entries(&mut self, node: NodeId, entries: Option<EntrySize>) {
        if let (Some(place), Some(_)) = (self.entries.get_mut(node.index()), entries) {
            *place = entries;
        }
    }

    fn copy_sizes(&mut self, to: NodeId, from: NodeId) {
        let size = self.size(from);
        self.set_size(to, size);
        let entries = self.entries_of(from);
        self.set_entries(to, entries);
    }
}

/// The range that grows with the first size that joins it; 0 for what stays empty.
const fn nothing_yet(is_empty: bool) -> SizeEstimate {
    SizeEstimate {
        min: if is_empty { 0 } else { u64::MAX },
        max: 0,
    }
}
