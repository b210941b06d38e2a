//! The other files of a project, as they are now.
//!
//! The project has summaries, whose ranges may be old. A range that a client jumps to or edits
//! must fit the current text: that of the open document, else that on disk.

use crate::convert::from_lsp;
use crate::session::Session;
use crate::state::documents::Snapshot;
use ide::SourceFile;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;

/// The other files of the project of a document.
pub(super) struct OtherFiles {
    open: HashMap<PathBuf, Arc<Snapshot>>,
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
        let open = session.state.documents.snapshots().into_iter();
        Self {
            open: open.map(|it| (it.path(), it)).collect(),
        }
    }

    /// Calls `work` with each of the files. Returns one that cannot be read.
    pub(super) fn for_each(
        &self,
        paths: &[Arc<Path>],
        near: &SourceFile,
        mut work: impl FnMut(&FoundFile<'_>),
    ) -> Option<Arc<Path>> {
        let mut unread = None;
        for path in paths {
            if let Some(open) = self.open.get(&**path) {
                work(&FoundFile {
                    uri: &open.uri,
                    version: Some(open.version),
                    file: open.file(),
                });
                continue;
            }
            let (Some(uri), Ok(text)) = (uri(path), workspace::read_file(path)) else {
                unread = Some(Arc::clone(path));
                continue;
            };
            let file = SourceFile::in_project(text, Arc::clone(near.project()));
            work(&FoundFile {
                uri: &uri,
                version: None,
                file: &file.at(Arc::clone(path)),
            });
        }
        unread
    }
}

fn uri(path: &Path) -> Option<lsp::Uri> {
    let uri = path.is_absolute().then(|| lsp::Uri::from_file_path(path));
    uri.flatten().filter(|uri| from_lsp::path(uri).is_some())
}
