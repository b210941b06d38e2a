//! The resources that the target servers of a project serve.

use crate::file::SourceFile;
use kubernetes::openapi::{Catalog, Resource};
use kubernetes::{ServerVersion, Target};
use policy::manifest::Rule;
use std::sync::{Arc, OnceLock};

/// The target servers of a project.
pub(in super::super) struct Servers {
    newest: Arc<Catalog>,
    target: Target,
    older: OnceLock<Vec<Arc<Catalog>>>,
}

impl Servers {
    pub(in super::super) fn new(file: &SourceFile) -> Self {
        Self {
            newest: super::kinds(file),
            target: file.project().target(),
            older: OnceLock::new(),
        }
    }

    /// Returns the kinds of the newest server, with those of the project.
    pub(in super::super) fn newest(&self) -> &Catalog {
        &self.newest
    }

    /// Returns the older servers of the target, the newest first.
    fn older(&self) -> &[Arc<Catalog>] {
        self.older.get_or_init(|| {
            let older = self.target.servers().rev().skip(1);
            older.map(Catalog::built_in).collect()
        })
    }

    /// Returns the resources of the groups and versions of a rule that any of the servers serves.
    pub(in super::super) fn served(&self, rule: &Rule) -> Vec<Resource<'_>> {
        let is_wanted = |group: &str, version: &str| rule.has_version(group, version);
        self.merged(|catalog| catalog.resources_in(is_wanted))
    }

    /// Returns those of [`served`](Self::served) with this plural name, in the same order.
    pub(in super::super) fn served_as(&self, plural: &str, rule: &Rule) -> Vec<Resource<'_>> {
        self.merged(|catalog| {
            let resources = catalog.resources_of_name(plural);
            resources.filter(|it| rule.has_version(it.group, it.version))
        })
    }

    /// Returns the resources that `resources` returns for the servers, those of the newest one
    /// first. A resource that several servers serve is that of the newest of them.
    fn merged<'s, I>(&'s self, resources: impl Fn(&'s Catalog) -> I) -> Vec<Resource<'s>>
    where
        I: Iterator<Item = Resource<'s>>,
    {
        let mut merged: Vec<Resource<'_>> = resources(&self.newest).collect();
        for catalog in self.older() {
            for resource in resources(catalog) {
                let key = (resource.group, resource.version, resource.plural);
                let mut others = merged.iter();
                if !others.any(|other| (other.group, other.version, other.plural) == key) {
                    merged.push(resource);
                }
            }
        }
        merged
    }

    /// Returns whether one of the servers has a group.
    pub(in super::super) fn has_group(&self, group: &str) -> bool {
        let mut catalogs = std::iter::once(&self.newest).chain(self.older());
        catalogs.any(|catalog| catalog.resources_in(|it, _| it == group).next().is_some())
    }

    /// Returns whether CustomResourceDefinitions of the project define a group. Definitions outside
    /// the project may define more of it.
    pub(in super::super) fn is_custom_group(&self, group: &str) -> bool {
        let mut resources = self.newest.resources().filter(|it| it.group == group);
        resources.any(|it| self.newest.is_added(group, it.version, it.kind))
    }

    /// Returns the last known server with a resource, if it is older than those of the project.
    pub(in super::super) fn last_with(
        &self,
        group: &str,
        plural: &str,
    ) -> Option<(String, ServerVersion)> {
        let servers = ServerVersion::OLDEST.up_to(self.target.oldest());
        servers.rev().skip(1).find_map(|server| {
            let catalog = Catalog::built_in(server);
            let mut resources = catalog.resources();
            let found = resources.find(|it| it.group == group && it.plural == plural)?;
            Some((found.version.to_owned(), server))
        })
    }
}
