//! Where answers come from.
//!
//! The server asks `ide` through a trait, so that its tests can be slow or panic at will
//! without a trace of that in the product. The work runs on threads of its own: the task
//! that asks waits without blocking others, and may stop waiting at any time.

use crate::panics;
use ide::{
    CodeAction, Completion, Diagnostic, Hover, Project, Resources, Sample, Settings, SourceFile,
    Symbol,
};
use std::sync::Arc;
use text::{TextRange, TextSize};
use tokio::sync::Semaphore;

/// The features of the analysis. The default of each is that of `ide`.
pub trait Analysis: Send + Sync + 'static {
    /// Reads a text as a file of a project.
    fn parse(&self, text: String, project: Arc<Project>) -> SourceFile {
        SourceFile::in_project(text, project)
    }

    /// The findings in a file.
    fn diagnostics(&self, file: &SourceFile, settings: &Settings) -> Vec<Diagnostic> {
        ide::diagnostics(file, settings)
    }

    /// The outline of a file.
    fn document_symbols(&self, file: &SourceFile) -> Vec<Symbol> {
        ide::document_symbols(file)
    }

    /// What there is to say about a place.
    fn hover(&self, file: &SourceFile, offset: TextSize) -> Option<Hover> {
        ide::hover(file, offset)
    }

    /// What could be written at a place.
    fn completion(
        &self,
        file: &SourceFile,
        offset: TextSize,
        samples: &[Sample],
        resources: &Resources,
    ) -> Vec<Completion> {
        ide::completion(file, offset, samples, resources)
    }

    /// The quick fixes at a range.
    fn code_actions(
        &self,
        file: &SourceFile,
        settings: &Settings,
        range: TextRange,
    ) -> Vec<CodeAction> {
        ide::code_actions(file, settings, range)
    }
}

/// The analysis of the product.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ide;

impl Analysis for Ide {}

/// Who asks. Each has threads of its own, so that requests never hold findings back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// A request of the client.
    Request,
    /// The findings that are published.
    Publish,
}

/// Runs the analysis on threads that may block.
pub(crate) struct Analyses {
    analysis: Arc<dyn Analysis>,
    requests: Arc<Semaphore>,
    publishing: Arc<Semaphore>,
}

impl Analyses {
    pub(crate) fn new(analysis: Arc<dyn Analysis>) -> Self {
        let threads = std::thread::available_parallelism().map_or(4, usize::from);
        // At least some, so that one large document does not hold up the small ones.
        let lane = || Arc::new(Semaphore::new(threads.max(4)));
        Self {
            analysis,
            requests: lane(),
            publishing: lane(),
        }
    }

    /// What `work` gives, or the text of its panic. Whoever stops waiting only loses the
    /// result: work that has begun goes on to its end.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        task: &'static str,
        work: impl FnOnce(&dyn Analysis) -> T + Send + 'static,
    ) -> Result<T, String> {
        let lane = match lane {
            Lane::Request => &self.requests,
            Lane::Publish => &self.publishing,
        };
        // The lanes are never closed.
        let turn = Arc::clone(lane).acquire_owned().await.ok();
        let analysis = Arc::clone(&self.analysis);
        let work = tokio::task::spawn_blocking(move || {
            let result = work(&*analysis);
            drop(turn);
            result
        });
        work.await.map_err(|failed| match failed.try_into_panic() {
            Ok(panic) => panics::describe(task, &*panic),
            Err(_) => format!("`{task}` stopped because the server ends"),
        })
    }
}
