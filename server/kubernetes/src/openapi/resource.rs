//! A resource: the name under which a server serves a kind, and its operations.

use super::definitions::Definitions;
use super::layout::{NONE, kind};
use std::fmt;

/// A resource of a server.
#[derive(Clone, Copy, Debug)]
pub struct Resource<'c> {
    /// The API group, empty for the core group.
    pub group: &'c str,
    /// The version.
    pub version: &'c str,
    /// The name, such as `deployments`.
    pub plural: &'c str,
    /// The singular, such as `deployment`.
    pub singular: &'c str,
    /// The short names, such as `deploy`.
    pub short_names: Names<'c>,
    /// The kind, such as `Deployment`.
    pub kind: &'c str,
    /// Whether it is namespaced.
    pub namespaced: bool,
    /// The verbs: `create`, `update` and so on.
    pub verbs: Names<'c>,
    /// The subresources.
    pub subresources: Subresources<'c>,
    /// Whether a server serves it by default. Alpha versions are not, and neither are beta versions
    /// since 1.24.
    pub served_by_default: bool,
}

impl<'c> Resource<'c> {
    /// Returns the resource of the entry of a kind. `None` if the kind has none.
    pub(super) fn at(definitions: &'c Definitions, entry: u32) -> Option<Self> {
        let word = |at| definitions.word(entry + at);
        let plural = word(kind::PLURAL);
        if plural == NONE {
            return None;
        }
        let (group, version, kind) = definitions.kind_names(entry);
        let names = |list| Names { definitions, list };
        Some(Self {
            group,
            version,
            plural: definitions.string(plural),
            singular: definitions.string(word(kind::SINGULAR)),
            short_names: names(word(kind::SHORT_NAMES)),
            kind,
            namespaced: word(kind::NAMESPACED) == 1,
            verbs: names(word(kind::VERBS)),
            subresources: Subresources {
                definitions,
                list: word(kind::SUBRESOURCES),
            },
            served_by_default: definitions.is_served_by_default(entry),
        })
    }

    /// Returns a subresource by its name, such as `scale`.
    #[must_use]
    pub fn subresource(&self, name: &str) -> Option<Subresource<'c>> {
        self.subresources.iter().find(|below| below.name == name)
    }
}

/// A subresource, such as `pods/eviction`.
#[derive(Clone, Copy, Debug)]
pub struct Subresource<'c> {
    /// The name without that of the resource, such as `eviction`.
    pub name: &'c str,
    /// The group of its kind.
    pub group: &'c str,
    /// The version of its kind.
    pub version: &'c str,
    /// The kind of its objects: often that of the resource.
    pub kind: &'c str,
    /// The verbs.
    pub verbs: Names<'c>,
}

/// A list of names.
#[derive(Clone, Copy)]
pub struct Names<'c> {
    definitions: &'c Definitions,
    list: u32,
}

impl<'c> Names<'c> {
    /// Returns the names in their order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'c str> + Clone {
        let definitions = self.definitions;
        definitions
            .list(self.list, 1)
            .map(move |entry| definitions.string(definitions.word(entry)))
    }

    /// Returns whether a name is among them.
    #[must_use]
    pub fn contains(self, name: &str) -> bool {
        self.iter().any(|other| other == name)
    }
}

impl fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The subresources of a resource.
#[derive(Clone, Copy)]
pub struct Subresources<'c> {
    definitions: &'c Definitions,
    list: u32,
}

impl<'c> Subresources<'c> {
    /// Returns the subresources, sorted by name.
    pub fn iter(self) -> impl Iterator<Item = Subresource<'c>> + Clone {
        let definitions = self.definitions;
        let string = |at: u32| definitions.string(definitions.word(at));
        definitions
            .list(self.list, kind::SUBRESOURCE_LENGTH)
            .filter(move |entry| definitions.is_of_version(*entry + 5, 0))
            .map(move |entry| Subresource {
                name: string(entry),
                group: string(entry + 1),
                version: string(entry + 2),
                kind: string(entry + 3),
                verbs: Names {
                    definitions,
                    list: definitions.word(entry + 4),
                },
            })
    }
}

impl fmt::Debug for Subresources<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Returns the plural that Kubernetes guesses for a kind without a definition.
///
/// Upstream: kubernetes/apimachinery, pkg/api/meta/restmapper.go, UnsafeGuessKindToResource.
#[must_use]
pub fn guessed_plural(kind: &str) -> String {
    let singular = kind.to_lowercase();
    if singular.ends_with("endpoints") {
        return singular;
    }
    if singular.ends_with('s') {
        return singular + "es";
    }
    match singular.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => singular + "s",
    }
}
