//! The occurrences of the name at a cursor.

use super::{files_with_definition, name_at, occurrences, related_files};
use crate::definition::Access;
use crate::file::SourceFile;
use crate::fixture::{Fixture, binding, files, named_policy, policy, project};
use expect_test::{Expect, expect};
use text::TextRange;

/// Prints one line for each occurrence: its kind, and its line with the name in brackets.
fn show(file: &SourceFile, cursor: text::TextSize) -> String {
    let Some(name) = name_at(file, cursor) else {
        return "nothing".to_owned();
    };
    assert!(name.range.contains_inclusive(cursor));
    let shown = occurrences(file, &name.definition).map(|it| {
        let line = file.line_index().line(it.range.start());
        let line = file.line_index().line_content(file.text(), line).unwrap();
        let before = file.slice(TextRange::new(line.start(), it.range.start()));
        let after = file.slice(TextRange::new(
            it.range.end(),
            line.end().max(it.range.end()),
        ));
        let access = match it.access {
            Access::Definition => "definition",
            Access::Reference => "reference ",
        };
        format!("{access} {before}[{}]{after}\n", file.slice(it.range))
    });
    shown.collect()
}

#[track_caller]
fn check(source: &str, expected: &Expect) {
    let fixture = Fixture::parse(source);
    let file = SourceFile::new(fixture.text.as_str());
    expected.assert_eq(&show(&file, fixture.cursor.unwrap()));
}

const STYLES: &str = r#"
  variables:
  - name: "li\u006dit"
    expression: object.spec.replicas
  - {name: other, expression: variables.limit + 1}
  matchConditions:
  - name: a
    expression: variables.limit > 1
  validations:
  - expression: >-
      variables.limit$0 > 1 &&
      '😀' != '' && variables.?limit.hasValue() &&

      has(variables.limit)
    messageExpression: "\"\U0001F600\" + string(variables.l\u0069mit)"
  - expression: |
      // variables.limit
      variables.limit < variables.limits
  - expression: 'variables.other == 1 ? '''' == "" : variables.limit == 2'
  auditAnnotations:
  - {key: k, valueExpression: 'string(variables.limit)'}
"#;

#[test]
fn a_variable_occurs_in_every_style_and_field() {
    check(
        &policy(STYLES),
        &expect![[r#"
        definition   - name: "[li\u006dit]"
        reference    - {name: other, expression: variables.[limit] + 1}
        reference        variables.[limit] > 1 &&
        reference        '😀' != '' && variables.?[limit].hasValue() &&
        reference        has(variables.[limit])
        reference      messageExpression: "\"\U0001F600\" + string(variables.[l\u0069mit])"
        reference        variables.[limit] < variables.limits
        reference    - expression: 'variables.other == 1 ? '''' == "" : variables.[limit] == 2'
        reference    - {key: k, valueExpression: 'string(variables.[limit])'}
    "#]],
    );
    let shown = |source: &str| {
        let fixture = Fixture::parse(&policy(source));
        let file = SourceFile::new(fixture.text.as_str());
        show(&file, fixture.cursor.unwrap())
    };
    let other = STYLES
        .replace("limit$0", "limit")
        .replace("li\\u006d", "li$0\\u006d");
    assert_eq!(shown(&other), shown(STYLES));
    assert_eq!(shown(&STYLES.replace('\n', "\r\n")), shown(STYLES));
}

#[test]
fn a_missing_variable_is_nothing() {
    check(
        &policy("  validations: [{expression: variables.mis$0sing == 1}]\n"),
        &expect!["nothing"],
    );
}

#[test]
fn a_variable_belongs_to_its_policy() {
    let one = policy(
        "  variables: [{name: a, expression: '1'}]\n  validations: [{expression: variables.a == 1}]\n",
    );
    let two = one.replace("variables.a", "variables.$0a");
    check(
        &format!("{one}---\n{two}"),
        &expect![[r#"
        definition   variables: [{name: [a], expression: '1'}]
        reference    validations: [{expression: variables.[a] == 1}]
    "#]],
    );
}

#[test]
fn an_index_is_a_reference() {
    check(
        &policy(
            "  variables: [{name: a, expression: '1'}]\n  validations: [{expression: \"variables['$0a'] == 1\"}]\n",
        ),
        &expect![[r#"
            definition   variables: [{name: [a], expression: '1'}]
            reference    validations: [{expression: "variables['[a]'] == 1"}]
        "#]],
    );
}

#[test]
fn macro_variables_are_hidden_by_inner_ones() {
    let text = "  validations:\n  - expression: >-\n      object.a.all(c, c.x == '😀' &&\n      c.b.exists(c$0, c == 1) && c.y.exists(i, v, i == c.z && v != c))\n";
    check(
        &policy(text),
        &expect![[r#"
        definition       c.b.exists([c], c == 1) && c.y.exists(i, v, i == c.z && v != c))
        reference        c.b.exists(c, [c] == 1) && c.y.exists(i, v, i == c.z && v != c))
    "#]],
    );
    check(
        &policy(&text.replace("c$0", "c").replace("c == 1", "$0c == 1")),
        &expect![[r#"
            definition       c.b.exists([c], c == 1) && c.y.exists(i, v, i == c.z && v != c))
            reference        c.b.exists(c, [c] == 1) && c.y.exists(i, v, i == c.z && v != c))
        "#]],
    );
    check(
        &policy(&text.replace("c$0", "c").replace("all(c", "all($0c")),
        &expect![[r#"
            definition       object.a.all([c], c.x == '😀' &&
            reference        object.a.all(c, [c].x == '😀' &&
            reference        [c].b.exists(c, c == 1) && c.y.exists(i, v, i == c.z && v != c))
            reference        c.b.exists(c, c == 1) && [c].y.exists(i, v, i == c.z && v != c))
            reference        c.b.exists(c, c == 1) && c.y.exists(i, v, i == [c].z && v != c))
            reference        c.b.exists(c, c == 1) && c.y.exists(i, v, i == c.z && v != [c]))
        "#]],
    );
    check(
        &policy(&text.replace("c$0", "c").replace("v != c", "v$0 != c")),
        &expect![[r#"
            definition       c.b.exists(c, c == 1) && c.y.exists(i, [v], i == c.z && v != c))
            reference        c.b.exists(c, c == 1) && c.y.exists(i, v, i == c.z && [v] != c))
        "#]],
    );
}

#[test]
fn roots_functions_and_fields_are_nothing() {
    for text in [
        "ob$0ject.a",
        "object.$0a",
        "has$0(object.a)",
        "'variables.$0a' == ''",
    ] {
        let text = format!("  validations:\n  - expression: {text}\n");
        check(&policy(&text), &expect!["nothing"]);
    }
}

#[test]
fn a_policy_is_named_by_its_bindings() {
    let policy = named_policy("'lim$0it'");
    let text = format!(
        "{policy}---\n{}---\n{}",
        binding("limit", "policyName: limit"),
        binding("b", "policyName: limits")
    );
    check(
        &text,
        &expect![[r#"
        definition   name: '[limit]'
        reference    policyName: [limit]
    "#]],
    );
    let text = text
        .replace("$0", "")
        .replace("policyName: limit\n", "policyName: limit$0\n");
    check(
        &text,
        &expect![[r#"
        definition   name: '[limit]'
        reference    policyName: [limit]
    "#]],
    );
    check(&named_policy("'{{ .$0name }}'"), &expect!["nothing"]);
}

/// Checks in which other files the name at the cursor is defined and occurs.
#[track_caller]
fn check_files(source: &str, expected: &Expect) {
    let files = files(source, |project| project);
    let (fixture, file) = files.iter().find(|(it, _)| it.cursor.is_some()).unwrap();
    let name = name_at(file, fixture.cursor.unwrap()).unwrap();
    let show = |paths: Vec<std::sync::Arc<std::path::Path>>| {
        let paths = paths.iter().map(|it| it.display().to_string());
        paths.collect::<Vec<_>>().join(" ")
    };
    let defined = show(files_with_definition(file, &name.definition));
    let related = show(related_files(file, &name.definition));
    expected.assert_eq(&format!("defined in: {defined}\noccurs in: {related}"));
}

/// Variants of one policy with bindings in a tree. The cursor is at the name in one of the files.
fn tree(file: &str) -> String {
    let (policy, bound) = (named_policy("a"), binding("a", "policyName: a"));
    let files = [
        ("base/policy.yaml", &*policy),
        ("base/binding.yaml", &bound),
        ("copy/policy.yaml", &policy),
        ("copy/all.yaml", &format!("{policy}---\n{bound}")),
        ("other/binding.yaml", &bound),
    ];
    let text = project(files);
    let (before, after) = text.split_once(&format!("//- {file}\n")).unwrap();
    let (own, rest) = match after.split_once("//- ") {
        Some((own, rest)) => (own, format!("//- {rest}")),
        None => (after, String::new()),
    };
    let (own, end) = match own.rsplit_once("policyName: a") {
        Some((own, end)) => (own.to_owned() + "policyName: $0a", end.to_owned()),
        None => (own.replacen("name: a", "name: $0a", 1), String::new()),
    };
    format!("{before}//- {file}\n{own}{end}{rest}")
}

#[test]
fn the_nearest_policy_counts() {
    check_files(
        &tree("base/binding.yaml"),
        &expect![[r#"
        defined in: base/policy.yaml
        occurs in: base/policy.yaml copy/all.yaml copy/policy.yaml other/binding.yaml"#]],
    );
    check_files(
        &tree("copy/all.yaml"),
        &expect![[r#"
        defined in: 
        occurs in: base/binding.yaml base/policy.yaml copy/policy.yaml other/binding.yaml"#]],
    );
    check_files(
        &tree("other/binding.yaml"),
        &expect![[r#"
        defined in: base/policy.yaml copy/all.yaml copy/policy.yaml
        occurs in: base/binding.yaml base/policy.yaml copy/all.yaml copy/policy.yaml"#]],
    );
    check_files(
        &tree("base/policy.yaml"),
        &expect![[r#"
        defined in: 
        occurs in: base/binding.yaml copy/all.yaml copy/policy.yaml other/binding.yaml"#]],
    );
}

#[test]
fn inputs_name_policies_in_every_style() {
    check(
        "policy: [limit$0, 'limit', \"li\\u006dit\", other]\nobject: {policy: limit}\n---\npolicy: >-\n  limit\nexpect: deny\n---\napiVersion: v1\nkind: ConfigMap\npolicy: limit\n",
        &expect![[r#"
            reference  policy: [[limit], 'limit', "li\u006dit", other]
            reference  policy: [limit, '[limit]', "li\u006dit", other]
            reference  policy: [limit, 'limit', "[li\u006dit]", other]
            reference    [limit]
        "#]],
    );
}
