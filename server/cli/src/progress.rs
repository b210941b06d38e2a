//! A progress bar on standard error for long replays.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Once;
use std::time::{Duration, Instant};

/// Limit: a shorter run shows no bar, which would only flicker.
const PATIENCE: Duration = Duration::from_millis(500);

const TEMPLATE: &str = "Replaying {bar:30} {bytes}/{total_bytes}, {eta} left";

/// The template if the size is unknown.
const ENDLESS_TEMPLATE: &str = "Replaying {spinner} {bytes}";

/// The progress of a replay. Shared between threads.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    watched: bool,
    shown: Once,
}

impl Progress {
    /// Starts the progress of a replay of `size` bytes, if that is known.
    pub(super) fn new(bytes: Option<u64>, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(bytes, ProgressDrawTarget::hidden());
        let template = bytes.map_or(ENDLESS_TEMPLATE, |_| TEMPLATE);
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

    /// Counts bytes as done.
    pub(super) fn advance(&self, bytes: usize) {
        if !self.watched {
            return;
        }
        self.bar.inc(bytes as u64);
        if self.started.elapsed() > PATIENCE {
            self.shown
                .call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// Removes the bar at the end.
    pub(super) fn finish(&self) -> Duration {
        self.bar.finish_and_clear();
        self.started.elapsed()
    }
}
