//! At most one running task for each key, and no lost updates.
//!
//! A keystroke needs new findings, a saved configuration needs new settings. While such a task
//! runs, any number of further requests cause one more run. So nothing waits for a timer, nothing
//! accumulates, and the last run sees the latest state.

use std::collections::HashMap;
use std::hash::Hash;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The keys with a running task, and whether it must run again. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Coalescer<K> {
    running: Arc<Mutex<HashMap<K, bool>>>,
    /// Notified when the last task ends.
    idle: Arc<Notify>,
}

impl<K> Default for Coalescer<K> {
    fn default() -> Self {
        Self {
            running: Arc::default(),
            idle: Arc::default(),
        }
    }
}

impl<K: Eq + Hash + Clone> Coalescer<K> {
    /// Requests a run. Returns true if the caller must start the task. Otherwise it is running and
    /// will run again.
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

    /// Returns whether the running task must run again.
    pub(crate) fn is_wanted(&self, key: &K) -> bool {
        self.lock().get(key).copied().unwrap_or(false)
    }

    /// Returns whether the task must run again. The task calls this after each run.
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
                if running.is_empty() {
                    self.idle.notify_waiters();
                }
                false
            }
        }
    }

    /// Waits until no task runs.
    pub(crate) async fn idle(&self) {
        let mut ended = pin!(self.idle.notified());
        loop {
            // What ends after the check is not missed.
            ended.as_mut().enable();
            if self.lock().is_empty() {
                return;
            }
            ended.as_mut().await;
            ended.set(self.idle.notified());
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
        assert!(!coalescer.is_wanted(&"a"));
        assert!(!coalescer.start(&"a"));
        assert!(!coalescer.start(&"a"));
        assert!(coalescer.is_wanted(&"a"));
        assert!(coalescer.again(&"a"));
        assert!(!coalescer.again(&"a"));
        assert!(coalescer.start(&"a"));
    }

    #[tokio::test]
    async fn the_end_of_the_last_task_is_awaited() {
        let coalescer = Coalescer::default();
        coalescer.idle().await;
        assert!(coalescer.start(&"a") && coalescer.start(&"b"));
        let waiting = tokio::spawn({
            let coalescer = coalescer.clone();
            async move { coalescer.idle().await }
        });
        assert!(!coalescer.again(&"a"));
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        assert!(!coalescer.again(&"b"));
        waiting.await.unwrap();
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
