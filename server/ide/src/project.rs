//! The project of a file: target versions, kinds, and summaries of other files.
//!
//! A project is immutable. A change creates a new one, and every file that depends on the
//! difference is analyzed again.

mod index;
mod location;
mod objects;
mod selected;
mod summary;
mod surroundings;
mod symbols;
mod writes;

pub use location::Location;
pub use objects::ObjectSummary;
pub use selected::SelectedNames;
pub use summary::{BindingSummary, FileSummary, PolicySummary};
pub(crate) use surroundings::Surroundings;
pub(crate) use symbols::is_literal_name;
pub use symbols::{SymbolSummary, Symbols};
pub(crate) use writes::{Write, constant_writes, escaped, writes};

use admission::CustomResources;
use index::Index;
use kubernetes::Target;
use kubernetes::openapi::{Catalog, Definitions};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The facts beyond one file.
///
/// Invariant: everything in it follows from the servers, the summaries and the schemas. Equal
/// ones give equal projects, and equal findings in every file except for ranges in other files.
#[derive(Clone, Debug, Default)]
pub struct Project {
    target: Target,
    /// In the order of their paths.
    files: Vec<Arc<FileSummary>>,
    /// Kinds that no file of the project brings. `None` where the user has named none.
    schemas: Option<Vec<Arc<Definitions>>>,
    is_cut: bool,
    kinds: OnceLock<Arc<Catalog>>,
    index: OnceLock<Arc<Index>>,
    selected: OnceLock<Arc<HashSet<Arc<str>>>>,
    custom_resources: OnceLock<Arc<CustomResources>>,
}

impl Project {
    /// Returns a project for these servers, without files.
    #[must_use]
    pub fn new(target: Target) -> Self {
        Self {
            target,
            ..Self::default()
        }
    }

    /// The project with these files, which replace those that it had.
    #[must_use]
    pub fn with_files(self, files: impl IntoIterator<Item = Arc<FileSummary>>) -> Self {
        let mut files: Vec<Arc<FileSummary>> = files.into_iter().collect();
        files.retain(|file| !file.is_empty());
        files.sort_by(|left, right| left.file.cmp(&right.file));
        files.dedup_by(|next, kept| next.file == kept.file);
        Self {
            target: self.target,
            files,
            schemas: self.schemas,
            is_cut: self.is_cut,
            ..Self::default()
        }
    }

    /// The project with the kinds that the user has named, beside those of its files.
    #[must_use]
    pub fn with_schemas(self, schemas: impl IntoIterator<Item = Arc<Definitions>>) -> Self {
        Self {
            target: self.target,
            files: self.files,
            schemas: Some(schemas.into_iter().collect()),
            is_cut: self.is_cut,
            ..Self::default()
        }
    }

    /// Returns the project marked as incomplete, since some of its files could not be read.
    /// Rules then report nothing as missing.
    #[must_use]
    pub fn cut(self) -> Self {
        Self {
            is_cut: true,
            ..self
        }
    }

    /// Returns the same project, reusing the expensive results of an older one whose inputs are
    /// equal.
    #[must_use]
    pub fn after(mut self, older: &Project) -> Self {
        if self.target != older.target {
            return self;
        }
        if self.has_same_kinds(older) {
            self.kinds = older.kinds.clone();
        }
        if self.definitions().eq(older.definitions()) {
            self.custom_resources = older.custom_resources.clone();
        }
        self
    }

    /// The servers that its policies are for.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the summaries of its files, in the order of their paths. Files without relevant
    /// content are left out.
    #[must_use]
    pub fn files(&self) -> &[Arc<FileSummary>] {
        &self.files
    }

    /// Returns the fields that the policies of the project select.
    pub(crate) fn selected_names(&self) -> &HashSet<Arc<str>> {
        self.selected.get_or_init(|| {
            let policies = self.files.iter().flat_map(|file| &file.policies);
            let names = policies.flat_map(|policy| policy.selected.0.iter().cloned());
            Arc::new(names.collect())
        })
    }

    /// All kinds of the newest server: its own, those of CustomResourceDefinitions, those of
    /// the schemas that the user has named.
    #[must_use]
    pub fn kinds(&self) -> &Arc<Catalog> {
        self.kinds
            .get_or_init(|| self.catalog(Catalog::built_in(self.target.newest())))
    }

    fn catalog(&self, built_in: Arc<Catalog>) -> Arc<Catalog> {
        let mut definitions = self.definitions().peekable();
        if definitions.peek().is_none() {
            return built_in;
        }
        Arc::new(built_in.with_definitions(definitions.cloned()))
    }

    /// The kinds that are not built in; of two that bring the same one the later counts.
    fn definitions(&self) -> impl Iterator<Item = &Arc<Definitions>> {
        let schemas = self.schemas.iter().flatten();
        schemas.chain(self.files.iter().flat_map(|file| &file.definitions))
    }

    /// Returns whether the user has configured schemas of further kinds, so that a kind in none
    /// of them is worth a finding.
    pub(crate) fn has_schemas(&self) -> bool {
        self.schemas.is_some()
    }

    /// Returns whether all files of the project are known.
    pub(crate) fn is_whole(&self) -> bool {
        !self.is_cut
    }

    fn has_same_kinds(&self, other: &Project) -> bool {
        let mut others = other.definitions();
        let mut same = self.definitions();
        same.all(|it| others.next().is_some_and(|other| it.has_same_kinds(other)))
            && others.next().is_none()
    }

    /// Returns the CustomResourceDefinitions, which validate objects.
    #[must_use]
    pub fn custom_resources(&self) -> &Arc<CustomResources> {
        self.custom_resources
            .get_or_init(|| Arc::new(CustomResources::new(self.target, self.definitions())))
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Arc::new(Index::new(&self.files)))
    }

    /// Returns whether both have the same facts that findings in a file depend on. The summary
    /// of the file itself does not count, since its text is read again.
    #[must_use]
    pub fn is_same_for(&self, other: &Project, file: &Path) -> bool {
        let changed = self.changed_files(other);
        changed.is_some_and(|files| files.iter().all(|it| **it == *file))
    }

    /// Returns the files whose summaries differ. `None` if other facts differ, which concern every
    /// file.
    #[must_use]
    pub fn changed_files(&self, other: &Project) -> Option<Vec<Arc<Path>>> {
        let is_same = (self.target, self.is_cut) == (other.target, other.is_cut)
            && self.definitions().eq(other.definitions())
            && self.schemas.is_some() == other.schemas.is_some();
        if !is_same {
            return None;
        }
        let others = other.files.iter().map(|it| (&it.file, it));
        let mut others: HashMap<_, _> = others.collect();
        let own = self.files.iter();
        let mut changed: Vec<Arc<Path>> = own
            .filter(|it| others.remove(&it.file) != Some(it))
            .map(|it| Arc::clone(&it.file))
            .collect();
        changed.extend(others.into_keys().cloned());
        Some(changed)
    }
}

impl PartialEq for Project {
    fn eq(&self, other: &Self) -> bool {
        (self.target, self.is_cut) == (other.target, other.is_cut)
            && self.schemas == other.schemas
            && self.files == other.files
    }
}

impl Eq for Project {}

#[cfg(test)]
mod tests;
