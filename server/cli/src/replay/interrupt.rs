//! Ctrl-C during a replay.
//!
//! A dump may take minutes, and the results so far are worth showing. The first Ctrl-C stops
//! reading, the second one exits.

use crate::exit::INTERRUPTED;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether Ctrl-C was pressed.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Handles Ctrl-C from now on. If the system does not allow it, Ctrl-C ends the program as
    /// usual.
    pub(super) fn listen() -> Self {
        let interrupt = Self::default();
        let heard = interrupt.clone();
        let _ = ctrlc::set_handler(move || {
            if heard.set() {
                process::exit(INTERRUPTED.into());
            }
        });
        interrupt
    }

    /// Records an interrupt. Returns whether there was one before.
    pub(super) fn set(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Returns whether Ctrl-C was pressed.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
