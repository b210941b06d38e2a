//! The kinds of which more objects exist than the server has.
//!
//! A project may be the dump of a cluster, which is not kept in memory as a whole. A parameter that
//! was not read must not look as if it did not exist.

use std::collections::BTreeSet;

/// Kinds of which objects were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OmittedKinds {
    /// `apiVersion` and `kind`.
    kinds: BTreeSet<(String, String)>,
    /// Whether objects of any kind were left out.
    any: bool,
}

impl OmittedKinds {
    /// Returns all kinds: what was left out was not read.
    #[must_use]
    pub fn any() -> Self {
        Self {
            kinds: BTreeSet::new(),
            any: true,
        }
    }

    /// Adds the kind of an object.
    pub fn add(&mut self, api_version: &str, kind: &str) {
        if !self.contains(api_version, kind) {
            self.kinds.insert((api_version.to_owned(), kind.to_owned()));
        }
    }

    /// Adds other kinds.
    pub fn extend(&mut self, others: &Self) {
        self.kinds.extend(others.kinds.iter().cloned());
        self.any |= others.any;
    }

    /// Returns whether objects of a kind were left out.
    #[must_use]
    pub fn contains(&self, api_version: &str, kind: &str) -> bool {
        let mut kinds = self.kinds.iter();
        self.any || kinds.any(|known| (&*known.0, &*known.1) == (api_version, kind))
    }

    /// Returns whether nothing was left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty() && !self.any
    }
}
