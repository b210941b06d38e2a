//! Where a name is used: in its file, and in which other files.
//!
//! A tree often holds variants of one policy under one name. The nearest one counts, as for the
//! findings of a binding: in the same file, else in the same folder, else anywhere.

use crate::definition::{Definition, Occurrence};
use crate::file::SourceFile;
use crate::project::Surroundings;
use policy::Kind;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use text::TextSize;

/// Returns the name at an offset.
#[must_use]
pub fn name_at(file: &SourceFile, offset: TextSize) -> Option<&Occurrence> {
    let mut names = file.names().iter();
    names.find(|name| name.range.contains_inclusive(offset))
}

/// Returns everything in a file that has a definition, in the order of the file.
pub fn occurrences<'f>(
    file: &'f SourceFile,
    of: &'f Definition,
) -> impl Iterator<Item = &'f Occurrence> {
    let names = file.names().iter();
    names.filter(move |name| name.definition.is_same(of))
}

/// Returns the other files in which a name can have its definition, the nearest only.
#[must_use]
pub fn files_with_definition(file: &SourceFile, of: &Definition) -> Vec<Arc<Path>> {
    let Some(files) = Variants::new(file.surroundings(), of) else {
        return Vec::new();
    };
    let nearest = nearest(&files.policies, file.path());
    others(nearest, file)
}

/// Returns the other files in which a name can occur.
#[must_use]
pub fn related_files(file: &SourceFile, of: &Definition) -> Vec<Arc<Path>> {
    let Some(files) = Variants::new(file.surroundings(), of) else {
        return Vec::new();
    };
    others(files.related_files(file.path()), file)
}

/// Returns whether the policy of some binding in a file or next to it is not known, since a
/// template fills it in.
pub(crate) fn hides_names(file: &SourceFile, kind: Kind) -> bool {
    let surroundings = file.surroundings();
    let mut bindings = surroundings.bindings_of(kind, None).into_iter();
    bindings.any(|it| it.is_template && surroundings.is_beside(&it.location))
}

fn others(files: BTreeSet<Arc<Path>>, file: &SourceFile) -> Vec<Arc<Path>> {
    files.into_iter().filter(|it| it != file.path()).collect()
}

/// The files with the policies that a name can mean, and with their bindings.
struct Variants {
    policies: BTreeSet<Arc<Path>>,
    bindings: BTreeSet<Arc<Path>>,
}

impl Variants {
    /// `None` if the definition is not a policy.
    fn new(surroundings: Surroundings<'_>, of: &Definition) -> Option<Self> {
        let name = Some(of.policy_name()?);
        let kinds = of.policy_kinds().iter();
        let policies = kinds
            .clone()
            .flat_map(|kind| surroundings.policies(*kind, name));
        let bindings = kinds.flat_map(|kind| surroundings.bindings_of(*kind, name));
        Some(Self {
            policies: policies.map(|it| Arc::clone(&it.location.file)).collect(),
            bindings: bindings.map(|it| Arc::clone(&it.location.file)).collect(),
        })
    }

    /// Returns the files that belong together with `path`: the policies that its name means, their
    /// bindings, and whatever else these may mean.
    fn related_files(&self, path: &Arc<Path>) -> BTreeSet<Arc<Path>> {
        let mut policies = nearest(&self.policies, path);
        let mut found = policies.clone();
        loop {
            let binds = |binding: &&Arc<Path>| {
                let bound = nearest(&self.policies, binding);
                bound.is_empty() || !bound.is_disjoint(&policies)
            };
            let bindings: Vec<_> = self.bindings.iter().filter(binds).cloned().collect();
            let bound = bindings.iter().flat_map(|it| nearest(&self.policies, it));
            let more: BTreeSet<_> = policies.iter().cloned().chain(bound).collect();
            found.extend(more.iter().cloned().chain(bindings));
            if more == policies {
                return found;
            }
            policies = more;
        }
    }
}

/// Returns the file itself, else those in its folder, else all.
fn nearest(files: &BTreeSet<Arc<Path>>, path: &Arc<Path>) -> BTreeSet<Arc<Path>> {
    if files.contains(path) {
        return BTreeSet::from([Arc::clone(path)]);
    }
    let in_folder = files.iter().filter(|it| it.parent() == path.parent());
    let in_folder: BTreeSet<_> = in_folder.cloned().collect();
    if in_folder.is_empty() {
        files.clone()
    } else {
        in_folder
    }
}

#[cfg(test)]
mod tests;
