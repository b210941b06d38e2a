//! A file among the other files of its project.
//!
//! The project may have an older summary of the file than its current text, as in an editor.
//! Queries here use the file itself first and the project for all other files.

use super::index::{self, ByName, DocumentIndex, Index};
use super::{BindingSummary, FileSummary, Location, ObjectSummary, PolicySummary, Project};
use policy::{Kind, PolicyDocument};
use std::path::Path;
use std::sync::Arc;
use text::TextRange;

/// Limit: names that are compared with a misspelled one. The comparison is slow, and
/// hand-written projects do not have more policies.
const MAX_NAMES: usize = 500;

/// A file among the other files of its project.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    own: &'a FileSummary,
    project: &'a Project,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(own: &'a FileSummary, project: &'a Project) -> Self {
        Self { own, project }
    }

    /// Returns the summary of a policy in the file itself.
    pub(crate) fn policy(self, document: &PolicyDocument) -> Option<&'a PolicySummary> {
        let own = &self.own.policies;
        at(own, document, |it| (it.kind, it.location.range)).and_then(|at| own.get(at))
    }

    /// Returns the summary of a binding in the file itself.
    pub(crate) fn binding(self, document: &PolicyDocument) -> Option<&'a BindingSummary> {
        let own = &self.own.bindings;
        at(own, document, |it| (it.kind, it.location.range)).and_then(|at| own.get(at))
    }

    /// The policies that a binding surely means, as far as they are known.
    pub(crate) fn bound_by(self, binding: &BindingSummary) -> Vec<&'a PolicySummary> {
        let Some(name) = binding.policy.as_deref() else {
            return Vec::new();
        };
        let all = self.policies(binding.policy_kind(), Some(name));
        let all = all.into_iter().filter(|it| !it.is_template).collect();
        self.nearest(all, |policy| &policy.location)
    }

    /// The project.
    pub(crate) fn project(self) -> &'a Project {
        self.project
    }

    /// Returns whether the place is in the file itself.
    pub(crate) fn is_own(self, location: &Location) -> bool {
        location.file == self.own.file
    }

    /// The policies of a name, those of the file first. `None` gives those whose name is not
    /// known.
    pub(crate) fn policies(self, kind: Kind, name: Option<&str>) -> Vec<&'a PolicySummary> {
        let own = self.own.policies.iter();
        let own = own.filter(|it| it.kind == kind && it.name.as_deref() == name);
        own.chain(self.others(|index| &index.policies, kind, name, index::policy))
            .collect()
    }

    /// The bindings of a name, those of the file first.
    pub(crate) fn bindings(self, kind: Kind, name: &str) -> Vec<&'a BindingSummary> {
        let own = self.own.bindings.iter();
        let own = own.filter(|it| it.kind == kind && it.name.as_deref() == Some(name));
        own.chain(self.others(|index| &index.bindings, kind, Some(name), index::binding))
            .collect()
    }

    /// Returns the bindings of the policies of a kind and a name, those of the file first.
    /// `None` returns those whose policy is unknown.
    pub(crate) fn bindings_of(self, policies: Kind, name: Option<&str>) -> Vec<&'a BindingSummary> {
        let own = self.own.bindings.iter();
        let own = own.filter(|it| it.policy_kind() == policies && it.policy.as_deref() == name);
        own.chain(self.others(|index| &index.bound, policies, name, index::binding))
            .collect()
    }

    /// Returns whether there is a binding of policies of the kind with this name.
    pub(crate) fn has_binding_named(self, policies: Kind, name: &str) -> bool {
        let is_one = |binding: &BindingSummary| {
            binding.policy_kind() == policies && binding.name.as_deref() == Some(name)
        };
        self.own.bindings.iter().any(is_one)
            || self
                .other_files()
                .any(|file| file.bindings.iter().any(is_one))
    }

    /// Returns whether there is a policy of the kind, whatever its name is.
    pub(crate) fn has_policies(self, kind: Kind) -> bool {
        let own = self.own.policies.iter().any(|it| it.kind == kind);
        own || self
            .other_files()
            .any(|file| file.policies.iter().any(|it| it.kind == kind))
    }

    /// Returns whether there is a binding of policies of the kind, whatever its name is.
    pub(crate) fn has_bindings_of(self, policies: Kind) -> bool {
        let is_one = |binding: &BindingSummary| binding.policy_kind() == policies;
        self.own.bindings.iter().any(is_one)
            || self
                .other_files()
                .any(|file| file.bindings.iter().any(is_one))
    }

    /// The names of policies of a kind, some of very many.
    pub(crate) fn policy_names(self, kind: Kind) -> impl Iterator<Item = &'a str> {
        let policies = self.policies_of(kind);
        policies.filter_map(|it| it.name.as_deref()).take(MAX_NAMES)
    }

    /// The policies of a kind, those of the file first.
    pub(crate) fn policies_of(self, kind: Kind) -> impl Iterator<Item = &'a PolicySummary> {
        let files = std::iter::once(self.own).chain(self.other_files());
        let policies = files.flat_map(|file| &file.policies);
        policies.filter(move |policy| policy.kind == kind)
    }

    /// Returns whether a binding names a missing policy whose name is similar to this one.
    pub(crate) fn is_misspelled(self, kind: Kind, name: &str) -> bool {
        let files = std::iter::once(self.own).chain(self.other_files());
        let bindings = files
            .flat_map(|file| &file.bindings)
            .filter(|it| it.policy_kind() == kind)
            .take(MAX_NAMES);
        let mut bound = bindings.filter_map(|it| it.policy.as_deref());
        bound.any(|bound| {
            text::nearest(bound, [name]).is_some() && self.policies(kind, Some(bound)).is_empty()
        })
    }

    /// The objects of a kind that can be parameters.
    pub(crate) fn objects(self, api_version: &str, kind: &str) -> Vec<&'a ObjectSummary> {
        let is_one = |it: &&ObjectSummary| it.api_version == api_version && it.kind == kind;
        let project = self.project;
        let key = (api_version.to_owned(), kind.to_owned());
        let places = project.index().objects.get(&key).into_iter().flatten();
        let others = places
            .filter(|(file, _)| self.is_other(*file))
            .filter_map(|at| index::object(&project.files, *at));
        self.own
            .objects
            .iter()
            .filter(is_one)
            .chain(others)
            .collect()
    }

    fn others<T: 'a>(
        self,
        list: impl FnOnce(&'a Index) -> &'a ByName,
        kind: Kind,
        name: Option<&str>,
        of: impl Fn(&'a [Arc<FileSummary>], DocumentIndex) -> Option<&'a T>,
    ) -> impl Iterator<Item = &'a T> {
        let key = (kind, name.map(str::to_owned));
        let places = list(self.project.index()).get(&key).into_iter().flatten();
        places
            .filter(move |(file, _)| self.is_other(*file))
            .filter_map(move |at| of(&self.project.files, *at))
    }

    fn is_other(self, file: usize) -> bool {
        let file = self.project.files.get(file);
        file.is_some_and(|file| file.file != self.own.file)
    }

    fn other_files(self) -> impl Iterator<Item = &'a FileSummary> {
        let files = self.project.files.iter().map(AsRef::as_ref);
        files.filter(move |file: &&FileSummary| file.file != self.own.file)
    }

    /// Those that surely go together with the file: in the file itself, else in its
    /// directory, else all. A tree often holds variants of one thing side by side.
    pub(crate) fn nearest<T>(
        self,
        all: Vec<&'a T>,
        location: impl Fn(&T) -> &Location,
    ) -> Vec<&'a T> {
        let some = |is_near: &dyn Fn(&Location) -> bool| {
            let near = all.iter().filter(|it| is_near(location(it)));
            near.copied().collect::<Vec<&'a T>>()
        };
        let own = some(&|location| self.is_own(location));
        if !own.is_empty() {
            return own;
        }
        let neighbors = some(&|location| self.is_beside(location));
        if neighbors.is_empty() { all } else { neighbors }
    }

    /// Returns whether the place is in the directory of the file.
    pub(crate) fn is_beside(self, location: &Location) -> bool {
        let directory = |file: &Path| file.parent().map(Path::to_path_buf);
        directory(&location.file) == directory(&self.own.file)
    }
}

/// Returns the place of the summary of a document among those of its file.
fn at<T>(
    own: &[T],
    document: &PolicyDocument,
    place: impl Fn(&T) -> (Kind, TextRange),
) -> Option<usize> {
    let wanted = (document.kind(), document.name_range());
    // They are in the order of the file, but for items of a list that are aliases.
    let near = own.partition_point(|it| place(it).1.start() < wanted.1.start());
    let is_it = |at: &usize| own.get(*at).is_some_and(|it| place(it) == wanted);
    (near..own.len()).chain(0..near).find(is_it)
}
