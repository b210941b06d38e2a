//! CustomResourceDefinitions, without their schemas.

use super::{NodeRange, StringField, field, items, word};
use crate::json_schema::JsonSchema;
use kubernetes::names::{GroupVersionKind, compare_versions};
use yaml::Node;

/// The `spec` of a CustomResourceDefinition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomResourceDefinition {
    /// `group`.
    pub group: Option<StringField>,
    /// `names.kind`.
    pub kind: Option<StringField>,
    /// `names.plural`.
    pub plural: Option<StringField>,
    /// `scope`.
    pub scope: Option<StringField>,
    /// `versions`.
    pub versions: Vec<CrdVersion>,
    /// The key of `versions`.
    pub versions_key: Option<NodeRange>,
    /// Whether there is a `group` or `names`.
    pub is_whole: bool,
}

/// An entry of `versions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrdVersion {
    /// The whole entry.
    pub at: NodeRange,
    /// `name`.
    pub name: Option<StringField>,
    /// Whether `served` is not false.
    pub is_served: bool,
    /// Whether it is `deprecated`.
    pub is_deprecated: bool,
    /// `deprecationWarning`.
    pub deprecation_warning: Option<StringField>,
    /// Whether `subresources` has `status`.
    pub has_status: bool,
    /// `subresources.scale`.
    pub scale: Option<Scale>,
}

/// `scale` of the subresources of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    /// `specReplicasPath`.
    pub spec_replicas_path: Option<StringField>,
    /// `statusReplicasPath`.
    pub status_replicas_path: Option<StringField>,
    /// `labelSelectorPath`.
    pub label_selector_path: Option<StringField>,
}

impl CustomResourceDefinition {
    pub(crate) fn read(spec: Node<'_>) -> Self {
        let names = spec.get("names");
        Self {
            group: word(spec, "group"),
            kind: names.and_then(|names| word(names, "kind")),
            plural: names.and_then(|names| word(names, "plural")),
            scope: word(spec, "scope"),
            versions_key: spec.entry("versions").map(|it| it.key.into()),
            versions: items(spec, "versions").map(CrdVersion::read).collect(),
            is_whole: names.is_some() || spec.get("group").is_some(),
        }
    }

    /// Returns whether the definition is for that kind.
    #[must_use]
    pub fn is_of(&self, group: &str, kind: &str) -> bool {
        let is = |word: &Option<StringField>, text: &str| {
            word.as_ref().is_some_and(|it| *it.text == *text)
        };
        is(&self.group, group) && is(&self.kind, kind)
    }

    /// Returns the index of a version in the list.
    #[must_use]
    pub fn position(&self, version: &str) -> Option<usize> {
        let is = |it: &CrdVersion| it.name.as_ref().is_some_and(|name| *name.text == *version);
        self.versions.iter().position(is)
    }

    /// Returns a version that is served.
    #[must_use]
    pub fn served(&self, version: &str) -> Option<&CrdVersion> {
        let found = self.versions.get(self.position(version)?);
        found.filter(|it| it.is_served)
    }

    /// Returns the warning of the API server about a request in a version.
    ///
    /// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/customresource_handler.go,
    /// getOrCreateServingInfoFor and defaultDeprecationWarning.
    #[must_use]
    pub fn deprecation_warning(&self, version: &str) -> Option<String> {
        let deprecated = self.served(version).filter(|it| it.is_deprecated)?;
        if let Some(warning) = &deprecated.deprecation_warning {
            return Some(warning.text.to_string());
        }
        let (group, kind) = (&self.group.as_ref()?.text, &self.kind.as_ref()?.text);
        let newer = self
            .versions
            .iter()
            .filter(|it| it.is_served && !it.is_deprecated)
            .filter_map(|it| Some(&*it.name.as_ref()?.text))
            .filter(|it| compare_versions(it, version).is_gt());
        let best = newer.max_by(|one, other| compare_versions(one, other));
        let advice = best
            .map(|best| format!("; use {group}/{best} {kind}"))
            .unwrap_or_default();
        Some(format!("{group}/{version} {kind} is deprecated{advice}"))
    }

    /// Returns the kind in the version at an index of the list.
    #[must_use]
    pub fn kind_at(&self, version: usize) -> Option<GroupVersionKind> {
        let version = self.versions.get(version)?.name.as_ref()?;
        let (group, kind) = (self.group.as_ref()?, self.kind.as_ref()?);
        Some(GroupVersionKind::new(
            &group.text,
            &version.text,
            &kind.text,
        ))
    }

    /// Returns whether the objects are namespaced. `None` if `scope` is missing.
    #[must_use]
    pub fn namespaced(&self) -> Option<bool> {
        let scope = self.scope.as_ref()?;
        Some(*scope.text == *"Namespaced")
    }
}

impl CrdVersion {
    fn read(node: Node<'_>) -> Self {
        let subresources = field(node, "subresources");
        let scale = subresources.and_then(|it| field(it, "scale"));
        Self {
            at: node.into(),
            name: word(node, "name"),
            is_served: node.get("served").is_none_or(|it| it.text() != "false"),
            is_deprecated: node.get("deprecated").is_some_and(|it| it.text() == "true"),
            deprecation_warning: word(node, "deprecationWarning"),
            has_status: subresources.is_some_and(|it| it.get("status").is_some()),
            scale: scale.map(Scale::read),
        }
    }
}

impl Scale {
    fn read(node: Node<'_>) -> Self {
        Self {
            spec_replicas_path: word(node, "specReplicasPath"),
            status_replicas_path: word(node, "statusReplicasPath"),
            label_selector_path: word(node, "labelSelectorPath"),
        }
    }
}

/// Returns the schema of each version, with its index.
pub fn version_schemas(root: Node<'_>) -> Vec<(usize, JsonSchema<'_>)> {
    let versions = super::spec(root).map(|spec| items(spec, "versions"));
    versions
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(|(index, version)| {
            let schema = version.get("schema")?.get("openAPIV3Schema")?;
            Some((index, JsonSchema::new(schema)?))
        })
        .collect()
}
