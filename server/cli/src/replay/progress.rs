//! A bar on standard error while a long replay is under way.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Once;
use std::time::{Duration, Instant};

/// Limit: a shorter run shows no bar, which would only flicker.
const PATIENCE: Duration = Duration::from_millis(500);

const TEMPLATE: &str = "Replaying {bar:30} {bytes}/{total_bytes}, {eta} left";

/// Where nobody knows how much comes.
const ENDLESS_TEMPLATE: &str = "Replaying {spinner} {bytes}";

/// How far a replay is. Shared between threads.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    watched: bool,
    shown: Once,
}

impl Progress {
    /// The start of a replay over so many bytes, if that is known.
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

    /// So many more bytes are done.
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

    /// The replay is over: the bar goes away.
    pub(super) fn finish(&self) -> Duration {
        self.bar.finish_and_clear();
        self.started.elapsed()
    }
}
