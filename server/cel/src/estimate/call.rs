//! The estimated cost of calls with their arguments.
//!
//! Upstream: cel-go, checker/cost.go, `costCall` and `functionCost`.

use super::Estimator;
use crate::cost::{CallEstimate, CostEstimate, EstimatedCall, SizeEstimate, rules};
use crate::env::DeclaredOverload;
use crate::expand::NodeId;

/// A call, independent of the overload.
struct Call<'c> {
    node: NodeId,
    /// The call as passed to rules, without the overload.
    call: EstimatedCall<'c>,
    args: &'c [NodeId],
    /// The costs of the arguments.
    costs: &'c [CostEstimate],
}

impl<'a> Estimator<'a> {
    pub(super) fn call(
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
        if self.checked.overloads(node, self.env).next().is_none() {
            return CostEstimate::default();
        }
        let of_target = target.map_or(CostEstimate::default(), |target| self.cost(target));
        let target = target.map(|target| self.value(target));
        let call = EstimatedCall {
            function,
            overload: "",
            target: target.as_ref(),
            args: &values,
            release: self.env.release(),
            sizes: self.sizes,
        };
        let call = Call {
            node,
            call,
            args,
            costs: &costs,
        };
        of_target.plus(self.overloads(&call))
    }

    /// Returns the cost of a call with its arguments, for any of its overloads.
    fn overloads(&mut self, call: &Call<'_>) -> CostEstimate {
        let overloads = self.checked.overloads(call.node, self.env);
        let mut cost: Option<CostEstimate> = None;
        let mut result_size: Option<SizeEstimate> = None;
        for overload in overloads {
            let estimate = self.overload(overload, call);
            cost = Some(cost.map_or(estimate.cost, |cost| cost.or(estimate.cost)));
            result_size = match (result_size, estimate.result_size) {
                (Some(known), Some(size)) => Some(known.or(size)),
                (known, size) => known.or(size),
            };
            self.indexed(overload, call, &mut result_size);
            if result_size.is_none() {
                result_size = self.size(call.node);
            }
        }
        self.set_size(call.node, result_size);
        cost.unwrap_or_default()
    }

    /// Returns the cost of an overload with its arguments.
    fn overload(&mut self, overload: &DeclaredOverload, call: &Call<'_>) -> CallEstimate {
        let sum = || {
            let none = CostEstimate::default();
            call.costs.iter().fold(none, |sum, cost| sum.plus(*cost))
        };
        let estimated = EstimatedCall {
            overload: overload.id(),
            ..call.call
        };
        let of_library = || overload.function.estimate?(&estimated);
        if let Some(estimate) = self.sizes.call(&estimated).or_else(of_library) {
            return CallEstimate {
                cost: estimate.cost.plus(sum()),
                ..estimate
            };
        }
        match (overload.id(), call.args, call.costs) {
            // The right side may not run.
            ("logical_and" | "logical_or", _, [left, right]) => CallEstimate::cost(CostEstimate {
                min: left.min,
                max: left.plus(*right).max,
            }),
            ("conditional", [_, then, other], [condition, of_then, of_other]) => {
                let size = self.size_or_unknown(*then).or(self.size_or_unknown(*other));
                self.join_entries(call.node, *then, *other);
                CallEstimate::cost(condition.plus(of_then.or(*of_other))).giving(size)
            }
            (id, ..) => {
                if let ("add_string" | "add_bytes" | "add_list", [left, right]) = (id, call.args) {
                    self.join_entries(call.node, *left, *right);
                }
                let estimate = rules::estimate(&estimated);
                CallEstimate {
                    cost: estimate.cost.plus(sum()),
                    ..estimate
                }
            }
        }
    }

    /// Sets the path of the result of `a[b]`.
    fn indexed(
        &mut self,
        overload: &DeclaredOverload,
        call: &Call<'_>,
        result_size: &mut Option<SizeEstimate>,
    ) {
        let part = match overload.id() {
            "index_list" => "@items",
            "index_map" => "@values",
            _ => return,
        };
        if let Some(container) = call.args.first() {
            *result_size = self.entries_of(*container).map(|entries| entries.value);
            let path = self.path(*container).join(part);
            self.set_path(call.node, path);
        }
    }

    /// Joins the sizes of two values' entries.
    fn join_entries(&mut self, node: NodeId, left: NodeId, right: NodeId) {
        if let (Some(left), Some(right)) = (self.entries_of(left), self.entries_of(right)) {
            self.set_entries(node, Some(left.or(right)));
        }
    }
}
