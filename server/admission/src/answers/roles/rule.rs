//! A rule of a role: the actions that it allows.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/rbac/v1/evaluation_helpers.go.

use crate::fields::list;
use cel::Value;
use policy::library::{AuthorizationRequest, Resource, Target};

/// Matches every verb, group, resource or path.
const ALL: &str = "*";

/// A rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    verbs: Vec<Box<str>>,
    groups: Vec<Box<str>>,
    resources: Vec<Box<str>>,
    names: Vec<Box<str>>,
    paths: Vec<Box<str>>,
}

impl Rule {
    pub(super) fn read(rule: &Value) -> Self {
        let strings = |field| {
            let strings = list(rule, field).iter().filter_map(Value::as_str);
            strings.map(Box::from).collect()
        };
        Self {
            verbs: strings("verbs"),
            groups: strings("apiGroups"),
            resources: strings("resources"),
            names: strings("resourceNames"),
            paths: strings("nonResourceURLs"),
        }
    }

    /// Returns whether the rule allows a request.
    pub(super) fn allows(&self, request: &AuthorizationRequest<'_>) -> bool {
        has(&self.verbs, request.verb)
            && match request.target {
                Target::Path(path) => self.has_path(path),
                Target::Resource(resource) => {
                    has(&self.groups, &resource.group)
                        && self.has_resource(resource)
                        && (self.names.is_empty()
                            || self.names.iter().any(|name| **name == *resource.name))
                }
            }
    }

    fn has_path(&self, path: &str) -> bool {
        self.paths.iter().any(|known| {
            let start = known.strip_suffix('*');
            let start = start.map(|start| start.trim_end_matches('*'));
            start.is_some_and(|start| path.starts_with(start)) || **known == *path
        })
    }

    /// Returns whether the rule names a resource: with its subresource, or the subresource of all
    /// resources.
    fn has_resource(&self, resource: &Resource) -> bool {
        let (whole, part) = (&*resource.resource, &*resource.subresource);
        self.resources.iter().any(|known| match &**known {
            ALL => true,
            known if part.is_empty() => known == whole,
            known => known
                .strip_suffix(part)
                .and_then(|known| known.strip_suffix('/'))
                .is_some_and(|known| known == ALL || known == whole),
        })
    }
}

fn has(list: &[Box<str>], wanted: &str) -> bool {
    list.iter().any(|it| **it == *ALL || **it == *wanted)
}
