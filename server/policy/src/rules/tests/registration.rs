//! What the API server says of policies, bindings and webhooks in the corners of its rules.

use super::check;
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
