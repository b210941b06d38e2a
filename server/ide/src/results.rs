//! The results for one file that its versions share.

use crate::presence::Presence;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The results for the versions of one file.
#[derive(Debug, Default)]
pub struct Results {
    /// The results for its expressions.
    pub(crate) expressions: Arc<policy::Results>,
    /// The last analysis of each document. `None` while a version is using it; a version that is
    /// analyzed concurrently starts from scratch.
    presence: Mutex<Vec<Option<Presence>>>,
}

impl Results {
    /// Takes the last analysis of the document at this index.
    pub(crate) fn take_presence(&self, document: usize) -> Option<Presence> {
        self.presence().get_mut(document)?.take()
    }

    /// Keeps the analysis of the document at this index for the next version.
    pub(crate) fn keep_presence(&self, document: usize, presence: Presence) {
        let mut kept = self.presence();
        if kept.len() <= document {
            kept.resize_with(document + 1, || None);
        }
        if let Some(kept) = kept.get_mut(document) {
            *kept = Some(presence);
        }
    }

    /// Drops the analyses of documents that the file no longer has.
    pub(crate) fn truncate(&self, documents: usize) {
        self.presence().truncate(documents);
    }

    fn presence(&self) -> MutexGuard<'_, Vec<Option<Presence>>> {
        // An analysis is taken or kept as a whole.
        self.presence.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
