//! The servers that serve each version of a kind, and the feature gates that it needs.
//!
//! Upstream: kubernetes/kubernetes, pkg/features/kube_features.go and the files of the same
//! name in the staging repositories; pkg/controlplane/instance.go,
//! DefaultAPIResourceConfigSource.

use crate::kind::{ApiVersion, Kind};
use kubernetes::ServerVersion;
use kubernetes::openapi::Catalog;

/// The known servers that serve a version of a kind, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// The first.
    pub first: ServerVersion,
    /// The last known one.
    pub last: ServerVersion,
}

/// A feature gate of the API server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The name of the feature gate.
    pub name: &'static str,
    /// The first server on which it is on by default.
    pub on_since: ServerVersion,
    /// The feature, in a phrase.
    pub description: &'static str,
    /// The number of the enhancement.
    pub enhancement: u16,
}

const WEBHOOK_CONDITIONS: Gate = Gate {
    name: "AdmissionWebhookMatchConditions",
    on_since: ServerVersion(28),
    description: "`matchConditions` of webhooks",
    enhancement: 3716,
};

const VALIDATING: Gate = Gate {
    name: "ValidatingAdmissionPolicy",
    on_since: ServerVersion(30),
    description: "Validating admission policies and their bindings, in versions other than `v1`",
    enhancement: 3488,
};

const RATCHETING: Gate = Gate {
    name: "CRDValidationRatcheting",
    on_since: ServerVersion(30),
    description: "`optionalOldSelf` of validation rules",
    enhancement: 4008,
};

const FIELD_SELECTORS: Gate = Gate {
    name: "CustomResourceFieldSelectors",
    on_since: ServerVersion(31),
    description: "`selectableFields` of CustomResourceDefinitions",
    enhancement: 4358,
};

const AUTHORIZER_SELECTORS: Gate = Gate {
    name: "AuthorizeWithSelectors",
    on_since: ServerVersion(32),
    description: "`fieldSelector` and `labelSelector` of authorization checks",
    enhancement: 4601,
};

const MUTATING: Gate = Gate {
    name: "MutatingAdmissionPolicy",
    on_since: ServerVersion(36),
    description: "Mutating admission policies and their bindings, in versions other than `v1`",
    enhancement: 3962,
};

/// Every gate, in the order of the versions.
pub const GATES: [Gate; 6] = [
    WEBHOOK_CONDITIONS,
    VALIDATING,
    RATCHETING,
    FIELD_SELECTORS,
    AUTHORIZER_SELECTORS,
    MUTATING,
];

/// Returns whether a server can serve a version of a kind.
#[must_use]
pub fn served(kind: Kind, version: ApiVersion, server: ServerVersion) -> bool {
    let catalog = Catalog::built_in(server);
    let found = catalog.schema(kind.group(), version.as_str(), kind.as_str());
    found.is_some()
}

/// Returns the servers that serve a version of a kind. `None` if no known server does.
#[must_use]
pub fn service(kind: Kind, version: ApiVersion) -> Option<Service> {
    let servers = ServerVersion::OLDEST.up_to(ServerVersion::NEWEST);
    let mut serving = servers.filter(|server| served(kind, version, *server));
    let first = serving.next()?;
    let last = serving.next_back().unwrap_or(first);
    Some(Service { first, last })
}

/// Returns the gate that must be on for a version of a kind. Such a version must also be enabled
/// with `--runtime-config`. `None` for versions that are always available.
#[must_use]
pub fn gate(kind: Kind, version: ApiVersion) -> Option<Gate> {
    if version == ApiVersion::V1 {
        return None;
    }
    match kind {
        Kind::ValidatingAdmissionPolicy | Kind::ValidatingAdmissionPolicyBinding => {
            Some(VALIDATING)
        }
        Kind::MutatingAdmissionPolicy | Kind::MutatingAdmissionPolicyBinding => Some(MUTATING),
        Kind::ValidatingWebhookConfiguration
        | Kind::MutatingWebhookConfiguration
        | Kind::CustomResourceDefinition => None,
    }
}

/// Returns the gate of a field of an object type, by the last part of the type's name.
pub(super) fn field_gate(definition: &str, field: &str) -> Option<Gate> {
    match (definition, field) {
        ("ValidatingWebhook" | "MutatingWebhook", "matchConditions") => Some(WEBHOOK_CONDITIONS),
        ("ValidationRule", "optionalOldSelf") => Some(RATCHETING),
        ("CustomResourceDefinitionVersion", "selectableFields") => Some(FIELD_SELECTORS),
        _ => None,
    }
}

/// Returns the gate of an overload that every environment declares.
///
/// Upstream: kubernetes/apiserver, pkg/cel/environment/base.go, baseOpts.
pub(super) fn overload_gate(id: &str) -> Option<Gate> {
    let is_selector = matches!(id, "authorizer_fieldselector" | "authorizer_labelselector");
    is_selector.then_some(AUTHORIZER_SELECTORS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::ApiVersion::{V1, V1alpha1, V1beta1};

    fn servers(kind: Kind, version: ApiVersion) -> Option<(u8, u8)> {
        service(kind, version).map(|service| (service.first.0, service.last.0))
    }

    #[test]
    fn every_version_of_a_kind_was_served_at_its_time() {
        let newest = ServerVersion::NEWEST.0;
        for kind in [
            Kind::ValidatingAdmissionPolicy,
            Kind::ValidatingAdmissionPolicyBinding,
        ] {
            assert_eq!(servers(kind, V1), Some((30, newest)));
            assert_eq!(servers(kind, V1beta1), Some((28, 33)));
            assert_eq!(servers(kind, V1alpha1), Some((26, 31)));
        }
        for kind in [
            Kind::MutatingAdmissionPolicy,
            Kind::MutatingAdmissionPolicyBinding,
        ] {
            assert_eq!(servers(kind, V1), Some((36, newest)));
            assert_eq!(servers(kind, V1beta1), Some((34, newest)));
            assert_eq!(servers(kind, V1alpha1), Some((32, newest)));
        }
        for kind in [
            Kind::ValidatingWebhookConfiguration,
            Kind::MutatingWebhookConfiguration,
            Kind::CustomResourceDefinition,
        ] {
            assert_eq!(servers(kind, V1), Some((25, newest)));
        }
        // It is older than all known servers.
        assert_eq!(servers(Kind::MutatingWebhookConfiguration, V1beta1), None);
    }

    #[test]
    fn what_is_switched_off_has_a_gate() {
        let name = |kind, version| gate(kind, version).map(|gate| gate.name);
        let kind = Kind::MutatingAdmissionPolicy;
        assert_eq!(name(kind, V1beta1), Some("MutatingAdmissionPolicy"));
        assert_eq!(name(kind, V1), None);
        assert_eq!(name(Kind::ValidatingWebhookConfiguration, V1beta1), None);
    }
}
