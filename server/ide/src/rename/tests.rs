//! The texts after a rename, and the reasons against one.

use super::{prepare_rename, rename};
use crate::file::SourceFile;
use crate::fixture::{Fixture, binding, named_policy, policy};
use expect_test::{Expect, expect};
use text::apply_edits;

/// Renames the symbol at the cursor. Returns the text, or the reason against it.
#[track_caller]
fn renamed(source: &str, new: &str) -> String {
    let fixture = Fixture::parse(source);
    let file = SourceFile::new(fixture.text.as_str());
    let of = match prepare_rename(&file, fixture.cursor.unwrap()) {
        Ok(Some(name)) => name.definition.clone(),
        Ok(None) => return "nothing".to_owned(),
        Err(reason) => return reason.to_string(),
    };
    match rename(&file, &of, new) {
        Ok(edits) => apply_edits(file.text(), &edits).unwrap(),
        Err(reason) => reason.to_string(),
    }
}

/// Compares the lines that a rename changes.
#[track_caller]
fn check(source: &str, new: &str, expected: &Expect) {
    let old = source.replace("$0", "");
    let after = renamed(source, new);
    if !after.contains('\n') {
        return expected.assert_eq(&after);
    }
    assert_eq!(old.lines().count(), after.lines().count());
    let pairs = old.lines().zip(after.lines());
    let changed = pairs.filter(|(old, new)| old != new);
    let changed: Vec<&str> = changed.map(|(_, new)| new.trim_start()).collect();
    expected.assert_eq(&(changed.join("\n") + "\n"));
    // Names that YAML quotes or that other line endings follow.
    let other = renamed(&source.replace('\n', "\r\n"), new);
    assert_eq!(other, after.replace("\r\n", "\n").replace('\n', "\r\n"));
}

const STYLES: &str = r#"
  variables:
  - name: "li\u006dit"
    expression: object.spec.replicas
  - name: 'it'
    expression: variables.limit
  - {name: flow, expression: variables.limit + 1}
  - name: plain
    expression: variables.limit +
      variables.limit
  validations:
  - expression: >-
      variables.limit$0 > 1 &&
      '😀' != '' && variables.?limit.hasValue()
    messageExpression: "\"\U0001F600\" + string(variables.l\u0069mit)"
  - expression: |
      variables.limit < 3
  - expression: 'variables.flow == 1 ? '''' == "" : variables.limit == 2'
"#;

#[test]
fn every_style_is_kept() {
    check(
        &policy(STYLES),
        "maximum",
        &expect![[r#"
            - name: "maximum"
            expression: variables.maximum
            - {name: flow, expression: variables.maximum + 1}
            expression: variables.maximum +
            variables.maximum
            variables.maximum > 1 &&
            '😀' != '' && variables.?maximum.hasValue()
            messageExpression: "\"\U0001F600\" + string(variables.maximum)"
            variables.maximum < 3
            - expression: 'variables.flow == 1 ? '''' == "" : variables.maximum == 2'
        "#]],
    );
}

#[test]
fn a_name_that_yaml_reads_otherwise_is_quoted() {
    let text = policy(
        "  variables:\n  - name: a$0\n    expression: '1'\n  validations:\n  - expression: variables.a == 1\n",
    );
    check(
        &text,
        "y",
        &expect![[r#"
              - name: "y"
              - expression: variables.y == 1
        "#]],
    );
    check(
        &text,
        "yes1",
        &expect![[r#"
              - name: yes1
              - expression: variables.yes1 == 1
        "#]],
    );
}

#[test]
fn a_name_is_an_identifier_that_is_free() {
    let text = policy(
        "  variables:\n  - {name: a$0, expression: '1'}\n  - {name: b, expression: '2'}\n  validations:\n  - expression: variables.c == 1\n",
    );
    check(&text, "in", &expect!["`in` is reserved in CEL."]);
    check(
        &text,
        "1a",
        &expect![
            "`1a` is not a valid variable name. Use letters, digits and `_`, and do not start with a digit."
        ],
    );
    check(
        &text,
        "b",
        &expect!["The policy already defines or uses a variable `b`."],
    );
    check(
        &text,
        "c",
        &expect!["The policy already defines or uses a variable `c`."],
    );
    check(
        &text,
        "object",
        &expect![[r#"
              - {name: object, expression: '1'}
        "#]],
    );
}

#[test]
fn macro_variables_keep_their_scope() {
    let text = policy(
        "  validations:\n  - expression: object.l.all(c$0, c.x == 1 && c.m.exists(i, v, i == c.y && v != object.z))\n",
    );
    check(
        &text,
        "item",
        &expect![[r#"
          - expression: object.l.all(item, item.x == 1 && item.m.exists(i, v, i == item.y && v != object.z))
    "#]],
    );
    // It would be hidden by the inner macro.
    check(
        &text,
        "v",
        &expect!["`v` already has another meaning in this expression."],
    );
    // It would hide the object.
    check(
        &text,
        "object",
        &expect!["`object` already has another meaning in this expression."],
    );
    let inner = text.replace("c$0", "c").replace("exists(i", "exists($0i");
    check(
        &inner,
        "v",
        &expect!["`v` already has another meaning in this expression."],
    );
    check(
        &inner,
        "c",
        &expect!["`c` already has another meaning in this expression."],
    );
    check(
        &inner,
        "oldObject",
        &expect![[r#"
          - expression: object.l.all(c, c.x == 1 && c.m.exists(oldObject, v, oldObject == c.y && v != object.z))
    "#]],
    );
}

#[test]
fn a_macro_variable_does_not_become_a_namespace() {
    let text = policy("  validations:\n  - expression: object.l.all(x$0, x.contains('a'))\n");
    check(
        &text,
        "sets",
        &expect!["`sets` already has another meaning in this expression."],
    );
    check(
        &text.replace("x.contains('a')", "x == 'a'"),
        "sets",
        &expect![[r#"
              - expression: object.l.all(sets, sets == 'a')
        "#]],
    );
}

#[test]
fn a_policy_takes_its_bindings_along() {
    let text = format!(
        "{}---\n{}---\n{}",
        named_policy("limit"),
        binding("limit", "policyName: \"limi$0t\""),
        named_policy("'other'")
    );
    check(
        &text,
        "limit.example.com",
        &expect![[r#"
          name: limit.example.com
          policyName: "limit.example.com"
    "#]],
    );
    check(
        &text,
        "y",
        &expect![[r#"
          name: "y"
          policyName: "y"
    "#]],
    );
    check(
        &text,
        "1e3",
        &expect![[r#"
          name: "1e3"
          policyName: "1e3"
    "#]],
    );
    check(
        &text,
        "other",
        &expect!["The project already has a ValidatingAdmissionPolicy `other`."],
    );
}

#[test]
fn the_name_of_a_policy_is_one_of_an_object() {
    let text = named_policy("lim$0it");
    check(
        &text,
        "Limit",
        &expect![[
            r#"`Limit` is not a valid object name: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"#
        ]],
    );
}

#[test]
fn what_a_template_or_an_anchor_hides_stays() {
    let variable = "  variables:\n  - name: a$0\n    expression: '1'\n  validations:\n";
    let template = format!("{variable}  - expression: variables.a == {{{{ .Values.b }}}}\n");
    check(
        &policy(&template),
        "b",
        &expect!["A template placeholder may use this name."],
    );
    let quoted = format!("{variable}  - expression: 'variables.a == {{{{ .Values.b }}}}'\n");
    check(
        &policy(&quoted),
        "b",
        &expect!["A template placeholder may use this name."],
    );
    let anchor = format!("{variable}  - expression: &e variables.a == 1\n  - expression: *e\n");
    check(
        &policy(&anchor),
        "b",
        &expect!["This name is in a YAML anchor that is used elsewhere."],
    );
    let bound = format!(
        "{}---\n{}",
        named_policy("a$0"),
        binding("b", "policyName: {{ .Values.name }}")
    );
    check(
        &bound,
        "b",
        &expect!["A template placeholder may use this name."],
    );
}

#[test]
fn the_name_of_a_definition_is_not_free() {
    check(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: demos.$0example.com}\n",
        "other",
        &expect![
            "The name of a CustomResourceDefinition must be `<spec.names.plural>.<spec.group>`."
        ],
    );
}
