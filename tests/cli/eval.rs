//! `eval`: a policy and an object in, a decision out.

use crate::project::{GOOD, Project, Run};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

const FEW: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n";

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
        Allowed: CREATE of deployments (apps/v1) by replica-limit (cost 4)
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

        Denied: CREATE of deployments (apps/v1) by replica-limit (cost 4)
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

        spec.validations[0].expression (line 13) = false
          object.spec.replicas <= 5 = false
            object.spec.replicas = 7
              object.spec = {"replicas": 7}

        Denied: CREATE of deployments (apps/v1) by replica-limit (cost 4)
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
        Allowed, because the match condition in line 14 is false: CREATE of deployments (apps/v1) by replica-limit (cost 4)
    "#]],
    );
}

#[test]
fn a_failure_denies_unless_the_policy_ignores_it() {
    let object = FEW.replace("  replicas: 3", "  paused: true");
    check_one(
        GOOD,
        &object,
        1,
        &expect![[r#"
        error: denied because it fails: expression 'object.spec.replicas <= 5' resulted in error: no such key: replicas
          --> p.yaml:13:19
           |
        13 |     - expression: object.spec.replicas <= 5
           |                   ^^^^^^^^^^^^^^^^^^^^^^^^^

        Denied: CREATE of deployments (apps/v1) by replica-limit (cost 4)
    "#]],
    );
    let ignoring = GOOD.replace("spec:\n", "spec:\n  failurePolicy: Ignore\n");
    check_one(
        &ignoring,
        &object,
        0,
        &expect![[r#"
        error: fails, and failurePolicy is Ignore: expression 'object.spec.replicas <= 5' resulted in error: no such key: replicas
          --> p.yaml:14:19
           |
        14 |     - expression: object.spec.replicas <= 5
           |                   ^^^^^^^^^^^^^^^^^^^^^^^^^

        Allowed: CREATE of deployments (apps/v1) by replica-limit (cost 4)
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
        Allowed: UPDATE of deployments (apps/v1) by replica-limit (cost 17)
    "#]],
    );
}

#[test]
fn an_object_comes_from_another_program() {
    let project = Project::new(&[("p.yaml", GOOD)]);
    let run = project.run_with_input(["eval", "p.yaml", "--object", "-"], many().as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let arguments = ["eval", "-", "--object", "-"];
    let run = project.run_with_input(arguments, many().as_bytes());
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("standard input can be read once"),
        "{}",
        run.stderr
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of mistakes")]
fn what_cannot_run_says_where_and_why() {
    check_one(
        "kind: Pod\n",
        FEW,
        2,
        &expect![[r#"
        error: there is no ValidatingAdmissionPolicy in the file
         --> p.yaml:1:1
          |
        1 | kind: Pod
          | ^

    "#]],
    );
    check_one(
        &GOOD.replace("Validating", "Mutating"),
        FEW,
        2,
        &expect![[r#"
        error: a MutatingAdmissionPolicy cannot be evaluated yet; only a ValidatingAdmissionPolicy can
         --> p.yaml:2:7
          |
        2 | kind: MutatingAdmissionPolicy
          |       ^^^^^^^^^^^^^^^^^^^^^^^

    "#]],
    );
    check_one(
        &GOOD.replace("spec.replicas", "spec.(replicas"),
        FEW,
        2,
        &expect![[r#"
            error: the expression does not compile: Syntax error: Expected a name after `.`, found `(`.
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
        error: the expression does not compile: undeclared reference to 'five' (in container '')
          --> p.yaml:13:19
           |
        13 |     - expression: object.spec.replicas <= five
           |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    "#]],
    );
    check_one(
        &GOOD.replace("name: replica-limit", "name: 'replica"),
        FEW,
        2,
        &expect![[r#"
        error: the closing `'` of this text is missing
         --> p.yaml:4:9
          |
        4 |   name: 'replica
          |         ^

    "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of mistakes")]
fn an_object_that_is_none_says_where_and_why() {
    check_one(
        GOOD,
        &format!("{FEW}---\n{FEW}"),
        2,
        &expect![[r#"
        error: the file holds more than one object; give each a file of its own
         --> o.yaml:8:1
          |
        8 | apiVersion: apps/v1
          | ^^^^^^^^^^^^^^^^^^^

    "#]],
    );
    check_one(
        GOOD,
        "",
        2,
        &expect![[r#"
        error: the file holds no object
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
        error: the closing `'` of this text is missing
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
        error: this is no object; write `apiVersion`, `kind` and `metadata`
         --> o.yaml:1:1
          |
        1 | - a
          | ^^^

    "#]],
    );
}

#[test]
fn a_policy_that_does_not_match_says_which_rule() {
    check_one(
        GOOD,
        "{apiVersion: v1, kind: Pod}",
        2,
        &expect![[r#"
        error: the policy does not match: no rule matches CREATE of pods (v1)
          --> p.yaml:8:7
           |
         8 | /       - apiGroups: [apps]
         9 | |         apiVersions: [v1]
        10 | |         operations: [CREATE, UPDATE]
        11 | |         resources: [deployments]
           | |________________________________^

    "#]],
    );
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
    let run = eval(&files, &["p.yaml"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--object <FILE>"), "{}", run.stderr);
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

        Denied: CREATE of deployments (apps/v1) by replica-limit (cost 4)
        Allowed: CREATE of deployments (apps/v1) by other (cost 4)
    "#]],
    );
}

fn json_of(files: &[(&str, String)], arguments: &[&str]) -> Value {
    let run = eval(files, arguments);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn programs_get_the_same_as_json() {
    let files = [("p.yaml", GOOD.to_owned()), ("o.yaml", many())];
    let arguments = [
        "p.yaml", "--object", "o.yaml", "--format", "json", "--trace",
    ];
    let output = json_of(&files, &arguments);
    assert_eq!(output["version"], 1);
    let policy = &output["policies"][0];
    assert_eq!(policy["decision"], "denied");
    assert_eq!(policy["name"], "replica-limit");
    let denial = &policy["denials"][0];
    assert_eq!(denial["field"], "spec.validations[0].expression");
    assert_eq!(
        denial["message"],
        "failed expression: object.spec.replicas <= 5"
    );
    assert_eq!(denial["reason"], "Invalid");
    assert_eq!(
        denial["range"]["start"],
        json!({ "line": 13, "column": 19, "offset": 308 })
    );
    let expression = &policy["expressions"][0];
    assert_eq!(
        (&expression["value"], &expression["error"]),
        (&json!("false"), &Value::Null)
    );
    assert_eq!(expression["trace"][1]["text"], "object.spec.replicas");
    assert_eq!(expression["trace"][1]["value"], "7");
}

#[test]
fn programs_get_the_problems_too() {
    let files = [
        ("p.yaml", GOOD.to_owned()),
        ("o.yaml", "a: 'b\n".to_owned()),
    ];
    let arguments = ["p.yaml", "--object", "o.yaml", "--format", "json"];
    let output = json_of(&files, &arguments);
    assert_eq!(output["policies"], json!([]));
    let problem = &output["problems"][0];
    assert_eq!(problem["path"], "o.yaml");
    assert_eq!(problem["range"]["start"]["line"], 1);
}
