//! Values that the API server rejects for other reasons.

use crate::fixture::{binding, changes, check_diagnostics, crd, findings, fixed, policy, report};
use expect_test::expect;

#[test]
fn kubernetes_has_its_say() {
    let text = policy(
        "  validations:\n    - expression: 'true'\n      message: \"two\\nlines\"\n  matchConditions:\n    \
         - {name: 'a b', expression: has(object.spec)}\n",
    );
    expect![[r#"
        11:16-11:28 "\"two\\nlines\"" Error[invalid-value]: `spec.validations[0].message` contains a line break. Write it on one line.
          Kubernetes: spec.validations[0].message: Invalid value: must not contain line breaks
        13:14-13:19 "'a b'" Error[invalid-value]: `a b` is not a qualified name in `spec.matchConditions[0].name`. Use letters, digits, `-`, `_` and `.`; begin and end with a letter or a digit. A domain and `/` may come first.
          Kubernetes: spec.matchConditions[0].name: Invalid value: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
    "#]]
    .assert_eq(&report(&text));
}

#[test]
fn wildcards_stand_alone() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo, namespace: here}
                                 #^^^^ error[invalid-value]: this kind is cluster-scoped
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: ['*', apps]
      #<^^^^^^^ error[invalid-value]: includes other entries
      apiVersions: ['*']
      operations: ['*']
      resources: ['*/*']
  validations: [{expression: 'true'}]
",
    );
}

#[test]
fn both_deny_and_warn() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: demo}
spec:
  policyName: demo
  validationActions: [Deny, Warn]
  #<^^^^^^^^^^^^^^^ error[invalid-value]: report the same failure twice
",
    );
}

#[test]
fn a_default_does_not_fit_its_schema() {
    check_diagnostics(&crd(
        "
        properties:
          size: {type: integer, default: large}
                                        #^^^^^ error[invalid-value]: default` must be of type integer: \"string\".
          range:
            type: object
            required: [min, max]
            properties: {min: {type: integer}, max: {type: integer}}
            default: {min: 2, max: 1}
                     #^^^ error[invalid-value]: failed rule: self.min <= self.max
            x-kubernetes-validations: [{rule: self.min <= self.max}]
",
    ));
}

#[test]
fn a_wrong_kind_is_said_once() {
    let text = crd("").replace(
        "singular: demo, kind: Demo, listKind: DemoList",
        "kind: my_Demo",
    );
    expect![[r#"
        7:32-7:39 "my_Demo" Error[invalid-value]: `my_Demo` is not a valid value of `spec.names.kind`. Use letters, digits and `-`; begin with a letter and end with a letter or a digit.
          Kubernetes: spec.names.kind: Invalid value: may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')
    "#]].assert_eq(&report(&text));
}

#[test]
fn a_url_that_go_cannot_read() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: demo}
webhooks:
- name: a.example.com
  sideEffects: None
  admissionReviewVersions: [v1]
  clientConfig: {url: 'https://a b'}
                     #^^^^^^^^^^^^^ error[invalid-value]: url must be a valid URL
",
    );
}

#[test]
fn a_field_path_is_corrected() {
    let text = crd("
        properties:
          spec: {type: object, properties: {name: {type: string}}}
        x-kubernetes-validations:
        - {rule: has(self.spec), fieldPath: .spec.nam}
        - {rule: '!has(self.spec)', fieldPath: '.status'}
");
    expect![[r#"
        18:45-18:54 ".spec.nam" Error[invalid-value]: `.spec.nam` is not the path of a field. Did you mean `.spec.name`?
          Kubernetes: spec.validation.openAPIV3Schema.x-kubernetes-validations[0].fieldPath: Invalid value: must be a valid path
          fix: Change to `.spec.name`
        19:48-19:57 "'.status'" Error[invalid-value]: `.status` is not the path of a field. Write the path from the schema of the rule, such as `.name` or `.spec['a.b']`.
          Kubernetes: spec.validation.openAPIV3Schema.x-kubernetes-validations[1].fieldPath: Invalid value: must be a valid path
    "#]].assert_eq(&report(&text));
    expect![[r#"
        -        - {rule: has(self.spec), fieldPath: .spec.nam}
        +        - {rule: has(self.spec), fieldPath: .spec.name}
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "invalid-value")));
}

#[test]
fn the_name_of_a_definition_is_corrected() {
    let text = crd("").replacen("name: ", "name: other", 1);
    let fixed = fixed(&text, "invalid-value");
    assert_eq!(fixed, crd(""));
    let generated = crd("").replacen("name: ", "generateName: other", 1);
    let found = findings(&generated);
    assert!(!found.is_empty() && found.iter().all(|it| it.fixes.is_empty()));
}

const ODD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example}
spec:
  group: example
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: false
      subresources:
        scale: {specReplicasPath: spec.replicas, statusReplicasPath: .replicas}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            a: {oneOf: [{type: string}], type: object}
            b:
              type: object
              properties: {c: {type: string}}
              additionalProperties: {type: string}
";

#[test]
fn the_messages_state_what_to_write() {
    let found = findings(ODD);
    let messages: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
    expect![[r#"
        `spec.group` is not a domain. Write one that your organization owns, such as `example.com`.
        `spec.versions` requires exactly one version with `storage: true`.
        `spec.versions[0].subresources.scale.specReplicasPath` is not a path. Begin it with a dot, as in `.spec.replicas`.
        `spec.versions[0].subresources.scale.statusReplicasPath` is not below `.status`. Write a path such as `.status.replicas`.
        `spec.versions[0].schema.openAPIV3Schema.properties[a].oneOf[0].type` is not allowed below `allOf`, `anyOf`, `oneOf` and `not`. Write it in the schema around them.
        `spec.versions[0].schema.openAPIV3Schema.properties[b].additionalProperties` cannot be combined with `properties`. Remove one of them."#]].assert_eq(&messages.join("\n"));
}

#[test]
fn names_and_paths_with_a_certain_form_are_fixed() {
    let text = binding("b", "policyName: ValidatingAdmissionPolicy/p");
    expect![[r#"
        -  policyName: ValidatingAdmissionPolicy/p
        +  policyName: p
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "invalid-value")));
    let text = ODD
        .replace(".replicas}", "status.replicas}")
        .replace("example\n", "example.com\n");
    let text = text
        .replace("widgets.example}", "widgets.example.com}")
        .replace("storage: false", "storage: true");
    let once = fixed(&text, "invalid-value");
    expect![[r#"
        -        scale: {specReplicasPath: spec.replicas, statusReplicasPath: status.replicas}
        +        scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    "#]]
    .assert_eq(&changes(&text, &fixed(&once, "invalid-value")));
}

#[test]
fn the_name_of_a_definition_is_not_derived_from_an_invalid_plural() {
    let text = ODD
        .replace("plural: widgets", "plural: Widgets")
        .replace("group: example", "group: example.com")
        .replace("widgets.example}", "widgets.example.com}");
    let found = findings(&text);
    let of_name = found
        .iter()
        .filter(|it| it.message.contains("name of a CustomResourceDefinition"));
    assert_eq!(of_name.count(), 0);
}

#[test]
fn a_rejected_rule_with_an_optional_old_value_is_one_error() {
    let rule = |rule: &str| {
        crd(&format!(
            "        properties:\n          size:\n            type: string\n            \
             x-kubernetes-validations:\n            - {{rule: \"{rule}\", optionalOldSelf: true}}\n"
        ))
    };
    let codes = |text: &str| -> Vec<&str> { findings(text).iter().map(|it| it.code).collect() };
    assert_eq!(codes(&rule("self == oldSelf")), ["no-matching-overload"]);
    assert_eq!(codes(&rule("self != ''")), ["invalid-value"]);
}

#[test]
fn the_key_of_an_audit_annotation_has_no_domain() {
    let annotation =
        "  auditAnnotations:\n    - {key: example.com/team, valueExpression: \"'a'\"}\n";
    let found = findings(&policy(annotation));
    let messages: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
    expect![[r#"
        `example.com/team` is not a qualified name in `spec.auditAnnotations[0].key`. Use letters, digits, `-`, `_` and `.`; begin and end with a letter or a digit. The server adds the name of the policy and `/` in front."#]]
    .assert_eq(&messages.join("\n"));
}
