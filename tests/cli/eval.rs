//! `eval`: a policy and an object in, a decision out.

mod json;
mod several;

use crate::project::{GOOD, Project, Run};
use expect_test::{Expect, expect};
use serde_json::Value;

const FEW: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n  selector: {matchLabels: {a: b}}\n  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}\n";

fn many() -> String {
    FEW.replace("replicas: 3", "replicas: 7")
}

fn eval(files: &[(&str, String)], arguments: &[&str]) -> Run {
    let project = Project::new(files);
    let arguments = ["eval"].iter().chain(arguments);
    project.run(arguments)
}

#[track_caller]
fn check(files: &[(&str, String)], arguments: &[&str], code: i32, expected: &Expect) {
    let run = eval(files, arguments);
    expected.assert_eq(&format!("{}{}", run.stdout, run.stderr));
    assert_eq!(run.code, code);
}

/// A policy and an object with the usual arguments.
#[track_caller]
fn check_one(policy: &str, object: &str, code: i32, expected: &Expect) {
    let files = [("p.yaml", policy.to_owned()), ("o.yaml", object.to_owned())];
    check(&files, &["p.yaml", "--object", "o.yaml"], code, expected);
}

#[test]
fn an_object_is_allowed_or_denied() {
    check_one(
        GOOD,
        FEW,
        0,
        &expect![[r#"
            Allowed: CREATE of deployments (apps/v1) by replica-limit (no binding found, assuming Deny; cost 4)
            HTTP 201: allowed
            note: not validated here: names of resources, resource claims, hugepages, Windows options, rare volume types
        "#]],
    );
    check_one(
        GOOD,
        &many(),
        1,
        &expect![[r#"
            error: denied: failed expression: object.spec.replicas <= 5
              --> p.yaml:13:19
               |
            13 |     - expression: object.spec.replicas <= 5
               |                   ^^^^^^^^^^^^^^^^^^^^^^^^^

            Denied: CREATE of deployments (apps/v1) by replica-limit (no binding found, assuming Deny; cost 4)
            HTTP 422 Invalid: deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replica-limit' denied request: failed expression: object.spec.replicas <= 5
        "#]],
    );
}

#[test]
fn a_trace_shows_every_part() {
    let files = [("p.yaml", GOOD.to_owned()), ("o.yaml", many())];
    let arguments = ["p.yaml", "--object", "o.yaml", "--trace"];
    check(
        &files,
        &arguments,
        1,
        &expect![[r#"
            error: denied: failed expression: object.spec.replicas <= 5
              --> p.yaml:13:19
               |
            13 |     - expression: object.spec.replicas <= 5
               |                   ^^^^^^^^^^^^^^^^^^^^^^^^^

            spec.validations[0].expression (line 13, cost 4) = false
              object.spec.replicas <= 5 = false
                object.spec.replicas = 7
                  object.spec = {"replicas": 7, "selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labe… (6 fields)

            Denied: CREATE of deployments (apps/v1) by replica-limit (no binding found, assuming Deny; cost 4)
            HTTP 422 Invalid: deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replica-limit' denied request: failed expression: object.spec.replicas <= 5
        "#]],
    );
}

#[test]
fn a_condition_that_is_false_lets_the_object_pass() {
    let policy = GOOD.replace(
        "  validations:",
        "  matchConditions:\n    - name: not-web\n      expression: object.metadata.name != 'web'\n  validations:",
    );
    check_one(
        &policy,
        &many(),
        0,
        &expect![[r#"
            Allowed, because the match condition on line 14 is false: CREATE of deployments (apps/v1) by replica-limit (no binding found, assuming Deny; cost 4)
            HTTP 201: allowed
            note: not validated here: names of resources, resource claims, hugepages, Windows options, rare volume types
        "#]],
    );
}

#[test]
fn a_failure_denies_unless_the_policy_ignores_it() {
    let policy = GOOD.replace("spec.replicas", "spec.minReadySeconds");
    check_one(
        &policy,
        FEW,
        1,
        &expect![[r#"
            error: denied because it fails: expression 'object.spec.minReadySeconds <= 5' resulted in error: no such key: minReadySeconds
              --> p.yaml:13:19
               |
            13 |     - expression: object.spec.minReadySeconds <= 5
               |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            Denied: CREATE of deployments (apps/v1) by replica-limit (no binding found, assuming Deny; cost 4)
            HTTP 422 Invalid: deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replica-limit' denied request: expression 'object.spec.minReadySeconds <= 5' resulted in error: no such key: minReadySeconds
        "#]],
    );
    let ignoring = policy.replace("spec:\n", "spec:\n  failurePolicy: Ignore\n");
    check_one(
        &ignoring,
        FEW,
        0,
        &expect![[r#"
            warning: fails, and failurePolicy is Ignore: expression 'object.spec.minReadySeconds <= 5' resulted in error: no such key: minReadySeconds
              --> p.yaml:14:19
               |
            14 |     - expression: object.spec.minReadySeconds <= 5
               |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            Allowed: CREATE of deployments (apps/v1) by replica-limit (no binding found, assuming Deny; cost 4)
            HTTP 201: allowed
            note: not validated here: names of resources, resource claims, hugepages, Windows options, rare volume types
        "#]],
    );
}

#[test]
fn all_objects_of_a_request_are_seen() {
    let policy = GOOD
        .replace(
            "object.spec.replicas <= 5",
            "oldObject.spec.replicas == 3 && object.spec.replicas == params.replicas && namespaceObject.metadata.name == 'shop' && request.operation == 'UPDATE'",
        )
        .replace("spec:\n", "spec:\n  paramKind: {apiVersion: v1, kind: Limit}\n");
    let files = [
        ("p.yaml", policy),
        ("old.yaml", FEW.to_owned()),
        ("new.yaml", many()),
        (
            "params.yaml",
            "{apiVersion: v1, kind: Limit, replicas: 7}".to_owned(),
        ),
        (
            "ns.yaml",
            "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}".to_owned(),
        ),
    ];
    #[rustfmt::skip]
    let arguments = [
        "p.yaml", "--object", "new.yaml", "--old-object", "old.yaml", "--params", "params.yaml",
        "--namespace-object", "ns.yaml",
    ];
    check(
        &files,
        &arguments,
        0,
        &expect![[r#"
            Allowed: UPDATE of deployments (apps/v1) by replica-limit with Limit (no binding found, assuming Deny; cost 17)
            HTTP 200: allowed
            note: not validated here: names of resources, resource claims, hugepages, Windows options, rare volume types
        "#]],
    );
}

#[test]
fn an_object_comes_from_another_program() {
    let project = Project::new(&[("p.yaml", GOOD)]);
    let run = project.run_with_input(["eval", "p.yaml", "--object", "-"], many().as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let arguments = ["eval", "-", "--object", "-"];
    let run = project.run_with_input(arguments, GOOD.as_bytes());
    assert_eq!(run.code, 2);
    run.reports("standard input can be read only once");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of errors")]
fn what_cannot_run_says_where_and_why() {
    check_one(
        "kind: Pod\n",
        FEW,
        2,
        &expect![[r#"
            error: no policy, no webhook configuration and no CustomResourceDefinition found
             --> p.yaml:1:1
              |
            1 | kind: Pod
              | ^

        "#]],
    );
    check_one(
        &GOOD.replace("spec.replicas", "spec.(replicas"),
        FEW,
        2,
        &expect![[r#"
            error: the API server rejects the expression: Syntax error: Expected a name after `.`, found `(`.
              --> p.yaml:13:19
               |
            13 |     - expression: object.spec.(replicas <= 5
               |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^

        "#]],
    );
    check_one(
        &GOOD.replace("<= 5", "<= five"),
        FEW,
        2,
        &expect![[r#"
        error: the API server rejects the expression: undeclared reference to 'five' (in container '')
          --> p.yaml:13:19
           |
        13 |     - expression: object.spec.replicas <= five
           |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    "#]],
    );
    check_one(
        &GOOD.replace("<= 5", "<= int('five')"),
        FEW,
        2,
        &expect![[r#"
            error: the API server rejects the expression: program instantiation failed: type conversion error from 'string' to 'int'
              --> p.yaml:13:19
               |
            13 |     - expression: object.spec.replicas <= int('five')
               |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

        "#]],
    );
    check_one(
        &GOOD.replace("name: replica-limit", "name: 'replica"),
        FEW,
        2,
        &expect![[r#"
        error: missing closing `'` of this string
         --> p.yaml:4:9
          |
        4 |   name: 'replica
          |         ^

    "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of errors")]
fn an_object_that_is_none_says_where_and_why() {
    check_one(
        GOOD,
        &format!("{FEW}---\n{FEW}"),
        2,
        &expect![[r#"
            error: the file contains more than one object; write one object per file
              --> o.yaml:10:1
               |
            10 | apiVersion: apps/v1
               | ^^^^^^^^^^^^^^^^^^^

        "#]],
    );
    check_one(
        GOOD,
        "",
        2,
        &expect![[r#"
        error: the file contains no object
         --> o.yaml:1:1
          |
        1 |
          | ^

    "#]],
    );
    check_one(
        GOOD,
        "kind: Deployment\n",
        2,
        &expect![[r#"
        error: o.yaml: the object has no `apiVersion`
    "#]],
    );
    check_one(
        GOOD,
        "a: 'b\n",
        2,
        &expect![[r#"
        error: missing closing `'` of this string
         --> o.yaml:1:4
          |
        1 | a: 'b
          |    ^

    "#]],
    );
    check_one(
        GOOD,
        "- a\n- b\n",
        2,
        &expect![[r#"
        error: this is not an object; write `apiVersion`, `kind` and `metadata`
         --> o.yaml:1:1
          |
        1 | - a
          | ^^^

    "#]],
    );
}

#[test]
fn a_policy_that_does_not_match_is_in_the_json() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: b}]}}";
    let project = Project::new(&[("p.yaml", GOOD), ("pod.yaml", pod)]);
    let run = project.run(["eval", "p.yaml", "--object", "pod.yaml", "--format", "json"]);
    assert_eq!(run.code, 2);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let answer = report.pointer("/inputs/0").unwrap();
    assert_eq!(
        answer.pointer("/response/allowed"),
        Some(&Value::Bool(true))
    );
    let policy = answer.pointer("/policies/0").unwrap();
    assert_eq!(policy.get("decision").unwrap(), "notEvaluated");
    assert_eq!(
        policy.get("reason").unwrap(),
        "no rule matches CREATE of pods (v1)"
    );
}

#[test]
fn a_policy_that_does_not_match_says_which_rule() {
    check_one(
        GOOD,
        "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a, image: b}]}}",
        2,
        &expect![[r#"
            Not matched: policy replica-limit: no rule matches CREATE of pods (v1) (line 8)
            HTTP 201: allowed
            note: not validated here: names of resources, resource claims, hugepages, Windows options, rare volume types
            error: p.yaml: no policy matches the request
        "#]],
    );
}

#[test]
fn an_invalid_object_is_rejected_before_the_policies() {
    let object = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, \
                  spec: {replicas: 7, selector: {matchLabels: {a: b}}}}";
    check_one(
        GOOD,
        object,
        1,
        &expect![[r#"
        HTTP 422 Invalid: Deployment.apps "web" is invalid: [spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`, spec.template.spec.containers: Required value]
        help: validating policies are not evaluated for an invalid object; correct it, or use `--raw` to evaluate it as written
    "#]],
    );
    let input = format!("raw: true\nobject: {object}\n");
    let files = [("p.yaml", GOOD.to_owned()), ("i.yaml", input)];
    let run = eval(&files, &["p.yaml", "--input", "i.yaml"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.contains("error: denied: failed expression"),
        "{}",
        run.stdout
    );
}

#[test]
fn an_object_that_a_mutation_makes_invalid_needs_no_correction() {
    let policy = "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\n\
                  metadata: {name: m}\nspec:\n  reinvocationPolicy: Never\n  matchConstraints: \
                  {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], \
                  resources: [deployments]}]}\n  mutations:\n  - patchType: JSONPatch\n    jsonPatch: \
                  {expression: \"[JSONPatch{op: 'remove', path: \
                  '/spec/template/spec/containers/0/image'}]\"}\n";
    let files = [("p.yaml", policy.to_owned()), ("o.yaml", FEW.to_owned())];
    let run = eval(&files, &["p.yaml", "--object", "o.yaml"]);
    assert_eq!(run.code, 1);
    run.prints("spec.template.spec.containers[0].image: Required value");
    assert!(!run.stdout.contains("help:"), "{}", run.stdout);
}

#[test]
fn files_and_arguments_that_are_missing_are_named() {
    let files = [("p.yaml", GOOD.to_owned())];
    check(
        &files,
        &["p.yaml", "--object", "none.yaml"],
        2,
        &expect![[r#"
        error: none.yaml: no such file or directory
    "#]],
    );
    check(
        &files,
        &["none.yaml", "--object", "p.yaml"],
        2,
        &expect![[r#"
        error: none.yaml: no such file or directory
    "#]],
    );
    check(
        &files,
        &["p.yaml"],
        2,
        &expect![[r#"
            error: p.yaml: no input found for the policy; create one with `admissible init-input p.yaml`, or pass an object with --object
        "#]],
    );
}

#[test]
fn each_policy_that_matches_is_evaluated() {
    let other = GOOD
        .replace("replica-limit", "other")
        .replace("<= 5", "<= 9");
    let pods = GOOD.replace("[deployments]", "[pods]");
    let policies = format!("{GOOD}---\n{other}---\n{pods}");
    check_one(
        &policies,
        &many(),
        1,
        &expect![[r#"
            error: denied: failed expression: object.spec.replicas <= 5
              --> p.yaml:13:19
               |
            13 |     - expression: object.spec.replicas <= 5
               |                   ^^^^^^^^^^^^^^^^^^^^^^^^^

            Denied: CREATE of deployments (apps/v1) by replica-limit (no binding found, assuming Deny; cost 4)
            Allowed: CREATE of deployments (apps/v1) by other (no binding found, assuming Deny; cost 4)
            Not matched: policy replica-limit: no rule matches CREATE of deployments (apps/v1) (line 36)
            HTTP 422 Invalid: deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replica-limit' denied request: failed expression: object.spec.replicas <= 5
        "#]],
    );
}

#[test]
fn objects_get_their_defaults_unless_they_are_raw() {
    let policy = GOOD.replace(
        "object.spec.replicas <= 5",
        "has(object.spec.replicas) && has(object.metadata.uid)",
    );
    let object = FEW.replace("  replicas: 3", "  paused: true");
    let files = [("p.yaml", policy), ("o.yaml", object)];
    let run = eval(&files, &["p.yaml", "--object", "o.yaml"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let run = eval(&files, &["p.yaml", "--object", "o.yaml", "--raw"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
}

#[test]
fn a_trace_shows_variables_and_shares_of_the_budget() {
    let policy = GOOD.replace(
        "  validations:\n    - expression: object.spec.replicas <= 5",
        "  variables:\n    - {name: names, expression: 'object.spec.template.spec.containers.map(c, c.name)'}\n  validations:\n    - expression: variables.names.all(a, variables.names.all(b, variables.names.all(c, a + b != c)))",
    );
    let containers: Vec<String> = (0..20)
        .map(|it| format!("{{name: c{it}, image: i}}"))
        .collect();
    let object = FEW.replace("{name: a, image: b}", &containers.join(", "));
    let files = [("p.yaml", policy), ("o.yaml", object)];
    check(
        &files,
        &["p.yaml", "--object", "o.yaml", "--trace"],
        0,
        &expect![[r#"
            spec.variables[0].expression (line 13, cost 286) = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c1… (20 elements)
              object.spec.template.spec.containers.map(c, c.name) = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c1… (20 elements)
                object.spec.template.spec.containers = [{"name": "c0", "image": "i", "resources": {}, "imagePullPolicy": "Always", "terminat… (20 elements)
                  object.spec.template.spec = {"containers": [{"name": "c0", "image": "i", "resources": {}, "imagePullPolicy": "Always… (6 fields)
                    object.spec.template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c0", "image": "i"… (2 fields)
                      object.spec = {"replicas": 3, "selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labe… (6 fields)
                c.name = "c19"
            spec.validations[0].expression (line 15, cost 66809, 6.6% of 1000000) = true
              variables.names.all(a, variables.names.all(b, variables.nam… = true
                variables.names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c1… (20 elements)
                variables.names.all(b, variables.names.all(c, a + b != c)) = true
                  variables.names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c1… (20 elements)
                  variables.names.all(c, a + b != c) = true
                    variables.names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c1… (20 elements)
                    a + b != c = true
                      a + b = "c19c19"
                        a = "c19"
                        b = "c19"
                      c = "c19"

            Allowed: CREATE of deployments (apps/v1) by replica-limit (no binding found, assuming Deny; cost 66809, 0.6% of 10000000)
            HTTP 201: allowed
            note: not validated here: names of resources, resource claims, hugepages, Windows options, rare volume types
        "#]],
    );
}

#[test]
fn mistakes_in_the_configuration_are_said() {
    let files = [
        ("admissible.toml", "kubernetes = 'new'\n".to_owned()),
        ("p.yaml", GOOD.to_owned()),
        ("o.yaml", FEW.to_owned()),
    ];
    let run = eval(&files, &["p.yaml", "--object", "o.yaml"]);
    assert_eq!(run.code, 2);
    run.prints("allowed");
    run.reports("admissible.toml:1:14");
}
