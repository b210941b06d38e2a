//! What the server tells the client about itself.
//!
//! Standard output belongs to the protocol, so everything goes through its messages:
//! `window/logMessage` for the log, `$/logTrace` for what the client asked to follow, and
//! `window/showMessage` for the few things that a user has to act on.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tower_lsp_server::Client;
use tower_lsp_server::ls_types::notification::LogTrace;
use tower_lsp_server::ls_types::{LogTraceParams, MessageType, TraceValue};

/// The log of one client.
#[derive(Debug)]
pub(crate) struct Log {
    client: Client,
    traces: AtomicBool,
    told: Mutex<HashSet<String>>,
}

impl Log {
    pub(crate) fn new(client: Client) -> Self {
        Self {
            client,
            traces: AtomicBool::new(false),
            told: Mutex::default(),
        }
    }

    /// Something went wrong in the server.
    pub(crate) async fn error(&self, message: &str) {
        self.client.log_message(MessageType::ERROR, message).await;
    }

    /// Something is not as the server expects it.
    pub(crate) async fn warning(&self, message: String) {
        self.client.log_message(MessageType::WARNING, message).await;
    }

    /// Something worth knowing.
    pub(crate) async fn info(&self, message: String) {
        self.client.log_message(MessageType::INFO, message).await;
    }

    /// Shows a warning to the user, unless the very same was shown before.
    pub(crate) async fn show_once(&self, message: String) {
        let new = {
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            told.insert(message.clone())
        };
        if new {
            self.client
                .show_message(MessageType::WARNING, message)
                .await;
        }
    }

    /// Sets whether the client follows what the server does.
    pub(crate) fn set_trace(&self, value: TraceValue) {
        self.traces
            .store(value != TraceValue::Off, Ordering::Relaxed);
    }

    /// A step of the server's work, for a client that follows it.
    pub(crate) async fn trace(&self, message: impl FnOnce() -> String) {
        if !self.traces.load(Ordering::Relaxed) {
            return;
        }
        let params = LogTraceParams {
            message: message(),
            verbose: None,
        };
        self.client.send_notification::<LogTrace>(params).await;
    }
}
