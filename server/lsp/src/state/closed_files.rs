//! The manifests of the workspace that are not open, with their findings.
//!
//! Only the findings of each file and their dependencies are kept: a workspace can have thousands
//! of files, and most of them have no finding.

use crate::state::configuration::DocumentSettings;
use crate::state::documents::Snapshot;
use ide::Project;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use tower_lsp_server::ls_types as lsp;

/// The manifests in the folders of the workspace, open or not.
#[derive(Default)]
pub(crate) struct ClosedFiles {
    files: Mutex<Files>,
    /// Counts the changes of findings.
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct Files {
    by_path: BTreeMap<PathBuf, ClosedFile>,
    /// Whether the folders must be searched again.
    is_outdated: bool,
    /// Whether the client has requested findings in files that are not open.
    is_requested: bool,
}

#[derive(Default)]
struct ClosedFile {
    /// `None` if the file must be checked again.
    checked: Option<Checked>,
    report: Report,
}

/// The findings of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// Unique among all documents and files of the server.
    pub(crate) revision: u64,
    pub(crate) diagnostics: Arc<Vec<lsp::Diagnostic>>,
}

/// The dependencies of the findings in a file, besides its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checked {
    pub(crate) settings: DocumentSettings,
    /// `None` for a file whose findings depend on no other file.
    project: Option<Arc<Project>>,
    /// Whether the findings depend on the text of policies and inputs in other files.
    has_inputs: bool,
}

impl Checked {
    /// Returns the inputs of the findings in a snapshot.
    pub(crate) fn new(snapshot: &Snapshot, is_inputs_file: bool) -> Self {
        let file = snapshot.file();
        let settings = snapshot.settings();
        let has_inputs = is_inputs_file || !evaluation::input::named(file).is_empty();
        let depends = has_inputs || !file.policies().is_empty();
        let depends = depends || settings.levels.validates_objects();
        Self {
            settings: settings.clone(),
            project: depends.then(|| snapshot.project()),
            has_inputs,
        }
    }

    /// Returns the record of a file that is not read.
    pub(crate) fn independent(settings: DocumentSettings) -> Self {
        Self {
            settings,
            project: None,
            has_inputs: false,
        }
    }

    /// Returns whether the findings stay the same with other settings and another project.
    pub(crate) fn is_same_for(
        &self,
        path: &Path,
        settings: &DocumentSettings,
        project: impl FnOnce() -> Arc<Project>,
    ) -> bool {
        let is_same = |old: &Arc<Project>| {
            let new = project();
            Arc::ptr_eq(old, &new) || old.is_same_for(&new, path)
        };
        self.settings == *settings && self.project.as_ref().is_none_or(is_same)
    }
}

impl ClosedFiles {
    fn files(&self) -> MutexGuard<'_, Files> {
        // An entry is replaced as a whole.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the client requests the findings. Returns whether this is the first request.
    pub(crate) fn request(&self) -> bool {
        !std::mem::replace(&mut self.files().is_requested, true)
    }

    /// Returns whether the client has requested the findings.
    pub(crate) fn is_requested(&self) -> bool {
        self.files().is_requested
    }

    /// Notes that the folders must be searched again.
    pub(crate) fn set_outdated(&self) {
        self.files().is_outdated = true;
    }

    /// Returns whether the folders must be searched again. The next call returns false.
    pub(crate) fn take_outdated(&self) -> bool {
        std::mem::take(&mut self.files().is_outdated)
    }

    /// Notes that files may have changed on disk. A file that is not known may have been created,
    /// so the folders must be searched.
    pub(crate) fn files_changed(&self, paths: &[PathBuf]) {
        let mut files = self.files();
        for file in files.by_path.values_mut() {
            if file.checked.as_ref().is_some_and(|it| it.has_inputs) {
                file.checked = None;
            }
        }
        for path in paths {
            match files.by_path.get_mut(path) {
                Some(file) => file.checked = None,
                None => files.is_outdated = true,
            }
        }
    }

    /// Replaces the files with those that a search has found. Returns removed files that had
    /// findings.
    pub(crate) fn replace(&self, paths: BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let mut files = self.files();
        let mut gone = Vec::new();
        files.by_path.retain(|path, file| {
            let is_kept = paths.contains(path);
            if !is_kept && !file.report.diagnostics.is_empty() {
                gone.push(path.clone());
            }
            is_kept
        });
        for path in paths {
            files.by_path.entry(path).or_default();
        }
        drop(files);
        self.notify(!gone.is_empty());
        gone
    }

    /// Returns every file, with what its findings depend on. `None` if it must be checked.
    pub(crate) fn all(&self) -> Vec<(PathBuf, Option<Checked>)> {
        let files = self.files();
        let all = files.by_path.iter();
        all.map(|(path, file)| (path.clone(), file.checked.clone()))
            .collect()
    }

    /// Returns whether a file is in a folder of the workspace and is checked while it is closed.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        self.files().by_path.contains_key(path)
    }

    /// Records the findings of a file. Returns whether they differ from the ones before.
    pub(crate) fn record(&self, path: &Path, checked: Checked, report: Report) -> bool {
        let mut files = self.files();
        let Some(file) = files.by_path.get_mut(path) else {
            return false;
        };
        file.checked = Some(checked);
        let is_new = file.report.diagnostics != report.diagnostics;
        if is_new {
            file.report = report;
        }
        drop(files);
        self.notify(is_new);
        is_new
    }

    /// Removes a file that no longer exists. Returns whether it had findings.
    pub(crate) fn remove(&self, path: &Path) -> bool {
        let removed = match self.files().by_path.entry(path.to_path_buf()) {
            Entry::Occupied(entry) => Some(entry.remove()),
            Entry::Vacant(_) => None,
        };
        let had_findings = removed.is_some_and(|it| !it.report.diagnostics.is_empty());
        self.notify(had_findings);
        had_findings
    }

    /// Removes the files that were not checked yet. Returns their number.
    pub(crate) fn remove_unchecked(&self) -> usize {
        let files = &mut self.files().by_path;
        let before = files.len();
        files.retain(|_, file| file.checked.is_some());
        before - files.len()
    }

    /// Returns the findings of every file.
    pub(crate) fn reports(&self) -> Vec<(PathBuf, Report)> {
        let files = self.files();
        let all = files.by_path.iter();
        all.map(|(path, file)| (path.clone(), file.report.clone()))
            .collect()
    }

    /// Returns a receiver that is notified when findings have changed.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn notify(&self, has_changed: bool) {
        if has_changed {
            self.changes.send_modify(|changes| *changes += 1);
        }
    }
}
