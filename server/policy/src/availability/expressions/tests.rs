//! Features of expressions that an older server does not have.

use super::Feature;
use crate::recognize_for;
use expect_test::{Expect, expect};
use kubernetes::Target;
use std::fmt::Write as _;

fn policy(expressions: &[&str]) -> String {
    let mut text = "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations:
"
    .to_owned();
    for expression in expressions {
        let _ = writeln!(text, "    - expression: |-\n        {expression}");
    }
    text
}

/// Returns the findings of a document: the part of an expression, its kind, its version, and the
/// message of Kubernetes.
fn told(target: &str, text: &str) -> String {
    let stream = yaml::parse(text.into()).into();
    let target = match target {
        "" => Target::default(),
        target => Target::parse(target).unwrap(),
    };
    let documents = recognize_for(&stream, target).policies;
    let mut out = String::new();
    for (expression, found) in documents[0].unavailable() {
        for unavailable in found {
            let feature = match &unavailable.feature {
                Feature::Function {
                    name,
                    signature: Some(signature),
                } => {
                    let params = signature.params.iter().map(ToString::to_string);
                    format!("{name} {}", params.collect::<Vec<_>>().join(", "))
                }
                Feature::Function { name, .. } => (*name).to_owned(),
                other => format!("{other:?}"),
            };
            let _ = writeln!(
                out,
                "`{}` {} {}: {}",
                expression.ast().slice(unavailable.span),
                feature.trim_end(),
                unavailable.since,
                unavailable.upstream.as_deref().unwrap_or_default()
            );
        }
    }
    out
}

#[track_caller]
fn check(target: &str, expressions: &[&str], expected: &Expect) {
    expected.assert_eq(&told(target, &policy(expressions)));
}

const LATER: [&str; 7] = [
    "isIP(object.a) && object.a != ''",
    "lists.range(3).size() == 3",
    "object.list.sortBy(x, x.y).size() == 1",
    "object.map.all(k, v, k != v.x)",
    "[1, 2].sort() == [1, 2]",
    "quantity('1').isInteger() && format.named('uri').hasValue()",
    "object.list.all(x, x > 0)",
];

#[test]
fn functions_and_macros_are_named_with_the_first_server() {
    check(
        "1.30..1.36",
        &LATER,
        &expect![[r#"
            `isIP` isIP 1.31: undeclared reference to 'isIP' (in container '')
            `lists.range` lists.range 1.35: undeclared reference to 'lists' (in container '')
            `sortBy` Macro { kind: SortBy, variables: 1, is_form: false } 1.35: undeclared reference to 'sortBy' (in container '')
            `all` Macro { kind: All, variables: 2, is_form: true } 1.33: undeclared reference to 'all' (in container '')
            `sort` sort 1.35: undeclared reference to 'sort' (in container '')
            `format.named` format.named 1.32: undeclared reference to 'format' (in container '')
        "#]],
    );
}

#[test]
fn one_old_server_is_enough() {
    check(
        "1.30",
        &LATER[..1],
        &expect![[r#"
        `isIP` isIP 1.31: undeclared reference to 'isIP' (in container '')
    "#]],
    );
}

#[test]
fn a_function_of_the_newest_environment_needs_the_server_after_it() {
    let includes = ["object.list.includes(1)"];
    check(
        "1.36..1.38",
        &includes,
        &expect![[r#"
            `includes` includes 1.38: undeclared reference to 'includes' (in container '')
        "#]],
    );
    check(
        "1.37",
        &includes,
        &expect![[r#"
            `includes` includes 1.38: undeclared reference to 'includes' (in container '')
        "#]],
    );
    check("1.38", &includes, &expect![[""]]);
}

#[test]
fn nothing_is_said_without_a_target_or_with_a_new_one() {
    check("", &LATER, &expect![[""]]);
    check("1.37", &LATER, &expect![[""]]);
    check("1.35..1.36", &LATER, &expect![[""]]);
}

#[test]
fn syntax_and_signatures_differ_too() {
    check(
        "1.27..1.36",
        &[
            "object.?a.hasValue() && {?'a': object[?'b']}.size() == 0",
            "1 < 1.5",
            "object.a < 1.5",
        ],
        &expect![[r#"
            `.?` OptionalSyntax 1.29: unsupported syntax '.?'
            `'a'` OptionalSyntax 1.29: unsupported syntax '?'
            `[?` OptionalSyntax 1.29: unsupported syntax '?'
            `<` _<_ int, double 1.29: found no matching overload for '_<_' applied to '(int, double)'
        "#]],
    );
}

#[test]
fn mistakes_of_every_version_are_no_matter_of_versions() {
    check("1.30..1.36", &["objct.a == nope(1)", "1 +"], &expect![[""]]);
    check(
        "1.30..1.36",
        &["isIP(objct.a)"],
        &expect![[r#"
            `isIP` isIP 1.31: undeclared reference to 'isIP' (in container '')
        "#]],
    );
}

#[test]
fn a_reserved_word_names_a_property_from_1_32_on() {
    let text = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: as.example.com}
spec:
  group: example.com
  names: {kind: A, plural: as}
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                namespace: {type: string}
              x-kubernetes-validations:
                - rule: self.namespace != ''
                - rule: self.__namespace__ != ''
";
    expect![[r#"
        `namespace` Keyword("namespace") 1.32: undefined field 'namespace'
    "#]]
    .assert_eq(&told("1.30..1.36", text));
}

#[test]
fn a_function_behind_a_gate_is_named_where_the_gate_is_off() {
    let selects = [
        "authorizer.group('').resource('pods').fieldSelector('a=b').check('list').allowed()",
        "authorizer.group('').resource('pods').check('list').allowed()",
    ];
    check(
        "1.31",
        &selects,
        &expect![[r#"
            `fieldSelector` fieldSelector 1.32: 
        "#]],
    );
    check("1.32", &selects, &expect![[""]]);
}
