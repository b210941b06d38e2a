//! The data of one session: documents, settings, projects, and the inputs that policies are
//! evaluated against.
//!
//! Nothing here starts a task or sends a message. [`crate::tasks`] keep the data up to date, and
//! [`crate::events`] decides which of them run after a change.

pub(crate) mod choices;
pub(crate) mod closed_files;
pub(crate) mod configuration;
pub(crate) mod documents;
pub(crate) mod evaluation_cache;
pub(crate) mod inputs;
pub(crate) mod project_view;
pub(crate) mod projects;
pub(crate) mod published;
pub(crate) mod samples;
pub(crate) mod semantic_tokens;
pub(crate) mod settings;
pub(crate) mod shown_items;

use crate::analysis::Analysis;
use choices::Choices;
use closed_files::ClosedFiles;
use documents::Documents;
use evaluation_cache::EvaluationCache;
use inputs::InputIndex;
use projects::ProjectIndex;
use published::Published;
use samples::{SampleIndex, WorkspaceSamples};
use semantic_tokens::TokenResults;
use settings::SettingsSources;
use shown_items::{MAX_HINTS, MAX_LISTS, ShownItems};
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;

/// The data of one session.
pub(crate) struct State {
    pub(crate) documents: Documents,
    pub(crate) settings: SettingsSources,
    /// Summaries of the files of the workspace.
    pub(crate) projects: ProjectIndex,
    /// The files of the workspace that are not open.
    pub(crate) closed_files: ClosedFiles,
    /// The manifests of the workspace.
    pub(crate) samples: SampleIndex,
    /// The inputs of the open policy files.
    pub(crate) inputs: InputIndex,
    /// Inputs and manifests, prepared for evaluation.
    pub(crate) evaluation_cache: EvaluationCache,
    /// The choices of the user about evaluations.
    pub(crate) choices: Choices,
    /// The documentation of the completions that the client shows.
    pub(crate) completions: ShownItems<String>,
    /// The tooltips of the inlay hints that the client shows.
    pub(crate) tooltips: ShownItems<ide::Tooltip>,
    /// The findings that the client shows.
    pub(crate) published: Published,
    /// The semantic tokens that the client shows.
    pub(crate) semantic_tokens: TokenResults,
}

impl State {
    pub(crate) fn new(analysis: Arc<dyn Analysis>) -> Self {
        Self {
            documents: Documents::new(analysis),
            settings: SettingsSources::default(),
            projects: ProjectIndex::default(),
            closed_files: ClosedFiles::default(),
            samples: SampleIndex::default(),
            inputs: InputIndex::default(),
            evaluation_cache: EvaluationCache::default(),
            choices: Choices::default(),
            completions: ShownItems::with_limit(MAX_LISTS),
            tooltips: ShownItems::with_limit(MAX_HINTS),
            published: Published::default(),
            semantic_tokens: TokenResults::default(),
        }
    }

    /// Returns whether the values of all expressions of a document are shown.
    pub(crate) fn is_live(&self, uri: &lsp::Uri) -> bool {
        let chosen = self.choices.for_document(uri).live;
        chosen.unwrap_or_else(|| self.documents.configuration().live_values(uri))
    }

    /// Returns the manifests on disk and in open documents.
    pub(crate) fn workspace_samples(&self) -> WorkspaceSamples {
        self.samples.with_open(self.documents.snapshots())
    }
}
