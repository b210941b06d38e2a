//! Documents of other projects and APIs that carry CEL, which is not checked.
//!
//! A file without findings looks as if it had been checked. These documents are therefore reported.
//! They are first searched by the bytes of their `apiVersion`, so that a large tree of other
//! manifests costs one more search.

use memchr::memmem;
use text::TextRange;
use yaml::Node;

/// A document that carries CEL, of a kind that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The API group.
    pub group: &'static str,
    /// The kind as written.
    pub kind: String,
    /// The bytes of the kind.
    pub range: TextRange,
}

/// An API group with kinds that may carry CEL.
struct Group {
    name: &'static str,
    /// The suffixes of the kinds.
    kinds: &'static [&'static str],
    /// Documents with CEL hold one of these.
    signs: &'static [&'static str],
}

const API_VERSION: &[u8] = b"apiVersion";

const CEL_KEY: &[&str] = &[" cel:", "{cel:", "\"cel\":"];
const EXPRESSION_KEY: &[&str] = &["expression:", "\"expression\":"];

const GROUPS: [Group; 6] = [
    // Upstream: kyverno/kyverno, api/policies.kyverno.io.
    Group {
        name: "policies.kyverno.io",
        kinds: &["Policy", "PolicyException"],
        signs: EXPRESSION_KEY,
    },
    // Upstream: kyverno/kyverno, api/kyverno/v1, Validation.CEL and Rule.CELPreconditions.
    Group {
        name: "kyverno.io",
        kinds: &["Policy"],
        signs: &[" cel:", "{cel:", "\"cel\":", "celPreconditions"],
    },
    // Upstream: open-policy-agent/gatekeeper, pkg/drivers/k8scel/schema.
    Group {
        name: "templates.gatekeeper.sh",
        kinds: &["ConstraintTemplate"],
        signs: &["K8sNativeValidation"],
    },
    // Upstream: crossplane/crossplane, apis/apiextensions.
    Group {
        name: "apiextensions.crossplane.io",
        kinds: &["CompositeResourceDefinition"],
        signs: &["x-kubernetes-validations"],
    },
    // Upstream: kubernetes/api, resource/v1, CELDeviceSelector.
    Group {
        name: "resource.k8s.io",
        kinds: &[
            "DeviceClass",
            "ResourceClaim",
            "ResourceClaimTemplate",
            "DeviceTaintRule",
        ],
        signs: CEL_KEY,
    },
    // Upstream: kubernetes/apiserver, pkg/apis/apiserver.
    Group {
        name: "apiserver.config.k8s.io",
        kinds: &["AuthenticationConfiguration", "AuthorizationConfiguration"],
        signs: EXPRESSION_KEY,
    },
];

/// Returns whether `text` can hold such a document: a quick search for each `apiVersion`.
pub(super) fn may_hold(text: &str) -> bool {
    let quotes = ['"', '\''];
    let mut keys = memmem::find_iter(text.as_bytes(), API_VERSION);
    keys.any(|at| {
        let rest = text.get(at + API_VERSION.len()..).unwrap_or("");
        let value = rest.trim_start_matches(quotes).strip_prefix(':');
        let value = value.unwrap_or("").trim_start().trim_start_matches(quotes);
        let version = |group: &Group| value.strip_prefix(group.name);
        let mut versions = GROUPS.iter().filter_map(version);
        versions.any(|version| version.starts_with('/'))
    })
}

/// Returns whether kinds of the group may carry CEL.
pub(super) fn is_group(group: &str) -> bool {
    GROUPS.iter().any(|known| known.name == group)
}

/// Returns the document as an unsupported one, if it is of such a kind and holds CEL.
///
/// `text` is the source of the document.
pub(super) fn recognize(text: &str, group: &str, kind: Node<'_>) -> Option<Unsupported> {
    let group = GROUPS.iter().find(|known| known.name == group)?;
    let is_known = group.kinds.iter().any(|end| kind.text().ends_with(end));
    let holds_cel = group.signs.iter().any(|sign| text.contains(sign));
    (is_known && holds_cel).then(|| Unsupported {
        group: group.name,
        kind: kind.text().to_owned(),
        range: kind.range(),
    })
}
