//! Whether the text of a document is still needed.
//!
//! Work on an old text has no use, and that on a closed document neither. It is canceled.

use std::sync::atomic::{AtomicBool, Ordering};

/// The use of one text, shared by its snapshots.
#[derive(Debug, Default)]
pub(crate) struct UseOfText {
    is_old: AtomicBool,
    is_closed: AtomicBool,
}

impl UseOfText {
    /// Returns whether the document still has this text.
    pub(crate) fn is_newest(&self) -> bool {
        !self.is_old.load(Ordering::Relaxed)
    }

    /// Returns whether the document is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Notes that the document gets another text.
    pub(super) fn outdate(&self) {
        self.is_old.store(true, Ordering::Relaxed);
    }

    /// Notes that the document is closed.
    pub(super) fn close(&self) {
        self.outdate();
        self.is_closed.store(true, Ordering::Relaxed);
    }
}
