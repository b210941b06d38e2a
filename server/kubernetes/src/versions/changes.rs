//! Changes of behavior by version, beyond those in the descriptions of kinds and the tables of
//! functions.
//!
//! Each fact is here once, with the change to Kubernetes that introduced it. Evaluation and checks
//! use these facts and never compare versions themselves.

use crate::versions::ServerVersion;

/// Something that servers do from a version on.
#[derive(Debug)]
pub struct Change {
    /// The first server that does it, with the feature gates that are on by default.
    pub since: ServerVersion,
    /// A description in one sentence.
    pub description: &'static str,
    /// The change to Kubernetes.
    pub source: &'static str,
}

impl Change {
    /// Returns a change of cel-go, whose releases here are servers.
    const fn of_cel(change: &cel::changes::Change) -> Self {
        Self {
            since: ServerVersion(change.since),
            description: change.description,
            source: change.source,
        }
    }

    /// Returns whether a server does it.
    #[must_use]
    pub fn applies(&self, server: ServerVersion) -> bool {
        server >= self.since
    }
}

/// Upstream: kubernetes/apiserver, pkg/cel/environment/base.go, DefaultCompatibilityVersion.
pub(crate) const NEW_FUNCTIONS_HELD_BACK: Change = Change {
    since: ServerVersion(28),
    description: "New expressions can use what the previous version added, so that a cluster can be \
           rolled back by one version.",
    source: "https://github.com/kubernetes/kubernetes/pull/116779",
};

/// Upstream: kubernetes/apiextensions-apiserver, pkg/registry/customresource/strategy.go,
/// hasBlockingErr.
pub const CHOICES_BLOCK_RULES: Change = Change {
    since: ServerVersion(29),
    description: "A value in a custom resource that its `enum` does not allow is reported without \
                  evaluating the rules of the definition.",
    source: "https://github.com/kubernetes/kubernetes/pull/121085",
};

/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/validation/ratcheting.go.
pub const UNCHANGED_MAY_BE_INVALID: Change = Change {
    since: ServerVersion(30),
    description: "An update of a custom resource may keep values that its definition does not allow, \
           behind the feature gate `CRDValidationRatcheting`, which is on by default.",
    source: "https://github.com/kubernetes/enhancements/issues/4008",
};

/// Upstream: kubernetes/kubernetes, pkg/kubeapiserver/admission/exclusion/resources.go.
pub const REVIEWS_SKIP_POLICIES: Change = Change {
    since: ServerVersion(30),
    description: "Policies are not evaluated for authentication and authorization reviews, such as \
           `tokenreviews`.",
    source: "https://github.com/kubernetes/kubernetes/pull/123543",
};

/// Upstream: kubernetes/apiserver, pkg/cel/types.go, FindStructFieldType.
pub const KEYWORDS_NAME_FIELDS: Change = Change {
    since: ServerVersion(31),
    description: "A reserved word after a dot names a property, as in `self.namespace`: in type checking \
           of policies, and one version later in new rules of CustomResourceDefinitions. Earlier \
           versions require the escaped name, `self.__namespace__`.",
    source: "https://github.com/kubernetes/kubernetes/pull/126188",
};

/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/validation/formats.go,
/// supportedVersionedFormats.
pub const NAME_FORMATS: Change = Change {
    since: ServerVersion(34),
    description: "Schemas of CustomResourceDefinitions have the formats `k8s-short-name` and \
           `k8s-long-name`. Earlier versions ignore them.",
    source: "https://github.com/kubernetes/kubernetes/pull/132504",
};

/// Upstream: kubernetes/kube-openapi, pkg/validation/validate/schema.go, numberValidator.
pub const NUMBERS_FIT_FORMATS: Change = Change {
    since: ServerVersion(36),
    description: "Numbers in custom resources, and the limits in their schemas, must fit the type and \
           the format, such as `int32`. Earlier versions check only the type.",
    source: "https://github.com/kubernetes/kube-openapi/pull/570",
};

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/manifest/validation.go.
pub const STATIC_MANIFESTS: Change = Change {
    since: ServerVersion(36),
    description: "Policies and webhook configurations can be loaded from a directory, behind the \
           feature gate `ManifestBasedAdmissionControlConfig`. The API warns about names that \
           end in `.static.k8s.io`.",
    source: "https://github.com/kubernetes/enhancements/issues/5793",
};

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/generic/webhook.go,
/// isExcludedFromAllHooks.
pub const REVIEWS_SKIP_WEBHOOKS: Change = Change {
    since: ServerVersion(37),
    description: "Webhooks are not called for authentication and authorization reviews either.",
    source: "https://github.com/kubernetes/kubernetes/pull/140019",
};

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/dispatcher.go,
/// publishValidationFailureAnnotations.
pub const ALL_FAILURES_AUDITED: Change = Change {
    since: ServerVersion(37),
    description: "The audit annotation `validation.policy.admission.k8s.io/validation_failure` \
                  holds up to 50 failed validations. In earlier versions it holds only the first.",
    source: "https://github.com/kubernetes/kubernetes/pull/140001",
};

/// Upstream: kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go,
/// clusterRoles.
pub const KUBELET_API_IN_PARTS: Change = Change {
    since: ServerVersion(33),
    description: "The default ClusterRole `system:kubelet-api-admin` allows all verbs on `nodes/configz`, \
           `nodes/healthz` and `nodes/pods`, behind the feature gate `KubeletFineGrainedAuthz`, \
           which is on by default.",
    source: "https://github.com/kubernetes/enhancements/issues/2862",
};

/// Upstream: kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go,
/// clusterRoles.
pub const CLAIMS_IN_ROLES: Change = Change {
    since: ServerVersion(34),
    description: "The default ClusterRoles `view`, `edit` and `admin` allow reading \
                  `resourceclaims` and `resourceclaimtemplates`, and the last two also allow \
                  writing them, behind the feature gate `DynamicResourceAllocation`, which is on \
                  by default.",
    source: "https://github.com/kubernetes/kubernetes/pull/130738",
};

/// Upstream: kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go,
/// clusterRoles; kubernetes/component-base, zpages/features/kube_features.go.
pub const DEBUGGING_PAGES_MONITORED: Change = Change {
    since: ServerVersion(36),
    description: "The default ClusterRole `system:monitoring` allows reading `/flagz` and `/statusz`, \
           behind the feature gates `ComponentFlagz` and `ComponentStatusz`, which are on by \
           default.",
    source: "https://github.com/kubernetes/enhancements/issues/4827",
};

/// Upstream: kubernetes/kubernetes, pkg/registry/core/service/strategy.go, Validate.
pub const SERVICE_NAMES_RELAXED: Change = Change {
    since: ServerVersion(36),
    description: "The name of a Service may begin with a digit, behind the feature gate \
                  `RelaxedServiceNameValidation`, which is on by default.",
    source: "https://github.com/kubernetes/enhancements/issues/5311",
};

/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredSetList.Equal
/// and unstructuredMapList.Equal.
pub const REPEATED_ELEMENTS_COUNT: Change = Change {
    since: ServerVersion(37),
    description: "In rules of CustomResourceDefinitions, a set or a list with map keys does not \
                  equal a list that repeats one element and lacks another.",
    source: "https://github.com/kubernetes/kubernetes/pull/140293",
};

/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredMapList.Add.
pub const SUMS_KEEP_ELEMENTS: Change = Change {
    since: ServerVersion(37),
    description: "In rules of CustomResourceDefinitions, `+` keeps the elements that it adds to a list of \
           the object, and finds list map keys whose names are escaped. In earlier versions, \
           reading an added timestamp, duration, bytes value, or list or map of the rule fails, \
           and a set of timestamps, durations or bytes never equals another.",
    source: "https://github.com/kubernetes/kubernetes/pull/140292",
};

/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/model/schemas.go,
/// WithTypeAndObjectMeta.
pub const NAMES_ARE_BOUNDED: Change = Change {
    since: ServerVersion(37),
    description: "In rules of CustomResourceDefinitions, the estimated cost counts `metadata.name` with \
           253 characters and `metadata.generateName` with 252, not as unbounded strings.",
    source: "https://github.com/kubernetes/kubernetes/pull/139573",
};

/// Upstream: kubernetes/apimachinery, pkg/api/validation/objectmeta.go, validateOwnerReference;
/// pkg/apis/meta/v1/validation/validation.go, ValidateManagedFields.
pub const METADATA_IS_REQUIRED: Change = Change {
    since: ServerVersion(37),
    description: "A field that an owner reference or a managed fields entry of an object lacks \
           is a `Required value`, and errors in owner references have an index. In earlier \
           versions it is an `Invalid value`.",
    source: "https://github.com/kubernetes/apimachinery/commit/35f307f3c8060317995a67f432af8d7b611f45d1",
};

/// Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation,
/// ValidateStaticSuffix.
pub const STATIC_NAMES_RESERVED: Change = Change {
    since: ServerVersion(37),
    description: "The API rejects policies, bindings and webhook configurations whose names end in \
           `.static.k8s.io`.",
    source: "https://github.com/kubernetes/kubernetes/pull/140559",
};

/// Upstream: kubernetes/apiextensions-apiserver, pkg/registry/customresourcedefinition/strategy.go,
/// WarningsOnCreate and WarningsOnUpdate.
pub const SETS_ARE_SCALAR: Change = Change {
    since: ServerVersion(37),
    description: "The API warns about a list of type `set` in a CustomResourceDefinition whose items are \
           objects or lists.",
    source: "https://github.com/kubernetes/kubernetes/pull/140616",
};

/// Upstream: cel-go, parser/parser.go, NewParser.
pub const ESCAPED_NAMES: Change = Change {
    since: ServerVersion(37),
    description: "A field name can be written in backticks, as in ``object.data.`a-b` ``.",
    source: "https://github.com/google/cel-go/pull/1295",
};

/// Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, EstimateCallCost.
pub const URL_PARTS_ARE_BOUNDED: Change = Change {
    since: ServerVersion(38),
    description: "The estimated cost counts the parts of a URL, as in `url(self).getHost()`, with the \
           length of the URL, and an escaped path with three times that. In earlier versions they \
           are unbounded strings.",
    source: "https://github.com/kubernetes/kubernetes/pull/141984",
};

/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/validation/validation.go,
/// kubeOpenAPIResultToFieldErrors.
pub const TOO_FEW_IS_AN_ERROR: Change = Change {
    since: ServerVersion(38),
    description: "A list or a map in a custom resource with too few elements is `Too few`. In earlier \
           versions it is an `Invalid value`, with the number of elements as the value.",
    source: "https://github.com/kubernetes/kubernetes/pull/141641",
};

/// Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, ParseQuantity.
pub const QUANTITIES_FILL_64_BITS: Change = Change {
    since: ServerVersion(38),
    description: "A quantity with 19 digits is stored in 64 bits if it fits, so that `isInteger` is true \
           for `9223372036854775807`. In earlier versions the limit is 18 digits.",
    source: "https://github.com/kubernetes/kubernetes/pull/141938",
};

/// Upstream: kubernetes/apimachinery, pkg/api/resource/suffix.go, interpret.
pub const QUANTITY_EXPONENTS_ARE_LIMITED: Change = Change {
    since: ServerVersion(38),
    description: "An exponent of a quantity that does not fit 32 bits is an error. Earlier versions cut \
           it to 32 bits.",
    source: "https://github.com/kubernetes/kubernetes/pull/141203",
};

/// Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, AsApproximateFloat64.
pub const ZERO_QUANTITY_IS_NUMBER: Change = Change {
    since: ServerVersion(38),
    description: "`asApproximateFloat` of a zero with a large exponent, such as `0e400`, is 0. In \
                  earlier versions it is NaN.",
    source: "https://github.com/kubernetes/kubernetes/pull/141937",
};

/// Upstream: kubernetes/apimachinery, pkg/api/resource/amount.go, Sub.
pub const QUANTITIES_SUBTRACT_LEAST_INTEGER: Change = Change {
    since: ServerVersion(38),
    description: "`sub` of the least integer of 64 bits is right. In earlier versions it adds it.",
    source: "https://github.com/kubernetes/kubernetes/pull/141264",
};

/// Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, CanonicalizeBytes.
pub const LARGE_QUANTITIES_KEEP_EXPONENT: Change = Change {
    since: ServerVersion(38),
    description: "A quantity that is larger than its suffixes is written with an exponent: `1000E` as \
           `1e21`. Earlier versions write it without a suffix, as `1`.",
    source: "https://github.com/kubernetes/kubernetes/pull/140459",
};

/// Every change, the oldest first.
pub const ALL: [&Change; 37] = [
    &NEW_FUNCTIONS_HELD_BACK,
    &CHOICES_BLOCK_RULES,
    &UNCHANGED_MAY_BE_INVALID,
    &REVIEWS_SKIP_POLICIES,
    &KEYWORDS_NAME_FIELDS,
    &KUBELET_API_IN_PARTS,
    &NAME_FORMATS,
    &CLAIMS_IN_ROLES,
    &NUMBERS_FIT_FORMATS,
    &STATIC_MANIFESTS,
    &DEBUGGING_PAGES_MONITORED,
    &SERVICE_NAMES_RELAXED,
    &REVIEWS_SKIP_WEBHOOKS,
    &ALL_FAILURES_AUDITED,
    &REPEATED_ELEMENTS_COUNT,
    &SUMS_KEEP_ELEMENTS,
    &NAMES_ARE_BOUNDED,
    &METADATA_IS_REQUIRED,
    &STATIC_NAMES_RESERVED,
    &SETS_ARE_SCALAR,
    &ESCAPED_NAMES,
    &Change::of_cel(&cel::changes::NAMES_HAVE_SCOPES),
    &Change::of_cel(&cel::changes::ONLY_OPTIONALS_HAVE_DEFAULTS),
    &Change::of_cel(&cel::changes::CONTENT_OF_OPTIONALS_STAYS),
    &Change::of_cel(&cel::changes::NO_INTEGER_DURATIONS),
    &Change::of_cel(&cel::changes::OFFSET_MINUTES_HAVE_A_RANGE),
    &Change::of_cel(&cel::changes::EMPTY_STRINGS_HAVE_A_PLACE),
    &Change::of_cel(&cel::changes::RANGES_HAVE_A_LIMIT),
    &Change::of_cel(&cel::changes::MATCHES_FUNCTION_HAS_COST),
    &Change::of_cel(&cel::changes::AFFIXES_ARE_COUNTED),
    &URL_PARTS_ARE_BOUNDED,
    &TOO_FEW_IS_AN_ERROR,
    &QUANTITIES_FILL_64_BITS,
    &QUANTITY_EXPONENTS_ARE_LIMITED,
    &ZERO_QUANTITY_IS_NUMBER,
    &QUANTITIES_SUBTRACT_LEAST_INTEGER,
    &LARGE_QUANTITIES_KEEP_EXPONENT,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changes_are_in_the_order_of_the_versions() {
        assert!(ALL.is_sorted_by_key(|change| change.since));
    }

    #[test]
    fn a_change_applies_from_its_version_on() {
        let change = &ALL_FAILURES_AUDITED;
        assert!(!change.applies(ServerVersion(36)));
        assert!(change.applies(ServerVersion(37)));
    }
}
