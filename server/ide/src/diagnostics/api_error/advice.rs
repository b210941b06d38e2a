//! Advice for errors of the API server whose message does not state what to write.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go
//! and pkg/apiserver/schema/validation.go; kubernetes/kubernetes,
//! pkg/apis/admissionregistration/validation/validation.go.

const COMBINED: &str =
    "is not allowed below `allOf`, `anyOf`, `oneOf` and `not`. Write it in the schema around them.";

/// The messages of the API server, and what follows the name of the field instead.
const ADVICE: [(&str, &str); 22] = [
    ("must be empty to be structural", COMBINED),
    ("must be undefined to be structural", COMBINED),
    ("must be false to be structural", COMBINED),
    (
        "must be a simple json path starting with .",
        "is not a path. Begin it with a dot, as in `.spec.replicas`.",
    ),
    (
        "should be a json path under .spec",
        "is not below `.spec`. Write a path such as `.spec.replicas`.",
    ),
    (
        "should be a json path under .status",
        "is not below `.status`. Write a path such as `.status.replicas`.",
    ),
    (
        "should be a json path under either .spec or .status",
        "is not below `.spec` or `.status`. Write a path such as `.status.selector`.",
    ),
    (
        "should be a domain with at least one dot",
        "is not a domain. Write one that your organization owns, such as `example.com`.",
    ),
    (
        "should be a domain with at least three segments separated by dots",
        "requires three parts or more. Add a domain, as in `check.example.com`.",
    ),
    (
        "must have exactly one version marked as storage version",
        "requires exactly one version with `storage: true`.",
    ),
    (
        "must contain unique version names",
        "has two versions with the same name. Rename one of them.",
    ),
    (
        "additionalProperties and properties are mutual exclusive",
        "cannot be combined with `properties`. Remove one of them.",
    ),
    (
        "must be object at the root",
        "must be `object` at the root of a schema.",
    ),
    (
        "must not be used at the root",
        "is not allowed at the root of a schema. Declare the fields in `properties`.",
    ),
    (
        "must be non-empty if specified",
        "is empty. Write a value, or remove the field.",
    ),
    (
        "must not contain line breaks",
        "contains a line break. Write it on one line.",
    ),
    (
        "must start with a '/'",
        "must begin with `/`, as in `/validate`.",
    ),
    (
        "can only be set for deprecated versions",
        "requires `deprecated: true` in the same version.",
    ),
    (
        "must be true or undefined",
        "cannot be `false`. Remove the field.",
    ),
    (
        "must not specify anything other than name and generateName, but metadata is implicitly \
         specified",
        "is declared by Kubernetes. A schema can only restrict its `name` and `generateName`.",
    ),
    (
        "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        "is not allowed with the operators `Exists` and `DoesNotExist`. Remove it, or use `In` or \
         `NotIn`.",
    ),
    (
        "may not be set if oldSelf is not used in rule",
        "requires a rule that uses `oldSelf`.",
    ),
];

/// Returns what to write after the name of a field, as the rest of a sentence.
pub(super) fn advice(detail: &str) -> Option<&'static str> {
    let mut all = ADVICE.iter();
    all.find(|(known, _)| *known == detail)
        .map(|(_, advice)| *advice)
}
