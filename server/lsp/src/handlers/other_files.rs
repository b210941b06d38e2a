//! The other files of a project, in their current state.
//!
//! The project has summaries, whose ranges may be outdated. A range that a client jumps to or edits
//! must fit the current text: that of the open document, otherwise that on disk.

use crate::convert::from_lsp;
use crate::session::Session;
use crate::state::State;
use crate::state::documents::{OpenDocuments, Snapshot};
use crate::workers::Lane;
use evaluation::input::kat_name;
use ide::{Access, Definition, SourceFile};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;

/// The other files of the project of a document.
pub(super) struct OtherFiles {
    open: OpenDocuments,
    state: Arc<State>,
}

/// A file with its identity in the client.
pub(super) struct FoundFile<'f> {
    pub(super) uri: &'f lsp::Uri,
    /// The version of an open document.
    pub(super) version: Option<i32>,
    pub(super) file: &'f SourceFile,
}

impl OtherFiles {
    pub(super) fn new(session: &Session) -> Self {
        Self {
            open: session.state.documents.snapshots(),
            state: Arc::clone(&session.state),
        }
    }

    /// Returns the other files in which a name can have its definition: for an input those of its
    /// policy file, otherwise the nearest of the project.
    pub(super) fn with_definition(&self, of: &Definition, near: &Snapshot) -> Vec<Arc<Path>> {
        let owners = self.policy_files(of, near);
        if owners.is_empty() {
            return ide::files_with_definition(near.file(), of);
        }
        owners
    }

    /// Returns the other files in which a name can occur: those of the project, and the inputs
    /// of its policies.
    pub(super) fn related(&self, of: &Definition, near: &Snapshot) -> Vec<Arc<Path>> {
        let file = near.file();
        let mut found = BTreeSet::from_iter(ide::related_files(file, of));
        if of.policy_name().is_none() {
            return found.into_iter().collect();
        }
        let owners = self.policy_files(of, near);
        self.for_each(&owners, near, |owner| {
            found.extend(ide::related_files(owner.file, of));
        });
        found.extend(owners);
        let mut inputs = Vec::new();
        let mut add = |path: &Path, file: &SourceFile| {
            let mut names = ide::occurrences(file, of);
            if names.any(|it| it.access == Access::Definition) {
                inputs.extend(self.state.inputs.files((path, file), near, &self.open));
            }
        };
        add(file.path(), file);
        let others: Vec<_> = found.iter().cloned().collect();
        self.for_each(&others, near, |other| add(other.file.path(), other.file));
        found.extend(inputs.into_iter().map(Arc::from));
        found.remove(file.path());
        found.into_iter().collect()
    }

    /// Returns the policy files to which a document belongs as an inputs file.
    fn policy_files(&self, of: &Definition, near: &Snapshot) -> Vec<Arc<Path>> {
        if !matches!(of, Definition::OfInput { .. }) {
            return Vec::new();
        }
        let files = self.state.inputs.policy_files(near, &self.open).into_iter();
        files.map(Arc::from).collect()
    }

    /// Calls `work` with the file itself and each of the others that can be read.
    pub(super) fn for_all(
        &self,
        near: &Snapshot,
        paths: &[Arc<Path>],
        mut work: impl FnMut(&SourceFile, &lsp::Uri),
    ) {
        let file = near.file();
        work(file, &near.uri);
        self.for_each(paths, near, |other| work(other.file, other.uri));
    }

    /// Calls `work` with each of the files. Returns one that cannot be read.
    pub(super) fn for_each(
        &self,
        paths: &[Arc<Path>],
        near: &Snapshot,
        mut work: impl FnMut(&FoundFile<'_>),
    ) -> Option<Arc<Path>> {
        let mut unread = None;
        for path in paths {
            if let Some(open) = self.open.get(path) {
                work(&FoundFile {
                    uri: &open.uri,
                    version: Some(open.version),
                    file: open.file(),
                });
                continue;
            }
            let (Some(uri), Ok(text)) = (uri(path), near.read_near(path)) else {
                unread = Some(Arc::clone(path));
                continue;
            };
            let file = SourceFile::in_project(text, Arc::clone(near.file().project()));
            work(&FoundFile {
                uri: &uri,
                version: None,
                file: &file.at(Arc::clone(path)),
            });
        }
        unread
    }
}

/// Returns the results for the current texts of the open files, by their paths.
pub(super) async fn of_open_files<T: Send + 'static>(
    session: &Session,
    task: &'static str,
    work: fn(&Snapshot) -> Option<T>,
) -> BTreeMap<PathBuf, T> {
    let mut files = BTreeMap::new();
    for snapshot in session.state.documents.snapshots().all() {
        let result = session.analyze(Lane::Request, task, snapshot, work);
        // Otherwise, such as after a close, the file on disk counts.
        if let Ok(Some(result)) = result.await {
            files.insert(snapshot.path().to_path_buf(), result);
        }
    }
    files
}

/// Returns whether a file belongs to a kat test that is named after the policy.
pub(super) fn is_kat_test(path: &Path, policy: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.and_then(kat_name);
    name.is_some_and(|name| name.policy(&[policy]).is_some())
}

pub(super) fn uri(path: &Path) -> Option<lsp::Uri> {
    let uri = path.is_absolute().then(|| lsp::Uri::from_file_path(path));
    uri.flatten().filter(|uri| from_lsp::path(uri).is_some())
}
