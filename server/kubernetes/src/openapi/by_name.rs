//! The resources of one name, in all their groups and versions.
//!
//! A policy that names `deployments` of one version may match the others too, for every request.
//! So the names are indexed on first use.

use super::catalog::Catalog;
use super::resource::Resource;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Places of resources by their name. A copy of a catalog shares them.
#[derive(Clone, Debug, Default)]
pub(super) struct ResourcesByName {
    places: Arc<OnceLock<EntriesByName>>,
}

type EntriesByName = HashMap<Box<str>, Vec<Entry>, foldhash::fast::RandomState>;

/// The place of a kind in the definitions that were added, or in the built-in ones.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    Added(usize, u32),
    BuiltIn(u32),
}

impl Catalog {
    /// The resources of a name, in the order of [`Catalog::resources`].
    pub fn resources_of_name(&self, plural: &str) -> impl Iterator<Item = Resource<'_>> {
        let places = self.by_name().places.get_or_init(|| {
            let mut places = EntriesByName::default();
            for (entry, resource) in self.entries() {
                places
                    .entry(resource.plural.into())
                    .or_default()
                    .push(entry);
            }
            places
        });
        let entries = places.get(plural);
        let entries = entries.into_iter().flatten();
        entries.filter_map(|entry| self.resource_of(*entry))
    }
}
