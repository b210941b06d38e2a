//! The positions of syntax errors in every scalar style.

use crate::fixture::{
    apply, changes, check_diagnostics, corrected, crd, findings, fixed, report,
    untyped_policy as policy,
};
use crate::report::{Diagnostic, Safety};
use expect_test::expect;

#[test]
fn the_place_is_exact_in_every_style() {
    check_diagnostics(&policy(
        r#"
  validations:
    - expression: object.a === 1
                          #^^^ error[cel-syntax]
    - expression: 'object.a == ''😀'' and true'
                                    #^^^ error[cel-syntax]
    - expression: "object.a == \"\U0001F600\" and\u0020true"
                                             #^^^ error[cel-syntax]
    - expression: |-
        object.a == '😀' &&
        object.b === 1
                #^^^ error[cel-syntax]
    - expression: >-
        object.a == '😀' &&
        object.b === 1
                #^^^ error[cel-syntax]
"#,
    ));
}

#[test]
fn names_in_backticks_are_supported_by_all_servers_since_1_37() {
    let written = |target: &str, finding: &str| {
        let rest = format!("  validations:\n    - expression: object.data.`a-b` == 'x'\n{finding}");
        check_diagnostics(&format!("# kubernetes = \"{target}\"\n{}", policy(&rest)));
    };
    let finding = format!("{}#^^^^^ error[cel-syntax]: since 1.37\n", " ".repeat(29));
    written("1.37", "");
    written("1.37..1.38", "");
    written("1.36..1.37", &finding);
}

#[test]
fn the_version_that_supports_backticks_is_named() {
    let text = policy(
        "
  validations:
    - expression: object.`a-b` == 1
",
    );
    assert!(report(&text).contains("Kubernetes supports them since 1.37."));
}

#[test]
fn a_reserved_word_has_the_advice_of_the_kind() {
    let in_policy = |expression: &str| {
        report(&policy(&format!(
            "\n  validations:\n    - expression: {expression}\n"
        )))
    };
    let entry = "CEL has no assignments. Add an entry to `variables`.";
    assert!(in_policy("let").contains(entry));
    let object = "Choose another name. The Namespace object is `namespaceObject`.";
    assert!(in_policy("namespace == 'a'").contains(object));
    let rule = report(&crd(
        "\n          x-kubernetes-validations: [{rule: let}]\n",
    ));
    assert!(rule.contains("CEL has no assignments.") && !rule.contains("variables"));
}

#[test]
fn the_place_is_exact_in_a_file_with_other_line_endings() {
    let text = policy(
        "
  validations:
    - expression: >
        object.a == '😀' &&
        object.b === 1
                #^^^ error[cel-syntax]
",
    );
    check_diagnostics(&text.replace('\n', "\r\n"));
}

#[test]
fn a_bracket_that_is_never_closed_is_shown() {
    let text = policy("  validations:\n    - expression: object.list.all(x, x > 0\n");
    expect![[r#"
        10:43-10:43 "" Error[cel-syntax]: The `(` is never closed. Add `)`.
          10:34-10:35 "(" opened here
          fix: Write `)`
    "#]]
    .assert_eq(&report(&text));
}

#[test]
fn several_errors_are_found_at_once() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: (object.a and object.b) or object.c
                           #^^^ error[cel-syntax]
                                         #^^ error[cel-syntax]
",
    ));
}

#[test]
fn every_expression_is_read() {
    check_diagnostics(&policy(
        "
  matchConditions: [{name: a, expression: 'a =='}]
                                              #| error[cel-syntax]
  variables: [{name: b, expression: 'b =='}]
                                        #| error[cel-syntax]
  auditAnnotations: [{key: c, valueExpression: 'c =='}]
                                                   #| error[cel-syntax]
  validations: [{expression: 'd ==', messageExpression: 'e =='}]
                                 #| error[cel-syntax]
                                                            #| error[cel-syntax]
",
    ));
}

#[test]
fn operators_of_other_languages_are_replaced() {
    let text = policy("  validations:\n    - expression: \"object.a = 1 or 'x' <> object.b\"\n");
    let once = fixed(&text, "cel-syntax");
    let twice = fixed(&once, "cel-syntax");
    let thrice = fixed(&twice, "cel-syntax");
    expect![[r#"
        -    - expression: "object.a = 1 or 'x' <> object.b"
        +    - expression: "object.a == 1 || 'x' != object.b"
    "#]]
    .assert_eq(&changes(&text, &thrice));
}

fn with_message(key: &str, message: &str) -> String {
    policy(&format!(
        "  validations:\n    - expression: object.spec.replicas > 1\n      {key}: {message}\n"
    ))
}

#[test]
fn a_sentence_is_no_message_expression() {
    for (message, safety) in [
        ("Replicas must be at least 2.", Some(Safety::Safe)),
        ("the pod isn't allowed", Some(Safety::Safe)),
        ("replicas is object.spec.replicas", Some(Safety::Unsafe)),
        (
            "\"replicas is {object.spec.replicas}\"",
            Some(Safety::Unsafe),
        ),
        ("|\n        one line\n        and another line", None),
        ("two words\n      message: a", None),
    ] {
        let before = with_message("messageExpression", message);
        let found = findings(&before);
        assert_eq!(found.len(), 1, "{message}: {found:#?}");
        assert!(found[0].message.starts_with("This is not an expression."));
        assert_eq!(found[0].fixes.first().map(|it| it.safety), safety);
        if let Some(fix) = found[0].fixes.first() {
            assert_eq!(apply(&before, fix), with_message("message", message));
        }
    }
}

#[test]
fn a_broken_message_expression_is_no_sentence() {
    for expression in [
        "object.spec.replicas is 3",
        "a and b",
        "'a' 'b c' d e",
        "('the image is bad' + )",
        "string(object.a)+' are too many",
        "object.a + // explain the count",
        "a in",
        "not a",
    ] {
        let found = findings(&with_message(
            "messageExpression",
            &format!("\"{expression}\""),
        ));
        let is_prose = |it: &Diagnostic| it.message.starts_with("This is not an expression.");
        assert!(!found.iter().any(is_prose), "{expression}");
    }
    let found = findings(&policy(
        "  validations:\n    - expression: the pod is bad\n",
    ));
    assert!(!found[0].message.starts_with("This is not an expression."));
}

#[test]
fn a_hash_is_no_comment_of_cel() {
    let text =
        policy("  validations:\n    - expression: |\n        # at most\n        object.a < 5\n");
    expect![[r#"
        -        # at most
        +        // at most
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "cel-syntax")));
}

#[test]
fn quotes_are_escaped_as_the_scalar_needs_it() {
    let text = policy("  validations:\n    - expression: 'object.a == ‘x’'\n");
    expect![[r#"
        -    - expression: 'object.a == ‘x’'
        +    - expression: 'object.a == ''x'''
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "cel-syntax")));
}

/// Returns a policy with an apply configuration.
fn mutation(expression: &str) -> String {
    let rest = format!(
        "
  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: {expression}
"
    );
    policy(&rest).replace("Validating", "Mutating")
}

#[test]
fn a_key_that_is_no_field_name_belongs_into_a_map() {
    for (expression, right) in [
        (
            r#"'Object{metadata: Object.metadata{labels: Object.metadata.labels{"a.b/c": "😀"}}}'"#,
            r#"'Object{metadata: Object.metadata{labels: {"a.b/c": "😀"}}}'"#,
        ),
        (
            r#""Object{metadata: Object.metadata{labels: Object.metadata.labels{'a.b/c': '😀', app: 'x'}}}""#,
            r#""Object{metadata: Object.metadata{labels: {'a.b/c': '😀', 'app': 'x'}}}""#,
        ),
        (
            ">-\r\n          Object{metadata: Object.metadata{labels:\r\n          Object.metadata.labels{`a-b`: '😀'}}}",
            ">-\r\n          Object{metadata: Object.metadata{labels:\r\n          {'a-b': '😀'}}}",
        ),
        (
            "'Object{metadata: Object.metadata{labels: Object.metadata.labels{a.b/c-1: string(1), app: string(2)}}}'",
            "'Object{metadata: Object.metadata{labels: {''a.b/c-1'': string(1), ''app'': string(2)}}}'",
        ),
        (
            ">-\r\n          Object{metadata: Object.metadata{labels: Object.metadata.labels{a-b: '😀'}}}",
            ">-\r\n          Object{metadata: Object.metadata{labels: {'a-b': '😀'}}}",
        ),
        (
            "'Object{metadata: Object.metadata{annotations: Object.metadata.annotations{in: string(1)}}}'",
            "'Object{metadata: Object.metadata{annotations: {''in'': string(1)}}}'",
        ),
        // A valid name only has redundant quotes.
        (
            "|-\n          Object{metadata: Object.metadata{'labels': {'a': 'b'}}}",
            "|-\n          Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
        ),
    ] {
        let text = mutation(expression);
        let found = findings(&text);
        assert_eq!(found.len(), 1, "{found:#?}");
        let after = fixed(&text, "cel-syntax");
        assert_eq!(after, mutation(right));
        assert_eq!(findings(&after), [], "{after}");
    }
}

#[test]
fn a_literal_that_is_another_map_is_left_alone() {
    for expression in [
        "\"Object{'a-b': 1}\"",
        "\"Object{spec: Object.spec{'a-b': [1]}}\"",
        "\"Object{spec: Object.spec{'a-b': object.spec.map(x, x)}}\"",
        "\"JSONPatch{'a-b': 1}\"",
    ] {
        let found = findings(&mutation(expression));
        assert!(!found.is_empty());
        assert!(found.iter().all(|it| it.fixes.is_empty()), "{found:#?}");
    }
}

#[test]
fn right_expressions_are_silent() {
    check_diagnostics(&policy(
        r#"
  validations:
    - expression: |
        // a comment
        object.?spec.x.orValue("a") == r'\d' &&   // another
        has(object.metadata.labels) && 'a' in object.metadata.labels
    - expression: "object.b == b'\\x00' ? [1, 2,] == [object.c] : {'a': 1u}.a == object.d + 0x1Fu"
"#,
    ));
}

#[test]
fn an_operator_of_another_language_is_replaced() {
    for (before, expected) in [
        (
            "object.metadata.name !in ['a']",
            "!(object.metadata.name in ['a'])",
        ),
        (
            "has(object.spec) && object.metadata.name not in ['a']",
            "has(object.spec) && !(object.metadata.name in ['a'])",
        ),
        ("object.spec.replicas => 2", "object.spec.replicas >= 2"),
        ("object.spec.replicas =< 2", "object.spec.replicas <= 2"),
        ("['a'].all(c => c != '😀')", "['a'].all(c, c != '😀')"),
        (
            "object.metadata.name in ('a', 'b')",
            "object.metadata.name in ['a', 'b']",
        ),
        (
            r"object.metadata.name.matches('^\d$')",
            r"object.metadata.name.matches('^\\d$')",
        ),
    ] {
        assert_eq!(corrected("cel-syntax", before), expected);
    }
    let text = policy(r#"  validations: [{expression: "object.a.matches('\\d')"}]"#);
    let found = findings(&text);
    assert!(found[0].message.contains(r"write `\\\\d`"), "{found:#?}");
    assert!(apply(&text, &found[0].fixes[0]).contains(r"'\\\\d'"));
}

#[test]
fn a_comprehension_of_another_language_is_one_finding() {
    for expression in [
        "[c.name for c in object.spec.containers]",
        "object.spec.containers.all(c, c.name for c in list)",
    ] {
        let text = policy(&format!(
            "  validations:\n    - expression: |-\n        {expression}\n"
        ));
        let found = findings(&text);
        let messages: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages.len(), 1, "{messages:#?}");
        assert!(
            messages[0].contains("`list.map(x, value)`"),
            "{messages:#?}"
        );
    }
}
