//! Points at which long work can be paused or canceled.
//!
//! An editor changes or closes a document while it is analyzed, and then the result is no
//! longer needed. Analyses call [`checkpoint`] in their loops, so that functions need no extra
//! parameter. On a thread that no [`cancelable`] call has prepared, as in a command, it does
//! nothing.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// Limit: calls of [`checkpoint`] between two checks for cancellation. A call costs about a
/// nanosecond, and every loop makes this many in less than a millisecond.
const INTERVAL: u32 = 16;

/// A function that returns whether to continue. It may block to pause the work.
type Observer = Rc<dyn Fn() -> bool>;

thread_local! {
    static CALLS_LEFT: Cell<u32> = const { Cell::new(u32::MAX) };
    static OBSERVER: RefCell<Option<Observer>> = const { RefCell::new(None) };
}

/// The work was canceled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canceled;

/// Pauses or cancels the work of this thread, if its caller requires that.
///
/// Must not be called while a global value is initialized: it could not be initialized again.
#[inline]
pub fn checkpoint() {
    match CALLS_LEFT.get() {
        u32::MAX => {}
        0 => observe(),
        left => CALLS_LEFT.set(left - 1),
    }
}

#[cold]
fn observe() {
    CALLS_LEFT.set(INTERVAL);
    let observer = OBSERVER.with_borrow(Option::clone);
    if observer.is_some_and(|should_continue| !should_continue()) {
        resume_unwind(Box::new(Canceled));
    }
}

/// Runs `work` until it ends, or until `should_continue` returns false at a [`checkpoint`].
///
/// # Errors
/// The work was canceled. A panic in it continues.
pub fn cancelable<T>(
    should_continue: impl Fn() -> bool + 'static,
    work: impl FnOnce() -> T,
) -> Result<T, Canceled> {
    OBSERVER.set(Some(Rc::new(should_continue)));
    CALLS_LEFT.set(0);
    let result = catch_unwind(AssertUnwindSafe(work));
    CALLS_LEFT.set(u32::MAX);
    OBSERVER.set(None);
    result.map_err(|reason| match reason.downcast::<Canceled>() {
        Ok(canceled) => *canceled,
        Err(panic) => resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_at_a_checkpoint() {
        let count = Rc::new(Cell::new(0));
        let counter = Rc::clone(&count);
        let should_continue = move || {
            counter.set(counter.get() + 1);
            counter.get() < 3
        };
        let endless = || -> () {
            loop {
                checkpoint();
            }
        };
        assert_eq!(cancelable(should_continue, endless), Err(Canceled));
        assert_eq!(count.get(), 3);
        // Nothing of it remains.
        for _ in 0..1000 {
            checkpoint();
        }
        assert_eq!((count.get(), cancelable(|| true, || 7)), (3, Ok(7)));
    }
}
