//! `--format json`: one object, for programs.
//!
//! `server/docs/command-line.md` documents the shape.

use super::InputOutcome;
use crate::loader::Loaded;
use crate::problem::Problem;
use crate::reader::shown_argument;
use crate::report::json::JsonRange;
use crate::report::{Source, shown};
use admission::{Request, Response};
use cel::value::Key;
use evaluation::run::{
    Action, DecisionOutcome, DecisionResult, ExpressionEvaluation, PolicyAnswer, PolicyEvaluation,
    PolicyOutcome, TraceStep, VerdictKind, WebhookAnswer, WebhookOutcome,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use text::TextRange;

/// The evaluation of a policy, or a webhook, with its expressions.
#[derive(Serialize)]
struct JsonEvaluated<'a> {
    #[serde(flatten)]
    fields: Value,
    expressions: Vec<JsonExpression<'a>>,
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

/// Writes the beginning, up to the first request.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn begin(policy: &Path, out: &mut dyn Write) -> io::Result<()> {
    let path = json!(shown_argument(policy));
    write!(
        out,
        "{{\n  \"version\": 1,\n  \"path\": {path},\n  \"inputs\": ["
    )
}

/// Writes the outcome of a request, after a number of others.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(
    outcome: &InputOutcome,
    loaded: &Loaded,
    trace: bool,
    others: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (input, answer) = (outcome.input.as_ref(), &outcome.answer);
    let head = json!({
        "name": input.map(|it| it.label()),
        "path": input.map(|it| shown(&it.key.path)),
        "request": request_json(&answer.request),
        "response": response_json(outcome.response()),
    });
    write!(out, "{}\n    {{{}", comma(others), members(&head, "\n    "))?;
    write!(out, ",\n      \"policies\": [")?;
    // All bindings of a policy share a result, which is then the same text.
    let mut shared: HashMap<*const PolicyEvaluation, String> = HashMap::new();
    let policies = answer.policies.iter().zip(&outcome.expressions);
    for (index, (policy, expressions)) in policies.enumerate() {
        let head = members(&policy_json(policy, loaded), "\n        ");
        write!(out, "{}\n        {{{head}", comma(index))?;
        if let PolicyOutcome::Evaluated(evaluation) = &policy.outcome {
            let source = &loaded.text_of(policy.policy).source;
            let text = shared.entry(Arc::as_ptr(evaluation)).or_insert_with(|| {
                let evaluation = evaluation_json(evaluation, expressions, source, trace);
                members(&evaluation, "\n        ")
            });
            write!(out, ",{text}")?;
        }
        out.write_all(b"\n        }")?;
    }
    let webhooks = outcome.webhooks.iter();
    let webhooks = webhooks.map(|(it, expressions)| webhook_json(it, expressions, loaded, trace));
    let webhooks = nested(&webhooks.collect::<Vec<_>>(), "\n      ");
    write!(out, "\n      ],\n      \"webhooks\": {webhooks}\n    }}")
}

/// Writes the end, after the last request.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn end(problems: &[Problem], out: &mut dyn Write) -> io::Result<()> {
    let problems: Vec<Value> = problems.iter().map(Problem::json).collect();
    let problems = nested(&problems, "\n  ");
    writeln!(out, "\n  ],\n  \"problems\": {problems}\n}}")
}

const fn comma(others: usize) -> &'static str {
    if others == 0 { "" } else { "," }
}

/// Returns JSON on several lines that is nested in other JSON. A line break in a string is escaped.
fn nested(value: &impl Serialize, line_break: &str) -> String {
    let text = serde_json::to_string_pretty(value);
    // Every key is a string, so each value is JSON.
    text.unwrap_or_default().replace('\n', line_break)
}

/// Returns the members of a nested object, each on its lines.
fn members(object: &impl Serialize, line_break: &str) -> String {
    let text = nested(object, line_break);
    let members = text.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    members.unwrap_or_default().trim_end().to_owned()
}

fn webhook_json<'a>(
    webhook: &WebhookAnswer,
    expressions: &'a [ExpressionEvaluation],
    loaded: &Loaded,
    trace: bool,
) -> JsonEvaluated<'a> {
    let text = loaded.text_of(webhook.policy);
    let source = &text.source;
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
        "file": text.path,
        "decision": decision,
        "reason": reason,
        "range": place.map(|place| range(source, place)),
        "cost": webhook.cost,
    });
    JsonEvaluated {
        fields,
        expressions: expressions_json(expressions, source, trace),
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
        "notes": response.caveats.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "plugin": response.plugin,
    })
}

fn policy_json(policy: &PolicyAnswer, loaded: &Loaded) -> Value {
    let text = loaded.text_of(policy.policy);
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
    json!({
        "name": policy.name,
        "file": text.path,
        "binding": policy.binding,
        "actions": policy.actions.iter().map(|it| action(*it)).collect::<Vec<_>>(),
        "params": policy.params,
        "decision": decision,
        "reason": reason,
        "range": place.map(|place| range(&text.source, place)),
    })
}

fn action(action: Action) -> &'static str {
    match action {
        Action::Deny => "Deny",
        Action::Warn => "Warn",
        Action::Audit => "Audit",
    }
}

fn evaluation_json<'a>(
    evaluation: &PolicyEvaluation,
    expressions: &'a [ExpressionEvaluation],
    source: &Source,
    trace: bool,
) -> JsonEvaluated<'a> {
    let decisions = evaluation.decisions.iter();
    let mutations = evaluation
        .mutations
        .iter()
        .map(|it| json!({ "field": it.path, "error": it.error, "range": range(source, it.range) }));
    let fields = json!({
        "decisions": decisions.map(|it| decision_json(it, source)).collect::<Vec<_>>(),
        "mutations": mutations.collect::<Vec<_>>(),
        "object": evaluation.object.as_ref().map(object_json),
        "auditAnnotations": annotations(&evaluation.audit_annotations),
        "auditErrors": annotations(&evaluation.audit_errors),
        "cost": evaluation.cost,
    });
    JsonEvaluated {
        fields,
        expressions: expressions_json(expressions, source, trace),
    }
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
