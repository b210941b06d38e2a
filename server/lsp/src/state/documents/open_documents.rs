//! The open documents by their paths.
//!
//! The inputs of one document depend on others. With thousands of open documents, each must not
//! look at all others to find a few.

use super::{Document, Snapshot};
use dashmap::DashMap;
use policy::directive::may_have_comments;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tower_lsp_server::ls_types as lsp;

/// The open documents, with an index that follows each change.
#[derive(Default)]
pub(super) struct OpenMap {
    documents: DashMap<lsp::Uri, Document>,
    by_path: DashMap<Arc<Path>, lsp::Uri>,
    comments: Mutex<Comments>,
}

/// Which documents may have comments for this program.
#[derive(Default)]
struct Comments {
    /// The documents whose text was not searched yet.
    unknown: HashSet<lsp::Uri>,
    found: HashSet<lsp::Uri>,
}

impl OpenMap {
    /// Notes that a document has a new text, or is closed. The caller has no guard of the map.
    pub(super) fn text_changed(&self, uri: &lsp::Uri) {
        // An entry is never half-written.
        let comments = self.comments.lock();
        let mut comments = comments.unwrap_or_else(PoisonError::into_inner);
        comments.unknown.insert(uri.clone());
    }

    /// Inserts a document. Returns the one that it replaces.
    pub(super) fn insert(&self, uri: lsp::Uri, document: Document) -> Option<Document> {
        let path = Arc::clone(&document.snapshot.path);
        let old = self.documents.insert(uri.clone(), document);
        self.text_changed(&uri);
        self.by_path.insert(path, uri);
        old
    }

    /// Removes a document, and returns it.
    pub(super) fn remove(&self, uri: &lsp::Uri) -> Option<Document> {
        let (_, document) = self.documents.remove(uri)?;
        self.by_path
            .remove_if(&document.snapshot.path, |_, it| it == uri);
        self.text_changed(uri);
        Some(document)
    }

    /// Returns the newest snapshot, or `None` if the document is not open or out of sync.
    pub(super) fn snapshot(&self, uri: &lsp::Uri) -> Option<Arc<Snapshot>> {
        let document = self.documents.get(uri)?;
        document.in_sync.then(|| Arc::clone(&document.snapshot))
    }

    fn at(&self, path: &Path) -> Option<Arc<Snapshot>> {
        let uri = self.by_path.get(path)?.clone();
        self.snapshot(&uri)
    }

    fn with_comments(&self) -> Vec<Arc<Snapshot>> {
        let comments = self.comments.lock();
        let mut comments = comments.unwrap_or_else(PoisonError::into_inner);
        let Comments { unknown, found } = &mut *comments;
        for uri in unknown.drain() {
            match self.snapshot(&uri) {
                Some(it) if it.may_have_comments() => found.insert(uri),
                _ => found.remove(&uri),
            };
        }
        found.iter().filter_map(|uri| self.snapshot(uri)).collect()
    }
}

impl Deref for OpenMap {
    type Target = DashMap<lsp::Uri, Document>;

    fn deref(&self) -> &Self::Target {
        &self.documents
    }
}

/// The newest snapshots of the documents that are in sync. Each is the one of the moment when it
/// is first requested here.
#[derive(Default)]
pub(crate) struct OpenDocuments {
    open: Arc<OpenMap>,
    by_path: Mutex<HashMap<Box<Path>, Option<Arc<Snapshot>>>>,
    all: OnceLock<Vec<Arc<Snapshot>>>,
    with_comments: OnceLock<Vec<Arc<Snapshot>>>,
}

impl OpenDocuments {
    pub(super) fn new(open: Arc<OpenMap>) -> Self {
        Self {
            open,
            ..Self::default()
        }
    }

    /// Returns the document at a path.
    pub(crate) fn get(&self, path: &Path) -> Option<Arc<Snapshot>> {
        // An entry is never half-written.
        let by_path = self.by_path.lock();
        let mut by_path = by_path.unwrap_or_else(PoisonError::into_inner);
        let known = by_path.get(path).cloned();
        known.unwrap_or_else(|| {
            let found = self.open.at(path);
            by_path.insert(path.into(), found.clone());
            found
        })
    }

    /// Returns the number of open documents.
    pub(crate) fn count(&self) -> usize {
        self.open.len()
    }

    /// Returns all documents, in no particular order.
    pub(crate) fn all(&self) -> &[Arc<Snapshot>] {
        self.all.get_or_init(|| {
            let open = self.open.iter().filter(|document| document.in_sync);
            open.map(|document| Arc::clone(&document.snapshot))
                .collect()
        })
    }

    /// Returns the documents that may have comments for this program.
    pub(crate) fn with_comments(&self) -> &[Arc<Snapshot>] {
        self.with_comments.get_or_init(|| self.open.with_comments())
    }
}

impl Snapshot {
    /// Returns whether the document may have comments for this program. Its text alone decides, so
    /// that findings do not wait until all documents are parsed.
    pub(crate) fn may_have_comments(&self) -> bool {
        let known = &self.use_of_text.may_have_comments;
        *known.get_or_init(|| may_have_comments(&self.text()))
    }
}
