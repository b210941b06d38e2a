//! A thread for each core.

use std::thread::{self, Builder};

/// The stack of a thread, in bytes.
///
/// Limit: the parsers bound their nesting for stacks of 2 MiB; this leaves room for builds
/// without optimization.
const STACK: usize = 8 * 1024 * 1024;

/// Runs `work` on all cores and returns the result of each. If the system provides fewer
/// threads, fewer do the work.
pub(super) fn all<T: Send>(work: impl Fn() -> T + Sync) -> Vec<T> {
    let count = thread::available_parallelism().map_or(1, usize::from);
    let work = &work;
    thread::scope(|scope| {
        let spawn = |_| {
            let builder = Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work).ok()
        };
        let threads: Vec<_> = (0..count).filter_map(spawn).collect();
        if threads.is_empty() {
            return vec![work()];
        }
        let done = threads.into_iter().map(|thread| {
            let done = thread.join();
            done.unwrap_or_else(|defect| std::panic::resume_unwind(defect))
        });
        done.collect()
    })
}
