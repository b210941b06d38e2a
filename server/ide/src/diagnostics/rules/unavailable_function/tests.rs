//! Functions and syntax that an older server does not support.

use crate::fixture::{changes, check_diagnostics, fixed, report, untyped_policy as policy};
use expect_test::expect;

/// Returns a policy for the servers of `target`, some of which may not serve the kind.
fn policy_for(target: &str, rest: &str) -> String {
    let silence = if target.starts_with("1.28") {
        "# admissible: ignore[unavailable-api-version]\n"
    } else {
        ""
    };
    format!("# kubernetes = \"{target}\"\n{silence}{}", policy(rest))
}

const LATER: &str = "
  variables:
    - name: address
      expression: object.spec.address
  validations:
    - expression: isIP(variables.address) && quantity('1').isInteger()
                 #^^^^ error[unavailable-function]: `isIP` is available in new expressions as of Kubernetes 1.31. The oldest target version is 1.30.
    - expression: lists.range(3).size() == 3
                 #^^^^^^^^^^^ error[unavailable-function]: as of Kubernetes 1.35
    - expression: object.map.all(k, v, k != v)
                            #^^^ error[unavailable-function]: `all` with two variables is available in new expressions as of Kubernetes 1.33
    - expression: object.list.sortBy(x, x.y).size() == 1
                             #^^^^^^ error[unavailable-function]: `sortBy` is available
    - expression: object.list.all(x, x > 0) && sets.contains([1], [1])
";

#[test]
fn a_range_is_held_to_its_oldest_server() {
    check_diagnostics(&policy_for("1.30..1.36", LATER));
}

#[test]
fn a_range_of_which_no_server_has_it_is_told_the_same() {
    check_diagnostics(&policy_for(
        "1.30",
        "
  validations:
    - expression: isIP(object.spec.address)
                 #^^^^ error[unavailable-function]: as of Kubernetes 1.31. The target version is 1.30.
    - expression: object.map.all(k, v, k != v)
                            #^^^ error[unavailable-function]: 1.33
    - expression: object.map.all(k, v, k != w)
                            #^^^ error[unavailable-function]: 1.33
                                           #^ error[unknown-name]
",
    ));
    check_diagnostics(&policy_for("1.28..1.29", "
  validations:
    - expression: sets.contains([1], [1])
                 #^^^^^^^^^^^^^ error[unavailable-function]: as of Kubernetes 1.30. The oldest target version is 1.28.
"));
}

#[test]
fn who_has_set_nothing_hears_nothing() {
    let text = policy(
        "
  validations:
    - expression: isIP(object.a) && lists.range(3).size() == 3
",
    );
    check_diagnostics(&text);
    check_diagnostics(&format!("# kubernetes = \"1.37\"\n{text}"));
    check_diagnostics(&format!("# kubernetes = \"1.35..1.37\"\n{text}"));
}

#[test]
fn what_no_server_knows_is_another_mistake() {
    check_diagnostics(&policy_for(
        "1.30..1.36",
        "
  validations:
    - expression: object.name.endWith('a') || isip(object.a)
                             #^^^^^^^ error[unknown-function]: Did you mean `endsWith`?
                                             #^^^^ error[unknown-function]
",
    ));
}

#[test]
fn syntax_and_signatures_are_told_apart() {
    check_diagnostics(&policy_for("1.28..1.36", "
  validations:
    - expression: object.?a.b == optional.none()
                       #^^ error[unavailable-function]: Optional fields and elements
                                #^^^^^^^^^^^^^ error[unavailable-function]: `optional.none`
    - expression: size(object.a) < 1.5
                                #^ error[unavailable-function]: `int < double` is available in new expressions as of Kubernetes 1.29
"));
}

const DEFINITION: &str = "\
# kubernetes = \"1.30..1.36\"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: demos.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Demo, plural: demos, singular: demo, listKind: DemoList}
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
              required: [namespace]
              properties:
                namespace: {type: string, maxLength: 63}
              x-kubernetes-validations:
                - rule: \"self.namespace != '\\u00e9'\"
";

#[test]
fn a_reserved_word_is_escaped() {
    expect![[r#"
        24:31-24:40 "namespace" Error[unavailable-function]: The property `namespace` is a reserved word in CEL, which needs no escaping in new expressions as of Kubernetes 1.32. The oldest target version is 1.30.
          Kubernetes: undefined field 'namespace'
          fix: Change to `__namespace__`
    "#]].assert_eq(&report(DEFINITION));
    expect![[r#"
        -                - rule: "self.namespace != '\u00e9'"
        +                - rule: "self.__namespace__ != '\u00e9'"
    "#]]
    .assert_eq(&changes(
        DEFINITION,
        &fixed(DEFINITION, "unavailable-function"),
    ));
}
