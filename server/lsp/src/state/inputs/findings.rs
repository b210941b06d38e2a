//! Findings about inputs.
//!
//! A policy file names inputs, an input names policies, and the files of a kat test belong
//! together. So a change in one document, or of a file on disk, may add or remove a finding in
//! another one, which is then shown again.

use super::InputIndex;
use crate::state::documents::{OpenDocuments, Snapshot};
use evaluation::input::InputError;
use ide::FileInputs;
use kubernetes::Target;
use policy::ParsedFile;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use tower_lsp_server::ls_types as lsp;
use workspace::{FoundInputs, InputFinder, Owner, is_inputs_file, may_include, policy_of_input};

/// The policy file of an input.
enum PolicyFile {
    Open(Arc<Snapshot>),
    OnDisk(PathBuf, Box<ParsedFile>),
}

impl InputIndex {
    /// Returns the inputs of a document, with their errors: in the comments of a policy file, in
    /// an inputs file, in a file of a kat test. `open` are the open documents.
    pub(crate) fn for_document(&self, snapshot: &Snapshot, open: &OpenDocuments) -> FileInputs {
        self.with_errors(snapshot, open, Self::find)
    }

    /// Returns the inputs for a file that is not open.
    pub(crate) fn for_closed(&self, snapshot: &Snapshot, open: &OpenDocuments) -> FileInputs {
        self.with_errors(snapshot, open, Self::find_closed)
    }

    fn with_errors(
        &self,
        snapshot: &Snapshot,
        open: &OpenDocuments,
        find: impl Fn(&Self, &Snapshot, &OpenDocuments) -> Arc<FoundInputs>,
    ) -> FileInputs {
        if snapshot.is_excluded() {
            return FileInputs::default();
        }
        let in_input = self.in_input(snapshot, open);
        let is_inputs_file = in_input.is_some();
        let found = find(self, snapshot, open);
        // A named file may never be opened.
        let path = snapshot.path();
        let mut errors = found.at_comments((path, snapshot.file()), |_| false);
        errors.extend(in_input.into_iter().flatten());
        FileInputs {
            is_inputs_file,
            errors,
        }
    }

    /// Returns the errors in a document that is an inputs file by its name, or because a comment
    /// names it. `None` for other documents.
    fn in_input(&self, snapshot: &Snapshot, open: &OpenDocuments) -> Option<Vec<InputError>> {
        let path = snapshot.path();
        let is_input = is_inputs_file(path);
        let owners = self.owners(snapshot, is_input, open);
        if !is_input && owners.is_empty() {
            return None;
        }
        let text = |path: &Path| open.get(path).map(|it| it.text());
        let paths: Vec<PathBuf> = owners.iter().map(PolicyFile::path).collect();
        let files = owners.iter().map(PolicyFile::file);
        let owners: Vec<Owner<'_>> = paths.iter().map(PathBuf::as_path).zip(files).collect();
        let roots = snapshot.configuration().files.roots().clone();
        let mut finder = InputFinder::with_open(roots, text);
        Some(finder.errors(path, &snapshot.text(), &owners))
    }

    /// Returns the policy files to which a document belongs as an inputs file, without itself.
    pub(crate) fn policy_files(&self, snapshot: &Snapshot, open: &OpenDocuments) -> Vec<PathBuf> {
        let path = snapshot.path();
        let owners = self.owners(snapshot, is_inputs_file(path), open);
        let files = owners.iter().map(PolicyFile::path);
        files.filter(|it| *it != path).collect()
    }

    /// Returns the policy files to which an input belongs: the one that its name implies, and
    /// the open ones that include it.
    fn owners(&self, snapshot: &Snapshot, is_input: bool, open: &OpenDocuments) -> Vec<PolicyFile> {
        let (path, roots) = (snapshot.path(), snapshot.configuration().files.roots());
        let of_name = is_input.then(|| policy_of_input(path)).flatten();
        let may_own = |it: &Snapshot| may_include(it.path(), path) || it.may_have_comments();
        let is_owner = |it: &&Arc<Snapshot>| {
            of_name.as_deref() == Some(it.path())
                || may_own(it) && self.find(it, open).files.iter().any(|it| it == path)
        };
        // Otherwise only a comment can name it.
        let others = if is_input {
            open.all()
        } else {
            open.with_comments()
        };
        let open = others.iter().filter(is_owner);
        let mut owners: Vec<PolicyFile> = open.cloned().map(PolicyFile::Open).collect();
        if let Some(of_name) = of_name
            && !owners.iter().any(|it| it.path() == of_name)
            && let Some(folder) = of_name.parent()
            && let Ok(text) = roots.read_near(folder, &of_name)
        {
            let file = ParsedFile::new(text.into(), Target::default());
            owners.push(PolicyFile::OnDisk(of_name, Box::new(file)));
        }
        owners
    }

    /// Records the inputs whose errors are shown for a snapshot.
    pub(crate) fn record_shown(&self, snapshot: &Snapshot, inputs: &FileInputs) {
        // An entry is replaced as a whole.
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.insert(snapshot.uri.clone(), (snapshot.revision, inputs.clone()));
    }

    /// Returns the documents whose shown findings are outdated.
    pub(crate) fn outdated(&self, open: &OpenDocuments) -> Vec<lsp::Uri> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        // A document may have been closed while its findings were computed.
        let uris: HashSet<&lsp::Uri> = open.all().iter().map(|it| &it.uri).collect();
        shown.retain(|uri, _| uris.contains(uri));
        drop(shown);
        let is_outdated = |it: &&Arc<Snapshot>| {
            let shown = self.shown_inputs(it);
            shown.is_some_and(|shown| shown != self.for_document(it, open))
        };
        let outdated = open.all().iter().filter(is_outdated);
        outdated.map(|it| it.uri.clone()).collect()
    }

    /// Returns the inputs whose errors are shown for a snapshot. `None` if it was not shown yet.
    fn shown_inputs(&self, snapshot: &Snapshot) -> Option<FileInputs> {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let (revision, inputs) = shown.get(&snapshot.uri)?;
        (*revision == snapshot.revision).then(|| inputs.clone())
    }

    /// Forgets the findings of a document that is closed.
    pub(super) fn forget_shown(&self, uri: &lsp::Uri) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.remove(uri);
    }

    /// Notes a change that may add or remove a finding.
    pub(crate) fn advance_generation(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns a number that differs after each such change.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }
}

impl PolicyFile {
    fn path(&self) -> PathBuf {
        match self {
            PolicyFile::Open(snapshot) => snapshot.path().to_path_buf(),
            PolicyFile::OnDisk(path, _) => path.clone(),
        }
    }

    fn file(&self) -> &ParsedFile {
        match self {
            PolicyFile::Open(snapshot) => snapshot.file(),
            PolicyFile::OnDisk(_, file) => file,
        }
    }
}
