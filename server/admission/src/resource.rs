//! Resources: the plural names under which the API server serves kinds.
//!
//! The rules of a policy name resources and an object names its kind. The server maps one to
//! the other by a table; here it has four sources: the CustomResourceDefinitions of the project,
//! the kinds of a catalog, those of all servers, and a guess.

use kubernetes::ServerVersion;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, guessed_plural};
use policy::PolicyDocument;
use policy::manifest::{CustomResourceDefinition, StringField};
use std::collections::HashMap;
use std::sync::Arc;

/// A kind with the name of its resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resource {
    /// The API group, empty for the core group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// The name of the resource, such as `deployments`.
    pub plural: String,
    /// Whether it is namespaced. `None` if that is unknown.
    pub namespaced: Option<bool>,
}

impl Resource {
    /// Returns the plural with the group: `deployments.apps`.
    pub(super) fn qualified(&self) -> String {
        match &*self.group {
            "" => self.plural.clone(),
            group => format!("{}.{group}", self.plural),
        }
    }
}

/// The plural and the scope, by group and kind.
type CustomNames = HashMap<(String, String), (String, Option<bool>)>;

/// The kinds that CustomResourceDefinitions and a catalog define.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    custom: Arc<CustomNames>,
    /// The kinds that have no CustomResourceDefinition.
    kinds: Option<Arc<Catalog>>,
}

impl Resources {
    /// Returns the resources of a catalog.
    #[must_use]
    pub fn from_catalog(kinds: Arc<Catalog>) -> Self {
        Self {
            kinds: Some(kinds),
            ..Self::default()
        }
    }

    /// Adds the resources of a CustomResourceDefinition. Other documents add none.
    pub fn add(&mut self, document: &PolicyDocument) {
        let crd = document.crd();
        let _ = crd.and_then(|crd| self.add_crd(crd));
    }

    /// Adds the resources of `others`. They win if both define a kind.
    pub fn extend(&mut self, others: &Resources) {
        let others = others.custom.iter();
        Arc::make_mut(&mut self.custom)
            .extend(others.map(|(kind, names)| (kind.clone(), names.clone())));
    }

    /// Returns whether only built-in kinds are known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.custom.is_empty()
    }

    fn add_crd(&mut self, crd: &CustomResourceDefinition) -> Option<()> {
        let owned = |word: &Option<StringField>| Some(word.as_ref()?.text.to_string());
        let (group, kind) = (owned(&crd.group)?, owned(&crd.kind)?);
        let (plural, namespaced) = (owned(&crd.plural)?, crd.namespaced());
        Arc::make_mut(&mut self.custom).insert((group, kind), (plural, namespaced));
        Some(())
    }

    /// Returns whether a definition defines a kind.
    pub(super) fn has_kind(&self, group: &str, kind: &str) -> bool {
        self.custom
            .keys()
            .any(|known| (&*known.0, &*known.1) == (group, kind))
    }

    /// Returns whether a definition defines a kind of a group.
    pub(super) fn has_group(&self, group: &str) -> bool {
        self.custom.keys().any(|known| known.0 == group)
    }

    /// Returns the resource of a kind.
    #[must_use]
    pub fn resource(&self, api_version: &str, kind: &str) -> Resource {
        let GroupVersion { group, version } = GroupVersion::parse(api_version);
        let (plural, namespaced) = self.names(group, version, kind);
        Resource {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: kind.to_owned(),
            plural,
            namespaced,
        }
    }

    fn names(&self, group: &str, version: &str, kind: &str) -> (String, Option<bool>) {
        // The key needs two strings, and usually there is no definition.
        let custom = (!self.custom.is_empty()).then(|| (group.to_owned(), kind.to_owned()));
        if let Some((plural, namespaced)) = custom.and_then(|key| self.custom.get(&key)) {
            return (plural.clone(), *namespaced);
        }
        let built_in = || Catalog::built_in(ServerVersion::NEWEST);
        let kinds = self.kinds.clone().unwrap_or_else(built_in);
        match kinds.resource_of_any_version(group, version, kind) {
            Some(known) => (known.plural.to_owned(), Some(known.namespaced)),
            None => (guessed_plural(kind), None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use policy::recognize;
    use std::sync::Arc;

    fn plural(api_version: &str, kind: &str) -> (String, Option<bool>) {
        let resource = Resources::default().resource(api_version, kind);
        (resource.plural, resource.namespaced)
    }

    #[test]
    fn the_kinds_of_every_server_are_known() {
        assert_eq!(
            plural("apps/v1", "Deployment"),
            ("deployments".into(), Some(true))
        );
        assert_eq!(
            plural("v1", "Namespace"),
            ("namespaces".into(), Some(false))
        );
        // A removed version has the same name.
        assert_eq!(
            plural("apps/v1beta2", "Deployment"),
            ("deployments".into(), Some(true))
        );
        // So has a kind that newer servers lack.
        assert_eq!(
            plural("networking.k8s.io/v1alpha1", "ClusterCIDR"),
            ("clustercidrs".into(), Some(false))
        );
    }

    #[test]
    fn other_kinds_are_guessed_as_kubernetes_does() {
        assert_eq!(plural("x.io/v1", "Gateway").0, "gatewaies");
        assert_eq!(plural("x.io/v1", "Bus").0, "buses");
        assert_eq!(plural("x.io/v1", "Widget"), ("widgets".into(), None));
    }

    #[test]
    fn a_definition_at_hand_says_more() {
        let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: x.io\n  scope: Cluster\n  names: {kind: Gateway, plural: gateways}\n";
        let recognition = recognize(&Arc::new(yaml::parse(text.into())));
        let mut resources = Resources::default();
        recognition
            .policies
            .iter()
            .for_each(|document| resources.add(document));
        let resource = resources.resource("x.io/v1", "Gateway");
        assert_eq!(
            (&*resource.plural, resource.namespaced),
            ("gateways", Some(false))
        );
    }
}
