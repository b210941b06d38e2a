//! `evaluate.jsonl`: the decisions of a validating policy about a request.

use super::case::{Case, Outcome};
use super::request;
use admission::{
    AuditAnnotation, CompiledPolicy, Decision, DecisionOutcome, Evaluation, EvaluationLimits,
    Verdict,
};
use serde_json::{Value as Json, json};

/// Checks that the decisions and the audit annotations equal those of Kubernetes.
pub(super) fn check(case: &Case) -> Outcome {
    let document = request::policy(case)?;
    let request = request::request(case)?;
    let compiled = CompiledPolicy::new(&document);
    let evaluation = compiled.evaluate(&document, &request, &EvaluationLimits::default());
    let ours = answer(&evaluation);
    let expected = case.get(&["expect"]).ok_or("malformed: no `expect`")?;
    if without_syntax(&ours) == without_syntax(expected) {
        return Ok(());
    }
    Err(format!("we say {ours}\nKubernetes says {expected}"))
}

/// Returns a result whose syntax errors have only their lines, since the messages of Kubernetes
/// are those of a parser generator.
fn without_syntax(answer: &Json) -> Json {
    match answer {
        Json::String(text) => match text.split_once("Syntax error: ") {
            Some((place, _)) => place.rsplitn(3, ':').last().unwrap_or_default().into(),
            None => answer.clone(),
        },
        Json::Array(elements) => elements.iter().map(without_syntax).collect(),
        Json::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| (key.clone(), without_syntax(value)));
            Json::Object(fields.collect())
        }
        _ => answer.clone(),
    }
}

fn answer(evaluation: &Evaluation) -> Json {
    let decisions: Vec<Json> = evaluation.decisions.iter().map(decision).collect();
    let annotations = evaluation.audit_annotations.iter();
    let annotations: Vec<Json> = annotations.map(annotation).collect();
    json!({
        "matched": !matches!(evaluation.verdict, Verdict::Skipped(_) | Verdict::Ignored),
        "decisions": decisions,
        "auditAnnotations": annotations,
    })
}

fn decision(decision: &Decision) -> Json {
    let (evaluation, message, reason) = match &decision.outcome {
        DecisionOutcome::Holds => ("admit", "", ""),
        DecisionOutcome::Denies { message, reason } => ("deny", message.as_str(), reason.as_str()),
        DecisionOutcome::Fails { message, .. } => ("error", message.as_str(), ""),
    };
    let action = if decision.outcome.denies() {
        "deny"
    } else {
        "admit"
    };
    json!({ "action": action, "evaluation": evaluation, "message": message, "reason": reason })
}

fn annotation(annotation: &AuditAnnotation) -> Json {
    let (action, value, error) = match &annotation.value {
        Ok(Some(value)) => ("publish", value.as_str(), ""),
        Ok(None) => ("exclude", "", ""),
        Err(error) => ("error", "", error.as_str()),
    };
    json!({ "action": action, "error": error, "key": annotation.key, "value": value })
}
