//! The work that an analysis needs, the same on every machine.
//!
//! Analyses call a checkpoint in their loops and where they look into the file, so the calls
//! measure the work.

use std::cell::Cell;
use std::rc::Rc;
use text::checkpoint::cancelable;

/// Returns the work of an analysis: the calls of checkpoints. It is canceled after as many as
/// `limit`.
pub(crate) fn work<T>(limit: u32, analysis: impl FnOnce() -> T) -> u32 {
    let calls = Rc::new(Cell::new(0));
    let count = Rc::clone(&calls);
    let goes_on = move || {
        count.set(count.get() + 1);
        count.get() < limit
    };
    let found = cancelable(goes_on, analysis);
    assert_eq!(found.is_ok(), calls.get() < limit);
    calls.get()
}
