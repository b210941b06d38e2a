//! Results that are computed once and kept while they are used.
//!
//! A keystroke changes one expression of many. Each version of a file requests its results by
//! their inputs, so that a result is computed again only if one of them has changed. A key holds
//! all inputs. Nothing is invalidated by hand, and a result is never outdated.

use foldhash::fast::RandomState;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Limit: the versions of a file whose results are kept although none of them was analyzed
/// completely, as while a user types fast.
const MAX_UNFINISHED: u64 = 64;

/// A version of a file, as a [`Memo`] counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Round(u64);

/// Results by key.
pub struct Memo<K, V> {
    table: Mutex<Table<K, V>>,
}

struct Table<K, V> {
    round: Round,
    entries: HashMap<K, Entry<V>, RandomState>,
}

struct Entry<V> {
    /// The last version that used it.
    used: Round,
    result: Arc<OnceLock<V>>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self {
            table: Mutex::new(Table {
                round: Round::default(),
                entries: HashMap::default(),
            }),
        }
    }
}

impl<K, V> fmt::Debug for Memo<K, V> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Memo")
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

impl<K, V> Memo<K, V> {
    /// Begins the work on a new version.
    pub fn begin(&self) -> Round {
        let mut table = self.table();
        table.round.0 += 1;
        let round = table.round;
        let oldest = round.0.saturating_sub(MAX_UNFINISHED);
        table.entries.retain(|_, entry| entry.used.0 >= oldest);
        round
    }

    /// Drops what neither this version nor a later one has used. Called when this version has
    /// requested everything that it needs.
    pub fn end(&self, round: Round) {
        self.table().entries.retain(|_, it| it.used >= round);
    }

    /// Returns the number of results that are kept.
    pub fn count(&self) -> usize {
        self.table().entries.len()
    }

    fn table(&self) -> MutexGuard<'_, Table<K, V>> {
        // An entry is added or removed as a whole.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// Returns the result of a key, if it was computed.
    pub fn known<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let mut table = self.table();
        let round = table.round;
        let entry = table.entries.get_mut(key)?;
        entry.used = round;
        entry.result.get().cloned()
    }

    /// Returns the result of a key. `make` computes it if it is missing, without a lock on
    /// other results. Concurrent requests for the same result wait for it. If the work is
    /// canceled, the next request computes it.
    pub fn get(&self, key: K, make: impl FnOnce() -> V) -> V {
        let result = {
            let mut table = self.table();
            let used = table.round;
            let entry = table.entries.entry(key).or_insert_with(|| Entry {
                used,
                result: Arc::default(),
            });
            entry.used = used;
            Arc::clone(&entry.result)
        };
        result.get_or_init(make).clone()
    }
}

/// A shared value as a part of a key. It equals only itself.
pub struct Identity<T>(Arc<T>);

impl<T> From<&Arc<T>> for Identity<T> {
    fn from(value: &Arc<T>) -> Self {
        // No other value has its address as long as the key exists.
        Self(Arc::clone(value))
    }
}

impl<T> Clone for Identity<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Identity<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Eq for Identity<T> {}

impl<T> Hash for Identity<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl<T> fmt::Debug for Identity<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.0, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::{Canceled, cancelable, checkpoint};
    use std::cell::Cell;

    /// Requests results, and returns how many of them are computed.
    fn computed(memo: &Memo<&'static str, usize>, keys: &[&'static str]) -> usize {
        let count = Cell::new(0);
        for key in keys {
            let length = memo.get(key, || {
                count.set(count.get() + 1);
                key.len()
            });
            assert_eq!(length, key.len());
        }
        count.get()
    }

    #[test]
    fn a_result_is_kept_while_versions_use_it() {
        let memo = Memo::default();
        let first = memo.begin();
        assert_eq!(computed(&memo, &["a", "b", "a"]), 2);
        memo.end(first);
        let second = memo.begin();
        assert_eq!(computed(&memo, &["a", "c"]), 1);
        memo.end(second);
        assert_eq!(memo.count(), 2);
        assert_eq!(computed(&memo, &["a", "b", "c"]), 1);
    }

    #[test]
    fn a_known_result_is_returned_and_kept() {
        let memo = Memo::default();
        assert_eq!(memo.known("a"), None);
        assert_eq!(computed(&memo, &["a", "b"]), 2);
        let second = memo.begin();
        assert_eq!(memo.known("a"), Some(1));
        memo.end(second);
        assert_eq!(computed(&memo, &["a", "b"]), 1);
    }

    #[test]
    fn a_version_that_is_not_analyzed_completely_drops_nothing() {
        let memo = Memo::default();
        let first = memo.begin();
        assert_eq!(computed(&memo, &["a"]), 1);
        let second = memo.begin();
        assert_eq!(computed(&memo, &["b"]), 1);
        memo.end(first);
        memo.begin();
        assert_eq!(computed(&memo, &["a", "b"]), 0);
        memo.end(second);
        assert_eq!(computed(&memo, &["a", "b"]), 0);
        for _ in 0..=MAX_UNFINISHED {
            memo.begin();
        }
        assert_eq!(computed(&memo, &["a", "b"]), 2);
    }

    #[test]
    fn canceled_work_is_done_by_the_next_one() {
        let memo: Memo<&str, usize> = Memo::default();
        let make = || loop {
            checkpoint();
        };
        assert_eq!(cancelable(|| false, || memo.get("a", make)), Err(Canceled));
        assert_eq!(computed(&memo, &["a"]), 1);
    }

    #[test]
    fn work_may_request_other_results() {
        let memo: Memo<&str, usize> = Memo::default();
        let sum = memo.get("sum", || computed(&memo, &["a", "bc"]));
        assert_eq!(sum, 2);
        assert_eq!(computed(&memo, &["a", "bc"]), 0);
    }

    #[test]
    fn a_shared_value_equals_only_itself() {
        let (one, other) = (Arc::new(1), Arc::new(1));
        assert_eq!(Identity::from(&one), Identity::from(&one).clone());
        assert_ne!(Identity::from(&one), Identity::from(&other));
        let memo = Memo::default();
        assert_eq!(memo.get(Identity::from(&one), || 1), 1);
        assert_eq!(memo.get(Identity::from(&other), || 2), 2);
        assert_eq!(memo.get(Identity::from(&one), || 3), 1);
    }
}
