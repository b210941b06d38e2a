//! Files and folders that the user creates, renames or deletes in the client.
//!
//! A client that watches files already reports these changes, so only other clients are registered.

use super::WorkspaceCapabilities;
use tower_lsp_server::ls_types as lsp;

/// The files whose changes on disk matter: configurations, manifests, and the files of kat tests
/// that are not manifests.
pub(crate) const WATCHED: [&str; 3] = [
    "**/admissible.toml",
    "**/*.{yaml,yml,json}",
    "**/*.{message,warnings}.txt",
];

/// The operations on files of which a client notifies the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileOperationCapabilities {
    /// `workspace/didCreateFiles`.
    pub(crate) create: bool,
    /// `workspace/didRenameFiles`.
    pub(crate) rename: bool,
    /// `workspace/didDeleteFiles`.
    pub(crate) delete: bool,
}

/// Returns the files for which a client without file watching notifies the server when the user
/// creates, renames or deletes them, and folders, since there is no notification for the files
/// in them.
pub(super) fn of_server(
    client: WorkspaceCapabilities,
) -> Option<lsp::WorkspaceFileOperationsServerCapabilities> {
    let supported = client.file_operations;
    if client.watches_files || supported == FileOperationCapabilities::default() {
        return None;
    }
    let filter = |glob: &str, kind| lsp::FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: lsp::FileOperationPattern {
            glob: glob.to_owned(),
            matches: Some(kind),
            options: None,
        },
    };
    let files = WATCHED
        .iter()
        .map(|glob| filter(glob, lsp::FileOperationPatternKind::File));
    let folders = [filter("**/*", lsp::FileOperationPatternKind::Folder)];
    let filters = files.chain(folders).collect();
    let options = lsp::FileOperationRegistrationOptions { filters };
    Some(lsp::WorkspaceFileOperationsServerCapabilities {
        did_create: supported.create.then(|| options.clone()),
        did_rename: supported.rename.then(|| options.clone()),
        did_delete: supported.delete.then_some(options),
        ..Default::default()
    })
}
