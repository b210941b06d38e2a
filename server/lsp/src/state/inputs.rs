//! The admission inputs of the open policy files.
//!
//! They are searched when a policy file is evaluated, and again after a file has changed on disk.
//! An open document has its text in the editor, saved or not.

mod findings;

use crate::state::documents::{OpenDocuments, Snapshot};
use evaluation::input::named;
use ide::{FileInputs, SourceFile};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tower_lsp_server::ls_types as lsp;
use workspace::{FoundInputs, InputFinder, Roots};

/// The inputs of the open policy files, and the findings that are shown about inputs.
#[derive(Debug, Default)]
pub(crate) struct InputIndex {
    /// By the path of the policy file.
    found: Mutex<HashMap<PathBuf, (SearchKey, Arc<FoundInputs>)>>,
    /// How often files have changed on disk.
    disk_changes: AtomicU64,
    /// The inputs of a file without policies.
    none: Arc<FoundInputs>,
    /// The inputs whose errors are shown, with the revision of the document.
    shown: Mutex<HashMap<lsp::Uri, (u64, FileInputs)>>,
    /// Counts the changes that may add or remove a finding.
    generation: AtomicU64,
}

/// The key of a search result.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SearchKey {
    disk_changes: u64,
    roots: Roots,
    /// The paths in comments.
    comments: Vec<String>,
    /// The names of the policies.
    policies: Vec<String>,
    /// The open documents among the files, with their revisions.
    open: Vec<(PathBuf, u64)>,
}

impl InputIndex {
    /// Returns the inputs of a policy file. `open` are the open documents.
    pub(crate) fn find(&self, snapshot: &Snapshot, open: &OpenDocuments) -> Arc<FoundInputs> {
        let path = snapshot.path();
        let file = snapshot.file();
        if !may_have_inputs(snapshot) {
            return Arc::clone(&self.none);
        }
        let disk_changes = self.disk_changes.load(Ordering::Acquire);
        let comments: Vec<String> = named(file).into_iter().map(|it| it.path).collect();
        let policies = file.policies().iter().filter_map(|it| it.name());
        let policies: Vec<String> = policies.map(str::to_owned).collect();
        let key = |found: &FoundInputs| SearchKey {
            disk_changes,
            roots: snapshot.configuration().files.roots().clone(),
            comments: comments.clone(),
            policies: policies.clone(),
            open: revisions(&found.files, open),
        };
        let old = self.searches().get(path).cloned();
        if let Some((old_key, found)) = &old
            && *old_key == key(found)
        {
            return Arc::clone(found);
        }
        // Searches for other documents do not wait while files are read.
        let mut found = search_of(snapshot, open);
        if let Some((_, old)) = &old {
            keep_equal(&mut found, old);
        }
        let found = Arc::new(found);
        let entry = (key(&found), Arc::clone(&found));
        let mut searches = self.searches();
        // A document may have been closed meanwhile.
        if searches.len() > 2 * open.count() {
            searches.retain(|path, _| open.get(path).is_some());
        }
        searches.insert(path.to_path_buf(), entry);
        found
    }

    /// Returns the inputs of a policy file that is not open.
    fn find_closed(&self, snapshot: &Snapshot, open: &OpenDocuments) -> Arc<FoundInputs> {
        if !may_have_inputs(snapshot) {
            return Arc::clone(&self.none);
        }
        Arc::new(search_of(snapshot, open))
    }

    /// Returns the files that were searched for the inputs of a policy file of the project of
    /// `near`, and that exist.
    pub(crate) fn files(
        &self,
        (path, file): (&Path, &SourceFile),
        near: &Snapshot,
        open: &OpenDocuments,
    ) -> Vec<PathBuf> {
        let found = match open.get(path) {
            Some(snapshot) => self.find(&snapshot, open),
            None if !path.is_absolute() => return Vec::new(),
            None => {
                let roots = near.configuration().files.roots().clone();
                Arc::new(search((path, file), roots, open))
            }
        };
        let files = found.files.iter().filter(|it| it.is_file());
        files.cloned().collect()
    }

    fn searches(&self) -> MutexGuard<'_, HashMap<PathBuf, (SearchKey, Arc<FoundInputs>)>> {
        // An entry is replaced as a whole.
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that files have changed on disk.
    pub(crate) fn files_changed(&self) {
        self.disk_changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns whether a file belongs to the inputs of an open policy.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        self.searches()
            .values()
            .any(|(_, found)| found.files.iter().any(|it| it == path))
    }

    /// Forgets a document that is closed.
    pub(crate) fn forget(&self, uri: &lsp::Uri, path: Option<&Path>) {
        self.forget_shown(uri);
        if let Some(path) = path {
            self.searches().remove(path);
        }
    }
}

fn may_have_inputs(snapshot: &Snapshot) -> bool {
    let mut policies = snapshot.file().policies().iter();
    snapshot.path().is_absolute()
        && policies.any(|it| it.is_evaluated() || it.kind().is_webhook_configuration())
}

fn search_of(snapshot: &Snapshot, open: &OpenDocuments) -> FoundInputs {
    let roots = snapshot.configuration().files.roots().clone();
    search((snapshot.path(), snapshot.file()), roots, open)
}

fn search((path, file): (&Path, &SourceFile), roots: Roots, open: &OpenDocuments) -> FoundInputs {
    let text = |path: &Path| open.get(path).map(|it| it.text());
    InputFinder::with_open(roots, text).find(path, file)
}

/// Reuses the inputs that did not change, so that they need not be prepared again.
fn keep_equal(found: &mut FoundInputs, old: &FoundInputs) {
    let old: HashMap<_, _> = old.inputs.iter().map(|it| (&it.key, it)).collect();
    for input in &mut found.inputs {
        if let Some(same) = old.get(&input.key)
            && ***same == **input
        {
            *input = Arc::clone(same);
        }
    }
}

fn revisions(files: &[PathBuf], open: &OpenDocuments) -> Vec<(PathBuf, u64)> {
    let files: HashSet<&PathBuf> = files.iter().collect();
    let mut revisions: Vec<(PathBuf, u64)> = files
        .into_iter()
        .filter_map(|path| Some((path.clone(), open.get(path)?.revision)))
        .collect();
    revisions.sort_unstable();
    revisions
}
