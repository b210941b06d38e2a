//! The kinds that carry CEL and the versions of their APIs.

use std::fmt;

/// A kind that carries CEL, or binds one that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `ValidatingAdmissionPolicy`
    ValidatingAdmissionPolicy,
    /// `ValidatingAdmissionPolicyBinding`
    ValidatingAdmissionPolicyBinding,
    /// `MutatingAdmissionPolicy`
    MutatingAdmissionPolicy,
    /// `MutatingAdmissionPolicyBinding`
    MutatingAdmissionPolicyBinding,
    /// `ValidatingWebhookConfiguration`
    ValidatingWebhookConfiguration,
    /// `MutatingWebhookConfiguration`
    MutatingWebhookConfiguration,
    /// `CustomResourceDefinition`
    CustomResourceDefinition,
}

/// The version of an API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ApiVersion {
    /// `v1alpha1`
    V1alpha1,
    /// `v1beta1`
    V1beta1,
    /// `v1`
    V1,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] = [
        Kind::ValidatingAdmissionPolicy,
        Kind::ValidatingAdmissionPolicyBinding,
        Kind::MutatingAdmissionPolicy,
        Kind::MutatingAdmissionPolicyBinding,
        Kind::ValidatingWebhookConfiguration,
        Kind::MutatingWebhookConfiguration,
        Kind::CustomResourceDefinition,
    ];

    /// Returns the name, as `kind:` has it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::ValidatingAdmissionPolicy => "ValidatingAdmissionPolicy",
            Kind::ValidatingAdmissionPolicyBinding => "ValidatingAdmissionPolicyBinding",
            Kind::MutatingAdmissionPolicy => "MutatingAdmissionPolicy",
            Kind::MutatingAdmissionPolicyBinding => "MutatingAdmissionPolicyBinding",
            Kind::ValidatingWebhookConfiguration => "ValidatingWebhookConfiguration",
            Kind::MutatingWebhookConfiguration => "MutatingWebhookConfiguration",
            Kind::CustomResourceDefinition => "CustomResourceDefinition",
        }
    }

    /// Returns the kind of that name. Case matters, as it does to Kubernetes.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Returns the API group.
    #[must_use]
    pub const fn group(self) -> &'static str {
        match self {
            Kind::ValidatingAdmissionPolicy
            | Kind::ValidatingAdmissionPolicyBinding
            | Kind::MutatingAdmissionPolicy
            | Kind::MutatingAdmissionPolicyBinding
            | Kind::ValidatingWebhookConfiguration
            | Kind::MutatingWebhookConfiguration => "admissionregistration.k8s.io",
            Kind::CustomResourceDefinition => "apiextensions.k8s.io",
        }
    }

    /// Returns the versions that have the kind, the newest first.
    #[must_use]
    pub const fn versions(self) -> &'static [ApiVersion] {
        match self {
            Kind::ValidatingAdmissionPolicy
            | Kind::ValidatingAdmissionPolicyBinding
            | Kind::MutatingAdmissionPolicy
            | Kind::MutatingAdmissionPolicyBinding => {
                &[ApiVersion::V1, ApiVersion::V1beta1, ApiVersion::V1alpha1]
            }
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
                &[ApiVersion::V1, ApiVersion::V1beta1]
            }
            Kind::CustomResourceDefinition => &[ApiVersion::V1],
        }
    }

    /// Returns whether its documents are policies that change objects.
    #[must_use]
    pub const fn is_mutating_policy(self) -> bool {
        matches!(self, Self::MutatingAdmissionPolicy)
    }

    /// Returns whether this is one of the two policies.
    #[must_use]
    pub const fn is_policy(self) -> bool {
        matches!(
            self,
            Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy
        )
    }

    /// Returns whether this is one of the two webhook configurations.
    #[must_use]
    pub const fn is_webhook_configuration(self) -> bool {
        matches!(
            self,
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration
        )
    }

    /// Returns the kind of the policies that bindings of this kind bind.
    #[must_use]
    pub const fn bound_kind(self) -> Option<Self> {
        match self {
            Kind::ValidatingAdmissionPolicyBinding => Some(Kind::ValidatingAdmissionPolicy),
            Kind::MutatingAdmissionPolicyBinding => Some(Kind::MutatingAdmissionPolicy),
            _ => None,
        }
    }

    /// Returns whether this is one of the two bindings.
    #[must_use]
    pub const fn is_binding(self) -> bool {
        self.bound_kind().is_some()
    }
}

impl ApiVersion {
    /// Returns the name, as in `apiVersion:` after the group.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ApiVersion::V1alpha1 => "v1alpha1",
            ApiVersion::V1beta1 => "v1beta1",
            ApiVersion::V1 => "v1",
        }
    }

    /// Returns the version of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [ApiVersion::V1, ApiVersion::V1beta1, ApiVersion::V1alpha1]
            .into_iter()
            .find(|version| version.as_str() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for ApiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn every_version_of_a_kind_has_a_type_and_no_other() {
        for kind in Kind::ALL {
            for version in [ApiVersion::V1, ApiVersion::V1beta1, ApiVersion::V1alpha1] {
                let known = kind.versions().contains(&version);
                assert_eq!(
                    schema::of_kind(kind, version).is_some(),
                    known,
                    "{kind} {version}"
                );
            }
            assert_eq!(Kind::parse(kind.as_str()), Some(kind));
        }
    }
}
