//! Blocking threads for the analysis.
//!
//! The task that waits for a result does not block others, and can stop waiting at any time.

use crate::panics;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The kind of work. Each has threads of its own, so that requests never delay findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// A request of the client.
    Request,
    /// Work in the background, for example findings that are published.
    Background,
}

/// Limits how many blocking threads work at once.
pub(crate) struct Workers {
    requests: Arc<Semaphore>,
    background: Arc<Semaphore>,
}

impl Default for Workers {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(4, usize::from);
        // At least four, so that one large document does not delay the small ones.
        let lane = || Arc::new(Semaphore::new(threads.max(4)));
        Self {
            requests: lane(),
            background: lane(),
        }
    }
}

impl Workers {
    /// Returns the result of `work`, or the message of its panic. If the caller stops waiting,
    /// work that has started still runs to its end.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        task: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let lane = match lane {
            Lane::Request => &self.requests,
            Lane::Background => &self.background,
        };
        // The semaphores are never closed.
        let permit = Arc::clone(lane).acquire_owned().await.ok();
        let work = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        work.await.map_err(|failed| match failed.try_into_panic() {
            Ok(panic) => panics::describe(task, &*panic),
            Err(_) => format!("`{task}` was stopped because the server is shutting down"),
        })
    }
}
