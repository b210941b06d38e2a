//! The CustomResourceDefinitions of a project, ready to validate objects.
//!
//! A definition is parsed and compiled when the first of its objects is validated. A project may
//! have thousands of definitions, and objects of only a few.

use super::ApiServer;
use crate::resource::Resources;
use kubernetes::Target;
use kubernetes::openapi::{Catalog, Definitions};
use policy::{Kind, ParsedFile};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// CustomResourceDefinitions by group.
#[derive(Debug, Default)]
pub struct CustomResources {
    target: Target,
    groups: HashMap<Box<str>, Vec<CustomKind>>,
}

/// A kind that a CustomResourceDefinition defines.
#[derive(Debug)]
pub struct CustomKind {
    target: Target,
    definitions: Arc<Definitions>,
    /// An API server with only the kind.
    server: OnceLock<Option<ApiServer>>,
}

impl CustomResources {
    /// Returns the validators of definitions. Of two that define the same kind, the later is used.
    #[must_use]
    pub fn new<'a>(
        target: Target,
        definitions: impl IntoIterator<Item = &'a Arc<Definitions>>,
    ) -> Self {
        let mut found = Self {
            target,
            ..Self::default()
        };
        let definitions = definitions.into_iter();
        definitions.for_each(|definitions| found.add(definitions));
        found
    }

    fn add(&mut self, definitions: &Arc<Definitions>) {
        let Some((group, _, kind)) = definitions.names().next() else {
            return;
        };
        if definitions.source().is_none() {
            return;
        }
        let kinds = self.groups.entry(group.into()).or_default();
        kinds.retain(|known| known.name() != kind);
        kinds.push(CustomKind {
            target: self.target,
            definitions: Arc::clone(definitions),
            server: OnceLock::new(),
        });
    }

    /// Returns whether a kind of a group is defined.
    #[must_use]
    pub fn has_group(&self, group: &str) -> bool {
        self.groups.contains_key(group)
    }

    /// Returns a kind.
    #[must_use]
    pub fn kind(&self, group: &str, kind: &str) -> Option<&CustomKind> {
        let mut kinds = self.groups.get(group)?.iter();
        kinds.find(|known| known.name() == kind)
    }
}

impl CustomKind {
    fn name(&self) -> &str {
        let mut names = self.definitions.names();
        names.next().map_or("", |(_, _, kind)| kind)
    }

    /// Returns the versions that are served.
    pub fn versions(&self) -> impl Iterator<Item = &str> {
        self.definitions.names().map(|(_, version, _)| version)
    }

    /// Returns an API server that has the definition. The first call compiles its rules.
    #[must_use]
    pub fn server(&self) -> Option<&ApiServer> {
        self.server.get_or_init(|| self.new_server()).as_ref()
    }

    fn new_server(&self) -> Option<ApiServer> {
        let (group, _, kind) = self.definitions.names().next()?;
        let file = ParsedFile::new(self.definitions.source()?.into(), self.target);
        let mut documents = file.policies().iter();
        let document = documents.find(|it| {
            it.kind() == Kind::CustomResourceDefinition
                && it.crd().is_some_and(|it| it.is_of(group, kind))
        })?;
        let mut resources = Resources::default();
        resources.add(document);
        let kinds = Catalog::built_in(self.target.newest())
            .with_definitions([Arc::clone(&self.definitions)]);
        let mut server = ApiServer::new(Arc::new(kinds), resources);
        server.add(Arc::clone(document));
        Some(server)
    }
}
