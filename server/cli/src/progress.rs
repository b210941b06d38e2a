//! A progress bar on standard error for long runs.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Once;
use std::time::{Duration, Instant};

/// Limit: a shorter run shows no bar, which would only flicker.
const PATIENCE: Duration = Duration::from_millis(500);

/// The progress of a run. Shared between threads.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    watched: bool,
    shown: Once,
}

impl Progress {
    /// Starts the progress of a run of this length, if it is known.
    pub(crate) fn new(length: Option<u64>, template: &str, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self {
            bar,
            started: Instant::now(),
            watched: !quiet && Terminal::is_watched(),
            shown: Once::new(),
        }
    }

    /// Counts a part as done.
    pub(crate) fn advance(&self, part: usize) {
        if !self.watched {
            return;
        }
        self.bar.inc(part as u64);
        if self.started.elapsed() > PATIENCE {
            self.shown
                .call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// Removes the bar at the end and returns the time of the run.
    pub(crate) fn finish(&self) -> Duration {
        self.bar.finish_and_clear();
        self.started.elapsed()
    }
}
