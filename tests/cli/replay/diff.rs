//! Changes of mutating policies to the objects of a dump.

use super::{lines, pod};
use crate::project::Project;
use expect_test::expect;

const POLICY: &str = "apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicy
metadata: {name: team}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [pods]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{metadata: Object.metadata{labels: {\"team\": object.metadata.name}}}'
";

/// Three pods: two without labels, and one with some.
fn project() -> Project {
    let mut labeled = pod("two", "a");
    labeled["metadata"]["labels"] = serde_json::json!({"a.b/c": "d"});
    let pods = [pod("one", "a"), labeled, pod("three", "a")];
    Project::new(&[("p.yaml", POLICY.to_owned()), ("pods.ndjson", lines(&pods))])
}

#[test]
fn objects_with_the_same_change_stand_together() {
    let run = project().run([
        "replay",
        "-q",
        "p.yaml",
        "pods.ndjson",
        "--diff",
        "--limit",
        "1",
    ]);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    expect![[r#"
        mutated by team: metadata.labels
          Pod shop/one  pods.ndjson:1:1
            @@ -3,6 +3,8 @@
             metadata:
               creationTimestamp: 2024-01-01T00:00:00Z
               generation: 1
            +  labels:
            +    team: one
               managedFields:
               - apiVersion: v1
                 fieldsType: FieldsV1
          and 1 more

        mutated by team: metadata.labels.team
          Pod shop/two  pods.ndjson:2:1
            @@ -5,6 +5,7 @@
               generation: 1
               labels:
                 a.b/c: d
            +    team: two
               managedFields:
               - apiVersion: v1
                 fieldsType: FieldsV1

    "#]]
    .assert_eq(&run.stdout);
}

#[test]
#[expect(clippy::too_many_lines, reason = "the whole output")]
fn programs_read_changes() {
    let arguments = ["replay", "p.yaml", "pods.ndjson", "--diff", "--limit", "1"];
    let run = project().run([arguments.as_slice(), &["--format", "ndjson"]].concat());
    expect![[r#"
        {"path":"pods.ndjson","line":1,"column":1,"kind":"Pod","namespace":"shop","name":"one","operations":["UPDATE"],"response":null,"findings":[{"policy":"team","binding":null,"effect":"mutated","failed":false,"message":null,"fields":["metadata.labels"],"diff":"@@ -3,6 +3,8 @@\n metadata:\n   creationTimestamp: 2024-01-01T00:00:00Z\n   generation: 1\n+  labels:\n+    team: one\n   managedFields:\n   - apiVersion: v1\n     fieldsType: FieldsV1\n"}]}
        {"path":"pods.ndjson","line":2,"column":1,"kind":"Pod","namespace":"shop","name":"two","operations":["UPDATE"],"response":null,"findings":[{"policy":"team","binding":null,"effect":"mutated","failed":false,"message":null,"fields":["metadata.labels.team"],"diff":"@@ -5,6 +5,7 @@\n   generation: 1\n   labels:\n     a.b/c: d\n+    team: two\n   managedFields:\n   - apiVersion: v1\n     fieldsType: FieldsV1\n"}]}
        {"path":"pods.ndjson","line":3,"column":1,"kind":"Pod","namespace":"shop","name":"three","operations":["UPDATE"],"response":null,"findings":[{"policy":"team","binding":null,"effect":"mutated","failed":false,"message":null,"fields":["metadata.labels"],"diff":"@@ -3,6 +3,8 @@\n metadata:\n   creationTimestamp: 2024-01-01T00:00:00Z\n   generation: 1\n+  labels:\n+    team: three\n   managedFields:\n   - apiVersion: v1\n     fieldsType: FieldsV1\n"}]}
    "#]].assert_eq(&run.stdout);
    let run = project().run([arguments.as_slice(), &["--format", "json"]].concat());
    let output: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = serde_json::to_string_pretty(&output["findings"]).unwrap();
    expect![[r#"
        [
          {
            "policy": "team",
            "binding": null,
            "effect": "mutated",
            "message": null,
            "count": 2,
            "objects": [
              {
                "path": "pods.ndjson",
                "line": 1,
                "column": 1,
                "kind": "Pod",
                "namespace": "shop",
                "name": "one",
                "diff": "@@ -3,6 +3,8 @@\n metadata:\n   creationTimestamp: 2024-01-01T00:00:00Z\n   generation: 1\n+  labels:\n+    team: one\n   managedFields:\n   - apiVersion: v1\n     fieldsType: FieldsV1\n"
              }
            ],
            "fields": [
              "metadata.labels"
            ]
          },
          {
            "policy": "team",
            "binding": null,
            "effect": "mutated",
            "message": null,
            "count": 1,
            "objects": [
              {
                "path": "pods.ndjson",
                "line": 2,
                "column": 1,
                "kind": "Pod",
                "namespace": "shop",
                "name": "two",
                "diff": "@@ -5,6 +5,7 @@\n   generation: 1\n   labels:\n     a.b/c: d\n+    team: two\n   managedFields:\n   - apiVersion: v1\n     fieldsType: FieldsV1\n"
              }
            ],
            "fields": [
              "metadata.labels.team"
            ]
          }
        ]"#]].assert_eq(&findings);
}

#[test]
fn a_limit_counts_over_the_whole_dump() {
    let project = project();
    // More than one part of a stream.
    let pods: Vec<_> = (0..8_000)
        .map(|index| pod(&format!("pod-{index}"), "a"))
        .collect();
    project.write("pods.ndjson", lines(&pods));
    let run = project.run([
        "replay",
        "-q",
        "p.yaml",
        "pods.ndjson",
        "--diff",
        "--limit",
        "3",
    ]);
    assert_eq!(run.stdout.matches("@@ -3,6 +3,8 @@").count(), 3);
    assert!(
        run.stdout.ends_with("  and 7,997 more\n\n"),
        "{}",
        run.stdout
    );
}
