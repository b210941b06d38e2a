//! The nesting of chains of variables.

use super::{MAX_DEPTH, MAX_STEPS, Nesting, of_variables};
use crate::recognize;
use crate::variables::Variables;
use std::fmt::Write as _;
use std::sync::Arc;

fn nesting(variables: &[String]) -> Vec<Nesting> {
    let mut text = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec:
  variables:
"
    .to_owned();
    for (index, variable) in variables.iter().enumerate() {
        let _ = writeln!(text, "  - {{name: v{index}, expression: \"{variable}\"}}");
    }
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let policy = found.policies.first().expect("a policy");
    of_variables(policy, &Variables::new(policy))
}

/// Returns a chain in which each variable uses the one before.
fn chain(first: &str, length: usize, next: impl Fn(usize) -> String) -> Vec<String> {
    let rest = (1..length).map(|it| next(it - 1));
    [first.to_owned()].into_iter().chain(rest).collect()
}

#[test]
fn a_value_is_as_deep_as_what_it_is_made_of() {
    let lists = nesting(&chain("[1]", 300, |it| format!("[variables.v{it}]")));
    let depths: Vec<u32> = lists.iter().map(|it| it.depth).collect();
    assert_eq!(depths, (1..=300).collect::<Vec<u32>>());
    let exceeded = lists.iter().position(|it| it.is_exceeded());
    assert_eq!(exceeded, Some(MAX_DEPTH as usize));
    let passed = nesting(&chain("[[1]]", 300, |it| format!("variables.v{it}")));
    assert!(passed.iter().all(|it| it.depth == 2));
}

#[test]
fn a_scalar_has_no_depth() {
    let numbers = nesting(&chain("1", 1000, |it| {
        format!("[[variables.v{it}]].size() + variables.v{it}")
    }));
    assert!(numbers.iter().all(|it| it.depth == 0 && !it.is_exceeded()));
}

#[test]
fn a_chain_needs_the_steps_of_all_its_variables() {
    let (open, close) = ("(".repeat(100), ")".repeat(100));
    let chain = chain("1", 1000, |it| format!("{open}variables.v{it} + 1{close}"));
    let steps: Vec<u32> = nesting(&chain).iter().map(|it| it.steps).collect();
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(steps.last().is_some_and(|it| *it > MAX_STEPS));
    let wide: Vec<String> = (0..1000).map(|_| "[1].all(x, x > 0)".to_owned()).collect();
    assert!(nesting(&wide).iter().all(|it| !it.is_exceeded()));
}
