//! The probable meaning of an entry of `resources` that matches no resource.

use crate::diagnostics::match_rules::Servers;
use kubernetes::ServerVersion;
use kubernetes::names::ResourcePattern;
use kubernetes::openapi::Resource;
use policy::manifest::{Rule, has};
use text::nearest;

/// A rule, compared with the resources of the servers.
pub(super) struct Search<'s> {
    pub(super) servers: &'s Servers,
    pub(super) rule: &'s Rule,
    /// The resources of the groups and versions of the rule.
    pub(super) served: &'s [Resource<'s>],
    /// Whether the rule has groups whose resources are unknown.
    pub(super) is_open: bool,
    pub(super) is_explained: bool,
}

/// The reason that an entry matches no resource.
pub(super) enum Miss<'s> {
    /// It contains uppercase letters.
    Form { right: String },
    /// It is the kind, the singular or the short name.
    Name {
        right: String,
        resource: Resource<'s>,
    },
    /// The group has it in other versions.
    Version { resource: Resource<'s> },
    /// Another group has it.
    Group { resource: Resource<'s> },
    /// The resource has no such subresource.
    Subresource {
        right: Option<String>,
        parent: Resource<'s>,
    },
    /// It is a subresource without its resource.
    NoParent { right: String },
    /// Older servers had it.
    Gone {
        version: String,
        last: ServerVersion,
    },
    /// No server has it.
    Unknown { right: Option<String> },
    /// No CustomResourceDefinition of the project defines it.
    Undefined { right: Option<String> },
}

impl<'s> Search<'s> {
    /// Returns the reason that an entry matches no resource. `None` if it matches or may match one.
    pub(super) fn miss(&self, entry: &str) -> Option<Miss<'s>> {
        let ResourcePattern {
            resource: plural,
            subresource: below,
        } = ResourcePattern::parse(entry);
        if plural == "*" {
            return below.and_then(|below| self.any_below(below));
        }
        let found = self.served.iter().filter(|it| it.plural == plural);
        let parents: Vec<Resource<'s>> = found.copied().collect();
        if !parents.is_empty() {
            let below = below.filter(|below| *below != "*")?;
            return self.missing_subresource(&parents, below);
        }
        let with_below = |plural: &str| match below {
            Some(below) => format!("{plural}/{below}"),
            None => plural.to_owned(),
        };
        if let Some(miss) = self.other_name(plural, below, &with_below) {
            return Some(miss);
        }
        if plural.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let right = with_below(&plural.to_lowercase());
            return Some(Miss::Form { right });
        }
        if self.is_open || self.is_explained {
            return None;
        }
        Some(self.unknown(plural, below))
    }

    /// Returns the miss for another name of a resource, or for a subresource alone.
    fn other_name(
        &self,
        plural: &str,
        below: Option<&str>,
        with_below: &dyn Fn(&str) -> String,
    ) -> Option<Miss<'s>> {
        let named = |resource: Resource<'s>| Miss::Name {
            right: with_below(resource.plural),
            resource,
        };
        if let Some(resource) = self.by_name(plural, self.served.iter().copied()) {
            return Some(named(resource));
        }
        if let Some(right) = self.with_parent(plural).filter(|_| below.is_none()) {
            return Some(Miss::NoParent { right });
        }
        let all = self.servers.newest().resources();
        self.by_name(plural, all)
            .filter(|_| !self.is_open)
            .map(named)
    }

    /// Returns the miss for a name that the groups of the rule do not have in its versions.
    fn unknown(&self, plural: &str, below: Option<&str>) -> Miss<'s> {
        let all = || self.servers.newest().resources();
        let in_groups = |it: &Resource<'_>| has(&self.rule.groups, it.group);
        let same = || all().filter(|it| it.plural == plural);
        if let Some(resource) = best(same().filter(in_groups)) {
            return Miss::Version { resource };
        }
        if let Some(resource) = best(same()) {
            return Miss::Group { resource };
        }
        let mut groups = self.rule.groups.iter();
        if let Some((version, last)) =
            groups.find_map(|group| self.servers.last_with(&group.text, plural))
        {
            return Miss::Gone { version, last };
        }
        let near = nearest(plural, self.served.iter().map(|it| it.plural));
        let right = near.map(|near| match below {
            Some(below) => format!("{near}/{below}"),
            None => near.to_owned(),
        });
        let mut groups = self.rule.groups.iter();
        if groups.any(|group| self.servers.is_custom_group(&group.text)) {
            return Miss::Undefined { right };
        }
        Miss::Unknown { right }
    }

    /// Returns the resource whose kind, singular or short name is a word.
    fn by_name(
        &self,
        word: &str,
        resources: impl Iterator<Item = Resource<'s>>,
    ) -> Option<Resource<'s>> {
        let mut all = self.servers.newest().resources();
        if all.any(|it| it.plural == word) {
            return None;
        }
        let lower = word.to_lowercase();
        best(resources.filter(|it| {
            let is_name = it.kind == word || it.singular == lower || it.plural == lower;
            is_name || (!self.is_open && it.short_names.contains(&lower))
        }))
    }

    /// Returns a subresource that lacks its resource, with the resource before it.
    fn with_parent(&self, name: &str) -> Option<String> {
        let parent = self
            .served
            .iter()
            .find(|it| it.subresource(name).is_some())
            .filter(|_| !self.is_open)?;
        Some(format!("{}/{name}", parent.plural))
    }

    fn missing_subresource(&self, parents: &[Resource<'s>], below: &str) -> Option<Miss<'s>> {
        let catalog = self.servers.newest();
        let is_custom = |it: &Resource<'_>| catalog.is_added(it.group, it.version, it.kind);
        let mut each = parents.iter();
        if each.any(|it| it.subresource(below).is_some() || is_custom(it)) {
            return None;
        }
        let parent = *parents.first()?;
        let names: Vec<&str> = parent.subresources.iter().map(|it| it.name).collect();
        let right = nearest(below, names).map(|near| format!("{}/{near}", parent.plural));
        Some(Miss::Subresource { right, parent })
    }

    /// Returns the miss for `*/scale` if no resource has this subresource.
    fn any_below(&self, below: &str) -> Option<Miss<'s>> {
        let mut served = self.served.iter();
        let is_known = below == "*" || served.any(|it| it.subresource(below).is_some());
        if is_known || self.is_open || self.is_explained || self.served.is_empty() {
            return None;
        }
        let names = self.served.iter().flat_map(|it| it.subresources.iter());
        let right = nearest(below, names.map(|it| it.name)).map(|near| format!("*/{near}"));
        Some(Miss::Unknown { right })
    }
}

/// Returns the resource that a server most probably serves.
pub(super) fn best<'c>(resources: impl Iterator<Item = Resource<'c>>) -> Option<Resource<'c>> {
    let is_stable = |version: &str| !version.contains("alpha") && !version.contains("beta");
    resources.max_by_key(|it| {
        let is_core = it.group.is_empty();
        (is_stable(it.version), it.served_by_default, is_core)
    })
}
