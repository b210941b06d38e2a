//! `eval` and `test` on the rules of CustomResourceDefinitions.

use crate::project::Project;
use expect_test::expect;

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.x.io}
spec:
  group: x.io
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              min: {type: integer}
              max: {type: integer, default: 9}
              parts:
                type: array
                items:
                  type: object
                  properties: {name: {type: string}}
                  x-kubernetes-validations:
                  - {rule: self.name.startsWith('p'), fieldPath: .name}
            x-kubernetes-validations:
            - rule: self.min <= self.max
              messageExpression: \"'min ' + string(self.min) + ' is above max 😀'\"
            - {rule: oldSelf.max <= self.max, message: max never shrinks}
";

const INPUTS: &str = "name: good
object: {apiVersion: x.io/v1, kind: Widget, metadata: {name: a}, spec: {min: 1, parts: [{name: pa}]}}
expect: allow
---
name: bad
object: {apiVersion: x.io/v1, kind: Widget, metadata: {name: a}, spec: {min: 11, parts: [{name: pa}, {name: qa}]}}
expect: {decision: deny, message: 'spec: Invalid value: min 11 is above max 😀'}
---
name: shrinks
object: {apiVersion: x.io/v1, kind: Widget, metadata: {name: a}, spec: {min: 1, max: 2}}
oldObject: {apiVersion: x.io/v1, kind: Widget, metadata: {name: a}, spec: {min: 1, max: 3}}
expect: {decision: deny, messageContains: max never shrinks}
---
name: unreadable
object: {apiVersion: x.io/v1, kind: Widget, metadata: {name: a}, spec: {}}
expect: error
";

fn project(definition: &str, inputs: &str) -> Project {
    Project::new(&[("w.yaml", definition), ("w.inputs.yaml", inputs)])
}

#[test]
fn eval_shows_the_rule_that_does_not_hold_and_its_parts() {
    let run = project(DEFINITION, INPUTS).run(["eval", "w.yaml", "--name", "bad", "--trace"]);
    assert_eq!((run.code, &*run.stderr), (1, ""));
    expect![[r#"
        bad (w.inputs.yaml)
        error: denied: spec.parts[1].name: Invalid value: failed rule: self.name.startsWith('p')
          --> w.yaml:27:28
           |
        27 |                   - {rule: self.name.startsWith('p'), fieldPath: .name}
           |                            ^^^^^^^^^^^^^^^^^^^^^^^^^

        error: denied: spec: Invalid value: min 11 is above max 😀
          --> w.yaml:29:21
           |
        29 |             - rule: self.min <= self.max
           |                     ^^^^^^^^^^^^^^^^^^^^

        spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[parts].items.x-kubernetes-validations[0].rule (line 27, cost 3) = false
          self.name.startsWith('p') = false
            self.name = "qa"
        spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule (line 29, cost 5) = false
          self.min <= self.max = false
            self.min = 11
            self.max = 9
        spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].messageExpression (line 30, cost 7) = "min 11 is above max 😀"
          'min ' + string(self.min) + ' is above max 😀' = "min 11 is above max 😀"
            'min ' + string(self.min) = "min 11"
              string(self.min) = "11"
                self.min = 11

        Denied: CREATE of widgets (x.io/v1) by widgets.x.io (cost 18)
        HTTP 422 Invalid: Widget.x.io "a" is invalid: [spec: Invalid value: min 11 is above max 😀, spec.parts[1].name: Invalid value: failed rule: self.name.startsWith('p')]
    "#]].assert_eq(&run.stdout);
}

#[test]
fn tests_run_and_say_what_they_never_try() {
    let run = project(DEFINITION, INPUTS).run(["test", "w.yaml", "--coverage"]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
    let (report, _) = run.stdout.split_once(" in ").unwrap();
    expect![[r#"
        w.yaml
          ok     good
          ok     bad
          ok     shrinks
          ok     unreadable

        Coverage
           75.0%  w.yaml: 75% (3 of 4) of the expressions, no branches
                   w.yaml:31:22: never true: oldSelf.max <= self.max
           75.0%  all files: 75% (3 of 4) of the expressions, no branches

        4 passed"#]]
    .assert_eq(report);
}

#[test]
fn a_test_that_fails_shows_the_rule() {
    let inputs = INPUTS.replace(
        "expect: {decision: deny, messageContains: max never shrinks}",
        "expect: allow",
    );
    let run = project(DEFINITION, &inputs).run(["test", "w.yaml", "--filter", "shrinks"]);
    assert_eq!(run.code, 1);
    let (report, _) = run.stdout.split_once(" in ").unwrap();
    expect![[r#"
        w.yaml
          FAILED shrinks

        FAILED widgets.x.io/shrinks
        error: expected decision `allow`, but the request is denied
          --> w.inputs.yaml:12:9
           |
        12 | expect: allow
           |         ^^^^^
        note: spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[1].rule does not hold: spec: Invalid value: max never shrinks
          --> w.yaml:31:22
           |
        31 |             - {rule: oldSelf.max <= self.max, message: max never shrinks}
           |                      ^^^^^^^^^^^^^^^^^^^^^^^
            oldSelf.max <= self.max = false
              oldSelf.max = 3
              self.max = 2

        0 passed, 1 failed"#]].assert_eq(report);
}

#[test]
fn an_object_of_another_kind_is_told_apart() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: b}]}}";
    let project = Project::new(&[("w.yaml", DEFINITION), ("pod.yaml", pod)]);
    let run = project.run(["eval", "w.yaml", "--object", "pod.yaml"]);
    let answer = "\
Not matched: widgets.x.io: its rules apply only to created and updated objects of kind `Widget` (line 7)
HTTP 201: allowed
";
    assert_eq!(run.code, 2);
    run.prints(answer);
    expect![[r#"
        error: w.yaml: no policy matches the request
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn a_definition_without_rules_has_a_schema() {
    let (plain, _) = PLAIN.split_once("---\n").unwrap();
    let inputs = "
name: right
object: {apiVersion: x.io/v1, kind: Widget, metadata: {name: w}, spec: {size: 3}}
expect: allow
---
name: wrong
object: {apiVersion: x.io/v1, kind: Widget, metadata: {name: w}, spec: {size: 4}}
expect: deny
";
    let project = Project::new(&[("w.yaml", plain), ("w.inputs.yaml", inputs)]);
    let run = project.run(["eval", "w.yaml"]);
    expect![[r#"
        right (w.inputs.yaml)
        Allowed: CREATE of widgets (x.io/v1) by widgets.x.io (cost 0)
        HTTP 201: allowed

        wrong (w.inputs.yaml)
        error: denied: spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3
         --> w.yaml:3:7
          |
        3 | kind: CustomResourceDefinition
          |       ^^^^^^^^^^^^^^^^^^^^^^^^

        Denied: CREATE of widgets (x.io/v1) by widgets.x.io (cost 0)
        HTTP 422 Invalid: Widget.x.io "w" is invalid: spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3
    "#]].assert_eq(&run.stdout);
    assert_eq!((run.code, &*run.stderr), (1, ""));
    let run = project.run(["test", "w.yaml"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: b}]}}";
    let project = Project::new(&[("w.yaml", plain), ("pod.yaml", pod)]);
    let run = project.run(["eval", "w.yaml", "--object", "pod.yaml"]);
    let answer = "\
Not matched: widgets.x.io: its rules apply only to created and updated objects of kind `Widget` (line 8)
HTTP 201: allowed
";
    assert_eq!(run.code, 2);
    run.prints(answer);
}

/// A definition without rules, and a policy for its kind.
const PLAIN: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.x.io}
spec:
  group: x.io
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, maximum: 3}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [x.io], apiVersions: [v1], operations: ['*'], resources: [widgets]}]
  validations: [{expression: object.spec.size > 0}]
";

#[test]
fn an_object_that_its_definition_rejects_has_an_answer() {
    let object = "{apiVersion: x.io/v1, kind: Widget, metadata: {name: w}, spec: {size: 4}}";
    let project = Project::new(&[("p.yaml", PLAIN), ("o.yaml", object)]);
    let run = project.run(["eval", "p.yaml", "--object", "o.yaml"]);
    expect![[r#"
        error: denied: spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3
         --> p.yaml:3:7
          |
        3 | kind: CustomResourceDefinition
          |       ^^^^^^^^^^^^^^^^^^^^^^^^

        Denied: CREATE of widgets (x.io/v1) by widgets.x.io (cost 0)
        HTTP 422 Invalid: Widget.x.io "w" is invalid: spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3
    "#]].assert_eq(&run.stdout);
    assert_eq!((run.code, &*run.stderr), (1, ""));
    let run = project.run(["eval", "p.yaml", "--object", "o.yaml", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let cause = json.pointer("/inputs/0/response/causes/0/field");
    assert_eq!(cause.and_then(|it| it.as_str()), Some("spec.size"));
}

#[test]
fn each_input_has_its_own_answer() {
    let inputs = "
name: matched
object: {apiVersion: x.io/v1, kind: Widget, metadata: {name: w}, spec: {size: 1}}
---
name: other
object: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
---
name: rejected
object: {apiVersion: x.io/v1, kind: Widget, metadata: {name: w}, spec: {size: many}}
";
    let project = Project::new(&[("p.yaml", PLAIN), ("i.yaml", inputs)]);
    let run = project.run(["eval", "p.yaml", "--input", "i.yaml"]);
    assert_eq!((run.code, &*run.stderr), (1, ""));
    expect![[r#"
        matched (i.yaml)
        Allowed: CREATE of widgets (x.io/v1) by p (no binding found, assuming Deny; cost 4)
        Allowed: CREATE of widgets (x.io/v1) by widgets.x.io (cost 0)
        HTTP 201: allowed

        other (i.yaml)
        Not matched: policy p: no rule matches CREATE of configmaps (v1) (line 24)
        HTTP 201: allowed
        note: not validated here: the total size

        rejected (i.yaml)
        error: denied: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"
         --> p.yaml:3:7
          |
        3 | kind: CustomResourceDefinition
          |       ^^^^^^^^^^^^^^^^^^^^^^^^

        Denied: CREATE of widgets (x.io/v1) by widgets.x.io (cost 0)
        HTTP 422 Invalid: Widget.x.io "w" is invalid: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"
    "#]].assert_eq(&run.stdout);
}

#[test]
fn definitions_outside_of_the_project_validate_its_objects() {
    let definition = DEFINITION
        .replace("Widget, plural: widgets", "Gateway, plural: gateways")
        .replace("widgets.x.io", "gateways.x.io");
    let policy = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [x.io], apiVersions: [v1], operations: [CREATE], resources: [gateways]}
  validations:
  - {expression: object.spec.max == 9, message: no default}
";
    let inputs = INPUTS.replace("Widget", "Gateway");
    let project = Project::new(&[
        ("crds/crd.yaml", &*definition),
        ("project/admissible.toml", "schemas = ['../crds']\n"),
        ("project/p.yaml", policy),
        ("project/p.inputs.yaml", &inputs),
    ]);
    let run = project.run(["eval", "project/p.yaml", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let responses = report["inputs"].as_array().unwrap().iter();
    let messages = responses.map(|it| it["response"]["message"].as_str().unwrap_or("none"));
    expect![[r#"
        [
            "none",
            "Gateway.x.io \"a\" is invalid: [spec: Invalid value: min 11 is above max 😀, spec.parts[1].name: Invalid value: failed rule: self.name.startsWith('p')]",
            "Gateway.x.io \"a\" is invalid: spec: Invalid value: max never shrinks",
            "Gateway.x.io \"a\" is invalid: spec: Invalid value: \"object\": no such key: min evaluating rule: self.min <= self.max",
        ]
    "#]]
    .assert_debug_eq(&messages.collect::<Vec<_>>());
}

#[test]
fn a_version_that_is_not_served_is_not_validated() {
    let definition = DEFINITION.replace("served: true", "served: false");
    let run = project(&definition, INPUTS).run(["eval", "w.yaml", "--name", "bad"]);
    expect![[r#"
        bad (w.inputs.yaml)
        Not matched: widgets.x.io: its rules apply only to created and updated objects of kind `Widget` (line 7)
        HTTP 404 NotFound: the server could not find the requested resource
    "#]].assert_eq(&run.stdout);
}
