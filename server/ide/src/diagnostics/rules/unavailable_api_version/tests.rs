//! API versions that a server does not serve.

use crate::fixture::{check_diagnostics, findings, fixed, report};
use expect_test::{Expect, expect};

fn binding(target: &str, version: &str, kind: &str) -> String {
    let actions = match kind {
        "ValidatingAdmissionPolicyBinding" => "\n  validationActions: [Deny]",
        _ => "",
    };
    format!(
        "\
# kubernetes = \"{target}\"
apiVersion: admissionregistration.k8s.io/{version}
kind: {kind}
metadata:
  name: demo
spec:
  policyName: demo{actions}
"
    )
}

#[track_caller]
fn check(target: &str, version: &str, kind: &str, expected: &Expect) {
    let text = binding(target, version, kind);
    expected.assert_eq(&report(&text));
}

const VALIDATING: &str = "ValidatingAdmissionPolicyBinding";
const MUTATING: &str = "MutatingAdmissionPolicyBinding";

#[test]
fn versions_that_are_there_are_silent() {
    check("1.30..1.37", "v1", VALIDATING, &expect![[""]]);
    check("1.36", "v1", MUTATING, &expect![[""]]);
    // No target is set.
    check_diagnostics(&binding("1.36", "v1alpha1", VALIDATING).replace("# kube", "# "));
}

#[test]
fn versions_come_and_go() {
    check(
        "1.29..1.36",
        "v1",
        VALIDATING,
        &expect![[r#"
            2:13-2:44 "admissionregistration.k8s.io/v1" Error[unavailable-api-version]: `ValidatingAdmissionPolicyBinding` in `admissionregistration.k8s.io/v1` requires Kubernetes 1.30 or later. The oldest target version is 1.29. No API version of it is served by all of 1.29..1.36.
              Kubernetes: no matches for kind "ValidatingAdmissionPolicyBinding" in version "admissionregistration.k8s.io/v1"
        "#]],
    );
    check(
        "1.30..1.36",
        "v1beta1",
        VALIDATING,
        &expect![[r#"
            2:13-2:49 "admissionregistration.k8s.io/v1beta1" Error[unavailable-api-version]: Kubernetes 1.33 is the last version to serve `ValidatingAdmissionPolicyBinding` in `admissionregistration.k8s.io/v1beta1`. The newest target version is 1.36. Use `admissionregistration.k8s.io/v1`.
              Kubernetes: no matches for kind "ValidatingAdmissionPolicyBinding" in version "admissionregistration.k8s.io/v1beta1"
              fix: Change to `admissionregistration.k8s.io/v1`
        "#]],
    );
    check(
        "1.36",
        "v1alpha1",
        VALIDATING,
        &expect![[r#"
            2:13-2:50 "admissionregistration.k8s.io/v1alpha1" Error[unavailable-api-version]: Kubernetes 1.31 is the last version to serve `ValidatingAdmissionPolicyBinding` in `admissionregistration.k8s.io/v1alpha1`. The target version is 1.36. Use `admissionregistration.k8s.io/v1`.
              Kubernetes: no matches for kind "ValidatingAdmissionPolicyBinding" in version "admissionregistration.k8s.io/v1alpha1"
              fix: Change to `admissionregistration.k8s.io/v1`
        "#]],
    );
}

#[test]
fn a_version_that_has_not_come_yet_has_no_substitute() {
    check(
        "1.33",
        "v1",
        MUTATING,
        &expect![[r#"
            2:13-2:44 "admissionregistration.k8s.io/v1" Error[unavailable-api-version]: `MutatingAdmissionPolicyBinding` in `admissionregistration.k8s.io/v1` requires Kubernetes 1.36 or later. The target version is 1.33. All target versions can serve `admissionregistration.k8s.io/v1alpha1`, which is off by default.
              Kubernetes: no matches for kind "MutatingAdmissionPolicyBinding" in version "admissionregistration.k8s.io/v1"
        "#]],
    );
    check(
        "1.31",
        "v1",
        MUTATING,
        &expect![[r#"
            2:13-2:44 "admissionregistration.k8s.io/v1" Error[unavailable-api-version]: `MutatingAdmissionPolicyBinding` in `admissionregistration.k8s.io/v1` requires Kubernetes 1.36 or later. The target version is 1.31. Kubernetes 1.31 does not serve any API version of it.
              Kubernetes: no matches for kind "MutatingAdmissionPolicyBinding" in version "admissionregistration.k8s.io/v1"
        "#]],
    );
    check(
        "1.35..1.36",
        "v1",
        MUTATING,
        &expect![[r#"
            2:13-2:44 "admissionregistration.k8s.io/v1" Error[unavailable-api-version]: `MutatingAdmissionPolicyBinding` in `admissionregistration.k8s.io/v1` requires Kubernetes 1.36 or later. The oldest target version is 1.35. All target versions can serve `admissionregistration.k8s.io/v1beta1` or `admissionregistration.k8s.io/v1alpha1`, which is off by default.
              Kubernetes: no matches for kind "MutatingAdmissionPolicyBinding" in version "admissionregistration.k8s.io/v1"
        "#]],
    );
}

#[test]
fn alpha_and_beta_are_off_by_default() {
    check(
        "1.30..1.33",
        "v1beta1",
        VALIDATING,
        &expect![[r#"
            2:13-2:49 "admissionregistration.k8s.io/v1beta1" Warning[unavailable-api-version]: `admissionregistration.k8s.io/v1beta1` is off unless the API server runs with `--runtime-config=admissionregistration.k8s.io/v1beta1=true`.
              fix: Change to `admissionregistration.k8s.io/v1`
        "#]],
    );
    check(
        "1.28..1.29",
        "v1beta1",
        VALIDATING,
        &expect![[r#"
            2:13-2:49 "admissionregistration.k8s.io/v1beta1" Information[unavailable-api-version]: `admissionregistration.k8s.io/v1beta1` is off unless the API server runs with `--runtime-config=admissionregistration.k8s.io/v1beta1=true` and the feature gate `ValidatingAdmissionPolicy`.
        "#]],
    );
    check(
        "1.34..1.36",
        "v1beta1",
        MUTATING,
        &expect![[r#"
            2:13-2:49 "admissionregistration.k8s.io/v1beta1" Information[unavailable-api-version]: `admissionregistration.k8s.io/v1beta1` is off unless the API server runs with `--runtime-config=admissionregistration.k8s.io/v1beta1=true` and, before Kubernetes 1.36, the feature gate `MutatingAdmissionPolicy`.
        "#]],
    );
    check(
        "1.36",
        "v1beta1",
        MUTATING,
        &expect![[r#"
            2:13-2:49 "admissionregistration.k8s.io/v1beta1" Warning[unavailable-api-version]: `admissionregistration.k8s.io/v1beta1` is off unless the API server runs with `--runtime-config=admissionregistration.k8s.io/v1beta1=true`.
              fix: Change to `admissionregistration.k8s.io/v1`
        "#]],
    );
}

#[test]
fn the_version_that_works_is_offered() {
    let text = binding("1.30..1.36", "v1beta1", VALIDATING);
    let fixed = fixed(&text, "unavailable-api-version");
    assert_eq!(fixed, binding("1.30..1.36", "v1", VALIDATING));
}

#[test]
fn webhooks_of_old_have_no_server() {
    let text = "\
# kubernetes = \"1.30\"
apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingWebhookConfiguration
metadata:
  name: demo.example.com
webhooks: []
";
    expect![[r#"
        2:13-2:49 "admissionregistration.k8s.io/v1beta1" Error[unavailable-api-version]: Kubernetes 1.25 and later do not serve `ValidatingWebhookConfiguration` in `admissionregistration.k8s.io/v1beta1`. Use `admissionregistration.k8s.io/v1`.
          Kubernetes: no matches for kind "ValidatingWebhookConfiguration" in version "admissionregistration.k8s.io/v1beta1"
          fix: Change to `admissionregistration.k8s.io/v1`
    "#]].assert_eq(&report(text));
}

#[test]
fn an_old_definition_is_reported() {
    let found = findings(
        "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: a.example.com}\n",
    );
    let messages: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "Kubernetes 1.21 is the last version to serve `CustomResourceDefinition` in `apiextensions.k8s.io/v1beta1`. Convert it to `apiextensions.k8s.io/v1`."
        ]
    );
}
