//! Parameter kinds that no server has.

use crate::fixture::{check_project, check_project_with, fixed, policy};
use crate::project::Project;

fn with_kind(api_version: &str, kind: &str, label: &str) -> String {
    let text = policy(&format!(
        "  paramKind:\n    apiVersion: {api_version}\n    kind: {kind}\n{label}  validations:\n    - expression: object.metadata.name == params.metadata.name\n"
    ));
    format!("//- a.yaml\n{text}")
}

#[test]
fn the_name_of_a_resource_is_no_kind() {
    for (kind, right) in [
        ("configmaps", "ConfigMap"),
        ("configmap", "ConfigMap"),
        ("ConfigMpa", "ConfigMap"),
    ] {
        let text = with_kind("v1", kind, "");
        let text = fixed(
            text.strip_prefix("//- a.yaml\n").unwrap(),
            "unknown-param-kind",
        );
        assert!(text.contains(&format!("kind: {right}\n")), "{text}");
    }
}

#[test]
fn a_version_that_is_not_there_is_named() {
    let text = with_kind("apps/v2", "Deployment", "");
    let text = fixed(
        text.strip_prefix("//- a.yaml\n").unwrap(),
        "unknown-param-kind",
    );
    assert!(text.contains("apiVersion: apps/v1\n"), "{text}");
}

const CRD: &str = "\
//- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.rules.example.com}
spec:
  group: rules.example.com
  scope: Namespaced
  names: {kind: Limit, plural: limits}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {max: {type: integer}}}}
";

#[test]
fn a_group_of_the_project_has_only_its_kinds() {
    let label = "         #^^^^^^ warning[unknown-param-kind]: `Limit`\n";
    check_project(&format!(
        "{CRD}{}",
        with_kind("rules.example.com/v1", "Limits", label)
    ));
    check_project(&format!(
        "{CRD}{}",
        with_kind("rules.example.com/v1", "Limit", "")
    ));
}

#[test]
fn the_cluster_may_have_definitions_that_the_project_lacks() {
    let label = "         #^^^^^ information[unknown-param-kind]: If the cluster has none either\n";
    let source = with_kind("rules.example.com/v1", "Quota", label);
    check_project(&format!("{CRD}{source}"));
    let label = "         #^^^^^ warning[unknown-param-kind]: No CustomResourceDefinition\n";
    let source = with_kind("rules.example.com/v1", "Quota", label);
    check_project_with(&format!("{CRD}{source}"), |project: Project| {
        project.with_schemas([])
    });
}

#[test]
fn a_group_of_which_nothing_is_known_needs_schemas() {
    let source = |label: &str| with_kind("other.example.com/v1", "Limit", label);
    check_project(&source(""));
    let schemas = |project: Project| project.with_schemas([]);
    check_project_with(
        &source("         #^^^^^ warning[unknown-param-kind]\n"),
        schemas,
    );
}

#[test]
fn policy_that_ignores_failures_has_no_effect() {
    let text = with_kind("v1", "Nope", "");
    let label = "         #^^^^ error[unknown-param-kind]: so every request that the policy matches fails\n";
    check_project(&text.replace("Nope\n", &format!("Nope\n{label}")));
    let text = text.replace("  paramKind:", "  failurePolicy: Ignore\n  paramKind:");
    let label = "         #^^^^ warning[unknown-param-kind]: so the policy has no effect\n";
    check_project(&text.replace("Nope\n", &format!("Nope\n{label}")));
}
