//! The hints in their text.

use super::*;
use crate::fixture::{crd, policy, source_file};
use expect_test::{Expect, expect};

const ALL: HintSettings = HintSettings {
    variable_types: true,
    macro_types: true,
    cost: true,
};

/// Returns the lines with hints, without their indentation.
fn shown(text: &str, settings: HintSettings) -> String {
    let file = source_file(text);
    let range = TextRange::up_to(TextSize::of(file.text()));
    let mut hints = type_hints(&file, range, settings);
    hints.sort_by_key(|hint| std::cmp::Reverse(hint.offset));
    let mut text = text.to_owned();
    for hint in hints {
        text.insert_str(usize::from(hint.offset), &format!("⟨{}⟩", hint.label));
    }
    let lines = text.lines().filter(|line| line.contains('⟨'));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&shown(text, ALL));
}

#[test]
fn variables_have_their_types_at_admission() {
    check(
        &policy(
            "
  variables:
    - name: containers
      expression: object.spec.template.spec.containers
    - {name: names, expression: 'variables.containers.map(c, c.name)'}
    - name: limit
      expression: '5'
    - name: anything
      expression: params.x
    - expression: variables.names.size()
      name: \"count\"
",
        ),
        &expect![[r#"
            - name: containers⟨: list(Container)⟩
            - {name: names⟨: list(string)⟩, expression: 'variables.containers.map(c⟨: Container⟩, c.name)'}
            name: "count"⟨: int⟩
        "#]],
    );
}

#[test]
fn variables_of_macros_have_types() {
    check(
        &policy(
            "
  validations:
    - expression: >-
        object.spec.template.spec.containers.all(c, c.ports.exists(p, p.containerPort > 1))
        && object.metadata.labels.all(k, v, v != '')
        && dyn([1]).all(x, x > 0)
",
        ),
        &expect![[r#"
                    object.spec.template.spec.containers.all(c⟨: Container⟩, c.ports.exists(p⟨: ContainerPort⟩, p.containerPort > 1))
                    && object.metadata.labels.all(k⟨: string⟩, v⟨: string⟩, v != '')
        "#]],
    );
}

#[test]
fn each_can_be_turned_off() {
    let text = policy("  variables:\n    - name: a\n      expression: '[1].map(x, x)'\n");
    let only = |variable_types, macro_types| HintSettings {
        variable_types,
        macro_types,
        cost: false,
    };
    assert_eq!(shown(&text, only(true, false)), "- name: a⟨: list(int)⟩\n");
    assert_eq!(
        shown(&text, only(false, true)),
        "expression: '[1].map(x⟨: int⟩, x)'\n"
    );
    assert_eq!(shown(&text, only(false, false)), "");
}

#[test]
fn a_cost_near_the_budget_is_shown() {
    let rule = |items: &str| {
        crd(&format!(
            "
        properties:
          spec:
            type: object
            properties:
              names:
                type: array
                {items}
                items: {{type: string, maxLength: 100}}
            x-kubernetes-validations:
            - rule: self.names.all(x, self.names.all(y, x == y))
"
        ))
    };
    let settings = HintSettings {
        macro_types: false,
        ..ALL
    };
    expect![[r#"
                    - rule: self.names.all(x, self.names.all(y, x == y))⟨over the cost budget⟩
    "#]]
    .assert_eq(&shown(&rule("maxItems: 10000"), settings));
    assert_eq!(shown(&rule("maxItems: 2"), settings), "");
}

#[test]
fn a_string_of_unknown_length_is_no_cost_near_the_budget() {
    let text = policy(
        "  validations:\n  - expression: object.metadata.name != 'a'\n    messageExpression: \
         object.metadata.name + ' is not allowed'\n",
    );
    assert_eq!(shown(&text, ALL), "");
}

#[test]
fn long_chains_of_macros_are_typed_quickly() {
    let chain = ".map(x, [x, x])".repeat(60);
    let text = policy(&format!(
        "  validations:\n  - expression: '[object.spec]{chain}.size() > 0'\n"
    ));
    assert!(shown(&text, ALL).len() < 10_000);
}
