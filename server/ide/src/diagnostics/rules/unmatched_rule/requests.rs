//! Resources whose requests never reach policies or webhooks.

use super::is_policy;
use admission::matching::REVIEWS;
use kubernetes::openapi::Resource;
use kubernetes::versions::changes::{REVIEWS_SKIP_POLICIES, REVIEWS_SKIP_WEBHOOKS};
use policy::PolicyDocument;

/// The reason that requests for a resource are exempt.
#[derive(Clone, Copy)]
pub(super) enum Exempt {
    /// It is the configuration of admission itself.
    Admission,
    /// It is a review of a user's identity or permissions, which is not stored.
    Review,
}

/// The configuration of admission that is exempt from policies.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/plugin.go,
/// admissionResources.
const POLICIES: [&str; 4] = [
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
];

/// The additional configuration that is exempt from webhooks.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/rules/rules.go,
/// IsExemptAdmissionConfigurationResource.
const WEBHOOKS: [&str; 2] = [
    "validatingwebhookconfigurations",
    "mutatingwebhookconfigurations",
];

impl Exempt {
    /// Returns the reason that a resource is exempt. `None` if it is not.
    pub(super) fn find(document: &PolicyDocument, resource: &Resource<'_>) -> Option<Self> {
        let (group, plural) = (resource.group, resource.plural);
        let is_policy = is_policy(document);
        let of_admission = group == "admissionregistration.k8s.io"
            && (POLICIES.contains(&plural) || (!is_policy && WEBHOOKS.contains(&plural)));
        if of_admission && !document.is_static() {
            return Some(Exempt::Admission);
        }
        let change = if is_policy {
            &REVIEWS_SKIP_POLICIES
        } else {
            &REVIEWS_SKIP_WEBHOOKS
        };
        let target = document.target();
        let is_skipped = change.applies(target.oldest().min(target.server()));
        (is_skipped && REVIEWS.contains(&(group, plural))).then_some(Exempt::Review)
    }

    pub(super) const fn reason(self) -> &'static str {
        match self {
            Exempt::Admission => {
                "Kubernetes exempts the configuration of admission itself, so that no policy can \
                 lock the cluster"
            }
            Exempt::Review => {
                "Kubernetes exempts authentication and authorization reviews from admission, because the \
                 cluster depends on them"
            }
        }
    }
}
