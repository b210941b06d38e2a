//! Ctrl-C while a replay is under way.
//!
//! A dump may take minutes, and what was found until somebody has seen enough is worth
//! showing. The first Ctrl-C ends the reading, the second one the program.

use crate::exit::INTERRUPTED;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody has seen enough.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to Ctrl-C from now on. Where the system does not let it, Ctrl-C ends the
    /// program as ever.
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

    /// Says so. Gives whether it was said before.
    pub(super) fn set(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether somebody has.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
