//! The rules of CustomResourceDefinitions on the objects of a dump.

use super::{NO_LATEST, lines, policy};
use crate::project::Project;
use expect_test::expect;
use serde_json::{Value, json};

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.x.io}
spec:
  group: x.io
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets}
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
              size: {type: integer, default: 7}
              rules: {type: array, items: {type: object, properties: {port: {type: integer}}}}
            x-kubernetes-validations:
            - {rule: self.size < 10, message: too large}
            - {rule: self.size >= oldSelf.size, message: smaller than before}
            - {rule: 'self.rules.all(it, it.port > 0)', message: no port}
";

fn gadget(name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "x.io/v1", "kind": "Gadget",
        "metadata": {"name": name, "namespace": "shop"}, "spec": spec,
    })
}

#[test]
fn the_rules_of_a_definition_are_tried_as_on_a_creation() {
    let gadgets = [
        gadget("good", &json!({"rules": []})),
        gadget("large", &json!({"size": 11, "rules": [{"port": 0}]})),
        gadget("without", &json!({"size": 1})),
        json!({"apiVersion": "x.io/v1", "kind": "Other", "metadata": {"name": "other"}}),
    ];
    let policies = DEFINITION.to_owned() + "---\n" + &policy("tags", "UPDATE", NO_LATEST);
    let project = Project::new(&[("p.yaml", policies), ("gadgets.ndjson", lines(&gadgets))]);
    let run = project.run(["replay", "p.yaml", "gadgets.ndjson"]);
    assert_eq!((run.code, &*run.stderr), (1, ""));
    expect![[r#"
        denied by gadgets.x.io: spec: Invalid value: too large
          Gadget shop/large  gadgets.ndjson:2:1

        denied by gadgets.x.io: spec: Invalid value: no port
          Gadget shop/large  gadgets.ndjson:2:1

        denied by gadgets.x.io: spec: Invalid value: "object": no such key: rules evaluating rule: no port
          Gadget shop/without  gadgets.ndjson:3:1

        Policy        matched  denied  warned  audited  mutated  failed  skipped
        gadgets.x.io        3       2       0        0        0       0        0
        tags                0       0       0        0        0       0        0

        note: no binding found for tags, assuming Deny for everything
        4 objects: 2 denied
    "#]].assert_eq(&run.stdout);
    for operation in ["update", "delete"] {
        let run = project.run([
            "replay",
            "-q",
            "p.yaml",
            "gadgets.ndjson",
            "--operation",
            operation,
        ]);
        assert_eq!((run.code, &*run.stdout), (0, ""));
    }
}

#[test]
fn a_rule_that_does_not_compile_is_a_problem() {
    let broken = DEFINITION.replace("self.size < 10", "self.sise < 10");
    let project = Project::new(&[("p.yaml", &*broken), ("gadgets.ndjson", "")]);
    let run = project.run(["replay", "p.yaml", "gadgets.ndjson"]);
    assert_eq!(run.code, 2);
    expect![[r#"
        error: the API server rejects the expression: undefined field 'sise'
          --> p.yaml:22:22
           |
        22 |             - {rule: self.sise < 10, message: too large}
           |                      ^^^^^^^^^^^^^^

    "#]]
    .assert_eq(&run.stderr);
}
