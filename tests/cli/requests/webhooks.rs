//! `eval`: which webhooks are called.

use super::*;

const WEBHOOKS: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: always.example.com
  rules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]
- name: pods.example.com
  rules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [pods]}]
- name: large.example.com
  rules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]
  matchConditions:
  - {name: not-small, expression: object.metadata.name != 'small'}
- name: data.example.com
  failurePolicy: POLICY
  rules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]
  matchConditions:
  - {name: data, expression: object.data.a == '😀'}
";

#[test]
fn each_webhook_is_called_or_not_for_a_reason() {
    let files = [
        ("p.yaml", WEBHOOKS.replace("POLICY", "Fail")),
        (
            "p.inputs.yaml",
            "name: with data\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: big}, data: {a: 😀}}\n---\nname: without\npolicy: guard\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: small}}\n"
                .to_owned(),
        ),
    ];
    let run = Project::new(&files).run(["eval", "p.yaml"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    expect![[r#"
        with data (p.inputs.yaml)
        Called: CREATE of configmaps (v1) by always.example.com of guard
        Not called: pods.example.com of guard: no rule matches CREATE of configmaps (v1) (line 8)
        Called: CREATE of configmaps (v1) by large.example.com of guard (cost 4)
        Called: CREATE of configmaps (v1) by data.example.com of guard (cost 4)
        HTTP 201: allowed, unless a called webhook denies it
        note: not validated here: the total size

        without (p.inputs.yaml)
        error: the match condition fails: no such key: data
          --> p.yaml:17:30
           |
        17 |   - {name: data, expression: object.data.a == '😀'}
           |                              ^^^^^^^^^^^^^^^^^^^^^

        Called: CREATE of configmaps (v1) by always.example.com of guard
        Not called: pods.example.com of guard: no rule matches CREATE of configmaps (v1) (line 8)
        Not called: large.example.com of guard: the match condition on line 12 is false (cost 4)
        Denied: data.example.com of guard: a match condition fails (cost 3)
        HTTP 403 Forbidden: configmaps "small" is forbidden: expression 'object.data.a == '😀'' resulted in error: no such key: data
    "#]].assert_eq(&run.stdout);
}

#[test]
fn a_condition_that_fails_is_passed_over_where_the_policy_says_so() {
    let policy = WEBHOOKS.replace("POLICY", "Ignore");
    let object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: small}}";
    check(
        &[("p.yaml", &policy), ("o.yaml", object)],
        &["--object", "o.yaml", "--trace"],
        0,
        &expect![[r#"
            webhooks[2].matchConditions[0].expression (line 12, cost 4) = false
              object.metadata.name != 'small' = false
                object.metadata.name = "small"
                  object.metadata = {"name": "small", "namespace": "default", "uid": "6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36",… (4 fields)

            warning: the match condition fails: no such key: data
              --> p.yaml:17:30
               |
            17 |   - {name: data, expression: object.data.a == '😀'}
               |                              ^^^^^^^^^^^^^^^^^^^^^

            webhooks[3].matchConditions[0].expression (line 17, cost 3) = error: no such key: data
              object.data.a == '😀' = error: no such key: data
                object.data.a = error: no such key: data

            Called: CREATE of configmaps (v1) by always.example.com of guard
            Not called: pods.example.com of guard: no rule matches CREATE of configmaps (v1) (line 8)
            Not called: large.example.com of guard: the match condition on line 12 is false (cost 4)
            Not called: data.example.com of guard: a match condition fails and failurePolicy is Ignore (cost 3)
            HTTP 201: allowed, unless a called webhook denies it
            note: not validated here: the total size
        "#]],
    );
}

#[test]
fn webhooks_see_what_mutating_policies_leave() {
    let policy = "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: p}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: \"Object{data: {'a': '😀'}}\"}
";
    let text = format!("{policy}---\n{}", WEBHOOKS.replace("POLICY", "Fail"));
    let object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: big}}";
    let project = Project::new(&[("p.yaml", text.as_str()), ("o.yaml", object)]);
    let arguments = ["eval", "p.yaml", "--object", "o.yaml", "--format", "json"];
    let run = project.run(arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let output: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let webhooks = output["inputs"][0]["webhooks"].as_array().unwrap().iter();
    let said = webhooks.map(|it| format!("{} {}", it["name"], it["decision"]));
    expect![[r#"
        "always.example.com" "called"
        "pods.example.com" "notCalled"
        "large.example.com" "called"
        "data.example.com" "called""#]]
    .assert_eq(&said.collect::<Vec<_>>().join("\n"));
}

#[test]
fn without_inputs_it_says_how_to_name_some() {
    let policy = WEBHOOKS.replace("POLICY", "Fail");
    check(
        &[("p.yaml", &policy)],
        &[],
        2,
        &expect![[r#"
        error: p.yaml: no input found for the webhooks; pass inputs with --input, or an object with --object
    "#]],
    );
}
