//! Documents that are not checked are reported once, at their position.

use crate::file::SourceFile;
use crate::fixture::{check_diagnostics, findings, policy, slice};

#[test]
fn cel_of_other_kinds_is_named_once_in_a_file() {
    check_diagnostics(
        "\
# 😀
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
     #^^^^^^^^^^^^^^^^ information[not-checked]: CEL in `ValidatingPolicy` of `policies.kyverno.io`
metadata: {name: a}
spec:
  validations:
    - expression: object.spec.replicas <=
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
spec:
  selectors:
    - cel: {expression: 'true'}
",
    );
}

/// Returns the text at each finding, and the number of documents that are not checked.
fn named(text: &str) -> (Vec<String>, usize) {
    let found = findings(text);
    assert!(found.iter().all(|found| found.code == "not-checked"));
    let places = found
        .iter()
        .map(|found| slice(text, found.range).to_owned());
    (places.collect(), SourceFile::new(text).not_checked())
}

#[test]
fn each_known_group_is_found() {
    for (text, kind) in [
        (
            "apiVersion: 'kyverno.io/v1'\r\nkind: ClusterPolicy\r\nspec: {rules: [{validate: {cel: {}}}]}\r\n",
            "ClusterPolicy",
        ),
        (
            "{\"apiVersion\": \"kyverno.io/v2beta1\", \"kind\": \"Policy\", \"a\": {\"cel\": {}}}",
            "\"Policy\"",
        ),
        (
            "apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\nspec: {targets: [{code: [{engine: K8sNativeValidation}]}]}\n",
            "ConstraintTemplate",
        ),
        (
            "apiVersion: apiextensions.crossplane.io/v2\nkind: CompositeResourceDefinition\nspec: {x-kubernetes-validations: []}\n",
            "CompositeResourceDefinition",
        ),
        (
            "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaimTemplate\nspec:\n  cel:\n    expression: a\n",
            "ResourceClaimTemplate",
        ),
        (
            "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt: [{claimValidationRules: [{expression: a}]}]\n",
            "AuthenticationConfiguration",
        ),
        (
            "apiVersion: v1\nkind: List\nitems:\n- apiVersion: apiserver.config.k8s.io/v1\n  kind: AuthorizationConfiguration\n  matchConditions: [{expression: a}]\n",
            "AuthorizationConfiguration",
        ),
    ] {
        assert_eq!(named(text), (vec![kind.to_owned()], 1), "{text}");
    }
}

#[test]
fn documents_without_cel_are_left_alone() {
    for text in [
        "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nspec: {rules: [{validate: {cancel: {}}}]}\n",
        "apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\nspec: {targets: [{rego: a}]}\n",
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nspec: {a: \"cel:\"}\n",
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules: [{apiGroups: [resource.k8s.io/]}]\n# cel:\n",
        "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    apiVersion: kyverno.io/v1\n    kind: Policy\n    cel: b\n",
    ] {
        assert_eq!(named(text), (Vec::new(), 0), "{text}");
    }
}

#[test]
fn a_comment_silences_it() {
    let text = "# admissible: ignore-file[not-checked]\napiVersion: policies.kyverno.io/v1\nkind: ValidatingPolicy\nexpression: a\n";
    assert_eq!(named(text), (Vec::new(), 1));
}

#[test]
fn a_patch_is_named() {
    check_diagnostics(
        "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
     #^^^^^^^^^^^^^^^^^^^^^^^^ information[not-checked]: This document looks like a patch
metadata: {name: a.b.c}
spec:
  conversion: {strategy: Webhook}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
     #^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information[not-checked]: This document looks like a patch, because no webhook has
metadata: {name: a}
webhooks:
  - name: a.b.c
",
    );
}

#[test]
fn an_assertion_is_named() {
    let text = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
spec:
  (length(validations)): 2
";
    assert_eq!(named(text), (vec!["(length(validations))".to_owned()], 0));
}

#[test]
fn values_that_a_template_may_replace_are_named_once_in_a_document() {
    check_diagnostics(
        "apiVersion: admissionregistration.k8s.io/v1
kind: \
         ValidatingAdmissionPolicyBinding
metadata:
  name: demo
spec:
  policyName: \"{{ \
         .Release.Name }}\"
             #^^^^^^^^^^^^^^^^^^^^^ information[not-checked]: This \
         value and another in this document are not checked
  validationActions: '{{ \
         .Values.actions }}'
",
    );
}

#[test]
fn expression_with_a_certain_error_is_checked() {
    let text = |expression: &str| {
        policy(&format!(
            "  validations:\n  - expression: \"{expression}\"\n"
        ))
    };
    let codes = |text: &str| -> Vec<_> { findings(text).iter().map(|it| it.code).collect() };
    assert_eq!(
        codes(&text("object.spec.replicas > {{ .x }}")),
        ["not-checked"]
    );
    assert_eq!(codes(&text("'{{ x }}' == 'y' &&& true")), ["cel-syntax"]);
}
