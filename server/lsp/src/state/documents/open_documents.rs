//! The open documents at one moment, by their paths.
//!
//! The inputs of one document depend on others. With thousands of open documents, each must not
//! look at all others to find a few.

use super::Snapshot;
use policy::directive::may_have_comments;
use std::collections::HashMap;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The newest snapshots of the documents that are in sync, in no particular order.
#[derive(Default)]
pub(crate) struct OpenDocuments {
    all: Vec<Arc<Snapshot>>,
    by_path: OnceLock<HashMap<Arc<Path>, usize>>,
    with_comments: OnceLock<Vec<Arc<Snapshot>>>,
}

impl OpenDocuments {
    pub(super) fn new(all: Vec<Arc<Snapshot>>) -> Self {
        Self {
            all,
            ..Self::default()
        }
    }

    /// Returns the document at a path.
    pub(crate) fn get(&self, path: &Path) -> Option<&Arc<Snapshot>> {
        let by_path = self.by_path.get_or_init(|| {
            let all = self.all.iter().enumerate();
            all.map(|(index, it)| (Arc::clone(&it.path), index))
                .collect()
        });
        self.all.get(*by_path.get(path)?)
    }

    /// Returns the documents that may have comments for this program.
    pub(crate) fn with_comments(&self) -> &[Arc<Snapshot>] {
        self.with_comments.get_or_init(|| {
            let may_have = |it: &&Arc<Snapshot>| it.may_have_comments();
            self.all.iter().filter(may_have).cloned().collect()
        })
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

impl Deref for OpenDocuments {
    type Target = [Arc<Snapshot>];

    fn deref(&self) -> &[Arc<Snapshot>] {
        &self.all
    }
}
