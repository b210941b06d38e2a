//! Variables that read each other, and the values that they share.

use super::{Slot, State};
use crate::decision::Verdict;
use crate::evaluate::{Evaluation, Failure};
use crate::{CompiledPolicy, EvaluationLimits, Inputs, Request, Resources};
use cel::Value;
use kubernetes::object;
use policy::nesting::Nesting;
use policy::{PolicyDocument, recognize};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

fn document(variables: &[String], validations: &[&str]) -> Arc<PolicyDocument> {
    let mut text = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  variables:
"
    .to_owned();
    for (index, variable) in variables.iter().enumerate() {
        let _ = writeln!(text, "  - {{name: v{index}, expression: \"{variable}\"}}");
    }
    text.push_str("  validations:\n");
    for validation in validations {
        let _ = writeln!(text, "  - expression: \"{validation}\"");
    }
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    Arc::clone(&found.policies[0])
}

fn request() -> Arc<Request> {
    let text = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b}}";
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().unwrap().root().unwrap();
    let inputs = Inputs {
        object: Some(object(root).unwrap()),
        ..Inputs::default()
    };
    Arc::new(Request::new(inputs, &Resources::default()).unwrap())
}

fn evaluate(variables: &[String], validations: &[&str]) -> Evaluation {
    let document = document(variables, validations);
    CompiledPolicy::new(&document).evaluate(&document, &request(), &EvaluationLimits::default())
}

/// Returns a chain in which each variable uses the one before.
fn chain(first: &str, length: usize, next: impl Fn(usize) -> String) -> Vec<String> {
    let rest = (1..length).map(|it| next(it - 1));
    [first.to_owned()].into_iter().chain(rest).collect()
}

#[test]
fn a_long_chain_has_its_value() {
    let variables = chain("1", 8000, |it| format!("variables.v{it} + 1"));
    let evaluation = evaluate(&variables, &["variables.v7999 == 8000"]);
    assert_eq!(evaluation.verdict, Verdict::Allowed, "{evaluation:?}");
    let deep = format!("{}1{}", "[".repeat(240), "].size()".repeat(240));
    let variables = chain(&deep, 100, |it| {
        let (open, close) = ("[".repeat(100), "].size()".repeat(100));
        format!("{open}variables.v{it}{close} + variables.v{it}")
    });
    let evaluation = evaluate(&variables, &["variables.v99 == 100"]);
    assert_eq!(evaluation.verdict, Verdict::Allowed, "{evaluation:?}");
}

#[test]
fn a_chain_that_is_not_read_is_not_evaluated() {
    let variables = chain("[1].all(x, x > 0)", 2000, |it| format!("!variables.v{it}"));
    let evaluation = evaluate(&variables, &["true || variables.v1999"]);
    assert_eq!((evaluation.verdict, evaluation.cost), (Verdict::Allowed, 0));
}

#[test]
fn chains_beyond_the_limits_are_stopped() {
    let (open, close) = ("[".repeat(200), "]".repeat(200));
    let values = chain("1", 200, |it| format!("{open}variables.v{it}{close}"));
    let (open, close) = ("(".repeat(200), ")".repeat(200));
    let long = chain("1", 500, |it| format!("{open}variables.v{it} + 1{close}"));
    for (variables, last) in [
        (values, "variables.v199 != []"),
        (long, "variables.v499 > 0"),
    ] {
        let evaluation = evaluate(&variables, &[last]);
        let reason = "stopped: the variables are nested too deeply";
        assert_eq!(evaluation.stopped(), Some(reason));
    }
}

/// The deepest expression that reads the longest chain of variables that needs no separate stack.
#[test]
fn chains_on_the_stack_of_a_thread_fit() {
    let variables = chain("1", 7, |it| format!("variables.v{it} + 1"));
    for (open, close) in [("[", "][0]"), ("(", " + 1)"), ("[1].map(x, ", ")[0]")] {
        let count = if open.len() > 1 { 60 } else { 120 };
        let deep = format!("{}variables.v6{}", open.repeat(count), close.repeat(count));
        let evaluation = evaluate(&variables, &[&format!("{deep} > 0")]);
        assert_eq!(evaluation.verdict, Verdict::Allowed, "{evaluation:?}");
    }
}

#[test]
fn variables_share_their_memory() {
    let variables = chain("[1, 2]", 60, |it| {
        format!("variables.v{it} + variables.v{it}")
    });
    let evaluation = evaluate(
        &variables,
        &["variables.v10.size() > 0", "variables.v59 != []"],
    );
    let values = evaluation.results.iter().map(|it| it.result.clone().ok());
    let values: Vec<Option<bool>> = values
        .map(|it| it.as_ref().and_then(Value::as_bool))
        .collect();
    assert_eq!(values, [Some(true), None]);
    let reason = "stopped: the values need more than 64 MiB of memory";
    assert_eq!(evaluation.stopped(), Some(reason));
}

#[test]
fn a_deadline_stops_the_evaluation() {
    let loops = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(b, \
                 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(c, a + b + c > 0)))";
    let document = document(&["true".to_owned()], &[loops, "variables.v0"]);
    let compiled = CompiledPolicy::new(&document);
    let limits = EvaluationLimits::within(Duration::ZERO);
    let evaluation = compiled.evaluate(&document, &request(), &limits);
    let reason = "stopped: the evaluation takes too long";
    assert_eq!(evaluation.stopped(), Some(reason));
    let result = compiled.evaluate_expression(&document, 2, &request(), &limits);
    assert_eq!(result.unwrap().0.stopped(), Some(reason));
}

#[test]
fn expressions_that_share_variables_cost_what_they_cost_alone() {
    let variables = [
        "[1, 2, 3].all(x, x > 0)",
        "variables.v0 || [1].exists(x, variables.v0)",
        "variables.v0 && variables.v1",
        "variables.v2 ? 1 / 0 : 1",
    ]
    .map(str::to_owned);
    let validations = [
        "variables.v2",
        "variables.v3 == 1 || variables.v1",
        "variables.v0 && variables.v0",
        "true",
    ];
    let document = document(&variables, &validations);
    let compiled = CompiledPolicy::new(&document);
    let (request, limits) = (request(), EvaluationLimits::default());
    let mut shared = compiled.inspect(&document, &request, &limits);
    for index in (0..document.expressions().len()).rev() {
        let (alone, _) = compiled
            .evaluate_expression(&document, index, &request, &limits)
            .unwrap();
        let (result, _) = shared.expression(index).unwrap();
        assert_eq!(result.cost, alone.cost, "{index}");
        let words = |it: Result<Value, Failure>| it.map(|it| it.to_string());
        assert_eq!(words(result.result), words(alone.result), "{index}");
    }
}

#[test]
fn a_variable_after_evaluated_ones_takes_only_its_own_steps() {
    let done = || Slot::Done(Ok(Value::Null));
    let mut state = State {
        values: vec![done(), Slot::New, Slot::New, done()],
        ..State::default()
    };
    let nesting = Nesting {
        steps: 900,
        own_steps: 7,
        depth: 0,
    };
    let mut steps = |index| state.steps_on_stack(index, nesting);
    assert_eq!([steps(0), steps(1), steps(2), steps(3)], [7, 7, 900, 900]);
    state.values[1] = done();
    let mut steps = |index| state.steps_on_stack(index, nesting);
    assert_eq!([steps(2), steps(3)], [7, 900]);
}
