//! Calls that no signature accepts.

use crate::fixture::{
    changes, check_diagnostics, corrected, findings, fixed, report, untyped_policy as policy,
};
use expect_test::expect;

#[test]
fn the_message_says_what_there_is() {
    let text = policy(
        "
  validations:
    - expression: object.spec.replicas <= 5
      messageExpression: \"'at most ' + 5\"
    - expression: request.name.startsWith(1) && [1].exists(x, x == 'a')
    - expression: request.dryRun.all(x, x)
",
    );
    expect![[r#"
        11:27-11:41 "'at most ' + 5" Error[no-matching-overload]: No overload matches `string + int`. Candidates: `int + int`, `string + string`.
          Kubernetes: found no matching overload for '_+_' applied to '(string, int)'
          fix: Convert to a string
        12:19-12:45 "request.name.startsWith(1)" Error[no-matching-overload]: No overload matches `string.startsWith(int)`. Candidates: `string.startsWith(string)`.
          Kubernetes: found no matching overload for 'startsWith' applied to 'string.(int)'
        12:63-12:71 "x == 'a'" Error[no-matching-overload]: A value of type `int` cannot be compared with one of type `string`.
          Kubernetes: found no matching overload for '_==_' applied to '(int, string)'
        13:19-13:33 "request.dryRun" Error[no-matching-overload]: A value of type `bool` cannot be iterated over. Macros such as `all` take a list or a map.
          Kubernetes: expression of type 'bool' cannot be range of a comprehension (must be list, map, or dynamic)
    "#]].assert_eq(&report(&text));
}

#[test]
fn a_removed_overload_is_no_candidate() {
    let text = policy("  validations:\n    - expression: duration(1) == duration('1s')\n");
    let text = format!("# kubernetes = \"1.37\"\n{text}");
    let candidates = "Candidates: `duration(duration)`, `duration(string)`.";
    let report = report(&text);
    assert!(report.contains(candidates), "{report}");
}

#[test]
fn an_object_of_the_request_is_compared_by_its_field() {
    for (before, after) in [
        (
            "request.kind == 'Deployment'",
            "request.kind.kind == 'Deployment'",
        ),
        (
            "'deployments' != request.resource",
            "'deployments' != request.resource.resource",
        ),
        (
            "request.userInfo in ['é', 'b']",
            "request.userInfo.username in ['é', 'b']",
        ),
        (
            "(namespaceObject) == 'prod'",
            "(namespaceObject).metadata.name == 'prod'",
        ),
    ] {
        assert_eq!(corrected("no-matching-overload", before), after);
    }
    check_diagnostics(&policy(
        "
  validations:
    - expression: request.kind == 'Deployment' && request.userInfo == 1
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[no-matching-overload]: Compare its field `kind`
                                                 #^^^^^^^^^^^^^^^^^^^^^ error[no-matching-overload]: cannot be compared
",
    ));
}

#[test]
fn a_value_of_unknown_type_fits_everything() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.a + 1 == object.x + object.b && object.c.startsWith(object.d)
",
    ));
}

#[test]
fn a_number_is_converted_to_join_a_text() {
    let text = policy(
        "  validations:\n    - expression: true\n      messageExpression: '\"no \" + (1 + 2)'\n",
    );
    expect![[r#"
        -      messageExpression: '"no " + (1 + 2)'
        +      messageExpression: '"no " + string((1 + 2))'
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "no-matching-overload")));
}

#[test]
fn a_literal_gets_the_type_of_the_other_operand() {
    for (before, after) in [
        ("uint(object.a) == '3'", "uint(object.a) == 3u"),
        ("double(object.a) < '2'", "double(object.a) < 2.0"),
    ] {
        let text = policy(&format!("  validations:\n    - expression: {before}\n"));
        let fixed = fixed(&text, "no-matching-overload");
        assert!(
            fixed.ends_with(&format!("- expression: {after}\n")),
            "{fixed}"
        );
    }
    let text = policy("  validations:\n    - expression: double(object.a) < '1e999'\n");
    assert!(findings(&text).iter().all(|it| it.fixes.is_empty()));
}

#[test]
fn what_follows_from_another_mistake_is_silent() {
    let text = policy(
        "
  validations:
    - expression: (1 + 'a') + 2 == 3 && nope + 1 == 'a'
    - expression: object.metadata.labels.app-name.startsWith('x')
",
    );
    expect![[r#"
        10:20-10:27 "1 + 'a'" Error[no-matching-overload]: No overload matches `int + string`. Candidates: `int + int`, `string + string`.
          Kubernetes: found no matching overload for '_+_' applied to '(int, string)'
          fix: Convert to a string
        10:41-10:45 "nope" Error[unknown-name]: `nope` is not defined. Available names: `object`, `oldObject`, `request`, `namespaceObject`, `authorizer`. If it is a string, quote it.
          Kubernetes: undeclared reference to 'nope' (in container '')
        10:41-10:56 "nope + 1 == 'a'" Error[no-matching-overload]: A value of type `int` cannot be compared with one of type `string`.
          Kubernetes: found no matching overload for '_==_' applied to '(int, string)'
        11:42-11:50 "app-name" Error[property-escaping]: CEL parses `app-name` as a subtraction. Write `['app-name']` instead of the dot.
          Kubernetes: undeclared reference to 'name' (in container '')
          fix: Change to `['app-name']`
    "#]].assert_eq(&report(&text));
}

#[test]
fn the_types_of_libraries_have_methods_in_place_of_operators() {
    let text = policy(
        "
  validations:
    - expression: quantity(object.spec.a) < quantity('2')
    - expression: quantity(object.spec.a)>=object.spec.b && '1Gi' > quantity(object.spec.a)
    - expression: 5 <= quantity(object.spec.a) - quantity('1')
    - expression: (quantity('1')) + quantity('2') == quantity('3')
    - expression: quantity('1') < true
    - expression: semver('1.2.3') > semver('1.0.0')
      messageExpression: \"'at most ' + quantity('1')\"
",
    );
    expect![[r#"
        10:19-10:58 "quantity(object.spec.a) < quantity('2')" Error[no-matching-overload]: `<` does not support values of type `kubernetes.Quantity`. Use the method `isLessThan()`.
          Kubernetes: found no matching overload for '_<_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'
          fix: Use `isLessThan()`
        11:19-11:57 "quantity(object.spec.a)>=object.spec.b" Error[no-matching-overload]: `>=` does not support values of type `kubernetes.Quantity`. Use the method `compareTo()`.
          Kubernetes: found no matching overload for '_>=_' applied to '(kubernetes.Quantity, dyn)'
          fix: Use `compareTo()`
        11:61-11:92 "'1Gi' > quantity(object.spec.a)" Error[no-matching-overload]: `>` does not support values of type `kubernetes.Quantity`. Use the method `isGreaterThan()`.
          Kubernetes: found no matching overload for '_>_' applied to '(string, kubernetes.Quantity)'
          fix: Use `isGreaterThan()`
        12:24-12:63 "quantity(object.spec.a) - quantity('1')" Error[no-matching-overload]: `-` does not support values of type `kubernetes.Quantity`. Use the method `sub()`.
          Kubernetes: found no matching overload for '_-_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'
          fix: Use `sub()`
        13:19-13:50 "(quantity('1')) + quantity('2')" Error[no-matching-overload]: `+` does not support values of type `kubernetes.Quantity`. Use the method `add()`.
          Kubernetes: found no matching overload for '_+_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'
          fix: Use `add()`
        14:19-14:39 "quantity('1') < true" Error[no-matching-overload]: `<` does not support values of type `kubernetes.Quantity`. Use the method `isLessThan()`.
          Kubernetes: found no matching overload for '_<_' applied to '(kubernetes.Quantity, bool)'
        15:19-15:52 "semver('1.2.3') > semver('1.0.0')" Error[no-matching-overload]: `>` does not support values of type `kubernetes.Semver`. Use the method `isGreaterThan()`.
          Kubernetes: found no matching overload for '_>_' applied to '(kubernetes.Semver, kubernetes.Semver)'
          fix: Use `isGreaterThan()`
        16:27-16:53 "'at most ' + quantity('1')" Error[no-matching-overload]: No overload matches `string + kubernetes.Quantity`. Candidates: `string + string`.
          Kubernetes: found no matching overload for '_+_' applied to '(string, kubernetes.Quantity)'
    "#]].assert_eq(&report(&text));
}

#[test]
fn an_operator_becomes_the_call_of_a_method() {
    let fixed = |expression: &str| {
        let text = policy(&format!(
            "\n  validations:\n    - expression: \"{expression}\"\n"
        ));
        let text = fixed(&text, "no-matching-overload");
        text.rsplit('"').nth(1).unwrap().to_owned()
    };
    let cases = [
        (
            "quantity(object.spec.a) < quantity('2')",
            "quantity(object.spec.a).isLessThan(quantity('2'))",
        ),
        (
            "'1Gi' > quantity(object.spec.a)",
            "quantity('1Gi').isGreaterThan(quantity(object.spec.a))",
        ),
        (
            "object.spec.a>=quantity('1')",
            "quantity(object.spec.a).compareTo(quantity('1')) >= 0",
        ),
        (
            "5 <= quantity(object.spec.a)",
            "quantity('5').compareTo(quantity(object.spec.a)) <= 0",
        ),
    ];
    for (before, after) in cases {
        assert_eq!(fixed(before), after);
    }
}

#[test]
fn a_string_is_searched_in_a_list() {
    for (before, expected) in [
        (
            "request.userInfo.groups == 'a'",
            "'a' in request.userInfo.groups",
        ),
        (
            "'a' != request.userInfo.groups",
            "!('a' in request.userInfo.groups)",
        ),
        (
            "request.userInfo.groups.contains('a') && true != false",
            "'a' in request.userInfo.groups && true != false",
        ),
        (
            "!request.userInfo.groups.contains('a')",
            "!('a' in request.userInfo.groups)",
        ),
    ] {
        assert_eq!(corrected("no-matching-overload", before), expected);
    }
}

#[test]
fn an_optional_gets_a_default() {
    let text = policy(
        "
  validations:
    - expression: object.metadata.?labels.?app != 'x'
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[no-matching-overload]: Add a default with `.orValue('')`
    - expression: 3 < object.spec.?replicas
                 #^^^^^^^^^^^^^^^^^^^^^^^^^ error[no-matching-overload]: Add a default with `.orValue(0)`
",
    );
    check_diagnostics(&text);
    let text = policy(
        "  validations:\n    - expression: object.metadata.?labels.?app != 'x'\n    - expression: 3 < object.spec.?replicas\n",
    );
    let after = fixed(&text, "no-matching-overload");
    expect![[r#"
        -    - expression: object.metadata.?labels.?app != 'x'
        -    - expression: 3 < object.spec.?replicas
        +    - expression: object.metadata.?labels.?app.orValue('') != 'x'
        +    - expression: 3 < object.spec.?replicas.orValue(0)
    "#]]
    .assert_eq(&changes(&text, &fixed(&after, "no-matching-overload")));
}

#[test]
fn the_message_says_how_to_compare() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: type(object.metadata.labels) == 'map'
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[no-matching-overload]: `type(x) == map`
    - expression: object.metadata.name.size() == 1 && 'é😀' > duration('1h')
                                                     #^^^^^^^^^^^^^^^^^^^^^ error[no-matching-overload]: with `duration()`
    - expression: \"!'a' == 'b'\"
                  #^^^^ error[no-matching-overload]: write `!=`
",
    ));
}
