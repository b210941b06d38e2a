//! `--format json`: one object, for programs.
//!
//! `server/docs/command-line.md` documents the shape.

use super::{InputOutcome, Outcome};
use crate::problem::Problem;
use crate::report::json::{JsonRange, write_value};
use crate::report::{Source, shown};
use admission::{Request, Response};
use cel::value::Key;
use evaluation::run::{
    Action, DecisionOutcome, DecisionResult, ExpressionEvaluation, PolicyAnswer, PolicyEvaluation,
    PolicyOutcome, TraceStep, VerdictKind, WebhookAnswer, WebhookOutcome,
};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use text::TextRange;

/// The request of an input, its response, and the explanation.
#[derive(Serialize)]
struct JsonInput<'a> {
    name: Option<String>,
    path: Option<String>,
    request: Value,
    response: Value,
    policies: Vec<JsonEvaluated<'a>>,
    webhooks: Vec<JsonEvaluated<'a>>,
}

/// A policy or a webhook, with its expressions if it was evaluated.
#[derive(Serialize)]
struct JsonEvaluated<'a> {
    #[serde(flatten)]
    fields: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    expressions: Option<Vec<JsonExpression<'a>>>,
}

/// The value of an expression, or its error.
#[derive(Serialize)]
struct JsonExpression<'a> {
    field: &'a str,
    value: Option<&'a str>,
    error: Option<&'a str>,
    cost: u64,
    range: JsonRange,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<JsonStep<'a>>>,
}

/// The value of a part of an expression, or its error.
#[derive(Serialize)]
struct JsonStep<'a> {
    text: &'a str,
    value: Option<&'a str>,
    error: Option<&'a str>,
    range: JsonRange,
}

/// Writes the outcome of each request.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    let path = json!(outcome.path);
    write!(
        out,
        "{{\n  \"version\": 1,\n  \"path\": {path},\n  \"inputs\": ["
    )?;
    for (index, input) in outcome.inputs.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}\n    {}", input.text)?;
    }
    let problems: Vec<_> = outcome.problems.iter().map(Problem::json).collect();
    let problems = indented(&problems, "\n  ");
    writeln!(out, "\n  ],\n  \"problems\": {problems}\n}}")?;
    out.flush()
}

/// Returns the outcome of a request as an element of the list.
pub(super) fn text(outcome: &InputOutcome, source: &Source, trace: bool) -> String {
    indented(&input_json(outcome, source, trace), "\n    ")
}

/// Returns JSON on several lines that is nested in other JSON. A line break in a string is escaped.
fn indented(value: &impl Serialize, line_break: &str) -> String {
    let text = serde_json::to_string_pretty(value);
    // Every key is a string, so each value is JSON.
    text.unwrap_or_default().replace('\n', line_break)
}

/// Writes why the command could not run.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write_problems(problems: &[Problem], out: &mut dyn Write) -> io::Result<()> {
    let problems: Vec<Value> = problems.iter().map(Problem::json).collect();
    let output = json!({ "version": 1, "inputs": [], "problems": problems });
    write_value(&output, out)
}

fn input_json<'a>(outcome: &'a InputOutcome, source: &Source, trace: bool) -> JsonInput<'a> {
    let input = outcome.input.as_ref();
    let answer = &outcome.answer;
    let webhooks = outcome.webhooks.iter();
    let webhooks = webhooks.map(|(it, expressions)| webhook_json(it, expressions, source, trace));
    let policies = answer.policies.iter().zip(&outcome.expressions);
    let policies = policies.map(|(it, expressions)| policy_json(it, expressions, source, trace));
    JsonInput {
        name: input.map(|it| it.label()),
        path: input.map(|it| shown(&it.key.path)),
        request: request_json(&answer.request),
        response: response_json(outcome.response()),
        policies: policies.collect(),
        webhooks: webhooks.collect(),
    }
}

fn webhook_json<'a>(
    webhook: &WebhookAnswer,
    expressions: &'a [ExpressionEvaluation],
    source: &Source,
    trace: bool,
) -> JsonEvaluated<'a> {
    let (decision, reason, place) = match &webhook.outcome {
        WebhookOutcome::Called => ("called", None, None),
        WebhookOutcome::NotEvaluated(why) => ("notCalled", Some(why.reason.as_str()), why.range),
        WebhookOutcome::Skipped { range } => ("skipped", None, Some(*range)),
        WebhookOutcome::Ignored(words) => {
            let first_failing = webhook.failing.first().copied();
            ("ignored", Some(words.as_str()), first_failing)
        }
        WebhookOutcome::Denied(response) => {
            let first_failing = webhook.failing.first().copied();
            ("denied", Some(response.message.as_str()), first_failing)
        }
    };
    let fields = json!({
        "configuration": webhook.configuration,
        "name": webhook.name,
        "decision": decision,
        "reason": reason,
        "range": place.map(|place| range(source, place)),
        "cost": webhook.cost,
    });
    JsonEvaluated {
        fields,
        expressions: Some(expressions_json(expressions, source, trace)),
    }
}

fn request_json(request: &Request) -> Value {
    let resource = &request.resource;
    json!({
        "operation": request.operation.as_str(),
        "group": resource.group,
        "version": resource.version,
        "kind": resource.kind,
        "resource": resource.plural,
        "subresource": request.subresource,
        "name": request.name,
        "namespace": request.namespace,
        "user": request.user.name,
        "dryRun": request.dry_run,
    })
}

fn response_json(response: &Response) -> Value {
    let word = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let causes = response.causes.iter().map(|cause| {
        json!({
            "message": cause.message, "reason": word(cause.reason), "field": word(&cause.field),
        })
    });
    json!({
        "allowed": response.allowed,
        "code": response.code,
        "reason": word(&response.reason),
        "message": word(&response.message),
        "causes": causes.collect::<Vec<_>>(),
        "warnings": response.warnings.iter().map(|it| &it.message).collect::<Vec<_>>(),
        "auditAnnotations": annotations(&response.audit_annotations),
        "object": response.object.as_ref().map(object_json),
        "caveats": response.caveats.iter().map(|it| it.as_str()).collect::<Vec<_>>(),
        "plugin": response.plugin,
    })
}

fn policy_json<'a>(
    policy: &PolicyAnswer,
    expressions: &'a [ExpressionEvaluation],
    source: &Source,
    trace: bool,
) -> JsonEvaluated<'a> {
    let (decision, reason, place) = match &policy.outcome {
        PolicyOutcome::NotEvaluated(why) => ("notEvaluated", Some(why.reason.as_str()), why.range),
        PolicyOutcome::Unknown(why) => ("unknown", Some(why.as_str()), None),
        PolicyOutcome::NotConfigured(words) => ("notConfigured", Some(words.as_str()), None),
        PolicyOutcome::Evaluated(evaluation) => match evaluation.verdict {
            VerdictKind::Allowed => ("allowed", None, None),
            VerdictKind::Denied => ("denied", None, None),
            VerdictKind::Ignored => ("ignored", None, None),
            VerdictKind::Skipped { range } => ("skipped", None, Some(range)),
        },
    };
    let mut fields = json!({
        "name": policy.name,
        "binding": policy.binding,
        "actions": policy.actions.iter().map(|it| action(*it)).collect::<Vec<_>>(),
        "params": policy.params,
        "decision": decision,
        "reason": reason,
        "range": place.map(|place| range(source, place)),
    });
    let PolicyOutcome::Evaluated(evaluation) = &policy.outcome else {
        let expressions = None;
        return JsonEvaluated {
            fields,
            expressions,
        };
    };
    if let Some(fields) = fields.as_object_mut() {
        add_evaluation(evaluation, source, fields);
    }
    JsonEvaluated {
        fields,
        expressions: Some(expressions_json(expressions, source, trace)),
    }
}

fn action(action: Action) -> &'static str {
    match action {
        Action::Deny => "Deny",
        Action::Warn => "Warn",
        Action::Audit => "Audit",
    }
}

fn add_evaluation(evaluation: &PolicyEvaluation, source: &Source, out: &mut Map<String, Value>) {
    let decisions = evaluation.decisions.iter();
    let mutations = evaluation
        .mutations
        .iter()
        .map(|it| json!({ "field": it.path, "error": it.error, "range": range(source, it.range) }));
    let fields = [
        (
            "decisions",
            decisions.map(|it| decision_json(it, source)).collect(),
        ),
        ("mutations", mutations.collect()),
        ("object", evaluation.object.as_ref().map(object_json).into()),
        (
            "auditAnnotations",
            annotations(&evaluation.audit_annotations).into(),
        ),
        ("auditErrors", annotations(&evaluation.audit_errors).into()),
        ("cost", evaluation.cost.into()),
    ];
    out.extend(fields.map(|(field, value)| (field.to_owned(), value)));
}

fn decision_json(decision: &DecisionResult, source: &Source) -> Value {
    let (outcome, reason) = match &decision.outcome {
        DecisionOutcome::Holds => ("holds", None),
        DecisionOutcome::Denies { reason, .. } => ("denies", Some(reason)),
        DecisionOutcome::Fails { .. } => ("fails", None),
    };
    json!({
        "field": decision.path,
        "outcome": outcome,
        "message": decision.message(),
        "reason": reason,
        "denies": decision.outcome.denies(),
        "range": range(source, decision.range),
    })
}

fn annotations(annotations: &[(String, String)]) -> Vec<Value> {
    let annotations = annotations.iter();
    annotations
        .map(|(key, value)| json!({ "key": key, "value": value }))
        .collect()
}

fn expressions_json<'a>(
    expressions: &'a [ExpressionEvaluation],
    source: &Source,
    trace: bool,
) -> Vec<JsonExpression<'a>> {
    let step = |step: &'a TraceStep| JsonStep {
        text: &step.text,
        value: step.result.value(),
        error: step.result.error(),
        range: range(source, step.range),
    };
    let expressions = expressions.iter().map(|expression| JsonExpression {
        field: &expression.path,
        value: expression.result.value(),
        error: expression.result.error(),
        cost: expression.cost,
        range: range(source, expression.range),
        trace: trace.then(|| expression.trace.iter().map(step).collect()),
    });
    expressions.collect()
}

/// Converts a Kubernetes object. A value that JSON cannot hold becomes a string.
fn object_json(object: &cel::Value) -> Value {
    match object {
        cel::Value::Null => Value::Null,
        cel::Value::Bool(value) => (*value).into(),
        cel::Value::Int(number) => (*number).into(),
        cel::Value::Uint(number) => (*number).into(),
        cel::Value::Double(number) => (*number).into(),
        cel::Value::String(text) => text.to_string().into(),
        cel::Value::List(items) => items.iter().map(object_json).collect(),
        cel::Value::Map(map) => {
            let fields = map.iter().map(|(key, value)| {
                let key = match key {
                    Key::String(text) => text.to_string(),
                    key => format!("{:?}", key.value()),
                };
                (key, object_json(value))
            });
            Value::Object(fields.collect())
        }
        other => format!("{other:?}").into(),
    }
}

fn range(source: &Source, range: TextRange) -> JsonRange {
    source.region(range).into()
}
