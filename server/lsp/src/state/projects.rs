//! Summaries of the files of the workspace, on disk and in the editor.

use crate::state::configuration::Configuration;
use crate::state::project_view::{ProjectView, Summaries};
use ide::FileSummary;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Summaries of the files of the workspace. An open document has its text in the editor, saved or
/// not.
#[derive(Default)]
pub(crate) struct ProjectIndex(Mutex<IndexedFiles>);

#[derive(Default)]
struct IndexedFiles {
    on_disk: Summaries,
    /// Of open documents, which take precedence.
    open: Summaries,
    folders: Vec<PathBuf>,
    /// Whether all folders were searched completely.
    is_complete: bool,
}

impl ProjectIndex {
    fn files(&self) -> MutexGuard<'_, IndexedFiles> {
        // Each field is replaced as a whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the summary of an open document, or removes it with `None`. Returns whether it has
    /// changed.
    pub(crate) fn set_open(&self, path: &Path, summary: Option<Arc<FileSummary>>) -> bool {
        let mut files = self.files();
        let Some(summary) = summary else {
            return files.open.remove(path).is_some();
        };
        let old = files.open.insert(path.to_path_buf(), Arc::clone(&summary));
        match old.as_ref().or_else(|| files.on_disk.get(path)) {
            Some(old) => *old != summary,
            None => !summary.is_empty(),
        }
    }

    /// Sets the summary of a file on disk, or removes it with `None`.
    pub(crate) fn set_on_disk(&self, path: PathBuf, summary: Option<Arc<FileSummary>>) {
        let mut files = self.files();
        match summary {
            Some(summary) => drop(files.on_disk.insert(path, summary)),
            None => drop(files.on_disk.remove(&path)),
        }
    }

    /// Replaces all files on disk.
    pub(crate) fn replace(&self, on_disk: Summaries, folders: Vec<PathBuf>, is_complete: bool) {
        let mut files = self.files();
        files.on_disk = on_disk;
        files.folders = folders;
        files.is_complete = is_complete;
    }

    /// Returns the summaries of the files on disk.
    pub(crate) fn on_disk(&self) -> Summaries {
        self.files().on_disk.clone()
    }

    /// Returns the projects of all files.
    pub(crate) fn view(
        &self,
        configuration: &Arc<Configuration>,
        older: &ProjectView,
    ) -> ProjectView {
        let indexed = self.files();
        let mut files = indexed.on_disk.clone();
        for (path, summary) in &indexed.open {
            files.insert(path.clone(), Arc::clone(summary));
        }
        let (folders, is_complete) = (indexed.folders.clone(), indexed.is_complete);
        drop(indexed);
        ProjectView::new(files, folders, is_complete, configuration, older)
    }
}
