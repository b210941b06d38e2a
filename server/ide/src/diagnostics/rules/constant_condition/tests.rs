//! Constant conditions, and conditions that only seem constant.

use crate::fixture::{
    Objects, changes, check_diagnostics, crd, findings, fixed, outcome, policy, report,
};
use expect_test::expect;

/// Returns a policy for pods on CREATE and UPDATE with one validation.
fn validation(expression: &str) -> String {
    condition("validations", "", expression)
}

fn condition(list: &str, name: &str, expression: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: demo}}
spec:
  matchConstraints:
    resourceRules:
      - {{apiGroups: [''], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [pods]}}
  {list}:
    - {name}expression: |-
        {expression}
"
    )
}

#[track_caller]
fn messages(text: &str) -> Vec<String> {
    let found = findings(text).into_iter();
    let found = found.filter(|found| found.code == "constant-condition");
    found.map(|found| found.message).collect()
}

/// Returns the only message about a validation.
#[track_caller]
fn message(expression: &str) -> String {
    let [message] = messages(&validation(expression)).try_into().unwrap();
    message
}

/// Returns the result of an expression for a small pod: `true`, `false` or an error.
#[track_caller]
fn evaluate(text: &str, pod: &str, old: Option<&str>) -> String {
    let old = old.unwrap_or_default();
    let objects = Objects {
        object: pod,
        old,
        ..Objects::default()
    };
    outcome(text, objects)
}

const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: []}}";

#[test]
fn operations_are_written_in_capitals() {
    let text = validation("request.operation != 'delete'");
    expect![[r#"
        10:9-10:38 "request.operation != 'delete'" Warning[constant-condition]: `request.operation != 'delete'` is always true: operations are in uppercase, such as `DELETE`. The validation never denies a request, unless the expression fails.
          fix: Change to `DELETE`
    "#]]
    .assert_eq(&report(&text));
    assert_eq!(evaluate(&text, POD, None), "true");
    assert_eq!(evaluate(&text, POD, Some(POD)), "true");
}

#[test]
fn an_operation_in_a_list_is_written_in_capitals() {
    let text = validation("request.operation in ['Create', 'UPDATE'] || has(object.spec)");
    expect![[r#"
        -        request.operation in ['Create', 'UPDATE'] || has(object.spec)
        +        request.operation in ['CREATE', 'UPDATE'] || has(object.spec)
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "constant-condition")));
    let alone = validation("request.operation in ['Create'] || has(object.spec)");
    assert_eq!(
        messages(&alone),
        [
            "`request.operation in ['Create']` is always false: operations are in \
             uppercase, such as `CREATE`."
        ]
    );
    let none = validation("request.operation in ['create', 'update']");
    assert_eq!(messages(&none).len(), 1);
    assert_eq!(evaluate(&none, POD, None), "false");
}

#[test]
fn two_differences_joined_by_or_are_always_true() {
    let text = validation("object.metadata.name != 'a' || object.metadata.name != 'b'");
    expect![[r#"
        -        object.metadata.name != 'a' || object.metadata.name != 'b'
        +        object.metadata.name != 'a' && object.metadata.name != 'b'
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "constant-condition")));
    for name in ["a", "b", "c"] {
        let pod = POD.replace("name: a", &format!("name: {name}"));
        assert_eq!(evaluate(&text, &pod, None), "true");
    }
}

#[test]
fn clauses_that_exclude_each_other_are_never_true() {
    let never = [
        "request.operation == 'CREATE' && request.operation == 'UPDATE'",
        "object.a in ['x', 'y'] && object.a == 'z'",
        "object.a > 5 && object.b && 3 > object.a",
        "has(object.a) && !has(object.a)",
        "object.a == 3 && object.a > 3",
    ];
    for expression in never {
        let message = message(expression);
        assert!(message.contains("never both true"), "{message}");
        assert!(
            message.ends_with("The validation denies every request."),
            "{message}"
        );
    }
    let always = [
        "object.a != 'x' || object.b || object.a != 'y'",
        "!(object.a in ['x', 'y']) || object.a != 'z'",
        "object.a >= 1 || object.a <= 10",
        "has(object.a) || !has(object.a)",
    ];
    for expression in always {
        let message = message(expression);
        assert!(message.contains("is always true. Use `&&`"), "{message}");
    }
}

#[test]
fn sizes_and_equal_sides_have_one_answer() {
    for (expression, value) in [
        ("size(object.spec.containers) >= 0", "true"),
        ("object.spec.containers.size() > -1", "true"),
        ("0 > size(object.spec.containers)", "false"),
        ("object.metadata.name == object.metadata . name", "true"),
        ("object.metadata.name in []", "false"),
        ("1 < 2", "true"),
        ("'b' in ['a'] && has(object.spec)", "false"),
        ("has(object.spec) || true", "true"),
        ("has(object.nothing) ? 1 > 2 : 'a' == 'b'", "false"),
    ] {
        let text = validation(expression);
        assert_eq!(messages(&text).len(), 1, "{expression}");
        assert_eq!(evaluate(&text, POD, None), value, "{expression}");
    }
}

#[test]
fn a_literal_clause_is_noticed() {
    expect!["The operand `true` has no effect. Remove it."]
        .assert_eq(&message("has(object.spec) && true"));
    expect!["`true` is always true. The validation never denies a request."]
        .assert_eq(&message("has(object.spec) || true"));
}

#[test]
fn a_match_condition_can_switch_a_policy_off() {
    let text = condition(
        "matchConditions",
        "name: a\n      ",
        "request.operation == 'DELETE'",
    );
    let text = format!("{text}  validations:\n    - expression: has(object.spec)\n");
    assert_eq!(
        messages(&text),
        [
            "`request.operation == 'DELETE'` is always false: the rules match no request whose \
             `request.operation` is `DELETE`. The policy is never applied."
        ]
    );
    let text = text.replace(
        "request.operation == 'DELETE'",
        "object.kind == 'Deployment'",
    );
    assert_eq!(messages(&text).len(), 1);
    let harmless = text.replace(
        "object.kind == 'Deployment'",
        "request.operation != 'DELETE'",
    );
    assert_eq!(messages(&harmless), Vec::<String>::new());
    let text = text.replace("object.kind == 'Deployment'", "true");
    assert_eq!(
        messages(&text),
        ["`true` is always true. The match condition excludes no request. Remove it."]
    );
}

#[test]
fn rules_of_a_definition_are_looked_at() {
    check_diagnostics(&crd(
        "
        properties:
          spec:
            type: object
            required: [name]
            properties: {name: {type: string, maxLength: 10}}
            x-kubernetes-validations:
              - rule: self.name.size() >= 0
              #       ^^^^^^^^^^^^^^^^^^^^^ warning[constant-condition]: The rule never rejects a value
              - rule: self.name.size() >= 1
",
    ));
}

#[test]
fn what_can_be_either_is_silent() {
    for expression in [
        "false",
        "true",
        "size(object.spec.containers) > 0",
        "object.a == 'x' || object.a == 'y'",
        "object.a != 'x' && object.a != 'y'",
        "object.a >= 1 && object.a <= 10",
        "object.a > 3 || object.a < 3",
        "object.a.exists(c, c == 'x') && object.a.exists(c, c == 'y')",
        "has(object.a) ? object.a == 1 : true",
        "request.operation == 'CREATE' || object.a == 1",
        "request.operation == 'DELETE' ? false : object.a == 1",
        "object.kind == 'Pod' ? object.a == 1 : object.kind == 'Deployment' && object.b == 1",
        "object.a.map(c, true).size() > 1",
        "object.spec.x == 1 || object.spec.x == 2 || !has(object.spec.x)",
        "object.a == object.b",
        "double(object.a) == double(object.a)",
        "'{{ .Values.a }}' == 'a'",
    ] {
        let text = validation(expression);
        let found: Vec<String> = messages(&text);
        assert!(found.is_empty(), "{expression}: {found:?}");
    }
    check_diagnostics(&policy(
        "
  variables:
    - {name: strict, expression: 1 < 2}
    - {name: kind, expression: \"request.operation == 'DELETE' ? oldObject : object\"}
  validations:
    - expression: variables.strict && variables.kind.a == 1
",
    ));
}
