//! The minimum cost of an expression.
//!
//! The lower end of cel-go's estimate is not a lower bound. It counts every iteration of a loop
//! that can end early, assumes the longest list where the length is unknown, as in
//! `lists.range(n)`, and counts constants that cost nothing at run time. This one counts only parts
//! that must run, and only at a cost that does not depend on unknown values. It may be far too low,
//! but it is never too high.
//!
//! Upstream: cel-go, interpreter/runtimecost.go, `Observe`; interpreter/interpretable.go.

use crate::check::Checked;
use crate::cost::{EstimatedCall, EstimatedValue, Path, UnknownSizes};
use crate::env::Env;
use crate::expand::{Comprehension, Expansion, NodeId, NodeKind};
use crate::syntax::Literal;

/// Returns the lowest cost of an evaluation that yields a value.
#[must_use]
pub fn minimum(checked: &Checked, env: &Env) -> u64 {
    let expansion = checked.expansion();
    let counter = Counter {
        checked,
        env,
        expansion,
    };
    counter.cost(expansion.root()).of_value
}

/// The units below which a part never is.
#[derive(Clone, Copy, Debug, Default)]
struct MinimumCost {
    /// If it yields a value.
    of_value: u64,
    /// When it fails, which `&&` and `||` can hide.
    of_failure: u64,
}

impl MinimumCost {
    /// Returns both costs, where the second part runs only if the first yields a value.
    const fn then(self, next: Self) -> Self {
        Self {
            of_value: self.of_value.saturating_add(next.of_value),
            of_failure: self.of_failure,
        }
    }

    /// Returns the cost of both parts, regardless of the result of the first.
    const fn and(self, next: Self) -> Self {
        Self {
            of_value: self.of_value.saturating_add(next.of_value),
            of_failure: self.of_failure.saturating_add(next.of_failure),
        }
    }

    /// Returns the cost of what always runs, whether it fails or not.
    fn at_least(self) -> u64 {
        self.of_value.min(self.of_failure)
    }
}

struct Counter<'a> {
    checked: &'a Checked,
    env: &'a Env,
    expansion: &'a Expansion,
}

impl<'a> Counter<'a> {
    fn cost(&self, node: NodeId) -> MinimumCost {
        match self.expansion.kind(node) {
            NodeKind::Error | NodeKind::Literal(_) | NodeKind::Ident(_) => MinimumCost::default(),
            NodeKind::Select { operand, .. } => self.cost(*operand),
            NodeKind::Call {
                target,
                function,
                args,
            } => self.call(node, *target, function, args),
            NodeKind::List { elements, .. } => self.in_order(elements.iter().copied()),
            NodeKind::Map(entries) => {
                self.in_order(entries.iter().flat_map(|entry| [entry.key, entry.value]))
            }
            NodeKind::Struct { fields, .. } => {
                self.in_order(fields.iter().map(|field| field.value))
            }
            NodeKind::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    /// Returns the cost of parts that each run only if the previous one yields a value.
    fn in_order(&self, nodes: impl Iterator<Item = NodeId>) -> MinimumCost {
        let mut costs = nodes.map(|node| self.cost(node));
        let first = costs.next().unwrap_or_default();
        costs.fold(first, MinimumCost::then)
    }

    fn call(
        &self,
        node: NodeId,
        target: Option<NodeId>,
        function: &str,
        args: &'a [NodeId],
    ) -> MinimumCost {
        match (function, target, args) {
            ("_&&_" | "_||_", None, [left, right]) => {
                let (left, right) = (self.cost(*left), self.cost(*right));
                let hidden = left.of_failure.saturating_add(right.of_value);
                MinimumCost {
                    of_value: left.of_value.min(hidden),
                    of_failure: left.at_least(),
                }
            }
            ("_?_:_", None, [condition, then, other]) => {
                let (then, other) = (self.cost(*then), self.cost(*other));
                self.cost(*condition).then(MinimumCost {
                    of_value: then.of_value.min(other.of_value),
                    of_failure: 0,
                })
            }
            ("@not_strictly_false", None, [only]) => MinimumCost {
                of_value: self.cost(*only).at_least(),
                of_failure: 0,
            },
            // The default is evaluated only if needed.
            ("or" | "orValue", Some(target), _) => self.cost(target),
            _ => self.plain_call(node, target, function, args),
        }
    }

    /// Returns a call that evaluates all its arguments.
    fn plain_call(
        &self,
        node: NodeId,
        target: Option<NodeId>,
        function: &str,
        args: &'a [NodeId],
    ) -> MinimumCost {
        let costs = target.iter().chain(args).map(|node| self.cost(*node));
        let call = MinimumCost {
            of_value: self.fixed(node, target, function, args, true),
            of_failure: self.fixed(node, target, function, args, false),
        };
        // With one or two arguments all of them are evaluated and the call is counted, even if one
        // of them fails.
        let is_small = target.iter().len() + args.len() <= 2 && !function.contains('_');
        let mut costs = costs;
        let first = costs.next().unwrap_or_default();
        if is_small {
            costs.fold(first, MinimumCost::and).and(call)
        } else {
            costs.fold(first, MinimumCost::then).then(call)
        }
    }

    /// Returns the cost of a call without its arguments, if it is the same for all values of the
    /// non-constant arguments.
    fn fixed(
        &self,
        node: NodeId,
        target: Option<NodeId>,
        function: &str,
        args: &[NodeId],
        with_constants: bool,
    ) -> u64 {
        let mut overloads = self.checked.overloads(node, self.env);
        if overloads.any(|it| it.function.estimate.is_none()) {
            return 0;
        }
        // The indexes of `slice` only say how long the list must be: with one that is too short, the
        // call fails at once.
        let reads_constants = with_constants && target.is_none();
        let value = |node: NodeId| EstimatedValue {
            ty: self.checked.type_of(node),
            literal: match self.expansion.kind(node) {
                NodeKind::Literal(literal) if reads_constants => Some(literal),
                _ => None,
            },
            computed_size: None,
            path: Path::default(),
        };
        let target = target.map(value);
        let args: Vec<EstimatedValue<'_>> = args.iter().copied().map(value).collect();
        let costs = self.checked.overloads(node, self.env).map(|overload| {
            let estimate = overload.function.estimate?;
            let call = EstimatedCall {
                function,
                overload: overload.id(),
                target: target.as_ref(),
                args: &args,
                release: self.env.release(),
                sizes: &UnknownSizes,
            };
            let cost = estimate(&call)?.cost;
            (cost.min == cost.max && cost.is_bounded()).then_some(cost.min)
        });
        costs.map(Option::unwrap_or_default).min().unwrap_or(0)
    }

    /// Returns the cost of a loop, with its iterations if nothing ends it early. The initial value
    /// is constant, or evaluated only if needed.
    fn comprehension(&self, comprehension: &Comprehension) -> MinimumCost {
        let range = self.cost(comprehension.range);
        let result = self.cost(comprehension.result);
        let mut of_value = range.of_value.saturating_add(result.of_value);
        let condition = self.expansion.kind(comprehension.condition);
        if matches!(condition, NodeKind::Literal(Literal::Bool(true))) {
            let turn = self.cost(comprehension.step).of_value;
            let turns = self.size(comprehension.range);
            of_value = of_value.saturating_add(turn.saturating_mul(turns));
        }
        MinimumCost {
            of_value,
            of_failure: range.at_least(),
        }
    }

    /// Returns the elements that a list or a map has at least.
    fn size(&self, node: NodeId) -> u64 {
        match self.expansion.kind(node) {
            NodeKind::List { elements, optional } => {
                (elements.len().saturating_sub(optional.len())) as u64
            }
            NodeKind::Map(entries) => entries.iter().filter(|entry| !entry.optional).count() as u64,
            NodeKind::Call { function, args, .. } => match (&**function, &**args) {
                ("lists.range", [count]) => match self.expansion.kind(*count) {
                    NodeKind::Literal(Literal::Int(count)) => u64::try_from(*count).unwrap_or(0),
                    _ => 0,
                },
                ("_+_", [left, right]) => self.size(*left).saturating_add(self.size(*right)),
                ("_?_:_", [_, then, other]) => self.size(*then).min(self.size(*other)),
                ("dyn", [only]) => self.size(*only),
                _ => 0,
            },
            NodeKind::Comprehension(comprehension) if self.adds_always(comprehension) => {
                self.size(comprehension.range)
            }
            _ => 0,
        }
    }

    /// Returns whether each turn of a loop adds one element to a list, as `map` does.
    fn adds_always(&self, comprehension: &Comprehension) -> bool {
        let NodeKind::Call { function, args, .. } = self.expansion.kind(comprehension.step) else {
            return false;
        };
        let is_list = |node: &NodeId| match self.expansion.kind(*node) {
            NodeKind::List { elements, optional } => elements.len() == 1 && optional.is_empty(),
            _ => false,
        };
        &**function == "_+_" && args.last().is_some_and(is_list)
    }
}

#[cfg(test)]
mod tests;
