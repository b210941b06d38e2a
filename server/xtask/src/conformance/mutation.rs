//! `mutate.jsonl`: the object after a mutating policy.

use super::case::{Case, Outcome};
use super::engine::from_json;
use super::request;
use admission::{CompiledPolicy, EvaluationLimits, Matched, Mutation};
use policy::PolicyDocument;
use serde_json::{Map, Value as Json, json};

/// The prefix of a list of unknown fields.
const UNKNOWN_FIELDS: &str = "strict decoding error: ";

/// Checks that the steps and the object equal those of Kubernetes.
pub(super) fn check(case: &Case) -> Outcome {
    compare(case, str::to_owned)
}

/// Checks the same, with unknown fields in any order.
pub(super) fn check_in_any_order(case: &Case) -> Outcome {
    compare(case, |error| match error.split_once(UNKNOWN_FIELDS) {
        Some((start, fields)) => {
            let mut fields: Vec<&str> = fields.split(", ").collect();
            fields.sort_unstable();
            format!("{start}{UNKNOWN_FIELDS}{}", fields.join(", "))
        }
        None => error.to_owned(),
    })
}

/// Returns whether a step of the case names several unknown fields.
pub(super) fn has_unknown_fields(case: &Case) -> bool {
    let steps = case.get(&["expect", "steps"]).and_then(Json::as_array);
    let errors = steps.into_iter().flatten();
    let mut errors = errors.filter_map(|step| step.get("error")?.as_str());
    errors.any(|error| error.contains(UNKNOWN_FIELDS) && error.contains(", "))
}

/// Compares with the response, with the errors of both converted by `form`.
fn compare(case: &Case, form: fn(&str) -> String) -> Outcome {
    let document = request::policy(case)?;
    let request = request::request(case)?;
    let compiled = CompiledPolicy::new(&document);
    let limits = EvaluationLimits::default();
    let mutation = compiled.mutate(&document, &request, &request::catalog(), &limits);
    let ours = answer(&document, &mutation, form);
    let expected = case.get(&["expect"]).and_then(Json::as_object);
    let mut expected = expected.ok_or("malformed: no `expect`")?.clone();
    let object = expected.remove("object");
    let steps = expected.get_mut("steps").and_then(Json::as_array_mut);
    for step in steps.into_iter().flatten() {
        if let Some(Json::String(error)) = step.get_mut("error") {
            *error = form(error);
        }
    }
    if ours != expected {
        let (ours, expected) = (Json::Object(ours), Json::Object(expected));
        return Err(format!("we say {ours}\nKubernetes says {expected}"));
    }
    let expected = object.as_ref().map(from_json);
    let ours = mutation.object.filter(|_| object.is_some());
    if ours == expected {
        return Ok(());
    }
    let text = |value: Option<cel::Value>| value.map_or_else(String::new, |it| it.to_string());
    Err(format!(
        "we have {}\nKubernetes has {}",
        text(ours),
        text(expected)
    ))
}

fn answer(
    document: &PolicyDocument,
    mutation: &Mutation,
    form: fn(&str) -> String,
) -> Map<String, Json> {
    let mut answer = Map::new();
    let matched = mutation.matched == Matched::Yes;
    answer.insert("matched".into(), matched.into());
    if let Matched::No(condition) = mutation.matched {
        let owner = document.expressions().get(condition).map(|it| it.owner);
        let name = owner.and_then(|owner| document.node(owner).get("name")?.as_str());
        answer.insert("failedCondition".into(), name.unwrap_or_default().into());
        return answer;
    }
    let steps = mutation.steps.iter().enumerate();
    let steps: Json = steps
        .map(|(index, step)| match &step.result {
            Ok(()) => json!({ "index": index, "ok": true }),
            Err(error) => json!({ "index": index, "error": form(&error.to_string()) }),
        })
        .collect();
    answer.insert("steps".into(), steps);
    answer
}
