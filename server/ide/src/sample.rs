//! A manifest of the workspace that stands for the objects a policy will see.
//!
//! Completion offers the fields that samples have, and an evaluation takes them as its
//! objects. Whoever calls finds and reads them: this crate does no IO.

use cel::Value;
use policy::PolicyDocument;
use policy::admission::{Inputs, Request, Resources, matching};
use policy::names::GroupVersion;
use std::path::PathBuf;

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
        GroupVersion::parse(&self.api_version).group
    }

    /// The version of [`Sample::api_version`]: `v1` of `apps/v1` and of `v1`.
    #[must_use]
    pub fn version(&self) -> &str {
        GroupVersion::parse(&self.api_version).version
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
        inputs.into_iter().any(|(object, old_object)| {
            let inputs = Inputs {
                object,
                old_object,
                ..Inputs::default()
            };
            let Ok(request) = Request::new(inputs, resources) else {
                return false;
            };
            let mut webhooks = document.webhooks().iter();
            matching::matches(document, &request).is_ok()
                || webhooks.any(|it| matching::resources_match(&it.matching, &request).is_ok())
        })
    }

    /// Whether the sample is of the kind of the policy's parameters.
    pub(crate) fn is_param_of(&self, document: &PolicyDocument) -> bool {
        let policy = document.policy();
        let kind = policy.and_then(|policy| policy.param_kind.as_ref());
        kind.is_some_and(|it| (it.api_version(), it.kind()) == (&*self.api_version, &*self.kind))
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
