//! Which kinds have a type that an apply configuration can be merged with.
//!
//! The API server takes the types from the OpenAPI document of the group and version of a kind.
//! It holds the types that the resources of that version use. The kind of a subresource can be
//! of another version, whose document does not mention it. The options of CONNECT are
//! parameters of a URL, which have no type in a document.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/patch/typeconverter.go,
//! GetTypeConverter.

use crate::openapi::Catalog;

/// Returns whether the API server can merge an apply configuration into objects of a kind. Unknown
/// versions are assumed to support it.
#[must_use]
pub fn has_merge_type(kinds: &Catalog, group: &str, version: &str, kind: &str) -> bool {
    if group.is_empty() && kind.ends_with("Options") {
        return false;
    }
    let resources = kinds.resources();
    let mut of_version = resources.filter(|it| (it.group, it.version) == (group, version));
    let mut is_known = false;
    let is_used = of_version.any(|resource| {
        is_known = true;
        let mut below = resource.subresources.iter();
        resource.kind == kind
            || below.any(|it| (it.group, it.version, it.kind) == (group, version, kind))
    });
    is_used || !is_known
}

#[cfg(test)]
mod tests {
    use super::has_merge_type;
    use crate::openapi::Catalog;
    use crate::versions::ServerVersion;

    #[test]
    fn a_kind_of_another_version_has_no_type() {
        let kinds = Catalog::built_in(ServerVersion(36));
        for (group, kind, expected) in [
            ("autoscaling", "Scale", false),
            ("autoscaling", "HorizontalPodAutoscaler", true),
            ("policy", "Eviction", false),
            ("authentication.k8s.io", "TokenRequest", false),
            ("", "Binding", true),
            ("", "PodExecOptions", false),
            ("", "ServiceProxyOptions", false),
            ("apps", "Deployment", true),
            ("example.com", "Widget", true),
        ] {
            assert_eq!(
                has_merge_type(&kinds, group, "v1", kind),
                expected,
                "{kind}"
            );
        }
    }
}
