//! Names that Kubernetes knows are silent, and all others are found.

use super::*;
use crate::recognise;
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::Arc;

/// The problems and the failures of every expression of a document.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let found = recognise(&Arc::new(yaml::parse(text.into())));
    let policy = &found.policies[0];
    let mut shown = String::new();
    for (expression, checked) in policy.expressions().iter().zip(policy.checked()) {
        let result = checked.result.as_deref().unwrap_or("?");
        writeln!(shown, "{} -> {result}", expression.text()).unwrap();
        for problem in &checked.problems {
            let at = problem.span.slice(expression.text());
            writeln!(shown, "  {at}: {}", describe(&problem.kind)).unwrap();
        }
        for (offset, message) in &checked.failures {
            writeln!(shown, "  {offset}: {message}").unwrap();
        }
    }
    expected.assert_eq(&shown);
}

fn describe(kind: &ProblemKind) -> String {
    match kind {
        ProblemKind::UndefinedField {
            receiver: Receiver::Object(ty),
            nearest,
            ..
        } => format!("undefined in {}, nearest {nearest:?}", ty.name),
        other => format!("{other:?}"),
    }
}

fn validating(spec: &str, expressions: &[&str]) -> String {
    let mut text = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nspec:\n{spec}"
    );
    text.push_str("  validations:\n");
    for expression in expressions {
        writeln!(text, "  - expression: {expression:?}").unwrap();
    }
    text
}

#[test]
fn names_and_functions_that_exist_are_silent() {
    let text = validating(
        "  variables: [{name: limit, expression: '5'}]\n",
        &[
            "object.spec.replicas <= variables.limit",
            "type(object.x) == int || type(object.x) == google.protobuf.Timestamp",
            "object.spec.containers.all(c, c.image.startsWith('a'))",
            "[1, 2].exists(i, v, i == v) && optional.of(1).hasValue()",
            "request.userInfo.groups.exists(g, g == 'a')",
            "authorizer.requestResource.check('get').allowed()",
            "ip.isCanonical('1.2.3.4') && namespaceObject.metadata.labels['a'] == 'b'",
            "oldObject == null || !has(object.a.b)",
        ],
    );
    check(
        &text,
        &expect![[r#"
            5 -> int
            object.spec.replicas <= variables.limit -> bool
            type(object.x) == int || type(object.x) == google.protobuf.Timestamp -> bool
            object.spec.containers.all(c, c.image.startsWith('a')) -> bool
            [1, 2].exists(i, v, i == v) && optional.of(1).hasValue() -> bool
            request.userInfo.groups.exists(g, g == 'a') -> bool
            authorizer.requestResource.check('get').allowed() -> bool
            ip.isCanonical('1.2.3.4') && namespaceObject.metadata.labels['a'] == 'b' -> bool
            oldObject == null || !has(object.a.b) -> bool
        "#]],
    );
}

#[test]
fn names_that_do_not_exist_are_found() {
    let text = validating(
        "",
        &[
            "objct.spec.x && params.y && self.z",
            "object.spec.list.all(c, d.x) && c.y",
            "request.user.name == request.userInfo.nam",
            "namespaceObject.metadata.ownerReferences == []",
        ],
    );
    check(
        &text,
        &expect![[r#"
        objct.spec.x && params.y && self.z -> bool
          objct: UndeclaredName { name: "objct", absence: None, nearest: Some("object") }
          params: UndeclaredName { name: "params", absence: Some(NoParamKind), nearest: None }
          self: UndeclaredName { name: "self", absence: Some(OnlyInCrd), nearest: None }
          0: undeclared reference to 'objct' (in container '')
          16: undeclared reference to 'params' (in container '')
          28: undeclared reference to 'self' (in container '')
        object.spec.list.all(c, d.x) && c.y -> bool
          d: UndeclaredName { name: "d", absence: None, nearest: None }
          c: UndeclaredName { name: "c", absence: None, nearest: None }
          24: undeclared reference to 'd' (in container '')
          32: undeclared reference to 'c' (in container '')
        request.user.name == request.userInfo.nam -> bool
          user: undefined in kubernetes.AdmissionRequest, nearest None
          nam: undefined in kubernetes.UserInfo, nearest None
          7: undefined field 'user'
          37: undefined field 'nam'
        namespaceObject.metadata.ownerReferences == [] -> bool
          ownerReferences: undefined in kubernetes.NamespaceMetadata, nearest None
          24: undefined field 'ownerReferences'
    "#]],
    );
}

#[test]
fn functions_and_types_that_do_not_exist_are_found() {
    let text = validating(
        "",
        &[
            "object.foo() || bar(nope) || strings.qoute('a')",
            "Object{spec: nope} == foo.Bar{}",
        ],
    );
    check(
        &text,
        &expect![[r#"
        object.foo() || bar(nope) || strings.qoute('a') -> bool
          foo: UndeclaredFunction { name: "foo", nearest: None }
          nope: UndeclaredName { name: "nope", absence: None, nearest: None }
          bar: UndeclaredFunction { name: "bar", nearest: None }
          strings.qoute: UndeclaredFunction { name: "strings.qoute", nearest: Some("strings.quote") }
          10: undeclared reference to 'foo' (in container '')
          20: undeclared reference to 'nope' (in container '')
          19: undeclared reference to 'bar' (in container '')
          29: undeclared reference to 'strings' (in container '')
          42: undeclared reference to 'qoute' (in container '')
        Object{spec: nope} == foo.Bar{} -> bool
          Object: UndeclaredType { name: "Object", absence: Some(OnlyInMutation) }
          foo.Bar: UndeclaredType { name: "foo.Bar", absence: None }
          6: undeclared reference to 'Object' (in container '')
          29: undeclared reference to 'foo.Bar' (in container '')
    "#]],
    );
}

#[test]
fn a_variable_sees_those_above_it() {
    let text = validating(
        "  variables:
  - {name: a, expression: variables.b}
  - {name: b, expression: request.userInfo}
  - {name: c, expression: variables.b.nme}
",
        &["variables.b.username == variables['a']", "variables.c"],
    );
    check(
        &text,
        &expect![[r#"
            variables.b -> ?
              b: UndefinedField { name: "b", receiver: Variables, nearest: None }
              9: undefined field 'b'
            request.userInfo -> kubernetes.UserInfo
            variables.b.nme -> ?
              nme: undefined in kubernetes.UserInfo, nearest None
              11: undefined field 'nme'
            variables.b.username == variables['a'] -> bool
              'a': IndexedVariables { name: "a" }
              33: found no matching overload for '_[_]' applied to '(kubernetes.variables, string)'
            variables.c -> ?
        "#]],
    );
}

#[test]
fn escaped_names_fail_at_admission_where_nothing_is_escaped() {
    let text = validating(
        "  paramKind: {apiVersion: v1, kind: ConfigMap}\n",
        &[
            "object.data.a__dot__b == 'x' && object.metadata.__namespace__ == 'y'",
            "params.data.x__dash__y == object.a__b && has(oldObject.x__slash__y)",
            "object.list.exists(e, e.a__dot__b == 1) && object['a__dot__b'] == 1",
        ],
    );
    check(
        &text,
        &expect![[r#"
            object.data.a__dot__b == 'x' && object.metadata.__namespace__ == 'y' -> bool
              a__dot__b: EscapedAtAdmission { name: "a__dot__b", property: "a.b" }
              __namespace__: EscapedAtAdmission { name: "__namespace__", property: "namespace" }
            params.data.x__dash__y == object.a__b && has(oldObject.x__slash__y) -> bool
              x__dash__y: EscapedAtAdmission { name: "x__dash__y", property: "x-y" }
              x__slash__y: EscapedAtAdmission { name: "x__slash__y", property: "x/y" }
            object.list.exists(e, e.a__dot__b == 1) && object['a__dot__b'] == 1 -> bool
              a__dot__b: EscapedAtAdmission { name: "a__dot__b", property: "a.b" }
        "#]],
    );
}

/// A definition whose `spec` has these rules.
fn definition(rules: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations:
        - {{rule: 'self.metadata.name == self.kind && self.metadata.labels == self.spec'}}
        properties:
          spec:
            type: object
            properties:
              x-dash: {{type: string}}
              disk__gb: {{type: integer}}
              a.b: {{type: boolean}}
              'a b': {{type: boolean}}
              namespace: {{type: string}}
              when: {{type: string, format: date-time}}
              list: {{type: array, items: {{type: object, properties: {{name: {{type: string}}}}}}}}
              map: {{type: object, additionalProperties: {{type: integer}}}}
              any: {{type: object, x-kubernetes-preserve-unknown-fields: true}}
              port: {{x-kubernetes-int-or-string: true}}
              untyped: {{x-kubernetes-preserve-unknown-fields: true}}
            x-kubernetes-validations:
{rules}"
    )
}

#[test]
fn rules_name_properties_by_their_escaped_names() {
    let rules = "
            - {rule: 'self.x__dash__dash'}
            - {rule: 'self.x__dash__dash == self.x-dash'}
            - {rule: 'self.namespace == self.__namespace__ && self.x__dot__y'}
            - {rule: \"self['a.b'] && self['a b'] && self.a__dot__b\"}
            - {rule: 'self.disk__gb == self.disk__underscores__gb'}
";
    check(
        &definition(rules),
        &expect![[r#"
            self.metadata.name == self.kind && self.metadata.labels == self.spec -> bool
              labels: UndefinedField { name: "labels", receiver: Metadata, nearest: None }
              48: undefined field 'labels'
            self.x__dash__dash -> string
            self.x__dash__dash == self.x-dash -> bool
              x-dash: Unescaped { property: "x-dash", identifier: Some("x__dash__dash") }
              26: undefined field 'x'
              29: undeclared reference to 'dash' (in container '')
            self.namespace == self.__namespace__ && self.x__dot__y -> bool
              x__dot__y: UndefinedField { name: "x__dot__y", receiver: Schema, nearest: Some("a__dot__b") }
              44: undefined field 'x__dot__y'
            self['a.b'] && self['a b'] && self.a__dot__b -> bool
              'a.b': Unescaped { property: "a.b", identifier: Some("a__dot__b") }
              'a b': Unescaped { property: "a b", identifier: None }
            self.disk__gb == self.disk__underscores__gb -> bool
              disk__gb: Unescaped { property: "disk__gb", identifier: Some("disk__underscores__gb") }
              4: undefined field 'disk__gb'
        "#]],
    );
}

#[test]
fn rules_know_the_types_of_their_schema() {
    let rules = "
            - {rule: 'self.list.all(e, e.nam != e.name) && self.list[0].x && self.list.filter(e, true)[0].y'}
            - {rule: 'self.map.foo > self.map[\"bar\"] && self.any.foo == 1 && self.port == 1 && self.untyped == 1'}
            - {rule: 'self.when', messageExpression: 'oldSelf.xDash'}
            - {rule: 'oldSelf.hasValue() && oldSelf.foo', optionalOldSelf: true}
            - {rule: 'object.x == 1'}
";
    check(
        &definition(rules),
        &expect![[r#"
            self.metadata.name == self.kind && self.metadata.labels == self.spec -> bool
              labels: UndefinedField { name: "labels", receiver: Metadata, nearest: None }
              48: undefined field 'labels'
            self.list.all(e, e.nam != e.name) && self.list[0].x && self.list.filter(e, true)[0].y -> bool
              nam: UndefinedField { name: "nam", receiver: Schema, nearest: Some("name") }
              x: UndefinedField { name: "x", receiver: Schema, nearest: None }
              y: UndefinedField { name: "y", receiver: Schema, nearest: None }
              18: undefined field 'nam'
              49: undefined field 'x'
              83: undefined field 'y'
            self.map.foo > self.map["bar"] && self.any.foo == 1 && self.port == 1 && self.untyped == 1 -> bool
              foo: UndefinedField { name: "foo", receiver: Schema, nearest: None }
              untyped: UndefinedField { name: "untyped", receiver: Schema, nearest: None }
              42: undefined field 'foo'
              77: undefined field 'untyped'
            self.when -> google.protobuf.Timestamp
            oldSelf.xDash -> ?
              xDash: UndefinedField { name: "xDash", receiver: Schema, nearest: None }
              7: undefined field 'xDash'
            oldSelf.hasValue() && oldSelf.foo -> bool
            object.x == 1 -> bool
              object: UndeclaredName { name: "object", absence: Some(NotInCrd), nearest: None }
              0: undeclared reference to 'object' (in container '')
        "#]],
    );
}
