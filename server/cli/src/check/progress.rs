//! A bar on standard error while a long run is under way.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Once;
use std::time::{Duration, Instant};

/// Limit: a run that is over sooner shows no bar, which would only flicker.
const PATIENCE: Duration = Duration::from_millis(500);

const TEMPLATE: &str = "Checking {bar:30} {pos}/{len} files";

/// How far a run is. Shared between threads.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    watched: bool,
    shown: Once,
}

impl Progress {
    /// The start of a run over `files` files.
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

    /// One more file is done.
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

    /// The run is over: the bar goes away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
