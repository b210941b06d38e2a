//! The cost of an expression before it runs.
//!
//! Upstream: cel-go, checker/cost.go, `Cost`.

mod call;
mod local;
mod minimum;
mod node_size;
#[cfg(test)]
mod tests;

pub use minimum::minimum;

use crate::check::Checked;
use crate::cost::{
    CREATE_LIST, CREATE_MAP, CREATE_STRUCT, CostEstimate, Path, SELECT, SizeEstimate, SizeOf,
};
use crate::env::Env;
use crate::expand::{Comprehension, Expansion, MapEntry, NodeId, NodeKind};
use crate::syntax::Literal;
use crate::types::Type;
use local::{Container, EntrySize, LocalSize, Locals, is_list};
use std::sync::Arc;

/// Choices that environments differ in.
#[derive(Clone, Copy, Debug, Default)]
pub struct EstimateOptions {
    /// Whether `has(a.b)` costs a unit in addition to `a`. It does in cel-go but not in Kubernetes.
    pub presence_test_has_cost: bool,
}

/// Returns the minimum and maximum cost of an expression without errors.
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
    /// By node, the sizes of its elements.
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
            None => Path::from_variable(Arc::clone(name)),
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
        let path = self.path(operand).join(Arc::clone(field));
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

    /// Returns whether it only names a value: it loops over an empty list and never iterates.
    fn is_binding(&self, comprehension: &Comprehension) -> bool {
        let range = self.expansion.kind(comprehension.range);
        let condition = self.expansion.kind(comprehension.condition);
        matches!(range, NodeKind::List { elements, .. } if elements.is_empty())
            && matches!(condition, NodeKind::Literal(Literal::Bool(false)))
            && &*comprehension.accumulator != "__result__"
    }

    fn binding(&mut self, node: NodeId, comprehension: &Comprehension) -> CostEstimate {
        let sum = self
            .cost(comprehension.range)
            .plus(self.cost(comprehension.init));
        self.push_accumulator(comprehension);
        let sum = sum.plus(self.cost(comprehension.result));
        self.locals.pop();
        self.copy_sizes(node, comprehension.result);
        sum
    }

    fn comprehension(&mut self, node: NodeId, comprehension: &Comprehension) -> CostEstimate {
        let sum = self
            .cost(comprehension.range)
            .plus(self.cost(comprehension.init));
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
        sum.plus(count.cost_of_each(step.plus(condition)))
    }

    fn push_accumulator(&mut self, comprehension: &Comprehension) {
        let local = LocalSize {
            path: self.path(comprehension.init),
            entries: self.entries_of(comprehension.init),
            size: self.size(comprehension.init),
        };
        self.locals.push(&comprehension.accumulator, local);
    }

    /// Declares the variables of a loop, and returns their number.
    fn push_variables(&mut self, comprehension: &Comprehension) -> usize {
        let known = self.entries_of(comprehension.range);
        let is_list = is_list(known, self.checked.type_of(comprehension.range));
        let path = self.path(comprehension.range);
        let key = known.map(|entries| entries.key);
        let value = known.map(|entries| entries.value);
        let mut push = |name: &Arc<str>, part: &str, size: Option<SizeEstimate>| {
            let local = LocalSize {
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
}

/// Returns an empty range that grows with the first size joined to it; 0 for a value that is always
/// empty.
const fn nothing_yet(is_empty: bool) -> SizeEstimate {
    SizeEstimate {
        min: if is_empty { 0 } else { u64::MAX },
        max: 0,
    }
}
