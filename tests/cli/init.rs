//! `init`: a first policy that passes `check`, and inputs that pass `test`.

use crate::project::{Project, Run};
use expect_test::{Expect, expect};
use std::fs;

const INTENTS: [&str; 7] = [
    "require-label",
    "limit-replicas",
    "require-registry",
    "require-memory-limit",
    "protect-deletion",
    "add-label",
    "disable-token",
];

const KINDS: [&str; 12] = [
    "Pod",
    "Deployment",
    "statefulsets",
    "ds",
    "Job",
    "CronJob",
    "Service",
    "ConfigMap",
    "Namespace",
    "HorizontalPodAutoscaler",
    "networking.k8s.io/v1/Ingress",
    "ClusterRole",
];

#[track_caller]
fn check(run: &Run, code: i32, expected: &Expect) {
    expected.assert_eq(&format!("{}{}", run.stdout, run.stderr));
    assert_eq!(run.code, code);
}

#[test]
fn every_combination_passes_check_and_test() {
    let project = Project::new::<&str>(&[]);
    let mut policies = 0;
    for kind in KINDS {
        for intent in INTENTS {
            let run = project.run(["init", "--kind", kind, "--intent", intent]);
            match run.code {
                0 => policies += 1,
                _ => assert!(run.stderr.contains("does not fit"), "{}", run.stderr),
            }
        }
    }
    assert_eq!(policies, 56);
    let run = project.run(["check"]);
    let summary = format!(
        "No findings in {} files ({policies} policies)\n",
        2 * policies
    );
    assert_eq!((run.stdout, run.code), (summary, 0));
    let run = project.run(["test", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let result: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let summary = &result["summary"];
    assert_eq!(summary["filesWithTests"], policies);
    assert!(summary["passed"].as_u64().unwrap() > 100, "{summary}");
    assert_eq!(summary["withoutExpect"], 0);
}

#[test]
fn the_defaults_need_no_option() {
    let project = Project::new::<&str>(&[]);
    check(
        &project.run(["init", "policies"]),
        0,
        &expect![[r#"
        Wrote policies/admissible.toml
        Wrote policies/deployments-require-label.yaml
        Wrote policies/deployments-require-label.inputs.yaml

        Next:
          admissible check policies
          admissible test policies
          admissible eval policies/deployments-require-label.yaml
    "#]],
    );
    let read = |name: &str| fs::read_to_string(project.path().join("policies").join(name)).unwrap();
    expect![[r##"
        # The Kubernetes versions that the policies are for: one, or the oldest and the newest,
        # such as "1.33..1.36".
        kubernetes = "1.36"
    "##]]
    .assert_eq(&read("admissible.toml"));
}

#[test]
fn inputs_are_allowed_and_denied() {
    let project = Project::new::<&str>(&[]);
    assert_eq!(project.run(["init", "policies"]).code, 0);
    let inputs = project
        .path()
        .join("policies/deployments-require-label.inputs.yaml");
    let inputs = fs::read_to_string(inputs).unwrap();
    let (allowed, denied) = inputs.split_once("---\n").unwrap();
    expect![[r#"
        name: allowed by deployments-require-label
        object:
          apiVersion: apps/v1
          kind: Deployment
          metadata:
            labels:
              team: example
            name: example
            namespace: default
          spec:
            selector:
              matchLabels:
                app: example
            template:
              metadata:
                labels:
                  app: example
              spec:
                containers:
                - image: registry.example.com/app:1.0
                  name: example
        request:
          operation: CREATE
        expect:
          decision: allow
    "#]]
    .assert_eq(allowed);
    assert!(!denied.contains("team: "), "{denied}");
    let expected = "expect:\n  decision: deny\n  message: Set the label `team`.\n";
    assert!(denied.ends_with(expected), "{denied}");
}

#[test]
fn a_file_that_exists_is_kept() {
    let project = Project::new(&[
        ("admissible.toml", "kubernetes = '1.33'\n"),
        ("p/pods-require-label.yaml", "mine: 1\n"),
    ]);
    check(
        &project.run(["init", "p", "--kind", "po"]),
        0,
        &expect![[r#"
            Kept the existing admissible.toml
            Kept the existing p/pods-require-label.yaml

            Next:
              admissible check p
              admissible test p
              admissible eval p/pods-require-label.yaml
        "#]],
    );
    let kept = fs::read_to_string(project.path().join("p/pods-require-label.yaml")).unwrap();
    assert_eq!(kept, "mine: 1\n");
}

#[test]
fn what_does_not_fit_is_rejected_before_a_file_is_written() {
    let project = Project::new::<&str>(&[]);
    let init = |arguments: &[&str]| project.run(["init"].iter().chain(arguments));
    check(
        &init(&["--kind", "Deploymnet"]),
        2,
        &expect![[r#"
            error: unknown kind `Deploymnet`; did you mean `Deployment`?
        "#]],
    );
    let of_service = init(&["--kind", "Service", "--intent", "limit-replicas"]);
    check(
        &of_service,
        2,
        &expect![[r#"
            error: the intent does not fit `Service`; available: require-label, protect-deletion, add-label
        "#]],
    );
    check(
        &init(&["--kind", "TokenReview"]),
        2,
        &expect![[r#"
            error: no intent fits `TokenReview`: its objects are not stored, or no policy matches them
        "#]],
    );
    let old = init(&["--mutating", "--kubernetes", "1.33"]);
    check(
        &old,
        2,
        &expect![[r#"
            error: MutatingAdmissionPolicy requires Kubernetes 1.36 or later; select it with --kubernetes, or choose another intent
        "#]],
    );
    assert_eq!(fs::read_dir(project.path()).unwrap().count(), 0);
}

#[test]
fn the_kind_of_a_custom_resource_definition_is_known() {
    let crd = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {replicas: {type: integer}}}}
";
    let project = Project::new(&[("crd.yaml", crd)]);
    let run = project.run(["init", "--kind", "Widget", "--intent", "limit-replicas"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert_eq!(project.run(["check"]).code, 0);
    let run = project.run(["test"]);
    assert!(run.stdout.starts_with("widgets"), "{}", run.stdout);
    assert_eq!(run.code, 0, "{}", run.stdout);
}
