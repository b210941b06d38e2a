//! Namespaces and parameters of policies.

use super::{lines, pod, policy};
use crate::project::{Project, Run};
use expect_test::expect;
use serde_json::{Value, json};

/// A binding that denies.
fn bound(policy: &str, rest: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {{name: b}}
spec:
  policyName: {policy}
  validationActions: [Deny]
{rest}---
"
    )
}

fn namespace(name: &str, labels: &Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels},
    })
}

fn pod_in(namespace: &str, name: &str) -> Value {
    let mut pod = pod(name, "a");
    pod["metadata"]["namespace"] = namespace.into();
    pod
}

/// A validation that never holds.
const NEVER: &str = "  validations:\n  - {expression: 'false', message: Never.}\n";

/// A binding of the policy `p` that leaves namespaces out which have a label.
fn selecting() -> String {
    bound(
        "p",
        "  matchResources: {namespaceSelector: {matchExpressions: [{key: free, operator: DoesNotExist}]}}\n",
    )
}

#[test]
fn namespaces_and_parameters_come_from_the_dump_or_beside_it() {
    let rest = "  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations:
  - expression: namespaceObject.metadata.labels.tier in params.data
    message: The tier is not known.";
    let bound = bound(
        "tiers",
        "  paramRef: {name: tiers, namespace: admin, parameterNotFoundAction: Deny}
  matchResources: {namespaceSelector: {matchExpressions: [{key: tier, operator: Exists}]}}
",
    );
    let config = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "tiers", "namespace": "admin"}, "data": {"gold": ""}});
    let pods = [pod("one", "a"), pod_in("system", "two")];
    let beside = [
        namespace("shop", &json!({"tier": "iron"})),
        namespace("system", &json!({})),
        config,
    ];
    let project = Project::new(&[
        ("p.yaml", policy("tiers", "UPDATE", rest) + &bound),
        ("pods.ndjson", lines(&pods)),
        (
            "more/beside.json",
            json!({"kind": "List", "items": beside}).to_string(),
        ),
    ]);
    let expected = "denied by tiers with binding b: The tier is not known.\n  Pod shop/one  pods.ndjson:1:1\n\n";
    for arguments in [
        ["p.yaml", "pods.ndjson", "more/beside.json"].as_slice(),
        &["p.yaml", "pods.ndjson", "--with", "more/beside.json"],
    ] {
        let run = project.run([&["replay", "-q"], arguments].concat());
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (expected, ""));
    }
}

#[test]
fn an_object_in_a_namespace_that_is_not_known_is_counted_as_such() {
    let project = Project::new(&[
        ("p.yaml", policy("p", "UPDATE", NEVER) + &selecting()),
        (
            "pods.ndjson",
            lines(&[
                namespace("shop", &json!({})),
                pod("one", "a"),
                pod_in("system", "two"),
                pod_in("system", "three"),
            ]),
        ),
    ]);
    let Run {
        code,
        stdout,
        stderr,
    } = project.run(["replay", "p.yaml", "pods.ndjson"]);
    assert_eq!(code, 2);
    expect![[r#"
        denied by p with binding b: Never.
          Pod shop/one  pods.ndjson:2:1

        unknown by p with binding b: only the name of its namespace is known; add the Namespace to the files
          Pod system/two  pods.ndjson:3:1
          Pod system/three  pods.ndjson:4:1

        Policy            matched  denied  warned  audited  mutated  failed  skipped  unknown
        p with binding b        3       1       0        0        0       0        0        2

        4 objects: 1 denied, 2 unknown
    "#]]
    .assert_eq(&stdout);
    expect![[r#"
        warning: not all policies could be evaluated for 2 objects: pass files with the missing namespaces or parameters with --with
    "#]]
    .assert_eq(&stderr);
}

#[test]
fn a_namespace_that_is_not_known_does_not_matter_where_nothing_would_happen() {
    let name =
        "matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [system]}]";
    let by_name = bound(
        "named",
        &format!("  matchResources: {{namespaceSelector: {{{name}}}}}\n"),
    );
    let holds = "  validations:\n  - {expression: 'true'}\n";
    let policies =
        policy("p", "UPDATE", holds) + &selecting() + &policy("named", "UPDATE", NEVER) + &by_name;
    let project = Project::new(&[
        ("p.yaml", policies),
        (
            "pods.ndjson",
            lines(&[pod("one", "a"), pod_in("system", "two")]),
        ),
    ]);
    let run = project.run(["replay", "-q", "p.yaml", "pods.ndjson"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    expect![[r#"
        denied by named with binding b: Never.
          Pod shop/one  pods.ndjson:1:1

    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn what_follows_a_mutation_that_is_not_known_is_not_known() {
    let mutation = "apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicy
metadata: {name: team}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    namespaceSelector: {matchLabels: {team: a}}
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [pods]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{metadata: Object.metadata{labels: {\"team\": \"a\"}}}'
---
";
    let rest =
        "  validations:\n  - {expression: has(object.metadata.labels), message: No labels.}\n";
    let project = Project::new(&[
        ("p.yaml", mutation.to_owned() + &policy("p", "UPDATE", rest)),
        ("pods.ndjson", lines(&[pod("one", "a")])),
    ]);
    let run = project.run(["replay", "-q", "p.yaml", "pods.ndjson"]);
    assert_eq!(run.code, 2);
    expect![[r#"
        unknown by team: only the name of its namespace is known; add the Namespace to the files
          Pod shop/one  pods.ndjson:1:1

        unknown by p: the result of an earlier mutating policy is unknown
          Pod shop/one  pods.ndjson:1:1

    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn parameters_that_nobody_has_given_are_not_known() {
    let rest = "  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations:
  - {expression: 'false', message: Never.}
";
    let config = |name: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "shop"}});
    let found = |action: &str, arguments: &[&str], more: &[Value]| {
        let reference = format!("  paramRef: {{name: x, parameterNotFoundAction: {action}}}\n");
        let project = Project::new(&[
            (
                "p.yaml",
                policy("p", "UPDATE", rest) + &bound("p", &reference),
            ),
            ("pods.ndjson", lines(&[&[pod("one", "a")], more].concat())),
        ]);
        let run = project.run([&["replay", "-q", "p.yaml", "pods.ndjson"], arguments].concat());
        let first = run.stdout.lines().next().unwrap_or_default().to_owned();
        (run.code, first)
    };
    let unknown = "unknown by p with binding b: the parameters of the policy are missing";
    let other = [config("y")];
    for action in ["Deny", "Allow"] {
        assert_eq!(found(action, &[], &other), (2, unknown.to_owned()));
    }
    let complete = ["--complete-params"];
    assert_eq!(found("Allow", &complete, &other), (0, String::new()));
    let (code, message) = found("Deny", &complete, &other);
    assert!(
        code == 1 && message.contains("no params found"),
        "{message}"
    );
    let (code, message) = found("Deny", &[], &[config("x")]);
    assert_eq!((code, &*message), (1, "denied by p with binding b: Never."));
}

#[test]
fn a_policy_without_a_binding_takes_the_only_parameters_that_there_are() {
    let rest = "  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations:
  - {expression: params.data.a == 'b', message: Not b.}
";
    let config = |name: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"a": "c"}});
    let first = |objects: &[Value]| {
        let project = Project::new(&[
            ("p.yaml", policy("p", "UPDATE", rest)),
            ("a.ndjson", lines(objects)),
        ]);
        let run = project.run(["replay", "-q", "p.yaml", "a.ndjson"]);
        run.stdout.lines().next().unwrap_or_default().to_owned()
    };
    let pod = pod("one", "a");
    let unknown = "unknown by p: no binding selects the parameters of the policy";
    assert_eq!(first(std::slice::from_ref(&pod)), unknown);
    assert_eq!(first(&[config("x"), pod.clone()]), "denied by p: Not b.");
    assert_eq!(first(&[config("x"), config("y"), pod]), unknown);
}

#[test]
fn the_scope_of_parameters_is_that_of_the_objects_in_the_dump() {
    let rest = "  paramKind: {apiVersion: x.io/v1, kind: Limit}
  validations:
  - {expression: params.a == 'b', message: Not b.}
";
    let policies = policy("p", "UPDATE", rest)
        + &bound(
            "p",
            "  paramRef: {name: x, parameterNotFoundAction: Deny}\n",
        );
    let first = |objects: &[Value]| {
        let project = Project::new(&[("p.yaml", policies.clone()), ("a.ndjson", lines(objects))]);
        let run = project.run(["replay", "-q", "--complete-params", "p.yaml", "a.ndjson"]);
        run.stdout.lines().next().unwrap_or_default().to_owned()
    };
    let limit = |metadata: Value| json!({"apiVersion": "x.io/v1", "kind": "Limit", "metadata": metadata, "a": "c"});
    let pod = pod("one", "a");
    assert_eq!(
        first(std::slice::from_ref(&pod)),
        "unknown by p with binding b: `Limit` (x.io/v1), the kind of its parameters, may be \
         namespaced or cluster-scoped. Add its CustomResourceDefinition or an object of the kind"
    );
    for metadata in [
        json!({"name": "x"}),
        json!({"name": "x", "namespace": "shop"}),
    ] {
        assert_eq!(
            first(&[limit(metadata), pod.clone()]),
            "denied by p with binding b: Not b."
        );
    }
}

/// More than a part of a stream.
fn filler() -> Vec<Value> {
    let text = "a".repeat(1000);
    let object = |name: usize| json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name.to_string()}, "data": {"a": text}});
    (0..3000).map(object).collect()
}

#[test]
fn a_stream_knows_what_came_before() {
    let project = Project::new(&[("p.yaml", policy("p", "UPDATE", NEVER) + &selecting())]);
    let shop = || namespace("shop", &json!({"free": "y"}));
    let before = [vec![shop()], filler(), vec![pod("one", "a")]].concat();
    let run = project.run_with_input(["replay", "p.yaml", "-", "-q"], lines(&before).as_bytes());
    assert_eq!((run.code, &*run.stdout, &*run.stderr), (0, "", ""));
    let behind = [vec![pod("one", "a")], filler(), vec![shop()]].concat();
    let run = project.run_with_input(["replay", "p.yaml", "-", "-q"], lines(&behind).as_bytes());
    assert_eq!(run.code, 2);
    expect![[r#"
        unknown by p with binding b: only the name of its namespace is known; add the Namespace to the files
          Pod shop/one  <stdin>:1:1

    "#]]
    .assert_eq(&run.stdout);
    expect![[r#"
        warning: not all policies could be evaluated for 1 object: pass files with the missing namespaces or parameters with --with; in a stream, put them before the objects that need them
    "#]]
    .assert_eq(&run.stderr);
    project.write("namespaces.json", shop().to_string());
    let run = project.run_with_input(
        ["replay", "p.yaml", "-", "-q", "--with", "namespaces.json"],
        lines(&behind).as_bytes(),
    );
    assert_eq!((run.code, &*run.stdout, &*run.stderr), (0, "", ""));
}

#[test]
fn files_with_what_is_looked_up_have_to_be_there() {
    let project = Project::new(&[
        ("p.yaml", policy("p", "UPDATE", NEVER) + &selecting()),
        ("broken.json", "{\"kind\": \"Namespace\"\n".to_owned()),
    ]);
    let run = project.run_with_input(
        [
            "replay",
            "p.yaml",
            "-",
            "--with",
            "none.json",
            "--with",
            "broken.json",
        ],
        b"",
    );
    assert_eq!(run.code, 2);
    expect![[r#"
        error: none.json: no such file or directory
        error: broken.json:1:21: invalid JSON: EOF while parsing an object
    "#]]
    .assert_eq(&run.stderr);
}

#[cfg(unix)]
#[test]
fn a_pipe_with_a_name_is_read_once() {
    let project = Project::new(&[("p.yaml", policy("p", "UPDATE", NEVER) + &selecting())]);
    let pipe = project.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let text = lines(&[namespace("shop", &json!({})), pod("one", "a")]);
    let writing = std::thread::spawn(move || std::fs::write(pipe, text));
    let run = project.run(["replay", "p.yaml", "pipe", "-q"]);
    writing.join().unwrap().unwrap();
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "denied by p with binding b: Never.\n  Pod shop/one  pipe:2:1\n\n"
    );
}

#[test]
fn parameters_of_a_kind_that_does_not_exist_are_a_failure_of_the_policy() {
    let rest = format!("  paramKind: {{apiVersion: v1, kind: Configmap}}\n{NEVER}");
    let bound = bound(
        "p",
        "  paramRef: {name: x, parameterNotFoundAction: Allow}\n",
    );
    let project = Project::new(&[
        ("p.yaml", policy("p", "UPDATE", &rest) + &bound),
        ("pods.ndjson", lines(&[pod("one", "a")])),
    ]);
    let run = project.run(["replay", "-q", "p.yaml", "pods.ndjson"]);
    assert_eq!(run.code, 1);
    expect![[r#"
        denied by p with binding b: failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=Configmap'
          Pod shop/one  pods.ndjson:1:1

    "#]].assert_eq(&run.stdout);
}
