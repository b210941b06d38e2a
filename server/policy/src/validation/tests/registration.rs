//! Corner cases in the validation of policies, bindings and webhooks.

use super::{check, errors};
use expect_test::expect;

#[test]
fn a_url_is_read_as_go_reads_it() {
    let webhook = |url: &str| {
        format!(
            "apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {{name: demo}}
webhooks:
- {{name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {{url: '{url}'}}}}
"
        )
    };
    check(&webhook("HTTPS://a.example.com:8443/x?#"), &expect![""]);
    check(
        &webhook("https://a b/%zz"),
        &expect![[r#"
        Required webhooks[0].clientConfig.url "url must be a valid URL: parse \"https://a b/%zz\": invalid character \" \" in host name; desired format: https://host[/path]" at "'https://a b/%zz'"
    "#]],
    );
    check(
        &webhook("a.example.com/x"),
        &expect![[r#"
        Invalid webhooks[0].clientConfig.url "'https' is the only allowed URL scheme; desired format: https://host[/path]" at "'a.example.com/x'"
        Invalid webhooks[0].clientConfig.url "host must be specified; desired format: https://host[/path]" at "'a.example.com/x'"
    "#]],
    );
}

#[test]
fn the_oldest_version_has_more_defaults() {
    let binding = |version: &str| {
        format!(
            "apiVersion: admissionregistration.k8s.io/{version}
kind: ValidatingAdmissionPolicyBinding
metadata: {{name: demo}}
spec: {{policyName: demo, validationActions: [Deny], paramRef: {{name: a}}}}
"
        )
    };
    check(&binding("v1alpha1"), &expect![""]);
    for version in ["v1beta1", "v1"] {
        check(
            &binding(version),
            &expect![[r#"
                Required spec.paramRef.parameterNotFoundAction "" at "paramRef"
            "#]],
        );
    }
}

#[test]
fn an_event_owns_nothing() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: demo
  annotations: {a: null}
  ownerReferences: [{apiVersion: v1, kind: Event, name: a, uid: b}]
",
        &expect![[r#"
            Invalid metadata.ownerReferences "/v1, Kind=Event is disallowed from being an owner" at "apiVersion"
        "#]],
    );
}

/// Fields of a webhook, and the only error: its type, its field and the start of its detail.
type Fact = (
    &'static str,
    Option<(&'static str, &'static str, &'static str)>,
);

const WEBHOOKS: &[Fact] = &[
    (
        "rules: [{operations: [CREATE], apiGroups: [a], apiVersions: [a], resources: ['*', a/b, a/*, '*/b']}]",
        None,
    ),
    (
        "rules: [{operations: [CREATE], apiGroups: [a], apiVersions: [a], resources: [a/*, a]}]",
        None,
    ),
    (
        "rules: [{operations: [CREATE], apiGroups: [''], apiVersions: ['*'], resources: ['*/*'], scope: '*'}]",
        None,
    ),
    (
        "rules: [{operations: [], apiGroups: [a], apiVersions: [a], resources: [a]}]",
        Some(("Required", "rules[0].operations", "")),
    ),
    (
        "rules: [{operations: [CREATE, ''], apiGroups: [a], apiVersions: [a], resources: [a]}]",
        Some((
            "NotSupported",
            "rules[0].operations[1]",
            "supported values: \"*\"",
        )),
    ),
    (
        "rules: [{operations: [PATCH], apiGroups: [a], apiVersions: [a], resources: [a]}]",
        Some((
            "NotSupported",
            "rules[0].operations[0]",
            "supported values: \"*\"",
        )),
    ),
    (
        "rules: [{operations: [CREATE, '*'], apiGroups: [a], apiVersions: [a], resources: [a]}]",
        Some(("Invalid", "rules[0].operations", "if '*' is present")),
    ),
    (
        "rules: [{operations: [CREATE], apiGroups: [a], apiVersions: [a], resources: ['*', a]}]",
        Some(("Invalid", "rules[0].resources", "if '*' is present")),
    ),
    (
        "rules: [{operations: [CREATE], apiGroups: [a], apiVersions: [a], resources: [a/*, a/x]}]",
        Some((
            "Invalid",
            "rules[0].resources[1]",
            "if 'a/*' is present, must not specify a/x",
        )),
    ),
    (
        "rules: [{operations: [CREATE], apiGroups: [a], apiVersions: [a], resources: ['*/a', x/a]}]",
        Some((
            "Invalid",
            "rules[0].resources[1]",
            "if '*/a' is present, must not specify x/a",
        )),
    ),
    (
        "rules: [{operations: [CREATE], apiGroups: [a], apiVersions: [a], resources: ['*/*', a]}]",
        Some(("Invalid", "rules[0].resources", "if '*/*' is present")),
    ),
    (
        "failurePolicy: other",
        Some((
            "NotSupported",
            "failurePolicy",
            "supported values: \"Fail\", \"Ignore\"",
        )),
    ),
    (
        "matchPolicy: other",
        Some((
            "NotSupported",
            "matchPolicy",
            "supported values: \"Equivalent\", \"Exact\"",
        )),
    ),
    ("timeoutSeconds: 1", None),
    ("timeoutSeconds: 30", None),
    (
        "timeoutSeconds: 31",
        Some(("Invalid", "timeoutSeconds", "the timeout value")),
    ),
    (
        "timeoutSeconds: 0",
        Some(("Invalid", "timeoutSeconds", "the timeout value")),
    ),
    (
        "timeoutSeconds: -1",
        Some(("Invalid", "timeoutSeconds", "the timeout value")),
    ),
    (
        "sideEffects: Some",
        Some((
            "NotSupported",
            "sideEffects",
            "supported values: \"None\", \"NoneOnDryRun\"",
        )),
    ),
    (
        "sideEffects: null",
        Some((
            "Required",
            "sideEffects",
            "must specify one of None, NoneOnDryRun",
        )),
    ),
    (
        "admissionReviewVersions: []",
        Some((
            "Required",
            "admissionReviewVersions",
            "must specify one of v1, v1beta1",
        )),
    ),
    ("admissionReviewVersions: [v1beta1, invalid-version]", None),
    (
        "admissionReviewVersions: [v1, v1]",
        Some(("Invalid", "admissionReviewVersions[1]", "duplicate version")),
    ),
    (
        "admissionReviewVersions: [other]",
        Some((
            "Invalid",
            "admissionReviewVersions",
            "must include at least one",
        )),
    ),
    (
        "admissionReviewVersions: [v1, 0v]",
        Some(("Invalid", "admissionReviewVersions[1]", "a DNS-1035 label")),
    ),
    (
        "name: k8s.io",
        Some((
            "Invalid",
            "name",
            "should be a domain with at least three segments",
        )),
    ),
    ("name: ''", Some(("Required", "name", ""))),
    (
        "clientConfig: {}",
        Some(("Required", "clientConfig", "exactly one of url or service")),
    ),
    (
        "clientConfig: {url: a, service: {name: n, namespace: ns}}",
        Some(("Required", "clientConfig", "exactly one of")),
    ),
    (
        "clientConfig: {url: 'https:///fancy/webhook'}",
        Some(("Invalid", "clientConfig.url", "host must be specified")),
    ),
    (
        "clientConfig: {url: 'http://example.com'}",
        Some(("Invalid", "clientConfig.url", "'https' is the only")),
    ),
    (
        "clientConfig: {url: 'https://example.com/#bookmark'}",
        Some(("Invalid", "clientConfig.url", "fragments are not")),
    ),
    (
        "clientConfig: {url: 'https://example.com?arg=value'}",
        Some(("Invalid", "clientConfig.url", "query parameters")),
    ),
    (
        "clientConfig: {url: 'https://harry.potter@example.com/'}",
        Some(("Invalid", "clientConfig.url", "user information")),
    ),
    (
        "clientConfig: {service: {name: n, namespace: ns, path: /}}",
        None,
    ),
    (
        "clientConfig: {service: {name: n, namespace: ns, path: /foo}}",
        None,
    ),
    (
        "clientConfig: {service: {name: n, namespace: ns, path: foo/}}",
        Some((
            "Invalid",
            "clientConfig.service.path",
            "must start with a '/'",
        )),
    ),
    (
        "clientConfig: {service: {name: n, namespace: ns, path: //}}",
        Some((
            "Invalid",
            "clientConfig.service.path",
            "segment[0] may not be empty",
        )),
    ),
    (
        "clientConfig: {service: {name: n, namespace: ns, path: /foo//bar/}}",
        Some((
            "Invalid",
            "clientConfig.service.path",
            "segment[1] may not be empty",
        )),
    ),
    (
        "clientConfig: {service: {name: n, namespace: ns, path: /foo/bar//}}",
        Some((
            "Invalid",
            "clientConfig.service.path",
            "segment[2] may not be empty",
        )),
    ),
    (
        "clientConfig: {service: {name: n, namespace: ns, path: /apis/foo.bar/v1alpha1/--bad}}",
        Some((
            "Invalid",
            "clientConfig.service.path",
            "segment[3]: a lowercase RFC 1123 subdomain",
        )),
    ),
    (
        "clientConfig: {service: {name: n, namespace: ns, port: 0}}",
        Some(("Invalid", "clientConfig.service.port", "port is not valid")),
    ),
    (
        "clientConfig: {service: {name: n, namespace: ns, port: 65536}}",
        Some(("Invalid", "clientConfig.service.port", "port is not valid")),
    ),
    // The server calls each of the two by the name of the other.
    (
        "clientConfig: {service: {name: n}}",
        Some(("Required", "clientConfig.service.name", "")),
    ),
    (
        "matchConditions: [{expression: 'true'}]",
        Some(("Required", "matchConditions[0].name", "")),
    ),
    (
        "matchConditions: [{name: -hello, expression: 'true'}]",
        Some((
            "Invalid",
            "matchConditions[0].name",
            "name part must consist",
        )),
    ),
    (
        "matchConditions: [{name: a}]",
        Some(("Required", "matchConditions[0].expression", "")),
    ),
    (
        "matchConditions: [{name: a, expression: 'true'}, {name: a, expression: 'true'}]",
        Some(("Duplicate", "matchConditions[1].name", "")),
    ),
    (
        "matchConditions: [{name: a, expression: '6'}]",
        Some((
            "Invalid",
            "matchConditions[0].expression",
            "must evaluate to bool",
        )),
    ),
    (
        "objectSelector: {matchExpressions: [{key: a, operator: In, values: [a b]}]}",
        Some((
            "Invalid",
            "objectSelector.matchExpressions[0].values[0]",
            "a valid label",
        )),
    ),
    (
        "namespaceSelector: {matchExpressions: [{key: a, operator: Exists, values: [a]}]}",
        Some((
            "Forbidden",
            "namespaceSelector.matchExpressions[0].values",
            "may not be specified",
        )),
    ),
    (
        "reinvocationPolicy: Always",
        Some((
            "NotSupported",
            "reinvocationPolicy",
            "supported values: \"IfNeeded\", \"Never\"",
        )),
    ),
];

#[test]
fn each_field_of_a_webhook_has_its_own_error() {
    const USUAL: [(&str, &str); 4] = [
        ("name", "webhook.k8s.io"),
        ("sideEffects", "None"),
        ("admissionReviewVersions", "[v1]"),
        ("clientConfig", "{url: 'https://example.com'}"),
    ];
    for (fields, expected) in WEBHOOKS {
        let given = fields.split(':').next().unwrap();
        let mut webhook = format!("- {fields}\n");
        for (field, value) in USUAL.iter().filter(|(field, _)| *field != given) {
            webhook.push_str(&format!("  {field}: {value}\n"));
        }
        let found = errors(&format!(
            "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\n\
             metadata: {{name: demo}}\nwebhooks:\n{webhook}"
        ));
        let is_right = match (expected, found.as_slice()) {
            (None, []) => true,
            (Some((kind, field, detail)), [error]) => {
                error.0 == *kind
                    && error.1 == format!("webhooks[0].{field}")
                    && error.2.starts_with(detail)
            }
            _ => false,
        };
        assert!(is_right, "{fields}: {found:?}");
    }
}
