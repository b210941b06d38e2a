//! The manifests of the workspace, on disk and in the editor.
//!
//! Policies are evaluated against them, and completion offers their fields and kinds.

use crate::state::documents::OpenDocuments;
use crate::state::evaluation_cache::{SampleFiles, SampleView};
use admission::Resources;
use evaluation::samples::{ParamKinds, Sample};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tower_lsp_server::ls_types as lsp;
use workspace::SampleFile;

/// The manifests of the workspace.
#[derive(Default)]
pub(crate) struct SampleIndex {
    on_disk: Mutex<Arc<SampleFiles>>,
    /// The open documents with manifests.
    open: Mutex<HashSet<lsp::Uri>>,
}

/// The manifests on disk and the open documents at one moment.
pub(crate) struct WorkspaceSamples {
    on_disk: Arc<SampleFiles>,
    open: OpenDocuments,
}

impl WorkspaceSamples {
    /// Returns all manifests and kinds.
    pub(crate) fn manifests_and_kinds(&self) -> (Vec<Sample>, Resources) {
        let files = self.visible_to(Path::new("")).files();
        let mut resources = Resources::default();
        let mut samples = Vec::new();
        for file in files.values() {
            resources.extend(&file.resources);
            samples.extend(file.samples.iter().cloned());
        }
        (samples, resources)
    }

    /// Returns the open documents.
    pub(crate) fn open(&self) -> &OpenDocuments {
        &self.open
    }

    /// Returns the manifests that are visible to the file at `own`. The bindings of that file
    /// itself come with its policies, so a file that has only these is left out.
    pub(crate) fn visible_to(&self, own: &Path) -> SampleView {
        let mut open = BTreeMap::new();
        for snapshot in self.open.all() {
            let path = snapshot.path();
            let included = (!snapshot.is_excluded()).then(|| snapshot.sample_file());
            let file = included.filter(|file| {
                let is_own = path == own;
                !file.samples.is_empty()
                    || !file.resources.is_empty()
                    || !is_own && !file.bindings.is_empty()
            });
            if file.is_some() || self.on_disk.contains_key(path) {
                open.insert(path.to_path_buf(), file.cloned());
            }
        }
        SampleView::new(Arc::clone(&self.on_disk), open)
    }
}

impl SampleIndex {
    fn on_disk(&self) -> MutexGuard<'_, Arc<SampleFiles>> {
        // The pointer is never half-written.
        self.on_disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the manifests on disk, together with open documents.
    pub(crate) fn with_open(&self, open: OpenDocuments) -> WorkspaceSamples {
        WorkspaceSamples {
            on_disk: Arc::clone(&self.on_disk()),
            open,
        }
    }

    /// Sets whether an open document has manifests. Returns whether it has or had some.
    pub(crate) fn set_open(&self, uri: &lsp::Uri, has_manifests: bool) -> bool {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if has_manifests {
            open.insert(uri.clone());
            return true;
        }
        open.remove(uri)
    }

    /// Returns the kinds of parameters that policies on disk name.
    pub(crate) fn param_kinds(&self) -> ParamKinds {
        let on_disk = self.on_disk();
        let kinds = on_disk.values().flat_map(|file| &file.param_kinds);
        kinds.cloned().collect()
    }

    /// Returns the files that lack objects of these kinds.
    pub(crate) fn incomplete(&self) -> Vec<PathBuf> {
        let kinds = self.param_kinds();
        let on_disk = self.on_disk();
        let files = on_disk.iter().filter(|(_, file)| file.lacks(&kinds));
        files.map(|(path, _)| path.clone()).collect()
    }

    /// Sets the manifests of a file on disk.
    pub(crate) fn set_on_disk(&self, path: PathBuf, file: SampleFile) {
        let mut on_disk = self.on_disk();
        let files = Arc::make_mut(&mut on_disk);
        if file.is_empty() {
            files.remove(&path);
        } else {
            files.insert(path, Arc::new(file));
        }
    }

    /// Replaces all files on disk. Returns whether there are or were some.
    pub(crate) fn replace(&self, files: SampleFiles) -> bool {
        let mut on_disk = self.on_disk();
        let had_some = !on_disk.is_empty();
        *on_disk = Arc::new(files);
        had_some || !on_disk.is_empty()
    }
}
