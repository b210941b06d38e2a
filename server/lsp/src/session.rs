//! One session with a client: the connection to it, the state, and the running tasks.

use crate::analysis::{Analysis, Ide};
use crate::capabilities::Capabilities;
use crate::coalescer::Coalescer;
use crate::log::Log;
use crate::state::State;
use crate::state::documents::Snapshot;
use crate::transport::error;
use crate::workers::{Lane, Stopped, Workers};
use futures::future::BoxFuture;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_lsp_server::Client;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::ls_types as lsp;
use tower_lsp_server::ls_types::error_codes::{CONTENT_MODIFIED, REQUEST_FAILED};

/// How often the server checks whether the client process is still running.
///
/// Limit: an orphaned server lives up to this much longer; a check takes a few microseconds.
const CLIENT_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The options of a server. The default is the product.
#[derive(Clone)]
pub struct Options {
    /// The features of the editor.
    pub analysis: Arc<dyn Analysis>,
    /// How often to check whether the process that started the server is still running.
    pub client_check_interval: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            analysis: Arc::new(Ide),
            client_check_interval: CLIENT_CHECK_INTERVAL,
        }
    }
}

/// A session with one client.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) log: Log,
    /// The capabilities of the client, as the last request `initialize` has them.
    sent_capabilities: Mutex<Value>,
    /// Set by `initialize`, before any other handler runs.
    pub(crate) capabilities: OnceLock<Capabilities>,
    pub(crate) state: Arc<State>,
    pub(crate) workers: Workers,
    pub(crate) renewals: Renewals,
    /// Work that the client may still be waiting for.
    pub(crate) tasks: TaskTracker,
    /// Set when the session has ended.
    pub(crate) ended: CancellationToken,
    pub(crate) client_check_interval: Duration,
}

/// How long a request may work on a document, whatever it does.
///
/// Limit: an author waits no longer. A build without optimization is many times slower.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 2 });

/// The tasks that run at most once at a time, for each key.
#[derive(Default)]
pub(crate) struct Renewals {
    pub(crate) settings: Coalescer<()>,
    pub(crate) findings: Coalescer<lsp::Uri>,
    pub(crate) input_findings: Coalescer<()>,
    pub(crate) projects: Coalescer<()>,
    pub(crate) project_search: Coalescer<()>,
    pub(crate) sample_search: Coalescer<()>,
    /// The summary of an open document.
    pub(crate) summary: Coalescer<lsp::Uri>,
    /// The manifests in an open document.
    pub(crate) samples: Coalescer<lsp::Uri>,
    /// The findings in files that are not open.
    pub(crate) closed_files: Coalescer<()>,
    pub(crate) lenses: Coalescer<()>,
    pub(crate) hints: Coalescer<()>,
    pub(crate) semantic_tokens: Coalescer<()>,
}

impl Session {
    pub(crate) fn new(client: Client, options: Options) -> Self {
        Self {
            log: Log::new(client.clone()),
            client,
            sent_capabilities: Mutex::default(),
            capabilities: OnceLock::new(),
            state: Arc::new(State::new(options.analysis)),
            workers: Workers::default(),
            renewals: Renewals::default(),
            tasks: TaskTracker::new(),
            ended: CancellationToken::new(),
            client_check_interval: options.client_check_interval,
        }
    }

    /// Returns the capabilities that the client has sent, as JSON. They are read by their paths, so
    /// that the code that writes their types is not compiled.
    pub(crate) fn sent_capabilities(&self) -> MutexGuard<'_, Value> {
        // A value is replaced as a whole.
        let sent = self.sent_capabilities.lock();
        sent.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the capabilities of the client.
    pub(crate) fn capabilities(&self) -> &Capabilities {
        self.capabilities
            .get_or_init(|| Capabilities::new(&Value::Null))
    }

    /// Runs `work` for a request about a document. Returns `None` if it is not open.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        task: &'static str,
        uri: &lsp::Uri,
        work: impl FnOnce(&Snapshot) -> Option<T> + Send + 'static,
    ) -> Result<Option<T>> {
        let Some(snapshot) = self.state.documents.snapshot(uri) else {
            return Ok(None);
        };
        self.analyze(Lane::Request, task, &snapshot, work).await
    }

    /// Runs `work` for a snapshot on a thread that may block. Work in the background on one text
    /// runs one after the other, since it shares its results. A panic becomes an error response and
    /// a line in the log. A request is canceled when the document is closed, other work also when
    /// its text changes.
    pub(crate) async fn analyze<T: Send + 'static>(
        &self,
        lane: Lane,
        task: &'static str,
        snapshot: &Arc<Snapshot>,
        work: impl FnOnce(&Snapshot) -> T + Send + 'static,
    ) -> Result<T> {
        let (sender, mut result) = oneshot::channel();
        let work = move |it: &Snapshot| {
            // Without a receiver the result is not needed.
            let _ = sender.send(work(it));
        };
        self.analyze_boxed(lane, task, snapshot, Box::new(work))
            .await?;
        result.try_recv().map_err(|_| canceled())
    }

    /// Runs work that returns nothing. It has no type parameters, so it is compiled once.
    async fn analyze_boxed(
        &self,
        lane: Lane,
        task: &'static str,
        snapshot: &Arc<Snapshot>,
        work: Box<dyn FnOnce(&Snapshot) + Send>,
    ) -> Result<()> {
        let text = Arc::clone(&snapshot.use_of_text);
        let in_use = Arc::clone(&text);
        let _turn = match lane {
            Lane::Request => None,
            Lane::Background => Some(in_use.background.lock().await),
        };
        let snapshot = Arc::clone(snapshot);
        let end = Arc::new(OnceLock::new());
        let ends_at = Arc::clone(&end);
        let is_late = move || Instant::now() > *ends_at.get_or_init(|| Instant::now() + LONGEST);
        let is_needed = move || match lane {
            Lane::Request => !text.is_closed() && !is_late(),
            Lane::Background => text.is_newest(),
        };
        let size = snapshot.len();
        let work = move || work(&snapshot);
        match self.workers.run(lane, task, size, is_needed, work).await {
            Ok(()) => Ok(()),
            Err(Stopped::Canceled) if end.get().is_some_and(|end| Instant::now() > *end) => {
                let reason = format!("{task} was stopped after {LONGEST:?}");
                Err(error(ErrorCode::from(REQUEST_FAILED), reason))
            }
            Err(stopped) => Err(self.report(stopped).await),
        }
    }

    /// Returns the error response of work without a result. A panic is also a line in the log.
    pub(crate) async fn report(&self, stopped: Stopped) -> Error {
        match stopped {
            Stopped::Canceled => canceled(),
            Stopped::Failed(reason) => {
                self.log.error(&reason).await;
                error(ErrorCode::InternalError, reason)
            }
        }
    }

    /// Starts a task that the end of the session waits for. Tasks are boxed, so that the scheduler
    /// is compiled once, not for each of them.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let task: BoxFuture<'static, ()> = Box::pin(task);
        self.tasks.spawn(task);
    }

    /// Waits for the running tasks, but not longer than `grace`.
    pub(crate) async fn drain(&self, grace: Duration) {
        self.tasks.close();
        let _ = tokio::time::timeout(grace, self.tasks.wait()).await;
    }

    /// Ends the session.
    pub(crate) fn end(&self) {
        self.ended.cancel();
    }
}

/// Starts a task whose end is not awaited.
pub(crate) fn detach(task: impl Future<Output = ()> + Send + 'static) {
    let task: BoxFuture<'static, ()> = Box::pin(task);
    tokio::spawn(task);
}

/// Returns the error response of work that is no longer needed.
fn canceled() -> Error {
    let reason = "The document has changed or is closed.";
    error(ErrorCode::from(CONTENT_MODIFIED), reason)
}
