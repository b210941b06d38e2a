//! The order of policies, bindings and parameters, which is random on an API server.
//!
//! The server keeps them in maps, so it may report any of several denials and apply mutating
//! policies in any order. Here the order is fixed unless another one is requested. Expressions also
//! visit the keys of a map in an object in random order.
//!
//! Limit: the order of the keys is not varied for the rules of a CustomResourceDefinition.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_source.go,
//! calculatePolicyData; policy_dispatcher.go, CollectParams; cel-go, common/types/map.go, Iterator.

use super::{ApiServer, Response};
use crate::limits::EvaluationLimits;
use crate::plugins::Notes;
use crate::request::Request;
use cel::Value;
use cel::value::Key;
use policy::Kind;
use std::sync::Arc;

/// Limit: the orders of mutating policies that are tried: all of three policies.
const MAX_ORDERS: usize = 6;

impl ApiServer {
    /// Returns the server that evaluates policies in another order, by its number. Number 0 is the
    /// usual order; counting up reaches all others.
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
        let round = self.invocations(Kind::MutatingAdmissionPolicy, &before);
        let are_several = round.evaluated() > 1;
        let mutated = |order: usize| {
            let server = self.clone().in_order(order);
            let mut request = Arc::clone(&before);
            let notes = &mut Notes::default();
            let plugins = server.plugins(Arc::make_mut(&mut request), notes);
            let result = plugins
                .and_then(|()| server.mutate(&mut request, limits, (&mut Vec::new(), notes)));
            result.ok().map(|_| request.inputs.object.clone())
        };
        let usual = are_several.then(|| mutated(self.order));
        usual.is_some_and(|usual| {
            let mut others = (0..MAX_ORDERS).filter(|order| *order != self.order);
            others.any(|order| !limits.is_over() && mutated(order) != usual && !limits.is_over())
        })
    }
}

impl ApiServer {
    /// Returns whether the response depends on the order in which expressions visit the keys of
    /// maps: whether another order yields another response.
    #[must_use]
    pub fn depends_on_key_order(
        &self,
        request: &Request,
        response: &Response,
        limits: &EvaluationLimits,
    ) -> bool {
        if !self.policies.iter().any(|it| it.compiled.visits_in_order) {
            return false;
        }
        let other = request.with_keys_arranged(&|keys| {
            let count = usize::from(!keys.is_empty());
            keys.rotate_left(count);
        });
        let other = self.admit(&other, limits);
        let parts = |it: &Response| (it.code, it.message.clone(), it.warnings.clone());
        !limits.is_over()
            && (parts(&other) != parts(response)
                || other.audit_annotations != response.audit_annotations
                || other.object != response.object)
    }
}

impl Request {
    /// Returns the same request with the keys of all maps in its objects in another order, by its
    /// number. Counting up reaches all orders.
    #[must_use]
    pub fn with_keys_in_order(&self, order: usize) -> Self {
        self.with_keys_arranged(&|keys| {
            let all = std::mem::take(keys);
            *keys = permuted(all, &mut order.clone());
        })
    }

    /// Returns the same request with the keys of all maps arranged.
    fn with_keys_arranged(&self, arrange: &impl Fn(&mut Vec<(Key, Value)>)) -> Self {
        let mut request = self.clone();
        let inputs = &mut request.inputs;
        let objects = [
            &mut inputs.object,
            &mut inputs.old_object,
            &mut inputs.params,
            &mut inputs.namespace_object,
        ]
        .into_iter()
        .flatten();
        let params = request.params.iter_mut().flatten();
        for object in objects.chain(params) {
            *object = keys_arranged(object, arrange);
        }
        request
    }
}

fn keys_arranged(value: &Value, arrange: &impl Fn(&mut Vec<(Key, Value)>)) -> Value {
    match value {
        Value::List(list) => {
            Value::list(list.iter().map(|it| keys_arranged(it, arrange)).collect())
        }
        Value::Map(map) => {
            let mut entries: Vec<(Key, Value)> = map
                .iter()
                .map(|(key, it)| (key.clone(), keys_arranged(it, arrange)))
                .collect();
            arrange(&mut entries);
            Value::Map(entries.into_iter().collect())
        }
        other => other.clone(),
    }
}

/// Returns a permutation of a list, by its number. The remainder of the number is for other
/// lists.
pub(super) fn permuted<T>(mut list: Vec<T>, order: &mut usize) -> Vec<T> {
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
