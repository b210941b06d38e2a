//! A progress bar on standard error for long runs.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Once;
use std::time::{Duration, Instant};

/// Limit: a shorter run shows no bar, which would only flicker.
const PATIENCE: Duration = Duration::from_millis(500);

const TEMPLATE: &str = "Checking {bar:30} {pos}/{len} files";

/// The progress of a run. Shared between threads.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    watched: bool,
    shown: Once,
}

impl Progress {
    /// Starts the progress of a run over `files` files.
    pub(super) fn new(files: usize, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        Self {
            bar,
            started: Instant::now(),
            watched: !quiet && Terminal::is_watched(),
            shown: Once::new(),
        }
    }

    /// Counts a file as done.
    pub(super) fn advance(&self) {
        if !self.watched {
            return;
        }
        self.bar.inc(1);
        if self.started.elapsed() > PATIENCE {
            self.shown
                .call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// Removes the bar at the end of the run.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
