//! The meaning of the keys and values of the schemas in a CustomResourceDefinition that the API
//! does not describe.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/v1/types_jsonschema.go and
//! pkg/apis/apiextensions/validation/validation.go.

/// The keys without a description in the API.
const KEYS: [(&str, &str); 28] = [
    (
        "additionalProperties",
        "The schema of the values of a map, whose keys are any strings. It excludes `properties`.",
    ),
    (
        "allOf",
        "The value must be valid against all of these schemas. They only validate: types and \
         defaults are outside of them.",
    ),
    (
        "anyOf",
        "The value must be valid against at least one of these schemas. They only validate: types \
         and defaults are outside of them.",
    ),
    (
        "description",
        "The meaning of the value, which `kubectl explain` shows.",
    ),
    ("enum", "The only valid values."),
    ("example", "An example of a value. It is not validated."),
    (
        "exclusiveMaximum",
        "Whether `maximum` itself is an invalid value.",
    ),
    (
        "exclusiveMinimum",
        "Whether `minimum` itself is an invalid value.",
    ),
    ("externalDocs", "A link to documentation."),
    (
        "items",
        "The schema of the elements. Every array must have one.",
    ),
    (
        "maxItems",
        "The maximum number of elements. The estimated cost of rules depends on it.",
    ),
    (
        "maxLength",
        "The maximum number of characters. The estimated cost of rules depends on it.",
    ),
    (
        "maxProperties",
        "The maximum number of entries. The estimated cost of rules depends on it.",
    ),
    ("maximum", "The largest valid number."),
    ("minItems", "The minimum number of elements."),
    ("minLength", "The minimum number of characters."),
    ("minProperties", "The minimum number of entries."),
    ("minimum", "The smallest valid number."),
    ("multipleOf", "The value must be a multiple of this number."),
    ("not", "The value must not be valid against this schema."),
    (
        "nullable",
        "Whether null is a valid value. Otherwise a null is pruned before the default is set.",
    ),
    (
        "oneOf",
        "The value must be valid against exactly one of these schemas. They only validate: types \
         and defaults are outside of them.",
    ),
    (
        "pattern",
        "A regular expression in RE2 syntax that a part of the string must match. With `^` and `$` \
         it must match all of it.",
    ),
    (
        "properties",
        "The fields of the object, each with its schema. Other fields are pruned, \
         unless `x-kubernetes-preserve-unknown-fields` is true.",
    ),
    ("required", "The fields that the object must have."),
    ("title", "A short name of the value."),
    (
        "type",
        "The type of the value: `object`, `array`, `string`, `integer`, `number` or `boolean`. \
         Every value has one, except with `x-kubernetes-int-or-string` or \
         `x-kubernetes-preserve-unknown-fields`.",
    ),
    (
        "uniqueItems",
        "Must not be true. Use `x-kubernetes-list-type: set`.",
    ),
];

/// The values of keys, each with its meaning. The CEL types are those in validation rules.
const VALUES: [(&str, &str, &str); 28] = [
    (
        "type",
        "object",
        "An object with `properties`, or a map with `additionalProperties`. A `map` in CEL.",
    ),
    ("type", "array", "A list of `items`. A `list` in CEL."),
    (
        "type",
        "string",
        "A string. A `string` in CEL, unless its `format` has another type.",
    ),
    ("type", "integer", "A whole number. An `int` in CEL."),
    ("type", "number", "A number. A `double` in CEL."),
    ("type", "boolean", "`true` or `false`. A `bool` in CEL."),
    (
        "format",
        "date-time",
        "A timestamp as in RFC 3339: `2024-01-31T12:00:00Z`. A `timestamp` in CEL.",
    ),
    (
        "format",
        "date",
        "A date: `2024-01-31`. A `timestamp` in CEL.",
    ),
    (
        "format",
        "duration",
        "A duration: `1h30m`. A `duration` in CEL.",
    ),
    ("format", "byte", "Data in base64. `bytes` in CEL."),
    ("format", "uri", "A URI with a scheme, or an absolute path."),
    ("format", "email", "An email address."),
    ("format", "hostname", "A host name as in RFC 1034."),
    ("format", "ipv4", "An IPv4 address."),
    ("format", "ipv6", "An IPv6 address."),
    ("format", "cidr", "A range of IP addresses: `10.0.0.0/8`."),
    ("format", "mac", "A MAC address."),
    ("format", "uuid", "A UUID, in upper or lower case."),
    ("format", "password", "Any string."),
    (
        "format",
        "k8s-short-name",
        "A name of up to 63 lowercase letters, digits and dashes, with no dash at either end. Since \
         Kubernetes 1.34; older versions ignore it.",
    ),
    (
        "format",
        "k8s-long-name",
        "Names of lowercase letters, digits and dashes, separated by dots, of up to 253 characters. \
         Since Kubernetes 1.34; older versions ignore it.",
    ),
    ("format", "int32", "A whole number of 32 bits."),
    ("format", "int64", "A whole number of 64 bits."),
    (
        "x-kubernetes-list-type",
        "atomic",
        "The list is set as a whole. This is the default.",
    ),
    (
        "x-kubernetes-list-type",
        "set",
        "No two elements are equal, and each can be set on its own.",
    ),
    (
        "x-kubernetes-list-type",
        "map",
        "No two elements have the same `x-kubernetes-list-map-keys`, and each can be set on its \
         own.",
    ),
    (
        "x-kubernetes-map-type",
        "granular",
        "Each field can be set on its own. This is the default.",
    ),
    (
        "x-kubernetes-map-type",
        "atomic",
        "The map is set as a whole.",
    ),
];

/// Returns the meaning of a key.
pub(super) fn key(name: &str) -> Option<&'static str> {
    let found = KEYS.iter().find(|(key, _)| *key == name);
    found.map(|(_, meaning)| *meaning)
}

/// Returns the meaning of a value of a key.
pub(crate) fn value(key: &str, value: &str) -> Option<&'static str> {
    let mut known = VALUES.iter();
    let found = known.find(|(of, name, _)| (*of, *name) == (key, value));
    found.map(|(.., meaning)| *meaning)
}
