//! Generated inputs for CRD validation rules.

use super::{check_policy, written};
use expect_test::expect;

const DEFINITION: &str = r#"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.x.io}
spec:
  group: x.io
  scope: Cluster
  names: {kind: App, plural: apps}
  versions:
  - name: v1alpha1
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object, x-kubernetes-validations: [{rule: 'false'}]}}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations:
        - {rule: "self.metadata.name.startsWith('app-')", message: starts with app-}
        properties:
          spec:
            type: object
            required: [mode, image]
            x-kubernetes-validations:
            - rule: "self.mode == 'static' ? has(self.replicas) : !has(self.replicas)"
            - rule: >-
                '😀' != '' && self.image.matches('^registry.example.com/')
                && self.ports.all(p, p.port > 1023)
            - rule: "has(self.namespace) && self.namespace != 'kube-system'"
            properties:
              mode: {type: string, enum: [auto, static]}
              namespace: {type: string}
              image: {type: string}
              replicas: {type: integer, x-kubernetes-validations: [{rule: self % 2 == 1}]}
              ports: {type: array, items: {type: object, properties: {port: {type: integer}}, x-kubernetes-validations: [{rule: self.port != 9090}]}}
              limits: {type: object, additionalProperties: {type: string, x-kubernetes-validations: [{rule: self.endsWith('Mi')}]}}
"#;

#[test]
fn an_object_meets_the_rules_of_its_version() {
    check_policy(
        DEFINITION,
        &expect![[r#"
            name: allowed by apps.x.io
            object:
              apiVersion: x.io/v1
              kind: App
              metadata:
                name: app-example
              spec:
                image: registry.example.com/app:1.0
                mode: auto
                namespace: example
                ports:
                - port: 1024
            request:
              operation: CREATE
            expect:
              decision: allow
            ---
            @@ -1 +1 @@
            -name: allowed by apps.x.io
            +name: denied by apps.x.io
            @@ -6 +6 @@
            -    name: app-example
            +    name: example
            @@ -16 +16,2 @@
            -  decision: allow
            +  decision: deny
            +  message: "<nil>: Invalid value: starts with app-"
        "#]],
    );
}

#[test]
fn a_transition_rule_needs_an_update() {
    let crd = DEFINITION.replace(
        "self.metadata.name.startsWith('app-')",
        "self.spec.image == oldSelf.spec.image",
    );
    let text = written(&crd, 0).unwrap();
    assert_eq!(text.matches("operation: UPDATE").count(), 2, "{text}");
    assert!(text.contains("decision: allow"), "{text}");
    assert!(text.contains("decision: deny"), "{text}");
}

#[test]
fn the_schema_of_a_definition_without_rules_decides() {
    let schema = DEFINITION.replace("x-kubernetes-validations", "x-other");
    let text = written(&schema, 0).unwrap();
    expect![[r#"
        name: allowed by apps.x.io
        object:
          apiVersion: x.io/v1
          kind: App
          metadata:
            name: example
          spec:
            image: registry.example.com/app:1.0
            mode: auto
        request:
          operation: CREATE
        expect:
          decision: allow
        ---
        name: denied by apps.x.io
        object:
          apiVersion: x.io/v1
          kind: App
          metadata:
            name: example
          spec:
            image: 1
            mode: auto
        request:
          operation: CREATE
        expect:
          decision: deny
          message: "spec.image: Invalid value: \"integer\": spec.image in body must be of type string: \"integer\""
    "#]].assert_eq(&text);
}
