//! The order of policies, bindings and parameters, which an API server draws at random.
//!
//! The server keeps them in maps. So it may report any of several denials, and apply mutating
//! policies in any order. Here the order is always the same unless another one is requested.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_source.go,
//! calculatePolicyData; policy_dispatcher.go, CollectParams.

use super::ApiServer;
use super::invocation::Call;
use crate::limits::EvaluationLimits;
use crate::request::Request;
use policy::Kind;
use std::sync::Arc;

/// Limit: the orders of mutating policies that are tried: all of three policies.
const MAX_ORDERS: usize = 6;

impl ApiServer {
    /// Returns the server that evaluates policies in another order, by its number. The number 0
    /// is the usual order; all others are reached by counting.
    #[must_use]
    pub fn in_order(self, order: usize) -> Self {
        Self { order, ..self }
    }

    /// Returns whether the object depends on the order of the mutating policies: whether one of
    /// the first orders yields another object or a denial. With up to three invocations these
    /// are all orders.
    #[must_use]
    pub fn depends_on_order(&self, request: &Request, limits: &EvaluationLimits) -> bool {
        let before = Arc::new(self.with_namespace(request));
        let calls = self
            .invocations(Kind::MutatingAdmissionPolicy, &before)
            .calls;
        let are_several = calls
            .iter()
            .filter(|call| matches!(call, Call::Evaluate(_)))
            .count()
            > 1;
        let mutated = |order: usize| {
            let server = self.clone().in_order(order);
            let mut request = Arc::clone(&before);
            let plugins = server.plugins(Arc::make_mut(&mut request), None);
            let result =
                plugins.and_then(|()| server.mutate(&mut request, limits, &mut Vec::new()));
            result.ok().map(|_| request.inputs.object.clone())
        };
        let usual = are_several.then(|| mutated(self.order));
        usual.is_some_and(|usual| {
            let mut others = (0..MAX_ORDERS).filter(|order| *order != self.order);
            others.any(|order| !limits.is_canceled() && mutated(order) != usual)
        })
    }
}

/// Arranges calls in an order: policies, the bindings of each, the parameters of each.
pub(super) fn arranged(calls: Vec<Call<'_>>, order: usize) -> Vec<Call<'_>> {
    if order == 0 {
        return calls;
    }
    let mut rest = order;
    let policies = grouped(calls, Call::place);
    let policies = permuted(policies, &mut rest).into_iter();
    let bindings = policies.flat_map(|policy| permuted(grouped(policy, Call::binding), &mut rest));
    let bindings: Vec<_> = bindings.collect();
    let params = bindings.into_iter();
    params
        .flat_map(|binding| permuted(binding, &mut rest))
        .collect()
}

/// Splits a list into groups of neighbors with the same key.
fn grouped<T, K: PartialEq>(list: Vec<T>, key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for element in list {
        let of = key(&element);
        match groups.last_mut() {
            Some((last, group)) if *last == of => group.push(element),
            _ => groups.push((of, vec![element])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Returns a permutation of a list, by its number. What is left of the number is for other lists.
fn permuted<T>(mut list: Vec<T>, order: &mut usize) -> Vec<T> {
    let mut out = Vec::with_capacity(list.len());
    while !list.is_empty() {
        let count = list.len();
        out.push(list.remove(*order % count));
        *order /= count;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::permuted;
    use std::collections::BTreeSet;

    #[test]
    fn counting_reaches_every_order() {
        let orders: BTreeSet<String> = (0..24)
            .map(|order| String::from_iter(permuted(vec!['a', 'b', 'c', 'd'], &mut { order })))
            .collect();
        assert_eq!(orders.len(), 24);
        assert_eq!(permuted(vec!['a', 'b'], &mut 0), ['a', 'b']);
    }
}
