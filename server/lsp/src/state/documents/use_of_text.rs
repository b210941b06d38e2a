//! The work on the text of a document, and whether it is still needed.
//!
//! Work on an old text or a closed document is useless, so it is canceled.
//!
//! Work on one text shares its results. If one thread computes them, others would only wait, so
//! such work waits for its turn before it takes a thread. So does work whose response replaces the
//! one before in the editor: an outdated response must not arrive last.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Mutex;

/// The use of one text, shared by its snapshots.
#[derive(Debug, Default)]
pub(crate) struct UseOfText {
    is_old: AtomicBool,
    is_closed: AtomicBool,
    /// Held by work in the background.
    pub(crate) background: Mutex<()>,
    /// Held until a request for inlay hints is answered.
    pub(crate) hints: Mutex<()>,
    /// Held until a request for lenses is answered.
    pub(crate) lenses: Mutex<()>,
    /// Held while the title of a lens is computed: an editor requests all of them at once.
    pub(crate) lens_titles: Mutex<()>,
    /// Whether it may have comments for this program.
    pub(crate) may_have_comments: OnceLock<bool>,
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
