//! The order of variables, their cycles, and unused ones.

use super::*;
use crate::recognize;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::Arc;

/// Returns a policy with these variables, each `name: expression`, and one validation.
fn policy(variables: &[(&str, &str)], validation: &str) -> std::sync::Arc<crate::PolicyDocument> {
    let mut text = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
spec:
  variables:
"
    .to_owned();
    for (name, expression) in variables {
        writeln!(text, "  - {{name: {name:?}, expression: {expression:?}}}").unwrap();
    }
    writeln!(text, "  validations: [{{expression: {validation:?}}}]").unwrap();
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    found.policies.into_iter().next().unwrap()
}

#[track_caller]
fn check(variables: &[(&str, &str)], validation: &str, expected: &Expect) {
    let document = policy(variables, validation);
    let found = Variables::new(&document);
    let name = |index: &usize| found.definitions[*index].name.unwrap_or("?").to_owned();
    let names = |list: &[usize]| list.iter().map(name).collect::<Vec<_>>().join(" ");
    let mut shown = String::new();
    for (used, nearest) in found.undefined() {
        writeln!(shown, "undefined {} nearest {nearest:?}", used.name).unwrap();
    }
    for used in found.too_early() {
        let at = used.span.slice(used.expression.text());
        writeln!(shown, "too early {at} in {}", used.expression.text()).unwrap();
    }
    for (first, other) in found.duplicates() {
        writeln!(shown, "duplicate {} {first} {other}", name(&first)).unwrap();
    }
    for cycle in found.cycles() {
        writeln!(shown, "cycle {}", names(&cycle)).unwrap();
    }
    writeln!(shown, "unused {}", names(&found.unused())).unwrap();
    let order = found.order().map(|order| names(&order));
    writeln!(shown, "order {order:?}").unwrap();
    expected.assert_eq(&shown);
}

#[test]
fn variables_in_order_have_nothing_to_report() {
    check(
        &[("a", "1"), ("b", "variables.a + 1"), ("c", "variables.?b")],
        "variables.c > 0 && has(variables.a)",
        &expect![[r#"
            unused 
            order Some("a b c")
        "#]],
    );
}

#[test]
fn a_use_before_the_definition_has_an_order_that_works() {
    check(
        &[
            ("a", "variables.c"),
            ("b", "2"),
            ("c", "variables.d"),
            ("d", "4"),
        ],
        "variables.a > variables.b",
        &expect![[r#"
            too early c in variables.c
            too early d in variables.d
            unused 
            order Some("b d c a")
        "#]],
    );
}

#[test]
fn circles_are_found_with_their_way_round() {
    check(
        &[
            ("a", "variables.b"),
            ("b", "variables.c"),
            ("c", "variables.b"),
            ("d", "variables.d"),
            ("e", "variables.f"),
            ("f", "variables.g"),
            ("g", "variables.e"),
        ],
        "variables.a",
        &expect![[r#"
            too early b in variables.b
            too early c in variables.c
            too early d in variables.d
            too early f in variables.f
            too early g in variables.g
            cycle b c
            cycle d
            cycle e f g
            unused d
            order None
        "#]],
    );
}

#[test]
fn undefined_unused_and_repeated_names_are_found() {
    check(
        &[("limit", "1"), ("spare", "2"), ("limit", "3"), ("", "4")],
        "variables.limt > 0 && variables['other'] && variables.limit > 1",
        &expect![[r#"
            undefined limt nearest Some("limit")
            undefined other nearest None
            duplicate limit 0 2
            unused spare
            order Some("limit spare limit ?")
        "#]],
    );
}

#[test]
fn the_variable_of_a_macro_hides_the_variables() {
    check(
        &[("a", "1")],
        "[{'x': 1}].all(variables, variables.x == 1) && 'variables.a' == ''",
        &expect![[r#"
            unused a
            order Some("a")
        "#]],
    );
}

#[test]
fn a_broken_expression_still_uses_its_variables() {
    check(
        &[("a", "1"), ("b", "2")],
        "variables.a > && variables.",
        &expect![[r#"
            unused b
            order Some("a b")
        "#]],
    );
}

#[test]
fn policies_without_variables_and_other_kinds_have_none() {
    for text in [
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nspec: {variables: 1, validations: [{expression: variables.x}]}\n",
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nspec: {variables: [{name: a}]}\n",
    ] {
        let found = recognize(&Arc::new(yaml::parse(text.into())));
        let variables = Variables::new(&found.policies[0]);
        assert!(variables.definitions.is_empty());
        assert!(variables.undefined().is_empty());
        assert_eq!(variables.order(), Some(Vec::new()));
    }
}

proptest! {
    #[test]
    fn an_order_respects_every_use(edges in prop::collection::vec((0usize..8, 0usize..8), 0..14)) {
        let names: Vec<String> = (0..8).map(|index| format!("v{index}")).collect();
        let bodies: Vec<String> = (0..8)
            .map(|index| {
                let parts: Vec<String> = edges.iter().filter(|(from, _)| *from == index).map(|(_, to)| format!("variables.v{to}")).collect();
                if parts.is_empty() { "1".to_owned() } else { parts.join(" + ") }
            })
            .collect();
        let list: Vec<(&str, &str)> = names
            .iter()
            .zip(&bodies)
            .map(|(name, body)| (name.as_str(), body.as_str()))
            .collect();
        let document = policy(&list, "true");
        let found = Variables::new(&document);
        match found.order() {
            Some(order) => {
                let place = |index: usize| order.iter().position(|it| *it == index).unwrap();
                prop_assert_eq!(order.len(), 8);
                prop_assert!(edges.iter().all(|(from, to)| place(*to) < place(*from)));
                prop_assert!(found.cycles().is_empty());
            }
            None => {
                let cycles = found.cycles();
                prop_assert!(!cycles.is_empty());
                for cycle in cycles {
                    for (at, from) in cycle.iter().enumerate() {
                        let to = cycle[(at + 1) % cycle.len()];
                        prop_assert!(edges.contains(&(*from, to)));
                    }
                }
            }
        }
    }
}
