//! A manifest of the workspace that stands for the objects a policy will see.
//!
//! Completion offers the fields that samples have, and an evaluation takes them as its
//! objects. Whoever calls finds and reads them: this crate does no IO.

use cel::Value;
use policy::PolicyDocument;
use policy::admission::{Inputs, Request, Resources, matching};
use std::path::PathBuf;
use yaml::Node;

/// A manifest.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The file in which it stands.
    pub path: PathBuf,
    /// The place of its document among those of the file, from 0.
    pub document: usize,
    /// `apiVersion`, such as `apps/v1`.
    pub api_version: String,
    /// `kind`, such as `Deployment`.
    pub kind: String,
    /// `metadata.name`, empty where there is none.
    pub name: String,
    /// `metadata.namespace`, empty where there is none.
    pub namespace: String,
    /// The whole object as CEL sees it.
    pub value: Value,
}

impl Sample {
    /// The group of [`Sample::api_version`]: `apps` of `apps/v1`, nothing of `v1`.
    #[must_use]
    pub fn group(&self) -> &str {
        self.api_version
            .split_once('/')
            .map_or("", |(group, _)| group)
    }

    /// The version of [`Sample::api_version`]: `v1` of `apps/v1` and of `v1`.
    #[must_use]
    pub fn version(&self) -> &str {
        self.api_version
            .split_once('/')
            .map_or(self.api_version.as_str(), |(_, version)| version)
    }

    /// The sample in words: `Deployment shop/web`.
    #[must_use]
    pub fn label(&self) -> String {
        let name = match (self.namespace.as_str(), self.name.as_str()) {
            (_, "") => return self.kind.clone(),
            ("", name) => name.to_owned(),
            (namespace, name) => format!("{namespace}/{name}"),
        };
        format!("{} {name}", self.kind)
    }

    /// Whether a request with the sample as its object, of whatever operation, is one that
    /// the policy, or a webhook of the configuration, looks at.
    pub(crate) fn is_matched_by(&self, document: &PolicyDocument, resources: &Resources) -> bool {
        let object = || Some(self.value.clone());
        let inputs = [(object(), None), (object(), object()), (None, object())];
        let webhooks = document.root().get("webhooks").and_then(Node::as_sequence);
        let webhooks: Vec<Node<'_>> = webhooks.map_or_else(Vec::new, |it| it.items().collect());
        inputs.into_iter().any(|(object, old_object)| {
            let inputs = Inputs {
                object,
                old_object,
                ..Inputs::default()
            };
            let Ok(request) = Request::new(inputs, resources) else {
                return false;
            };
            let mut webhooks = webhooks.iter();
            matching::matches(document, &request).is_ok()
                || webhooks.any(|webhook| matching::webhook_matches(*webhook, &request).is_ok())
        })
    }

    /// Whether the sample is of the kind of the policy's parameters.
    pub(crate) fn is_param_of(&self, document: &PolicyDocument) -> bool {
        let spec = document.root().get("spec");
        let kind = spec.and_then(|spec| spec.get("paramKind"));
        kind.is_some_and(|kind| {
            let field = |name: &str| kind.get(name).and_then(Node::as_str);
            field("apiVersion") == Some(&self.api_version) && field("kind") == Some(&self.kind)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(api_version: &str) -> Sample {
        Sample {
            path: PathBuf::new(),
            document: 0,
            api_version: api_version.to_owned(),
            kind: String::new(),
            name: String::new(),
            namespace: String::new(),
            value: Value::Null,
        }
    }

    #[test]
    fn the_core_group_has_no_name() {
        let core = sample("v1");
        assert_eq!((core.group(), core.version()), ("", "v1"));
        let apps = sample("apps/v1");
        assert_eq!((apps.group(), apps.version()), ("apps", "v1"));
    }
}
