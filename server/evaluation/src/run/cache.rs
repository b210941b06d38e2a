//! A cache of the answers for the policies of a file.
//!
//! An editor needs the same answer many times: for each lens, inlay hint and hover. Each
//! answer is computed once; concurrent callers wait for it.

use super::{ExpressionEvaluation, InputAnswer};
use admission::{EvaluationLimits, Request};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limit: the answers, and the values of expressions, that are kept. An editor requests some of
/// them repeatedly; a run over all inputs of a project requests each once.
const MAX_KEPT: usize = 512;

/// The values of the expressions of a policy.
type Shared = BTreeMap<usize, Arc<ExpressionEvaluation>>;

/// The answers and values of one server.
#[derive(Debug, Default)]
pub(super) struct AnswerCache {
    answers: Slots<usize, Arc<InputAnswer>>,
    expressions: Slots<(usize, Option<usize>, usize), Arc<Shared>>,
}

impl AnswerCache {
    /// Returns the answer to a request. `find` computes it if it is not cached.
    pub(super) fn answer(
        &self,
        request: &Arc<Request>,
        limits: &EvaluationLimits,
        find: impl FnOnce() -> InputAnswer,
    ) -> Arc<InputAnswer> {
        let find = || Arc::new(find());
        self.answers.get(identity(request), request, limits, find)
    }

    /// Returns the values of the expressions of a policy for a request, or of one of them.
    pub(super) fn expressions(
        &self,
        (policy, expression): (usize, Option<usize>),
        request: &Arc<Request>,
        limits: &EvaluationLimits,
        find: impl FnOnce() -> Arc<Shared>,
    ) -> Arc<Shared> {
        let key = (policy, expression, identity(request));
        self.expressions.get(key, request, limits, find)
    }
}

/// Returns a number that is unique while the request is alive.
pub(super) fn identity(request: &Arc<Request>) -> usize {
    Arc::as_ptr(request).addr()
}

/// Values that are computed once each.
#[derive(Debug)]
struct Slots<K, V>(Mutex<HashMap<K, Arc<Slot<V>>>>);

#[derive(Debug)]
struct Slot<V> {
    /// Keeps the request alive, so that its address remains unique.
    _request: Arc<Request>,
    value: Mutex<Option<V>>,
}

impl<K, V> Default for Slots<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Slots<K, V> {
    fn get(
        &self,
        key: K,
        request: &Arc<Request>,
        limits: &EvaluationLimits,
        find: impl FnOnce() -> V,
    ) -> V {
        let Some(slot) = self.slot(key, request) else {
            return find();
        };
        let mut cached = lock(&slot.value);
        if let Some(value) = &*cached {
            return value.clone();
        }
        let value = find();
        // No request waits for a canceled result. A result that took too long would take too long
        // again.
        if !limits.is_canceled() {
            *cached = Some(value.clone());
        }
        value
    }

    fn slot(&self, key: K, request: &Arc<Request>) -> Option<Arc<Slot<V>>> {
        let mut slots = lock(&self.0);
        if let Some(slot) = slots.get(&key) {
            return Some(Arc::clone(slot));
        }
        if slots.len() >= MAX_KEPT {
            return None;
        }
        let slot = Arc::new(Slot {
            _request: Arc::clone(request),
            value: Mutex::default(),
        });
        slots.insert(key, Arc::clone(&slot));
        Some(slot)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A value is cached as a whole or not at all.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
