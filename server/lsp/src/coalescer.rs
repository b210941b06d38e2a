//! One running task per key, and never a lost wish for another run.
//!
//! A keystroke wants new findings, a saved configuration wants new settings. While such a
//! task runs, any number of further wishes mean one thing: run once more afterwards. So
//! nothing waits for a timer, nothing piles up, and the last run sees the last state.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The keys whose task runs, and whether it shall run again.
#[derive(Debug)]
pub(crate) struct Coalescer<K> {
    running: Mutex<HashMap<K, bool>>,
}

impl<K> Default for Coalescer<K> {
    fn default() -> Self {
        Self {
            running: Mutex::new(HashMap::new()),
        }
    }
}

impl<K: Eq + Hash + Clone> Coalescer<K> {
    /// Wishes for a run. True when the caller has to start the task; else it runs already
    /// and will run again.
    #[must_use]
    pub(crate) fn start(&self, key: &K) -> bool {
        let mut running = self.lock();
        if let Some(again) = running.get_mut(key) {
            *again = true;
            return false;
        }
        running.insert(key.clone(), false);
        true
    }

    /// Asked by the task after each run: whether it has to run again. False ends the task.
    #[must_use]
    pub(crate) fn again(&self, key: &K) -> bool {
        let mut running = self.lock();
        match running.get_mut(key) {
            Some(again) if *again => {
                *again = false;
                true
            }
            _ => {
                running.remove(key);
                false
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, bool>> {
        // A flag is never half-written.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_during_a_run_become_one_more_run() {
        let coalescer = Coalescer::default();
        assert!(coalescer.start(&"a"));
        assert!(!coalescer.start(&"a"));
        assert!(!coalescer.start(&"a"));
        assert!(coalescer.again(&"a"));
        assert!(!coalescer.again(&"a"));
        assert!(coalescer.start(&"a"));
    }

    #[test]
    fn keys_do_not_know_each_other() {
        let coalescer = Coalescer::default();
        assert!(coalescer.start(&"a"));
        assert!(coalescer.start(&"b"));
        assert!(!coalescer.again(&"a"));
        assert!(!coalescer.start(&"b"));
    }
}
