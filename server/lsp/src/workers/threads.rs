//! Threads that may block. The one that was used last is used next.
//!
//! Its memory is still in the caches of a processor, and the allocator gives it what it has freed.
//! tokio wakes its blocking threads in turn, so that each finds its memory cold, and the slowest
//! keystrokes take a quarter longer.

use super::STACK;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{SendError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use tokio::sync::oneshot;

/// Limit: threads that wait for work. Usual work needs two at once.
const MAX_IDLE: usize = 4;

/// Work that returns how to report its result.
type Job = Box<dyn FnOnce() -> Report + Send>;

type Report = Box<dyn FnOnce() + Send>;

/// The threads that wait for work. The one that was used last is at the end.
type Idle = Mutex<Vec<Sender<Job>>>;

/// The threads. They are started when they are needed, and end when this is dropped.
#[derive(Default)]
pub(super) struct Threads {
    idle: Arc<Idle>,
}

impl Threads {
    /// Runs `work` on a thread. Returns the receiver of its result, or of the panic in it.
    ///
    /// # Errors
    /// If the operating system cannot start a thread.
    pub(super) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<oneshot::Receiver<thread::Result<T>>> {
        let (sender, result) = oneshot::channel();
        let job: Job = Box::new(move || {
            let result = catch_unwind(AssertUnwindSafe(work));
            Box::new(move || {
                // Without a receiver the result is not needed.
                let _ = sender.send(result);
            })
        });
        let last = lock(&self.idle).pop();
        let refused = match last {
            Some(thread) => thread.send(job).err().map(|SendError(job)| job),
            None => Some(job),
        };
        refused.map_or(Ok(()), |job| self.start(job))?;
        Ok(result)
    }

    fn start(&self, first: Job) -> io::Result<()> {
        let idle = Arc::downgrade(&self.idle);
        let thread = thread::Builder::new().name("analysis".into());
        thread
            .stack_size(STACK)
            .spawn(move || run_jobs(first, &idle))?;
        Ok(())
    }
}

/// Runs jobs until no more can arrive.
fn run_jobs(first: Job, idle: &Weak<Idle>) {
    let mut job = first;
    loop {
        let report = job();
        let (sender, next) = channel();
        // The thread is idle before the result is sent, since the next work may follow at once.
        add(idle, sender);
        report();
        match next.recv() {
            Ok(next) => job = next,
            Err(_) => return,
        }
    }
}

/// Adds a thread, unless there are enough, or the server has ended. Without its sender, a thread
/// ends.
fn add(idle: &Weak<Idle>, thread: Sender<Job>) {
    if let Some(idle) = idle.upgrade() {
        let mut threads = lock(&idle);
        if threads.len() < MAX_IDLE {
            threads.push(thread);
        }
    }
}

fn lock(idle: &Idle) -> MutexGuard<'_, Vec<Sender<Job>>> {
    // A list is never half-written.
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
    use std::time::{Duration, Instant};

    /// Longer than a thread needs to end on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(30);

    async fn run<T: Send + 'static>(
        threads: &Threads,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> thread::Result<T> {
        threads.run(work).unwrap().await.unwrap()
    }

    #[tokio::test]
    async fn the_thread_that_was_used_last_is_used_next() {
        let threads = Threads::default();
        let (hold, held) = channel::<()>();
        let first = threads.run(move || (thread::current().id(), held.recv()));
        let second = run(&threads, || thread::current().id()).await.unwrap();
        assert_eq!(
            run(&threads, || thread::current().id()).await.unwrap(),
            second
        );
        drop(hold);
        let (first, _) = first.unwrap().await.unwrap().unwrap();
        assert_ne!(first, second);
        assert_eq!(
            run(&threads, || thread::current().id()).await.unwrap(),
            first
        );
    }

    #[tokio::test]
    async fn a_panic_is_a_result_and_the_thread_remains() {
        let threads = Threads::default();
        let first = run(&threads, || thread::current().id()).await.unwrap();
        assert!(run(&threads, || panic!("expected")).await.is_err());
        assert_eq!(
            run(&threads, || thread::current().id()).await.unwrap(),
            first
        );
    }
    thread_local! {
        /// Dropped when its thread ends.
        static LIFE: RefCell<Option<Sender<()>>> = const { RefCell::new(None) };
    }

    /// Starts work that lasts until the sender is dropped. The receiver is closed when its thread
    /// ends.
    fn hold(threads: &Threads) -> (Sender<()>, Receiver<()>) {
        let (held, until) = channel::<()>();
        let (life, end) = channel();
        let work = move || {
            LIFE.set(Some(life));
            until.recv()
        };
        threads.run(work).unwrap();
        (held, end)
    }

    #[test]
    fn threads_end_with_the_server() {
        let threads = Threads::default();
        let (held, end) = hold(&threads);
        drop(threads);
        drop(held);
        assert_eq!(
            end.recv_timeout(PATIENCE),
            Err(RecvTimeoutError::Disconnected)
        );
    }

    #[test]
    fn few_idle_threads_remain() {
        let threads = Threads::default();
        let all: Vec<_> = (0..=MAX_IDLE).map(|_| hold(&threads)).collect();
        let ends: Vec<Receiver<()>> = all.into_iter().map(|(_, end)| end).collect();
        let has_ended = |end: &Receiver<()>| end.try_recv() == Err(TryRecvError::Disconnected);
        let start = Instant::now();
        while !ends.iter().any(has_ended) {
            assert!(start.elapsed() < PATIENCE);
            thread::yield_now();
        }
        assert_eq!(ends.iter().filter(|end| has_ended(end)).count(), 1);
    }
}
