//! Mistakes about inputs, in the document where they are made.
//!
//! A policy file names inputs, an input names policies, and the files of a test of kat belong
//! together. So a change in one document, or of a file on disk, may bring or mend a mistake in
//! another one, which is then shown again.

use super::{Inputs, is_input_file};
use crate::analysis::{Analysis, Lane};
use crate::documents::Snapshot;
use crate::projects::ask_again;
use crate::publish::publish;
use crate::samples;
use crate::session::Session;
use ide::SourceFile;
use ide::input::kat_name;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use text::TextRange;
use tower_lsp_server::ls_types as lsp;
use workspace::{InputFinder, Owner, policy_of_input, read_file};

/// A mistake in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The place in the document.
    pub(crate) range: TextRange,
    /// What is wrong, and what to do.
    pub(crate) message: String,
}

/// The policy file of an input.
enum Policies {
    Open(Arc<Snapshot>),
    OnDisk(PathBuf, Box<SourceFile>),
}

impl Inputs {
    /// What is wrong about inputs in a document: in the comments of a policy file, in an input,
    /// in a file of kat. `open` are the open documents.
    pub(crate) fn mistakes(
        &self,
        snapshot: &Snapshot,
        analysis: &dyn Analysis,
        open: &[Arc<Snapshot>],
    ) -> Vec<Mistake> {
        if snapshot.governing().excluded {
            return Vec::new();
        }
        let mut mistakes = self.in_policy_file(snapshot, analysis, open);
        mistakes.extend(self.in_input(snapshot, analysis, open));
        mistakes
    }

    /// Mistakes at the comments that name inputs. A mistake in a named file is told there too,
    /// since nobody may ever open that file.
    fn in_policy_file(
        &self,
        snapshot: &Snapshot,
        analysis: &dyn Analysis,
        open: &[Arc<Snapshot>],
    ) -> Vec<Mistake> {
        let path = snapshot.path();
        let beside = self.beside(snapshot, analysis, open);
        let mut named = HashSet::new();
        let mut mistakes = Vec::new();
        for problem in &beside.0.problems {
            if problem.path == path {
                mistakes.push(Mistake {
                    range: problem.range,
                    message: problem.message.clone(),
                });
            } else if let Some(range) = problem.named
                && named.insert(range)
            {
                let file = problem.path.file_name().unwrap_or_default();
                let file = file.to_string_lossy();
                let message = format!("`{file}` has a mistake: {}", problem.message);
                mistakes.push(Mistake { range, message });
            }
        }
        mistakes
    }

    /// Mistakes in a document that is an input by its name, or because a comment names it.
    fn in_input(
        &self,
        snapshot: &Snapshot,
        analysis: &dyn Analysis,
        open: &[Arc<Snapshot>],
    ) -> Vec<Mistake> {
        let path = snapshot.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let is_input = is_input_file(&path) || name.is_some_and(|it| kat_name(it).is_some());
        let owners = self.owners(&path, is_input, analysis, open);
        if !is_input && owners.is_empty() {
            return Vec::new();
        }
        let read = |path: &Path| match open.iter().find(|it| it.path() == path) {
            Some(open) => Ok(open.text()),
            None => read_file(path),
        };
        let paths = owners.iter().map(Policies::path);
        let paths: Vec<PathBuf> = paths.collect();
        let files = owners.iter().map(|it| it.file(analysis));
        let owners: Vec<Owner<'_>> = paths.iter().map(PathBuf::as_path).zip(files).collect();
        let mistakes = InputFinder::reading(read).mistakes(&path, &snapshot.text(), &owners);
        let mistakes = mistakes.into_iter();
        mistakes
            .map(|error| Mistake {
                range: error.range,
                message: error.kind.to_string(),
            })
            .collect()
    }

    /// The policy files to which an input belongs: the one that its name tells, and those that
    /// are open and have looked at it.
    fn owners(
        &self,
        path: &Path,
        is_input: bool,
        analysis: &dyn Analysis,
        open: &[Arc<Snapshot>],
    ) -> Vec<Policies> {
        let of_name = is_input.then(|| policy_of_input(path)).flatten();
        let is_owner = |it: &&Arc<Snapshot>| {
            of_name.as_deref() == Some(&*it.path())
                || self.beside(it, analysis, open).files().any(|it| it == path)
        };
        let owners = open.iter().filter(is_owner);
        let mut owners: Vec<Policies> = owners.cloned().map(Policies::Open).collect();
        if let Some(of_name) = of_name
            && !owners.iter().any(|it| it.path() == of_name)
            && let Ok(text) = read_file(&of_name)
        {
            owners.push(Policies::OnDisk(of_name, Box::new(SourceFile::new(text))));
        }
        owners
    }

    /// Notes what is shown of a version of a document.
    pub(crate) fn tell(&self, snapshot: &Snapshot, mistakes: &[Mistake]) {
        // An entry is replaced as a whole.
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.insert(snapshot.uri.clone(), (snapshot.revision, mistakes.to_vec()));
    }

    /// What is shown of a version of a document. `None` where nothing was yet.
    fn told(&self, snapshot: &Snapshot) -> Option<Vec<Mistake>> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let (revision, mistakes) = told.get(&snapshot.uri)?;
        (*revision == snapshot.revision).then(|| mistakes.clone())
    }

    /// Forgets what is shown of a document that is closed.
    pub(crate) fn untell(&self, uri: &lsp::Uri) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.remove(uri);
    }

    /// Another number after each change that may bring or mend a mistake.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }
}

impl Policies {
    fn path(&self) -> PathBuf {
        match self {
            Policies::Open(snapshot) => snapshot.path(),
            Policies::OnDisk(path, _) => path.clone(),
        }
    }

    fn file<'a>(&'a self, analysis: &dyn Analysis) -> &'a SourceFile {
        match self {
            Policies::Open(snapshot) => snapshot.file(analysis),
            Policies::OnDisk(_, file) => file,
        }
    }
}

/// Something has changed in a document or on disk. The findings of those documents are shown
/// again in which something about inputs is wrong now and was not before, or the other way
/// round.
pub(crate) fn renew(session: &Arc<Session>) {
    session.inputs.generation.fetch_add(1, Ordering::AcqRel);
    look_again(session);
}

/// Looks whether what is shown is still true.
pub(crate) fn look_again(session: &Arc<Session>) {
    if !session.inputs.renewals.start(&()) {
        return;
    }
    let task = Arc::clone(session);
    session.tasks.spawn(async move {
        loop {
            let open = samples::view(&task).open().to_vec();
            let inputs = Arc::clone(&task.inputs);
            let work = move |analysis: &dyn Analysis| {
                let is_other = |it: &&Arc<Snapshot>| {
                    let told = inputs.told(it);
                    told.is_some_and(|told| told != inputs.mistakes(it, analysis, &open))
                };
                let others = open.iter().filter(is_other);
                others.map(|it| it.uri.clone()).collect::<Vec<lsp::Uri>>()
            };
            // A panic shows where the findings of the document are wanted.
            let work = task.analyses.run(Lane::Publish, "a look at inputs", work);
            let affected = work.await.unwrap_or_default();
            task.documents.renew_revisions(&affected);
            for uri in &affected {
                publish(&task, uri);
            }
            ask_again(&task, !affected.is_empty());
            if !task.inputs.renewals.again(&()) {
                return;
            }
        }
    });
}
