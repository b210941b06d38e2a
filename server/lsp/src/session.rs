//! What the server knows while it serves one client.

use crate::analysis::{Analyses, Analysis, Ide, Lane};
use crate::candidates::Candidates;
use crate::capabilities::Capabilities;
use crate::coalescer::Coalescer;
use crate::documents::{Documents, Snapshot};
use crate::evaluation::Evaluations;
use crate::handlers::configuration::Sources;
use crate::inputs::Inputs;
use crate::log::Log;
use crate::projects::Projects;
use crate::publish::Published;
use crate::refresh::Refreshes;
use crate::samples::Samples;
use crate::transport::error;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_lsp_server::Client;
use tower_lsp_server::jsonrpc::{ErrorCode, Result};
use tower_lsp_server::ls_types as lsp;

/// How often the server looks whether its parent process still runs.
///
/// Limit: an orphan lives that much longer; a look costs some microseconds.
const PARENT_INTERVAL: Duration = Duration::from_secs(1);

/// What can be chosen about a server. The default is the product.
#[derive(Clone)]
pub struct Options {
    /// Who answers.
    pub analysis: Arc<dyn Analysis>,
    /// How often to look whether the process that started the server still runs.
    pub parent_interval: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            analysis: Arc::new(Ide),
            parent_interval: PARENT_INTERVAL,
        }
    }
}

/// Everything that handlers share.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) log: Log,
    /// Set by `initialize`, before any other handler runs.
    pub(crate) capabilities: OnceLock<Capabilities>,
    pub(crate) documents: Documents,
    pub(crate) analyses: Analyses,
    pub(crate) publishing: Coalescer<lsp::Uri>,
    /// What the client shows.
    pub(crate) published: Published,
    pub(crate) sources: Sources,
    /// What the files of the workspace say of each other.
    pub(crate) projects: Projects,
    /// The manifests on which policies are tried.
    pub(crate) samples: Samples,
    /// The inputs beside policies.
    pub(crate) inputs: Arc<Inputs>,
    /// Both, ready to be tried.
    pub(crate) candidates: Arc<Candidates>,
    pub(crate) refreshes: Refreshes,
    /// What the user has chosen about evaluations.
    pub(crate) evaluations: Evaluations,
    /// Work that the client may still be waiting for.
    pub(crate) tasks: TaskTracker,
    /// Set when the conversation is over.
    pub(crate) ended: CancellationToken,
    pub(crate) parent_interval: Duration,
}

impl Session {
    pub(crate) fn new(client: Client, options: Options) -> Self {
        Self {
            log: Log::new(client.clone()),
            client,
            capabilities: OnceLock::new(),
            documents: Documents::default(),
            analyses: Analyses::new(options.analysis),
            publishing: Coalescer::default(),
            published: Published::default(),
            sources: Sources::default(),
            projects: Projects::default(),
            samples: Samples::default(),
            inputs: Arc::default(),
            candidates: Arc::default(),
            refreshes: Refreshes::default(),
            evaluations: Evaluations::default(),
            tasks: TaskTracker::new(),
            ended: CancellationToken::new(),
            parent_interval: options.parent_interval,
        }
    }

    /// What the client can do.
    pub(crate) fn capabilities(&self) -> &Capabilities {
        self.capabilities
            .get_or_init(|| Capabilities::new(&lsp::ClientCapabilities::default()))
    }

    /// Whether the values of all expressions of a document are shown.
    pub(crate) fn is_live(&self, uri: &lsp::Uri) -> bool {
        let chosen = self.evaluations.of(uri).live;
        chosen.unwrap_or_else(|| self.documents.configuration().live_values(uri))
    }

    /// What `work` finds out about a snapshot, on a thread that may block. A panic becomes
    /// an error for an answer, and a line in the log.
    pub(crate) async fn analyse<T: Send + 'static>(
        &self,
        lane: Lane,
        task: &'static str,
        snapshot: &Arc<Snapshot>,
        work: impl FnOnce(&dyn Analysis, &Snapshot) -> T + Send + 'static,
    ) -> Result<T> {
        let snapshot = Arc::clone(snapshot);
        let work = move |analysis: &dyn Analysis| work(analysis, &snapshot);
        match self.analyses.run(lane, task, work).await {
            Ok(result) => Ok(result),
            Err(reason) => {
                self.log.error(&reason).await;
                Err(error(ErrorCode::InternalError, reason))
            }
        }
    }

    /// Waits for the work in flight, but not longer than `grace`.
    pub(crate) async fn drain(&self, grace: Duration) {
        self.tasks.close();
        let _ = tokio::time::timeout(grace, self.tasks.wait()).await;
    }

    /// Ends the conversation.
    pub(crate) fn end(&self) {
        self.ended.cancel();
    }
}
