//! The compiler's errors and the details that messages add to them.

use crate::recognize;
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::Arc;

/// Prints the type and the problems of every expression of a document.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let policy = &found.policies[0];
    let mut shown = String::new();
    for (expression, checked) in policy.expressions().iter().zip(policy.all_checked()) {
        let result = checked.answer().output_type();
        writeln!(shown, "{} -> {result}", expression.text()).unwrap();
        for problem in checked.problems() {
            let at = problem.span.slice(expression.text());
            let words = problem.upstream.as_deref().unwrap_or("-");
            writeln!(shown, "  {at}: {:?}: {words}", problem.kind).unwrap();
        }
    }
    expected.assert_eq(&shown);
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
              objct: UndeclaredName { name: "objct", absence: None, nearest: Some("object") }: undeclared reference to 'objct' (in container '')
              params: UndeclaredName { name: "params", absence: Some(NoParamKind), nearest: None }: undeclared reference to 'params' (in container '')
              self: UndeclaredName { name: "self", absence: Some(OnlyInCrd), nearest: None }: undeclared reference to 'self' (in container '')
            object.spec.list.all(c, d.x) && c.y -> bool
              d: UndeclaredName { name: "d", absence: None, nearest: None }: undeclared reference to 'd' (in container '')
              c: UndeclaredName { name: "c", absence: None, nearest: None }: undeclared reference to 'c' (in container '')
            request.user.name == request.userInfo.nam -> bool
              user: UndefinedField { name: "user", receiver: Object("kubernetes.AdmissionRequest"), nearest: None }: undefined field 'user'
              nam: UndefinedField { name: "nam", receiver: Object("kubernetes.UserInfo"), nearest: None }: undefined field 'nam'
            namespaceObject.metadata.ownerReferences == [] -> bool
              ownerReferences: UndefinedField { name: "ownerReferences", receiver: Object("kubernetes.NamespaceMetadata"), nearest: None }: undefined field 'ownerReferences'
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
              foo: UndeclaredFunction { name: "foo", nearest: None }: undeclared reference to 'foo' (in container '')
              bar: UndeclaredFunction { name: "bar", nearest: None }: undeclared reference to 'bar' (in container '')
              nope: UndeclaredName { name: "nope", absence: None, nearest: None }: undeclared reference to 'nope' (in container '')
              strings.qoute: UndeclaredFunction { name: "strings.qoute", nearest: Some("strings.quote") }: undeclared reference to 'qoute' (in container '')
            Object{spec: nope} == foo.Bar{} -> bool
              Object: UndeclaredType { name: "Object", absence: Some(OnlyInMutation) }: undeclared reference to 'Object' (in container '')
              foo.Bar: UndeclaredType { name: "foo.Bar", absence: None }: undeclared reference to 'foo.Bar' (in container '')
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
            variables.b -> !error!
              b: UndefinedField { name: "b", receiver: Variables, nearest: None }: undefined field 'b'
            request.userInfo -> kubernetes.UserInfo
            variables.b.nme -> dyn
            variables.b.username == variables['a'] -> bool
              'a': IndexedVariables { name: "a" }: found no matching overload for '_[_]' applied to '(kubernetes.variables, string)'
            variables.c -> dyn
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
              a__dot__b: EscapedAtAdmission { name: "a__dot__b", property: "a.b" }: -
              __namespace__: EscapedAtAdmission { name: "__namespace__", property: "namespace" }: -
            params.data.x__dash__y == object.a__b && has(oldObject.x__slash__y) -> bool
              x__dash__y: EscapedAtAdmission { name: "x__dash__y", property: "x-y" }: -
              x__slash__y: EscapedAtAdmission { name: "x__slash__y", property: "x/y" }: -
            object.list.exists(e, e.a__dot__b == 1) && object['a__dot__b'] == 1 -> bool
              a__dot__b: EscapedAtAdmission { name: "a__dot__b", property: "a.b" }: -
        "#]],
    );
}

/// Returns a definition whose `spec` has these rules.
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
              labels: UndefinedField { name: "labels", receiver: Metadata, nearest: None }: undefined field 'labels'
            self.x__dash__dash -> string
            self.x__dash__dash == self.x-dash -> bool
              x-dash: Unescaped { property: "x-dash", identifier: Some("x__dash__dash") }: undefined field 'x'
            self.namespace == self.__namespace__ && self.x__dot__y -> bool
              x__dot__y: UndefinedField { name: "x__dot__y", receiver: Schema, nearest: Some("a__dot__b") }: undefined field 'x__dot__y'
            self['a.b'] && self['a b'] && self.a__dot__b -> bool
              'a.b': Unescaped { property: "a.b", identifier: Some("a__dot__b") }: found no matching overload for '_[_]' applied to '(selfType, string)'
              'a b': Unescaped { property: "a b", identifier: None }: found no matching overload for '_[_]' applied to '(selfType, string)'
            self.disk__gb == self.disk__underscores__gb -> bool
              disk__gb: Unescaped { property: "disk__gb", identifier: Some("disk__underscores__gb") }: undefined field 'disk__gb'
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
              labels: UndefinedField { name: "labels", receiver: Metadata, nearest: None }: undefined field 'labels'
            self.list.all(e, e.nam != e.name) && self.list[0].x && self.list.filter(e, true)[0].y -> bool
              nam: UndefinedField { name: "nam", receiver: Schema, nearest: Some("name") }: undefined field 'nam'
              x: UndefinedField { name: "x", receiver: Schema, nearest: None }: undefined field 'x'
              y: UndefinedField { name: "y", receiver: Schema, nearest: None }: undefined field 'y'
            self.map.foo > self.map["bar"] && self.any.foo == 1 && self.port == 1 && self.untyped == 1 -> bool
              foo: UndefinedField { name: "foo", receiver: Schema, nearest: None }: undefined field 'foo'
              untyped: UndefinedField { name: "untyped", receiver: Schema, nearest: None }: undefined field 'untyped'
            self.when -> timestamp
            oldSelf.xDash -> !error!
              xDash: UndefinedField { name: "xDash", receiver: Schema, nearest: None }: undefined field 'xDash'
            oldSelf.hasValue() && oldSelf.foo -> !error!
              foo: UndefinedField { name: "foo", receiver: Schema, nearest: None }: undefined field 'foo'
            object.x == 1 -> bool
              object: UndeclaredName { name: "object", absence: Some(NotInCrd), nearest: None }: undeclared reference to 'object' (in container '')
        "#]],
    );
}

#[test]
fn overloads_and_constants_are_checked() {
    let text = validating(
        "  variables: [{name: names, expression: 'object.spec.list.map(e, e.name)'}]\n",
        &[
            "1 + 'a' == 2",
            "object.name.matches('[') && duration('1x') == duration('1h')",
            "'%d'.format(['a']) == 'a'",
            "variables.names + 1 == 2 && variables.names.size().foo",
            "1.all(x, true) && request.dryRun.x",
        ],
    );
    check(
        &text,
        &expect![[r#"
        object.spec.list.map(e, e.name) -> list(dyn)
        1 + 'a' == 2 -> bool
          1 + 'a': Other(NoMatchingOverload { function: "_+_", args: [Int, String], member: false }): found no matching overload for '_+_' applied to '(int, string)'
        object.name.matches('[') && duration('1x') == duration('1h') -> bool
          '[': Other(InvalidArgument { function: "matches" }): invalid matches argument
          '1x': Other(InvalidArgument { function: "duration" }): invalid duration argument
        '%d'.format(['a']) == 'a' -> bool
          'a': Other(Format { message: "error during formatting: decimal clause can only be used on integers, was given string" }): error during formatting: decimal clause can only be used on integers, was given string
        variables.names + 1 == 2 && variables.names.size().foo -> bool
          variables.names + 1: Other(NoMatchingOverload { function: "_+_", args: [List(Dyn), Int], member: false }): found no matching overload for '_+_' applied to '(list(dyn), int)'
          foo: Other(NoFields { ty: Int, field: "foo" }): type 'int' does not support field selection
        1.all(x, true) && request.dryRun.x -> bool
          1: Other(NotARange { ty: Int }): expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)
          x: Other(NoFields { ty: Bool, field: "x" }): type 'bool' does not support field selection
    "#]],
    );
}

#[test]
fn a_variable_that_does_not_compile_is_anything() {
    let text = validating(
        "  variables: [{name: bad, expression: \"1 + 'a'\"}, {name: worse, expression: '1 +'}]\n",
        &["variables.bad.x == 1 && variables.worse == 'a'"],
    );
    check(
        &text,
        &expect![[r#"
        1 + 'a' -> !error!
          1 + 'a': Other(NoMatchingOverload { function: "_+_", args: [Int, String], member: false }): found no matching overload for '_+_' applied to '(int, string)'
        1 + -> int
        variables.bad.x == 1 && variables.worse == 'a' -> bool
    "#]],
    );
}

#[test]
fn an_expression_that_cannot_be_read_has_no_other_problem() {
    check(
        &validating("", &["objct.spec. && nope(1) + 'a'"]),
        &expect![[r#"
        objct.spec. && nope(1) + 'a' -> !error!
    "#]],
    );
}
