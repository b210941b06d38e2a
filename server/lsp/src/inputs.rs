//! The admission inputs beside the policy files that are open.
//!
//! They are looked for when a policy file is asked about, and again when a file has changed on
//! disk. An open document counts as it is in the editor, saved or not.

mod mistakes;

pub(crate) use mistakes::{Mistake, look_again, renew};

use crate::analysis::Analysis;
use crate::coalescer::Coalescer;
use crate::documents::Snapshot;
use ide::SourceFile;
use ide::input::{Input, named};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tower_lsp_server::ls_types as lsp;
use workspace::{FoundInputs, InputFinder, is_manifest, read_file};

/// The inputs of the session.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// By the path of the policy file.
    known: Mutex<HashMap<PathBuf, (Source, Arc<Beside>)>>,
    /// How often files have changed on disk.
    changes: AtomicU64,
    /// Those of a file without policies.
    none: Arc<Beside>,
    /// What is shown of the open documents, with the revision in which it was found.
    told: Mutex<HashMap<lsp::Uri, (u64, Vec<Mistake>)>>,
    generation: AtomicU64,
    renewals: Coalescer<()>,
}

/// The inputs of one policy file.
#[derive(Debug, Default)]
pub(crate) struct Beside(FoundInputs);

/// What was looked at.
#[derive(Debug, PartialEq, Eq)]
struct Source {
    changes: u64,
    /// The paths that comments name, and the names of the policies.
    words: Vec<String>,
    /// The open documents among the files, with their revisions.
    open: Vec<(PathBuf, u64)>,
}

/// Whether a file is one of inputs by its name or its folder: `policy.inputs.yaml`, or a
/// manifest in `policy.inputs`.
pub(crate) fn is_input_file(path: &Path) -> bool {
    let is_named = |name: Option<&OsStr>| {
        let name = name.and_then(OsStr::to_str);
        name.is_some_and(|name| name.ends_with(".inputs"))
    };
    let folder = path.parent().and_then(Path::file_name);
    is_manifest(path) && (is_named(path.file_stem()) || is_named(folder))
}

impl Beside {
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Arc<Input>> {
        self.0.inputs.iter()
    }

    /// All files that count.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.files.iter().map(PathBuf::as_path)
    }
}

impl Inputs {
    /// The inputs of a policy file.
    pub(crate) fn beside(
        &self,
        snapshot: &Snapshot,
        analysis: &dyn Analysis,
        open: &[Arc<Snapshot>],
    ) -> Arc<Beside> {
        let path = snapshot.path();
        let file = snapshot.file(analysis);
        let has_policies = file
            .policies()
            .iter()
            .any(|it| it.is_evaluated() || it.kind().is_webhook_configuration());
        if !path.is_absolute() || !has_policies {
            return Arc::clone(&self.none);
        }
        let open: HashMap<PathBuf, &Arc<Snapshot>> =
            open.iter().map(|it| (it.path(), it)).collect();
        let changes = self.changes.load(Ordering::Acquire);
        let words = words(file);
        // An entry is never half-written.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let old = known.get(&path);
        if let Some((source, beside)) = old
            && source.changes == changes
            && source.words == words
            && source.open == revisions(&beside.0.files, &open)
        {
            return Arc::clone(beside);
        }
        let mut found = find(&path, file, &open);
        if let Some((_, old)) = old {
            keep_equal(&mut found, &old.0);
        }
        let source = Source {
            changes,
            words,
            open: revisions(&found.files, &open),
        };
        let beside = Arc::new(Beside(found));
        known.insert(path, (source, Arc::clone(&beside)));
        beside
    }

    /// Files have changed on disk.
    pub(crate) fn files_changed(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Whether a file is one of the inputs of an open policy.
    pub(crate) fn hold(&self, path: &Path) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = known.values();
        known.any(|(_, beside)| beside.files().any(|it| it == path))
    }

    /// Forgets a policy file that is closed.
    pub(crate) fn forget(&self, path: &Path) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(path);
    }
}

fn find(path: &Path, file: &SourceFile, open: &HashMap<PathBuf, &Arc<Snapshot>>) -> FoundInputs {
    let read = |path: &Path| match open.get(path) {
        Some(snapshot) => Ok(snapshot.text()),
        None => read_file(path),
    };
    InputFinder::reading(read).find(path, file)
}

/// Inputs that did not change stay the same, so that what is known about them does too.
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

/// What decides in a policy file where its inputs are.
fn words(file: &SourceFile) -> Vec<String> {
    let paths = named(file).into_iter().map(|named| named.path);
    let policies = file.policies().iter();
    let names = policies.filter_map(|it| it.name().map(str::to_owned));
    paths.chain(names).collect()
}

fn revisions(files: &[PathBuf], open: &HashMap<PathBuf, &Arc<Snapshot>>) -> Vec<(PathBuf, u64)> {
    let files: HashSet<&PathBuf> = files.iter().collect();
    let mut revisions: Vec<(PathBuf, u64)> = files
        .into_iter()
        .filter_map(|path| Some((path.clone(), open.get(path)?.revision)))
        .collect();
    revisions.sort_unstable();
    revisions
}
