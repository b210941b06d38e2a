//! The expectation of a new input: its actual outcome.

use super::placeholder::map;
use super::solver::Solver;
use super::{PATIENCE, kind_of, messages};
use cel::Value;
use cel::value::{Key, MapBuilder};
use evaluation::expectation::assess;
use evaluation::input::{Decision, Expect};
use evaluation::run::yaml::to_yaml;
use evaluation::run::{AnswerKind, Evaluator, InputAnswer};
use kubernetes::openapi::{ListType, Schema};

/// Decisions, the simplest first. One of them is correct.
const DECISIONS: [Decision; 6] = [
    Decision::Error,
    Decision::Warn,
    Decision::Audit,
    Decision::Allow,
    Decision::Deny,
    Decision::Skip,
];

/// Returns the result of the policy for the draft, and the expectation as YAML, with a comment if
/// the result is not the intended one.
pub(super) fn expected(
    solver: &mut Solver<'_>,
    intended: AnswerKind,
) -> Option<(AnswerKind, String)> {
    let limits = solver.evaluator.limits.at_least(PATIENCE);
    let evaluator = Evaluator {
        limits: &limits,
        ..solver.evaluator
    };
    let answer = evaluator.answer_to(&solver.request()?);
    let mut input = solver.input()?;
    let mut is = |decision: Decision, object: Option<&Value>| {
        input.expect = Some(Expect {
            decision: Some(decision),
            object: object.cloned(),
            ..Expect::default()
        });
        assess(&evaluator, &input, &answer).passes()
    };
    let kind = kind_of(&answer, solver.policy);
    let skipped = (kind == AnswerKind::NotEvaluated).then_some(Decision::Skip);
    let mut decisions = skipped.into_iter().chain(DECISIONS);
    let decision = decisions.find(|it| is(*it, None));
    let mut messages = messages(&answer);
    if decision.is_none() {
        let response = Some(&answer.response).filter(|it| !it.allowed)?;
        messages = vec![response.message.clone()];
    }
    let decision = decision.unwrap_or(Decision::Deny);
    let mut fields = vec![("decision", Value::string(decision.as_str()))];
    if let (Decision::Deny | Decision::Warn, [message]) = (decision, messages.as_slice()) {
        fields.push(("message", Value::string(message.as_str())));
    }
    let object = changed(solver, &answer).filter(|object| is(decision, Some(object)));
    fields.extend(object.map(|object| ("object", object)));
    let mut text = comment(&answer, kind, intended);
    text.push_str(&to_yaml(&map([("expect", map(fields))])));
    Some((kind, text))
}

/// Returns a comment with the reason, if the result is not the intended one.
fn comment(answer: &InputAnswer, kind: AnswerKind, intended: AnswerKind) -> String {
    if kind == intended {
        return String::new();
    }
    let why = match &answer.response.message {
        message if message.is_empty() => "the policy is not evaluated",
        message => message,
    };
    let why = evaluation::run::one_line(why, 300);
    format!(
        "# Found no request that the policy allows: {why}\n\
         # Change the values, then run `admissible test --update`.\n"
    )
}

/// Returns the changes of a mutating policy to the object.
fn changed(solver: &Solver<'_>, answer: &InputAnswer) -> Option<Value> {
    let (_, evaluation) = answer.evaluations().next()?;
    let before = evaluation.request.inputs.object.as_ref()?;
    difference(before, evaluation.object.as_ref()?, solver.schemas.object)
}

/// Returns the parts of an object that another one lacks, with the keys of list elements.
fn difference(before: &Value, after: &Value, schema: Option<Schema<'_>>) -> Option<Value> {
    match (before, after) {
        _ if before.equals(after) == Ok(true) => None,
        (Value::Map(before), Value::Map(after)) => {
            let mut fields = MapBuilder::with_capacity(after.len());
            for (key, value) in after.iter() {
                let Key::String(name) = key else { continue };
                let schema = schema.and_then(|it| it.property(name).or(it.additional_properties()));
                let change = match before.get_str(name) {
                    Some(before) => difference(before, value, schema),
                    None => Some(value.clone()),
                };
                change.and_then(|change| fields.insert(key.clone(), change));
            }
            for (key, _) in before.iter() {
                if after.get(&key.value()).is_none() {
                    fields.insert(key.clone(), Value::Null);
                }
            }
            let fields = fields.build();
            (!fields.is_empty()).then_some(Value::Map(fields))
        }
        (Value::List(before), Value::List(after)) => {
            let keyed = schema.filter(|it| it.list_type() == Some(ListType::Map));
            let keys: Vec<&str> = keyed.map_or_else(Vec::new, |it| it.list_map_keys().collect());
            if keys.is_empty() {
                return Some(Value::list(after.to_vec()));
            }
            let of_element = schema.and_then(Schema::items);
            let changes = after
                .iter()
                .filter_map(|it| element(before, it, &keys, of_element));
            Some(Value::list(changes.collect()))
        }
        _ => Some(after.clone()),
    }
}

/// Returns the changes to an element of a list, with its keys.
fn element(
    before: &[Value],
    after: &Value,
    keys: &[&str],
    schema: Option<Schema<'_>>,
) -> Option<Value> {
    let field = |value: &Value, key: &str| value.as_map()?.get_str(key).cloned();
    let is_same = |it: &&Value| keys.iter().all(|key| field(it, key) == field(after, key));
    let Some(before) = before.iter().find(is_same) else {
        return Some(after.clone());
    };
    let mut change = difference(before, after, schema)?;
    if let Some(map) = change.as_map_mut() {
        for key in keys {
            if let Some(value) = field(after, key) {
                map.set_str(key, value);
            }
        }
    }
    Some(change)
}
