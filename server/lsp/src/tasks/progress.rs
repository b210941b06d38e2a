//! The progress of long work, as the client shows it.
//!
//! It begins only after a delay, so that it does not flash in the client.

use crate::session::Session;
use std::time::{Duration, Instant};
use tower_lsp_server::ls_types as lsp;
use tower_lsp_server::ls_types::request::WorkDoneProgressCreate;
use tower_lsp_server::{Bounded, Cancellable, OngoingProgress};

/// The name of the progress in the messages to the client.
pub(crate) const TOKEN: &str = "admissible/workspace";

/// How long work is not shown.
const SHORT: Duration = Duration::from_millis(500);

/// Limit: how long the client may take to respond that it shows the progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// The progress of some steps.
pub(crate) struct Progress<'a> {
    session: &'a Session,
    title: &'static str,
    steps: usize,
    done: usize,
    started: Instant,
    shown: Shown,
}

enum Shown {
    NotYet,
    /// The client does not show progress.
    Never,
    /// With the last percentage.
    Yes(OngoingProgress<Bounded, Cancellable>, u32),
}

impl<'a> Progress<'a> {
    /// Returns the progress of work that begins now.
    pub(crate) fn new(session: &'a Session, title: &'static str, steps: usize) -> Self {
        Self {
            session,
            title,
            steps,
            done: 0,
            started: Instant::now(),
            shown: if session.capabilities().shows_progress {
                Shown::NotYet
            } else {
                Shown::Never
            },
        }
    }

    /// Reports the begin of the next step.
    pub(crate) async fn advance(&mut self) {
        let percentage = self.done.saturating_mul(100) / self.steps.max(1);
        let percentage = u32::try_from(percentage).unwrap_or(100);
        self.done += 1;
        match &mut self.shown {
            Shown::NotYet if self.started.elapsed() >= SHORT => {
                self.shown = self.begin(percentage).await;
            }
            Shown::Yes(progress, last) if *last != percentage => {
                *last = percentage;
                progress.report(percentage, None).await;
            }
            Shown::NotYet | Shown::Never | Shown::Yes(..) => {}
        }
    }

    async fn begin(&self, percentage: u32) -> Shown {
        let client = &self.session.client;
        let token = lsp::ProgressToken::String(TOKEN.to_owned());
        let params = lsp::WorkDoneProgressCreateParams {
            token: token.clone(),
        };
        let created = client.send_request::<WorkDoneProgressCreate>(params);
        match tokio::time::timeout(PATIENCE, created).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return Shown::Never,
        }
        let progress = client.progress(token, self.title);
        let progress = progress.with_percentage(percentage).with_cancel_button();
        Shown::Yes(progress.begin().await, percentage)
    }

    /// Ends the progress.
    pub(crate) async fn end(self) {
        if let Shown::Yes(progress, _) = self.shown {
            progress.finish().await;
        }
    }
}
