//! Log messages to the client.
//!
//! Standard output belongs to the protocol, so everything goes through its messages:
//! `window/logMessage` for the log, `$/logTrace` for a client that traces the server, and
//! `window/showMessage` for the few messages that require an action of the user.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tower_lsp_server::Client;
use tower_lsp_server::ls_types::notification::LogTrace;
use tower_lsp_server::ls_types::{LogTraceParams, MessageType, TraceValue};

/// Limit: the remembered messages to the user. Each may name a file.
const MAX_LOGGED: usize = 1000;

/// The log of one client.
#[derive(Debug)]
pub(crate) struct Log {
    client: Client,
    traces: AtomicBool,
    logged: Mutex<HashSet<String>>,
}

impl Log {
    pub(crate) fn new(client: Client) -> Self {
        Self {
            client,
            traces: AtomicBool::new(false),
            logged: Mutex::default(),
        }
    }

    /// Logs an error of the server.
    pub(crate) async fn error(&self, message: &str) {
        self.client.log_message(MessageType::ERROR, message).await;
    }

    /// Logs an unexpected event.
    pub(crate) async fn warning(&self, message: String) {
        self.client.log_message(MessageType::WARNING, message).await;
    }

    /// Logs information.
    pub(crate) async fn info(&self, message: String) {
        self.client.log_message(MessageType::INFO, message).await;
    }

    /// Shows a warning to the user, unless the same one was shown before.
    pub(crate) async fn show_once(&self, message: String) {
        let new = {
            let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
            if logged.len() >= MAX_LOGGED {
                logged.clear();
            }
            logged.insert(message.clone())
        };
        if new {
            self.client
                .show_message(MessageType::WARNING, message)
                .await;
        }
    }

    /// Sets whether the client traces the server.
    pub(crate) fn set_trace(&self, value: TraceValue) {
        self.traces
            .store(value != TraceValue::Off, Ordering::Relaxed);
    }

    /// Logs a step of the server, for a client that traces it.
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
