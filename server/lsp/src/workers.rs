//! Blocking threads for the analysis.
//!
//! The task that waits for a result does not block others, and can stop waiting at any time. Then
//! the work is canceled at its next checkpoint.
//!
//! Work in the background lets other threads run at its checkpoints: the findings of a change must
//! not delay the requests that follow it. A scheduler may leave a thread behind another one for
//! milliseconds although a processor is idle, in a virtual machine in particular.
//!
//! Most work takes milliseconds. Longer work yields its slot to other work, and pauses while such
//! work runs. So a few slow documents do not delay the findings in all others.

mod threads;

use crate::panics;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use text::checkpoint::cancelable;
use threads::Threads;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// The stack size of a thread for analysis, in bytes.
///
/// Limit: the parsers bound their nesting for threads of 2 MiB; this leaves room for builds without
/// optimization.
pub(crate) const STACK: usize = 8 * 1024 * 1024;

/// How long work keeps its slot.
///
/// Limit: the analysis of a usual document takes a few milliseconds.
const SHORT: Duration = Duration::from_millis(20);

/// How long slow work pauses at a checkpoint at most.
const PAUSE: Duration = Duration::from_millis(20);

/// How long work in the background lets other threads run in total.
///
/// Limit: the protocol, a client and most requests take a fraction of a millisecond. A program that
/// uses all processors takes more, and the work does not wait for it again.
const COURTESY: Duration = Duration::from_millis(4);

/// Limit: slow work that has yielded its slot. Each may use the memory for a document.
const MAX_SLOW: usize = 16;

/// The size from which a document is large, in bytes. Such documents use at most half of the slots,
/// so that smaller ones do not wait for them.
///
/// Limit: most policies have a few KiB, and the analysis of that many takes a few milliseconds.
const LARGE: usize = 32 * 1024;

/// The kind of work. Each has its own slots, so that requests never delay findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// A request of the client.
    Request,
    /// Work in the background, for example findings.
    Background,
}

/// The reason why work has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The result is no longer needed.
    Canceled,
    /// A message: the work has panicked, or no thread could be started.
    Failed(String),
}

/// Limits how many blocking threads work at once.
pub(crate) struct Workers {
    requests: Slots,
    background: Slots,
    short: Arc<ShortWork>,
    threads: Threads,
}

/// The slots of a lane.
struct Slots {
    all: Arc<Semaphore>,
    large: Arc<Semaphore>,
    slow: Arc<Semaphore>,
}

impl Slots {
    fn new() -> Self {
        let threads = std::thread::available_parallelism().map_or(4, usize::from);
        // At least four, so that one large document does not delay the small ones.
        let count = threads.max(4);
        Self {
            all: Arc::new(Semaphore::new(count)),
            large: Arc::new(Semaphore::new(count / 2)),
            slow: Arc::new(Semaphore::new(MAX_SLOW)),
        }
    }

    /// Waits for a slot for a document of a size.
    async fn acquire(&self, size: usize) -> [Option<OwnedSemaphorePermit>; 2] {
        // The semaphores are never closed.
        let large = if size >= LARGE {
            Arc::clone(&self.large).acquire_owned().await.ok()
        } else {
            None
        };
        [Arc::clone(&self.all).acquire_owned().await.ok(), large]
    }
}

/// The work that has started recently.
#[derive(Default)]
struct ShortWork {
    running: Mutex<usize>,
    ended: Condvar,
}

impl ShortWork {
    fn running(&self) -> MutexGuard<'_, usize> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while such work runs, but not for long: it may wait for a result of the caller.
    fn give_way(&self) {
        let pause = self
            .ended
            .wait_timeout_while(self.running(), PAUSE, |running| *running > 0);
        drop(pause);
    }
}

/// Counts as short work until it is dropped.
struct Short(Arc<ShortWork>);

impl Short {
    fn start(work: &Arc<ShortWork>) -> Self {
        *work.running() += 1;
        Self(Arc::clone(work))
    }
}

impl Drop for Short {
    fn drop(&mut self) {
        *self.0.running() -= 1;
        self.0.ended.notify_all();
    }
}

/// The state that a task shares with the thread of its work.
#[derive(Default)]
struct Job {
    is_slow: AtomicBool,
    is_dropped: AtomicBool,
}

/// Cancels a job when the task that waits for it is dropped.
struct Waiting(Arc<Job>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.is_dropped.store(true, Ordering::Relaxed);
    }
}

impl Default for Workers {
    fn default() -> Self {
        Self {
            requests: Slots::new(),
            background: Slots::new(),
            short: Arc::default(),
            threads: Threads::default(),
        }
    }
}

impl Workers {
    /// Returns the result of `work` on a document of `size` bytes. It is canceled at a checkpoint
    /// if the caller stops waiting, or if `is_needed` returns false.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        task: &'static str,
        size: usize,
        is_needed: impl Fn() -> bool + Send + 'static,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let (sender, mut result) = oneshot::channel();
        let work = move || {
            // Without a receiver the result is not needed.
            let _ = sender.send(work());
        };
        self.run_boxed(lane, task, size, Box::new(is_needed), Box::new(work))
            .await?;
        result.try_recv().map_err(|_| Stopped::Canceled)
    }

    /// Runs work that returns nothing. It has no type parameters: threads, cancellation and panics
    /// are compiled once, not for each request.
    async fn run_boxed(
        &self,
        lane: Lane,
        task: &'static str,
        size: usize,
        is_needed: Box<dyn Fn() -> bool + Send>,
        work: Box<dyn FnOnce() + Send>,
    ) -> Result<(), Stopped> {
        let (lane, courtesy) = match lane {
            Lane::Request => (&self.requests, Duration::ZERO),
            Lane::Background => (&self.background, COURTESY),
        };
        let slot = lane.acquire(size).await;
        let slot = Arc::new(Mutex::new(Some((slot, Short::start(&self.short)))));
        let job = Waiting(Arc::default());
        let should_continue = continuation(&job.0, Arc::clone(&self.short), courtesy, is_needed);
        let own = Arc::clone(&slot);
        let work = self.threads.run(move || {
            let result = cancelable(should_continue, work);
            own.lock().unwrap_or_else(PoisonError::into_inner).take();
            result
        });
        let mut work = work.map_err(|error| {
            Stopped::Failed(format!(
                "`{task}` failed: no thread can be started: {error}."
            ))
        })?;
        let finished = tokio::select! {
            finished = &mut work => finished,
            () = tokio::time::sleep(SHORT) => {
                let slow = Arc::clone(&lane.slow).try_acquire_owned();
                job.0.is_slow.store(true, Ordering::Relaxed);
                if slow.is_ok() {
                    slot.lock().unwrap_or_else(PoisonError::into_inner).take();
                }
                work.await
            }
        };
        match finished {
            Ok(Ok(ended)) => ended.map_err(|_| Stopped::Canceled),
            Ok(Err(panic)) => Err(Stopped::Failed(panics::describe(task, &*panic))),
            // A thread always reports a result.
            Err(_) => Err(Stopped::Canceled),
        }
    }
}

/// Returns the function that a thread calls at its checkpoints.
fn continuation(
    job: &Arc<Job>,
    short: Arc<ShortWork>,
    courtesy: Duration,
    is_needed: Box<dyn Fn() -> bool + Send>,
) -> impl Fn() -> bool + Send + 'static {
    let job = Arc::clone(job);
    let courtesy = Cell::new(courtesy);
    move || {
        let left = courtesy.get();
        if !left.is_zero() {
            let start = Instant::now();
            std::thread::yield_now();
            courtesy.set(left.saturating_sub(start.elapsed()));
        }
        if job.is_slow.load(Ordering::Relaxed) {
            short.give_way();
        }
        !job.is_dropped.load(Ordering::Relaxed) && is_needed()
    }
}
