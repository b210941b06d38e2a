//! Several policies, bindings, parameters and inputs at once.

use super::*;
use serde_json::json;

/// Returns a policy for ConfigMaps, with parameters of a kind.
fn policy(name: &str, rest: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
         metadata: {{name: {name}}}\nspec:\n  matchConstraints:\n    resourceRules:\n    \
         - {{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}}\n{rest}"
    )
}

/// Returns a binding of the policy `p`.
fn binding(name: &str, rest: &str) -> String {
    format!(
        "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
         metadata: {{name: {name}}}\nspec: {{policyName: p, validationActions: [Deny], {rest}}}\n"
    )
}

const OBJECT: &str = "{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: shop}}";

/// A policy that reads its parameters.
const LIMIT: &str = "  paramKind: {apiVersion: v1, kind: ConfigMap}\n  validations:\n  \
                     - {expression: params.data.a == 'b', message: not b}\n";

#[test]
#[expect(clippy::too_many_lines, reason = "the expected output is long")]
fn policies_of_a_directory_are_those_of_one_server() {
    let list = json!({
        "kind": "ValidatingAdmissionPolicyList", "apiVersion": "admissionregistration.k8s.io/v1",
        "items": [{
            "metadata": {"name": "listed"},
            "spec": {
                "matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}]},
                "validations": [{"expression": "has(object.data)", "message": "no data"}]
            }
        }]
    });
    let files = [
        (
            "d/a.yaml",
            policy(
                "p",
                "  validations:\n  - {expression: has(object.immutable), message: mutable}\n",
            ),
        ),
        ("d/sub/list.json", list.to_string()),
        (
            "d/pod.yaml",
            "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: b}]}}".to_owned(),
        ),
        (
            "d/z.yaml",
            GOOD.to_owned()
                + &binding(
                    "b",
                    "matchResources: {objectSelector: {matchLabels: {a: b}}}",
                ),
        ),
        ("o.yaml", OBJECT.to_owned()),
    ];
    check(
        &files,
        &["d", "--object", "o.yaml"],
        1,
        &expect![[r#"
        error: denied: no data
         --> d/sub/list.json:1:294
          |
        1 | ...sources":["configmaps"]}]},"validations":[{"expression":"has(object.data)","message":"no data"}]}}]}
          |                                                            ^^^^^^^^^^^^^^^^^^

        Denied: CREATE of configmaps (v1) by listed (no binding found, assuming Deny; cost 1)
        Not matched: policy p, binding b: the labels of the object do not match `objectSelector`
        Not matched: policy replica-limit: no rule matches CREATE of configmaps (v1) (line 8 of d/z.yaml)
        HTTP 422 Invalid: configmaps "x" is forbidden: ValidatingAdmissionPolicy 'listed' denied request: no data
    "#]],
    );
    let run = eval(&files, &["d", "--object", "o.yaml", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["path"], "d");
    let policies = report["inputs"][0]["policies"].as_array().unwrap();
    let files = policies.iter().map(|it| it["file"].as_str().unwrap());
    assert_eq!(
        files.collect::<Vec<_>>(),
        ["d/sub/list.json", "d/a.yaml", "d/z.yaml"]
    );
}

#[test]
fn directory_needs_a_request_and_a_policy() {
    let files = [
        ("policies/p.yaml", GOOD.to_owned()),
        ("empty/o.yaml", FEW.to_owned()),
        ("broken/a.yaml", GOOD.to_owned()),
        (
            "broken/b.yaml",
            GOOD.replace("name: replica-limit", "name: 'replica"),
        ),
    ];
    check(
        &files,
        &["policies"],
        2,
        &expect![[r#"
        error: policies: a directory has no inputs; pass inputs with --input, or an object with --object
    "#]],
    );
    check(
        &files,
        &["empty", "--object", "empty/o.yaml"],
        2,
        &expect![[r#"
            error: empty: no policy, no webhook configuration and no CustomResourceDefinition found
        "#]],
    );
    check(
        &files,
        &["broken", "--object", "empty/o.yaml"],
        2,
        &expect![[r#"
            error: missing closing `'` of this string
             --> broken/b.yaml:4:9
              |
            4 |   name: 'replica
              |         ^

        "#]],
    );
}

#[test]
fn one_input_with_an_error_hides_no_other() {
    let inputs = "name: good\nobject: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}}\n\
                  ---\nname: bad\nrequest: {operation: DELETE}\n\
                  ---\nname: other\npolicy: none\nobject: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: b}]}}\n";
    let files = [("p.yaml", GOOD.to_owned()), ("in.yaml", inputs.to_owned())];
    check(
        &files,
        &["p.yaml", "--input", "in.yaml"],
        2,
        &expect![[r#"
            good (in.yaml)
            Allowed: CREATE of deployments (apps/v1) by replica-limit (no binding found, assuming Deny; cost 4)
            HTTP 201: allowed
            note: not validated here: names of resources, resource claims, hugepages, Windows options, rare volume types
            error: DELETE requires `oldObject`, the existing object.
             --> in.yaml:5:22
              |
            5 | request: {operation: DELETE}
              |                      ^^^^^^

            error: Policy `none` not found in p.yaml. The file has `replica-limit`.
             --> in.yaml:8:9
              |
            8 | policy: none
              |         ^^^^

        "#]],
    );
    let named = |name: &str| eval(&files, &["p.yaml", "--input", "in.yaml", "--name", name]);
    let good = named("good");
    assert_eq!((good.code, &*good.stderr), (0, ""));
    good.prints("good (in.yaml)\nAllowed: ");
    let bad = named("bad");
    assert_eq!((bad.code, &*bad.stdout), (2, ""));
    bad.reports("in.yaml:5");
    // The first of two inputs with one name may not be the one that is meant.
    let twice = inputs.replace("name: bad\n", "name: good\n").replace(
        "request: {operation: DELETE}",
        "object: {apiVersion: v1, kind: Pod}",
    );
    let files = [("p.yaml", GOOD.to_owned()), ("in.yaml", twice)];
    let run = eval(&files, &["p.yaml", "--input", "in.yaml", "--name", "good"]);
    assert_eq!(run.code, 2);
    run.prints("Allowed: ");
}

#[test]
fn bindings_that_do_not_match_have_a_line_each() {
    let selector = "matchResources: {objectSelector: {matchLabels: {a: b}}}";
    let policies = policy("p", "  validations:\n  - expression: 'true'\n");
    let bindings = ["one", "two", "three"].map(|name| binding(name, selector));
    let files = [
        ("p.yaml", policies + &bindings.concat()),
        ("o.yaml", OBJECT.to_owned()),
    ];
    check(
        &files,
        &["p.yaml", "--object", "o.yaml"],
        0,
        &expect![[r#"
            Not matched: policy p, binding one: the labels of the object do not match `objectSelector`
            Not matched: policy p, binding two: the labels of the object do not match `objectSelector`
            Not matched: policy p, binding three: the labels of the object do not match `objectSelector`
            HTTP 201: allowed
            note: not validated here: the total size
        "#]],
    );
}

/// Returns parameters in a list.
fn params(count: usize) -> String {
    let items = (0..count).map(|name| {
        json!({"metadata": {"name": format!("c{name}"), "namespace": "default"}, "data": {"a": "b"}})
    });
    json!({"apiVersion": "v1", "kind": "ConfigMapList", "items": items.collect::<Vec<_>>()})
        .to_string()
}

#[test]
fn no_parameter_of_a_dump_is_missing() {
    let reference = "paramRef: {name: c999, namespace: default, parameterNotFoundAction: Allow}";
    for files in [
        vec![
            ("p.yaml", policy("p", LIMIT) + &binding("b", reference)),
            ("params.json", params(1_000)),
        ],
        vec![(
            "p.yaml",
            policy("p", LIMIT) + &binding("b", reference) + "---\n" + &params(1_000),
        )],
    ] {
        let mut files = files;
        files.push(("o.yaml", OBJECT.to_owned()));
        let run = eval(&files, &["p.yaml", "--object", "o.yaml"]);
        assert_eq!((run.code, &*run.stderr), (0, ""));
        run.prints("with binding b and ConfigMap default/c999");
    }
}

#[test]
fn parameter_in_a_file_that_is_too_large_is_unknown() {
    let reference = "paramRef: {name: c0, namespace: default, parameterNotFoundAction: Allow}";
    let files = [
        ("p.yaml", policy("p", LIMIT) + &binding("b", reference)),
        ("params.yaml", params(1) + &" ".repeat(33 << 20)),
        ("o.yaml", OBJECT.to_owned()),
    ];
    let run = eval(&files, &["p.yaml", "--object", "o.yaml"]);
    assert_eq!(run.code, 2);
    run.prints("Unknown: policy p, binding b\n");
    run.prints("objects of `ConfigMap` (v1), the kind of its parameters, may be missing");
}

#[test]
fn evaluations_beyond_the_limit_are_unknown() {
    let selector = "paramRef: {selector: {}, namespace: default, parameterNotFoundAction: Deny}";
    let bindings = (0..6).map(|name| binding(&format!("b{name}"), selector));
    let files = [
        ("p.yaml", policy("p", LIMIT) + &bindings.collect::<String>()),
        ("params.json", params(10_000)),
        ("o.yaml", OBJECT.to_owned()),
    ];
    let run = eval(&files, &["p.yaml", "--object", "o.yaml"]);
    assert_eq!(run.code, 2);
    let count = |word: &str| run.stdout.lines().filter(|it| it.starts_with(word)).count();
    assert_eq!((count("Allowed: "), count("Unknown: ")), (50_000, 1));
    run.prints("Unknown: policy p, binding b5\n");
    run.prints("unknown: stopped: the request leads to more than 50000 evaluations");
}

#[test]
fn bindings_share_the_evaluation_of_a_parameter() {
    let selector = "paramRef: {selector: {}, namespace: default, parameterNotFoundAction: Deny}";
    let bindings = (0..3).map(|name| binding(&format!("b{name}"), selector));
    let files = [
        ("p.yaml", policy("p", LIMIT) + &bindings.collect::<String>()),
        (
            "params.json",
            params(2).replacen("\"a\":\"b\"", "\"a\":\"c\"", 1),
        ),
        ("o.yaml", OBJECT.to_owned()),
    ];
    let run = eval(
        &files,
        &["p.yaml", "--object", "o.yaml", "--format", "json"],
    );
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let policies = report["inputs"][0]["policies"].as_array().unwrap();
    let shown = policies.iter().map(|it| {
        let text = |field: &str| it[field].as_str().unwrap();
        let value = it["expressions"][0]["value"].as_str().unwrap();
        format!(
            "{} {} {} {value}",
            text("binding"),
            text("params"),
            text("decision")
        )
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "b0 ConfigMap default/c0 denied false",
            "b0 ConfigMap default/c1 allowed true",
            "b1 ConfigMap default/c0 denied false",
            "b1 ConfigMap default/c1 allowed true",
            "b2 ConfigMap default/c0 denied false",
            "b2 ConfigMap default/c1 allowed true",
        ]
    );
}
