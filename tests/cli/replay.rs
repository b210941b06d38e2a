//! `replay`: policies over a dump of objects.

#[cfg(test)]
mod crds;
#[cfg(test)]
mod diff;
#[cfg(test)]
mod features;
#[cfg(test)]
#[cfg(unix)]
mod interrupt;
#[cfg(test)]
mod lookups;
#[cfg(test)]
mod shards;

use crate::project::{Project, Run};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

/// A policy for pods, with these validations.
fn policy(name: &str, operations: &str, rest: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: {name}}}
spec:
  matchConstraints:
    resourceRules:
    - {{apiGroups: [''], apiVersions: [v1], operations: [{operations}], resources: [pods]}}
{rest}
---
"
    )
}

fn binding(policy: &str, actions: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {{name: {policy}-everywhere}}
spec: {{policyName: {policy}, validationActions: [{actions}]}}
---
"
    )
}

const NO_LATEST: &str = "  validations:
  - expression: object.spec.containers.all(c, !c.image.endsWith(':latest'))
    message: The tag moves.";

fn pod(name: &str, image: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"containers": [{"name": "app", "image": image}]},
    })
}

fn lines(objects: &[Value]) -> String {
    objects.iter().map(|object| format!("{object}\n")).collect()
}

/// Three pods of which two are denied, and an object that no policy matches.
fn dump() -> String {
    lines(&[
        pod("one", "a:latest"),
        pod("two", "a:1"),
        pod("three", "b:latest"),
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "config"}}),
    ])
}

#[track_caller]
fn check(project: &Project, arguments: &[&str], code: i32, expected: &Expect) {
    let run = project.run([&["replay"], arguments].concat());
    expected.assert_eq(&run.stdout);
    assert_eq!((run.code, run.stderr.as_str()), (code, ""));
}

#[test]
fn a_table_says_what_each_policy_does() {
    let policies = policy("tags", "CREATE, UPDATE", NO_LATEST)
        + &policy("unbound", "UPDATE", NO_LATEST)
        + &binding("tags", "Warn, Audit");
    let project = Project::new(&[("policies/a.yaml", policies), ("pods.ndjson", dump())]);
    check(
        &project,
        &["policies", "pods.ndjson"],
        1,
        &expect![[r#"
            warned by tags with binding tags-everywhere: The tag moves.
              Pod shop/one  pods.ndjson:1:1
              Pod shop/three  pods.ndjson:3:1

            audited by tags with binding tags-everywhere: The tag moves.
              Pod shop/one  pods.ndjson:1:1
              Pod shop/three  pods.ndjson:3:1

            denied by unbound: The tag moves.
              Pod shop/one  pods.ndjson:1:1
              Pod shop/three  pods.ndjson:3:1

            Policy                             matched  denied  warned  audited  mutated  failed  skipped
            tags with binding tags-everywhere        3       0       2        2        0       0        0
            unbound                                  3       2       0        0        0       0        0

            note: no binding found for unbound, assuming Deny for everything
            4 objects: 2 denied, 2 warned, 2 audited
        "#]],
    );
}

#[test]
fn a_directory_has_lines_as_well() {
    let project = Project::new(&[
        ("p.yaml", policy("tags", "UPDATE", NO_LATEST)),
        ("dump/east.ndjson", dump()),
        ("dump/west.jsonl", dump()),
    ]);
    let run = project.run(["replay", "--format=json", "p.yaml", "dump"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let result: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(result["summary"]["objects"], 8);
}

#[test]
fn a_dump_is_a_list_or_documents_or_standard_input() {
    let project = Project::new(&[("p.yaml", policy("tags", "UPDATE", NO_LATEST))]);
    let pod = pod("one", "a:latest");
    let list = json!({"apiVersion": "v1", "items": [pod], "kind": "List"});
    let typed = json!({"kind": "PodList", "apiVersion": "v1", "items": [{
        "metadata": {"name": "one", "namespace": "shop"}, "spec": pod["spec"],
    }]});
    let documents = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: one, namespace: shop}\n\
                     spec:\n  containers:\n  - {name: app, image: 'a:latest'}\n---\n";
    let in_list = |text: String| {
        let place = format!("1:{}", text.find("[{").unwrap() + 2);
        (text, place)
    };
    for (text, place) in [
        in_list(list.to_string()),
        in_list(typed.to_string()),
        (documents.to_owned(), "2:1".to_owned()),
    ] {
        let run = project.run_with_input(["replay", "-q", "p.yaml", "-"], text.as_bytes());
        let expected =
            format!("denied by tags: The tag moves.\n  Pod shop/one  <stdin>:{place}\n\n");
        assert_eq!(
            (run.stdout, run.stderr, run.code),
            (expected, String::new(), 1)
        );
    }
}

#[test]
fn an_object_is_tried_as_its_update_or_else_its_creation() {
    let is = |word: &str| {
        format!(
            "  validations:\n  - {{expression: 'request.operation != \"{word}\"', message: {word}}}"
        )
    };
    let policies = policy("both", "CREATE, UPDATE", &is("UPDATE"))
        + &policy("create", "CREATE", &is("CREATE"))
        + &policy("delete", "DELETE", &is("DELETE"))
        + &policy("connect", "CONNECT", &is("CONNECT"));
    let project = Project::new(&[
        ("p.yaml", policies),
        ("pods.json", pod("one", "a").to_string()),
    ]);
    let denied = |arguments: &[&str]| {
        let run = project.run([&["replay", "p.yaml", "pods.json", "-q"], arguments].concat());
        let lines = run.stdout.lines();
        let denied = lines.filter_map(|line| line.strip_prefix("denied by "));
        denied.map(str::to_owned).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(denied(&[]), "both: UPDATE; create: CREATE; delete: DELETE");
    assert_eq!(denied(&["--operation", "create"]), "create: CREATE");
    assert_eq!(denied(&["--operation", "delete"]), "delete: DELETE");
}

#[test]
fn a_creation_has_nothing_that_the_server_writes() {
    let rest = "  validations:
  - expression: \"!has(object.status) || !has(object.status.podIP)\"
    message: has a status
  - expression: \"!has(object.metadata.resourceVersion)\"
    message: has a version";
    let mut pod = pod("one", "a");
    pod["metadata"]["uid"] = "u".into();
    pod["metadata"]["resourceVersion"] = "7".into();
    pod["status"] = json!({"podIP": "10.0.0.1"});
    let project = Project::new(&[
        ("p.yaml", policy("p", "CREATE, UPDATE", rest)),
        ("pods.json", pod.to_string()),
    ]);
    check(
        &project,
        &["p.yaml", "pods.json", "-q", "--operation", "create"],
        0,
        &expect![""],
    );
    let run = project.run(["replay", "p.yaml", "pods.json", "-q"]);
    run.prints("has a status");
    run.prints("has a version");
}

#[test]
fn a_failure_denies_or_is_ignored() {
    let rest = "  validations:\n  - expression: object.spec.nodeName != 'a'";
    let ignored = format!("  failurePolicy: Ignore\n{rest}");
    let policies = policy("fails", "UPDATE", rest) + &policy("ignored", "UPDATE", &ignored);
    let project = Project::new(&[
        ("p.yaml", policies),
        ("pods.json", pod("one", "a").to_string()),
    ]);
    check(
        &project,
        &["p.yaml", "pods.json", "-q"],
        1,
        &expect![[r#"
            denied by fails: expression 'object.spec.nodeName != 'a'' resulted in error: no such key: nodeName
              Pod shop/one  pods.json:1:1

            failure ignored by ignored: expression 'object.spec.nodeName != 'a'' resulted in error: no such key: nodeName
              Pod shop/one  pods.json:1:1

        "#]],
    );
}

#[test]
fn a_mutation_is_counted() {
    let policy = "apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicy
metadata: {name: team}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  matchConditions:
  - {name: other, expression: object.metadata.name != 'two'}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{metadata: Object.metadata{labels: {\"team\": \"a\"}}}'
";
    let project = Project::new(&[("p.yaml", policy.to_owned()), ("pods.ndjson", dump())]);
    check(
        &project,
        &["p.yaml", "pods.ndjson", "--limit", "1"],
        0,
        &expect![[r#"
            mutated by team
              Pod shop/one  pods.ndjson:1:1
              and 1 more

            Policy  matched  denied  warned  audited  mutated  failed  skipped
            team          2       0       0        0        2       0        1

            note: no binding found for team, assuming Deny for everything
            4 objects: 2 mutated
        "#]],
    );
    let run = project.run(["replay", "p.yaml", "pods.ndjson", "--fail-on", "mutated"]);
    assert_eq!(run.code, 1);
}

#[test]
fn bindings_are_found_beside_the_policy() {
    let project = Project::new(&[
        ("policies/p.yaml", policy("tags", "UPDATE", NO_LATEST)),
        ("policies/b.yaml", binding("tags", "Warn")),
        ("pods.ndjson", dump()),
    ]);
    let run = project.run(["replay", "-q", "policies/p.yaml", "pods.ndjson"]);
    assert!(
        run.stdout.starts_with("warned by tags with binding"),
        "{}",
        run.stdout
    );
    assert_eq!(run.code, 0);
    let run = project.run([
        "replay",
        "policies/p.yaml",
        "pods.ndjson",
        "--fail-on",
        "warned",
    ]);
    assert_eq!(run.code, 1);
}

#[test]
fn broken_objects_are_named_and_the_others_tried() {
    let project = Project::new(&[
        ("p.yaml", policy("tags", "UPDATE", NO_LATEST)),
        (
            "a.ndjson",
            format!("{{\"kind\":\n{}{{\"kind\": \"x\"}}\n[1]\n", dump()),
        ),
        ("b.yaml", "a: [1\n---\nb: 2\n".to_owned()),
    ]);
    let Run {
        code,
        stdout,
        stderr,
    } = project.run(["replay", "p.yaml", "a.ndjson", "b.yaml", "none.json"]);
    assert_eq!(code, 2);
    assert!(stdout.ends_with("6 objects: 2 denied\n"), "{stdout}");
    expect![[r#"
        error: none.json: no such file or directory
        error: a.ndjson:1:9: invalid JSON: EOF while parsing a value
        error: a.ndjson:6:1: the object has no `apiVersion` or no `kind`
        error: a.ndjson:7:2: not a Kubernetes object: `apiVersion` and `kind` are missing
        error: b.yaml:1:4: invalid YAML: unclosed `[`; add `]`
        error: b.yaml:3:1: the object has no `apiVersion` or no `kind`
    "#]]
    .assert_eq(&stderr);
}

#[test]
fn what_cannot_run_says_why() {
    let project = Project::new(&[
        (
            "broken.yaml",
            policy("tags", "UPDATE", "  validations:\n  - expression: object."),
        ),
        (
            "wrong.yaml",
            policy("tags", "UPDATE", "  validations:\n  - expression: '1 + 1'"),
        ),
        ("none.yaml", "a: 1\n".to_owned()),
        ("pods.ndjson", dump()),
    ]);
    for (policy, expected) in [
        ("broken.yaml", "the API server rejects the expression: "),
        ("wrong.yaml", "the API server rejects the expression: "),
        (
            "none.yaml",
            "no ValidatingAdmissionPolicy, MutatingAdmissionPolicy",
        ),
        ("missing.yaml", "no such file or directory"),
    ] {
        let run = project.run(["replay", policy, "pods.ndjson"]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        run.reports(expected);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "files and the whole output")]
fn programs_read_an_object_or_lines() {
    let policies = policy("tags", "UPDATE", NO_LATEST) + &binding("tags", "Deny");
    let project = Project::new(&[("p.yaml", policies), ("pods.ndjson", dump())]);
    let run = project.run(["replay", "p.yaml", "pods.ndjson", "--format", "ndjson"]);
    expect![[r#"
        {"path":"pods.ndjson","line":1,"column":1,"kind":"Pod","namespace":"shop","name":"one","operations":["UPDATE"],"response":"pods \"one\" is forbidden: ValidatingAdmissionPolicy 'tags' with binding 'tags-everywhere' denied request: The tag moves.","findings":[{"policy":"tags","binding":"tags-everywhere","effect":"denied","failed":false,"message":"The tag moves."}]}
        {"path":"pods.ndjson","line":3,"column":1,"kind":"Pod","namespace":"shop","name":"three","operations":["UPDATE"],"response":"pods \"three\" is forbidden: ValidatingAdmissionPolicy 'tags' with binding 'tags-everywhere' denied request: The tag moves.","findings":[{"policy":"tags","binding":"tags-everywhere","effect":"denied","failed":false,"message":"The tag moves."}]}
    "#]].assert_eq(&run.stdout);
    let arguments = [
        "replay",
        "p.yaml",
        "pods.ndjson",
        "--format",
        "json",
        "--limit",
        "1",
    ];
    let run = project.run(arguments);
    assert_eq!(run.code, 1);
    let _: Value = serde_json::from_str(&run.stdout).unwrap();
    expect![[r#"
        {
          "version": 1,
          "summary": {
            "matched": 3,
            "denied": 2,
            "warned": 0,
            "audited": 0,
            "ignored": 0,
            "mutated": 0,
            "unknown": 0,
            "failed": 0,
            "objects": 4,
            "problems": 0,
            "partial": false
          },
          "policies": [
            {
              "path": "p.yaml",
              "kind": "ValidatingAdmissionPolicy",
              "name": "tags",
              "binding": "tags-everywhere",
              "matched": 3,
              "denied": 2,
              "warned": 0,
              "audited": 0,
              "ignored": 0,
              "mutated": 0,
              "unknown": 0,
              "failed": 0,
              "skipped": 0
            }
          ],
          "findings": [
            {
              "policy": "tags",
              "binding": "tags-everywhere",
              "effect": "denied",
              "message": "The tag moves.",
              "count": 2,
              "objects": [
                {
                  "path": "pods.ndjson",
                  "line": 1,
                  "column": 1,
                  "kind": "Pod",
                  "namespace": "shop",
                  "name": "one"
                }
              ]
            }
          ],
          "problems": []
        }
    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn the_output_is_the_same_on_any_number_of_cores() {
    let pods: Vec<Value> = (0..20_000)
        .map(|index| {
            let tag = if index % 7 == 0 { "latest" } else { "1" };
            pod(&format!("pod-{index}"), &format!("a:{tag}"))
        })
        .collect();
    let project = Project::new(&[
        ("p.yaml", policy("tags", "UPDATE", NO_LATEST)),
        ("pods.ndjson", lines(&pods)),
    ]);
    let run = || {
        project.run([
            "replay",
            "-q",
            "p.yaml",
            "pods.ndjson",
            "--format",
            "ndjson",
        ])
    };
    let first = run();
    assert_eq!(first.stdout.lines().count(), 2858);
    let names: Vec<usize> = first
        .stdout
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["line"]
                .as_u64()
                .unwrap() as usize
        })
        .collect();
    assert!(names.is_sorted());
    assert_eq!(first.stdout, run().stdout);
}

#[test]
fn nothing_is_no_success() {
    let project = Project::new(&[
        ("p.yaml", policy("p", "CREATE", NO_LATEST)),
        ("empty.yaml", String::new()),
        (
            "list.json",
            json!({"kind": "List", "items": []}).to_string(),
        ),
    ]);
    for (objects, message) in [
        (vec!["-"], "error: <stdin>: no objects found\n"),
        (vec!["empty.yaml"], "error: empty.yaml: no objects found\n"),
        (
            vec!["empty.yaml", "list.json"],
            "error: no objects found in these files\n",
        ),
    ] {
        let run = project.run([&["replay", "p.yaml"], &objects[..]].concat());
        assert_eq!(
            (run.code, run.stderr.as_str()),
            (2, message),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn half_of_a_surrogate_pair_is_a_replacement_character() {
    let policy = policy(
        "p",
        "CREATE",
        "  validations:\n  - expression: object.metadata.annotations.a == '\u{FFFD}'",
    );
    let object = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "a", "namespace": "shop", "annotations": {"a": "HALF"}},
        "spec": {"containers": [{"name": "a", "image": "b"}]},
    });
    let object = object.to_string().replace("HALF", "\\ud800");
    let project = Project::new(&[("p.yaml", &policy), ("o.json", &object)]);
    let run = project.run(["replay", "p.yaml", "o.json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    let run = project.run(["eval", "p.yaml", "--object", "o.json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
}
