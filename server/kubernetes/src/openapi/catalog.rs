//! All kinds of one server.

use super::by_name::{EntriesByName, Entry, ResourcesByName};
use super::definitions::Definitions;
use super::derived::Derived;
use super::resource::Resource;
use crate::versions::ServerVersion;
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// The built-in kinds of all versions, as `cargo xtask schemas` writes them.
static KINDS: &[u8] = include_bytes!("../../assets/kinds.bin");

/// Kinds of versions that servers define but no longer serve.
static FORMER_KINDS: &[u8] = include_bytes!("../../assets/former_kinds.bin");

/// The number of Kubernetes versions.
const COUNT: usize = (ServerVersion::NEWEST_KINDS.0 - ServerVersion::OLDEST.0) as usize + 1;

/// The catalog of each version, created on first use.
static BUILT_IN: [OnceLock<Arc<Catalog>>; COUNT] = [const { OnceLock::new() }; COUNT];

/// The catalogs with former kinds.
static WITH_FORMER: [OnceLock<Arc<Catalog>>; COUNT] = [const { OnceLock::new() }; COUNT];

/// The position of a kind: the number of its definitions and its entry in them.
type KindIndex = (usize, u32);

/// A kind that was added. Discovery lists the resource of a kind, other documents also its schema.
#[derive(Clone, Copy, Debug)]
struct AddedKind {
    /// `None` if only discovery lists the kind.
    schema: Option<KindIndex>,
    resource: KindIndex,
}

/// All kinds of one server: the built-in ones and those that were added.
///
/// If two definitions contain one kind, the one added last wins.
#[derive(Clone, Debug)]
pub struct Catalog {
    version: ServerVersion,
    /// The built-in kinds.
    built_in: Definitions,
    /// The added definitions, the last first.
    added: Vec<Arc<Definitions>>,
    /// The kinds that were added, in the order of group, version and kind.
    kinds: Vec<AddedKind>,
    by_name: ResourcesByName,
    derived: Derived,
}

impl Catalog {
    /// Returns the kinds that every server of a version has. An unknown version is treated as the
    /// nearest known one.
    #[must_use]
    pub fn built_in(server: ServerVersion) -> Arc<Self> {
        let version = server.clamp(ServerVersion::OLDEST, ServerVersion::NEWEST_KINDS);
        let number = usize::from(version.0 - ServerVersion::OLDEST.0);
        match BUILT_IN.get(number) {
            Some(catalog) => catalog
                .get_or_init(|| Arc::new(Self::read(version)))
                .clone(),
            None => Arc::new(Self::read(version)),
        }
    }

    /// Returns the built-in kinds, and those of versions that servers define but no longer serve,
    /// such as `apps/v1beta1`. Such objects cannot be sent, but Kubernetes' type checker still has
    /// their schemas.
    #[must_use]
    pub fn with_former(server: ServerVersion) -> Arc<Self> {
        let built_in = Self::built_in(server);
        let make = || {
            let former = Definitions::from_file(FORMER_KINDS, ServerVersion::OLDEST.0);
            Arc::new(built_in.with_definitions(former.map(Arc::new)))
        };
        let number = built_in.version.0.saturating_sub(ServerVersion::OLDEST.0);
        match WITH_FORMER.get(usize::from(number)) {
            Some(catalog) => catalog.get_or_init(make).clone(),
            None => make(),
        }
    }

    fn read(version: ServerVersion) -> Self {
        let built_in = Definitions::from_file(KINDS, version.0);
        Self {
            version,
            built_in: built_in.unwrap_or_else(|| Definitions::from_model(&super::Model::default())),
            added: Vec::new(),
            kinds: Vec::new(),
            by_name: ResourcesByName::default(),
            derived: Derived::default(),
        }
    }

    /// Returns this catalog with further kinds.
    #[must_use]
    pub fn with_definitions(&self, more: impl IntoIterator<Item = Arc<Definitions>>) -> Self {
        let mut added: Vec<Arc<Definitions>> = more.into_iter().collect();
        added.reverse();
        added.extend(self.added.iter().cloned());
        // The sort is stable, so that the one added last is kept.
        let mut kinds: Vec<KindIndex> = (0..)
            .zip(&added)
            .flat_map(|(number, definitions)| definitions.kinds().map(move |at| (number, at)))
            .collect();
        let mut catalog = Self {
            version: self.version,
            built_in: self.built_in.clone(),
            added,
            kinds: Vec::new(),
            by_name: ResourcesByName::default(),
            derived: Derived::default(),
        };
        kinds.sort_by_key(|at| catalog.kind_names(*at));
        catalog.kinds = catalog.merged(&kinds);
        catalog
    }

    /// Returns the kinds at sorted positions, each once. Of several definitions the first one
    /// counts. Discovery adds the resource if no CustomResourceDefinition does; a built-in kind
    /// keeps its own.
    fn merged(&self, sorted: &[KindIndex]) -> Vec<AddedKind> {
        let definitions = |at: KindIndex| self.added.get(at.0);
        let has_schema =
            |at: KindIndex| definitions(at).is_some_and(|it| it.kind_type(at.1).is_some());
        let kinds = sorted.chunk_by(|a, b| self.kind_names(*a) == self.kind_names(*b));
        let kinds = kinds.filter_map(|same| {
            let schema = same.iter().find(|at| has_schema(**at)).copied();
            let listed = same.iter().find(|at| !has_schema(**at)).copied();
            let of_crd =
                schema.filter(|at| definitions(*at).is_some_and(|it| it.source().is_some()));
            let resource = of_crd.or(listed).or(schema)?;
            let (group, version, kind) = self.kind_names(resource)?;
            let is_known = schema.is_some() || self.built_in.kind(group, version, kind).is_none();
            is_known.then_some(AddedKind { schema, resource })
        });
        kinds.collect()
    }

    /// Returns the version of the server.
    #[must_use]
    pub fn version(&self) -> ServerVersion {
        self.version
    }

    /// Returns whether there are only built-in kinds.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        self.added.is_empty()
    }

    /// Returns all resources: those that were added, then the built-in ones, each in the order of
    /// group, version and kind.
    pub fn resources(&self) -> impl Iterator<Item = Resource<'_>> {
        self.entries().map(|(_, resource)| resource)
    }

    /// Returns the resources with a name, in the order of [`Catalog::resources`].
    pub fn resources_of_name(&self, plural: &str) -> impl Iterator<Item = Resource<'_>> {
        let places = self.by_name.places.get_or_init(|| {
            let mut places = EntriesByName::default();
            for (entry, resource) in self.entries() {
                places
                    .entry(resource.plural.into())
                    .or_default()
                    .push(entry);
            }
            places
        });
        let entries = places.get(plural).into_iter().flatten();
        entries.filter_map(|entry| self.resource_of(*entry))
    }

    /// Returns the resources of the requested groups and versions, in the same order.
    pub fn resources_in(
        &self,
        is_wanted: impl Fn(&str, &str) -> bool + Copy,
    ) -> impl Iterator<Item = Resource<'_>> {
        let added = self
            .added_resources()
            .filter(move |it| is_wanted(it.group, it.version));
        // The kinds of a version are next to each other: it is compared once for all of them.
        let mut last = (None, false);
        let is_of_version = move |entry: &u32| {
            let version = Some(self.built_in.version_numbers(*entry));
            if last.0 != version {
                let (group, name) = self.built_in.group_version(*entry);
                last = (version, is_wanted(group, name));
            }
            last.1
        };
        let built_in = self.built_in.kinds().filter(is_of_version);
        let built_in = built_in.filter_map(|at| Resource::at(&self.built_in, at));
        added.chain(built_in.filter(|it| !self.replaces(it)))
    }

    /// Returns all resources with their positions.
    fn entries(&self) -> impl Iterator<Item = (Entry, Resource<'_>)> {
        let added = self.kinds.iter().filter_map(|it| {
            let (number, at) = it.resource;
            Some((Entry::Added(number, at), self.resource_at(it.resource)?))
        });
        let built_in = self.built_in.kinds();
        let built_in =
            built_in.filter_map(|at| Some((Entry::BuiltIn(at), Resource::at(&self.built_in, at)?)));
        let built_in = built_in.filter(|(_, resource)| !self.replaces(resource));
        added.chain(built_in)
    }

    /// Returns the resource at a position.
    fn resource_of(&self, entry: Entry) -> Option<Resource<'_>> {
        match entry {
            Entry::Added(number, at) => self.resource_at((number, at)),
            Entry::BuiltIn(at) => Resource::at(&self.built_in, at),
        }
    }

    /// Returns a value derived from a kind. It is created on first use and kept with the
    /// catalog.
    pub fn derived<T: Any + Send + Sync>(
        &self,
        names: (&str, &str, &str),
        make: impl FnOnce() -> Option<T>,
    ) -> Option<Arc<T>> {
        self.derived.get_or_make(names, make)
    }

    /// Returns a resource by its name.
    #[must_use]
    pub fn resource(&self, group: &str, version: &str, plural: &str) -> Option<Resource<'_>> {
        let mut resources = self.resources_of_name(plural);
        resources.find(|it| it.group == group && it.version == version)
    }

    /// Returns the resource of a kind. `None` for a kind without its own resource, such as `Scale`.
    #[must_use]
    pub fn kind(&self, group: &str, version: &str, kind: &str) -> Option<Resource<'_>> {
        if let Some(added) = self.added_at(group, version, kind) {
            return self.resource_at(added.resource);
        }
        Resource::at(&self.built_in, self.built_in.kind(group, version, kind)?)
    }

    /// Returns the resource of a kind on any server, or in another version of the group: name and
    /// scope hardly ever change. The version itself is preferred.
    #[must_use]
    pub fn resource_of_any_version(
        &self,
        group: &str,
        version: &str,
        kind: &str,
    ) -> Option<Resource<'_>> {
        if let Some(exact) = self.kind(group, version, kind) {
            return Some(exact);
        }
        let added = self.added_resources();
        let all = self.built_in.kinds_of_all_versions();
        let all = all.filter_map(|entry| Resource::at(&self.built_in, entry));
        let mut by_name = added
            .chain(all)
            .filter(|resource| (resource.group, resource.kind) == (group, kind));
        let first = by_name.next()?;
        Some(if first.version == version {
            first
        } else {
            by_name
                .find(|resource| resource.version == version)
                .unwrap_or(first)
        })
    }

    /// Returns the number of definitions that are part of the catalog.
    pub(super) fn number_of(&self, definitions: &Definitions) -> usize {
        let mut added = self.added.iter();
        let number = added.position(|it| std::ptr::eq(&**it, definitions));
        number.unwrap_or(self.added.len())
    }

    /// Returns all definitions: those that were added, then the built-in ones.
    pub(super) fn all_definitions(&self) -> impl Iterator<Item = &Definitions> {
        let added = self.added.iter().map(|definitions| &**definitions);
        added.chain([&self.built_in])
    }

    /// Returns the definitions of a number: the built-in ones after those that were added.
    pub(super) fn definitions(&self, number: usize) -> &Definitions {
        self.added.get(number).map_or(&self.built_in, |it| &**it)
    }

    /// Returns the names of all built-in types.
    #[cfg(test)]
    pub(super) fn type_names(&self) -> impl Iterator<Item = &str> {
        self.built_in.type_names()
    }

    /// Returns the definitions that describe a type that some definitions mention, with its number
    /// and its node in them. Types that they do not describe are built in.
    pub(super) fn find_type<'c>(
        &'c self,
        definitions: &'c Definitions,
        number: u32,
    ) -> Option<(&'c Definitions, u32, u32)> {
        if let Some(node) = definitions.type_node(number) {
            return Some((definitions, number, node));
        }
        let number = self.built_in.type_number(definitions.type_name(number))?;
        let node = self.built_in.type_node(number)?;
        Some((&self.built_in, number, node))
    }

    /// Returns whether a kind was added with its schema.
    #[must_use]
    pub fn is_added(&self, group: &str, version: &str, kind: &str) -> bool {
        self.added_kind(group, version, kind).is_some()
    }

    /// Returns the definitions that describe a kind, if it was added.
    #[must_use]
    pub fn definitions_of(
        &self,
        group: &str,
        version: &str,
        kind: &str,
    ) -> Option<&Arc<Definitions>> {
        let (number, _) = self.added_at(group, version, kind)?.schema?;
        self.added.get(number)
    }

    /// Returns the resources that were added, in the order of group, version and kind.
    pub fn added_resources(&self) -> impl Iterator<Item = Resource<'_>> {
        let kinds = self.kinds.iter();
        kinds.filter_map(|it| self.resource_at(it.resource))
    }

    /// Returns a kind by the definitions that describe it and its number in them.
    pub(super) fn entry(
        &self,
        group: &str,
        version: &str,
        kind: &str,
    ) -> Option<(&Definitions, u32)> {
        self.added_kind(group, version, kind).or_else(|| {
            let entry = self.built_in.kind(group, version, kind)?;
            Some((&self.built_in, entry))
        })
    }

    fn added_kind(&self, group: &str, version: &str, kind: &str) -> Option<(&Definitions, u32)> {
        let (number, entry) = self.added_at(group, version, kind)?.schema?;
        Some((self.added.get(number)?, entry))
    }

    /// Returns whether an added resource replaces a built-in one. The document of a group also has
    /// the kinds of other groups that it refers to, without their resources.
    fn replaces(&self, built_in: &Resource<'_>) -> bool {
        let added = self.added_at(built_in.group, built_in.version, built_in.kind);
        added.is_some_and(|it| self.resource_at(it.resource).is_some())
    }

    fn added_at(&self, group: &str, version: &str, kind: &str) -> Option<AddedKind> {
        let key = Some((group, version, kind));
        let found = self
            .kinds
            .binary_search_by_key(&key, |it| self.kind_names(it.resource));
        self.kinds.get(found.ok()?).copied()
    }

    fn kind_names(&self, (number, entry): KindIndex) -> Option<(&str, &str, &str)> {
        Some(self.added.get(number)?.kind_names(entry))
    }

    fn resource_at(&self, (number, entry): KindIndex) -> Option<Resource<'_>> {
        Resource::at(self.added.get(number)?, entry)
    }
}
